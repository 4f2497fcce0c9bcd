//! The graph of best-first proof-number search: all of it is kept, and grows at one leaf a time.
//!
//! Papers: Allis 1994; Schijf, Allis and Uiterwijk 1994 (equal nodes are one node, so the tree
//! becomes a graph without cycles); Čížek, Balko and Schmid 2025 (sums, see `sums`).
//!
//! Nodes have numbers, given in the order in which they are made. A node's *links* lead to what
//! decides it and lie side by side; all links that lead to one node are chained, which is how
//! its parents are found. A node remembers its best child, so that the way to the most-proving
//! leaf costs one look a ply.
//!
//! Differences: what is solved when it is made gets no node, for a branch that is won by the
//! other side adds nothing to its parent, and a lost one solves it. When the memory is full,
//! `collect` deletes what the root does not need. Memory is in `room`, numbers are in `update`.
//!
//! Invariants: between two steps the numbers of every developed node follow from those of its
//! links. A developed open node has an open best child. A sum is developed from the start.

mod apart;
mod collect;
mod context;
mod index;
mod jobs;
mod record;
mod room;
mod sums;
#[cfg(test)]
mod tests;
mod update;

use std::collections::VecDeque;
use std::hash::BuildHasher;

use bouton_game::{Nimber, Outcome};
use bouton_table::{INFINITY, Numbers};
use foldhash::fast::FixedState;

use crate::space::{Branch, BranchOf, Space, proved, solved};
use crate::watch::Stop;
use index::Index;
use record::{Change, Kind, Link, Record};

pub(crate) use apart::Crowd;
pub(crate) use context::{Context, First, Listed};

/// The number of a node, or of a link.
pub(crate) type Id = u32;

/// No node, or no link.
const NONE: Id = Id::MAX;

/// What came of trying to develop a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is developed, and all numbers are up to date.
    Done,
    /// There is no room for its branches: nothing has changed.
    Full,
}

/// What a branch turns out to be.
#[derive(Clone, Copy)]
enum Made {
    Solved(Outcome),
    Open(Id),
}

/// What is known about a branch before it has a node.
#[derive(Clone, Copy)]
struct Looked {
    hash: u64,
    numbers: Numbers,
}

/// Numbers that no node has.
const UNSEEN: Numbers = Numbers {
    proof: INFINITY,
    disproof: INFINITY,
};

/// The graph.
pub(crate) struct Graph<S: Space> {
    root: Id,
    /// What the nodes stand for.
    branches: Vec<BranchOf<S>>,
    records: Vec<Record>,
    links: Vec<Link>,
    /// The heap in question for each link of a sum; empty where there are no sums.
    heaps: Vec<Nimber>,
    index: Index,
    /// Bytes that branches hold elsewhere.
    elsewhere: usize,
    /// Bytes it may hold.
    limit: usize,
    /// The most bytes it has held.
    peak: usize,
    /// How many branches the root had.
    root_branches: usize,
    /// Nodes whose links have changed.
    queue: VecDeque<Change>,
    /// Lists to be filled again.
    list: Vec<BranchOf<S>>,
    looked: Vec<Looked>,
    children: Vec<Id>,
}

impl<S: Space> Graph<S> {
    /// Empties the graph and makes its root; its outcome, if that needs no search.
    pub(crate) fn begin(
        &mut self,
        context: &mut Context<S>,
        root: &BranchOf<S>,
        first: &First<S>,
    ) -> Result<Option<Outcome>, Stop> {
        self.clear();
        match self.make(context, root.clone(), first)? {
            Made::Solved(outcome) => Ok(Some(outcome)),
            Made::Open(id) => {
                self.root = id;
                Ok(None)
            }
        }
    }

    /// The outcome of the root, once it is proved.
    #[inline]
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        proved(self.numbers(self.root))
    }

    /// Whether the root has links.
    pub(crate) fn is_developed(&self) -> bool {
        !self.records[self.root as usize].is_leaf()
    }

    /// How many nodes there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// Branches of the root that are done, and how many there are.
    pub(crate) fn root_progress(&self) -> (usize, usize) {
        match self.records.get(self.root as usize) {
            Some(root) if !root.is_leaf() && root.kind() == Kind::Choice => {
                let links = self.links[root.links()].iter();
                let open = links.filter(|link| !self.numbers(link.child).is_solved());
                (
                    self.root_branches - open.count().min(self.root_branches),
                    self.root_branches,
                )
            }
            _ => (0, 0),
        }
    }

    /// What a node stands for.
    #[inline]
    pub(crate) fn branch(&self, id: Id) -> &BranchOf<S> {
        &self.branches[id as usize]
    }

    #[inline]
    fn numbers(&self, id: Id) -> Numbers {
        self.records[id as usize].numbers
    }

    /// The most-proving leaf, and how far it is from the root.
    pub(crate) fn select(&self) -> (Id, usize) {
        let (mut id, mut depth) = (self.root, 0);
        loop {
            let record = &self.records[id as usize];
            if record.is_leaf() {
                return (id, depth);
            }
            id = record.best;
            depth += 1;
        }
    }

    /// Makes the branches of a leaf and brings all numbers up to date.
    pub(crate) fn develop(
        &mut self,
        context: &mut Context<S>,
        leaf: Id,
        first: &First<S>,
    ) -> Result<Step, Stop> {
        let Branch::Node(node) = &self.branches[leaf as usize] else {
            unreachable!("a sum is no leaf");
        };
        let mut list = std::mem::take(&mut self.list);
        let outcome = context.space.expand(node, &mut list)?;
        let step = match outcome {
            Some(outcome) => self
                .solve(context, leaf, outcome, first)
                .map(|()| Step::Done),
            None => self.grow(context, leaf, &mut list, first),
        };
        self.list = list;
        if let Ok(Step::Done) = step {
            context.counts.expansions += 1;
        }
        step
    }

    /// The same, after a first look at the leaf; its branches are not looked at yet.
    pub(crate) fn evaluate_and_develop(
        &mut self,
        context: &mut Context<S>,
        leaf: Id,
    ) -> Result<Step, Stop> {
        if let Branch::Node(node) = &self.branches[leaf as usize]
            && let Some(outcome) = proved(context.assess(node))
        {
            self.solve(context, leaf, outcome, &First::Unit)?;
            return Ok(Step::Done);
        }
        self.develop(context, leaf, &First::Unit)
    }

    /// Takes over the branches that another graph's root has there, with their numbers.
    pub(crate) fn adopt(
        &mut self,
        context: &mut Context<S>,
        leaf: Id,
        other: &Self,
    ) -> Result<Step, Stop> {
        let root = &other.records[other.root as usize];
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        let links = other.links[root.links()].iter().map(|link| link.child);
        let open = links.filter(|child| !other.numbers(*child).is_solved());
        list.extend(open.map(|child| other.branch(child).clone()));
        let step = self.grow(context, leaf, &mut list, &First::Of(other));
        self.list = list;
        if leaf == self.root {
            self.root_branches = other.root_branches;
        }
        step
    }

    /// Takes note of a leaf's outcome.
    pub(crate) fn solve(
        &mut self,
        context: &mut Context<S>,
        leaf: Id,
        outcome: Outcome,
        first: &First<S>,
    ) -> Result<(), Stop> {
        self.settle(context, leaf, solved(outcome));
        self.update(context, first)
    }

    /// Links a leaf to its branches.
    fn grow(
        &mut self,
        context: &mut Context<S>,
        leaf: Id,
        list: &mut Vec<BranchOf<S>>,
        first: &First<S>,
    ) -> Result<Step, Stop> {
        // All are looked at before the first gets a node: perhaps none needs one.
        let mut looked = std::mem::take(&mut self.looked);
        let lost = self.look_at_all(context, list, &mut looked, first);
        self.looked = looked;
        if lost {
            self.solve(context, leaf, Outcome::Win, first)?;
            return Ok(Step::Done);
        }
        if !self.has_room_for(context, list) {
            return Ok(Step::Full);
        }
        if leaf == self.root {
            self.root_branches = list.len();
        }
        self.children.clear();
        for (at, branch) in list.drain(..).enumerate() {
            let looked = self.looked[at];
            if looked.numbers.is_win() {
                continue;
            }
            match self.enter(context, branch, looked, first)? {
                Made::Open(id) => self.children.push(id),
                Made::Solved(Outcome::Win) => {}
                Made::Solved(Outcome::Loss) => {
                    self.solve(context, leaf, Outcome::Win, first)?;
                    return Ok(Step::Done);
                }
            }
        }
        if self.children.is_empty() {
            self.solve(context, leaf, Outcome::Loss, first)?;
            return Ok(Step::Done);
        }
        self.link_children(leaf);
        let numbers = self.choose(leaf);
        self.settle(context, leaf, numbers);
        self.update(context, first)?;
        Ok(Step::Done)
    }

    /// Looks at branches until one is lost; says whether one is.
    fn look_at_all(
        &self,
        context: &mut Context<S>,
        list: &[BranchOf<S>],
        looked: &mut Vec<Looked>,
        first: &First<S>,
    ) -> bool {
        looked.clear();
        // The index first, for all: what the memory is slow to bring comes together.
        looked.extend(list.iter().map(|branch| self.look_up(branch)));
        looked.iter_mut().zip(list).any(|(look, branch)| {
            self.look(context, branch, look, first);
            look.numbers.is_loss()
        })
    }

    #[inline]
    fn look_up(&self, branch: &BranchOf<S>) -> Looked {
        let hash = hash(branch);
        let numbers = self.find(branch, hash).map(|id| self.numbers(id));
        Looked {
            hash,
            numbers: numbers.unwrap_or(UNSEEN),
        }
    }

    /// Finds out about a branch that has no node. Of a sum nothing is known before it is made.
    #[inline]
    fn look(
        &self,
        context: &mut Context<S>,
        branch: &BranchOf<S>,
        looked: &mut Looked,
        first: &First<S>,
    ) {
        if looked.numbers != UNSEEN {
            return;
        }
        looked.numbers = match branch {
            Branch::Node(node) => context
                .recall(node)
                .unwrap_or_else(|| first.numbers(context, node, branch)),
            Branch::Sum(_) => Numbers::UNIT,
        };
    }

    /// The node of a branch.
    fn make(
        &mut self,
        context: &mut Context<S>,
        branch: BranchOf<S>,
        first: &First<S>,
    ) -> Result<Made, Stop> {
        let mut looked = self.look_up(&branch);
        self.look(context, &branch, &mut looked, first);
        self.enter(context, branch, looked, first)
    }

    /// The node of a branch that was looked at.
    fn enter(
        &mut self,
        context: &mut Context<S>,
        branch: BranchOf<S>,
        looked: Looked,
        first: &First<S>,
    ) -> Result<Made, Stop> {
        if let Some(outcome) = proved(looked.numbers) {
            return Ok(Made::Solved(outcome));
        }
        // Another branch of the same node may have made it meanwhile.
        if let Some(id) = self.find(&branch, looked.hash) {
            let outcome = proved(self.numbers(id));
            return Ok(outcome.map_or(Made::Open(id), Made::Solved));
        }
        match branch {
            Branch::Node(_) => self.add(branch, looked).map(Made::Open),
            Branch::Sum(sum) => self.make_sum(context, sum, looked, first),
        }
    }

    #[inline]
    fn find(&self, branch: &BranchOf<S>, hash: u64) -> Option<Id> {
        self.index
            .find(hash, |id| self.branches[id as usize] == *branch)
    }

    /// Adds a node without links.
    fn add(&mut self, branch: BranchOf<S>, looked: Looked) -> Result<Id, Stop> {
        let elsewhere = S::heap_bytes(&branch);
        if !self.fits(1, 0, elsewhere) {
            return Err(Stop::Memory);
        }
        let id = self.records.len() as Id;
        let size = self.index.size_for(self.len() + 1);
        if size != self.index.size() {
            self.fill_index(size);
        }
        self.index.insert(looked.hash, id);
        self.elsewhere += elsewhere;
        self.branches.push(branch);
        self.records.push(Record {
            numbers: looked.numbers,
            start: NONE,
            count: 0,
            parents: NONE,
            best: NONE,
        });
        Ok(id)
    }

    /// An index of so many slots of all nodes.
    fn fill_index(&mut self, size: usize) {
        self.index.resize(size);
        for (id, branch) in self.branches.iter().enumerate() {
            self.index.insert(hash(branch), id as Id);
        }
    }

    /// Gives a leaf links to the children that are listed.
    fn link_children(&mut self, leaf: Id) {
        let record = &mut self.records[leaf as usize];
        record.start = self.links.len() as Id;
        record.count = self.children.len() as u32;
        let children = std::mem::take(&mut self.children);
        for &child in &children {
            self.add_link(leaf, child, 0);
        }
        self.children = children;
    }

    #[inline]
    fn add_link(&mut self, parent: Id, child: Id, heap: Nimber) {
        let record = &mut self.records[child as usize];
        let next = std::mem::replace(&mut record.parents, self.links.len() as Id);
        self.links.push(Link {
            child,
            parent,
            next,
        });
        if S::HAS_SUMS {
            self.heaps.push(heap);
        }
    }
}

#[inline]
fn hash<N: std::hash::Hash>(branch: &N) -> u64 {
    FixedState::with_seed(0).hash_one(branch)
}
