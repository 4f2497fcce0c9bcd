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

use bouton_game::Outcome;
use bouton_table::Table;

use crate::crew::{self, Meeting, Member};
use crate::dfpn::{Alone, Dfpn, Division, Options, Search};
use crate::space::{BranchOf, Space};
use crate::watch::{Stop, Watch};
use clerk::{Clerk, Handed};
use ledger::Ledger;

/// Threads are handed out jobs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jobs {
    /// How many expansions a job takes at most, and have gone into its node before: the paper's
    /// MaxWorkPerJob.
    pub work: u64,
}

impl Jobs {
    /// The best we know.
    pub const BEST: Self = Self { work: 500 };
}

impl Division for Jobs {
    fn search<S: Space>(
        &self,
        dfpn: &mut Dfpn,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let office = Office::new(*self, dfpn.options);
        let table = &*dfpn.table;
        crew::search(spaces, &mut dfpn.counts, watch, |member| {
            office.employ(table, root, member)
        })
    }
}

/// Where jobs are handed out and taken back.
struct Office<S: Space> {
    /// Those who wait, wait for a job to come back.
    ledger: Meeting<Ledger<S>>,
    jobs: Jobs,
    options: Options,
}

impl<S: Space> Office<S> {
    fn new(jobs: Jobs, options: Options) -> Self {
        Self {
            ledger: Meeting::new(Ledger::new()),
            jobs,
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
        let search = Search::new(space, self.options, table, counts, Alone);
        let mut clerk = Clerk::new(search, self.jobs);
        loop {
            let mut ledger = self.ledger.lock();
            match clerk.hand_out(&mut ledger, root)? {
                Handed::Job(job) => {
                    drop(ledger);
                    let done = clerk.run(&job, watch)?;
                    clerk.take_back(&mut self.ledger.lock(), job, done);
                    self.ledger.announce();
                }
                Handed::Answer(outcome) => {
                    self.ledger.announce();
                    return Ok(outcome);
                }
                Handed::Nothing => {
                    self.ledger.wait(ledger);
                    watch.look(&clerk.progress())?;
                }
            }
        }
    }
}
