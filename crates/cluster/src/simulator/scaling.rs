//! Runs with more and more cores: the columns of the paper's table 3.

use std::time::Instant;

use bouton_session::jobs::{Task, Thresholds};
use bouton_session::{Outcome, Root, Seating, Session, Verdict, Watch};
use serde::Serialize;

use super::{Plan, simulate};
use crate::master::Failure;
use crate::protocol::Time;

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Cores of all workers, one for each thread; the master has another.
    pub cores: usize,
    /// Threads of a worker.
    pub threads: usize,
    /// Machines.
    pub groups: usize,
    /// The outcome, as everywhere.
    pub outcome: Verdict,
    /// Nodes of the master's tree (M-Nodes).
    pub master_nodes: usize,
    /// Proof numbers of a worker, on average (W-Nodes).
    pub worker_nodes: usize,
    /// Key results (T-GN).
    pub facts: usize,
    /// Expansions of all workers (T-It).
    pub iterations: u64,
    /// The part of the time that workers have searched (Util).
    pub utilisation: f64,
    /// Virtual time.
    pub seconds: f64,
    /// How many times as fast as df-pn on one core.
    pub speedup: f64,
    /// Expansions, compared with df-pn's.
    pub overhead: f64,
    /// Messages that were sent.
    pub messages: u64,
}

/// Expansions that df-pn takes on one core, with so many bytes.
pub fn baseline(
    session: &mut dyn Session,
    memory: usize,
    watch: &mut Watch,
) -> Result<u64, Failure> {
    let (_, expansions) = df_pn(session, memory, watch)?;
    Ok(expansions)
}

/// The outcome by df-pn on one core, and the expansions it takes.
pub(super) fn df_pn(
    session: &mut dyn Session,
    memory: usize,
    watch: &mut Watch,
) -> Result<(Outcome, u64), Failure> {
    let mut bench = session.benches(Seating::alone(1), memory).remove(0);
    let leaf = match bench.root(0) {
        Root::Open(leaf) => leaf,
        Root::Known(outcome) => return Ok((outcome, 0)),
    };
    let task = Task {
        leaf,
        thresholds: Thresholds::NONE,
        least: 0,
        expansions: u64::MAX,
        lists: false,
        lists_after: 0,
    };
    let found = bench.search(&task, watch)?;
    let found = found.expect("a root is a branch of its game");
    let outcome = match found.numbers.is_loss() {
        true => Outcome::Loss,
        false => Outcome::Win,
    };
    Ok((outcome, found.expansions))
}

/// What an expansion of this position costs here and now: the same search, by the clock.
pub fn calibrate(
    session: &mut dyn Session,
    memory: usize,
    watch: &mut Watch,
) -> Result<Time, Failure> {
    let start = Instant::now();
    let expansions = baseline(session, memory, watch)?;
    let took = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    Ok((took / expansions.max(1)).max(1))
}

/// A run of a plan beside df-pn's expansions.
pub fn scale(
    session: &mut dyn Session,
    plan: &Plan,
    baseline: u64,
    watch: &mut Watch,
) -> Result<Row, Failure> {
    let run = simulate(session, 0, plan, watch)?;
    let cores = plan.groups * plan.seats * plan.settings.threads;
    Ok(Row {
        cores,
        threads: plan.settings.threads,
        groups: plan.groups,
        outcome: Some(run.outcome).into(),
        master_nodes: run.master_nodes,
        worker_nodes: run.worker_nodes / cores.max(1),
        facts: run.results.len(),
        iterations: run.iterations,
        utilisation: run.utilisation(cores),
        seconds: run.time as f64 / 1e9,
        speedup: (baseline * plan.costs.expansion) as f64 / run.time.max(1) as f64,
        overhead: run.iterations as f64 / baseline.max(1) as f64,
        messages: run.messages,
    })
}
