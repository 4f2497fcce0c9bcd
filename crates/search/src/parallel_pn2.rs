//! Parallel PN²: threads that search leaves of one first level.
//!
//! Paper: the thesis on Konane, section 3.7, after Kaneko 2010.
//!
//! There is one graph of the first level. A thread takes the most-proving leaf of those that
//! nobody searches, the threads below a child counting against it, and searches it with a graph
//! of its own, which is where the time goes. Then it takes the leaf's branches over into the
//! first level. Virtual numbers are not stored, and nobody is called back: a leaf that was
//! solved on the way by another is left as it is.
//!
//! Differences: the thesis locks nodes, we lock the first level as a whole, which is in use for
//! a small part of the time; a leaf that is being searched is not searched twice.
//!
//! Invariant: all levels together and the table stay within the memory, of which the second
//! levels take half at most.

use bouton_game::Outcome;

use crate::crew::{self, Meeting, Member};
use crate::graph::{Context, Crowd, First, Graph, Id, Step};
use crate::pn2::{Options, Pn2};
use crate::pns::{note, search_within};
use crate::prove::Prover;
use crate::space::{BranchOf, Space};
use crate::watch::{Progress, Stop, Watch};

/// The algorithm, with what it remembers.
pub struct ParallelPn2 {
    pn2: Pn2,
}

impl ParallelPn2 {
    /// A search with so many bytes.
    pub fn new(options: Options, memory: usize) -> Self {
        Self {
            pn2: Pn2::new(options, memory),
        }
    }
}

impl Prover for ParallelPn2 {
    fn prove<S: Space>(
        &mut self,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        if spaces.len() == 1 {
            return self.pn2.prove(spaces, root, watch);
        }
        let Pn2 {
            options,
            memory,
            solved,
        } = &mut self.pn2;
        let mut graph = Graph::new(*memory)?;
        let mut context = solved.context(&mut spaces[0]);
        if let Some(outcome) = graph.begin(&mut context, root, &First::Assessed)? {
            return Ok(outcome);
        }
        let level = FirstLevel {
            shared: Meeting::new(Shared {
                graph,
                crowd: Crowd::default(),
                numbering: 0,
                held: 0,
            }),
            options: *options,
            memory: *memory,
            memory_of_second: *memory / 2 / spaces.len(),
        };
        let table = &solved.table;
        let result = crew::search(spaces, &mut solved.counts, watch, |member| {
            let Member {
                space,
                counts,
                watch,
                ..
            } = member;
            let context = Context {
                space,
                table,
                counts,
            };
            level.search(context, watch)
        });
        let graph = level.shared.into_inner().graph;
        let mut context = solved.context(&mut spaces[0]);
        graph.retire(&mut context);
        note(&mut context, &graph, graph.bytes());
        result
    }

    fn known<S: Space>(&mut self, space: &mut S, branch: &BranchOf<S>) -> Option<Outcome> {
        self.pn2.known(space, branch)
    }

    fn progress(&self) -> Progress {
        self.pn2.progress()
    }
}

/// The first level, and what it takes to share it.
struct FirstLevel<S: Space> {
    /// Those who wait, wait for a leaf to be given back.
    shared: Meeting<Shared<S>>,
    options: Options,
    memory: usize,
    memory_of_second: usize,
}

/// What one thread at a time has.
struct Shared<S: Space> {
    graph: Graph<S>,
    crowd: Crowd,
    /// How often nodes have got new numbers.
    numbering: u64,
    /// Bytes of all second levels.
    held: usize,
}

/// A leaf of the first level.
struct Leaf<S: Space> {
    branch: BranchOf<S>,
    way: Vec<Id>,
    /// When its way was numbered.
    numbering: u64,
    /// Nodes for the second level.
    budget: usize,
}

impl<S: Space> FirstLevel<S> {
    /// The loop of a thread: select, search below the leaf, take over.
    fn search(&self, mut context: Context<S>, watch: &mut Watch) -> Result<Outcome, Stop> {
        let mut second = Graph::new(self.memory_of_second)?;
        loop {
            let mut shared = self.shared.lock();
            if let Some(outcome) = shared.graph.outcome() {
                return Ok(outcome);
            }
            let Some(leaf) = shared.take_leaf(self.options) else {
                self.shared.wait(shared);
                watch.look(context.counts)?;
                continue;
            };
            context.counts.depth = leaf.way.len();
            let nodes = shared.graph.len();
            drop(shared);
            let before = second.held();
            let outcome = search_below(&mut second, &mut context, &leaf, nodes, watch)?;
            let mut shared = self.shared.lock();
            shared.held += second.held() - before;
            let limit = self.memory.saturating_sub(shared.held);
            shared.graph.set_limit(limit);
            shared.give_back(&mut context, &leaf, outcome, &second)?;
            note(
                &mut context,
                &shared.graph,
                shared.graph.bytes() + shared.held,
            );
            drop(shared);
            self.shared.announce();
        }
    }
}

/// The second level's search.
fn search_below<S: Space>(
    second: &mut Graph<S>,
    context: &mut Context<S>,
    leaf: &Leaf<S>,
    nodes: usize,
    watch: &mut Watch,
) -> Result<Option<Outcome>, Stop> {
    let known = second.begin(context, &leaf.branch, &First::Unit)?;
    if known.is_some() {
        return Ok(known);
    }
    let result = search_within(second, context, leaf.budget, |context, second| {
        watch.tick(|| {
            context.counts.table_entries = (nodes + second.len()) as u64;
            *context.counts
        })
    });
    second.retire(context);
    result
}

impl<S: Space> Shared<S> {
    /// The leaf to go on with, if there is one that nobody searches.
    fn take_leaf(&mut self, options: Options) -> Option<Leaf<S>> {
        let way = self.graph.select_apart(&self.crowd)?;
        let leaf = *way.last().expect("a way ends at a leaf");
        self.crowd.add(&way);
        Some(Leaf {
            branch: self.graph.branch(leaf).clone(),
            way,
            numbering: self.numbering,
            budget: options.budget(self.graph.len()),
        })
    }

    /// Gives a leaf its outcome, or the branches that the second level has searched; unless it
    /// is solved or gone.
    fn give_back(
        &mut self,
        context: &mut Context<S>,
        leaf: &Leaf<S>,
        outcome: Option<Outcome>,
        second: &Graph<S>,
    ) -> Result<(), Stop> {
        if leaf.numbering == self.numbering {
            self.crowd.remove(&leaf.way);
        }
        let Some(id) = self.graph.leaf(&leaf.branch) else {
            return Ok(());
        };
        if let Some(outcome) = outcome {
            return self.graph.solve(context, id, outcome, &First::Unit);
        }
        if !second.is_developed() {
            return Err(Stop::Memory);
        }
        if self.graph.adopt(context, id, second)? == Step::Done {
            return Ok(());
        }
        self.graph.collect(context);
        self.crowd.clear();
        self.numbering += 1;
        let Some(id) = self.graph.leaf(&leaf.branch) else {
            return Ok(());
        };
        match self.graph.adopt(context, id, second)? {
            Step::Done => Ok(()),
            Step::Full => Err(Stop::Memory),
        }
    }
}
