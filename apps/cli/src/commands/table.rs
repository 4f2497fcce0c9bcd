//! `bouton table`: strong solutions, built, asked and verified.

use std::fmt::Write;
use std::path::PathBuf;

use bouton_session::tables::{self, Built, Error, Extent, Found, Ply, Verified};
use bouton_session::{Plan, Watch};
use clap::{Args, Subcommand};

use super::json;
use crate::Report;
use crate::monitor::{Monitor, Work, grouped};
use crate::options::{Limits, all_threads, threads_parser};

/// Strong solutions: the outcome of every position of a board
#[derive(Args)]
#[command(after_help = "\
Examples:
  bouton table build konane 6x5 --out konane-6x5
  bouton table probe konane-6x5 6x5 --after \"a1 b1\"
  bouton table verify konane-6x5
  bouton solve konane 6x5 --table konane-6x5

A building that was stopped goes on where it was when it is asked for again.")]
pub(crate) struct Table {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve every position of a board, and count those that can be reached
    Build(Build),
    /// What a table says about a position
    Probe(Probe),
    /// Whether to believe a table: checksums, random positions, counts
    Verify(Verify),
}

/// What the work on a whole board may take.
#[derive(Args)]
struct Effort {
    /// How many threads work [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads_parser())]
    threads: Option<usize>,
    #[command(flatten)]
    limits: Limits,
}

impl Effort {
    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(all_threads)
    }

    fn memory(&self) -> usize {
        self.limits.memory()
    }

    fn monitor(&self) -> anyhow::Result<Monitor> {
        let memory = self.memory();
        self.limits.monitor_of(Work::Table { memory })
    }
}

#[derive(Args)]
struct Build {
    /// The game: konane or chomp
    game: String,
    /// The size of the board
    size: String,
    /// The directory of the table
    #[arg(long, visible_alias = "dir", value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    effort: Effort,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Probe {
    /// The directory of the table
    directory: PathBuf,
    /// A size (the start position) or a position in the game's notation
    position: String,
    /// Play these moves first, separated by spaces
    #[arg(long, value_name = "MOVES", default_value = "")]
    after: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Verify {
    /// The directory of the table
    directory: PathBuf,
    /// Positions whose value is compared with those of their children
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    positions: u64,
    /// Positions that are searched anew
    #[arg(long, value_name = "N", default_value_t = 100)]
    searches: u64,
    /// Do not derive the counts anew
    #[arg(long)]
    no_counts: bool,
    /// Which positions: another seed, others
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    effort: Effort,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Table {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        match &self.command {
            Command::Build(command) => command.run(),
            Command::Probe(command) => command.run(),
            Command::Verify(command) => command.run(),
        }
    }
}

impl Build {
    fn run(&self) -> anyhow::Result<Report> {
        let plan = Plan {
            directory: self.out.clone(),
            threads: self.effort.threads(),
            memory: self.effort.memory(),
        };
        let mut monitor = self.effort.monitor()?;
        let mut look = |progress: &_| monitor.look(progress);
        let built = tables::build(&self.game, &self.size, &plan, &mut Watch::new(&mut look));
        drop(monitor);
        let built = built?;
        Ok(Report {
            text: if self.json {
                json(&built)?
            } else {
                build_in_words(&built)
            },
            stopped: built.reason,
        })
    }
}

impl Probe {
    fn run(&self) -> anyhow::Result<Report> {
        let mut table = tables::open(&self.directory)?;
        let found = table.probe(&self.position, &self.after)?;
        Ok(Report::complete(if self.json {
            json(&found)?
        } else {
            probe_in_words(&found)
        }))
    }
}

impl Verify {
    fn run(&self) -> anyhow::Result<Report> {
        let extent = Extent {
            positions: self.positions,
            searches: self.searches,
            counts: !self.no_counts,
            seed: self.seed,
            threads: self.effort.threads(),
            memory: self.effort.memory(),
            scratch: scratch(),
        };
        let mut monitor = self.effort.monitor()?;
        let mut look = |progress: &_| monitor.look(progress);
        let mut table = tables::open(&self.directory)?;
        let verified = table.verify(&extent, &mut Watch::new(&mut look));
        drop(monitor);
        let verified = verified?;
        Ok(Report {
            text: if self.json {
                json(&verified)?
            } else {
                verify_in_words(table.game(), table.root(), &verified)
            },
            stopped: verified.reason,
        })
    }
}

/// A place of our own for what does not fit into memory.
fn scratch() -> PathBuf {
    std::env::temp_dir().join(format!("bouton-verify-{}", std::process::id()))
}

fn build_in_words(built: &Built) -> String {
    let mut text = format!("{} {}: ", built.game, built.position);
    text += &match built.reason {
        Some(reason) => format!("not finished (stopped: {reason}); the same command goes on\n"),
        None => "every position solved\n".to_owned(),
    };
    text += &plies_in_words(&built.plies);
    text += &format!(
        "{:.1} s, {:.1} s CPU, {} MiB, {} MiB on disk\n",
        built.seconds,
        built.cpu_seconds,
        built.peak_memory_bytes >> 20,
        built.disk_bytes >> 20
    );
    text
}

fn plies_in_words(plies: &[Ply]) -> String {
    let line = |name: &str, numbers: [u64; 3]| {
        let [positions, wins, terminals] = numbers.map(grouped);
        format!("{name:>5}  {positions:>15}  {wins:>15}  {terminals:>13}\n")
    };
    let mut text = String::new();
    if !plies.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:>5}  {:>15}  {:>15}  {:>13}",
            "ply", "positions", "wins", "terminals"
        );
    }
    let mut sum = [0; 3];
    for ply in plies {
        let numbers = [ply.positions, ply.wins, ply.terminals];
        text += &line(&ply.ply.to_string(), numbers);
        sum.iter_mut().zip(numbers).for_each(|(sum, n)| *sum += n);
    }
    if !plies.is_empty() {
        text += &line("total", sum);
    }
    text
}

fn probe_in_words(found: &Found) -> String {
    let mut text = format!("{} {}: ", found.game, found.position);
    text += &format!("{} for the player to move", found.outcome);
    if let Some(winner) = &found.winner {
        text += &format!(", {} wins", winner.0);
    }
    text.push('\n');
    for mv in &found.moves {
        let _ = writeln!(text, "  {:<8} {}", mv.mv, mv.outcome);
    }
    if !found.winning_moves.is_empty() {
        text += &format!("winning moves: {}\n", found.winning_moves.join(" "));
    }
    text
}

fn verify_in_words(game: &str, root: &str, verified: &Verified) -> String {
    let what = match verified.reason {
        None => "nothing wrong found".to_owned(),
        Some(reason) => format!("nothing wrong found so far (stopped: {reason})"),
    };
    let counts = match verified.counts {
        true => "the same",
        false => "not derived anew",
    };
    format!(
        "{what}: {game} {root}\n\
         checksums of {} levels, {} positions against their children, {} searched anew, counts {counts}\n",
        verified.levels,
        grouped(verified.positions),
        grouped(verified.searches)
    )
}

/// The exit code of what went wrong with a table.
pub(crate) fn exit_code(error: &Error) -> u8 {
    match error.limit() {
        Some(_) => 3,
        None if error.is_usage() => 2,
        None => 1,
    }
}
