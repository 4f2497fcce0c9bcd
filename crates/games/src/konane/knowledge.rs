//! How much work a position may be: the mobility of both sides, to a power, and what was learned.
//!
//! Mobility is nearly everything in Konane: who runs out of moves loses. The thesis starts a
//! leaf with (1, n) for n moves of the player to move. Counting the other side as well, and
//! raising both to a power, steers towards positions in which one side is nearly out of moves.
//!
//! The rest is learned: z, the logit of a win for the player to move, is a weighted sum of the
//! [features](super::features), fitted to positions of a small board whose outcome was searched
//! (`weights.txt`, written by `bouton train`). With n and m single jumps of the player to move
//! and the other, a leaf starts with (1+m)^4 e^(-z/2) and (1+n)^4 e^(z/2). What is learned only
//! steers: a wrong weight costs time, never truth.
//!
//! Two outcomes are plain to see and are proved: who cannot move has lost, and who can leave the
//! other side without a move has won.

use bouton_game::{Assessment, Estimate, Features, Knowledge, Nimber, Outcome};

use super::features::{Counts, FEATURES, NAMES};
use super::{Konane, Position};

/// First numbers from the single jumps of both sides and a learned logit.
#[derive(Clone, Debug)]
pub struct Mobilities {
    /// (1 + jumps) to the power, for every number of jumps there can be.
    powers: [u64; MOST_JUMPS + 1],
    /// The weight of every feature and the constant, times [`UNIT`].
    weights: [i32; FEATURES + 1],
    /// e^(trust * z) for every z there is, from -[`LARGEST_LOGIT`] on in steps of 1/[`STEPS`], as
    /// multiples of 2^-[`FRACTION`].
    factors: Vec<u64>,
}

/// Four directions for each of 32 stones.
const MOST_JUMPS: usize = 128;

/// How much a jump counts.
const POWER: f64 = 4.0;

/// How far the learned logit is trusted.
const TRUST: f64 = 0.5;

/// The other side's jumps up to which it is worth the time to look for a last jump.
const FEW_JUMPS: u32 = 2;

/// What a weight of 1 is as an integer.
const UNIT: i32 = 1 << 12;
/// Logits beyond this are as good as certain.
const LARGEST_LOGIT: i32 = 12;
/// Steps of the logit from one factor to the next.
const STEPS: i32 = 16;
/// Bits of a factor behind the point.
const FRACTION: u32 = 16;

impl Default for Mobilities {
    fn default() -> Self {
        let last = LARGEST_LOGIT * STEPS;
        let factor = |step: i32| {
            let factor = (TRUST * f64::from(step) / f64::from(STEPS)).exp();
            (factor * f64::from(1 << FRACTION)).round() as u64
        };
        Self {
            powers: std::array::from_fn(|jumps| (1.0 + jumps as f64).powf(POWER).round() as u64),
            weights: read_weights(include_str!("weights.txt")),
            factors: (-last..=last).map(factor).collect(),
        }
    }
}

impl Mobilities {
    /// The factors by which the learned logit makes a proof and a disproof more work.
    #[inline]
    fn factors(&self, counts: &Counts) -> (u64, u64) {
        let [weights @ .., constant] = &self.weights;
        let terms = weights.iter().zip(counts.as_flattened());
        let logit = terms.fold(*constant, |sum, (weight, &count)| {
            sum + weight * count as i32
        });
        let last = LARGEST_LOGIT * STEPS;
        let step = (logit / (UNIT / STEPS)).clamp(-last, last);
        let factor = |step: i32| self.factors[(last + step) as usize];
        (factor(-step), factor(step))
    }
}

impl Knowledge<Konane> for Mobilities {
    #[inline]
    fn assess(&mut self, game: &mut Konane, position: &Position, _: Nimber) -> Assessment {
        let (own, other) = game.own_and_other(position);
        let counts = game.board.count_features(own, other);
        let [jumps, replies] = counts[0];
        if jumps == 0 && game.removals(position).unwrap_or(0) == 0 {
            return Assessment::Proved(Outcome::Loss);
        }
        if replies <= FEW_JUMPS && game.board.has_last_jump(own, other) {
            return Assessment::Proved(Outcome::Win);
        }
        let (proof, disproof) = self.factors(&counts);
        let number = |jumps: u32, factor| (self.powers[jumps as usize] * factor) >> FRACTION;
        Assessment::Open(Estimate {
            proof: number(replies, proof).max(1),
            disproof: number(jumps, disproof).max(1),
        })
    }
}

impl Features<Konane> for Mobilities {
    const NAMES: &'static [&'static str] = &NAMES;

    fn features(game: &mut Konane, position: &Position, into: &mut Vec<f64>) {
        let (own, other) = game.own_and_other(position);
        let counts = game.board.count_features(own, other);
        into.extend(counts.as_flattened().iter().copied().map(f64::from));
    }
}

/// Reads what `bouton train` wrote: a weight and its feature in every line, the constant last.
fn read_weights(text: &str) -> [i32; FEATURES + 1] {
    let mut weights = [0; FEATURES + 1];
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for (weight, line) in weights.iter_mut().zip(lines) {
        let number = line.split_whitespace().next();
        let number = number.and_then(|number| number.parse::<f64>().ok());
        *weight = (number.expect("a weight") * f64::from(UNIT)).round() as i32;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_its_weight() {
        let lines = include_str!("weights.txt").lines();
        let names = lines
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.trim_start().split_once(' ').expect("a name").1);
        assert!(names.eq(NAMES.into_iter().chain(["constant"])));
    }
}
