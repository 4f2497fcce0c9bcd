//! A run of df-pn: the path to the most-proving leaf, and the loop at every node of it.

use bouton_game::Widening;
use bouton_table::{INFINITY, Key, Numbers, Table, add};

use super::path::{self, Frame};
use super::{Company, Options, Terms, Thresholds, attended, patience, total};
use crate::prove::{keep, tally};
use crate::space::{Branch, BranchOf, Space, hashed, solved};
use crate::watch::{Progress, Stop, Watch};

/// A branch of a node on the path, and what is known about it.
pub(crate) struct Choice<S: Space> {
    pub(crate) branch: BranchOf<S>,
    pub(crate) numbers: Numbers,
}

/// The branches of a node, as the space lists them and as the search knows them.
pub(crate) struct Lists<S: Space> {
    pub(crate) branches: Vec<BranchOf<S>>,
    /// The key of each branch that is a node.
    keys: Vec<Option<Key>>,
    pub(crate) choices: Vec<Choice<S>>,
}

impl<S: Space> Default for Lists<S> {
    fn default() -> Self {
        Self {
            branches: Vec::new(),
            keys: Vec::new(),
            choices: Vec::new(),
        }
    }
}

/// What is known about a node that was just entered.
pub(crate) struct Before {
    /// Its numbers, if there is nothing to choose.
    pub(crate) numbers: Option<Numbers>,
    /// Expansions that went into it.
    work: u64,
}

/// A node's numbers, and where its most-proving leaf is.
pub(crate) struct Selection {
    pub(crate) numbers: Numbers,
    pub(crate) best: usize,
    /// The second least disproof number, seen from the best: what others are below that is
    /// taken off.
    pub(crate) second: u64,
}

/// A run of the search.
pub(crate) struct Search<'a, S: Space, C> {
    pub(crate) space: &'a mut S,
    pub(crate) options: Options,
    pub(crate) table: &'a Table,
    pub(crate) counts: &'a mut Progress,
    pub(crate) company: C,
    /// Expansions after which it ends.
    pub(crate) limit: u64,
    /// Lists to be filled again.
    spare: Vec<Lists<S>>,
    pub(crate) widening: Widening,
    depth: usize,
    /// The rest of a path that is taken again, its first node last; after a stop, where it was.
    pub(super) path: Vec<Frame<S>>,
}

impl<'a, S: Space, C: Company> Search<'a, S, C> {
    /// A search without end.
    pub(crate) fn new(
        space: &'a mut S,
        options: Options,
        table: &'a Table,
        counts: &'a mut Progress,
        company: C,
    ) -> Self {
        Self {
            widening: space.widening(),
            space,
            options,
            table,
            counts,
            company,
            limit: u64::MAX,
            spare: Vec::new(),
            depth: 0,
            path: Vec::new(),
        }
    }

    /// Searches below a root until it is solved or the limit is reached, from where a path leads
    /// if it begins there. If it is stopped, the path says where it was, as bytes.
    pub(crate) fn go_on(
        &mut self,
        root: &BranchOf<S>,
        path: &mut Vec<u8>,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let frames = path::decode(self.space, path).unwrap_or_default();
        let goes_on = match (frames.last(), root) {
            (Some(Frame::Node { node, .. }), Branch::Node(root)) => node == root,
            (Some(Frame::Sum { sum, .. }), Branch::Sum(root)) => sum == root,
            _ => false,
        };
        let mut root = root.clone();
        // A path begins with the root as it was asked for.
        if goes_on {
            self.path = frames;
        } else {
            let numbers = self.look(&mut root);
            if numbers.is_solved() {
                return Ok(numbers);
            }
        }
        let found = self.below(&root, Thresholds::NONE, watch);
        let frames = std::mem::take(&mut self.path);
        if found.is_err() {
            *path = path::encode(self.space, &frames).unwrap_or_default();
        } else if goes_on {
            path.clear();
        }
        found
    }

    /// Searches below a branch until a threshold is reached.
    pub(crate) fn below(
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

    pub(super) fn below_node(
        &mut self,
        node: &S::Node,
        thresholds: Thresholds,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let key = if C::ALONE { 0 } else { self.space.key(node) };
        let mut lists = self.spare.pop().unwrap_or_default();
        let table = self.table;
        self.company
            .enter(key, || table.get(key).map_or(0, |entry| entry.work.into()));
        let known = self.enter(node, &mut lists, watch)?;
        let start = self.counts.expansions;
        self.depth += 1;
        let result = match known.numbers {
            Some(numbers) => Ok(numbers),
            None => self.choose(node, &mut lists.choices, thresholds, watch),
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
        self.company.leave(key, numbers.is_solved());
        self.spare.push(lists);
        Ok(numbers)
    }

    /// Fills the list of a node: by expanding it, or with what it was when a path was left.
    pub(super) fn enter(
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
        self.company.step();
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
    fn look_at_all(&mut self, lists: &mut Lists<S>) -> Option<Numbers> {
        let Lists {
            branches,
            keys,
            choices,
        } = lists;
        choices.clear();
        keys.clear();
        // The entries come from memory side by side.
        for branch in branches.iter() {
            let key = match branch {
                Branch::Node(node) => Some(self.space.key(node)),
                Branch::Sum(_) => None,
            };
            if let Some(key) = key {
                self.table.touch(key);
            }
            keys.push(key);
        }
        for (mut branch, &key) in branches.drain(..).zip(&*keys) {
            let numbers = match (&branch, key) {
                // No outcome follows from facts, or the space would not list it.
                (Branch::Node(node), Some(key)) => match self.table.get(key) {
                    Some(entry) => entry.numbers,
                    None => self.assess(node),
                },
                _ => self.look(&mut branch),
            };
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
        node: &S::Node,
        choices: &mut [Choice<S>],
        thresholds: Thresholds,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let start = self.counts.expansions;
        loop {
            let selection = self.select(choices);
            let numbers = selection.numbers;
            if !thresholds.allow::<S>(numbers) || self.is_done() {
                return Ok(numbers);
            }
            self.note(choices);
            let best = &choices[selection.best];
            let second = self.patience(selection.second);
            let mut thresholds = thresholds.of_branch(numbers, best.numbers, second);
            if !C::ALONE {
                thresholds = thresholds.beyond(best.numbers);
            }
            let news = self.space.news();
            let found = self.below(&best.branch, thresholds, watch)?;
            choices[selection.best].numbers = found;
            if found.is_loss() {
                return Ok(Numbers::WIN);
            }
            if found.is_win() {
                self.spread(node, choices, selection.best);
            }
            self.company.note_work(self.counts.expansions - start);
            if S::HAS_SUMS || self.company.shares() {
                let has_news = self.space.news() != news;
                self.look_again(choices, selection.best, has_news);
            }
        }
    }

    /// Whether to leave a node before a threshold is reached.
    #[inline]
    pub(crate) fn is_done(&mut self) -> bool {
        self.counts.expansions >= self.limit || self.company.is_called_back(self.table)
    }

    /// Drops the branches that are won for the same reason as one of them.
    fn spread(&mut self, node: &S::Node, choices: &mut [Choice<S>], won: usize) {
        for other in 0..choices.len() {
            let [branch, of_other] = [won, other].map(|index| &choices[index].branch);
            if !choices[other].numbers.is_solved() && self.space.refutes(node, branch, of_other) {
                choices[other].numbers = Numbers::WIN;
            }
        }
    }

    /// Reads what may have been found out about the other branches meanwhile, and in company about
    /// the one that was searched: in the table, and among the facts if there are new ones. Numbers
    /// that have become less were forgotten and are no news: to believe them could go on forever.
    fn look_again(&mut self, choices: &mut [Choice<S>], searched: usize, has_news: bool) {
        for (index, choice) in choices.iter_mut().enumerate() {
            let before = choice.numbers;
            if (index != searched || self.company.shares()) && !before.is_solved() {
                let found = match &choice.branch {
                    Branch::Node(node) if !has_news => {
                        let stored = self.table.get(self.space.key(node));
                        stored.map_or(before, |entry| entry.numbers)
                    }
                    _ => self.look_or(&mut choice.branch, Some(before)),
                };
                choice.numbers = match found.is_solved() {
                    true => found,
                    false => found.at_least(before),
                };
            }
        }
    }

    /// The numbers of a branch, as far as they are known.
    #[inline]
    pub(crate) fn look(&mut self, branch: &mut BranchOf<S>) -> Numbers {
        self.look_or(branch, None)
    }

    /// The numbers of a branch: those in the table, or those from before, or first ones. A sum
    /// of which only one part is left becomes that part.
    #[inline]
    pub(crate) fn look_or(&mut self, branch: &mut BranchOf<S>, before: Option<Numbers>) -> Numbers {
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
    pub(crate) fn look_node(&mut self, node: &S::Node, before: Option<Numbers>) -> Numbers {
        let stored = self.table.get(self.space.key(node));
        let stored = stored.map(|entry| entry.numbers);
        if let Some(numbers) = stored.filter(|numbers| numbers.is_solved()) {
            return numbers;
        }
        if let Some(outcome) = self.space.known(node) {
            return solved(outcome);
        }
        stored.or(before).unwrap_or_else(|| self.assess(node))
    }

    /// The first numbers of a node.
    #[inline]
    fn assess(&mut self, node: &S::Node) -> Numbers {
        self.counts.evaluations += 1;
        self.space.assess(node)
    }

    /// The numbers of a node with these branches, and the branch to go on with: of those attended
    /// to, the one with the least disproof number, those with others below them seeming dearer.
    #[inline]
    fn select(&self, choices: &[Choice<S>]) -> Selection {
        let (mut least, mut second, mut best) = (INFINITY, INFINITY, 0);
        let (mut proof, mut disproof) = (INFINITY, 0);
        let numbers = choices.iter().map(|choice| choice.numbers);
        let attended = attended(self.widening, numbers);
        for (index, choice) in choices.iter().enumerate() {
            disproof = add(disproof, choice.numbers.proof);
            if index >= attended {
                continue;
            }
            let cost = choice.numbers.disproof;
            proof = proof.min(cost);
            let cost = add(cost, self.crowd(&choice.branch, cost));
            if cost < least {
                (least, second, best) = (cost, least, index);
            } else if cost < second {
                second = cost;
            }
        }
        if second != INFINITY {
            let Choice { branch, numbers } = &choices[best];
            second = second.saturating_sub(self.crowd(branch, numbers.disproof));
        }
        Selection {
            numbers: Numbers { proof, disproof },
            best,
            second,
        }
    }

    /// By how much a branch seems dearer than it is, for the threads below it.
    #[inline]
    fn crowd(&self, branch: &BranchOf<S>, cost: u64) -> u64 {
        if !self.company.shares() || cost == INFINITY {
            return 0;
        }
        self.company.crowd(
            match branch {
                Branch::Node(node) => self.space.key(node),
                Branch::Sum(sum) => hashed(sum),
            },
            cost,
        )
    }

    /// The threshold that the second-best branch sets for the best.
    #[inline]
    pub(crate) fn patience(&self, second: u64) -> u64 {
        patience(second, self.options.epsilon)
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
