//! A table of a paper as plain data: rows and columns of numbers, ours beside theirs.
//!
//! It serves counts that must agree to the printed digit, counts that must agree roughly
//! ([`Table::tolerance`]), and times, which are those of another machine; and cells that have no
//! printed counterpart.

use bouton_search::watch::Stop;
use serde::{Serialize, Serializer};

/// A table of a paper, ours beside theirs.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// The name on the command line.
    pub name: String,
    /// What was run.
    pub title: String,
    /// The paper, and how our numbers came about.
    pub source: String,
    /// The relative difference that is to be expected, 0 if every digit must agree; `None` where
    /// nothing is: other machines, other programs.
    pub tolerance: Option<f64>,
    /// What the columns are.
    pub columns: Vec<Column>,
    /// The rows that are complete.
    pub rows: Vec<Row>,
    /// What else a reader should know, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
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
    /// How many digits they have behind the point.
    #[serde(skip_serializing_if = "is_default")]
    pub places: u32,
    /// What is measured.
    #[serde(skip_serializing_if = "is_default")]
    pub quantity: Quantity,
}

/// What the numbers of a column measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// How many of something.
    #[default]
    Count,
    /// How long.
    Seconds,
}

/// A row of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What it is: an algorithm.
    pub name: String,
    /// What was counted, where the columns do not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<Counted>,
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

/// Two numbers side by side, or ours alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Ours, in full.
    pub ours: f64,
    /// Theirs as printed, in units; `None` if nothing is printed.
    #[serde(serialize_with = "as_printed")]
    pub theirs: Option<f64>,
    /// The unit.
    pub unit: u64,
    /// How much larger ours is, relative to theirs; 0 if it rounds to what they printed.
    pub difference: Option<f64>,
}

impl Table {
    /// The numbers with their rows and columns.
    pub fn cells(&self) -> impl Iterator<Item = (&Row, &Column, &Cell)> {
        self.rows.iter().flat_map(|row| {
            let cells = self.columns.iter().zip(&row.cells);
            cells.filter_map(move |(column, cell)| Some((row, column, cell.as_ref()?)))
        })
    }

    /// Adds a row: for every column our number, and theirs if there is one.
    pub fn add_row(&mut self, name: &str, numbers: Vec<(f64, Option<f64>)>) {
        let cells = self.columns.iter().zip(numbers);
        let cells = cells.map(|(column, (ours, theirs))| Some(column.cell(ours, theirs)));
        self.rows.push(Row {
            name: name.to_owned(),
            counted: None,
            cells: cells.collect(),
        });
    }

    /// Whether any number of the paper is in it.
    pub(super) fn has_theirs(&self) -> bool {
        self.cells().any(|(_, _, cell)| cell.theirs.is_some())
    }
}

impl Column {
    /// A column of counts, printed as multiples of a unit.
    pub fn counts(name: impl Into<String>, unit: u64) -> Self {
        Self {
            name: name.into(),
            unit,
            places: 0,
            quantity: Quantity::Count,
        }
    }

    /// A column of counts, printed in millions to two places.
    pub fn millions(name: impl Into<String>) -> Self {
        Self {
            places: 2,
            ..Self::counts(name, 1_000_000)
        }
    }

    /// A column of ratios, printed to two places.
    pub fn ratio(name: impl Into<String>) -> Self {
        Self {
            places: 2,
            ..Self::counts(name, 1)
        }
    }

    /// A column of times, printed to hundredths of a second.
    pub fn seconds(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: 1,
            places: 2,
            quantity: Quantity::Seconds,
        }
    }

    /// Our number beside a printed one.
    pub fn cell(&self, ours: f64, theirs: Option<f64>) -> Cell {
        let difference = theirs.map(|theirs| {
            let in_units = ours / self.unit as f64;
            match self.digits(in_units) == self.digits(theirs) {
                true => 0.0,
                false => in_units / theirs - 1.0,
            }
        });
        Cell {
            ours,
            theirs,
            unit: self.unit,
            difference,
        }
    }

    /// A number of units as the paper prints it.
    pub(super) fn print(&self, in_units: f64) -> String {
        let digits = self.digits(in_units);
        match self.places as usize {
            0 => digits.to_string(),
            places => {
                let one = 10u64.pow(self.places);
                format!("{}.{:0places$}", digits / one, digits % one)
            }
        }
    }

    /// All digits that are printed, as one number.
    fn digits(&self, in_units: f64) -> u64 {
        (in_units * 10f64.powi(self.places as i32)).round() as u64
    }
}

impl Cell {
    /// Ours, in units.
    pub(super) fn ours_in_units(&self) -> f64 {
        self.ours / self.unit as f64
    }

    /// Theirs in full.
    pub(super) fn theirs_in_full(&self) -> Option<f64> {
        self.theirs.map(|theirs| theirs * self.unit as f64)
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A whole number is printed without a point.
fn as_printed<S: Serializer>(number: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    match *number {
        Some(number) if number.fract() == 0.0 => to.serialize_u64(number as u64),
        number => number.serialize(to),
    }
}
