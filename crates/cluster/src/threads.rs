//! A cluster in one process: workers are threads, and messages are calls.
//!
//! The thread that was asked has the master and the one group; the others have a bench each and
//! search slices, with more threads if a worker is to have several. Nothing is lost here, and whoever
//! is asked to stop does so at the next look.
//!
//! With a journal all key results go into a store as they come, and the master's tree now and then:
//! a process that was killed goes on from there when it is started again.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use bouton_session::algorithms::JOB_LEVEL;
use bouton_session::jobs::{Found, KeyResult, Numbers, Pace, Task};
use bouton_session::{
    Bench, Error, Forgets, Jobs, Journal, Nimber, Outcome, Progress, Root, Seating, Session, Stop,
    Watch, deep_stack,
};

use crate::log::Log;
use crate::master::{self, Failure, Kept, Master};
use crate::protocol::{SECOND, Time};
use crate::{Group, Settings, group};

/// The name of the algorithm.
pub const ALGORITHM: &str = JOB_LEVEL.name;

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Solved {
    /// The outcome; none if the run was stopped before.
    pub outcome: Option<Outcome>,
    /// The nimber, if it was asked for.
    pub nimber: Option<Nimber>,
    /// All key results.
    pub results: Vec<KeyResult>,
    /// Expansions of all workers.
    pub expansions: u64,
    /// Nodes of an earlier run's tree that this one went on with.
    pub restored: u64,
    /// Why something is missing.
    pub stopped: Option<Stop>,
}

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many workers, at least one.
    pub workers: usize,
    /// Bytes for all of them and the master.
    pub memory: usize,
    /// How to search; memory and patience are seen to.
    pub settings: Settings,
    /// Whether to go on to the nimber.
    pub nimber: bool,
}

/// A slice for a worker.
struct Slice {
    task: Task,
    forgets: Forgets,
}

/// What a worker has to say.
struct Report {
    seat: usize,
    found: Result<Option<Found>, Stop>,
    results: Vec<KeyResult>,
}

/// What all threads see.
#[derive(Default)]
struct Shared {
    over: AtomicBool,
    expansions: AtomicU64,
    /// Nanoseconds that all have searched.
    busy: AtomicU64,
}

/// Why there is nothing to be said at all.
#[derive(Debug)]
pub enum Trouble {
    /// The search has failed.
    Search(Failure),
    /// The store has.
    Store(Error),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Search(failure)
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Store(error)
    }
}

/// Solves a position with threads as workers, from where a journal has come.
pub fn solve(
    session: &dyn Session,
    options: &Options,
    journal: Option<Journal>,
    watch: &mut Watch,
) -> Result<Solved, Trouble> {
    let workers = options.workers.max(1);
    let threads = options.settings.threads.max(1);
    // One part is the master's tree.
    let share = options.memory / (workers + 2);
    let seating = Seating {
        machines: 1,
        workers: workers + 1,
        threads,
        pace: Pace::Free,
    };
    let mut benches = session.benches(seating, share / threads);
    let own = benches
        .pop()
        .expect("there is one for each worker, and one more");
    let shared = Shared::default();
    let shared = &shared;
    let (reports, inbox) = mpsc::channel();
    std::thread::scope(|scope| {
        let mut tasks = Vec::new();
        for bench in benches {
            let (sender, receiver) = mpsc::channel();
            let (seat, reports) = (tasks.len(), reports.clone());
            let work = move || employ(seat, bench, &receiver, &reports, shared);
            // The others do without one for which there is no room.
            if deep_stack::spawn(scope, work).is_ok() {
                tasks.push(sender);
            }
        }
        if tasks.is_empty() {
            return Ok(Solved {
                stopped: Some(Stop::Memory),
                ..Solved::default()
            });
        }
        let mut office = Office {
            own,
            tasks,
            inbox,
            shared,
            settings: Settings {
                memory: share,
                patience: Time::MAX / 8,
                ..options.settings
            },
            start: Instant::now(),
            log: Vec::new(),
            journal,
            restored: 0,
        };
        let solved = office.solve(options.nimber, watch);
        shared.over.store(true, Relaxed);
        solved
    })
}

/// A worker's life: one slice after the other, until nobody sends any.
fn employ(
    seat: usize,
    mut bench: Box<dyn Bench>,
    tasks: &Receiver<Slice>,
    reports: &Sender<Report>,
    shared: &Shared,
) {
    while let Ok(Slice { task, forgets }) = tasks.recv() {
        bench.forget(forgets);
        let start = Instant::now();
        let mut look = |_: &Progress| match shared.over.load(Relaxed) {
            true => Err(Stop::Interrupted),
            false => Ok(()),
        };
        let found = bench.search(&task, &mut Watch::new(&mut look));
        if let Ok(Some(found)) = &found {
            shared.expansions.fetch_add(found.expansions, Relaxed);
        }
        let took = u64::try_from(start.elapsed().as_nanos()).unwrap_or(0);
        shared.busy.fetch_add(took, Relaxed);
        let report = Report {
            seat,
            found,
            results: bench.take_results(),
        };
        if reports.send(report).is_err() {
            return;
        }
    }
}

/// Where master and group sit.
struct Office<'a> {
    /// A bench for what the office itself has to know.
    own: Box<dyn Bench>,
    tasks: Vec<Sender<Slice>>,
    inbox: Receiver<Report>,
    shared: &'a Shared,
    settings: Settings,
    start: Instant,
    /// The log's records.
    log: Vec<u8>,
    journal: Option<Journal>,
    restored: u64,
}

/// How long the office waits before it looks whether to go on.
const PATIENCE: Duration = Duration::from_millis(20);

impl Office<'_> {
    /// One heap after the other, until the position is lost with it; or just the first.
    fn solve(&mut self, nimber: bool, watch: &mut Watch) -> Result<Solved, Trouble> {
        if let Some(journal) = &self.journal {
            let results = journal.results()?;
            self.own.learn(&results);
            self.log = Log::bytes_of(&results);
        }
        let mut solved = Solved::default();
        for heap in 0.. {
            match self.prove(heap, watch) {
                Ok(outcome) => {
                    solved.outcome.get_or_insert(outcome);
                    if outcome == Outcome::Loss && nimber {
                        solved.nimber = Some(heap);
                    }
                    if outcome == Outcome::Loss || !nimber {
                        break;
                    }
                }
                Err(Trouble::Search(Failure::Stop(stop))) => {
                    solved.stopped = Some(stop);
                    break;
                }
                Err(trouble) => return Err(trouble),
            }
        }
        if let Some(journal) = &self.journal {
            journal.commit()?;
        }
        solved.results = Log::from_bytes(&self.log).results().cloned().collect();
        solved.restored = self.restored;
        solved.expansions = self.shared.expansions.load(Relaxed);
        Ok(solved)
    }

    /// The outcome of the position with a heap beside it.
    fn prove(&mut self, heap: Nimber, watch: &mut Watch) -> Result<Outcome, Trouble> {
        let root = match self.own.root(heap) {
            Root::Known(outcome) => return Ok(outcome),
            Root::Open(root) => root,
        };
        let tree = match &self.journal {
            Some(journal) => journal.saved(&root)?,
            None => Vec::new(),
        };
        let kept = Kept {
            epoch: u64::from(heap),
            log: &self.log,
            tree: &tree,
        };
        let master = Master::resume(&root, self.settings, kept).map_err(Failure::Stop)?;
        let mut master = master.expect("a root is a branch");
        if !tree.is_empty() {
            self.restored += master.nodes() as u64;
        }
        let result = self.direct(&mut master, heap, &root, watch);
        if let Some(journal) = &self.journal {
            let tree = match result {
                Ok(_) => Vec::new(),
                Err(_) => master.save(),
            };
            journal.save(&root, &tree)?;
        }
        result
    }

    /// Has master and group work until there is an answer.
    fn direct(
        &mut self,
        master: &mut Master,
        heap: Nimber,
        root: &[u8],
        watch: &mut Watch,
    ) -> Result<Outcome, Trouble> {
        let mut group = Group::new(u64::from(heap), self.tasks.len(), self.settings);
        // Slices of an earlier heap are searched to their end, and their results are kept.
        let mut out = 0;
        let mut commands = group.handle(group::Event::Tick);
        loop {
            let answer = self.carry_out(master, &mut group, root, commands, &mut out)?;
            if let Some(outcome) = answer {
                self.drain(out);
                return Ok(outcome);
            }
            let report = self.wait(watch, master, heap)?;
            out -= 1;
            commands = group.handle(group::Event::Searched {
                seat: report.seat,
                found: report.found.map_err(Failure::Stop)?,
                results: report.results,
            });
        }
    }

    /// Carries out commands of both until all wait for workers, or there is an answer.
    fn carry_out(
        &mut self,
        master: &mut Master,
        group: &mut Group,
        root: &[u8],
        commands: Vec<group::Command>,
        out: &mut usize,
    ) -> Result<Option<Outcome>, Trouble> {
        let mut commands = VecDeque::from(commands);
        let mut answer = None;
        while let Some(command) = commands.pop_front() {
            match command {
                group::Command::Send(letter) => {
                    for command in master.handle(self.now(), master::Event::Letter(letter)) {
                        match command {
                            master::Command::Append(results) => {
                                self.log.extend(Log::bytes_of(&results));
                                if let Some(journal) = &mut self.journal {
                                    journal.append(&results)?;
                                }
                            }
                            master::Command::Send(_, order) => {
                                commands.extend(group.handle(group::Event::Order(order)));
                            }
                            master::Command::Save(tree) => {
                                if let Some(journal) = &self.journal {
                                    journal.save(root, &tree)?;
                                }
                            }
                            master::Command::Answer(outcome) => answer = Some(outcome),
                            master::Command::Fail(failure) => return Err(failure.into()),
                        }
                    }
                }
                group::Command::Search {
                    seat,
                    task,
                    forgets,
                } => {
                    if answer.is_none() && self.tasks[seat].send(Slice { task, forgets }).is_ok() {
                        *out += 1;
                    }
                }
                group::Command::Learn(results) => self.own.learn(&results),
                group::Command::Stop => {}
            }
        }
        Ok(answer)
    }

    fn now(&self) -> Time {
        Time::try_from(self.start.elapsed().as_nanos()).unwrap_or(0)
    }

    /// How it goes.
    fn progress(&self, master: &Master, heap: Nimber) -> Progress {
        let now = self.now();
        let (out, handed_out) = master.jobs();
        let Numbers { proof, disproof } = master.numbers();
        let kept_at = master.kept_at().filter(|_| self.journal.is_some());
        Progress {
            expansions: self.shared.expansions.load(Relaxed),
            facts: master.log().len(),
            table_entries: master.nodes() as u64,
            jobs: Some(Jobs {
                workers: (self.tasks.len(), out),
                threads: self.settings.threads,
                heap,
                handed_out,
                root: (proof, disproof),
                busy: self.shared.busy.load(Relaxed),
                checkpoint_age: kept_at.map(|at| now.saturating_sub(at) / SECOND),
            }),
            ..Progress::default()
        }
    }

    /// The next report.
    fn wait(
        &mut self,
        watch: &mut Watch,
        master: &Master,
        heap: Nimber,
    ) -> Result<Report, Failure> {
        loop {
            let progress = self.progress(master, heap);
            watch.look(&progress).map_err(Failure::Stop)?;
            match self.inbox.recv_timeout(PATIENCE) {
                Ok(report) => return Ok(report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::Stop(Stop::Interrupted));
                }
            }
        }
    }

    /// Calls off the slices that are still out, so that the next search begins with idle workers.
    fn drain(&mut self, out: usize) {
        self.shared.over.store(true, Relaxed);
        let stopped = self.inbox.iter().take(out);
        stopped.for_each(drop);
        self.shared.over.store(false, Relaxed);
    }
}
