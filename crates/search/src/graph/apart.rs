//! Which leaf to go on with while threads search others: Kaneko's congestion term.
//!
//! Paper: Kaneko 2010; the thesis on Konane, sections 2.5 and 3.7, for the first level of PN².
//!
//! On the way down a child counts as one more for each thread below it. Differences: a leaf that
//! is being searched is not searched again; whoever comes to it takes the next best.

use std::collections::HashMap;

use bouton_table::add;
use foldhash::fast::FixedState;

use super::record::Kind;
use super::{Graph, Id, hash};
use crate::space::{BranchOf, Space};

/// How many threads are at a node or below it.
#[derive(Default)]
pub(crate) struct Crowd {
    threads: HashMap<Id, u64, FixedState>,
}

impl Crowd {
    fn at(&self, id: Id) -> u64 {
        self.threads.get(&id).copied().unwrap_or(0)
    }

    /// A thread goes to the end of a way.
    pub(crate) fn add(&mut self, way: &[Id]) {
        for &id in way {
            *self.threads.entry(id).or_default() += 1;
        }
    }

    /// It comes back.
    pub(crate) fn remove(&mut self, way: &[Id]) {
        for id in way {
            let threads = self.threads.get_mut(id).expect("it went there");
            *threads -= 1;
            if *threads == 0 {
                self.threads.remove(id);
            }
        }
    }

    /// Nodes have got new numbers: nobody is known to be anywhere.
    pub(crate) fn clear(&mut self) {
        self.threads.clear();
    }
}

impl<S: Space> Graph<S> {
    /// The way to the most-proving leaf of those that nobody searches; none if there is none.
    pub(crate) fn select_apart(&self, crowd: &Crowd) -> Option<Vec<Id>> {
        let mut way = Vec::new();
        self.go_apart(self.root, crowd, &mut way).then_some(way)
    }

    fn go_apart(&self, id: Id, crowd: &Crowd, way: &mut Vec<Id>) -> bool {
        let record = &self.records[id as usize];
        let is_busy = crowd.at(id) > 0;
        way.push(id);
        let found = if record.is_leaf() {
            !is_busy
        } else if !is_busy && self.go_apart(record.best, crowd, way) {
            true
        } else {
            self.go_where_few_are(id, crowd, way)
        };
        if !found {
            way.pop();
        }
        found
    }

    /// Tries the children of a node, one after the other.
    fn go_where_few_are(&self, id: Id, crowd: &Crowd, way: &mut Vec<Id>) -> bool {
        let record = &self.records[id as usize];
        let children = self.links[record.links()].iter().map(|link| link.child);
        let open = children.filter(|&child| !self.numbers(child).is_solved());
        let mut costs: Vec<(u64, Id)> = open
            .map(|child| {
                let numbers = self.numbers(child);
                let cost = match record.kind() {
                    Kind::Choice => numbers.disproof,
                    Kind::Sum | Kind::Rest => numbers.either(),
                };
                (add(cost, crowd.at(child)), child)
            })
            .collect();
        // Of equals the first, as where nobody is; so the order must be kept.
        costs.sort_by_key(|&(cost, _)| cost);
        let mut costs = costs.into_iter();
        costs.any(|(_, child)| self.go_apart(child, crowd, way))
    }

    /// The leaf of a branch, if there is one that is not solved.
    pub(crate) fn leaf(&self, branch: &BranchOf<S>) -> Option<Id> {
        let id = self.find(branch, hash(branch))?;
        let record = &self.records[id as usize];
        (record.is_leaf() && !record.numbers.is_solved()).then_some(id)
    }
}
