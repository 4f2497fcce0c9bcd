//! How likely a move is to win, as far as connections tell: which moves come first, and what a
//! search expects below them.
//!
//! The *promise* of a move is a weighted sum of logarithms of currents (see `resistance`), of how
//! the stone is tied to the player's sides, and of the two-distance that is left (see `order`).
//! Its weights come from two regressions on the moves of nine openings of 7x7 that a search had
//! solved, which move of a position wins and whether a move does, and are rounded. Of a won and a
//! lost move, the won one has the greater promise 86 times in 100 in three openings of 8x8, and
//! the better distances 73 times (83 and 78 in the nine openings).
//!
//! First numbers of a child grow with the square root of what its distances say, and with the
//! promise of the move that led to it, in favour of the player who made it. In place of distances
//! alone, and of currents alone for the order, this takes about a tenth off the builds of all
//! openings of 7x7. With it, and carriers that share less, ten of twelve openings of 8x8 take fewer
//! than before, down to a third, and two (c2, e2) two to three times as many.
//!
//! This is order, not proof: a mistake here costs time.

use bouton_game::Estimate;

/// How the current flows in a position: for the player to move and for the opponent.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// The whole currents.
    pub(super) whole: [f32; 2],
    /// The shares that flow through every cell.
    pub(super) through: Vec<[f32; 2]>,
}

/// A move, as its promise sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    /// The shares of the currents that flow through the cell.
    pub(super) through: [f32; 2],
    /// To how many of the player's sides it has full connections, and how many semi connections.
    pub(super) ties: [usize; 2],
    /// How many other cells it settles for the player.
    pub(super) settled: u32,
    /// How far the player is from joining their sides after it.
    pub(super) distance: u8,
}

impl Flow {
    /// The promise of a move that is one of some.
    pub(super) fn promise(&self, moves: u32, prospect: &Prospect) -> f32 {
        let Prospect {
            through: [own, other],
            ties: [fulls, semis],
            settled,
            distance,
        } = *prospect;
        let strength = 1.1 * log(self.whole[0]) - 0.6 * log(self.whole[1]);
        let ways = 0.9 * log(moves as f32) + 1.75 * fulls as f32 + 0.13 * semis as f32;
        let currents = 3.0 * log(own) + 1.3 * log(other);
        let after = 0.2 * settled as f32 - 0.55 * distance as f32;
        strength + ways + currents + after
    }
}

/// A logarithm that stays finite.
fn log(share: f32) -> f32 {
    (share + 0.01).ln()
}

/// Promises beyond this are as good.
const SURE: f32 = 6.0;

/// By how much numbers grow with a promise.
const TRUST: f32 = 0.1;

/// The least of numbers: they differ by less than 1 to 2.
const UNIT: f32 = 8.0;

/// The first numbers of a child, given those that its distances say.
pub(super) fn expected(distances: Estimate, promise: f32) -> Estimate {
    let trust = (TRUST * promise.clamp(-SURE, SURE)).exp();
    let number = |distance: u64, factor: f32| (UNIT * factor * (distance as f32).sqrt()) as u64;
    Estimate {
        proof: number(distances.proof, trust).max(1),
        disproof: number(distances.disproof, 1.0 / trust).max(1),
    }
}
