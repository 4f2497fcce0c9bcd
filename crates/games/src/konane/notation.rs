//! Konane as text and as bytes.
//!
//! A position is its rows and the side to move: `xox|o.o|xox w`. Reading refuses what the
//! state cannot hold (a stone on a square of the other colour) and the full board with White
//! to move, for which there are no rules. Bytes are the set of stones, the lowest first, and
//! the letter of the side.

use bouton_game::{Notation, NotationError, Player, excerpt};

use super::{Konane, Move, Position};
use crate::grid::{self, Size};

impl Notation for Konane {
    const NAME: &'static str = "konane";
    const SUMMARY: &'static str =
        "Konane: jump over opposing stones in a line; who cannot move loses";
    const SIZES: &'static str = "RxC";
    const POSITIONS: &'static str =
        "rows joined by |, x black, o white, . empty; then a space and b or w to move";
    const MOVES: &'static str = "d4 removes, d4-d2 jumps";
    const EXAMPLES: &'static [&'static str] = &[
        "3x3",
        "4x3",
        "2x5",
        "xox.|o.ox|..xo|ox.x b",
        "xoxo|o.ox|x..o|..ox|xoxo w",
    ];

    fn open(text: &str) -> Result<(Self, Position), NotationError> {
        if let Some(size) = Size::read::<Self>(text, Self::MOST_SQUARES) {
            let game = Self::new(size?);
            let start = game.start();
            return Ok((game, start));
        }
        let (rows, side) = grid::read_side::<Self>(text)?;
        let board = grid::Board::read::<Self>(rows, "xo.", Self::MOST_SQUARES)?;
        let game = Self::new(board.size);
        let stones = game.read_stones(&board).map_err(|message| {
            let position = excerpt(text);
            NotationError::new::<Self>(format_args!("{message} (position \"{position}\")"))
        })?;
        let position = Position { stones, side };
        if game.is_outside_the_rules(&position) {
            return Err(NotationError::new::<Self>(format_args!(
                "expected Black to move on the full board, \"b\" (position \"{}\")",
                excerpt(text)
            )));
        }
        Ok((game, position))
    }

    fn write(&self, position: &Position) -> String {
        let symbol = |square: usize| match position.stones >> square & 1 {
            0 => '.',
            _ => self.symbol(square),
        };
        let side = position.side.letter();
        format!("{} {side}", self.size().write(symbol))
    }

    fn write_move(&self, _: &Position, mv: &Move) -> String {
        let name = |square: u8| self.size().name(usize::from(square));
        match *mv {
            Move::Remove(square) => name(square),
            Move::Jump { from, to } => format!("{}-{}", name(from), name(to)),
        }
    }

    fn board(&self) -> String {
        self.size().to_string()
    }

    fn setting(&self) -> Option<String> {
        Some(self.board())
    }

    fn pack(&self, position: &Position, into: &mut Vec<u8>) {
        let bytes = position.stones.to_le_bytes();
        into.extend_from_slice(&bytes[..self.stone_bytes()]);
        into.push(position.side.letter() as u8);
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Position> {
        let (&side, set) = bytes.split_last()?;
        if set.len() != self.stone_bytes() {
            return None;
        }
        let mut stones = [0; 8];
        stones[..set.len()].copy_from_slice(set);
        let position = Position {
            stones: u64::from_le_bytes(stones),
            side: match side {
                b'b' => Player::Black,
                b'w' => Player::White,
                _ => return None,
            },
        };
        let fits = position.stones & !self.board.all == 0;
        (fits && !self.is_outside_the_rules(&position)).then_some(position)
    }
}

impl Konane {
    /// The symbol of the stones that a square may hold.
    fn symbol(&self, square: usize) -> char {
        match self.board.black >> square & 1 {
            1 => 'x',
            _ => 'o',
        }
    }

    /// The set of stones on a board, or which of them no play could have brought there.
    fn read_stones(&self, board: &grid::Board) -> Result<u64, String> {
        let mut stones = 0;
        for (square, &symbol) in board.symbols.iter().enumerate() {
            let own = self.symbol(square);
            if symbol == own {
                stones |= 1 << square;
            } else if symbol != '.' {
                let name = self.size().name(square);
                return Err(format!(
                    "{name}: expected \"{own}\" or \".\", found \"{symbol}\""
                ));
            }
        }
        Ok(stones)
    }

    /// Whether the board is full, but not Black to move.
    fn is_outside_the_rules(&self, position: &Position) -> bool {
        position.stones == self.board.all && position.side == Player::White
    }

    fn stone_bytes(&self) -> usize {
        self.size().cells().div_ceil(8)
    }
}
