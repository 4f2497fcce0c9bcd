//! Writing a land whose upper-case letters are numbered, the same for all drawings of it.
//!
//! With numbers given, nothing is left to search: the region with more spots comes first, and
//! hashes say the rest: which of two regions comes first, which way it is turned, which of its
//! boundaries comes first. A boundary is read from its least number on, or from its least
//! rotation. Order, rotations and directions of the drawing have no say in the result. Where
//! hashes tie, what they stand for is the same, or an accident keeps two forms of one land
//! apart, which costs time; what is written can always be read back.

use super::bytes::{Bytes, Page, Writer};
use super::survey::{Alone, Region, Survey, sort};

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
    pub(super) fn arrange(&mut self, survey: &Survey, numbers: &[u32], into: &mut Bytes) {
        let mut page = Page::new(into.room(survey.room));
        self.writer.begin_land(numbers.len());
        self.regions.clear();
        self.regions
            .extend((0..).zip(&survey.regions).map(|(index, region)| {
                // Regions with more spots first, as people write them.
                let spots = u64::from(region.zeros.min(0xffff));
                ((0xffff - spots) << 48 | region.whole >> 16, index)
            }));
        sort(&mut self.regions);
        for index in 0..self.regions.len() {
            let region = &survey.regions[self.regions[index].1 as usize];
            page.write_spots(region.zeros as usize);
            self.arrange_region(survey, region, numbers, &mut page);
            page.end_region();
        }
        let length = page.end_land();
        into.advance(length);
    }

    /// Writes the boundaries of a region.
    #[inline]
    fn arrange_region(
        &mut self,
        survey: &Survey,
        region: &Region,
        numbers: &[u32],
        page: &mut Page,
    ) {
        let Self {
            writer, boundaries, ..
        } = self;
        // Letters from here on stand for two.
        let singles = survey.pairs.singles as u16;
        let direction = usize::from(region.hashes[1] < region.hashes[0]);
        let alone = &survey.alone[region.alone.range()];
        let others = &survey.boundaries[region.boundaries.range()];
        boundaries.clear();
        if alone.len() + others.len() == 1 {
            boundaries.push((0, 0));
        } else {
            boundaries.extend((0..).zip(alone).map(|(index, alone)| {
                let number = numbers[usize::from(alone.letter)] as usize;
                (survey.ranked[number].hash, index)
            }));
            let others = (alone.len() as u32..).zip(others);
            boundaries.extend(others.map(|(index, boundary)| (boundary.hashes[direction], index)));
            sort(boundaries);
        }
        for &(_, index) in &*boundaries {
            let index = index as usize;
            if let Some(&Alone { letter, .. }) = alone.get(index) {
                let names = 1 + u16::from(letter >= singles);
                writer.write_alone(letter.into(), names, page);
            } else {
                let boundary = &others[index - alone.len()];
                let start = survey.start(boundary, direction, numbers);
                writer.write_boundary(survey.codes(boundary), start, direction == 1, page);
            }
        }
    }
}
