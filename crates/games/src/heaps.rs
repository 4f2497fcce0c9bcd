//! Games played on heaps of tokens, one at a time: Nim, Kayles, Dawson's Kayles, Grundy's game.
//!
//! A [`HeapRule`] says what one heap may become; [`HeapGame`] makes a game of it. A position
//! keeps the heaps in the order given, empty ones too, so that a heap keeps its number during
//! play. Canonical are the heaps that still have moves, largest first.
//!
//! Reading refuses more than [`MOST_HEAPS`] heaps or [`MOST_TOKENS`] tokens: these keep the
//! list of children small, and no such position is out of a search's reach for another reason.

use std::cmp::Reverse;
use std::fmt;
use std::marker::PhantomData;

use bouton_game::{Game, Impartial, List, Notation, NotationError, excerpt};
use smallvec::{SmallVec, smallvec};

use crate::number::read_number;

/// How many heaps a position may have.
pub const MOST_HEAPS: usize = 1_000;

/// How many tokens all heaps of a position may have together.
pub const MOST_TOKENS: usize = 10_000;

/// What a player may do to one heap.
pub trait HeapRule: Clone + Send + fmt::Debug + 'static {
    /// See [`Notation::NAME`].
    const NAME: &'static str;
    /// See [`Notation::SUMMARY`].
    const SUMMARY: &'static str;
    /// See [`Notation::SIZES`].
    const SIZES: &'static str = "20";
    /// See [`Notation::MOVES`].
    const MOVES: &'static str = "the heaps left";
    /// See [`Notation::EXAMPLES`].
    const EXAMPLES: &'static [&'static str];
    /// Whether the text of a move says which heap it changes. Otherwise moves of equal heaps are the
    /// same.
    const SAYS_WHICH: bool = false;
    /// The size of the smallest heap that has a move.
    const SMALLEST: u16;

    /// Calls `becomes` with every pair of heaps that a heap may become; 0 stands for none.
    fn options(heap: u16, becomes: impl FnMut(u16, u16));

    /// The text of a move in a position.
    fn write_move(position: &Heaps, mv: Split) -> String {
        position.after(mv).canonical(Self::SMALLEST).to_string()
    }
}

/// A position: the heaps, in the order given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Heaps(SmallVec<[u16; 12]>);

impl Heaps {
    fn after(&self, mv: Split) -> Self {
        let mut heaps = self.0.clone();
        heaps[mv.heap] = mv.left;
        if mv.right > 0 {
            heaps.insert(mv.heap + 1, mv.right);
        }
        Self(heaps)
    }

    fn canonical(&self, smallest: u16) -> Self {
        let alive = self.0.iter().copied().filter(|&heap| heap >= smallest);
        let mut heaps: SmallVec<_> = alive.collect();
        heaps.sort_unstable_by_key(|&heap| Reverse(heap));
        if heaps.is_empty() {
            heaps.push(0); // As nothing is written, so that it can be read back.
        }
        Self(heaps)
    }
}

impl fmt::Display for Heaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, heap) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{heap}")?;
        }
        Ok(())
    }
}

/// A move: what one heap becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Which heap, counted from 0.
    pub heap: usize,
    /// What takes its place.
    pub left: u16,
    /// A new heap beside it, 0 for none.
    pub right: u16,
}

/// The game of a [`HeapRule`].
#[derive(Clone, Debug)]
pub struct HeapGame<R> {
    rule: PhantomData<R>,
}

impl<R: HeapRule> Game for HeapGame<R> {
    type Position = Heaps;
    type Move = Split;

    fn moves(&mut self, position: &Heaps, into: &mut List<Split>) {
        for (heap, &size) in position.0.iter().enumerate() {
            if R::SAYS_WHICH || !position.0[..heap].contains(&size) {
                R::options(size, |left, right| into.push(Split { heap, left, right }));
            }
        }
    }

    fn play(&self, position: &Heaps, mv: &Split) -> Heaps {
        position.after(*mv)
    }

    fn canonical(&mut self, position: &Heaps) -> Heaps {
        position.canonical(R::SMALLEST)
    }

    fn symmetric(&self, position: &Heaps, into: &mut List<Heaps>) {
        into.push(position.clone());
        into.push(Heaps(position.0.iter().rev().copied().collect()));
        into.push(Heaps(position.0.iter().copied().chain([0]).collect()));
    }

    fn children(&mut self, position: &Heaps, into: &mut List<Heaps>) {
        for (heap, &size) in position.0.iter().enumerate() {
            if position.0[..heap].contains(&size) {
                continue; // Equal heaps have equal children.
            }
            R::options(size, |left, right| {
                let child = position.after(Split { heap, left, right });
                into.push(child.canonical(R::SMALLEST));
            });
        }
        into.sort_and_dedup();
    }

    fn heap_bytes(position: &Heaps) -> usize {
        if position.0.spilled() {
            position.0.capacity() * size_of::<u16>()
        } else {
            0
        }
    }
}

impl<R: HeapRule> Impartial for HeapGame<R> {
    fn components(&mut self, position: &Heaps, into: &mut List<Heaps>) {
        for &heap in position.0.iter().filter(|&&heap| heap >= R::SMALLEST) {
            into.push(Heaps(smallvec![heap]));
        }
    }
}

impl<R: HeapRule> Notation for HeapGame<R> {
    const NAME: &'static str = R::NAME;
    const SUMMARY: &'static str = R::SUMMARY;
    const SIZES: &'static str = R::SIZES;
    const POSITIONS: &'static str = "heaps, 9,8,5";
    const MOVES: &'static str = R::MOVES;
    const EXAMPLES: &'static [&'static str] = R::EXAMPLES;

    fn open(text: &str) -> Result<(Self, Heaps), NotationError> {
        let heaps = read_heaps(text).map_err(NotationError::new::<Self>)?;
        Ok((Self { rule: PhantomData }, heaps))
    }

    fn write(&self, position: &Heaps) -> String {
        position.to_string()
    }

    fn write_move(&self, position: &Heaps, mv: &Split) -> String {
        R::write_move(position, *mv)
    }

    fn read_move(&mut self, position: &Heaps, text: &str) -> Result<Split, NotationError> {
        // The heaps left are understood in any order, whatever else a move may be called.
        let left = read_heaps(text).map(|heaps| heaps.canonical(R::SMALLEST));
        let legal = self.legal_moves(position).unwrap_or_default();
        let found = legal.into_iter().find(|&mv| {
            R::write_move(position, mv) == text
                || left.as_ref() == Ok(&position.after(mv).canonical(R::SMALLEST))
        });
        found.ok_or_else(|| NotationError::not_a_move(self, position, text))
    }

    /// A position says all by itself.
    fn setting(&self) -> Option<String> {
        Some(String::new())
    }

    fn pack(&self, position: &Heaps, into: &mut Vec<u8>) {
        into.extend(position.0.iter().flat_map(|heap| heap.to_be_bytes()));
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Heaps> {
        let (heaps, rest) = bytes.as_chunks::<2>();
        let heaps = Heaps(heaps.iter().map(|&heap| u16::from_be_bytes(heap)).collect());
        (rest.is_empty() && heaps == heaps.canonical(R::SMALLEST)).then_some(heaps)
    }
}

fn read_heaps(text: &str) -> Result<Heaps, String> {
    let error = |index: usize, expected: &str| {
        let (heap, position) = (index + 1, excerpt(text));
        format!("heap {heap}: expected {expected} (position \"{position}\")")
    };
    let mut heaps = SmallVec::new();
    let mut tokens = 0;
    for (index, size) in text.split(',').enumerate() {
        let size = read_number(size.trim()).ok_or_else(|| error(index, "a number"))?;
        tokens += size.min(MOST_TOKENS + 1);
        if tokens > MOST_TOKENS {
            return Err(error(
                index,
                &format!("at most {MOST_TOKENS} tokens in all"),
            ));
        }
        if heaps.len() == MOST_HEAPS {
            return Err(error(index, &format!("at most {MOST_HEAPS} heaps")));
        }
        heaps.push(size as u16);
    }
    Ok(Heaps(heaps))
}
