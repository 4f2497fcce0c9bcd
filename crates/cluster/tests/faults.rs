//! The state machines under faults, in the simulator: never a wrong answer, never a lost
//! acknowledged fact, always an end. A seed that fails is named, and replays exactly.
//!
//! `SEEDS=5000 cargo test -p bouton-cluster` tries more.

use std::collections::BTreeMap;

use bouton_cluster::Settings;
use bouton_cluster::master::Failure;
use bouton_cluster::simulator::{Costs, Faults, Plan, Run, baseline, scale, simulate, trial};
use bouton_session::{Outcome, Stop, Watch, open};

/// Small positions with their outcomes. Sprouts: Gardner 1967; Cram: Uiterwijk 2018; Konane and
/// Nim: `bouton solve --algorithm exhaustive`.
const POSITIONS: &[(&str, &str, Outcome)] = &[
    ("sprouts", "4", Outcome::Win),
    ("sprouts", "5", Outcome::Win),
    ("sprouts", "6", Outcome::Loss),
    ("cram", "4x4", Outcome::Loss),
    ("cram", "4x5", Outcome::Win),
    ("cram", "3x6", Outcome::Win),
    ("konane", "4x4", Outcome::Loss),
    ("kayles", "12,9", Outcome::Loss),
    ("konane", "4x5", Outcome::Loss),
    ("nim", "3,5,6", Outcome::Loss),
    ("nim", "2,5,6", Outcome::Win),
    ("kayles", "12,10", Outcome::Win),
];

/// How many seeds a test tries.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let asked = std::env::var("SEEDS").ok();
    0..asked.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The run of a seed on some position.
fn trial(seed: u64) -> (Run, Outcome) {
    let (game, position, outcome) = POSITIONS[seed as usize % POSITIONS.len()];
    let mut session = open(game, position).expect("a position");
    let run = trial::run(&mut *session, seed);
    let run = run.unwrap_or_else(|failure| panic!("{game} {position}, seed {seed}: {failure:?}"));
    (run, outcome)
}

#[test]
fn whatever_goes_wrong_the_answer_is_right() {
    for seed in seeds(120) {
        let (run, outcome) = trial(seed);
        assert_eq!(run.outcome, outcome, "seed {seed}");
    }
}

/// Every key result of a run is what another search finds.
#[test]
fn what_is_in_the_log_is_true() {
    for seed in seeds(12) {
        let (run, _) = trial(seed);
        let (other, _) = trial(seed + 12_000_000);
        let mut known = BTreeMap::new();
        for result in run.results.iter().chain(&other.results) {
            let nimber = known.entry(&result.position).or_insert(result.nimber);
            assert_eq!(*nimber, result.nimber, "seed {seed}");
        }
    }
}

#[test]
fn a_seed_replays_exactly() {
    for seed in 0..24 {
        assert_eq!(trial(seed), trial(seed), "seed {seed}");
    }
}

/// df-pn, which runs are compared with, takes a sum of different components as it is.
#[test]
fn a_root_may_be_a_sum() {
    for (game, position, outcome) in [
        ("nim", "3,2", Outcome::Win),
        ("nim", "3,5,6", Outcome::Loss),
        ("kayles", "5,3", Outcome::Win),
        ("kayles", "12,9", Outcome::Loss),
        ("dawson", "7,9", Outcome::Win),
        ("grundy", "9,5", Outcome::Win),
        ("sprouts", "0*2+0*3", Outcome::Win),
        ("cram", "...#....|...#....|...#....", Outcome::Win),
    ] {
        let mut session = open(game, position).expect("a position");
        let mut go_on = |_: &_| Ok(());
        let watch = &mut Watch::new(&mut go_on);
        let alone = baseline(&mut *session, 1 << 24, watch).expect("nothing goes wrong");
        assert!(alone > 0, "{game} {position}");
        let row = scale(&mut *session, &without_faults(2), alone, watch);
        let row = row.expect("nothing goes wrong");
        assert_eq!(row.outcome, Some(outcome).into(), "{game} {position}");
        let trials = trial::run_all(&mut *session, 0..5, watch).expect("nothing goes wrong");
        assert_eq!(trials.failed, None, "{game} {position}");
    }
}

/// The runs above are no walk in the park.
#[test]
fn faults_do_happen() {
    let deaths: u64 = (0..24).map(|seed| trial(seed).0.deaths).sum();
    assert!(deaths > 10);
}

#[test]
fn a_watch_ends_a_run() {
    let mut session = open("sprouts", "8").expect("a position");
    let mut look = |_: &_| Err(Stop::Time);
    let stopped = simulate(
        &mut *session,
        0,
        &trial::plan(1),
        &mut Watch::new(&mut look),
    );
    assert_eq!(stopped, Err(Failure::Stop(Stop::Time)));
}

/// A plan without faults.
fn without_faults(groups: usize) -> Plan {
    Plan {
        groups,
        seats: 1,
        memory: 1 << 24,
        settings: Settings {
            iterations: 1000,
            updates: 500,
            ..Settings::default()
        },
        costs: Costs::default(),
        faults: Faults::default(),
        seed: 1,
        audit: true,
    }
}

fn run(position: &str, plan: &Plan) -> Run {
    let mut session = open("sprouts", position).expect("a position");
    let mut go_on = |_: &_| Ok(());
    let run = simulate(&mut *session, 0, plan, &mut Watch::new(&mut go_on));
    run.expect("nothing goes wrong")
}

/// Without faults more workers are faster.
#[test]
fn more_workers_are_faster() {
    let [one, eight] = [1, 8].map(|groups| run("13", &without_faults(groups)).time);
    assert!(eight * 2 < one, "{one} and {eight}");
}

/// Threads that search one job together part, and a run with them replays exactly.
#[test]
fn more_threads_of_a_worker_are_faster() {
    let with_threads = |threads| Plan {
        settings: Settings {
            updates: 100,
            ..Settings::for_workers(1, threads)
        },
        ..without_faults(1)
    };
    let [one, eight] = [1, 8].map(|threads| run("13", &with_threads(threads)));
    assert!(eight.time * 3 < one.time, "{} and {}", one.time, eight.time);
    assert_eq!(eight, run("13", &with_threads(8)));
}

/// One worker makes about as many expansions as df-pn: its jobs end where df-pn would turn away.
#[test]
fn one_worker_is_about_as_good_as_df_pn() {
    for position in ["12", "16"] {
        let mut session = open("sprouts", position).expect("a position");
        let mut go_on = |_: &_| Ok(());
        let alone = baseline(&mut *session, 1 << 24, &mut Watch::new(&mut go_on));
        let alone = alone.expect("nothing goes wrong");
        let jobs = run(position, &without_faults(1)).iterations;
        assert!(jobs * 10 < alone * 12, "{position}: {jobs} and {alone}");
    }
}
