//! Tables and figures of Čížek, Balko and Schmid 2025 about PNS-PDFPN, on simulated cores.
//!
//! | name | what |
//! | --- | --- |
//! | `spots-4` | figure 4: what workers keep from job to job, and share |
//! | `spots-5` | figure 5: sharing, grouping and threads, against the number of cores |
//! | `spots-table3` | table 3: all counts, against the number of cores |
//!
//! Differences: an expansion costs the paper's millisecond whatever our machine is; but for figure
//! 4 our jobs end when their leaf is no longer the most-proving one; workers of one machine share
//! their table, which in the paper only the threads of one worker do; df-pn's first numbers,
//! epsilon and the order of parts are our best, which take an eighth of the paper's iterations, so
//! that there is less to share among many cores. Where the paper forgets the whole state of a
//! worker it uses PNS below, we df-pn with an empty table. A smaller position than the paper's is
//! run unless one is asked for: theirs takes hours here.

use bouton_session::reproduce::{self, Column, Entry, Options, Quantity, Table};
use bouton_session::{Error, Forgets, Session, Watch};

use crate::Settings;
use crate::master::Failure;
use crate::simulator::{Costs, Faults, Plan, Row, baseline, scale};

/// What there is: name, summary, the position it is run with if none is asked for, how to run it.
type Reproduction = (
    &'static str,
    &'static str,
    &'static str,
    fn(&mut Runs, &mut Table) -> Result<(), Failure>,
);

#[rustfmt::skip]
const ALL: [Reproduction; 3] = [
    ("spots-4", "Čížek, Balko and Schmid 2025, figure 4: what workers keep and share, Sprouts 0*29", "0*11", keeping),
    ("spots-5", "Čížek, Balko and Schmid 2025, figure 5: sharing, grouping and threads, Sprouts 0*47", "0*20", grouping),
    ("spots-table3", "Čížek, Balko and Schmid 2025, table 3: PNS-PDFPN on 1 to 1024 cores, Sprouts 0*47", "0*21", table3),
];

/// What can be reproduced, here and without a cluster.
pub fn names() -> Vec<Entry> {
    let entries = ALL.iter().map(|&(name, summary, ..)| Entry {
        name: name.to_owned(),
        summary: summary.to_owned(),
    });
    reproduce::names().into_iter().chain(entries).collect()
}

/// Runs a table again.
pub fn run(name: &str, options: &Options, watch: &mut Watch) -> Result<Table, Error> {
    let found = ALL.iter().find(|table| table.0 == name);
    if let Some(reproduction) = found {
        return simulated(reproduction, options, watch);
    }
    let table = reproduce::run(name, options, watch);
    table.map_err(|error| match error {
        Error::UnknownReproduction { .. } => reproduce::unknown(name, names()),
        error => error,
    })
}

/// Runs one of the tables here.
fn simulated(
    (name, summary, ours, fill): &Reproduction,
    options: &Options,
    watch: &mut Watch,
) -> Result<Table, Error> {
    let theirs = summary.rsplit(' ').next().unwrap_or_default();
    let position = options.position.as_deref().unwrap_or(ours);
    let mut session = bouton_session::open("sprouts", position)?;
    let mut table = Table {
        name: (*name).to_owned(),
        title: format!("Sprouts {} on simulated cores", session.position()),
        source: (*summary).to_owned(),
        tolerance: None,
        columns: Vec::new(),
        rows: Vec::new(),
        notes: Vec::new(),
        stopped: None,
    };
    let is_theirs = session.position() == theirs;
    let mut runs = Runs {
        session: &mut *session,
        is_theirs,
        options,
        watch,
        baseline: 0,
    };
    let memory = options.memory.min(1 << 30);
    let result = baseline(&mut *runs.session, memory, runs.watch).and_then(|baseline| {
        runs.baseline = baseline;
        table.notes = vec![format!("df-pn on one core: {baseline} expansions")];
        fill(&mut runs, &mut table)
    });
    table.stopped = result.err().map(|failure| match failure {
        Failure::Stop(stop) => stop,
        // Rules or search are wrong: no table is worth showing.
        Failure::Contradiction(position) => panic!("two nimbers for one position: {position:02x?}"),
    });
    Ok(table)
}

/// Simulations of one position.
struct Runs<'a, 'w> {
    session: &'a mut dyn Session,
    is_theirs: bool,
    options: &'a Options,
    watch: &'a mut Watch<'w>,
    baseline: u64,
}

impl Runs<'_, '_> {
    /// A run without faults, on machines of so many cores.
    fn run(&mut self, cores: usize, grouping: usize, settings: Settings) -> Result<Row, Failure> {
        let workers = cores / settings.threads;
        let seats = (grouping / settings.threads).clamp(1, workers);
        // A table that is forgotten with every job has to hold no more than a job leaves there.
        let most = match settings.forgets.table {
            true => 1 << 20,
            false => 1 << 28,
        };
        let plan = Plan {
            groups: workers.div_ceil(seats),
            seats,
            memory: (self.options.memory / cores).clamp(1 << 20, most),
            settings,
            costs: Costs::default(),
            faults: Faults::default(),
            seed: self.options.seed,
            audit: false,
        };
        scale(&mut *self.session, &plan, self.baseline, self.watch)
    }

    /// A row of speedups, one for each number of cores.
    fn speedups(
        &mut self,
        name: &str,
        grouping: usize,
        settings: impl Fn(usize) -> Settings,
        table: &mut Table,
    ) -> Result<(), Failure> {
        let mut numbers = Vec::new();
        for cores in SOME_CORES {
            numbers.push((self.run(cores, grouping, settings(cores))?.speedup, None));
        }
        table.add_row(name, numbers);
        Ok(())
    }
}

/// Cores of the figures.
const SOME_CORES: [usize; 6] = [1, 4, 16, 64, 256, 1024];

/// Workers that fit on one of the paper's machines.
const MACHINE: usize = 32;

fn speedup_columns() -> Vec<Column> {
    let columns = SOME_CORES.iter();
    columns
        .map(|cores| Column::ratio(format!("speedup, {cores}")))
        .collect()
}

/// Figure 4: 100 iterations whatever the thresholds, 100 updates, no grouping.
fn keeping(runs: &mut Runs, table: &mut Table) -> Result<(), Failure> {
    table.columns = speedup_columns();
    let kept = |table: bool, facts: bool, sharing| {
        move |cores| Settings {
            least: 100,
            iterations: 100,
            updates: 100,
            sharing,
            forgets: Forgets {
                table: !table,
                facts: !facts,
            },
            ..Settings::for_workers(cores, 1)
        }
    };
    for (name, settings) in [
        ("all kept, nimbers shared", kept(true, true, true)),
        ("all kept", kept(true, true, false)),
        ("nimbers kept", kept(false, true, false)),
        ("nothing kept", kept(false, false, false)),
    ] {
        runs.speedups(name, 1, settings, table)?;
    }
    Ok(())
}

/// Expansions of a thread between two updates: the paper's 1000 are too many for small positions.
const UPDATES: u64 = 100;

/// What is best for so many cores: a worker is a machine.
fn with_threads(cores: usize) -> Settings {
    let threads = cores.min(MACHINE);
    Settings {
        updates: UPDATES,
        ..Settings::for_workers(cores / threads, threads)
    }
}

/// Figure 5.
fn grouping(runs: &mut Runs, table: &mut Table) -> Result<(), Failure> {
    table.columns = speedup_columns();
    let shared = |cores| Settings {
        updates: UPDATES,
        ..Settings::for_workers(cores, 1)
    };
    let apart = |cores| Settings {
        sharing: false,
        ..shared(cores)
    };
    let name = "nimbers shared, machines of 32, with 32 threads a worker";
    runs.speedups(name, MACHINE, with_threads, table)?;
    runs.speedups("nimbers shared, machines of 32", MACHINE, shared, table)?;
    runs.speedups("nimbers shared", 1, shared, table)?;
    runs.speedups("nothing shared", 1, apart, table)
}

/// Table 3: cores; then as printed M-Nodes (k), W-Nodes (M), T-GN (k), T-It (M), Util, Time,
/// Speedup.
const TABLE_3: [(usize, [f64; 7]); 11] = [
    (1, [609.0, 14.3, 199.0, 16.3, 99.8, 17_900.0, 0.99]),
    (2, [500.0, 6.5, 159.0, 14.4, 99.7, 7_670.0, 2.36]),
    (4, [540.0, 3.7, 152.0, 16.2, 99.7, 4_110.0, 4.34]),
    (8, [64.0, 1.8, 130.0, 16.0, 99.7, 2_190.0, 8.06]),
    (16, [6.4, 0.9, 150.0, 17.6, 99.7, 1_090.0, 16.22]),
    (32, [1.9, 1.5, 93.8, 16.3, 99.7, 707.0, 26.13]),
    (64, [1.5, 1.5, 90.7, 18.5, 99.7, 432.0, 40.86]),
    (128, [3.3, 0.5, 90.2, 20.9, 99.7, 202.0, 87.02]),
    (256, [3.3, 0.6, 122.0, 30.6, 99.6, 155.0, 115.11]),
    (512, [3.3, 0.6, 112.0, 32.9, 99.5, 87.3, 203.05]),
    (1024, [3.2, 0.6, 119.0, 43.0, 99.2, 53.7, 332.97]),
];

fn table3(runs: &mut Runs, table: &mut Table) -> Result<(), Failure> {
    let column = |name: &str, unit, places| Column {
        name: name.to_owned(),
        unit,
        places,
        quantity: Quantity::Count,
    };
    table.columns = vec![
        column("M-Nodes", 1000, 1),
        column("W-Nodes", 1_000_000, 1),
        column("T-GN", 1000, 1),
        column("T-It", 1_000_000, 1),
        column("Util", 1, 1),
        Column::seconds("time"),
        Column::ratio("speedup"),
    ];
    let note = "a worker is a machine of up to 32 cores, with a thread for each; theirs as tuned";
    table.notes.push(note.to_owned());
    for (cores, theirs) in TABLE_3 {
        let row = runs.run(cores, MACHINE, with_threads(cores))?;
        let ours = [
            row.master_nodes as f64,
            row.worker_nodes as f64,
            row.facts as f64,
            row.iterations as f64,
            100.0 * row.utilisation,
            row.seconds,
            row.speedup,
        ];
        let theirs = theirs.map(|number| runs.is_theirs.then_some(number));
        table.add_row(&cores.to_string(), ours.into_iter().zip(theirs).collect());
    }
    Ok(())
}
