//! What can change places in a land, which a glance at a letter and its other occurrence tells: upper-case
//! letters, boundaries with such letters, whole regions.
//!
//! A curve between two vertices is seen from both of its sides, so that a few letters often stand
//! side by side in two regions. Where one side looks the same after letters have changed places,
//! they are interchangeable on the other:
//!
//! - All letters of a boundary are those of another one, in the same cyclic order: `0.ABCD|2.ABCD`.
//!   They can go round together.
//! - Two letters alone, `0*3.AB|CAB`, can swap if the other region, turned round, merely swaps them.
//! - Where a region is turned round, letters in it that another region takes back, turned round too,
//!   count as equal: both turns of `0*6.ABC|0.ABC2` swap `A` and `C`. Two letters alone
//!   need not be turned: turning `CAB` swaps `A` and `B`, which `0*3.AB` does not see.
//! - A boundary and a region that share all letters they have are an *end* of the land. Ends of a region
//!   that look alike can change places: `0*2.AB.CD|0.AB|0.CD`. So can two regions that are the same.
//!
//! This is about curves in one region, by letters whose other occurrences lie in others. A region
//! shares letters with one boundary of another at most, as drawings in the plane do, and where it
//! would not, nothing is turned with it. So one symmetry never stands in the way of another: each
//! changes what the other leaves as it is.

use super::code::{self, Code, axes, mirror, mirrored, upper_number};
use super::drawing::{Drawing, Region};

/// Where the letters of a land stand; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Twins {
    places: Vec<[Place; 2]>,
    /// How often letters stand in each region.
    letters: Vec<usize>,
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

/// As many boundaries are compared with one: where there are more, some are overlooked.
const MANY: usize = 64;

impl Twins {
    /// Looks at a land.
    pub(super) fn find(&mut self, land: &Drawing<Code>) {
        self.places.clear();
        self.places.resize(land.letters, [NOWHERE; 2]);
        self.letters.clear();
        for (number, region) in (0..).zip(&land.regions) {
            let mut letters = 0;
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
                        letters += 1;
                    }
                }
            }
            self.letters.push(letters);
        }
    }

    /// The other place of the letter with this code, if that lies in another region.
    fn elsewhere(&self, code: Code, region: u32) -> Option<Place> {
        let places = self.places[upper_number(code)?];
        let mut elsewhere = places.into_iter().filter(|place| place.region != region);
        let only = elsewhere.next()?;
        elsewhere.next().is_none().then_some(only)
    }

    /// The place of the letter with this code in a boundary.
    fn index_in(&self, code: Code, boundary: usize) -> Option<usize> {
        let mut places = self.places[upper_number(code)?].into_iter();
        let place = places.find(|place| place.boundary as usize == boundary)?;
        Some(place.index as usize)
    }

    /// Whether this is the code of a letter that stands in a region.
    fn stands_in(&self, code: Code, region: u32) -> bool {
        let places = upper_number(code).map(|letter| self.places[letter]);
        places.is_some_and(|places| places.iter().any(|place| place.region == region))
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

    /// If turning a region round leaves one of its boundaries as it is, apart from letters that other
    /// regions take back: the vertex at `i` comes to lie at the result minus `i`. Long ones may be
    /// overlooked.
    pub(super) fn axis(&self, land: &Drawing<Code>, region: u32, boundary: usize) -> Option<usize> {
        let codes = land.boundary(boundary);
        axes(codes).find(|&axis| {
            // Letters have the greatest codes.
            let mut all = mirrored(codes, axis);
            let mut moved = mirrored(codes, axis).filter(|(code, image)| code < image);
            all.all(|(code, image)| code == image || upper_number(code.min(image)).is_some())
                && moved.all(|letters| self.take_back(land, region, boundary, axis, letters))
        })
    }

    /// Whether another region takes back what turning a boundary does: the letters that they share are
    /// swapped by turning that region too, which changes nothing else. Asked about two letters that are
    /// swapped.
    fn take_back(
        &self,
        land: &Drawing<Code>,
        region: u32,
        boundary: usize,
        axis: usize,
        letters: (Code, Code),
    ) -> bool {
        let places = [letters.0, letters.1].map(|code| self.elsewhere(code, region));
        let [Some(place), Some(image)] = places else {
            return false;
        };
        if place.boundary != image.boundary {
            return false;
        }
        let other = land.boundary(place.boundary as usize);
        if other.len() == 2 {
            return true;
        }
        let here = land.boundary(boundary);
        let are_swapped = |(code, image)| match self.index_in(code, boundary) {
            Some(index) => here[mirror(axis, index, here.len())] == image,
            None => code == image && !self.stands_in(code, region),
        };
        let is_left = |index: usize| {
            let codes = land.boundary(index);
            let is_shared = codes.iter().any(|&code| self.stands_in(code, region));
            index == place.boundary as usize || !is_shared && code::axis(codes).is_some()
        };
        let about = (place.index + image.index) as usize % other.len();
        let Region { boundaries, .. } = land.regions[place.region as usize];
        mirrored(other, about).all(are_swapped) && boundaries.range().all(is_left)
    }

    /// The region that shares all its letters with a boundary, and the boundary with it.
    fn end(&self, land: &Drawing<Code>, region: u32, boundary: usize) -> Option<u32> {
        let codes = land.boundary(boundary).iter();
        let mut letters = codes.filter(|&&code| upper_number(code).is_some());
        let end = self.elsewhere(*letters.next()?, region)?.region;
        let others = letters.map(|&code| self.elsewhere(code, region));
        let mut number = 1;
        for other in others {
            number += 1;
            if other?.region != end {
                return None;
            }
        }
        (self.letters[end as usize] == number).then_some(end)
    }

    /// Brings the boundaries of a region that can change places with the first of some right behind it,
    /// and returns how many that makes. The others keep their order.
    pub(super) fn gather(
        &self,
        land: &Drawing<Code>,
        region: u32,
        boundaries: &mut [usize],
    ) -> usize {
        let first = boundaries[0];
        let mut size = 1;
        if let Some(end) = self.end(land, region, first) {
            for index in 1..boundaries.len().min(MANY) {
                let other = boundaries[index];
                if self.are_alike(land, region, [first, other], end) {
                    boundaries[size..=index].rotate_right(1);
                    size += 1;
                }
            }
        }
        size
    }

    /// Whether two boundaries of a region look alike, and so do their ends, of which the first is known.
    fn are_alike(
        &self,
        land: &Drawing<Code>,
        region: u32,
        boundaries: [usize; 2],
        end: u32,
    ) -> bool {
        let is_same = |(&one, &other): (&Code, &Code)| {
            one == other || {
                let [one, other] = [(one, boundaries[0]), (other, boundaries[1])]
                    .map(|(code, boundary)| self.index_in(code, boundary));
                one.is_some() && one == other
            }
        };
        let are_same = |one: &[Code], other: &[Code]| {
            one.len() == other.len() && one.iter().zip(other).all(is_same)
        };
        let [one, other] = boundaries.map(|boundary| land.boundary(boundary));
        if !are_same(one, other) {
            return false;
        }
        let Some(other) = self.end(land, region, boundaries[1]) else {
            return false;
        };
        let [one, other] = [end, other].map(|end| land.regions[end as usize]);
        one.zeros == other.zeros
            && one.boundaries.len() == other.boundaries.len()
            && land
                .boundaries_of(one)
                .zip(land.boundaries_of(other))
                .all(|(one, other)| are_same(one, other))
    }

    /// Whether a region and a later one can change places.
    pub(super) fn is_image(&self, land: &Drawing<Code>, index: usize) -> bool {
        let region = land.regions[index];
        if let &[_, last] = &land.regions[..] {
            return index == 0
                && region.zeros == last.zeros
                && land.boundaries_of(region).eq(land.boundaries_of(last));
        }
        let mut codes = land.boundaries_of(region).flatten();
        let letter = codes.find(|&&code| upper_number(code).is_some());
        let place = letter.and_then(|&code| self.elsewhere(code, index as u32));
        let Some(Place {
            region: near,
            boundary,
            ..
        }) = place
        else {
            return false;
        };
        let boundary = boundary as usize;
        let mut others = land.regions[near as usize].boundaries.range().take(MANY);
        let end = self.end(land, near, boundary);
        end.is_some_and(|end| {
            others.any(|other| {
                self.end(land, near, other).is_some_and(|later| later > end)
                    && self.are_alike(land, near, [boundary, other], end)
            })
        })
    }
}

/// Whether turning a region round swaps the letter at `place` with the one at the index `other` of
/// the same boundary, and changes nothing else.
fn turning_swaps(land: &Drawing<Code>, place: Place, other: usize) -> bool {
    let (this, boundary) = (place.index as usize, place.boundary as usize);
    let codes = land.boundary(boundary);
    let mut turned = mirrored(codes, (this + other) % codes.len()).enumerate();
    let Region { boundaries, .. } = land.regions[place.region as usize];
    turned.all(|(i, (code, image))| i == this || i == other || code == image)
        && boundaries
            .range()
            .all(|index| index == boundary || code::axis(land.boundary(index)).is_some())
}
