//! Tables of papers, run again: our numbers beside theirs.
//!
//! | file | paper |
//! | --- | --- |
//! | [`impartial`] | Beling and Rogalski 2020: mex trees |
//! | `konane` | the thesis on Konane: searches |
//! | `scaling` | the thesis on Konane, Pawlewicz and Hayward 2013: threads |
//! | `state_space` | the thesis on Konane: strong solutions and other counts |
//! | `hex` | no paper: Hex with and without parts of its knowledge, beside Benzene |
//! | `spots` | Čížek, Balko and Schmid 2025: proof-number search of Sprouts |
//!
//! Each paper's file lists its tables as `Reproduction`s, which make a [`Table`]: plain data,
//! written as text by [`Table::to_text`] and drawn by [`Table::to_svg`]. To add a table: a
//! `Reproduction` in the list of its paper. To add a paper: a file, and a line in `all`.

mod hex;
pub mod impartial;
mod konane;
mod scaling;
mod spots;
mod state_space;
mod steps;
mod svg;
mod table;
mod text;
mod unfolded;

use std::path::PathBuf;

use bouton_search::watch::Watch;
use serde::Serialize;

use crate::Error;

pub use table::{Cell, Column, Counted, Quantity, Row, Table};

/// What can be chosen about a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where a paper has means over shuffled orders: over how many ours are, if not over as many
    /// as it takes for the table.
    pub shuffles: Option<u64>,
    /// Which shuffles.
    pub seed: u64,
    /// Another position than the paper's, where a table can do with any; then nothing stands
    /// beside our numbers.
    pub position: Option<String>,
    /// Bytes that the tables of a search may take, where the paper does not say.
    pub memory: usize,
    /// Threads, where a paper's numbers do not depend on them.
    pub threads: usize,
    /// Where to keep strong solutions, a directory each, and to find those made before; if
    /// nowhere, they are made anew and go when they are done.
    pub table: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            shuffles: None,
            seed: 0,
            position: None,
            memory: 2 << 30,
            threads: 1,
            table: None,
        }
    }
}

/// A table that can be run again.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// The name on the command line.
    pub name: String,
    /// What it is about, in one line.
    pub summary: String,
}

/// A table, and how to run it again.
struct Reproduction {
    entry: Entry,
    run: Box<Run>,
}

type Run = dyn Fn(&Options, &mut Watch) -> Result<Table, Error>;

impl Reproduction {
    fn new(
        name: impl Into<String>,
        summary: impl Into<String>,
        run: impl Fn(&Options, &mut Watch) -> Result<Table, Error> + 'static,
    ) -> Self {
        let entry = Entry {
            name: name.into(),
            summary: summary.into(),
        };
        let run = Box::new(run);
        Self { entry, run }
    }
}

/// All tables, paper by paper.
fn all() -> Vec<Reproduction> {
    let papers = [
        impartial::all(),
        konane::all(),
        scaling::all(),
        state_space::all(),
        spots::all(),
        hex::all(),
    ];
    papers.into_iter().flatten().collect()
}

/// What can be reproduced.
pub fn names() -> Vec<Entry> {
    all().into_iter().map(|table| table.entry).collect()
}

/// Runs a table again.
pub fn run(name: &str, options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    let found = all().into_iter().find(|table| table.entry.name == name);
    let found = found.ok_or_else(|| unknown(name, names()))?;
    (found.run)(options, watch)
}

/// A name that is none of these.
pub fn unknown(name: &str, known: Vec<Entry>) -> Error {
    let known: Vec<_> = known.into_iter().map(|entry| entry.name).collect();
    Error::UnknownReproduction {
        name: bouton_game::excerpt(name),
        names: known.join(", "),
    }
}
