//! Sums in df-pn: which part to search, and with which heap beside it.
//!
//! Paper: Čížek, Balko and Schmid 2025, decomposable nodes. A sum says nothing before all parts of
//! it but one are worth something, so it costs what finding out their nimbers costs: the sum of the
//! lesser numbers of the questions that the parts stand at.
//!
//! Difference: the part to go on with is the cheapest, if the options say so, not the first.

use bouton_game::Nimber;
use bouton_table::{INFINITY, Numbers, add};
use smallvec::SmallVec;

use super::path::Frame;
use super::thresholds::Thresholds;
use super::{Company, Search};
use crate::space::{Branch, BranchOf, Space, hashed};
use crate::watch::{Stop, Watch};

impl<S: Space, C: Company> Search<'_, S, C> {
    /// A sum says nothing before all parts of it but one are worth something.
    pub(crate) fn below_sum(
        &mut self,
        sum: &S::Sum,
        thresholds: Thresholds,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let mut branch = Branch::Sum(sum.clone());
        let mut terms = Terms::new();
        match self.left_sum(sum) {
            Some((rest, left)) => (branch, terms) = (rest, left),
            None => self.survey(&mut branch, &mut terms),
        }
        let key = if C::ALONE { 0 } else { hashed(sum) };
        // How much went into a sum is not kept; what went into its parts is.
        self.company.enter(key, || u64::MAX);
        let result = self.resolve(&mut branch, &mut terms, thresholds, watch);
        let numbers = result.inspect_err(|_| {
            self.path.push(Frame::Sum {
                sum: sum.clone(),
                rest: branch,
                terms,
            });
        })?;
        self.company.leave(key, false);
        Ok(numbers)
    }

    /// What a sum was when a path was left.
    fn left_sum(&mut self, sum: &S::Sum) -> Option<(BranchOf<S>, Terms)> {
        match self.path.pop() {
            Some(Frame::Sum {
                sum: left,
                rest,
                terms,
            }) if left == *sum => Some((rest, terms)),
            _ => {
                self.path.clear();
                None
            }
        }
    }

    /// One part of a surveyed sum after the other, until a threshold is reached.
    fn resolve(
        &mut self,
        branch: &mut BranchOf<S>,
        terms: &mut Terms,
        thresholds: Thresholds,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        loop {
            let sum = match &*branch {
                Branch::Sum(sum) => sum,
                Branch::Node(node) => {
                    let numbers = self.look_node(node, None);
                    return match thresholds.allow::<S>(numbers) {
                        true => self.below_node(node, thresholds, watch),
                        false => Ok(numbers),
                    };
                }
            };
            let total = total(terms);
            let numbers = Numbers::open(total, total);
            if !thresholds.allow::<S>(numbers) || self.is_done() {
                return Ok(numbers);
            }
            let part = self.part_to_go_on_with(sum, terms);
            let node = self.space.term(sum, part, terms[part].heap);
            let mut of_part = thresholds.of_part(total, terms[part].numbers.either());
            if !C::ALONE {
                of_part = of_part.beyond(terms[part].numbers);
            }
            terms[part].numbers = self.below_node(&node, of_part, watch)?;
            self.survey(branch, terms);
        }
    }

    /// Finds the question that each part of a sum stands at: the first heap with which it is
    /// not known to be a win. A part that is known leaves the sum.
    pub(crate) fn survey(&mut self, branch: &mut BranchOf<S>, terms: &mut Terms) {
        let mut part = 0;
        while let Branch::Sum(sum) = branch
            && part < self.space.parts(sum)
        {
            if terms.len() == part {
                terms.push(Term::FIRST);
            }
            match self.question(sum, part, terms[part]) {
                Question::Open(term) => {
                    terms[part] = term;
                    part += 1;
                }
                Question::Worth(nimber) => {
                    terms.remove(part);
                    *branch = self.space.resolve(sum.clone(), part, nimber);
                }
            }
        }
    }

    /// The question a part stands at, from one where it stood before.
    fn question(&mut self, sum: &S::Sum, part: usize, mut term: Term) -> Question {
        if let Some(nimber) = self.space.nimber(sum, part) {
            return Question::Worth(nimber);
        }
        loop {
            if term.numbers.is_loss() {
                return Question::Worth(term.heap);
            }
            if term.numbers.is_win() {
                term = Term {
                    heap: term.heap + 1,
                    numbers: Term::FIRST.numbers,
                };
            }
            let before = (term.numbers != Term::FIRST.numbers).then_some(term.numbers);
            let node = self.space.term(sum, part, term.heap);
            term.numbers = self.look_node(&node, before);
            if !term.numbers.is_solved() {
                return Question::Open(term);
            }
        }
    }

    /// In company always the cheapest, so that threads take different parts.
    fn part_to_go_on_with(&self, sum: &S::Sum, terms: &[Term]) -> usize {
        if C::ALONE && !self.options.cheapest_part {
            return 0;
        }
        let cost = |&part: &usize| {
            let cost = terms[part].numbers.either();
            if !self.company.shares() {
                return cost;
            }
            let node = self.space.term(sum, part, terms[part].heap);
            add(cost, self.company.crowd(self.space.key(&node), cost))
        };
        (0..terms.len()).min_by_key(cost).unwrap_or(0)
    }
}

/// The parts of a sum.
pub(crate) type Terms = SmallVec<[Term; 4]>;

/// A part of a sum with the heap in question.
#[derive(Clone, Copy)]
pub(crate) struct Term {
    pub(crate) heap: Nimber,
    pub(crate) numbers: Numbers,
}

impl Term {
    /// Nothing is known yet: numbers that no node has.
    const FIRST: Self = Self {
        heap: 0,
        numbers: Numbers {
            proof: INFINITY,
            disproof: INFINITY,
        },
    };
}

/// Where a part of a sum stands.
enum Question {
    /// Is it a loss with this heap?
    Open(Term),
    /// It is worth this heap.
    Worth(Nimber),
}

/// What it takes to find out what all parts are worth.
pub(crate) fn total(terms: &[Term]) -> u64 {
    let costs = terms.iter().map(|term| term.numbers.either());
    costs.fold(0, add)
}
