//! A search that Python can look into and stop.
//!
//! Python hears Ctrl-C on its main thread only, and only when it is asked to. So the search has a
//! thread of its own, without the interpreter's lock, and the thread that was asked listens.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bouton_session::{Progress, Stop, Watch};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How often the thread that was asked listens.
const INTERVAL: Duration = Duration::from_millis(50);

/// Who may stop a search.
#[derive(Default)]
pub(crate) struct Limits {
    /// The time it may take.
    pub time: Option<Duration>,
    /// Called with the progress now and then; stops it by returning `False`.
    pub watch: Option<Py<PyAny>>,
}

/// What both threads see.
#[derive(Default)]
struct Board {
    progress: Progress,
    stop: Option<Stop>,
}

/// Does work on another thread, until it is done or stopped. An exception (Ctrl-C, or one of
/// the watch) is raised after the work has come to its end.
pub(crate) fn attended<T: Send>(
    py: Python,
    limits: &Limits,
    work: impl FnOnce(&mut Watch) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let board = Mutex::new(Board::default());
        let end = limits
            .time
            .and_then(|time| Instant::now().checked_add(time));
        let (sender, done) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut look = |progress: &Progress| {
                    if end.is_some_and(|end| Instant::now() >= end) {
                        return Err(Stop::Time);
                    }
                    let mut board = board.lock().unwrap_or_else(PoisonError::into_inner);
                    board.progress = *progress;
                    board.stop.map_or(Ok(()), Err)
                };
                // Nobody has stopped listening: the receiver lives as long as the scope.
                let _ = sender.send(work(&mut Watch::new(&mut look)));
            });
            let mut raised = Ok(());
            loop {
                match done.recv_timeout(INTERVAL) {
                    Ok(result) => return raised.map(|()| result),
                    Err(RecvTimeoutError::Disconnected) => panic!("a search has panicked"),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                let progress = board
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .progress;
                let said = Python::attach(|py| listen(py, limits, &progress));
                if raised.is_ok() && !matches!(said, Ok(true)) {
                    raised = said.map(|_| ());
                    let mut board = board.lock().unwrap_or_else(PoisonError::into_inner);
                    board.stop = Some(Stop::Interrupted);
                }
            }
        })
    })
}

/// Whether to go on.
fn listen(py: Python, limits: &Limits, progress: &Progress) -> PyResult<bool> {
    py.check_signals()?;
    let Some(watch) = &limits.watch else {
        return Ok(true);
    };
    let shown = PyDict::new(py);
    shown.set_item("expansions", progress.expansions)?;
    shown.set_item("facts", progress.facts)?;
    shown.set_item("table_entries", progress.table_entries)?;
    shown.set_item("bytes", progress.bytes)?;
    shown.set_item("depth", progress.depth)?;
    shown.set_item("root", progress.root)?;
    Ok(!watch
        .bind(py)
        .call1((shown,))?
        .is(false.into_pyobject(py)?.as_any()))
}
