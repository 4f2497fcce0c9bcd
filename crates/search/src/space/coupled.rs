//! Couples as nodes: positions in one piece, each with a Nim heap beside it.
//!
//! Paper: Lemoine and Viennot 2012; Čížek, Balko and Schmid 2025, "NAND trees with Grundy
//! numbers". A position `p` has nimber `n` if and only if `p + *n` is a loss, and a component
//! whose nimber is known is worth a heap. So a couple is enough, and a proved loss is a fact
//! about a position: its nimber. Facts are kept under the positions themselves.
//!
//! Facts cut at once: a child all of whose components are known is worth a heap, and is a loss
//! or a win on the spot; and its nimber is excluded for the parent, whatever the heap was.
//! Equal components cancel.

use bouton_game::{Expansion, Impartial, Knowledge, List, Nimber, Outcome};
use bouton_table::{Key, Numbers};
use smallvec::SmallVec;

use super::{Branch, BranchOf, Space, hashed, key_of, numbers_of};
use crate::shelf::Nimbers;
use crate::solver::outcome_of;
use crate::successors::Conditions;
use crate::watch::Stop;

/// The couples of an impartial game, seen with some knowledge and the facts found so far.
pub struct Coupled<'a, G: Impartial, K> {
    game: &'a mut G,
    knowledge: &'a mut K,
    facts: &'a mut Nimbers<G>,
    conditions: Conditions,
    children: List<G::Position>,
    parts: List<G::Position>,
    /// Couples that the last expansion showed to be wins.
    wins: Vec<Couple<G::Position>>,
}

/// A position with a Nim heap beside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Couple<P> {
    /// The position, in one piece.
    pub position: P,
    /// The size of the heap.
    pub heap: Nimber,
}

/// Several positions, and one heap beside all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum<P> {
    /// The positions, in one piece each.
    parts: SmallVec<[P; 2]>,
    heap: Nimber,
}

impl<'a, G: Impartial, K: Knowledge<G>> Coupled<'a, G, K> {
    /// The couples of a game.
    pub fn new(
        game: &'a mut G,
        knowledge: &'a mut K,
        facts: &'a mut Nimbers<G>,
        conditions: Conditions,
    ) -> Self {
        Self {
            game,
            knowledge,
            facts,
            conditions,
            children: List::new(),
            parts: List::new(),
            wins: Vec::new(),
        }
    }

    /// What a position with a heap beside it comes down to: its outcome, or a branch.
    pub fn enter(&mut self, position: &G::Position, heap: Nimber) -> Entered<G::Position> {
        let position = self.conditions.identify(self.game, position);
        self.branch(position, heap)
    }

    /// The outcome of a branch, if the shelf knows it as a win.
    pub(crate) fn known_win(&mut self, branch: &BranchOf<Self>) -> Option<Outcome> {
        match branch {
            Branch::Node(node) if node.heap == 0 && self.facts.is_win(&node.position) => {
                Some(Outcome::Win)
            }
            _ => None,
        }
    }

    fn branch(&mut self, position: G::Position, mut heap: Nimber) -> Entered<G::Position> {
        let is_whole = self.conditions.is_whole(self.game, &position)
            || !self.conditions.split(self.game, &position, &mut self.parts);
        if is_whole {
            return match self.facts.get(&position) {
                Some(nimber) => Entered::Worth(heap ^ nimber),
                None => Entered::Open(Branch::Node(Couple { position, heap })),
            };
        }
        let mut unknown = SmallVec::new();
        for part in self.parts.drain() {
            match self.facts.get(&part) {
                Some(nimber) => heap ^= nimber,
                None => unknown.push(part),
            }
        }
        match unknown.len() {
            0 => Entered::Worth(heap),
            _ => Entered::Open(in_parts(unknown, heap)),
        }
    }

    /// Lists the children of a position, and says whether one of them is known to be worth the heap.
    /// Others may be missing then.
    fn children(
        &mut self,
        position: &G::Position,
        heap: Nimber,
        into: &mut List<G::Position>,
    ) -> (Expansion, bool) {
        let Self {
            conditions,
            facts,
            parts,
            ..
        } = self;
        let mut nimber = |game: &mut G, child: &G::Position| {
            if conditions.is_whole(game, child) || !conditions.split(game, child, parts) {
                return facts.get(child);
            }
            let mut nimbers = parts.iter().map(|part| facts.get(part));
            nimbers.try_fold(0, |sum, nimber| Some(sum ^ nimber?))
        };
        let mut found = false;
        let expansion = conditions.children_until(self.game, position, into, |game, child| {
            found |= nimber(game, child) == Some(heap);
            found
        });
        (expansion, found)
    }

    /// A child of the position has this nimber, so the position has not.
    fn exclude(&mut self, Couple { position, .. }: &Couple<G::Position>, nimber: Nimber) {
        let couple = Couple {
            position: position.clone(),
            heap: nimber,
        };
        if !self.wins.contains(&couple) {
            self.wins.push(couple);
        }
    }
}

/// What a position with a heap beside it comes down to.
pub enum Entered<P> {
    /// It is worth a heap of this size.
    Worth(Nimber),
    /// It is to be searched.
    Open(Branch<Couple<P>, Sum<P>>),
}

/// One part is a couple, several are a sum.
fn in_parts<P>(mut parts: SmallVec<[P; 2]>, heap: Nimber) -> Branch<Couple<P>, Sum<P>> {
    match parts.len() {
        1 => Branch::Node(Couple {
            position: parts.remove(0),
            heap,
        }),
        _ => Branch::Sum(Sum { parts, heap }),
    }
}

impl<G: Impartial, K: Knowledge<G>> Space for Coupled<'_, G, K> {
    type Node = Couple<G::Position>;
    type Sum = Sum<G::Position>;
    const HAS_SUMS: bool = true;

    fn expand(
        &mut self,
        node: &Couple<G::Position>,
        into: &mut Vec<BranchOf<Self>>,
    ) -> Result<Option<Outcome>, Stop> {
        into.clear();
        self.wins.clear();
        let (position, heap) = (&node.position, node.heap);
        if heap == 0 && self.facts.is_win(position) {
            return Ok(Some(Outcome::Win));
        }
        let mut children = std::mem::take(&mut self.children);
        // What is found must not be forgotten before the list is read, since it may not be whole.
        let (expansion, mut wins) = self.children(position, heap, &mut children);
        if expansion == Expansion::TooMany {
            return Err(Stop::Memory);
        }
        self.knowledge.order(self.game, position, &mut children);
        // Children are different, but one in parts may come down to the same as another. Branches
        // behind this index are those of children in one piece.
        let mut apart = 0;
        for child in children.drain() {
            let is_whole = self.conditions.is_whole(self.game, &child);
            match self.branch(child, heap) {
                Entered::Worth(0) => {
                    wins = true;
                    break;
                }
                Entered::Worth(nimber) => self.exclude(node, heap ^ nimber),
                Entered::Open(branch) => {
                    let rivals = if is_whole { apart } else { into.len() };
                    if !into[..rivals].contains(&branch) {
                        into.push(branch);
                        apart = if is_whole { apart } else { into.len() };
                    }
                }
            }
        }
        self.children = children;
        if wins {
            return Ok(Some(Outcome::Win));
        }
        into.extend((0..heap).map(|heap| {
            Branch::Node(Couple {
                position: position.clone(),
                heap,
            })
        }));
        Ok(into.is_empty().then_some(Outcome::Loss))
    }

    fn another_win(&mut self) -> Option<Couple<G::Position>> {
        self.wins.pop()
    }

    #[inline]
    fn assess(&mut self, node: &Couple<G::Position>) -> Numbers {
        numbers_of(self.knowledge.assess(self.game, &node.position, node.heap))
    }

    fn known(&mut self, node: &Couple<G::Position>) -> Option<Outcome> {
        let nimber = self.facts.get(&node.position)?;
        Some(outcome_of(nimber ^ node.heap))
    }

    fn learn(&mut self, node: &Couple<G::Position>, outcome: Outcome, work: u64) {
        match (outcome, node.heap) {
            (Outcome::Loss, nimber) => self.facts.put(&node.position, nimber),
            (Outcome::Win, 0) => self.facts.put_win(&node.position, work),
            (Outcome::Win, _) => {}
        }
    }

    fn key(&self, node: &Couple<G::Position>) -> Key {
        let key = key_of::<G>(&node.position);
        match node.heap {
            0 => key,
            heap => hashed(&(key, heap)),
        }
    }

    fn parts(&self, sum: &Sum<G::Position>) -> usize {
        sum.parts.len()
    }

    fn term(&self, sum: &Sum<G::Position>, part: usize, heap: Nimber) -> Couple<G::Position> {
        Couple {
            position: sum.parts[part].clone(),
            heap,
        }
    }

    fn nimber(&mut self, sum: &Sum<G::Position>, part: usize) -> Option<Nimber> {
        self.facts.get(&sum.parts[part])
    }

    fn resolve(&self, mut sum: Sum<G::Position>, part: usize, nimber: Nimber) -> BranchOf<Self> {
        sum.parts.remove(part);
        in_parts(sum.parts, sum.heap ^ nimber)
    }

    fn pack(&mut self, branch: &BranchOf<Self>, into: &mut Vec<u8>) -> Option<()> {
        let (heap, parts) = match branch {
            Branch::Node(couple) => (couple.heap, std::slice::from_ref(&couple.position)),
            Branch::Sum(sum) => (sum.heap, sum.parts.as_slice()),
        };
        into.extend(heap.to_le_bytes());
        into.extend(u32::try_from(parts.len()).ok()?.to_le_bytes());
        let shelf = self.facts.shelf();
        parts.iter().try_for_each(|part| shelf.pack(part, into))
    }

    fn unpack(&mut self, from: &mut &[u8]) -> Option<BranchOf<Self>> {
        let mut number = || {
            let (number, rest) = from.split_first_chunk()?;
            *from = rest;
            Some(u32::from_le_bytes(*number))
        };
        let (heap, parts) = (number()?, number()?);
        let shelf = self.facts.shelf();
        let parts: SmallVec<_> = (0..parts)
            .map(|_| shelf.unpack(from))
            .collect::<Option<_>>()?;
        (!parts.is_empty()).then(|| in_parts(parts, heap))
    }

    #[inline]
    fn heap_bytes(branch: &BranchOf<Self>) -> usize {
        match branch {
            Branch::Node(couple) => G::heap_bytes(&couple.position),
            Branch::Sum(sum) => {
                let list = match sum.parts.spilled() {
                    true => sum.parts.capacity() * size_of::<G::Position>(),
                    false => 0,
                };
                list + sum.parts.iter().map(G::heap_bytes).sum::<usize>()
            }
        }
    }

    #[inline]
    fn news(&self) -> u64 {
        self.facts.found()
    }

    fn facts(&self) -> (usize, usize) {
        let kept = self.game.kept_bytes() + self.knowledge.kept_bytes();
        (self.facts.bytes() + kept, self.facts.len())
    }
}
