//! Several threads: the same answers, whatever the tables forget and whoever comes first.

mod brute_force;

use std::io::Cursor;
use std::time::{Duration, Instant};

use bouton_game::{Game, Impartial, Knowledge, Notation, Outcome};
use bouton_games::hex::{Hex, TwoDistance};
use bouton_search::dfpn::{self, Dfpn, Threaded};
use bouton_search::dice::Dice;
use bouton_search::parallel_pn2::ParallelPn2;
use bouton_search::pdfpn::FromTheRoot;
use bouton_search::pn2;
use bouton_search::prove::{Nimbers, Outcomes};
use bouton_search::solver::{NimberSolver, Setup, Solver, Table};
use bouton_search::spdfpn::Jobs;
use bouton_search::watch::Progress;
use bouton_session::registry::{Visitor, games, visit};
use bouton_session::{
    Certificate, Extent, Leaves, Replacement, Request, Stop, Verdict, Watch, Without, check, open,
};

/// A position some random moves on from an example: the first that is easy.
fn random_position<G: Notation>(
    dice: &mut Dice,
    is_easy: impl Fn(&mut G, &G::Position) -> bool,
) -> (G, G::Position) {
    let example = G::EXAMPLES[dice.roll() as usize % G::EXAMPLES.len()];
    let (mut game, mut position) = G::open(example).expect("an example");
    while !is_easy(&mut game, &position) {
        let moves = game.legal_moves(&position).expect("few moves");
        let chosen = &moves[dice.roll() as usize % moves.len()];
        position = game.play(&position, chosen);
    }
    (game, position)
}

/// Whether something takes df-pn few expansions though it remembers next to nothing.
fn is_easy<T>(solve: impl FnOnce(Dfpn, &mut Watch) -> Result<T, Stop>) -> bool {
    let mut few = |progress: &Progress| match progress.expansions < 500 {
        true => Ok(()),
        false => Err(Stop::Time),
    };
    let dfpn = Dfpn::new(DFPN, Table::new(0, Replacement::LeastWork));
    solve(dfpn, &mut Watch::new(&mut few)).is_ok()
}

/// Eight threads from the first expansion on, jobs of few expansions.
const THREADS: usize = 8;

const DFPN: dfpn::Options = dfpn::Options {
    alone_at_first: 0,
    ..dfpn::Options::BEST
};

/// The provers that are put to the test, with what a position's dice give them.
struct Provers {
    pdfpn: Threaded<FromTheRoot>,
    spdfpn: Threaded<Jobs>,
}

impl Provers {
    fn new(dice: &mut Dice) -> Self {
        let work = 1 + dice.roll() % 16;
        Self {
            pdfpn: Threaded::new(FromTheRoot, DFPN, table(dice)),
            spdfpn: Threaded::new(Jobs { work }, DFPN, table(dice)),
        }
    }
}

/// A table for a handful of entries, or for some more.
fn table(dice: &mut Dice) -> Table {
    let replacement = match dice.roll() % 2 {
        0 => Replacement::LeastWork,
        _ => Replacement::SmallTrees,
    };
    Table::new(
        [128, 1 << 10, 1 << 16][dice.roll() as usize % 3],
        replacement,
    )
}

fn setup(threads: usize) -> Setup {
    Setup {
        memory: 1 << 22,
        threads,
        without: Without::default(),
        leaves: Leaves::default(),
        replacement: Replacement::default(),
    }
}

struct Stress;

/// How many positions of each game.
const POSITIONS: u64 = 40;

impl Visitor for Stress {
    fn impartial<G: Impartial + Notation, K: Knowledge<G> + Default + 'static>(
        &mut self,
        _: &'static str,
    ) {
        for round in 0..POSITIONS {
            let mut dice = Dice::of(&G::NAME, round);
            let (mut game, position) = random_position::<G>(&mut dice, |game, position| {
                let root = game.canonical(position);
                is_easy(|dfpn, watch| {
                    let mut solver = Nimbers::<G, _, K>::new(|_| dfpn, &setup(1));
                    solver.nimber(game, &root, watch)
                })
            });
            let truth = brute_force::nimber(&mut game, &position);
            let root = game.canonical(&position);
            let Provers { pdfpn, spdfpn } = Provers::new(&mut dice);
            let setup = setup(THREADS);
            let mut solvers: [Box<dyn NimberSolver<G>>; 3] = [
                Box::new(Nimbers::<G, _, K>::new(|_| pdfpn, &setup)),
                Box::new(Nimbers::<G, _, K>::new(|_| spdfpn, &setup)),
                Box::new(Nimbers::<G, _, K>::new(
                    |memory| ParallelPn2::new(pn2::Options::PAPER, memory),
                    &setup,
                )),
            ];
            for (index, solver) in solvers.iter_mut().enumerate() {
                let mut go_on = |_: &_| Ok(());
                let nimber = solver.nimber(&mut game, &root, &mut Watch::new(&mut go_on));
                let shown = game.write(&position);
                assert_eq!(nimber, Ok(truth), "{} {shown}, solver {index}", G::NAME);
                let judged = judge(&mut **solver, &mut game, &position);
                let truths = truths(&mut game, &position);
                assert_eq!(judged, truths, "{} {shown}, solver {index}", G::NAME);
            }
        }
    }

    fn coloured<G: Game + Notation, K: Knowledge<G> + Default + 'static>(
        &mut self,
        _: &'static str,
    ) {
        for round in 0..POSITIONS {
            let mut dice = Dice::of(&G::NAME, round);
            let (mut game, position) = random_position::<G>(&mut dice, |game, position| {
                let root = game.canonical(position);
                is_easy(|dfpn, watch| {
                    let mut solver = Outcomes::<G, _, K>::new(|_| dfpn, &setup(1));
                    solver.outcome(game, &root, watch)
                })
            });
            let truth = brute_force::outcome(&mut game, &position);
            let root = game.canonical(&position);
            let Provers { pdfpn, spdfpn } = Provers::new(&mut dice);
            let setup = setup(THREADS);
            let mut solvers: [Box<dyn Solver<G>>; 3] = [
                Box::new(Outcomes::<G, _, K>::new(|_| pdfpn, &setup)),
                Box::new(Outcomes::<G, _, K>::new(|_| spdfpn, &setup)),
                Box::new(Outcomes::<G, _, K>::new(
                    |memory| ParallelPn2::new(pn2::Options::PAPER, memory),
                    &setup,
                )),
            ];
            for (index, solver) in solvers.iter_mut().enumerate() {
                let mut go_on = |_: &_| Ok(());
                let outcome = solver.outcome(&mut game, &root, &mut Watch::new(&mut go_on));
                let shown = game.write(&position);
                assert_eq!(outcome, Ok(truth), "{} {shown}, solver {index}", G::NAME);
                let judged = judge(&mut **solver, &mut game, &position);
                let truths = truths(&mut game, &position);
                assert_eq!(judged, truths, "{} {shown}, solver {index}", G::NAME);
            }
        }
    }
}

#[test]
fn eight_threads_and_tables_that_forget_nearly_everything() {
    visit(&mut Stress);
}

/// Positions that take some thousand expansions, with their outcomes.
const LARGER: [(&str, &str, Outcome); 6] = [
    ("sprouts", "7", Outcome::Loss),
    ("sprouts", "9", Outcome::Win),
    ("cram", "4x6", Outcome::Loss),
    ("cram", "5x5", Outcome::Loss),
    ("konane", "4x6", Outcome::Loss),
    ("konane", "5x5", Outcome::Win),
];

/// A thousand runs; each answer has a proof that the checker accepts.
#[test]
fn answers_depend_on_neither_threads_nor_memory() {
    for run in 0..1_000u64 {
        let mut dice = Dice::of(&"runs", run);
        let (game, position, outcome) = LARGER[dice.roll() as usize % LARGER.len()];
        let algorithm = ["auto", "pdfpn", "spdfpn", "parallel-pn2"][dice.roll() as usize % 4];
        // PN² has no answer without memory for its first level.
        let least = if algorithm == "parallel-pn2" { 24 } else { 18 };
        let request = Request {
            algorithm: algorithm.to_owned(),
            threads: 1 + dice.roll() as usize % 8,
            memory: 1 << (least + dice.roll() % 10),
            certificate: true,
            ..Request::default()
        };
        let mut session = open(game, position).expect("a position");
        let mut go_on = |_: &_| Ok(());
        let answer = session.solve(&request, &mut Watch::new(&mut go_on));
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(answer.reason, None, "{game} {position} {request:?}");
        assert_eq!(
            answer.outcome,
            Verdict::from(Some(outcome)),
            "{game} {position} {request:?}"
        );
        let mut bytes = Vec::new();
        let proof = answer.proof.expect("it was asked for");
        proof.write(&mut bytes).expect("memory can be written to");
        let certificate = Certificate::read(Cursor::new(bytes)).expect("it was just written");
        let checked = check(&certificate, Extent::All, &mut |_| Ok(()));
        checked.unwrap_or_else(|error| panic!("{game} {position} {request:?}: {error}"));
    }
}

/// Begins with the children of a position, then asks for each: what its outcome is.
fn judge<G: Notation, S: Solver<G> + ?Sized>(
    solver: &mut S,
    game: &mut G,
    position: &G::Position,
) -> Vec<Result<Outcome, Stop>> {
    let children = children(game, position);
    let mut go_on = |_: &_| Ok(());
    let mut watch = Watch::new(&mut go_on);
    let begun = solver.begin_all(game, &children, &mut watch);
    assert_eq!(begun.stopped, None);
    let asked = children.iter();
    let outcomes = asked.map(|child| solver.outcome(game, child, &mut watch));
    let outcomes: Vec<_> = outcomes.collect();
    for (begun, outcome) in begun.outcomes.iter().zip(&outcomes) {
        assert!(begun.is_none_or(|begun| Ok(begun) == *outcome));
    }
    outcomes
}

/// The canonical children of a position, one for each move.
fn children<G: Notation>(game: &mut G, position: &G::Position) -> Vec<G::Position> {
    let moves = game.legal_moves(position).expect("few moves");
    let children = moves.iter().map(|mv| {
        let child = game.play(position, mv);
        game.canonical(&child)
    });
    children.collect()
}

/// The true outcomes of the same children.
fn truths<G: Notation>(game: &mut G, position: &G::Position) -> Vec<Result<Outcome, Stop>> {
    let children = children(game, position);
    let truths = children.iter();
    truths
        .map(|child| Ok(brute_force::outcome(game, child)))
        .collect()
}

/// Threads that take a move each find what one finds that takes them one after the other.
#[test]
fn all_moves_are_judged_alike_by_any_number_of_threads() {
    let positions = [
        ("hex", "4x4"),
        ("hex", "5x5"),
        ("konane", "4x5"),
        ("cram", "4x4"),
        ("sprouts", "6"),
    ];
    for (game, position) in positions {
        let judged = |algorithm: &str, threads: usize| {
            let request = Request {
                algorithm: algorithm.to_owned(),
                threads,
                all_moves: true,
                ..Request::default()
            };
            let mut session = open(game, position).expect("a position");
            let mut go_on = |_: &_| Ok(());
            let answer = session.solve(&request, &mut Watch::new(&mut go_on));
            let answer = answer.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(answer.reason, None, "{game} {position}");
            assert_eq!(answer.threads, threads);
            let moves = answer.moves.expect("they were asked for").into_iter();
            let moves: Vec<_> = moves.map(|judged| (judged.mv, judged.outcome)).collect();
            (answer.outcome, moves, answer.winning_moves, answer.map)
        };
        let alone = judged("dfpn", 1);
        for algorithm in ["pdfpn", "spdfpn", "parallel-pn2"] {
            for threads in [1, 2, 3, 8] {
                let together = judged(algorithm, threads);
                assert_eq!(together, alone, "{game} {position} {algorithm} {threads}");
            }
        }
    }
}

/// Whoever watches is told how many moves are judged: 18 of 6x6 are different. What is judged
/// stays so, though a table forgets it.
#[test]
fn judged_moves_are_counted() {
    let memory = Request::default().memory;
    for (threads, memory) in [(1, memory), (2, memory), (2, 1 << 16)] {
        let request = Request {
            threads,
            memory,
            all_moves: true,
            ..Request::default()
        };
        let mut session = open("hex", "6x6").expect("a position");
        let mut shown = Vec::new();
        let mut look = |progress: &Progress| {
            shown.extend(progress.asked);
            Ok(())
        };
        let answer = session.solve(&request, &mut Watch::new(&mut look));
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(answer.reason, None);
        assert!(shown.iter().all(|&(known, all)| known <= all && all == 18));
        assert!(shown.is_sorted(), "{shown:?}");
        assert!(shown.iter().any(|&(known, _)| 5 < known && known < 18));
    }
}

/// A run that is stopped while threads have a move each ends, and says what is known.
#[test]
fn threads_stop_judging_when_they_are_told() {
    for algorithm in ["pdfpn", "spdfpn"] {
        let request = Request {
            algorithm: algorithm.to_owned(),
            threads: 4,
            all_moves: true,
            ..Request::default()
        };
        let mut session = open("hex", "7x7").expect("a position");
        let mut look = |progress: &Progress| match progress.expansions < 3_000 {
            true => Ok(()),
            false => Err(Stop::Time),
        };
        let answer = session.solve(&request, &mut Watch::new(&mut look));
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(answer.reason, Some(Stop::Time), "{algorithm}");
        assert_eq!(answer.outcome, Verdict::Win);
        let moves = answer.moves.expect("they were asked for");
        for verdict in [Verdict::Win, Verdict::Unknown] {
            assert!(moves.iter().any(|judged| judged.outcome == verdict));
        }
        let counted = answer.counts.expansions;
        assert!((3_000..6_000).contains(&counted), "{counted}");
    }
}

/// Who has no move left to take still sees to it that the others stop.
#[test]
fn who_waits_for_others_keeps_watch() {
    type Solver = Outcomes<Hex, Threaded<Jobs>, TwoDistance>;
    let endless = dfpn::Options {
        alone_at_first: u64::MAX,
        ..DFPN
    };
    let table = Table::new(1 << 20, Replacement::LeastWork);
    let prover = Threaded::new(Jobs::BEST, endless, table);
    let mut solver = Solver::new(|_| prover, &setup(2));
    let (mut game, start) = Hex::open("9x9").expect("a position");
    let (_, easy) = Hex::open("9x9 e1 a2 e2 a3 e3 a4 e4 a5 e5 a6 e6 a7 e7 a8").expect("one");
    // Time enough for the easy one, whoever takes it and however busy the machine is.
    let (mut looks, begun) = (0, Instant::now());
    let mut look = |_: &_| {
        looks += 1;
        match looks > 30 && begun.elapsed() > Duration::from_millis(500) {
            true => Err(Stop::Interrupted),
            false => Ok(()),
        }
    };
    let begun = solver.begin_all(&mut game, &[easy, start], &mut Watch::new(&mut look));
    assert_eq!(begun.stopped, Some(Stop::Interrupted));
    assert_eq!(begun.outcomes, [Some(Outcome::Win), None]);
}

/// A run that is stopped ends, whatever its threads are doing, and says why.
#[test]
fn threads_stop_when_they_are_told() {
    let large = [
        ("sprouts", "40"),
        ("konane", "8x8"),
        ("cram", "9x9"),
        ("hex", "9x9"),
    ];
    for (game, position) in large {
        for algorithm in ["pdfpn", "spdfpn", "parallel-pn2"] {
            for stop in [Stop::Time, Stop::Interrupted] {
                let request = Request {
                    algorithm: algorithm.to_owned(),
                    threads: 16,
                    memory: 1 << 28,
                    ..Request::default()
                };
                let mut session = open(game, position).expect("a position");
                let mut looks = 0;
                let mut look = |_: &_| {
                    looks += 1;
                    if looks > 30 { Err(stop) } else { Ok(()) }
                };
                let answer = session.solve(&request, &mut Watch::new(&mut look));
                let answer = answer.unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(answer.reason, Some(stop), "{game} {algorithm}");
                assert_eq!((answer.outcome, answer.threads), (Verdict::Unknown, 16));
            }
        }
    }
}

/// What `auto` stands for uses the threads it may use; other algorithms use one, and say so.
#[test]
fn threads_that_are_used() {
    for game in games() {
        let example = game.examples[0];
        for (algorithm, used) in [("auto", None), ("dfpn", Some(1)), ("spdfpn", Some(3))] {
            let request = Request {
                algorithm: algorithm.to_owned(),
                threads: 3,
                ..Request::default()
            };
            let mut session = open(game.name, example).expect("an example");
            let mut go_on = |_: &_| Ok(());
            let answer = session.solve(&request, &mut Watch::new(&mut go_on));
            let answer = answer.unwrap_or_else(|error| panic!("{error}"));
            let auto = if game.auto == "dfpn" { 3 } else { 1 };
            assert_eq!(
                answer.threads,
                used.unwrap_or(auto),
                "{} {algorithm}",
                game.name
            );
        }
    }
}
