//! Proof-number search (PNS), best first, with and without Grundy numbers.
//!
//! Papers: Allis 1994; Schijf, Allis and Uiterwijk 1994 for graphs; Čížek, Balko and Schmid 2025
//! for sums; Breuker, Uiterwijk and van den Herik 2001 for when nodes are evaluated.
//!
//! Every step develops the most-proving leaf: the one whose solution would help the root most.
//! The whole graph stays in memory, so nothing is ever searched twice; when the memory is full,
//! what is solved is deleted, and when that is not enough the search ends without an answer.
//!
//! Differences: all of it is in `graph`; here is the loop.
//!
//! Invariant: after a run the table holds the outcome of whatever was solved, unless it forgot.

use bouton_game::Outcome;
use bouton_table::{Replacement, Table};

use crate::graph::{Context, First, Graph, Step};
use crate::prove::{Prover, look_up};
use crate::space::{BranchOf, Space};
use crate::watch::{Progress, Stop, Watch};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// When nodes are evaluated.
    pub evaluation: Evaluation,
}

impl Options {
    /// The best we know.
    pub const BEST: Self = Self {
        evaluation: Evaluation::Immediate,
    };
}

/// When nodes are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// When they are made: better numbers for more work.
    Immediate,
    /// When they are developed; until then they count one either way.
    Delayed,
}

/// The algorithm, with what it remembers.
pub struct Pns {
    options: Options,
    memory: usize,
    solved: Solved,
}

/// Outcomes that were found out, and counts: what is left of a graph.
pub(crate) struct Solved {
    pub(crate) table: Table,
    pub(crate) counts: Progress,
}

/// The part of the memory that outcomes of deleted nodes may take.
const TABLE: usize = 16;

impl Solved {
    /// A table for a search with so many bytes, and the bytes left.
    pub(crate) fn new(memory: usize) -> (Self, usize) {
        let solved = Self {
            table: Table::new(memory / TABLE, Replacement::LeastWork),
            counts: Progress::default(),
        };
        (solved, memory - memory / TABLE)
    }

    pub(crate) fn context<'a, S: Space>(&'a mut self, space: &'a mut S) -> Context<'a, S> {
        Context {
            space,
            table: &self.table,
            counts: &mut self.counts,
        }
    }
}

impl Pns {
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

impl Prover for Pns {
    fn prove<S: Space>(
        &mut self,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let mut graph = Graph::new(self.memory)?;
        let mut context = self.solved.context(&mut spaces[0]);
        if let Some(outcome) = graph.begin(&mut context, root, &First::Assessed)? {
            return Ok(outcome);
        }
        let result = search(&mut graph, &mut context, self.options, watch);
        graph.retire(&mut context);
        note(&mut context, &graph, graph.bytes());
        result
    }

    fn known<S: Space>(&mut self, space: &mut S, branch: &BranchOf<S>) -> Option<Outcome> {
        look_up(&self.solved.table, space, branch)
    }

    fn progress(&self) -> Progress {
        self.solved.counts
    }
}

/// The loop: select, develop, update, until the root is solved.
fn search<S: Space>(
    graph: &mut Graph<S>,
    context: &mut Context<S>,
    options: Options,
    watch: &mut Watch,
) -> Result<Outcome, Stop> {
    loop {
        if let Some(outcome) = graph.outcome() {
            return Ok(outcome);
        }
        let (leaf, depth) = graph.select();
        context.counts.depth = depth;
        watch.tick(|| note(context, graph, graph.bytes()))?;
        let step = match options.evaluation {
            Evaluation::Immediate => graph.develop(context, leaf, &First::Assessed)?,
            Evaluation::Delayed => graph.evaluate_and_develop(context, leaf)?,
        };
        if step == Step::Full && !graph.collect(context) {
            return Err(Stop::Memory);
        }
    }
}

/// The same without end of memory, for a second level: the outcome, or nothing after so many
/// nodes or where there is no room.
pub(crate) fn search_within<S: Space>(
    graph: &mut Graph<S>,
    context: &mut Context<S>,
    budget: usize,
    mut tick: impl FnMut(&mut Context<S>, &Graph<S>) -> Result<(), Stop>,
) -> Result<Option<Outcome>, Stop> {
    loop {
        let outcome = graph.outcome();
        if outcome.is_some() || graph.len() >= budget {
            return Ok(outcome);
        }
        tick(context, graph)?;
        let (leaf, _) = graph.select();
        if graph.develop(context, leaf, &First::Assessed)? == Step::Full {
            return Ok(None);
        }
    }
}

/// Writes down how far a search is.
pub(crate) fn note<S: Space>(context: &mut Context<S>, graph: &Graph<S>, bytes: usize) -> Progress {
    let (fact_bytes, facts) = context.space.facts();
    let counts = &mut context.counts;
    counts.bytes = bytes + context.table.bytes() + fact_bytes;
    counts.facts = facts as u64;
    counts.table_entries = graph.len() as u64;
    counts.root = graph.root_progress();
    **counts
}
