//! `bouton train`: learns the weights that a game's searches are steered by.

use bouton_session::Watch;
use bouton_session::train::{self, Options};
use clap::Args;

use super::json;
use crate::Report;
use crate::monitor::Work;
use crate::options::{Pace, read_size};

/// The weights of a game's features, learned from random positions of a board that are solved
#[derive(Args)]
#[command(after_help = "\
Examples:
  bouton train konane 6x5
  bouton train konane 5x5 --positions 20000 --seed 2

What is printed is the file that Bouton is built with (crates/games/src/konane/weights.txt). The
same board, number and seed give the same weights. They steer a search; they prove nothing.")]
pub(crate) struct Train {
    /// The game; konane is the only one with features so far
    game: String,
    /// The board to learn from: small enough to be solved over and over
    board: String,
    /// How many different positions to learn from
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    positions: u32,
    /// Which random games: another seed, others
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Memory for the search: 512M, 8G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = read_size)]
    memory: usize,
    #[command(flatten)]
    pace: Pace,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Train {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let memory = self.memory;
        let mut monitor = self.pace.monitor(Work::Search { memory })?;
        let mut look = |progress: &_| monitor.look(progress);
        let options = Options {
            positions: self.positions as usize,
            seed: self.seed,
            memory,
        };
        let lesson = train::train(
            &self.game,
            &self.board,
            &options,
            &mut Watch::new(&mut look),
        )?;
        drop(monitor);
        Ok(match lesson {
            Ok(lesson) => Report::complete(match self.json {
                true => json(&lesson)?,
                false => lesson.to_text(),
            }),
            Err(stop) => {
                eprintln!("stopped: {stop}; nothing was learned");
                let text = String::new();
                let stopped = Some(stop);
                Report { text, stopped }
            }
        })
    }
}
