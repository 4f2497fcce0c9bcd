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

use std::hint::select_unpredictable;

use super::code::{Code, ONE, TWO, is_pair, open, pair, small, upper};
use super::drawing::Vertex;
use super::sketch::{Sketch, split_boundary};

/// Tells lower-case letters, pairs and others apart; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// Both occurrences of each vertex, as far as they stand beside something, by its number. What
    /// is no letter is seen too, so that nobody has to ask, and is not looked at.
    sights: Vec<[Sight; 2]>,
    /// The number of the letter that each may be a pair with, by its number, or 0.
    partners: Vec<u16>,
    /// What each vertex is written as, by its number. Upper-case letters have numbers, those that
    /// stand for two the last.
    pub(super) codes: Vec<Code>,
    /// Upper-case letters that are no pair.
    pub(super) singles: usize,
    pub(super) pairs: usize,
}

/// The code of the letter of a pair that the other one stands for.
pub(super) const DROPPED: Code = 0;

/// As many codes are worked on at a time.
const BLOCK: usize = 8;

/// An occurrence of a letter, four numbers in one: its neighbours, which boundary of all it is, and
/// twice the number of the region, one more if the order of a pair makes no difference here.
#[derive(Clone, Copy, Debug)]
struct Sight(u64);

impl Sight {
    #[inline]
    fn new([before, after]: [Vertex; 2], place: Place) -> Self {
        let neighbours = before.number() as u64 | (after.number() as u64) << 16;
        Self(neighbours | place)
    }

    #[inline]
    fn neighbours(self) -> [u16; 2] {
        [self.0 as u16, (self.0 >> 16) as u16]
    }

    #[inline]
    fn boundary(self) -> u16 {
        (self.0 >> 32) as u16
    }

    /// Whether the order of a pair makes no difference in one of two places.
    #[inline]
    fn is_any_free(one: Self, other: Self) -> bool {
        (one.0 | other.0) & FREE != 0
    }

    #[inline]
    fn region(self) -> u16 {
        (self.0 >> 49) as u16
    }
}

/// The upper half of a sight: where it is.
type Place = u64;

/// From a boundary to the next, and from a region.
const NEXT_BOUNDARY: Place = 1 << 32;
const NEXT_REGION: Place = 1 << 49;
/// Where the order of a pair makes no difference.
const FREE: Place = 1 << 48;

/// Two sights that nobody has, in different boundaries.
const UNSEEN: [Sight; 2] = [Sight(0xffff << 32), Sight(0xfffe << 32)];

/// The number of the first letter.
const LETTERS: usize = Vertex::FIRST_LETTER as usize;

impl Pairs {
    /// Finds the codes for a land.
    pub(super) fn find(&mut self, land: &Sketch) {
        let numbers = LETTERS + land.letters;
        if self.sights.len() < numbers {
            self.sights.resize(numbers, UNSEEN);
        }
        let sights = &mut self.sights[..numbers];
        sights.fill(UNSEEN);
        let (mut vertices, mut start, mut place) = (&land.vertices[..], 0, 0);
        for face in &land.faces[..] {
            let (region, rest) = vertices.split_at((face.end - start) as usize);
            (vertices, start) = (rest, face.end);
            place = NEXT_REGION + see_region(sights, region, place);
        }
        self.tell_apart(numbers);
    }

    /// Finds the codes of so many vertices.
    #[inline]
    fn tell_apart(&mut self, numbers: usize) {
        // Room for a block more, so that blocks may be all that is worked on.
        if self.codes.len() < numbers + BLOCK {
            self.codes.resize(2 * (numbers + BLOCK), DROPPED);
            self.partners.resize(self.codes.len(), 0);
        }
        let sights = &self.sights[LETTERS..numbers];
        let partners = &mut self.partners[..numbers];
        let (others, codes) = self.codes.split_at_mut(LETTERS);
        others.copy_from_slice(&[DROPPED, ONE, TWO]);
        for (partner, sights) in partners[LETTERS..].iter_mut().zip(sights) {
            *partner = partner_of(*sights);
        }
        let (mut singles, mut pairs) = (0, 0);
        let seen = sights.iter().zip(&partners[LETTERS..]);
        for (id, (code, (&[first, second], &other))) in codes.iter_mut().zip(seen).enumerate() {
            // All codes that it may have, of which one is chosen: there is no telling which.
            let (number, other) = (LETTERS + id, usize::from(other));
            let is_lower = first.boundary() == second.boundary();
            // No lower-case letter is: it stands in one region.
            let is_paired = usize::from(partners[other]) == number;
            let is_first = number < other;
            let paired = select_unpredictable(is_first, pair(pairs), DROPPED);
            let capital = select_unpredictable(is_paired, paired, upper(singles));
            *code = select_unpredictable(is_lower, open(id), capital);
            singles += usize::from(!(is_lower | is_paired));
            pairs += usize::from(is_paired & is_first);
        }
        let (blocks, _) = codes.as_chunks_mut::<BLOCK>();
        for block in &mut blocks[..sights.len().div_ceil(BLOCK)] {
            for code in block {
                // Behind the last letter there may be anything.
                *code = code.wrapping_add(if is_pair(*code) { small(singles) } else { 0 });
            }
        }
        (self.singles, self.pairs) = (singles, pairs);
    }
}

/// Sees a region, the first of whose boundaries is at a place; returns the place behind the last.
#[inline]
fn see_region(sights: &mut [[Sight; 2]], mut rest: &[Vertex], mut place: Place) -> Place {
    // A boundary of three vertices waits until it is known whether another is as long.
    let (mut waiting, mut long) = (None, 0);
    loop {
        rest = match *rest {
            [] => break,
            // A letter alone has no neighbours.
            [_, Vertex::END, ref rest @ ..] => rest,
            [one, other, Vertex::END, ref rest @ ..] => {
                see(sights, one, [other; 2], place | FREE);
                see(sights, other, [one; 2], place | FREE);
                place += NEXT_BOUNDARY;
                rest
            }
            _ => {
                let (boundary, rest) = split_boundary(rest);
                long += 1;
                match boundary.len() {
                    3 if long == 1 => waiting = Some((boundary, place)),
                    _ => see_boundary(sights, boundary, place),
                }
                place += NEXT_BOUNDARY;
                rest
            }
        };
    }
    if let Some((boundary, place)) = waiting {
        see_boundary(sights, boundary, place | if long == 1 { FREE } else { 0 });
    }
    place
}

#[inline]
fn see_boundary(sights: &mut [[Sight; 2]], boundary: &[Vertex], place: Place) {
    let [first, .., last] = *boundary else { return };
    let (mut before, mut this) = (last, first);
    for &next in &boundary[1..] {
        see(sights, this, [before, next], place);
        (before, this) = (this, next);
    }
    see(sights, last, [before, first], place);
}

#[inline]
fn see(sights: &mut [[Sight; 2]], vertex: Vertex, neighbours: [Vertex; 2], place: Place) {
    let sights = &mut sights[vertex.number()];
    *sights = [Sight::new(neighbours, place), sights[0]];
}

/// The only letter beside which a letter stands twice, in two regions; 0 if there is none. Nobody can
/// guess what stands there, so nothing is asked.
#[inline]
fn partner_of([first, second]: [Sight; 2]) -> u16 {
    let others = second.neighbours();
    let [one, two] = first.neighbours().map(|neighbour| {
        let is_shared = (neighbour == others[0]) | (neighbour == others[1]);
        select_unpredictable(is_shared, neighbour, 0)
    });
    // Mostly they are the same: the boundary is a pair. If they are two, neither is the only one.
    let are_two = (one != two) & (one != 0) & (two != 0);
    let shared = one | two;
    let is_partner = !are_two
        & Sight::is_any_free(first, second)
        & (first.region() != second.region())
        & (shared >= Vertex::FIRST_LETTER);
    select_unpredictable(is_partner, shared, 0)
}
