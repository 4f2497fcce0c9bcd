//! `bouton games`: what can be played.

use bouton_session::registry;
use clap::Args;
use serde::Serialize;

use super::json;
use crate::Report;

/// The games, and how their positions and moves are written.
#[derive(Args)]
pub(crate) struct Games {
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    summary: &'static str,
    impartial: bool,
    sizes: &'static str,
    positions: &'static str,
    moves: &'static str,
    examples: &'static [&'static str],
}

impl Games {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let games = registry::games().iter();
        Ok(Report::complete(if self.json {
            let row = |game: &registry::Entry| Row {
                name: game.name,
                summary: game.summary,
                impartial: game.impartial,
                sizes: game.sizes,
                positions: game.positions,
                moves: game.moves,
                examples: game.examples,
            };
            json(&games.map(row).collect::<Vec<_>>())?
        } else {
            games.map(in_words).collect()
        }))
    }
}

fn in_words(game: &registry::Entry) -> String {
    let nimbers = if game.impartial { " (nimbers)" } else { "" };
    format!(
        "{:<8} {}{nimbers}\n{:9}sizes {}; positions {}; moves {}\n",
        game.name, game.summary, "", game.sizes, game.positions, game.moves
    )
}
