//! A simulated machine: a group, and benches that its workers sit at.

use std::ops::Range;

use bouton_session::jobs::{Found, KeyResult, Pace};
use bouton_session::{Bench, Seating, Watch};

use super::{Happening, Simulation};
use crate::group::{Command, Event, Group};
use crate::master::Failure;
use crate::protocol::{GroupId, Order};

/// The machine.
pub(super) struct Machine {
    pub(super) id: GroupId,
    pub(super) group: Group,
    benches: Vec<Box<dyn Bench>>,
}

/// What a worker has searched.
pub(super) struct Slice {
    seat: usize,
    found: Option<Found>,
    results: Vec<KeyResult>,
}

impl Machine {
    /// A slice is over.
    pub(super) fn note(&mut self, slice: Slice) -> Vec<Command> {
        self.group.handle(Event::Searched {
            seat: slice.seat,
            found: slice.found,
            results: slice.results,
        })
    }

    /// How many proof numbers there are in its table, which all its workers have in common.
    pub(super) fn table_entries(&self) -> usize {
        let benches = self.benches.iter();
        benches
            .map(|bench| bench.table_entries())
            .max()
            .unwrap_or(0)
    }
}

impl Simulation<'_, '_> {
    /// A new group at each of some places.
    pub(super) fn start_groups(&mut self, places: Range<usize>) {
        let plan = self.plan;
        let seating = Seating {
            machines: places.len(),
            workers: plan.seats,
            threads: plan.settings.threads,
            pace: Pace::InTurns,
        };
        let mut benches = self.session.benches(seating, plan.memory).into_iter();
        for place in places {
            let benches = benches.by_ref().take(plan.seats).collect();
            self.start_group(place, benches);
        }
    }

    fn start_group(&mut self, place: usize, benches: Vec<Box<dyn Bench>>) {
        let (id, plan) = (self.next_group, self.plan);
        self.next_group += 1;
        self.machines[place] = Some(Machine {
            id,
            group: Group::new(id, plan.seats, plan.settings),
            benches,
        });
        self.schedule(self.now, Happening::GroupTicks(id));
        self.plan_group_death(id);
    }

    /// The machine of a group that is alive.
    pub(super) fn machine(&mut self, group: GroupId) -> Option<&mut Machine> {
        let mut machines = self.machines.iter_mut().flatten();
        machines.find(|machine| machine.id == group)
    }

    /// An order comes to a group, if that is alive.
    pub(super) fn deliver(&mut self, group: GroupId, order: &[u8]) -> Result<(), Failure> {
        let order = Order::from_bytes(order).expect("orders are whole or lost");
        if self.plan.audit {
            self.audit(group, order.received);
        }
        match self.machine(group) {
            Some(machine) => {
                let commands = machine.group.handle(Event::Order(order));
                self.obey(group, commands)
            }
            None => Ok(()),
        }
    }

    /// What a group is about to drop from its outbox is in the log.
    fn audit(&mut self, group: GroupId, received: u64) {
        let plan = self.plan;
        let Some(machine) = self.machine(group) else {
            return;
        };
        let (first, offered) = machine.group.offered();
        let count = received.saturating_sub(first) as usize;
        let seed = plan.seed;
        assert!(
            count <= offered.len(),
            "seed {seed}: acknowledged before it was found"
        );
        let acknowledged: Vec<_> = offered.iter().take(count).cloned().collect();
        for result in acknowledged {
            assert!(
                self.disk.logged.contains(&result),
                "seed {seed}: {result:?} was acknowledged and is lost"
            );
        }
    }

    /// Carries out what a group wants.
    pub(super) fn obey(&mut self, group: GroupId, commands: Vec<Command>) -> Result<(), Failure> {
        for command in commands {
            match command {
                Command::Send(letter) => {
                    self.send(0, Happening::LetterArrives, letter.to_bytes());
                }
                Command::Learn(results) => {
                    if let Some(machine) = self.machine(group) {
                        machine.benches[0].learn(&results);
                    }
                }
                Command::Search {
                    seat,
                    task,
                    forgets,
                } => {
                    let progress = self.progress;
                    let places = self.machines.iter_mut().flatten();
                    let mut places = places.filter(|machine| machine.id == group);
                    let Some(machine) = places.next() else {
                        continue;
                    };
                    let bench = &mut machine.benches[seat];
                    bench.forget(forgets);
                    let outer = &mut *self.watch;
                    let mut look = |_: &_| outer.look(&progress);
                    let found = bench.search(&task, &mut Watch::new(&mut look))?;
                    let slice = Slice {
                        seat,
                        results: bench.take_results(),
                        found,
                    };
                    self.book(group, slice);
                }
                Command::Stop => {}
            }
        }
        Ok(())
    }

    /// A slice was searched: it is over when its expansions are paid for.
    fn book(&mut self, group: GroupId, slice: Slice) {
        let expansions = slice.found.as_ref().map_or(0, |found| found.expansions);
        // Some expansions cost more than others: a tenth more or less, all together.
        let cost = self.plan.costs.expansion;
        let cost = cost - cost / 10 + self.chance(cost / 5 + 1);
        let threads = self.plan.settings.threads as u64;
        let time = expansions.div_ceil(threads) * cost;
        self.progress.expansions += expansions;
        self.busy += time * threads;
        self.schedule(self.now + time, Happening::Searched(group, slice));
    }
}
