//! A land in codes, hashed as far as the names of its upper-case letters have no say, and what is
//! left to hash once the letters have ranks.
//!
//! Seven of ten boundaries are a single upper-case letter, once pairs are contracted. Such a one is
//! *alone*: a letter and a region, and nothing else is kept of its boundary. Other boundaries with
//! upper-case letters are hashed by their occurrences (`occurrence.rs`), boundaries without as a
//! whole, from their least rotation.
//!
//! A land is looked at for the first time while it is taken up: all letters of a class then have the
//! same rank, which is known before. All hashes come in pairs: as drawn, and with the region turned round.
//!
//! Letters, regions and places are counted in 16 bits: `notation` bounds what there can be.

use super::bytes::{room, room_of_regions};
use super::code::{
    Code, has_open, has_upper, is_pair, least_rotation, lower, open_id, turned, upper_number,
};
use super::drawing::{Span, Vertex};
use super::occurrence::{Occurrence, Ranked, find_occurrences, look_along};
use super::pairs::{DROPPED, Pairs};
use super::sketch::Sketch;

/// A land, ready to be looked at again and again; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    pub(super) pairs: Pairs,
    /// All boundaries, as they were drawn, and room for more.
    codes: Vec<Code>,
    /// The upper-case letters that are a boundary each, region by region.
    pub(super) alone: Vec<Alone>,
    /// Where upper-case letters occur in other boundaries, region by region.
    pub(super) occurrences: Vec<Occurrence>,
    pub(super) boundaries: Vec<Boundary>,
    pub(super) regions: Vec<Region>,
    /// As many bytes as the land takes at most.
    pub(super) room: usize,
    /// The index in the boundary, plus one, of each lower-case letter that was met once.
    met: Vec<u32>,
    /// A long boundary as it is read.
    reading: Vec<Code>,
    /// Letters by their ranks: the same for all lands.
    pub(super) ranked: Vec<Ranked>,
    /// Letters with the rank that they have at first, as all others of their class: those that stand
    /// for one, and those that stand for two.
    first_ranked: [Ranked; 2],
}

/// An upper-case letter that is a boundary.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alone {
    pub(super) letter: u16,
    pub(super) region: u16,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Boundary {
    region: u16,
    codes: Span,
    occurrences: Span,
    pub(super) hashes: [u64; 2],
    /// Where to begin reading in each direction, if there are no occurrences.
    starts: [u32; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) zeros: u32,
    /// The letters that are a boundary each, and the other boundaries.
    pub(super) alone: Span,
    pub(super) boundaries: Span,
    /// The hash of everything without ranks.
    rest: [u64; 2],
    pub(super) hashes: [u64; 2],
    /// The hash of the region, whichever way it is turned.
    pub(super) whole: u64,
}

/// The factor between neighbours in the hash of a string.
pub(super) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads the bits of a number: both halves of a long product.
#[inline]
pub(super) fn mix(number: u64) -> u64 {
    let product =
        u128::from(number ^ 0xd6e8_feb8_6659_fd93) * u128::from(0xa076_1d64_78bd_642f_u64);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The hash of a region, whichever way it is turned.
#[inline]
fn whole([ahead, back]: [u64; 2]) -> u64 {
    mix(ahead.min(back)) ^ ahead.max(back)
}

/// Adds up two directions.
#[inline]
pub(super) fn add(sum: &mut [u64; 2], more: [u64; 2]) {
    sum[0] = sum[0].wrapping_add(more[0]);
    sum[1] = sum[1].wrapping_add(more[1]);
}

impl Survey {
    /// Takes up a land, pairs of letters contracted, and hashes it as it looks with the first ranks:
    /// 0, but for those that stand for two, which come behind the others.
    pub(super) fn take(&mut self, land: &Sketch) {
        self.pairs.find(land);
        self.alone.clear();
        self.occurrences.clear();
        self.boundaries.clear();
        self.regions.clear();
        if self.codes.len() < land.vertices.len() {
            self.codes.resize(land.vertices.len(), DROPPED);
        }
        if self.met.len() < land.letters {
            self.met.resize(land.letters, 0);
        }
        // One more, so that there is one behind those that stand for one.
        let ranks = self.pairs.singles + self.pairs.pairs + 1;
        if self.ranked.len() < ranks {
            let more = (self.ranked.len()..ranks).map(Ranked::of);
            self.ranked.extend(more);
        }
        self.first_ranked = [0, self.pairs.singles].map(|rank| self.ranked[rank]);
        let mut zeros = 0;
        let (mut start, mut end) = (0, 0);
        for face in &land.faces[..] {
            zeros += face.zeros as usize;
            let from = std::mem::replace(&mut start, face.end as usize);
            end = self.take_region(&land.vertices[from..start], face.zeros, end);
        }
        self.room = room(land.vertices.len()) + room_of_regions(zeros, land.faces.len());
    }

    /// Takes up a region, its codes from `end` on; returns where they end.
    #[inline]
    fn take_region(&mut self, vertices: &[Vertex], zeros: u32, mut end: usize) -> usize {
        let (first, first_alone) = (self.boundaries.len(), self.alone.len());
        // Apart from what boundaries add; and with them.
        let mut rest = [mix(!u64::from(zeros)); 2];
        let mut hashes = rest;
        let (mut start, mut bits) = (end, 0);
        for &vertex in vertices {
            if vertex != Vertex::END {
                let code = self.pairs.codes[vertex.number()];
                self.codes[end] = code;
                end += usize::from(code != DROPPED);
                bits |= code;
                continue;
            }
            if let (1, Some(letter)) = (end - start, upper_number(bits)) {
                let (letter, region) = (letter as u16, self.regions.len() as u16);
                self.alone.push(Alone { letter, region });
                let hash = self.first_ranked[usize::from(is_pair(bits))].hash;
                add(&mut hashes, [hash; 2]);
            } else {
                let more = self.take_boundary(start, end, bits);
                add(&mut hashes, more);
                if !has_upper(bits) {
                    add(&mut rest, more);
                }
            }
            (start, bits) = (end, 0);
        }
        self.regions.push(Region {
            zeros,
            alone: Span::new(first_alone, self.alone.len()),
            boundaries: Span::new(first, self.boundaries.len()),
            rest,
            hashes,
            whole: whole(hashes),
        });
        end
    }

    /// Takes up a boundary by its codes, all bits of which are given; returns its hashes.
    #[inline]
    fn take_boundary(&mut self, start: usize, end: usize, bits: Code) -> [u64; 2] {
        let before = self.occurrences.len();
        let region = self.regions.len() as u16;
        if has_open(bits) {
            self.find_distances(start, end);
        }
        let codes = &self.codes[start..end];
        let mut starts = [0; 2];
        let hashes = if has_upper(bits) {
            find_occurrences(codes, region, &mut self.occurrences);
            let Pairs { singles, .. } = self.pairs;
            let ranked = |letter| &self.first_ranked[usize::from(usize::from(letter) >= singles)];
            look_along(&mut self.occurrences[before..], ranked)
        } else {
            let hashes;
            (starts, hashes) = match *codes {
                [only] => ([0; 2], [mix(u64::from(only)); 2]),
                [one, other] => {
                    let both = u64::from(one.min(other)) << 8 | u64::from(one.max(other));
                    ([u32::from(other < one); 2], [mix(both); 2])
                }
                _ if codes.len() <= 8 => take_plain(codes),
                _ => take_long(codes, &mut self.reading),
            };
            hashes
        };
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

    /// Whether a region has no upper-case letters but one that is a boundary.
    pub(super) fn is_tip(&self, region: &Region) -> bool {
        let others = &self.boundaries[region.boundaries.range()];
        region.alone.len() == 1 && others.iter().all(|other| other.occurrences.len() == 0)
    }

    /// The codes of a boundary, as it was drawn.
    #[inline]
    pub(super) fn codes(&self, boundary: &Boundary) -> &[Code] {
        &self.codes[boundary.codes.range()]
    }

    /// Hashes the boundaries with upper-case letters, and with them the regions.
    pub(super) fn look(&mut self, ranks: &[u32]) {
        let Self {
            alone,
            occurrences,
            boundaries,
            regions,
            ranked,
            ..
        } = self;
        let (regions, occurrences) = (&mut regions[..], &mut occurrences[..]);
        let ranked = &ranked[..];
        let ranked = |letter: u16| &ranked[ranks[usize::from(letter)] as usize];
        for region in &mut *regions {
            region.hashes = region.rest;
        }
        for alone in alone {
            let hashes = [ranked(alone.letter).hash; 2];
            add(&mut regions[usize::from(alone.region)].hashes, hashes);
        }
        for boundary in boundaries {
            let occurrences = &mut occurrences[boundary.occurrences.range()];
            if !occurrences.is_empty() {
                boundary.hashes = look_along(occurrences, ranked);
                let region = &mut regions[usize::from(boundary.region)];
                add(&mut region.hashes, boundary.hashes);
            }
        }
        for region in regions {
            region.whole = whole(region.hashes);
        }
    }

    /// The boundary is read in this direction from here.
    #[inline]
    pub(super) fn start(&self, boundary: &Boundary, direction: usize, numbers: &[u32]) -> usize {
        let occurrences = self.occurrences[boundary.occurrences.range()].iter();
        let first = occurrences.min_by_key(|occurrence| numbers[usize::from(occurrence.letter)]);
        first.map_or(boundary.starts[direction], |occurrence| {
            occurrence.place.into()
        }) as usize
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

/// Sorts things by their hashes; those with the same keep their order. Few are the rule, and then
/// nothing beats exchanging neighbours, since that guesses no comparison.
#[inline]
pub(super) fn sort(keys: &mut [(u64, u32)]) {
    match keys {
        [] | [_] => {}
        [one, two] => exchange(one, two),
        [one, two, three] => {
            exchange(one, two);
            exchange(two, three);
            exchange(one, two);
        }
        [one, two, three, four] => {
            exchange(one, two);
            exchange(two, three);
            exchange(three, four);
            exchange(one, two);
            exchange(two, three);
            exchange(one, two);
        }
        _ => keys.sort_unstable(),
    }
}

/// Puts two in order.
#[inline]
fn exchange(one: &mut (u64, u32), other: &mut (u64, u32)) {
    let is_less = other.0 < one.0;
    let (less, greater) = if is_less {
        (*other, *one)
    } else {
        (*one, *other)
    };
    (*one, *other) = (less, greater);
}
