//! The Python module `bouton._bouton`, which the package in `python/bouton` gives its face.
//!
//! A thin layer: text and plain data go through, as on the command line. `calls` asks a session,
//! `attended` has Python's signals heard meanwhile, `errors` makes exceptions. `master` and `group`
//! put the two state machines of the cluster behind bytes, so that a driver in Python has nothing
//! to do but to move them.

#![expect(
    clippy::needless_pass_by_value,
    reason = "what comes from Python is made for the call"
)]

mod attended;
mod calls;
mod errors;
mod group;
mod master;

use pyo3::prelude::*;

/// What is behind the package.
#[pymodule]
mod _bouton {
    #[pymodule_export]
    use crate::calls::{algorithms, check, games, moves, solve};
    #[pymodule_export]
    use crate::group::Group;
    #[pymodule_export]
    use crate::master::Master;
    /// The most threads that can be asked for.
    #[pymodule_export]
    const MOST_THREADS: usize = bouton_session::MOST_THREADS;
}
