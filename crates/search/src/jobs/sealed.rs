//! A space without rules: positions as bytes that nobody opens.
//!
//! Whoever hands out jobs has to know what follows from what, not why. Couples and sums are
//! built and taken apart as in [`Coupled`](crate::space::Coupled); branches of a node are those
//! that a worker lists; nimbers are those that somebody has found. In a game whose players have
//! moves of their own there are no heaps, and what has nimber 0 is a loss.
//!
//! As bytes a branch is what [`Coupled::pack`](crate::space::Space::pack) makes of it: the heap,
//! the number of parts, and each part behind its length, all in four bytes.

use std::collections::HashMap;
use std::sync::Arc;

use bouton_game::{Nimber, Outcome};
use bouton_table::{Key, Numbers};
use foldhash::fast::FixedState;

use super::KeyResult;
use crate::solver::outcome_of;
use crate::space::{Branch, BranchOf, Couple, Space, hashed};
use crate::watch::Stop;

/// A packed position.
pub(super) type Packed = Arc<[u8]>;

/// Several packed positions, and one heap beside all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Several {
    parts: Vec<Packed>,
    heap: Nimber,
}

/// A branch of the space.
pub(super) type Sealed = BranchOf<Positions>;

/// The space, with all nimbers that were found.
#[derive(Default)]
pub(super) struct Positions {
    nimbers: HashMap<Packed, Nimber, FixedState>,
    /// What followed lately from what workers have reported.
    followed: Vec<KeyResult>,
    /// A position that was found to have two nimbers.
    contradiction: Option<Packed>,
}

impl Positions {
    /// Takes note of a nimber; says whether it is new.
    pub(super) fn note(&mut self, position: &Packed, nimber: Nimber) -> bool {
        match self.nimbers.get(position) {
            None => {
                self.nimbers.insert(Arc::clone(position), nimber);
                true
            }
            Some(&known) if known == nimber => false,
            Some(_) => {
                self.contradiction.get_or_insert_with(|| position.clone());
                false
            }
        }
    }

    /// What followed since this was last asked.
    pub(super) fn take_followed(&mut self) -> Vec<KeyResult> {
        std::mem::take(&mut self.followed)
    }

    /// A position that was found to have two nimbers: somebody is wrong.
    pub(super) fn contradiction(&self) -> Option<&[u8]> {
        self.contradiction.as_deref()
    }
}

/// The bytes of a branch.
pub(super) fn write(branch: &Sealed) -> Vec<u8> {
    let (heap, parts) = match branch {
        Branch::Node(couple) => (couple.heap, std::slice::from_ref(&couple.position)),
        Branch::Sum(sum) => (sum.heap, sum.parts.as_slice()),
    };
    let mut bytes = heap.to_le_bytes().to_vec();
    bytes.extend((parts.len() as u32).to_le_bytes());
    for part in parts {
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(part.iter());
    }
    bytes
}

/// The branch with these bytes.
pub(super) fn read(mut bytes: &[u8]) -> Option<Sealed> {
    fn number(from: &mut &[u8]) -> Option<u32> {
        let (number, rest) = from.split_first_chunk()?;
        *from = rest;
        Some(u32::from_le_bytes(*number))
    }
    let (heap, count) = (number(&mut bytes)?, number(&mut bytes)?);
    let mut parts = Vec::new();
    for _ in 0..count {
        let length = number(&mut bytes)? as usize;
        let (part, rest) = bytes.split_at_checked(length)?;
        parts.push(Packed::from(part));
        bytes = rest;
    }
    (bytes.is_empty() && !parts.is_empty()).then(|| in_parts(parts, heap))
}

/// One part is a couple, several are a sum.
fn in_parts(mut parts: Vec<Packed>, heap: Nimber) -> Sealed {
    match parts.len() {
        1 => Branch::Node(Couple {
            position: parts.remove(0),
            heap,
        }),
        _ => Branch::Sum(Several { parts, heap }),
    }
}

impl Space for Positions {
    type Node = Couple<Packed>;
    type Sum = Several;
    const HAS_SUMS: bool = true;

    fn expand(&mut self, _: &Couple<Packed>, _: &mut Vec<Sealed>) -> Result<Option<Outcome>, Stop> {
        unreachable!("who hands out jobs has no rules")
    }

    fn assess(&mut self, _: &Couple<Packed>) -> Numbers {
        Numbers::UNIT
    }

    fn known(&mut self, node: &Couple<Packed>) -> Option<Outcome> {
        let nimber = self.nimbers.get(&node.position)?;
        Some(outcome_of(nimber ^ node.heap))
    }

    fn learn(&mut self, node: &Couple<Packed>, outcome: Outcome, _: u64) {
        if outcome == Outcome::Loss && self.note(&node.position, node.heap) {
            self.followed.push(KeyResult {
                position: Arc::clone(&node.position),
                nimber: node.heap,
            });
        }
    }

    fn key(&self, node: &Couple<Packed>) -> Key {
        hashed(node)
    }

    fn parts(&self, sum: &Several) -> usize {
        sum.parts.len()
    }

    fn term(&self, sum: &Several, part: usize, heap: Nimber) -> Couple<Packed> {
        Couple {
            position: Arc::clone(&sum.parts[part]),
            heap,
        }
    }

    fn nimber(&mut self, sum: &Several, part: usize) -> Option<Nimber> {
        self.nimbers.get(&sum.parts[part]).copied()
    }

    fn resolve(&self, mut sum: Several, part: usize, nimber: Nimber) -> Sealed {
        sum.parts.remove(part);
        in_parts(sum.parts, sum.heap ^ nimber)
    }

    fn heap_bytes(branch: &Sealed) -> usize {
        // Two counters before each text.
        let text = |packed: &Packed| packed.len() + 2 * size_of::<usize>();
        match branch {
            Branch::Node(couple) => text(&couple.position),
            Branch::Sum(sum) => {
                let list = sum.parts.capacity() * size_of::<Packed>();
                list + sum.parts.iter().map(text).sum::<usize>()
            }
        }
    }

    fn facts(&self) -> (usize, usize) {
        (0, self.nimbers.len())
    }
}
