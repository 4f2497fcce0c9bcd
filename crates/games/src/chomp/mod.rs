//! Chomp: the players bite squares off a bar of chocolate in turn; whoever is left with the
//! poisoned square alone loses.
//!
//! Rules: appendix A.2 of Beling and Rogalski 2020. A bite takes a square and all that lie
//! above it and to its right. The poisoned square, bottom left, is drawn but never bitten, so
//! this is normal play: the player without a move loses.
//!
//! A position is the lengths of the rows from the bottom up. Invariants: lengths do not grow
//! upwards, the lowest is at least 1, and a bar as it was drawn keeps its empty rows. The
//! transposed bar is the same game.

mod indexed;
mod notation;
#[cfg(test)]
mod tests;

use bouton_game::{Game, Impartial, List, TooMany};
use smallvec::SmallVec;

pub use indexed::ChompIndex;

/// The rules. The board's size is part of the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chomp;

/// Eight rows fit without memory elsewhere, as many as a canonical 8 x n bar has.
type Lengths = SmallVec<[u16; 8]>;

/// A position: the length of each row, from the bottom up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bar(Lengths);

/// A move: the lowest and leftmost square that it takes, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bite {
    row: u16,
    column: u16,
}

impl Bar {
    /// A whole bar. The sides are at least 1, and there are at most [`Chomp::SQUARES`] squares.
    fn whole(columns: u16, rows: usize) -> Self {
        Self(SmallVec::from_elem(columns, rows))
    }

    /// How many rows are not empty.
    fn height(&self) -> usize {
        self.0.partition_point(|&length| length > 0)
    }

    /// The lengths of the columns from left to right: the bar reflected in its diagonal.
    fn transposed(&self) -> Self {
        let mut columns = Lengths::new();
        // The upper rows are the shorter ones; each row reveals what it has more than the next.
        for (below, &length) in self.0.iter().enumerate().rev() {
            columns.resize(length.into(), below as u16 + 1);
        }
        Self(columns)
    }

    /// The bar without its empty rows.
    fn trimmed(&self) -> Self {
        Self(SmallVec::from_slice(&self.0[..self.height()]))
    }

    /// The greater of the bar and its transposed self, without empty rows.
    fn canonical(&self) -> Self {
        let width = usize::from(self.0[0]);
        match width.cmp(&self.height()) {
            // The longer first row is the greater.
            std::cmp::Ordering::Greater => self.trimmed(),
            std::cmp::Ordering::Less => self.transposed(),
            std::cmp::Ordering::Equal => self.trimmed().max(self.transposed()),
        }
    }

    fn without(&self, bite: Bite) -> Self {
        let mut left = self.clone();
        for length in &mut left.0[bite.row.into()..] {
            *length = bite.column.min(*length);
        }
        left
    }

    /// Every bite, row by row from the bottom, from left to right: the order of the paper.
    fn bites(&self) -> impl Iterator<Item = Bite> {
        let squares = self.0.iter().enumerate().flat_map(|(row, &length)| {
            let row = row as u16;
            (0..length).map(move |column| Bite { row, column })
        });
        // The first is the poisoned square.
        squares.skip(1)
    }
}

impl Chomp {
    /// As many squares as a bar may have. A position has as many moves as squares, all but one,
    /// and searches are hopeless long before that.
    pub const SQUARES: usize = 4096;
}

impl Game for Chomp {
    type Position = Bar;
    type Move = Bite;

    fn moves(&mut self, bar: &Bar, into: &mut List<Bite>) {
        bar.bites().for_each(|bite| into.push(bite));
    }

    fn play(&self, bar: &Bar, bite: &Bite) -> Bar {
        bar.without(*bite)
    }

    fn canonical(&mut self, bar: &Bar) -> Bar {
        bar.canonical()
    }

    fn symmetric(&self, bar: &Bar, into: &mut List<Bar>) {
        into.push(bar.clone());
        into.push(bar.transposed());
    }

    fn children(&mut self, bar: &Bar, into: &mut List<Bar>) {
        bar.bites()
            .for_each(|bite| into.push(bar.without(bite).canonical()));
        into.sort_and_dedup();
    }

    fn count_moves(&mut self, bar: &Bar) -> Result<u64, TooMany> {
        Ok(bar.0.iter().map(|&length| u64::from(length)).sum::<u64>() - 1)
    }

    fn heap_bytes(bar: &Bar) -> usize {
        if bar.0.spilled() {
            bar.0.capacity() * size_of::<u16>()
        } else {
            0
        }
    }
}

impl Impartial for Chomp {}
