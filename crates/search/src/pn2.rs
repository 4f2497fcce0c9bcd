//! PN², best-first proof-number search in two levels.
//!
//! Papers: Allis 1994; Breuker, Uiterwijk and van den Herik 2001, "The PN²-search algorithm".
//!
//! What the first level calls a look at a leaf is a search of its own with a graph of its own,
//! which may have so many nodes. Then only the leaf's branches with their numbers are taken over
//! into the first level; the rest is thrown away. So the same memory lasts longer, at the price
//! that much is searched again. The budget grows with the first level: short searches while
//! there is room for all, long ones when there is not.
//!
//! Differences: both levels are graphs, with sums where the space has them; what the second
//! level has solved is not thrown away but kept in the table and among the facts.
//!
//! Invariant: both levels together and the table stay within the memory, of which the second
//! level takes half at most.

use bouton_game::Outcome;

use crate::graph::{Context, First, Graph, Step};
use crate::pns::{Solved, note, search_within};
use crate::prove::{Prover, look_up};
use crate::space::{BranchOf, Space};
use crate::watch::{Progress, Stop, Watch};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// With how many nodes in the first level the second gets half as many: `a`.
    pub middle: f64,
    /// In how many nodes of the first level that share grows: `b`.
    pub width: f64,
    /// How many nodes the second level gets in any case.
    pub least: usize,
}

impl Options {
    /// The search of the paper.
    pub const PAPER: Self = Self {
        middle: 1_800_000.0,
        width: 240_000.0,
        least: 100,
    };

    /// The nodes of the second level when the first has so many.
    pub(crate) fn budget(self, nodes: usize) -> usize {
        let nodes = nodes as f64;
        let share = 1.0 / (1.0 + ((self.middle - nodes) / self.width).exp());
        self.least.max((nodes * share) as usize).max(2)
    }
}

/// The algorithm, with what it remembers.
pub struct Pn2 {
    pub(crate) options: Options,
    pub(crate) memory: usize,
    pub(crate) solved: Solved,
}

impl Pn2 {
    /// A search with so many bytes.
    pub fn new(options: Options, memory: usize) -> Self {
        let (solved, memory) = Solved::new(memory);
        Self {
            options,
            memory,
            solved,
        }
    }
}

impl Prover for Pn2 {
    fn prove<S: Space>(
        &mut self,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let mut levels = Levels {
            first: Graph::new(self.memory)?,
            second: Graph::new(self.memory / 2)?,
            memory: self.memory,
        };
        let mut context = self.solved.context(&mut spaces[0]);
        let known = levels.first.begin(&mut context, root, &First::Assessed)?;
        if let Some(outcome) = known {
            return Ok(outcome);
        }
        let result = levels.search(&mut context, self.options, watch);
        levels.first.retire(&mut context);
        levels.note(&mut context);
        result
    }

    fn known<S: Space>(&mut self, space: &mut S, branch: &BranchOf<S>) -> Option<Outcome> {
        look_up(&self.solved.table, space, branch)
    }

    fn progress(&self) -> Progress {
        self.solved.counts
    }
}

/// Both levels.
struct Levels<S: Space> {
    first: Graph<S>,
    second: Graph<S>,
    /// Bytes for both.
    memory: usize,
}

impl<S: Space> Levels<S> {
    /// The loop of the first level: select, search below the leaf, take over, update.
    fn search(
        &mut self,
        context: &mut Context<S>,
        options: Options,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        loop {
            if let Some(outcome) = self.first.outcome() {
                return Ok(outcome);
            }
            let (leaf, depth) = self.first.select();
            context.counts.depth = depth;
            let budget = options.budget(self.first.len());
            let outcome = self.search_below(context, leaf, budget, watch)?;
            self.first
                .set_limit(self.memory.saturating_sub(self.second.held()));
            match outcome {
                Some(outcome) => self.first.solve(context, leaf, outcome, &First::Unit)?,
                None => self.take_over(context, leaf)?,
            }
        }
    }

    /// The second level's search.
    fn search_below(
        &mut self,
        context: &mut Context<S>,
        leaf: u32,
        budget: usize,
        watch: &mut Watch,
    ) -> Result<Option<Outcome>, Stop> {
        let Self { first, second, .. } = self;
        let known = second.begin(context, first.branch(leaf), &First::Unit)?;
        if known.is_some() {
            return Ok(known);
        }
        let result = search_within(second, context, budget, |context, second| {
            watch.tick(|| note_both(context, first, second))
        });
        second.retire(context);
        result
    }

    /// Gives a leaf of the first level the branches that the second level has searched.
    fn take_over(&mut self, context: &mut Context<S>, leaf: u32) -> Result<(), Stop> {
        if !self.second.is_developed() {
            return Err(Stop::Memory);
        }
        if self.first.adopt(context, leaf, &self.second)? == Step::Done {
            return Ok(());
        }
        self.first.collect(context);
        // Nothing but the numbers of nodes has changed: it is the same leaf.
        let (leaf, _) = self.first.select();
        match self.first.adopt(context, leaf, &self.second)? {
            Step::Done => Ok(()),
            Step::Full => Err(Stop::Memory),
        }
    }

    fn note(&self, context: &mut Context<S>) -> Progress {
        note_both(context, &self.first, &self.second)
    }
}

/// Writes down how far a search is.
fn note_both<S: Space>(context: &mut Context<S>, first: &Graph<S>, second: &Graph<S>) -> Progress {
    note(context, first, first.bytes() + second.held());
    context.counts.table_entries += second.len() as u64;
    *context.counts
}
