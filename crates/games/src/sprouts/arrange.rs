//! Writing a land whose upper-case letters are numbered, the same for all drawings of it.
//!
//! With numbers given, nothing is left to search: the region with more spots comes first, and
//! hashes say the rest: which of two regions comes first, which way it is turned, which of its
//! boundaries comes first. A boundary is read from its least number on, or from its least
//! rotation. Order, rotations and directions of the drawing have no say in the result. Where
//! hashes tie, what they stand for is the same, or an accident keeps two forms of one land
//! apart, which costs time; what is written can always be read back.

use super::code::{Code, turned};
use super::drawing::{Drawing, Region};
use super::position::Writer;
use super::survey::{Survey, sort};

/// Writes lands whose letters are numbered; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Arranger {
    writer: Writer,
    /// The regions, and the boundaries of one of them, by their hashes.
    regions: Vec<(u64, u32)>,
    boundaries: Vec<(u64, u32)>,
}

impl Arranger {
    /// Appends a land, surveyed and looked at with these numbers.
    pub(super) fn arrange(
        &mut self,
        land: &Drawing<Code>,
        survey: &Survey,
        numbers: &[u32],
        into: &mut Vec<u8>,
    ) {
        self.writer.begin_land(land.letters);
        self.regions.clear();
        for (index, region) in survey.regions.iter().enumerate() {
            // Regions with more spots first, as people write them.
            let spots = land.regions[index].zeros.min(0xffff) as u64;
            let key = (0xffff - spots) << 48 | region.whole() >> 16;
            self.regions.push((key, index as u32));
        }
        sort(&mut self.regions);
        for at in 0..self.regions.len() {
            let index = self.regions[at].1 as usize;
            let [ahead, back] = survey.regions[index].hashes;
            let direction = usize::from(back < ahead);
            self.write_region(land, land.regions[index], survey, direction, numbers, into);
        }
    }

    fn write_region(
        &mut self,
        land: &Drawing<Code>,
        region: Region,
        survey: &Survey,
        direction: usize,
        numbers: &[u32],
        into: &mut Vec<u8>,
    ) {
        self.writer.begin_region(region.zeros, into);
        self.boundaries.clear();
        for index in region.boundaries.range() {
            let hash = survey.boundaries[index].hashes[direction];
            self.boundaries.push((hash, index as u32));
        }
        sort(&mut self.boundaries);
        for &(_, index) in &self.boundaries {
            let codes = land.boundary(index as usize);
            let start = survey.start(index as usize, direction, numbers);
            let length = codes.len();
            // The place after so many steps.
            let codes = (0..length).map(|steps| match direction {
                0 if start + steps < length => codes[start + steps],
                0 => codes[start + steps - length],
                _ if steps <= start => turned(codes[start - steps], length),
                _ => turned(codes[start + length - steps], length),
            });
            self.writer.write_boundary(codes, into);
        }
    }
}
