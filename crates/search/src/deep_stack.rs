//! A stack for searches that recurse once a ply, however long the game.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::watch::Stop;

/// More than any game with a chance of an answer needs; only what is used becomes memory.
const BYTES: usize = 256 << 20;

/// Runs a search on a thread with a deep stack.
pub(crate) fn run<T: Send>(search: impl FnOnce() -> Result<T, Stop> + Send) -> Result<T, Stop> {
    std::thread::scope(
        |scope| match spawn(scope, search).map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => Err(Stop::Memory), // No room for such a stack.
        },
    )
}

/// Starts a thread with a deep stack.
pub(crate) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    search: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(BYTES).spawn_scoped(scope, search)
}
