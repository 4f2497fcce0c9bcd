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
use super::sketch::Sketch;

/// Finds pairs; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// Both occurrences of each letter.
    sights: Vec<[Sight; 2]>,
    /// What becomes of each letter.
    fates: Vec<Fate>,
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
    region: u32,
    neighbours: [Vertex; 2],
    /// Whether the order of a pair makes no difference here.
    is_free: bool,
}

const NOWHERE: u32 = u32::MAX;

impl Sight {
    const NONE: Self = Self {
        region: NOWHERE,
        neighbours: [Vertex::END; 2],
        is_free: false,
    };
}

impl Pairs {
    /// Finds the pairs among the letters of some regions.
    pub(super) fn find(&mut self, sketch: &Sketch, regions: impl Iterator<Item = usize>) {
        self.sights.clear();
        self.sights.resize(sketch.letters, [Sight::NONE; 2]);
        for region in regions {
            self.see_region(sketch.region(region), region as u32);
        }
        self.fates.clear();
        self.fates.resize(sketch.letters, Fate::Single);
        for letter in 0..sketch.letters {
            if let Some(other) = self.partner(letter)
                && other > letter
                && self.partner(other) == Some(letter)
            {
                self.fates[letter] = Fate::Both;
                self.fates[other] = Fate::Dropped;
            }
        }
    }

    /// From now on no letters are a pair.
    pub(super) fn forget(&mut self) {
        self.fates.clear();
    }

    /// How many letters of a boundary are dropped.
    #[inline]
    pub(super) fn dropped_from(&self, boundary: &[Vertex]) -> usize {
        if self.fates.is_empty() {
            return 0;
        }
        let ids = boundary.iter().filter_map(|vertex| vertex.id());
        ids.filter(|&id| self.fates[id] == Fate::Dropped).count()
    }

    /// What becomes of a letter.
    #[inline]
    pub(super) fn fate(&self, letter: usize) -> Fate {
        self.fates.get(letter).copied().unwrap_or(Fate::Single)
    }

    fn see_region(&mut self, mut rest: &[Vertex], region: u32) {
        // A boundary of three vertices waits until it is known whether another is as long.
        let (mut waiting, mut long) = (None, 0);
        while let Some(length) = rest.iter().position(|&vertex| vertex == Vertex::END) {
            let boundary = &rest[..length];
            rest = &rest[length + 1..];
            long += usize::from(length > 2);
            match length {
                // A letter alone has no neighbours.
                0 | 1 => {}
                2 => self.see_boundary(boundary, region, true),
                3 if long == 1 => waiting = Some(boundary),
                _ => self.see_boundary(boundary, region, false),
            }
        }
        if let Some(boundary) = waiting {
            self.see_boundary(boundary, region, long == 1);
        }
    }

    #[inline]
    fn see_boundary(&mut self, boundary: &[Vertex], region: u32, is_free: bool) {
        let mut before = boundary[boundary.len() - 1];
        for (index, &vertex) in boundary.iter().enumerate() {
            if let Some(id) = vertex.id() {
                let next = if index + 1 < boundary.len() {
                    index + 1
                } else {
                    0
                };
                let [first, second] = &mut self.sights[id];
                let sight = match first.region {
                    NOWHERE => first,
                    _ => second,
                };
                *sight = Sight {
                    region,
                    neighbours: [before, boundary[next]],
                    is_free,
                };
            }
            before = vertex;
        }
    }

    /// The only letter beside which a letter stands twice, in two regions.
    #[inline]
    fn partner(&self, letter: usize) -> Option<usize> {
        let [first, second] = &self.sights[letter];
        if first.region == second.region || !(first.is_free || second.is_free) {
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
