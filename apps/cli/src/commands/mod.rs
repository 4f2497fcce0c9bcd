//! The subcommands, one file each.

mod algorithms;
mod census;
mod check;
mod games;
mod moves;
mod perft;
mod reproduce;
mod show;
mod simulate;
mod solve;
pub(crate) mod table;
mod train;

use clap::Subcommand;

use crate::Report;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Who wins under perfect play, and with which moves
    Solve(solve::Solve),
    /// Verify a certificate by the rules of its game alone
    Check(check::Check),
    /// What a certificate says about a position: a winning move, or an answer to every move
    Show(show::Show),
    /// The distinct children of a position, each with the moves that lead to it
    Moves(moves::Moves),
    /// How many distinct positions there are at each ply
    Census(census::Census),
    /// How many lines of play there are of each length
    Perft(perft::Perft),
    /// Strong solutions: the outcome of every position of a board
    Table(table::Table),
    /// The job-level search on simulated cores
    Simulate(simulate::Simulate),
    /// A paper's table, ours beside theirs
    Reproduce(reproduce::Reproduce),
    /// Learn the weights that a game's searches are steered by
    Train(train::Train),
    /// The games, and how their positions and moves are written
    Games(games::Games),
    /// The algorithms
    Algorithms(algorithms::Algorithms),
}

impl Command {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        match self {
            Self::Solve(command) => command.run(),
            Self::Check(command) => command.run(),
            Self::Show(command) => command.run(),
            Self::Moves(command) => command.run(),
            Self::Census(command) => command.run(),
            Self::Perft(command) => command.run(),
            Self::Table(command) => command.run(),
            Self::Simulate(command) => command.run(),
            Self::Reproduce(command) => command.run(),
            Self::Train(command) => command.run(),
            Self::Games(command) => command.run(),
            Self::Algorithms(command) => command.run(),
        }
    }
}

/// A line of JSON.
fn json(value: &impl serde::Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}
