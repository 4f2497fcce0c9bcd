//! What threads meet at: from the standard library; with the feature `shuttle`, from a scheduler
//! that tries interleavings of threads.

#[cfg(not(feature = "shuttle"))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};

#[cfg(feature = "shuttle")]
pub(crate) use shuttle::sync::{Condvar, Mutex, MutexGuard};
