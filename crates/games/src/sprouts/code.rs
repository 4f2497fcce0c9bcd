//! Boundaries as strings of numbers that can be compared, rotated and turned round.
//!
//! A lower-case letter is written as the distance to its other occurrence. Unlike a name, a
//! distance stays the same when the boundary is rotated, so equal strings mean equal boundaries
//! and the least rotation is that of a plain cyclic string. An upper-case letter is written by
//! a number that its land gives it.
//!
//! A land as a whole is one string too: each region its spots (if any), its boundaries each
//! with an end, an end of its own. Ends are less than anything else, so that such strings are
//! ordered as the lists they stand for.

use super::drawing::{Drawing, Vertex};

/// A vertex or a mark in a string.
pub(super) type Code = u32;

pub(super) const END_OF_REGION: Code = 0;
pub(super) const END_OF_BOUNDARY: Code = 1;
/// Minus the number of isolated spots: regions with more of them come first.
const SPOTS: Code = 0x1_0000;
pub(super) const ONE: Code = 0x1_0001;
pub(super) const TWO: Code = 0x1_0002;
/// Plus the distance to the other occurrence, in the direction of reading.
const LOWER: Code = 0x2_0000;
/// Plus the number of the letter.
const UPPER: Code = 0x3_0000;

/// What a code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    EndOfRegion,
    EndOfBoundary,
    Spots(usize),
    One,
    Two,
    Lower { distance: usize },
    Upper(usize),
}

pub(super) fn meaning(code: Code) -> Meaning {
    match code {
        END_OF_REGION => Meaning::EndOfRegion,
        END_OF_BOUNDARY => Meaning::EndOfBoundary,
        ONE => Meaning::One,
        TWO => Meaning::Two,
        _ if code < SPOTS => Meaning::Spots((SPOTS - code) as usize),
        _ if code < UPPER => Meaning::Lower {
            distance: (code - LOWER) as usize,
        },
        _ => Meaning::Upper((code - UPPER) as usize),
    }
}

pub(super) fn spots(number: usize) -> Code {
    SPOTS - small(number)
}

fn lower(distance: usize) -> Code {
    LOWER + small(distance)
}

pub(super) fn upper(number: usize) -> Code {
    UPPER + small(number)
}

/// The number of an upper-case letter.
pub(super) fn upper_number(code: Code) -> Option<usize> {
    (code >= UPPER).then(|| (code - UPPER) as usize)
}

/// The code as it is read in the other direction, in a boundary of `length` vertices.
pub(super) fn turned(code: Code, length: usize) -> Code {
    if (LOWER..UPPER).contains(&code) {
        2 * LOWER + small(length) - code
    } else {
        code
    }
}

fn small(number: usize) -> Code {
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

/// Turns drawings into codes; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Coder {
    /// Where each letter was seen last: boundary and index, counted within this call.
    seen: Vec<(u32, u32)>,
    /// The number of each upper-case letter.
    numbers: Vec<u32>,
}

const UNSEEN: u32 = u32::MAX;

impl Coder {
    /// Writes some regions of a drawing as codes. Upper-case letters are numbered by first
    /// appearance; `into.letters` says how many there are.
    pub(super) fn code(
        &mut self,
        drawing: &Drawing<Vertex>,
        regions: impl Iterator<Item = usize>,
        into: &mut Drawing<Code>,
    ) {
        into.clear();
        self.seen.clear();
        self.seen.resize(drawing.letters, (UNSEEN, 0));
        self.numbers.clear();
        self.numbers.resize(drawing.letters, UNSEEN);
        for region in regions {
            let region = drawing.regions[region];
            for boundary in drawing.boundaries_of(region) {
                self.code_boundary(boundary, into);
                into.close_boundary();
            }
            into.close_region(region.zeros);
        }
    }

    fn code_boundary(&mut self, boundary: &[Vertex], into: &mut Drawing<Code>) {
        let this = small(into.boundaries.len());
        let start = into.vertices.len();
        for (index, &vertex) in boundary.iter().enumerate() {
            let code = match vertex.id() {
                None if vertex == Vertex::ONE => ONE,
                None => TWO,
                Some(id) if self.seen[id].0 == this => {
                    let distance = index - self.seen[id].1 as usize;
                    into.vertices[index + start - distance] = lower(distance);
                    lower(boundary.len() - distance)
                }
                Some(id) => {
                    self.seen[id] = (this, small(index));
                    // The id for now: whether the letter comes again is not known yet.
                    upper(id)
                }
            };
            into.push(code);
        }
        for code in &mut into.vertices[start..] {
            if let Some(id) = upper_number(*code) {
                if self.numbers[id] == UNSEEN {
                    self.numbers[id] = small(into.letters);
                    into.letters += 1;
                }
                *code = upper(self.numbers[id] as usize);
            }
        }
    }
}

/// A coded land as one string, everything in its present order.
pub(super) fn string_of(land: &Drawing<Code>, into: &mut Vec<Code>) {
    into.clear();
    for &region in &land.regions {
        if region.zeros > 0 {
            into.push(spots(region.zeros));
        }
        for boundary in land.boundaries_of(region) {
            into.extend_from_slice(boundary);
            into.push(END_OF_BOUNDARY);
        }
        into.push(END_OF_REGION);
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
