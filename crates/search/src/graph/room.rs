//! The memory of a graph: how much it has, takes and may take.
//!
//! Room is set aside when the graph is made, for more nodes and for more links than there can be
//! of both, so that nothing moves when it grows. Only what is used becomes memory, and that is
//! what is counted: nodes, links, the index, the queue, and what branches hold elsewhere.
//!
//! Invariant: no list ever grows beyond what was set aside for it.

use std::collections::VecDeque;

use bouton_game::Nimber;

use super::index::Index;
use super::record::{Change, Link, Record};
use super::{Context, Graph, NONE};
use crate::space::{Branch, BranchOf, Space};
use crate::watch::Stop;

impl<S: Space> Graph<S> {
    const LINK: usize = size_of::<Link>() + if S::HAS_SUMS { size_of::<Nimber>() } else { 0 };
    const NODE: usize = size_of::<BranchOf<S>>() + size_of::<Record>();

    /// Links a node that there is room for, at most.
    const LINKS_A_NODE: usize = 4;

    /// A graph of at most so many bytes. Room is set aside at once, so that nothing moves when
    /// it grows; only what is used becomes memory.
    pub(crate) fn new(limit: usize) -> Result<Self, Stop> {
        let smallest = Self::NODE + Self::LINK / 2 + size_of::<u64>();
        let nodes = (limit / smallest).clamp(64, NONE as usize / Self::LINKS_A_NODE);
        let links = nodes * Self::LINKS_A_NODE;
        let mut graph = Self {
            root: NONE,
            branches: Vec::new(),
            records: Vec::new(),
            links: Vec::new(),
            heaps: Vec::new(),
            index: Index::new(Index::slots_for(nodes)),
            elsewhere: 0,
            limit,
            peak: 0,
            root_branches: 0,
            queue: VecDeque::new(),
            list: Vec::new(),
            looked: Vec::new(),
            children: Vec::new(),
        };
        let reserved = graph.branches.try_reserve_exact(nodes).is_ok()
            && graph.records.try_reserve_exact(nodes).is_ok()
            && graph.links.try_reserve_exact(links).is_ok()
            && (!S::HAS_SUMS || graph.heaps.try_reserve_exact(links).is_ok());
        if reserved {
            Ok(graph)
        } else {
            Err(Stop::Memory)
        }
    }

    /// Leaves no node.
    pub(crate) fn clear(&mut self) {
        self.peak = self.held();
        self.root = NONE;
        self.branches.clear();
        self.records.clear();
        self.links.clear();
        self.heaps.clear();
        self.index.clear();
        self.elsewhere = 0;
        self.root_branches = 0;
        self.queue.clear();
    }

    /// The bytes in use.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.bytes_with(0, 0)
    }

    /// The most bytes it has had in use: memory that was touched once stays.
    pub(crate) fn held(&self) -> usize {
        self.peak.max(self.bytes())
    }

    /// Bounds the bytes it may hold anew.
    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Whether all branches of a leaf find room, with some to spare for what follows from them.
    pub(super) fn has_room_for(&self, context: &Context<S>, list: &[BranchOf<S>]) -> bool {
        let (mut nodes, mut elsewhere) = (0, self.limit / 64);
        for branch in list {
            nodes += 1;
            elsewhere += S::heap_bytes(branch);
            if let Branch::Sum(sum) = branch {
                nodes += context.space.parts(sum);
                elsewhere += S::heap_bytes(branch);
            }
        }
        self.fits(nodes, nodes, elsewhere)
    }

    pub(super) fn fits(&self, nodes: usize, links: usize, elsewhere: usize) -> bool {
        self.records.len() + nodes <= self.records.capacity().min(self.branches.capacity())
            && self.links.len() + links <= self.links.capacity()
            && (!S::HAS_SUMS || self.links.len() + links <= self.heaps.capacity())
            && self.index.size_for(self.len() + nodes) <= self.index.most()
            && self.bytes_with(nodes, links) + elsewhere <= self.limit
    }

    /// The bytes in use when there are so many more nodes and links.
    fn bytes_with(&self, nodes: usize, links: usize) -> usize {
        let nodes = self.len() + nodes;
        nodes * Self::NODE
            + (self.links.len() + links) * Self::LINK
            + self.index.size_for(nodes) * size_of::<u64>()
            + self.queue.capacity() * size_of::<Change>()
            + self.elsewhere
    }
}
