//! Mex tree search: nimbers with pruning.
//!
//! Paper: Beling and Rogalski 2020, listings 3 (`def`), 4 (`scut`), 5 (`cut`), 6 (ETC), 7
//! (resuming), 8 (aspiration sets), and section 3 (sums). All of them are one function,
//! `MexTree::search`, whose [`Options`] say which lines of the listings it has.
//!
//! Idea: while the successors of a position are visited one by one, its nimber is in a
//! shrinking set *P* of possible ones, which starts as {0, ..., number of successors}. Whoever
//! asks needs the nimber only if it is in a set *R* of wanted ones; as soon as P and R have
//! nothing in common, the rest of the successors can be skipped.
//!
//! Differences: `cut` trusts a result up to and including max(R), as the paper's prose says
//! (its listing prints `<`). Beyond the paper, [`Options::excluding`]: when a search ends
//! without the nimber, R is remembered as excluded. That does not depend on the order of the
//! successors, so, unlike resuming, it goes together with ETC.
//!
//! Invariant: an exact entry of the table is the position's nimber; a partial entry is P after
//! the first successors (resuming) or a set without the nimber (excluding).

use std::collections::HashMap;

use bouton_game::{Expansion, Impartial, List, Nimber, Outcome};
use foldhash::fast::FixedState;

use crate::deep_stack;
use crate::desk::Desk;
use crate::nimber_set::NimberSet;
use crate::nimber_table::{Entry, NimberTable};
use crate::shelf::Archive;
use crate::solver::{NimberSolver, Solver, outcome_of};
use crate::successors::Conditions;
use crate::watch::{Progress, Stop, Watch};

/// Which of the paper's algorithms to run, and under which conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// When successors are skipped.
    pub pruning: Pruning,
    /// R: go on where an earlier search of the position was cut off.
    pub resuming: bool,
    /// E: look all successors up before visiting any.
    pub etc: Etc,
    /// A: ask for small sets of nimbers, one after the other.
    pub aspiration: Aspiration,
    /// X: remember sets that do not contain the nimber.
    pub excluding: bool,
    /// How the game is seen.
    pub conditions: Conditions,
}

/// When successors are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Never (`def`).
    Never,
    /// When P and R are disjoint; successors are asked for P without its maximum (`scut`).
    Simple,
    /// The same, and successors are asked for nothing above max(R) (`cut`).
    Full,
}

/// Whether all successors are looked up before any is visited: Enhanced Transposition Cutoff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Etc {
    /// No.
    Off,
    /// All of them, always (E).
    All,
    /// Until P and R are disjoint (cE).
    UntilCut,
}

/// For which sets of nimbers a position is asked, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspiration {
    /// For all at once.
    Off,
    /// {0}, {1}, {2}, ... (A).
    Singles,
    /// {0}, {1, 2}, {3, ..., 6}, ...
    Doubling,
}

impl Aspiration {
    /// The sets; together they contain every nimber below `end`.
    fn sets(self, end: usize) -> impl Iterator<Item = NimberSet> {
        let mut next = 0;
        let mut size = 1;
        std::iter::from_fn(move || {
            let first = next;
            next = match self {
                Self::Off => end.max(1),
                Self::Singles => first + 1,
                Self::Doubling => {
                    let next = first + size;
                    size *= 2;
                    next
                }
            };
            let mut set = NimberSet::below(next);
            set.remove_all(&NimberSet::below(first));
            (first < end).then_some(set)
        })
    }
}

/// A search without a table is a function of the position and R alone: its result and the
/// nodes it takes are computed once.
type Pure<P> = HashMap<(P, NimberSet), (Option<Nimber>, u64), FixedState>;

/// The solver.
pub struct MexTree<G: Impartial, T> {
    options: Options,
    desk: Desk<G, Option<T>>,
    pure: Pure<G::Position>,
}

impl<G: Impartial, T: NimberTable<G>> MexTree<G, T> {
    /// A solver with a table, or without any.
    pub fn new(options: Options, table: Option<T>) -> Self {
        Self {
            options,
            desk: Desk::new(options.conditions, table),
            pure: Pure::default(),
        }
    }

    /// How often the table was asked.
    pub fn lookups(&self) -> u64 {
        self.desk.lookups
    }

    /// The nimber of a position: listing 8, or a single search for all nimbers.
    fn value(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Nimber, Stop> {
        let end = match self.options.aspiration {
            // A position has no more successors than moves, and its nimber is no greater.
            Aspiration::Off => game.count_moves(position).map_err(|_| Stop::Memory)? as usize + 1,
            Aspiration::Singles | Aspiration::Doubling => usize::MAX,
        };
        for wanted in self.options.aspiration.sets(end) {
            if let Some(nimber) = self.search(game, position, &wanted, watch)? {
                return Ok(nimber);
            }
        }
        unreachable!("the sets contain every nimber that the position can have")
    }

    /// The nimber of a position. `None` means that it is not among the wanted ones.
    fn search(
        &mut self,
        game: &mut G,
        position: &G::Position,
        wanted: &NimberSet,
        watch: &mut Watch,
    ) -> Result<Option<Nimber>, Stop> {
        let before = self.desk.counts.evaluations;
        self.desk.visit(watch)?;
        if self.desk.table.is_none() {
            return self.search_pure(game, position, wanted, watch, before);
        }
        match self.desk.recall(position) {
            Some(Entry::Exact(nimber)) => Ok(Some(nimber)),
            Some(Entry::Partial(known)) => self.expand(game, position, wanted, known, watch),
            None => self.expand(game, position, wanted, NimberSet::new(), watch),
        }
    }

    fn search_pure(
        &mut self,
        game: &mut G,
        position: &G::Position,
        wanted: &NimberSet,
        watch: &mut Watch,
        before: u64,
    ) -> Result<Option<Nimber>, Stop> {
        let key = (position.clone(), wanted.clone());
        if let Some(&(result, nodes)) = self.pure.get(&key) {
            self.desk.counts.evaluations = before + nodes;
            return Ok(result);
        }
        let result = self.expand(game, position, wanted, NimberSet::new(), watch)?;
        let nodes = self.desk.counts.evaluations - before;
        self.pure.insert(key, (result, nodes));
        Ok(result)
    }

    /// Searches what the nimber follows from; `known` is the partial entry of the table.
    fn expand(
        &mut self,
        game: &mut G,
        position: &G::Position,
        wanted: &NimberSet,
        known: NimberSet,
        watch: &mut Watch,
    ) -> Result<Option<Nimber>, Stop> {
        let mut wanted = wanted.clone();
        if self.options.excluding {
            wanted.remove_all(&known);
            if wanted.is_empty() {
                return Ok(None);
            }
        }
        let (expansion, mut next) = self.desk.expand(game, position);
        let result = match expansion {
            Expansion::Moves => {
                let visit = Visit {
                    position,
                    wanted: &wanted,
                    known,
                };
                self.visit(game, &visit, &mut next, watch)
            }
            Expansion::Sum => self.search_sum(game, &next, &wanted, watch),
            Expansion::Decided(_) => unreachable!("an impartial game ends when no move is left"),
            Expansion::TooMany => Err(Stop::Memory),
        };
        self.desk.give_back(next);
        result
    }

    /// Section 3: all components but the last exactly, the last for what is wanted then.
    fn search_sum(
        &mut self,
        game: &mut G,
        parts: &[G::Position],
        wanted: &NimberSet,
        watch: &mut Watch,
    ) -> Result<Option<Nimber>, Stop> {
        let Some((last, others)) = parts.split_last() else {
            return Ok(Some(0));
        };
        let mut xor = 0;
        for part in others {
            xor ^= self.value(game, part, watch)?;
        }
        let found = self.search(game, last, &wanted.shifted_by(xor), watch)?;
        Ok(found.map(|nimber| nimber ^ xor))
    }

    /// Listings 3 to 7: visits successors until the nimber is known or known not to be wanted.
    fn visit(
        &mut self,
        game: &mut G,
        visit: &Visit<G>,
        successors: &mut List<G::Position>,
        watch: &mut Watch,
    ) -> Result<Option<Nimber>, Stop> {
        let wanted = visit.wanted;
        let highest = wanted.max().expect("something is wanted");
        let mut possible = NimberSet::below(successors.len() + 1);
        let mut first = 0;
        if self.options.resuming && !visit.known.is_empty() {
            // Each successor that was visited made P smaller by one.
            first = possible.len() - visit.known.len();
            possible = visit.known.clone();
        }
        let mut seen = NimberSet::new();
        if !self.look_up(game, (&mut possible, &mut seen), wanted, successors) {
            return Ok(self.give_up(visit, None, seen));
        }
        let mut exact = true;
        for (done, successor) in successors.iter().enumerate().skip(first) {
            self.desk.note(done, successors.len());
            if self.options.pruning != Pruning::Never && possible.is_disjoint(wanted) {
                let max = possible
                    .max()
                    .expect("a nimber is possible while successors are left");
                let kept = self.trusts(exact, max, highest).then_some(possible);
                return Ok(self.give_up(visit, kept, seen));
            }
            let asked = self.asked(&possible, highest);
            let found = self.search(game, successor, &asked, watch)?;
            exact &= found.is_some();
            seen.extend(found);
            exclude(&mut possible, found);
        }
        let result = possible
            .single()
            .expect("P has as many members as successors left, and one");
        if self.trusts(exact, result, highest) {
            self.desk.keep(visit.position, result);
            Ok(Some(result))
        } else {
            Ok(self.give_up(visit, None, seen))
        }
    }

    /// Whether P, whose maximum is given, is accurate. Only `cut` asks successors for too little
    /// to be sure: a nimber above max(R) that none of them showed may be there all the same.
    fn trusts(&self, exact: bool, max: Nimber, highest: Nimber) -> bool {
        self.options.pruning != Pruning::Full || exact || max <= highest
    }

    /// Listing 6: takes the successors whose nimbers are known out of the list. Says whether
    /// the others need to be visited.
    fn look_up(
        &mut self,
        game: &mut G,
        (possible, seen): (&mut NimberSet, &mut NimberSet),
        wanted: &NimberSet,
        successors: &mut List<G::Position>,
    ) -> bool {
        if self.options.etc == Etc::Off || self.desk.table.is_none() {
            return true;
        }
        let mut unknown = 0;
        for index in 0..successors.len() {
            if self.options.etc == Etc::UntilCut && possible.is_disjoint(wanted) {
                return false;
            }
            let entry = self.desk.known(game, &successors[index]);
            if let Some(Entry::Exact(nimber)) = entry {
                seen.insert(nimber);
                exclude(possible, Some(nimber));
            } else {
                successors.swap(unknown, index);
                unknown += 1;
            }
        }
        successors.truncate(unknown);
        self.desk.sort_unknown(game, successors);
        true
    }

    /// The nimbers that a successor is asked for.
    fn asked(&self, possible: &NimberSet, highest: Nimber) -> NimberSet {
        let mut asked = possible.clone();
        if let Some(max) = possible.max() {
            asked.remove(max);
        }
        if self.options.pruning == Pruning::Full {
            asked.retain_up_to(highest);
        }
        asked
    }

    /// Remembers what a search that found no wanted nimber has found out all the same.
    /// The nimbers of successors, `seen`, are not the position's.
    fn give_up(
        &mut self,
        visit: &Visit<G>,
        possible: Option<NimberSet>,
        seen: NimberSet,
    ) -> Option<Nimber> {
        if self.options.excluding {
            let mut excluded = seen;
            excluded.insert_all(&visit.known);
            excluded.insert_all(visit.wanted);
            self.desk
                .table
                .put(visit.position, Entry::Partial(excluded));
        } else if self.options.resuming
            && let Some(possible) = possible
        {
            match possible.single() {
                Some(nimber) => self.desk.keep(visit.position, nimber),
                None => self
                    .desk
                    .table
                    .put(visit.position, Entry::Partial(possible)),
            }
        }
        None
    }
}

/// A position whose successors are visited.
struct Visit<'a, G: Impartial> {
    position: &'a G::Position,
    wanted: &'a NimberSet,
    /// The partial entry of the table.
    known: NimberSet,
}

/// Makes P smaller by one: a successor's nimber is not the position's, and with one successor
/// less to come the greatest one can no longer be reached.
fn exclude(possible: &mut NimberSet, nimber: Option<Nimber>) {
    let member = nimber.filter(|&nimber| possible.contains(nimber));
    if let Some(gone) = member.or_else(|| possible.max()) {
        possible.remove(gone);
    }
}

impl<G: Impartial, T: NimberTable<G>> Solver<G> for MexTree<G, T> {
    fn outcome(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let root = self.desk.root(game, position);
        let zero = NimberSet::only(0);
        let nimber = deep_stack::run(|| self.search(game, &root, &zero, watch))?;
        Ok(outcome_of(nimber.unwrap_or(1)))
    }

    fn known(&mut self, game: &mut G, position: &G::Position) -> Option<Outcome> {
        let root = self.desk.root(game, position);
        match self.desk.known(game, &root) {
            Some(Entry::Exact(nimber)) => Some(outcome_of(nimber)),
            _ => self.desk.outcome(&root),
        }
    }

    fn attach(&mut self, archive: Box<dyn Archive<G>>) {
        self.desk.attach(archive);
    }

    fn progress(&self) -> Progress {
        self.desk.progress()
    }
}

impl<G: Impartial, T: NimberTable<G>> NimberSolver<G> for MexTree<G, T> {
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
