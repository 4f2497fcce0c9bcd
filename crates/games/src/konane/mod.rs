//! Konane, the checkers of Hawaii.
//!
//! The board starts full, black and white stones in turn. Black removes a stone from a corner
//! or the middle, White one beside the hole; from then on a move jumps over opposing stones in
//! a straight line, each onto an empty square right behind, and takes them. A jump may go on
//! in its line or stop at any landing. Who cannot move loses.
//!
//! A stone jumps two squares at a time, so it never leaves the squares of its colour: where
//! stones are and whose turn it is say everything. The conventions are those with which the
//! tables of the thesis come out (konane-thesis, appendices A and B; see tests/konane.rs).

mod board;
mod features;
mod frames;
mod indexed;
mod knowledge;
mod notation;

use std::sync::Arc;

use bouton_game::{Game, List, Player, TooMany};

use crate::grid::Size;
use board::{Board, squares};

pub use indexed::KonaneIndex;
pub use knowledge::Mobilities;

/// The rules of Konane on a board of one size.
#[derive(Clone, Debug)]
pub struct Konane {
    board: Arc<Board>,
}

/// Which squares hold stones, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The squares with a stone, row by row from the lowest bit. A square's stone is black if
    /// its row and column, counted from 0, add up to an even number.
    pub stones: u64,
    /// The side to move.
    pub side: Player,
}

/// A move; squares are counted row by row from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// One of the two removals that open the game.
    Remove(u8),
    /// A jump over one stone or several in a line.
    Jump {
        /// Where the stone jumps off.
        from: u8,
        /// Where it stops.
        to: u8,
    },
}

impl Konane {
    /// The largest board has this many squares.
    pub const MOST_SQUARES: usize = 64;

    fn new(size: Size) -> Self {
        Self {
            board: Arc::new(Board::new(size)),
        }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.board.size
    }

    /// The full board, Black to move.
    pub fn start(&self) -> Position {
        Position {
            stones: self.board.all,
            side: Player::Black,
        }
    }

    /// The stones of the side to move, and those of the other side.
    #[inline]
    fn own_and_other(&self, position: &Position) -> (u64, u64) {
        let black = position.stones & self.board.black;
        let white = position.stones & !self.board.black;
        match position.side {
            Player::Black => (black, white),
            Player::White => (white, black),
        }
    }

    /// The stones that may be removed, if the game is still to be opened.
    #[inline]
    fn removals(&self, position: &Position) -> Option<u64> {
        let board = &*self.board;
        let holes = board.all & !position.stones;
        match position.side {
            Player::Black if holes == 0 => Some(board.opening),
            Player::White if holes.is_power_of_two() && holes & board.black != 0 => {
                Some(board.neighbours(holes))
            }
            _ => None,
        }
    }

    /// Calls `visit` for every legal move.
    #[inline]
    fn each_move(&self, position: &Position, mut visit: impl FnMut(Move)) {
        if let Some(removals) = self.removals(position) {
            squares(removals).for_each(|square| visit(Move::Remove(square)));
        } else {
            let (own, other) = self.own_and_other(position);
            let jump = |from, to| visit(Move::Jump { from, to });
            self.board.jumps(own, other, jump);
        }
    }
}

impl Game for Konane {
    type Position = Position;
    type Move = Move;

    fn moves(&mut self, position: &Position, into: &mut List<Move>) {
        self.each_move(position, |mv| into.push(mv));
    }

    #[inline]
    fn play(&self, position: &Position, mv: &Move) -> Position {
        let stones = match *mv {
            Move::Remove(square) => position.stones & !(1 << square),
            Move::Jump { from, to } => self.board.jump(position.stones, from, to),
        };
        let side = !position.side;
        Position { stones, side }
    }

    #[inline]
    fn canonical(&mut self, position: &Position) -> Position {
        Position {
            stones: self.board.least_image(position.stones),
            ..*position
        }
    }

    fn symmetric(&self, position: &Position, into: &mut List<Position>) {
        for stones in self.board.images(position.stones) {
            into.push(Position {
                stones,
                ..*position
            });
        }
    }

    fn children(&mut self, position: &Position, into: &mut List<Position>) {
        let side = !position.side;
        if let Some(removals) = self.removals(position) {
            for square in squares(removals) {
                let stones = self.board.least_image(position.stones & !(1 << square));
                into.push(Position { stones, side });
            }
        } else {
            let (own, other) = self.own_and_other(position);
            let push = |stones| into.push(Position { stones, side });
            self.board.each_child(own, other, push);
        }
        into.sort_and_dedup();
    }

    fn to_move(&self, position: &Position) -> Option<Player> {
        Some(position.side)
    }

    fn count_moves(&mut self, position: &Position) -> Result<u64, TooMany> {
        let count = match self.removals(position) {
            Some(removals) => removals.count_ones(),
            None => {
                let (own, other) = self.own_and_other(position);
                self.board.count_jumps(own, other)
            }
        };
        Ok(u64::from(count))
    }

    #[inline]
    fn exact_key(position: &Position) -> Option<u128> {
        Some(u128::from(position.stones) | (position.side as u128) << 64)
    }
}
