//! What a run keeps in a store: the facts it finds, and how far it has come.
//!
//! Facts go into a buffer as they are found, and hang on the watch from there: now and then a
//! look at the run writes what has gathered, and less often the proof numbers of the search, so
//! that a run that is killed loses little. Each write decides when the next is due by how long
//! it took: all of them together take a twentieth of the time, whatever the disk is like.
//!
//! An error of the store, a contradiction above all, ends the run at its next look
//! ([`Failure`]).

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bouton_game::{Fact, Notation};
use bouton_search::shelf::Archive;
use bouton_search::solver::Table;
use bouton_search::watch::Stop;
use bouton_store::{Error, Facts, Options, Store};
use serde::Serialize;

use crate::archives::{Failure, Packer};

/// A store that is open for a run.
pub(crate) struct Keeper {
    store: Store,
    facts: Facts,
    /// Facts there were when the run began.
    before: u64,
    failure: Failure,
    commits: Schedule,
    checkpoint: Option<Checkpoint>,
}

/// What came of keeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// Facts about the game in the store.
    pub facts: u64,
    /// How many of them are new.
    pub new_facts: u64,
    /// Proof numbers of an earlier run that this one went on with.
    pub restored: u64,
}

/// How far a search has come, and when that is written.
struct Checkpoint {
    name: String,
    table: Arc<Table>,
    restored: usize,
    writes: Schedule,
}

impl Checkpoint {
    /// The bytes of a checkpoint: the length of the path, the path, the table.
    fn bytes(&self, path: &[u8]) -> Vec<u8> {
        let length = path.len() as u64;
        let table = self.table.snapshot(CHECKPOINT);
        [&length.to_le_bytes(), path, &table].concat()
    }

    /// The path and the table that are in a checkpoint's bytes.
    fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
        let (length, rest) = bytes.split_first_chunk()?;
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
    }
}

/// Memory of a store, at least and at most.
const MEMORY: (usize, usize) = (48 << 20, 256 << 20);

/// Bytes that a checkpoint may have.
const CHECKPOINT: usize = 32 << 20;

/// The least memory with which a run can keep a store.
pub(crate) const LEAST_MEMORY: usize = 2 * MEMORY.0;

impl Keeper {
    /// Opens the store of a game, within an eighth of the memory or what it needs.
    pub(crate) fn open<G: Notation>(
        dir: &Path,
        game: &G,
        memory: usize,
        failure: Failure,
    ) -> Result<Self, Error> {
        let options = Options {
            memory: Self::share(memory),
            ..Options::default()
        };
        let store = Store::open_with(dir, &options)?;
        let facts = store.game(G::NAME, &game.board())?;
        Ok(Self {
            before: facts.len(),
            store,
            facts,
            failure,
            commits: Schedule::every(Duration::from_millis(50)),
            checkpoint: None,
        })
    }

    /// What the store takes of so many bytes.
    fn share(memory: usize) -> usize {
        (memory / 8).clamp(MEMORY.0, MEMORY.1)
    }

    /// What is left of so many bytes for a search: the facts' filter takes a few bytes each.
    pub(crate) fn rest_of(&self, memory: usize) -> usize {
        let filter = usize::try_from(8 * self.before).unwrap_or(usize::MAX);
        let taken = Self::share(memory).saturating_add(filter);
        memory.saturating_sub(taken).max(memory / 8)
    }

    /// The archive of a search; `canonical` says whether all its positions are.
    pub(crate) fn archive<G: Notation>(&self, game: &G, canonical: bool) -> Box<dyn Archive<G>> {
        Box::new(Drawer {
            packer: Packer::new(game, canonical),
            facts: self.facts.clone(),
            has_more: self.before > 0,
            failure: self.failure.clone(),
        })
    }

    /// Has a table go on where one of the same name was, and be written from now on. Says where
    /// the search was then.
    pub(crate) fn resume(&mut self, name: String, table: Arc<Table>) -> Result<Vec<u8>, Error> {
        let bytes = self.store.get_checkpoint(&name)?.unwrap_or_default();
        let (path, snapshot) = Checkpoint::parts(&bytes).unwrap_or_default();
        let restored = table.restore(snapshot);
        self.checkpoint = Some(Checkpoint {
            name,
            table,
            restored: restored.unwrap_or(0),
            writes: Schedule::every(Duration::from_millis(500)),
        });
        Ok(restored.map_or_else(Vec::new, |_| path.to_vec()))
    }

    /// Writes what is due.
    pub(crate) fn look(&mut self) -> Result<(), Stop> {
        self.write_what_is_due().map_err(|error| {
            self.failure.note(error);
            Stop::Interrupted
        })
    }

    fn write_what_is_due(&mut self) -> Result<(), Error> {
        if let Some(start) = self.commits.due() {
            self.facts.commit()?;
            self.commits.done_since(start);
        }
        if let Some(checkpoint) = &mut self.checkpoint
            && let Some(start) = checkpoint.writes.due()
        {
            // Where the search is, it says only when it is stopped.
            let bytes = checkpoint.bytes(&[]);
            self.store.put_checkpoint(&checkpoint.name, &bytes)?;
            checkpoint.writes.done_since(start);
        }
        Ok(())
    }

    /// Writes what is left: all facts, and where the search was stopped, or nothing if it is done.
    pub(crate) fn finish(self, stopped: Option<&[u8]>) -> Result<Kept, Error> {
        self.facts.commit()?;
        if let Some(checkpoint) = &self.checkpoint {
            let name = &checkpoint.name;
            match stopped {
                Some(path) => self.store.put_checkpoint(name, &checkpoint.bytes(path))?,
                None if self.store.get_checkpoint(name)?.is_none() => {}
                None => self.store.put_checkpoint(name, &[])?,
            }
        }
        let facts = self.facts.len();
        Ok(Kept {
            facts,
            new_facts: facts - self.before,
            restored: self.checkpoint.map_or(0, |point| point.restored as u64),
        })
    }
}

/// When something is to be done again.
pub(crate) struct Schedule {
    next: Instant,
    least: Duration,
}

/// The part of the time that writing may take.
const PART: u32 = 20;

impl Schedule {
    pub(crate) fn every(least: Duration) -> Self {
        let next = Instant::now() + least;
        Self { next, least }
    }

    /// Now, if it is time.
    pub(crate) fn due(&self) -> Option<Instant> {
        Some(Instant::now()).filter(|&now| now >= self.next)
    }

    pub(crate) fn done_since(&mut self, start: Instant) {
        let took = start.elapsed();
        self.next = start + took + self.least.max(took * PART);
    }
}

/// The archive of one search.
struct Drawer<G> {
    packer: Packer<G>,
    facts: Facts,
    /// Whether there were facts before.
    has_more: bool,
    failure: Failure,
}

impl<G: Notation> Archive<G> for Drawer<G> {
    fn get(&mut self, position: &G::Position) -> Option<Fact> {
        let found = self.facts.get(self.packer.pack(position));
        found.unwrap_or_else(|error| {
            self.failure.note(error);
            None
        })
    }

    fn has_more(&self) -> bool {
        self.has_more
    }

    fn another(&self) -> Box<dyn Archive<G>> {
        Box::new(Self {
            packer: self.packer.another(),
            facts: self.facts.clone(),
            has_more: self.has_more,
            failure: self.failure.clone(),
        })
    }

    fn put(&mut self, position: &G::Position, fact: Fact) {
        if let Err(mut error) = self.facts.put(self.packer.pack(position), fact) {
            if let Error::Contradiction {
                position: shown, ..
            } = &mut error
            {
                *shown = self.packer.game.write(position);
            }
            self.failure.note(error);
        }
    }

    fn pack(&mut self, position: &G::Position, into: &mut Vec<u8>) {
        self.packer.game.pack(position, into);
    }

    fn unpack(&mut self, bytes: &[u8]) -> Option<G::Position> {
        self.packer.game.unpack(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_games::nim::Nim;

    /// A wrong rule or a wrong search: the run ends, and both facts are kept.
    #[test]
    fn a_contradiction_ends_the_run() {
        let folder = tempfile::tempdir().expect("a folder for tests");
        let (game, position) = Nim::open("3,2").expect("a position");
        let failure = Failure::default();
        let keeper = Keeper::open(folder.path(), &game, 1 << 30, failure.clone());
        let mut keeper = keeper.expect("a new store");
        let mut archive = keeper.archive(&game, true);
        archive.put(&position, Fact::Nimber(1));
        assert_eq!((keeper.look(), failure.look()), (Ok(()), Ok(())));
        archive.put(&position, Fact::Nimber(2));
        assert_eq!(failure.look(), Err(Stop::Interrupted));
        assert_eq!(archive.get(&position), Some(Fact::Nimber(1)));
        drop(archive);
        keeper.finish(None).expect("what was found before is kept");
        let error = failure.take().expect("it was noted").to_string();
        assert!(error.contains("3,2 is known as nimber 1"), "{error}");
        let store = Store::open(folder.path()).expect("nothing is damaged");
        let conflicts = store.conflicts().expect("they can be read");
        assert_eq!(conflicts.len(), 1);
        assert_eq!(conflicts[0].stored, Fact::Nimber(1));
        assert_eq!(conflicts[0].new, Fact::Nimber(2));
    }
}
