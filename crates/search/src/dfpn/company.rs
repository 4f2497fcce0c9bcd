//! What a df-pn search notices of others that search the same graph, with the same table.

use bouton_table::{Key, Table};

/// The others, as one thread sees them. All of it steers: whatever it says, what is solved is
/// true, and every choice is followed by at least one expansion.
pub(crate) trait Company {
    /// Whether there is nobody, and nothing to be asked.
    const ALONE: bool;

    /// The thread goes below a node or a sum, into which so many expansions went before.
    fn enter(&mut self, key: Key, work: impl FnOnce() -> u64);

    /// So many expansions went into the node it is at, since it came there.
    fn note_work(&mut self, expansions: u64);

    /// An expansion is about to be made.
    fn step(&mut self);

    /// Whether others are taken notice of at the node it is at.
    fn shares(&self) -> bool;

    /// The thread comes back from the node it entered last, with its solution or without.
    fn leave(&mut self, key: Key, solved: bool);

    /// By how much a branch of this cost is dearer for those who are below it.
    fn crowd(&self, key: Key, cost: u64) -> u64;

    /// Whether another thread has solved a node that this one works below, and not left yet; or
    /// all is done that the threads were to do together.
    fn is_called_back(&mut self, table: &Table) -> bool;
}

/// Nobody else.
pub(crate) struct Alone;

impl Company for Alone {
    const ALONE: bool = true;

    #[inline]
    fn enter(&mut self, _: Key, _: impl FnOnce() -> u64) {}

    #[inline]
    fn note_work(&mut self, _: u64) {}

    #[inline]
    fn step(&mut self) {}

    #[inline]
    fn shares(&self) -> bool {
        false
    }

    #[inline]
    fn leave(&mut self, _: Key, _: bool) {}

    #[inline]
    fn crowd(&self, _: Key, _: u64) -> u64 {
        0
    }

    #[inline]
    fn is_called_back(&mut self, _: &Table) -> bool {
        false
    }
}
