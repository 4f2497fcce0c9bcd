//! `bouton reproduce`: tables of papers, ours beside theirs.

use std::path::PathBuf;

use anyhow::Context;
use bouton_cluster::reproduce;
use bouton_session::Watch;
use bouton_session::reproduce::{Options, Table};
use clap::Args;

use super::json;
use crate::Report;
use crate::monitor::Work;
use crate::options::{Pace, all_threads, read_size, threads_parser};

/// A paper's table, ours beside theirs; without a name, what there is.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bouton reproduce
  bouton reproduce impartial-2
  bouton reproduce impartial-7 --svg cram.svg --json
  bouton reproduce impartial-5 --shuffles 1 --time 10m
  bouton reproduce konane-4.2 --memory 4G
  bouton reproduce konane-a7 --memory 10G --table tables
  bouton reproduce spots-3 --position 16
  bouton reproduce spots-table3 --position 20

A run that is stopped shows the rows that are complete and ends with exit code 3.")]
pub(crate) struct Reproduce {
    /// The table; without it, the names of all
    name: Option<String>,
    /// Where a paper has means over shuffled orders: over how many, 10 in the papers [default: 10, or 30 where ten vary too much]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    shuffles: Option<u64>,
    /// Which shuffles: another seed, others
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Another position than the paper's, where a table can do with any
    #[arg(long, value_name = "POSITION", requires = "name")]
    position: Option<String>,
    /// Memory for each search, where the paper does not say: 512M, 8G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = read_size)]
    memory: usize,
    /// Threads for strong solutions [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads_parser())]
    threads: Option<usize>,
    /// Keep strong solutions here, and use those that are here already
    #[arg(long, value_name = "DIR", requires = "name")]
    table: Option<PathBuf>,
    /// Draw a picture of it, too
    #[arg(long, value_name = "FILE", requires = "name")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    pace: Pace,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Reproduce {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        match &self.name {
            Some(name) => self.table(name),
            None => self.list(),
        }
    }

    fn list(&self) -> anyhow::Result<Report> {
        let names = reproduce::names();
        Ok(Report::complete(if self.json {
            json(&names)?
        } else {
            let lines = names.iter();
            lines
                .map(|entry| format!("{:<12} {}\n", entry.name, entry.summary))
                .collect()
        }))
    }

    fn table(&self, name: &str) -> anyhow::Result<Report> {
        let mut monitor = self.pace.monitor(Work::Reproduction)?;
        let mut look = |progress: &_| monitor.look(progress);
        let options = Options {
            shuffles: self.shuffles,
            seed: self.seed,
            position: self.position.clone(),
            memory: self.memory,
            threads: self.threads.unwrap_or_else(all_threads),
            table: self.table.clone(),
        };
        let watch = &mut Watch::new(&mut look);
        let table = reproduce::run(name, &options, watch)?;
        drop(monitor);
        if let Some(stop) = table.stopped {
            eprintln!("stopped: {stop}; the rows shown are complete");
        }
        self.draw(&table)?;
        Ok(Report {
            text: if self.json {
                json(&table)?
            } else {
                table.to_text()
            },
            stopped: table.stopped,
        })
    }

    fn draw(&self, table: &Table) -> anyhow::Result<()> {
        let Some(file) = &self.svg else {
            return Ok(());
        };
        std::fs::write(file, table.to_svg())
            .with_context(|| format!("cannot write the picture to {}", file.display()))
    }
}
