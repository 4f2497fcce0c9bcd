//! Which of many sets share no cell with another, asked of hundreds of them at once.
//!
//! Sets are numbered. For every cell there is a row of bits, one for each set that has the cell; the
//! rows of another set's cells, taken together, say which sets it crosses. Rows are cut into blocks,
//! so that few sets take little time and little memory. To look through 16,384 wins one by one took
//! four times as long.

use super::board::{Set, members};

/// Words of a row in a block, and sets in a word and in a block.
const WORDS: usize = 8;
const WORD: usize = u64::BITS as usize;
const BLOCK: usize = WORDS * WORD;

/// The sets of a block that have a cell.
type Row = [u64; WORDS];

/// Numbered sets, by their cells.
#[derive(Clone, Debug)]
pub(super) struct Crossed<S> {
    /// The rows of all cells for the first sets, then for the next ones.
    rows: Vec<Row>,
    /// The sets themselves.
    sets: Vec<S>,
}

impl<S> Default for Crossed<S> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            sets: Vec::new(),
        }
    }
}

impl<S: Set> FromIterator<S> for Crossed<S> {
    fn from_iter<I: IntoIterator<Item = S>>(sets: I) -> Self {
        let mut crossed = Self::default();
        sets.into_iter().for_each(|set| crossed.push(set));
        crossed
    }
}

impl<S> Crossed<S> {
    /// As many cells as a set can have.
    const CELLS: usize = 8 * size_of::<S>();

    /// How many rows so many sets take.
    const fn rows_of(sets: usize) -> usize {
        sets.div_ceil(BLOCK) * Self::CELLS
    }

    /// The bytes that so many sets take.
    pub(super) const fn bytes_of(sets: usize) -> usize {
        Self::rows_of(sets) * size_of::<Row>() + sets * size_of::<S>()
    }

    /// The bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Row>() + self.sets.capacity() * size_of::<S>()
    }

    /// How many sets there are.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Makes room for so many sets at once: what grows is there twice for a while.
    pub(super) fn reserve(&mut self, sets: usize) {
        self.rows
            .reserve_exact(Self::rows_of(sets) - self.rows.len());
        self.sets.reserve_exact(sets - self.sets.len());
    }
}

impl<S: Set> Crossed<S> {
    /// Adds a set, with the next number.
    pub(super) fn push(&mut self, set: S) {
        let number = self.sets.len();
        self.sets.push(set);
        self.rows.resize(Self::rows_of(self.len()), [0; WORDS]);
        self.flip(number, set);
    }

    /// Puts a set in place of another.
    pub(super) fn replace(&mut self, number: usize, set: S) {
        let before = std::mem::replace(&mut self.sets[number], set);
        self.flip(number, before);
        self.flip(number, set);
    }

    /// A set by its number.
    #[inline]
    pub(super) fn get(&self, number: usize) -> S {
        self.sets[number]
    }

    fn flip(&mut self, number: usize, set: S) {
        let (block, place) = (number / BLOCK, number % BLOCK);
        for cell in members(set) {
            let row = &mut self.rows[block * Self::CELLS + usize::from(cell)];
            row[place / WORD] ^= 1 << (place % WORD);
        }
    }

    /// The numbers of all sets that share no cell with another, the lowest first.
    #[inline]
    pub(super) fn apart(&self, other: S) -> impl Iterator<Item = usize> {
        let blocks = self.rows.chunks_exact(Self::CELLS).enumerate();
        blocks.flat_map(move |(block, rows)| {
            let mut crossed = [0; WORDS];
            for cell in members(other) {
                let row = &rows[usize::from(cell)];
                for (crossed, with) in crossed.iter_mut().zip(row) {
                    *crossed |= with;
                }
            }
            let first = block * BLOCK;
            let words = crossed.into_iter().enumerate();
            words.flat_map(move |(word, crossed)| {
                let first = first + word * WORD;
                let there = self.len().saturating_sub(first).min(WORD);
                let all = u64::MAX.unbounded_shr((WORD - there) as u32);
                members(all & !crossed).map(move |place| first + usize::from(place))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute_force::Dice;

    /// Few cells, so that sets often share none.
    fn random(dice: &mut Dice) -> u64 {
        (0..4).fold(0, |set, _| set | 1 << dice.below(64))
    }

    #[test]
    fn the_same_sets_are_apart_as_one_by_one() {
        let mut dice = Dice(1);
        let mut crossed = Crossed::<u64>::default();
        let mut sets = Vec::new();
        for round in 0..3 * BLOCK {
            let set = random(&mut dice);
            if round % 3 == 2 {
                let number = dice.below(sets.len());
                crossed.replace(number, set);
                sets[number] = set;
            } else {
                crossed.push(set);
                sets.push(set);
            }
            if round % 16 == 0 || sets.len() % 64 < 2 {
                let other = random(&mut dice);
                let expected = (0..sets.len()).filter(|&number| sets[number] & other == 0);
                assert!(crossed.apart(other).eq(expected), "after {round} sets");
            }
        }
    }
}
