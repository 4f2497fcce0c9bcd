//! A trial: a small cluster on which much goes wrong, all of it made of a seed.
//!
//! Whatever happens, the answer must be right, no acknowledged key result may be lost (the
//! simulator's audit), and there must be an end. A seed that fails replays exactly.

use bouton_session::dice::Dice;
use bouton_session::{Forgets, Progress, Session, Stop, Watch};
use serde::Serialize;

use super::scaling::df_pn;
use super::{Costs, Faults, Plan, Run, simulate};
use crate::Settings;
use crate::master::Failure;
use crate::protocol::{SECOND, Time};

/// A millisecond, which is what an expansion costs here.
const MILLISECOND: Time = SECOND / 1000;

/// Looks at the watch after which a run counts as one without end: a hundred times what it takes.
const ENDLESS: u64 = 200_000;

/// How many machines, how long jobs, what goes wrong: a plan that is a seed's own.
pub fn plan(seed: u64) -> Plan {
    let mut dice = Dice::of(&"plan", seed);
    let mut up_to = |most: u64| dice.roll() % (most + 1);
    let iterations = 1 + up_to(60);
    Plan {
        groups: 1 + up_to(4) as usize,
        seats: 1 + up_to(3) as usize,
        memory: 1 << (14 + up_to(4)),
        settings: Settings {
            workers: 1 + up_to(20) as usize,
            least: up_to(10),
            develop: up_to(60),
            iterations,
            first_iterations: 1 + up_to(iterations),
            updates: 1 + up_to(iterations),
            threads: 1 + up_to(3).saturating_sub(1) as usize,
            sharing: up_to(4) > 0,
            forgets: Forgets {
                table: up_to(4) == 0,
                facts: up_to(6) == 0,
            },
            batch: 1 + up_to(50) as usize,
            patience: 2 * SECOND,
            checkpoint: up_to(SECOND),
            memory: 1 << 22,
        },
        costs: Costs {
            expansion: MILLISECOND,
            latency: MILLISECOND / 5 + up_to(20 * MILLISECOND),
            service: up_to(MILLISECOND),
            result: 1000,
            copy: 100,
        },
        faults: Faults {
            lost: up_to(100),
            repeated: up_to(200),
            delayed: up_to(100),
            group_life: up_to(1) * (2 * SECOND + up_to(10 * SECOND)),
            master_life: up_to(1) * (2 * SECOND + up_to(10 * SECOND)),
        },
        seed,
        audit: true,
    }
}

/// Runs a seed's plan; one without end is stopped.
pub fn run(session: &mut dyn Session, seed: u64) -> Result<Run, Failure> {
    let mut looks = 0;
    let mut look = |_: &_| {
        looks += 1;
        (looks < ENDLESS).then_some(()).ok_or(Stop::Time)
    };
    simulate(session, 0, &plan(seed), &mut Watch::new(&mut look))
}

/// What came of some trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Trials {
    /// Seeds that were tried.
    pub seeds: u64,
    /// Groups and masters that died.
    pub deaths: u64,
    /// Messages that were sent.
    pub messages: u64,
    /// Expansions of all workers.
    pub iterations: u64,
    /// A seed whose outcome is not df-pn's, or whose run has no end; there is none after it.
    pub failed: Option<u64>,
}

/// Tries seeds from a first on, until one fails.
pub fn run_all(
    session: &mut dyn Session,
    seeds: std::ops::Range<u64>,
    watch: &mut Watch,
) -> Result<Trials, Failure> {
    let (outcome, _) = df_pn(session, 1 << 28, watch)?;
    let mut trials = Trials::default();
    for seed in seeds {
        watch.look(&Progress::default()).map_err(Failure::Stop)?;
        trials.seeds += 1;
        match run(session, seed) {
            Ok(run) if run.outcome == outcome => {
                trials.deaths += run.deaths;
                trials.messages += run.messages;
                trials.iterations += run.iterations;
            }
            _ => {
                trials.failed = Some(seed);
                break;
            }
        }
    }
    Ok(trials)
}
