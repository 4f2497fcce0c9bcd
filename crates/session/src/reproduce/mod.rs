//! Tables of papers, run again: our numbers beside theirs.
//!
//! One file for each paper, here [`impartial`]; each makes a [`Table`], which is plain data, is
//! written as text by [`Table::to_text`] and drawn by [`Table::to_svg`].

pub mod impartial;
mod svg;
mod text;
mod unfolded;

use bouton_search::watch::{Stop, Watch};
use serde::Serialize;

use crate::Error;

/// A table that can be run again.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// The name on the command line.
    pub name: String,
    /// What it is about, in one line.
    pub summary: String,
}

/// What can be reproduced.
pub fn names() -> Vec<Entry> {
    let tables = impartial::printed().iter();
    let entries = tables.map(|table| Entry {
        name: table.name(),
        summary: format!(
            "Beling and Rogalski 2020, table {}: {}",
            table.table,
            table.title()
        ),
    });
    entries.collect()
}

/// Runs a table again. Where the paper has means over shuffled orders, ours are over `shuffles`
/// of them.
pub fn run(name: &str, shuffles: u64, watch: &mut Watch) -> Result<Table, Error> {
    let found = impartial::printed()
        .iter()
        .find(|table| table.name() == name);
    let printed = found.ok_or_else(|| Error::UnknownReproduction {
        name: bouton_game::excerpt(name),
        names: names()
            .into_iter()
            .map(|entry| entry.name)
            .collect::<Vec<_>>()
            .join(", "),
    })?;
    Ok(impartial::run(printed, shuffles.max(1), watch))
}

/// A table of a paper, ours beside theirs.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// The name on the command line.
    pub name: String,
    /// What was run.
    pub title: String,
    /// The paper, and how our numbers came about.
    pub source: String,
    /// The relative difference that is to be expected; 0 if every digit must agree.
    pub tolerance: f64,
    /// What the columns are.
    pub columns: Vec<Column>,
    /// The rows that are complete.
    pub rows: Vec<Row>,
    /// Why rows are missing.
    #[serde(serialize_with = "crate::answer::as_text")]
    pub stopped: Option<Stop>,
}

/// A column of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// What it is.
    pub name: String,
    /// What its printed numbers are multiples of.
    pub unit: u64,
}

/// A row of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What it is: an algorithm.
    pub name: String,
    /// What was counted.
    pub counted: Counted,
    /// The numbers, one for each column.
    pub cells: Vec<Option<Cell>>,
}

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Counted {
    /// Nodes visited.
    Nodes,
    /// Searches in the transposition table.
    Searches,
}

impl Counted {
    fn in_words(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Searches => "table searches",
        }
    }
}

/// Two numbers side by side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Ours, in full.
    pub ours: f64,
    /// Theirs as printed, in units.
    pub theirs: u64,
    /// The unit.
    pub unit: u64,
    /// How much larger ours is, relative to theirs; 0 if it rounds to what they printed.
    pub difference: f64,
}

impl Cell {
    /// Ours beside theirs.
    pub fn new(ours: f64, theirs: u64, unit: u64) -> Self {
        let printed = theirs as f64;
        let in_units = ours / unit as f64;
        let difference = if in_units.round() == printed {
            0.0
        } else {
            in_units / printed - 1.0
        };
        Self {
            ours,
            theirs,
            unit,
            difference,
        }
    }

    /// Ours, rounded to the unit.
    fn rounded(&self) -> u64 {
        (self.ours / self.unit as f64).round() as u64
    }
}

impl Table {
    /// The numbers with their rows and columns.
    pub fn cells(&self) -> impl Iterator<Item = (&Row, &Column, &Cell)> {
        self.rows.iter().flat_map(|row| {
            let cells = self.columns.iter().zip(&row.cells);
            cells.filter_map(move |(column, cell)| Some((row, column, cell.as_ref()?)))
        })
    }
}
