//! Depth-first proof-number search (df-pn), with and without Grundy numbers.
//!
//! Papers: Nagai 2002; thresholds for sums after Čížek, Balko and Schmid 2025, theorem 2; the
//! factor 1 + epsilon after Pawlewicz and Lew 2007.
//!
//! The search always works on the most-proving node: the leaf whose solution would help the root
//! most. It stays below a node as long as that leaf must lie there, which the node's numbers
//! say: they have to stay below thresholds. So only the path to the leaf is held in memory, with
//! the branches of each node on it; of the rest the table remembers what it can.
//!
//! Differences: branches come from a [`Space`], which may have sums or not; sums are not stored,
//! since their numbers follow from those of their parts; the part of a sum to go on with is
//! the cheapest, if [`Options::cheapest_part`] says so.
//!
//! Invariants: what is solved is true, whatever the table forgets. A node keeps the numbers of
//! its branches while it is on the path, so the search comes to an end without any table.

mod path;
mod sums;
mod thresholds;

use std::sync::Arc;

use bouton_game::Outcome;
use bouton_table::{INFINITY, Numbers, Table, add};

use crate::prove::{Prover, keep, look_up, tally};
use crate::solver::State;
use crate::space::{Branch, BranchOf, Space, proved, solved};
use crate::watch::{Progress, Stop, Watch};
use path::Frame;
use sums::{Term, Terms, total};
use thresholds::{Thresholds, capped};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// By how much a branch may become worse than the second best before it is left, relative
    /// to that: 0 is the search of the paper, 0.2 changes its mind less often.
    pub epsilon: f64,
    /// Of a sum, go on with the part that seems to be the least work, not with the first.
    pub cheapest_part: bool,
}

impl Options {
    /// The search of the paper.
    pub const PAPER: Self = Self {
        epsilon: 0.0,
        cheapest_part: false,
    };

    /// The best we know.
    pub const BEST: Self = Self {
        epsilon: 0.2,
        cheapest_part: true,
    };
}

/// The algorithm, with what it remembers.
pub struct Dfpn {
    options: Options,
    table: Arc<Table>,
    counts: Progress,
    /// Where a search was stopped, as bytes.
    path: Vec<u8>,
}

impl Dfpn {
    /// A search with a table.
    pub fn new(options: Options, table: Table) -> Self {
        Self {
            options,
            table: Arc::new(table),
            counts: Progress::default(),
            path: Vec::new(),
        }
    }

    /// The numbers of a branch after so many more expansions, or as soon as it is solved.
    pub fn work_on<S: Space>(
        &mut self,
        space: &mut S,
        root: &BranchOf<S>,
        expansions: u64,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let limit = self.counts.expansions.saturating_add(expansions);
        let path = path::decode(space, &self.path).unwrap_or_default();
        let goes_on = match (path.last(), root) {
            (Some(Frame::Node { node, .. }), Branch::Node(root)) => node == root,
            (Some(Frame::Sum { sum, .. }), Branch::Sum(root)) => sum == root,
            _ => false,
        };
        let mut search = Search {
            space,
            options: self.options,
            table: &self.table,
            counts: &mut self.counts,
            limit,
            spare: Vec::new(),
            depth: 0,
            path: if goes_on { path } else { Vec::new() },
        };
        let mut root = root.clone();
        // A path begins with the root as it was asked for.
        if search.path.is_empty() {
            let numbers = search.look(&mut root);
            if numbers.is_solved() {
                return Ok(numbers);
            }
        }
        let found = search.below(&root, Thresholds::NONE, watch);
        let path = std::mem::take(&mut search.path);
        if found.is_err() {
            self.path = path::encode(space, &path).unwrap_or_default();
        } else if goes_on {
            self.path.clear();
        }
        found
    }
}

impl Prover for Dfpn {
    fn prove<S: Space>(
        &mut self,
        space: &mut S,
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let numbers = self.work_on(space, root, u64::MAX, watch)?;
        Ok(proved(numbers).expect("nothing but a solution passes infinite thresholds"))
    }

    fn known<S: Space>(&mut self, space: &mut S, branch: &BranchOf<S>) -> Option<Outcome> {
        look_up(&self.table, space, branch)
    }

    fn state(&self) -> Option<State> {
        Some(State {
            table: Arc::clone(&self.table),
            path: self.path.clone(),
        })
    }

    fn take_path(&mut self, path: Vec<u8>) {
        self.path = path;
    }

    fn progress(&self) -> Progress {
        Progress {
            table_entries: self.table.len() as u64,
            ..self.counts
        }
    }
}

/// A branch of a node on the path, and what is known about it.
struct Choice<S: Space> {
    branch: BranchOf<S>,
    numbers: Numbers,
}

/// The branches of a node, as the space lists them and as the search knows them.
struct Lists<S: Space> {
    branches: Vec<BranchOf<S>>,
    choices: Vec<Choice<S>>,
}

impl<S: Space> Default for Lists<S> {
    fn default() -> Self {
        Self {
            branches: Vec::new(),
            choices: Vec::new(),
        }
    }
}

/// What is known about a node that was just entered.
struct Before {
    /// Its numbers, if there is nothing to choose.
    numbers: Option<Numbers>,
    /// Expansions that went into it.
    work: u64,
}

/// A node's numbers, and where its most-proving leaf is.
struct Selection {
    numbers: Numbers,
    best: usize,
    /// The second least disproof number.
    second: u64,
}

/// A run of the search.
struct Search<'a, S: Space> {
    space: &'a mut S,
    options: Options,
    table: &'a Table,
    counts: &'a mut Progress,
    /// Expansions after which it ends.
    limit: u64,
    /// Lists to be filled again.
    spare: Vec<Lists<S>>,
    depth: usize,
    /// The rest of a path that is taken again, its first node last; after a stop, where it was.
    path: Vec<Frame<S>>,
}

impl<S: Space> Search<'_, S> {
    /// Searches below a branch until a threshold is reached.
    fn below(
        &mut self,
        branch: &BranchOf<S>,
        thresholds: Thresholds,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        match branch {
            Branch::Node(node) => self.below_node(node, thresholds, watch),
            Branch::Sum(sum) => self.below_sum(sum, thresholds, watch),
        }
    }

    fn below_node(
        &mut self,
        node: &S::Node,
        thresholds: Thresholds,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let mut lists = self.spare.pop().unwrap_or_default();
        let known = self.enter(node, &mut lists, watch)?;
        let start = self.counts.expansions;
        self.depth += 1;
        let result = match known.numbers {
            Some(numbers) => Ok(numbers),
            None => self.choose(&mut lists.choices, thresholds, watch),
        };
        self.depth -= 1;
        let work = known.work + (self.counts.expansions - start);
        // A stop leaves the table as it was when the path was entered; the path is kept itself.
        let numbers = result.inspect_err(|_| {
            self.path.push(Frame::Node {
                node: node.clone(),
                choices: std::mem::take(&mut lists.choices),
                work,
            });
        })?;
        keep(self.space, self.table, node, numbers, work);
        self.spare.push(lists);
        Ok(numbers)
    }

    /// Fills the list of a node: by expanding it, or with what it was when a path was left.
    fn enter(
        &mut self,
        node: &S::Node,
        lists: &mut Lists<S>,
        watch: &mut Watch,
    ) -> Result<Before, Stop> {
        if let Some(Frame::Node { node: left, .. }) = self.path.last()
            && left == node
            && let Some(Frame::Node { choices, work, .. }) = self.path.pop()
        {
            lists.choices = choices;
            return Ok(Before {
                numbers: None,
                work,
            });
        }
        self.path.clear();
        self.counts.expansions += 1;
        self.tick(watch)?;
        let outcome = self.space.expand(node, &mut lists.branches)?;
        while let Some(win) = self.space.another_win() {
            keep(self.space, self.table, &win, Numbers::WIN, 1);
        }
        let numbers = match outcome {
            Some(outcome) => Some(solved(outcome)),
            None => self.look_at_all(lists),
        };
        Ok(Before { numbers, work: 1 })
    }

    /// The numbers of all branches, as far as they are known; unless one of them decides.
    fn look_at_all(&mut self, Lists { branches, choices }: &mut Lists<S>) -> Option<Numbers> {
        choices.clear();
        // The entries come from memory side by side.
        for branch in branches.iter() {
            if let Branch::Node(node) = branch {
                self.table.touch(self.space.key(node));
            }
        }
        for mut branch in branches.drain(..) {
            let numbers = self.look(&mut branch);
            choices.push(Choice { branch, numbers });
            if numbers.is_loss() {
                return Some(Numbers::WIN);
            }
        }
        None
    }

    /// The loop: select, search below, update, until a threshold is reached.
    fn choose(
        &mut self,
        choices: &mut [Choice<S>],
        thresholds: Thresholds,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        loop {
            let selection = Self::select(choices);
            let numbers = selection.numbers;
            if !thresholds.allow::<S>(numbers) || self.counts.expansions >= self.limit {
                return Ok(numbers);
            }
            self.note(choices);
            let best = &choices[selection.best];
            let second = self.patience(selection.second);
            let thresholds = thresholds.of_branch(numbers, best.numbers, second);
            let found = self.below(&best.branch, thresholds, watch)?;
            choices[selection.best].numbers = found;
            if found.is_loss() {
                return Ok(Numbers::WIN);
            }
            if S::HAS_SUMS {
                self.look_again(choices, selection.best);
            }
        }
    }

    /// Reads what may have been found out about the other branches meanwhile. Numbers that have
    /// become less were forgotten and are no news: to believe them could go on forever.
    fn look_again(&mut self, choices: &mut [Choice<S>], searched: usize) {
        for (index, choice) in choices.iter_mut().enumerate() {
            let before = choice.numbers;
            if index != searched && !before.is_solved() {
                let found = self.look_or(&mut choice.branch, Some(before));
                choice.numbers = match found.is_solved() {
                    true => found,
                    false => found.at_least(before),
                };
            }
        }
    }

    /// The numbers of a branch, as far as they are known.
    #[inline]
    fn look(&mut self, branch: &mut BranchOf<S>) -> Numbers {
        self.look_or(branch, None)
    }

    /// The numbers of a branch: those in the table, or those from before, or first ones. A sum
    /// of which only one part is left becomes that part.
    #[inline]
    fn look_or(&mut self, branch: &mut BranchOf<S>, before: Option<Numbers>) -> Numbers {
        if let Branch::Sum(_) = branch {
            let mut terms = Terms::new();
            self.survey(branch, &mut terms);
            if let Branch::Sum(_) = branch {
                let total = total(&terms);
                return Numbers::open(total, total);
            }
        }
        match branch {
            Branch::Node(node) => self.look_node(node, before),
            Branch::Sum(_) => unreachable!("it has returned"),
        }
    }

    #[inline]
    fn look_node(&mut self, node: &S::Node, before: Option<Numbers>) -> Numbers {
        let stored = self.table.get(self.space.key(node));
        let stored = stored.map(|entry| entry.numbers);
        if let Some(numbers) = stored.filter(|numbers| numbers.is_solved()) {
            return numbers;
        }
        if let Some(outcome) = self.space.known(node) {
            return solved(outcome);
        }
        stored.or(before).unwrap_or_else(|| {
            self.counts.evaluations += 1;
            self.space.assess(node)
        })
    }

    /// The numbers of a node with these branches, and the branch to go on with.
    #[inline]
    fn select(choices: &[Choice<S>]) -> Selection {
        let (mut least, mut second, mut best) = (INFINITY, INFINITY, 0);
        let mut disproof = 0;
        for (index, choice) in choices.iter().enumerate() {
            disproof = add(disproof, choice.numbers.proof);
            let cost = choice.numbers.disproof;
            if cost < least {
                (least, second, best) = (cost, least, index);
            } else if cost < second {
                second = cost;
            }
        }
        let proof = least;
        Selection {
            numbers: Numbers { proof, disproof },
            best,
            second,
        }
    }

    /// The threshold that the second-best branch sets for the best.
    #[inline]
    fn patience(&self, second: u64) -> u64 {
        match second {
            INFINITY => INFINITY,
            _ => capped(second + (second as f64 * self.options.epsilon) as u64 + 1),
        }
    }

    /// Notes how many branches of the root are done.
    fn note(&mut self, choices: &[Choice<S>]) {
        if self.depth == 1 {
            let done = choices.iter().filter(|choice| choice.numbers.is_solved());
            self.counts.root = (done.count(), choices.len());
        }
    }

    #[inline]
    fn tick(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        self.counts.depth = self.depth;
        let (counts, space, table) = (&mut *self.counts, &*self.space, self.table);
        watch.tick(|| tally(space, table, counts))
    }
}
