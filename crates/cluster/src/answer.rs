//! The answer of a job-level search: workers find the facts, then a search that knows them makes
//! the answer, with winning moves and a certificate as usual.

use bouton_session::{Answer, Journal, Request, Session, Stopwatch, Watch, check_threads};

use crate::Settings;
use crate::master::Failure;
use crate::protocol::{SECOND, Time};
use crate::threads::{self, ALGORITHM, Solved, Trouble};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request cannot be carried out.
    #[error(transparent)]
    Request(#[from] bouton_session::Error),
    /// Something is wrong with the rules or a worker.
    #[error("workers have found two nimbers for one position ({0:02x?}): a bug")]
    Contradiction(Vec<u8>),
}

/// Time between two checkpoints.
const CHECKPOINT: Time = 5 * SECOND;

/// Carries out a request with threads as workers, or with several threads for each.
pub fn solve(
    session: &mut dyn Session,
    request: Request,
    workers: usize,
    threads: usize,
    watch: &mut Watch,
) -> Result<Answer, Error> {
    check_request(session, &request)?;
    check_threads(workers.saturating_mul(threads))?;
    let stopwatch = Stopwatch::start();
    let options = threads::Options {
        workers,
        memory: request.memory,
        settings: Settings {
            checkpoint: CHECKPOINT,
            ..Settings::for_workers(workers, threads)
        },
        nimber: request.nimber,
    };
    let journal = request.store.as_deref();
    let journal = journal.map(|dir| session.journal(dir)).transpose()?;
    let facts_before = journal.as_ref().map_or(0, Journal::facts);
    let solved = match threads::solve(&*session, &options, journal, watch) {
        Ok(solved) => solved,
        Err(Trouble::Search(Failure::Stop(stop))) => Solved {
            stopped: Some(stop),
            ..Solved::default()
        },
        Err(Trouble::Search(Failure::Contradiction(position))) => {
            return Err(Error::Contradiction(position));
        }
        Err(Trouble::Store(error)) => return Err(error.into()),
    };
    let restored = solved.restored;
    let mut answer = answer(session, request, solved, workers * threads, watch)?;
    if let Some(kept) = &mut answer.store {
        kept.new_facts = kept.facts - facts_before;
        kept.restored += restored;
    }
    answer.cpu_seconds = stopwatch.cpu_seconds();
    answer.seconds = stopwatch.seconds();
    Ok(answer)
}

/// Refuses what cannot be answered: only impartial games have nimbers.
pub fn check_request(
    session: &dyn Session,
    request: &Request,
) -> Result<(), bouton_session::Error> {
    match request.nimber && !session.impartial() {
        true => Err(bouton_session::Error::NoNimbers {
            game: session.game(),
        }),
        false => Ok(()),
    }
}

/// Answers a request with what workers have found.
pub fn answer(
    session: &mut dyn Session,
    request: Request,
    solved: Solved,
    threads: usize,
    watch: &mut Watch,
) -> Result<Answer, bouton_session::Error> {
    let request = Request {
        algorithm: "dfpn".to_owned(),
        threads: 1,
        known: solved.results,
        ..request
    };
    // Whoever was stopped has no time for more: what is known makes the answer.
    let mut look = |progress: &_| match solved.stopped {
        Some(stop) => Err(stop),
        None => watch.look(progress),
    };
    let mut answer = session.solve(&request, &mut Watch::new(&mut look))?;
    answer.algorithm = ALGORITHM;
    answer.threads = threads;
    answer.counts.expansions += solved.expansions;
    answer.counts.facts = answer.counts.facts.max(request.known.len() as u64);
    Ok(answer)
}
