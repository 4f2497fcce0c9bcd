//! Depth-first proof-number search (df-pn), with and without Grundy numbers.
//!
//! Papers: Nagai 2002; thresholds for sums after Čížek, Balko and Schmid 2025, theorem 2; the
//! factor 1 + epsilon after Pawlewicz and Lew 2007.
//!
//! The search always works on the most-proving node: the leaf whose solution would help the root
//! most. It stays below a node as long as that leaf must lie there, which the node's numbers
//! say: they have to stay below thresholds. So only the path to the leaf is held in memory, with
//! the branches of each node on it; of the rest the table remembers what it can.
//!
//! Differences: branches come from a [`Space`], which may have sums or not; sums are not stored,
//! since their numbers follow from those of their parts; the part of a sum to go on with is
//! the cheapest, if [`Options::cheapest_part`] says so.
//!
//! Invariants: what is solved is true, whatever the table forgets. A node keeps the numbers of
//! its branches while it is on the path, so the search comes to an end without any table.

mod company;
mod job;
mod path;
mod search;
mod several;
mod sums;
mod threaded;
mod thresholds;
mod widening;

use std::sync::Arc;

use bouton_game::Outcome;
use bouton_table::{Numbers, Table};

use crate::prove::{Prover, look_up};
use crate::solver::State;
use crate::space::{BranchOf, Space, proved};
use crate::watch::{Progress, Stop, Watch};

pub(crate) use company::{Alone, Company};
pub(crate) use job::{Listing, Within};
pub(crate) use search::Search;
pub(crate) use sums::{Terms, total};
pub use threaded::{Division, Threaded};
pub use thresholds::Thresholds;
pub(crate) use thresholds::patience;
pub(crate) use widening::attended;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// By how much a branch may become worse than the second best before it is left, relative
    /// to that: 0 is the search of the paper, 0.2 changes its mind less often.
    pub epsilon: f64,
    /// Of a sum, go on with the part that seems to be the least work, not with the first.
    pub cheapest_part: bool,
    /// Where there are several threads: expansions that one makes before the others join in. What
    /// takes less is done before they have started.
    pub alone_at_first: u64,
}

impl Options {
    /// The search of the paper.
    pub const PAPER: Self = Self {
        epsilon: 0.0,
        cheapest_part: false,
        alone_at_first: 0,
    };

    /// The best we know.
    pub const BEST: Self = Self {
        epsilon: 0.2,
        cheapest_part: true,
        alone_at_first: 500,
    };
}

/// The algorithm, with what it remembers.
pub struct Dfpn {
    pub(crate) options: Options,
    pub(crate) table: Arc<Table>,
    pub(crate) counts: Progress,
    /// Where a search was stopped, as bytes.
    path: Vec<u8>,
}

impl Dfpn {
    /// A search with a table.
    pub fn new(options: Options, table: Table) -> Self {
        Self::sharing(options, Arc::new(table))
    }

    /// A search with a table that others use too.
    pub fn sharing(options: Options, table: Arc<Table>) -> Self {
        Self {
            options,
            table,
            counts: Progress::default(),
            path: Vec::new(),
        }
    }

    /// The numbers of a branch after so many more expansions, or as soon as it is solved.
    pub fn work_on<S: Space>(
        &mut self,
        space: &mut S,
        root: &BranchOf<S>,
        expansions: u64,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let limit = self.counts.expansions.saturating_add(expansions);
        let mut search = Search::new(space, self.options, &self.table, &mut self.counts, Alone);
        search.limit = limit;
        search.go_on(root, &mut self.path, watch)
    }

    /// How many proof numbers the table holds.
    pub fn table_entries(&self) -> usize {
        self.table.len()
    }

    /// What one thread finds out: all, if there is but one, else as much as is not worth the
    /// start of the others.
    fn begin<S: Space>(
        &mut self,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Option<Outcome>, Stop> {
        let expansions = match spaces.len() {
            1 => u64::MAX,
            _ => self.options.alone_at_first,
        };
        let numbers = self.work_on(&mut spaces[0], root, expansions, watch)?;
        Ok(proved(numbers))
    }
}

impl Prover for Dfpn {
    fn prove<S: Space>(
        &mut self,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let numbers = self.work_on(&mut spaces[0], root, u64::MAX, watch)?;
        Ok(proved(numbers).expect("nothing but a solution passes infinite thresholds"))
    }

    fn known<S: Space>(&mut self, space: &mut S, branch: &BranchOf<S>) -> Option<Outcome> {
        look_up(&self.table, space, branch)
    }

    fn state(&self) -> Option<State> {
        Some(State {
            table: Arc::clone(&self.table),
            path: self.path.clone(),
        })
    }

    fn take_path(&mut self, path: Vec<u8>) {
        self.path = path;
    }

    fn progress(&self) -> Progress {
        Progress {
            table_entries: self.table.len() as u64,
            ..self.counts
        }
    }
}
