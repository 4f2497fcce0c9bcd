//! `bouton census`: distinct positions per ply.

use bouton_session::{Identity, Ply, Watch};
use clap::Args;
use serde::Serialize;

use super::json;
use crate::Report;
use crate::monitor::grouped;
use crate::options::{Limits, Place};

/// How many distinct positions there are at each ply; a position counts where it is first
/// reached.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bouton census konane 5x5
  bouton census cram 5x4 --raw
  bouton census konane 6x6 --depth 8 --json")]
pub(crate) struct Census {
    #[command(flatten)]
    place: Place,
    /// Tell symmetric positions apart
    #[arg(long)]
    raw: bool,
    /// Go no further than this ply
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    #[command(flatten)]
    limits: Limits,
    /// Print a JSON array of {ply, positions, terminals}
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    ply: usize,
    positions: u64,
    terminals: u64,
}

impl Census {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let mut session = self.place.open()?;
        let identity = if self.raw {
            Identity::Raw
        } else {
            Identity::Canonical
        };
        let mut monitor = self.limits.monitor()?;
        let mut look = |progress: &_| monitor.look(progress);
        let mut watch = Watch::new(&mut look);
        let memory = self.limits.memory();
        let (plies, result) = session.census(identity, self.depth, memory, &mut watch);
        drop(monitor);
        if let Err(stop) = result {
            eprintln!("stopped: {stop}; plies before are complete");
        }
        let text = if self.json {
            json(&rows(&plies))?
        } else {
            in_words(&plies)
        };
        let stopped = result.err();
        Ok(Report { text, stopped })
    }
}

fn rows(plies: &[Ply]) -> Vec<Row> {
    let numbered = plies.iter().enumerate();
    let row = |(ply, counts): (usize, &Ply)| Row {
        ply,
        positions: counts.positions,
        terminals: counts.terminals,
    };
    numbered.map(row).collect()
}

fn in_words(plies: &[Ply]) -> String {
    let line = |name: &str, positions: u64, terminals: u64| {
        let (positions, terminals) = (grouped(positions), grouped(terminals));
        format!("{name:>5}  {positions:>15}  {terminals:>13}\n")
    };
    let mut text = format!("{:>5}  {:>15}  {:>13}\n", "ply", "positions", "terminals");
    for row in rows(plies) {
        text += &line(&row.ply.to_string(), row.positions, row.terminals);
    }
    let positions = plies.iter().map(|ply| ply.positions).sum();
    let terminals = plies.iter().map(|ply| ply.terminals).sum();
    text + &line("total", positions, terminals)
}
