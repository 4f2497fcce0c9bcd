//! Job-level proof-number search: a tree whose leaves are searched by others.
//!
//! Paper: Čížek, Balko and Schmid 2025, "First-Level Parallelization", after Wu et al. 2013 and
//! Saffidine, Jouandeau and Cazenave 2012.
//!
//! A [`Tree`] hands out its pseudo most-proving leaf as a job and locks it. The worker searches
//! below it for so many expansions ([`work`]), now and then tells the numbers that the leaf has
//! by then, and at last, if it was much work, lists its branches with their numbers, which the tree
//! takes over. What workers prove for good are *key results*: nimbers of positions, in other games losses.
//!
//! Differences: Wu et al. give locked leaves other numbers; here a leaf that is out is passed
//! over on the way down, and each job below a branch counts as one more against it
//! (`graph/apart.rs`), so that jobs spread where branches are alike. With a leaf come df-pn's
//! thresholds for it (`graph/jobs.rs`): a job that went on beside the most-proving node would cost
//! up to three times df-pn's expansions. Equal nodes are one node.
//!
//! Invariants: the tree knows no rules, only bytes of positions (`sealed`). What is solved was
//! solved by a worker, or follows. Numbers of anything open steer and may be stale, lost or
//! repeated without harm.

pub mod bytes;
mod checkpoint;
mod sealed;
#[cfg(test)]
mod tests;
mod work;

use std::collections::HashMap;
use std::sync::Arc;

use bouton_game::{Nimber, Outcome};
use foldhash::fast::FixedState;

use crate::dfpn::Options;
use crate::graph::{Context, Crowd, First, Graph, Id, Listed, Step};
use crate::space::{Branch, Couple, Space, proved, solved};
use crate::watch::{Progress, Stop};
use sealed::{Positions, Sealed};

pub use crate::dfpn::Thresholds;
pub use bouton_table::{Numbers, Replacement, Table};
pub use work::{Found, Pace, Task, work};

/// A nimber that was found; in a game whose players have moves of their own, a loss, with 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyResult {
    /// The packed position.
    pub position: Arc<[u8]>,
    /// What it is worth.
    pub nimber: Nimber,
}

/// The branches of a leaf that was searched without being solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// The branches that are open, with their numbers.
    pub open: Vec<(Vec<u8>, Numbers)>,
    /// The numbers of what their sums ask first.
    pub questions: Vec<(Vec<u8>, Numbers)>,
}

/// A leaf that is handed out.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How far to search it: beyond that others are worth more.
    pub thresholds: Thresholds,
    /// Expansions that went into it since it came into the tree.
    pub spent: u64,
}

/// The tree.
pub struct Tree {
    graph: Graph<Positions>,
    positions: Positions,
    /// Outcomes of nodes that went when the memory was full.
    solved: Table,
    counts: Progress,
    crowd: Crowd,
    /// The leaves that are out, with the ways that were taken to them.
    out: HashMap<Sealed, Vec<Id>, FixedState>,
    /// Expansions that went into leaves which came back without their branches.
    spent: HashMap<Sealed, u64, FixedState>,
    outcome: Option<Outcome>,
    /// Jobs whose branches are not taken over, since there is no room, before the next try.
    full: u32,
}

/// By how much a leaf may become worse than the second best before it is left, relative to that:
/// as much as in df-pn if there are no other jobs. The more there are, the more it costs to change
/// one's mind, for all have to go through the one master.
fn patience(jobs: usize) -> f64 {
    (Options::BEST.epsilon + jobs as f64 / 16.0).min(1.0)
}

/// Jobs before a full tree looks again whether there is room.
const FULL: u32 = 1000;

/// The part of the memory that outcomes of what went may take.
const SOLVED: usize = 16;

/// Heaps beside a position that are tried when its nimber becomes known. What stands beside a
/// larger one is noticed when it is about to be handed out.
const HEAPS: Nimber = 8;

impl Tree {
    /// A tree of one leaf, within so many bytes; none if the bytes of the root are no branch.
    pub fn new(root: &[u8], memory: usize) -> Result<Option<Self>, Stop> {
        let Some(root) = sealed::read(root) else {
            return Ok(None);
        };
        let mut tree = Self {
            graph: Graph::new(memory / SOLVED * (SOLVED - 1))?,
            positions: Positions::default(),
            solved: Table::new(memory / SOLVED, Replacement::default()),
            counts: Progress::default(),
            crowd: Crowd::default(),
            out: HashMap::default(),
            spent: HashMap::default(),
            outcome: None,
            full: 0,
        };
        tree.plant(&root, &First::Unit)?;
        Ok(Some(tree))
    }

    fn plant(&mut self, root: &Sealed, first: &First<Positions>) -> Result<(), Stop> {
        let (graph, mut context) = self.parts();
        let outcome = graph.begin(&mut context, root, first)?;
        self.outcome = outcome;
        Ok(())
    }

    fn parts(&mut self) -> (&mut Graph<Positions>, Context<'_, Positions>) {
        let context = Context {
            space: &mut self.positions,
            table: &self.solved,
            counts: &mut self.counts,
        };
        (&mut self.graph, context)
    }

    /// The outcome of the root, once it is proved.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.or_else(|| self.graph.outcome())
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// The root's numbers.
    pub fn numbers(&self) -> Numbers {
        self.outcome
            .map_or_else(|| self.graph.root_numbers(), solved)
    }

    /// Whether there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.graph.len() == 0
    }

    /// The leaf to search next, which is locked from now on; none if all are.
    pub fn take(&mut self) -> Result<Option<Leaf>, Stop> {
        while self.outcome().is_none() {
            let Some(way) = self.graph.select_apart(&self.crowd) else {
                return Ok(None);
            };
            let id = *way.last().expect("a way ends at a leaf");
            let leaf = self.graph.branch(id).clone();
            if self.settle_if_known(id, &leaf)? {
                continue;
            }
            self.crowd.add(&way);
            let thresholds = self.graph.thresholds(&way, patience(self.out.len()));
            let taken = Leaf {
                bytes: sealed::write(&leaf),
                thresholds,
                spent: self.spent.get(&leaf).copied().unwrap_or(0),
            };
            self.out.insert(leaf, way);
            return Ok(Some(taken));
        }
        Ok(None)
    }

    /// Gives an open node its outcome, if that has become known meanwhile.
    fn settle_if_known(&mut self, id: Id, branch: &Sealed) -> Result<bool, Stop> {
        let Branch::Node(node) = branch else {
            return Ok(false);
        };
        let Some(outcome) = self.positions.known(node) else {
            return Ok(false);
        };
        let (graph, mut context) = self.parts();
        graph.renumber(&mut context, id, solved(outcome))?;
        Ok(true)
    }

    /// Takes note of what was found; returns what of it is new.
    pub fn learn(&mut self, results: &[KeyResult]) -> Result<Vec<KeyResult>, Stop> {
        let mut new = Vec::new();
        for result in results {
            if self.positions.note(&result.position, result.nimber) {
                new.push(result.clone());
                self.notice(result)?;
            }
        }
        Ok(new)
    }

    /// A position's nimber has become known: its nodes are solved.
    fn notice(&mut self, result: &KeyResult) -> Result<(), Stop> {
        for heap in (0..HEAPS).chain((result.nimber >= HEAPS).then_some(result.nimber)) {
            let branch = Branch::Node(Couple {
                position: Arc::clone(&result.position),
                heap,
            });
            if let Some(id) = self.graph.open(&branch) {
                self.settle_if_known(id, &branch)?;
            }
        }
        Ok(())
    }

    /// What followed from reports since this was last asked.
    pub fn take_followed(&mut self) -> Vec<KeyResult> {
        self.positions.take_followed()
    }

    /// A position that was found to have two nimbers: a worker is wrong, and nothing can be
    /// believed.
    pub fn contradiction(&self) -> Option<&[u8]> {
        self.positions.contradiction()
    }

    /// A leaf that is out has other numbers by now.
    pub fn renumber(&mut self, leaf: &[u8], numbers: Numbers) -> Result<(), Stop> {
        if let Some(id) = sealed::read(leaf).and_then(|leaf| self.graph.leaf(&leaf)) {
            let (graph, mut context) = self.parts();
            graph.renumber(&mut context, id, numbers)?;
        }
        Ok(())
    }

    /// Whether a leaf that is out is still worth searching.
    pub fn is_needed(&self, leaf: &[u8]) -> bool {
        let leaf = sealed::read(leaf).and_then(|leaf| self.graph.leaf(&leaf));
        leaf.is_some_and(|id| self.graph.is_needed(id))
    }

    /// Unlocks a leaf that was out.
    pub fn release(&mut self, leaf: &[u8]) {
        if let Some(way) = sealed::read(leaf).and_then(|leaf| self.out.remove(&leaf)) {
            self.crowd.remove(&way);
        }
    }

    /// A leaf comes back after so many expansions, with its numbers and perhaps its branches.
    pub fn give_back(
        &mut self,
        leaf: &[u8],
        numbers: Numbers,
        branches: &Branches,
        expansions: u64,
    ) -> Result<(), Stop> {
        self.release(leaf);
        self.renumber(leaf, numbers)?;
        // Without branches nothing is said about them: no proof of a loss.
        if proved(numbers).is_some() || branches.open.is_empty() {
            self.note_spent(leaf, expansions);
            return Ok(());
        }
        let Some(list) = read_all(&branches.open) else {
            return Ok(());
        };
        let mut listed: Listed<Positions> = list.iter().cloned().collect();
        listed.extend(read_all(&branches.questions).unwrap_or_default());
        let list: Vec<_> = list.into_iter().map(|(branch, _)| branch).collect();
        let Some(leaf) = sealed::read(leaf) else {
            return Ok(());
        };
        if self.full > 0 {
            self.full -= 1;
            return Ok(());
        }
        if self.grow(&leaf, list.clone(), &First::Listed(&listed))? == Step::Full {
            // What is full stays one: its leaves are searched further and further by workers.
            let is_worth_it = self.collect();
            if !is_worth_it || self.grow(&leaf, list, &First::Listed(&listed))? == Step::Full {
                self.full = FULL;
            }
        }
        Ok(())
    }

    /// Takes note of expansions that went into a leaf, if it is one still. At least one, so that in
    /// the end it is developed whatever workers forget.
    fn note_spent(&mut self, leaf: &[u8], expansions: u64) {
        if self.spent.len() > self.graph.len() {
            self.spent.clear(); // Most are no leaves any more.
        }
        if let Some(leaf) = sealed::read(leaf)
            && self.graph.leaf(&leaf).is_some()
        {
            *self.spent.entry(leaf).or_default() += expansions.max(1);
        }
    }

    /// Links a leaf to its branches, unless it is solved, developed or gone.
    fn grow(
        &mut self,
        leaf: &Sealed,
        list: Vec<Sealed>,
        first: &First<Positions>,
    ) -> Result<Step, Stop> {
        let Some(id) = self.graph.leaf(leaf) else {
            return Ok(Step::Done);
        };
        let (graph, mut context) = self.parts();
        graph.take_over(&mut context, id, list, first)
    }

    /// Makes room; says whether that was worth the while. Nodes get new numbers; of the leaves that are out only they themselves are
    /// known to be busy from now on, not the nodes above.
    fn collect(&mut self) -> bool {
        let (graph, mut context) = self.parts();
        let is_worth_it = graph.collect(&mut context);
        self.crowd.clear();
        for (leaf, way) in &mut self.out {
            *way = self.graph.leaf(leaf).into_iter().collect();
            self.crowd.add(way);
        }
        is_worth_it
    }
}

/// Branches with their numbers, from their bytes.
fn read_all(list: &[(Vec<u8>, Numbers)]) -> Option<Vec<(Sealed, Numbers)>> {
    let read = |(bytes, numbers): &(Vec<u8>, Numbers)| Some((sealed::read(bytes)?, *numbers));
    list.iter().map(read).collect()
}
