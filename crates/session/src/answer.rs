//! What is asked of a session, and what it answers: plain data, serialised as the command
//! line's contract says.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use bouton_certificate::{Evidence, Statement};
use bouton_game::{Made, Nimber, Outcome, Player};
use bouton_search::guide::Leaves;
use bouton_search::jobs::KeyResult;
use bouton_search::solver::{Replacement, Without};
use bouton_search::watch::{Progress, Stop};
use serde::{Serialize, Serializer};

use crate::Error;
use crate::keeping::Kept;

/// The most threads that can be asked for, those of all workers together: many more than there are
/// cores anywhere, and few enough for a system to have.
pub const MOST_THREADS: usize = 1024;

/// Refuses more threads than that.
pub fn check_threads(threads: usize) -> Result<(), Error> {
    match threads > MOST_THREADS {
        true => Err(Error::TooManyThreads { threads }),
        false => Ok(()),
    }
}

/// What to find out about a position, and with what means.
#[derive(Clone, Debug)]
pub struct Request {
    /// An algorithm's name, or `auto`.
    pub algorithm: String,
    /// Whether the nimber is wanted, not just the outcome.
    pub nimber: bool,
    /// Whether the outcome of every move is wanted.
    pub all_moves: bool,
    /// Bytes that tables may take.
    pub memory: usize,
    /// Threads that a parallel algorithm uses.
    pub threads: usize,
    /// What the algorithm must do without, for comparison.
    pub without: Without,
    /// What else it must do without: parts of the game's knowledge, by name.
    pub without_knowledge: Vec<String>,
    /// What the first numbers of leaves are made of, in proof-number search.
    pub leaves: Leaves,
    /// What a table of proof numbers forgets.
    pub replacement: Replacement,
    /// Whether a proof of the answer is wanted.
    pub certificate: bool,
    /// The folder of a store, in which facts and checkpoints are kept and found again.
    pub store: Option<PathBuf>,
    /// The directory of a strong solution that a search asks.
    pub table: Option<PathBuf>,
    /// Key results that are known already; if there is a store, they are kept there.
    pub known: Vec<KeyResult>,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            algorithm: "auto".to_owned(),
            nimber: false,
            all_moves: false,
            memory: 2 << 30,
            threads: 1,
            without: Without::default(),
            without_knowledge: Vec::new(),
            leaves: Leaves::default(),
            replacement: Replacement::default(),
            certificate: false,
            store: None,
            table: None,
            known: Vec::new(),
        }
    }
}

/// The proof of an answer, ready to be written.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What it proves.
    pub statement: Statement,
    /// What it follows from.
    pub evidence: Evidence,
}

impl Proof {
    /// Writes it as a certificate.
    pub fn write(self, into: &mut impl io::Write) -> io::Result<()> {
        bouton_certificate::write(into, &self.statement, self.evidence)
    }

    /// Writes it into a file, beside it first, so that the file is whole or not there; returns
    /// how many bytes it has.
    pub fn save(self, path: &Path) -> io::Result<u64> {
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".unfinished");
        let mut output = BufWriter::new(File::create(&unfinished)?);
        self.write(&mut output)?;
        let file = output.into_inner()?;
        file.sync_all()?;
        std::fs::rename(&unfinished, path)?;
        Ok(file.metadata()?.len())
    }
}

/// What was found out.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The game's name.
    pub game: &'static str,
    /// The position, as it lies.
    pub position: String,
    /// The outcome for the player to move.
    pub outcome: Verdict,
    /// Who wins, if that is known; nothing at all in a game without colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Option<Winner>>,
    /// The nimber, if it was asked for and found.
    pub nimber: Option<Nimber>,
    /// Why the outcome, or part of what was asked for, is unknown.
    #[serde(serialize_with = "as_text")]
    pub reason: Option<Stop>,
    /// Moves that win; all of them if every move was asked for, else those the search met.
    pub winning_moves: Vec<String>,
    /// Every move with its outcome, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveOutcome>>,
    /// The outcomes of all moves as a picture, if asked for: `+` wins, `-` loses.
    #[serde(skip)]
    pub map: Option<String>,
    /// The algorithm that was used.
    pub algorithm: &'static str,
    /// The threads it used.
    pub threads: usize,
    /// What it took.
    pub counts: Counts,
    /// CPU time of the process for this answer.
    pub cpu_seconds: f64,
    /// Time on the clock.
    pub seconds: f64,
    /// The most memory the process has had, 0 where the system does not tell.
    pub peak_memory_bytes: u64,
    /// What was kept in a store, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<Kept>,
    /// The proof, if it was asked for and could be completed.
    #[serde(skip)]
    pub proof: Option<Proof>,
}

/// An outcome, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// A win.
    Win,
    /// A loss.
    Loss,
    /// A limit was reached before the search was done.
    Unknown,
}

impl From<Option<Outcome>> for Verdict {
    fn from(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Win) => Self::Win,
            Some(Outcome::Loss) => Self::Loss,
            None => Self::Unknown,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Unknown => "unknown",
        })
    }
}

/// A player, serialised by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winner(pub Player);

impl Serialize for Winner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A move and its outcome for the player who makes it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveOutcome {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its outcome.
    pub outcome: Verdict,
}

/// How much work an answer took.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Counts {
    /// Positions whose children were generated.
    pub expansions: u64,
    /// Positions whose value was asked for.
    pub evaluations: u64,
    /// Positions whose exact value is known.
    pub facts: u64,
    /// Entries of tables that may forget.
    pub table_entries: u64,
    /// Closer looks that the game's knowledge has taken, if it counts them (Hex: builds of
    /// connections).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks: Option<u64>,
    /// Children that were made, before duplicates were removed, if the game counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children_made: Option<u64>,
    /// About how many different components were among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components_met: Option<u64>,
}

impl Counts {
    /// What a search and the game have counted.
    pub(crate) fn new(progress: Progress, made: Option<Made>) -> Self {
        Self {
            expansions: progress.expansions,
            evaluations: progress.evaluations,
            facts: progress.facts,
            table_entries: progress.table_entries,
            looks: (progress.looks > 0).then_some(progress.looks),
            children_made: made.map(|made| made.children),
            components_met: made.map(|made| made.components),
        }
    }
}

/// A canonical child and the moves that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Child {
    /// The child.
    pub position: String,
    /// The moves.
    pub moves: Vec<String>,
}

/// Serialises what can be written, as it is written.
pub(crate) fn as_text<T: fmt::Display, S: Serializer>(
    value: &Option<T>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => to.collect_str(value),
        None => to.serialize_none(),
    }
}
