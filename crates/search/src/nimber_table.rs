//! Tables of nimbers that may forget, but never confuse.
//!
//! [`Fifo`] is the table of Beling and Rogalski 2020, section 5.2: so many positions, the
//! oldest goes first. [`Bounded`] is the one to use: so many bytes, and what is known only in
//! part is forgotten before what is known exactly.

use std::collections::{HashMap, VecDeque};

use bouton_game::{Game, Nimber};
use foldhash::fast::FixedState;

use crate::nimber_set::NimberSet;

/// What is known about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Its nimber.
    Exact(Nimber),
    /// Something about its nimber; what, is for the algorithm to say.
    Partial(NimberSet),
}

/// A table of what is known about positions of `G`.
pub trait NimberTable<G: Game>: Send {
    /// What is known about a position.
    fn get(&mut self, position: &G::Position) -> Option<&Entry>;

    /// Remembers something in place of what was known, for a while at least.
    fn put(&mut self, position: &G::Position, entry: Entry);

    /// How many positions it knows something about.
    fn len(&self) -> usize;

    /// Whether it knows nothing.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many positions it knows exactly.
    fn facts(&self) -> usize;

    /// The bytes it holds.
    fn bytes(&self) -> usize;
}

/// A table, or none: then nothing is ever known.
impl<G: Game, T: NimberTable<G>> NimberTable<G> for Option<T> {
    fn get(&mut self, position: &G::Position) -> Option<&Entry> {
        self.as_mut()?.get(position)
    }

    fn put(&mut self, position: &G::Position, entry: Entry) {
        if let Some(table) = self {
            table.put(position, entry);
        }
    }

    fn len(&self) -> usize {
        self.as_ref().map_or(0, NimberTable::len)
    }

    fn facts(&self) -> usize {
        self.as_ref().map_or(0, NimberTable::facts)
    }

    fn bytes(&self) -> usize {
        self.as_ref().map_or(0, NimberTable::bytes)
    }
}

/// First in, first out.
#[derive(Clone, Debug)]
pub struct Fifo<G: Game> {
    capacity: usize,
    entries: HashMap<G::Position, Entry, FixedState>,
    /// The positions, the oldest first.
    queue: VecDeque<G::Position>,
}

impl<G: Game> Fifo<G> {
    /// A table of `capacity` positions.
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity,
            entries: HashMap::default(),
            queue: VecDeque::new(),
        }
    }
}

impl<G: Game> NimberTable<G> for Fifo<G> {
    fn get(&mut self, position: &G::Position) -> Option<&Entry> {
        self.entries.get(position)
    }

    fn put(&mut self, position: &G::Position, entry: Entry) {
        // A position that is known already keeps its place in the queue.
        if self.entries.insert(position.clone(), entry).is_none() {
            self.queue.push_back(position.clone());
        }
        if self.entries.len() > self.capacity
            && let Some(oldest) = self.queue.pop_front()
        {
            self.entries.remove(&oldest);
        }
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn facts(&self) -> usize {
        let exact = |entry: &&Entry| matches!(entry, Entry::Exact(_));
        self.entries.values().filter(exact).count()
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * (size_of::<(G::Position, Entry)>() + 1) * 8 / 7
            + self.queue.capacity() * size_of::<G::Position>()
    }
}

/// So many bytes, three quarters of them for exact entries.
#[derive(Clone, Debug)]
pub struct Bounded<G: Game> {
    exact: Generations<G>,
    partial: Generations<G>,
}

impl<G: Game> Bounded<G> {
    /// A table of `memory` bytes.
    pub fn new(memory: usize) -> Self {
        Self {
            exact: Generations::new(memory / 4 * 3),
            partial: Generations::new(memory / 4),
        }
    }
}

impl<G: Game> NimberTable<G> for Bounded<G> {
    fn get(&mut self, position: &G::Position) -> Option<&Entry> {
        let exact = self.exact.get(position);
        exact.or_else(|| self.partial.get(position))
    }

    fn put(&mut self, position: &G::Position, entry: Entry) {
        match entry {
            Entry::Exact(_) => self.exact.put(position, entry),
            Entry::Partial(_) => self.partial.put(position, entry),
        }
    }

    fn len(&self) -> usize {
        self.exact.len() + self.partial.len()
    }

    fn facts(&self) -> usize {
        self.exact.len()
    }

    fn bytes(&self) -> usize {
        self.exact.bytes() + self.partial.bytes()
    }
}

/// A map in two generations: when the young one is full it becomes the old one, and what was
/// the old one is forgotten.
#[derive(Clone, Debug)]
struct Generations<G: Game> {
    young: Generation<G>,
    old: Generation<G>,
    /// Bytes for each of them.
    memory: usize,
}

impl<G: Game> Generations<G> {
    fn new(memory: usize) -> Self {
        Self {
            young: Generation::new(0),
            old: Generation::new(0),
            memory: memory / 2,
        }
    }

    fn get(&self, position: &G::Position) -> Option<&Entry> {
        let young = self.young.map.get(position);
        young.or_else(|| self.old.map.get(position))
    }

    fn put(&mut self, position: &G::Position, entry: Entry) {
        if self.young.is_full(self.memory) {
            // All at once: two maps of the full size fit, a third while one grows does not.
            let successor = Generation::new(Generation::<G>::capacity_of(self.memory));
            drop(std::mem::replace(&mut self.old, Generation::new(0)));
            self.old = std::mem::replace(&mut self.young, successor);
        }
        self.young.put(position, entry);
    }

    fn len(&self) -> usize {
        self.young.map.len() + self.old.map.len()
    }

    fn bytes(&self) -> usize {
        self.young.bytes() + self.old.bytes()
    }
}

#[derive(Clone, Debug)]
struct Generation<G: Game> {
    map: HashMap<G::Position, Entry, FixedState>,
    /// Bytes that positions and sets hold elsewhere.
    heap: usize,
}

impl<G: Game> Generation<G> {
    /// An entry with its byte of control.
    const SLOT: usize = size_of::<(G::Position, Entry)>() + 1;

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

    fn put(&mut self, position: &G::Position, entry: Entry) {
        self.heap += heap_bytes::<G>(position, &entry);
        if let Some(replaced) = self.map.insert(position.clone(), entry) {
            self.heap -= heap_bytes::<G>(position, &replaced);
        }
    }

    fn bytes(&self) -> usize {
        self.map.capacity() * 8 / 7 * Self::SLOT + self.heap
    }
}

fn heap_bytes<G: Game>(position: &G::Position, entry: &Entry) -> usize {
    let set = match entry {
        Entry::Exact(_) => 0,
        Entry::Partial(set) => set.heap_bytes(),
    };
    G::heap_bytes(position) + set
}
