//! Threads as workers: the same answers as everywhere.

use bouton_cluster::Settings;
use bouton_cluster::threads::{Options, solve};
use bouton_session::{Outcome, Stop, Watch, open};

fn options(workers: usize, threads: usize) -> Options {
    Options {
        workers,
        memory: 64 << 20,
        settings: Settings {
            iterations: 50,
            updates: 20,
            threads,
            ..Settings::default()
        },
        nimber: true,
    }
}

fn check_nimber(game: &str, position: &str, nimber: u32) {
    for (workers, threads) in [(1, 1), (2, 1), (5, 1), (1, 3), (2, 2)] {
        let session = open(game, position).expect("a position");
        let mut go_on = |_: &_| Ok(());
        let solved = solve(
            &*session,
            &options(workers, threads),
            None,
            &mut Watch::new(&mut go_on),
        );
        let solved = solved.expect("no contradiction");
        assert_eq!(solved.nimber, Some(nimber), "{game} {position}");
        assert_eq!(solved.outcome == Some(Outcome::Win), nimber > 0);
        assert_eq!(solved.stopped, None);
    }
}

#[test]
fn nimbers_are_those_of_the_papers() {
    check_nimber("sprouts", "6", 0);
    check_nimber("sprouts", "9", 1);
    check_nimber("cram", "4x5", 2);
    check_nimber("cram", "3x6", 4);
    check_nimber("nim", "1,2,4", 7);
}

#[test]
fn games_with_colours_have_outcomes() {
    for (position, outcome) in [("4x5", Outcome::Loss), ("5x5", Outcome::Win)] {
        let session = open("konane", position).expect("a position");
        let mut go_on = |_: &_| Ok(());
        let options = Options {
            nimber: false,
            ..options(3, 2)
        };
        let solved = solve(&*session, &options, None, &mut Watch::new(&mut go_on));
        let solved = solved.expect("no contradiction");
        assert_eq!(solved.outcome, Some(outcome), "{position}");
    }
}

#[test]
fn a_watch_ends_a_run_of_any_length() {
    let session = open("sprouts", "40").expect("a position");
    let mut looks = 0;
    let mut look = |_: &_| {
        looks += 1;
        (looks < 5).then_some(()).ok_or(Stop::Time)
    };
    let solved = solve(&*session, &options(2, 2), None, &mut Watch::new(&mut look));
    let solved = solved.expect("no contradiction");
    assert_eq!((solved.outcome, solved.stopped), (None, Some(Stop::Time)));
}
