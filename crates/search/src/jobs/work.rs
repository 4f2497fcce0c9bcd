//! What a worker does with a leaf: so many expansions of df-pn, or of PDFPN with several threads,
//! with a table that stays.

use super::{Branches, Numbers, Thresholds};
use crate::deep_stack;
use crate::dfpn::{Dfpn, Listing, Within};
use crate::pdfpn;
use crate::space::{Branch, BranchOf, Space};
use crate::watch::{Stop, Watch};

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The bytes of the leaf.
    pub leaf: Vec<u8>,
    /// How far to go: beyond that others are worth more.
    pub thresholds: Thresholds,
    /// How many expansions it takes at least, wherever that leads.
    pub least: u64,
    /// How many it may take.
    pub expansions: u64,
    /// Whether to list the branches of the leaf, if it is not solved then.
    pub lists: bool,
    /// After how many expansions to list them if it is far enough then: what took less is
    /// sooner searched again than its branches are told and kept.
    pub lists_after: u64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The numbers of the leaf.
    pub numbers: Numbers,
    /// Expansions it took.
    pub expansions: u64,
    /// The leaf's branches, if they were asked for.
    pub branches: Branches,
    /// Whether there is no more to be done: it is solved, far enough, or its branches are listed.
    pub is_done: bool,
}

/// How the threads of a worker go about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// Each as fast as it can.
    #[default]
    Free,
    /// One expansion each, in turn: so a search can be repeated exactly.
    InTurns,
}

/// Searches below a leaf, with a thread for each space. A sum is searched as well, but has no
/// branches to list. None if the bytes are no branch.
pub fn work<S: Space>(
    dfpn: &mut Dfpn,
    spaces: &mut [S],
    pace: Pace,
    task: &Task,
    watch: &mut Watch,
) -> Result<Option<Found>, Stop> {
    let Some(leaf) = spaces[0].unpack(&mut &*task.leaf) else {
        return Ok(None);
    };
    deep_stack::run(|| {
        let before = dfpn.counts.expansions;
        let within = Within {
            thresholds: task.thresholds,
            least: task.least,
            most: task.expansions,
        };
        let mut numbers = match spaces {
            [space] => dfpn.work_within(space, &leaf, within, watch)?,
            _ => pdfpn::work_within(dfpn, spaces, &leaf, within, pace, watch)?,
        };
        let is_far =
            !task.thresholds.allow::<S>(numbers) && dfpn.counts.expansions - before >= task.least;
        let expansions = dfpn.counts.expansions - before;
        let space = &mut spaces[0];
        let mut branches = Branches::default();
        let lists = task.lists || is_far && expansions >= task.lists_after;
        if let Branch::Node(node) = &leaf
            && lists
            && !numbers.is_solved()
        {
            match dfpn.list(space, node)? {
                Listing::Solved(solved) => numbers = solved,
                Listing::Open { open, questions } => {
                    branches.open = pack_all(space, open);
                    branches.questions = pack_all(space, questions);
                }
            }
        }
        Ok(Some(Found {
            numbers,
            expansions: dfpn.counts.expansions - before,
            branches,
            is_done: numbers.is_solved() || is_far || task.lists,
        }))
    })
}

/// The bytes of branches. One without bytes would be missing: then there are none at all.
fn pack_all<S: Space>(space: &mut S, list: Vec<(BranchOf<S>, Numbers)>) -> Vec<(Vec<u8>, Numbers)> {
    let pack = |(branch, numbers)| {
        let mut bytes = Vec::new();
        space.pack(&branch, &mut bytes)?;
        Some((bytes, numbers))
    };
    let packed = list.into_iter().map(pack).collect::<Option<_>>();
    packed.unwrap_or_default()
}
