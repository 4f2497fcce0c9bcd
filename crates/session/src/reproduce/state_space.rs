//! The thesis on Konane, tables that count states: 4.1, 4.5, and all of appendices A and B.
//!
//! Tables A.1 to A.7 and 4.5 are strong solutions: every position of a board gets its value, and
//! those that can be reached are counted at the ply where they are first. Tables 4.1 and B.2 are
//! censuses, with symmetry and without; table B.1 counts lines of play. All must agree to the
//! digit. The printed numbers are in `konane-tables.json`.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;

use bouton_search::census::Identity;
use bouton_search::watch::{Stop, Watch};
use serde::Deserialize;

use super::steps::{Attempt, Steps};
use super::{Column, Options, Reproduction, Table};
use crate::tables::{self, Ply};
use crate::{Error, Plan};

#[derive(Deserialize)]
struct Printed {
    state_spaces: Vec<StateSpace>,
    perft_8x8: Vec<u64>,
    unique_states: Vec<UniqueStates>,
}

#[derive(Deserialize)]
struct StateSpace {
    table: String,
    board: String,
    /// Unique nodes, Black wins, White wins, terminals.
    plies: Vec<[u64; 4]>,
}

#[derive(Deserialize)]
struct UniqueStates {
    board: String,
    canonical: Vec<u64>,
    raw: Vec<u64>,
}

static PRINTED: LazyLock<Printed> = LazyLock::new(|| {
    serde_json::from_str(include_str!("konane-tables.json")).expect("a data file of ours")
});

/// The tables as they are run again.
pub(super) fn all() -> Vec<Reproduction> {
    let spaces = PRINTED.state_spaces.iter().map(|space| {
        let summary = format!(
            "Konane thesis, table {}: all states of {}, by ply, with who wins",
            space.table, space.board
        );
        Reproduction::new(name_of(space), summary, |options, watch| {
            state_space(space, options, watch)
        })
    });
    let mut all: Vec<_> = spaces.collect();
    all.push(Reproduction::new(
        "konane-b1",
        "Konane thesis, table B.1: lines of play on 8x8",
        perft,
    ));
    for (name, table, boards) in [
        (
            "konane-b2",
            "B.2",
            &["1x1", "2x2", "3x3", "4x4", "5x5", "6x6", "7x7", "8x8"][..],
        ),
        ("konane-4.1", "4.1", &["5x5"][..]),
    ] {
        let summary = format!("Konane thesis, table {table}: states with and without symmetry");
        let title = "Konane, states first reached at plies 1 to 10";
        all.push(Reproduction::new(name, summary, move |options, watch| {
            let table = empty(name, title, table, by_ply());
            unique_states(table, boards, options, watch)
        }));
    }
    all.push(Reproduction::new(
        "konane-4.5",
        "Konane thesis, table 4.5: the states of seven boards, with who wins",
        all_spaces,
    ));
    all
}

/// `konane-a7` for table A.7.
fn name_of(space: &StateSpace) -> String {
    format!("konane-{}", space.table.to_lowercase().replace('.', ""))
}

fn empty(name: &str, title: impl Into<String>, table: &str, columns: Vec<Column>) -> Table {
    Table {
        name: name.to_owned(),
        title: title.into(),
        source: format!("Konane thesis, table {table}; ours: counted anew"),
        tolerance: Some(0.0),
        columns,
        rows: Vec::new(),
        notes: Vec::new(),
        stopped: None,
    }
}

fn of_states() -> Vec<Column> {
    let names = ["unique nodes", "Black wins", "White wins", "terminals"];
    names.map(|name| Column::counts(name, 1)).to_vec()
}

fn by_ply() -> Vec<Column> {
    let column = |ply| Column::counts(format!("ply {ply}"), 1);
    (1..=PLIES).map(column).collect()
}

/// How far tables 4.1 and B.2 go.
const PLIES: usize = 10;

/// One of tables A.1 to A.7.
fn state_space(space: &StateSpace, options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    let board = options.position.as_deref().unwrap_or(&space.board);
    let theirs = (board == space.board).then_some(&space.plies);
    let name = name_of(space);
    let title = format!("Konane {board}, states by ply");
    let mut table = empty(&name, title, &space.table, of_states());
    let mut steps = Steps::new(1, watch);
    match solve(board, options, &mut steps)? {
        Err(attempt) => {
            steps.add(&mut table, board, attempt, |_| Vec::new());
        }
        Ok(solved) => {
            for (number, ply) in solved.plies.iter().enumerate() {
                let theirs = theirs.and_then(|theirs| theirs.get(number));
                table.add_row(&number.to_string(), beside(columns(ply), theirs.copied()));
            }
            let theirs = theirs.map(|theirs| total(theirs.iter().copied()));
            let ours = total(solved.plies.iter().map(columns));
            table.add_row("total", beside(ours, theirs));
            table.notes.push(solved.cost);
        }
    }
    Ok(table)
}

/// Table 4.5.
fn all_spaces(options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    if options.position.is_some() {
        let name = "konane-4.5".to_owned();
        return Err(Error::FixedPosition { name });
    }
    let title = "Konane, the states of seven boards";
    let mut table = empty("konane-4.5", title, "4.5", of_states());
    let mut steps = Steps::new(PRINTED.state_spaces.len(), watch);
    for space in &PRINTED.state_spaces {
        match solve(&space.board, options, &mut steps)? {
            Err(attempt) => {
                if !steps.add(&mut table, &space.board, attempt, |_| Vec::new()) {
                    break;
                }
            }
            Ok(solved) => {
                let theirs = total(space.plies.iter().copied());
                let ours = total(solved.plies.iter().map(columns));
                table.add_row(&space.board, beside(ours, Some(theirs)));
                steps.done += 1;
            }
        }
    }
    Ok(table)
}

/// What a strong solution counted, and what it took.
struct Solved {
    plies: Vec<Ply>,
    cost: String,
}

/// Solves a board whole, in the directory asked for or in one that goes when it is done.
fn solve(
    board: &str,
    options: &Options,
    steps: &mut Steps,
) -> Result<Result<Solved, Attempt>, Error> {
    let passing = Passing::new();
    let kept = options.table.as_ref();
    let plan = Plan {
        directory: kept.map_or_else(|| passing.0.join(board), |kept| kept.join(board)),
        threads: options.threads,
        memory: options.memory,
    };
    let built = steps.search(|watch| tables::build("konane", board, &plan, watch));
    let built = match built {
        Ok(built) => built,
        Err(tables::Error::Request(error)) => return Err(error),
        Err(error) => match error.limit() {
            Some(stop) => return Ok(Err(Attempt::stopped(stop, options.memory))),
            None => return Err(Error::Table(error.to_string())),
        },
    };
    if let Some(stop) = built.reason {
        return Ok(Err(Attempt::Stopped(stop)));
    }
    let disk = built.disk_bytes >> 20;
    let cost = match built.found {
        true => format!("Ours was solved before; {disk} MiB on disk."),
        false => format!(
            "Ours took {:.1} s on {} threads ({:.1} s CPU), {} MiB of memory, {disk} MiB on disk.",
            built.seconds,
            plan.threads,
            built.cpu_seconds,
            built.peak_memory_bytes >> 20,
        ),
    };
    let plies = built.plies;
    Ok(Ok(Solved { plies, cost }))
}

/// A directory for a table that nobody wants to keep.
struct Passing(PathBuf);

impl Passing {
    fn new() -> Self {
        let name = format!("bouton-reproduce-{}", std::process::id());
        Self(Path::new(&std::env::temp_dir()).join(name))
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        // It is not there if the table is kept elsewhere.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A ply's numbers in the thesis' columns: Black moves at even plies.
fn columns(ply: &Ply) -> [u64; 4] {
    let losses = ply.positions - ply.wins;
    let (black, white) = match ply.ply % 2 {
        0 => (ply.wins, losses),
        _ => (losses, ply.wins),
    };
    [ply.positions, black, white, ply.terminals]
}

fn total(plies: impl Iterator<Item = [u64; 4]>) -> [u64; 4] {
    plies.fold([0; 4], |sum, ply| std::array::from_fn(|n| sum[n] + ply[n]))
}

fn beside(ours: [u64; 4], theirs: Option<[u64; 4]>) -> Vec<(f64, Option<f64>)> {
    let pairs = ours.iter().enumerate();
    let pair = |(n, &ours): (usize, &u64)| (ours as f64, theirs.map(|theirs| theirs[n] as f64));
    pairs.map(pair).collect()
}

/// Tables 4.1 and B.2.
fn unique_states(
    mut table: Table,
    boards: &[&str],
    options: &Options,
    watch: &mut Watch,
) -> Result<Table, Error> {
    if options.position.is_some() {
        return Err(Error::FixedPosition { name: table.name });
    }
    let wanted = |row: &&UniqueStates| boards.contains(&row.board.as_str());
    let rows: Vec<_> = PRINTED.unique_states.iter().filter(wanted).collect();
    let mut steps = Steps::new(2 * rows.len(), watch);
    for row in rows {
        for (with, identity, theirs) in [
            ("with", Identity::Canonical, &row.canonical),
            ("without", Identity::Raw, &row.raw),
        ] {
            let mut session = crate::open("konane", &row.board)?;
            let memory = options.memory;
            let (plies, result) =
                steps.search(|watch| session.census(identity, Some(PLIES), memory, watch));
            let name = format!("{} {with} symmetry", row.board);
            if let Err(stop) = result {
                let attempt = Attempt::stopped(stop, memory);
                if !steps.add(&mut table, &name, attempt, |_| Vec::new()) {
                    return Ok(table);
                }
                continue;
            }
            // Where the game is over the thesis prints 0.
            let ours = |ply: usize| plies.get(ply + 1).map_or(0, |ply| ply.positions);
            let numbers = theirs.iter().enumerate();
            let numbers = numbers.map(|(ply, &theirs)| (ours(ply) as f64, Some(theirs as f64)));
            table.add_row(&name, numbers.collect());
            steps.done += 1;
        }
    }
    if boards.contains(&"1x1") {
        let slip = "1x1 without symmetry, ply 1: the thesis prints 0, a slip for 1.";
        table.notes.push(slip.to_owned());
    }
    Ok(table)
}

/// Table B.1.
fn perft(options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    const BOARD: &str = "8x8";
    let board = options.position.as_deref().unwrap_or(BOARD);
    let title = format!("Konane {board}, lines of play");
    let columns = vec![Column::counts("nodes", 1), Column::seconds("time")];
    let mut table = empty("konane-b1", title, "B.1", columns);
    let mut steps = Steps::new(PRINTED.perft_8x8.len(), watch);
    for (depth, &theirs) in (1..).zip(&PRINTED.perft_8x8) {
        let mut session = crate::open("konane", board)?;
        let start = Instant::now();
        let (lines, result) = steps.search(|watch| session.perft(Some(depth), watch));
        if let Err(stop) = result {
            table.stopped = Some(stop).filter(|&stop| stop != Stop::Memory);
            break;
        }
        let ours = lines.get(depth).copied().unwrap_or(0) as f64;
        let theirs = (board == BOARD).then_some(theirs as f64);
        let seconds = start.elapsed().as_secs_f64();
        table.add_row(
            &format!("depth {depth}"),
            vec![(ours, theirs), (seconds, None)],
        );
        steps.done += 1;
    }
    let time = "The thesis took 126.51 s for depth 12 on an Intel Xeon Gold 6326.";
    table.notes.push(time.to_owned());
    Ok(table)
}
