//! A job for df-pn: a search within limits, and the branches of its node afterwards, with what is
//! known about them, for whoever goes on elsewhere.

use bouton_table::Numbers;

use super::search::Lists;
use super::{Alone, Company, Dfpn, Search, Terms, Thresholds};
use crate::space::{Branch, BranchOf, Space};
use crate::watch::{Stop, Watch};

/// How long a search goes on.
#[derive(Clone, Copy)]
pub(crate) struct Within {
    pub(crate) thresholds: Thresholds,
    /// Expansions, at least and at most.
    pub(crate) least: u64,
    pub(crate) most: u64,
}

/// A node, one ply further.
pub(crate) enum Listing<S: Space> {
    /// It is solved after all.
    Solved(Numbers),
    /// It is not.
    Open {
        /// The branches that are open.
        open: Vec<(BranchOf<S>, Numbers)>,
        /// What each part of their sums is asked first.
        questions: Vec<(BranchOf<S>, Numbers)>,
    },
}

impl Dfpn {
    /// The numbers of a branch when it is solved, when a threshold is passed, or after the most
    /// expansions.
    pub(crate) fn work_within<S: Space>(
        &mut self,
        space: &mut S,
        root: &BranchOf<S>,
        within: Within,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let start = self.counts.expansions;
        let mut search = Search::new(space, self.options, &self.table, &mut self.counts, Alone);
        search.limit = start.saturating_add(within.most);
        let is_enough = |search: &Search<_, _>| search.counts.expansions - start >= within.least;
        search.work_until(root, within.thresholds, is_enough, watch)
    }

    /// Lists the branches of a node, which counts as an expansion.
    pub(crate) fn list<S: Space>(
        &mut self,
        space: &mut S,
        node: &S::Node,
    ) -> Result<Listing<S>, Stop> {
        let mut search = Search::new(space, self.options, &self.table, &mut self.counts, Alone);
        let mut lists = Lists::default();
        let mut go_on = |_: &_| Ok(());
        let before = search.enter(node, &mut lists, &mut Watch::new(&mut go_on))?;
        if let Some(numbers) = before.numbers {
            return Ok(Listing::Solved(numbers));
        }
        let choices = lists.choices.into_iter();
        let choices = choices.filter(|choice| !choice.numbers.is_solved());
        let open: Vec<_> = choices
            .map(|choice| (choice.branch, choice.numbers))
            .collect();
        if open.is_empty() {
            return Ok(Listing::Solved(Numbers::LOSS));
        }
        let mut questions = Vec::new();
        for (branch, _) in &open {
            search.ask_parts(branch, &mut questions);
        }
        Ok(Listing::Open { open, questions })
    }
}

impl<'a, S: Space, C: Company> Search<'a, S, C> {
    /// The numbers of a branch when it is solved, or all is done; when a threshold is passed, only
    /// if that is enough.
    pub(crate) fn work_until(
        &mut self,
        root: &BranchOf<S>,
        mut thresholds: Thresholds,
        is_enough: impl Fn(&Search<'a, S, C>) -> bool,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let mut root = root.clone();
        let mut numbers = self.look(&mut root);
        while !numbers.is_solved() && !self.is_done() {
            if !thresholds.allow::<S>(numbers) {
                if is_enough(self) {
                    break;
                }
                thresholds = thresholds.beyond(numbers);
            }
            numbers = self.below(&root, thresholds, watch)?;
        }
        Ok(numbers)
    }
}

impl<S: Space> Search<'_, S, Alone> {
    /// Lists the questions that the parts of a sum stand at.
    fn ask_parts(&mut self, branch: &BranchOf<S>, into: &mut Vec<(BranchOf<S>, Numbers)>) {
        let mut terms = Terms::new();
        let mut branch = branch.clone();
        self.survey(&mut branch, &mut terms);
        if let Branch::Sum(sum) = &branch {
            for (part, term) in terms.iter().enumerate() {
                let node = self.space.term(sum, part, term.heap);
                into.push((Branch::Node(node), term.numbers));
            }
        }
    }
}
