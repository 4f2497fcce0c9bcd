//! A group: the workers of one machine, which share their facts.
//!
//! A worker has one job at a time and searches it slice by slice: after each slice the master
//! learns the leaf's numbers, and the group what it is to do. Key results that workers find are
//! offered in every letter until the master says that it has them.
//!
//! Invariant: a key result leaves the outbox only when the master has acknowledged it.

use std::collections::VecDeque;

use bouton_session::Forgets;
use bouton_session::jobs::{Found, KeyResult, Task, Thresholds};

use crate::Settings;
use crate::protocol::{EPOCH_SHIFT, GroupId, JobId, Letter, News, Order, What};

/// What happens to a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An order has come.
    Order(Order),
    /// A worker has searched a slice.
    Searched {
        /// Which worker.
        seat: usize,
        /// What came of it; nothing if the leaf was none of this game.
        found: Option<Found>,
        /// The key results it has found.
        results: Vec<KeyResult>,
    },
    /// Some time has passed: the master should know that the group is there.
    Tick,
}

/// What whoever drives the group is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Send a letter.
    Send(Letter),
    /// Have a worker search a slice.
    Search {
        /// Which worker.
        seat: usize,
        /// What it has to search.
        task: Task,
        /// What it forgets before.
        forgets: Forgets,
    },
    /// Let all workers know key results from elsewhere.
    Learn(Vec<KeyResult>),
    /// Nothing is left to do.
    Stop,
}

/// The group.
pub struct Group {
    id: GroupId,
    settings: Settings,
    seats: Vec<Option<Running>>,
    /// The number of the last master that was heard of.
    master: u64,
    /// Jobs for workers that are still at slices of others: those were given up, or came twice.
    waiting: VecDeque<Running>,
    /// How far it has the log.
    known: u64,
    /// The number of the first key result in the outbox.
    first: u64,
    outbox: VecDeque<KeyResult>,
}

/// A job that a worker is at.
struct Running {
    job: JobId,
    leaf: Vec<u8>,
    thresholds: Thresholds,
    /// Expansions it may take.
    iterations: u64,
    /// Expansions that went into the leaf before.
    spent: u64,
    /// Expansions so far.
    done: u64,
    /// The master does not want it any more.
    cancelled: bool,
}

impl Group {
    /// A group of so many workers, none of which has anything to do.
    pub fn new(id: GroupId, seats: usize, settings: Settings) -> Self {
        Self {
            id,
            settings,
            seats: (0..seats).map(|_| None).collect(),
            master: 0,
            waiting: VecDeque::new(),
            known: 0,
            first: 0,
            outbox: VecDeque::new(),
        }
    }

    /// The key results that the master has not acknowledged, and the number of the first.
    pub fn offered(&self) -> (u64, &VecDeque<KeyResult>) {
        (self.first, &self.outbox)
    }

    /// What follows from an event.
    pub fn handle(&mut self, event: Event) -> Vec<Command> {
        match event {
            Event::Order(order) => self.obey(order),
            Event::Searched {
                seat,
                found,
                results,
            } => {
                if self.settings.sharing {
                    self.outbox.extend(results);
                }
                self.go_on(seat, found)
            }
            Event::Tick => vec![self.letter(News::None)],
        }
    }

    fn obey(&mut self, order: Order) -> Vec<Command> {
        self.drop_acknowledged(order.received);
        let mut commands = Vec::new();
        // Results behind a gap are as true as any; only the next ones fill it.
        if order.first <= self.known {
            self.known = self.known.max(order.end);
        }
        if !order.results.is_empty() {
            commands.push(Command::Learn(order.results));
        }
        match order.what {
            What::Nothing => {}
            What::Job {
                job,
                leaf,
                thresholds,
                iterations,
                spent,
            } => commands.extend(self.begin(Running {
                job,
                leaf,
                thresholds,
                iterations,
                spent,
                done: 0,
                cancelled: false,
            })),
            What::Cancel { job } => {
                self.waiting.retain(|waiting| waiting.job != job);
                let seats = self.seats.iter_mut().flatten();
                for running in seats.filter(|running| running.job == job) {
                    running.cancelled = true;
                }
            }
            What::Stop => commands.push(Command::Stop),
        }
        commands
    }

    fn drop_acknowledged(&mut self, received: u64) {
        while self.first < received && self.outbox.pop_front().is_some() {
            self.first += 1;
        }
    }

    /// Gives a job to a worker that has none, or has it wait for one. Jobs of an earlier master
    /// are void, and so is an order that comes twice.
    fn begin(&mut self, running: Running) -> Option<Command> {
        let master = running.job >> EPOCH_SHIFT;
        if master < self.master {
            return None;
        }
        self.master = master;
        let is_void = |other: &Running| other.job >> EPOCH_SHIFT < master;
        self.waiting.retain(|other| !is_void(other));
        for other in self.seats.iter_mut().flatten() {
            other.cancelled |= is_void(other);
        }
        let mut jobs = self.seats.iter().flatten().chain(&self.waiting);
        if jobs.any(|other| other.job == running.job) {
            return None;
        }
        if let Some(seat) = self.seats.iter().position(Option::is_none) {
            self.seats[seat] = Some(running);
            return Some(self.search(seat, self.settings.forgets));
        }
        // More than there are workers are not meant to be done: some are lost to the master.
        if self.waiting.len() < self.seats.len() {
            self.waiting.push_back(running);
        }
        None
    }

    /// A worker has no job any more: it takes the next that waits.
    fn free(&mut self, seat: usize) -> Option<Command> {
        self.seats[seat] = self.waiting.pop_front();
        let has_one = self.seats[seat].is_some();
        has_one.then(|| self.search(seat, self.settings.forgets))
    }

    /// The next slice of a worker's job.
    fn search(&self, seat: usize, forgets: Forgets) -> Command {
        let running = self.seats[seat].as_ref().expect("it has a job");
        let left = running.iterations.saturating_sub(running.done);
        let updates = self.settings.updates;
        let updates = updates.saturating_mul(self.settings.threads as u64);
        let expansions = updates.min(left).max(1);
        let task = Task {
            leaf: running.leaf.clone(),
            thresholds: running.thresholds,
            least: self.settings.least.saturating_sub(running.done),
            expansions,
            lists: expansions >= left,
            lists_after: self
                .settings
                .develop
                .saturating_sub(running.spent + running.done),
        };
        Command::Search {
            seat,
            task,
            forgets,
        }
    }

    /// A slice is searched: the job is done, or goes on.
    fn go_on(&mut self, seat: usize, found: Option<Found>) -> Vec<Command> {
        let Some(running) = self.seats.get_mut(seat).and_then(Option::as_mut) else {
            return Vec::new();
        };
        let job = running.job;
        let found = found.filter(|_| !running.cancelled);
        let Some(found) = found else {
            let next = self.free(seat);
            let letter = self.letter(News::None);
            return [letter].into_iter().chain(next).collect();
        };
        running.done += found.expansions;
        let numbers = found.numbers;
        if found.is_done {
            let expansions = running.done;
            let next = self.free(seat);
            let letter = self.letter(News::Done {
                job,
                numbers,
                branches: found.branches,
                expansions,
            });
            return [letter].into_iter().chain(next).collect();
        }
        let update = self.letter(News::Update { job, numbers });
        vec![update, self.search(seat, Forgets::default())]
    }

    fn letter(&self, news: News) -> Command {
        let running = self.seats.iter().flatten().chain(&self.waiting);
        let running = running.filter(|running| !running.cancelled);
        let results = self.outbox.iter().take(self.settings.batch);
        Command::Send(Letter {
            group: self.id,
            seats: self.seats.len() as u64,
            running: running.map(|running| running.job).collect(),
            known: self.known,
            first: self.first,
            results: results.cloned().collect(),
            news,
        })
    }
}
