//! How long df-pn stays below a node.
//!
//! Paper: Čížek, Balko and Schmid 2025, theorem 2: the most-proving node lies below a node on the
//! path if and only if the node's numbers are below these thresholds.

use bouton_table::{INFINITY, LARGEST, Numbers, add};

use crate::space::Space;

/// How large the numbers of a node may become before the search leaves it: `pt`, `dt` and
/// `mt` of theorem 2, with `ps` and `ds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    proof: u64,
    disproof: u64,
    /// For the lesser of both numbers, each with its shift added.
    either: u64,
    proof_shift: u64,
    disproof_shift: u64,
}

impl Thresholds {
    /// Until it is solved.
    pub const NONE: Self = Self {
        proof: INFINITY,
        disproof: INFINITY,
        either: INFINITY,
        proof_shift: 0,
        disproof_shift: 0,
    };

    /// All of them, for a wire.
    pub fn to_numbers(&self) -> [u64; 5] {
        let Self {
            proof,
            disproof,
            either,
            proof_shift,
            disproof_shift,
        } = *self;
        [proof, disproof, either, proof_shift, disproof_shift]
    }

    /// Those with these numbers, whatever they are: they steer.
    pub fn from_numbers(numbers: [u64; 5]) -> Self {
        let [proof, disproof, either, proof_shift, disproof_shift] =
            numbers.map(|number| number.min(INFINITY));
        Self {
            proof,
            disproof,
            either,
            proof_shift,
            disproof_shift,
        }
    }

    /// Whether the most-proving node lies below a node with these numbers.
    #[inline]
    pub(crate) fn allow<S: Space>(&self, numbers: Numbers) -> bool {
        numbers.proof < self.proof
            && numbers.disproof < self.disproof
            && (!S::HAS_SUMS
                || add(numbers.proof, self.proof_shift)
                    .min(add(numbers.disproof, self.disproof_shift))
                    < self.either)
    }

    /// Those of a node's best branch, equation (2).
    #[inline]
    pub(crate) fn of_branch(&self, node: Numbers, best: Numbers, second: u64) -> Self {
        Self {
            proof: raised(self.disproof, node.disproof, best.proof),
            disproof: self.proof.min(second),
            either: self.either,
            proof_shift: add(
                self.disproof_shift,
                node.disproof.saturating_sub(best.proof),
            ),
            disproof_shift: self.proof_shift,
        }
    }

    /// Raised as far as a node with these numbers needs to be gone below at all.
    pub(crate) fn beyond(self, Numbers { proof, disproof }: Numbers) -> Self {
        let either = add(proof, self.proof_shift).min(add(disproof, self.disproof_shift));
        let above = |threshold: u64, number| match threshold {
            INFINITY => INFINITY,
            _ => threshold.max(capped(add(number, 1))),
        };
        Self {
            proof: above(self.proof, proof),
            disproof: above(self.disproof, disproof),
            either: above(self.either, either),
            ..self
        }
    }

    /// Those of a part of a sum, equation (12): all numbers of the sum are `total`.
    pub(crate) fn of_part(&self, total: u64, part: u64) -> Self {
        let shift = self.proof_shift.min(self.disproof_shift);
        let shifted = match self.either {
            INFINITY => INFINITY,
            either => either.saturating_sub(shift),
        };
        let threshold = self.proof.min(self.disproof).min(shifted);
        Self {
            either: raised(threshold, total, part),
            ..Self::NONE
        }
    }
}

/// The threshold that a second-best branch sets for the best.
#[inline]
pub(crate) fn patience(second: u64, epsilon: f64) -> u64 {
    match second {
        INFINITY => INFINITY,
        _ => capped(second + (second as f64 * epsilon) as u64 + 1),
    }
}

/// A threshold for a part, given that for the whole: what is left of it may all go to the part.
#[inline]
fn raised(threshold: u64, whole: u64, part: u64) -> u64 {
    match threshold {
        INFINITY => INFINITY,
        _ => capped(threshold.saturating_sub(whole) + part),
    }
}

/// A threshold that the numbers of something unsolved can reach, or none at all: what has
/// become as large as numbers can be must still be searched.
#[inline]
fn capped(threshold: u64) -> u64 {
    if threshold < LARGEST {
        threshold
    } else {
        INFINITY
    }
}
