//! The master behind bytes: letters go in, orders come out, and what has to last is in the store
//! before they do.
//!
//! For a nimber there is one search after the other, one for each heap beside the position; they
//! share the log. A group is a worker's part in one search, so that nothing of one is taken for
//! something of the other.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bouton_cluster::answer::{answer, check_request};
use bouton_cluster::master::{Command, Event, Failure, Kept};
use bouton_cluster::protocol::{News, SECOND};
use bouton_cluster::threads::Solved;
use bouton_cluster::{GroupId, Letter, Log, Settings, Time, answer};
use bouton_session::{
    Answer, Bench, Journal, Nimber, Outcome, Request, Root, Seating, Session, Stop, Stopwatch,
    Watch,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::attended::{Limits, attended};
use crate::calls::{self, Place};
use crate::errors::{self, Kind};

/// The parameters of the search; those of the master and of the groups have to be the same.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Tuning {
    iterations: u64,
    updates: u64,
    patience: f64,
    workers: usize,
    pub(crate) threads: usize,
}

impl Tuning {
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            iterations: self.iterations,
            updates: self.updates,
            patience: time(self.patience),
            ..Settings::for_workers(self.workers, self.threads)
        }
    }
}

/// Seconds as the master counts time.
fn time(seconds: f64) -> Time {
    (seconds * SECOND as f64) as Time
}

/// The group that a worker is in a search.
pub(crate) fn group_id(search: u64, worker: u32) -> GroupId {
    search << 32 | u64::from(worker)
}

/// What the answer is to tell.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Wanted {
    nimber: bool,
    all_moves: bool,
    memory: usize,
    store: Option<PathBuf>,
    certificate: Option<PathBuf>,
}

/// The master of a cluster.
#[pyclass(frozen, module = "bouton._bouton")]
pub(crate) struct Master(Mutex<Office>);

/// What the lock guards.
struct Office {
    session: Box<dyn Session>,
    /// A bench for what the master itself has to know: where searches begin.
    own: Box<dyn Bench>,
    settings: Settings,
    wanted: Wanted,
    journal: Option<Journal>,
    /// The search that is going on; none if all is over.
    machine: Option<bouton_cluster::Master>,
    /// Which search it is, from 1.
    search: u64,
    heap: Nimber,
    /// The root of the search.
    root: Vec<u8>,
    solved: Solved,
    jobs_done: u64,
    stopwatch: Stopwatch,
}

/// The parts of the memory that the tree and the bench may take: a store takes some, too.
const TREE: usize = 2;
const BENCH: usize = 8;

impl Office {
    fn new(place: &Place, tuning: &Tuning, wanted: Wanted) -> PyResult<Self> {
        let session = place.open()?;
        let open = |session: &dyn Session| {
            check_request(session, &wanted.request())?;
            let dir = wanted.store.as_deref();
            let journal = dir.map(|dir| session.journal(dir));
            let journal = journal.transpose()?;
            let results = journal.as_ref().map_or(Ok(Vec::new()), Journal::results)?;
            Ok((journal, results))
        };
        let (journal, results) = open(&*session).map_err(|error| errors::of_session(&error))?;
        let mut benches = session.benches(Seating::alone(1), wanted.memory / BENCH);
        let mut office = Self {
            own: benches.pop().expect("there is one"),
            session,
            settings: Settings {
                memory: wanted.memory / TREE,
                ..tuning.settings()
            },
            wanted,
            journal,
            machine: None,
            search: 0,
            heap: 0,
            root: Vec::new(),
            solved: Solved {
                results,
                ..Solved::default()
            },
            jobs_done: 0,
            stopwatch: Stopwatch::start(),
        };
        office.begin()?;
        Ok(office)
    }

    /// Begins the search for the heap that is next, or for one after it, if that is known already.
    fn begin(&mut self) -> PyResult<()> {
        self.own.learn(&self.solved.results);
        loop {
            match self.own.root(self.heap) {
                Root::Known(outcome) => {
                    if self.note(outcome) {
                        return Ok(());
                    }
                }
                Root::Open(root) => return self.start(root),
            }
        }
    }

    fn start(&mut self, root: Vec<u8>) -> PyResult<()> {
        self.search += 1;
        self.root = root;
        let journal = self.journal.as_ref();
        let tree = journal.map_or(Ok(Vec::new()), |journal| journal.saved(&self.root));
        let log = Log::bytes_of(&self.solved.results);
        let kept = Kept {
            epoch: self.search,
            log: &log,
            tree: &tree.map_err(|error| errors::of_session(&error))?,
        };
        match bouton_cluster::Master::resume(&self.root, self.settings, kept) {
            Ok(machine) => self.machine = Some(machine.expect("a root is a branch")),
            Err(stop) => self.solved.stopped = Some(stop),
        }
        Ok(())
    }

    /// Takes note of an outcome; says whether all is known.
    fn note(&mut self, outcome: Outcome) -> bool {
        self.solved.outcome.get_or_insert(outcome);
        let is_lost = outcome == Outcome::Loss;
        if is_lost && self.wanted.nimber {
            self.solved.nimber = Some(self.heap);
        }
        let is_all = is_lost || !self.wanted.nimber;
        self.heap += Nimber::from(!is_all);
        is_all
    }

    /// Ends a search, and takes its log over.
    fn end(&mut self) {
        if let Some(machine) = self.machine.take() {
            self.solved.results = machine.log().results().cloned().collect();
        }
    }

    /// Puts an event into the state machine and carries out what follows, but for sending.
    fn handle(
        &mut self,
        now: Time,
        event: Event,
        orders: &mut Vec<(u32, Vec<u8>)>,
    ) -> PyResult<()> {
        let Some(machine) = &mut self.machine else {
            return Ok(());
        };
        for command in machine.handle(now, event) {
            match command {
                Command::Append(results) => self.keep(|journal, _| journal.append(&results))?,
                Command::Send(group, order) => orders.push((group as u32, order.to_bytes())),
                Command::Save(tree) => self.keep(|journal, root| journal.save(root, &tree))?,
                Command::Answer(outcome) => {
                    self.keep(|journal, root| journal.save(root, &[]))?;
                    self.end();
                    if !self.note(outcome) {
                        self.begin()?;
                    }
                    orders.clear(); // They are those of a search that is over.
                    return Ok(());
                }
                Command::Fail(Failure::Stop(stop)) => {
                    self.end();
                    self.solved.stopped = Some(stop);
                    return Ok(());
                }
                Command::Fail(Failure::Contradiction(position)) => {
                    return Err(errors::of_jobs(&answer::Error::Contradiction(position)));
                }
            }
        }
        Ok(())
    }

    /// Does something with the store, if there is one.
    fn keep(
        &mut self,
        what: impl FnOnce(&mut Journal, &[u8]) -> Result<(), bouton_session::Error>,
    ) -> PyResult<()> {
        let kept = self.journal.as_mut();
        let kept = kept.map_or(Ok(()), |journal| what(journal, &self.root));
        kept.map_err(|error| errors::of_session(&error))
    }

    fn read(
        &mut self,
        now: Time,
        letters: &[Vec<u8>],
        orders: &mut Vec<(u32, Vec<u8>)>,
    ) -> PyResult<()> {
        for letter in letters {
            let letter = Letter::from_bytes(letter).ok_or_else(|| {
                Kind::Other.raise("a letter is damaged: do all machines have the same bouton?")
            })?;
            if letter.group >> 32 != self.search {
                continue; // It is about a search that is over.
            }
            self.jobs_done += u64::from(matches!(letter.news, News::Done { .. }));
            self.handle(now, Event::Letter(letter), orders)?;
        }
        Ok(())
    }

    /// The answer, with what is known by now.
    fn finish(
        &mut self,
        workers: usize,
        expansions: u64,
        stopped: Option<Stop>,
        watch: &mut Watch,
    ) -> Result<Answer, bouton_session::Error> {
        if let (Some(machine), Some(journal)) = (&self.machine, &self.journal) {
            journal.save(&self.root, &machine.save())?;
        }
        self.end();
        self.journal = None; // The answer is made with the same store.
        let mut solved = std::mem::take(&mut self.solved);
        solved.stopped = solved.stopped.or(stopped);
        solved.expansions = expansions;
        let request = self.wanted.request();
        let mut answer = answer(&mut *self.session, request, solved, workers, watch)?;
        answer.cpu_seconds = self.stopwatch.cpu_seconds();
        answer.seconds = self.stopwatch.seconds();
        Ok(answer)
    }
}

impl Wanted {
    fn request(&self) -> Request {
        Request {
            nimber: self.nimber,
            all_moves: self.all_moves,
            memory: self.memory,
            store: self.store.clone(),
            certificate: self.certificate.is_some(),
            ..Request::default()
        }
    }
}

/// Orders, each with the worker it is for.
type Orders<'py> = Vec<(u32, Bound<'py, PyBytes>)>;

impl Master {
    fn lock(&self) -> MutexGuard<'_, Office> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets something happen, and makes it last.
    fn let_happen<'py>(
        &self,
        py: Python<'py>,
        what: impl FnOnce(&mut Office, &mut Vec<(u32, Vec<u8>)>) -> PyResult<()> + Send,
    ) -> PyResult<Orders<'py>> {
        let orders = py.detach(|| {
            let mut orders = Vec::new();
            let office = &mut *self.lock();
            what(office, &mut orders)?;
            office.keep(|journal, _| journal.commit())?;
            PyResult::Ok(orders)
        })?;
        let orders = orders.into_iter();
        let orders = orders.map(|(worker, order)| (worker, PyBytes::new(py, &order)));
        Ok(orders.collect())
    }
}

#[pymethods]
impl Master {
    /// A master for a position; with a store, it goes on from what is there.
    #[new]
    fn new(py: Python, place: Place, tuning: Tuning, wanted: Wanted) -> PyResult<Self> {
        let office = py.detach(|| Office::new(&place, &tuning, wanted))?;
        Ok(Self(Mutex::new(office)))
    }

    /// Which search is going on; none if all is over.
    #[getter]
    fn search(&self) -> Option<u64> {
        let office = self.lock();
        office.machine.is_some().then_some(office.search)
    }

    /// Takes letters, so many seconds after some moment; the orders that follow.
    fn letters<'py>(
        &self,
        py: Python<'py>,
        now: f64,
        letters: Vec<Vec<u8>>,
    ) -> PyResult<Orders<'py>> {
        self.let_happen(py, |office, orders| {
            office.read(time(now), &letters, orders)
        })
    }

    /// Some time has passed: who was not heard of for too long is given up.
    fn tick<'py>(&self, py: Python<'py>, now: f64) -> PyResult<Orders<'py>> {
        self.let_happen(py, |office, orders| {
            office.handle(time(now), Event::Tick, orders)
        })
    }

    /// A worker has died.
    fn gone<'py>(&self, py: Python<'py>, now: f64, worker: u32) -> PyResult<Orders<'py>> {
        self.let_happen(py, |office, orders| {
            let group = group_id(office.search, worker);
            office.handle(time(now), Event::Gone(group), orders)
        })
    }

    /// Where the search is, for whoever looks.
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let office = self.lock();
        let machine = office.machine.as_ref();
        let numbers = machine.map(|machine| machine.numbers());
        let known = office.solved.results.len() as u64;
        let view = PyDict::new(py);
        view.set_item("heap", office.heap)?;
        view.set_item("jobs", office.jobs_done)?;
        view.set_item(
            "facts",
            machine.map_or(known, |machine| machine.log().len()),
        )?;
        view.set_item("nodes", machine.map_or(0, |machine| machine.nodes()))?;
        view.set_item("jobs_out", machine.map_or(0, |machine| machine.jobs().0))?;
        view.set_item("proof", numbers.map(|numbers| numbers.proof))?;
        view.set_item("disproof", numbers.map(|numbers| numbers.disproof))?;
        Ok(view)
    }

    /// The answer as JSON: with all that workers have found, within a time; or, if they were
    /// stopped for a reason, with what is known by then.
    fn finish(
        &self,
        py: Python,
        workers: usize,
        expansions: u64,
        stopped: Option<&str>,
        seconds: Option<f64>,
    ) -> PyResult<String> {
        let stopped = stopped.map(|reason| match reason {
            "time" => Stop::Time,
            "memory" => Stop::Memory,
            _ => Stop::Interrupted,
        });
        let limits = Limits {
            time: calls::seconds(seconds)?,
            watch: None,
        };
        let mut office = self.lock();
        let office = &mut *office;
        let answer = attended(py, &limits, |watch| {
            office.finish(workers, expansions, stopped, watch)
        })?;
        let answer = answer.map_err(|error| errors::of_session(&error))?;
        calls::finish(answer, office.wanted.certificate.clone())
    }
}
