//! A land in codes, hashed as far as the names of its upper-case letters have no say, and what is
//! left to hash once the letters have ranks.
//!
//! A boundary with upper-case letters is a cycle of them with *gaps* in between, each gap hashed
//! in both directions. A boundary without is hashed as a whole, from its least rotation.
//!
//! All hashes come in pairs: as drawn, and with the region turned round.

use super::code::{
    Code, has_open, has_upper, least_rotation, lower, open_id, turned, upper_number,
};
use super::drawing::{Span, Vertex};
use super::pairs::{DROPPED, Pairs};
use super::sketch::Sketch;

/// A land, ready to be looked at again and again; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    pub(super) pairs: Pairs,
    /// All boundaries, as they were drawn, and room for more.
    codes: Vec<Code>,
    /// Where upper-case letters occur, region by region.
    pub(super) occurrences: Vec<Occurrence>,
    pub(super) boundaries: Vec<Boundary>,
    pub(super) regions: Vec<Region>,
    /// The index in the boundary, plus one, of each lower-case letter that was met once.
    met: Vec<u32>,
    /// A long boundary as it is read.
    reading: Vec<Code>,
}

/// An occurrence of an upper-case letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) letter: u32,
    pub(super) region: u32,
    /// Its index in the boundary.
    place: u32,
    /// The hashes of what lies between it and the next occurrence, ahead and back.
    gaps: [u64; 2],
    /// The same with the ranks at both ends.
    pub(super) looks: [u64; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Boundary {
    region: u32,
    codes: Span,
    occurrences: Span,
    pub(super) hashes: [u64; 2],
    /// Where to begin reading in each direction, if there are no occurrences.
    starts: [u32; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) zeros: u32,
    pub(super) boundaries: Span,
    /// The hash of everything without ranks.
    rest: [u64; 2],
    pub(super) hashes: [u64; 2],
}

/// The factor between neighbours in the hash of a string.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
/// The factors of the ranks at both ends of a gap.
const NEAR: u64 = 0xd1b5_4a32_d192_ed03;
const FAR: u64 = 0x8cb9_2ba7_2f3d_8dd7;

/// Spreads the bits of a number: both halves of a long product.
#[inline]
pub(super) fn mix(number: u64) -> u64 {
    let product =
        u128::from(number ^ 0xd6e8_feb8_6659_fd93) * u128::from(0xa076_1d64_78bd_642f_u64);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Adds up two directions.
#[inline]
fn add(sum: &mut [u64; 2], more: [u64; 2]) {
    sum[0] = sum[0].wrapping_add(more[0]);
    sum[1] = sum[1].wrapping_add(more[1]);
}

impl Region {
    /// The hash of the region, whichever way it is turned.
    #[inline]
    pub(super) fn whole(self) -> u64 {
        let [ahead, back] = self.hashes;
        mix(ahead.min(back)) ^ ahead.max(back)
    }
}

impl Survey {
    /// Takes up a land, pairs of letters contracted.
    pub(super) fn take(&mut self, land: &Sketch) {
        self.pairs.find(land);
        self.occurrences.clear();
        self.boundaries.clear();
        self.regions.clear();
        if self.codes.len() < land.vertices.len() {
            self.codes.resize(land.vertices.len(), DROPPED);
        }
        if self.met.len() < land.letters {
            self.met.resize(land.letters, 0);
        }
        let mut end = 0;
        for (region, zeros) in land.regions() {
            end = self.take_region(region, zeros, end);
        }
    }

    /// Takes up a region, its codes from `end` on; returns where they end.
    #[inline]
    fn take_region(&mut self, vertices: &[Vertex], zeros: u32, mut end: usize) -> usize {
        let first = self.boundaries.len();
        // Apart from what boundaries add.
        let mut rest = [mix(!u64::from(zeros)); 2];
        let (mut start, mut bits) = (end, 0);
        for &vertex in vertices {
            if vertex == Vertex::END {
                add(&mut rest, self.take_boundary(start, end, bits));
                (start, bits) = (end, 0);
                continue;
            }
            let code = self.pairs.codes[vertex.number()];
            self.codes[end] = code;
            end += usize::from(code != DROPPED);
            bits |= code;
        }
        self.regions.push(Region {
            zeros,
            boundaries: Span::new(first, self.boundaries.len()),
            rest,
            hashes: rest,
        });
        end
    }

    /// Takes up a boundary by its codes, all bits of which are given; returns its hashes as far as
    /// ranks have no say.
    #[inline]
    fn take_boundary(&mut self, start: usize, end: usize, bits: Code) -> [u64; 2] {
        let before = self.occurrences.len();
        let region = self.regions.len() as u32;
        if has_open(bits) {
            self.find_distances(start, end);
        }
        let codes = &self.codes[start..end];
        let (mut starts, mut hashes) = ([0; 2], [0; 2]);
        if has_upper(bits) {
            find_occurrences(codes, region, &mut self.occurrences);
        } else {
            (starts, hashes) = match *codes {
                [only] => ([0; 2], [mix(u64::from(only)); 2]),
                [one, other] => {
                    let both = u64::from(one.min(other)) << 8 | u64::from(one.max(other));
                    ([u32::from(other < one); 2], [mix(both); 2])
                }
                _ if codes.len() <= 8 => take_plain(codes),
                _ => take_long(codes, &mut self.reading),
            };
        }
        self.boundaries.push(Boundary {
            region,
            codes: Span::new(start, end),
            occurrences: Span::new(before, self.occurrences.len()),
            hashes,
            starts,
        });
        hashes
    }

    /// Writes the lower-case letters of a boundary as distances.
    fn find_distances(&mut self, start: usize, end: usize) {
        let codes = &mut self.codes[start..end];
        for index in 0..codes.len() {
            let Some(id) = open_id(codes[index]) else {
                continue;
            };
            // Both occurrences lie in this boundary, so that nothing is left behind.
            match std::mem::take(&mut self.met[id]) as usize {
                0 => self.met[id] = index as u32 + 1,
                other => {
                    let distance = index + 1 - other;
                    codes[other - 1] = lower(distance);
                    codes[index] = lower(codes.len() - distance);
                }
            }
        }
    }

    /// The codes of a boundary, as it was drawn.
    #[inline]
    pub(super) fn codes(&self, boundary: &Boundary) -> &[Code] {
        &self.codes[boundary.codes.range()]
    }

    /// Hashes the boundaries with upper-case letters, and with them the regions.
    pub(super) fn look(&mut self, ranks: &[u32]) {
        let Self {
            occurrences,
            boundaries,
            regions,
            ..
        } = self;
        for region in &mut *regions {
            region.hashes = region.rest;
        }
        for boundary in boundaries {
            let occurrences = &mut occurrences[boundary.occurrences.range()];
            if occurrences.is_empty() {
                continue;
            }
            boundary.hashes = if boundary.codes.len() <= 2 {
                look_at_few(occurrences, ranks)
            } else {
                look_along(occurrences, ranks)
            };
            add(
                &mut regions[boundary.region as usize].hashes,
                boundary.hashes,
            );
        }
    }

    /// The boundary is read in this direction from here.
    #[inline]
    pub(super) fn start(&self, boundary: &Boundary, direction: usize, numbers: &[u32]) -> usize {
        let occurrences = self.occurrences[boundary.occurrences.range()].iter();
        let first = occurrences.min_by_key(|occurrence| numbers[occurrence.letter as usize]);
        first.map_or(boundary.starts[direction], |occurrence| occurrence.place) as usize
    }
}

impl Occurrence {
    /// With the same ahead and back.
    #[inline]
    fn between(letter: usize, region: u32, place: u32, gap: Code) -> Self {
        Self {
            letter: letter as u32,
            region,
            place,
            gaps: [u64::from(gap); 2],
            looks: [0; 2],
        }
    }
}

/// Finds the occurrences in a boundary with upper-case letters.
#[inline]
fn find_occurrences(codes: &[Code], region: u32, into: &mut Vec<Occurrence>) {
    match *codes {
        [only] => {
            let letter = upper_number(only).unwrap_or_default();
            into.push(Occurrence::between(letter, region, 0, 0));
        }
        [one, other] => match (upper_number(one), upper_number(other)) {
            (Some(letter), None) => into.push(Occurrence::between(letter, region, 0, other)),
            (None, Some(letter)) => into.push(Occurrence::between(letter, region, 1, one)),
            (first, second) => {
                for (place, letter) in (0..).zip([first, second]) {
                    let letter = letter.unwrap_or_default();
                    into.push(Occurrence::between(letter, region, place, 0));
                }
            }
        },
        _ => {
            let first = codes.iter().position(|&code| upper_number(code).is_some());
            walk_around(codes, first.unwrap_or_default(), region, into);
        }
    }
}

/// The same for a long one, with what lies between them, from the first on.
fn walk_around(codes: &[Code], first: usize, region: u32, into: &mut Vec<Occurrence>) {
    let start = into.len();
    let mut gap = Gap::default();
    let (before, from) = codes.split_at(first);
    for (index, &code) in from.iter().chain(before).enumerate() {
        let Some(letter) = upper_number(code) else {
            gap.push(code, turned(code, codes.len()));
            continue;
        };
        if let Some(last) = into[start..].last_mut() {
            last.gaps[0] = gap.ahead;
        }
        let place = match index < from.len() {
            true => first + index,
            false => index - from.len(),
        };
        into.push(Occurrence {
            letter: letter as u32,
            region,
            place: place as u32,
            gaps: [0, gap.back],
            looks: [0; 2],
        });
        gap = Gap::default();
    }
    if let [first, ..] = &mut into[start..] {
        first.gaps[1] = gap.back;
    }
    if let [.., last] = &mut into[start..] {
        last.gaps[0] = gap.ahead;
    }
}

/// Where to begin reading a boundary without upper-case letters in each direction, and its hashes.
fn take_plain(codes: &[Code]) -> ([u32; 2], [u64; 2]) {
    let length = codes.len();
    let (ahead, first) = least_packed(codes.iter().copied(), length);
    let read_back = codes.iter().rev().map(|&code| turned(code, length));
    let (back, last) = least_packed(read_back, length);
    let starts = [first as u32, (length - 1 - last) as u32];
    (starts, [mix(ahead), mix(back)])
}

/// The same for a long one.
fn take_long(codes: &[Code], reading: &mut Vec<Code>) -> ([u32; 2], [u64; 2]) {
    let length = codes.len();
    let (mut starts, mut hashes) = ([0; 2], [0; 2]);
    for direction in 0..2 {
        reading.clear();
        if direction == 0 {
            reading.extend_from_slice(codes);
        } else {
            let turned = codes.iter().rev().map(|&code| turned(code, length));
            reading.extend(turned);
        }
        let start = least_rotation(reading);
        let cycle = reading[start..].iter().chain(&reading[..start]);
        let hash = cycle.fold(0u64, |hash, &code| {
            hash.wrapping_mul(STEP).wrapping_add(u64::from(code))
        });
        hashes[direction] = mix(hash);
        starts[direction] = match direction {
            0 => start as u32,
            _ => (length - 1 - start) as u32,
        };
    }
    (starts, hashes)
}

/// Hashes one or two occurrences with at most one other vertex, where the directions do not matter;
/// returns the hashes of the boundary.
#[inline]
fn look_at_few(occurrences: &mut [Occurrence], ranks: &[u32]) -> [u64; 2] {
    let rank = |occurrence: &Occurrence| u64::from(ranks[occurrence.letter as usize]) + 1;
    let look = |gap: u64, near: u64, far: u64| {
        mix(gap ^ near.wrapping_mul(NEAR).wrapping_add(far.wrapping_mul(FAR)))
    };
    let sum = match occurrences {
        [only] => {
            let near = rank(only);
            let seen = look(only.gaps[0], near, near);
            only.looks = [seen; 2];
            seen
        }
        [one, other] => {
            let (near, far) = (rank(one), rank(other));
            let seen = [look(0, near, far), look(0, far, near)];
            one.looks = [seen[0]; 2];
            other.looks = [seen[1]; 2];
            seen[0].wrapping_add(seen[1])
        }
        _ => unreachable!("the boundary has at most two vertices"),
    };
    [mix(sum); 2]
}

/// The same for any number of occurrences, each with its neighbours.
#[inline]
fn look_along(occurrences: &mut [Occurrence], ranks: &[u32]) -> [u64; 2] {
    let rank = |occurrence: &Occurrence| u64::from(ranks[occurrence.letter as usize]) + 1;
    let last = occurrences.len() - 1;
    let mut before = rank(&occurrences[last]);
    let mut this = rank(&occurrences[0]);
    let first = this;
    let mut sum = [0; 2];
    for index in 0..=last {
        let next = if index == last {
            first
        } else {
            rank(&occurrences[index + 1])
        };
        let [ahead, back] = occurrences[index].gaps;
        let near = this.wrapping_mul(NEAR);
        let look = |gap: u64, far: u64| mix(gap ^ near.wrapping_add(far.wrapping_mul(FAR)));
        let looks = [look(ahead, next), look(back, before)];
        occurrences[index].looks = looks;
        add(&mut sum, looks);
        (before, this) = (this, next);
    }
    [mix(sum[0]), mix(sum[1])]
}

/// What was met since the last occurrence, hashed in both directions.
struct Gap {
    ahead: u64,
    back: u64,
    factor: u64,
}

impl Default for Gap {
    fn default() -> Self {
        Self {
            ahead: 0,
            back: 0,
            factor: 1,
        }
    }
}

impl Gap {
    #[inline]
    fn push(&mut self, ahead: Code, back: Code) {
        let Self { factor, .. } = *self;
        self.ahead = self.ahead.wrapping_mul(STEP).wrapping_add(u64::from(ahead));
        self.back = self.back.wrapping_add(u64::from(back).wrapping_mul(factor));
        self.factor = factor.wrapping_mul(STEP);
    }
}

/// The least rotation of at most eight codes, a byte each, and where it begins.
#[inline]
fn least_packed(codes: impl Iterator<Item = Code>, length: usize) -> (u64, usize) {
    let packed = codes.fold(0u64, |packed, code| packed << 8 | u64::from(code));
    let top = 8 * (length as u32 - 1);
    let (mut least, mut start, mut rotated) = (packed, 0, packed);
    for index in 1..length {
        let first = rotated >> top;
        rotated = (rotated ^ first << top) << 8 | first;
        if rotated < least {
            (least, start) = (rotated, index);
        }
    }
    (least, start)
}

/// Sorts things by their hashes. Few are the rule, and then insertion beats the general sort.
#[inline]
pub(super) fn sort(keys: &mut [(u64, u32)]) {
    const FEW: usize = 16;
    if keys.len() > FEW {
        keys.sort_unstable();
        return;
    }
    for index in 1..keys.len() {
        let key = keys[index];
        let mut at = index;
        while at > 0 && key.0 < keys[at - 1].0 {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = key;
    }
}
