//! Several branches at once: each thread searches one of them alone.
//!
//! Where all moves of a position are asked about, most are solved before threads that search one
//! of them together have parted. So each thread takes the next branch that nobody has taken, and
//! stays with it as long as there are others to be taken; the table and the facts are shared, as
//! ever. When there are none, a thread gives its branch up as soon as it has taken as many
//! expansions again, and what is not solved then is left to all threads together.
//!
//! Invariant: what was found is in the table, unless that forgot it; whoever asks for the branches
//! afterwards gets the same outcomes, sooner.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::{Alone, Dfpn, Search};
use crate::crew::{self, Meeting, Member};
use crate::prove::tally;
use crate::space::{BranchOf, Space};
use crate::watch::{Progress, Stop, Watch};

/// Branches that are searched, each by one thread.
struct Several<'a, S: Space> {
    dfpn: &'a Dfpn,
    branches: &'a [BranchOf<S>],
    /// How many are solved, for whoever watches.
    solved: &'a AtomicUsize,
    /// Those who wait, wait for a branch to be given back.
    state: Meeting<State>,
}

/// What becomes of the branches.
struct State {
    /// How many were taken: the first ones.
    taken: usize,
    /// How many of these are searched now.
    searched: usize,
}

impl Dfpn {
    /// Searches several branches, by a thread for each space. One alone has nothing to gain.
    pub(super) fn begin_all<S: Space>(
        &mut self,
        spaces: &mut [S],
        branches: &[BranchOf<S>],
        watch: &mut Watch,
    ) -> Result<(), Stop> {
        if spaces.len() == 1 {
            return Ok(());
        }
        let mut counts = self.counts;
        let solved = &AtomicUsize::new(0);
        let mut look = |progress: &Progress| {
            let asked = Some((solved.load(Relaxed), branches.len()));
            watch.look(&Progress { asked, ..*progress })
        };
        let watch = &mut Watch::new(&mut look);
        let several = Several {
            dfpn: self,
            branches,
            solved,
            state: Meeting::new(State {
                taken: 0,
                searched: 0,
            }),
        };
        let ended = crew::search(spaces, &mut counts, watch, |member| several.work(member));
        self.counts = counts;
        self.path.clear();
        ended
    }
}

impl<S: Space> Several<'_, S> {
    /// A thread's work, until nobody has any.
    fn work(&self, member: Member<S>) -> Result<(), Stop> {
        let Member {
            space,
            counts,
            watch,
            ..
        } = member;
        let Dfpn { options, table, .. } = self.dfpn;
        let mut search = Search::new(space, *options, table, counts, Alone);
        loop {
            let mut state = self.state.lock();
            if let Some(branch) = self.branches.get(state.taken) {
                state.taken += 1;
                state.searched += 1;
                drop(state);
                self.search(&mut search, branch, watch)?;
                self.state.lock().searched -= 1;
                self.state.announce();
            } else if state.searched > 0 {
                self.state.wait(state);
                watch.look(&tally(search.space, table, search.counts))?;
            } else {
                return Ok(());
            }
        }
    }

    /// Searches a branch until it is solved, or long enough.
    fn search(
        &self,
        search: &mut Search<S, Alone>,
        branch: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<(), Stop> {
        let mut path = self.dfpn.path.clone();
        let mut expansions = self.dfpn.options.alone_at_first.max(1);
        loop {
            search.limit = search.counts.expansions.saturating_add(expansions);
            let numbers = search.go_on(branch, &mut path, watch)?;
            if numbers.is_solved() {
                self.solved.fetch_add(1, Relaxed);
                return Ok(());
            }
            if self.state.lock().taken == self.branches.len() {
                return Ok(());
            }
            // More each time: the table may have forgotten all that was found.
            expansions = expansions.saturating_mul(2);
        }
    }
}
