//! Other drawings of the same position, for tests of the canonical form.
//!
//! Names need no variant of their own: they follow the order, which changes.

use super::bytes::draw_land;
use super::drawing::{Drawing, Vertex};
use super::position::Position;

type Change = fn(&Drawing<Vertex>) -> Drawing<Vertex>;

/// Some positions that differ from `position` in nothing that matters.
pub(super) fn variants(position: &Position) -> impl Iterator<Item = Position> {
    let lands: Vec<Drawing<Vertex>> = position
        .lands()
        .map(|bytes| {
            let mut land = Drawing::default();
            draw_land(bytes, &mut land);
            land
        })
        .collect();
    let changes: [Change; 6] = [
        Drawing::clone,
        regions_reversed,
        boundaries_reversed,
        |land| rotated(land, 1),
        |land| turned(land, |region| region == 0),
        |land| {
            rotated(
                &turned(&regions_reversed(land), |region| region % 2 == 0),
                2,
            )
        },
    ];
    changes.into_iter().flat_map(move |change| {
        let mut changed: Vec<_> = lands.iter().map(change).collect();
        let position = Position::from_drawings(&changed);
        changed.reverse();
        [position, Position::from_drawings(&changed)]
    })
}

fn regions_reversed(land: &Drawing<Vertex>) -> Drawing<Vertex> {
    let mut changed = empty_like(land);
    for &region in land.regions.iter().rev() {
        changed.push_region(land, region);
    }
    changed
}

fn boundaries_reversed(land: &Drawing<Vertex>) -> Drawing<Vertex> {
    let mut changed = empty_like(land);
    for &region in &land.regions {
        for boundary in land.boundaries_of(region).rev() {
            changed.push_boundary(boundary);
        }
        changed.close_region(region.zeros);
    }
    changed
}

fn rotated(land: &Drawing<Vertex>, by: usize) -> Drawing<Vertex> {
    let mut changed = land.clone();
    for span in &land.boundaries {
        changed.vertices[span.range()].rotate_left(by % span.len());
    }
    changed
}

/// The regions that `chosen` picks, turned round.
fn turned(land: &Drawing<Vertex>, chosen: impl Fn(usize) -> bool) -> Drawing<Vertex> {
    let mut changed = land.clone();
    for (index, region) in land.regions.iter().enumerate() {
        if chosen(index) {
            for span in &land.boundaries[region.boundaries.range()] {
                changed.vertices[span.range()].reverse();
            }
        }
    }
    changed
}

fn empty_like(land: &Drawing<Vertex>) -> Drawing<Vertex> {
    let mut empty = Drawing::default();
    empty.letters = land.letters;
    empty
}
