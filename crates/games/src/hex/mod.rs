//! Hex.
//!
//! Players put stones of their colour on empty cells of a rhombus of hexagons. Black begins and
//! joins the top row with the bottom row, White the left column with the right column; the
//! first to do so wins, and on a full board exactly one has. There is no swap rule.
//!
//! Cell `a1` is the top left one; a cell touches its neighbours in row and column, the one above
//! to the right and the one below to the left. Half a turn keeps a position's value. So does
//! reflection in the long diagonal together with swapping the colours, but that makes a position
//! for the other player, and positions remember who is who.
//!
//! | file | what it does |
//! | --- | --- |
//! | `board.rs`, `notation.rs`, `record.rs` | cells as sets; text; SGF and lists of moves |
//! | `knowledge.rs`, `parts.rs` | what a search asks for, and which parts of it may be left out |
//! | `sight.rs` | one position: filled in, its connections, what must be played |
//! | `fill_in.rs` | cells whose colour is settled |
//! | `connections.rs`, `carriers.rs`, `waiting.rs`, `captured.rs`, `templates/` | what a player can join whatever the opponent does |
//! | `order.rs`, `resistance.rs`, `promise.rs` | which moves come first, and what to expect of them |
//! | `memory.rs`, `wins.rs` | what was seen of positions, and wins that hold elsewhere |
//! | `alike.rs` | positions that differ in stones only |
//! | `chains.rs`, `crossed.rs` | what a player's chains join; which of many sets share no cell with another |
//! | `compare.rs` | positions that are no better than others, for certificates |

mod alike;
mod board;
mod captured;
mod carriers;
mod chains;
mod compare;
mod connections;
mod crossed;
mod fill_in;
mod knowledge;
mod memory;
mod notation;
mod order;
mod parts;
mod promise;
mod record;
mod resistance;
mod sight;
mod templates;
#[cfg(test)]
mod tests;
mod waiting;
mod wins;

use std::sync::Arc;

use bouton_game::{Game, List, Outcome, Outline, Player, TooMany};

use crate::grid::Size;
use board::{Board, cells};

pub use knowledge::{Insight, VirtualConnections};
pub use order::TwoDistance;
pub use parts::Parts;

/// The rules of Hex on a board of one size.
#[derive(Clone, Debug)]
pub struct Hex {
    board: Arc<Board>,
}

/// Both players' stones, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The cells with a black stone, row by row from the lowest bit.
    pub black: u128,
    /// The cells with a white stone.
    pub white: u128,
    /// The side to move.
    pub side: Player,
}

/// A move: the cell that gets a stone, counted row by row from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u8);

impl Position {
    /// The position with these stones of the side to move and of the opponent.
    fn new(side: Player, own: u128, other: u128) -> Self {
        let (black, white) = match side {
            Player::Black => (own, other),
            Player::White => (other, own),
        };
        Self { black, white, side }
    }

    /// The stones of a player.
    #[inline]
    pub fn stones(&self, player: Player) -> u128 {
        match player {
            Player::Black => self.black,
            Player::White => self.white,
        }
    }

    /// The position after the side to move has put a stone on an empty cell.
    #[inline]
    fn with(&self, cell: u8) -> Self {
        let mut next = *self;
        match self.side {
            Player::Black => next.black |= 1 << cell,
            Player::White => next.white |= 1 << cell,
        }
        next.side = !self.side;
        next
    }
}

/// The lesser of a position and its half turn.
#[inline]
fn least(a: Position, b: Position) -> Position {
    if (a.black, a.white) <= (b.black, b.white) {
        a
    } else {
        b
    }
}

impl Hex {
    /// The largest board has this many cells.
    pub const MOST_CELLS: usize = 128;

    fn new(size: Size) -> Self {
        Self {
            board: Arc::new(Board::new(size)),
        }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.board.size
    }

    /// The empty board, Black to move.
    pub fn start(&self) -> Position {
        Position {
            black: 0,
            white: 0,
            side: Player::Black,
        }
    }

    /// Whether a player has joined their sides.
    pub fn has_won(&self, position: &Position, player: Player) -> bool {
        self.board.joins(player, position.stones(player))
    }

    /// Whether a set of cells fits into 64 bits.
    fn is_short(&self) -> bool {
        self.size().cells() <= 64
    }

    fn empty(&self, position: &Position) -> u128 {
        self.board.all & !(position.black | position.white)
    }

    fn half_turn(&self, position: &Position) -> Position {
        Position {
            black: self.board.half_turn(position.black),
            white: self.board.half_turn(position.white),
            side: position.side,
        }
    }

    /// The cells that the side to move may choose from; none if the game is over.
    fn choices(&self, position: &Position) -> u128 {
        match self.decided(position) {
            None => self.empty(position),
            Some(_) => 0,
        }
    }
}

impl Game for Hex {
    type Position = Position;
    type Move = Cell;

    const ORDERED: bool = true;

    fn moves(&mut self, position: &Position, into: &mut List<Cell>) {
        cells(self.choices(position)).for_each(|cell| into.push(Cell(cell)));
    }

    fn play(&self, position: &Position, &Cell(cell): &Cell) -> Position {
        position.with(cell)
    }

    fn exact_key(position: &Position) -> Option<u128> {
        let Position { black, white, side } = *position;
        let fits = (black | white) >> 63 == 0;
        fits.then_some(black | white << 63 | (side as u128) << 126)
    }

    fn canonical(&mut self, position: &Position) -> Position {
        least(*position, self.half_turn(position))
    }

    fn symmetric(&self, position: &Position, into: &mut List<Position>) {
        into.push(*position);
        into.push(self.half_turn(position));
    }

    fn children(&mut self, position: &Position, into: &mut List<Position>) {
        let turned = self.half_turn(position);
        let last = self.size().cells() as u8 - 1;
        for cell in cells(self.choices(position)) {
            let opposite = last - cell;
            // Different cells make the same child only where half a turn keeps the stones: then
            // a cell and the opposite one do, and the lower of them is enough.
            if turned != *position || cell <= opposite {
                into.push(least(position.with(cell), turned.with(opposite)));
            }
        }
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        // The last to move first: in play nobody else can have won.
        if self.has_won(position, !position.side) {
            Some(Outcome::Loss)
        } else if self.has_won(position, position.side) {
            Some(Outcome::Win)
        } else {
            None
        }
    }

    fn to_move(&self, position: &Position) -> Option<Player> {
        Some(position.side)
    }

    fn count_moves(&mut self, position: &Position) -> Result<u64, TooMany> {
        Ok(u64::from(self.choices(position).count_ones()))
    }

    fn no_better(&self, position: &Position, than: &Position) -> bool {
        position.has_no_more(than)
    }

    fn met(&mut self, position: &Position, lost: &Position) -> u128 {
        self.met_by(position, lost)
    }

    fn outline(&self, position: &Position) -> Outline {
        Outline {
            own: position.stones(position.side),
            other: position.stones(!position.side),
        }
    }

    fn least(&self, position: &Position, met_by: &[&Position]) -> Position {
        self.conceded(position, met_by)
    }
}
