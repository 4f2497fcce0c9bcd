//! Tables of nimbers that may forget, but never confuse.
//!
//! [`Fifo`] is the table of Beling and Rogalski 2020, section 5.2: so many positions, the
//! oldest goes first. [`Bounded`] is the one to use: so many bytes, and what is known only in
//! part is forgotten before what is known exactly.

use std::collections::{HashMap, VecDeque};

use bouton_game::{Game, Nimber};
use foldhash::fast::FixedState;

use crate::nimber_set::NimberSet;
use crate::recent::{Recent, Value};

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
    exact: Recent<G, Entry>,
    partial: Recent<G, Entry>,
}

impl<G: Game> Bounded<G> {
    /// A table of `memory` bytes.
    pub fn new(memory: usize) -> Self {
        Self {
            exact: Recent::new(memory / 4 * 3),
            partial: Recent::new(memory / 4),
        }
    }
}

impl<G: Game> NimberTable<G> for Bounded<G> {
    fn get(&mut self, position: &G::Position) -> Option<&Entry> {
        let exact = self.exact.find(position);
        exact.or_else(|| self.partial.find(position))
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

impl Value for Entry {
    fn heap_bytes(&self) -> usize {
        match self {
            Self::Exact(_) => 0,
            Self::Partial(set) => set.heap_bytes(),
        }
    }
}
