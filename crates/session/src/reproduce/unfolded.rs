//! An impartial game with its positions numbered, and the successors of each written down.
//!
//! The tables of Beling and Rogalski 2020 take up to a billion visits to a few hundred
//! positions: unfolding the game once makes a visit several times cheaper and changes nothing
//! that is counted. Positions are raw: no symmetry, no sums.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

use bouton_game::{Game, Impartial, List};
use bouton_search::dice::Dice;
use bouton_search::nimber_table::{Entry, NimberTable};
use bouton_search::successors::{Conditions, Order};
use bouton_search::watch::{Progress, Stop, Watch};

/// All positions that can be reached from one.
pub(super) struct Unfolding<P> {
    /// By number; the root is number 0.
    positions: Vec<P>,
    /// Where the successors of each begin, and where those of the last end.
    starts: Arc<[u32]>,
    /// The numbers of the successors, in the order in which the game lists them.
    successors: Vec<u32>,
}

impl<P: Clone + Eq + Hash> Unfolding<P> {
    /// Unfolds a game from a root on.
    pub(super) fn new<G: Impartial<Position = P>>(
        game: &mut G,
        root: &P,
        watch: &mut Watch,
    ) -> Result<Self, Stop> {
        let mut numbers = HashMap::from([(root.clone(), 0)]);
        let mut positions = vec![root.clone()];
        let mut starts = vec![0];
        let mut successors = Vec::new();
        let mut next = List::new();
        let mut done = 0;
        while let Some(position) = positions.get(done).cloned() {
            watch.tick(Progress::default)?;
            Conditions::raw(Order::Listed).expand(game, &position, &mut next);
            for successor in next.iter() {
                let number = *numbers.entry(successor.clone()).or_insert_with(|| {
                    positions.push(successor.clone());
                    positions.len() as u32 - 1
                });
                successors.push(number);
            }
            starts.push(successors.len() as u32);
            done += 1;
        }
        Ok(Self {
            positions,
            starts: starts.into(),
            successors,
        })
    }

    /// The game, its successors listed in an order: the same in which a search of the game
    /// itself would meet them.
    pub(super) fn in_order(&self, order: Order) -> Unfolded {
        let mut successors = self.successors.clone();
        if let Order::Shuffled(variant) = order {
            for (number, position) in self.positions.iter().enumerate() {
                let range = self.starts[number] as usize..self.starts[number + 1] as usize;
                Dice::of(position, variant).shuffle(&mut successors[range]);
            }
        }
        Unfolded {
            starts: Arc::clone(&self.starts),
            successors: successors.into(),
        }
    }
}

/// The game whose positions are numbers; play starts at [`ROOT`](Self::ROOT).
#[derive(Clone)]
pub(super) struct Unfolded {
    starts: Arc<[u32]>,
    successors: Arc<[u32]>,
}

impl Unfolded {
    /// The number of the position that was unfolded.
    pub(super) const ROOT: u32 = 0;

    fn successors(&self, position: u32) -> &[u32] {
        let number = position as usize;
        &self.successors[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

impl Game for Unfolded {
    type Position = u32;
    type Move = u32;

    fn moves(&mut self, position: &u32, into: &mut List<u32>) {
        let successors = self.successors(*position).iter();
        successors.for_each(|&successor| into.push(successor));
    }

    /// The moves, in their order.
    fn children(&mut self, position: &u32, into: &mut List<u32>) {
        self.moves(position, into);
    }

    fn play(&self, _: &u32, successor: &u32) -> u32 {
        *successor
    }

    fn canonical(&mut self, position: &u32) -> u32 {
        *position
    }

    fn count_moves(&mut self, position: &u32) -> Result<u64, bouton_game::TooMany> {
        Ok(self.successors(*position).len() as u64)
    }
}

impl Impartial for Unfolded {}

/// The table of the paper, first in, first out, by the numbers of positions.
pub(super) struct NumberedFifo {
    capacity: usize,
    entries: Vec<Option<Entry>>,
    /// The positions, the oldest first.
    queue: VecDeque<u32>,
}

impl NumberedFifo {
    /// A table of `capacity` positions of a game.
    pub(super) fn new(game: &Unfolded, capacity: usize) -> Self {
        Self {
            capacity,
            entries: vec![None; game.starts.len() - 1],
            queue: VecDeque::new(),
        }
    }
}

impl NimberTable<Unfolded> for NumberedFifo {
    fn get(&mut self, position: &u32) -> Option<&Entry> {
        self.entries[*position as usize].as_ref()
    }

    fn put(&mut self, position: &u32, entry: Entry) {
        // A position that is known already keeps its place in the queue.
        if self.entries[*position as usize].replace(entry).is_none() {
            self.queue.push_back(*position);
        }
        if self.queue.len() > self.capacity
            && let Some(oldest) = self.queue.pop_front()
        {
            self.entries[oldest as usize] = None;
        }
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn facts(&self) -> usize {
        let exact = |entry: &&Option<Entry>| matches!(entry, Some(Entry::Exact(_)));
        self.entries.iter().filter(exact).count()
    }

    fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Option<Entry>>() + self.queue.capacity() * size_of::<u32>()
    }
}
