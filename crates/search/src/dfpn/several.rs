//! Several branches at once: each thread searches one of them alone.
//!
//! Where all moves of a position are asked about, most are solved before threads that search one
//! of them together have parted. So each thread takes the next branch that nobody has taken, and
//! stays with it as long as there are others to be taken; the table and the facts are shared, as
//! ever. When there are none, a thread gives its branch up as soon as it has taken as many
//! expansions again, and what is not solved then is left to all threads together.
//!
//! What was found is told, since the table may forget it; what was not, the table has begun with.

use std::sync::OnceLock;

use bouton_game::Outcome;

use super::{Alone, Dfpn, Search};
use crate::crew::{self, Meeting, Member};
use crate::prove::tally;
use crate::solver::Begun;
use crate::space::{BranchOf, Space, proved};
use crate::watch::{Progress, Stop, Watch};

/// Branches that are searched, each by one thread.
struct Several<'a, S: Space> {
    dfpn: &'a Dfpn,
    branches: &'a [BranchOf<S>],
    /// What each was found to be.
    outcomes: &'a [OnceLock<Outcome>],
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
    ) -> Begun {
        if spaces.len() == 1 {
            return Begun::nothing(branches.len());
        }
        let mut counts = self.counts;
        let outcomes: Vec<_> = branches.iter().map(|_| OnceLock::new()).collect();
        let known = || outcomes.iter().map(|outcome| outcome.get().copied());
        let mut look = |progress: &Progress| {
            let asked = Some((known().flatten().count(), branches.len()));
            watch.look(&Progress { asked, ..*progress })
        };
        let watch = &mut Watch::new(&mut look);
        let several = Several {
            dfpn: self,
            branches,
            outcomes: &outcomes,
            state: Meeting::new(State {
                taken: 0,
                searched: 0,
            }),
        };
        let ended = crew::search(spaces, &mut counts, watch, |member| several.work(member));
        self.counts = counts;
        self.path.clear();
        Begun {
            outcomes: known().collect(),
            stopped: ended.err(),
        }
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
            let next = state.taken;
            if next < self.branches.len() {
                state.taken += 1;
                state.searched += 1;
                drop(state);
                self.search(&mut search, next, watch)?;
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
        index: usize,
        watch: &mut Watch,
    ) -> Result<(), Stop> {
        let mut path = self.dfpn.path.clone();
        let mut expansions = self.dfpn.options.alone_at_first.max(1);
        loop {
            search.limit = search.counts.expansions.saturating_add(expansions);
            let numbers = search.go_on(&self.branches[index], &mut path, watch)?;
            if let Some(outcome) = proved(numbers) {
                self.outcomes[index].get_or_init(|| outcome);
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
