//! What a graph knows about a node and a link.
//!
//! A record is half a cache line: numbers, where the links are, where the parents are, where to
//! go on. What the node stands for lies elsewhere, since an update does not ask.

use std::ops::Range;

use bouton_table::Numbers;

use super::{Id, NONE};

/// How the numbers of a node follow from those of its links.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The player to move chooses a link.
    Choice,
    /// The links are the questions that the parts of a sum stand at.
    Sum,
    /// The only link is what is left of a sum.
    Rest,
}

/// All about a node but what it stands for.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Record {
    pub(super) numbers: Numbers,
    /// The first of its links; `NONE` if it is a leaf.
    pub(super) start: Id,
    /// How many links it has; the kind and a flag above that.
    pub(super) count: u32,
    /// The first link that leads to it; nobody asks once it is solved.
    pub(super) parents: Id,
    /// The child to go on with.
    pub(super) best: Id,
}

/// It waits for its numbers to be computed anew; in a collection: it is to be kept.
pub(super) const FLAG: u32 = 1 << 31;
pub(super) const SUM: u32 = 1 << 30;
pub(super) const REST: u32 = 1 << 29;
/// More than one of its children has changed.
pub(super) const SEVERAL: u32 = 1 << 28;
pub(super) const COUNT: u32 = SEVERAL - 1;

impl Record {
    #[inline]
    pub(super) fn is_leaf(&self) -> bool {
        self.start == NONE
    }

    #[inline]
    pub(super) fn is_flagged(&self) -> bool {
        self.count & FLAG != 0
    }

    #[inline]
    pub(super) fn kind(&self) -> Kind {
        match self.count & (SUM | REST) {
            SUM => Kind::Sum,
            REST => Kind::Rest,
            _ => Kind::Choice,
        }
    }

    #[inline]
    pub(super) fn links(&self) -> Range<usize> {
        let start = self.start as usize;
        start..start + (self.count & COUNT) as usize
    }
}

/// A way from a node to what decides it.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) child: Id,
    pub(super) parent: Id,
    /// The next link that leads to the same child.
    pub(super) next: Id,
}

/// A child of a node that has got new numbers.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub(super) node: Id,
    pub(super) child: Id,
    pub(super) before: Numbers,
}
