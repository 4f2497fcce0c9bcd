//! Which jobs are out, as whoever looks for another one sees it.

use std::collections::{HashMap, VecDeque};

use bouton_table::{Key, Numbers, Table};
use foldhash::fast::FixedState;

use crate::space::{BranchOf, Space};

/// The virtual numbers of the nodes above jobs, and the branches of nodes that are come by.
pub(super) struct Ledger<S: Space> {
    virtuals: HashMap<Key, Virtual, FixedState>,
    uppers: HashMap<Key, Upper<S>, FixedState>,
    /// Jobs that came back without a solution lately: their nodes.
    lately: VecDeque<Key>,
    /// How many there were in all.
    unsolved: u64,
    /// How many times as long as usual a job may take.
    patience: u64,
}

/// What a node's numbers would be if all jobs below were done.
struct Virtual {
    numbers: Numbers,
    /// How many jobs are out at the node or below.
    jobs: u32,
}

/// A node that jobs are searched below.
pub(super) struct Upper<S: Space> {
    pub(super) branches: Vec<BranchOf<S>>,
    /// How each branch stood when somebody came by last.
    pub(super) standings: Vec<Standing>,
    /// The branch that was chosen last.
    pub(super) last: Option<usize>,
}

/// Numbers as they are, and as they would be if all jobs that are out were done.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    pub(super) real: Numbers,
    pub(super) seen: Numbers,
}

impl Standing {
    /// No job is out.
    pub(super) fn of(numbers: Numbers) -> Self {
        Self {
            real: numbers,
            seen: numbers,
        }
    }

    /// The same, given what was known before: a solution stays, and numbers that have become less
    /// were forgotten.
    pub(super) fn after(self, before: Numbers) -> Self {
        if self.real.is_solved() {
            return self;
        }
        if before.is_solved() {
            return Self::of(before);
        }
        let is_worked_on = self.seen != self.real;
        let real = self.real.at_least(before);
        Self {
            real,
            seen: if is_worked_on { self.seen } else { real },
        }
    }
}

/// How many jobs are lately.
const LATELY: usize = 8;

/// A patience that comes of a table which forgets nearly everything.
const DESPERATE: u64 = 64;

/// How many jobs without a solution are many.
const MANY: u64 = 1 << 12;

/// How many nodes have their branches kept. The nodes above jobs are few; when they are more
/// than this, all but those above jobs that are out are listed anew.
const UPPERS: usize = 1 << 12;

impl<S: Space> Ledger<S> {
    pub(super) fn new() -> Self {
        Self {
            virtuals: HashMap::default(),
            uppers: HashMap::default(),
            lately: VecDeque::new(),
            unsolved: 0,
            patience: 1,
        }
    }

    /// How many times as long as usual a job may take: the more, the more of what jobs found
    /// was forgotten before anybody could go on with it; and a little more with every job, so
    /// that there is an end whatever is forgotten.
    pub(super) fn patience(&self) -> u64 {
        self.patience.max(self.unsolved / MANY)
    }

    /// Whether so much is forgotten that only jobs without thresholds come to anything.
    pub(super) fn is_desperate(&self) -> bool {
        self.patience >= DESPERATE
    }

    /// A job came back without a solution. Are those that came back before still remembered?
    pub(super) fn note_unsolved(&mut self, key: Key, table: &Table) {
        self.unsolved += 1;
        if self.lately.len() == LATELY {
            self.lately.pop_front();
        }
        self.lately.push_back(key);
        let forgotten = self.lately.iter().any(|&key| table.get(key).is_none());
        self.patience = match forgotten {
            true => self.patience.saturating_mul(2),
            false => (self.patience - self.patience.div_ceil(8)).max(1),
        };
    }

    /// The virtual numbers of a node, if a job is out there.
    pub(super) fn seen(&self, key: Key) -> Option<Numbers> {
        self.virtuals.get(&key).map(|node| node.numbers)
    }

    /// One more job is out at a node or below, and these are its numbers now.
    pub(super) fn add(&mut self, key: Key, numbers: Numbers) {
        let node = self
            .virtuals
            .entry(key)
            .or_insert(Virtual { numbers, jobs: 0 });
        node.numbers = numbers;
        node.jobs += 1;
    }

    /// One job less; if others are out, these are the node's numbers now.
    pub(super) fn remove(&mut self, key: Key, numbers: Numbers) {
        if let Some(node) = self.virtuals.get_mut(&key) {
            node.numbers = numbers;
            node.jobs -= 1;
            if node.jobs == 0 {
                self.virtuals.remove(&key);
            }
        }
    }

    /// Whether no job is out.
    #[cfg(all(test, feature = "shuttle"))]
    pub(super) fn is_settled(&self) -> bool {
        self.virtuals.is_empty()
    }

    /// The branches of a node, if they were listed before. Whoever takes them brings them back.
    pub(super) fn take_upper(&mut self, key: Key) -> Option<Upper<S>> {
        self.uppers.remove(&key)
    }

    /// Keeps the branches of a node for whoever comes by next. Those of nodes above jobs that are
    /// out stay in any case.
    pub(super) fn keep_upper(&mut self, key: Key, upper: Upper<S>) {
        if self.uppers.len() >= UPPERS {
            let virtuals = &self.virtuals;
            self.uppers.retain(|key, _| virtuals.contains_key(key));
        }
        self.uppers.insert(key, upper);
    }
}
