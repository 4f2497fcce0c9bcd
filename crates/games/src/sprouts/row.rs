//! Small things in a row, to which a few are added at a time.
//!
//! Nobody can guess how many they are, and to ask costs more than to copy a few too many. So a block is
//! copied, with whatever lies behind them, and what is added next is written over it. For this a row has
//! room behind its end; where there is too little, or there are many, exactly those are copied.

use std::ops::{Deref, DerefMut};

/// A row of things, `BLOCK` of which are copied at a time; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Row<T, const BLOCK: usize> {
    /// The row, and room behind it.
    items: Vec<T>,
    end: usize,
}

impl<T: Copy + Default, const BLOCK: usize> Row<T, BLOCK> {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.end = 0;
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.end
    }

    #[inline]
    pub(super) fn truncate(&mut self, end: usize) {
        self.end = self.end.min(end);
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        match self.items.get_mut(self.end) {
            Some(place) => {
                *place = item;
                self.end += 1;
            }
            None => self.extend(&[item]),
        }
    }

    /// Adds so many things of another row, from one of them on.
    #[inline]
    pub(super) fn append(&mut self, from: &Self, start: usize, number: usize) {
        debug_assert!(
            start + number <= from.end,
            "what lies behind is not part of it"
        );
        self.append_few(&from.items[start..], number);
    }

    /// Adds the first of some things, so many of them.
    #[inline]
    pub(super) fn append_few(&mut self, things: &[T], number: usize) {
        let place = self.items.get_mut(self.end..);
        let place = place.and_then(|room| room.first_chunk_mut::<BLOCK>());
        match (things.first_chunk(), place) {
            (Some(block), Some(place)) if number <= BLOCK => {
                *place = *block;
                self.end += number;
            }
            _ => self.extend(&things[..number]),
        }
    }

    /// Adds some things.
    #[inline(never)]
    pub(super) fn extend(&mut self, many: &[T]) {
        self.room(many.len())[..many.len()].copy_from_slice(many);
        self.end += many.len();
    }

    /// Room for so many things and a block behind the end, with anything in it.
    #[inline]
    pub(super) fn room(&mut self, things: usize) -> &mut [T] {
        if self.items.len() < self.end + things + BLOCK {
            self.grow(things);
        }
        &mut self.items[self.end..]
    }

    #[cold]
    fn grow(&mut self, things: usize) {
        self.items
            .resize(2 * (self.end + things + BLOCK), T::default());
    }

    /// So many of the things that were written behind the end belong to the row now.
    #[inline]
    pub(super) fn advance(&mut self, things: usize) {
        self.end += things;
        debug_assert!(self.end <= self.items.len());
    }

    /// Becomes so many of one thing.
    #[inline]
    pub(super) fn fill(&mut self, things: usize, with: T) {
        self.end = 0;
        match self.items.first_chunk_mut::<BLOCK>() {
            Some(place) if things <= BLOCK => *place = [with; BLOCK],
            _ => self.room(things)[..things].fill(with),
        }
        self.end = things;
    }

    /// The block that begins at a place, with what may lie behind the row.
    #[inline]
    pub(super) fn block(&self, start: usize) -> Option<&[T; BLOCK]> {
        self.items.get(start..)?.first_chunk()
    }
}

impl<T, const BLOCK: usize> Deref for Row<T, BLOCK> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..self.end]
    }
}

impl<T, const BLOCK: usize> DerefMut for Row<T, BLOCK> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.end]
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Dice;
    use super::*;

    /// Whatever lies behind its end, a row holds what a list would.
    #[test]
    fn a_row_is_a_list() {
        let mut dice = Dice(7);
        let (mut row, mut other) = (Row::<u16, 4>::default(), Row::<u16, 4>::default());
        let mut list = Vec::new();
        for round in 0..10_000 {
            let number = dice.below(12);
            let start = dice.below(20);
            match dice.below(7) {
                0 => {
                    row.truncate(number);
                    list.truncate(number);
                }
                1 => {
                    row.push(round);
                    list.push(round);
                }
                2 => {
                    row.fill(number, round);
                    list = vec![round; number];
                }
                3 => {
                    row.room(number)[..number].fill(round);
                    row.advance(number);
                    list.extend(vec![round; number]);
                }
                4 => {
                    other.clear();
                    (0..32).for_each(|more| other.push(round + more));
                }
                5 if start + number <= other.len() => {
                    row.append(&other, start, number);
                    list.extend_from_slice(&other[start..start + number]);
                }
                _ => {
                    row.append_few(&[round; 12], number);
                    list.extend(vec![round; number]);
                }
            }
            assert_eq!(row[..], list[..]);
            if list.len() > 100 {
                row.clear();
                list.clear();
            }
        }
    }
}
