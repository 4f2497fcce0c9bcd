//! Pairs of cells that a stone would capture, for whatever the player wants to join.
//!
//! With a stone on some cell, two neighbours of it are *captured* if a further stone on either
//! makes the other useless: all that it touches, empty cells, own chains and own sides, is touched
//! by the stone's chain already. Then the player may count on both: if the opponent takes one,
//! the player takes the other, and what is lost was not needed. This holds for any two points
//! that are to be joined, so it is stricter than what fill-in asks for, where the points are
//! the sides. A mistake here costs **truth**.

use bouton_game::Player;

use super::board::{Board, cells};

/// One player's side of a board.
pub(super) struct Captures<'a> {
    pub(super) board: &'a Board,
    pub(super) player: Player,
    pub(super) own: u128,
    pub(super) empty: u128,
}

impl Captures<'_> {
    /// The pairs that a stone on an empty cell captures; no two share a cell.
    pub(super) fn of(&self, cell: u8, mut found: impl FnMut(u128)) {
        let stone = 1u128 << cell;
        let mut near = self.board.neighbours(stone) & self.empty;
        for one in cells(near) {
            let one = 1u128 << one;
            let partners = near & self.board.neighbours(one);
            if near & one == 0 {
                continue;
            }
            let captured = |&other: &u8| {
                self.is_useless(1 << other, stone | one) && self.is_useless(one, stone | 1 << other)
            };
            if let Some(other) = cells(partners).find(captured) {
                let pair = one | 1 << other;
                near &= !pair;
                found(pair);
            }
        }
    }

    /// Whether a cell joins nothing that is not joined by some more own stones.
    fn is_useless(&self, cell: u128, stones: u128) -> bool {
        let touched = self.board.neighbours(cell) & !stones;
        let own = self.own | stones;
        let sides = self.board.sides(self.player);
        let mut chain = self.board.flood(stones, own);
        let mut at = 0;
        for side in sides {
            if chain & side != 0 {
                chain |= self.board.flood(side & own, own);
                at |= side;
            }
        }
        let beside = cells_of(sides, cell);
        let reached = self.board.neighbours(chain) | at | chain;
        beside & !at == 0 && touched & (self.empty | self.own) & !reached & !cell == 0
    }
}

/// The sides that a cell lies at.
fn cells_of(sides: [u128; 2], cell: u128) -> u128 {
    let at = sides.into_iter().filter(|side| side & cell != 0);
    at.fold(0, |all, side| all | side)
}
