//! Pairs of cells that a stone would capture, for whatever the player wants to join.
//!
//! With a stone on some cell, two neighbours of it are *captured* if a further stone on either
//! makes the other useless: all that it touches, empty cells, own chains and own sides, is touched
//! by the stone's chain already. Then the player may count on both: if the opponent takes one,
//! the player takes the other, and what is lost was not needed. This holds for any two points
//! that are to be joined, so it is stricter than what fill-in asks for, where the points are
//! the sides. A mistake here costs **truth**.

use bouton_game::Player;

use super::board::{Board, Set, cells};
use super::fill_in::FillIn;

/// One player's side of a board.
pub(super) struct Captures<'a, S> {
    pub(super) board: &'a Board,
    pub(super) player: Player,
    /// What the player's graph joins every empty cell to.
    near: &'a [S],
    own: u128,
    empty: u128,
}

impl<'a, S: Set> Captures<'a, S> {
    pub(super) fn new(board: &'a Board, player: Player, filled: &'a FillIn<S>) -> Self {
        Self {
            board,
            player,
            near: filled.near(player),
            own: filled.stones[player as usize].widen(),
            empty: filled.empty.widen(),
        }
    }

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
                let pair = [one.trailing_zeros() as u8, other];
                !self.reach_farther(cell, pair)
                    && self.is_useless(1 << other, stone | one)
                    && self.is_useless(one, stone | 1 << other)
            };
            if let Some(other) = cells(partners).find(captured) {
                let pair = one | 1 << other;
                near &= !pair;
                found(pair);
            }
        }
    }

    /// Whether one of a pair is joined to something that neither the other nor a stone is. Then it
    /// is not useless; most pairs are not, and this is quick.
    fn reach_farther(&self, stone: u8, pair: [u8; 2]) -> bool {
        let [stone_near, one, other] =
            [stone, pair[0], pair[1]].map(|cell| self.near[usize::from(cell)] | S::one(cell));
        !one.is_within(stone_near | other) || !other.is_within(stone_near | one)
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
