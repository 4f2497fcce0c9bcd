//! A cluster in virtual time: the real search, by the real state machines, on as many machines as
//! anybody likes.
//!
//! One event happens after the other. A worker's slice is searched when it begins, and counts as
//! done so much later as its expansions cost; messages take as long as the network does; the
//! master serves one letter at a time. All chance comes from one seed, so that a run can be
//! repeated exactly, with every fault in it ([`Faults`]).
//!
//! The threads of a worker are real threads that take turns, an expansion each, and come back
//! together; so a slice takes as many rounds as a thread makes expansions on average.
//!
//! What is not modelled: workers of one group know of each other's facts from the beginning of
//! the slice in which they are found, not from the moment.
//!
//! With [`Plan::audit`] the simulator is a test of the state machines: a key result that was
//! acknowledged and is not in the log ends the run with a panic.

mod faults;
mod machine;
mod scaling;
pub mod trial;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

use bouton_session::dice::Dice;
use bouton_session::jobs::KeyResult;
use bouton_session::{Nimber, Outcome, Progress, Root, Seating, Session, Stop, Watch, deep_stack};

use crate::log::Log;
use crate::master::{self, Failure, Kept, Master};
use crate::protocol::{GroupId, Letter, Time};
use crate::{Settings, group};
use machine::{Machine, Slice};

pub use faults::Faults;
pub use scaling::{Row, baseline, calibrate, scale};

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Machines.
    pub groups: usize,
    /// Workers of each machine.
    pub seats: usize,
    /// Bytes for each thread.
    pub memory: usize,
    /// How they search.
    pub settings: Settings,
    /// What takes how long.
    pub costs: Costs,
    /// What goes wrong.
    pub faults: Faults,
    /// What chance is made of.
    pub seed: u64,
    /// Check what must hold, at some cost.
    pub audit: bool,
}

/// What takes how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// An expansion, on average.
    pub expansion: Time,
    /// A message on its way.
    pub latency: Time,
    /// A letter, for the master.
    pub service: Time,
    /// A key result in it.
    pub result: Time,
    /// A key result in an order, for the master: 65 ns where we have measured it.
    pub copy: Time,
}

impl Default for Costs {
    /// An expansion as in the paper's run of 47 spots (17.6k s for 17.2M), and a network of
    /// 10 Gbit/s.
    fn default() -> Self {
        Self {
            expansion: 1_000_000,
            latency: 200_000,
            service: 50_000,
            result: 1_000,
            copy: 100,
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The outcome of the root.
    pub outcome: Outcome,
    /// When it was known.
    pub time: Time,
    /// Expansions of all workers.
    pub iterations: u64,
    /// Time that threads have searched, all together.
    pub busy: Time,
    /// Nodes of the master's tree.
    pub master_nodes: usize,
    /// Proof numbers of all workers.
    pub worker_nodes: usize,
    /// The log at the end.
    pub results: Vec<KeyResult>,
    /// Messages that were sent.
    pub messages: u64,
    /// Groups and masters that died.
    pub deaths: u64,
}

/// Something that is going to happen.
enum Happening {
    LetterArrives(Vec<u8>),
    MasterServes,
    OrderArrives(GroupId, Vec<u8>),
    Searched(GroupId, Slice),
    MasterTicks(u64),
    GroupTicks(GroupId),
    GroupDies(GroupId),
    GroupStarts(usize),
    MasterDies,
    MasterStarts,
}

/// What outlasts a master.
#[derive(Default)]
struct Disk {
    log: Vec<u8>,
    tree: Vec<u8>,
    /// The log again, for audits.
    logged: BTreeSet<KeyResult>,
}

struct Simulation<'a, 'w> {
    session: &'a mut dyn Session,
    plan: &'a Plan,
    watch: &'a mut Watch<'w>,
    root: Vec<u8>,
    dice: Dice,
    now: Time,
    queue: BinaryHeap<Reverse<(Time, u64)>>,
    happenings: BTreeMap<u64, Happening>,
    scheduled: u64,
    master: Option<Master>,
    epoch: u64,
    disk: Disk,
    /// Letters that wait for the master.
    inbox: VecDeque<Vec<u8>>,
    /// When the master is done with the letter it reads.
    master_free: Time,
    machines: Vec<Option<Machine>>,
    next_group: GroupId,
    progress: Progress,
    busy: Time,
    messages: u64,
    deaths: u64,
}

/// Runs a plan for a position with a heap beside it, which stays 0 in games without.
pub fn simulate(
    session: &mut dyn Session,
    heap: Nimber,
    plan: &Plan,
    watch: &mut Watch,
) -> Result<Run, Failure> {
    let root = session
        .benches(Seating::alone(1), LEAST)
        .remove(0)
        .root(heap);
    let root = match root {
        Root::Open(root) => root,
        Root::Known(outcome) => return Ok(Run::at_once(outcome)),
    };
    let mut simulation = Simulation {
        session,
        plan,
        watch,
        root,
        dice: Dice::of(&"cluster", plan.seed),
        now: 0,
        queue: BinaryHeap::new(),
        happenings: BTreeMap::new(),
        scheduled: 0,
        master: None,
        epoch: 0,
        disk: Disk::default(),
        inbox: VecDeque::new(),
        master_free: 0,
        machines: (0..plan.groups).map(|_| None).collect(),
        next_group: 0,
        progress: Progress::default(),
        busy: 0,
        messages: 0,
        deaths: 0,
    };
    // One stack for all slices: a thread for each would cost more than what it searches.
    deep_stack::run(|| Ok(simulation.run())).map_err(Failure::Stop)?
}

/// Bytes of a bench that searches nothing.
const LEAST: usize = 1 << 16;

impl Run {
    fn at_once(outcome: Outcome) -> Self {
        Self {
            outcome,
            time: 0,
            iterations: 0,
            busy: 0,
            master_nodes: 0,
            worker_nodes: 0,
            results: Vec::new(),
            messages: 0,
            deaths: 0,
        }
    }

    /// The part of the time that so many cores have searched.
    pub fn utilisation(&self, cores: usize) -> f64 {
        self.busy as f64 / (self.time as f64 * cores as f64).max(1.0)
    }
}

impl Simulation<'_, '_> {
    fn run(&mut self) -> Result<Run, Failure> {
        self.start_master()?;
        self.start_groups(0..self.plan.groups);
        while let Some(Reverse((time, number))) = self.queue.pop() {
            self.now = time;
            self.look()?;
            let happening = self.happenings.remove(&number).expect("it was scheduled");
            if let Some(outcome) = self.happen(happening)? {
                return Ok(self.summary(outcome));
            }
        }
        unreachable!("a master ticks as long as it lives, and lives again")
    }

    fn schedule(&mut self, time: Time, happening: Happening) {
        self.queue.push(Reverse((time, self.scheduled)));
        self.happenings.insert(self.scheduled, happening);
        self.scheduled += 1;
    }

    fn happen(&mut self, happening: Happening) -> Result<Option<Outcome>, Failure> {
        match happening {
            Happening::LetterArrives(letter) => {
                if self.master.is_some() {
                    self.inbox.push_back(letter);
                    if self.inbox.len() == 1 {
                        let time = self.now.max(self.master_free);
                        self.schedule(time, Happening::MasterServes);
                    }
                }
            }
            Happening::MasterServes => return self.serve(),
            Happening::MasterTicks(epoch) => {
                if epoch == self.epoch && self.master.is_some() {
                    self.tick_master();
                    return self.carry_out(master::Event::Tick, 0);
                }
            }
            Happening::OrderArrives(group, order) => self.deliver(group, &order)?,
            Happening::Searched(group, slice) => {
                if let Some(machine) = self.machine(group) {
                    let commands = machine.note(slice);
                    self.obey(group, commands)?;
                }
            }
            Happening::GroupTicks(group) => {
                if let Some(machine) = self.machine(group) {
                    let commands = machine.group.handle(group::Event::Tick);
                    self.tick_group(group);
                    self.obey(group, commands)?;
                }
            }
            Happening::GroupDies(group) => self.kill_group(group),
            Happening::GroupStarts(place) => self.start_groups(place..place + 1),
            Happening::MasterDies => self.kill_master(),
            Happening::MasterStarts => self.start_master()?,
        }
        Ok(None)
    }

    /// Time between two ticks.
    fn beat(&self) -> Time {
        self.plan.settings.patience / 4
    }

    fn tick_master(&mut self) {
        let happening = Happening::MasterTicks(self.epoch);
        self.schedule(self.now + self.beat(), happening);
    }

    fn tick_group(&mut self, group: GroupId) {
        self.schedule(self.now + self.beat(), Happening::GroupTicks(group));
    }

    /// A master goes on from what is on the disk.
    fn start_master(&mut self) -> Result<(), Failure> {
        let kept = Kept {
            epoch: self.epoch,
            log: &self.disk.log,
            tree: &self.disk.tree,
        };
        let master = Master::new(&self.root, self.plan.settings, kept).map_err(Failure::Stop)?;
        let master = master.expect("the disk holds what a master has written");
        assert_eq!(master.log().len(), self.disk.logged.len() as u64);
        self.master = Some(master);
        self.tick_master();
        self.plan_master_death();
        Ok(())
    }

    /// The master takes the next letter, and some time for it.
    fn serve(&mut self) -> Result<Option<Outcome>, Failure> {
        let Some(letter) = self.inbox.pop_front() else {
            return Ok(None);
        };
        let letter = Letter::from_bytes(&letter).expect("letters are whole or lost");
        let costs = self.plan.costs;
        let took = costs.service + letter.results.len() as u64 * costs.result;
        let answer = self.carry_out(master::Event::Letter(letter), took)?;
        if !self.inbox.is_empty() {
            self.schedule(self.master_free, Happening::MasterServes);
        }
        Ok(answer)
    }

    /// Has the master handle an event, which takes so long, and then as long as what it sends.
    fn carry_out(
        &mut self,
        event: master::Event,
        mut took: Time,
    ) -> Result<Option<Outcome>, Failure> {
        let Some(master) = &mut self.master else {
            return Ok(None);
        };
        for command in master.handle(self.now, event) {
            match command {
                master::Command::Append(results) => {
                    self.disk.log.extend(Log::bytes_of(&results));
                    self.disk.logged.extend(results);
                }
                master::Command::Save(tree) => self.disk.tree = tree,
                master::Command::Send(group, order) => {
                    took += order.results.len() as u64 * self.plan.costs.copy;
                    let happening = |bytes| Happening::OrderArrives(group, bytes);
                    self.send(took, happening, order.to_bytes());
                }
                master::Command::Answer(outcome) => return Ok(Some(outcome)),
                master::Command::Fail(failure) => return Err(failure),
            }
        }
        self.master_free = self.master_free.max(self.now) + took;
        Ok(None)
    }

    fn summary(&mut self, outcome: Outcome) -> Run {
        // Slices that are still out were paid for in full.
        for &Reverse((time, number)) in &self.queue {
            if let Some(Happening::Searched(..)) = self.happenings.get(&number) {
                self.busy -= (time - self.now) * self.plan.settings.threads as u64;
            }
        }
        let machines = self.machines.iter().flatten();
        let master = self.master.as_ref().expect("it has answered");
        Run {
            outcome,
            time: self.now,
            iterations: self.progress.expansions,
            busy: self.busy,
            master_nodes: master.nodes(),
            worker_nodes: machines.map(Machine::table_entries).sum(),
            results: master.log().results().cloned().collect(),
            messages: self.messages,
            deaths: self.deaths,
        }
    }

    fn look(&mut self) -> Result<(), Failure> {
        self.watch.look(&self.progress).map_err(Failure::Stop)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}
