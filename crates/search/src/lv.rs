//! The search of Lemoine and Viennot: is the position with a Nim heap beside it a loss?
//!
//! Papers: Lemoine and Viennot 2012; Beling and Rogalski 2020, listings 1, 2 and 9. A position
//! `s` has nimber `n` if and only if `s + *n` is a loss, so `n` is tried from 0 on. To show that
//! `s + *n` is a win it is enough to find one loss among `s' + *n`, for the successors `s'`,
//! and `s + *i`, for the smaller heaps `i`.
//!
//! Differences: beyond the paper, [`Options::excluding`] remembers every heap with which a
//! position was found to be a win, and [`Options::successors_first`] tries the successors
//! before the smaller heaps, which is good where nimbers are small.
//!
//! Invariant: an exact entry of the table is the position's nimber; a partial entry is a set
//! without it.

use bouton_game::{Expansion, Impartial, List, Nimber, Outcome};

use crate::deep_stack;
use crate::desk::Desk;
use crate::nimber_set::NimberSet;
use crate::nimber_table::{Entry, NimberTable};
use crate::shelf::Archive;
use crate::solver::{NimberSolver, Solver};
use crate::successors::Conditions;
use crate::watch::{Progress, Stop, Watch};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Remember the heaps with which a position is a win.
    pub excluding: bool,
    /// Try the successors before the smaller heaps.
    pub successors_first: bool,
    /// How the game is seen.
    pub conditions: Conditions,
}

/// The solver.
pub struct Lv<G: Impartial, T> {
    options: Options,
    desk: Desk<G, T>,
}

impl<G: Impartial, T: NimberTable<G>> Lv<G, T> {
    /// A solver with a table.
    pub fn new(options: Options, table: T) -> Self {
        Self {
            options,
            desk: Desk::new(options.conditions, table),
        }
    }

    /// How often the table was asked.
    pub fn lookups(&self) -> u64 {
        self.desk.lookups
    }

    /// Listing 2.
    fn value(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Nimber, Stop> {
        let mut nimber = 0;
        while !self.is_losing(game, position, nimber, watch)? {
            nimber += 1;
        }
        Ok(nimber)
    }

    /// Listing 9: whether the position with a heap beside it is a loss.
    fn is_losing(
        &mut self,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
        watch: &mut Watch,
    ) -> Result<bool, Stop> {
        self.desk.visit(watch)?;
        if let Some(losing) = self.known_losing(game, position, heap) {
            return Ok(losing);
        }
        if let Some(Entry::Exact(nimber)) = self.desk.on_shelf(position) {
            return Ok(nimber == heap);
        }
        let (expansion, mut next) = self.desk.expand(game, position);
        let losing = match expansion {
            Expansion::Moves => {
                let mut seen = NimberSet::new();
                let wins = match self.look_up(game, heap, &mut next, &mut seen) {
                    Known::Nimber(nimber) => {
                        self.desk.keep(position, nimber);
                        self.desk.give_back(next);
                        return Ok(nimber == heap);
                    }
                    Known::Win => true,
                    Known::Nothing => {
                        self.desk.sort_unknown(game, &mut next);
                        self.finds_loss(game, position, heap, &next, watch)?
                    }
                };
                if wins {
                    seen.insert(heap);
                    self.exclude(position, seen);
                } else {
                    self.desk.keep(position, heap);
                }
                Ok(!wins)
            }
            Expansion::Sum => self.is_sum_losing(game, &next, heap, watch),
            Expansion::Decided(_) => unreachable!("an impartial game ends when no move is left"),
            Expansion::TooMany => Err(Stop::Memory),
        };
        self.desk.give_back(next);
        losing
    }

    /// What the table says of a position with a heap.
    fn known_losing(&mut self, game: &mut G, position: &G::Position, heap: Nimber) -> Option<bool> {
        loses(&self.desk.known(game, position)?, heap)
    }

    /// All components but the last are worth a heap.
    fn is_sum_losing(
        &mut self,
        game: &mut G,
        parts: &[G::Position],
        heap: Nimber,
        watch: &mut Watch,
    ) -> Result<bool, Stop> {
        let Some((last, others)) = parts.split_last() else {
            return Ok(heap == 0);
        };
        let mut heap = heap;
        for part in others {
            heap ^= self.value(game, part, watch)?;
        }
        self.is_losing(game, last, heap, watch)
    }

    /// ETC: what follows from the successors that the table knows. Those that are wins leave the
    /// list; the nimbers of those known exactly are `seen`, and the position has another one.
    fn look_up(
        &mut self,
        game: &mut G,
        heap: Nimber,
        successors: &mut List<G::Position>,
        seen: &mut NimberSet,
    ) -> Known {
        let mut unknown = 0;
        let mut exact = 0;
        for index in 0..successors.len() {
            let entry = self.desk.known(game, &successors[index]);
            if let Some(Entry::Exact(nimber)) = entry {
                seen.insert(nimber);
                exact += 1;
            }
            match entry.and_then(|entry| loses(&entry, heap)) {
                // Whoever remembers what is excluded wants to see all of it.
                Some(true) if !self.options.excluding => return Known::Win,
                Some(_) => {}
                None => {
                    successors.swap(unknown, index);
                    unknown += 1;
                }
            }
        }
        let all = successors.len();
        successors.truncate(unknown);
        if self.options.excluding && exact == all {
            Known::Nimber(seen.mex())
        } else if seen.contains(heap) {
            Known::Win
        } else {
            Known::Nothing
        }
    }

    /// Whether some move, in the position or in the heap, leads to a loss.
    fn finds_loss(
        &mut self,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
        successors: &[G::Position],
        watch: &mut Watch,
    ) -> Result<bool, Stop> {
        for successors_turn in [
            self.options.successors_first,
            !self.options.successors_first,
        ] {
            if successors_turn {
                for (done, successor) in successors.iter().enumerate() {
                    self.desk.note(done, successors.len());
                    if self.is_losing(game, successor, heap, watch)? {
                        return Ok(true);
                    }
                }
            } else {
                for smaller in 0..heap {
                    if self.is_losing(game, position, smaller, watch)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Remembers heaps with which a position is a win.
    fn exclude(&mut self, position: &G::Position, mut excluded: NimberSet) {
        if !self.options.excluding {
            return;
        }
        match self.desk.table.get(position) {
            // A loss with a smaller heap, found meanwhile, says more.
            Some(Entry::Exact(_)) => return,
            Some(Entry::Partial(before)) => excluded.insert_all(before),
            None => {}
        }
        self.desk.table.put(position, Entry::Partial(excluded));
    }
}

/// What follows from the successors that the table knows.
enum Known {
    /// The nimber: all of them are known.
    Nimber(Nimber),
    /// With the heap asked for, one of them is a loss.
    Win,
    /// Nothing yet.
    Nothing,
}

/// Whether a position is a loss with a heap, as far as an entry of the table tells.
fn loses(entry: &Entry, heap: Nimber) -> Option<bool> {
    match entry {
        Entry::Exact(nimber) => Some(*nimber == heap),
        Entry::Partial(excluded) => excluded.contains(heap).then_some(false),
    }
}

impl<G: Impartial, T: NimberTable<G>> Solver<G> for Lv<G, T> {
    fn outcome(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let root = self.desk.root(game, position);
        let losing = deep_stack::run(|| self.is_losing(game, &root, 0, watch))?;
        Ok(if losing { Outcome::Loss } else { Outcome::Win })
    }

    fn known(&mut self, game: &mut G, position: &G::Position) -> Option<Outcome> {
        let root = self.desk.root(game, position);
        match self.known_losing(game, &root, 0) {
            Some(true) => Some(Outcome::Loss),
            Some(false) => Some(Outcome::Win),
            None => self.desk.outcome(&root),
        }
    }

    fn attach(&mut self, archive: Box<dyn Archive<G>>) {
        self.desk.attach(archive);
    }

    fn progress(&self) -> Progress {
        self.desk.progress()
    }
}

impl<G: Impartial, T: NimberTable<G>> NimberSolver<G> for Lv<G, T> {
    fn nimber(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Nimber, Stop> {
        let root = self.desk.root(game, position);
        deep_stack::run(|| self.value(game, &root, watch))
    }
}
