//! Which leaf to go on with while threads search others: Kaneko's congestion term.
//!
//! Paper: Kaneko 2010; the thesis on Konane, sections 2.5 and 3.7, for the first level of PN².
//!
//! On the way down a child counts as one more for each thread below it. Differences: a leaf that
//! is being searched is not searched again; whoever comes to it takes the next best.

use std::collections::{HashMap, HashSet};

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

/// A way down, as far as it goes.
struct Walk<'a> {
    crowd: &'a Crowd,
    way: Vec<Id>,
    /// Nodes with nothing but busy leaves below: many ways may lead to each.
    barren: HashSet<Id, FixedState>,
}

impl<S: Space> Graph<S> {
    /// The way to the most-proving leaf of those that nobody searches; none if there is none.
    pub(crate) fn select_apart(&self, crowd: &Crowd) -> Option<Vec<Id>> {
        let mut walk = Walk {
            crowd,
            way: Vec::new(),
            barren: HashSet::default(),
        };
        self.go_apart(self.root, &mut walk).then_some(walk.way)
    }

    fn go_apart(&self, id: Id, walk: &mut Walk) -> bool {
        if walk.barren.contains(&id) {
            return false;
        }
        let record = &self.records[id as usize];
        let is_busy = walk.crowd.at(id) > 0;
        walk.way.push(id);
        let found = if record.is_leaf() {
            !is_busy
        } else if !is_busy && self.go_apart(record.best, walk) {
            true
        } else {
            self.go_where_few_are(id, walk)
        };
        if !found {
            walk.way.pop();
            walk.barren.insert(id);
        }
        found
    }

    /// Tries the children of a node, one after the other.
    fn go_where_few_are(&self, id: Id, walk: &mut Walk) -> bool {
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
                (add(cost, walk.crowd.at(child)), child)
            })
            .collect();
        // Of equals the first, as where nobody is; so the order must be kept.
        costs.sort_by_key(|&(cost, _)| cost);
        let mut costs = costs.into_iter();
        costs.any(|(_, child)| self.go_apart(child, walk))
    }

    /// The leaf of a branch, if there is one that is not solved.
    pub(crate) fn leaf(&self, branch: &BranchOf<S>) -> Option<Id> {
        let id = self.find(branch, hash(branch))?;
        let record = &self.records[id as usize];
        (record.is_leaf() && !record.numbers.is_solved()).then_some(id)
    }
}
