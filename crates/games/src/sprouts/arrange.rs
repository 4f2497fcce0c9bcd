//! Writing a land whose upper-case letters are numbered, the same for all drawings of it.
//!
//! With numbers given, nothing is left to search: the region with more spots comes first, and
//! hashes say the rest: which of two regions comes first, which way it is turned, which of its
//! boundaries comes first. A boundary is read from its least number on, or from its least
//! rotation. Order, rotations and directions of the drawing have no say in the result. Where
//! hashes tie, what they stand for is the same, or an accident keeps two forms of one land
//! apart, which costs time; what is written can always be read back.

use super::bytes::Writer;
use super::survey::{Boundary, Survey, sort};

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
    pub(super) fn arrange(&mut self, survey: &Survey, numbers: &[u32], into: &mut Vec<u8>) {
        self.writer.begin_land(numbers.len());
        self.regions.clear();
        for (index, region) in survey.regions.iter().enumerate() {
            // Regions with more spots first, as people write them.
            let spots = u64::from(region.zeros.min(0xffff));
            let key = (0xffff - spots) << 48 | region.whole() >> 16;
            self.regions.push((key, index as u32));
        }
        sort(&mut self.regions);
        for &(_, index) in &self.regions {
            let region = &survey.regions[index as usize];
            let [ahead, back] = region.hashes;
            let direction = usize::from(back < ahead);
            self.writer.begin_region(region.zeros as usize, into);
            let boundaries = &survey.boundaries[region.boundaries.range()];
            let writer = &mut self.writer;
            let mut write = |boundary: &Boundary| {
                let start = survey.start(boundary, direction, numbers);
                let codes = survey.codes(boundary);
                writer.write_boundary(codes, start, direction == 1, into);
            };
            if let [only] = boundaries {
                write(only);
                continue;
            }
            self.boundaries.clear();
            for (index, boundary) in (0..).zip(boundaries) {
                self.boundaries.push((boundary.hashes[direction], index));
            }
            sort(&mut self.boundaries);
            for &(_, index) in &self.boundaries {
                write(&boundaries[index as usize]);
            }
        }
    }
}
