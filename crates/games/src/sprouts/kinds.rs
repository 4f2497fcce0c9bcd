//! Boundaries of a region that look alike, and vertices of a boundary that do.
//!
//! What looks alike is interchangeable: a symmetry of the land takes one to the other, so that
//! a curve need be drawn from one of them only. Three symmetries are seen at once: boundaries
//! with equal codes change places, a boundary is rotated by its period, and if all boundaries of
//! a region read the same backwards, the region is turned round. Letters and boundaries with letters
//! that can change places (`twins.rs`) count as equal here.

use super::code::{Code, ONE, lower_distance, mirror, period, upper_number};
use super::drawing::Drawing;
use super::reduce::{Reducer, Tally};
use super::sketch::Vertices;
use super::twins::Twins;

/// Boundaries of a region that look alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// Where they stand in `members`.
    pub(super) first: usize,
    pub(super) size: usize,
    /// Where they stand in a row of all boundaries, each with its end.
    pub(super) place: usize,
    /// How many vertices each has, and the rotation that makes no difference.
    pub(super) length: usize,
    pub(super) period: usize,
    /// Turned round, it is the same: the vertex at `i` comes to lie at this number minus `i`.
    pub(super) axis: Option<usize>,
    /// How many of the vertices before the period are of degree 1.
    pub(super) ones: usize,
    /// What each adds to its region.
    pub(super) tally: Tally,
}

/// Sorts the boundaries of a region into kinds: alike if their codes are equal, or if they can change
/// places together with their letters.
pub(super) fn sort_into_kinds(
    coded: &Drawing<Code>,
    twins: &Twins,
    region: usize,
    members: &mut Vec<usize>,
    kinds: &mut Vec<Kind>,
) {
    members.clear();
    members.extend(coded.regions[region].boundaries.range());
    members.sort_unstable_by(|&a, &b| coded.boundary(a).cmp(coded.boundary(b)));
    kinds.clear();
    let (mut first, mut place, region) = (0, 0, region as u32);
    while let Some(&member) = members.get(first) {
        let codes = coded.boundary(member);
        let has_upper = codes.iter().any(|&code| upper_number(code).is_some());
        let size = match has_upper {
            true => twins.gather(coded, region, &mut members[first..]),
            false => {
                let mut later = members[first..].iter();
                let alike = later.position(|&other| coded.boundary(other) != codes);
                alike.unwrap_or(members.len() - first)
            }
        };
        let period = match has_upper {
            true if twins.go_round(coded, region, member) => 1,
            true => codes.len(),
            false => period(codes),
        };
        kinds.push(Kind {
            first,
            size,
            place,
            length: codes.len(),
            period,
            axis: twins.axis(coded, region, member),
            ones: codes[..period].iter().filter(|&&code| code == ONE).count(),
            tally: tally_of(codes),
        });
        first += size;
        place += size * (codes.len() + 1);
    }
}

/// What a boundary adds to its region.
fn tally_of(codes: &[Code]) -> Tally {
    let number = |is: fn(Code) -> bool| codes.iter().filter(|&&code| is(code)).count();
    let pairs = number(|code| lower_distance(code).is_some()) / 2;
    Tally::new(1, pairs, codes.len() + number(|code| code == ONE))
}

impl Kind {
    /// Draws so many of its boundaries, from one of them on; those of all kinds stand in a row.
    #[inline]
    pub(super) fn draw(&self, row: &Vertices, from: usize, number: usize, child: &mut Reducer) {
        let length = self.length + 1;
        let start = self.place + from * length;
        child.push_boundaries(row, start, number * length, self.tally.times(number));
    }

    /// The member that curves start from; the others stand in a row before it.
    pub(super) fn last(self) -> usize {
        self.first + self.size - 1
    }

    /// Curves within a boundary, without those from a letter to its other occurrence.
    pub(super) fn fewest_curves(self) -> usize {
        let pairs = (self.length * (self.length - 1) / 2).saturating_sub(self.length / 2);
        pairs / (self.length / self.period) + self.ones
    }

    /// Where a vertex comes to lie when the boundary is turned round, which must make no
    /// difference.
    pub(super) fn image(self, i: usize) -> usize {
        let axis = self.axis.expect("turning it makes no difference");
        mirror(axis, i, self.length)
    }

    /// The same up to rotation.
    pub(super) fn turned(self, i: usize) -> usize {
        self.image(i) % self.period
    }

    pub(super) fn turned_curve(self, p: usize, q: usize) -> (usize, usize) {
        self.first_of_rotations(self.image(p), self.image(q))
    }

    /// Of the curves that rotations take to the one between `p` and `q`, the first.
    pub(super) fn first_of_rotations(self, p: usize, q: usize) -> (usize, usize) {
        let back = |p: usize, q: usize| {
            let shift = p - p % self.period;
            let (p, q) = (p - shift, (q + self.length - shift) % self.length);
            sorted(p, q)
        };
        back(p, q).min(back(q, p))
    }
}

pub(super) fn sorted(p: usize, q: usize) -> (usize, usize) {
    (p.min(q), p.max(q))
}
