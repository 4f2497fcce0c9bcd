//! A coded land, hashed as far as the names of its upper-case letters have no say, and what is
//! left to hash once the letters have ranks.
//!
//! A boundary with upper-case letters is a cycle of them with *gaps* in between, each gap hashed
//! in both directions. A boundary without is hashed as a whole, from its least rotation.
//!
//! All hashes come in pairs: as drawn, and with the region turned round.

use super::code::{Code, least_rotation, turned, upper_number};
use super::drawing::{Drawing, Span};

/// A land, ready to be looked at again and again; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// Where upper-case letters occur, region by region.
    pub(super) occurrences: Vec<Occurrence>,
    pub(super) boundaries: Vec<Boundary>,
    pub(super) regions: Vec<Region>,
    /// A long boundary as it is read.
    reading: Vec<Code>,
}

/// An occurrence of an upper-case letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) letter: u32,
    /// Its index in the boundary.
    place: u32,
    /// The hashes of what lies between it and the next occurrence, ahead and back.
    gaps: [u64; 2],
    /// The same with the ranks at both ends.
    pub(super) looks: [u64; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Boundary {
    occurrences: Span,
    pub(super) hashes: [u64; 2],
    /// Where to begin reading in each direction, if there are no occurrences.
    starts: [u32; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) boundaries: Span,
    pub(super) occurrences: Span,
    /// All boundaries are of one or two vertices, and the same in both directions.
    is_flat: bool,
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
    /// Takes up a land.
    pub(super) fn take(&mut self, land: &Drawing<Code>) {
        self.occurrences.clear();
        self.boundaries.clear();
        self.regions.clear();
        for region in &land.regions {
            let start = self.occurrences.len();
            // Apart from what boundaries add.
            let mut rest = [mix(!(region.zeros as u64)); 2];
            let mut is_flat = true;
            for boundary in land.boundaries_of(*region) {
                is_flat &= boundary.len() <= 2;
                self.take_boundary(boundary, &mut rest);
            }
            self.regions.push(Region {
                is_flat,
                boundaries: region.boundaries,
                occurrences: Span::new(start, self.occurrences.len()),
                rest,
                hashes: rest,
            });
        }
    }

    fn take_boundary(&mut self, codes: &[Code], rest: &mut [u64; 2]) {
        let start = self.occurrences.len();
        self.take_occurrences(codes);
        let (starts, hashes) = match self.occurrences.len() == start {
            true => self.take_plain(codes),
            false => ([0; 2], [0; 2]),
        };
        add(rest, hashes);
        self.boundaries.push(Boundary {
            occurrences: Span::new(start, self.occurrences.len()),
            hashes,
            starts,
        });
    }

    /// Finds the occurrences in a boundary, with what lies between them.
    #[inline]
    fn take_occurrences(&mut self, codes: &[Code]) {
        // Most boundaries are short.
        match *codes {
            [only] => self.take_between(only, 0, 0),
            [one, other] if upper_number(other).is_none() => {
                self.take_between(one, 0, u64::from(other));
            }
            [one, other] if upper_number(one).is_none() => {
                self.take_between(other, 1, u64::from(one));
            }
            [one, other] => {
                self.take_between(one, 0, 0);
                self.take_between(other, 1, 0);
            }
            _ => {
                let mut places = codes.iter();
                if let Some(first) = places.position(|&code| upper_number(code).is_some()) {
                    self.walk_around(codes, first);
                }
            }
        }
    }

    /// Adds an occurrence, if it is one, with the same gap ahead and back.
    #[inline]
    fn take_between(&mut self, code: Code, place: u32, gap: u64) {
        if let Some(letter) = upper_number(code) {
            self.occurrences.push(Occurrence {
                letter: letter as u32,
                place,
                gaps: [gap; 2],
                looks: [0; 2],
            });
        }
    }

    /// Walks around a boundary from its first occurrence.
    fn walk_around(&mut self, codes: &[Code], first: usize) {
        let start = self.occurrences.len();
        let mut gap = Gap::default();
        for (place, &code) in codes.iter().enumerate().skip(first) {
            self.step(code, place, codes.len(), start, &mut gap);
        }
        for (place, &code) in codes[..first].iter().enumerate() {
            self.step(code, place, codes.len(), start, &mut gap);
        }
        let last = self.occurrences.len() - 1;
        self.occurrences[last].gaps[0] = gap.ahead;
        self.occurrences[start].gaps[1] = gap.back;
    }

    #[inline]
    fn step(&mut self, code: Code, place: usize, length: usize, start: usize, gap: &mut Gap) {
        let Some(letter) = upper_number(code) else {
            gap.push(code, turned(code, length));
            return;
        };
        if self.occurrences.len() > start {
            let before = self.occurrences.len() - 1;
            self.occurrences[before].gaps[0] = gap.ahead;
        }
        self.occurrences.push(Occurrence {
            letter: letter as u32,
            place: place as u32,
            gaps: [0, gap.back],
            looks: [0; 2],
        });
        *gap = Gap::default();
    }

    /// Where to begin reading a boundary without upper-case letters, and its hashes.
    fn take_plain(&mut self, codes: &[Code]) -> ([u32; 2], [u64; 2]) {
        let length = codes.len();
        match *codes {
            [one] => ([0; 2], [mix(u64::from(one)); 2]),
            [one, other] => {
                let start = u32::from(other < one);
                let both = u64::from(one.min(other)) << 8 | u64::from(one.max(other));
                ([start; 2], [mix(both); 2])
            }
            _ if length <= 8 => {
                let (ahead, first) = least_packed(codes.iter().copied(), length);
                let read_back = codes.iter().rev().map(|&code| turned(code, length));
                let (back, last) = least_packed(read_back, length);
                let starts = [first as u32, (length - 1 - last) as u32];
                (starts, [mix(ahead), mix(back)])
            }
            _ => self.take_long(codes),
        }
    }

    fn take_long(&mut self, codes: &[Code]) -> ([u32; 2], [u64; 2]) {
        let length = codes.len();
        let (mut starts, mut hashes) = ([0; 2], [0; 2]);
        for direction in 0..2 {
            self.reading.clear();
            if direction == 0 {
                self.reading.extend_from_slice(codes);
            } else {
                let turned = codes.iter().rev().map(|&code| turned(code, length));
                self.reading.extend(turned);
            }
            let start = least_rotation(&self.reading);
            let cycle = self.reading[start..].iter().chain(&self.reading[..start]);
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

    /// Hashes the boundaries with upper-case letters, and with them the regions.
    pub(super) fn look(&mut self, ranks: &[u32]) {
        let Self {
            occurrences,
            boundaries,
            regions,
            ..
        } = self;
        for region in regions {
            let mut whole = region.rest;
            for boundary in &mut boundaries[region.boundaries.range()] {
                let occurrences = &mut occurrences[boundary.occurrences.range()];
                if occurrences.is_empty() {
                    continue;
                }
                boundary.hashes = if region.is_flat {
                    look_at_few(occurrences, ranks)
                } else {
                    look_along(occurrences, ranks)
                };
                add(&mut whole, boundary.hashes);
            }
            region.hashes = whole;
        }
    }

    /// The boundary is read in this direction from here.
    pub(super) fn start(&self, boundary: usize, direction: usize, numbers: &[u32]) -> usize {
        let boundary = self.boundaries[boundary];
        let occurrences = self.occurrences[boundary.occurrences.range()].iter();
        let first = occurrences.min_by_key(|occurrence| numbers[occurrence.letter as usize]);
        first.map_or(boundary.starts[direction], |occurrence| occurrence.place) as usize
    }
}

/// The same for one or two occurrences and at most one other vertex, where the directions do not
/// matter.
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

/// Hashes each occurrence with its neighbours; returns the hashes of the boundary.
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
