//! Gathering a certificate of steps, in games whose positions compare.
//!
//! A loss is proved by replies to all of its moves. Most moves are met by what was proved before:
//! the winner threatens something that they do not touch. For a move that is left, a solver finds
//! a reply; the position after it is proved in turn, and often meets other moves too. In the end
//! the loser is given all that the replies do not need ([`Game::least`]), so that the step serves
//! wherever the same is threatened. This is how must-play regions prove Hex positions (Hayward,
//! Björnsson, Johanson, Kan, Po and van Rijswijck, "Solving 7x7 Hex with domination, fill-in, and
//! virtual connections", 2005), with positions in place of carriers.
//!
//! The solver may know more than the rules: its word is no part of the proof, and what it knows
//! comes out as play. Where it erred, no reply would be found, or one that the checker refuses.

use std::cmp::Reverse;

use bouton_certificate::{Claim, Loss};
use bouton_game::{Game, Notation, Outcome};
use bouton_search::watch::{Progress, Stop, Watch};

use crate::kind::Kind;
use crate::pile::Pile;

/// Gathers the steps that a claim about a position follows from, the last of them by itself.
pub(crate) fn gather<G: Notation, K: Kind<G>>(
    game: &mut G,
    solver: &mut K::Solver,
    root: &G::Position,
    claim: Claim,
    watch: &mut Watch,
) -> Result<Vec<Loss>, Stop> {
    let mut gathering = Gathering::<G, K> {
        game,
        solver,
        proved: Vec::new(),
        pile: Pile::default(),
    };
    if gathering.game.decided(root).is_none() {
        let lost = match claim {
            Claim::Loss => root.clone(),
            Claim::Win => gathering.reply(root, watch)?,
            Claim::Nimber(_) => unreachable!("games that compare positions have no nimbers"),
        };
        gathering.prove(&lost, watch)?;
    }
    Ok(gathering.needed())
}

struct Gathering<'a, G: Game, K: Kind<G>> {
    game: &'a mut G,
    solver: &'a mut K::Solver,
    proved: Vec<Proved<G::Position>>,
    /// The same, for finding those that compare.
    pile: Pile,
}

/// A loss for the player to move.
struct Proved<P> {
    position: P,
    /// How many moves there are: the fewer, the more it says.
    moves: u64,
    /// The earlier ones that its moves are met by; none where the rules say that it is lost.
    met_by: Vec<usize>,
}

/// One that is proved, and the moves that it meets.
type Met = (usize, u128);

impl<G: Notation, K: Kind<G>> Gathering<'_, G, K> {
    /// Proves a loss: returns one that it is no better than.
    fn prove(&mut self, position: &G::Position, watch: &mut Watch) -> Result<usize, Stop> {
        watch.tick(|| self.progress())?;
        if self.game.decided(position) == Some(Outcome::Loss) {
            return Ok(self.keep(position, Vec::new()));
        }
        let moves = self.game.legal_moves(position);
        let moves = moves.map_err(|_| Stop::Memory)?;
        let all = match moves.len() {
            128 => !0,
            count => (1 << count) - 1,
        };
        let mut known: Vec<Met> = Vec::new();
        for index in self.pile.meeting(self.game.outline(position)) {
            let loss = &self.proved[index];
            if self.game.no_better(position, &loss.position) {
                return Ok(index);
            }
            match self.game.met(position, &loss.position) {
                0 => {}
                met => known.push((index, met)),
            }
        }
        let (_, mut open) = self.cover(&known, all);
        while open != 0 {
            let chosen = middle(open);
            let after = self.game.play(position, &moves[chosen]);
            let reply = self.reply(&after, watch)?;
            let loss = self.prove(&reply, watch)?;
            let met = self.game.met(position, &self.proved[loss].position) | 1 << chosen;
            known.push((loss, met));
            open &= !met;
        }
        let (met_by, _) = self.cover(&known, all);
        Ok(self.keep(position, met_by))
    }

    /// A move that wins: to the position after it.
    fn reply(&mut self, position: &G::Position, watch: &mut Watch) -> Result<G::Position, Stop> {
        let moves = self.game.legal_moves(position);
        let moves = moves.map_err(|_| Stop::Memory)?;
        let mut options: Vec<_> = moves
            .iter()
            .map(|mv| self.game.play(position, mv))
            .collect();
        K::order(self.game, position, &mut options);
        let lost = |option: &&G::Position| self.game.decided(option) == Some(Outcome::Loss);
        if let Some(option) = options.iter().find(lost) {
            return Ok(option.clone());
        }
        for option in options {
            let canonical = self.game.canonical(&option);
            if K::loses(self.solver, self.game, &canonical, 0, watch)? {
                return Ok(option);
            }
        }
        unreachable!("a win has a winning move")
    }

    /// Few losses that together meet as many moves as all do, and the moves that are left.
    fn cover(&self, known: &[Met], moves: u128) -> (Vec<usize>, u128) {
        let (mut chosen, mut left) = (Vec::new(), moves);
        loop {
            let value = |&&(loss, met): &&Met| {
                let few = Reverse(self.proved[loss].moves);
                ((met & left).count_ones(), few)
            };
            match known.iter().max_by_key(value) {
                Some(&(loss, met)) if met & left != 0 => {
                    chosen.push(loss);
                    left &= !met;
                }
                _ => return (chosen, left),
            }
        }
    }

    fn keep(&mut self, position: &G::Position, met_by: Vec<usize>) -> usize {
        let losses = met_by.iter().map(|&loss| &self.proved[loss].position);
        let position = self.game.least(position, &losses.collect::<Vec<_>>());
        let moves = self.game.mobility(&position);
        self.pile.push(self.game.outline(&position));
        self.proved.push(Proved {
            position,
            moves,
            met_by,
        });
        self.proved.len() - 1
    }

    /// What the last that was proved needs, without what the rules say themselves.
    fn needed(self) -> Vec<Loss> {
        let mut needed = vec![false; self.proved.len()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for (index, loss) in self.proved.iter().enumerate().rev() {
            if needed[index] {
                loss.met_by.iter().for_each(|&other| needed[other] = true);
            }
        }
        let mut places = vec![None; self.proved.len()];
        let mut steps = Vec::new();
        for (index, loss) in self.proved.iter().enumerate() {
            if needed[index] && !loss.met_by.is_empty() {
                let mut position = Vec::new();
                self.game.pack(&loss.position, &mut position);
                places[index] = Some(steps.len() as u32);
                steps.push(Loss {
                    position,
                    met_by: loss
                        .met_by
                        .iter()
                        .filter_map(|&other| places[other])
                        .collect(),
                });
            }
        }
        steps
    }

    fn progress(&self) -> Progress {
        Progress {
            facts: self.proved.len() as u64,
            ..Progress::default()
        }
    }
}

/// A bit from the middle of a set.
fn middle(set: u128) -> usize {
    let mut rest = set;
    for _ in 0..set.count_ones() / 2 {
        rest &= rest - 1;
    }
    rest.trailing_zeros() as usize
}
