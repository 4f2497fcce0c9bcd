//! Algorithms that prove outcomes of nodes, made into solvers of games.
//!
//! A [`Prover`] knows spaces, not games. [`Outcomes`] lets it loose on the positions of any
//! game, [`Nimbers`] on the couples of an impartial one: its nimber is the first heap that makes
//! a position a loss.

use std::collections::HashMap;

use bouton_game::{Game, Impartial, Knowledge, Nimber, Outcome};
use bouton_table::{Entry, Numbers, Table};

use crate::deep_stack;
use crate::guide::Guide;
use crate::shelf::{self, Archive, Shelf};
use crate::solver::{Begun, NimberSolver, Setup, Solver, State, outcome_of};
use crate::space::{Branch, BranchOf, Coupled, Entered, Plain, Space, proved};
use crate::successors::Conditions;
use crate::watch::{Progress, Stop, Watch};

/// An algorithm that proves outcomes, in whatever space.
pub trait Prover: Send {
    /// The outcome of a branch. There is a space for each thread; who uses one takes the first.
    fn prove<S: Space>(
        &mut self,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop>;

    /// Begins with several branches, each space with one of them at a time: what takes little work
    /// is found.
    fn begin_all<S: Space>(
        &mut self,
        spaces: &mut [S],
        roots: &[BranchOf<S>],
        watch: &mut Watch,
    ) -> Begun {
        let _ = (spaces, watch);
        Begun::nothing(roots.len())
    }

    /// The outcome of a branch, if it is known already.
    fn known<S: Space>(&mut self, space: &mut S, branch: &BranchOf<S>) -> Option<Outcome>;

    /// What a later run could go on with.
    fn state(&self) -> Option<State> {
        None
    }

    /// Goes on where another run was; its table was restored already.
    fn take_path(&mut self, path: Vec<u8>) {
        let _ = path;
    }

    /// The counts so far.
    fn progress(&self) -> Progress;
}

/// The outcome of a branch, if it is in a table, a fact or plain to see.
pub(crate) fn look_up<S: Space>(
    table: &Table,
    space: &mut S,
    branch: &BranchOf<S>,
) -> Option<Outcome> {
    let Branch::Node(node) = branch else {
        return None;
    };
    let entry = table.get(space.key(node));
    let stored = entry.and_then(|entry| proved(entry.numbers));
    stored
        .or_else(|| space.known(node))
        .or_else(|| proved(space.assess(node)))
}

/// Keeps what was found out about a node: in a table, and among the facts if it is one.
pub(crate) fn keep<S: Space>(
    space: &mut S,
    table: &Table,
    node: &S::Node,
    numbers: Numbers,
    work: u64,
) {
    if let Some(outcome) = proved(numbers) {
        space.learn(node, outcome, work);
    }
    let work = u32::try_from(work).unwrap_or(u32::MAX);
    table.put(space.key(node), Entry { numbers, work });
}

/// Brings the counts up to date with what a search holds.
pub(crate) fn tally<S: Space>(space: &S, table: &Table, counts: &mut Progress) -> Progress {
    let (bytes, facts) = space.facts();
    counts.bytes = table.bytes() + bytes;
    counts.facts = facts as u64;
    counts.table_entries = table.len() as u64;
    *counts
}

/// What the threads of a search have each for itself, but for the game of the first, which is
/// the caller's.
struct Seats<G, K, F> {
    first: Seat<K, F>,
    others: Vec<Seat<K, F>>,
    /// The games of the others, once they are needed.
    games: Vec<G>,
    /// Bytes that their knowledge may keep.
    kept: usize,
}

/// The part of the memory that knowledge may keep for itself, if it has a use for it.
const KEPT_BY_KNOWLEDGE: usize = 4;

/// Knowledge and facts of a thread.
struct Seat<K, F> {
    guide: Guide<K>,
    facts: F,
}

impl<G: Game, K: Knowledge<G> + Default, F> Seats<G, K, F> {
    /// A seat for each of the facts.
    fn new(setup: &Setup, facts: impl IntoIterator<Item = F>) -> Self {
        let mut kept = 0;
        let mut seats = facts.into_iter().map(|facts| {
            let mut guide = Guide::new::<G>(setup);
            let share = setup.memory / KEPT_BY_KNOWLEDGE / setup.threads;
            kept += Knowledge::<G>::allow(&mut guide, share);
            Seat { guide, facts }
        });
        Self {
            first: seats.next().expect("a search has a thread"),
            others: seats.collect(),
            games: Vec::new(),
            kept,
        }
    }

    /// What each of them sees.
    fn spaces<'a, S>(
        &'a mut self,
        game: &'a mut G,
        space: impl Fn(&'a mut G, &'a mut Seat<K, F>) -> S,
    ) -> Vec<S> {
        self.games.resize_with(self.others.len(), || game.clone());
        let others = self.games.iter_mut().zip(&mut self.others);
        let all = std::iter::once((game, &mut self.first)).chain(others);
        all.map(|(game, seat)| space(game, seat)).collect()
    }

    /// How many closer looks they have taken.
    fn looks(&self) -> u64 {
        let all = std::iter::once(&self.first).chain(&self.others);
        all.map(|seat| Knowledge::<G>::looks(&seat.guide)).sum()
    }

    fn facts(&mut self) -> impl Iterator<Item = &mut F> {
        let all = std::iter::once(&mut self.first).chain(&mut self.others);
        all.map(|seat| &mut seat.facts)
    }
}

/// Finds outcomes in any game.
pub struct Outcomes<G: Game, A, K> {
    prover: A,
    seats: Seats<G, K, Shelf<G>>,
    conditions: Conditions,
}

impl<G: Game, A, K: Knowledge<G> + Default> Outcomes<G, A, K> {
    /// A solver, with a prover for so many bytes.
    pub fn new(prover: impl FnOnce(usize) -> A, setup: &Setup) -> Self {
        let shelves = (0..setup.threads).map(|_| Shelf::EMPTY);
        let seats = Seats::new(setup, shelves);
        Self {
            prover: prover(setup.memory - seats.kept),
            seats,
            conditions: Conditions::BEST.without(setup.without),
        }
    }

    /// What each thread sees, and the prover.
    fn spaces<'a>(&'a mut self, game: &'a mut G) -> (Vec<Plain<'a, G, Guide<K>>>, &'a mut A) {
        let conditions = self.conditions;
        let spaces = self.seats.spaces(game, |game, seat| {
            Plain::new(game, &mut seat.guide, &mut seat.facts, conditions)
        });
        (spaces, &mut self.prover)
    }
}

impl<G: Game, A: Prover, K: Knowledge<G> + Default> Solver<G> for Outcomes<G, A, K> {
    fn outcome(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let (mut spaces, prover) = self.spaces(game);
        let root = Branch::Node(spaces[0].enter(position));
        deep_stack::run(|| prover.prove(&mut spaces, &root, watch))
    }

    fn begin_all(&mut self, game: &mut G, positions: &[G::Position], watch: &mut Watch) -> Begun {
        let (mut spaces, prover) = self.spaces(game);
        let nodes = positions.iter().map(|position| spaces[0].enter(position));
        let roots: Vec<_> = nodes.map(Branch::Node).map(Ok).collect();
        begin_all(prover, &mut spaces, &roots, watch)
    }

    fn known(&mut self, game: &mut G, position: &G::Position) -> Option<Outcome> {
        let Seat { guide, facts } = &mut self.seats.first;
        let mut space = Plain::new(game, guide, facts, self.conditions);
        let root = space.enter(position);
        let known = self.prover.known(&mut space, &Branch::Node(root.clone()));
        known.or_else(|| facts.outcome(&root))
    }

    fn attach(&mut self, archive: Box<dyn Archive<G>>) {
        let shelf = Shelf::new(archive);
        self.seats.facts().for_each(|seat| *seat = shelf.another());
    }

    fn state(&self) -> Option<State> {
        self.prover.state()
    }

    fn take_path(&mut self, path: Vec<u8>) {
        self.prover.take_path(path);
    }

    fn progress(&self) -> Progress {
        Progress {
            looks: self.seats.looks(),
            ..self.prover.progress()
        }
    }
}

/// Has a prover begin with those of several roots that are not known at once. One that is there
/// twice is searched once: two threads would do the same work.
fn begin_all<S: Space>(
    prover: &mut impl Prover,
    spaces: &mut [S],
    roots: &[Result<BranchOf<S>, Outcome>],
    watch: &mut Watch,
) -> Begun {
    let mut places = HashMap::new();
    let mut open = Vec::new();
    for root in roots.iter().flatten() {
        places.entry(root).or_insert_with(|| {
            open.push(root.clone());
            open.len() - 1
        });
    }
    let begun = deep_stack::run(|| Ok(prover.begin_all(spaces, &open, watch)));
    let Begun { outcomes, stopped } = begun.unwrap_or_else(|stop| Begun {
        stopped: Some(stop),
        ..Begun::nothing(open.len())
    });
    let found = roots.iter().map(|root| match root {
        Ok(root) => outcomes[places[root]],
        Err(outcome) => Some(*outcome),
    });
    Begun {
        outcomes: found.collect(),
        stopped,
    }
}

/// Finds outcomes and nimbers in impartial games.
pub struct Nimbers<G: Impartial, A, K> {
    prover: A,
    seats: Seats<G, K, shelf::Nimbers<G>>,
    conditions: Conditions,
}

/// The part of the memory that facts may take; the rest is the prover's.
const FACTS: usize = 4;

impl<G: Impartial, A: Prover, K: Knowledge<G> + Default> Nimbers<G, A, K> {
    /// A solver, with a prover for so many bytes.
    pub fn new(prover: impl FnOnce(usize) -> A, setup: &Setup) -> Self {
        let memory = setup.memory / FACTS;
        let facts = shelf::Nimbers::for_threads(memory, setup.threads);
        let seats = Seats::new(setup, facts);
        Self {
            prover: prover(setup.memory - memory - seats.kept),
            seats,
            conditions: Conditions::BEST.without(setup.without),
        }
    }

    /// What the first thread sees, and the prover.
    fn coupled<'a>(&'a mut self, game: &'a mut G) -> (Coupled<'a, G, Guide<K>>, &'a mut A) {
        let Seat { guide, facts } = &mut self.seats.first;
        let space = Coupled::new(game, guide, facts, self.conditions);
        (space, &mut self.prover)
    }

    /// What each thread sees, and the prover.
    fn spaces<'a>(&'a mut self, game: &'a mut G) -> (Vec<Coupled<'a, G, Guide<K>>>, &'a mut A) {
        let conditions = self.conditions;
        let spaces = self.seats.spaces(game, |game, seat| {
            Coupled::new(game, &mut seat.guide, &mut seat.facts, conditions)
        });
        (spaces, &mut self.prover)
    }

    /// The outcome of a position with a heap beside it.
    fn prove_with(
        &mut self,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let (mut spaces, prover) = self.spaces(game);
        match spaces[0].enter(position, heap) {
            Entered::Worth(nimber) => Ok(outcome_of(nimber)),
            Entered::Open(root) => prover.prove(&mut spaces, &root, watch),
        }
    }
}

impl<G, A, K> Solver<G> for Nimbers<G, A, K>
where
    G: Impartial,
    A: Prover,
    K: Knowledge<G> + Default,
{
    fn outcome(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        self.outcome_with(game, position, 0, watch)
    }

    fn begin_all(&mut self, game: &mut G, positions: &[G::Position], watch: &mut Watch) -> Begun {
        let (mut spaces, prover) = self.spaces(game);
        let roots = positions.iter();
        let roots = roots.map(|position| match spaces[0].enter(position, 0) {
            Entered::Worth(nimber) => Err(outcome_of(nimber)),
            Entered::Open(root) => Ok(root),
        });
        let roots: Vec<_> = roots.collect();
        begin_all(prover, &mut spaces, &roots, watch)
    }

    fn known(&mut self, game: &mut G, position: &G::Position) -> Option<Outcome> {
        self.known_with(game, position, 0)
    }

    fn attach(&mut self, archive: Box<dyn Archive<G>>) {
        let shelf = Shelf::new(archive);
        let seats = self.seats.facts();
        seats.for_each(|facts| facts.attach(shelf.another()));
    }

    fn state(&self) -> Option<State> {
        self.prover.state()
    }

    fn take_path(&mut self, path: Vec<u8>) {
        self.prover.take_path(path);
    }

    fn progress(&self) -> Progress {
        Progress {
            facts: self.seats.first.facts.len() as u64,
            ..self.prover.progress()
        }
    }
}

impl<G, A, K> NimberSolver<G> for Nimbers<G, A, K>
where
    G: Impartial,
    A: Prover,
    K: Knowledge<G> + Default,
{
    fn nimber(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Nimber, Stop> {
        deep_stack::run(|| {
            let mut heap = 0;
            while self.prove_with(game, position, heap, watch)? == Outcome::Win {
                heap += 1;
            }
            Ok(heap)
        })
    }

    fn outcome_with(
        &mut self,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        deep_stack::run(|| self.prove_with(game, position, heap, watch))
    }

    fn known_with(
        &mut self,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
    ) -> Option<Outcome> {
        let (mut space, prover) = self.coupled(game);
        match space.enter(position, heap) {
            Entered::Worth(nimber) => Some(outcome_of(nimber)),
            Entered::Open(root) => {
                let known = prover.known(&mut space, &root);
                known.or_else(|| space.known_win(&root))
            }
        }
    }
}
