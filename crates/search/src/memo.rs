//! Exact memory: what is known about positions, kept under the positions themselves.
//!
//! Nothing is ever forgotten or confused. When the next growth of the map would exceed the
//! budget, inserting fails and the run ends with [`Stop::Memory`].

use std::collections::HashMap;

use bouton_game::Game;
use foldhash::fast::FixedState;

use crate::watch::Stop;

/// The bytes a run may hold, and those it does.
#[derive(Clone, Debug)]
pub struct Budget {
    limit: usize,
    used: usize,
}

impl Budget {
    /// A budget of `limit` bytes, none of them used.
    pub fn new(limit: usize) -> Self {
        Self { limit, used: 0 }
    }

    /// Takes bytes; fails if that many are not left.
    pub fn take(&mut self, bytes: usize) -> Result<(), Stop> {
        let used = self.used.saturating_add(bytes);
        if used > self.limit {
            return Err(Stop::Memory);
        }
        self.used = used;
        Ok(())
    }

    /// Gives bytes back.
    pub fn give(&mut self, bytes: usize) {
        self.used -= bytes;
    }

    /// The bytes in use.
    pub fn used(&self) -> usize {
        self.used
    }
}

/// A map from positions of `G` to values.
#[derive(Clone, Debug)]
pub struct Memo<G: Game, V> {
    map: HashMap<G::Position, V, FixedState>,
}

impl<G: Game, V: Copy> Memo<G, V> {
    /// An empty map.
    pub fn new() -> Self {
        let map = HashMap::default();
        Self { map }
    }

    /// What is known about a position.
    pub fn get(&self, position: &G::Position) -> Option<V> {
        self.map.get(position).copied()
    }

    /// Keeps a value; says whether the position is new.
    pub fn insert(
        &mut self,
        position: G::Position,
        value: V,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        if self.map.len() == self.map.capacity() {
            self.grow(budget)?;
        }
        let heap = G::heap_bytes(&position);
        let new = self.map.insert(position, value).is_none();
        if new {
            budget.take(heap)?;
        }
        Ok(new)
    }

    /// How many positions are known.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Doubles the map. While entries move, the old and the new table exist side by side.
    fn grow(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let old = Self::table_bytes(self.map.capacity());
        let new = Self::table_bytes(2 * self.map.capacity().max(2));
        budget.take(new)?;
        self.map.reserve(self.map.capacity().max(3));
        budget.give(old);
        Ok(())
    }

    /// The bytes of a table with this capacity: slots by powers of two, filled to seven
    /// eighths, with a byte of control each.
    fn table_bytes(capacity: usize) -> usize {
        if capacity == 0 {
            return 0;
        }
        let slots = (capacity * 8 / 7).next_power_of_two();
        slots * (size_of::<(G::Position, V)>() + 1)
    }
}

impl<G: Game, V: Copy> Default for Memo<G, V> {
    fn default() -> Self {
        Self::new()
    }
}
