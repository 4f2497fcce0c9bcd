//! Scalable parallel df-pn (SPDFPN): threads that are handed out jobs.
//!
//! Paper: Pawlewicz and Hayward 2013, "Scalable Parallel DFPN Search", algorithms 1 to 4; Grundy
//! numbers after Čížek, Balko and Schmid 2025.
//!
//! A thread without work goes down from the root as df-pn would, to the first node that little
//! work has gone into, and runs df-pn there for so many expansions. Until it comes back, the node
//! counts as won or lost, whichever seems nearer; the numbers of the nodes above it that follow
//! from that are *virtual*, and the next thread that comes down sees them. So threads work where
//! df-pn would work next, never on the same. One thread at a time goes down or comes back.
//!
//! Differences: the branches of the nodes above are kept, so that the way down costs no
//! expansions, with their numbers, since the table may forget them (`ledger`); a sum whose parts are
//! all worked on counts as won; jobs take longer, and have no thresholds in the end, where the
//! table has forgotten what they found before anybody could go on with it, so that the search
//! comes to an end without any table.
//!
//! Invariants: what is solved is true, whatever is virtual. There are virtual numbers for the
//! nodes above the jobs that are out, and for no others. One thread is plain df-pn.

mod clerk;
#[cfg(all(test, feature = "shuttle"))]
mod interleavings;
mod ledger;

use std::time::Duration;

use bouton_game::Outcome;
use bouton_table::Table;

use crate::crew::{self, Member};
use crate::dfpn::{self, Alone, Dfpn, Search};
use crate::prove::Prover;
use crate::solver::State;
use crate::space::{BranchOf, Space};
use crate::sync::{Condvar, Mutex, MutexGuard};
use crate::watch::{Progress, Stop, Watch};
use clerk::{Clerk, Handed};
use ledger::Ledger;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How each job is searched.
    pub dfpn: dfpn::Options,
    /// How many expansions a job takes at most, and have gone into its node before: the paper's
    /// MaxWorkPerJob.
    pub work_per_job: u64,
}

impl Options {
    /// The best we know.
    pub const BEST: Self = Self {
        dfpn: dfpn::Options::BEST,
        work_per_job: 500,
    };
}

/// The algorithm, with what it remembers.
pub struct Spdfpn {
    options: Options,
    dfpn: Dfpn,
}

impl Spdfpn {
    /// A search with a table.
    pub fn new(options: Options, table: Table) -> Self {
        Self {
            options,
            dfpn: Dfpn::new(options.dfpn, table),
        }
    }
}

impl Prover for Spdfpn {
    fn prove<S: Space>(
        &mut self,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        if let Some(outcome) = self.dfpn.begin(spaces, root, watch)? {
            return Ok(outcome);
        }
        let office = Office::new(self.options);
        let table = &*self.dfpn.table;
        crew::search(spaces, &mut self.dfpn.counts, watch, |member| {
            office.employ(table, root, member)
        })
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

/// Where jobs are handed out and taken back.
struct Office<S: Space> {
    ledger: Mutex<Ledger<S>>,
    /// A job has come back.
    returned: Condvar,
    options: Options,
}

/// How long a thread without a job waits before it looks whether all is over.
const PATIENCE: Duration = Duration::from_millis(2);

impl<S: Space> Office<S> {
    fn new(options: Options) -> Self {
        Self {
            ledger: Mutex::new(Ledger::new()),
            returned: Condvar::new(),
            options,
        }
    }

    /// A thread's working life.
    fn employ(
        &self,
        table: &Table,
        root: &BranchOf<S>,
        member: Member<S>,
    ) -> Result<Outcome, Stop> {
        let Member {
            space,
            counts,
            watch,
            ..
        } = member;
        let options = self.options;
        let search = Search::new(space, options.dfpn, table, counts, Alone);
        let mut clerk = Clerk::new(search, options);
        loop {
            let mut ledger = self.lock();
            match clerk.hand_out(&mut ledger, root)? {
                Handed::Job(job) => {
                    drop(ledger);
                    let done = clerk.run(&job, watch)?;
                    clerk.take_back(&mut self.lock(), job, done);
                    self.returned.notify_all();
                }
                Handed::Answer(outcome) => {
                    self.returned.notify_all();
                    return Ok(outcome);
                }
                Handed::Nothing => {
                    let waited = self.returned.wait_timeout(ledger, PATIENCE);
                    drop(waited.expect("no thread panics with the ledger"));
                    watch.look(&clerk.progress())?;
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Ledger<S>> {
        self.ledger
            .lock()
            .expect("no thread panics with the ledger")
    }
}
