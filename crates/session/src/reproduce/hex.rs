//! Hex: what each part of the knowledge gives, and how long openings take.
//!
//! Beside our numbers stand those of Benzene's df-pn solver, measured on a machine like ours: how
//! often the connections of a position were built. Expansions are more, since a position counts
//! again when the search comes back to it. Every opening is searched on its own, with a fresh table.
//! A smaller table costs time only; how much, a table shows that nobody else has measured.

use bouton_search::solver::ENTRY_BYTES;
use bouton_search::watch::{Progress, Stop, Watch};

use super::steps::{Attempt, Cost, Steps};
use super::{Column, Options, Reproduction, Table};
use crate::{Counts, Error, Request, Verdict};

/// The tables as they are run again.
pub(super) fn all() -> Vec<Reproduction> {
    vec![
        Reproduction::new(
            "hex-ablation",
            "Hex 6x6, all openings: what each part of the knowledge gives (half a minute)",
            ablation,
        ),
        Reproduction::new(
            "hex-openings",
            "Hex, all openings of 5x5, 6x6 and 7x7, ours beside Benzene's (half a minute)",
            openings,
        ),
        Reproduction::new(
            "hex-memory",
            "Hex 7x7 a4 with a table a hundred times smaller than its search (2 minutes)",
            memory,
        ),
    ]
}

/// Parts of the knowledge, and what Benzene needs without them: builds for all openings of 6x6.
const PARTS: [(&str, Option<f64>); 11] = [
    ("widening", Some(1_758.0)),
    ("resistance", Some(2_055.0)),
    ("proof-sets", None),
    ("recall", None),
    ("alike", None),
    ("domination", None),
    ("captured", Some(3_383.0)),
    ("templates", Some(2_924.0)),
    ("fill-in", Some(2_200.0)),
    ("must-play", Some(6_123.0)),
    ("connections", None),
];

/// Without a part, a search is given up after so many expansions for one opening.
const MOST: u64 = 100_000;

/// Sizes, how many of their openings win, and what Benzene needs for all of them: builds, CPU
/// seconds.
const SIZES: [(&str, f64, f64, f64); 3] = [
    ("5x5", 7.0, 34.0, 0.04),
    ("6x6", 12.0, 1_626.0, 2.3),
    ("7x7", 14.0, 54_576.0, 124.0),
];

/// An opening that takes long, White to move.
const A4: &str = ".......|.......|.......|x......|.......|.......|....... w";

fn ablation(options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    let size = options.position.as_deref().unwrap_or("6x6");
    let theirs = |builds| match options.position {
        None => builds,
        Some(_) => None,
    };
    let mut table = table("hex-ablation", format!("Hex {size}, all openings"));
    let mut steps = Steps::new(PARTS.len() + 1, watch);
    let (all, _) = search(size, None, options.memory, &mut steps)?;
    let builds = theirs(Some(1_626.0));
    let mut going_on = steps.add(&mut table, "all", all, |cost| numbers(cost, (builds, None)));
    for (part, builds) in PARTS {
        if !going_on {
            break;
        }
        let (found, _) = search(size, Some(part), options.memory, &mut steps)?;
        let name = format!("without {part}");
        going_on = steps.add(&mut table, &name, found, |cost| {
            numbers(cost, (theirs(builds), None))
        });
    }
    Ok(table)
}

fn openings(options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    let mut table = table("hex-openings", "Hex, all openings".to_owned());
    table.columns.insert(0, Column::counts("winning", 1));
    let mut steps = Steps::new(SIZES.len(), watch);
    for (size, winning, builds, seconds) in SIZES {
        let (found, won) = search(size, None, options.memory, &mut steps)?;
        let row = |cost: &Cost| {
            let mut row = vec![(won as f64, Some(winning))];
            row.extend(numbers(cost, (Some(builds), Some(seconds))));
            row
        };
        if !steps.add(&mut table, size, found, row) {
            break;
        }
    }
    Ok(table)
}

/// The first row has a table that holds the whole search; all that the others may remember fits
/// into a part of that.
fn memory(options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    let position = options.position.as_deref().unwrap_or(A4);
    let mut table = table("hex-memory", format!("Hex {position}"));
    table.source = "nobody's; one thread, CPU time".to_owned();
    table.columns.insert(0, Column::counts("entries", 1));
    let parts = [
        ("a table for all", 1),
        ("a tenth", 10),
        ("a hundredth", 100),
    ];
    let mut steps = Steps::new(parts.len(), watch);
    let mut memory = options.memory;
    for (name, part) in parts {
        let request = Request {
            algorithm: "dfpn".to_owned(),
            memory: memory / part,
            ..Request::default()
        };
        let found = steps.solve(&mut *crate::open("hex", position)?, &request)?;
        if let (1, Attempt::Answered(cost)) = (part, &found) {
            memory = cost.counts.table_entries as usize * ENTRY_BYTES;
        }
        let row = |cost: &Cost| {
            let mut row = vec![(cost.counts.table_entries as f64, None)];
            row.extend(numbers(cost, (None, None)));
            row
        };
        if !steps.add(&mut table, name, found, row) {
            break;
        }
    }
    Ok(table)
}

/// Searches every opening of a board, without a part of the knowledge; says how many win, too.
fn search(
    size: &str,
    part: Option<&str>,
    memory: usize,
    steps: &mut Steps,
) -> Result<(Attempt, u64), Error> {
    let request = Request {
        algorithm: "dfpn".to_owned(),
        memory,
        without_knowledge: part.into_iter().map(str::to_owned).collect(),
        ..Request::default()
    };
    let most = part.map_or(u64::MAX, |_| MOST);
    let mut seconds = 0.0;
    let (mut builds, mut won) = (0, 0);
    let mut counts = Counts::new(Progress::default(), None);
    for child in crate::open("hex", size)?.children()? {
        let mut session = crate::open("hex", &child.position)?;
        let mut given_up = false;
        let answer = steps.search(|watch| {
            let mut look = |progress: &Progress| {
                given_up = progress.expansions > most;
                match given_up {
                    true => Err(Stop::Time),
                    false => watch.look(progress),
                }
            };
            session.solve(&request, &mut Watch::new(&mut look))
        })?;
        if given_up {
            let opening = child.moves.join(", ");
            let why = format!("more than {MOST} expansions for {opening}");
            return Ok((Attempt::LeftOut(why), won));
        }
        if let Some(stop) = answer.reason {
            return Ok((Attempt::stopped(stop, memory), won));
        }
        won += u64::from(answer.outcome == Verdict::Loss);
        seconds += answer.cpu_seconds;
        counts.expansions += answer.counts.expansions;
        builds += answer.counts.looks.unwrap_or(0);
    }
    counts.looks = Some(builds);
    Ok((Attempt::Answered(Cost { seconds, counts }), won))
}

/// A row: builds, expansions and seconds.
fn numbers(cost: &Cost, theirs: (Option<f64>, Option<f64>)) -> Vec<(f64, Option<f64>)> {
    vec![
        (cost.counts.looks.unwrap_or(0) as f64, theirs.0),
        (cost.counts.expansions as f64, None),
        (cost.seconds, theirs.1),
    ]
}

fn table(name: &str, title: String) -> Table {
    Table {
        name: name.to_owned(),
        title,
        source: "Benzene's df-pn solver on a machine like ours; one thread, CPU time".to_owned(),
        tolerance: None,
        columns: vec![
            Column::counts("builds", 1),
            Column::counts("expansions", 1),
            Column::seconds("time"),
        ],
        rows: Vec::new(),
        notes: Vec::new(),
        stopped: None,
    }
}
