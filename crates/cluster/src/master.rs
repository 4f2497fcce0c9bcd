//! The master: the tree of jobs, who works on which, and the log of key results.
//!
//! Paper: Čížek, Balko and Schmid 2025, "First-Level Parallelization". Whenever a group has a
//! worker without a job, it gets the pseudo most-proving leaf. Updates change a locked leaf's
//! numbers, and tell workers when nobody needs theirs any more; what a job ends with expands the
//! leaf, once it was some work.
//!
//! Differences: with its leaf a job gets df-pn's thresholds, and ends when the leaf is no longer the
//! most-proving one. Jobs are short while some workers have none or are still to come, so that the
//! tree soon has a leaf for everybody. New key results go to a group with every order, not with
//! jobs only, and without those that it has found itself.
//!
//! Invariants: a key result is acknowledged only after the command that appends it to the log.
//! Job numbers are never used twice, since each restart counts as another epoch. What comes late,
//! twice or from nobody known still contributes its key results, and nothing else.

use std::collections::BTreeMap;

use bouton_session::jobs::{KeyResult, Numbers, Tree};
use bouton_session::{Outcome, Stop};

use crate::Settings;
use crate::log::Log;
use crate::protocol::{EPOCH_SHIFT, GroupId, JobId, Letter, News, Order, Time, What};

/// What happens to a master.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A letter has come.
    Letter(Letter),
    /// Some time has passed.
    Tick,
    /// A group has died, as the driver knows for certain.
    Gone(GroupId),
}

/// What whoever drives the master is to do, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Append records to the log, so that they are not lost.
    Append(Vec<KeyResult>),
    /// Send an order to a group.
    Send(GroupId, Order),
    /// Keep the tree, in place of what was kept before.
    Save(Vec<u8>),
    /// The root is solved.
    Answer(Outcome),
    /// There will be no answer.
    Fail(Failure),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The tree does not fit into the memory.
    Stop(Stop),
    /// A position was found to have two nimbers: a worker or the rules are wrong.
    Contradiction(Vec<u8>),
}

/// What a master goes on from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept<'a> {
    /// How often there was a master before.
    pub epoch: u64,
    /// The log's records.
    pub log: &'a [u8],
    /// The tree that was kept last.
    pub tree: &'a [u8],
}

/// The master.
pub struct Master {
    settings: Settings,
    tree: Tree,
    log: Log,
    /// The number of the next job.
    next: JobId,
    handed_out: u64,
    jobs: BTreeMap<JobId, Job>,
    groups: BTreeMap<GroupId, Member>,
    /// When the tree was kept last, and whether it has changed since.
    kept_at: Time,
    has_changed: bool,
    is_over: bool,
}

/// A leaf that somebody searches.
struct Job {
    group: GroupId,
    leaf: Vec<u8>,
    heard: Time,
}

/// A group, as the master sees it.
#[derive(Default)]
struct Member {
    seats: u64,
    /// How many of its key results are in the log.
    received: u64,
    /// How far it has said to have the log.
    known: u64,
    /// How far the log was sent, and when.
    sent: u64,
    sent_at: Time,
    heard: Time,
    jobs: u64,
}

impl Master {
    /// A master for a root, going on from what was kept. None if the root or the tree are none.
    pub fn new(root: &[u8], settings: Settings, kept: Kept) -> Result<Option<Self>, Stop> {
        let log = Log::from_bytes(kept.log);
        let results: Vec<_> = log.results().cloned().collect();
        let tree = Tree::restore(root, settings.memory, kept.tree, &results)?;
        Ok(tree.map(|tree| Self {
            settings,
            tree,
            log,
            next: kept.epoch << EPOCH_SHIFT,
            handed_out: 0,
            jobs: BTreeMap::new(),
            groups: BTreeMap::new(),
            kept_at: 0,
            has_changed: false,
            is_over: false,
        }))
    }

    /// The same; but a tree that is none is left out, since a tree only steers.
    pub fn resume(root: &[u8], settings: Settings, kept: Kept) -> Result<Option<Self>, Stop> {
        match Self::new(root, settings, kept)? {
            None => Self::new(root, settings, Kept { tree: &[], ..kept }),
            master => Ok(master),
        }
    }

    /// How many nodes the tree has.
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// The root's numbers.
    pub fn numbers(&self) -> Numbers {
        self.tree.numbers()
    }

    /// Jobs that are out, and how many were handed out.
    pub fn jobs(&self) -> (usize, u64) {
        (self.jobs.len(), self.handed_out)
    }

    /// When the tree was kept last, if it was.
    pub fn kept_at(&self) -> Option<Time> {
        (self.kept_at > 0).then_some(self.kept_at)
    }

    /// The log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The tree, to be kept.
    pub fn save(&self) -> Vec<u8> {
        self.tree.save()
    }

    /// What follows from an event.
    pub fn handle(&mut self, now: Time, event: Event) -> Vec<Command> {
        let mut commands = Vec::new();
        let result = match event {
            Event::Letter(letter) if self.is_over => {
                let stop = self.order(now, letter.group, What::Stop);
                commands.push(Command::Send(letter.group, stop));
                return commands;
            }
            Event::Letter(letter) => self.read(now, letter, &mut commands),
            Event::Tick => {
                self.give_up_the_silent(now);
                self.hand_out(now, &mut commands)
            }
            Event::Gone(group) => {
                self.bury(group);
                self.hand_out(now, &mut commands)
            }
        };
        let failure = result.err().map(Failure::Stop).or_else(|| {
            let position = self.tree.contradiction()?;
            Some(Failure::Contradiction(position.to_vec()))
        });
        if let Some(failure) = failure {
            self.is_over = true;
            return vec![Command::Fail(failure)];
        }
        if let Some(outcome) = self.tree.outcome() {
            self.is_over = true;
            commands.push(Command::Answer(outcome));
        } else if self.has_changed && now >= self.kept_at + self.settings.checkpoint {
            (self.kept_at, self.has_changed) = (now, false);
            commands.push(Command::Save(self.tree.save()));
        }
        commands
    }

    /// All that a letter brings about.
    fn read(&mut self, now: Time, letter: Letter, commands: &mut Vec<Command>) -> Result<(), Stop> {
        let group = letter.group;
        self.take_results(now, &letter, commands)?;
        let unknown = self.take_running(now, group, &letter.running);
        let cancelled = self.take_news(group, letter.news)?.or(unknown);
        let followed = self.tree.take_followed();
        self.append(followed, None, commands);
        if let Some(job) = cancelled {
            let order = self.order(now, group, What::Cancel { job });
            commands.push(Command::Send(group, order));
        }
        let answered = self.groups[&group].jobs;
        self.hand_out(now, commands)?;
        if self.groups[&group].jobs == answered && cancelled.is_none() {
            commands.extend(self.reply(now, group, letter.first));
        }
        self.has_changed = true;
        Ok(())
    }

    /// Takes note of where the group stands, and of its key results that are new.
    fn take_results(
        &mut self,
        now: Time,
        letter: &Letter,
        commands: &mut Vec<Command>,
    ) -> Result<(), Stop> {
        // All results before the first were acknowledged, by this master or by one before it: they
        // are in the log.
        let member = self.groups.entry(letter.group).or_default();
        member.received = member.received.max(letter.first);
        member.heard = now;
        member.seats = letter.seats;
        member.known = member.known.max(letter.known);
        member.sent = member.sent.max(member.known);
        let end = letter.first + letter.results.len() as u64;
        if end <= member.received {
            return Ok(());
        }
        let new = &letter.results[(member.received - letter.first) as usize..];
        member.received = end;
        let new = self.tree.learn(new)?;
        self.append(new, Some(letter.group), commands);
        Ok(())
    }

    fn append(
        &mut self,
        results: Vec<KeyResult>,
        origin: Option<GroupId>,
        commands: &mut Vec<Command>,
    ) {
        if !results.is_empty() {
            self.log.append(&results, origin);
            commands.push(Command::Append(results));
        }
    }

    /// Takes note of the jobs that a group is at; returns one that it should not be at: it came
    /// late or twice, or from a master before this one.
    fn take_running(&mut self, now: Time, group: GroupId, running: &[JobId]) -> Option<JobId> {
        let mut unknown = None;
        for id in running {
            match self.jobs.get_mut(id) {
                Some(job) if job.group == group => job.heard = now,
                _ => unknown = Some(*id),
            }
        }
        unknown
    }

    /// What a job has come to; returns it if nobody needs it any more.
    fn take_news(&mut self, group: GroupId, news: News) -> Result<Option<JobId>, Stop> {
        let is_its = |job: &Job| job.group == group;
        match news {
            News::None => Ok(None),
            News::Update { job, numbers } => {
                let Some(known) = self.jobs.get(&job).filter(|job| is_its(job)) else {
                    return Ok(Some(job));
                };
                self.tree.renumber(&known.leaf, numbers)?;
                if self.tree.is_needed(&known.leaf) {
                    return Ok(None);
                }
                self.drop_job(job);
                Ok(Some(job))
            }
            News::Done {
                job,
                numbers,
                branches,
                expansions,
            } => {
                if self.jobs.get(&job).is_some_and(is_its) {
                    let leaf = self.drop_job(job);
                    self.tree.give_back(&leaf, numbers, &branches, expansions)?;
                }
                Ok(None)
            }
        }
    }

    /// Unlocks the leaf of a job.
    fn drop_job(&mut self, job: JobId) -> Vec<u8> {
        let job = self.jobs.remove(&job).expect("the job is out");
        self.tree.release(&job.leaf);
        if let Some(member) = self.groups.get_mut(&job.group) {
            member.jobs -= 1;
        }
        job.leaf
    }

    /// Nobody has heard of some jobs and groups for too long. A group goes with all its jobs: else
    /// one that is dead would get the next before the last is given up, forever.
    fn give_up_the_silent(&mut self, now: Time) {
        let oldest = now.saturating_sub(self.settings.patience);
        self.groups.retain(|_, member| member.heard >= oldest);
        let silent = self.jobs.iter().filter(|(_, job)| {
            let is_known = self.groups.contains_key(&job.group);
            !is_known || job.heard < oldest
        });
        let silent: Vec<_> = silent.map(|(&id, _)| id).collect();
        for job in silent {
            self.drop_job(job);
        }
    }

    /// A group is no more: its leaves are free for others.
    fn bury(&mut self, group: GroupId) {
        let jobs = self.jobs.iter().filter(|(_, job)| job.group == group);
        let jobs: Vec<_> = jobs.map(|(&id, _)| id).collect();
        for job in jobs {
            self.drop_job(job);
        }
        self.groups.remove(&group);
    }

    /// Gives a job to every worker that has none, as long as there are leaves.
    fn hand_out(&mut self, now: Time, commands: &mut Vec<Command>) -> Result<(), Stop> {
        let seats: u64 = self.groups.values().map(|member| member.seats).sum();
        let waiting = self.groups.iter();
        let waiting = waiting.filter(|(_, member)| member.jobs < member.seats);
        let waiting: Vec<_> = waiting.map(|(&id, _)| id).collect();
        for group in waiting {
            while self.groups[&group].jobs < self.groups[&group].seats {
                let Some(leaf) = self.tree.take()? else {
                    return Ok(());
                };
                // The first to come must not keep the root while others are about to.
                let is_last =
                    self.jobs.len() as u64 + 1 >= seats && self.tree.len() >= self.settings.workers;
                let what = What::Job {
                    job: self.next,
                    leaf: leaf.bytes.clone(),
                    thresholds: leaf.thresholds,
                    iterations: match is_last {
                        true => self.settings.iterations,
                        false => self.settings.iterations.min(self.settings.first_iterations),
                    },
                    spent: leaf.spent,
                };
                let job = Job {
                    group,
                    leaf: leaf.bytes,
                    heard: now,
                };
                self.jobs.insert(self.next, job);
                self.next += 1;
                self.handed_out += 1;
                if let Some(member) = self.groups.get_mut(&group) {
                    member.jobs += 1;
                }
                let order = self.order(now, group, what);
                commands.push(Command::Send(group, order));
            }
        }
        Ok(())
    }

    /// An order without a job, if there is anything to tell: that results have come, or new ones.
    fn reply(&mut self, now: Time, group: GroupId, first: u64) -> Option<Command> {
        let order = self.order(now, group, What::Nothing);
        let says_something = order.received > first || !order.results.is_empty();
        says_something.then_some(Command::Send(group, order))
    }

    /// An order, with as much of the log as the group lacks.
    fn order(&mut self, now: Time, group: GroupId, what: What) -> Order {
        let Settings {
            patience,
            batch,
            sharing,
            ..
        } = self.settings;
        let mut order = Order {
            received: 0,
            first: 0,
            end: 0,
            results: Vec::new(),
            what,
        };
        let Some(member) = self.groups.get_mut(&group) else {
            return order;
        };
        order.received = member.received;
        if !sharing {
            return order;
        }
        // What was sent some time ago and is not there is lost.
        if member.known < member.sent && member.sent_at + patience / 4 < now {
            member.sent = member.known;
        }
        order.first = member.sent;
        (order.results, order.end) = self.log.batch(member.sent, batch, group);
        if order.end > member.sent {
            member.sent = order.end;
            member.sent_at = now;
        }
        order
    }
}
