//! Writing a land whose upper-case letters are numbered, the same for all drawings of it.
//!
//! With numbers given, nothing is left to search: the region with more spots comes first, and
//! hashes say the rest: which of two regions comes first, which way it is turned, which of its
//! boundaries comes first. A boundary is read from its least number on, or from its least
//! rotation. Order, rotations and directions of the drawing have no say in the result. Where
//! hashes tie, what they stand for is the same, or an accident keeps two forms of one land
//! apart, which costs time; what is written can always be read back.

use super::bytes::{Bytes, Page, Writer};
use super::row::Row;
use super::survey::{Alone, Boundary, Region, Survey, sort};

/// Writes lands whose letters are numbered; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Arranger {
    writer: Writer,
    /// The regions, and the boundaries of one of them, by their hashes.
    regions: Row<(u64, u32), 4>,
    boundaries: Row<(u64, u32), 4>,
}

impl Arranger {
    /// Appends a land, surveyed and looked at with these numbers.
    pub(super) fn arrange(&mut self, survey: &Survey, numbers: &[u32], into: &mut Bytes) {
        let Self {
            writer,
            regions,
            boundaries,
        } = self;
        let mut page = Page::new(into.room(survey.room));
        writer.begin_land(numbers.len());
        let number = survey.regions.len();
        let regions = &mut regions.room(number)[..number];
        for (index, (place, region)) in regions.iter_mut().zip(&survey.regions).enumerate() {
            // Regions with more spots first, as people write them.
            let spots = u64::from(region.zeros.min(0xffff));
            *place = ((0xffff - spots) << 48 | region.whole >> 16, index as u32);
        }
        sort(regions);
        for &(_, index) in &*regions {
            let region = &survey.regions[index as usize];
            page.write_spots(region.zeros as usize);
            arrange_region(survey, region, numbers, boundaries, writer, &mut page);
        }
        let length = page.end_land();
        into.advance(length);
    }
}

/// Writes the boundaries of a region.
#[inline]
fn arrange_region(
    survey: &Survey,
    region: &Region,
    numbers: &[u32],
    boundaries: &mut Row<(u64, u32), 4>,
    writer: &mut Writer,
    page: &mut Page,
) {
    // Letters from here on stand for two.
    let singles = survey.pairs.singles as u16;
    let direction = usize::from(region.hashes[1] < region.hashes[0]);
    let alone = &survey.alone[region.alone.range()];
    let others = &survey.boundaries[region.boundaries.range()];
    let write_alone = |alone: &Alone, writer: &mut Writer, page: &mut Page| {
        let names = 1 + u16::from(alone.letter >= singles);
        writer.write_alone(alone.letter.into(), names, page);
    };
    let write_other = |other: &Boundary, writer: &mut Writer, page: &mut Page| {
        let start = survey.start(other, direction, numbers);
        writer.write_boundary(survey.codes(other), start, direction == 1, page);
    };
    // Mostly there is one, and nothing to put in order.
    match (alone, others) {
        ([alone], []) => {
            write_alone(alone, writer, page);
            return page.end_region(true);
        }
        ([], [other]) => {
            write_other(other, writer, page);
            return page.end_region(true);
        }
        _ => {}
    }
    let number = alone.len() + others.len();
    let in_order = &mut boundaries.room(number)[..number];
    let (first, last) = in_order.split_at_mut(alone.len());
    for (place, (index, alone)) in first.iter_mut().zip((0..).zip(alone)) {
        let number = numbers[usize::from(alone.letter)] as usize;
        *place = (survey.ranked[number].hash, index);
    }
    let others_from = alone.len() as u32;
    for (place, (index, other)) in last.iter_mut().zip((others_from..).zip(others)) {
        *place = (other.hashes[direction], index);
    }
    sort(in_order);
    for &(_, index) in &*in_order {
        let index = index as usize;
        match alone.get(index) {
            Some(alone) => write_alone(alone, writer, page),
            None => write_other(&others[index - alone.len()], writer, page),
        }
    }
    page.end_region(number > 0);
}
