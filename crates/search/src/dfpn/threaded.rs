//! Df-pn with several threads, in whatever way they go about it.
//!
//! What a search begins with, remembers and tells is df-pn's; the ways differ in how threads
//! divide the work: see `pdfpn` and `spdfpn`. One thread is df-pn itself.

use bouton_game::Outcome;
use bouton_table::Table;

use super::{Dfpn, Options};
use crate::prove::Prover;
use crate::solver::{Begun, State};
use crate::space::{BranchOf, Space};
use crate::watch::{Progress, Stop, Watch};

/// How threads divide the work.
pub trait Division: Send {
    /// The outcome of a branch, found by a thread for each space.
    fn search<S: Space>(
        &self,
        dfpn: &mut Dfpn,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop>;
}

/// The algorithm, with what it remembers.
pub struct Threaded<D> {
    division: D,
    dfpn: Dfpn,
}

impl<D> Threaded<D> {
    /// A search with a table.
    pub fn new(division: D, options: Options, table: Table) -> Self {
        Self {
            division,
            dfpn: Dfpn::new(options, table),
        }
    }
}

impl<D: Division> Prover for Threaded<D> {
    fn prove<S: Space>(
        &mut self,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        match self.dfpn.begin(spaces, root, watch)? {
            Some(outcome) => Ok(outcome),
            None => self.division.search(&mut self.dfpn, spaces, root, watch),
        }
    }

    fn begin_all<S: Space>(
        &mut self,
        spaces: &mut [S],
        roots: &[BranchOf<S>],
        watch: &mut Watch,
    ) -> Begun {
        self.dfpn.begin_all(spaces, roots, watch)
    }

    fn known<S: Space>(&mut self, space: &mut S, branch: &BranchOf<S>) -> Option<Outcome> {
        self.dfpn.known(space, branch)
    }

    fn state(&self) -> Option<State> {
        self.dfpn.state()
    }

    fn take_path(&mut self, path: Vec<u8>) {
        self.dfpn.take_path(path);
    }

    fn progress(&self) -> Progress {
        self.dfpn.progress()
    }
}
