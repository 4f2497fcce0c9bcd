//! What goes wrong: messages that are lost, repeated or late, machines and masters that die.

use super::{Happening, Simulation};
use crate::protocol::{GroupId, Time};

/// What goes wrong, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Of a thousand messages so many are lost.
    pub lost: u64,
    /// So many come twice.
    pub repeated: u64,
    /// So many take up to a hundred times as long, and so come after later ones.
    pub delayed: u64,
    /// How long a group lives, on average; forever if 0.
    pub group_life: Time,
    /// How long a master lives, on average; forever if 0.
    pub master_life: Time,
}

impl Simulation<'_, '_> {
    /// A number below a limit.
    pub(super) fn chance(&mut self, limit: u64) -> u64 {
        self.dice.roll() % limit.max(1)
    }

    /// Sends a message, which leaves after some time.
    pub(super) fn send(
        &mut self,
        after: Time,
        arrives: impl Fn(Vec<u8>) -> Happening,
        bytes: Vec<u8>,
    ) {
        self.messages += 1;
        let faults = self.plan.faults;
        if self.chance(1000) < faults.lost {
            return;
        }
        if self.chance(1000) < faults.repeated {
            let time = self.now + after + self.travel();
            self.schedule(time, arrives(bytes.clone()));
        }
        let time = self.now + after + self.travel();
        self.schedule(time, arrives(bytes));
    }

    /// How long a message is on its way.
    fn travel(&mut self) -> Time {
        let latency = self.plan.costs.latency;
        let usual = latency / 2 + self.chance(latency + 1);
        match self.chance(1000) < self.plan.faults.delayed {
            true => usual + self.chance(100 * latency),
            false => usual,
        }
    }

    /// How long somebody lives who lives so long on average.
    fn life(&mut self, average: Time) -> Time {
        1 + self.chance(2 * average)
    }

    pub(super) fn plan_group_death(&mut self, group: GroupId) {
        if self.plan.faults.group_life > 0 {
            let time = self.now + self.life(self.plan.faults.group_life);
            self.schedule(time, Happening::GroupDies(group));
        }
    }

    pub(super) fn plan_master_death(&mut self) {
        if self.plan.faults.master_life > 0 {
            let time = self.now + self.life(self.plan.faults.master_life);
            self.schedule(time, Happening::MasterDies);
        }
    }

    /// A group is gone with all it had; another takes its place.
    pub(super) fn kill_group(&mut self, group: GroupId) {
        let is_it = |machine: &Option<super::Machine>| {
            machine.as_ref().is_some_and(|machine| machine.id == group)
        };
        let Some(place) = self.machines.iter().position(is_it) else {
            return;
        };
        self.machines[place] = None;
        self.deaths += 1;
        let time = self.now + self.chance(self.plan.settings.patience);
        self.schedule(time, Happening::GroupStarts(place));
    }

    /// The master is gone with all letters that waited; the disk is left.
    pub(super) fn kill_master(&mut self) {
        self.master = None;
        self.inbox.clear();
        self.epoch += 1;
        self.deaths += 1;
        let time = self.now + 1 + self.chance(self.plan.settings.patience);
        self.schedule(time, Happening::MasterStarts);
    }
}
