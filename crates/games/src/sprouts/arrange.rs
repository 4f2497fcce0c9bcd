//! The least string of a land whose upper-case letters are numbered.
//!
//! With numbers given, nothing is left to search: each boundary is read from its least rotation,
//! the boundaries of a region are sorted, the region is turned round if that gives less, and the
//! regions are sorted. Rotations, order and direction of the drawing have no say in the result,
//! and a string can be read back as a land.

use super::code::{
    Code, END_OF_BOUNDARY, END_OF_REGION, least_rotation, spots, turned, upper, upper_number,
};
use super::drawing::{Drawing, Region, Span};

/// Finds the least string of a land whose letters are numbered; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Arranger {
    /// The strings of the regions, one after another.
    regions: Vec<Code>,
    region_spans: Vec<Span>,
    /// Where the boundaries of one region stand in `regions`.
    boundary_spans: Vec<Span>,
    sorted: Vec<Code>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    AsDrawn,
    Turned,
}

impl Arranger {
    /// Writes the least string of a land, its upper-case letters numbered by `numbers`.
    pub(super) fn arrange(&mut self, land: &Drawing<Code>, numbers: &[u32], into: &mut Vec<Code>) {
        self.regions.clear();
        self.region_spans.clear();
        for &region in &land.regions {
            let start = self.regions.len();
            self.arrange_region(land, region, numbers);
            self.regions.push(END_OF_REGION);
            self.region_spans.push(Span::new(start, self.regions.len()));
        }
        sort_strings(&mut self.region_spans, &self.regions);
        into.clear();
        for span in &self.region_spans {
            into.extend_from_slice(&self.regions[span.range()]);
        }
    }

    fn arrange_region(&mut self, land: &Drawing<Code>, region: Region, numbers: &[u32]) {
        if region.zeros > 0 {
            self.regions.push(spots(region.zeros));
        }
        let start = self.regions.len();
        self.read_region(land, region, numbers, Direction::AsDrawn);
        let mut boundaries = land.boundaries_of(region);
        // A cycle of two is the same in both directions.
        if boundaries.all(|boundary| boundary.len() <= 2) {
            return;
        }
        let middle = self.regions.len();
        self.read_region(land, region, numbers, Direction::Turned);
        let (before, turned) = self.regions.split_at_mut(middle);
        let drawn = &mut before[start..];
        if *turned < *drawn {
            drawn.copy_from_slice(turned);
        }
        self.regions.truncate(middle);
    }

    /// Appends the boundaries of a region, each from its least rotation, sorted.
    fn read_region(
        &mut self,
        land: &Drawing<Code>,
        region: Region,
        numbers: &[u32],
        direction: Direction,
    ) {
        let start = self.regions.len();
        self.boundary_spans.clear();
        for boundary in land.boundaries_of(region) {
            let start = self.regions.len();
            self.read_boundary(boundary, numbers, direction);
            self.regions.push(END_OF_BOUNDARY);
            self.boundary_spans
                .push(Span::new(start, self.regions.len()));
        }
        if self.boundary_spans.len() > 1 {
            sort_strings(&mut self.boundary_spans, &self.regions);
            self.sorted.clear();
            for span in &self.boundary_spans {
                self.sorted.extend_from_slice(&self.regions[span.range()]);
            }
            self.regions[start..].copy_from_slice(&self.sorted);
        }
    }

    fn read_boundary(&mut self, boundary: &[Code], numbers: &[u32], direction: Direction) {
        let start = self.regions.len();
        let number = |&code: &Code| {
            upper_number(code).map_or(code, |letter| upper(numbers[letter] as usize))
        };
        if direction == Direction::AsDrawn {
            self.regions.extend(boundary.iter().map(number));
        } else {
            let turned = |code| turned(number(code), boundary.len());
            self.regions.extend(boundary.iter().rev().map(turned));
        }
        let string = &mut self.regions[start..];
        let least = least_rotation(string);
        string.rotate_left(least);
    }
}

fn sort_strings(spans: &mut [Span], strings: &[Code]) {
    let string = |span: &Span| &strings[span.range()];
    spans.sort_unstable_by(|a, b| string(a).cmp(string(b)));
}
