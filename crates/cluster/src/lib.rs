//! Job-level proof-number search on many machines: PNS-PDFPN.
//!
//! Paper: Čížek, Balko and Schmid 2025, "Massively Parallel Proof-Number Search for Impartial
//! Games and Beyond".
//!
//! A [`Master`] holds the tree of jobs, [`Group`]s of workers search its leaves. Both are state
//! machines: events go in, commands come out, and neither knows a clock, a thread, a network or a
//! game. Whoever drives them carries the commands out:
//!
//! | driver | carries messages by | searches |
//! | --- | --- | --- |
//! | [`threads`] | calling | on threads of this process |
//! | [`simulator`] | a heap of events in virtual time, faults and all | one slice after the other |
//!
//! Messages are plain data with a form in bytes ([`protocol`]), and any of them may be lost,
//! repeated, late or out of order: facts are true forever, numbers only steer, and whatever is
//! missing is asked for again. Facts that the master has acknowledged are in its [`log`].

pub mod answer;
pub mod group;
pub mod log;
pub mod master;
pub mod protocol;
pub mod reproduce;
pub mod simulator;
pub mod threads;

pub use group::Group;
pub use log::Log;
pub use master::Master;
pub use protocol::{GroupId, JobId, Letter, News, Order, Time, What};

/// The parameters of the search that the paper tunes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Workers that there are going to be: the tree has to have leaves for all of them.
    pub workers: usize,
    /// Expansions a job takes at least, even if its leaf is no longer the most-proving one.
    pub least: u64,
    /// Expansions that go into a leaf before its branches come into the tree.
    pub develop: u64,
    /// Expansions a job takes at most.
    pub iterations: u64,
    /// The same while there are workers without a job, or more to come than the tree has nodes:
    /// so it soon has leaves for all.
    pub first_iterations: u64,
    /// Expansions between two updates of a leaf's numbers, of each thread.
    pub updates: u64,
    /// Threads of a worker, which search its job together.
    pub threads: usize,
    /// Whether key results are shared between groups.
    pub sharing: bool,
    /// What workers forget after each job.
    pub forgets: bouton_session::Forgets,
    /// Key results that one message carries at most.
    pub batch: usize,
    /// Nothing heard for so long: a job or a group is given up.
    pub patience: Time,
    /// Time between two checkpoints of the tree.
    pub checkpoint: Time,
    /// Bytes of the master's tree.
    pub memory: usize,
}

/// Expansions of each thread that a job takes at least, if a worker has several.
const LEAST_A_THREAD: u64 = 12;

/// Expansions of each thread that go into a leaf before its branches come into the tree, if a
/// worker has several: what is too small for all of them is no leaf.
const DEVELOP_A_THREAD: u64 = 250;

/// Expansions that a job takes at most, if a worker has several threads.
const MOST_OF_THREADS: u64 = 100_000;

impl Settings {
    /// Those for so many workers with so many threads each. The more workers there are, the longer
    /// jobs have to be, or the master could not keep up with them; and the sooner leaves have to
    /// be developed, so that there are enough of them where the most-proving one is. Where a worker
    /// has several threads it is the other way round: leaves have to be large, so that all threads
    /// find something to do there that is worth doing.
    pub fn for_workers(workers: usize, threads: usize) -> Self {
        let (all, each) = (workers.max(1) as u64, threads as u64);
        let usual = Self::default();
        let (least, develop, iterations) = match threads {
            0 | 1 => (all / 16, usual.develop / all, usual.iterations),
            _ => (
                LEAST_A_THREAD * each,
                DEVELOP_A_THREAD * each,
                MOST_OF_THREADS,
            ),
        };
        Self {
            workers: workers.max(1),
            least: least.max(1),
            develop: develop.max(1),
            iterations,
            threads: threads.max(1),
            ..usual
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            workers: 1,
            least: 1,
            develop: 32,
            iterations: 10_000,
            first_iterations: 100,
            updates: 1000,
            threads: 1,
            sharing: true,
            forgets: bouton_session::Forgets::default(),
            batch: 10_000,
            patience: 10 * protocol::SECOND,
            checkpoint: 60 * protocol::SECOND,
            memory: 256 << 20,
        }
    }
}
