//! What was found out lately about positions, within a budget: exact, but may forget.
//!
//! A map in two generations: when the young one is full it becomes the old one, and what was
//! the old one is forgotten.

use std::collections::HashMap;

use bouton_game::{Game, Nimber};
use foldhash::fast::FixedState;

/// What can be remembered.
pub trait Value: Clone {
    /// Bytes that it holds outside of itself.
    fn heap_bytes(&self) -> usize {
        0
    }
}

impl Value for Nimber {}

/// The map.
#[derive(Clone, Debug)]
pub struct Recent<G: Game, V> {
    young: Generation<G, V>,
    old: Generation<G, V>,
    /// Bytes for each of them.
    memory: usize,
    has_forgotten: bool,
}

impl<G: Game, V: Value> Recent<G, V> {
    /// A map of at most so many bytes.
    pub fn new(memory: usize) -> Self {
        Self {
            young: Generation::new(0),
            old: Generation::new(0),
            memory: memory / 2,
            has_forgotten: false,
        }
    }

    /// What is known about a position.
    pub fn find(&self, position: &G::Position) -> Option<&V> {
        let young = self.young.map.get(position);
        young.or_else(|| self.old.map.get(position))
    }

    /// Remembers something about a position, in place of what was known.
    pub fn put(&mut self, position: &G::Position, value: V) {
        if self.young.is_full(self.memory) {
            // All at once: two maps of the full size fit, a third while one grows does not.
            self.has_forgotten |= !self.old.map.is_empty();
            let successor = Generation::new(Generation::<G, V>::capacity_of(self.memory));
            drop(std::mem::replace(&mut self.old, Generation::new(0)));
            self.old = std::mem::replace(&mut self.young, successor);
        }
        self.young.put(position, value);
    }

    /// Whether it ever had to forget something.
    pub fn has_forgotten(&self) -> bool {
        self.has_forgotten
    }

    /// How many positions are known.
    pub fn len(&self) -> usize {
        self.young.map.len() + self.old.map.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.young.bytes() + self.old.bytes()
    }
}

impl<G: Game, V: Value + Copy> Recent<G, V> {
    /// What is known about a position.
    pub fn get(&self, position: &G::Position) -> Option<V> {
        self.find(position).copied()
    }
}

#[derive(Clone, Debug)]
struct Generation<G: Game, V> {
    map: HashMap<G::Position, V, FixedState>,
    /// Bytes that positions and values hold elsewhere.
    heap: usize,
}

impl<G: Game, V: Value> Generation<G, V> {
    /// An entry with its byte of control.
    const SLOT: usize = size_of::<(G::Position, V)>() + 1;

    fn new(capacity: usize) -> Self {
        Self {
            map: HashMap::with_capacity_and_hasher(capacity, FixedState::default()),
            heap: 0,
        }
    }

    /// How many entries fit into so many bytes: slots come by powers of two and are filled to
    /// seven eighths.
    fn capacity_of(memory: usize) -> usize {
        let slots = (memory / Self::SLOT).max(8);
        (1 << slots.ilog2()) / 8 * 7
    }

    fn is_full(&self, memory: usize) -> bool {
        self.map.len() >= Self::capacity_of(memory) || self.bytes() > memory
    }

    fn put(&mut self, position: &G::Position, value: V) {
        let heap = G::heap_bytes(position);
        self.heap += heap + value.heap_bytes();
        if let Some(replaced) = self.map.insert(position.clone(), value) {
            self.heap -= heap + replaced.heap_bytes();
        }
    }

    fn bytes(&self) -> usize {
        self.map.capacity() * 8 / 7 * Self::SLOT + self.heap
    }
}
