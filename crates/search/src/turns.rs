//! Threads that take turns: one step each, in the same order every time.
//!
//! So a search by several threads can be repeated exactly, and takes as many rounds as it would
//! take time on as many cores if all steps took equally long.

use crate::sync::{Condvar, Mutex, MutexGuard};

/// Whose turn it is.
pub(crate) struct Turns {
    table: Mutex<Table>,
    bells: Vec<Condvar>,
}

struct Table {
    turn: usize,
    /// Who takes part.
    here: Vec<bool>,
    /// Nobody waits any more.
    is_over: bool,
}

impl Turns {
    /// Turns of so many threads; the first begins.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            table: Mutex::new(Table {
                turn: 0,
                here: vec![true; threads],
                is_over: false,
            }),
            bells: (0..threads).map(|_| Condvar::new()).collect(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("no thread panics with it")
    }

    /// Waits for the turn of a thread.
    pub(crate) fn wait(&self, thread: usize) {
        self.wait_with(self.lock(), thread);
    }

    fn wait_with(&self, mut table: MutexGuard<'_, Table>, thread: usize) {
        while table.turn != thread && !table.is_over {
            let woken = self.bells[thread].wait(table);
            table = woken.expect("no thread panics with it");
        }
    }

    /// Lets all others have their turn.
    pub(crate) fn pass(&self, thread: usize) {
        let mut table = self.lock();
        self.advance(&mut table);
        self.wait_with(table, thread);
    }

    /// A thread that has the turn takes no more part.
    pub(crate) fn leave(&self, thread: usize) {
        let mut table = self.lock();
        table.here[thread] = false;
        self.advance(&mut table);
    }

    /// From now on everybody does as they like: the work was stopped.
    pub(crate) fn end(&self) {
        self.lock().is_over = true;
        self.bells.iter().for_each(Condvar::notify_all);
    }

    fn advance(&self, table: &mut Table) {
        let threads = table.here.len();
        let mut next = (1..=threads).map(|step| (table.turn + step) % threads);
        if let Some(next) = next.find(|&thread| table.here[thread]) {
            table.turn = next;
            self.bells[next].notify_all();
        }
    }
}

#[cfg(all(test, not(feature = "shuttle")))]
mod tests {
    use super::*;

    #[test]
    fn threads_take_turns_until_they_leave() {
        let turns = Turns::new(3);
        let log = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let (turns, log) = (&turns, &log);
                scope.spawn(move || {
                    turns.wait(thread);
                    for _ in 0..=thread {
                        log.lock().expect("nobody panics").push(thread);
                        turns.pass(thread);
                    }
                    turns.leave(thread);
                });
            }
        });
        let log = log.into_inner().expect("nobody panics");
        assert_eq!(log, [0, 1, 2, 1, 2, 2]);
    }
}
