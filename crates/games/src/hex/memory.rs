//! What was seen of positions, and why solved ones are won.
//!
//! Depth-first proof-number search comes back to a position many times; what it sees there stays
//! the same. And when a child turns out to be won by the opponent, the proof set of that win says
//! more: a sibling whose move lies outside of it is won in the same way, and what has an answer to
//! all threats so far must lie in all proof sets.
//!
//! A memory may forget: then a position is looked at again, or a proof set is unknown and stands
//! for all empty cells. It has two generations; when the younger is full, it becomes the older.

use std::collections::HashMap;

use bouton_game::Outcome;

use super::Position;

/// What is known about positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    young: HashMap<Position, Known>,
    old: HashMap<Position, Known>,
    /// About how many bytes the younger takes.
    bytes: usize,
}

/// What is known about a position.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// Its moves.
    Open(Open),
    /// Its outcome, and a proof set of the winner.
    Solved { outcome: Outcome, proof: u128 },
}

impl Known {
    /// The bytes it takes in a map, which is half empty at times.
    fn bytes(&self) -> usize {
        let slot = 2 * size_of::<(Position, Self)>();
        match self {
            Self::Open(open) => slot + size_of_val(&*open.moves) + size_of_val(&*open.threats),
            Self::Solved { .. } => slot,
        }
    }
}

/// A position that is searched.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// The moves to be tried, the most promising first.
    pub(super) moves: Box<[Reply]>,
    /// Carriers with which the opponent wins if they are not met.
    pub(super) threats: Box<[u128]>,
    /// The cells that are not settled.
    pub(super) empty: u128,
}

/// A move and where it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub(super) cell: u8,
    /// Whether the child is canonical only after half a turn.
    pub(super) turned: bool,
    pub(super) child: Position,
}

impl Memory {
    /// About how many bytes a generation may take.
    const MOST: usize = 32 << 20;

    pub(super) fn get(&self, position: &Position) -> Option<&Known> {
        let young = self.young.get(position);
        young.or_else(|| self.old.get(position))
    }

    pub(super) fn put(&mut self, position: Position, known: Known) {
        if self.bytes >= Self::MOST {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        // What is replaced is counted twice: the generation ends a little earlier.
        self.bytes += known.bytes();
        self.young.insert(position, known);
    }

    /// The proof set of a position that is solved.
    pub(super) fn proof(&self, position: &Position) -> Option<u128> {
        match self.get(position)? {
            Known::Solved { proof, .. } => Some(*proof),
            Known::Open(_) => None,
        }
    }

    /// The outcome of a position that is solved.
    pub(super) fn outcome(&self, position: &Position) -> Option<Outcome> {
        match self.get(position)? {
            Known::Solved { outcome, .. } => Some(*outcome),
            Known::Open(_) => None,
        }
    }
}
