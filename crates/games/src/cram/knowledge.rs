//! How much work a shape may be: it grows with its cells, and more for who must show a loss.
//!
//! The numbers are those of an earlier search for good ones, judged on boards they were not
//! tuned on: half the expansions of plain mobility.

use bouton_game::{Assessment, Estimate, Game, Knowledge, Nimber};

use super::{Cram, Free};

/// First numbers from the free cells and the dominoes that fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellsAndDominoes;

const SCALE: f64 = 64.0;
const GROWTH: f64 = 0.1;
const POWER: f64 = 0.75;

impl Knowledge<Cram> for CellsAndDominoes {
    fn assess(&mut self, game: &mut Cram, position: &Free, _: Nimber) -> Assessment {
        let cells = f64::from(position.0.count_ones());
        let dominoes = game.mobility(position) as f64;
        let proof = SCALE * (GROWTH * cells).exp();
        let disproof = proof * (1.0 + dominoes).powf(POWER);
        Assessment::Open(Estimate {
            proof: proof as u64,
            disproof: disproof as u64,
        })
    }
}
