//! Cells whose letters are images of each other, which a glance tells.
//!
//! Most lands with symmetries have one of two, and there is no need to search for these:
//!
//! - a *ring*: the letters of a cell are all of a boundary and all of another one, in the same cyclic
//!   order, `0.ABCD|2.ABCD`. They can go round together.
//! - a *star*: the letters of a cell are boundaries of one region, and the only letters of regions
//!   that look alike, `0.A.B.C|2.A|2.B|2.C`, each perhaps standing for two. They can change places.
//!
//! Both leave all other letters where they are, and so all that was singled out before. Below a node
//! with such a cell the first child is as good as any.

use super::super::code::upper_number;
use super::super::survey::{Alone, Survey};

/// Whether symmetries take the letters of a cell, so many with this rank, to each other: some that
/// do are seen. The last look was with ranks that did not tell them apart.
pub(super) fn is_orbit(survey: &Survey, ranks: &[u32], cell: u32, size: usize) -> bool {
    is_star(survey, ranks, cell, size) || size > 2 && is_ring(survey, ranks, cell, size)
}

fn is_star(survey: &Survey, ranks: &[u32], cell: u32, size: usize) -> bool {
    let (mut centre, mut tip) = (None::<u16>, None::<u64>);
    let (mut at_centre, mut at_tips) = (0, 0);
    for &Alone { letter, region } in &survey.alone {
        if ranks[usize::from(letter)] != cell {
            continue;
        }
        let face = &survey.regions[usize::from(region)];
        if survey.is_tip(face) {
            at_tips += usize::from(*tip.get_or_insert(face.whole) == face.whole);
        } else {
            at_centre += usize::from(*centre.get_or_insert(region) == region);
        }
    }
    // No letter has both of its places at tips: that would be a land of its own.
    at_centre == size && at_tips == size
}

fn is_ring(survey: &Survey, ranks: &[u32], cell: u32, size: usize) -> bool {
    let mut rings = survey
        .boundaries
        .iter()
        .map(|boundary| survey.codes(boundary))
        .filter(|codes| {
            let is_in_cell = |&code| upper_number(code).is_some_and(|letter| ranks[letter] == cell);
            codes.len() == size && codes.iter().all(is_in_cell)
        });
    let (Some(one), Some(other)) = (rings.next(), rings.next()) else {
        return false;
    };
    let Some(start) = other.iter().position(|code| *code == one[0]) else {
        return false;
    };
    let are_read = |ahead: bool| {
        one.iter().enumerate().all(|(i, code)| {
            let index = start + if ahead { i } else { size - i };
            other[if index < size { index } else { index - size }] == *code
        })
    };
    are_read(true) || are_read(false)
}
