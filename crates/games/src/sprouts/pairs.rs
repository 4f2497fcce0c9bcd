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
//!
//! What is found out about letters comes as a list of codes, one for each vertex that may be met, so
//! that a boundary is coded without a question.

use super::code::{Code, ONE, TWO, is_pair, open, pair, small, upper};
use super::drawing::Vertex;
use super::sketch::{Sketch, split_boundary};

/// Tells lower-case letters, pairs and others apart; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// Both occurrences of each letter, as far as they stand beside something.
    sights: Vec<[Sight; 2]>,
    /// What each vertex is written as, by its number. Upper-case letters have numbers, those that
    /// stand for two the last.
    pub(super) codes: Vec<Code>,
    /// Upper-case letters that are no pair.
    pub(super) singles: usize,
    pub(super) pairs: usize,
}

/// The code of the letter of a pair that the other one stands for.
pub(super) const DROPPED: Code = 0;

/// An occurrence of a letter.
#[derive(Clone, Copy, Debug)]
struct Sight {
    /// Which boundary of all it is.
    boundary: u32,
    /// Twice the number of the region, and one more if the order of a pair makes no difference here.
    place: u32,
    neighbours: [Vertex; 2],
}

/// Two sights that nobody has, in different places.
const UNSEEN: [Sight; 2] = [unseen(0), unseen(2)];

const fn unseen(less: u32) -> Sight {
    Sight {
        boundary: u32::MAX - 1 - less,
        place: u32::MAX - 1 - less,
        neighbours: [Vertex::END; 2],
    }
}

impl Pairs {
    /// Finds the codes for a land.
    pub(super) fn find(&mut self, land: &Sketch) {
        self.sights.clear();
        self.sights.resize(land.letters, UNSEEN);
        if land.letters > 0 {
            let mut boundaries = 0;
            for (index, (region, _)) in (0..).zip(land.regions()) {
                self.see_region(region, &mut boundaries, 2 * index);
            }
        }
        self.tell_apart();
    }

    fn tell_apart(&mut self) {
        const LETTERS: usize = Vertex::FIRST_LETTER as usize;
        let Self { sights, codes, .. } = self;
        codes.resize(LETTERS + sights.len(), DROPPED);
        codes[..LETTERS].copy_from_slice(&[DROPPED, ONE, TWO]);
        let (mut singles, mut pairs) = (0, 0);
        for (letter, code) in codes[LETTERS..].iter_mut().enumerate() {
            let [first, second] = sights[letter];
            *code = if first.boundary == second.boundary {
                open(letter)
            } else if let Some(other) = partner(sights, letter)
                && partner(sights, other) == Some(letter)
            {
                match other < letter {
                    true => DROPPED,
                    false => {
                        pairs += 1;
                        pair(pairs - 1)
                    }
                }
            } else {
                singles += 1;
                upper(singles - 1)
            };
        }
        if pairs > 0 {
            for code in codes.iter_mut().filter(|code| is_pair(**code)) {
                *code += small(singles);
            }
        }
        (self.singles, self.pairs) = (singles, pairs);
    }

    #[inline]
    fn see_region(&mut self, mut rest: &[Vertex], boundaries: &mut u32, place: u32) {
        // A boundary of three vertices waits until it is known whether another is as long.
        let (mut waiting, mut long) = (None, 0);
        loop {
            rest = match *rest {
                [] => break,
                // A letter alone has no neighbours.
                [_, Vertex::END, ref rest @ ..] => rest,
                [one, other, Vertex::END, ref rest @ ..] => {
                    *boundaries += 1;
                    self.see(one, [other; 2], *boundaries, place + 1);
                    self.see(other, [one; 2], *boundaries, place + 1);
                    rest
                }
                _ => {
                    let (boundary, rest) = split_boundary(rest);
                    *boundaries += 1;
                    long += 1;
                    match boundary.len() {
                        3 if long == 1 => waiting = Some((boundary, *boundaries)),
                        _ => self.see_boundary(boundary, *boundaries, place),
                    }
                    rest
                }
            };
        }
        if let Some((boundary, number)) = waiting {
            self.see_boundary(boundary, number, place + u32::from(long == 1));
        }
    }

    #[inline]
    fn see_boundary(&mut self, boundary: &[Vertex], number: u32, place: u32) {
        let [first, .., last] = *boundary else { return };
        let (mut before, mut this) = (last, first);
        for &next in &boundary[1..] {
            self.see(this, [before, next], number, place);
            (before, this) = (this, next);
        }
        self.see(last, [before, first], number, place);
    }

    #[inline]
    fn see(&mut self, vertex: Vertex, neighbours: [Vertex; 2], boundary: u32, place: u32) {
        if let Some(id) = vertex.id() {
            let [first, second] = &mut self.sights[id];
            let sight = match first.place == UNSEEN[0].place {
                true => first,
                false => second,
            };
            *sight = Sight {
                boundary,
                place,
                neighbours,
            };
        }
    }
}

/// The only letter beside which a letter stands twice, in two regions.
#[inline]
fn partner(sights: &[[Sight; 2]], letter: usize) -> Option<usize> {
    let [first, second] = &sights[letter];
    if (first.place | second.place) % 2 == 0 || first.place / 2 == second.place / 2 {
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
