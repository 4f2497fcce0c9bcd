//! Sets of positions, level by level: in memory as far as they may, on disk otherwise.
//!
//! While positions are counted there is a sheet for every level ahead and every ply at which some
//! of its positions are reached. They are used in ascending order, so what is put away when
//! memory runs short is the last of them, to be read back when its turn comes.
//!
//! Memory that the system has to hand out anew, page by page, is slow: a third of the time went
//! there. So a sheet that is done with is left blank for the next one to be written on, and all
//! are as long as the longest must be.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use blake3::Hash;
use bouton_game::indexed::Level;

use crate::Error;
use crate::error::at;
use crate::files::{self, Head, Kind, Sealed};

/// Which sheet: a level, and a ply at which its positions are reached.
pub(crate) type Key = (usize, usize);

/// Sheets that are out while a ply is spread: its own, values, earlier plies, and targets.
const AT_HAND: usize = 8;

/// The sheets of a run.
pub(crate) struct Sheets<'a> {
    directory: &'a Path,
    table: Hash,
    levels: &'a [Level],
    /// Bytes that sheets may take, in use or not.
    memory: usize,
    here: BTreeMap<Key, Vec<u64>>,
    away: BTreeSet<Key>,
    /// Blank sheets.
    blank: Vec<Vec<u64>>,
}

impl<'a> Sheets<'a> {
    pub(crate) fn new(
        directory: &'a Path,
        table: Hash,
        levels: &'a [Level],
        memory: usize,
        away: BTreeSet<Key>,
    ) -> Self {
        Self {
            directory,
            table,
            levels,
            memory,
            here: BTreeMap::new(),
            away,
            blank: Vec::new(),
        }
    }

    /// The plies at which positions of a level are reached.
    pub(crate) fn plies(&self, level: usize) -> BTreeSet<usize> {
        let range = (level, 0)..(level + 1, 0);
        let here = self.here.range(range.clone()).map(|(key, _)| key.1);
        here.chain(self.away.range(range).map(|key| key.1))
            .collect()
    }

    /// All sheets, in memory or not.
    pub(crate) fn keys(&self) -> BTreeSet<Key> {
        self.here.keys().chain(&self.away).copied().collect()
    }

    /// Bytes that the sheets in memory take, at most.
    pub(crate) fn bytes(&self) -> usize {
        let levels = self.here.keys().map(|key| self.levels[key.0].bytes());
        levels.sum::<usize>() + self.blank.len() * self.longest() * 8
    }

    /// The words of the longest sheet.
    fn longest(&self) -> usize {
        let words = self.levels.iter().map(|level| level.bytes() / 8);
        words.max().unwrap_or(0)
    }

    /// A blank sheet.
    pub(crate) fn blank(&mut self) -> Vec<u64> {
        // The system gives pages of zeros when they are first written to, and not before.
        let longest = self.longest();
        self.blank.pop().unwrap_or_else(|| vec![0; longest])
    }

    /// Takes back a sheet that is blank again.
    pub(crate) fn take_back(&mut self, sheet: Vec<u64>) {
        debug_assert!(sheet.iter().all(|&word| word == 0), "it is not blank");
        // Pages once written to stay in use, so that each may be as large as the longest.
        let sheets = self.here.len() + self.blank.len() + AT_HAND;
        if sheets * self.longest() * 8 <= self.memory {
            self.blank.push(sheet);
        }
    }

    /// Takes a sheet out, or a blank one if there is none. It may be longer than its level.
    pub(crate) fn take(&mut self, key: Key) -> Result<Vec<u64>, Error> {
        if let Some(sheet) = self.here.remove(&key) {
            return Ok(sheet);
        }
        if !self.away.contains(&key) {
            return Ok(self.blank());
        }
        let head = self.head(key);
        let unfinished = || Error::Unfinished {
            path: head.path(self.directory).display().to_string(),
        };
        let file = Sealed::open(self.directory, &head)?.ok_or_else(unfinished)?;
        let mut sheet = self.blank();
        file.read_into(&mut sheet[..head.rows * head.words])?;
        self.away.remove(&key);
        Ok(sheet)
    }

    /// Puts a sheet back.
    pub(crate) fn put(&mut self, key: Key, sheet: Vec<u64>) {
        self.here.insert(key, sheet);
    }

    /// Puts sheets away, the last ones first, until there is room for `wanted` bytes.
    pub(crate) fn make_room(&mut self, wanted: usize) -> Result<(), Error> {
        while self.bytes() + wanted > self.memory {
            if self.blank.pop().is_some() {
                continue;
            }
            let Some((key, sheet)) = self.here.pop_last() else {
                break;
            };
            let head = self.head(key);
            files::write(self.directory, &head, &sheet[..head.rows * head.words])?;
            self.away.insert(key);
        }
        Ok(())
    }

    /// Puts all sheets away.
    pub(crate) fn put_away(&mut self) -> Result<(), Error> {
        self.make_room(usize::MAX / 2)
    }

    /// Removes the file of a sheet that is done with.
    pub(crate) fn forget(&self, key: Key) -> Result<(), Error> {
        remove(&self.head(key).path(self.directory))
    }

    fn head(&self, (level, ply): Key) -> Head {
        Head {
            table: self.table,
            kind: Kind::Reached { ply: ply as u32 },
            level,
            rows: self.levels[level].rows,
            words: self.levels[level].words(),
        }
    }
}

/// Removes a file of ours, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(at(path)),
    }
}
