//! What a graph needs whose leaves are searched by others: numbers that come from outside.

use std::collections::{HashSet, VecDeque};

use bouton_table::{INFINITY, Numbers};
use foldhash::fast::FixedState;

use super::record::Kind;
use super::{Context, First, Graph, Id, NONE, Step, hash};
use crate::dfpn::{Thresholds, patience};
use crate::space::{BranchOf, Space};
use crate::watch::Stop;

/// The branches of a developed node that are open, and the node itself.
pub(crate) struct Developed<'a, S: Space> {
    pub(crate) node: &'a BranchOf<S>,
    pub(crate) branches: Vec<&'a BranchOf<S>>,
}

impl<S: Space> Graph<S> {
    /// Links a leaf to branches that somebody else has listed; `first` knows their numbers.
    pub(crate) fn take_over(
        &mut self,
        context: &mut Context<S>,
        leaf: Id,
        mut list: Vec<BranchOf<S>>,
        first: &First<S>,
    ) -> Result<Step, Stop> {
        self.grow(context, leaf, &mut list, first)
    }

    /// How far a leaf may be searched before another is the most-proving one, as df-pn would see
    /// it that has come this way, with so much patience.
    pub(crate) fn thresholds(&self, way: &[Id], epsilon: f64) -> Thresholds {
        let mut thresholds = Thresholds::NONE;
        for step in way.windows(2) {
            let (record, child) = (&self.records[step[0] as usize], self.numbers(step[1]));
            thresholds = match record.kind() {
                Kind::Choice => {
                    let second = self.second(step[0], step[1], epsilon);
                    thresholds.of_branch(record.numbers, child, second)
                }
                Kind::Sum => thresholds.of_part(record.numbers.proof, child.either()),
                Kind::Rest => thresholds,
            };
        }
        match way.last() {
            Some(&leaf) => thresholds.beyond(self.numbers(leaf)),
            None => thresholds,
        }
    }

    /// The threshold that the best of the other branches sets for one.
    fn second(&self, id: Id, branch: Id, epsilon: f64) -> u64 {
        let others = self.open_children(id).filter(|&child| child != branch);
        let least = others.map(|child| self.numbers(child).disproof).min();
        least.map_or(INFINITY, |least| patience(least, epsilon))
    }

    /// Gives a leaf other numbers, or any open node its outcome.
    pub(crate) fn renumber(
        &mut self,
        context: &mut Context<S>,
        id: Id,
        numbers: Numbers,
    ) -> Result<(), Stop> {
        self.settle(context, id, numbers);
        self.update(context, &First::Unit)
    }

    /// The root's numbers.
    pub(crate) fn root_numbers(&self) -> Numbers {
        self.numbers(self.root)
    }

    /// The open node of a branch, if there is one.
    pub(crate) fn open(&self, branch: &BranchOf<S>) -> Option<Id> {
        let id = self.find(branch, hash(branch))?;
        (!self.numbers(id).is_solved()).then_some(id)
    }

    /// Whether the root could still depend on a node.
    pub(crate) fn is_needed(&self, id: Id) -> bool {
        let mut seen = HashSet::<Id, FixedState>::default();
        let mut above = vec![id];
        while let Some(id) = above.pop() {
            if self.numbers(id).is_solved() || !seen.insert(id) {
                continue;
            }
            if id == self.root {
                return true;
            }
            let mut link = self.records[id as usize].parents;
            while link != NONE {
                above.push(self.links[link as usize].parent);
                link = self.links[link as usize].next;
            }
        }
        false
    }

    /// All nodes that are no sums, with their numbers.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (&BranchOf<S>, Numbers)> {
        let nodes = self.branches.iter().zip(&self.records);
        let couples = nodes.filter(|(_, record)| record.kind() == Kind::Choice);
        couples.map(|(branch, record)| (branch, record.numbers))
    }

    /// The developed ones of those that are open and that the root depends on, parents before
    /// children.
    pub(crate) fn developed(&self) -> Vec<Developed<'_, S>> {
        let nodes = self.below_root().into_iter();
        let developed = nodes.filter(|&id| {
            let record = &self.records[id as usize];
            record.kind() == Kind::Choice && !record.is_leaf()
        });
        developed
            .map(|id| Developed {
                node: self.branch(id),
                branches: self.open_children(id).map(|id| self.branch(id)).collect(),
            })
            .collect()
    }

    fn open_children(&self, id: Id) -> impl Iterator<Item = Id> {
        let record = &self.records[id as usize];
        let links = match record.is_leaf() {
            true => 0..0,
            false => record.links(),
        };
        let children = self.links[links].iter().map(|link| link.child);
        children.filter(|&child| !self.numbers(child).is_solved())
    }

    /// Open nodes, the nearest to the root first.
    fn below_root(&self) -> Vec<Id> {
        let mut seen = HashSet::<Id, FixedState>::default();
        let mut queue = VecDeque::from([self.root]);
        let mut order = Vec::new();
        while let Some(id) = queue.pop_front() {
            if seen.insert(id) {
                order.push(id);
                queue.extend(self.open_children(id));
            }
        }
        order
    }
}
