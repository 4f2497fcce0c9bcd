//! Alpha-beta with little memory, stopped, and beside df-pn. That its answers are true for every
//! game is a law, see `laws.rs`.

use bouton_session::{Answer, Leaves, Request, Stop, Verdict, Watch, open};

fn solve(game: &str, position: &str, request: &Request) -> Answer {
    let mut go_on = |_: &_| Ok(());
    let mut session = open(game, position).expect("a position");
    let answer = session.solve(request, &mut Watch::new(&mut go_on));
    answer.expect("an answer")
}

fn alpha_beta() -> Request {
    Request {
        algorithm: "alpha-beta".to_owned(),
        ..Request::default()
    }
}

/// A table that forgets nearly everything costs time, not truth.
#[test]
fn answers_are_true_with_a_table_of_four_entries() {
    for (game, position, outcome) in [
        ("konane", "4x4", Verdict::Loss),
        ("konane", "5x4", Verdict::Loss),
        ("hex", "3x3", Verdict::Win),
        ("cram", "3x4", Verdict::Win),
        ("sprouts", "4", Verdict::Win),
        ("kayles", "9", Verdict::Win),
    ] {
        let memory = 0;
        let answer = solve(
            game,
            position,
            &Request {
                memory,
                ..alpha_beta()
            },
        );
        assert_eq!(answer.outcome, outcome, "{game} {position}");
    }
}

/// Without a game's knowledge leaves say nothing: ends of play are found by expansion.
#[test]
fn first_numbers_only_sort_moves() {
    for leaves in [Leaves::Best, Leaves::Mobility, Leaves::Constant] {
        let answer = solve(
            "konane",
            "5x5",
            &Request {
                leaves,
                ..alpha_beta()
            },
        );
        assert_eq!(answer.outcome, Verdict::Win, "{leaves:?}");
    }
}

/// Two stones are taken, and Black has no jump.
#[test]
fn a_node_counts_once_for_its_level() {
    let answer = solve("konane", "1x3", &alpha_beta());
    // The start, one way to take a stone (up to symmetry), one to take a neighbour.
    assert_eq!(answer.counts.evaluations, 3);
    assert_eq!(answer.outcome, Verdict::Loss);
}

#[test]
fn a_stop_is_an_honest_unknown() {
    let mut session = open("konane", "6x6").expect("a position");
    let mut stop = |_: &_| Err(Stop::Interrupted);
    let answer = session.solve(&alpha_beta(), &mut Watch::new(&mut stop));
    let answer = answer.expect("an answer");
    assert_eq!(answer.outcome, Verdict::Unknown);
    assert_eq!(answer.reason, Some(Stop::Interrupted));
}

/// What the comparison in the Konane thesis is about.
#[test]
fn proof_numbers_take_fewer_expansions() {
    let dfpn = Request {
        algorithm: "dfpn".to_owned(),
        ..Request::default()
    };
    let (slow, fast) = (
        solve("konane", "6x5", &alpha_beta()),
        solve("konane", "6x5", &dfpn),
    );
    assert_eq!((slow.outcome, fast.outcome), (Verdict::Loss, Verdict::Loss));
    assert!(slow.counts.expansions > 2 * fast.counts.expansions);
}
