//! The thesis on Konane ("konane-thesis" among our papers), table 4.2: alpha-beta and
//! proof-number search on 6x6, in seconds and nodes.
//!
//! Ours go through a [`Session`](crate::Session), as `bouton solve` does: the algorithms by name,
//! all with the thesis' first numbers (1, n) for n moves, and df-pn once more with ours, which are
//! learned in part. Nodes
//! are counted as in section 3.8: those of alpha-beta in the first iteration that reaches their
//! level, those of the others when they are first evaluated. Expansions are all there are.
//!
//! Differences: the thesis' df-pn leaves a branch at 1.15 times the second best, ours at 1.25
//! times; its alpha-beta values leaves by movable pieces, ours only sorts moves by jumps.

use bouton_search::guide::Leaves;
use bouton_search::watch::Watch;

use super::steps::{Cost, Steps};
use super::{Column, Options, Reproduction, Table};
use crate::{Error, Request};

/// The tables as they are run again.
pub(super) fn all() -> Vec<Reproduction> {
    vec![Reproduction::new(
        "konane-4.2",
        "Konane thesis, table 4.2: alpha-beta, PNS, PN² and df-pn on 6x6",
        algorithms,
    )]
}

/// The board of the table.
const BOARD: &str = "6x6";

/// A row of the table.
struct Comparison {
    name: &'static str,
    algorithm: &'static str,
    leaves: Leaves,
    /// Seconds, and nodes in millions.
    printed: Option<(f64, f64)>,
}

const fn printed(
    name: &'static str,
    algorithm: &'static str,
    seconds: f64,
    nodes: f64,
) -> Comparison {
    Comparison {
        name,
        algorithm,
        leaves: Leaves::Mobility,
        printed: Some((seconds, nodes)),
    }
}

const COMPARISONS: [Comparison; 5] = [
    printed("alpha-beta", "alpha-beta", 4432.66, 1546.77),
    printed("PNS", "pns", 70.96, 136.83),
    printed("PN²", "pn2", 99.03, 385.93),
    printed("df-pn", "dfpn", 39.73, 46.36),
    Comparison {
        name: LEARNED,
        algorithm: "dfpn",
        leaves: Leaves::Best,
        printed: None,
    },
];

/// The row with our first numbers.
const LEARNED: &str = "df-pn, our numbers";

/// Table 4.2.
fn algorithms(options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    let board = options.position.as_deref().unwrap_or(BOARD);
    let mut session = crate::open("konane", board)?;
    let is_theirs = session.position() == crate::open("konane", BOARD)?.position();
    let mut table = empty_table(board, is_theirs);
    let mut steps = Steps::new(COMPARISONS.len(), watch);
    // The slowest is the first in the thesis: whoever stops the run has seen all others.
    for comparison in COMPARISONS.iter().rev() {
        let request = Request {
            algorithm: comparison.algorithm.to_owned(),
            leaves: comparison.leaves,
            memory: options.memory,
            ..Request::default()
        };
        let attempt = steps.solve(session.as_mut(), &request)?;
        let printed = comparison.printed.filter(|_| is_theirs);
        let numbers = |cost: &Cost| numbers(cost, printed);
        if !steps.add(&mut table, comparison.name, attempt, numbers) {
            break;
        }
    }
    table.rows.reverse();
    Ok(table)
}

/// A row: seconds, nodes and expansions, each beside what is printed.
fn numbers(cost: &Cost, printed: Option<(f64, f64)>) -> Vec<(f64, Option<f64>)> {
    let (seconds, nodes) = printed.unzip();
    vec![
        (cost.seconds, seconds),
        (cost.counts.evaluations as f64, nodes),
        (cost.counts.expansions as f64, None),
    ]
}

fn empty_table(board: &str, is_theirs: bool) -> Table {
    let elsewhere = format!("The thesis has {BOARD} only: there is nothing to compare with.");
    let learned =
        format!("{LEARNED}: the jumps of both sides and a logit learned on 6x5 (`bouton train`).");
    let notes = (!is_theirs).then_some(elsewhere).into_iter();
    Table {
        name: "konane-4.2".to_owned(),
        title: format!("Konane {board}, alpha-beta and proof-number search"),
        source: "Konane thesis, table 4.2, on an Intel Xeon Gold 6326; \
                 ours: one thread of this machine, CPU time"
            .to_owned(),
        tolerance: None,
        columns: vec![
            Column::seconds("time"),
            Column::millions("nodes"),
            Column::millions("expansions"),
        ],
        rows: Vec::new(),
        notes: notes.chain([learned]).collect(),
        stopped: None,
    }
}
