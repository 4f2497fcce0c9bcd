//! A finished table: its cover, and looking positions up.
//!
//! The cover (`table.bouton`) says which game the table solves from which position, ties all
//! levels together by their seals, and keeps what was counted. It is written last: a directory
//! without it holds no table, or not yet.

use std::collections::HashMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use blake3::Hash;
use bouton_game::indexed::{Level, Place};
use bouton_game::{Game, Index, Outcome};

use crate::Error;
use crate::error::{at, damaged};
use crate::files::{self, Head, Kind, Sealed, check_magic};
use crate::reach::Ply;

/// What a table solves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The game's name.
    pub game: String,
    /// The position that counts begin with, as text.
    pub root: String,
}

/// The directory of a table, and what its files have in common.
pub(crate) struct Frame<'a> {
    pub(crate) directory: &'a Path,
    /// Where sheets go that do not fit into memory.
    pub(crate) scratch: &'a Path,
    pub(crate) table: Hash,
}

impl<'a> Frame<'a> {
    pub(crate) fn new<I: Index>(
        directory: &'a Path,
        scratch: &'a Path,
        subject: &Subject,
        index: &I,
    ) -> Self {
        Self {
            directory,
            scratch,
            table: identity(subject, index),
        }
    }

    /// The head of a level's values.
    pub(crate) fn values(&self, number: usize, level: &Level) -> Head {
        Head {
            table: self.table,
            kind: Kind::Values,
            level: number,
            rows: level.rows,
            words: level.words(),
        }
    }

    /// The values of a level, into as much place as they take.
    pub(crate) fn read_values_into(
        &self,
        number: usize,
        level: &Level,
        into: &mut [u64],
    ) -> Result<(), Error> {
        self.open_values(number, level)?.read_into(into)
    }

    /// The values of a level.
    pub(crate) fn read_values(&self, number: usize, level: &Level) -> Result<Vec<u64>, Error> {
        self.open_values(number, level)?.read()
    }

    pub(crate) fn open_values(&self, number: usize, level: &Level) -> Result<Sealed, Error> {
        let head = self.values(number, level);
        let found = Sealed::open(self.directory, &head)?;
        found.ok_or_else(|| damaged(&head.path(self.directory), "it is missing"))
    }
}

/// What all files of a table have in their heads.
fn identity<I: Index>(subject: &Subject, index: &I) -> Hash {
    let mut hash = blake3::Hasher::new();
    for text in [&subject.game, &subject.root] {
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.update(&I::VERSION.to_le_bytes());
    for level in index.levels() {
        hash.update(&(level.rows as u64).to_le_bytes());
        hash.update(&(level.bits as u64).to_le_bytes());
    }
    hash.finalize()
}

/// The cover of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// What it solves.
    pub subject: Subject,
    /// What was counted.
    pub plies: Vec<Ply>,
    table: Hash,
    /// The seals of the levels.
    seals: Vec<Hash>,
}

impl Cover {
    const NAME: &'static str = "table.bouton";
    const MAGIC: &'static [u8; 7] = b"BOUTONT";

    /// Reads the cover of the table in a directory.
    pub fn read(directory: &Path) -> Result<Self, Error> {
        let path = directory.join(Self::NAME);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let path = directory.display().to_string();
                return Err(Error::Unfinished { path });
            }
            bytes => bytes.map_err(at(&path))?,
        };
        check_magic(&path, &bytes, Self::MAGIC)?;
        Self::from_bytes(&bytes).ok_or_else(|| damaged(&path, "its checksum does not fit"))
    }

    /// The cover of a table whose levels are all there.
    pub(crate) fn new<I: Index>(
        frame: &Frame,
        subject: &Subject,
        index: &I,
        plies: Vec<Ply>,
    ) -> Result<Self, Error> {
        let levels = index.levels().iter().enumerate();
        let seals = levels.map(|(number, level)| Ok(frame.open_values(number, level)?.seal));
        Ok(Self {
            subject: subject.clone(),
            plies,
            table: frame.table,
            seals: seals.collect::<Result<_, Error>>()?,
        })
    }

    pub(crate) fn write(&self, directory: &Path) -> Result<(), Error> {
        let mut bytes = Self::MAGIC.to_vec();
        bytes.push(files::VERSION);
        for text in [&self.subject.game, &self.subject.root] {
            bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        bytes.extend_from_slice(self.table.as_bytes());
        bytes.extend_from_slice(&(self.seals.len() as u64).to_le_bytes());
        for seal in &self.seals {
            bytes.extend_from_slice(seal.as_bytes());
        }
        bytes.extend_from_slice(&(self.plies.len() as u64).to_le_bytes());
        for ply in &self.plies {
            for count in [ply.positions, ply.wins, ply.terminals] {
                bytes.extend_from_slice(&count.to_le_bytes());
            }
        }
        let seal = blake3::hash(&bytes);
        bytes.extend_from_slice(seal.as_bytes());
        let path = directory.join(Self::NAME);
        files::write_beside(&path, |file| file.write_all(&bytes)).map_err(at(&path))
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (bytes, seal) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
        if seal != blake3::hash(bytes).as_bytes() {
            return None;
        }
        let mut rest = bytes.get(8..)?;
        let mut take = |length: usize| {
            let (taken, behind) = rest.split_at_checked(length)?;
            rest = behind;
            Some(taken)
        };
        let number = |bytes: &[u8]| Some(u64::from_le_bytes(bytes.try_into().ok()?));
        let mut text = || {
            let length = number(take(8)?)?;
            let text = take(usize::try_from(length).ok()?)?;
            Some(str::from_utf8(text).ok()?.to_owned())
        };
        let subject = Subject {
            game: text()?,
            root: text()?,
        };
        let hash = |bytes: &[u8]| Some(Hash::from_bytes(bytes.try_into().ok()?));
        let table = hash(take(32)?)?;
        let seals = number(take(8)?)?;
        let seals = (0..seals).map(|_| hash(take(32)?)).collect::<Option<_>>()?;
        let mut plies = Vec::new();
        for _ in 0..number(take(8)?)? {
            plies.push(Ply {
                positions: number(take(8)?)?,
                wins: number(take(8)?)?,
                terminals: number(take(8)?)?,
            });
        }
        rest.is_empty().then_some(Self {
            subject,
            plies,
            table,
            seals,
        })
    }
}

/// A finished table, open to be asked.
pub struct Table<I: Index> {
    index: I,
    cover: Cover,
    directory: PathBuf,
    levels: Vec<Option<Sealed>>,
    /// Blocks read of late, by level and number.
    blocks: HashMap<(usize, usize), Vec<u64>>,
}

/// How many blocks are kept: 64 MiB.
const KEPT: usize = 1024;

impl<I: Index> Table<I> {
    /// Opens the table in a directory, whose cover was read and whose index is this.
    pub fn open(directory: &Path, cover: Cover, index: I) -> Result<Self, Error> {
        if cover.table != identity(&cover.subject, &index)
            || cover.seals.len() != index.levels().len()
        {
            return Err(Error::Other {
                path: directory.join(Cover::NAME).display().to_string(),
                what: "another version of its index".to_owned(),
            });
        }
        let levels = index.levels().iter().map(|_| None).collect();
        Ok(Self {
            index,
            cover,
            directory: directory.to_owned(),
            levels,
            blocks: HashMap::new(),
        })
    }

    /// What the table solves, and what was counted.
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// The index.
    pub fn index(&mut self) -> &mut I {
        &mut self.index
    }

    /// The outcome of a position for the player to move; `None` if the table has no such
    /// position.
    pub fn outcome(
        &mut self,
        position: &<I::Game as Game>::Position,
    ) -> Result<Option<Outcome>, Error> {
        let place = self.index.place(position);
        place.map(|place| self.outcome_at(place)).transpose()
    }

    /// The outcome at a place.
    pub fn outcome_at(&mut self, Place { row, bit }: Place) -> Result<Outcome, Error> {
        let level = self.level(row.level)?;
        let (block, word) = level.find(row.row, bit / 64);
        if !self.blocks.contains_key(&(row.level, block)) {
            let words = self.level(row.level)?.block(block)?;
            if self.blocks.len() >= KEPT {
                self.blocks.clear();
            }
            self.blocks.insert((row.level, block), words);
        }
        let wins = self.blocks[&(row.level, block)][word] >> (bit % 64) & 1 == 1;
        Ok(if wins { Outcome::Win } else { Outcome::Loss })
    }

    /// Reads the whole of a level, to see whether it is as it was written.
    pub fn check_level(&mut self, number: usize) -> Result<(), Error> {
        self.level(number)?.check()
    }

    fn level(&mut self, number: usize) -> Result<&mut Sealed, Error> {
        if self.levels[number].is_none() {
            let frame = Frame {
                directory: &self.directory,
                scratch: &self.directory,
                table: self.cover.table,
            };
            let level = &self.index.levels()[number];
            let file = frame.open_values(number, level)?;
            if file.seal != self.cover.seals[number] {
                let path = frame.values(number, level).path(&self.directory);
                return Err(damaged(&path, "it is not the level that was counted"));
            }
            self.levels[number] = Some(file);
        }
        Ok(self.levels[number].as_mut().expect("just opened"))
    }
}
