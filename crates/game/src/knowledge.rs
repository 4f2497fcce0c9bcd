//! What may be known about a game beyond its rules.
//!
//! Knowledge is a value of its own, not part of the game: the same game can be searched with
//! constant, mobility or learned numbers, with or without static proofs, and one piece of
//! knowledge (mobility) can serve every game. The registry says which a game is searched with.
//! Every hook is optional; [`Unguided`] knows nothing.
//!
//! Knowledge that is expensive and passes from parent to child (Hex: connections) is kept in
//! the position itself, see [`Game::Position`].

use crate::{Game, List, Nimber, Outcome};

/// Hints and proofs for a search of `G`.
pub trait Knowledge<G: Game>: Send {
    /// The names of the parts that can be switched off, for comparison.
    const PARTS: &'static [&'static str] = &[];

    /// Switches a part off, given its place in [`PARTS`](Self::PARTS).
    fn leave_out(&mut self, part: usize) {
        let _ = part;
    }

    /// Lets it keep, beside what it needs, up to so many bytes of what it has found out, and
    /// returns how many of them it may use; the others are for the search. What is kept must not
    /// change any answer.
    fn allow(&mut self, bytes: usize) -> usize {
        let _ = bytes;
        0
    }

    /// How many of these bytes are in use.
    fn kept_bytes(&self) -> usize {
        0
    }

    /// The position that a search looks at in place of this one: of the same outcome, and
    /// canonical where this is. Positions that share one are searched once. A mistake costs
    /// **truth**.
    fn stand_in(&mut self, game: &mut G, position: G::Position) -> G::Position {
        let _ = game;
        position
    }

    /// Sorts the children of `parent`, the most promising for the player to move first.
    /// A bad order costs time.
    fn order(&mut self, game: &mut G, parent: &G::Position, children: &mut [G::Position]) {
        let _ = (game, parent, children);
    }

    /// A closer look at a position that is about to be searched, given its children: the outcome,
    /// where it can be proved; otherwise children may be dropped, or replaced by other positions,
    /// as long as the outcome follows from those that are left. If none is left, the position is
    /// a loss. A mistake costs **truth**.
    fn narrow(
        &mut self,
        game: &mut G,
        parent: &G::Position,
        children: &mut List<G::Position>,
    ) -> Option<Outcome> {
        let _ = (game, parent, children);
        None
    }

    /// Whether the proof that one child of `parent` is a win, for the player to move there, shows
    /// it of another child too. A mistake costs **truth**.
    fn refutes(
        &mut self,
        game: &mut G,
        parent: &G::Position,
        won: &G::Position,
        other: &G::Position,
    ) -> bool {
        let _ = (game, parent, won, other);
        false
    }

    /// Takes note of an outcome that a search has proved.
    fn learn(&mut self, game: &mut G, position: &G::Position, outcome: Outcome) {
        let _ = (game, position, outcome);
    }

    /// The outcome, where it can be proved without search. A mistake costs **truth**.
    fn verdict(&mut self, game: &mut G, position: &G::Position) -> Option<Outcome> {
        let _ = (game, position);
        None
    }

    /// First numbers of a leaf in proof-number search: a position with a Nim heap beside it, of
    /// size 0 where there is none. A bad estimate costs time.
    fn estimate(&mut self, game: &mut G, position: &G::Position, heap: Nimber) -> Estimate {
        let _ = (game, position, heap);
        Estimate::UNIT
    }

    /// How many of a node's ordered children a search attends to at a time.
    fn widening(&self) -> Widening {
        Widening::ALL
    }

    /// How many closer looks it has taken, where it counts them: for measurements.
    fn looks(&self) -> u64 {
        0
    }

    /// Verdict and estimate in one. Override it where both follow from the same counts.
    fn assess(&mut self, game: &mut G, position: &G::Position, heap: Nimber) -> Assessment {
        // What is known about the position says nothing about its sum with a heap.
        let verdict = match heap {
            0 => self.verdict(game, position),
            _ => None,
        };
        match verdict {
            Some(outcome) => Assessment::Proved(outcome),
            None => Assessment::Open(self.estimate(game, position, heap)),
        }
    }
}

/// Knowledge that is learned: a weighted sum of features says how likely a win is, and the
/// weights are fitted to positions whose outcome is known (`bouton train`).
pub trait Features<G: Game> {
    /// The names of the features.
    const NAMES: &'static [&'static str];

    /// Adds the value of every feature.
    fn features(game: &mut G, position: &G::Position, into: &mut Vec<f64>);
}

/// What knowledge says about a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assessment {
    /// Its outcome.
    Proved(Outcome),
    /// How much work it may be.
    Open(Estimate),
}

/// How much work it may take to prove, and to disprove, that the player to move wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The first proof number, at least 1.
    pub proof: u64,
    /// The first disproof number, at least 1.
    pub disproof: u64,
}

impl Estimate {
    /// One leaf either way.
    pub const UNIT: Self = Self {
        proof: 1,
        disproof: 1,
    };
}

/// How many children of a node a search chooses from, where their order is worth something: of
/// those that are not refuted yet, the first `base` and a share. A bad choice costs time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// Of any number of children.
    pub base: usize,
    /// Of each child, from 0 to 1.
    pub share: f64,
}

impl Widening {
    /// All children at once.
    pub const ALL: Self = Self {
        base: 0,
        share: 1.0,
    };

    /// How many of so many children that are left, at least two if there are.
    #[inline]
    pub fn of(self, left: usize) -> usize {
        let some = self.base + (left as f64 * self.share).ceil() as usize;
        some.max(2).min(left)
    }
}

/// No knowledge at all: the rules alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unguided;

impl<G: Game> Knowledge<G> for Unguided {}
