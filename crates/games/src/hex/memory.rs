//! What was seen of positions, and why solved ones are won.
//!
//! Depth-first proof-number search comes back to a position many times; what it sees there stays
//! the same. And when a child turns out to be won by the opponent, the proof set of that win says
//! more: a sibling whose move lies outside of it is won in the same way, and what has an answer to
//! all threats so far must lie in all proof sets.
//!
//! A memory may forget: then a position is looked at again, or a proof set is unknown and stands
//! for all empty cells. It has two generations, each with half of the bytes; when the younger is
//! full, it becomes the older.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use bouton_game::{Outcome, Player};

use super::Position;
use super::alike::Gist;
use super::board::Board;

/// What is known about positions.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    young: Generation,
    old: Generation,
    /// Bytes for each of them.
    most: usize,
}

#[derive(Clone, Debug, Default)]
struct Generation {
    known: HashMap<Position, Known>,
    /// Positions by the hashes of their gists.
    alike: HashMap<u64, Position>,
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
    /// The bytes it takes in a map, at most: maps double, with both sizes there for a while.
    fn bytes(&self) -> usize {
        let slot = 4 * (size_of::<(Position, Self)>() + 1);
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
    /// Whether what is searched for the child is like it only after half a turn.
    pub(super) turned: bool,
    /// How likely it is to win; see `promise`.
    pub(super) promise: f32,
    /// How far the players are from joining their sides after it, the one to move then first.
    pub(super) distances: [u8; 2],
    /// Both players' stones after it, settled cells included.
    pub(super) stones: [u128; 2],
    /// What is searched for the child.
    pub(super) child: Position,
}

impl Reply {
    /// The stones that a player has after it.
    pub(super) fn stones(&self, player: Player) -> u128 {
        self.stones[player as usize]
    }
}

impl Memory {
    /// A memory of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            young: Generation::default(),
            old: Generation::default(),
            most: bytes / 2,
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(2 * self.most);
    }

    /// The bytes it holds, at most.
    pub(super) fn bytes(&self) -> usize {
        self.young.bytes + self.old.bytes
    }

    pub(super) fn get(&self, position: &Position) -> Option<&Known> {
        let young = self.young.known.get(position);
        young.or_else(|| self.old.known.get(position))
    }

    /// The latest is there in any case.
    pub(super) fn put(&mut self, position: Position, known: Known) {
        let bytes = known.bytes();
        if self.young.bytes + bytes > self.most {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.bytes += bytes;
        if let Some(replaced) = self.young.known.insert(position, known) {
            self.young.bytes -= replaced.bytes();
        }
    }

    /// Has a position stand for all that are like it, if none does so far and there is room.
    pub(super) fn put_alike(&mut self, gist: &Gist, position: &Position) {
        let bytes = self.young.bytes + 4 * (size_of::<(u64, Position)>() + 1);
        if bytes > self.most {
            return;
        }
        if let Entry::Vacant(vacant) = self.young.alike.entry(gist.hashed()) {
            vacant.insert(*position);
            self.young.bytes = bytes;
        }
    }

    /// The position that stands for all of a gist, and whether its own is that after half a turn.
    pub(super) fn alike(&self, board: &Board, gist: &Gist) -> Option<(Position, bool)> {
        let hash = gist.hashed();
        let generations = [&self.young, &self.old];
        let position = generations.iter().find_map(|all| all.alike.get(&hash))?;
        let (of_it, turned) = Gist::of(board, position)?;
        (of_it == *gist).then_some((*position, turned))
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
