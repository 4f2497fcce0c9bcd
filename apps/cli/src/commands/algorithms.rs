//! `bouton algorithms`: what can be solved with.

use bouton_session::algorithms::Algorithm;
use clap::Args;
use serde::Serialize;

use super::json;
use crate::Report;

/// The algorithms, for `solve --algorithm`.
#[derive(Args)]
pub(crate) struct Algorithms {
    /// Print a JSON array of {name, summary}
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    summary: &'static str,
}

impl Algorithms {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let rows = Algorithm::ALL.iter().map(|algorithm| Row {
            name: algorithm.name,
            summary: algorithm.summary,
        });
        Ok(Report::complete(if self.json {
            json(&rows.collect::<Vec<_>>())?
        } else {
            rows.map(|row| format!("{:<12} {}\n", row.name, row.summary))
                .collect()
        }))
    }
}
