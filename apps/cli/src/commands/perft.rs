//! `bouton perft`: lines of play per length.

use bouton_session::Watch;
use clap::Args;
use serde::Serialize;

use super::json;
use crate::Report;
use crate::monitor::grouped;
use crate::options::{Limits, Place};

/// How many lines of play there are of each length, symmetric ones too.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bouton perft konane 8x8 --depth 9
  bouton perft cram 4x4
  bouton perft nim 3,2,1 --json")]
pub(crate) struct Perft {
    #[command(flatten)]
    place: Place,
    /// Count lines up to this length
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    #[command(flatten)]
    limits: Limits,
    /// Print a JSON array of {ply, paths}
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    ply: usize,
    paths: u64,
}

impl Perft {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let mut session = self.place.open()?;
        let mut monitor = self.limits.monitor()?;
        let mut look = |progress: &_| monitor.look(progress);
        let (lines, result) = session.perft(self.depth, &mut Watch::new(&mut look));
        drop(monitor);
        if let Err(stop) = result {
            eprintln!("stopped: {stop}; the counts are incomplete");
        }
        let numbered = lines.iter().enumerate();
        let rows: Vec<_> = numbered.map(|(ply, &paths)| Row { ply, paths }).collect();
        let text = if self.json {
            json(&rows)?
        } else {
            in_words(&rows)
        };
        let stopped = result.err();
        Ok(Report { text, stopped })
    }
}

fn in_words(rows: &[Row]) -> String {
    let mut text = format!("{:>5}  {:>20}\n", "ply", "paths");
    for row in rows {
        text += &format!("{:>5}  {:>20}\n", row.ply, grouped(row.paths));
    }
    let nodes = rows.iter().map(|row| row.paths).sum();
    text + &format!("{:>5}  {:>20}\n", "total", grouped(nodes))
}
