//! Boundaries as strings of numbers that can be compared, rotated and turned round.
//!
//! A lower-case letter is written as the distance to its other occurrence. Unlike a name, a
//! distance stays the same when the boundary is rotated, so equal strings mean equal boundaries
//! and the least rotation is that of a plain cyclic string. An upper-case letter is written by
//! a number that its land gives it.

use std::ops::Range;

use super::drawing::{Drawing, Vertex};

/// A vertex or a mark in a string.
pub(super) type Code = u32;

pub(super) const ONE: Code = 1;
pub(super) const TWO: Code = 2;
/// Plus the distance to the other occurrence, in the direction of reading.
const LOWER: Code = 2;
/// Plus the number of the letter.
const UPPER: Code = 0x2_0000;
/// Plus the number of the letter that stands for two.
const PAIR: Code = 0x4_0000;
/// Plus the id of a lower-case letter whose distance is still to be found. A bit of its own, as
/// those of the other letters.
const OPEN: Code = 0x8_0000;

/// The distance from a lower-case letter to its other occurrence.
#[inline]
pub(super) fn lower_distance(code: Code) -> Option<usize> {
    (LOWER + 1..UPPER)
        .contains(&code)
        .then(|| (code - LOWER) as usize)
}

pub(super) fn lower(distance: usize) -> Code {
    LOWER + small(distance)
}

#[inline]
pub(super) fn upper(number: usize) -> Code {
    UPPER + small(number)
}

/// An upper-case letter that stands for two.
#[inline]
pub(super) fn pair(number: usize) -> Code {
    PAIR + small(number)
}

/// A lower-case letter whose distance is to be found.
#[inline]
pub(super) fn open(id: usize) -> Code {
    OPEN + small(id)
}

/// The id of such a letter.
#[inline]
pub(super) fn open_id(code: Code) -> Option<usize> {
    has_open(code).then_some((code & 0xffff) as usize)
}

/// Whether there is one among codes, of which this has all bits.
#[inline]
pub(super) fn has_open(bits: Code) -> bool {
    bits & OPEN != 0
}

/// Whether there is an upper-case letter among codes, of which this has all bits.
#[inline]
pub(super) fn has_upper(bits: Code) -> bool {
    bits & (UPPER | PAIR) != 0
}

/// The number of an upper-case letter, which may stand for two.
#[inline]
pub(super) fn upper_number(code: Code) -> Option<usize> {
    (code >= UPPER).then_some((code & 0xffff) as usize)
}

/// Whether an upper-case letter stands for two.
#[inline]
pub(super) fn is_pair(code: Code) -> bool {
    code & PAIR != 0
}

/// The code as it is read in the other direction, in a boundary of `length` vertices.
pub(super) fn turned(code: Code, length: usize) -> Code {
    match lower_distance(code) {
        Some(distance) => lower(length - distance),
        None => code,
    }
}

#[inline]
pub(super) fn small(number: usize) -> Code {
    debug_assert!(number < 0x1_0000, "lives are bounded");
    number as Code
}

/// Where the least rotation of a cyclic string begins.
///
/// Two candidates race; whoever is found greater after `same` equal symbols jumps past all of
/// them, since every start in between loses to the other's corresponding one.
pub(super) fn least_rotation(string: &[Code]) -> usize {
    let n = string.len();
    let at = |index: usize| string[if index < n { index } else { index - n }];
    let (mut one, mut other, mut same) = (0, 1, 0);
    while one < n && other < n && same < n {
        match at(one + same).cmp(&at(other + same)) {
            std::cmp::Ordering::Equal => {
                same += 1;
                continue;
            }
            std::cmp::Ordering::Greater => one += same + 1,
            std::cmp::Ordering::Less => other += same + 1,
        }
        if one == other {
            other += 1;
        }
        same = 0;
    }
    one.min(other)
}

/// The least rotation, other than by nothing, that leaves a cyclic string as it is; the length
/// of the string if there is none.
pub(super) fn period(string: &[Code]) -> usize {
    let n = string.len();
    let repeats = |p: usize| string[p..] == string[..n - p];
    (1..=n / 2)
        .find(|&p| n.is_multiple_of(p) && repeats(p))
        .unwrap_or(n)
}

/// If a cyclic string reads the same backwards: the symbol at `i` is that at the result minus
/// `i`. Long ones may be overlooked.
pub(super) fn axis(string: &[Code]) -> Option<usize> {
    axes(string).find(|&axis| mirrored(string, axis).all(|(code, image)| code == image))
}

/// The axes about which a cyclic string may be turned, none if it is long.
pub(super) fn axes(string: &[Code]) -> Range<usize> {
    const LONG: usize = 32;
    0..if string.len() > LONG { 0 } else { string.len() }
}

/// Every symbol of a cyclic string, and the one in its place when the string is turned.
#[inline]
pub(super) fn mirrored(string: &[Code], axis: usize) -> impl Iterator<Item = (Code, Code)> {
    let length = string.len();
    let images = (0..length).map(move |i| turned(string[mirror(axis, i, length)], length));
    string.iter().copied().zip(images)
}

/// Where the symbol at `i` comes to lie when a cyclic string is turned.
#[inline]
pub(super) fn mirror(axis: usize, i: usize, length: usize) -> usize {
    let place = axis + length - i;
    place - if place < length { 0 } else { length }
}

/// Turns drawings into codes; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Coder {
    /// How many upper-case letters have a number.
    letters: usize,
    /// The number of each upper-case letter.
    numbers: Vec<u32>,
    /// Where each letter was seen last: which boundary of all it was, and the index there.
    seen: Vec<(u64, u32)>,
    boundaries: u64,
}

const UNSEEN: u32 = u32::MAX;

impl Coder {
    /// Writes a drawing as codes. Upper-case letters are numbered by first appearance;
    /// `into.letters` says how many there are.
    pub(super) fn code(&mut self, drawing: &Drawing<Vertex>, into: &mut Drawing<Code>) {
        into.clear();
        self.letters = 0;
        self.numbers.clear();
        self.numbers.resize(drawing.letters, UNSEEN);
        if self.seen.len() < drawing.letters {
            self.seen.resize(drawing.letters, (0, 0));
        }
        for &region in &drawing.regions {
            for boundary in drawing.boundaries_of(region) {
                self.code_boundary(boundary, &mut into.vertices);
                into.close_boundary();
            }
            into.close_region(region.zeros);
        }
        into.letters = self.letters;
    }

    /// Appends the codes of a boundary.
    fn code_boundary(&mut self, boundary: &[Vertex], into: &mut Vec<Code>) {
        let (start, length) = (into.len(), boundary.len());
        self.boundaries += 1;
        for (index, &vertex) in boundary.iter().enumerate() {
            let Some(id) = vertex.id() else {
                into.push(Code::from(vertex.low_byte()));
                continue;
            };
            let (last, place) = self.seen[id];
            let code = if last == self.boundaries {
                let distance = index - place as usize;
                into[start + place as usize] = lower(distance);
                lower(length - distance)
            } else {
                self.seen[id] = (self.boundaries, small(index));
                // The id for now: whether the letter comes again is not known yet.
                upper(id)
            };
            into.push(code);
        }
        for code in &mut into[start..] {
            if let Some(id) = upper_number(*code) {
                *code = self.upper_code(id);
            }
        }
    }

    /// The code of an upper-case letter, which gets the next number if it has none.
    #[inline]
    fn upper_code(&mut self, id: usize) -> Code {
        let number = &mut self.numbers[id];
        if *number == UNSEEN {
            *number = small(self.letters);
            self.letters += 1;
        }
        UPPER + *number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_rotation_is_the_least_of_all() {
        let mut seed = 1u32;
        for length in 1..9 {
            for _ in 0..300 {
                let string: Vec<Code> = (0..length)
                    .map(|_| {
                        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        seed >> 30
                    })
                    .collect();
                let rotated = |by: usize| [&string[by..], &string[..by]].concat();
                let least = (0..length).map(rotated).min().unwrap();
                assert_eq!(rotated(least_rotation(&string)), least);
                let same = (1..=length).find(|&by| rotated(by % length) == string);
                assert_eq!(period(&string), same.unwrap());
            }
        }
    }

    #[test]
    fn a_distance_is_turned_round_with_its_boundary() {
        assert_eq!(turned(lower(1), 4), lower(3));
        assert_eq!(turned(ONE, 4), ONE);
        assert_eq!(turned(upper(3), 4), upper(3));
    }
}
