//! Positions as numbers, so that a game can be solved whole: strong solutions.
//!
//! An [`Index`] gives every position a [`Place`]: a level, a row of the level, a bit of the row.
//! Moves lead to later levels only, so one sweep over the levels, the last one first, gives every
//! position its value, and one sweep the other way finds what can be reached. A row is what one
//! thread works on at a time; its bits are as many as the game likes.
//!
//! Required are the levels, and the way from a position to its place and back. Everything else
//! has a default that looks at one position at a time. Whole rows can be handled much faster
//! where a move is the same shift for many positions (Konane: 64 positions in one operation);
//! such an index overrides `wins`, `immobile` and `spread`, and `settle` if these may set bits
//! at places other than that of [`Index::place`].
//!
//! # What a mistake costs
//!
//! All of it is **truth**, except levels that are larger than they need to be: they cost memory
//! and time.

use crate::Game;

/// A game whose positions can be numbered.
pub trait Indexed: Game {
    /// How.
    type Index: Index<Game = Self>;

    /// The numbers of all positions that play from `root` may lead to, and maybe more.
    fn index(&self, root: &Self::Position) -> Result<Self::Index, TooLarge>;
}

/// Why positions cannot be numbered: there are too many of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// What is possible, in a few words: `boards of at most 40 squares`.
    pub most: String,
}

/// Some positions, none of which is reached from another of the same level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// How many rows it has.
    pub rows: usize,
    /// How many places each row has.
    pub bits: usize,
    /// Where moves lead: later levels, in ascending order.
    pub next: Vec<usize>,
}

impl Level {
    /// How many words of 64 bits a row takes.
    pub fn words(&self) -> usize {
        self.bits.div_ceil(64)
    }

    /// How many bytes a set of positions of the level takes.
    pub fn bytes(&self) -> usize {
        self.rows * self.words() * 8
    }
}

/// A row of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row {
    /// The level.
    pub level: usize,
    /// Which of its rows.
    pub row: usize,
}

/// Where a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// In which row.
    pub row: Row,
    /// At which bit of it.
    pub bit: usize,
}

/// The numbers of a game's positions. It belongs to one thread; a clone serves another.
pub trait Index: Clone + Send {
    /// The game.
    type Game: Game;

    /// Changes when positions get other places, so that files of old are not misread.
    const VERSION: u32;

    /// The rules.
    fn game(&mut self) -> &mut Self::Game;

    /// The levels, in the order of play.
    fn levels(&self) -> &[Level];

    /// The place of a position, the same for all that are the same up to symmetry; `None` if it
    /// has none (another board, no legal position).
    fn place(&mut self, position: &<Self::Game as Game>::Position) -> Option<Place>;

    /// The position at a place, `None` where there is none: `place(position(p)) == p`.
    fn position(&mut self, place: Place) -> Option<<Self::Game as Game>::Position>;

    /// Sets `into` to the places of a row that hold a position.
    fn positions(&mut self, row: Row, into: &mut [u64]) {
        into.fill(0);
        for bit in 0..self.levels()[row.level].bits {
            if self.position(Place { row, bit }).is_some() {
                set(into, bit);
            }
        }
    }

    /// Sets `into` to the places of a row from which the player to move wins, given the same of
    /// all levels that moves lead to. At places without a position it may say anything.
    fn wins(&mut self, row: Row, values: &impl Values, into: &mut [u64]) {
        one_by_one::wins(self, row, values, into);
    }

    /// Sets `into` to the places of a row where the game is over. At places without a position
    /// it may say anything.
    fn immobile(&mut self, row: Row, into: &mut [u64]) {
        one_by_one::immobile(self, row, into);
    }

    /// Adds the children of some positions of a row, given as bits.
    fn spread(&mut self, row: Row, positions: &[u64], into: &impl Rows) {
        one_by_one::spread(self, row, positions, into);
    }

    /// Moves what [`spread`](Self::spread) added to a row to the places that hold positions.
    fn settle(&mut self, row: Row, bits: &mut [u64]) {
        let _ = (row, bits);
    }
}

/// Rows handled one position at a time: what an [`Index`] does unless it knows better.
pub mod one_by_one {
    use super::{Index, Place, Row, Rows, Values, get, ones, set};
    use crate::{Expansion, Game, List, Outcome};

    /// Calls `visit` with every position of a row, its bit, what its value follows from, and its
    /// children.
    fn each<I: Index>(
        index: &mut I,
        bits: impl Iterator<Item = usize>,
        row: Row,
        mut visit: impl FnMut(&mut I, usize, Expansion, &[<I::Game as Game>::Position]),
    ) {
        let mut children = List::new();
        for bit in bits {
            if let Some(position) = index.position(Place { row, bit }) {
                let expansion = index.game().expand(&position, &mut children);
                assert_ne!(expansion, Expansion::TooMany, "more children than places");
                visit(index, bit, expansion, &children);
            }
        }
    }

    /// See [`Index::wins`].
    pub fn wins<I: Index>(index: &mut I, row: Row, values: &impl Values, into: &mut [u64]) {
        into.fill(0);
        let bits = 0..index.levels()[row.level].bits;
        each(index, bits, row, |index, bit, expansion, children| {
            let wins = match expansion {
                Expansion::Decided(outcome) => outcome == Outcome::Win,
                _ => children.iter().any(|child| {
                    let place = index.place(child).expect("moves lead to places");
                    !get(values.row(place.row), place.bit)
                }),
            };
            if wins {
                set(into, bit);
            }
        });
    }

    /// See [`Index::immobile`].
    pub fn immobile<I: Index>(index: &mut I, row: Row, into: &mut [u64]) {
        into.fill(0);
        let bits = 0..index.levels()[row.level].bits;
        each(index, bits, row, |_, bit, _, children| {
            if children.is_empty() {
                set(into, bit);
            }
        });
    }

    /// See [`Index::spread`].
    pub fn spread<I: Index>(index: &mut I, row: Row, positions: &[u64], into: &impl Rows) {
        each(index, ones(positions), row, |index, _, _, children| {
            for child in children {
                let place = index.place(child).expect("moves lead to places");
                into.with(place.row, |bits| set(bits, place.bit));
            }
        });
    }
}

/// The values of rows: a bit is set where the player to move wins.
pub trait Values {
    /// Those of a row.
    fn row(&self, row: Row) -> &[u64];
}

/// Rows that several threads add to.
pub trait Rows {
    /// Calls `add` with a row, which nobody else changes meanwhile.
    fn with(&self, row: Row, add: impl FnOnce(&mut [u64]));
}

/// Whether a bit is set.
#[inline]
pub fn get(bits: &[u64], bit: usize) -> bool {
    bits[bit / 64] >> (bit % 64) & 1 == 1
}

/// Sets a bit.
#[inline]
pub fn set(bits: &mut [u64], bit: usize) {
    bits[bit / 64] |= 1 << (bit % 64);
}

/// The bits that are set, the lowest first.
pub fn ones(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(word, &bits)| {
        let mut rest = bits;
        std::iter::from_fn(move || {
            let lowest = (rest != 0).then(|| word * 64 + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            lowest
        })
    })
}
