//! Strong solutions: the value of every position of a game, kept as a table.
//!
//! Papers: retrograde analysis as in van den Herik, Uiterwijk and van Rijswijck 2002; for Konane
//! the thesis, sections 2.6 and 3.9. There, positions are found first and valued then. Here the
//! values come first, those of all positions of an [`Index`](bouton_game::Index), since whole
//! rows of positions are valued at a time; and the positions that can be reached are counted in
//! a second pass, ply by ply, with their values at hand.
//!
//! | file | what it does |
//! | --- | --- |
//! | [`build`](mod@build) | both passes: a table, and its counts |
//! | `values` | the last level first: who wins every position |
//! | `reach` | the first level first: at which ply every position is first reached |
//! | `checkpoint` | how far a count that was stopped came |
//! | `sheets` | sets of positions, in memory as far as they may and on disk otherwise |
//! | [`table`] | a finished table: looks positions up |
//! | `files` | the files of a table (`docs/formats/table.md`): sealed, never half written |
//! | `workers` | the rows of a level, spread over threads and watched |
//!
//! A level that is finished is a file; a run that was stopped goes on where it was.

pub mod build;
mod checkpoint;
mod error;
mod files;
mod reach;
mod sheets;
pub mod table;
mod values;
mod workers;

pub use build::{Plan, build, count};
pub use error::Error;
pub use reach::Ply;
pub use table::{Subject, Table};
pub use workers::{Look, Pass, Progress};
