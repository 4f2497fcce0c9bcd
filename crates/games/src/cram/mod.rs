//! Cram: the players place dominoes on free cells of a board in turn; who cannot, loses.
//!
//! Rules: appendix A.3 of Beling and Rogalski 2020. Either player may lay a domino along a row
//! or a column, so the game is impartial; on a single row it is Dawson's Kayles.
//!
//! A position is the set of free cells. Congruent shapes are the same game wherever they lie,
//! cells without a free neighbour do not matter, and regions that do not touch are a sum.
//!
//! Invariant: cells are counted along the longer side of the board, so that all but the
//! notation sees a board that lies. Canonical shapes lie on it too; drawn on a board with more
//! rows than columns, they stand.

mod knowledge;
mod notation;
mod shape;
#[cfg(test)]
mod tests;
mod word;

use std::sync::Arc;

use bouton_game::{Game, Impartial, List, TooMany};

use crate::grid::{Size, Symmetry};
use shape::Frame;
use word::Word;

pub use knowledge::CellsAndDominoes;

/// The rules on a board of a given size.
#[derive(Clone, Debug)]
pub struct Cram {
    size: Size,
    frames: Arc<Frames>,
}

/// The lying board in a wide word, and in a narrow one too if it fits: see [`Word`].
#[derive(Debug)]
struct Frames {
    wide: Frame<u128>,
    narrow: Option<Frame<u64>>,
}

impl Frames {
    fn new(size: Size) -> Self {
        let (rows, columns) = (size.rows as u32, size.columns as u32);
        let narrow = rows * columns <= u64::BITS;
        Self {
            wide: Frame::new(rows, columns),
            narrow: narrow.then(|| Frame::new(rows, columns)),
        }
    }

    fn canonical(&self, free: u128) -> u128 {
        match &self.narrow {
            Some(frame) => frame.canonical(u64::truncate(free)).into(),
            None => self.wide.canonical(free),
        }
    }
}

/// A position: the free cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Free(u128);

impl Free {
    /// How many cells are free.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// A move: the two cells of a domino.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domino(u128);

impl Cram {
    /// As many cells as a board may have.
    pub const CELLS: usize = 128;

    /// The rules on a board of at most [`CELLS`](Self::CELLS) cells.
    ///
    /// # Panics
    /// If the board is empty or larger.
    pub fn new(size: Size) -> Self {
        assert!((1..=Self::CELLS).contains(&size.cells()));
        Self {
            size,
            frames: Arc::new(Frames::new(lie_down(size))),
        }
    }

    /// The empty board.
    pub fn start(&self) -> Free {
        Free(self.frames.wide.all())
    }

    /// The bit of a cell of the board as it is drawn.
    fn bit(&self, cell: usize) -> usize {
        turn(self.size).image(self.size, cell)
    }

    /// The cell of a bit: a transposition undoes itself.
    fn cell(&self, bit: usize) -> usize {
        turn(self.size).image(lie_down(self.size), bit)
    }
}

impl Game for Cram {
    type Position = Free;
    type Move = Domino;

    fn moves(&mut self, position: &Free, into: &mut List<Domino>) {
        let dominoes = self.frames.wide.dominoes(position.0);
        dominoes.for_each(|cells| into.push(Domino(cells)));
    }

    fn play(&self, position: &Free, domino: &Domino) -> Free {
        Free(position.0 & !domino.0)
    }

    fn canonical(&mut self, position: &Free) -> Free {
        Free(self.frames.canonical(position.0))
    }

    fn symmetric(&self, position: &Free, into: &mut List<Free>) {
        let size = lie_down(self.size);
        for symmetry in Symmetry::all().filter(|symmetry| symmetry.size(size) == size) {
            let cells = position.0.cells();
            let image = cells.map(|cell| 1 << symmetry.image(size, cell as usize));
            into.push(Free(image.sum()));
        }
    }

    fn children(&mut self, position: &Free, into: &mut List<Free>) {
        match &self.frames.narrow {
            Some(frame) => push_children(frame, *position, into),
            None => push_children(&self.frames.wide, *position, into),
        }
        into.sort_and_dedup();
    }

    fn count_moves(&mut self, position: &Free) -> Result<u64, TooMany> {
        let frame = &self.frames.wide;
        let starts = [frame.horizontal(position.0), frame.vertical(position.0)];
        let counts = starts.iter().map(|cells| u64::from(cells.count_ones()));
        Ok(counts.sum())
    }

    #[inline]
    fn exact_key(position: &Free) -> Option<u128> {
        Some(position.0)
    }
}

impl Impartial for Cram {
    fn components(&mut self, position: &Free, into: &mut List<Free>) {
        match &self.frames.narrow {
            Some(frame) => push_components(frame, *position, into),
            None => push_components(&self.frames.wide, *position, into),
        }
    }
}

fn push_children<W: Word>(frame: &Frame<W>, position: Free, into: &mut List<Free>) {
    let free = W::truncate(position.0);
    frame.dominoes(free).for_each(|domino| {
        into.push(Free(frame.canonical(free & !domino).into()));
    });
}

fn push_components<W: Word>(frame: &Frame<W>, position: Free, into: &mut List<Free>) {
    let regions = frame.regions(W::truncate(position.0));
    regions.for_each(|region| into.push(Free(frame.canonical(region).into())));
}

/// What lays a board down: a standing one is transposed.
fn turn(size: Size) -> Symmetry {
    Symmetry {
        transposes: size.rows > size.columns,
        flips_rows: false,
        flips_columns: false,
    }
}

/// The size of the board as it lies.
fn lie_down(size: Size) -> Size {
    turn(size).size(size)
}
