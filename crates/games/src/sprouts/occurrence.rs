//! Where an upper-case letter stands in a boundary, and how that looks.
//!
//! A boundary with upper-case letters is a cycle of them with *gaps* in between. What lies in a gap
//! is hashed once, in both directions; with the ranks of the letters at its ends it is what an
//! occurrence *looks* like, ahead and back. The looks of its occurrences make up the hash of a
//! boundary. A letter that is a boundary has no gap: how it looks depends on its rank alone.

use super::code::{Code, turned, upper_number};
use super::survey::{STEP, add, mix};

/// An occurrence of an upper-case letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) letter: u16,
    pub(super) region: u16,
    /// Its index in the boundary.
    pub(super) place: u16,
    /// The next letters around the boundary, ahead and back. One that is alone is next to itself.
    neighbours: [u16; 2],
    /// The hashes of what lies between it and them.
    gaps: [u64; 2],
    /// The same with the ranks at both ends.
    pub(super) looks: [u64; 2],
}

/// An upper-case letter of some rank.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ranked {
    /// As it is hashed at either end of a gap.
    near: u64,
    far: u64,
    /// How it looks where it is a boundary, and the hash of that boundary.
    pub(super) look: u64,
    pub(super) hash: u64,
}

impl Ranked {
    pub(super) fn of(rank: usize) -> Self {
        let rank = rank as u64 + 1;
        let (near, far) = (rank.wrapping_mul(NEAR), rank.wrapping_mul(FAR));
        let look = mix(near.wrapping_add(far));
        Self {
            near,
            far,
            look,
            hash: mix(look),
        }
    }
}

/// The factors of the ranks at both ends of a gap.
const NEAR: u64 = 0xd1b5_4a32_d192_ed03;
const FAR: u64 = 0x8cb9_2ba7_2f3d_8dd7;

impl Occurrence {
    /// Between two neighbours, with the same ahead and back.
    #[inline]
    fn between(letter: usize, neighbour: usize, region: u16, place: u16, gap: Code) -> Self {
        Self {
            letter: letter as u16,
            region,
            place,
            neighbours: [neighbour as u16; 2],
            gaps: [u64::from(gap); 2],
            looks: [0; 2],
        }
    }
}

/// Finds the occurrences in a boundary with upper-case letters.
#[inline]
pub(super) fn find_occurrences(codes: &[Code], region: u16, into: &mut Vec<Occurrence>) {
    match *codes {
        [one, other] => {
            let letters = [one, other].map(upper_number);
            for (place, letter) in letters.into_iter().enumerate() {
                let Some(letter) = letter else { continue };
                // Beside the other letter, or beside itself with the other vertex in between.
                let (neighbour, gap) = match letters[1 - place] {
                    Some(neighbour) => (neighbour, 0),
                    None => (letter, [other, one][place]),
                };
                let place = place as u16;
                into.push(Occurrence::between(letter, neighbour, region, place, gap));
            }
        }
        _ => walk_around(codes, region, into),
    }
}

/// The same for a long one, with what lies between them, from the first on.
fn walk_around(codes: &[Code], region: u16, into: &mut Vec<Occurrence>) {
    let start = into.len();
    let (mut gap, mut before) = (Gap::default(), 0);
    let first = codes.iter().position(|&code| upper_number(code).is_some());
    let (behind, from) = codes.split_at(first.unwrap_or_default());
    for (index, &code) in from.iter().chain(behind).enumerate() {
        let Some(letter) = upper_number(code) else {
            gap.push(code, turned(code, codes.len()));
            continue;
        };
        let letter = letter as u16;
        if let Some(last) = into[start..].last_mut() {
            (last.gaps[0], last.neighbours[0]) = (gap.ahead, letter);
        }
        let place = match index < from.len() {
            true => behind.len() + index,
            false => index - from.len(),
        };
        into.push(Occurrence {
            letter,
            region,
            place: place as u16,
            neighbours: [0, before],
            gaps: [0, gap.back],
            looks: [0; 2],
        });
        (gap, before) = (Gap::default(), letter);
    }
    // Round the corner.
    let first = &mut into[start];
    (first.gaps[1], first.neighbours[1]) = (gap.back, before);
    let letter = first.letter;
    if let Some(last) = into.last_mut() {
        (last.gaps[0], last.neighbours[0]) = (gap.ahead, letter);
    }
}

/// Hashes the occurrences in a boundary, each with its neighbours; returns the hashes of the
/// boundary.
#[inline]
pub(super) fn look_along<'a>(
    occurrences: &mut [Occurrence],
    ranked: impl Fn(u16) -> &'a Ranked,
) -> [u64; 2] {
    let mut sum = [0; 2];
    for occurrence in occurrences {
        let near = ranked(occurrence.letter).near;
        let look = |direction: usize| {
            let far = ranked(occurrence.neighbours[direction]).far;
            mix(occurrence.gaps[direction] ^ near.wrapping_add(far))
        };
        occurrence.looks = [look(0), look(1)];
        add(&mut sum, occurrence.looks);
    }
    sum.map(mix)
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
