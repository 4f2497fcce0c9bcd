//! Proof-number search on real games: what it finds, and how much it takes.

use bouton_game::{Estimate, Game, Knowledge, Nimber, Notation, Outcome};
use bouton_games::cram::{CellsAndDominoes, Cram};
use bouton_games::hex::{Hex, VirtualConnections};
use bouton_games::konane::{Konane, Mobilities};
use bouton_search::dfpn::{Dfpn, Options};
use bouton_search::prove;
use bouton_search::shelf;
use bouton_search::solver::{NimberSolver, Setup, Solver, Table};
use bouton_search::space::{Coupled, Entered};
use bouton_search::successors::Conditions;
use bouton_session::{
    Answer, Leaves, Progress, Replacement, Request, Stop, Verdict, Watch, Without, open,
};

fn solve(game: &str, position: &str, request: &Request) -> Answer {
    let mut session = open(game, position).unwrap_or_else(|error| panic!("{error}"));
    let mut go_on = |_: &_| Ok(());
    let answer = session.solve(request, &mut Watch::new(&mut go_on));
    answer.unwrap_or_else(|error| panic!("{error}"))
}

fn dfpn() -> Request {
    Request {
        algorithm: "dfpn".to_owned(),
        ..Request::default()
    }
}

/// With first numbers that are in part learned; a prototype with such numbers needed 1.45 million
/// evaluations, the thesis, without, 46 million nodes.
#[test]
fn konane_6x6_takes_two_million_evaluations() {
    let answer = solve("konane", "6x6", &dfpn());
    assert_eq!(answer.outcome, Verdict::Loss, "White wins");
    let evaluations = answer.counts.evaluations;
    assert!(evaluations <= 2_000_000, "{evaluations}");
}

#[test]
fn konane_6x6_with_a_table_a_hundred_times_too_small() {
    let whole = solve("konane", "6x6", &dfpn()).counts.table_entries as usize;
    for replacement in [Replacement::LeastWork, Replacement::SmallTrees] {
        let request = Request {
            memory: whole * 32 / 100,
            replacement,
            ..dfpn()
        };
        let answer = solve("konane", "6x6", &request);
        assert_eq!(answer.outcome, Verdict::Loss, "White wins");
        assert!(answer.counts.table_entries as usize <= whole / 100);
    }
}

/// The table and what Hex's knowledge keeps, by their own count.
#[test]
fn hex_6x6_a3_keeps_to_its_memory() {
    for memory in [1 << 14, 1 << 17] {
        let mut session = open("hex", "6x6").expect("a size");
        session.play("a3").expect("a move");
        let mut most = 0;
        let mut look = |progress: &Progress| {
            most = most.max(progress.bytes);
            Ok(())
        };
        let request = Request { memory, ..dfpn() };
        let answer = session.solve(&request, &mut Watch::new(&mut look));
        assert_eq!(
            answer.expect("an answer").outcome,
            Verdict::Loss,
            "Black wins"
        );
        assert!(
            (memory / 2..=memory).contains(&most),
            "{most} of {memory} bytes"
        );
    }
}

/// The winning move is the one whose child was proved, though another stood in for it.
#[test]
fn a_winning_move_in_hex_takes_no_search_of_its_own() {
    let position = "......|x.....|......|......|......|...... w";
    let answer = solve("hex", position, &dfpn());
    assert_eq!(answer.winning_moves, ["d3"]);
    let (mut game, root) = Hex::open(position).expect("a position");
    let mut solver = prove::Outcomes::<_, _, VirtualConnections>::new(search, &SETUP);
    let mut go_on = |_: &_| Ok(());
    let outcome = solver.outcome(&mut game, &root, &mut Watch::new(&mut go_on));
    assert_eq!(outcome, Ok(Outcome::Win));
    assert_eq!(answer.counts.expansions, solver.progress().expansions);
}

/// A prototype needed 352,000.
#[test]
fn cram_5x8_takes_450_000_expansions() {
    let request = Request {
        nimber: true,
        ..dfpn()
    };
    let answer = solve("cram", "5x8", &request);
    assert_eq!(answer.nimber, Some(1));
    let expansions = answer.counts.expansions;
    assert!(expansions <= 450_000, "{expansions}");
}

/// Lemoine and Viennot 2015: the first player loses if the spots are 0, 1 or 2 modulo 6.
#[test]
fn sprouts_to_13_spots() {
    for spots in 2..=13 {
        let answer = solve("sprouts", &spots.to_string(), &dfpn());
        let loses = matches!(spots % 6, 0..=2);
        assert_eq!(answer.outcome == Verdict::Loss, loses, "{spots} spots");
    }
}

/// First numbers steer, and nothing else.
#[test]
fn all_leaves_lead_to_the_same() {
    for leaves in [Leaves::Best, Leaves::Mobility, Leaves::Constant] {
        let request = Request { leaves, ..dfpn() };
        assert_eq!(solve("konane", "5x5", &request).outcome, Verdict::Win);
        assert_eq!(solve("konane", "5x6", &request).outcome, Verdict::Loss);
        assert_eq!(solve("cram", "4x6", &request).outcome, Verdict::Loss);
        assert_eq!(solve("sprouts", "7", &request).outcome, Verdict::Loss);
        assert_eq!(solve("hex", "4x4", &request).outcome, Verdict::Win);
    }
}

/// Whatever an estimate says, it is a number.
#[derive(Default)]
struct Absurd;

impl<G: Game> Knowledge<G> for Absurd {
    fn estimate(&mut self, game: &mut G, position: &G::Position, _: Nimber) -> Estimate {
        let large = game.mobility(position).is_multiple_of(2);
        Estimate {
            proof: if large { u64::MAX } else { 1 },
            disproof: u64::MAX,
        }
    }
}

const SETUP: Setup = Setup {
    memory: 1 << 24,
    threads: 1,
    without: Without {
        symmetry: false,
        components: false,
        order: false,
        knowledge: 0,
    },
    leaves: Leaves::Best,
    replacement: Replacement::LeastWork,
};

fn search(memory: usize) -> Dfpn {
    Dfpn::new(Options::BEST, Table::new(memory, Replacement::LeastWork))
}

#[test]
fn absurd_numbers_come_to_an_end() {
    let mut go_on = |_: &_| Ok(());
    let mut watch = Watch::new(&mut go_on);
    let (mut game, start) = Konane::open("4x5").expect("a size");
    let mut solver = prove::Outcomes::<_, _, Absurd>::new(search, &SETUP);
    let found = solver.outcome(&mut game, &start, &mut watch);
    let mut sane = prove::Outcomes::<_, _, Mobilities>::new(search, &SETUP);
    assert_eq!(found, sane.outcome(&mut game, &start, &mut watch));

    let (mut game, start) = Cram::open("4x5").expect("a size");
    let mut solver = prove::Nimbers::<Cram, _, Absurd>::new(search, &SETUP);
    assert_eq!(solver.nimber(&mut game, &start, &mut watch), Ok(2));
}

/// A search that is cut short again and again goes on where it was, and ends.
#[test]
fn small_pieces_of_work_add_up() {
    let (mut game, start) = Cram::open("4x7").expect("a size");
    let (mut knowledge, mut facts) = (CellsAndDominoes, shelf::Nimbers::new(1 << 20));
    let mut space = Coupled::new(&mut game, &mut knowledge, &mut facts, Conditions::BEST);
    let Entered::Open(root) = space.enter(&start, 0) else {
        panic!("nothing is known yet");
    };
    let mut go_on = |_: &_| Ok(());
    let mut watch = Watch::new(&mut go_on);
    let mut search = search(1 << 24);
    let mut pieces = 0;
    let solved = loop {
        pieces += 1;
        let numbers = search.work_on(&mut space, &root, 50, &mut watch);
        let numbers = numbers.expect("nobody stops it");
        if numbers.is_solved() {
            break numbers;
        }
    };
    assert!(solved.is_win());
    assert!(pieces > 10, "{pieces} pieces");
}

/// What was found out before a stop is not lost.
#[test]
fn a_stopped_search_goes_on() {
    let (mut game, start) = Konane::open("6x5").expect("a size");
    let mut solver = prove::Outcomes::<_, _, Mobilities>::new(search, &SETUP);
    let mut stops = 0;
    let outcome = loop {
        let mut looks = 0;
        let mut look = |_: &_| {
            looks += 1;
            if looks > 100 { Err(Stop::Time) } else { Ok(()) }
        };
        match solver.outcome(&mut game, &start, &mut Watch::new(&mut look)) {
            Ok(outcome) => break outcome,
            Err(stop) => assert_eq!(stop, Stop::Time),
        }
        stops += 1;
    };
    assert_eq!(outcome, Outcome::Loss);
    assert!(stops > 3, "{stops} stops");
    let expansions = Solver::<Konane>::progress(&solver).expansions;
    assert!(expansions < 500_000, "{expansions}");
}
