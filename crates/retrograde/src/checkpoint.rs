//! How far a count that was stopped came: a small file beside the sheets it left on disk.
//!
//! The sheets of a run are in a directory of its own, named after the process, so that two runs
//! never read each other's. A run goes on with what another left by giving that directory its own
//! name, which one of two that try can do.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::error::{at, damaged};
use crate::files::{self, check_magic};
use crate::reach::Ply;
use crate::sheets::{Key, remove};
use crate::table::Frame;

/// How far the count is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// The next sheet to be spread.
    pub(crate) next: Key,
    /// What was counted.
    pub(crate) plies: Vec<Ply>,
    /// The sheets on disk.
    pub(crate) away: BTreeSet<Key>,
}

/// The directory for the sheets of this process.
pub(crate) fn own_scratch(directory: &Path) -> PathBuf {
    directory.join(format!("{BEGIN}{}{END}", std::process::id()))
}

const BEGIN: &str = "count-";
const END: &str = ".unfinished";

/// The directories of all runs.
fn unfinished(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(directory).map_err(at(directory))?.flatten();
    let ours = entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with(BEGIN) && name.ends_with(END) && entry.path().is_dir()
    });
    Ok(ours.map(|entry| entry.path()).collect())
}

impl State {
    const MAGIC: &'static [u8; 7] = b"BOUTONS";

    /// The file, in the directory of a run's sheets.
    const NAME: &'static str = "count.state";

    /// Makes a directory for the sheets of this run, or takes over that of one that was stopped.
    pub(crate) fn claim(frame: &Frame) -> Result<(), Error> {
        for left in unfinished(frame.directory)? {
            if left.join(Self::NAME).exists() && fs::rename(&left, frame.scratch).is_ok() {
                return Ok(());
            }
        }
        fs::create_dir_all(frame.scratch).map_err(at(frame.scratch))
    }

    /// Removes the directories of all runs: the count is finished.
    pub(crate) fn clean(frame: &Frame) -> Result<(), Error> {
        for left in unfinished(frame.directory)? {
            fs::remove_dir_all(&left).map_err(at(&left))?;
        }
        Ok(())
    }

    /// Where an earlier run was stopped. Its file goes: from now on the sheets change.
    pub(crate) fn resume(frame: &Frame) -> Result<Option<Self>, Error> {
        let path = frame.scratch.join(Self::NAME);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(at(&path))?,
        };
        check_magic(&path, &bytes, Self::MAGIC)?;
        let state = Self::from_bytes(&bytes, frame);
        let state = state.ok_or_else(|| damaged(&path, "its checksum does not fit"))?;
        remove(&path)?;
        Ok(Some(state))
    }

    pub(crate) fn write(&self, frame: &Frame) -> Result<(), Error> {
        let mut bytes = Self::MAGIC.to_vec();
        bytes.push(files::VERSION);
        bytes.extend_from_slice(frame.table.as_bytes());
        let mut put = |number: usize| bytes.extend_from_slice(&(number as u64).to_le_bytes());
        put(self.next.0);
        put(self.next.1);
        put(self.plies.len());
        for ply in &self.plies {
            put(ply.positions as usize);
            put(ply.wins as usize);
            put(ply.terminals as usize);
        }
        put(self.away.len());
        for &(level, ply) in &self.away {
            put(level);
            put(ply);
        }
        let seal = blake3::hash(&bytes);
        bytes.extend_from_slice(seal.as_bytes());
        let path = frame.scratch.join(Self::NAME);
        files::write_beside(&path, |file| file.write_all(&bytes)).map_err(at(&path))
    }

    fn from_bytes(bytes: &[u8], frame: &Frame) -> Option<Self> {
        let (bytes, seal) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
        if seal != blake3::hash(bytes).as_bytes() || bytes.get(8..40)? != frame.table.as_bytes() {
            return None;
        }
        let mut numbers = bytes[40..]
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
        let mut number = || numbers.next();
        let mut state = Self {
            next: (number()? as usize, number()? as usize),
            ..Self::default()
        };
        for _ in 0..number()? {
            state.plies.push(Ply {
                positions: number()?,
                wins: number()?,
                terminals: number()?,
            });
        }
        for _ in 0..number()? {
            state.away.insert((number()? as usize, number()? as usize));
        }
        Some(state)
    }
}
