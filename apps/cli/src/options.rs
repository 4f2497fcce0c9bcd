//! Options that several subcommands share, and how their values are read.

use std::time::Duration;

use bouton_session::{Error, MOST_THREADS, Session};
use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::monitor::{Monitor, Work};

/// Which position.
#[derive(Args)]
pub(crate) struct Place {
    /// The game, see `bouton games`
    game: String,
    /// A size (the start position) or a position in the game's notation
    position: String,
    /// Play these moves first, separated by spaces
    #[arg(long, value_name = "MOVES")]
    after: Option<String>,
}

impl Place {
    pub(crate) fn open(&self) -> Result<Box<dyn Session>, Error> {
        let mut session = bouton_session::open(&self.game, &self.position)?;
        if let Some(moves) = &self.after {
            session.play(moves)?;
        }
        Ok(session)
    }
}

/// How long a run may get, and how much it says.
#[derive(Args)]
pub(crate) struct Pace {
    /// Stop after this time: 30s, 5m, 2h, 1d [default: no limit]
    #[arg(long, value_name = "LIMIT", value_parser = read_time)]
    time: Option<Duration>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

impl Pace {
    pub(crate) fn monitor(&self, work: Work) -> anyhow::Result<Monitor> {
        Monitor::start(self.time, work, self.quiet)
    }
}

/// How long and how large a run may get, and how much it says.
#[derive(Args)]
pub(crate) struct Limits {
    #[command(flatten)]
    pace: Pace,
    /// Memory for what is remembered, by tables, facts, a store and the game's knowledge: 512M, 8G
    /// [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = read_size)]
    memory: Option<usize>,
}

impl Limits {
    pub(crate) fn memory(&self) -> usize {
        self.memory.unwrap_or_else(default_memory)
    }

    pub(crate) fn monitor(&self) -> anyhow::Result<Monitor> {
        let memory = self.memory();
        self.monitor_of(Work::Search { memory })
    }

    pub(crate) fn monitor_of(&self, work: Work) -> anyhow::Result<Monitor> {
        self.pace.monitor(work)
    }
}

/// As many threads as there are cores.
pub(crate) fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST_THREADS))
}

/// How numbers of threads are read, and of what has a thread: a system has only so many.
pub(crate) fn threads_parser() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MOST_THREADS as u64)
}

fn default_memory() -> usize {
    const UNTOLD: usize = 4 << 30;
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = memory
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"));
    let free = free.and_then(|line| line.trim().trim_end_matches(" kB").parse::<usize>().ok());
    free.map_or(UNTOLD, |kilobytes| kilobytes * 1024 / 4 * 3)
}

pub(crate) fn read_size(text: &str) -> Result<usize, String> {
    let bytes = read_quantity(
        text,
        &[
            ("", 1.0),
            ("K", 1024.0),
            ("M", 1048576.0),
            ("G", 1073741824.0),
            ("T", 1099511627776.0),
        ],
    );
    // Beyond 2^53 bytes nobody means what they say.
    let bytes = bytes.filter(|&bytes| (1.0..9e15).contains(&bytes));
    bytes
        .map(|bytes| bytes as usize)
        .ok_or_else(|| "expected a size such as 512M or 8G".to_owned())
}

pub(crate) fn read_time(text: &str) -> Result<Duration, String> {
    let seconds = read_quantity(
        text,
        &[
            ("", 1.0),
            ("ms", 0.001),
            ("s", 1.0),
            ("m", 60.0),
            ("h", 3600.0),
            ("d", 86400.0),
        ],
    );
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a time such as 30s, 5m or 2h".to_owned())
}

/// Reads a number and a unit.
fn read_quantity(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let (_, factor) = units
        .iter()
        .find(|(name, _)| unit.eq_ignore_ascii_case(name))?;
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!(read_size("512M"), Ok(512 << 20));
        assert_eq!(read_size("1.5g"), Ok(3 << 29));
        assert_eq!(read_time("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(read_time("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "M", "-1G", "1X", "1e9", "0", "99999999999T", "1.2.3"] {
            assert!(read_size(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "s", "-1s", "1y", "1e400s"] {
            assert!(read_time(wrong).is_err(), "{wrong}");
        }
    }
}
