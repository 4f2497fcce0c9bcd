//! The carriers of all pairs of points, full or semi: which are kept, and what they have in common.
//!
//! Every pair has room for as many carriers as it may keep, in one piece of memory. What they have
//! in common lies apart: most questions end there.

use super::board::Set;

/// The pair of the sides, the first two points.
pub(super) const SIDES: usize = 0;

/// Where the pair of two points lies.
#[inline]
pub(super) fn index(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * (high - 1) / 2 + low
}

/// Carriers, at most `MOST` of each pair, none of which contains another.
#[derive(Clone, Debug, Default)]
pub(super) struct Carriers<S, const MOST: usize> {
    pairs: Vec<Pair<S>>,
    sets: Vec<[S; MOST]>,
}

#[derive(Clone, Copy, Debug)]
struct Pair<S> {
    /// The intersection of all carriers that were ever found.
    common: S,
    /// How many there are.
    count: u8,
    /// Those taken up already come first, the smallest first.
    taken_up: u8,
}

impl<S: Set, const MOST: usize> Carriers<S, MOST> {
    /// Makes room for some pairs, and forgets all carriers.
    pub(super) fn reset(&mut self, pairs: usize) {
        let none = Pair {
            common: !S::NONE,
            count: 0,
            taken_up: 0,
        };
        self.pairs.clear();
        self.pairs.resize(pairs, none);
        let room = self.sets.len().max(pairs);
        self.sets.resize(room, [S::NONE; MOST]);
    }

    /// What all carriers of a pair have in common; all bits if there are none.
    #[inline]
    pub(super) fn common(&self, pair: usize) -> S {
        self.pairs[pair].common
    }

    /// The carriers of a pair.
    #[inline]
    pub(super) fn of(&self, pair: usize) -> &[S] {
        &self.sets[pair][..usize::from(self.pairs[pair].count)]
    }

    /// Those that were taken up.
    #[inline]
    pub(super) fn taken(&self, pair: usize) -> &[S] {
        &self.sets[pair][..usize::from(self.pairs[pair].taken_up)]
    }

    /// Adds a carrier if there is room and none is within it; those around it are dropped.
    #[inline]
    pub(super) fn add(&mut self, pair: usize, carrier: S) -> bool {
        let mut replaces = false;
        for &set in self.of(pair) {
            if set.is_within(carrier) {
                return false;
            }
            replaces |= carrier.is_within(set);
        }
        if replaces {
            self.drop_around(pair, carrier);
        }
        let Pair { common, count, .. } = &mut self.pairs[pair];
        // The last quarter is for those that make less common to all.
        let shrinks = !common.is_within(carrier);
        let room = if shrinks { MOST } else { MOST / 4 * 3 };
        let room = &mut self.sets[pair][..room];
        let Some(place) = room.get_mut(usize::from(*count)) else {
            return false;
        };
        *place = carrier;
        *common &= carrier;
        *count += 1;
        true
    }

    /// The same if it makes less common to all or is within others.
    pub(super) fn add_useful(&mut self, pair: usize, carrier: S) -> bool {
        let shrinks = !self.common(pair).is_within(carrier);
        let mut sets = self.of(pair).iter();
        (shrinks || sets.any(|&set| carrier.is_within(set))) && self.add(pair, carrier)
    }

    /// Drops all that contain some cells.
    #[inline]
    pub(super) fn drop_around(&mut self, pair: usize, cells: S) {
        if cells == S::NONE {
            (self.pairs[pair].count, self.pairs[pair].taken_up) = (0, 0);
        } else if self.pairs[pair].count > 0 {
            self.keep(pair, |set| !cells.is_within(set));
        }
    }

    /// Drops all others. Kept out of the loops that call it: most find nothing to drop.
    #[inline(never)]
    fn keep(&mut self, pair: usize, worth: impl Fn(S) -> bool) {
        let Pair {
            count, taken_up, ..
        } = &mut self.pairs[pair];
        let sets = &mut self.sets[pair][..usize::from(*count)];
        let taken = usize::from(*taken_up);
        (*count, *taken_up) = (0, 0);
        for index in 0..sets.len() {
            if worth(sets[index]) {
                sets[usize::from(*count)] = sets[index];
                *count += 1;
                *taken_up += u8::from(index < taken);
            }
        }
    }

    /// Marks a carrier as taken up, unless it was dropped.
    #[inline]
    pub(super) fn take_up(&mut self, pair: usize, carrier: S) -> bool {
        let Pair {
            count, taken_up, ..
        } = &mut self.pairs[pair];
        let sets = &mut self.sets[pair][..usize::from(*count)];
        let waiting = &mut sets[usize::from(*taken_up)..];
        let Some(index) = waiting.iter().position(|&set| set == carrier) else {
            return false;
        };
        waiting.swap(0, index);
        *taken_up += 1;
        true
    }
}

/// Some sets that have as little in common, within others, as all of them; and what that is.
pub(super) fn apart<S: Set>(sets: &[S], within: S) -> (Vec<S>, S) {
    let (mut chosen, mut union, mut common) = (Vec::new(), S::NONE, within);
    loop {
        let value = |set: &S| ((common & *set).count(), (union | *set).count());
        let Some(&best) = sets.iter().min_by_key(|set| value(set)) else {
            return (chosen, common);
        };
        if common.is_within(best) {
            return (chosen, common);
        }
        common &= best;
        union |= best;
        chosen.push(best);
    }
}
