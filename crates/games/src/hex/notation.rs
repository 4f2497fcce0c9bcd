//! Hex as text and as bytes.
//!
//! A position is its rows and the side to move: `x..|.o.|... b`. How many stones each player
//! has is left open, for handicaps and for positions in which White began. Bytes are the black
//! stones, the white stones, each lowest first, and the letter of the side.

use bouton_game::{Notation, NotationError, Player};

use super::{Cell, Hex, Position};
use crate::grid::{self, Size};

impl Notation for Hex {
    const NAME: &'static str = "hex";
    const SUMMARY: &'static str =
        "Hex: Black joins top and bottom, White left and right, with a chain of stones";
    const SIZES: &'static str = "RxC";
    const POSITIONS: &'static str = "rows joined by |, x black, o white, . empty; then a space and b or w to move; or a size and moves, or SGF";
    const MOVES: &'static str = "b2";
    const EXAMPLES: &'static [&'static str] =
        &["2x2", "3x3", "x...|..o.|.... b", "..ox|.ox.|.x..|o... w"];

    fn open(text: &str) -> Result<(Self, Position), NotationError> {
        if let Some(size) = Size::read::<Self>(text, Self::MOST_CELLS) {
            let game = Self::new(size?);
            let start = game.start();
            return Ok((game, start));
        }
        if let Some(recorded) = Self::read_sgf(text).or_else(|| Self::read_moves(text)) {
            return recorded;
        }
        let (rows, side) = grid::read_side::<Self>(text)?;
        let board = grid::Board::read::<Self>(rows, "xo.", Self::MOST_CELLS)?;
        let set = |symbol| {
            let cells = board.cells_with(symbol);
            cells.fold(0, |set: u128, cell| set | 1 << cell)
        };
        let position = Position {
            black: set('x'),
            white: set('o'),
            side,
        };
        Ok((Self::new(board.size), position))
    }

    fn write(&self, position: &Position) -> String {
        let has = |set: u128, cell: usize| set >> cell & 1 == 1;
        let board = self.size().write(|cell| match cell {
            _ if has(position.black, cell) => 'x',
            _ if has(position.white, cell) => 'o',
            _ => '.',
        });
        format!("{board} {}", position.side.letter())
    }

    fn write_move(&self, _: &Position, &Cell(cell): &Cell) -> String {
        self.size().name(usize::from(cell))
    }

    /// The rhombus, each row half a cell to the right of the one above.
    fn map(&self, position: &Position, mark: &dyn Fn(&str) -> char) -> Option<String> {
        let Size { rows, columns } = self.size();
        let letters = (0..columns).map(|column| grid::name(0, column).replace('0', ""));
        let mut text = format!("    {}\n", letters.collect::<Vec<_>>().join(" "));
        for row in 0..rows {
            let symbols = (0..columns).map(|column| {
                let cell = self.size().cell(row, column);
                match cell {
                    _ if position.black >> cell & 1 == 1 => 'x',
                    _ if position.white >> cell & 1 == 1 => 'o',
                    _ => mark(&self.size().name(cell)),
                }
            });
            let symbols: Vec<_> = symbols.map(String::from).collect();
            let number = row + 1;
            text += &format!("{:row$}{number:>2}  {}\n", "", symbols.join(" "));
        }
        Some(text)
    }

    fn board(&self) -> String {
        self.size().to_string()
    }

    fn setting(&self) -> Option<String> {
        Some(self.board())
    }

    fn pack(&self, position: &Position, into: &mut Vec<u8>) {
        for set in [position.black, position.white] {
            into.extend_from_slice(&set.to_le_bytes()[..self.set_bytes()]);
        }
        into.push(position.side.letter() as u8);
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Position> {
        let (&side, sets) = bytes.split_last()?;
        if sets.len() != 2 * self.set_bytes() {
            return None;
        }
        let set = |bytes: &[u8]| {
            let mut set = [0; 16];
            set[..bytes.len()].copy_from_slice(bytes);
            u128::from_le_bytes(set)
        };
        let (black, white) = sets.split_at(self.set_bytes());
        let position = Position {
            black: set(black),
            white: set(white),
            side: match side {
                b'b' => Player::Black,
                b'w' => Player::White,
                _ => return None,
            },
        };
        let outside = (position.black | position.white) & !self.board.all;
        let both = position.black & position.white;
        (outside | both == 0).then_some(position)
    }
}

impl Hex {
    fn set_bytes(&self) -> usize {
        self.size().cells().div_ceil(8)
    }
}
