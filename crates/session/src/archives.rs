//! What stands behind a search's shelf: a store, a strong solution, facts that are known already,
//! or one before the other.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bouton_game::{Fact, Notation, Outcome};
use bouton_search::jobs::KeyResult;
use bouton_search::shelf::Archive;
use bouton_search::watch::Stop;

use crate::Error;
use crate::tables::{self, Solution};

/// The first thing that went wrong behind the shelf. A search cannot be told in the middle of a
/// question: it goes on without an answer, and ends at the next look.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<Error>>>);

impl Failure {
    pub(crate) fn note(&self, error: impl Into<Error>) {
        let mut first = lock(&self.0);
        first.get_or_insert_with(|| error.into());
    }

    /// Whether to go on.
    pub(crate) fn look(&self) -> Result<(), Stop> {
        let first = lock(&self.0);
        match *first {
            Some(_) => Err(Stop::Interrupted),
            None => Ok(()),
        }
    }

    pub(crate) fn take(&self) -> Option<Error> {
        let mut first = lock(&self.0);
        first.take()
    }
}

/// What a thread that panicked has left is as good as any other.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the exact bytes of positions, whether canonical or not.
pub(crate) struct Packer<G> {
    pub(crate) game: G,
    /// Whether all positions are canonical anyway.
    canonical: bool,
    packed: Vec<u8>,
}

impl<G: Notation> Packer<G> {
    pub(crate) fn new(game: &G, canonical: bool) -> Self {
        let mut game = game.clone();
        game.allow(0); // What it keeps is of use to searches only.
        Self {
            game,
            canonical,
            packed: Vec::new(),
        }
    }

    /// The same, for another thread.
    pub(crate) fn another(&self) -> Self {
        Self::new(&self.game, self.canonical)
    }

    /// The bytes of a position's canonical form.
    pub(crate) fn pack(&mut self, position: &G::Position) -> &[u8] {
        self.packed.clear();
        if self.canonical {
            self.game.pack(position, &mut self.packed);
        } else {
            let canonical = self.game.canonical(position);
            self.game.pack(&canonical, &mut self.packed);
        }
        &self.packed
    }
}

/// A strong solution: all positions of a board, and thereby endgames of larger ones where a
/// position is the same on all of them. Nothing is put there.
pub(crate) struct Endgames<G> {
    packer: Packer<G>,
    /// Threads ask it one after the other.
    solution: Arc<Mutex<Box<dyn Solution>>>,
    failure: Failure,
}

impl<G: Notation> Endgames<G> {
    /// Opens the table in a directory for a search on the board of `game`; `canonical` says
    /// whether all its positions are.
    pub(crate) fn open(
        directory: &Path,
        game: &G,
        canonical: bool,
        failure: Failure,
    ) -> Result<Self, Error> {
        let solution = tables::open(directory)?;
        if (solution.game(), solution.board()) != (G::NAME, game.board()) {
            return Err(Error::OtherTable {
                game: format!("{} {}", G::NAME, game.board()),
                table: format!("{} {}", solution.game(), solution.root()),
            });
        }
        Ok(Self {
            packer: Packer::new(game, canonical),
            solution: Arc::new(Mutex::new(solution)),
            failure,
        })
    }

    /// The same, for another thread.
    fn another(&self) -> Self {
        Self {
            packer: self.packer.another(),
            solution: Arc::clone(&self.solution),
            failure: self.failure.clone(),
        }
    }
}

impl<G: Notation> Archive<G> for Endgames<G> {
    fn get(&mut self, position: &G::Position) -> Option<Fact> {
        let packed = self.packer.pack(position);
        let found = lock(&self.solution).look_up(packed);
        let found = found.unwrap_or_else(|error| {
            self.failure.note(error);
            None
        });
        found.map(Fact::Outcome)
    }

    fn has_more(&self) -> bool {
        true
    }

    fn another(&self) -> Box<dyn Archive<G>> {
        Box::new(self.another())
    }

    fn put(&mut self, _: &G::Position, _: Fact) {}

    fn pack(&mut self, position: &G::Position, into: &mut Vec<u8>) {
        self.packer.game.pack(position, into);
    }

    fn unpack(&mut self, bytes: &[u8]) -> Option<G::Position> {
        self.packer.game.unpack(bytes)
    }
}

/// A strong solution before a store.
pub(crate) struct Both<G: Notation>(pub Endgames<G>, pub Box<dyn Archive<G>>);

impl<G: Notation> Archive<G> for Both<G> {
    fn get(&mut self, position: &G::Position) -> Option<Fact> {
        let Self(endgames, store) = self;
        endgames.get(position).or_else(|| store.get(position))
    }

    fn has_more(&self) -> bool {
        true
    }

    fn another(&self) -> Box<dyn Archive<G>> {
        Box::new(Self(self.0.another(), self.1.another()))
    }

    fn put(&mut self, position: &G::Position, fact: Fact) {
        self.1.put(position, fact);
    }

    fn pack(&mut self, position: &G::Position, into: &mut Vec<u8>) {
        self.1.pack(position, into);
    }

    fn unpack(&mut self, bytes: &[u8]) -> Option<G::Position> {
        self.1.unpack(bytes)
    }
}

/// Facts that are known already, before whatever else there is.
pub(crate) struct Known<G: Notation> {
    packer: Packer<G>,
    facts: Arc<HashMap<Arc<[u8]>, Fact>>,
    behind: Option<Box<dyn Archive<G>>>,
}

impl<G: Notation> Known<G> {
    /// Facts of a game, with nimbers or without; what is behind learns all of them.
    pub(crate) fn new(
        game: &G,
        canonical: bool,
        has_nimbers: bool,
        results: &[KeyResult],
        mut behind: Option<Box<dyn Archive<G>>>,
    ) -> Self {
        let facts = results.iter().map(|result| {
            let fact = match has_nimbers {
                true => Fact::Nimber(result.nimber),
                false => Fact::Outcome(Outcome::Loss),
            };
            (Arc::clone(&result.position), fact)
        });
        let facts: HashMap<_, _> = facts.collect();
        if let Some(archive) = &mut behind {
            for (position, fact) in &facts {
                if let Some(position) = game.unpack(position) {
                    archive.put(&position, *fact);
                }
            }
        }
        Self {
            packer: Packer::new(game, canonical),
            facts: Arc::new(facts),
            behind,
        }
    }
}

impl<G: Notation> Archive<G> for Known<G> {
    fn get(&mut self, position: &G::Position) -> Option<Fact> {
        let known = self.facts.get(self.packer.pack(position)).copied();
        known.or_else(|| self.behind.as_mut()?.get(position))
    }

    fn has_more(&self) -> bool {
        true
    }

    fn another(&self) -> Box<dyn Archive<G>> {
        Box::new(Self {
            packer: self.packer.another(),
            facts: Arc::clone(&self.facts),
            behind: self.behind.as_ref().map(|behind| behind.another()),
        })
    }

    fn put(&mut self, position: &G::Position, fact: Fact) {
        if let Some(behind) = &mut self.behind {
            behind.put(position, fact);
        }
    }

    fn pack(&mut self, position: &G::Position, into: &mut Vec<u8>) {
        self.packer.game.pack(position, into);
    }

    fn unpack(&mut self, bytes: &[u8]) -> Option<G::Position> {
        self.packer.game.unpack(bytes)
    }
}
