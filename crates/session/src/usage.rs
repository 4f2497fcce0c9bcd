//! What an answer cost: CPU time, time on the clock, memory.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Measures from its making on.
pub struct Stopwatch {
    clock: Instant,
    cpu: Duration,
}

impl Stopwatch {
    /// Starts.
    pub fn start() -> Self {
        Self {
            clock: Instant::now(),
            cpu: cpu_time(),
        }
    }

    /// Time on the clock.
    pub fn seconds(&self) -> f64 {
        self.clock.elapsed().as_secs_f64()
    }

    /// CPU time of the process.
    pub fn cpu_seconds(&self) -> f64 {
        cpu_time().saturating_sub(self.cpu).as_secs_f64()
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The most memory the process has had, where the system tells (Linux).
pub(crate) fn peak_memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
