//! Upper-case letters that are as good as one.
//!
//! A curve between two vertices leaves two letters side by side, seen from both of its sides:
//! `0.AB|AB.1C` has `AB` in two boundaries. Such a *pair* is contracted into one letter while a
//! form is found, which halves the letters and removes most symmetries that would have to be
//! searched for; the letter is written as two again.
//!
//! `A` and `B` are a pair if they stand in two regions, are neighbours in both boundaries, are so
//! with no other letter twice, and if it makes no difference in which order they stand. It makes none
//! if one of the boundaries is just `AB`, which is also `BA`; or if it has three vertices and the
//! other boundaries of its region at most two: turning the region round then changes nothing but the
//! order of the pair. A boundary of three holds one pair at most, and a region one such boundary, so
//! that no two pairs need the same region turned.
//!
//! *Unlike lands, two forms*, which truth rests on: what is contracted is written out with both
//! letters in the order of reading, and whatever order they had, that is the same land. *Like lands,
//! one form*: whether letters are a pair does not depend on names, order or directions. Both are
//! tested against forms found by trying all numberings (`canonical/tests.rs`).

use super::drawing::Vertex;
use super::sketch::{Sketch, split_boundary};

/// Finds pairs; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// Both occurrences of each letter, as far as they stand beside letters.
    sights: Vec<[Sight; 2]>,
    /// What becomes of each letter.
    fates: Vec<Fate>,
    /// How many pairs there are.
    pub(super) pairs: usize,
}

/// What becomes of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Single,
    /// It stands for a pair.
    Both,
    /// The other letter of a pair stands for it.
    Dropped,
}

/// An occurrence of a letter.
#[derive(Clone, Copy, Debug)]
struct Sight {
    /// Twice the number of the region, and one more if the order of a pair makes no difference here.
    place: u32,
    neighbours: [Vertex; 2],
}

impl Sight {
    const NONE: Self = Self {
        place: u32::MAX - 1,
        neighbours: [Vertex::END; 2],
    };
}

impl Pairs {
    /// Finds the pairs among the letters of a land.
    pub(super) fn find(&mut self, land: &Sketch) {
        self.sights.clear();
        self.sights.resize(land.letters, [Sight::NONE; 2]);
        for (index, (region, _)) in (0..).zip(land.regions()) {
            self.see_region(region, 2 * index);
        }
        self.forget(land.letters);
        for letter in 0..self.sights.len() {
            if let Some(other) = self.partner(letter)
                && other > letter
                && self.partner(other) == Some(letter)
            {
                self.pairs += 1;
                self.fates[letter] = Fate::Both;
                self.fates[other] = Fate::Dropped;
            }
        }
    }

    /// From now on no letters are a pair, of so many.
    pub(super) fn forget(&mut self, letters: usize) {
        self.pairs = 0;
        self.fates.clear();
        self.fates.resize(letters, Fate::Single);
    }

    /// How many letters of a boundary are dropped.
    #[inline]
    pub(super) fn dropped_from(&self, boundary: &[Vertex]) -> usize {
        if self.pairs == 0 {
            return 0;
        }
        let ids = boundary.iter().filter_map(|vertex| vertex.id());
        ids.filter(|&id| self.fates[id] == Fate::Dropped).count()
    }

    /// What becomes of a letter.
    #[inline]
    pub(super) fn fate(&self, letter: usize) -> Fate {
        self.fates[letter]
    }

    fn see_region(&mut self, mut rest: &[Vertex], place: u32) {
        // A boundary of three vertices waits until it is known whether another is as long.
        let (mut waiting, mut long) = (None, 0);
        loop {
            rest = match *rest {
                [] => break,
                // A letter alone has no neighbours.
                [_, Vertex::END, ref rest @ ..] => rest,
                [one, other, Vertex::END, ref rest @ ..] => {
                    self.see(one, [other; 2], place + 1);
                    self.see(other, [one; 2], place + 1);
                    rest
                }
                _ => {
                    let (boundary, rest) = split_boundary(rest);
                    long += 1;
                    match boundary.len() {
                        3 if long == 1 => waiting = Some(boundary),
                        _ => self.see_boundary(boundary, place),
                    }
                    rest
                }
            };
        }
        if let Some(boundary) = waiting {
            self.see_boundary(boundary, place + u32::from(long == 1));
        }
    }

    fn see_boundary(&mut self, boundary: &[Vertex], place: u32) {
        let [first, .., last] = *boundary else { return };
        let mut before = last;
        for pair in boundary.windows(2) {
            self.see(pair[0], [before, pair[1]], place);
            before = pair[0];
        }
        self.see(last, [before, first], place);
    }

    #[inline]
    fn see(&mut self, vertex: Vertex, neighbours: [Vertex; 2], place: u32) {
        if let Some(id) = vertex.id() {
            let [first, second] = &mut self.sights[id];
            let sight = match first.place == Sight::NONE.place {
                true => first,
                false => second,
            };
            *sight = Sight { place, neighbours };
        }
    }

    /// The only letter beside which a letter stands twice, in two regions.
    #[inline]
    fn partner(&self, letter: usize) -> Option<usize> {
        let [first, second] = self.sights[letter];
        if first.place / 2 == second.place / 2 || (first.place | second.place) % 2 == 0 {
            return None;
        }
        let [before, after] = first.neighbours;
        let is_shared = |vertex: Vertex| second.neighbours.contains(&vertex);
        let shared = match (is_shared(before), is_shared(after)) {
            (true, false) => before,
            (false, true) => after,
            (true, true) if before == after => before,
            _ => return None,
        };
        shared.id().filter(|&other| other != letter)
    }
}
