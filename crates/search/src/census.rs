//! How many distinct positions there are at each ply.
//!
//! Breadth first from a root: a position counts once, at the ply where it is first reached.
//! With symmetry, positions are canonical; raw, they are as they lie on the board.

use bouton_game::{Expansion, Game, List};

use crate::memo::{Budget, Memo};
use crate::watch::{Progress, Stop, Watch};

/// Which positions count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Positions with the same canonical form.
    Canonical,
    /// Equal positions only.
    Raw,
}

/// What there is at one ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// Positions first reached at this ply.
    pub positions: u64,
    /// Those of them in which the game is over.
    pub terminals: u64,
}

/// Counts the positions from `root` on, to ply `depth` or to the end. On a [`Stop`] the plies
/// already complete are given too.
pub fn census<G: Game>(
    game: &mut G,
    root: &G::Position,
    identity: Identity,
    depth: Option<usize>,
    memory: usize,
    watch: &mut Watch,
) -> (Vec<Ply>, Result<(), Stop>) {
    let mut census = Census {
        game,
        identity,
        seen: Memo::new(),
        budget: Budget::new(memory),
        counts: Progress::default(),
        children: List::new(),
    };
    let mut plies = Vec::new();
    let result = census.run(root, depth.unwrap_or(usize::MAX), watch, &mut plies);
    (plies, result)
}

struct Census<'g, G: Game> {
    game: &'g mut G,
    identity: Identity,
    seen: Memo<G, ()>,
    budget: Budget,
    counts: Progress,
    children: List<G::Position>,
}

impl<G: Game> Census<'_, G> {
    fn run(
        &mut self,
        root: &G::Position,
        depth: usize,
        watch: &mut Watch,
        plies: &mut Vec<Ply>,
    ) -> Result<(), Stop> {
        let root = match self.identity {
            Identity::Canonical => self.game.canonical(root),
            Identity::Raw => root.clone(),
        };
        self.seen.insert(root.clone(), (), &mut self.budget)?;
        let mut frontier = vec![root];
        while !frontier.is_empty() {
            let last = plies.len() == depth;
            let (ply, next) = self.ply(&frontier, last, watch)?;
            plies.push(ply);
            frontier = next;
            self.counts.depth += 1;
        }
        Ok(())
    }

    /// Counts the positions of one ply and collects the new ones of the next.
    fn ply(
        &mut self,
        frontier: &[G::Position],
        last: bool,
        watch: &mut Watch,
    ) -> Result<(Ply, Vec<G::Position>), Stop> {
        let mut next = Vec::new();
        let mut ply = Ply::default();
        for (index, position) in frontier.iter().enumerate() {
            ply.positions += 1;
            if last {
                ply.terminals += u64::from(self.is_terminal(position)?);
            } else {
                self.expand(position)?;
                ply.terminals += u64::from(self.children.is_empty());
                self.keep_new(&mut next)?;
            }
            self.counts.expansions += 1;
            self.counts.facts = self.seen.len() as u64;
            self.counts.root = (index + 1, frontier.len());
            let frontiers = (frontier.len() + next.capacity()) * size_of::<G::Position>();
            self.counts.bytes = self.budget.used() + frontiers;
            watch.tick(|| self.counts)?;
        }
        Ok((ply, next))
    }

    fn is_terminal(&mut self, position: &G::Position) -> Result<bool, Stop> {
        let moves = self.game.count_moves(position);
        moves.map(|moves| moves == 0).map_err(|_| Stop::Memory)
    }

    fn expand(&mut self, position: &G::Position) -> Result<(), Stop> {
        match self.identity {
            Identity::Canonical => match self.game.expand(position, &mut self.children) {
                Expansion::TooMany => return Err(Stop::Memory),
                Expansion::Decided(_) | Expansion::Moves | Expansion::Sum => {}
            },
            Identity::Raw => {
                self.children.clear();
                let moves = self.game.legal_moves(position).map_err(|_| Stop::Memory)?;
                for mv in &moves {
                    self.children.push(self.game.play(position, mv));
                }
            }
        }
        self.counts.evaluations += self.children.len() as u64;
        Ok(())
    }

    fn keep_new(&mut self, next: &mut Vec<G::Position>) -> Result<(), Stop> {
        for child in self.children.iter() {
            if self.seen.insert(child.clone(), (), &mut self.budget)? {
                next.push(child.clone());
            }
        }
        Ok(())
    }
}
