//! What the searches for nimbers share: a table, the conditions under which they see the game,
//! lists to be filled again, and counts.

use bouton_game::{Expansion, Fact, Impartial, List, Nimber, Outcome};

use crate::nimber_table::{Entry, NimberTable};
use crate::shelf::{Archive, Shelf};
use crate::successors::Conditions;
use crate::watch::{Progress, Stop, Watch};

/// Where a search works.
pub(crate) struct Desk<G: Impartial, T> {
    pub(crate) table: T,
    pub(crate) counts: Progress,
    /// How often the table was asked.
    pub(crate) lookups: u64,
    conditions: Conditions,
    shelf: Shelf<G>,
    /// Expansions before each position on the path.
    starts: Vec<u64>,
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
            shelf: Shelf::EMPTY,
            starts: Vec::new(),
            spare: Vec::new(),
            parts: List::new(),
        }
    }

    /// The position by which a root is known; a new search begins there.
    pub(crate) fn root(&mut self, game: &mut G, position: &G::Position) -> G::Position {
        self.counts.depth = 0;
        self.starts.clear();
        self.conditions.identify(game, position)
    }

    /// What the nimber of a position follows from; the list is to be given back.
    pub(crate) fn expand(
        &mut self,
        game: &mut G,
        position: &G::Position,
    ) -> (Expansion, List<G::Position>) {
        self.starts.push(self.counts.expansions);
        let mut next = self.spare.pop().unwrap_or_default();
        let expansion = self.conditions.expand(game, position, &mut next);
        self.counts.expansions += u64::from(expansion == Expansion::Moves);
        self.counts.depth += 1;
        (expansion, next)
    }

    /// Takes the list of the last position that was expanded back.
    pub(crate) fn give_back(&mut self, list: List<G::Position>) {
        self.spare.push(list);
        self.starts.pop();
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

    /// What the table says of a position, or else the shelf, just before it is expanded.
    pub(crate) fn recall(&mut self, position: &G::Position) -> Option<Entry> {
        self.lookups += 1;
        if let Some(entry) = self.table.get(position) {
            return Some(entry.clone());
        }
        self.on_shelf(position)
    }

    /// What the shelf says of a position that the table does not know exactly.
    pub(crate) fn on_shelf(&mut self, position: &G::Position) -> Option<Entry> {
        let entry = Entry::Exact(self.shelf.get(position)?.nimber()?);
        self.table.put(position, entry.clone());
        Some(entry)
    }

    /// The outcome of a position, if the shelf knows it.
    pub(crate) fn outcome(&mut self, position: &G::Position) -> Option<Outcome> {
        self.shelf.outcome(position)
    }

    /// Keeps the nimber of the position that was expanded last and not yet given back.
    pub(crate) fn keep(&mut self, position: &G::Position, nimber: Nimber) {
        self.table.put(position, Entry::Exact(nimber));
        let start = self.starts.last().expect("the position was expanded");
        let work = self.counts.expansions - start;
        self.shelf.put(position, Fact::Nimber(nimber), work);
    }

    /// Has facts kept in an archive from now on, and asks it.
    pub(crate) fn attach(&mut self, archive: Box<dyn Archive<G>>) {
        self.shelf = Shelf::new(archive);
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
