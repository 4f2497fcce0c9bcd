//! How much work a land may be: it grows with its lives, and with its moves for who must show a
//! loss.
//!
//! No learning: the form was found by trial on some numbers of spots and judged on others. What
//! mattered is that disproof numbers are well above proof numbers, and mild growth in lives.

use std::cmp::Reverse;

use bouton_game::{Assessment, Estimate, Knowledge, Nimber};

use super::mobility::Mobility;
use super::{Position, Sprouts};

/// First numbers from lives and moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct LivesAndMoves;

const SCALE: f64 = 64.0;
const GROWTH: f64 = 0.05;
const POWER: f64 = 0.75;

impl Knowledge<Sprouts> for LivesAndMoves {
    /// Of children with equal numbers those in more lands come first: lands are smaller then, and
    /// what is found out about one serves many positions.
    fn order(&mut self, _: &mut Sprouts, _: &Position, children: &mut [Position]) {
        if children.iter().any(|child| !child.is_one_land()) {
            children.sort_by_cached_key(|child| Reverse(child.number_of_lands()));
        }
    }

    fn assess(&mut self, _: &mut Sprouts, position: &Position, heap: Nimber) -> Assessment {
        let Mobility { lives, moves } = Mobility::of(position);
        let size = lives + 2.0 * f64::from(heap);
        let proof = SCALE * (GROWTH * size).exp();
        let disproof = proof * moves.powf(POWER);
        // A number beyond u64 becomes the greatest.
        Assessment::Open(Estimate {
            proof: proof as u64,
            disproof: disproof as u64,
        })
    }
}
