//! Where a worker of a job-level search sits: a game, a table that stays from job to job, facts.
//!
//! Paper: Čížek, Balko and Schmid 2025, "Retaining and Sharing Second-Level Information".
//!
//! Bytes go in and out: leaves, numbers and key results, so that whoever moves them needs to
//! know no game. At a bench sit the threads of a worker, which search one job together. Benches
//! that are made together are those of one machine: they share their facts and their table. What one finds lies in its tray until somebody takes it; what is
//! learned from elsewhere does not come back that way.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use bouton_game::{Fact, Game, Impartial, Knowledge, Nimber, Notation, Outcome};
use bouton_search::dfpn::{self, Dfpn};
use bouton_search::guide::Guide;
use bouton_search::jobs::{Found, KeyResult, Pace, Table, Task, work};
use bouton_search::shelf::{Archive, Nimbers, Shelf};
use bouton_search::solver::Setup;
use bouton_search::space::{Branch, Coupled, Entered, Plain, Space};
use bouton_search::successors::Conditions;
use bouton_search::watch::{Stop, Watch};

use crate::archives::lock;

/// A worker's bench.
pub trait Bench: Send {
    /// The position with a heap beside it, as what a search begins with.
    fn root(&mut self, heap: Nimber) -> Root;

    /// Takes note of key results from elsewhere, for all benches that share facts with this one.
    /// What is no position of the game is left out.
    fn learn(&mut self, results: &[KeyResult]);

    /// Searches below a leaf. None if the leaf is none of this game.
    fn search(&mut self, task: &Task, watch: &mut Watch) -> Result<Option<Found>, Stop>;

    /// The key results that were found since this was last asked.
    fn take_results(&mut self) -> Vec<KeyResult>;

    /// Forgets proof numbers, or facts, for comparison.
    fn forget(&mut self, forgets: Forgets);

    /// How many proof numbers there are.
    fn table_entries(&self) -> usize;
}

/// What a search begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// There is nothing to search.
    Known(Outcome),
    /// The bytes of a branch.
    Open(Vec<u8>),
}

/// What a worker forgets after each job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgets {
    /// Its table of proof numbers.
    pub table: bool,
    /// Its facts.
    pub facts: bool,
}

/// How workers sit on machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seating {
    /// How many machines, if some are simulated. They have nothing in common but what the game
    /// itself keeps: nobody's expansion is made twice.
    pub machines: usize,
    /// How many benches on each.
    pub workers: usize,
    /// Threads at each, which search one job together.
    pub threads: usize,
    /// How they go about it.
    pub pace: Pace,
}

impl Seating {
    /// So many workers alone at their benches.
    pub fn alone(workers: usize) -> Self {
        Self {
            machines: 1,
            workers,
            threads: 1,
            pace: Pace::Free,
        }
    }

    /// The threads of a machine.
    fn threads_of_machine(&self) -> usize {
        self.workers * self.threads
    }

    /// A game whose clones share what it keeps, for all threads, and a position of it.
    fn start<G: Game>(&self, game: &G, root: &G::Position, setup: &Setup) -> Start<G> {
        // On a clone: what a game remembers of it is not copied to every bench.
        let root = game.clone().canonical(root);
        let mut game = game.clone();
        let threads = self.machines * self.threads_of_machine();
        let share = setup.memory / KEPT_BY_GAME;
        let kept = game.allow(share * threads);
        let left = share - kept / threads;
        Start { game, root, left }
    }
}

/// What benches begin with.
struct Start<G: Game> {
    game: G,
    root: G::Position,
    /// Bytes that the game leaves to the knowledge of each thread.
    left: usize,
}

/// What a thread has for itself: a game, a guide, and its way to the facts.
struct Seat<G, K, F> {
    game: G,
    guide: Guide<K>,
    facts: F,
}

/// What a bench has, whatever the game.
struct Means<G: Notation, K, F> {
    root: G::Position,
    seats: Vec<Seat<G, K, F>>,
    dfpn: Dfpn,
    setup: Setup,
    pace: Pace,
    tray: Tray,
}

/// Key results that nobody has taken yet.
type Tray = Arc<Mutex<Vec<KeyResult>>>;

/// The parts of a thread's memory that facts may take, and the game with its knowledge; the rest is
/// the table's.
const FACTS: usize = 4;
const KEPT_BY_GAME: usize = 8;

impl<G: Notation, K: Knowledge<G> + Default, F> Means<G, K, F> {
    /// A bench with a seat for each of these ways to the facts, which find there what others found
    /// and put there what they find.
    fn new(
        start: &Start<G>,
        setup: &Setup,
        pace: Pace,
        table: &Arc<Table>,
        facts: impl Iterator<Item = F>,
    ) -> Self {
        let seats = facts.map(|facts| {
            let mut guide = Guide::new(setup);
            Knowledge::<G>::allow(&mut guide, start.left);
            Seat {
                game: start.game.clone(),
                guide,
                facts,
            }
        });
        Self {
            root: start.root.clone(),
            seats: seats.collect(),
            dfpn: Dfpn::sharing(dfpn::Options::BEST, Arc::clone(table)),
            setup: *setup,
            pace,
            tray: Tray::default(),
        }
    }

    fn shelf(&self, lost: Option<&Lost<G>>) -> Shelf<G> {
        let mut game = self.seats[0].game.clone();
        game.allow(0); // What it keeps is of use to searches only.
        Shelf::new(Box::new(Exchange {
            game,
            tray: Arc::clone(&self.tray),
            lost: lost.map(Arc::clone),
        }))
    }

    fn conditions(&self) -> Conditions {
        Conditions::BEST.without(self.setup.without)
    }

    /// From now on it has a table of its own.
    fn forget_table(&mut self) {
        let table = new_table(&self.setup, self.seats.len());
        self.dfpn = Dfpn::sharing(dfpn::Options::BEST, table);
    }
}

/// A table for so many threads.
fn new_table(setup: &Setup, count: usize) -> Arc<Table> {
    let share = setup.memory / KEPT_BY_GAME * (KEPT_BY_GAME - 1) - setup.memory / FACTS;
    Arc::new(Table::new(share * count, setup.replacement))
}

/// Positions that are known as lost, in a game whose players have moves of their own.
type Lost<G> = Arc<Mutex<HashSet<<G as Game>::Position>>>;

/// Stands behind a bench's shelf: what is put there lies in the tray.
struct Exchange<G: Notation> {
    game: G,
    tray: Tray,
    lost: Option<Lost<G>>,
}

impl<G: Notation> Archive<G> for Exchange<G> {
    fn get(&mut self, position: &G::Position) -> Option<Fact> {
        let is_lost = lock(self.lost.as_ref()?).contains(position);
        is_lost.then_some(Fact::Outcome(Outcome::Loss))
    }

    fn has_more(&self) -> bool {
        false
    }

    fn another(&self) -> Box<dyn Archive<G>> {
        Box::new(Self {
            game: self.game.clone(),
            tray: Arc::clone(&self.tray),
            lost: self.lost.as_ref().map(Arc::clone),
        })
    }

    /// Wins are no key results: one follows from a loss with a single expansion.
    fn put(&mut self, position: &G::Position, fact: Fact) {
        let nimber = match fact {
            Fact::Nimber(nimber) => nimber,
            Fact::Outcome(Outcome::Loss) => 0,
            Fact::Outcome(Outcome::Win) => return,
        };
        if let Some(lost) = &self.lost
            && !lock(lost).insert(position.clone())
        {
            return;
        }
        let mut packed = Vec::new();
        self.game.pack(position, &mut packed);
        let position = packed.into();
        lock(&self.tray).push(KeyResult { position, nimber });
    }

    fn pack(&mut self, position: &G::Position, into: &mut Vec<u8>) {
        self.game.pack(position, into);
    }

    fn unpack(&mut self, bytes: &[u8]) -> Option<G::Position> {
        self.game.unpack(bytes)
    }
}

/// What the threads at a bench see.
type CoupledSpaces<'a, G, K> = Vec<Coupled<'a, G, Guide<K>>>;

/// A bench for an impartial game.
struct Couples<G: Impartial + Notation, K> {
    means: Means<G, K, Nimbers<G>>,
}

/// Benches for an impartial game; the memory is that of a thread.
pub(crate) fn couples<G, K>(
    game: &G,
    root: &G::Position,
    setup: &Setup,
    seating: Seating,
) -> Vec<Box<dyn Bench>>
where
    G: Impartial + Notation,
    K: Knowledge<G> + Default + 'static,
{
    let start = seating.start(game, root, setup);
    let count = seating.threads_of_machine();
    let mut benches: Vec<Box<dyn Bench>> = Vec::new();
    for _ in 0..seating.machines {
        let table = new_table(setup, count);
        let mut facts = Nimbers::for_threads(setup.memory / FACTS * count, count).into_iter();
        for _ in 0..seating.workers {
            let facts = facts.by_ref().take(seating.threads);
            let means = Means::new(&start, setup, seating.pace, &table, facts);
            let mut bench = Couples::<G, K> { means };
            bench.attach();
            benches.push(Box::new(bench));
        }
    }
    benches
}

impl<G: Impartial + Notation, K: Knowledge<G> + Default> Couples<G, K> {
    /// What its threads find goes into its tray.
    fn attach(&mut self) {
        let shelf = self.means.shelf(None);
        for seat in &mut self.means.seats {
            seat.facts.attach(shelf.another());
        }
    }

    fn spaces(&mut self) -> (CoupledSpaces<'_, G, K>, &mut Dfpn, &G::Position) {
        let conditions = self.means.conditions();
        let Means {
            seats, dfpn, root, ..
        } = &mut self.means;
        let spaces = seats
            .iter_mut()
            .map(|seat| Coupled::new(&mut seat.game, &mut seat.guide, &mut seat.facts, conditions));
        (spaces.collect(), dfpn, root)
    }
}

impl<G: Impartial + Notation, K: Knowledge<G> + Default> Bench for Couples<G, K> {
    fn root(&mut self, heap: Nimber) -> Root {
        let (mut spaces, _, root) = self.spaces();
        let space = &mut spaces[0];
        match space.enter(root, heap) {
            Entered::Worth(0) => Root::Known(Outcome::Loss),
            Entered::Worth(_) => Root::Known(Outcome::Win),
            Entered::Open(branch) => {
                let mut bytes = Vec::new();
                space.pack(&branch, &mut bytes).expect("there is a shelf");
                Root::Open(bytes)
            }
        }
    }

    fn learn(&mut self, results: &[KeyResult]) {
        let before = lock(&self.means.tray).len();
        let Seat { game, facts, .. } = &mut self.means.seats[0];
        for KeyResult { position, nimber } in results {
            if let Some(position) = game.unpack(position) {
                facts.put(&position, *nimber);
            }
        }
        lock(&self.means.tray).truncate(before);
    }

    fn search(&mut self, task: &Task, watch: &mut Watch) -> Result<Option<Found>, Stop> {
        let pace = self.means.pace;
        let (mut spaces, dfpn, _) = self.spaces();
        work(dfpn, &mut spaces, pace, task, watch)
    }

    fn take_results(&mut self) -> Vec<KeyResult> {
        std::mem::take(&mut lock(&self.means.tray))
    }

    fn forget(&mut self, forgets: Forgets) {
        if forgets.table {
            self.means.forget_table();
        }
        if forgets.facts {
            let Means { seats, setup, .. } = &mut self.means;
            let count = seats.len();
            let facts = Nimbers::for_threads(setup.memory / FACTS * count, count);
            for (seat, facts) in seats.iter_mut().zip(facts) {
                seat.facts = facts;
            }
            self.attach();
        }
    }

    fn table_entries(&self) -> usize {
        self.means.dfpn.table_entries()
    }
}

/// Before the bytes of a position that stands alone: no heap, and one part.
const ALONE: [u8; 8] = [0, 0, 0, 0, 1, 0, 0, 0];

/// A bench for any game.
struct Positions<G: Notation, K> {
    means: Means<G, K, Shelf<G>>,
    lost: Lost<G>,
}

/// Benches for any game; the memory is that of a thread.
pub(crate) fn positions<G, K>(
    game: &G,
    root: &G::Position,
    setup: &Setup,
    seating: Seating,
) -> Vec<Box<dyn Bench>>
where
    G: Notation,
    K: Knowledge<G> + Default + 'static,
{
    let start = seating.start(game, root, setup);
    let count = seating.threads_of_machine();
    let mut benches: Vec<Box<dyn Bench>> = Vec::new();
    for _ in 0..seating.machines {
        let table = new_table(setup, count);
        let lost = Lost::<G>::default();
        for _ in 0..seating.workers {
            let none = (0..seating.threads).map(|_| Shelf::EMPTY);
            let mut means = Means::<G, K, _>::new(&start, setup, seating.pace, &table, none);
            let shelf = means.shelf(Some(&lost));
            for seat in &mut means.seats {
                seat.facts = shelf.another();
            }
            let lost = Arc::clone(&lost);
            benches.push(Box::new(Positions { means, lost }));
        }
    }
    benches
}

impl<G: Notation, K: Knowledge<G> + Default> Bench for Positions<G, K> {
    fn root(&mut self, _: Nimber) -> Root {
        let mut bytes = ALONE.to_vec();
        let root = self.means.root.clone();
        let (mut spaces, _) = self.spaces();
        let branch = Branch::Node(spaces[0].enter(&root));
        let packed = spaces[0].pack(&branch, &mut bytes);
        packed.expect("there is a shelf");
        Root::Open(bytes)
    }

    fn learn(&mut self, results: &[KeyResult]) {
        let game = &self.means.seats[0].game;
        let lost = results.iter().filter(|result| result.nimber == 0);
        let lost = lost.filter_map(|result| game.unpack(&result.position));
        lock(&self.lost).extend(lost);
    }

    fn search(&mut self, task: &Task, watch: &mut Watch) -> Result<Option<Found>, Stop> {
        let Some(leaf) = task.leaf.strip_prefix(&ALONE) else {
            return Ok(None);
        };
        let leaf = leaf.to_vec();
        let pace = self.means.pace;
        let (mut spaces, dfpn) = self.spaces();
        let mut found = work(dfpn, &mut spaces, pace, &Task { leaf, ..*task }, watch)?;
        for (branch, _) in found.iter_mut().flat_map(|found| &mut found.branches.open) {
            branch.splice(0..0, ALONE);
        }
        Ok(found)
    }

    fn take_results(&mut self) -> Vec<KeyResult> {
        std::mem::take(&mut lock(&self.means.tray))
    }

    fn forget(&mut self, forgets: Forgets) {
        if forgets.table {
            self.means.forget_table();
        }
        if forgets.facts {
            lock(&self.lost).clear();
        }
    }

    fn table_entries(&self) -> usize {
        self.means.dfpn.table_entries()
    }
}

impl<G: Notation, K: Knowledge<G> + Default> Positions<G, K> {
    fn spaces(&mut self) -> (Vec<Plain<'_, G, Guide<K>>>, &mut Dfpn) {
        let conditions = self.means.conditions();
        let Means { seats, dfpn, .. } = &mut self.means;
        let spaces = seats
            .iter_mut()
            .map(|seat| Plain::new(&mut seat.game, &mut seat.guide, &mut seat.facts, conditions));
        (spaces.collect(), dfpn)
    }
}
