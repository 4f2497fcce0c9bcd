//! Čížek, Balko and Schmid 2025, figure 3: df-pn with Grundy numbers on Sprouts, against the
//! capacity of its transposition table, and PNS beside it.
//!
//! The paper draws a figure and prints no digits, so there is nothing to hold ours against but
//! its findings: a smaller table costs some time, and 10^6 entries are more than enough. Facts
//! (Grundy numbers) are kept apart and never forgotten. A table that is far too small makes the
//! search forget faster than it learns: then it is given up, and so are all smaller ones.
//!
//! Difference: first numbers, the factor 1 + epsilon and the order of parts are our best, not
//! the paper's; they take a fifth of its iterations.

use bouton_game::{Game, Notation};
use bouton_games::sprouts::{LivesAndMoves, Sprouts};
use bouton_search::dfpn::{self, Dfpn};
use bouton_search::guide::Leaves;
use bouton_search::prove::Nimbers;
use bouton_search::solver::{self, ENTRY_BYTES, Replacement, Setup, Solver, Without};
use bouton_search::watch::{Progress, Stop, Watch};

use super::steps::{Attempt, Cost, Steps};
use super::{Column, Options, Reproduction, Table};
use crate::usage::Stopwatch;
use crate::{Counts, Error, Request};

/// The tables as they are run again.
pub(super) fn all() -> Vec<Reproduction> {
    vec![Reproduction::new(
        "spots-3",
        "Čížek, Balko and Schmid 2025, figure 3: df-pn on Sprouts 0*29 against the size of its table",
        capacities,
    )]
}

/// The position of the figure.
const SPOTS: &str = "0*29";

/// Entries of the table, from the fastest search to the slowest.
const CAPACITIES: [usize; 6] = [1_000_000, 100_000, 30_000, 10_000, 3_000, 1_000];

/// A search is given up after so many times the iterations that a larger table took.
const PATIENCE: u64 = 3;

/// Figure 3.
fn capacities(options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    let position = options.position.as_deref().unwrap_or(SPOTS);
    let mut session = crate::open("sprouts", position)?;
    let mut table = empty_table(&session.position());
    let mut steps = Steps::new(CAPACITIES.len() + 1, watch);
    let request = Request {
        algorithm: "pns".to_owned(),
        memory: options.memory,
        ..Request::default()
    };
    // From the fastest to the slowest: whoever stops the run has seen the others.
    let pns = steps.solve(session.as_mut(), &request)?;
    let mut going_on = steps.add(&mut table, "PNS", pns, numbers);
    let mut most = u64::MAX;
    for capacity in CAPACITIES {
        if !going_on {
            break;
        }
        let dfpn = search(position, (capacity, most), options.memory, &mut steps)?;
        if let Attempt::Answered(cost) = &dfpn {
            most = most.min(cost.counts.expansions.saturating_mul(PATIENCE));
        }
        let answered = matches!(dfpn, Attempt::Answered(_));
        let name = format!("df-pn, {capacity}");
        going_on = steps.add(&mut table, &name, dfpn, numbers) && answered;
    }
    table.rows.reverse();
    Ok(table)
}

/// Searches with a table of so many entries, for so many iterations at most; facts may take a
/// part of the memory.
fn search(
    position: &str,
    (capacity, most): (usize, u64),
    memory: usize,
    steps: &mut Steps,
) -> Result<Attempt, Error> {
    let (mut game, root) = Sprouts::open(position)?;
    let root = game.canonical(&root);
    let setup = Setup {
        memory,
        threads: 1,
        without: Without::default(),
        leaves: Leaves::Best,
        replacement: Replacement::LeastWork,
    };
    let stopwatch = Stopwatch::start();
    let table = solver::Table::new(capacity * ENTRY_BYTES, setup.replacement);
    let prover = |_| Dfpn::new(dfpn::Options::BEST, table);
    let mut solver = Nimbers::<Sprouts, _, LivesAndMoves>::new(prover, &setup);
    let outcome = steps.search(|watch| {
        let mut look = |progress: &Progress| match progress.expansions > most {
            true => Err(Stop::Time),
            false => watch.look(progress),
        };
        solver.outcome(&mut game, &root, &mut Watch::new(&mut look))
    });
    let counts = Counts::new(solver.progress(), game.made());
    Ok(match outcome {
        Ok(_) => Attempt::Answered(Cost {
            seconds: stopwatch.cpu_seconds(),
            counts,
        }),
        Err(_) if counts.expansions > most => Attempt::LeftOut(format!(
            "given up after {PATIENCE} times the iterations of the best, smaller tables left out"
        )),
        Err(stop) => Attempt::stopped(stop, memory),
    })
}

/// A row: seconds, iterations, entries of the table and facts.
fn numbers(cost: &Cost) -> Vec<(f64, Option<f64>)> {
    let counts = cost.counts;
    let counts = [counts.expansions, counts.table_entries, counts.facts].map(|count| count as f64);
    let ours = [cost.seconds].into_iter().chain(counts);
    ours.map(|ours| (ours, None)).collect()
}

fn empty_table(position: &str) -> Table {
    Table {
        name: "spots-3".to_owned(),
        title: format!("Sprouts {position}, df-pn with tables of some capacities"),
        source: format!(
            "Čížek, Balko and Schmid 2025, figure 3 (there {SPOTS}, a picture without digits); \
             ours: one thread, CPU time"
        ),
        tolerance: None,
        columns: vec![
            Column::seconds("time"),
            Column::counts("iterations", 1),
            Column::counts("table entries", 1),
            Column::counts("Grundy numbers", 1),
        ],
        rows: Vec::new(),
        notes: Vec::new(),
        stopped: None,
    }
}
