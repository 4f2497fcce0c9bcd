//! Playing a proof: what it answers to every move.

use bouton_game::{Notation, Outcome};

use crate::check::{Checker, Parts, open_root};
use crate::file::Contents;
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

/// Says what a certificate says about a position of its game: nothing, if that is on another board. There
/// the bytes of its positions mean something else.
pub fn show<G: Notation, P: Parts<G>>(
    certificate: &Certificate,
    position: &str,
) -> Result<Shown, Error> {
    let opened = G::open(position).map_err(|error| Error::Root(error.to_string()));
    let (game, position) = opened?;
    let (of_root, _) = open_root::<G>(certificate.statement())?;
    if game.board() != of_root.board() {
        return Ok(Shown {
            position: game.write(&position),
            verdict: Verdict::Silent,
        });
    }
    let source: Source<G, P> = match &certificate.contents {
        Contents::Couples(couples) => Source::Couples(Checker::new(couples, game.clone())),
        Contents::Steps(steps) => Source::Losses(steps.losses(&game)?),
    };
    let mut player = Player { game, source };
    let verdict = player.verdict(&position)?;
    let position = player.game.write(&position);
    Ok(Shown { position, verdict })
}

/// What says which positions are losses.
enum Source<'a, G: Notation, P> {
    Couples(Checker<'a, G, P>),
    Losses(Vec<G::Position>),
}

struct Player<'a, G: Notation, P> {
    game: G,
    source: Source<'a, G, P>,
}

impl<G: Notation, P: Parts<G>> Player<'_, G, P> {
    fn verdict(&mut self, position: &G::Position) -> Result<Verdict, Error> {
        if self.is_lost(position)? {
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
            if self.is_lost(&after)? {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Whether a position is a loss by the proof.
    fn is_lost(&mut self, position: &G::Position) -> Result<bool, Error> {
        match &mut self.source {
            Source::Couples(checker) => {
                let canonical = self.game.canonical(position);
                Ok(checker.worth(&canonical)? == Some(0))
            }
            Source::Losses(losses) => Ok(self.game.decided(position) == Some(Outcome::Loss)
                || losses
                    .iter()
                    .any(|lost| self.game.no_better(position, lost))),
        }
    }

    /// Every move, and the position as it lies after it.
    fn steps(&mut self, position: &G::Position) -> Result<Vec<(Step, G::Position)>, Error> {
        let game = &mut self.game;
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
