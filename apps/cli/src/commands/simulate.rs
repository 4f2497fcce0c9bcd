//! `bouton simulate`: the job-level search on simulated cores.

use std::time::Duration;

use anyhow::bail;
use bouton_cluster::Settings;
use bouton_cluster::master::Failure;
use bouton_cluster::protocol::Time;
use bouton_cluster::simulator::trial::{self, Trials};
use bouton_cluster::simulator::{Costs, Faults, Plan, Row, baseline, calibrate, scale};
use bouton_session::{Forgets, Session, Watch};
use clap::{Args, ValueEnum};

use super::json;
use crate::Report;
use crate::monitor::grouped;
use crate::options::{Limits, Place, read_time, threads_parser};

/// The job-level search (PNS-PDFPN) on simulated cores: the real search in virtual time.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bouton simulate sprouts 17 --cores 1,4,16,64
  bouton simulate sprouts 17 --cores 64 --grouping 1 --without sharing
  bouton simulate sprouts 28 --cores 256 --threads 32 --updates 100
  bouton simulate cram 5x6 --cores 8 --iterations 100 --updates 100 --json
  bouton simulate sprouts 9 --cores 8 --lost 50 --group-life 5s --seed 7
  bouton simulate sprouts 5 --trials 1000          small clusters on which much goes wrong

The same seed gives the same run, with every fault in it. The columns are those of the paper's
table 3: nodes of the master and of a worker, Grundy numbers, iterations, utilisation, time, and
the speedup over df-pn on one core, drawn with three signs for every doubling.")]
pub(crate) struct Simulate {
    #[command(flatten)]
    place: Place,
    /// Numbers of cores, one thread each; as many as make whole workers (--threads) and machines
    /// (--grouping) are simulated
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,2,4,8,16,32,64",
          value_parser = clap::value_parser!(u16).range(1..))]
    cores: Vec<u16>,
    /// Instead, try so many seeds on which messages are lost, repeated and late, and machines and
    /// masters die: every outcome has to be df-pn's
    #[arg(long, value_name = "N", conflicts_with = "cores")]
    trials: Option<u64>,
    /// What chance is made of
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Expansions a job takes at most [default: 10000, with several threads 100000]
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,
    /// Expansions a job takes at least [default: one for every 16 workers, or 12 a thread]
    #[arg(long, value_name = "N")]
    least: Option<u64>,
    /// Expansions that go into a leaf before its branches come into the tree [default: the fewer
    /// the more workers there are, from 32 down to 1; with several threads 250 a thread]
    #[arg(long, value_name = "N")]
    develop: Option<u64>,
    /// Expansions of a thread between two updates
    #[arg(long, value_name = "N", default_value_t = 1000)]
    updates: u64,
    /// Cores of a machine, whose workers share their facts
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
    grouping: u16,
    /// Threads of a worker, which search its job together; never more than there are cores
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads_parser())]
    threads: usize,
    /// Leave out parts of the search, for comparison
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    without: Vec<Part>,
    /// What an expansion takes, in the paper 1ms; `measured` for what it takes here
    #[arg(long, value_name = "TIME", default_value = "1ms", value_parser = Expansion::read)]
    expansion: Expansion,
    /// What a message takes
    #[arg(long, value_name = "TIME", default_value = "0.2ms", value_parser = read_time)]
    latency: Duration,
    /// What a letter takes the master
    #[arg(long, value_name = "TIME", default_value = "0.05ms", value_parser = read_time)]
    service: Duration,
    /// Of a thousand messages, so many are lost
    #[arg(long, value_name = "N", default_value_t = 0)]
    lost: u64,
    /// How long a machine lives on average [default: forever]
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    group_life: Option<Duration>,
    /// How long a master lives on average before it is started again [default: forever]
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    master_life: Option<Duration>,
    #[command(flatten)]
    limits: Limits,
    /// Print a JSON array with an object for each number of cores
    #[arg(long)]
    json: bool,
}

/// What an expansion takes.
#[derive(Clone, Copy)]
enum Expansion {
    /// As long as here.
    Measured,
    /// So long.
    Given(Duration),
}

impl Expansion {
    fn read(text: &str) -> Result<Self, String> {
        match text {
            "measured" => Ok(Self::Measured),
            text => read_time(text).map(Self::Given),
        }
    }
}

/// A part of the search that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Groups tell each other their facts
    Sharing,
    /// Workers keep their proof numbers from job to job
    Table,
    /// Workers keep their facts from job to job
    Facts,
}

/// The least and the most a worker's memory is.
const WORKER: (usize, usize) = (1 << 20, 1 << 28);

impl Simulate {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let mut session = self.place.open()?;
        let mut monitor = self.limits.monitor()?;
        let mut look = |progress: &_| monitor.look(progress);
        let watch = &mut Watch::new(&mut look);
        if let Some(count) = self.trials {
            let trials = trial::run_all(&mut *session, self.seed..self.seed + count, watch);
            drop(monitor);
            return self.tell(trials);
        }
        let (rows, result) = self.rows(&mut *session, watch);
        drop(monitor);
        for (&asked, row) in self.cores.iter().zip(&rows) {
            let Row { cores, groups, .. } = row;
            if usize::from(asked) != *cores {
                let each = cores / groups;
                eprintln!("{asked} cores: simulated are {cores}, {groups} machines of {each}");
            }
        }
        let stopped = match result {
            Ok(()) => None,
            Err(Failure::Stop(stop)) => {
                eprintln!("stopped: {stop}; the rows shown are complete");
                Some(stop)
            }
            Err(Failure::Contradiction(position)) => {
                bail!("workers have found two nimbers for one position ({position:02x?}): a bug")
            }
        };
        let text = match self.json {
            true => json(&rows)?,
            false => in_words(&rows),
        };
        Ok(Report { text, stopped })
    }

    /// What came of trials.
    fn tell(&self, trials: Result<Trials, Failure>) -> anyhow::Result<Report> {
        let trials = match trials {
            Ok(trials) => trials,
            Err(Failure::Stop(stop)) => {
                return Ok(Report {
                    text: String::new(),
                    stopped: Some(stop),
                });
            }
            Err(failure) => bail!("df-pn: {failure:?}"),
        };
        if let Some(seed) = trials.failed {
            bail!("seed {seed} failed: a bug; --trials 1 --seed {seed} does it again");
        }
        let text = match self.json {
            true => json(&trials)?,
            false => format!(
                "{} seeds: every outcome is df-pn's; {} deaths, {} messages, {} expansions\n",
                grouped(trials.seeds),
                grouped(trials.deaths),
                grouped(trials.messages),
                grouped(trials.iterations)
            ),
        };
        let stopped = None;
        Ok(Report { text, stopped })
    }

    /// The rows that are complete, and why there are no more.
    fn rows(
        &self,
        session: &mut dyn Session,
        watch: &mut Watch,
    ) -> (Vec<Row>, Result<(), Failure>) {
        let mut rows = Vec::new();
        let result = self.fill(session, watch, &mut rows);
        (rows, result)
    }

    fn fill(
        &self,
        session: &mut dyn Session,
        watch: &mut Watch,
        rows: &mut Vec<Row>,
    ) -> Result<(), Failure> {
        let memory = self.limits.memory().min(WORKER.1 * 4);
        let expansion = match self.expansion {
            Expansion::Measured => calibrate(session, memory, watch)?,
            Expansion::Given(time) => nanoseconds(time),
        };
        let baseline = baseline(session, memory, watch)?;
        for &cores in &self.cores {
            let plan = self.plan(usize::from(cores), expansion);
            rows.push(scale(session, &plan, baseline, watch)?);
        }
        Ok(())
    }

    fn plan(&self, cores: usize, expansion: Time) -> Plan {
        let threads = self.threads.min(cores);
        let workers = cores / threads;
        let seats = (usize::from(self.grouping) / threads).clamp(1, workers);
        let usual = Settings::for_workers(workers, threads);
        let life = |life: Option<Duration>| life.map_or(0, nanoseconds);
        Plan {
            groups: workers.div_ceil(seats),
            seats,
            memory: (self.limits.memory() / 2 / cores).clamp(WORKER.0, WORKER.1),
            settings: Settings {
                least: self.least.unwrap_or(usual.least),
                develop: self.develop.unwrap_or(usual.develop),
                iterations: self.iterations.unwrap_or(usual.iterations).max(1),
                updates: self.updates.max(1),
                sharing: !self.without.contains(&Part::Sharing),
                forgets: Forgets {
                    table: self.without.contains(&Part::Table),
                    facts: self.without.contains(&Part::Facts),
                },
                ..usual
            },
            costs: Costs {
                expansion,
                latency: nanoseconds(self.latency),
                service: nanoseconds(self.service),
                ..Costs::default()
            },
            faults: Faults {
                lost: self.lost,
                group_life: life(self.group_life),
                master_life: life(self.master_life),
                ..Faults::default()
            },
            seed: self.seed,
            audit: false,
        }
    }
}

fn nanoseconds(time: Duration) -> Time {
    Time::try_from(time.as_nanos()).unwrap_or(Time::MAX / 1024)
}

fn in_words(rows: &[Row]) -> String {
    let mut text = format!(
        "{:>6} {:>9} {:>9} {:>9} {:>11} {:>6} {:>10} {:>8} {:>8}\n",
        "cores",
        "m-nodes",
        "w-nodes",
        "facts",
        "iterations",
        "util",
        "time [s]",
        "speedup",
        "overhead"
    );
    for row in rows {
        text += &format!(
            "{:>6} {:>9} {:>9} {:>9} {:>11} {:>5.1}% {:>10.1} {:>8.2} {:>8.2} {}\n",
            row.cores,
            grouped(row.master_nodes as u64),
            grouped(row.worker_nodes as u64),
            grouped(row.facts as u64),
            grouped(row.iterations),
            100.0 * row.utilisation,
            row.seconds,
            row.speedup,
            row.overhead,
            drawn(row)
        );
    }
    text
}

/// The speedup as a bar, within one for as many times as there are cores.
fn drawn(row: &Row) -> String {
    let length = |times: f64| (3.0 * times.max(1.0).log2()).round() as usize;
    let (speedup, most) = (length(row.speedup), length(row.cores as f64));
    "#".repeat(speedup) + &".".repeat(most.saturating_sub(speedup))
}
