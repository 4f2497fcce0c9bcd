//! What can go wrong between a user and a solver.

use bouton_game::{NotationError, TooMany};

use crate::answer::MOST_THREADS;

/// Why a request could not be carried out. Reaching a limit is no error: see
/// [`Answer::reason`](crate::Answer::reason).
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such game.
    #[error("unknown game \"{name}\": expected one of {games} (see `bouton games`)")]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// What there is.
        games: String,
    },
    /// A position or a move is wrong.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// There is no such algorithm.
    #[error(
        "unknown algorithm \"{name}\": expected auto or one of {algorithms} (see `bouton algorithms`)"
    )]
    UnknownAlgorithm {
        /// What was asked for.
        name: String,
        /// What there is.
        algorithms: String,
    },
    /// There is no such table.
    #[error("unknown table \"{name}\": expected one of {names} (see `bouton reproduce`)")]
    UnknownReproduction {
        /// What was asked for.
        name: String,
        /// What there is.
        names: String,
    },
    /// The table is about one position.
    #[error("{name}: the numbers are those of the paper's position; leave out --position")]
    FixedPosition {
        /// The table.
        name: String,
    },
    /// Nimbers exist in impartial games only.
    #[error(
        "{game}: the players have different moves, so there are no nimbers; leave out --nimber"
    )]
    NoNimbers {
        /// The game.
        game: &'static str,
    },
    /// The algorithm needs nimbers.
    #[error(
        "{game}: the players have different moves, and {algorithm} is for impartial games; try --algorithm exhaustive"
    )]
    NotForThisGame {
        /// The game.
        game: &'static str,
        /// The algorithm.
        algorithm: &'static str,
    },
    /// The algorithm does not hand out jobs.
    #[error(
        "{algorithm} has no workers; leave out --workers, or the algorithm (pns-pdfpn has workers)"
    )]
    NoWorkers {
        /// The algorithm.
        algorithm: String,
    },
    /// No system has so many threads.
    #[error(
        "{threads} threads are too many: expected at most {MOST_THREADS} in all (--threads, for each of --workers)"
    )]
    TooManyThreads {
        /// What was asked for.
        threads: usize,
    },
    /// A log was asked for where there are no workers.
    #[error("only workers have a progress to log; leave out --log, or give --workers N")]
    NothingToLog,
    /// The algorithm has no parts that could be switched off.
    #[error("{algorithm} has nothing to do without; leave out --without, or try --algorithm dfpn")]
    NothingToLeaveOut {
        /// The algorithm.
        algorithm: &'static str,
    },
    /// The game's knowledge has no such part.
    #[error("{game}: no part \"{part}\" that a search could do without; expected {expected}")]
    UnknownPart {
        /// The game.
        game: &'static str,
        /// What was asked for.
        part: String,
        /// What there is.
        expected: String,
    },
    /// A store could not be opened, read or written; or a fact contradicts a stored one.
    #[error(transparent)]
    Store(#[from] bouton_store::Error),
    /// A store needs some memory of its own.
    #[error("a run with a store needs {} MiB of memory at least; say --memory {0}M or more", needed >> 20)]
    LittleMemory {
        /// Bytes that are needed.
        needed: usize,
    },
    /// The game's knowledge is not learned.
    #[error("{game}: nothing about it is learned; expected konane")]
    NothingToLearn {
        /// The game.
        game: &'static str,
    },
    /// The strong solution is about another game or board.
    #[error("{game}: the table is about {table}")]
    OtherTable {
        /// What is searched.
        game: String,
        /// What the table is about.
        table: String,
    },
    /// Something is wrong with the files of a strong solution.
    #[error("{0}")]
    Table(String),
    /// The moves cannot be listed.
    #[error("{game}: {too_many}, too many to list")]
    TooMany {
        /// The game.
        game: &'static str,
        /// How many that is.
        too_many: TooMany,
    },
}

impl From<crate::tables::Error> for Error {
    fn from(error: crate::tables::Error) -> Self {
        match error {
            crate::tables::Error::Request(error) => error,
            other => Self::Table(other.to_string()),
        }
    }
}
