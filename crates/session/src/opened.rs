//! The object-safe face of a game: text and plain data in and out.

use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;
use std::path::Path;
use std::time::{Duration, Instant};

use bouton_certificate::{Claim, Evidence, Statement};
use bouton_game::{Game, Nimber, Notation, Outcome};
use bouton_search::census::{Identity, Ply, census};
use bouton_search::deep_stack;
use bouton_search::guide::Leaves;
use bouton_search::perft::perft;
use bouton_search::shelf::Archive;
use bouton_search::solver::{Begun, Replacement, Setup, Solver, Without};
use bouton_search::watch::{Progress, Stop, Watch};

use crate::algorithms::Algorithm;
use crate::answer::{Answer, Child, Counts, MoveOutcome, Proof, Request, Winner, check_threads};
use crate::archives::{Both, Endgames, Failure, Known};
use crate::bench::{Bench, Seating};
use crate::certify::certify;
use crate::journal::Journal;
use crate::keeping::{self, Keeper, Kept};
use crate::kind::Kind;
use crate::steps;
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

    /// Benches for workers of a job-level search, with so many bytes for each thread. They are
    /// those of one machine: what one finds out, all know.
    fn benches(&self, seating: Seating, memory: usize) -> Vec<Box<dyn Bench>>;

    /// The store of a master of a job-level search.
    fn journal(&self, dir: &Path) -> Result<Journal, Error>;
}

/// The part of the memory that a game may keep for itself, if it has a use for it: while outcomes
/// are proved, which comes back to positions again and again.
const KEPT_BY_GAME: usize = 4;

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

/// How long known outcomes may be looked up when the time is over.
const GRACE: Duration = Duration::from_millis(100);

/// What a request is carried out with.
struct Means<S: ?Sized> {
    algorithm: Algorithm,
    solver: Box<S>,
    /// Df-pn remembers what a proof needs. Where another algorithm was asked for, a solver of its
    /// own searches anew, so that the claim is proved twice; and where a proof takes many small
    /// searches, threads are not worth starting.
    own: Option<Box<S>>,
}

impl<S: ?Sized> Means<S> {
    /// The solver that makes proofs.
    fn prover(&mut self) -> &mut S {
        self.own.as_mut().unwrap_or(&mut self.solver)
    }
}

/// What was found out about a position.
struct Found {
    outcome: Option<Outcome>,
    nimber: Option<Nimber>,
    moves: Vec<MoveOutcome>,
    /// Why something that was asked for is missing.
    reason: Option<Stop>,
    proof: Option<Proof>,
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

    /// The indices of children, in the order in which the game's knowledge would try them.
    fn promising(&mut self, children: &[G::Position]) -> Vec<usize> {
        let mut sorted = children.to_vec();
        K::order(&mut self.game, &self.position, &mut sorted);
        let places = sorted.iter().enumerate();
        let places: HashMap<_, _> = places.map(|(place, child)| (child, place)).collect();
        let mut indices: Vec<_> = (0..children.len()).collect();
        indices.sort_by_key(|&index| places[&children[index]]);
        indices
    }

    /// Adds the outcomes of children, as far as a solver knows them. That is told though the time may be
    /// over, unless it takes long.
    fn known(
        &mut self,
        children: &[G::Position],
        outcomes: &mut [Option<Outcome>],
        solver: &mut K::Solver,
        watch: &mut Watch,
    ) -> Option<Stop> {
        let start = Instant::now();
        let open = children.iter().zip(outcomes);
        for (child, outcome) in open.filter(|(_, outcome)| outcome.is_none()) {
            if start.elapsed() > GRACE
                && let Err(stop) = watch.look(&solver.progress())
            {
                return Some(stop);
            }
            *outcome = solver.known(&mut self.game, child);
        }
        None
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
        let children: Vec<_> = legal.iter().map(|(_, child)| child.clone()).collect();
        let begun = match until {
            Until::All => solver.begin_all(&mut self.game, &children, watch),
            Until::Known | Until::FirstWin => Begun::nothing(legal.len()),
        };
        let mut outcomes = begun.outcomes;
        let late = self.known(&children, &mut outcomes, solver, watch);
        let mut stopped = begun.stopped.or(late);
        let order = match until {
            Until::FirstWin => self.promising(&children),
            Until::Known | Until::All => (0..legal.len()).collect(),
        };
        // Different moves may lead to one position.
        let all: HashSet<_> = children.iter().collect();
        let judged = children.iter().zip(&outcomes);
        let judged = judged.filter_map(|(child, outcome)| outcome.map(|_| child));
        let mut judged: HashSet<_> = judged.collect();
        for index in order {
            let child = &children[index];
            let asked = match until {
                Until::Known => false,
                Until::FirstWin => !outcomes.contains(&Some(Outcome::Loss)),
                Until::All => true,
            };
            if asked && outcomes[index].is_none() && stopped.is_none() {
                let asked = matches!(until, Until::All).then_some((judged.len(), all.len()));
                let mut look = |progress: &Progress| watch.look(&Progress { asked, ..*progress });
                let outcome = solver.outcome(&mut self.game, child, &mut Watch::new(&mut look));
                stopped = outcome.err();
                outcomes[index] = outcome.ok();
                judged.extend(outcome.is_ok().then_some(child));
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

    /// What a search must do without.
    fn without(request: &Request) -> Result<Without, Error> {
        let mut without = request.without;
        for part in &request.without_knowledge {
            let index = K::KNOWLEDGE.iter().position(|known| known == part);
            let index = index.ok_or_else(|| Error::UnknownPart {
                game: G::NAME,
                part: bouton_game::excerpt(part),
                expected: [&["symmetry", "components", "order"], K::KNOWLEDGE]
                    .concat()
                    .join(", "),
            })?;
            without.knowledge |= 1 << index;
        }
        Ok(without)
    }

    /// The algorithm for a request that can be carried out.
    fn choose(&self, request: &Request) -> Result<Algorithm, Error> {
        if request.nimber && !K::HAS_NIMBERS {
            return Err(Error::NoNimbers { game: G::NAME });
        }
        let mut algorithm = Algorithm::find(&request.algorithm, self.auto)?;
        if request.algorithm == "auto" {
            algorithm = algorithm.with_threads(request.threads);
        }
        let leaves_out = Self::without(request)? != Without::default();
        if leaves_out && !algorithm.has_parts() {
            return Err(Error::NothingToLeaveOut {
                algorithm: algorithm.name,
            });
        }
        Ok(algorithm)
    }

    fn open_store(&self, request: &Request, failure: &Failure) -> Result<Option<Keeper>, Error> {
        let Some(dir) = &request.store else {
            return Ok(None);
        };
        if request.memory < keeping::LEAST_MEMORY {
            let needed = keeping::LEAST_MEMORY;
            return Err(Error::LittleMemory { needed });
        }
        let keeper = Keeper::open(dir, &self.game, request.memory, failure.clone())?;
        Ok(Some(keeper))
    }

    fn solver(
        &self,
        algorithm: Algorithm,
        setup: &Setup,
        archive: Option<Box<dyn Archive<G>>>,
    ) -> Result<Box<K::Solver>, Error> {
        let solver = K::make(algorithm, setup);
        let mut solver = solver.ok_or(Error::NotForThisGame {
            game: G::NAME,
            algorithm: algorithm.name,
        })?;
        if let Some(archive) = archive {
            solver.attach(archive);
        }
        Ok(solver)
    }

    /// What stands behind the shelf of a search.
    fn archive(
        &self,
        request: &Request,
        keeper: Option<&Keeper>,
        failure: &Failure,
    ) -> Result<Option<Box<dyn Archive<G>>>, Error> {
        let canonical = !request.without.symmetry;
        let store = keeper.map(|keeper| keeper.archive(&self.game, canonical));
        let archive: Option<Box<dyn Archive<G>>> = match &request.table {
            None => store,
            Some(table) => {
                let endgames = Endgames::open(table, &self.game, canonical, failure.clone())?;
                Some(match store {
                    Some(store) => Box::new(Both(endgames, store)),
                    None => Box::new(endgames),
                })
            }
        };
        if request.known.is_empty() {
            return Ok(archive);
        }
        let known = &request.known;
        let known = Known::new(&self.game, canonical, K::HAS_NIMBERS, known, archive);
        Ok(Some(Box::new(known)))
    }

    /// All that is asked, as far as the watch lets it be found out.
    fn find_out(
        &mut self,
        means: &mut Means<K::Solver>,
        request: &Request,
        watch: &mut Watch,
    ) -> Found {
        let solver = means.solver.as_mut();
        let value = self.value(solver, request.nimber, watch);
        let until = match value {
            Err(_) => Until::Known,
            Ok(_) if request.all_moves => Until::All,
            Ok((Outcome::Win, _)) => Until::FirstWin,
            Ok((Outcome::Loss, _)) => Until::Known,
        };
        let (moves, stopped) = self.judge_moves(solver, until, watch);
        let mut reason = value.err().or(stopped);
        let wins = moves.iter().any(|mv| mv.outcome == Verdict::Win);
        let won_by_a_move = wins.then_some(Outcome::Win);
        let outcome = value.ok().map(|value| value.0).or(won_by_a_move);
        let nimber = value.ok().and_then(|value| value.1);
        if outcome.is_some() && nimber.is_some() == request.nimber && !request.all_moves {
            reason = None; // The search was cut short, but after all that was asked for.
        }
        let claim = claim(outcome, nimber).filter(|_| request.certificate);
        let proof = claim.map(|claim| self.prove(means.prover(), claim, watch));
        let proof = proof.transpose().unwrap_or_else(|stop| {
            reason = Some(stop);
            None
        });
        Found {
            outcome,
            nimber,
            moves,
            reason,
            proof,
        }
    }

    fn answer(
        &self,
        found: Found,
        means: &Means<K::Solver>,
        request: &Request,
        stopwatch: &Stopwatch,
        store: Option<Kept>,
    ) -> Answer {
        let side = self.game.to_move(&self.position);
        let winning = found.moves.iter().filter(|mv| mv.outcome == Verdict::Win);
        let threads = means.algorithm.threads(request.threads.max(1));
        // Of several threads each has a game of its own that counts.
        let made = (threads == 1).then(|| self.game.made()).flatten();
        Answer {
            game: G::NAME,
            position: self.position(),
            outcome: found.outcome.into(),
            winner: side.map(|side| found.outcome.map(|outcome| Winner(side.winner(outcome)))),
            nimber: found.nimber,
            reason: found.reason,
            winning_moves: winning.map(|mv| mv.mv.clone()).collect(),
            map: request.all_moves.then(|| self.map(&found.moves)).flatten(),
            moves: request.all_moves.then_some(found.moves),
            algorithm: means.algorithm.name,
            threads,
            counts: Counts::new(means.solver.progress(), made),
            cpu_seconds: stopwatch.cpu_seconds(),
            seconds: stopwatch.seconds(),
            peak_memory_bytes: peak_memory_bytes(),
            store,
            proof: found.proof,
        }
    }

    /// The outcomes of all moves as a picture.
    fn map(&self, moves: &[MoveOutcome]) -> Option<String> {
        let mark = |text: &str| {
            let found = moves.iter().find(|mv| mv.mv == text);
            match found.map(|mv| mv.outcome) {
                Some(Verdict::Win) => '+',
                Some(Verdict::Loss) => '-',
                Some(Verdict::Unknown) | None => '?',
            }
        };
        self.game.map(&self.position, &mark)
    }

    /// A proof of a claim about the position.
    fn prove(
        &mut self,
        solver: &mut K::Solver,
        claim: Claim,
        watch: &mut Watch,
    ) -> Result<Proof, Stop> {
        let (game, position) = (&mut self.game, &self.position);
        // Thousands of small searches: all of them on the same deep stack.
        let evidence = deep_stack::run(|| {
            if G::ORDERED {
                let steps = steps::gather::<G, K>(game, solver, position, claim, watch);
                return steps.map(Evidence::Steps);
            }
            let root = game.canonical(position);
            let couples = certify::<G, K>(game, solver, &root, claim, watch);
            couples.map(Evidence::Couples)
        })?;
        let statement = Statement {
            game: G::NAME.to_owned(),
            root: self.game.write(&self.position),
            claim,
        };
        Ok(Proof {
            statement,
            evidence,
        })
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
        let algorithm = self.choose(request)?;
        check_threads(request.threads)?;
        let without = Self::without(request)?;
        let stopwatch = Stopwatch::start();
        let failure = Failure::default();
        let mut keeper = self.open_store(request, &failure)?;
        let memory = keeper
            .as_ref()
            .map_or(request.memory, |keeper| keeper.rest_of(request.memory));
        let threads = algorithm.threads(request.threads.max(1));
        let kept = self.game.allow(match algorithm.proves() {
            true => memory / KEPT_BY_GAME,
            false => 0,
        });
        let proves_alone = algorithm.remembers_proofs() && !(G::ORDERED && threads > 1);
        let needs_prover = request.certificate && !proves_alone;
        let setup = Setup {
            memory: (memory - kept) / if needs_prover { 2 } else { 1 },
            threads,
            without,
            leaves: request.leaves,
            replacement: request.replacement,
        };
        let archive = || self.archive(request, keeper.as_ref(), &failure);
        let mut means = Means {
            algorithm,
            solver: self.solver(algorithm, &setup, archive()?)?,
            own: match needs_prover {
                true => {
                    Some(self.solver(Algorithm::PROVER, &setup.with_one_thread(), archive()?)?)
                }
                false => None,
            },
        };
        if let (Some(keeper), Some(state)) = (&mut keeper, means.solver.state()) {
            let setting = self.game.setting();
            let setting =
                setting.unwrap_or_else(|| format!("from {}", self.game.write(&self.position)));
            let (algorithm, leaves) = (algorithm.name, request.leaves);
            let name = format!("{algorithm} {} {setting} {leaves:?}", G::NAME);
            means.solver.take_path(keeper.resume(name, state.table)?);
        }
        let mut look = |progress: &Progress| {
            watch.look(progress)?;
            failure.look()?;
            keeper.as_mut().map_or(Ok(()), Keeper::look)
        };
        let found = self.find_out(&mut means, request, &mut Watch::new(&mut look));
        let stopped = found.reason.map(|_| means.solver.state());
        let stopped = stopped.map(|state| state.map_or_else(Vec::new, |state| state.path));
        let store = keeper.map(|keeper| keeper.finish(stopped.as_deref()));
        if let Some(error) = failure.take() {
            return Err(error);
        }
        Ok(self.answer(found, &means, request, &stopwatch, store.transpose()?))
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

    fn benches(&self, seating: Seating, memory: usize) -> Vec<Box<dyn Bench>> {
        let setup = Setup {
            memory,
            threads: 1,
            without: Without::default(),
            leaves: Leaves::default(),
            replacement: Replacement::default(),
        };
        K::benches(&self.game, &self.position, &setup, seating)
    }

    fn journal(&self, dir: &Path) -> Result<Journal, Error> {
        Journal::open(dir, G::NAME, &self.game.board(), K::HAS_NIMBERS)
    }
}
