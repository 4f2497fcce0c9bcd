//! Positions as nodes: any game, no sums.

use bouton_game::{Expansion, Fact, Game, Knowledge, List, Nimber, Outcome, Widening};
use bouton_table::{Key, Numbers};

use super::{Branch, BranchOf, Space, key_of, numbers_of};
use crate::shelf::Shelf;
use crate::successors::Conditions;
use crate::watch::Stop;

/// The positions of a game, seen with some knowledge.
pub struct Plain<'a, G: Game, K> {
    game: &'a mut G,
    knowledge: &'a mut K,
    shelf: &'a mut Shelf<G>,
    conditions: Conditions,
    children: List<G::Position>,
}

/// What does not exist: the sums of a space without sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nothing {}

impl<'a, G: Game, K: Knowledge<G>> Plain<'a, G, K> {
    /// The positions of a game.
    pub fn new(
        game: &'a mut G,
        knowledge: &'a mut K,
        shelf: &'a mut Shelf<G>,
        conditions: Conditions,
    ) -> Self {
        Self {
            game,
            knowledge,
            shelf,
            conditions,
            children: List::new(),
        }
    }

    /// The node of a position.
    pub fn enter(&mut self, position: &G::Position) -> G::Position {
        let position = self.conditions.identify(self.game, position);
        self.knowledge.stand_in(self.game, position)
    }
}

impl<G: Game, K: Knowledge<G>> Space for Plain<'_, G, K> {
    type Node = G::Position;
    type Sum = Nothing;
    const HAS_SUMS: bool = false;

    fn expand(
        &mut self,
        node: &G::Position,
        into: &mut Vec<BranchOf<Self>>,
    ) -> Result<Option<Outcome>, Stop> {
        into.clear();
        if let Some(fact) = self.shelf.get(node) {
            return Ok(Some(fact.outcome()));
        }
        match self
            .conditions
            .children(self.game, node, &mut self.children)
        {
            Expansion::Decided(outcome) => return Ok(Some(outcome)),
            Expansion::Moves => {}
            Expansion::Sum => unreachable!("children are asked for"),
            Expansion::TooMany => return Err(Stop::Memory),
        }
        let seen = self.knowledge.narrow(self.game, node, &mut self.children);
        if seen.is_some() {
            return Ok(seen);
        }
        if self.children.is_empty() {
            return Ok(Some(Outcome::Loss));
        }
        self.knowledge.order(self.game, node, &mut self.children);
        into.extend(self.children.iter().cloned().map(Branch::Node));
        Ok(None)
    }

    #[inline]
    fn assess(&mut self, node: &G::Position) -> Numbers {
        numbers_of(self.knowledge.assess(self.game, node, 0))
    }

    #[inline]
    fn known(&mut self, _: &G::Position) -> Option<Outcome> {
        None
    }

    #[inline]
    fn learn(&mut self, node: &G::Position, outcome: Outcome, work: u64) {
        self.knowledge.learn(self.game, node, outcome);
        self.shelf.put(node, Fact::Outcome(outcome), work);
    }

    #[inline]
    fn refutes(
        &mut self,
        node: &G::Position,
        won: &BranchOf<Self>,
        other: &BranchOf<Self>,
    ) -> bool {
        match (won, other) {
            (Branch::Node(won), Branch::Node(other)) => {
                self.knowledge.refutes(self.game, node, won, other)
            }
            (Branch::Sum(sum), _) | (_, Branch::Sum(sum)) => match *sum {},
        }
    }

    #[inline]
    fn widening(&self) -> Widening {
        self.knowledge.widening()
    }

    #[inline]
    fn key(&self, node: &G::Position) -> Key {
        key_of::<G>(node)
    }

    fn parts(&self, sum: &Nothing) -> usize {
        match *sum {}
    }

    fn term(&self, sum: &Nothing, _: usize, _: Nimber) -> G::Position {
        match *sum {}
    }

    fn nimber(&mut self, sum: &Nothing, _: usize) -> Option<Nimber> {
        match *sum {}
    }

    fn resolve(&self, sum: Nothing, _: usize, _: Nimber) -> BranchOf<Self> {
        match sum {}
    }

    fn pack(&mut self, branch: &BranchOf<Self>, into: &mut Vec<u8>) -> Option<()> {
        match branch {
            Branch::Node(position) => self.shelf.pack(position, into),
            Branch::Sum(sum) => match *sum {},
        }
    }

    fn unpack(&mut self, from: &mut &[u8]) -> Option<BranchOf<Self>> {
        self.shelf.unpack(from).map(Branch::Node)
    }

    #[inline]
    fn heap_bytes(branch: &BranchOf<Self>) -> usize {
        match branch {
            Branch::Node(position) => G::heap_bytes(position),
            Branch::Sum(sum) => match *sum {},
        }
    }

    fn facts(&self) -> (usize, usize) {
        let kept = self.game.kept_bytes() + self.knowledge.kept_bytes();
        (kept, 0)
    }
}
