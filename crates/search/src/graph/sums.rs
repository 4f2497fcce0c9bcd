//! Sums as nodes of a graph.
//!
//! Paper: Čížek, Balko and Schmid 2025, "Proof-Number Search with Grundy Numbers".
//!
//! A link of a sum is the question that one part stands at: the part with the first heap with
//! which it is not known to be a win. To find out what the part is worth takes either outcome
//! of that, whichever is easier; a sum takes all its parts, so its numbers are the sum of those.
//! When a part is known, the sum comes down to what is left, which is a branch of its own and
//! perhaps in the graph already: the sum's node then has one link, to that.
//!
//! Differences: the paper goes on with the first part, we with the cheapest; the last part is
//! not spared until the others are known, so that its numbers count too.
//!
//! Invariant: link `i` of a sum belongs to part `i`; between two steps none of them is solved.

use bouton_game::{Nimber, Outcome};
use bouton_table::{INFINITY, Numbers, add};
use smallvec::SmallVec;

use super::record::{REST, SUM};
use super::{Context, First, Graph, Id, Looked, Made, NONE};
use crate::space::{Branch, Space, solved};
use crate::watch::Stop;

/// Where a part of a sum stands.
enum Question {
    /// Is this node, the part with this heap, a loss?
    Open(Id, Nimber),
    /// It is worth this heap.
    Worth(Nimber),
}

impl<S: Space> Graph<S> {
    /// The node of a sum, or of what is left of it without the parts that are known.
    pub(super) fn make_sum(
        &mut self,
        context: &mut Context<S>,
        sum: S::Sum,
        looked: Looked,
        first: &First<S>,
    ) -> Result<Made, Stop> {
        let mut questions: SmallVec<[(Id, Nimber); 4]> = SmallVec::new();
        for part in 0..context.space.parts(&sum) {
            match self.question(context, &sum, part, 0, first)? {
                Question::Open(id, heap) => questions.push((id, heap)),
                Question::Worth(nimber) => {
                    let rest = context.space.resolve(sum, part, nimber);
                    return self.make(context, rest, first);
                }
            }
        }
        if !self.fits(1, questions.len(), 0) {
            return Err(Stop::Memory);
        }
        let id = self.add(Branch::Sum(sum), looked)?;
        let record = &mut self.records[id as usize];
        record.start = self.links.len() as Id;
        record.count = questions.len() as u32;
        record.count |= SUM;
        for (child, heap) in questions {
            self.add_link(id, child, heap);
        }
        let numbers = self.total(id);
        self.records[id as usize].numbers = numbers;
        Ok(Made::Open(id))
    }

    /// The question that a part stands at, if it is a win with all lesser heaps.
    fn question(
        &mut self,
        context: &mut Context<S>,
        sum: &S::Sum,
        part: usize,
        mut heap: Nimber,
        first: &First<S>,
    ) -> Result<Question, Stop> {
        if let Some(nimber) = context.space.nimber(sum, part) {
            return Ok(Question::Worth(nimber));
        }
        loop {
            let node = context.space.term(sum, part, heap);
            match self.make(context, Branch::Node(node), first)? {
                Made::Open(id) => return Ok(Question::Open(id, heap)),
                Made::Solved(Outcome::Loss) => return Ok(Question::Worth(heap)),
                Made::Solved(Outcome::Win) => heap += 1,
            }
        }
    }

    /// The numbers of a sum after something has changed: questions that are answered make room
    /// for the next ones.
    pub(super) fn survey(
        &mut self,
        context: &mut Context<S>,
        id: Id,
        first: &First<S>,
    ) -> Result<Numbers, Stop> {
        for (part, link) in self.records[id as usize].links().enumerate() {
            let numbers = self.numbers(self.links[link].child);
            if !numbers.is_solved() {
                continue;
            }
            let Branch::Sum(sum) = self.branches[id as usize].clone() else {
                unreachable!("only sums have parts");
            };
            let heap = self.heaps[link];
            let question = if numbers.is_loss() {
                Question::Worth(heap)
            } else {
                self.question(context, &sum, part, heap + 1, first)?
            };
            match question {
                Question::Open(child, heap) => self.ask(link, child, heap),
                Question::Worth(nimber) => {
                    let rest = context.space.resolve(sum, part, nimber);
                    let rest = self.make(context, rest, first)?;
                    return self.come_down_to(id, rest);
                }
            }
        }
        Ok(self.total(id))
    }

    /// Lets a link lead to the next question. The one before is solved, and nobody asks for the
    /// parents of what is solved: the link can be used again.
    fn ask(&mut self, link: usize, child: Id, heap: Nimber) {
        let parents = &mut self.records[child as usize].parents;
        self.links[link].next = std::mem::replace(parents, link as Id);
        self.links[link].child = child;
        self.heaps[link] = heap;
    }

    /// Makes a sum the same as what is left of it. Its links stay in the chains of parents of
    /// open questions, so it gets a new one.
    fn come_down_to(&mut self, id: Id, rest: Made) -> Result<Numbers, Stop> {
        let child = match rest {
            Made::Solved(outcome) => return Ok(solved(outcome)),
            Made::Open(child) => child,
        };
        if !self.fits(0, 1, 0) {
            return Err(Stop::Memory);
        }
        let record = &mut self.records[id as usize];
        record.start = self.links.len() as Id;
        record.count = REST | 1;
        record.best = child;
        self.add_link(id, child, 0);
        Ok(self.numbers(child))
    }

    /// What it takes to find out what all parts are worth; finds the cheapest.
    fn total(&mut self, id: Id) -> Numbers {
        let links = self.records[id as usize].links();
        let (mut least, mut best, mut total) = (INFINITY, NONE, 0);
        for link in &self.links[links] {
            let cost = self.records[link.child as usize].numbers.either();
            total = add(total, cost);
            if cost < least {
                (least, best) = (cost, link.child);
            }
        }
        self.records[id as usize].best = best;
        Numbers::open(total, total)
    }
}
