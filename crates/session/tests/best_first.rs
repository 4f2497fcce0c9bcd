//! Best-first proof-number search on real games: memory, evaluation, budgets.

use bouton_game::{Game, Impartial, Knowledge, Nimber, Notation, Outcome};
use bouton_games::cram::{CellsAndDominoes, Cram};
use bouton_games::konane::{Konane, Mobilities};
use bouton_games::nim::Nim;
use bouton_search::exhaustive;
use bouton_search::guide::Leaves;
use bouton_search::pn2::{self, Pn2};
use bouton_search::pns::{self, Evaluation, Pns};
use bouton_search::prove::{Nimbers, Outcomes, Prover};
use bouton_search::solver::{NimberSolver, Replacement, Setup, Solver, Without};
use bouton_search::watch::{Progress, Stop, Watch};

const PLENTY: usize = 1 << 26;

const DELAYED: pns::Options = pns::Options {
    evaluation: Evaluation::Delayed,
};

/// A second level that can hardly do more than look at the branches of a leaf.
const TINY: pn2::Options = pn2::Options {
    middle: 100.0,
    width: 10.0,
    least: 5,
};

fn setup(memory: usize) -> Setup {
    Setup {
        memory,
        threads: 1,
        without: Without::default(),
        leaves: Leaves::default(),
        replacement: Replacement::LeastWork,
    }
}

/// The outcome, the counts at the end and the most bytes on the way.
fn solve<G: Notation, K>(
    prover: impl Prover,
    position: &str,
) -> (Result<Outcome, Stop>, Progress, usize)
where
    K: Knowledge<G> + Default,
{
    let (mut game, root) = G::open(position).expect("a position");
    let root = game.canonical(&root);
    let mut solver = Outcomes::<_, _, K>::new(|_| prover, &setup(PLENTY));
    let mut most = 0;
    let mut look = |progress: &Progress| {
        most = most.max(progress.bytes);
        Ok(())
    };
    let outcome = solver.outcome(&mut game, &root, &mut Watch::new(&mut look));
    let counts = Solver::<G>::progress(&solver);
    (outcome, counts, most)
}

fn nimber<G: Impartial + Notation>(
    mut solver: impl NimberSolver<G>,
    position: &str,
) -> Result<Nimber, Stop> {
    let (mut game, root) = G::open(position).expect("a position");
    let root = game.canonical(&root);
    let mut go_on = |_: &_| Ok(());
    solver.nimber(&mut game, &root, &mut Watch::new(&mut go_on))
}

fn cram<A: Prover>(
    prover: impl FnOnce(usize) -> A,
    memory: usize,
) -> Nimbers<Cram, A, CellsAndDominoes> {
    Nimbers::new(prover, &setup(memory))
}

#[test]
fn cram_4x5_is_right_or_out_of_memory() {
    let mut answers = [[0, 0]; 2];
    for bits in 10..25 {
        let pns = |memory| Pns::new(pns::Options::BEST, memory);
        let pn2 = |memory| Pn2::new(pn2::Options::PAPER, memory);
        let found = [
            nimber::<Cram>(cram(pns, 1 << bits), "4x5"),
            nimber::<Cram>(cram(pn2, 1 << bits), "4x5"),
        ];
        for (found, answers) in found.into_iter().zip(&mut answers) {
            assert!(matches!(found, Ok(2) | Err(Stop::Memory)), "{found:?}");
            answers[usize::from(found.is_ok())] += 1;
        }
    }
    for answers in answers {
        assert!(answers[0] > 0 && answers[1] > 0, "{answers:?}");
    }
}

/// What it takes without deletion is known from a run with plenty of memory; then a run with
/// less must delete.
#[test]
fn deletion_lets_a_run_end_with_less_memory() {
    let search = |memory| solve::<Konane, Mobilities>(Pns::new(pns::Options::BEST, memory), "5x6");
    let (truth, counts, _) = search(PLENTY);
    let less = counts.bytes * 7 / 10;
    let (outcome, _, most) = search(less);
    assert_eq!(outcome, truth);
    assert!(most <= less, "{most} of {less}");
}

#[test]
fn two_levels_stay_within_memory() {
    for memory in [1 << 17, 1 << 18, 1 << 20] {
        let prover = Pn2::new(pn2::Options::PAPER, memory);
        let (outcome, _, most) = solve::<Konane, Mobilities>(prover, "5x6");
        assert!(most <= memory, "{most} of {memory}");
        assert!(!matches!(outcome, Err(Stop::Time | Stop::Interrupted)));
    }
}

#[test]
fn two_levels_need_less_memory_than_one() {
    let one = solve::<Konane, Mobilities>(Pns::new(pns::Options::BEST, PLENTY), "5x6").1;
    let memory = one.bytes / 4;
    let pns = solve::<Konane, Mobilities>(Pns::new(pns::Options::BEST, memory), "5x6").0;
    let pn2 = solve::<Konane, Mobilities>(Pn2::new(pn2::Options::PAPER, memory), "5x6").0;
    assert_eq!(pns, Err(Stop::Memory));
    assert!(pn2.is_ok());
}

#[test]
fn evaluation_and_budget_change_no_answer() {
    for size in ["1x7", "2x5", "3x3", "3x4", "3x5", "4x4", "3x6"] {
        let yardstick = exhaustive::Nimbers::<Cram, CellsAndDominoes>::new(&setup(PLENTY));
        let truth = nimber::<Cram>(yardstick, size);
        let immediate = |memory| Pns::new(pns::Options::BEST, memory);
        let delayed = |memory| Pns::new(DELAYED, memory);
        let tiny = |memory| Pn2::new(TINY, memory);
        assert_eq!(nimber::<Cram>(cram(immediate, PLENTY), size), truth);
        assert_eq!(nimber::<Cram>(cram(delayed, PLENTY), size), truth);
        assert_eq!(nimber::<Cram>(cram(tiny, PLENTY), size), truth);
    }
    for size in ["4x4", "4x5", "5x5"] {
        let best = Pns::new(pns::Options::BEST, PLENTY);
        let truth = solve::<Konane, Mobilities>(best, size).0;
        let delayed = Pns::new(DELAYED, PLENTY);
        assert_eq!(solve::<Konane, Mobilities>(delayed, size).0, truth);
        let tiny = Pn2::new(TINY, PLENTY);
        assert_eq!(solve::<Konane, Mobilities>(tiny, size).0, truth);
    }
}

/// Nim without sums: as a tree it has far more nodes than positions.
#[test]
fn nim_has_no_more_nodes_than_positions() {
    let prover = Pns::new(DELAYED, PLENTY);
    let (outcome, counts, _) = solve::<Nim, bouton_game::Unguided>(prover, "5,6,3");
    assert_eq!(outcome, Ok(Outcome::Loss));
    // Heaps in order: at most 6 * 7 * 4 of them.
    assert!(counts.table_entries <= 168, "{}", counts.table_entries);
}

/// After a win a move that wins is known without another search.
#[test]
fn a_winning_move_is_known() {
    for memory in [1 << 18, PLENTY] {
        check_winning_move(Pns::new(pns::Options::BEST, memory));
        check_winning_move(Pns::new(DELAYED, memory));
        check_winning_move(Pn2::new(pn2::Options::PAPER, memory));
    }
}

fn check_winning_move(prover: impl Prover) {
    let (mut game, root) = Konane::open("5x5").expect("a position");
    let root = game.canonical(&root);
    let mut go_on = |_: &_| Ok(());
    let mut solver = Outcomes::<_, _, Mobilities>::new(|_| prover, &setup(PLENTY));
    let outcome = solver.outcome(&mut game, &root, &mut Watch::new(&mut go_on));
    assert_eq!(outcome, Ok(Outcome::Win));
    let moves = game.legal_moves(&root).expect("few moves");
    let wins = moves.iter().any(|mv| {
        let child = game.play(&root, mv);
        let child = game.canonical(&child);
        solver.known(&mut game, &child) == Some(Outcome::Loss)
    });
    assert!(wins);
}
