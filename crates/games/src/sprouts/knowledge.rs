//! How much work a land may be: it grows with its lives, and with its moves for who must show a
//! loss.
//!
//! No learning: the form was found by trial on some numbers of spots and judged on others. What
//! mattered is that disproof numbers are well above proof numbers, and mild growth in lives.

use bouton_game::{Assessment, Estimate, Knowledge, Nimber};

use super::drawing::{Drawing, Vertex};
use super::{Position, Sprouts, mobility};

/// First numbers from lives and moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct LivesAndMoves;

const SCALE: f64 = 64.0;
const GROWTH: f64 = 0.05;
const POWER: f64 = 0.75;

impl Knowledge<Sprouts> for LivesAndMoves {
    fn assess(&mut self, game: &mut Sprouts, position: &Position, heap: Nimber) -> Assessment {
        position.draw(&mut game.parent);
        let size = lives(&game.parent) + 2.0 * f64::from(heap);
        let proof = SCALE * (GROWTH * size).exp();
        let disproof = proof * mobility::estimate(&game.parent).powf(POWER);
        // A number beyond u64 becomes the greatest.
        Assessment::Open(Estimate {
            proof: proof as u64,
            disproof: disproof as u64,
        })
    }
}

/// Three for a spot, less for a vertex that curves end in; a letter stands in two places.
fn lives(drawing: &Drawing<Vertex>) -> f64 {
    let spots: usize = drawing.regions.iter().map(|region| region.zeros).sum();
    let of_vertex = |vertex: &Vertex| match vertex.id() {
        Some(_) => 0.5,
        None => vertex.lives() as f64,
    };
    3.0 * spots as f64 + drawing.vertices.iter().map(of_vertex).sum::<f64>()
}
