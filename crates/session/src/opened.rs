//! The object-safe face of a game: text and plain data in and out.

use std::marker::PhantomData;

use bouton_certificate::{Claim, Components, Parts, Statement, Whole};
use bouton_game::{Game, Impartial, Knowledge, Nimber, Notation, Outcome};
use bouton_search::census::{Identity, Ply, census};
use bouton_search::perft::perft;
use bouton_search::solver::{NimberSolver, Setup, Solver, Without};
use bouton_search::watch::{Stop, Watch};

use crate::algorithms::Algorithm;
use crate::answer::{Answer, Child, MoveOutcome, Proof, Request, Winner};
use crate::certify::certify;
use crate::usage::{Stopwatch, peak_memory_bytes};
use crate::{Error, Verdict};

/// A position of some game that can be looked at, played on and solved.
pub trait Session: Send {
    /// The game's name.
    fn game(&self) -> &'static str;

    /// Whether both players have the same moves, so that there are nimbers.
    fn impartial(&self) -> bool;

    /// The position as text, as it lies.
    fn position(&self) -> String;

    /// Plays moves, separated by spaces; stays where it was if one of them is wrong.
    fn play(&mut self, moves: &str) -> Result<(), Error>;

    /// The canonical children, each with the moves that lead to it.
    fn children(&mut self) -> Result<Vec<Child>, Error>;

    /// Who wins, and whatever else is asked.
    fn solve(&mut self, request: &Request, watch: &mut Watch) -> Result<Answer, Error>;

    /// Distinct positions per ply; see [`census`](mod@bouton_search::census).
    fn census(
        &mut self,
        identity: Identity,
        depth: Option<usize>,
        memory: usize,
        watch: &mut Watch,
    ) -> (Vec<Ply>, Result<(), Stop>);

    /// Lines of play per length; see [`perft`](mod@bouton_search::perft).
    fn perft(&mut self, depth: Option<usize>, watch: &mut Watch) -> (Vec<u64>, Result<(), Stop>);
}

/// What can be asked about a kind of game.
pub(crate) trait Kind<G: Game>: Send + 'static {
    /// Whether its positions have nimbers.
    const HAS_NIMBERS: bool;

    /// The solvers for it.
    type Solver: Solver<G> + ?Sized;

    /// What a checker takes for the parts of a position.
    type Parts: Parts<G>;

    /// A solver, if the algorithm serves this kind.
    fn make(algorithm: Algorithm, setup: &Setup) -> Option<Box<Self::Solver>>;

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

impl<G: Game, K: Knowledge<G> + Default + Send + 'static> Kind<G> for Colours<K> {
    const HAS_NIMBERS: bool = false;
    type Solver = dyn Solver<G>;
    type Parts = Whole;

    fn make(algorithm: Algorithm, setup: &Setup) -> Option<Box<dyn Solver<G>>> {
        algorithm.make::<G, K>(setup)
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

impl<G: Impartial, K: Knowledge<G> + Default + Send + 'static> Kind<G> for Nimbers<K> {
    const HAS_NIMBERS: bool = true;
    type Solver = dyn NimberSolver<G>;
    type Parts = Components;

    fn make(algorithm: Algorithm, setup: &Setup) -> Option<Box<dyn NimberSolver<G>>> {
        Some(algorithm.make_impartial::<G, K>(setup))
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

    fn worth(
        solver: &mut Self::Solver,
        game: &mut G,
        part: &G::Position,
        watch: &mut Watch,
    ) -> Result<Nimber, Stop> {
        solver.nimber(game, part, watch)
    }
}

/// What a certificate says about a position with this outcome and nimber.
fn claim(outcome: Option<Outcome>, nimber: Option<Nimber>) -> Option<Claim> {
    match (outcome?, nimber) {
        (_, Some(nimber)) => Some(Claim::Nimber(nimber)),
        (Outcome::Win, None) => Some(Claim::Win),
        (Outcome::Loss, None) => Some(Claim::Loss),
    }
}

/// Which moves are searched, beside those that are known already.
#[derive(Clone, Copy)]
enum Until {
    /// None.
    Known,
    /// As many as it takes to find one that wins: a sum is solved without a look at its moves.
    FirstWin,
    /// All of them.
    All,
}

/// A game and a position of it.
pub(crate) struct Opened<G: Game, K> {
    game: G,
    position: G::Position,
    /// The algorithm that `auto` picks.
    auto: &'static str,
    kind: PhantomData<K>,
}

impl<G: Notation, K: Kind<G>> Opened<G, K> {
    pub(crate) fn new(text: &str, auto: &'static str) -> Result<Self, Error> {
        let (game, position) = G::open(text)?;
        Ok(Self {
            game,
            position,
            auto,
            kind: PhantomData,
        })
    }

    /// Every legal move: its text, and the canonical child it leads to.
    fn moves(&mut self) -> Result<Vec<(String, G::Position)>, Error> {
        let moves = self.game.legal_moves(&self.position);
        let moves = moves.map_err(|too_many| Error::TooMany {
            game: G::NAME,
            too_many,
        })?;
        let named = moves.iter().map(|mv| {
            let text = self.game.write_move(&self.position, mv);
            let child = self.game.play(&self.position, mv);
            (text, self.game.canonical(&child))
        });
        Ok(named.collect())
    }

    /// Every move with its outcome for whoever makes it, and why some are unknown.
    fn judge_moves(
        &mut self,
        solver: &mut K::Solver,
        until: Until,
        watch: &mut Watch,
    ) -> (Vec<MoveOutcome>, Option<Stop>) {
        let Ok(legal) = self.moves() else {
            return (Vec::new(), Some(Stop::Memory)); // There are too many to be listed.
        };
        let mut stopped = None;
        let known = legal
            .iter()
            .map(|(_, child)| solver.known(&mut self.game, child));
        let mut outcomes: Vec<_> = known.collect();
        for (index, (_, child)) in legal.iter().enumerate() {
            let asked = match until {
                Until::Known => false,
                Until::FirstWin => !outcomes.contains(&Some(Outcome::Loss)),
                Until::All => true,
            };
            if asked && outcomes[index].is_none() && stopped.is_none() {
                let outcome = solver.outcome(&mut self.game, child, watch);
                stopped = outcome.err();
                outcomes[index] = outcome.ok();
            }
        }
        let named = legal
            .into_iter()
            .zip(outcomes)
            .map(|((mv, _), child)| MoveOutcome {
                mv,
                outcome: child.map(|outcome| !outcome).into(),
            });
        (named.collect(), stopped)
    }

    /// A proof of a claim about the position. Df-pn remembers what a proof needs; after any other
    /// algorithm it searches anew, so that the claim is proved twice.
    fn prove(
        &mut self,
        algorithm: Algorithm,
        solver: &mut K::Solver,
        setup: &Setup,
        claim: Claim,
        watch: &mut Watch,
    ) -> Result<Proof, Stop> {
        let root = self.game.canonical(&self.position);
        let mut own = None;
        let solver = if algorithm == Algorithm::PROVER {
            solver
        } else {
            let made = K::make(Algorithm::PROVER, setup).expect("it serves every game");
            own.insert(made).as_mut()
        };
        let couples = certify::<G, K>(&mut self.game, solver, &root, claim, watch)?;
        let statement = Statement {
            game: G::NAME.to_owned(),
            root: self.game.write(&self.position),
            claim,
        };
        Ok(Proof { statement, couples })
    }

    /// The nimber, if wanted, and the outcome of the position itself.
    fn value(
        &mut self,
        solver: &mut K::Solver,
        wants_nimber: bool,
        watch: &mut Watch,
    ) -> Result<(Outcome, Option<Nimber>), Stop> {
        let root = self.game.canonical(&self.position);
        let nimber = wants_nimber
            .then(|| K::nimber(solver, &mut self.game, &root, watch))
            .flatten();
        match nimber.transpose()? {
            Some(0) => Ok((Outcome::Loss, Some(0))),
            Some(nimber) => Ok((Outcome::Win, Some(nimber))),
            None => Ok((solver.outcome(&mut self.game, &root, watch)?, None)),
        }
    }
}

impl<G: Notation, K: Kind<G>> Session for Opened<G, K> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn impartial(&self) -> bool {
        K::HAS_NIMBERS
    }

    fn position(&self) -> String {
        self.game.write(&self.position)
    }

    fn play(&mut self, moves: &str) -> Result<(), Error> {
        let mut position = self.position.clone();
        for text in moves.split_whitespace() {
            let mv = self.game.read_move(&position, text)?;
            position = self.game.play(&position, &mv);
        }
        self.position = position;
        Ok(())
    }

    fn children(&mut self) -> Result<Vec<Child>, Error> {
        let mut moves = self.moves()?;
        moves.sort_by(|one, other| one.1.cmp(&other.1));
        let same_child = moves.chunk_by(|one, other| one.1 == other.1);
        let children = same_child.map(|moves| Child {
            position: self.game.write(&moves[0].1),
            moves: moves.iter().map(|(text, _)| text.clone()).collect(),
        });
        Ok(children.collect())
    }

    fn solve(&mut self, request: &Request, watch: &mut Watch) -> Result<Answer, Error> {
        if request.nimber && !K::HAS_NIMBERS {
            return Err(Error::NoNimbers { game: G::NAME });
        }
        let algorithm = Algorithm::find(&request.algorithm, self.auto)?;
        let stopwatch = Stopwatch::start();
        if request.without != Without::default() && !algorithm.has_parts() {
            return Err(Error::NothingToLeaveOut {
                algorithm: algorithm.name,
            });
        }
        let setup = Setup {
            memory: request.memory,
            without: request.without,
            leaves: request.leaves,
            replacement: request.replacement,
        };
        let solver = K::make(algorithm, &setup);
        let mut solver = solver.ok_or(Error::NotForThisGame {
            game: G::NAME,
            algorithm: algorithm.name,
        })?;
        let value = self.value(&mut solver, request.nimber, watch);
        let until = match value {
            Err(_) => Until::Known,
            Ok(_) if request.all_moves => Until::All,
            Ok((Outcome::Win, _)) => Until::FirstWin,
            Ok((Outcome::Loss, _)) => Until::Known,
        };
        let (moves, stopped) = self.judge_moves(&mut solver, until, watch);
        let mut reason = value.err().or(stopped);
        let winning = moves.iter().filter(|mv| mv.outcome == Verdict::Win);
        let winning_moves: Vec<_> = winning.map(|mv| mv.mv.clone()).collect();
        let won_by_a_move = (!winning_moves.is_empty()).then_some(Outcome::Win);
        let outcome = value.ok().map(|value| value.0).or(won_by_a_move);
        let nimber = value.ok().and_then(|value| value.1);
        if outcome.is_some() && nimber.is_some() == request.nimber && !request.all_moves {
            reason = None; // The search was cut short, but after all that was asked for.
        }
        let side = self.game.to_move(&self.position);
        let claim = claim(outcome, nimber).filter(|_| request.certificate);
        let proof = claim.map(|claim| self.prove(algorithm, solver.as_mut(), &setup, claim, watch));
        let proof = proof.transpose().unwrap_or_else(|stop| {
            reason = Some(stop);
            None
        });

        Ok(Answer {
            game: G::NAME,
            position: self.position(),
            outcome: outcome.into(),
            winner: side.map(|side| outcome.map(|outcome| Winner(side.winner(outcome)))),
            nimber,
            reason,
            winning_moves,
            moves: request.all_moves.then_some(moves),
            algorithm: algorithm.name,
            threads: 1,
            counts: solver.progress().into(),
            cpu_seconds: stopwatch.cpu_seconds(),
            seconds: stopwatch.seconds(),
            peak_memory_bytes: peak_memory_bytes(),
            proof,
        })
    }

    fn census(
        &mut self,
        identity: Identity,
        depth: Option<usize>,
        memory: usize,
        watch: &mut Watch,
    ) -> (Vec<Ply>, Result<(), Stop>) {
        census(
            &mut self.game,
            &self.position,
            identity,
            depth,
            memory,
            watch,
        )
    }

    fn perft(&mut self, depth: Option<usize>, watch: &mut Watch) -> (Vec<u64>, Result<(), Stop>) {
        perft(&mut self.game, &self.position, depth, watch)
    }
}
