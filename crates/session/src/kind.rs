//! Two kinds of games, and what can be asked about each.
//!
//! Here an algorithm meets a game: the types of both are known, and the solver that comes out is
//! behind a trait object, one for games with colours, another for games with nimbers.

use std::marker::PhantomData;

use bouton_certificate::{Components, Parts, Whole};
use bouton_game::{Game, Impartial, Knowledge, Nimber, Notation, Outcome};
use bouton_search::solver::{NimberSolver, Setup, Solver};
use bouton_search::watch::{Stop, Watch};

use crate::algorithms::Algorithm;
use crate::bench::{self, Bench, Seating};

/// What can be asked about a kind of game.
pub(crate) trait Kind<G: Game>: Send + 'static {
    /// Whether its positions have nimbers.
    const HAS_NIMBERS: bool;

    /// The parts of the game's knowledge that can be left out.
    const KNOWLEDGE: &'static [&'static str];

    /// The solvers for it.
    type Solver: Solver<G> + ?Sized;

    /// What a checker takes for the parts of a position.
    type Parts: Parts<G>;

    /// A solver, if the algorithm serves this kind.
    fn make(algorithm: Algorithm, setup: &Setup) -> Option<Box<Self::Solver>>;

    /// Benches for workers on a position; the memory is that of a thread.
    fn benches(
        game: &G,
        root: &G::Position,
        setup: &Setup,
        seating: Seating,
    ) -> Vec<Box<dyn Bench>>
    where
        G: Notation;

    /// The nimber, `None` if there is no such thing.
    fn nimber(
        solver: &mut Self::Solver,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Option<Result<Nimber, Stop>>;

    /// Whether a position with a heap beside it is a loss; where there are no heaps, it is 0.
    fn loses(
        solver: &mut Self::Solver,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
        watch: &mut Watch,
    ) -> Result<bool, Stop>;

    /// The same, if it follows at once from what is known.
    fn known(
        solver: &mut Self::Solver,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
    ) -> Option<Outcome>;

    /// Sorts the children of a position as the game's knowledge does, the most promising first.
    fn order(game: &mut G, parent: &G::Position, children: &mut [G::Position]);

    /// What a part of a position is worth, in a game with colours that of a loss.
    fn worth(
        solver: &mut Self::Solver,
        game: &mut G,
        part: &G::Position,
        watch: &mut Watch,
    ) -> Result<Nimber, Stop>;
}

/// Games whose players have moves of their own, searched with knowledge `K`.
pub(crate) struct Colours<K>(PhantomData<K>);

impl<G: Game, K: Knowledge<G> + Default + 'static> Kind<G> for Colours<K> {
    const HAS_NIMBERS: bool = false;
    const KNOWLEDGE: &'static [&'static str] = K::PARTS;
    type Solver = dyn Solver<G>;
    type Parts = Whole;

    fn make(algorithm: Algorithm, setup: &Setup) -> Option<Box<dyn Solver<G>>> {
        algorithm.make::<G, K>(setup)
    }

    fn benches(game: &G, root: &G::Position, setup: &Setup, seating: Seating) -> Vec<Box<dyn Bench>>
    where
        G: Notation,
    {
        bench::positions::<G, K>(game, root, setup, seating)
    }

    fn nimber(
        _: &mut Self::Solver,
        _: &mut G,
        _: &G::Position,
        _: &mut Watch,
    ) -> Option<Result<Nimber, Stop>> {
        None
    }

    fn loses(
        solver: &mut Self::Solver,
        game: &mut G,
        position: &G::Position,
        _: Nimber,
        watch: &mut Watch,
    ) -> Result<bool, Stop> {
        Ok(solver.outcome(game, position, watch)? == Outcome::Loss)
    }

    fn known(
        solver: &mut Self::Solver,
        game: &mut G,
        position: &G::Position,
        _: Nimber,
    ) -> Option<Outcome> {
        solver.known(game, position)
    }

    fn order(game: &mut G, parent: &G::Position, children: &mut [G::Position]) {
        K::default().order(game, parent, children);
    }

    fn worth(
        _: &mut Self::Solver,
        _: &mut G,
        _: &G::Position,
        _: &mut Watch,
    ) -> Result<Nimber, Stop> {
        Ok(0)
    }
}

/// Impartial games, searched with knowledge `K`.
pub(crate) struct Nimbers<K>(PhantomData<K>);

impl<G: Impartial, K: Knowledge<G> + Default + 'static> Kind<G> for Nimbers<K> {
    const HAS_NIMBERS: bool = true;
    const KNOWLEDGE: &'static [&'static str] = K::PARTS;
    type Solver = dyn NimberSolver<G>;
    type Parts = Components;

    fn make(algorithm: Algorithm, setup: &Setup) -> Option<Box<dyn NimberSolver<G>>> {
        Some(algorithm.make_impartial::<G, K>(setup))
    }

    fn benches(game: &G, root: &G::Position, setup: &Setup, seating: Seating) -> Vec<Box<dyn Bench>>
    where
        G: Notation,
    {
        bench::couples::<G, K>(game, root, setup, seating)
    }

    fn nimber(
        solver: &mut Self::Solver,
        game: &mut G,
        position: &G::Position,
        watch: &mut Watch,
    ) -> Option<Result<Nimber, Stop>> {
        Some(solver.nimber(game, position, watch))
    }

    fn loses(
        solver: &mut Self::Solver,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
        watch: &mut Watch,
    ) -> Result<bool, Stop> {
        Ok(solver.outcome_with(game, position, heap, watch)? == Outcome::Loss)
    }

    fn known(
        solver: &mut Self::Solver,
        game: &mut G,
        position: &G::Position,
        heap: Nimber,
    ) -> Option<Outcome> {
        solver.known_with(game, position, heap)
    }

    fn order(game: &mut G, parent: &G::Position, children: &mut [G::Position]) {
        K::default().order(game, parent, children);
    }

    fn worth(
        solver: &mut Self::Solver,
        game: &mut G,
        part: &G::Position,
        watch: &mut Watch,
    ) -> Result<Nimber, Stop> {
        solver.nimber(game, part, watch)
    }
}
