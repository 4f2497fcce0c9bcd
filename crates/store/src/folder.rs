//! The folder: the marker that makes it a store, its lock, and the ledger.
//!
//! ```text
//! BOUTON-STORE   48 bytes: magic, version, ledger; locked while the store is open
//! data/          fjall's files
//! data.new/      fjall's files while the store is being created; then renamed
//! ```
//!
//! The ledger is the number of the last acknowledged commit, outside of fjall's files. fjall's
//! journal ends, for fjall, where it becomes unreadable: what followed is dropped without a word
//! (fjall issue 311). The ledger says that something followed. It is written after the journal
//! is on the disk, so it is never ahead of it; it is not synced itself, so after a loss of power
//! it may be behind, which weakens the check and alarms nobody falsely.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::Error;

/// The format of stores that this crate reads and writes.
pub(crate) const VERSION: u32 = 1;

const MARKER: &str = "BOUTON-STORE";
const MAGIC: &[u8; 8] = b"BOUTONST";
const HEADER: usize = 16;
const SLOT: usize = 16;
const LENGTH: usize = HEADER + 2 * SLOT;

/// The folder of a store, locked until this is dropped.
pub(crate) struct Folder {
    dir: PathBuf,
    marker: File,
    /// The last commit that the ledger knows.
    pub(crate) acknowledged: u64,
}

impl Folder {
    /// Locks the store in `dir`, and writes the marker first if there is nothing at all.
    pub(crate) fn open(dir: &Path) -> Result<Self, Error> {
        let fail = |source| Error::io(dir, source);
        let marker = match existing_marker(dir)? {
            Some(marker) => marker,
            None => {
                fs::create_dir_all(dir).map_err(fail)?;
                let mut new = OpenOptions::new();
                new.read(true).write(true).create_new(true);
                match new.open(dir.join(MARKER)) {
                    Err(e) if e.kind() == ErrorKind::AlreadyExists => {
                        return Err(in_use(dir));
                    }
                    created => created.map_err(fail)?,
                }
            }
        };
        marker.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => in_use(dir),
            TryLockError::Error(source) => fail(source),
        })?;
        let mut folder = Self {
            dir: dir.to_path_buf(),
            marker,
            acknowledged: 0,
        };
        folder.read_marker()?;
        Ok(folder)
    }

    /// Where fjall's files are.
    pub(crate) fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    /// Lets `create` make fjall's files if there are none yet: all of them or, if it is
    /// interrupted, none.
    pub(crate) fn create_data(
        &self,
        create: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let fail = |source| Error::io(&self.dir, source);
        if self.data().try_exists().map_err(fail)? {
            return Ok(());
        }
        if self.acknowledged > 0 {
            return Err(Error::damaged(&self.dir, "its folder `data` is missing"));
        }
        let new = self.dir.join("data.new");
        match fs::remove_dir_all(&new) {
            Err(e) if e.kind() != ErrorKind::NotFound => return Err(fail(e)),
            _ => {}
        }
        create(&new)?;
        fs::rename(&new, self.data()).map_err(fail)?;
        sync_folder(&self.dir).map_err(fail)
    }

    /// Checks what fjall trusts blindly: the list of each tree's tables against its checksum. A
    /// tree without a list counts as never created, and tables that are not on the list count as
    /// left over; fjall deletes both.
    pub(crate) fn check_manifests(&self) -> Result<(), Error> {
        let trees = self.data().join("keyspaces");
        let mut names = Vec::new();
        for entry in fs::read_dir(&trees).map_err(|e| self.unreadable(&trees, &e))? {
            let entry = entry.map_err(|e| self.unreadable(&trees, &e))?;
            self.check_manifest(&entry.path())?;
            names.push(entry.file_name());
        }
        names.sort();
        // fjall's own tree, and ours.
        if names != ["0", "1"] {
            let what = format!("{} holds {names:?}", trees.display());
            return Err(Error::damaged(&self.dir, what));
        }
        let version = self.data().join("version");
        match fs::read(&version) {
            Ok(bytes) if bytes == b"FJL\x03" => Ok(()),
            Ok(_) => Err(self.wrong(&version)),
            Err(e) => Err(self.unreadable(&version, &e)),
        }
    }

    fn check_manifest(&self, tree: &Path) -> Result<(), Error> {
        let current = tree.join("current");
        let bytes = fs::read(&current).map_err(|e| self.unreadable(&current, &e))?;
        // Number of the list, XXH3 of its file, kind of checksum.
        let (number, rest) = bytes
            .split_first_chunk::<8>()
            .ok_or_else(|| self.wrong(&current))?;
        let (sum, kind) = rest
            .split_first_chunk::<16>()
            .ok_or_else(|| self.wrong(&current))?;
        if kind != [0] {
            return Err(self.wrong(&current));
        }
        let list = tree.join(format!("v{}", u64::from_le_bytes(*number)));
        let bytes = fs::read(&list).map_err(|e| self.unreadable(&list, &e))?;
        if xxh3_128(&bytes) != u128::from_le_bytes(*sum) {
            return Err(self.wrong(&list));
        }
        Ok(())
    }

    /// Writes down that commit `number` is on the disk.
    pub(crate) fn acknowledge(&mut self, number: u64) {
        let mut slot = [0; SLOT];
        slot[..8].copy_from_slice(&number.to_le_bytes());
        let check = xxh3_64(&slot[..8]).to_le_bytes();
        slot[8..].copy_from_slice(&check);
        // Two slots in turn: a torn write spoils one. A failed write leaves the ledger behind,
        // which is a weaker check and no loss, while an error would deny a commit that is there.
        let place = HEADER as u64 + number % 2 * SLOT as u64;
        let written = self
            .marker
            .seek(SeekFrom::Start(place))
            .and_then(|_| self.marker.write_all(&slot));
        if written.is_ok() {
            self.acknowledged = number;
        }
    }

    fn read_marker(&mut self) -> Result<(), Error> {
        let fail = |source| Error::io(&self.dir, source);
        let mut bytes = Vec::new();
        self.marker.read_to_end(&mut bytes).map_err(fail)?;
        let fresh = fresh_marker();
        if bytes.len() < LENGTH {
            let created = self.data().try_exists().map_err(fail)?;
            if created || !fresh.starts_with(&bytes) {
                return Err(self.wrong(&self.dir.join(MARKER)));
            }
            // New, or its creation was interrupted.
            self.marker.seek(SeekFrom::Start(0)).map_err(fail)?;
            self.marker.write_all(&fresh).map_err(fail)?;
            self.marker.sync_all().map_err(fail)?;
            return sync_folder(&self.dir).map_err(fail);
        }
        // The header was checked before the lock was taken.
        let numbers = bytes[HEADER..LENGTH].chunks_exact(SLOT).map(read_slot);
        self.acknowledged = numbers
            .flatten()
            .max()
            .ok_or_else(|| self.wrong(&self.dir.join(MARKER)))?;
        Ok(())
    }

    fn wrong(&self, file: &Path) -> Error {
        let what = format!("{} does not match its checksum", file.display());
        Error::damaged(&self.dir, what)
    }

    fn unreadable(&self, file: &Path, error: &io::Error) -> Error {
        if error.kind() == ErrorKind::NotFound {
            let what = format!("{} is missing", file.display());
            return Error::damaged(&self.dir, what);
        }
        Error::io(&self.dir, io::Error::new(error.kind(), error.to_string()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Only to have a sharper check after a loss of power.
        let _ = self.marker.sync_data();
    }
}

/// The marker of a store in `dir`; none if a store may be created there.
fn existing_marker(dir: &Path) -> Result<Option<File>, Error> {
    let fail = |source| Error::io(dir, source);
    let foreign = |what| Error::Foreign {
        dir: dir.to_path_buf(),
        what,
    };
    let mut entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) if e.kind() == ErrorKind::NotADirectory => return Err(foreign("it is a file")),
        Err(e) => return Err(fail(e)),
    };
    if entries.next().is_none() {
        return Ok(None);
    }
    let path = dir.join(MARKER);
    let mut bytes = Vec::new();
    match File::open(&path) {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            return Err(foreign("there are files, but none called BOUTON-STORE"));
        }
        opened => opened
            .and_then(|file| file.take(LENGTH as u64).read_to_end(&mut bytes))
            .map_err(fail)?,
    };
    check_header(dir, &bytes)?;
    let marker = OpenOptions::new().read(true).write(true).open(&path);
    marker.map(Some).map_err(fail)
}

fn check_header(dir: &Path, bytes: &[u8]) -> Result<(), Error> {
    let common = bytes.len().min(MAGIC.len());
    if bytes[..common] != MAGIC[..common] {
        return Err(Error::Foreign {
            dir: dir.to_path_buf(),
            what: "its file BOUTON-STORE is something else",
        });
    }
    if bytes.len() < HEADER {
        return Ok(()); // `read_marker` decides, under the lock.
    }
    if xxh3_64(&bytes[..12]).to_le_bytes()[..4] != bytes[12..HEADER] {
        let what = "the first 16 bytes of BOUTON-STORE do not match their checksum";
        return Err(Error::damaged(dir, what));
    }
    let found = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
    if found != VERSION {
        return Err(Error::Version {
            dir: dir.to_path_buf(),
            found,
            ours: VERSION,
        });
    }
    Ok(())
}

fn fresh_marker() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(&xxh3_64(&bytes).to_le_bytes()[..4]);
    for _ in 0..2 {
        bytes.extend(0_u64.to_le_bytes());
        bytes.extend(xxh3_64(&0_u64.to_le_bytes()).to_le_bytes());
    }
    bytes
}

fn read_slot(slot: &[u8]) -> Option<u64> {
    let (number, check) = slot.split_first_chunk::<8>()?;
    (xxh3_64(number).to_le_bytes() == check).then(|| u64::from_le_bytes(*number))
}

fn in_use(dir: &Path) -> Error {
    Error::InUse {
        dir: dir.to_path_buf(),
    }
}

/// Makes the names in a folder durable.
fn sync_folder(dir: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(dir)?.sync_all()?;
    }
    Ok(())
}
