//! A group of workers behind bytes: threads that search, and what they have to tell the master.
//!
//! Each seat is a worker: a thread with a bench, and more threads while it searches a slice, if a
//! worker is to have several. Whoever has something for the state machine (a seat that has
//! searched a slice, an order that came, somebody who asks for letters) takes the lock, puts it in
//! and carries the commands out; so nobody has to sit between them.
//!
//! A worker takes part in one search after the other (`solve --nimber` has one for each heap): its
//! benches stay, the group is another one each time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bouton_cluster::group::{self, Command, Event};
use bouton_cluster::{GroupId, Order, Settings};
use bouton_session::jobs::{Pace, Task};
use bouton_session::{Bench, Forgets, Seating, Stop, Watch, deep_stack};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::calls::Place;
use crate::errors::Kind;
use crate::master::{Tuning, group_id};

/// The workers of one machine.
#[pyclass(frozen, module = "bouton._bouton")]
pub(crate) struct Group {
    floor: Arc<Floor>,
}

/// Where the seats are.
struct Floor {
    desk: Mutex<Desk>,
    /// Rings when there is a slice for a seat, or a letter.
    bell: Condvar,
    /// The search that all take part in: what was begun for another is not worth its end.
    search: AtomicU64,
}

/// What the lock guards.
struct Desk {
    /// Which process of the cluster this is.
    worker: u32,
    settings: Settings,
    group: bouton_cluster::Group,
    /// A bench for what all have to know.
    own: Box<dyn Bench>,
    slices: Vec<Option<Slice>>,
    letters: Vec<Vec<u8>>,
    expansions: u64,
    busy: Duration,
    failure: Option<String>,
    is_closed: bool,
}

/// What a seat has to search.
struct Slice {
    search: u64,
    task: Task,
    forgets: Forgets,
}

impl Desk {
    /// Puts an event into the state machine and carries out what follows.
    fn handle(&mut self, search: u64, event: Event) {
        for command in self.group.handle(event) {
            match command {
                Command::Send(letter) => self.letters.push(letter.to_bytes()),
                Command::Search {
                    seat,
                    task,
                    forgets,
                } => {
                    self.slices[seat] = Some(Slice {
                        search,
                        task,
                        forgets,
                    });
                }
                Command::Learn(results) => self.own.learn(&results),
                Command::Stop => {}
            }
        }
    }

    /// Takes part in another search.
    fn begin(&mut self, search: u64) {
        self.slices.fill_with(|| None);
        self.letters.clear();
        let id = group_id(search, self.worker);
        self.group = group::Group::new(id, self.slices.len(), self.settings);
        self.handle(search, Event::Tick);
    }
}

impl Floor {
    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A seat's life.
    fn work(&self, seat: usize, mut bench: Box<dyn Bench>) {
        let _alarm = Alarm(self);
        while let Some(slice) = self.next(seat) {
            bench.forget(slice.forgets);
            let start = Instant::now();
            let mut look = |_: &_| match self.search.load(Relaxed) == slice.search {
                true => Ok(()),
                false => Err(Stop::Interrupted),
            };
            let found = bench.search(&slice.task, &mut Watch::new(&mut look));
            let mut desk = self.lock();
            let threads = desk.settings.threads as u32;
            desk.busy += start.elapsed() * threads;
            match found {
                // Its results stay on the bench until the next slice.
                _ if self.search.load(Relaxed) != slice.search => {}
                Err(stop) => desk.failure = Some(format!("a worker was stopped: {stop}")),
                Ok(found) => {
                    desk.expansions += found.as_ref().map_or(0, |found| found.expansions);
                    let results = bench.take_results();
                    let searched = Event::Searched {
                        seat,
                        found,
                        results,
                    };
                    desk.handle(slice.search, searched);
                }
            }
            self.bell.notify_all();
        }
    }

    /// The next slice of a seat; none if all is over.
    fn next(&self, seat: usize) -> Option<Slice> {
        let nothing_to_do = |desk: &mut Desk| desk.slices[seat].is_none() && !desk.is_closed;
        let desk = self.bell.wait_while(self.lock(), nothing_to_do);
        let mut desk = desk.unwrap_or_else(PoisonError::into_inner);
        if desk.is_closed {
            return None;
        }
        desk.slices[seat].take()
    }

    /// Ends all seats.
    fn close(&self) {
        self.search.store(u64::MAX, Relaxed);
        self.lock().is_closed = true;
        self.bell.notify_all();
    }
}

/// Tells when a seat's thread has panicked: its job would never end.
struct Alarm<'a>(&'a Floor);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().failure = Some("a worker has panicked: a bug".to_owned());
            self.0.bell.notify_all();
        }
    }
}

#[pymethods]
impl Group {
    /// A group of so many workers within so many bytes, which is a process of the cluster.
    #[new]
    fn new(
        place: Place,
        tuning: Tuning,
        worker: u32,
        seats: usize,
        memory: usize,
    ) -> PyResult<Self> {
        let session = place.open()?;
        let settings = tuning.settings();
        let seats = seats.max(1);
        let seating = Seating {
            machines: 1,
            workers: seats + 1,
            threads: settings.threads,
            pace: Pace::Free,
        };
        let share = memory / (seating.workers * seating.threads);
        let mut benches = session.benches(seating, share);
        let own = benches
            .pop()
            .expect("there is one for each worker, and one more");
        let floor = Arc::new(Floor {
            desk: Mutex::new(Desk {
                worker,
                settings,
                group: group::Group::new(GroupId::default(), seats, settings),
                own,
                slices: (0..seats).map(|_| None).collect(),
                letters: Vec::new(),
                expansions: 0,
                busy: Duration::ZERO,
                failure: None,
                is_closed: false,
            }),
            bell: Condvar::new(),
            search: AtomicU64::new(0),
        });
        for (seat, bench) in benches.into_iter().enumerate() {
            let floor = Arc::clone(&floor);
            thread::spawn(move || {
                // One stack for all slices. Without room for it there are no letters.
                deep_stack::run(move || {
                    floor.work(seat, bench);
                    Ok(())
                })
            });
        }
        Ok(Self { floor })
    }

    /// The letters for the master of a search: as soon as there are any, or after so many seconds.
    /// Also the expansions so far, and the seconds that threads have searched.
    fn letters<'py>(
        &self,
        py: Python<'py>,
        search: u64,
        patience: f64,
    ) -> PyResult<(Vec<Bound<'py, PyBytes>>, u64, f64)> {
        let patience = Duration::try_from_secs_f64(patience).unwrap_or_default();
        let (letters, expansions, busy) = py.detach(|| {
            let mut desk = self.floor.lock();
            if self.floor.search.fetch_max(search, Relaxed) < search {
                desk.begin(search);
            }
            let silent = |desk: &mut Desk| desk.letters.is_empty() && desk.failure.is_none();
            let waited = self.floor.bell.wait_timeout_while(desk, patience, silent);
            let (mut desk, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if let Some(failure) = desk.failure.take() {
                return Err(Kind::Other.raise(&failure));
            }
            if desk.letters.is_empty() {
                desk.handle(search, Event::Tick);
            }
            let letters = std::mem::take(&mut desk.letters);
            Ok((letters, desk.expansions, desk.busy.as_secs_f64()))
        })?;
        let letters = letters.iter().map(|letter| PyBytes::new(py, letter));
        Ok((letters.collect(), expansions, busy))
    }

    /// Takes orders of the master of a search; those of another search are late, and dropped.
    fn orders(&self, py: Python, search: u64, orders: Vec<Vec<u8>>) -> PyResult<()> {
        py.detach(|| {
            let mut desk = self.floor.lock();
            if self.floor.search.load(Relaxed) != search {
                return Ok(());
            }
            for order in orders {
                let order = Order::from_bytes(&order).ok_or_else(|| {
                    Kind::Other.raise("an order is damaged: do all machines have the same bouton?")
                })?;
                desk.handle(search, Event::Order(order));
            }
            self.floor.bell.notify_all();
            Ok(())
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.floor.close();
    }
}
