//! The command line: `bouton SUBCOMMAND GAME POSITION [options]`.
//!
//! One file a subcommand in [`commands`]; what they share is in [`options`] (sizes, limits,
//! positions) and [`monitor`] (progress, time, Ctrl-C). The answer goes to standard output,
//! everything else to standard error. Exit codes: 0 answered, 1 failure, 2 wrong usage or
//! position, 3 a limit was reached without an answer.

mod commands;
mod log;
mod monitor;
mod options;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use bouton_session::{Error, Stop, tables};
use clap::Parser;

use commands::Command;

/// Solves combinatorial games: who wins under perfect play, what a position is worth, which
/// moves win.
#[derive(Parser)]
#[command(name = "bouton", version, about, after_help = EXAMPLES, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  bouton solve sprouts 6                   who wins Sprouts with six spots?
  bouton solve cram 4x5 --nimber           the Grundy number of Cram on 4x5
  bouton solve konane 4x4 --after \"a1 b1\"  Konane after two removals
  bouton moves hex 3x3 --json              the distinct moves, for a program
  bouton games                             the games, and how to write positions";

/// What a subcommand ends with.
struct Report {
    /// For standard output.
    text: String,
    /// Why there is no complete answer.
    stopped: Option<Stop>,
}

impl Report {
    fn complete(text: String) -> Self {
        let stopped = None;
        Self { text, stopped }
    }
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(report) => finish(&report),
        Err(error) => {
            eprintln!("error: {error:#}");
            match error.downcast_ref::<Error>() {
                Some(Error::TooMany { .. }) => ExitCode::from(3),
                Some(Error::Store(_)) => ExitCode::from(1),
                Some(Error::Table(_)) => ExitCode::from(1),
                Some(_) => ExitCode::from(2),
                None => ExitCode::from(match error.downcast_ref::<tables::Error>() {
                    Some(error) => commands::table::exit_code(error),
                    None => 1,
                }),
            }
        }
    }
}

fn finish(report: &Report) -> ExitCode {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(report.text.as_bytes());
    match written.and_then(|()| stdout.flush()) {
        // Whoever read our answer has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write the answer: {error}");
            ExitCode::from(1)
        }
        Ok(()) if report.stopped.is_some() => ExitCode::from(3),
        Ok(()) => ExitCode::SUCCESS,
    }
}
