//! Cram as text (`..#|...`, moves `a1-b1`) and as bytes.
//!
//! Bytes: the height and the width of the box around a canonical shape, then its cells row by
//! row, eight to a byte, the lowest bit first. The empty shape is `0 0`. Since a canonical box
//! lies and the order of masks does not depend on how wide the board is, a shape has the same
//! bytes on every board it fits on.

use bouton_game::{Notation, NotationError, excerpt};

use super::shape::Extent;
use super::{Cram, Domino, Free, lie_down};
use crate::grid::{Board, Size};

impl Notation for Cram {
    const NAME: &'static str = "cram";
    const SUMMARY: &'static str = "place dominoes in turn until one player cannot";
    const SIZES: &'static str = "RxC, rows x columns";
    const POSITIONS: &'static str = "rows joined by |, . free, # taken";
    const MOVES: &'static str = "a1-b1, the two cells: column letter, row number from the top";
    const EXAMPLES: &'static [&'static str] = &["2x3", "3x3", "1x7", "2x5", "..#.|....|.#.."];

    fn open(text: &str) -> Result<(Self, Free), NotationError> {
        let text = text.trim();
        if let Some(size) = Size::read::<Self>(text, Self::CELLS) {
            let game = Self::new(size?);
            let start = game.start();
            return Ok((game, start));
        }
        let board = Board::read::<Self>(text, ".#", Self::CELLS)?;
        let game = Self::new(board.size);
        let free = board.cells_with('.').map(|cell| 1 << game.bit(cell));
        let position = Free(free.sum());
        Ok((game, position))
    }

    fn write(&self, position: &Free) -> String {
        let is_free = |cell| position.0 >> self.bit(cell) & 1 == 1;
        self.size
            .write(|cell| if is_free(cell) { '.' } else { '#' })
    }

    fn write_move(&self, _position: &Free, domino: &Domino) -> String {
        self.cell_names(domino).join("-")
    }

    fn read_move(&mut self, position: &Free, text: &str) -> Result<Domino, NotationError> {
        let same = |domino: &Domino| {
            let [a, b] = self.cell_names(domino);
            let both = [format!("{a}-{b}"), format!("{b}-{a}")];
            both.iter().any(|name| name.eq_ignore_ascii_case(text))
        };
        let mut dominoes = self.frames.wide.dominoes(position.0).map(Domino);
        dominoes.find(same).ok_or_else(|| {
            NotationError::new::<Self>(format_args!(
                "expected two free neighbours like \"a1-b1\", found \"{}\" (position \"{}\")",
                excerpt(text),
                self.write(position)
            ))
        })
    }

    /// Bytes mean the same on every board. It has a name all the same: what earlier programs kept
    /// without one may be false, since they took up tables of other boards.
    fn board(&self) -> String {
        "any".to_owned()
    }

    fn setting(&self) -> Option<String> {
        Some(lie_down(self.size).to_string())
    }

    fn pack(&self, position: &Free, into: &mut Vec<u8>) {
        let (shape, extent) = self.frames.wide.corner(position.0);
        into.extend([extent.height as u8, extent.width as u8]);
        let bits = self.frames.wide.squeeze(shape, extent);
        into.extend_from_slice(&bits.to_le_bytes()[..extent.bytes()]);
    }

    fn unpack(&self, packed: &[u8]) -> Option<Free> {
        let (&[height, width], cells) = packed.split_first_chunk()?;
        let extent = Extent {
            height: height.into(),
            width: width.into(),
        };
        let board = lie_down(self.size);
        let fits = usize::from(height) <= board.rows && usize::from(width) <= board.columns;
        if !fits || cells.len() != extent.bytes() {
            return None;
        }
        let mut word = [0; 16];
        word[..cells.len()].copy_from_slice(cells);
        let shape = self.frames.wide.stretch(u128::from_le_bytes(word), extent);
        let position = (self.frames.canonical(shape) == shape).then_some(Free(shape))?;
        // A box larger than need be and bits beyond the last cell do not come back.
        let mut again = Vec::with_capacity(packed.len());
        self.pack(&position, &mut again);
        (again == packed).then_some(position)
    }
}

impl Cram {
    fn cell_names(&self, domino: &Domino) -> [String; 2] {
        let bits = [domino.0.trailing_zeros(), domino.0.ilog2()];
        bits.map(|bit| self.size.name(self.cell(bit as usize)))
    }
}

impl Extent {
    /// How many bytes hold the cells of the box.
    fn bytes(self) -> usize {
        (self.height * self.width).div_ceil(8) as usize
    }
}
