//! What is asked of a session: text and plain data in, JSON out, as the contract of the command
//! line has it.

use std::path::PathBuf;
use std::time::Duration;

use bouton_cluster::{answer, threads};
use bouton_session::algorithms::names;
use bouton_session::{
    Answer, Certificate, Error, Extent, Request, Session, Stop, Watch, certificate, registry,
};
use pyo3::prelude::*;
use serde_json::json;

use crate::attended::{Limits, attended};
use crate::errors::{self, Kind};

/// Which position.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Place {
    game: String,
    position: String,
    after: Option<String>,
}

impl Place {
    pub(crate) fn open(&self) -> PyResult<Box<dyn Session>> {
        let open = || {
            let mut session = bouton_session::open(&self.game, &self.position)?;
            session.play(self.after.as_deref().unwrap_or_default())?;
            Ok(session)
        };
        open().map_err(|error| errors::of_session(&error))
    }
}

/// What to find out about it, and with what means.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    algorithm: String,
    nimber: bool,
    all_moves: bool,
    threads: usize,
    workers: Option<usize>,
    memory: usize,
    time: Option<f64>,
    store: Option<PathBuf>,
    table: Option<PathBuf>,
    certificate: Option<PathBuf>,
    watch: Option<Py<PyAny>>,
}

impl Options {
    fn request(&self) -> Request {
        Request {
            algorithm: self.algorithm.clone(),
            nimber: self.nimber,
            all_moves: self.all_moves,
            memory: self.memory,
            threads: self.threads,
            certificate: self.certificate.is_some(),
            store: self.store.clone(),
            table: self.table.clone(),
            ..Request::default()
        }
    }

    /// How many workers there are with how many threads, if jobs are to be handed out.
    fn workers(&self) -> Result<Option<(usize, usize)>, Error> {
        let is_job_level = self.algorithm == threads::ALGORITHM;
        match self.workers {
            None => Ok(is_job_level.then_some((self.threads, 1))),
            Some(_) if self.algorithm != "auto" && !is_job_level => Err(Error::NoWorkers {
                algorithm: self.algorithm.clone(),
            }),
            Some(workers) => Ok(Some((workers, self.threads))),
        }
    }
}

/// Seconds, as far as they make sense.
pub(crate) fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    let limit = |time| {
        Duration::try_from_secs_f64(time)
            .map_err(|_| Kind::Usage.raise(&format!("time: {time} is no number of seconds")))
    };
    time.map(limit).transpose()
}

/// The answer as JSON.
#[pyfunction]
pub(crate) fn solve(py: Python, place: Place, mut options: Options) -> PyResult<String> {
    let mut session = place.open()?;
    let limits = Limits {
        time: seconds(options.time)?,
        watch: options.watch.take(),
    };
    let solved = attended(py, &limits, |watch| {
        solve_watched(&mut *session, &options, watch)
    })?;
    finish(
        solved.map_err(|error| errors::of_jobs(&error))?,
        options.certificate,
    )
}

fn solve_watched(
    session: &mut dyn Session,
    options: &Options,
    watch: &mut Watch,
) -> Result<Answer, answer::Error> {
    let request = options.request();
    let answer = match options.workers()? {
        None => session.solve(&request, watch)?,
        Some((workers, threads)) => answer::solve(session, request, workers, threads, watch)?,
    };
    Ok(answer)
}

/// Writes the certificate, if there is to be one; the answer as JSON.
pub(crate) fn finish(mut answer: Answer, certificate: Option<PathBuf>) -> PyResult<String> {
    if let (Some(path), Some(proof)) = (certificate, answer.proof.take()) {
        let saved = proof.save(&path);
        saved.map_err(|error| {
            let path = path.display();
            Kind::Other.raise(&format!("cannot write the certificate {path}: {error}"))
        })?;
    }
    let text = serde_json::to_string(&answer);
    text.map_err(|error| Kind::Other.raise(&error.to_string()))
}

/// The canonical children as JSON, each with the moves that lead to it.
#[pyfunction]
pub(crate) fn moves(py: Python, place: Place) -> PyResult<String> {
    let mut session = place.open()?;
    let children = py.detach(|| session.children());
    let children = children.map_err(|error| errors::of_session(&error))?;
    Ok(json!(children).to_string())
}

/// What a certificate proves, as JSON; an exception if it proves nothing.
#[pyfunction]
pub(crate) fn check(py: Python, path: PathBuf, sample: Option<u64>) -> PyResult<String> {
    let extent = sample.map_or(Extent::All, Extent::Sample);
    let checked = attended(py, &Limits::default(), |watch| verify(&path, extent, watch))?;
    checked.map_err(|error| errors::of_certificate(&path.display().to_string(), &error))
}

fn verify(
    path: &std::path::Path,
    extent: Extent,
    watch: &mut Watch,
) -> Result<String, certificate::Error> {
    let certificate = Certificate::open(path)?;
    let report = bouton_session::check(&certificate, extent, &mut |_| {
        let stopped = |_: Stop| std::io::Error::from(std::io::ErrorKind::Interrupted);
        Ok(watch.look(&Default::default()).map_err(stopped)?)
    })?;
    let statement = certificate.statement();
    let verified = json!({
        "verified": extent == Extent::All,
        "game": statement.game,
        "position": statement.root,
        "claim": statement.claim.to_string(),
        "couples": certificate.couples(),
        "steps": report.steps,
        "lookups": report.lookups,
    });
    Ok(verified.to_string())
}

/// The games as JSON.
#[pyfunction]
pub(crate) fn games() -> String {
    let rows = registry::games().iter().map(|game| {
        json!({
            "name": game.name,
            "summary": game.summary,
            "impartial": game.impartial,
            "sizes": game.sizes,
            "positions": game.positions,
            "moves": game.moves,
            "examples": game.examples,
        })
    });
    json!(rows.collect::<Vec<_>>()).to_string()
}

/// The algorithms as JSON.
#[pyfunction]
pub(crate) fn algorithms() -> String {
    json!(names()).to_string()
}
