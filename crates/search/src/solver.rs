//! What every solving algorithm offers to its callers.
//!
//! A solver keeps what it has found out between calls, so that the moves of a position can be
//! asked about one after the other.

use std::sync::Arc;

use bouton_game::{Game, Impartial, Nimber, Outcome};

pub use bouton_table::{ENTRY_BYTES, Replacement, Table};

use crate::guide::Leaves;
use crate::shelf::Archive;
use crate::watch::{Progress, Stop, Watch};

/// What a solver is made with.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Bytes it may hold.
    pub memory: usize,
    /// Threads it may use.
    pub threads: usize,
    /// What it must do without, for comparison.
    pub without: Without,
    /// What the first numbers of leaves are made of, in proof-number search.
    pub leaves: Leaves,
    /// What a table of proof numbers forgets.
    pub replacement: Replacement,
}

impl Setup {
    /// The same for a single thread.
    pub fn with_one_thread(&self) -> Self {
        Self {
            threads: 1,
            ..*self
        }
    }
}

/// Parts of a search that can be switched off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    /// Symmetric positions are searched each.
    pub symmetry: bool,
    /// Sums are searched as a whole.
    pub components: bool,
    /// Successors come as the game lists them.
    pub order: bool,
    /// Parts of the game's knowledge: bit `n` stands for the `n`-th of
    /// [`Knowledge::PARTS`](bouton_game::Knowledge::PARTS).
    pub knowledge: u32,
}

/// How far a search has come.
#[derive(Clone)]
pub struct State {
    /// Its proof numbers; can be read while the search runs.
    pub table: Arc<Table>,
    /// Where it was when it was last stopped, as bytes; empty if it was not.
    pub path: Vec<u8>,
}

/// The outcome of a position with this nimber.
pub(crate) fn outcome_of(nimber: Nimber) -> Outcome {
    if nimber == 0 {
        Outcome::Loss
    } else {
        Outcome::Win
    }
}

/// What a [beginning](Solver::begin_all) with several positions has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The outcome of each, as far as it is known.
    pub outcomes: Vec<Option<Outcome>>,
    /// Why it was stopped, if it was.
    pub stopped: Option<Stop>,
}

impl Begun {
    /// Nothing about so many positions.
    pub fn nothing(positions: usize) -> Self {
        Self {
            outcomes: vec![None; positions],
            stopped: None,
        }
    }
}

/// An algorithm that finds outcomes.
pub trait Solver<G: Game>: Send {
    /// The outcome of a canonical position.
    fn outcome(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop>;

    /// Begins with several canonical positions that will be asked about, each thread with one of
    /// them at a time: what takes little work is found. What is found is returned, since tables
    /// forget.
    fn begin_all(&mut self, game: &mut G, positions: &[G::Position], watch: &mut Watch) -> Begun {
        let _ = (game, watch);
        Begun::nothing(positions.len())
    }

    /// The outcome of a canonical position, if it follows at once from what is known.
    fn known(&mut self, game: &mut G, position: &G::Position) -> Option<Outcome>;

    /// Has facts kept in an archive from now on, and asks it.
    fn attach(&mut self, archive: Box<dyn Archive<G>>);

    /// What a later run could go on with, beside facts.
    fn state(&self) -> Option<State> {
        None
    }

    /// Goes on where another run was; its table was restored already.
    fn take_path(&mut self, path: Vec<u8>) {
        let _ = path;
    }

    /// The counts so far.
    fn progress(&self) -> Progress;
}

/// An algorithm that finds nimbers too.
pub trait NimberSolver<G: Impartial>: Solver<G> {
    /// The nimber of a canonical position.
    fn nimber(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Nimber, Stop>;

    /// The outcome of a canonical position with a Nim heap beside it.
    fn outcome_with(
        &mut self,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        Ok(outcome_of(self.nimber(game, position, watch)? ^ heap))
    }

    /// The same, if it follows at once from what is known.
    fn known_with(
        &mut self,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
    ) -> Option<Outcome> {
        match heap {
            0 => self.known(game, position),
            _ => None,
        }
    }
}
