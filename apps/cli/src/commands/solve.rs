//! `bouton solve`: who wins.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use bouton_cluster::answer;
use bouton_cluster::threads::ALGORITHM;
use bouton_session::certificate::Evidence;
use bouton_session::{
    Answer, Error, Leaves, Progress, Proof, Replacement, Request, Verdict, Watch, Without,
};
use clap::{Args, ValueEnum};

use super::json;
use crate::Report;
use crate::log::Log;
use crate::monitor::grouped;
use crate::options::{Limits, Place, all_threads, read_time, threads_parser};

/// Who wins under perfect play, and with which moves.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bouton solve cram 4x5 --nimber
  bouton solve konane 5x5 --after \"a1 b1\" --all-moves
  bouton solve hex 6x6 --all-moves                 the winning openings, drawn on the board
  bouton solve hex \"x..|.o.|... b\" --json
  bouton solve sprouts \"0*3.1a1a\" --nimber --time 1m --memory 2G
  bouton solve sprouts 8 --certificate proof.bouton && bouton check proof.bouton
  bouton solve cram 5x8 --nimber --store facts     stop it at any time, and run it again
  bouton solve konane 6x5 --all-moves --table DIR  after `bouton table build konane 6x5 --out DIR`

A run that reaches a limit answers `unknown` with the reason and ends with exit code 3.")]
pub(crate) struct Solve {
    #[command(flatten)]
    place: Place,
    /// How: see `bouton algorithms`
    #[arg(long, value_name = "NAME", default_value = "auto")]
    algorithm: String,
    /// Find the Grundy number too (impartial games)
    #[arg(long)]
    nimber: bool,
    /// Find the outcome of every move
    #[arg(long)]
    all_moves: bool,
    /// Leave out parts of the search, for comparison: symmetry, components, order; for Hex also
    /// fill-in, connections, captured, templates, must-play, domination, proof-sets, recall, alike, resistance, widening
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    without: Vec<String>,
    /// First numbers of leaves in proof-number search
    #[arg(long, value_name = "NUMBERS", default_value = "best")]
    leaves: Numbers,
    /// What a full table of proof numbers forgets
    #[arg(long, value_name = "WHAT", default_value = "least-work")]
    replacement: Forgets,
    /// Ask a strong solution that `bouton table build` made, before anything is searched
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
    /// Write a proof of the answer that `bouton check` verifies
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Keep facts and checkpoints in this folder, and go on with those there are
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Threads that a parallel algorithm uses [default: all cores], or each worker [default: 1]
    #[arg(long, value_name = "N", value_parser = threads_parser())]
    threads: Option<usize>,
    /// Job-level search with so many workers; the threads of one search its job together
    /// [default with pns-pdfpn: as many as there are cores for]
    #[arg(long, value_name = "N", value_parser = threads_parser())]
    workers: Option<usize>,
    /// Seed for what an algorithm leaves to chance; so far none leaves anything
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Append the progress of workers (--workers) to a file, as JSON lines
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Time between two such lines
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = read_time)]
    interval: Duration,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Solve {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let mut session = self.place.open()?;
        let request = Request {
            algorithm: self.algorithm.clone(),
            nimber: self.nimber,
            all_moves: self.all_moves,
            memory: self.limits.memory(),
            threads: self.threads.unwrap_or_else(all_threads),
            without: self.without(),
            without_knowledge: self.without_knowledge(),
            leaves: self.leaves.into(),
            replacement: self.replacement.into(),
            certificate: self.certificate.is_some(),
            store: self.store.clone(),
            table: self.table.clone(),
            known: Vec::new(),
        };
        let workers = self.workers()?;
        if self.log.is_some() && workers.is_none() {
            return Err(Error::NothingToLog.into());
        }
        let mut monitor = self.limits.monitor()?;
        let log = self.log.as_deref();
        let log = log.map(|path| Log::open(path, self.interval));
        let mut log = log.transpose()?;
        let mut look = |progress: &Progress| {
            if let Some(log) = &mut log {
                log.look(progress);
            }
            monitor.look(progress)
        };
        let watch = &mut Watch::new(&mut look);
        let mut answer = match workers {
            Some(workers) => {
                let threads = self.threads_of_each();
                let answer = answer::solve(&mut *session, request, workers, threads, watch);
                answer.map_err(|error| match error {
                    answer::Error::Request(error) => error.into(),
                    error => anyhow::Error::from(error),
                })?
            }
            None => session.solve(&request, watch)?,
        };
        drop(monitor);
        let written = self.write_certificate(answer.proof.take())?;
        let text = if self.json {
            json(&answer)?
        } else {
            in_words(&answer) + &self.kept(&answer) + &written
        };
        Ok(Report {
            text,
            stopped: answer.reason,
        })
    }
}

impl Solve {
    /// How many workers there are, if jobs are to be handed out.
    fn workers(&self) -> Result<Option<usize>, Error> {
        match (self.algorithm.as_str(), self.workers) {
            (ALGORITHM, None) => Ok(Some((all_threads() / self.threads_of_each()).max(1))),
            (_, None) => Ok(None),
            ("auto" | ALGORITHM, Some(workers)) => Ok(Some(workers)),
            (algorithm, Some(_)) => Err(Error::NoWorkers {
                algorithm: algorithm.to_owned(),
            }),
        }
    }

    /// How many threads a worker has.
    fn threads_of_each(&self) -> usize {
        self.threads.unwrap_or(1)
    }

    /// Writes the proof, and says what was written.
    fn write_certificate(&self, proof: Option<Proof>) -> anyhow::Result<String> {
        let (Some(path), Some(proof)) = (&self.certificate, proof) else {
            return Ok(String::new());
        };
        let shown = path.display();
        let (count, what) = match &proof.evidence {
            Evidence::Couples(couples) => (couples.len(), "couples"),
            Evidence::Steps(steps) => (steps.len(), "steps"),
        };
        let bytes = proof.save(path);
        let bytes = bytes.with_context(|| format!("cannot write the certificate {shown}"))?;
        Ok(format!(
            "certificate {shown}: {} {what}, {} bytes\n",
            grouped(count as u64),
            grouped(bytes)
        ))
    }
}

impl Solve {
    /// What is in the store now.
    fn kept(&self, answer: &Answer) -> String {
        let (Some(dir), Some(kept)) = (&self.store, answer.store) else {
            return String::new();
        };
        let restored = match kept.restored {
            0 => String::new(),
            entries => format!(", went on with {} proof numbers", grouped(entries)),
        };
        format!(
            "store {}: {} facts, {} of them new{restored}\n",
            dir.display(),
            grouped(kept.facts),
            grouped(kept.new_facts)
        )
    }
}

/// What the first numbers of a leaf are made of.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Numbers {
    /// The best that is known for the game
    Best,
    /// One to prove, the number of moves to disprove
    Mobility,
    /// One either way
    Constant,
}

impl From<Numbers> for Leaves {
    fn from(numbers: Numbers) -> Self {
        match numbers {
            Numbers::Best => Self::Best,
            Numbers::Mobility => Self::Mobility,
            Numbers::Constant => Self::Constant,
        }
    }
}

/// What a full table forgets.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Forgets {
    /// Of four entries the one with the least work
    LeastWork,
    /// Every now and then, the third of all entries with the least work
    SmallTrees,
}

impl From<Forgets> for Replacement {
    fn from(forgets: Forgets) -> Self {
        match forgets {
            Forgets::LeastWork => Self::LeastWork,
            Forgets::SmallTrees => Self::SmallTrees,
        }
    }
}

impl Solve {
    fn without(&self) -> Without {
        let without = |part: &str| self.without.iter().any(|named| named == part);
        Without {
            symmetry: without("symmetry"),
            components: without("components"),
            order: without("order"),
            knowledge: 0,
        }
    }

    /// The parts that belong to a game.
    fn without_knowledge(&self) -> Vec<String> {
        let of_every_search = ["symmetry", "components", "order"];
        let mut parts = self.without.clone();
        parts.retain(|part| !of_every_search.contains(&part.as_str()));
        parts
    }
}

fn in_words(answer: &Answer) -> String {
    let mut text = format!("{} {}: ", answer.game, answer.position);
    text += &match (answer.outcome, answer.winner.flatten()) {
        (Verdict::Unknown, _) => "unknown".to_owned(),
        (outcome, None) => format!("{outcome} for the player to move"),
        (outcome, Some(winner)) => {
            format!("{outcome} for the player to move, {} wins", winner.0)
        }
    };
    if let Some(nimber) = answer.nimber {
        text += &format!(", nimber {nimber}");
    }
    if let Some(reason) = answer.reason {
        text += &format!(" (stopped: {reason})");
    }
    text.push('\n');
    match &answer.map {
        Some(map) => text += map,
        None => {
            for mv in answer.moves.iter().flatten() {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  {:<8} {}", mv.mv, mv.outcome);
            }
        }
    }
    if !answer.winning_moves.is_empty() {
        text += &format!("winning moves: {}\n", answer.winning_moves.join(" "));
    }
    let looks = answer
        .counts
        .looks
        .map(|looks| format!("{} closer looks, ", grouped(looks)));
    text += &format!(
        "{}: {} expansions, {}{} facts, {:.2} s CPU, {} MiB\n",
        answer.algorithm,
        grouped(answer.counts.expansions),
        looks.unwrap_or_default(),
        grouped(answer.counts.facts),
        answer.cpu_seconds,
        answer.peak_memory_bytes >> 20
    );
    text
}
