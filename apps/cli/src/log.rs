//! The live view of a job-level search as JSON lines, for programs: the same fields as those of the
//! driver for Ray (`apps/python`), which has more to tell in some of them.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use bouton_session::{Jobs, Progress};
use serde::Serialize;

/// Where the lines go.
pub(crate) struct Log {
    file: File,
    interval: Duration,
    start: Instant,
    /// What the last line said, and when.
    before: Totals,
    at: Duration,
    /// What the last look saw, if that was not written.
    seen: Option<(Progress, Jobs)>,
}

/// What grows.
#[derive(Clone, Copy, Default)]
struct Totals {
    jobs: u64,
    facts: u64,
    expansions: u64,
    busy: u64,
}

/// A line.
#[derive(Serialize)]
struct State {
    seconds: f64,
    workers: usize,
    workers_wanted: usize,
    workers_lost: usize,
    last_loss: Option<String>,
    threads: usize,
    threads_with_a_job: usize,
    utilisation: f64,
    jobs: u64,
    jobs_per_second: f64,
    facts: u64,
    facts_per_second: f64,
    expansions: u64,
    expansions_per_second: f64,
    heap: u32,
    proof: u64,
    disproof: u64,
    nodes: u64,
    /// Processes: number, host and id.
    members: [(usize, String, u32); 1],
}

impl Log {
    pub(crate) fn open(path: &Path, interval: Duration) -> anyhow::Result<Self> {
        let file = File::options().append(true).create(true).open(path);
        let file = file.with_context(|| format!("cannot write the log {}", path.display()))?;
        Ok(Self {
            file,
            interval,
            start: Instant::now(),
            before: Totals::default(),
            at: Duration::ZERO,
            seen: None,
        })
    }

    /// Writes a line, if it is time to.
    pub(crate) fn look(&mut self, progress: &Progress) {
        let Some(jobs) = progress.jobs else {
            return;
        };
        self.seen = Some((*progress, jobs));
        if self.start.elapsed() >= self.at + self.interval {
            self.write();
        }
    }

    fn write(&mut self) {
        let Some((progress, jobs)) = self.seen.take() else {
            return;
        };
        let now = self.start.elapsed();
        let passed = (now - self.at).as_secs_f64().max(1e-3);
        let (workers, out) = jobs.workers;
        let totals = Totals {
            jobs: jobs.handed_out - out as u64,
            facts: progress.facts,
            expansions: progress.expansions,
            busy: jobs.busy,
        };
        let before = std::mem::replace(&mut self.before, totals);
        self.at = now;
        let rate = |now: u64, before: u64| {
            let rate = now.saturating_sub(before) as f64 / passed;
            (rate * 10.0).round() / 10.0
        };
        let busy = rate(totals.busy, before.busy) / (1e9 * workers as f64).max(1.0);
        let state = State {
            seconds: (now.as_secs_f64() * 1000.0).round() / 1000.0,
            workers,
            workers_wanted: workers,
            workers_lost: 0,
            last_loss: None,
            threads: workers * jobs.threads,
            threads_with_a_job: out * jobs.threads,
            utilisation: (busy * 1000.0).round() / 1000.0,
            jobs: totals.jobs,
            jobs_per_second: rate(totals.jobs, before.jobs),
            facts: totals.facts,
            facts_per_second: rate(totals.facts, before.facts),
            expansions: totals.expansions,
            expansions_per_second: rate(totals.expansions, before.expansions),
            heap: jobs.heap,
            proof: jobs.root.0,
            disproof: jobs.root.1,
            nodes: progress.table_entries,
            members: [(0, host(), std::process::id())],
        };
        // What cannot be told is no reason to stop.
        if let Ok(line) = serde_json::to_string(&state) {
            let _ = writeln!(self.file, "{line}");
        }
    }
}

impl Drop for Log {
    /// The last line says where it ended.
    fn drop(&mut self) {
        self.write();
    }
}

/// The name of this machine, where it can be read.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname");
    name.unwrap_or_default().trim().to_owned()
}
