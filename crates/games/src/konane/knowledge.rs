//! How much work a position may be: the mobility of both sides, to a power.
//!
//! Mobility is nearly everything in Konane: who runs out of moves loses. The thesis starts a
//! leaf with (1, n) for n moves of the player to move. Counting the other side as well, and
//! raising both to a power, steers towards positions in which one side is nearly out of moves
//! and takes a fifth of the nodes on 6x6.

use bouton_game::{Assessment, Estimate, Knowledge, Nimber, Outcome};

use super::{Konane, Position};

/// First numbers from the single jumps of both sides.
#[derive(Clone, Debug)]
pub struct Mobilities {
    /// (1 + jumps) to the power, for every number of jumps there can be.
    powers: [u64; MOST_JUMPS + 1],
}

/// Four directions for each of 32 stones.
const MOST_JUMPS: usize = 128;

const POWER: f64 = 2.5;

impl Default for Mobilities {
    fn default() -> Self {
        Self {
            powers: std::array::from_fn(|jumps| (1.0 + jumps as f64).powf(POWER).round() as u64),
        }
    }
}

impl Knowledge<Konane> for Mobilities {
    #[inline]
    fn assess(&mut self, game: &mut Konane, position: &Position, _: Nimber) -> Assessment {
        let (own, other) = game.own_and_other(position);
        let jumps = game.board.count_single_jumps(own, other);
        if jumps == 0 && game.removals(position).is_none() {
            return Assessment::Proved(Outcome::Loss);
        }
        let replies = game.board.count_single_jumps(other, own);
        Assessment::Open(Estimate {
            proof: self.powers[replies as usize],
            disproof: self.powers[jumps as usize],
        })
    }
}
