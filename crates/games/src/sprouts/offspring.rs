//! The children of lands that were met lately, within a budget.
//!
//! A search comes back to a land: with another Nim heap beside it, and because its depth-first
//! path forgets what it has left. Of all expansions about a third are of lands expanded before.
//! The lists are kept under the exact land, as bytes, in two generations: when the young one is
//! full it becomes the old one, and what was the old one is forgotten.

use std::collections::HashMap;

use bouton_game::List;

use super::position::Position;

/// The memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Offspring {
    young: Generation,
    old: Generation,
    /// Bytes for each of them.
    memory: usize,
}

#[derive(Clone, Debug, Default)]
struct Generation {
    /// The children of a land: the length of each in two bytes, then the child.
    lists: HashMap<Position, Box<[u8]>>,
    bytes: usize,
}

/// What an entry takes beside its list, at most: maps double, with both sizes there for a while.
const ENTRY: usize = 4 * (size_of::<(Position, Box<[u8]>)>() + 1);

impl Offspring {
    /// Forgets everything, and keeps to so many bytes from now on.
    pub(super) fn allow(&mut self, bytes: usize) {
        *self = Self::default();
        self.memory = bytes / 2;
    }

    /// The bytes it holds, at most.
    pub(super) fn bytes(&self) -> usize {
        self.young.bytes + self.old.bytes
    }

    /// Adds the children of a land, if they are known.
    pub(super) fn get(&mut self, land: &Position, into: &mut List<Position>) -> bool {
        if let Some(list) = self.young.lists.get(land) {
            read(list, into);
            return true;
        }
        let Some((land, list)) = self.old.lists.remove_entry(land) else {
            return false;
        };
        self.old.bytes -= cost(&land, &list);
        read(&list, into);
        self.keep(land, list);
        true
    }

    /// Remembers the children of a land.
    pub(super) fn put(&mut self, land: &Position, children: &[Position]) {
        if self.memory == 0 {
            return;
        }
        let length = children.iter().map(|child| child.bytes().len() + 2).sum();
        let mut list = Vec::with_capacity(length);
        for child in children {
            let Ok(length) = u16::try_from(child.bytes().len()) else {
                return;
            };
            list.extend_from_slice(&length.to_le_bytes());
            list.extend_from_slice(child.bytes());
        }
        self.keep(land.clone(), list.into_boxed_slice());
    }

    fn keep(&mut self, land: Position, list: Box<[u8]>) {
        let cost = cost(&land, &list);
        if self.young.bytes + cost > self.memory {
            self.old = std::mem::take(&mut self.young);
        }
        if cost <= self.memory {
            self.young.bytes += cost;
            self.young.lists.insert(land, list);
        }
    }
}

fn cost(land: &Position, list: &[u8]) -> usize {
    ENTRY + land.heap_bytes() + list.len()
}

fn read(mut list: &[u8], into: &mut List<Position>) {
    while let Some((length, rest)) = list.split_first_chunk::<2>() {
        let (child, rest) = rest.split_at(usize::from(u16::from_le_bytes(*length)));
        into.push(Position::from_bytes(child));
        list = rest;
    }
}
