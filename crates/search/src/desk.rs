//! What the searches for nimbers share: a table, the conditions under which they see the game,
//! lists to be filled again, and counts.

use bouton_game::{Expansion, Impartial, List};

use crate::nimber_table::{Entry, NimberTable};
use crate::successors::Conditions;
use crate::watch::{Progress, Stop, Watch};

/// Where a search works.
pub(crate) struct Desk<G: Impartial, T> {
    pub(crate) table: T,
    pub(crate) counts: Progress,
    /// How often the table was asked.
    pub(crate) lookups: u64,
    conditions: Conditions,
    spare: Vec<List<G::Position>>,
    parts: List<G::Position>,
}

impl<G: Impartial, T: NimberTable<G>> Desk<G, T> {
    pub(crate) fn new(conditions: Conditions, table: T) -> Self {
        Self {
            table,
            counts: Progress::default(),
            lookups: 0,
            conditions,
            spare: Vec::new(),
            parts: List::new(),
        }
    }

    /// The position by which a root is known; a new search begins there.
    pub(crate) fn root(&mut self, game: &mut G, position: &G::Position) -> G::Position {
        self.counts.depth = 0;
        self.conditions.identify(game, position)
    }

    /// What the nimber of a position follows from; the list is to be given back.
    pub(crate) fn expand(
        &mut self,
        game: &mut G,
        position: &G::Position,
    ) -> (Expansion, List<G::Position>) {
        let mut next = self.spare.pop().unwrap_or_default();
        let expansion = self.conditions.expand(game, position, &mut next);
        self.counts.expansions += u64::from(expansion == Expansion::Moves);
        self.counts.depth += 1;
        (expansion, next)
    }

    /// Takes the list of the last position that was expanded back.
    pub(crate) fn give_back(&mut self, list: List<G::Position>) {
        self.spare.push(list);
        self.counts.depth -= 1;
    }

    /// Notes that so many of all successors are done, if they are the root's.
    pub(crate) fn note(&mut self, done: usize, all: usize) {
        if self.counts.depth == 1 {
            self.counts.root = (done, all);
        }
    }

    /// What the table says of a position, or of its components.
    pub(crate) fn known(&mut self, game: &mut G, position: &G::Position) -> Option<Entry> {
        self.lookups += 1;
        self.conditions
            .known(game, &mut self.table, position, &mut self.parts)
    }

    /// Puts successors that the table does not know into order, if the order asks for it.
    pub(crate) fn sort_unknown(&mut self, game: &mut G, successors: &mut List<G::Position>) {
        self.conditions
            .sort_unknown(game, &mut self.table, successors);
    }

    /// Counts a visit, and lets whoever watches look in.
    pub(crate) fn visit(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        self.counts.evaluations += 1;
        let (counts, table) = (&mut self.counts, &self.table);
        watch.tick(|| {
            counts.table_entries = table.len() as u64;
            counts.bytes = table.bytes();
            *counts
        })
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress {
            facts: self.table.facts() as u64,
            table_entries: self.table.len() as u64,
            ..self.counts
        }
    }
}
