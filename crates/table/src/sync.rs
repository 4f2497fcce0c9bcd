//! Atomics: those of the standard library; with the feature `shuttle`, those of a scheduler that
//! tries interleavings of threads.

#[cfg(not(feature = "shuttle"))]
mod kind {
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
    pub(crate) use std::thread::yield_now as wait;

    /// So many zeros, which become memory when they are written to; none if there is no room.
    pub(crate) fn zeros(count: usize) -> Option<Vec<AtomicU64>> {
        bytemuck::try_zeroed_vec(count).ok()
    }
}

#[cfg(feature = "shuttle")]
mod kind {
    pub(crate) use shuttle::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
    pub(crate) use shuttle::thread::yield_now as wait;

    pub(crate) fn zeros(count: usize) -> Option<Vec<AtomicU64>> {
        Some((0..count).map(|_| AtomicU64::new(0)).collect())
    }
}

pub(crate) use kind::{AtomicBool, AtomicU64, AtomicUsize, wait, zeros};
