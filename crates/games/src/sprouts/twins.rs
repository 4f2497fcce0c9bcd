//! Upper-case letters that can change places, which a glance at the boundaries they stand in tells.
//!
//! A curve between two vertices is seen from both of its sides, so that a few letters often stand
//! side by side in two regions. Where one side looks the same after letters have changed places,
//! they are interchangeable on the other:
//!
//! - All letters of a boundary are those of another one, in the same cyclic order: `0.ABCD|2.ABCD`.
//!   They can go round together.
//! - Two letters alone, `0*3.AB|CAB`, can swap if the other region, turned round, merely swaps them.
//! - The same from the other side: turning `CAB` round swaps `A` and `B`, which `0*3.AB` does not
//!   see. Such letters are *partners*.
//!
//! This is about curves in one region, by letters whose other occurrences lie in others. So one
//! symmetry never stands in the way of another: each changes what the other leaves as it is.

use super::code::{Code, axis, turned, upper_number};
use super::drawing::{Drawing, Region};

/// Where the letters of a land stand; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Twins {
    places: Vec<[Place; 2]>,
}

/// Where a letter stands: the region, the boundary among all, and the index there.
#[derive(Clone, Copy, Debug)]
struct Place {
    region: u32,
    boundary: u32,
    index: u32,
}

const NOWHERE: Place = Place {
    region: u32::MAX,
    boundary: u32::MAX,
    index: 0,
};

impl Twins {
    /// Looks at a land.
    pub(super) fn find(&mut self, land: &Drawing<Code>) {
        self.places.clear();
        self.places.resize(land.letters, [NOWHERE; 2]);
        for (number, region) in (0..).zip(&land.regions) {
            for boundary in region.boundaries.range() {
                for (index, &code) in (0..).zip(land.boundary(boundary)) {
                    if let Some(letter) = upper_number(code) {
                        let places = &mut self.places[letter];
                        let place = Place {
                            region: number,
                            boundary: boundary as u32,
                            index,
                        };
                        *places = [place, places[0]];
                    }
                }
            }
        }
    }

    /// The other place of the letter with this code, if that lies in another region.
    fn elsewhere(&self, code: Code, region: u32) -> Option<Place> {
        let places = self.places[upper_number(code)?];
        let mut elsewhere = places.into_iter().filter(|place| place.region != region);
        let only = elsewhere.next()?;
        elsewhere.next().is_none().then_some(only)
    }

    /// Whether the letters of a boundary can go round it by one.
    pub(super) fn go_round(&self, land: &Drawing<Code>, region: u32, boundary: usize) -> bool {
        let codes = land.boundary(boundary);
        let Some(place) = self.elsewhere(codes[0], region) else {
            return false;
        };
        let other = land.boundary(place.boundary as usize);
        let (start, length) = (place.index as usize, other.len());
        if codes.len() == length {
            let are_read = |ahead: bool| {
                codes.iter().enumerate().all(|(i, &code)| {
                    let index = start + if ahead { i } else { length - i };
                    upper_number(code).is_some() && other[index % length] == code
                })
            };
            return are_read(true) || are_read(false);
        }
        match *codes {
            [_, second] => self.elsewhere(second, region).is_some_and(|second| {
                second.boundary == place.boundary
                    && turning_swaps(land, place, second.index as usize)
            }),
            _ => false,
        }
    }

    /// The partner of the letter with this code in this region.
    pub(super) fn partner(&self, land: &Drawing<Code>, region: u32, code: Code) -> Option<Code> {
        let place = self.elsewhere(code, region)?;
        match *land.boundary(place.boundary as usize) {
            [one, other] => Some(if one == code { other } else { one }),
            _ => None,
        }
    }
}

/// Whether turning a region round swaps the letter at `place` with the one at the index `other` of
/// the same boundary, and changes nothing else.
fn turning_swaps(land: &Drawing<Code>, place: Place, other: usize) -> bool {
    let (this, boundary) = (place.index as usize, place.boundary as usize);
    let codes = land.boundary(boundary);
    let length = codes.len();
    let stays = |i: usize| {
        let image = (this + other + length - i) % length;
        i == this || i == other || turned(codes[image], length) == codes[i]
    };
    let Region { boundaries, .. } = land.regions[place.region as usize];
    (0..length).all(stays)
        && boundaries
            .range()
            .all(|index| index == boundary || axis(land.boundary(index), |_| None).is_some())
}
