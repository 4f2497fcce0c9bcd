//! Strong solutions: tables of all positions of a board, built, asked and verified.
//!
//! | file | what it does |
//! | --- | --- |
//! | `mod` | which games have tables, and building one |
//! | `solution` | a finished table: what it says about a position |
//! | `verify` | whether to believe it |
//!
//! To give a game tables: implement [`Indexed`] and add a line to `games`.

mod solution;
mod verify;

use std::ops::ControlFlow;
use std::path::Path;

use bouton_game::{Indexed, Notation};
use bouton_games::chomp::Chomp;
use bouton_games::konane::Konane;
use bouton_retrograde::table::Cover;
use bouton_retrograde::{self as retrograde, Plan, Subject};
use bouton_search::watch::{Progress, Stop, Watch};
use serde::Serialize;

use crate::usage::{Stopwatch, peak_memory_bytes};

pub use solution::{Found, Solution};
pub use verify::{Extent, Verified};

/// The games that have tables.
fn games() -> [Entry; 2] {
    [Entry::of::<Konane>(), Entry::of::<Chomp>()]
}

/// Opens a table whose cover was read.
type Open = fn(&Path, Cover) -> Result<Box<dyn Solution>, Error>;

/// A game that has tables.
struct Entry {
    name: &'static str,
    build: fn(&str, &Plan, &mut Watch) -> Result<Built, Error>,
    open: Open,
}

impl Entry {
    fn of<G: Indexed + Notation>() -> Self
    where
        G::Index: Sync + 'static,
    {
        Self {
            name: G::NAME,
            build: build_of::<G>,
            open: solution::open::<G>,
        }
    }

    fn find(name: &str) -> Result<Self, Error> {
        let found = games().into_iter().find(|game| game.name == name);
        found.ok_or_else(|| Error::NoTables {
            name: bouton_game::excerpt(name),
            games: games().map(|game| game.name).join(", "),
        })
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The game cannot be solved whole.
    #[error("{name}: there are no tables of this game, only of {games}")]
    NoTables {
        /// What was asked for.
        name: String,
        /// What there is.
        games: String,
    },
    /// The board has too many positions.
    #[error("{game} {position}: too large for a table, expected {most}")]
    TooLarge {
        /// The game.
        game: &'static str,
        /// What was asked for.
        position: String,
        /// What is possible.
        most: String,
    },
    /// The table has no such position.
    #[error("{game}: the table has no position \"{position}\", it is about {root}")]
    Elsewhere {
        /// The game.
        game: &'static str,
        /// What was asked for.
        position: String,
        /// What there is.
        root: String,
    },
    /// The request is wrong in some other way.
    #[error(transparent)]
    Request(#[from] crate::Error),
    /// Something is wrong with the files.
    #[error(transparent)]
    Table(#[from] retrograde::Error),
    /// The table says something that is not so.
    #[error("the table is wrong: {0}")]
    Wrong(String),
}

impl Error {
    /// Whether whoever asked can ask better; otherwise something is wrong with the table.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Table(_) | Self::Wrong(_))
    }

    /// The limit that was reached.
    pub fn limit(&self) -> Option<Stop> {
        match self {
            Self::Table(retrograde::Error::Memory { .. }) => Some(Stop::Memory),
            _ => None,
        }
    }
}

/// What there is at a ply; a position counts where it is first reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ply {
    /// Which ply.
    pub ply: usize,
    /// Positions first reached there.
    pub positions: u64,
    /// Those that the player to move wins.
    pub wins: u64,
    /// Those in which the game is over.
    pub terminals: u64,
}

fn plies(counted: &[retrograde::Ply]) -> Vec<Ply> {
    let numbered = counted.iter().enumerate();
    let ply = |(ply, counted): (usize, &retrograde::Ply)| Ply {
        ply,
        positions: counted.positions,
        wins: counted.wins,
        terminals: counted.terminals,
    };
    numbered.map(ply).collect()
}

/// A table that was built, as far as it was.
#[derive(Clone, Debug, Serialize)]
pub struct Built {
    /// The game.
    pub game: &'static str,
    /// The position that counts begin with.
    pub position: String,
    /// Whether there was nothing left to do.
    pub found: bool,
    /// What was counted.
    pub plies: Vec<Ply>,
    /// What the files take.
    pub disk_bytes: u64,
    /// Time on the clock, of this run.
    pub seconds: f64,
    /// CPU time.
    pub cpu_seconds: f64,
    /// The most memory the process has had.
    pub peak_memory_bytes: u64,
    /// Why it is not finished; another run goes on where this one was stopped.
    #[serde(serialize_with = "crate::answer::as_text")]
    pub reason: Option<Stop>,
}

/// Builds the table of a game from a position on, or goes on with it.
pub fn build(game: &str, position: &str, plan: &Plan, watch: &mut Watch) -> Result<Built, Error> {
    (Entry::find(game)?.build)(position, plan, watch)
}

fn build_of<G: Indexed + Notation>(
    position: &str,
    plan: &Plan,
    watch: &mut Watch,
) -> Result<Built, Error>
where
    G::Index: Sync,
{
    let stopwatch = Stopwatch::start();
    let (game, root) = G::open(position).map_err(crate::Error::from)?;
    let subject = Subject {
        game: G::NAME.to_owned(),
        root: game.write(&root),
    };
    let mut index = index(&game, &root)?;
    let found = Cover::read(&plan.directory).is_ok();
    let mut stop = None;
    let built = {
        let mut look = look(watch, &mut stop);
        retrograde::build(&mut index, &subject, &root, plan, &mut look)
    };
    let counted = match built {
        Ok(cover) => cover.plies,
        Err(retrograde::Error::Stopped) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    Ok(Built {
        game: G::NAME,
        position: subject.root,
        found,
        plies: plies(&counted),
        disk_bytes: disk_bytes(&plan.directory),
        seconds: stopwatch.seconds(),
        cpu_seconds: stopwatch.cpu_seconds(),
        peak_memory_bytes: peak_memory_bytes(),
        reason: stop,
    })
}

fn index<G: Indexed + Notation>(game: &G, root: &G::Position) -> Result<G::Index, Error> {
    game.index(root).map_err(|large| Error::TooLarge {
        game: G::NAME,
        position: bouton_game::excerpt(&game.write(root)),
        most: large.most,
    })
}

/// Lets a watch look at the building of a table; keeps the reason why it stops it.
fn look(
    watch: &mut Watch,
    stop: &mut Option<Stop>,
) -> impl FnMut(&retrograde::Progress) -> ControlFlow<()> {
    move |progress| {
        let shown = Progress {
            expansions: progress.places,
            facts: progress.positions,
            bytes: progress.bytes,
            depth: match progress.pass {
                retrograde::Pass::Values => 0,
                retrograde::Pass::Counts => 1 + progress.ply,
            },
            root: progress.levels,
            ..Progress::default()
        };
        match watch.look(&shown) {
            Ok(()) => ControlFlow::Continue(()),
            Err(reason) => {
                *stop = Some(reason);
                ControlFlow::Break(())
            }
        }
    }
}

fn disk_bytes(directory: &Path) -> u64 {
    let files = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let lengths = files.filter_map(|file| Some(file.metadata().ok()?.len()));
    lengths.sum()
}

/// Opens the table in a directory.
pub fn open(directory: &Path) -> Result<Box<dyn Solution>, Error> {
    let cover = Cover::read(directory)?;
    (Entry::find(&cover.subject.game)?.open)(directory, cover)
}
