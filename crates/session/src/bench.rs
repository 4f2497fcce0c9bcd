//! Where a worker of a job-level search sits: a game, a table that stays from job to job, facts.
//!
//! Paper: Čížek, Balko and Schmid 2025, "Retaining and Sharing Second-Level Information".
//!
//! Bytes go in and out: leaves, numbers and key results, so that whoever moves them needs to
//! know no game. Benches that are made together are those of one machine: they share their facts
//! and their table. What one finds lies in its tray until somebody takes it; what is
//! learned from elsewhere does not come back that way.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use bouton_game::{Fact, Game, Impartial, Knowledge, Nimber, Notation, Outcome};
use bouton_search::dfpn::{self, Dfpn};
use bouton_search::jobs::{Found, KeyResult, Table, Task, work};
use bouton_search::prove::Guide;
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

/// What a bench has, whatever the game.
struct Means<G: Notation, K> {
    game: G,
    root: G::Position,
    guide: Guide<K>,
    dfpn: Dfpn,
    setup: Setup,
    tray: Tray,
}

/// Key results that nobody has taken yet.
type Tray = Arc<Mutex<Vec<KeyResult>>>;

/// The parts of a bench's memory that facts and the game may take; the rest is the table's.
const FACTS: usize = 4;
const KEPT_BY_GAME: usize = 8;

impl<G: Notation, K: Knowledge<G> + Default> Means<G, K> {
    fn new(game: &G, root: &G::Position, setup: &Setup, table: &Arc<Table>) -> Self {
        let mut game = game.clone();
        game.allow(setup.memory / KEPT_BY_GAME);
        Self {
            root: root.clone(),
            game,
            guide: Guide::new(setup),
            dfpn: Dfpn::sharing(dfpn::Options::BEST, Arc::clone(table)),
            setup: *setup,
            tray: Tray::default(),
        }
    }

    fn shelf(&self, lost: Option<&Lost<G>>) -> Shelf<G> {
        let mut game = self.game.clone();
        game.allow(0); // What it keeps is of use to searches only.
        Shelf::new(Box::new(Exchange {
            game,
            tray: Arc::clone(&self.tray),
            lost: lost.map(Arc::clone),
        }))
    }

    /// From now on it has a table of its own.
    fn forget_table(&mut self) {
        self.dfpn = Dfpn::sharing(dfpn::Options::BEST, new_table(&self.setup, 1));
    }
}

/// A table for so many benches.
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

/// A bench for an impartial game.
struct Couples<G: Impartial + Notation, K> {
    means: Means<G, K>,
    facts: Nimbers<G>,
}

/// So many benches for an impartial game.
pub(crate) fn couples<G, K>(
    game: &G,
    root: &G::Position,
    setup: &Setup,
    count: usize,
) -> Vec<Box<dyn Bench>>
where
    G: Impartial + Notation,
    K: Knowledge<G> + Default + 'static,
{
    // On a clone: what a game remembers of it is not copied to every bench.
    let root = &game.clone().canonical(root);
    let table = new_table(setup, count);
    let facts = Nimbers::for_threads(setup.memory / FACTS * count, count);
    let benches = facts.into_iter().map(|mut facts| {
        let means = Means::<G, K>::new(game, root, setup, &table);
        facts.attach(means.shelf(None));
        Box::new(Couples { means, facts }) as _
    });
    benches.collect()
}

impl<G: Impartial + Notation, K: Knowledge<G> + Default> Couples<G, K> {
    fn space(&mut self) -> (Coupled<'_, G, Guide<K>>, &mut Dfpn, &G::Position) {
        let Means {
            game,
            guide,
            dfpn,
            root,
            setup,
            ..
        } = &mut self.means;
        let conditions = Conditions::BEST.without(setup.without);
        let space = Coupled::new(game, guide, &mut self.facts, conditions);
        (space, dfpn, root)
    }
}

impl<G: Impartial + Notation, K: Knowledge<G> + Default> Bench for Couples<G, K> {
    fn root(&mut self, heap: Nimber) -> Root {
        let (mut space, _, root) = self.space();
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
        for KeyResult { position, nimber } in results {
            if let Some(position) = self.means.game.unpack(position) {
                self.facts.put(&position, *nimber);
            }
        }
        lock(&self.means.tray).truncate(before);
    }

    fn search(&mut self, task: &Task, watch: &mut Watch) -> Result<Option<Found>, Stop> {
        let (mut space, dfpn, _) = self.space();
        work(dfpn, &mut space, task, watch)
    }

    fn take_results(&mut self) -> Vec<KeyResult> {
        std::mem::take(&mut lock(&self.means.tray))
    }

    fn forget(&mut self, forgets: Forgets) {
        if forgets.table {
            self.means.forget_table();
        }
        if forgets.facts {
            self.facts = Nimbers::new(self.means.setup.memory / FACTS);
            self.facts.attach(self.means.shelf(None));
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
    means: Means<G, K>,
    shelf: Shelf<G>,
    lost: Lost<G>,
}

/// So many benches for any game.
pub(crate) fn positions<G, K>(
    game: &G,
    root: &G::Position,
    setup: &Setup,
    count: usize,
) -> Vec<Box<dyn Bench>>
where
    G: Notation,
    K: Knowledge<G> + Default + 'static,
{
    let root = &game.clone().canonical(root);
    let table = new_table(setup, count);
    let lost = Lost::<G>::default();
    let benches = (0..count).map(|_| {
        let means = Means::<G, K>::new(game, root, setup, &table);
        Box::new(Positions {
            shelf: means.shelf(Some(&lost)),
            means,
            lost: Arc::clone(&lost),
        }) as _
    });
    benches.collect()
}

impl<G: Notation, K: Knowledge<G> + Default> Bench for Positions<G, K> {
    fn root(&mut self, _: Nimber) -> Root {
        let mut bytes = ALONE.to_vec();
        let branch = Branch::Node(self.means.root.clone());
        let (mut space, _) = self.space();
        space.pack(&branch, &mut bytes).expect("there is a shelf");
        Root::Open(bytes)
    }

    fn learn(&mut self, results: &[KeyResult]) {
        let game = &self.means.game;
        let lost = results.iter().filter(|result| result.nimber == 0);
        let lost = lost.filter_map(|result| game.unpack(&result.position));
        lock(&self.lost).extend(lost);
    }

    fn search(&mut self, task: &Task, watch: &mut Watch) -> Result<Option<Found>, Stop> {
        let Some(leaf) = task.leaf.strip_prefix(&ALONE) else {
            return Ok(None);
        };
        let leaf = leaf.to_vec();
        let (mut space, dfpn) = self.space();
        let mut found = work(dfpn, &mut space, &Task { leaf, ..*task }, watch)?;
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
    fn space(&mut self) -> (Plain<'_, G, Guide<K>>, &mut Dfpn) {
        let Means {
            game,
            guide,
            dfpn,
            setup,
            ..
        } = &mut self.means;
        let conditions = Conditions::BEST.without(setup.without);
        let space = Plain::new(game, guide, &mut self.shelf, conditions);
        (space, dfpn)
    }
}
