//! Exhaustive search: every position once, every value exact.
//!
//! Outcomes by the definition: a position is a win if some child is a loss. Nimbers by the
//! definition: the least number that no child has; a sum is worth the xor of its components.
//! Nothing is pruned but the rest of a position's children once one of them is a loss. This is
//! the yardstick for every other algorithm, so it should be plain enough to be believed.
//!
//! One loop (`Search::value`) serves all kinds of value; a `Rule` says how the values of
//! children make their parent's. The path is an explicit stack, so that long games cannot
//! exhaust the thread's.
//!
//! Invariant: [`Memo`] holds only values that follow from the rules; a run that is stopped
//! leaves it right, just unfinished.

use bouton_game::{Expansion, Fact, Game, Impartial, Knowledge, List, Nimber, Outcome};

use crate::memo::{Budget, Memo};
use crate::nimber_set::NimberSet;
use crate::shelf::{Archive, Shelf};
use crate::solver::{NimberSolver, Setup, Solver, outcome_of};
use crate::watch::{Progress, Stop, Watch};

/// How the value of a position follows from the values of its children.
trait Rule<G: Game> {
    /// An exact value.
    type Value: Copy + Send;
    /// What the children seen so far say about their parent.
    type Partial: Default + Send;

    /// Lists what has to be evaluated, or says the value at once.
    fn expand(
        &mut self,
        game: &mut G,
        position: &G::Position,
        frame: (&mut List<G::Position>, &mut Self::Partial),
        run: &mut Run<G>,
    ) -> Result<Option<Self::Value>, Stop>;

    /// Takes a child's value; says the parent's if that settles it.
    fn add(partial: &mut Self::Partial, child: Self::Value) -> Option<Self::Value>;

    /// The parent's value, when no child is left.
    fn finish(partial: &Self::Partial) -> Self::Value;

    /// A value as a fact.
    fn fact(value: Self::Value) -> Fact;

    /// The value that a fact says, if it does.
    fn of_fact(fact: Fact) -> Option<Self::Value>;
}

/// What a run may use, and what it has used.
pub struct Run<'w, 'a, G: Game> {
    watch: &'w mut Watch<'a>,
    budget: &'w mut Budget,
    counts: &'w mut Progress,
    shelf: &'w mut Shelf<G>,
    /// How many searches are under way, one inside the other.
    searches: u32,
}

/// What outlasts a run.
struct Means<G: Game> {
    budget: Budget,
    counts: Progress,
    shelf: Shelf<G>,
}

impl<'w, 'a, G: Game> Run<'w, 'a, G> {
    fn new(watch: &'w mut Watch<'a>, means: &'w mut Means<G>) -> Self {
        Self {
            watch,
            budget: &mut means.budget,
            counts: &mut means.counts,
            shelf: &mut means.shelf,
            searches: 0,
        }
    }
}

/// A position on the path whose children are being evaluated.
struct Frame<P, T> {
    position: P,
    children: List<P>,
    next: usize,
    partial: T,
    bytes: usize,
    /// Expansions before.
    start: u64,
}

/// Depth-first search with exact memory.
struct Search<G: Game, R: Rule<G>> {
    rule: R,
    memo: Memo<G, R::Value>,
    path: Vec<Frame<G::Position, R::Partial>>,
    /// Lists of frames that are done, to be filled again.
    spare: Vec<List<G::Position>>,
}

impl<G: Game, R: Rule<G>> Search<G, R> {
    fn new(rule: R) -> Self {
        Self {
            rule,
            memo: Memo::new(),
            path: Vec::new(),
            spare: Vec::new(),
        }
    }

    fn value(
        &mut self,
        game: &mut G,
        root: &G::Position,
        run: &mut Run<G>,
    ) -> Result<R::Value, Stop> {
        self.abandon_path(run);
        run.searches += 1;
        let mut found = self.look(game, root.clone(), run)?;
        while let Some(frame) = self.path.last_mut() {
            if let Some(child) = found {
                found = R::add(&mut frame.partial, child);
            }
            match (found, frame.children.get(frame.next)) {
                (None, Some(child)) => {
                    let child = child.clone();
                    frame.next += 1;
                    found = self.look(game, child, run)?;
                }
                (None, None) => {
                    let value = R::finish(&frame.partial);
                    found = Some(self.leave(value, run)?);
                }
                (Some(value), _) => found = Some(self.leave(value, run)?),
            }
        }
        run.searches -= 1;
        Ok(found.expect("the path ends when its first position is evaluated"))
    }

    /// The value of a position if it is known at once; otherwise the position joins the path.
    fn look(
        &mut self,
        game: &mut G,
        position: G::Position,
        run: &mut Run<G>,
    ) -> Result<Option<R::Value>, Stop> {
        run.counts.evaluations += 1;
        if let Some(value) = self.memo.get(&position) {
            return Ok(Some(value));
        }
        if let Some(value) = run.shelf.get(&position).and_then(R::of_fact) {
            self.remember(position, value, run)?;
            return Ok(Some(value));
        }
        let start = run.counts.expansions;
        run.counts.expansions += 1;
        self.tick(run)?;
        let mut children = self.spare.pop().unwrap_or_default();
        let mut partial = R::Partial::default();
        let frame = (&mut children, &mut partial);
        if let Some(value) = self.rule.expand(game, &position, frame, run)? {
            // Quicker to find again than to remember.
            self.spare.push(children);
            return Ok(Some(value));
        }
        let bytes = bytes_of::<G>(&children);
        run.budget.take(bytes)?;
        self.path.push(Frame {
            position,
            children,
            next: 0,
            partial,
            bytes,
            start,
        });
        Ok(None)
    }

    /// The last position of the path has this value.
    fn leave(&mut self, value: R::Value, run: &mut Run<G>) -> Result<R::Value, Stop> {
        if let Some(frame) = self.path.pop() {
            run.budget.give(frame.bytes);
            self.spare.push(frame.children);
            let work = run.counts.expansions - frame.start;
            run.shelf.put(&frame.position, R::fact(value), work);
            self.remember(frame.position, value, run)?;
        }
        Ok(value)
    }

    fn remember(
        &mut self,
        position: G::Position,
        value: R::Value,
        run: &mut Run<G>,
    ) -> Result<(), Stop> {
        self.memo.insert(position, value, run.budget)?;
        run.counts.facts += 1;
        Ok(())
    }

    /// A run that was stopped leaves its path behind.
    fn abandon_path(&mut self, run: &mut Run<G>) {
        for frame in self.path.drain(..) {
            run.budget.give(frame.bytes);
        }
    }

    fn tick(&self, run: &mut Run<G>) -> Result<(), Stop> {
        run.counts.bytes = run.budget.used();
        if let (1, Some(root)) = (run.searches, self.path.first()) {
            run.counts.depth = self.path.len();
            run.counts.root = (root.next.saturating_sub(1), root.children.len());
        }
        run.watch.tick(|| *run.counts)
    }
}

fn bytes_of<G: Game>(positions: &[G::Position]) -> usize {
    size_of_val(positions) + positions.iter().map(G::heap_bytes).sum::<usize>()
}

/// What the outcome of a position follows from: its moves, never a sum.
pub trait Expander<G: Game>: Default + Send {
    /// Like [`Game::expand`]; a sum is decided at once.
    fn expand(
        &mut self,
        game: &mut G,
        position: &G::Position,
        children: &mut List<G::Position>,
        run: &mut Run<G>,
    ) -> Result<Expansion, Stop>;

    /// The outcome of a position, if nimbers already known give it.
    fn known(&self, game: &mut G, position: &G::Position) -> Option<Outcome> {
        let _ = (game, position);
        None
    }
}

/// The moves alone: any game.
#[derive(Default)]
pub struct ByMoves;

impl<G: Game> Expander<G> for ByMoves {
    fn expand(
        &mut self,
        game: &mut G,
        position: &G::Position,
        children: &mut List<G::Position>,
        _: &mut Run<G>,
    ) -> Result<Expansion, Stop> {
        Ok(game.expand(position, children))
    }
}

/// The nimbers of the components, where there are several: impartial games.
pub struct BySums<G: Impartial> {
    nimbers: Search<G, Mex>,
}

impl<G: Impartial> Default for BySums<G> {
    fn default() -> Self {
        let nimbers = Search::new(Mex);
        Self { nimbers }
    }
}

impl<G: Impartial> Expander<G> for BySums<G> {
    fn expand(
        &mut self,
        game: &mut G,
        position: &G::Position,
        children: &mut List<G::Position>,
        run: &mut Run<G>,
    ) -> Result<Expansion, Stop> {
        let expansion = game.expand_sum(position, children);
        if expansion != Expansion::Sum {
            return Ok(expansion);
        }
        let mut xor = 0;
        for part in children.iter() {
            xor ^= self.nimbers.value(game, part, run)?;
        }
        Ok(Expansion::Decided(outcome_of(xor)))
    }

    fn known(&self, game: &mut G, position: &G::Position) -> Option<Outcome> {
        let nimbers = &self.nimbers.memo;
        if let Some(nimber) = nimbers.get(position) {
            return Some(outcome_of(nimber));
        }
        let mut parts = List::new();
        if game.expand_sum(position, &mut parts) != Expansion::Sum {
            return None;
        }
        let mut parts = parts.iter().map(|part| nimbers.get(part));
        let xor = parts.try_fold(0, |xor, part| Some(xor ^ part?))?;
        Some(outcome_of(xor))
    }
}

/// Win or loss: a position is a win if some child is a loss.
struct WinLoss<K, E> {
    knowledge: K,
    expander: E,
}

impl<G: Game, K: Knowledge<G>, E: Expander<G>> Rule<G> for WinLoss<K, E> {
    type Value = Outcome;
    type Partial = ();

    fn expand(
        &mut self,
        game: &mut G,
        position: &G::Position,
        (children, ()): (&mut List<G::Position>, &mut ()),
        run: &mut Run<G>,
    ) -> Result<Option<Outcome>, Stop> {
        match self.expander.expand(game, position, children, run)? {
            Expansion::Decided(outcome) => Ok(Some(outcome)),
            Expansion::Moves => {
                self.knowledge.order(game, position, children);
                Ok(None)
            }
            Expansion::Sum => unreachable!("an expander decides sums"),
            Expansion::TooMany => Err(Stop::Memory),
        }
    }

    fn add((): &mut (), child: Outcome) -> Option<Outcome> {
        (child == Outcome::Loss).then_some(Outcome::Win)
    }

    fn finish((): &()) -> Outcome {
        Outcome::Loss
    }

    fn fact(outcome: Outcome) -> Fact {
        Fact::Outcome(outcome)
    }

    fn of_fact(fact: Fact) -> Option<Outcome> {
        Some(fact.outcome())
    }
}

/// The nimber: mex of the children, xor of the components.
struct Mex;

#[derive(Default)]
struct PartialNimber {
    is_sum: bool,
    xor: Nimber,
    seen: NimberSet,
}

impl<G: Impartial> Rule<G> for Mex {
    type Value = Nimber;
    type Partial = PartialNimber;

    fn expand(
        &mut self,
        game: &mut G,
        position: &G::Position,
        (children, partial): (&mut List<G::Position>, &mut PartialNimber),
        _: &mut Run<G>,
    ) -> Result<Option<Nimber>, Stop> {
        match game.expand_sum(position, children) {
            Expansion::Sum => partial.is_sum = true,
            Expansion::Moves => partial.is_sum = false,
            Expansion::Decided(_) => unreachable!("an impartial game ends when no move is left"),
            Expansion::TooMany => return Err(Stop::Memory),
        }
        Ok(None)
    }

    fn add(partial: &mut PartialNimber, child: Nimber) -> Option<Nimber> {
        if partial.is_sum {
            partial.xor ^= child;
        } else {
            partial.seen.insert(child);
        }
        None
    }

    fn finish(partial: &PartialNimber) -> Nimber {
        if partial.is_sum {
            partial.xor
        } else {
            partial.seen.mex()
        }
    }

    fn fact(nimber: Nimber) -> Fact {
        Fact::Nimber(nimber)
    }

    fn of_fact(fact: Fact) -> Option<Nimber> {
        fact.nimber()
    }
}

/// The solver. For any game: [`Outcomes`]; for impartial games: [`Nimbers`].
pub struct Exhaustive<G: Game, K: Knowledge<G>, E: Expander<G>> {
    search: Search<G, WinLoss<K, E>>,
    means: Means<G>,
}

/// Outcomes of any game.
pub type Outcomes<G, K> = Exhaustive<G, K, ByMoves>;

/// Outcomes and nimbers of an impartial game.
pub type Nimbers<G, K> = Exhaustive<G, K, BySums<G>>;

impl<G: Game, K: Knowledge<G> + Default, E: Expander<G>> Exhaustive<G, K, E> {
    /// A solver that knows nothing yet.
    pub fn new(setup: &Setup) -> Self {
        let rule = WinLoss {
            knowledge: K::default(),
            expander: E::default(),
        };
        Self {
            search: Search::new(rule),
            means: Means {
                budget: Budget::new(setup.memory),
                counts: Progress::default(),
                shelf: Shelf::EMPTY,
            },
        }
    }
}

impl<G: Game, K: Knowledge<G>, E: Expander<G>> Solver<G> for Exhaustive<G, K, E> {
    fn outcome(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let mut run = Run::new(watch, &mut self.means);
        self.search.value(game, position, &mut run)
    }

    fn known(&mut self, game: &mut G, position: &G::Position) -> Option<Outcome> {
        let outcome = game.decided(position);
        outcome
            .or_else(|| self.search.memo.get(position))
            .or_else(|| self.search.rule.expander.known(game, position))
            .or_else(|| self.means.shelf.outcome(position))
    }

    fn attach(&mut self, archive: Box<dyn Archive<G>>) {
        self.means.shelf = Shelf::new(archive);
    }

    fn progress(&self) -> Progress {
        self.means.counts
    }
}

impl<G: Impartial, K: Knowledge<G>> NimberSolver<G> for Nimbers<G, K> {
    fn nimber(
        &mut self,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Result<Nimber, Stop> {
        let mut run = Run::new(watch, &mut self.means);
        let nimbers = &mut self.search.rule.expander.nimbers;
        nimbers.value(game, position, &mut run)
    }
}
