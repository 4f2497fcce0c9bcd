//! A store: opening it, commits with numbers, checkpoints, conflicts.
//!
//! Every commit has the next number, and the record with its number is a part of it. On opening,
//! the numbers must be 1, 2, 3 and so on without a gap, up to the one in the ledger at least: that
//! is how a commit which fjall dropped is noticed (see `folder`).

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use fjall::config::PartitioningPolicy;
use fjall::{Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode};

use crate::facts::{self, Facts, Game};
use crate::folder::Folder;
use crate::record::{self, GameId, Kind};
use crate::{Error, Fact};

/// The tree with all records.
const TREE: &str = "records";

/// fjall keeps one of these for writing and at most four more on their way to the disk. Fixed when
/// the tree is created, so no option.
const MEMTABLE: u64 = 8 << 20;

/// How long a store may be in use before that is an error. Where a process starts another one,
/// that has its locks too for a moment, even if they are given back meanwhile.
const PATIENCE: Duration = Duration::from_millis(500);

/// The longest checkpoint: it passes through a memtable as a whole.
const CHECKPOINT_LIMIT: usize = 64 << 20;

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// About how many bytes of memory it may take, 48 MiB at least: 40 MiB for what is on its
    /// way to the disk, the rest for what was read.
    pub memory: usize,
    /// Go on without the commits that a damage has cost, instead of refusing with
    /// [`Error::LostCommits`]. What is left is true as ever.
    pub accept_lost_commits: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memory: 96 << 20,
            accept_lost_commits: false,
        }
    }
}

/// Two facts about one position that cannot both be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The name of the game.
    pub game: String,
    /// The board, or nothing.
    pub board: String,
    /// The packed position.
    pub position: Vec<u8>,
    /// The fact that was known, and still is.
    pub stored: Fact,
    /// The fact that was put.
    pub new: Fact,
    /// When it was put for the first time.
    pub time: SystemTime,
}

/// A folder with facts, open for this process alone. Handles are cheap to clone; the folder is
/// free again when the last of them, and the last [`Facts`], is dropped.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    dir: PathBuf,
    tree: Keyspace,
    database: Database,
    games: Mutex<HashMap<GameId, Arc<RwLock<Game>>>>,
    /// The last field, so that the lock goes after the database. Also orders commits.
    commits: Mutex<Commits>,
}

struct Commits {
    last: u64,
    folder: Folder,
}

impl Store {
    /// Opens the store in `dir`, which is made one if it is empty or missing.
    pub fn open(dir: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(dir, &Options::default())
    }

    /// Opens the store in `dir` as the options say.
    pub fn open_with(dir: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        let start = Instant::now();
        loop {
            match Self::try_open(dir.as_ref(), options) {
                Err(Error::InUse { .. }) if start.elapsed() < PATIENCE => {
                    std::thread::sleep(PATIENCE / 20);
                }
                result => return result,
            }
        }
    }

    fn try_open(dir: &Path, options: &Options) -> Result<Self, Error> {
        let folder = Folder::open(dir)?;
        folder.create_data(|data| {
            let database = database(dir, data, options)?;
            tree(dir, &database).map(drop)
        })?;
        folder.check_manifests()?;
        let database = database(dir, &folder.data(), options)?;
        let tree = tree(dir, &database)?;
        let inner = Inner {
            dir: dir.to_path_buf(),
            tree,
            database,
            games: Mutex::default(),
            commits: Mutex::new(Commits { last: 0, folder }),
        };
        inner.load_games()?;
        inner.check_commits(options)?;
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.inner.dir
    }

    /// The facts of a game on a board. What is on the board beside the position, such as its size,
    /// belongs into `board`; it is empty where a position is the same on all boards.
    pub fn game(&self, name: &str, board: &str) -> Result<Facts, Error> {
        check_name("a game", name)?;
        if !board.is_empty() {
            check_name("a board", board)?;
        }
        let id = GameId::new(name, board);
        let mut games = lock(&self.inner.games);
        let game = games
            .entry(id)
            .or_insert_with(|| Arc::new(RwLock::new(Game::new(name, board, 0))));
        let facts = Facts::new(id, Arc::clone(game), Arc::clone(&self.inner));
        if !facts.is_of(name, board) {
            // 2^-64 a pair of games, but it would cost truth.
            return Err(Error::Name {
                what: "a game beside another one with the same hash",
                name: name.to_owned(),
            });
        }
        facts.prepare()?;
        Ok(facts)
    }

    /// The games of which there are facts or conflicts, as names and boards.
    pub fn games(&self) -> Vec<(String, String)> {
        let games = lock(&self.inner.games);
        let mut names: Vec<_> = games
            .values()
            .map(|game| facts::read(game).names())
            .collect();
        names.sort();
        names
    }

    /// Contradictions that were found so far, in this run and all before.
    pub fn conflicts(&self) -> Result<Vec<Conflict>, Error> {
        let mut conflicts = Vec::new();
        for record in self.inner.scan(&[Kind::Conflict as u8]) {
            let (key, value) = record?;
            let conflict = self.inner.read_conflict(&key, &value);
            conflicts.push(conflict.ok_or_else(|| self.inner.damaged_record(&key))?);
        }
        Ok(conflicts)
    }

    /// Keeps bytes under a name, durably; replaces those kept before.
    pub fn put_checkpoint(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        check_name("a checkpoint", name)?;
        check_length("a checkpoint", bytes.len(), CHECKPOINT_LIMIT)?;
        let key = record::checkpoint_key(name);
        self.inner
            .commit(0, vec![(key, bytes.to_vec())].into_iter())
    }

    /// The bytes kept under a name.
    pub fn get_checkpoint(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        check_name("a checkpoint", name)?;
        self.inner.read(&record::checkpoint_key(name))
    }

    /// Reads every record, and compares the number of facts with what the commits say. The number
    /// of facts, if all is well.
    pub fn verify(&self) -> Result<u64, Error> {
        let counts = self.inner.count_facts()?;
        for (id, game) in &*lock(&self.inner.games) {
            let game = facts::read(game);
            let found = counts.get(id).copied().unwrap_or(0);
            if found != game.facts() {
                let what = format!("{found} facts of {game}, expected {}", game.facts());
                return Err(Error::damaged(&self.inner.dir, what));
            }
        }
        for kind in [Kind::Game, Kind::Conflict, Kind::Checkpoint] {
            self.inner
                .scan(&[kind as u8])
                .try_for_each(|r| r.map(drop))?;
        }
        Ok(counts.values().sum())
    }
}

impl Inner {
    /// The value under a key, its checksum checked and removed.
    pub(crate) fn read(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let Some(sealed) = guarded(&self.dir, || self.tree.get(key))? else {
            return Ok(None);
        };
        match record::unseal(key, &sealed) {
            Some(value) => Ok(Some(value.to_vec())),
            None => Err(self.damaged_record(key)),
        }
    }

    /// All records whose keys begin with `start`, as of now.
    pub(crate) fn scan(&self, start: &[u8]) -> Scan<'_> {
        Scan {
            store: self,
            iter: Some(self.tree.prefix(start)),
        }
    }

    /// Writes records as one commit: durable when this returns, all of them or none. `facts` is
    /// how many more there are then.
    pub(crate) fn commit(
        &self,
        facts: i64,
        records: impl Iterator<Item = (Vec<u8>, Vec<u8>)>,
    ) -> Result<(), Error> {
        let mut commits = lock(&self.commits);
        let number = commits.last + 1;
        let mut batch =
            OwnedWriteBatch::with_capacity(self.database.clone(), records.size_hint().0)
                .durability(Some(PersistMode::SyncAll));
        let own = (record::commit_key(number), record::commit_value(facts));
        for (key, value) in records.chain([own]) {
            let sealed = record::seal(&key, value);
            batch.insert(&self.tree, key, sealed);
        }
        guarded(&self.dir, || batch.commit())?;
        commits.last = number;
        commits.folder.acknowledge(number);
        Ok(())
    }

    /// Keeps a contradiction, durably; the first time it is found.
    pub(crate) fn keep_conflict(
        &self,
        game: (Vec<u8>, Vec<u8>),
        key: Vec<u8>,
        stored: Fact,
    ) -> Result<(), Error> {
        if self.read(&key)?.is_some() {
            return Ok(());
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let millis = since.map_or(0, |time| time.as_millis() as u64);
        let conflict = (key, record::conflict_value(millis, stored));
        self.commit(0, [game, conflict].into_iter())
    }

    pub(crate) fn damaged_record(&self, key: &[u8]) -> Error {
        Error::DamagedRecord {
            dir: self.dir.clone(),
            record: record::describe(key),
        }
    }

    fn read_conflict(&self, key: &[u8], value: &[u8]) -> Option<Conflict> {
        let games = lock(&self.games);
        let game = games.get(&GameId::from_key(key)?)?;
        let (game, board) = facts::read(game).names();
        let (position, new) = record::conflict_parts(key)?;
        let (millis, stored) = record::read_conflict(value)?;
        Some(Conflict {
            game,
            board,
            position: position.to_vec(),
            stored,
            new,
            time: UNIX_EPOCH + Duration::from_millis(millis),
        })
    }

    fn load_games(&self) -> Result<(), Error> {
        let mut games = lock(&self.games);
        for record in self.scan(&[Kind::Game as u8]) {
            let (key, value) = record?;
            let id = GameId::from_key(&key);
            let (Some(id), Some((name, board, facts))) = (id, record::read_game(&value)) else {
                return Err(self.damaged_record(&key));
            };
            let game = Game::new(&name, &board, facts);
            games.insert(id, Arc::new(RwLock::new(game)));
        }
        Ok(())
    }

    /// Are the commits there, without a gap, up to the last that was acknowledged? And do the
    /// games count as many facts as the commits brought?
    fn check_commits(&self, options: &Options) -> Result<(), Error> {
        let mut commits = lock(&self.commits);
        let mut brought = 0_i64;
        let mut missing = Vec::new();
        for record in self.scan(&[Kind::Commit as u8]) {
            let (key, value) = record?;
            let read = record::read_commit(&key, &value);
            let (number, facts) = read.ok_or_else(|| self.damaged_record(&key))?;
            missing.extend(commits.last + 1..number);
            commits.last = number;
            brought = brought.saturating_add(facts);
        }
        let acknowledged = commits.folder.acknowledged;
        missing.extend(commits.last + 1..=acknowledged);
        let last = commits.last.max(acknowledged);
        commits.last = last;
        drop(commits);
        let games = lock(&self.games);
        let counted: u64 = games.values().map(|game| facts::read(game).facts()).sum();
        drop(games);
        if missing.is_empty() && counted as i64 == brought {
            return Ok(());
        }
        if options.accept_lost_commits {
            return self.accept_loss(&missing, brought);
        }
        let dir = self.dir.clone();
        Err(match missing.first() {
            Some(&first) => Error::LostCommits {
                dir,
                acknowledged: last,
                missing: missing.len() as u64,
                first,
            },
            None => Error::Miscounted {
                dir,
                counted,
                brought,
            },
        })
    }

    /// Fills the gaps in the numbers of commits, and counts the facts that are left.
    fn accept_loss(&self, missing: &[u64], brought: i64) -> Result<(), Error> {
        let counts = self.count_facts()?;
        let mut left = 0;
        let mut records = Vec::new();
        for (id, game) in &*lock(&self.games) {
            let facts = counts.get(id).copied().unwrap_or(0);
            left += facts as i64;
            let mut game = game.write().unwrap_or_else(PoisonError::into_inner);
            game.set_facts(facts);
            records.push(game.record(*id));
        }
        let gaps = missing
            .iter()
            .map(|&number| (record::commit_key(number), record::commit_value(0)));
        self.commit(left - brought, records.into_iter().chain(gaps))
    }

    fn count_facts(&self) -> Result<HashMap<GameId, u64>, Error> {
        let mut counts = HashMap::new();
        for record in self.scan(&[Kind::Fact as u8]) {
            let (key, value) = record?;
            let id = GameId::from_key(&key);
            let (Some(id), Some(_)) = (id, record::read_fact(&value)) else {
                return Err(self.damaged_record(&key));
            };
            *counts.entry(id).or_default() += 1;
        }
        Ok(counts)
    }
}

/// Records in the order of their keys, their checksums checked and removed.
pub(crate) struct Scan<'a> {
    store: &'a Inner,
    iter: Option<fjall::Iter>,
}

impl Iterator for Scan<'_> {
    type Item = Result<(Vec<u8>, Vec<u8>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let iter = self.iter.as_mut()?;
        let next = guarded(&self.store.dir, || {
            iter.next().map(fjall::Guard::into_inner).transpose()
        });
        let next =
            next.transpose()?
                .and_then(|(key, sealed)| match record::unseal(&key, &sealed) {
                    Some(value) => Ok((key.to_vec(), value.to_vec())),
                    None => Err(self.store.damaged_record(&key)),
                });
        if next.is_err() {
            self.iter = None; // What follows an error is not known to be complete.
        }
        Some(next)
    }
}

fn database(dir: &Path, data: &Path, options: &Options) -> Result<Database, Error> {
    let cache = (options.memory as u64).saturating_sub(5 * MEMTABLE);
    guarded(dir, || {
        Database::builder(data)
            .cache_size(cache.max(MEMTABLE))
            .max_journaling_size(128 << 20)
            .worker_threads(2)
            .open()
    })
}

fn tree(dir: &Path, database: &Database) -> Result<Keyspace, Error> {
    guarded(dir, || {
        database.keyspace(TREE, || {
            // In parts, so that a small cache need not read a filter of megabytes for one key.
            KeyspaceCreateOptions::default()
                .max_memtable_size(MEMTABLE)
                .filter_block_partitioning_policy(PartitioningPolicy::all(true))
                .index_block_partitioning_policy(PartitioningPolicy::all(true))
        })
    })
}

/// Runs a call of fjall. fjall panics on some damaged files; here that is an error too.
fn guarded<T>(dir: &Path, call: impl FnOnce() -> fjall::Result<T>) -> Result<T, Error> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.map_err(|e| Error::fjall(dir, e)),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            let what = format!("fjall gave up ({})", text.unwrap_or("without a reason"));
            Err(Error::damaged(dir, what))
        }
    }
}

fn check_name(what: &'static str, name: &str) -> Result<(), Error> {
    if (1..=255).contains(&name.len()) && !name.contains('\0') {
        return Ok(());
    }
    let name = name.to_owned();
    Err(Error::Name { what, name })
}

pub(crate) fn check_length(what: &'static str, length: usize, limit: usize) -> Result<(), Error> {
    if length <= limit {
        return Ok(());
    }
    Err(Error::TooLong {
        what,
        length,
        limit,
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
