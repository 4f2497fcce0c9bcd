//! The facts of one game on one board.
//!
//! Handles of the same game share a buffer: what one puts, all see, and a contradiction between
//! two threads is found when the second fact is put. Nothing is on the disk before a commit.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::filter::Filter;
use crate::record::{self, GameId, Kind, POSITION_LIMIT};
use crate::store::{Inner, Scan, check_length};
use crate::{Error, Fact};

/// What is known of a game beside its records on the disk.
pub(crate) struct Game {
    name: String,
    board: String,
    /// Facts on the disk.
    facts: u64,
    pending: BTreeMap<Vec<u8>, Pending>,
    /// Which positions may have a fact; built by the first who asks for the game.
    filter: Option<Filter>,
}

#[derive(Clone, Copy)]
struct Pending {
    fact: Fact,
    /// Is there nothing about the position on the disk?
    new: bool,
}

impl Game {
    pub(crate) fn new(name: &str, board: &str, facts: u64) -> Self {
        Self {
            name: name.to_owned(),
            board: board.to_owned(),
            facts,
            pending: BTreeMap::new(),
            filter: None,
        }
    }

    /// Whether there may be a fact about a position.
    fn may_have(&self, position: &[u8]) -> bool {
        let filter = self.filter.as_ref();
        filter.is_none_or(|filter| filter.may_have(position))
    }

    pub(crate) fn names(&self) -> (String, String) {
        (self.name.clone(), self.board.clone())
    }

    pub(crate) fn facts(&self) -> u64 {
        self.facts
    }

    pub(crate) fn set_facts(&mut self, facts: u64) {
        self.facts = facts;
    }

    /// The game's own record.
    pub(crate) fn record(&self, id: GameId) -> (Vec<u8>, Vec<u8>) {
        let value = record::game_value(&self.name, &self.board, self.facts);
        (id.key(), value)
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match self.board.as_str() {
            "" => Ok(()),
            board => write!(f, " {board}"),
        }
    }
}

/// The facts of one game on one board; cheap to clone, and shared between threads.
#[derive(Clone)]
pub struct Facts {
    id: GameId,
    game: Arc<RwLock<Game>>,
    store: Arc<Inner>,
}

impl Facts {
    pub(crate) fn new(id: GameId, game: Arc<RwLock<Game>>, store: Arc<Inner>) -> Self {
        Self { id, game, store }
    }

    pub(crate) fn is_of(&self, name: &str, board: &str) -> bool {
        let game = read(&self.game);
        game.name == name && game.board == board
    }

    /// What is known about a canonical position, committed or not.
    pub fn get(&self, position: &[u8]) -> Result<Option<Fact>, Error> {
        check_length("a position", position.len(), POSITION_LIMIT)?;
        let game = read(&self.game);
        if !game.may_have(position) {
            return Ok(None);
        }
        match game.pending.get(position) {
            Some(pending) => Ok(Some(pending.fact)),
            None => self.stored(position),
        }
    }

    /// Adds a fact about a canonical position to the next commit. What is known already changes
    /// nothing, and a nimber refines the outcome it implies.
    ///
    /// A fact that cannot be true beside a known one is an [`Error::Contradiction`]. The known one
    /// stays, the pair is kept durably as a conflict, and the other facts of the buffer can be
    /// committed.
    pub fn put(&self, position: &[u8], fact: Fact) -> Result<(), Error> {
        check_length("a position", position.len(), POSITION_LIMIT)?;
        let mut game = write(&self.game);
        let unheard_of = !game.may_have(position);
        let pending = game.pending.get(position).copied();
        let known = match pending {
            Some(pending) => Some(pending.fact),
            None if unheard_of => None,
            None => self.stored(position)?,
        };
        let joined = match known {
            None => fact,
            Some(known) => match known.and(fact) {
                None => return Err(self.contradiction(&game, position, known, fact)),
                Some(joined) if joined == known => return Ok(()),
                Some(joined) => joined,
            },
        };
        let pending = Pending {
            fact: joined,
            new: pending.map_or(known.is_none(), |pending| pending.new),
        };
        game.pending.insert(position.to_vec(), pending);
        match &mut game.filter {
            Some(filter) if filter.is_full() => self.build_filter(&mut game),
            Some(filter) => {
                filter.add(position);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Writes the buffered facts, all of them or none, and waits until they are durable. Without
    /// buffered facts it does nothing. After an error they are still in the buffer.
    pub fn commit(&self) -> Result<(), Error> {
        let mut game = write(&self.game);
        if game.pending.is_empty() {
            return Ok(());
        }
        let new = game.pending.values().filter(|pending| pending.new).count();
        check_length("a commit", game.pending.len(), u32::MAX as usize / 2)?;
        let before = game.facts;
        game.facts += new as u64;
        let records = game.pending.iter().map(|(position, pending)| {
            let key = self.id.fact_key(position);
            (key, record::fact_value(pending.fact))
        });
        let own = game.record(self.id);
        let written = self.store.commit(new as i64, records.chain([own]));
        match written {
            Ok(()) => game.pending.clear(),
            Err(_) => game.facts = before,
        }
        written
    }

    /// Has the filter built, unless it is there.
    pub(crate) fn prepare(&self) -> Result<(), Error> {
        let mut game = write(&self.game);
        match game.filter {
            Some(_) => Ok(()),
            None => self.build_filter(&mut game),
        }
    }

    fn build_filter(&self, game: &mut Game) -> Result<(), Error> {
        let mut filter = Filter::for_twice(game.facts as usize + game.pending.len());
        for fact in self {
            filter.add(&fact?.0);
        }
        game.pending
            .keys()
            .for_each(|position| filter.add(position));
        game.filter = Some(filter);
        Ok(())
    }

    /// How many facts are committed.
    pub fn len(&self) -> u64 {
        read(&self.game).facts
    }

    /// Is nothing committed?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many facts wait for the next commit.
    pub fn pending(&self) -> usize {
        read(&self.game).pending.len()
    }

    /// The committed facts in the order of their positions, as of now.
    pub fn iter(&self) -> Iter<'_> {
        Iter {
            store: &self.store,
            scan: self.store.scan(&self.id.start(Kind::Fact)),
        }
    }

    fn stored(&self, position: &[u8]) -> Result<Option<Fact>, Error> {
        let key = self.id.fact_key(position);
        let Some(value) = self.store.read(&key)? else {
            return Ok(None);
        };
        match record::read_fact(&value) {
            Some(fact) => Ok(Some(fact)),
            None => Err(self.store.damaged_record(&key)),
        }
    }

    /// Keeps the pair; if even that fails, that is the error.
    fn contradiction(&self, game: &Game, position: &[u8], stored: Fact, new: Fact) -> Error {
        let key = self.id.conflict_key(position, new);
        let kept = self.store.keep_conflict(game.record(self.id), key, stored);
        kept.err().unwrap_or_else(|| Error::Contradiction {
            game: game.to_string(),
            position: record::hex(position),
            stored,
            new,
        })
    }
}

impl<'a> IntoIterator for &'a Facts {
    type Item = Result<(Vec<u8>, Fact), Error>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Packed positions and what is known about them.
pub struct Iter<'a> {
    store: &'a Inner,
    scan: Scan<'a>,
}

impl Iterator for Iter<'_> {
    type Item = Result<(Vec<u8>, Fact), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.scan.next()?;
        Some(record.and_then(|(key, value)| {
            match (record::fact_position(&key), record::read_fact(&value)) {
                (Some(position), Some(fact)) => Ok((position.to_vec(), fact)),
                _ => Err(self.store.damaged_record(&key)),
            }
        }))
    }
}

pub(crate) fn read(game: &RwLock<Game>) -> RwLockReadGuard<'_, Game> {
    game.read().unwrap_or_else(PoisonError::into_inner)
}

fn write(game: &RwLock<Game>) -> RwLockWriteGuard<'_, Game> {
    game.write().unwrap_or_else(PoisonError::into_inner)
}
