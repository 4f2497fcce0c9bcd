//! About how many moves a position has, without making them.
//!
//! A curve within a boundary divides the other boundaries of its region in two, in about two
//! ways each and one more than there are spots for the spots; a curve between two boundaries
//! divides nothing. Counted per region and summed; symmetric curves are counted each. This
//! orders children and estimates work: a bad guess costs time only.

use super::drawing::{Drawing, Region, Vertex};

/// Of a boundary with this many vertices, the part for curves from a vertex to itself.
const LOOPS: f64 = 0.3;

pub(super) fn estimate(drawing: &Drawing<Vertex>) -> f64 {
    let regions = drawing.regions.iter();
    let moves: f64 = regions.map(|region| of_region(drawing, *region)).sum();
    moves.max(1.0)
}

fn of_region(drawing: &Drawing<Vertex>, region: Region) -> f64 {
    let spots = region.zeros as f64;
    let sizes = region
        .boundaries
        .range()
        .map(|index| drawing.boundary(index).len() as f64);
    let (mut count, mut within, mut between, mut vertices) = (0, 0.0, 0.0, 0.0);
    for size in sizes {
        count += 1;
        within += size * (size - 1.0) / 2.0 + LOOPS;
        between += vertices * size;
        vertices += size;
    }
    let divisions = 2f64.powi(count);
    let mut moves = within * (spots + 1.0) * divisions / 2.0 + between;
    if region.zeros >= 1 {
        moves += vertices + spots / 2.0 * divisions;
    }
    if region.zeros >= 2 {
        moves += 1.0;
    }
    moves
}
