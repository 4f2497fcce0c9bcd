//! Watches a run for the person in front of the terminal: shows progress, keeps the time
//! limit, hears Ctrl-C. A second Ctrl-C ends the process at once.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use bouton_session::{Jobs, Progress, Stop};
use signal_hook::consts::{SIGINT, SIGTERM};

/// What a run is watched with.
pub(crate) struct Monitor {
    start: Instant,
    time: Option<Duration>,
    work: Work,
    interrupted: Arc<AtomicBool>,
    display: Display,
    next_line: Duration,
}

/// What is watched.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// A search within so many bytes.
    Search { memory: usize },
    /// A table of all positions, within so many bytes.
    Table { memory: usize },
    /// A table of a paper.
    Reproduction,
}

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Display {
    Nothing,
    /// A line that changes, on a terminal.
    Live,
    /// A line every ten seconds, in a file.
    Plain,
}

impl Display {
    fn interval(self) -> Duration {
        match self {
            Self::Nothing => Duration::MAX,
            Self::Live => Duration::from_millis(200),
            Self::Plain => Duration::from_secs(10),
        }
    }
}

impl Monitor {
    pub(crate) fn start(time: Option<Duration>, work: Work, quiet: bool) -> anyhow::Result<Self> {
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the signal that finds the flag already set ends the process.
            let flag = Arc::clone(&interrupted);
            signal_hook::flag::register_conditional_shutdown(signal, 130, flag)
                .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&interrupted)))
                .context("cannot listen for Ctrl-C")?;
        }
        let display = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Display::Nothing,
            (false, true) => Display::Live,
            (false, false) => Display::Plain,
        };
        Ok(Self {
            start: Instant::now(),
            time,
            work,
            interrupted,
            display,
            next_line: display.interval(),
        })
    }

    /// Shows the progress if it is time to; says whether to go on.
    pub(crate) fn look(&mut self, progress: &Progress) -> Result<(), Stop> {
        let elapsed = self.start.elapsed();
        if elapsed >= self.next_line {
            self.next_line = elapsed.saturating_add(self.display.interval());
            self.show(progress, elapsed);
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        if self.time.is_some_and(|limit| elapsed >= limit) {
            return Err(Stop::Time);
        }
        Ok(())
    }

    fn show(&self, progress: &Progress, elapsed: Duration) {
        let line = self.line(progress, elapsed);
        let mut stderr = std::io::stderr().lock();
        // Progress that cannot be shown is no reason to stop.
        let _ = match self.display {
            Display::Nothing => Ok(()),
            Display::Live => write!(stderr, "\r\x1b[K{line}").and_then(|()| stderr.flush()),
            Display::Plain => writeln!(stderr, "{line}"),
        };
    }

    fn line(&self, progress: &Progress, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs_f64();
        let rate = progress.expansions as f64 / seconds.max(0.001);
        let (done, all) = progress.root;
        let expansions = format!(
            "{} expansions ({}/s)",
            grouped(progress.expansions),
            grouped(rate as u64)
        );
        if let Some(jobs) = &progress.jobs {
            return format!("{seconds:.0} s: {}", in_words(jobs, progress, seconds));
        }
        match self.work {
            Work::Search { memory } => format!(
                "{seconds:.0} s: {}{done} of {all} at the root, depth {}, {expansions}, {} remembered, {} MiB of {}",
                moves_in_words(progress),
                progress.depth,
                grouped(progress.facts.max(progress.table_entries)),
                progress.bytes >> 20,
                memory >> 20,
            ),
            Work::Table { memory } => {
                let places = grouped(progress.expansions);
                let pass = match progress.depth {
                    0 => "values".to_owned(),
                    ply => format!(
                        "counts, ply {}, {} positions",
                        ply - 1,
                        grouped(progress.facts)
                    ),
                };
                format!(
                    "{seconds:.0} s: {pass}: {done} of {all} levels, {places} places, {} MiB of {}",
                    progress.bytes >> 20,
                    memory >> 20
                )
            }
            Work::Reproduction => format!("{seconds:.0} s: {done} of {all} runs, {expansions}"),
        }
    }
}

/// How many moves are judged, where all of them are asked about.
fn moves_in_words(progress: &Progress) -> String {
    match progress.asked {
        Some((known, all)) => format!("{known} of {all} moves judged, now "),
        None => String::new(),
    }
}

/// How a job-level search goes.
fn in_words(jobs: &Jobs, progress: &Progress, seconds: f64) -> String {
    let rate = |count: u64| grouped((count as f64 / seconds.max(0.001)) as u64);
    let (workers, busy) = jobs.workers;
    let (proof, disproof) = jobs.root;
    let checkpoint = match jobs.checkpoint_age {
        Some(age) => format!(", checkpoint {age} s ago"),
        None => String::new(),
    };
    let utilisation = 100.0 * jobs.busy as f64 / (seconds * 1e9 * workers as f64).max(1.0);
    format!(
        "{busy} of {workers} workers busy ({utilisation:.0} %), {} jobs/s, {} expansions ({}/s), {} facts ({}/s), \
         {} nodes, root {}/{}{checkpoint}",
        rate(jobs.handed_out),
        grouped(progress.expansions),
        rate(progress.expansions),
        grouped(progress.facts),
        rate(progress.facts),
        grouped(progress.table_entries),
        grouped(proof),
        grouped(disproof),
    )
}

impl Drop for Monitor {
    /// Leaves the terminal clean.
    fn drop(&mut self) {
        if self.display == Display::Live {
            eprint!("\r\x1b[K");
        }
    }
}

/// A number with its thousands apart: 1,234,567.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(6_862_224_804), "6,862,224,804");
    }
}
