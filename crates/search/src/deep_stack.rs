//! A stack for searches that recurse once a ply, however long the game.

use std::cell::Cell;
use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::watch::Stop;

/// More than any game with a chance of an answer needs; only what is used becomes memory.
const BYTES: usize = 256 << 20;

thread_local! {
    /// Whether this thread has one.
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Runs a search on a thread with a deep stack: on this one, if it has one.
pub fn run<T: Send>(search: impl FnOnce() -> Result<T, Stop> + Send) -> Result<T, Stop> {
    if IS_DEEP.get() {
        return search();
    }
    std::thread::scope(
        |scope| match spawn(scope, search).map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => Err(Stop::Memory), // No room for such a stack.
        },
    )
}

/// Starts a thread with a deep stack; an error if there is no room for one.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    search: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let deep = move || {
        IS_DEEP.set(true);
        search()
    };
    Builder::new().stack_size(BYTES).spawn_scoped(scope, deep)
}
