//! The rows of a level, spread over threads and watched.
//!
//! Threads take one item after the other; the thread that called looks on, and may stop them
//! between two items. Whatever an item borrows is its own, so rows are written without locks.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

use crate::Error;

/// Which of the two passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pass {
    /// Who wins every position.
    #[default]
    Values,
    /// Which positions can be reached.
    Counts,
}

/// Where a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing.
    pub pass: Pass,
    /// The levels that are done, and how many there are.
    pub levels: (usize, usize),
    /// The ply that is being counted.
    pub ply: usize,
    /// Places looked at so far, in both passes.
    pub places: u64,
    /// Positions known to be reached.
    pub positions: u64,
    /// Bytes held by sets of positions.
    pub bytes: usize,
}

/// What is called with the progress: go on, or stop.
pub type Look<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// When a run that is asked to stop does so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stops {
    /// With items undone.
    AtOnce,
    /// When all items are done.
    WhenDone,
}

/// Who works, who watches, and where the run is.
pub(crate) struct Workers<'a, 'l> {
    pub(crate) threads: usize,
    pub(crate) progress: Progress,
    pub(crate) look: &'a mut Look<'l>,
}

impl Workers<'_, '_> {
    const INTERVAL: Duration = Duration::from_millis(50);

    /// Shows where the run is.
    pub(crate) fn look(&mut self) -> Result<(), Error> {
        match (self.look)(&self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Stopped),
        }
    }

    /// Calls `work` with every item, each worth so many places, on all threads; each has a state
    /// of its own.
    pub(crate) fn run<T: Send, S>(
        &mut self,
        items: impl Iterator<Item = (u64, T)> + Send,
        stops: Stops,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, T) + Sync,
    ) -> Result<(), Error> {
        let items = Mutex::new(items);
        let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let before = self.progress.places;
        let mut result = Ok(());
        std::thread::scope(|scope| {
            let (alive, ended) = mpsc::channel::<()>();
            for thread in 0..self.threads {
                let alive = alive.clone();
                let (items, done, stop, state, work) = (&items, &done, &stop, &state, &work);
                let work = move || {
                    let mut state = state();
                    while !stop.load(Ordering::Relaxed) {
                        let next = items.lock().expect("no thread panics").next();
                        let Some((places, item)) = next else { break };
                        work(&mut state, item);
                        done.fetch_add(places, Ordering::Relaxed);
                    }
                    drop(alive);
                };
                if let Err(cause) = Builder::new().spawn_scoped(scope, work) {
                    // The others do without those that the system does not grant.
                    if thread == 0 {
                        result = Err(Error::Threads { cause });
                    }
                    break;
                }
            }
            drop(alive);
            while ended.recv_timeout(Self::INTERVAL) == Err(RecvTimeoutError::Timeout) {
                self.progress.places = before + done.load(Ordering::Relaxed);
                if result.is_ok() {
                    result = self.look();
                }
                let stops = result.is_err() && stops == Stops::AtOnce;
                stop.store(stops, Ordering::Relaxed);
            }
        });
        self.progress.places = before + done.into_inner();
        result
    }
}
