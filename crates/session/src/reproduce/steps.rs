//! Many searches one after the other, seen through one watch: counts go on from search to
//! search, and what is done at the root is how many searches are.
//!
//! A search may end without an answer. Then its row is left out and the reason noted, if the
//! others can still go on; else the run ends with the rows it has.

use bouton_search::watch::{Progress, Stop, Watch};

use super::Table;
use crate::algorithms::Algorithm;
use crate::{Counts, Error, Request, Session};

/// Where a run is.
pub(super) struct Steps<'a, 'b> {
    /// Steps done.
    pub(super) done: usize,
    /// Steps there are.
    pub(super) all: usize,
    /// The counts of the searches before.
    before: Progress,
    /// Whom the whole run is shown to.
    pub(super) watch: &'a mut Watch<'b>,
}

impl<'a, 'b> Steps<'a, 'b> {
    pub(super) fn new(all: usize, watch: &'a mut Watch<'b>) -> Self {
        Self {
            done: 0,
            all,
            before: Progress::default(),
            watch,
        }
    }

    /// Searches; the watch sees the progress of the whole run.
    pub(super) fn search<T>(&mut self, search: impl FnOnce(&mut Watch) -> T) -> T {
        let (root, before, watch) = ((self.done, self.all), self.before, &mut *self.watch);
        let mut last = Progress::default();
        let mut look = |progress: &Progress| {
            last = Progress {
                expansions: before.expansions + progress.expansions,
                evaluations: before.evaluations + progress.evaluations,
                root,
                ..*progress
            };
            watch.look(&last)
        };
        let found = search(&mut Watch::new(&mut look));
        self.before = Progress {
            expansions: before.expansions.max(last.expansions),
            evaluations: before.evaluations.max(last.evaluations),
            ..Progress::default()
        };
        found
    }
}

/// How a search ended.
pub(super) enum Attempt {
    /// With an answer.
    Answered(Cost),
    /// Without, for this reason; others need not care.
    LeftOut(String),
    /// The whole run was stopped.
    Stopped(Stop),
}

/// What an answer took.
pub(super) struct Cost {
    pub(super) seconds: f64,
    pub(super) counts: Counts,
}

impl Attempt {
    /// A search that was stopped, with so many bytes to use.
    pub(super) fn stopped(stop: Stop, memory: usize) -> Self {
        match stop {
            Stop::Memory => {
                let memory = memory >> 20;
                Self::LeftOut(format!("no answer within {memory} MiB, see --memory"))
            }
            stop => Self::Stopped(stop),
        }
    }
}

impl Steps<'_, '_> {
    /// Solves a position, unless the algorithm is not there yet.
    pub(super) fn solve(
        &mut self,
        session: &mut dyn Session,
        request: &Request,
    ) -> Result<Attempt, Error> {
        let name = &request.algorithm;
        if Algorithm::find(name, "").is_err() {
            let why = format!("left out, there is no algorithm {name} yet");
            return Ok(Attempt::LeftOut(why));
        }
        let answer = self.search(|watch| session.solve(request, watch))?;
        Ok(match answer.reason {
            None => Attempt::Answered(Cost {
                seconds: answer.cpu_seconds,
                counts: answer.counts,
            }),
            Some(stop) => Attempt::stopped(stop, request.memory),
        })
    }

    /// Adds a row to a table, or says why not; whether to go on.
    pub(super) fn add(
        &mut self,
        table: &mut Table,
        name: &str,
        attempt: Attempt,
        numbers: impl FnOnce(&Cost) -> Vec<(f64, Option<f64>)>,
    ) -> bool {
        match attempt {
            Attempt::Answered(cost) => table.add_row(name, numbers(&cost)),
            Attempt::LeftOut(why) => table.notes.push(format!("{name}: {why}")),
            Attempt::Stopped(stop) => table.stopped = Some(stop),
        }
        self.done += 1;
        table.stopped.is_none()
    }
}
