//! Runs with a store: stopped anywhere and taken up again, by the same algorithm or another.

use std::path::Path;

use bouton_session::algorithms::Algorithm;
use bouton_session::registry::games;
use bouton_session::{Answer, Progress, Request, Stop, Verdict, Watch, open};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for tests")
}

fn request(algorithm: &str, nimber: bool, store: Option<&Path>) -> Request {
    Request {
        algorithm: algorithm.to_owned(),
        nimber,
        memory: 256 << 20,
        store: store.map(Path::to_path_buf),
        ..Request::default()
    }
}

/// Solves, but for no more than so many expansions (or a few more: looks are rare).
fn solve(game: &str, position: &str, request: &Request, expansions: u64) -> Answer {
    let mut session = open(game, position).unwrap_or_else(|error| panic!("{error}"));
    let mut look = |progress: &Progress| match progress.expansions < expansions {
        true => Ok(()),
        false => Err(Stop::Interrupted),
    };
    let answer = session.solve(request, &mut Watch::new(&mut look));
    answer.unwrap_or_else(|error| panic!("{game} {position}: {error}"))
}

/// Large enough to be stopped, small enough for all algorithms.
fn positions(game: &str) -> &'static [&'static str] {
    match game {
        "nim" => &["5,4,3"],
        "chomp" => &["4x4"],
        "cram" => &["4x4"],
        "sprouts" => &["5"],
        "konane" => &["4x4"],
        "hex" => &["3x3"],
        _ => &["12,11"],
    }
}

#[test]
fn every_algorithm_goes_on_where_it_was_stopped() {
    for game in games() {
        for position in positions(game.name) {
            for algorithm in Algorithm::ALL {
                if !game.impartial && !algorithm.serves_colours() {
                    continue;
                }
                let without = request(algorithm.name, game.impartial, None);
                let fresh = solve(game.name, position, &without, u64::MAX);
                let dir = folder();
                let with = request(algorithm.name, game.impartial, Some(dir.path()));
                let work = fresh.counts.expansions;
                let stopped = solve(game.name, position, &with, work / 2);
                let resumed = solve(game.name, position, &with, u64::MAX);
                let name = format!("{} {position} {}", game.name, algorithm.name);
                for answer in [&stopped, &resumed] {
                    let known = answer.outcome != Verdict::Unknown;
                    assert!(!known || answer.outcome == fresh.outcome, "{name}");
                }
                assert_eq!(resumed.nimber, fresh.nimber, "{name}");
                assert_eq!(resumed.outcome, fresh.outcome, "{name}");
            }
        }
    }
}

#[test]
fn algorithms_use_what_others_found() {
    for (game, position) in [("cram", "4x6"), ("sprouts", "8"), ("konane", "5x5")] {
        let dir = folder();
        let nimber = game != "konane";
        let first = solve(
            game,
            position,
            &request("dfpn", nimber, Some(dir.path())),
            u64::MAX,
        );
        let kept = first.store.expect("there is a store");
        assert!(kept.facts > 0 && kept.facts == kept.new_facts);
        for algorithm in ["exhaustive", "pns", "pn2", "alpha-beta", "dfpn"] {
            let other = solve(
                game,
                position,
                &request(algorithm, nimber, Some(dir.path())),
                u64::MAX,
            );
            assert_eq!((other.outcome, other.nimber), (first.outcome, first.nimber));
            let expansions = other.counts.expansions;
            assert!(expansions <= 8, "{game} {algorithm}: {expansions}");
        }
    }
}

/// A run that was stopped goes on from the very place: no work is done twice but that of the node
/// it was about to expand. (Hex's knowledge remembers what it saw, which is not kept.)
#[test]
fn dfpn_goes_on_exactly_where_it_was() {
    let roots = [
        ("sprouts", "13", false),
        ("sprouts", "9", true),
        ("cram", "5x6", true),
        ("konane", "5x6", false),
    ];
    for (game, position, nimber) in roots {
        let fresh = solve(game, position, &request("dfpn", nimber, None), u64::MAX);
        let work = fresh.counts.expansions;
        let dir = folder();
        let with = request("dfpn", nimber, Some(dir.path()));
        let mut total = 0;
        for part in [work / 3, work / 6] {
            let stopped = solve(game, position, &with, part);
            assert_eq!(stopped.reason, Some(Stop::Interrupted), "{game} {position}");
            total += stopped.counts.expansions;
        }
        let resumed = solve(game, position, &with, u64::MAX);
        assert_eq!(resumed.outcome, fresh.outcome);
        assert_eq!(resumed.nimber, fresh.nimber);
        assert!(resumed.store.expect("there is a store").restored > 0);
        total += resumed.counts.expansions;
        assert!(
            total.abs_diff(work) <= 2 + work / 100,
            "{game} {position}: {total} of {work}"
        );
    }
}

/// Facts are kept under the canonical form, however the search has met them.
#[test]
fn a_search_without_symmetry_keeps_the_same_facts() {
    let dir = folder();
    let mut with = request("dfpn", true, Some(dir.path()));
    with.without.symmetry = true;
    let first = solve("cram", "4x5", &with, u64::MAX);
    with.without.symmetry = false;
    let second = solve("cram", "4x5", &with, u64::MAX);
    assert_eq!(first.nimber, second.nimber);
    assert!(second.counts.expansions <= 2);
}

#[test]
fn a_store_needs_some_memory() {
    let dir = folder();
    let mut with = request("dfpn", true, Some(dir.path()));
    with.memory = 1 << 20;
    let mut go_on = |_: &_| Ok(());
    let mut session = open("cram", "2x3").unwrap_or_else(|error| panic!("{error}"));
    let error = session
        .solve(&with, &mut Watch::new(&mut go_on))
        .unwrap_err();
    assert!(error.to_string().contains("96 MiB"), "{error}");
}

/// With threads a run goes on with the table and the facts of the one before.
#[test]
fn threads_go_on_where_they_were_stopped() {
    let roots = [
        ("sprouts", "13", Verdict::Loss),
        ("cram", "5x7", Verdict::Win),
        ("konane", "5x6", Verdict::Loss),
    ];
    for (game, position, outcome) in roots {
        for algorithm in ["pdfpn", "spdfpn"] {
            let dir = folder();
            let request = Request {
                threads: 4,
                ..request(algorithm, false, Some(dir.path()))
            };
            let stopped = solve(game, position, &request, 1_500);
            assert_eq!(stopped.outcome, Verdict::Unknown, "{game} {algorithm}");
            let resumed = solve(game, position, &request, u64::MAX);
            assert_eq!(resumed.outcome, outcome, "{game} {algorithm}");
            let kept = resumed.store.expect("there is a store");
            assert!(kept.restored > 0 && kept.facts > kept.new_facts);
        }
    }
}

/// The table of a search that was stopped is not taken for one of another board.
#[test]
fn a_stopped_search_says_nothing_of_other_boards() {
    let boards: [(&str, &str, &[&str]); 4] = [
        ("cram", "6x7", &["4x4", "4x5", "4x6", "5x5", "3x7", "7x3"]),
        ("chomp", "9x8", &["4x4", "6x5"]),
        ("konane", "6x6", &["4x4", "4x5", "3x6"]),
        ("hex", "5x5", &["3x3", "3x4", "4x3"]),
    ];
    for (game, large, small) in boards {
        let nimber = !matches!(game, "konane" | "hex");
        for algorithm in ["dfpn", "spdfpn"] {
            let dir = folder();
            let with = request(algorithm, nimber, Some(dir.path()));
            for position in small {
                solve(game, large, &with, 20_000);
                let alone = solve(game, position, &request("dfpn", nimber, None), u64::MAX);
                let after = solve(game, position, &with, u64::MAX);
                let values = |answer: &Answer| (answer.outcome, answer.nimber);
                assert_eq!(values(&after), values(&alone), "{game} {position}");
                let restored = after.store.expect("there is a store").restored;
                assert!(restored == 0 || game == "chomp", "{game} {position}");
            }
        }
    }
}

/// Where packed positions mean the same on all boards, boards share facts; where they do not,
/// facts are kept apart.
#[test]
fn boards_share_a_store_and_are_not_mixed_up() {
    let boards: [(&str, &[&str]); 6] = [
        ("cram", &["4x4", "4x5", "5x4", "3x7", "2x9"]),
        ("chomp", &["4x4", "5x4", "4x5", "6x5"]),
        ("sprouts", &["4", "5", "0*3.1a1a"]),
        ("nim", &["5,4,3", "7,3,2"]),
        ("konane", &["4x4", "4x5", "5x4", "3x6"]),
        ("hex", &["3x3", "3x4", "4x3"]),
    ];
    let dir = folder();
    for (game, positions) in boards {
        let nimber = !matches!(game, "konane" | "hex");
        for position in positions {
            for algorithm in ["dfpn", "exhaustive"] {
                let alone = solve(game, position, &request(algorithm, nimber, None), u64::MAX);
                let with = request(algorithm, nimber, Some(dir.path()));
                let shared = solve(game, position, &with, u64::MAX);
                let values = |answer: &Answer| (answer.outcome, answer.nimber);
                assert_eq!(values(&shared), values(&alone), "{game} {position}");
            }
        }
    }
}
