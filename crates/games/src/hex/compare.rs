//! Which positions are no better than others, and what a player can do without.
//!
//! A stone more never harms its player. Say that a player wins a position `s`, and that `r`, with
//! the same side to move, has all of the player's stones in `s`, and no stone of the opponent that
//! `s` has not. Then the player wins `r` too, by playing as in `s`:
//!
//! - If the opponent moves onto a cell that is empty in `s`, the player answers as there. If the
//!   answer's cell has a stone of theirs already, any cell will do.
//! - If the opponent moves onto any other empty cell of `r`, it has a stone of the opponent in
//!   `s`. There nothing has happened, and any answer will do.
//!
//! After each answer `r` compares with `s` as before. When the board of `r` is full, the player has
//! all cells but some of the opponent's in `s`; a chain that wins there wins here.
//!
//! So a player who wins may concede all cells that the win does not need, and positions that differ
//! only in such cells are proved at once. The checker of certificates relies on
//! [`has_no_more`](Position::has_no_more): a mistake there costs **truth**.

use super::{Hex, Position, cells};

impl Position {
    /// Whether the side to move has no stone more than in another position, and the opponent
    /// none less.
    pub(super) fn has_no_more(&self, than: &Self) -> bool {
        let (side, other) = (self.side, !self.side);
        side == than.side
            && self.stones(side) & !than.stones(side) == 0
            && than.stones(other) & !self.stones(other) == 0
    }
}

impl Hex {
    /// The moves to which the opponent has an answer that leaves no more than there is in `lost`.
    pub(super) fn met_by(&self, position: &Position, lost: &Position) -> u128 {
        let (side, other) = (position.side, !position.side);
        let missing = lost.stones(other) & !position.stones(other);
        let too_good = position.stones(side) & !lost.stones(side) != 0;
        // With one stone the opponent gets at most one of the missing ones.
        if side != lost.side || too_good || missing & missing.wrapping_sub(1) != 0 {
            return 0;
        }
        let moves = cells(self.choices(position)).enumerate();
        moves.fold(0, |met, (index, cell)| {
            met | (lost.stones(side) >> cell & 1) << index
        })
    }

    /// A loss in which the opponent has only what is needed to meet every move by way of other
    /// losses or, without any, to have won.
    pub(super) fn conceded(&self, position: &Position, met_by: &[&Position]) -> Position {
        let (side, other) = (position.side, !position.side);
        let given = match met_by {
            [] => self.board.all & !self.thin_chain(position),
            _ => met_by
                .iter()
                .fold(self.board.all, |given, lost| given & lost.stones(side)),
        };
        Position::new(side, given, position.stones(other) & !given)
    }

    /// Stones that join the sides of the player who moved last, none of which can be left out.
    fn thin_chain(&self, position: &Position) -> u128 {
        let winner = !position.side;
        let mut chain = position.stones(winner);
        for cell in cells(chain) {
            let less = chain & !(1 << cell);
            if self.board.joins(winner, less) {
                chain = less;
            }
        }
        chain
    }
}

#[cfg(test)]
mod tests {
    use bouton_game::{Game, Notation, Outcome};

    use super::super::tests::{BruteForce, for_random_positions};
    use super::*;

    /// Positions with stones added to and taken from others are no better, and lose if these do.
    #[test]
    fn who_has_no_more_does_no_better() {
        let mut brute_force = BruteForce::default();
        let mut losses = 0;
        let mut last: Option<(Hex, Position)> = None;
        for_random_positions(7, 20_000, |game, one| {
            let before = last.replace((game.clone(), *one));
            let Some((_, other)) = before.filter(|(of, _)| of.size() == game.size()) else {
                return;
            };
            // What both sides have in common, and what either has.
            let (side, opponent) = (one.side, !one.side);
            let most = one.stones(opponent) | other.stones(opponent);
            let least = one.stones(side) & other.stones(side) & !most;
            let worse = Position::new(side, least, most);
            assert!(game.no_better(&worse, one));
            assert_eq!(game.no_better(one, &worse), worse == *one);
            if brute_force.outcome(game, one) == Outcome::Loss {
                losses += 1;
                let outcome = brute_force.outcome(game, &worse);
                assert_eq!(outcome, Outcome::Loss, "{}", game.write(&worse));
            }
        });
        assert!(losses > 1_000, "{losses}");
    }

    /// What is met by sets of cells is what is met move by move.
    #[test]
    fn answers_are_found_at_once() {
        let (mut met, mut last) = (0, None);
        for_random_positions(8, 5_000, |game, position| {
            // A position that has something to do with this one.
            let side = position.side;
            let other = last.replace(*position).unwrap_or(*position);
            let own = (position.stones(side) | other.black) & game.board.all;
            let lost = Position::new(side, own, other.white & game.board.all & !own);
            let at_once = game.met(position, &lost);
            if at_once != 0 || game.no_better(position, &lost) {
                assert!(game.outline(&lost).may_meet(&game.outline(position)));
            }
            for (index, cell) in cells(game.choices(position)).enumerate() {
                let after = position.with(cell);
                let mut replies = cells(game.choices(&after));
                let reply = replies.any(|cell| game.no_better(&after.with(cell), &lost));
                if game.choices(&after) != 0 {
                    assert_eq!(at_once >> index & 1 == 1, reply, "{}", game.write(&after));
                }
            }
            met += at_once.count_ones();
        });
        assert!(met > 1_000, "{met}");
    }
}
