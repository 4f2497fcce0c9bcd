//! Threads that search together: how they start, count, are looked at and end.
//!
//! The thread that was asked works too. It alone has the watch: it sees how far all have come
//! and tells the others when to stop. The first thread that has the answer ends the work of all;
//! or they end it among themselves, each in its own time.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crate::deep_stack;
use crate::space::Space;
use crate::sync::{Condvar, Mutex, MutexGuard};
use crate::watch::{Progress, Stop, Watch};

/// What a thread works with.
pub(crate) struct Member<'m, 'w, S> {
    /// Which of them it is.
    pub(crate) index: usize,
    pub(crate) space: &'m mut S,
    /// What it has done itself.
    pub(crate) counts: &'m mut Progress,
    pub(crate) watch: &'m mut Watch<'w>,
}

/// What one thread at a time has, and where others wait for it to change.
pub(crate) struct Meeting<T> {
    shared: Mutex<T>,
    changed: Condvar,
    /// How many threads wait.
    waiting: AtomicUsize,
}

/// How often a thread tries again before it falls asleep: some ten microseconds.
const SPINS: usize = 1000;

/// How long a thread that has nothing to do waits before it looks whether all is over.
const PATIENCE: Duration = Duration::from_millis(2);

impl<T> Meeting<T> {
    pub(crate) fn new(shared: T) -> Self {
        Self {
            shared: Mutex::new(shared),
            changed: Condvar::new(),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Whoever has it gives it back soon: sooner, most of the time, than a thread falls asleep
    /// and is woken up.
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        for _ in 0..SPINS {
            if let Ok(shared) = self.shared.try_lock() {
                return shared;
            }
            std::hint::spin_loop();
        }
        self.shared.lock().expect("no thread panics with it")
    }

    /// Waits until another thread has [announced](Self::announce) a change, or a while.
    pub(crate) fn wait(&self, shared: MutexGuard<'_, T>) {
        self.waiting.fetch_add(1, Relaxed);
        let waited = self.changed.wait_timeout(shared, PATIENCE);
        drop(waited.expect("no thread panics with it"));
        self.waiting.fetch_sub(1, Relaxed);
    }

    /// Whoever waits may look again. To be called after the change: who comes to wait later than
    /// that has seen it, and who waits nevertheless waits for a while only.
    pub(crate) fn announce(&self) {
        if self.waiting.load(Relaxed) > 0 {
            self.changed.notify_all();
        }
    }

    pub(crate) fn into_inner(self) -> T {
        self.shared.into_inner().expect("no thread panics with it")
    }
}

/// When the work of all is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// When one is done.
    WithTheFirst,
    /// When each is.
    WithTheLast,
}

/// What threads tell each other, whatever they search.
struct Board {
    ends: Ends,
    /// Whether all is over: there is an answer, or a reason to stop.
    over: AtomicBool,
    /// The first reason to stop.
    reason: OnceLock<Stop>,
    /// What each of the others has counted.
    others: Vec<Tally>,
}

#[derive(Default)]
struct Tally {
    expansions: AtomicU64,
    evaluations: AtomicU64,
}

impl Tally {
    fn publish(&self, counts: &Progress) {
        self.expansions.store(counts.expansions, Relaxed);
        self.evaluations.store(counts.evaluations, Relaxed);
    }
}

impl Board {
    fn new(others: usize, ends: Ends) -> Self {
        Self {
            ends,
            over: AtomicBool::new(false),
            reason: OnceLock::new(),
            others: (0..others).map(|_| Tally::default()).collect(),
        }
    }

    fn go_on(&self) -> Result<(), Stop> {
        match self.over.load(Relaxed) {
            true => Err(Stop::Interrupted),
            false => Ok(()),
        }
    }

    /// Has a thread work, and ends the work of all when it is done or panics, unless each is to
    /// come to its own end.
    fn run<T>(&self, work: impl FnOnce() -> Result<T, Stop>) -> Option<T> {
        struct Over<'a>(&'a AtomicBool);
        impl Drop for Over<'_> {
            fn drop(&mut self) {
                self.0.store(true, Relaxed);
            }
        }
        let over = Over(&self.over);
        let result = work();
        if result.is_ok() && self.ends == Ends::WithTheLast {
            std::mem::forget(over);
            return result.ok();
        }
        // A thread that was called off has no reason of its own.
        if let Err(stop) = result
            && !self.over.load(Relaxed)
        {
            self.reason.get_or_init(|| stop);
        }
        result.ok()
    }

    /// What all have done, given what the first has.
    fn total(&self, first: &Progress) -> Progress {
        let mut total = *first;
        for other in &self.others {
            total.expansions += other.expansions.load(Relaxed);
            total.evaluations += other.evaluations.load(Relaxed);
        }
        total
    }
}

/// Has each space searched by a thread of its own until one of them has the answer. What all
/// have counted is added to `counts`, which the first thread goes on from.
pub(crate) fn search<S: Space, T: Send>(
    spaces: &mut [S],
    counts: &mut Progress,
    watch: &mut Watch,
    work: impl Fn(Member<S>) -> Result<T, Stop> + Sync,
) -> Result<T, Stop> {
    search_until(Ends::WithTheFirst, spaces, counts, watch, work)
}

/// The same until all of them are done, of their own accord; returns what the first has found.
pub(crate) fn search_to_the_end<S: Space, T: Send>(
    spaces: &mut [S],
    counts: &mut Progress,
    watch: &mut Watch,
    work: impl Fn(Member<S>) -> Result<T, Stop> + Sync,
) -> Result<T, Stop> {
    search_until(Ends::WithTheLast, spaces, counts, watch, work)
}

fn search_until<S: Space, T: Send>(
    ends: Ends,
    spaces: &mut [S],
    counts: &mut Progress,
    watch: &mut Watch,
    work: impl Fn(Member<S>) -> Result<T, Stop> + Sync,
) -> Result<T, Stop> {
    let (first, others) = spaces.split_first_mut().expect("a space for each thread");
    let board = Board::new(others.len(), ends);
    let (board, work) = (&board, &work);
    let result = thread::scope(|scope| {
        let started = others.iter_mut().enumerate().map(|(index, space)| {
            deep_stack::spawn(scope, move || join_in(index, space, board, work))
        });
        // All of them, before the first is waited for.
        let started: Vec<_> = started.collect();
        // Who ends with the others must not wait for one that is missing.
        if ends == Ends::WithTheLast && started.iter().any(Result::is_err) {
            board.reason.get_or_init(|| Stop::Memory);
            board.over.store(true, Relaxed);
        }
        let own = lead(first, counts, board, watch, work);
        let theirs = started.into_iter().map(|thread| match thread {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => None, // No room for such a stack: the others do without it.
        });
        theirs.fold(own, Option::or)
    });
    *counts = board.total(counts);
    match (result, board.reason.get()) {
        (Some(found), None) => Ok(found),
        (Some(found), Some(_)) if ends == Ends::WithTheFirst => Ok(found),
        (_, reason) => Err(reason.copied().unwrap_or(Stop::Interrupted)),
    }
}

/// The work of the thread that has the watch.
fn lead<S: Space, T>(
    space: &mut S,
    counts: &mut Progress,
    board: &Board,
    watch: &mut Watch,
    work: &impl Fn(Member<S>) -> Result<T, Stop>,
) -> Option<T> {
    let mut look = |progress: &Progress| {
        watch.look(&board.total(progress))?;
        board.go_on()
    };
    board.run(|| {
        work(Member {
            index: 0,
            space,
            counts,
            watch: &mut Watch::of_thread(&mut look, board.others.len() + 1, &board.over),
        })
    })
}

/// The work of any other thread.
fn join_in<S: Space, T>(
    index: usize,
    space: &mut S,
    board: &Board,
    work: &impl Fn(Member<S>) -> Result<T, Stop>,
) -> Option<T> {
    let tally = &board.others[index];
    let mut look = |progress: &Progress| {
        tally.publish(progress);
        board.go_on()
    };
    let mut counts = Progress::default();
    let result = board.run(|| {
        work(Member {
            index: index + 1,
            space,
            counts: &mut counts,
            watch: &mut Watch::of_thread(&mut look, 1, &board.over),
        })
    });
    tally.publish(&counts);
    result
}
