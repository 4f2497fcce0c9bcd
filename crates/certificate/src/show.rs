//! Playing a proof: what it answers to every move.

use bouton_game::{Nimber, Notation};

use crate::check::{Checker, Parts};
use crate::{Certificate, Error};

/// What a certificate says about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The position, as it lies.
    pub position: String,
    /// What it says.
    pub verdict: Verdict,
}

/// What a certificate says about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing: the position is not part of the proof.
    Silent,
    /// The player to move wins, by this move.
    Win(Step),
    /// The player to move loses: to every move there is an answer.
    Loss(Vec<(Step, Option<Step>)>),
}

/// A move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move, in the game's notation.
    pub mv: String,
    /// The position after it.
    pub position: String,
}

/// Says what a certificate says about a position of its game.
pub fn show<G: Notation, P: Parts<G>>(
    certificate: &Certificate,
    position: &str,
) -> Result<Shown, Error> {
    let opened = G::open(position).map_err(|error| Error::Root(error.to_string()));
    let (game, position) = opened?;
    let mut player = Player::<G, P> {
        checker: Checker::new(certificate, game),
    };
    let verdict = player.verdict(&position)?;
    let position = player.checker.game.write(&position);
    Ok(Shown { position, verdict })
}

struct Player<'a, G: Notation, P> {
    checker: Checker<'a, G, P>,
}

impl<G: Notation, P: Parts<G>> Player<'_, G, P> {
    fn verdict(&mut self, position: &G::Position) -> Result<Verdict, Error> {
        if self.worth(position)? == Some(0) {
            let mut lines = Vec::new();
            for (step, after) in self.steps(position)? {
                let answer = self.winning(&after)?;
                lines.push((step, answer));
            }
            return Ok(Verdict::Loss(lines));
        }
        let winning = self.winning(position)?;
        Ok(winning.map_or(Verdict::Silent, Verdict::Win))
    }

    /// A move to a position that is a loss by the proof.
    fn winning(&mut self, position: &G::Position) -> Result<Option<Step>, Error> {
        for (step, after) in self.steps(position)? {
            if self.worth(&after)? == Some(0) {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    fn worth(&mut self, position: &G::Position) -> Result<Option<Nimber>, Error> {
        let canonical = self.checker.game.canonical(position);
        self.checker.worth(&canonical)
    }

    /// Every move, and the position as it lies after it.
    fn steps(&mut self, position: &G::Position) -> Result<Vec<(Step, G::Position)>, Error> {
        let game = &mut self.checker.game;
        let moves = game.legal_moves(position);
        let moves = moves.map_err(|too_many| Error::Claim(too_many.to_string()))?;
        let steps = moves.iter().map(|mv| {
            let after = game.play(position, mv);
            let step = Step {
                mv: game.write_move(position, mv),
                position: game.write(&after),
            };
            (step, after)
        });
        Ok(steps.collect())
    }
}
