//! What can go wrong with a table.

use std::io;
use std::path::Path;

/// Why a table could not be built, read or trusted. No error destroys a file. Its text tells the
/// cause too, which is therefore no source of it: whoever prints sources would print it twice.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refused.
    #[error("{path}: {cause}")]
    System {
        /// Which file.
        path: String,
        /// Why.
        cause: io::Error,
    },
    /// The system grants no thread.
    #[error("no thread could be started: {cause}")]
    Threads {
        /// Why.
        cause: io::Error,
    },
    /// The file is something else.
    #[error("{path} is not a file of a table; choose another directory")]
    Foreign {
        /// Which file.
        path: String,
    },
    /// The file was written by another version.
    #[error("{path} has format version {version}, this program reads version {expected}")]
    Version {
        /// Which file.
        path: String,
        /// Its version.
        version: u8,
        /// Ours.
        expected: u8,
    },
    /// The file does not hold what was written.
    #[error("{path} is damaged: {what}; delete it and build the table again")]
    Damaged {
        /// Which file.
        path: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The file belongs to another table.
    #[error("{path} belongs to another table ({what}); choose another directory")]
    Other {
        /// Which file.
        path: String,
        /// How that shows.
        what: String,
    },
    /// There is no table, or not yet.
    #[error(
        "{path}: there is no finished table; build it, or let its building go on, with `bouton table build`"
    )]
    Unfinished {
        /// Which directory.
        path: String,
    },
    /// The memory allowed does not suffice.
    #[error("level {level} needs {} MiB of memory, {} MiB are allowed", .needed >> 20, .allowed >> 20)]
    Memory {
        /// Which level.
        level: usize,
        /// What it needs.
        needed: usize,
        /// What it may take.
        allowed: usize,
    },
    /// Whoever watches the run asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Gives an error of the system the name of its file.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.display().to_string();
    move |cause| Error::System { path, cause }
}

/// A damaged file.
pub(crate) fn damaged(path: &Path, what: &'static str) -> Error {
    let path = path.display().to_string();
    Error::Damaged { path, what }
}
