//! How searches scale with threads: the thesis on Konane, table 4.3; Pawlewicz and Hayward 2013,
//! table 2.
//!
//! Of a search with n threads, time t and expansions s, beside those of one thread: the speedup
//! t1/t; the efficiency, that by n; the search overhead f_s = s/s1; the thread overhead
//! f_t = n t / (t1 f_s), what a thread's expansion takes longer. A row is the median of some runs,
//! by time. Where there are more threads than cores, only f_s says something.
//!
//! Differences: table 2 is about positions of 8x8 and 11x11; ours is about one of any size.

use bouton_game::{Game, Notation};
use bouton_games::hex::{Hex, VirtualConnections};
use bouton_search::dfpn::{self, Threaded};
use bouton_search::guide::Leaves;
use bouton_search::prove::Outcomes;
use bouton_search::solver::{self, Setup, Solver, Without};
use bouton_search::spdfpn::Jobs;
use bouton_search::watch::{Stop, Watch};

use super::steps::Steps;
use super::{Column, Options, Reproduction, Table};
use crate::usage::Stopwatch;
use crate::{Error, Replacement, Request};

/// The tables as they are run again.
pub(super) fn all() -> Vec<Reproduction> {
    vec![
        Reproduction::new(
            "konane-4.3",
            "Konane thesis, table 4.3: PN² and df-pn with threads on 6x6",
            konane,
        ),
        Reproduction::new(
            "spdfpn-2",
            "Pawlewicz and Hayward 2013, table 2: SPDFPN on Hex, jobs of 100 and of 500",
            hex,
        ),
    ]
}

/// Threads of the rows, beside one.
const THREADS: [usize; 5] = [2, 4, 8, 12, 16];

/// What a search took.
#[derive(Clone, Copy)]
struct Run {
    seconds: f64,
    expansions: f64,
}

/// What a paper prints about a search: time, speedup, efficiency, f_s, f_t.
type Printed = [Option<f64>; 5];

/// Rows of one search with one thread and more.
struct Rows<'a> {
    name: &'a str,
    runs: u64,
    printed: &'a dyn Fn(usize) -> Printed,
}

impl Rows<'_> {
    /// Adds the rows; says whether to go on.
    fn add(
        &self,
        table: &mut Table,
        steps: &mut Steps,
        mut search: impl FnMut(usize, &mut Watch) -> Result<Result<Run, Stop>, Error>,
    ) -> Result<bool, Error> {
        let mut alone = None;
        for threads in [1].into_iter().chain(THREADS) {
            let mut runs = Vec::new();
            for _ in 0..self.runs {
                match steps.search(|watch| search(threads, watch))? {
                    Ok(run) => runs.push(run),
                    Err(Stop::Memory) => {
                        let why = format!("{}: no answer within the memory", self.name);
                        table.notes.push(why);
                        return Ok(true);
                    }
                    Err(stop) => {
                        table.stopped = Some(stop);
                        return Ok(false);
                    }
                }
            }
            steps.done += 1;
            runs.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
            let run = runs[runs.len() / 2];
            let alone = *alone.get_or_insert(run);
            let row = numbers(run, alone, threads).into_iter();
            let row = row.zip((self.printed)(threads)).collect();
            table.add_row(&format!("{}, {threads}", self.name), row);
        }
        Ok(true)
    }
}

fn numbers(run: Run, alone: Run, threads: usize) -> [f64; 5] {
    let threads = threads as f64;
    let speedup = alone.seconds / run.seconds;
    let search = run.expansions / alone.expansions;
    [
        run.seconds,
        speedup,
        speedup / threads,
        search,
        threads / speedup / search,
    ]
}

/// Table 4.3: threads, seconds, search overhead; the rest follows.
type Scaling = [(usize, f64, f64); 5];

const PN2: Scaling = [
    (1, 99.77, 1.00),
    (2, 44.44, 1.35),
    (4, 21.34, 1.89),
    (8, 10.10, 2.47),
    (12, 6.83, 2.84),
];

const DFPN: Scaling = [
    (1, 52.24, 1.00),
    (2, 33.86, 0.95),
    (4, 23.49, 0.94),
    (8, 19.81, 1.11),
    (12, 15.15, 1.03),
];

fn printed(table: &Scaling, threads: usize) -> Printed {
    let row = table.iter().find(|row| row.0 == threads);
    row.map_or([None; 5], |&(threads, seconds, overhead)| {
        let speedup = table[0].1 / seconds;
        let efficiency = speedup / threads as f64;
        [
            Some(seconds),
            Some(speedup),
            Some(efficiency),
            Some(overhead),
            None,
        ]
    })
}

/// The board of table 4.3.
const BOARD: &str = "6x6";

fn konane(options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    let board = options.position.as_deref().unwrap_or(BOARD);
    let mut session = crate::open("konane", board)?;
    let theirs = session.position() == crate::open("konane", BOARD)?.position();
    let searches: [(&str, &str, Option<&Scaling>); 3] = [
        ("SPDFPN", "spdfpn", None),
        ("df-pn", "pdfpn", Some(&DFPN)),
        ("PN²", "parallel-pn2", Some(&PN2)),
    ];
    let mut table = empty_table(
        "konane-4.3",
        &format!("Konane {board}, searches with some numbers of threads"),
        "Konane thesis, table 4.3, on an Intel Xeon Gold 6326; \
         ours: time on the clock, first numbers as in the thesis",
    );
    let mut steps = Steps::new(searches.len() * (THREADS.len() + 1), watch);
    for (name, algorithm, scaling) in searches {
        let scaling = scaling.filter(|_| theirs);
        let rows = Rows {
            name,
            runs: options.shuffles.unwrap_or(1),
            printed: &|threads| scaling.map_or([None; 5], |table| printed(table, threads)),
        };
        let goes_on = rows.add(&mut table, &mut steps, |threads, watch| {
            let request = Request {
                algorithm: algorithm.to_owned(),
                leaves: Leaves::Mobility,
                memory: options.memory,
                threads,
                ..Request::default()
            };
            let answer = session.solve(&request, watch)?;
            Ok(answer.reason.map_or(
                Ok(Run {
                    seconds: answer.seconds,
                    expansions: answer.counts.expansions as f64,
                }),
                Err,
            ))
        })?;
        if !goes_on {
            break;
        }
    }
    Ok(table)
}

/// The position of ours for table 2.
const OPENING: &str = "7x7 b4";

/// What is legible of table 2: threads, f_s, f_t and speedup of the jobs of 100 and of 500.
const JOBS: [(usize, [f64; 3], [f64; 3]); 4] = [
    (1, [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]),
    (2, [1.051, 0.981, 1.940], [1.095, 1.033, 1.768]),
    (8, [1.124, 1.111, 6.405], [1.268, 1.072, 5.885]),
    (16, [1.401, 1.219, 9.368], [1.245, 1.091, 11.780]),
];

fn hex(options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    let position = options.position.as_deref().unwrap_or(OPENING);
    let mut table = empty_table(
        "spdfpn-2",
        &format!("Hex {position}, SPDFPN with some numbers of threads"),
        "Pawlewicz and Hayward 2013, table 2: means over positions of 8x8 and 11x11; \
         ours: one position, time on the clock",
    );
    let mut steps = Steps::new(2 * (THREADS.len() + 1), watch);
    for (index, work) in [100, 500].into_iter().enumerate() {
        let rows = Rows {
            name: &format!("jobs of {work}"),
            runs: options.shuffles.unwrap_or(1),
            printed: &|threads| {
                let row = JOBS.iter().find(|row| row.0 == threads);
                row.map_or([None; 5], |&(threads, short, long)| {
                    let [search, thread, speedup] = [short, long][index];
                    let efficiency = speedup / threads as f64;
                    [
                        None,
                        Some(speedup),
                        Some(efficiency),
                        Some(search),
                        Some(thread),
                    ]
                })
            },
        };
        let goes_on = rows.add(&mut table, &mut steps, |threads, watch| {
            search_hex(position, work, threads, options.memory, watch)
        })?;
        if !goes_on {
            break;
        }
    }
    Ok(table)
}

fn search_hex(
    position: &str,
    work: u64,
    threads: usize,
    memory: usize,
    watch: &mut Watch,
) -> Result<Result<Run, Stop>, Error> {
    let (mut game, root) = Hex::open(position)?;
    let root = game.canonical(&root);
    let setup = Setup {
        memory,
        threads,
        without: Without::default(),
        leaves: Leaves::Best,
        replacement: Replacement::LeastWork,
    };
    let prover = |memory| {
        let table = solver::Table::new(memory, setup.replacement);
        Threaded::new(Jobs { work }, dfpn::Options::BEST, table)
    };
    let mut solver = Outcomes::<Hex, _, VirtualConnections>::new(prover, &setup);
    let stopwatch = Stopwatch::start();
    let outcome = solver.outcome(&mut game, &root, watch);
    Ok(outcome.map(|_| Run {
        seconds: stopwatch.seconds(),
        expansions: solver.progress().expansions as f64,
    }))
}

fn empty_table(name: &str, title: &str, source: &str) -> Table {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Table {
        name: name.to_owned(),
        title: title.to_owned(),
        source: source.to_owned(),
        tolerance: None,
        columns: vec![
            Column::seconds("time"),
            Column::ratio("speedup"),
            Column::ratio("efficiency"),
            Column::ratio("search overhead f_s"),
            Column::ratio("thread overhead f_t"),
        ],
        rows: Vec::new(),
        notes: vec![format!(
            "This machine has {cores} cores: of rows with more threads only f_s says something."
        )],
        stopped: None,
    }
}
