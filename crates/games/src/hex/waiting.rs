//! Connections that were found and not taken up yet, the smallest first.

use super::board::Set;
use super::carriers::{Carriers, SIDES, index};

/// What was found and not taken up yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting<S> {
    /// By the size of the carrier.
    lists: Vec<[Vec<Found<S>>; 2]>,
    /// No carrier that waits is smaller.
    smallest: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Found<S> {
    pub(super) points: [u8; 2],
    pub(super) carrier: S,
}

/// Indices of the lists in [`Waiting`].
pub(super) const FULL: usize = 0;
const SEMI: usize = 1;

impl<S: Set> Waiting<S> {
    /// Forgets all; carriers have some cells at most.
    pub(super) fn reset(&mut self, cells: usize) {
        self.lists.resize_with(cells + 1, Default::default);
        self.lists.iter_mut().flatten().for_each(Vec::clear);
        self.smallest = 0;
    }

    #[inline]
    pub(super) fn add(&mut self, kind: usize, a: usize, b: usize, carrier: S) {
        let points = [a as u8, b as u8];
        let size = carrier.count();
        self.smallest = self.smallest.min(size);
        self.lists[size][kind].push(Found { points, carrier });
    }

    /// Adds a semi connection that is new among those of its pair, which had some cells in common
    /// before. They wait until they may make a full one together: until they have nothing in common
    /// but what is captured. Most never do.
    #[inline]
    pub(super) fn add_semi<const MOST: usize>(
        &mut self,
        semis: &mut Carriers<S, MOST>,
        points: [usize; 2],
        carrier: S,
        before: S,
        captured: S,
    ) {
        let pair = index(points[0], points[1]);
        // Between the sides it is enough to know what all have in common.
        if pair != SIDES && semis.common(pair).is_within(captured) {
            match before.is_within(captured) {
                true => self.add(SEMI, points[0], points[1], carrier),
                false => self.add_all_semis(semis, points),
            }
        }
    }

    /// Adds all semi connections of a pair, but those that would have been taken up by now.
    #[inline(never)]
    fn add_all_semis<const MOST: usize>(
        &mut self,
        semis: &mut Carriers<S, MOST>,
        [a, b]: [usize; 2],
    ) {
        let pair = index(a, b);
        for place in 0..semis.of(pair).len() {
            let carrier = semis.of(pair)[place];
            if carrier.count() > self.smallest {
                self.add(SEMI, a, b, carrier);
            } else {
                semis.take_up(pair, carrier);
            }
        }
    }

    /// Takes out the connection with the smallest carrier.
    pub(super) fn next(&mut self) -> Option<(usize, Found<S>)> {
        while let Some(kinds) = self.lists.get_mut(self.smallest) {
            for (kind, list) in kinds.iter_mut().enumerate() {
                if let Some(found) = list.pop() {
                    return Some((kind, found));
                }
            }
            self.smallest += 1;
        }
        None
    }
}
