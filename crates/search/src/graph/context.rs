//! What a graph has to do with the rest of a search: where it learns about new nodes.
//!
//! What is known for certain comes first: facts, and outcomes in the table. If there is nothing,
//! a node gets first numbers, from a look at the game now (immediate evaluation), without a look
//! (delayed evaluation), or from the graph of a second level that has searched it.
//!
//! The table is asked only when something is in it: as long as a graph holds everything it has
//! ever solved, it has nothing to ask for.

use std::collections::HashMap;

use bouton_table::{Numbers, Table};
use foldhash::fast::FixedState;

use super::{Graph, hash};
use crate::space::{BranchOf, Space, solved};
use crate::watch::Progress;

/// What a graph asks about new nodes, and tells about solved ones.
pub(crate) struct Context<'a, S: Space> {
    pub(crate) space: &'a mut S,
    /// Outcomes of nodes that no graph holds any more.
    pub(crate) table: &'a Table,
    pub(crate) counts: &'a mut Progress,
}

impl<S: Space> Context<'_, S> {
    /// The outcome of a node, if it was found out before.
    #[inline]
    pub(super) fn recall(&mut self, node: &S::Node) -> Option<Numbers> {
        if let Some(outcome) = self.space.known(node) {
            return Some(solved(outcome));
        }
        if self.table.is_empty() {
            return None;
        }
        let entry = self.table.get(self.space.key(node))?;
        Some(entry.numbers).filter(|numbers| numbers.is_solved())
    }

    #[inline]
    pub(crate) fn assess(&mut self, node: &S::Node) -> Numbers {
        self.counts.evaluations += 1;
        self.space.assess(node)
    }
}

/// Where the first numbers of a node come from.
pub(crate) enum First<'a, S: Space> {
    /// From a look at it.
    Assessed,
    /// One either way: nobody has looked at it.
    Unit,
    /// From another graph, as far as it is in there.
    Of(&'a Graph<S>),
    /// From a list that somebody else has made, as far as it is in there.
    Listed(&'a Listed<S>),
}

/// Branches with their numbers.
pub(crate) type Listed<S> = HashMap<BranchOf<S>, Numbers, FixedState>;

impl<S: Space> First<'_, S> {
    #[inline]
    pub(super) fn numbers(
        &self,
        context: &mut Context<S>,
        node: &S::Node,
        branch: &BranchOf<S>,
    ) -> Numbers {
        match self {
            Self::Assessed => context.assess(node),
            Self::Unit => Numbers::UNIT,
            Self::Of(graph) => graph
                .find(branch, hash(branch))
                .map_or(Numbers::UNIT, |id| graph.numbers(id)),
            Self::Listed(list) => list.get(branch).copied().unwrap_or(Numbers::UNIT),
        }
    }
}
