//! Brings the numbers of a graph up to date after something has changed.
//!
//! Changes go up through all parents, those that are nearer first, until nothing changes any
//! more. If only one child of a node has changed, its siblings need no look, unless it was the
//! best and has become worse; so of equally good children the one that was the best stays it.
//!
//! Invariant: a node's numbers are those that its links had before the changes that wait for it
//! in the queue.

use bouton_table::{INFINITY, LARGEST, Numbers, add};

use super::record::{Change, FLAG, Kind, Link, SEVERAL};
use super::{Context, First, Graph, Id, NONE};
use crate::shelf::WORTH_KEEPING;
use crate::space::{Branch, Space, proved};
use crate::watch::Stop;

impl<S: Space> Graph<S> {
    /// Computes the numbers of all nodes in the queue anew, and of all that depend on them.
    pub(super) fn update(
        &mut self,
        context: &mut Context<S>,
        first: &First<S>,
    ) -> Result<(), Stop> {
        while let Some(change) = self.queue.pop_front() {
            let record = &mut self.records[change.node as usize];
            let several = record.count & SEVERAL != 0;
            record.count &= !(FLAG | SEVERAL);
            if record.numbers.is_solved() {
                continue;
            }
            let numbers = match record.kind() {
                Kind::Choice if several => self.choose(change.node),
                Kind::Choice => self.choose_after(change),
                Kind::Sum => self.survey(context, change.node, first)?,
                // Not of the child that changed: links of its time as a sum still lead here.
                Kind::Rest => {
                    let rest = record.best;
                    self.numbers(rest)
                }
            };
            self.settle(context, change.node, numbers);
        }
        Ok(())
    }

    /// Gives a node its numbers. If they are new, its parents join the queue.
    pub(super) fn settle(&mut self, context: &mut Context<S>, id: Id, numbers: Numbers) {
        let record = &mut self.records[id as usize];
        if record.numbers == numbers {
            return;
        }
        let before = std::mem::replace(&mut record.numbers, numbers);
        let mut link = record.parents;
        while link != NONE {
            let Link { parent, next, .. } = self.links[link as usize];
            self.enqueue(Change {
                node: parent,
                child: id,
                before,
            });
            link = next;
        }
        if let Some(outcome) = proved(numbers) {
            self.records[id as usize].parents = NONE;
            if let Branch::Node(node) = &self.branches[id as usize] {
                // A graph does not count the work behind a node; it was expanded, or it was seen.
                let work = match self.records[id as usize].is_leaf() {
                    true => 0,
                    false => WORTH_KEEPING,
                };
                context.space.learn(node, outcome, work);
            }
        }
    }

    #[inline]
    fn enqueue(&mut self, change: Change) {
        let record = &mut self.records[change.node as usize];
        if record.is_flagged() {
            record.count |= SEVERAL;
        } else if !record.numbers.is_solved() {
            record.count |= FLAG;
            self.queue.push_back(change);
        }
    }

    /// The numbers of a node whose player chooses, after one child has changed. Only if that
    /// was the best and is worse now, the others have to be looked at.
    #[inline]
    fn choose_after(&mut self, change: Change) -> Numbers {
        let after = self.numbers(change.child);
        let record = &mut self.records[change.node as usize];
        let Numbers { proof, disproof } = record.numbers;
        // Where a sum has reached the largest number, nobody knows what it would have been.
        let exact = disproof < LARGEST && after.proof < LARGEST;
        let worse = change.child == record.best && after.disproof > proof;
        if !exact || worse {
            return self.choose(change.node);
        }
        if after.disproof < proof {
            record.best = change.child;
        }
        Numbers {
            proof: proof.min(after.disproof),
            disproof: add(disproof - change.before.proof, after.proof),
        }
    }

    /// The numbers of a node whose player chooses; finds its best child.
    #[inline]
    pub(super) fn choose(&mut self, id: Id) -> Numbers {
        let links = self.records[id as usize].links();
        let (mut least, mut best, mut disproof) = (INFINITY, NONE, 0);
        for link in &self.links[links] {
            let numbers = self.records[link.child as usize].numbers;
            disproof = add(disproof, numbers.proof);
            if numbers.disproof < least {
                (least, best) = (numbers.disproof, link.child);
            }
        }
        self.records[id as usize].best = best;
        Numbers {
            proof: least,
            disproof,
        }
    }
}
