//! `bouton algorithms`: what can be solved with.

use bouton_session::algorithms::names;
use clap::Args;

use super::json;
use crate::Report;

/// The algorithms, for `solve --algorithm`.
#[derive(Args)]
pub(crate) struct Algorithms {
    /// Print a JSON array of {name, summary}
    #[arg(long)]
    json: bool,
}

impl Algorithms {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let names = names();
        Ok(Report::complete(if self.json {
            json(&names)?
        } else {
            let lines = names.iter();
            lines
                .map(|entry| format!("{:<12} {}\n", entry.name, entry.summary))
                .collect()
        }))
    }
}
