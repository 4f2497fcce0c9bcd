//! A game's knowledge, as far as a search is to have it: to compare with, parts are left out.
//!
//! [`Leaves`] says where the first numbers of leaves come from. Only with the best of them is
//! anything proved without search: what the others are compared with is the rules alone.

use bouton_game::{Assessment, Estimate, Game, Knowledge, List, Nimber, Outcome, Widening};

use crate::solver::Setup;

/// What the first numbers of leaves are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaves {
    /// The best that is known for the game.
    #[default]
    Best,
    /// One to prove, and as many to disprove as there are moves.
    Mobility,
    /// One either way.
    Constant,
}

/// Knowledge of which some parts may be switched off.
pub struct Guide<K> {
    knowledge: K,
    leaves: Leaves,
    ordered: bool,
}

impl<K: Default> Guide<K> {
    /// Knowledge, as far as it is wanted.
    pub fn new<G: Game>(setup: &Setup) -> Self
    where
        K: Knowledge<G>,
    {
        let mut knowledge = K::default();
        let left_out = (0..K::PARTS.len()).filter(|part| setup.without.knowledge >> part & 1 == 1);
        left_out.for_each(|part| knowledge.leave_out(part));
        Self {
            knowledge,
            leaves: setup.leaves,
            ordered: !setup.without.order,
        }
    }
}

impl<G: Game, K: Knowledge<G>> Knowledge<G> for Guide<K> {
    fn allow(&mut self, bytes: usize) -> usize {
        self.knowledge.allow(bytes)
    }

    fn kept_bytes(&self) -> usize {
        self.knowledge.kept_bytes()
    }

    fn stand_in(&mut self, game: &mut G, position: G::Position) -> G::Position {
        match self.leaves {
            Leaves::Best => self.knowledge.stand_in(game, position),
            Leaves::Mobility | Leaves::Constant => position,
        }
    }

    fn narrow(
        &mut self,
        game: &mut G,
        parent: &G::Position,
        children: &mut List<G::Position>,
    ) -> Option<Outcome> {
        match self.leaves {
            Leaves::Best => self.knowledge.narrow(game, parent, children),
            Leaves::Mobility | Leaves::Constant => None,
        }
    }

    fn refutes(
        &mut self,
        game: &mut G,
        parent: &G::Position,
        won: &G::Position,
        other: &G::Position,
    ) -> bool {
        self.leaves == Leaves::Best && self.knowledge.refutes(game, parent, won, other)
    }

    fn learn(&mut self, game: &mut G, position: &G::Position, outcome: Outcome) {
        self.knowledge.learn(game, position, outcome);
    }

    fn widening(&self) -> Widening {
        match self.ordered && self.leaves == Leaves::Best {
            true => self.knowledge.widening(),
            false => Widening::ALL,
        }
    }

    fn looks(&self) -> u64 {
        self.knowledge.looks()
    }

    fn order(&mut self, game: &mut G, parent: &G::Position, children: &mut [G::Position]) {
        if self.ordered {
            self.knowledge.order(game, parent, children);
        }
    }

    #[inline]
    fn assess(&mut self, game: &mut G, position: &G::Position, heap: Nimber) -> Assessment {
        match self.leaves {
            Leaves::Best => self.knowledge.assess(game, position, heap),
            Leaves::Mobility => match game.mobility(position) {
                0 if heap == 0 && game.is_lost(position) => Assessment::Proved(Outcome::Loss),
                moves => Assessment::Open(Estimate {
                    proof: 1,
                    disproof: moves.saturating_add(u64::from(heap)).max(1),
                }),
            },
            Leaves::Constant => Assessment::Open(Estimate::UNIT),
        }
    }
}
