//! What can go wrong with a store: what, where, and what to do.

use std::io;
use std::path::{Path, PathBuf};

use fjall::LsmError;

use bouton_game::Fact;

/// Why a store did not do what it was asked to. Its text tells the cause too, which is therefore no
/// source of it: whoever prints sources would print it twice.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder holds something else. Nothing in it was touched.
    #[error(
        "{}: not a store of Bouton ({what}); nothing was touched. Name an empty or a new folder",
        dir.display()
    )]
    Foreign {
        /// The folder.
        dir: PathBuf,
        /// What was found there.
        what: &'static str,
    },

    /// The store was written in another format. Nothing in it was touched.
    #[error(
        "{}: this store has format {found}, and this Bouton reads format {ours}; nothing was \
         touched. Use the Bouton that wrote it, or another folder",
        dir.display()
    )]
    Version {
        /// The folder.
        dir: PathBuf,
        /// The format of the store.
        found: u32,
        /// The format of this crate.
        ours: u32,
    },

    /// Another process, or another [`Store`](crate::Store) of this one, has it open.
    #[error("{}: another process has this store open. Wait for its end, or use another folder", dir.display())]
    InUse {
        /// The folder.
        dir: PathBuf,
    },

    /// The folder or something in it cannot be written.
    #[error("{}: no permission to write to this store ({cause}). Change the folder's permissions, or copy it", dir.display())]
    ReadOnly {
        /// The folder.
        dir: PathBuf,
        /// What the system said.
        cause: io::Error,
    },

    /// There is no room for what was to be written. What was committed before is safe.
    #[error(
        "{}: no room left on the disk ({cause}). What was committed before is safe: make room and open the store again",
        dir.display()
    )]
    DiskFull {
        /// The folder.
        dir: PathBuf,
        /// What the system said.
        cause: io::Error,
    },

    /// An earlier write failed, and fjall takes no others until the store is opened anew.
    #[error(
        "{}: an earlier write to this store failed, so it takes no more. What was committed \
         before is safe: look whether the disk is full and open the store again",
        dir.display()
    )]
    Stopped {
        /// The folder.
        dir: PathBuf,
    },

    /// A file of the store is not what was written.
    #[error("{}: the store is damaged: {what}. Restore it from a copy, or begin a new one", dir.display())]
    Damaged {
        /// The folder.
        dir: PathBuf,
        /// What is wrong.
        what: String,
    },

    /// A record does not match its checksum.
    #[error(
        "{}: the store is damaged: {record} does not match its checksum. Restore it from a copy, or begin a new one",
        dir.display()
    )]
    DamagedRecord {
        /// The folder.
        dir: PathBuf,
        /// Which record.
        record: String,
    },

    /// Commits that were acknowledged are not in the store any more.
    #[error(
        "{}: the store is damaged: {missing} of its {acknowledged} commits are missing, the first \
         is number {first}. Restore it from a copy, or open it with `accept_lost_commits` to go on \
         with what is left",
        dir.display()
    )]
    LostCommits {
        /// The folder.
        dir: PathBuf,
        /// How many commits there should be.
        acknowledged: u64,
        /// How many of them there are not.
        missing: u64,
        /// The number of the first that is missing.
        first: u64,
    },

    /// The games count other facts than the commits brought.
    #[error(
        "{}: the store is damaged: its games count {counted} facts, its commits {brought}. Restore \
         it from a copy, or open it with `accept_lost_commits` to go on with what is left",
        dir.display()
    )]
    Miscounted {
        /// The folder.
        dir: PathBuf,
        /// Facts by the records of the games.
        counted: u64,
        /// Facts by the records of the commits.
        brought: i64,
    },

    /// A new fact contradicts a known one. The known one stays; both are kept as a conflict.
    #[error(
        "{game}: position {position} is known as {stored} and now found as {new}. One of the \
         two is wrong, so a rule or a search is; both are kept, see the store's conflicts"
    )]
    Contradiction {
        /// The game and its board.
        game: String,
        /// The packed position in hexadecimal digits.
        position: String,
        /// What was known.
        stored: Fact,
        /// What was to be put.
        new: Fact,
    },

    /// The name of a game, a board or a checkpoint that cannot be a part of a key.
    #[error("{name:?} cannot name {what}: it must have 1 to 255 bytes, without a NUL")]
    Name {
        /// What was to be named.
        what: &'static str,
        /// The name.
        name: String,
    },

    /// More bytes than a record can have.
    #[error("{what} of {length} bytes is too long for the store: the limit is {limit}")]
    TooLong {
        /// What it was.
        what: &'static str,
        /// Its length.
        length: usize,
        /// The most that is possible.
        limit: usize,
    },

    /// The system said something else.
    #[error("{}: {cause}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
}

impl Error {
    /// What an error of the system means for a store in `dir`.
    pub(crate) fn io(dir: &Path, cause: io::Error) -> Self {
        use io::ErrorKind::{
            FileTooLarge, InvalidData, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem,
            StorageFull, UnexpectedEof,
        };
        let dir = dir.to_path_buf();
        match cause.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => Self::DiskFull { dir, cause },
            PermissionDenied | ReadOnlyFilesystem => Self::ReadOnly { dir, cause },
            UnexpectedEof | InvalidData => Self::Damaged {
                dir,
                what: format!("a file ends too early or is malformed ({cause})"),
            },
            _ => Self::Io { path: dir, cause },
        }
    }

    /// What an error of fjall means for a store in `dir`.
    pub(crate) fn fjall(dir: &Path, error: fjall::Error) -> Self {
        let owned = dir.to_path_buf();
        match error {
            fjall::Error::Io(source) | fjall::Error::Storage(LsmError::Io(source)) => {
                Self::io(dir, source)
            }
            fjall::Error::Locked => Self::InUse { dir: owned },
            fjall::Error::Poisoned => Self::Stopped { dir: owned },
            other => Self::Damaged {
                dir: owned,
                what: other.to_string(),
            },
        }
    }

    /// Something that is not as it was written.
    pub(crate) fn damaged(dir: &Path, what: impl Into<String>) -> Self {
        Self::Damaged {
            dir: dir.to_path_buf(),
            what: what.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_are_told_apart() {
        let meant = |kind: io::ErrorKind| Error::io(Path::new("x"), kind.into());
        assert!(matches!(
            meant(io::ErrorKind::StorageFull),
            Error::DiskFull { .. }
        ));
        assert!(matches!(
            meant(io::ErrorKind::QuotaExceeded),
            Error::DiskFull { .. }
        ));
        assert!(matches!(
            meant(io::ErrorKind::ReadOnlyFilesystem),
            Error::ReadOnly { .. }
        ));
        assert!(matches!(
            meant(io::ErrorKind::PermissionDenied),
            Error::ReadOnly { .. }
        ));
        assert!(matches!(
            meant(io::ErrorKind::UnexpectedEof),
            Error::Damaged { .. }
        ));
        assert!(matches!(meant(io::ErrorKind::NotFound), Error::Io { .. }));
    }

    /// With all its sources, an error tells its cause once.
    #[test]
    fn a_cause_that_is_told_is_no_source() {
        use io::ErrorKind::{NotFound, ReadOnlyFilesystem, StorageFull};
        for kind in [StorageFull, ReadOnlyFilesystem, NotFound] {
            let error = Error::io(Path::new("x"), kind.into());
            assert!(error.to_string().contains(&kind.to_string()));
            assert!(std::error::Error::source(&error).is_none());
        }
    }
}
