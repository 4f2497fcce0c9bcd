//! Finds nodes of a graph by what they stand for: open addressing, one probe after the other.
//!
//! A slot is a word: half of it is a part of the hash, the other half the node's number plus
//! one. So nodes that are not meant are seldom looked at. The index keeps no keys, those are in
//! the graph; when it grows it is filled anew from there, so that there are never two of it.

use super::Id;

/// The index.
pub(super) struct Index {
    slots: Vec<u64>,
    /// Slots it may have.
    most: usize,
}

/// About how many slots there are at first.
const FIRST: usize = 256;

impl Index {
    /// Slots for so many nodes, at three quarters full.
    pub(super) fn slots_for(nodes: usize) -> usize {
        nodes + nodes / 3 + 1
    }

    /// An index that can grow to so many slots.
    pub(super) fn new(most: usize) -> Self {
        let mut index = Self {
            slots: Vec::new(),
            most,
        };
        // Room for all of it, not used before it grows: it never moves.
        if index.slots.try_reserve_exact(most).is_err() {
            index.most = FIRST;
        }
        index.clear();
        index
    }

    /// Forgets everything and becomes small.
    pub(super) fn clear(&mut self) {
        let doublings = (self.most / FIRST).max(1).ilog2();
        self.resize(self.most >> doublings);
    }

    /// An empty index of so many slots.
    pub(super) fn resize(&mut self, slots: usize) {
        self.slots.clear();
        self.slots.resize(slots, 0);
    }

    /// The node with this hash that is the one meant.
    #[inline]
    pub(super) fn find(&self, hash: u64, is_meant: impl Fn(Id) -> bool) -> Option<Id> {
        let mut place = self.home(hash);
        loop {
            let slot = self.slots[place];
            if slot == 0 {
                return None;
            }
            let id = slot as u32 - 1;
            if slot >> 32 == hash & 0xffff_ffff && is_meant(id) {
                return Some(id);
            }
            place = self.after(place);
        }
    }

    /// Adds a node that is not there yet; there must be room.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, id: Id) {
        let mut place = self.home(hash);
        while self.slots[place] != 0 {
            place = self.after(place);
        }
        self.slots[place] = hash << 32 | u64::from(id + 1);
    }

    /// How many slots it needs for so many nodes.
    #[inline]
    pub(super) fn size_for(&self, nodes: usize) -> usize {
        let mut slots = self.slots.len();
        while slots < Self::slots_for(nodes) {
            slots *= 2;
        }
        slots
    }

    /// How many slots it has.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.slots.len()
    }

    /// How many slots it may have.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Where the search for a hash begins: the hash as a fraction of all hashes.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    fn after(&self, place: usize) -> usize {
        let next = place + 1;
        if next == self.slots.len() { 0 } else { next }
    }
}
