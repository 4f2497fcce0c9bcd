//! `bouton moves`: the distinct children of a position.

use bouton_session::Child;
use clap::Args;

use super::json;
use crate::Report;
use crate::options::Place;

/// The distinct children of a position, each with the moves that lead to it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bouton moves sprouts 0*2
  bouton moves cram 3x3 --json
  bouton moves konane 6x6 --after \"a1 b1\"")]
pub(crate) struct Moves {
    #[command(flatten)]
    place: Place,
    /// Print a JSON array of {position, moves}
    #[arg(long)]
    json: bool,
}

impl Moves {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let children = self.place.open()?.children()?;
        Ok(Report::complete(if self.json {
            json(&children)?
        } else {
            children.iter().map(in_words).collect()
        }))
    }
}

fn in_words(child: &Child) -> String {
    format!("{}\t{}\n", child.position, child.moves.join(" "))
}
