//! What a df-pn search notices of others that search the same graph, with the same table.

use bouton_table::{Key, Table};

/// The others, as one thread sees them. All of it steers: whatever it says, what is solved is
/// true, and every choice is followed by at least one expansion.
pub(crate) trait Company {
    /// Whether there is nobody, and nothing to be asked.
    const ALONE: bool;

    /// The thread goes below a node.
    fn enter(&mut self, key: Key);

    /// The thread comes back from the node it entered last, with its solution or without.
    fn leave(&mut self, key: Key, solved: bool);

    /// How many others are below a node.
    fn others(&self, key: Key) -> u64;

    /// Whether another thread has solved a node that this one works below, and not left yet.
    fn is_called_back(&mut self, table: &Table) -> bool;
}

/// Nobody else.
pub(crate) struct Alone;

impl Company for Alone {
    const ALONE: bool = true;

    #[inline]
    fn enter(&mut self, _: Key) {}

    #[inline]
    fn leave(&mut self, _: Key, _: bool) {}

    #[inline]
    fn others(&self, _: Key) -> u64 {
        0
    }

    #[inline]
    fn is_called_back(&mut self, _: &Table) -> bool {
        false
    }
}
