//! Losses in the order in which they were proved, for finding those that say something of a position.
//!
//! Losses that follow each other resemble each other, since they were proved for the same purpose.
//! So a group of them is known by one outline: what the loser has in any of them, and what the winner
//! has in all. A group whose outline says nothing of a position is passed over, and so is a group of
//! groups. What is found is what looking through all of them would find, in the same order.

use bouton_game::Outline;

/// A group has so many members, two to this power.
const BITS: usize = 4;

/// Outlines of losses, of groups, of groups of groups, and so on.
const LEVELS: usize = 5;

/// The outlines of losses.
#[derive(Default)]
pub(crate) struct Pile {
    levels: [Vec<Outline>; LEVELS],
}

impl Pile {
    /// Puts one on top.
    pub(crate) fn push(&mut self, outline: Outline) {
        let index = self.levels[0].len();
        for (level, outlines) in self.levels.iter_mut().enumerate() {
            match outlines.get_mut(index >> (BITS * level)) {
                Some(group) => group.join(&outline),
                None => outlines.push(outline),
            }
        }
    }

    /// The indices of those that may say something of a position, the latest first.
    pub(crate) fn meeting(&self, position: Outline) -> impl Iterator<Item = usize> {
        let mut end = self.levels[0].len();
        std::iter::from_fn(move || {
            end = self.latest(&position, end)?;
            Some(end)
        })
    }

    /// The latest of those before an index that may say something of a position.
    fn latest(&self, position: &Outline, mut end: usize) -> Option<usize> {
        'next: while let Some(index) = end.checked_sub(1) {
            for (level, outlines) in self.levels.iter().enumerate().rev() {
                let shift = BITS * level;
                let group = index >> shift;
                // Groups are looked at when they are entered.
                let is_entered = end.trailing_zeros() as usize >= shift;
                let is_last = end == self.levels[0].len();
                if (is_entered || is_last) && !outlines[group].may_meet(position) {
                    end = group << shift;
                    continue 'next;
                }
            }
            return Some(index);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use bouton_search::dice::Dice;

    use super::*;

    #[test]
    fn what_groups_hide_is_not_missed() {
        let mut dice = Dice::of(&"pile", 0);
        let mut sparse = || u128::from(dice.roll() & dice.roll());
        let (mut pile, mut outlines) = (Pile::default(), Vec::new());
        let mut found = 0;
        // Those near each other have much in common.
        let mut common = Outline::default();
        for number in 0..5_000 {
            if number % 100 == 0 {
                let other = sparse() & sparse() & sparse();
                common = Outline {
                    own: sparse(),
                    other,
                };
            }
            let outline = Outline {
                own: common.own | sparse(),
                other: common.other | sparse() & sparse() & sparse(),
            };
            pile.push(outline);
            outlines.push(outline);
            let position = Outline {
                own: common.own & sparse() & sparse(),
                other: !sparse(),
            };
            let all = outlines.iter().enumerate().rev();
            let meeting = all.filter(|(_, loss)| loss.may_meet(&position));
            let meeting: Vec<_> = meeting.map(|(index, _)| index).collect();
            assert_eq!(pile.meeting(position).collect::<Vec<_>>(), meeting);
            found += meeting.len();
        }
        assert!(found > 1_000, "{found}");
    }
}
