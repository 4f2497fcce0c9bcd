//! Looking into a long run, and stopping it.
//!
//! Every algorithm has one loop that calls [`Watch::tick`] once a step. Every so many steps
//! the watch shows the progress to whoever asked for it (a progress line, a time limit,
//! Ctrl-C, a test) and learns whether to go on. A run that is stopped, or runs out of memory,
//! ends with a [`Stop`]: an honest "unknown", never a guess.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Why a run ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time allowed is over.
    Time,
    /// The memory allowed does not suffice.
    Memory,
    /// Somebody asked to stop.
    Interrupted,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Interrupted => "interrupted",
        })
    }
}

/// Where a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Positions whose children were generated.
    pub expansions: u64,
    /// Children whose value was asked for; in a census, children met; in a perft, lines.
    pub evaluations: u64,
    /// Positions whose exact value is known; in a census, distinct positions.
    pub facts: u64,
    /// Closer looks that knowledge has taken, where it counts them.
    pub looks: u64,
    /// Entries of tables that may forget.
    pub table_entries: u64,
    /// Bytes held by tables, lists and the path.
    pub bytes: usize,
    /// How far from the root the run is looking.
    pub depth: usize,
    /// Children of the root that are done, and how many there are (plies in a census).
    pub root: (usize, usize),
    /// Where several positions are asked about: how many are known, and how many there are.
    pub asked: Option<(usize, usize)>,
    /// Where jobs are handed out: how that goes.
    pub jobs: Option<Jobs>,
}

/// How a job-level search goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jobs {
    /// How many workers there are, and how many of them have a job.
    pub workers: (usize, usize),
    /// How many threads each of them has.
    pub threads: usize,
    /// The heap beside the position.
    pub heap: u32,
    /// Jobs that were handed out.
    pub handed_out: u64,
    /// The proof and the disproof number of the root.
    pub root: (u64, u64),
    /// Nanoseconds that workers have searched, all together.
    pub busy: u64,
    /// Seconds since the last checkpoint, if there was one.
    pub checkpoint_age: Option<u64>,
}

/// What is called with the progress: go on, or stop for a reason.
pub type Look<'a> = dyn FnMut(&Progress) -> Result<(), Stop> + Send + 'a;

/// Shows a run's progress every so many steps.
pub struct Watch<'a> {
    look: &'a mut Look<'a>,
    steps: u32,
    /// Steps between two looks, now and at most.
    interval: u32,
    most: u32,
    /// When it looked last.
    before: Option<Instant>,
    /// Where there are several threads: set when all is over.
    over: Option<&'a AtomicBool>,
}

impl<'a> Watch<'a> {
    /// Steps between two looks: a look must cost nothing against the work. The first steps are looked
    /// at more often: a run may have few.
    const INTERVAL: u32 = 64;

    /// Steps that take this long together are slow, and fewer are made before the next look, down to
    /// a single one: even then a run must stop when it is told to.
    const LONG: Duration = Duration::from_millis(50);

    /// A watch that calls `look`.
    pub fn new(look: &'a mut Look<'a>) -> Self {
        Self {
            look,
            steps: 0,
            interval: 1,
            most: Self::INTERVAL,
            before: None,
            over: None,
        }
    }

    /// The same for one of so many threads. It looks more often than it would alone, since the
    /// others make steps too; and it ends at once when all is over.
    pub(crate) fn of_thread(look: &'a mut Look<'a>, threads: usize, over: &'a AtomicBool) -> Self {
        let threads = u32::try_from(threads).unwrap_or(u32::MAX);
        Self {
            most: (Self::INTERVAL / threads).max(1),
            over: Some(over),
            ..Self::new(look)
        }
    }

    /// Counts a step; on every 64th, or more often, shows the progress and may stop the run.
    #[inline]
    pub fn tick(&mut self, progress: impl FnOnce() -> Progress) -> Result<(), Stop> {
        self.go_on()?;
        self.steps += 1;
        if self.steps < self.interval {
            return Ok(());
        }
        self.steps = 0;
        self.choose_interval();
        self.look(&progress())
    }

    /// Whether all is over already.
    #[inline]
    pub(crate) fn go_on(&self) -> Result<(), Stop> {
        match self.over.is_some_and(|over| over.load(Relaxed)) {
            true => Err(Stop::Interrupted),
            false => Ok(()),
        }
    }

    fn choose_interval(&mut self) {
        let now = Instant::now();
        let before = self.before.replace(now);
        let is_slow = before.is_some_and(|before| now - before > Self::LONG);
        self.interval = match is_slow {
            true => self.interval.div_ceil(8),
            false => (2 * self.interval).min(self.most),
        };
    }

    /// Shows the progress at once, for runs within a run.
    pub fn look(&mut self, progress: &Progress) -> Result<(), Stop> {
        (self.look)(progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often some steps are looked at, each of which takes so long.
    fn looks(steps: u32, long: Duration) -> u32 {
        let mut looks = 0;
        let mut look = |_: &Progress| {
            looks += 1;
            Ok(())
        };
        let mut watch = Watch::new(&mut look);
        for _ in 0..steps {
            std::thread::sleep(long);
            assert_eq!(watch.tick(Progress::default), Ok(()));
        }
        looks
    }

    #[test]
    fn slow_steps_are_looked_at_one_by_one() {
        // All but the second, which nobody knew to be slow.
        assert_eq!(looks(6, Watch::LONG + Duration::from_millis(1)), 5);
    }

    #[test]
    fn quick_steps_are_looked_at_now_and_then() {
        let looks = looks(100_000, Duration::ZERO);
        assert!((100_000 / 64..10_000).contains(&looks), "{looks}");
    }

    #[test]
    fn the_first_step_may_be_the_last() {
        let mut look = |_: &Progress| Err(Stop::Time);
        let tick = Watch::new(&mut look).tick(Progress::default);
        assert_eq!(tick, Err(Stop::Time));
    }
}
