//! The children of lands that were met lately, within a budget.
//!
//! A search comes back to a land: with another Nim heap beside it, and because its depth-first
//! path forgets what it has left. Of all expansions about a third are of lands expanded before.
//! The lists are kept under the exact land, as bytes, in two generations: when the young one is
//! full it becomes the old one, and what was the old one is forgotten. Clones share them: what one
//! thread of a search has made, the others need not make again.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bouton_game::List;

use super::position::Position;
use super::recognise::hash_of;

/// The memory, in so many parts that threads seldom meet in one.
#[derive(Clone, Debug, Default)]
pub(super) struct Offspring {
    parts: Arc<[Mutex<Part>]>,
}

/// How many parts there are at most, and about how many bytes one has at the least.
const PARTS: usize = 16;
const LEAST: usize = 1 << 20;

#[derive(Debug, Default)]
struct Part {
    young: Generation,
    old: Generation,
    /// Bytes for each of them.
    memory: usize,
}

#[derive(Debug, Default)]
struct Generation {
    /// The children of a land: the length of each in two bytes, then the child.
    lists: HashMap<Position, Box<[u8]>, BuildHasherDefault<LandHasher>>,
    bytes: usize,
}

/// The hash by which lands are recognised: positions come from a search, not from an enemy.
#[derive(Clone, Copy, Debug, Default)]
struct LandHasher(u64);

impl Hasher for LandHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.rotate_left(1) ^ hash_of(bytes);
    }

    /// The number of bytes, which the hash of bytes takes into account.
    #[inline]
    fn write_usize(&mut self, _: usize) {}

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// What an entry takes beside its list, at most: maps double, with both sizes there for a while.
const ENTRY: usize = 4 * (size_of::<(Position, Box<[u8]>)>() + 1);

impl Offspring {
    /// Forgets everything, and keeps to so many bytes from now on. Clones made before go on with
    /// what there was.
    pub(super) fn allow(&mut self, bytes: usize) {
        // A part must have room for some lists.
        let parts = bytes.div_ceil(LEAST).min(PARTS);
        let part = |_| {
            Mutex::new(Part {
                memory: bytes / 2 / parts,
                ..Part::default()
            })
        };
        self.parts = (0..parts).map(part).collect();
    }

    /// The bytes it holds, at most.
    pub(super) fn bytes(&self) -> usize {
        let parts = self.parts.iter().map(lock);
        parts.map(|part| part.young.bytes + part.old.bytes).sum()
    }

    fn part(&self, land: &Position) -> Option<MutexGuard<'_, Part>> {
        if self.parts.is_empty() {
            return None;
        }
        // Not the bits that the map inside uses: its entries would crowd together.
        let hash = hash_of(land.bytes()) >> 32;
        Some(lock(&self.parts[hash as usize % self.parts.len()]))
    }

    /// Adds the children of a land, if they are known.
    pub(super) fn get(&self, land: &Position, into: &mut List<Position>) -> bool {
        let part = self.part(land);
        part.is_some_and(|mut part| part.get(land, into))
    }

    /// Remembers the children of a land.
    pub(super) fn put(&self, land: &Position, children: &[Position]) {
        if self.parts.is_empty() {
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
        if let Some(mut part) = self.part(land) {
            part.keep(land.clone(), list.into_boxed_slice());
        }
    }
}

/// What a thread that panicked has left is as good as any other.
fn lock(part: &Mutex<Part>) -> MutexGuard<'_, Part> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Part {
    fn get(&mut self, land: &Position, into: &mut List<Position>) -> bool {
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
