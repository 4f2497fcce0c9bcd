//! What a search that proves outcomes sees: nodes, and what follows from what.
//!
//! | space | node | for |
//! | --- | --- | --- |
//! | [`Plain`] | a position | any game |
//! | [`Coupled`] | a couple: a position in one piece with a Nim heap beside it | impartial games |
//!
//! A node is decided by its *branches*, one of which the player to move chooses. A branch is a
//! node again, or a sum of several parts whose nimbers are not known (a decomposable node in
//! Čížek, Balko and Schmid 2025). All parts of a sum but one have to be worth something before
//! it says anything; how to go about that is for the algorithm to decide, and that there are
//! sums at all for the space: where a space has none, [`Space::Sum`] has no values, and the
//! compiler drops all code for them.

mod coupled;
mod plain;

use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use bouton_game::{Assessment, Estimate, Game, Nimber, Outcome, Widening};
use bouton_table::{Key, Numbers};
use foldhash::fast::FixedState;

use crate::watch::Stop;

pub use coupled::{Couple, Coupled, Entered, Sum};
pub use plain::{Nothing, Plain};

/// Nodes, and what follows from what. Each thread of a search has a space of its own; what they
/// know, they share.
pub trait Space: Send {
    /// A node: what has an outcome and is looked up in tables.
    type Node: Clone + Eq + Hash + Debug + Send + Sync;

    /// A sum of at least two parts, none of which has a known nimber.
    type Sum: Clone + Eq + Hash + Debug + Send + Sync;

    /// Whether there are sums.
    const HAS_SUMS: bool;

    /// Fills the list with the branches of a node, none of which has an outcome that follows from
    /// facts. If the node's outcome follows at once, that is returned, and the list says nothing.
    fn expand(
        &mut self,
        node: &Self::Node,
        into: &mut Vec<BranchOf<Self>>,
    ) -> Result<Option<Outcome>, Stop>;

    /// Another node that the last expansion showed to be a win; to be asked until there is
    /// none.
    #[inline]
    fn another_win(&mut self) -> Option<Self::Node> {
        None
    }

    /// The first numbers of a node, or its outcome if it can be seen without a search.
    fn assess(&mut self, node: &Self::Node) -> Numbers;

    /// The outcome of a node, if it follows from facts.
    fn known(&mut self, node: &Self::Node) -> Option<Outcome>;

    /// Takes note of an outcome that was proved with so many expansions.
    fn learn(&mut self, node: &Self::Node, outcome: Outcome, work: u64);

    /// Whether the proof that one branch of a node is a win shows it of another branch too.
    #[inline]
    fn refutes(&mut self, node: &Self::Node, won: &BranchOf<Self>, other: &BranchOf<Self>) -> bool {
        let _ = (node, won, other);
        false
    }

    /// How many branches of a node, in their order, a search attends to at a time.
    #[inline]
    fn widening(&self) -> Widening {
        Widening::ALL
    }

    /// The key of a node in tables.
    fn key(&self, node: &Self::Node) -> Key;

    /// How many parts a sum has.
    fn parts(&self, sum: &Self::Sum) -> usize;

    /// A part of a sum with a heap beside it; a loss if and only if the part has the heap's
    /// nimber.
    fn term(&self, sum: &Self::Sum, part: usize, heap: Nimber) -> Self::Node;

    /// The nimber of a part, if it is a fact.
    fn nimber(&mut self, sum: &Self::Sum, part: usize) -> Option<Nimber>;

    /// The sum with one part replaced by what it is worth.
    fn resolve(&self, sum: Self::Sum, part: usize, nimber: Nimber) -> BranchOf<Self>;

    /// Appends the bytes of a branch, if there is an archive whose positions have bytes.
    fn pack(&mut self, branch: &BranchOf<Self>, into: &mut Vec<u8>) -> Option<()> {
        let _ = (branch, into);
        None
    }

    /// Takes a branch from the front of bytes that [`pack`](Self::pack) made.
    fn unpack(&mut self, from: &mut &[u8]) -> Option<BranchOf<Self>> {
        let _ = from;
        None
    }

    /// Bytes that a branch holds outside of itself.
    fn heap_bytes(branch: &BranchOf<Self>) -> usize;

    /// A number that changes when facts become known, to this thread or another.
    #[inline]
    fn news(&self) -> u64 {
        0
    }

    /// The bytes that facts and the game hold, and how many facts there are.
    fn facts(&self) -> (usize, usize);
}

/// A way to go on: a node, or a sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Branch<N, S> {
    /// A node.
    Node(N),
    /// A sum of unknown parts.
    Sum(S),
}

/// A branch of a space.
pub type BranchOf<S> = Branch<<S as Space>::Node, <S as Space>::Sum>;

/// The numbers of a proved outcome.
#[inline]
pub fn solved(outcome: Outcome) -> Numbers {
    match outcome {
        Outcome::Win => Numbers::WIN,
        Outcome::Loss => Numbers::LOSS,
    }
}

/// The outcome that numbers prove.
#[inline]
pub fn proved(numbers: Numbers) -> Option<Outcome> {
    match numbers {
        numbers if numbers.is_win() => Some(Outcome::Win),
        numbers if numbers.is_loss() => Some(Outcome::Loss),
        _ => None,
    }
}

/// What knowledge says, as numbers.
#[inline]
fn numbers_of(assessment: Assessment) -> Numbers {
    match assessment {
        Assessment::Proved(outcome) => solved(outcome),
        Assessment::Open(Estimate { proof, disproof }) => {
            Numbers::open(proof.min(LARGEST_LEAF), disproof.min(LARGEST_LEAF))
        }
    }
}

/// Leaves leave room for the sums of many.
const LARGEST_LEAF: u64 = 1 << 40;

/// The key of a position: the position itself, or a hash of it.
#[inline]
fn key_of<G: Game>(position: &G::Position) -> Key {
    G::exact_key(position).unwrap_or_else(|| hashed(position))
}

/// A hash of 128 bits: two of 64 bits that have nothing to do with each other.
pub(crate) fn hashed<T: Hash>(value: &T) -> Key {
    let low = FixedState::with_seed(0x5d58_8b65_6c07_8965).hash_one(value);
    let high = FixedState::with_seed(0x2545_f491_4f6c_dd1d).hash_one(value);
    u128::from(high) << 64 | u128::from(low)
}
