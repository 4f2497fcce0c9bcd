//! Deletion of what the root does not need any more, when the memory is full.
//!
//! Allis 1994 deletes solved subtrees at once. In a graph a solved node's subtree may be needed
//! elsewhere, and to count who needs it costs as much as to look; so all is done in one sweep,
//! on demand: solved nodes lose their links, and what cannot be reached from the root without
//! them goes. Outcomes move into the table, numbers of open nodes are lost.
//!
//! What stays moves together and keeps its order, in place: nodes are marked along a chain that
//! runs through the records themselves, then each record that stays learns its new number, then
//! links and at last nodes move up.

use bouton_table::{Entry, Table};

use super::record::{COUNT, FLAG, Kind, Link, Record};
use super::{Context, Graph, Id, NONE};
use crate::space::{Branch, Space};

impl<S: Space> Graph<S> {
    /// Deletes what is not needed; says whether that was worth the while.
    pub(crate) fn collect(&mut self, context: &mut Context<S>) -> bool {
        self.retire(context);
        let before = self.bytes();
        self.mark();
        self.number_anew();
        self.move_links();
        self.move_nodes();
        self.fill_index(self.index.size());
        self.chain_parents();
        before - self.bytes() >= self.limit / 64
    }

    /// Lets the table know what is solved.
    pub(crate) fn retire(&self, context: &mut Context<S>) {
        for (id, record) in self.records.iter().enumerate() {
            if let (true, Branch::Node(node)) = (record.numbers.is_solved(), &self.branches[id]) {
                // What was made early and is solved late has a large subtree.
                let work = u32::try_from(self.len() - id).unwrap_or(u32::MAX);
                let numbers = record.numbers;
                let entry = Entry { numbers, work };
                Table::put(context.table, context.space.key(node), entry);
            }
        }
    }

    /// Marks what can be reached from the root through open nodes.
    fn mark(&mut self) {
        for record in &mut self.records {
            record.parents = NONE;
        }
        self.records[self.root as usize].count |= FLAG;
        let mut top = self.root;
        while top != NONE {
            let record = self.records[top as usize];
            top = record.parents;
            if record.is_leaf() {
                continue;
            }
            for link in &self.links[record.links()] {
                let child = &mut self.records[link.child as usize];
                if !child.is_flagged() && !child.numbers.is_solved() {
                    child.count |= FLAG;
                    child.parents = std::mem::replace(&mut top, link.child);
                }
            }
        }
    }

    /// Writes the new number of each marked node where its parents were.
    fn number_anew(&mut self) {
        let mut next = 0;
        for record in &mut self.records {
            if record.is_flagged() {
                record.parents = next;
                next += 1;
            }
        }
    }

    /// Moves the links of marked nodes that lead to marked nodes.
    fn move_links(&mut self) {
        let (mut from, mut to) = (0, 0);
        while from < self.links.len() {
            let owner = self.links[from].parent as usize;
            let record = self.records[owner];
            // Links that were given up belong to nobody.
            if !record.is_flagged() || record.start as usize != from {
                from += 1;
                continue;
            }
            let start = to;
            for link in record.links() {
                let child = self.records[self.links[link].child as usize];
                if !child.is_flagged() {
                    continue;
                }
                self.move_link(link, to, record.parents, child.parents);
                to += 1;
            }
            let (had, has) = (record.count & COUNT, (to - start) as u32);
            debug_assert!(record.kind() == Kind::Choice || has == had);
            let best = self.records[record.best as usize].parents;
            let moved = &mut self.records[owner];
            moved.start = start as Id;
            moved.count = record.count & !COUNT | has;
            moved.best = best;
            from += had as usize;
        }
        self.links.truncate(to);
        self.heaps.truncate(to);
    }

    fn move_link(&mut self, from: usize, to: usize, parent: Id, child: Id) {
        self.links[to] = Link {
            child,
            parent,
            next: NONE,
        };
        if S::HAS_SUMS {
            self.heaps[to] = self.heaps[from];
        }
    }

    /// Moves marked nodes to their new numbers.
    fn move_nodes(&mut self) {
        self.root = self.records[self.root as usize].parents;
        let mut kept = 0;
        for id in 0..self.records.len() {
            let record = self.records[id];
            if !record.is_flagged() {
                continue;
            }
            self.records[kept] = Record {
                parents: NONE,
                count: record.count & !FLAG,
                ..record
            };
            self.branches.swap(kept, id);
            kept += 1;
        }
        self.records.truncate(kept);
        self.branches.truncate(kept);
        self.elsewhere = self.branches.iter().map(S::heap_bytes).sum();
    }

    fn chain_parents(&mut self) {
        for (id, link) in self.links.iter_mut().enumerate() {
            let parents = &mut self.records[link.child as usize].parents;
            link.next = std::mem::replace(parents, id as Id);
        }
    }
}
