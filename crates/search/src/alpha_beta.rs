//! Alpha-beta for outcomes, with iterative deepening and a table: what proof-number search is
//! compared with.
//!
//! Paper: Knuth and Moore 1975; set up and counted as in the Konane thesis, section 3.8. A
//! search to some depth finds a win, a loss, or neither: three values, so the window has one of
//! three forms (`Window`), and as soon as one move is known not to lose within the depth the
//! rest of the search is all yes or no. Depth by depth until the root is solved.
//!
//! The table keeps two numbers of a node, in place of proof and disproof numbers: the least
//! depth at which a win may still be proved, and the least for a loss; 0 if it is proved, 1 if
//! nothing is known. Like proof numbers they go up by minimum and, here, maximum.
//!
//! Differences: a leaf is looked at only for an outcome that follows at once, not for a value;
//! the same look sorts the moves, by the least disproof number first. All branches of a node
//! are looked up before one is searched. The parts of a sum are searched to the depth of the
//! sum, beside one heap after the other.
//!
//! Invariant: what is solved is true. What is kept about depths is a hint: facts found
//! meanwhile may prove more than it says.

use bouton_game::{Nimber, Outcome};
use bouton_table::{INFINITY, Numbers, Replacement, Table, add};

use crate::prove::{Prover, keep, look_up, tally};
use crate::space::{Branch, BranchOf, Space, proved, solved};
use crate::watch::{Progress, Stop, Watch};

/// The algorithm, with what it remembers.
pub struct AlphaBeta {
    table: Table,
    counts: Progress,
}

impl AlphaBeta {
    /// A search with a table of so many bytes.
    pub fn new(memory: usize) -> Self {
        Self {
            table: Table::new(memory / 16 * 15, Replacement::LeastWork),
            counts: Progress::default(),
        }
    }
}

impl Prover for AlphaBeta {
    /// Searches deeper and deeper. A game has an end, so there is a depth that suffices.
    fn prove<S: Space>(
        &mut self,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let mut search = Search {
            space: &mut spaces[0],
            table: &self.table,
            counts: &mut self.counts,
            horizon: 0,
            levels: 0,
            spare: Vec::new(),
        };
        loop {
            let numbers = search.branch(root, search.horizon, Window::Both, watch)?;
            if let Some(outcome) = proved(numbers) {
                return Ok(outcome);
            }
            search.levels = search.horizon + 1;
            search.horizon = numbers.either().max(search.levels);
        }
    }

    fn known<S: Space>(&mut self, space: &mut S, branch: &BranchOf<S>) -> Option<Outcome> {
        look_up(&self.table, space, branch)
    }

    fn progress(&self) -> Progress {
        Progress {
            table_entries: self.table.len() as u64,
            ..self.counts
        }
    }
}

/// Which answers are still of interest: alpha and beta, for values that are a win, a loss or
/// unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Window {
    /// Any.
    Both,
    /// Whether it is a win; unknown is no better than a loss.
    Win,
    /// Whether it is a loss; unknown is as good as a win.
    Loss,
}

impl Window {
    /// The window of a branch.
    fn of_branch(self) -> Self {
        match self {
            Self::Both => Self::Both,
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
        }
    }

    /// Whether numbers say all there is to find out within a depth.
    #[inline]
    fn is_closed(self, numbers: Numbers, depth: u64) -> bool {
        let (no_win, no_loss) = (numbers.proof > depth, numbers.disproof > depth);
        numbers.is_solved()
            || match self {
                Self::Both => no_win && no_loss,
                Self::Win => no_win,
                Self::Loss => no_loss,
            }
    }

    /// Whether a branch with these numbers, to be searched to a depth, makes all others idle.
    #[inline]
    fn is_cut_by(self, branch: Numbers, depth: u64) -> bool {
        branch.is_loss() || (self == Self::Loss && branch.proof > depth)
    }

    /// The window for the other branches of a node.
    #[inline]
    fn after(self, branch: Numbers) -> Self {
        match self {
            // With this branch it is no loss within the depth.
            Self::Both if !branch.is_solved() => Self::Win,
            _ => self,
        }
    }
}

/// A branch of a node on the path, and what is known about it.
struct Choice<S: Space> {
    branch: BranchOf<S>,
    numbers: Numbers,
    /// How much work it seems to be to show that it is a loss.
    cost: u64,
}

/// The lists of a node on the path: its branches before and after the first look at them.
type Lists<S> = (Vec<Choice<S>>, Vec<BranchOf<S>>);

/// A run of the search.
struct Search<'a, S: Space> {
    space: &'a mut S,
    table: &'a Table,
    counts: &'a mut Progress,
    /// How deep this iteration goes.
    horizon: u64,
    /// How many levels of the tree earlier iterations have reached.
    levels: u64,
    /// Lists to be filled again.
    spare: Vec<Lists<S>>,
}

impl<S: Space> Search<'_, S> {
    /// Searches a branch to a depth, from the first look at it on.
    fn branch(
        &mut self,
        branch: &BranchOf<S>,
        depth: u64,
        window: Window,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        match branch {
            Branch::Node(node) => self.node(node, depth, window, watch),
            Branch::Sum(sum) => self.sum(sum, depth, window, watch),
        }
    }

    fn node(
        &mut self,
        node: &S::Node,
        depth: u64,
        window: Window,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let before = self.look(node);
        // A table does not say whether a leaf was looked at: that is for the assessment.
        if before.is_solved() || (depth > 0 && window.is_closed(before, depth)) {
            return Ok(before);
        }
        let assessed = self.assess(node, depth);
        if depth == 0 || assessed.is_solved() {
            return Ok(at_once(assessed));
        }
        self.inner(node, depth, window, watch)
    }

    /// Searches below a node that had its first look, and keeps what it finds out.
    fn inner(
        &mut self,
        node: &S::Node,
        depth: u64,
        window: Window,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        // The search of another branch may have come by since the first look.
        let before = self.look(node);
        if window.is_closed(before, depth) {
            return Ok(before);
        }
        self.counts.expansions += 1;
        let start = self.counts.expansions;
        self.tick(watch)?;
        let (mut choices, mut branches) = self.spare.pop().unwrap_or_default();
        choices.clear();
        let found = match self.space.expand(node, &mut branches)? {
            Some(outcome) => solved(outcome),
            None => self.choose(&mut choices, &mut branches, depth - 1, window, watch)?,
        };
        let numbers = sharper(before, found);
        let work = self.counts.expansions - start + 1;
        keep(self.space, self.table, node, numbers, work);
        self.spare.push((choices, branches));
        Ok(numbers)
    }

    /// The loop: one branch after the other to a depth, until the rest does not matter.
    fn choose(
        &mut self,
        choices: &mut Vec<Choice<S>>,
        branches: &mut Vec<BranchOf<S>>,
        depth: u64,
        mut window: Window,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        for branch in branches.drain(..) {
            let choice = self.first_look(branch, depth);
            if window.is_cut_by(choice.numbers, depth) {
                return Ok(cut_by(choice.numbers));
            }
            choices.push(choice);
        }
        choices.sort_by_key(|choice| choice.cost);
        for index in 0..choices.len() {
            let choice = &choices[index];
            if !window.of_branch().is_closed(choice.numbers, depth) {
                self.note(choices, depth);
                let of_branch = window.of_branch();
                choices[index].numbers = match &choices[index].branch {
                    Branch::Node(node) => self.inner(node, depth, of_branch, watch)?,
                    Branch::Sum(sum) => self.sum(sum, depth, of_branch, watch)?,
                };
            }
            let numbers = choices[index].numbers;
            if window.is_cut_by(numbers, depth) {
                break;
            }
            window = window.after(numbers);
        }
        Ok(of_branches(choices))
    }

    /// What is known about a branch before it is searched to a depth.
    #[inline]
    fn first_look(&mut self, branch: BranchOf<S>, depth: u64) -> Choice<S> {
        let (numbers, cost) = match &branch {
            Branch::Sum(sum) => (Numbers::UNIT, self.cost(sum)),
            Branch::Node(node) => match self.look(node) {
                known if known.is_solved() => (known, 0),
                known => {
                    let assessed = self.assess(node, depth);
                    (sharper(known, at_once(assessed)), assessed.disproof)
                }
            },
        };
        Choice {
            branch,
            numbers,
            cost,
        }
    }

    /// How much work the parts of a sum seem to be.
    fn cost(&mut self, sum: &S::Sum) -> u64 {
        let parts = 0..self.space.parts(sum);
        let costs = parts.map(|part| {
            let node = self.space.term(sum, part, 0);
            self.space.assess(&node).either()
        });
        costs.fold(0, add)
    }

    /// A sum is as good as its last part, with a heap worth what the others are; it is unknown
    /// if more than one part is.
    fn sum(
        &mut self,
        sum: &S::Sum,
        depth: u64,
        window: Window,
        watch: &mut Watch,
    ) -> Result<Numbers, Stop> {
        let mut branch = Branch::Sum(sum.clone());
        let mut unknown = 0;
        while let Branch::Sum(sum) = &branch {
            match self.nimber(sum, unknown, depth, watch)? {
                Some(nimber) => branch = self.space.resolve(sum.clone(), unknown, nimber),
                None if unknown == 0 => unknown = 1,
                None => return Ok(Numbers::open(depth + 1, depth + 1)),
            }
        }
        self.branch(&branch, depth, window, watch)
    }

    /// What a part of a sum is worth, if that can be found out within a depth.
    fn nimber(
        &mut self,
        sum: &S::Sum,
        part: usize,
        depth: u64,
        watch: &mut Watch,
    ) -> Result<Option<Nimber>, Stop> {
        if let Some(nimber) = self.space.nimber(sum, part) {
            return Ok(Some(nimber));
        }
        let mut heap = 0;
        loop {
            let node = self.space.term(sum, part, heap);
            match proved(self.node(&node, depth, Window::Both, watch)?) {
                Some(Outcome::Loss) => return Ok(Some(heap)),
                Some(Outcome::Win) => heap += 1,
                None => return Ok(None),
            }
        }
    }

    /// What is known about a node without looking at it.
    #[inline]
    fn look(&mut self, node: &S::Node) -> Numbers {
        let stored = self.table.get(self.space.key(node));
        let stored = stored.map_or(Numbers::UNIT, |entry| entry.numbers);
        match stored.is_solved() {
            true => stored,
            false => self.space.known(node).map_or(stored, solved),
        }
    }

    /// The first numbers of a node: proof numbers, not depths. A node counts in the first
    /// iteration that reaches its level, as one of the leaves.
    #[inline]
    fn assess(&mut self, node: &S::Node, depth: u64) -> Numbers {
        self.counts.evaluations += u64::from(self.horizon - depth >= self.levels);
        self.space.assess(node)
    }

    /// Notes how many branches of the root are done.
    #[inline]
    fn note(&mut self, choices: &[Choice<S>], depth: u64) {
        if depth + 1 == self.horizon {
            let done = choices.iter().filter(|choice| choice.numbers.is_solved());
            self.counts.root = (done.count(), choices.len());
        }
    }

    #[inline]
    fn tick(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        self.counts.depth = self.horizon as usize;
        let (counts, space, table) = (&mut *self.counts, &*self.space, self.table);
        watch.tick(|| tally(space, table, counts))
    }
}

/// The depths that an assessment stands for: solved, or nothing known.
#[inline]
fn at_once(assessed: Numbers) -> Numbers {
    match assessed.is_solved() {
        true => assessed,
        false => Numbers::UNIT,
    }
}

/// The depths of a node with these branches: a win takes one that is a loss, a loss takes all.
fn of_branches<S: Space>(choices: &[Choice<S>]) -> Numbers {
    let losses = choices.iter().map(|choice| choice.numbers.disproof);
    let wins = choices.iter().map(|choice| choice.numbers.proof);
    match losses.min().unwrap_or(INFINITY) {
        0 => Numbers::WIN,
        INFINITY => Numbers::LOSS,
        least => Numbers::open(least + 1, wins.max().unwrap_or(0) + 1),
    }
}

/// The depths of a node of which one branch says enough.
fn cut_by(branch: Numbers) -> Numbers {
    match branch.is_loss() {
        true => Numbers::WIN,
        false => Numbers::open(1, branch.proof + 1),
    }
}

/// All that two depths of a node say together.
#[inline]
fn sharper(one: Numbers, other: Numbers) -> Numbers {
    match (one.is_solved(), other.is_solved()) {
        (true, _) => one,
        (_, true) => other,
        _ => one.at_least(other),
    }
}
