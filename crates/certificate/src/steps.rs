//! Certificates of steps: losses that go back to earlier ones.
//!
//! Where the rules let positions be compared ([`Game::no_better`]), one loss shows that many
//! positions are losses. A step is a position that the player to move loses, and some earlier
//! steps: to every move there must be a reply after which the player has lost by the rules, or is
//! no better off than in one of these. So each step is a loss if all before it are.

use bouton_game::{Game, Notation, Outcome};

use crate::check::{Extent, Report, hex, is_chosen};
use crate::{Claim, Error, varint};

/// A step: a position that the player to move loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The position, packed as it lies.
    pub position: Vec<u8>,
    /// The earlier steps that its moves are met by, counted from 0.
    pub met_by: Vec<u32>,
}

/// The steps of a certificate, as in the file.
pub(crate) struct Steps {
    bytes: Vec<u8>,
    count: u64,
    /// Where they begin in the file.
    start: u64,
}

impl Steps {
    /// Takes the bytes of so many steps; checks all but what they say.
    pub(crate) fn new(bytes: Vec<u8>, count: u64, start: u64) -> Result<Self, Error> {
        let steps = Self {
            bytes,
            count,
            start,
        };
        steps.visit(|_, _| Ok(()))?;
        Ok(steps)
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Visits all steps in their order: the packed position, and by which steps its moves are met.
    fn visit(
        &self,
        mut visit: impl FnMut(&[u8], &[usize]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut rest = &self.bytes[..];
        let (mut position, mut met_by) = (Vec::new(), Vec::new());
        for index in 0..self.count {
            let (shared, other) = (self.number(&mut rest)?, self.number(&mut rest)?);
            if shared > position.len() || other > rest.len() {
                return Err(self.damaged("a position that is too long", rest));
            }
            position.truncate(shared);
            position.extend_from_slice(&rest[..other]);
            rest = &rest[other..];
            met_by.clear();
            for _ in 0..self.number(&mut rest)? {
                let back = self.number(&mut rest)?;
                let earlier = (index as usize).checked_sub(back).filter(|_| back > 0);
                let earlier = earlier.ok_or_else(|| self.damaged("no earlier step", rest))?;
                met_by.push(earlier);
            }
            visit(&position, &met_by)?;
        }
        if rest.is_empty() {
            return Ok(());
        }
        Err(self.damaged("bytes behind the last step", rest))
    }

    fn number(&self, rest: &mut &[u8]) -> Result<usize, Error> {
        let (number, behind) = varint::read(rest).ok_or_else(|| self.damaged("a number", rest))?;
        *rest = behind;
        Ok(number as usize)
    }

    fn damaged(&self, what: &'static str, rest: &[u8]) -> Error {
        let at = self.start + (self.bytes.len() - rest.len()) as u64;
        Error::Damaged { what, at }
    }

    /// The positions of all steps.
    pub(crate) fn losses<G: Notation>(&self, game: &G) -> Result<Vec<G::Position>, Error> {
        let mut losses = Vec::new();
        self.visit(|packed, _| {
            losses.push(unpack(game, packed, losses.len() as u64 + 1)?);
            Ok(())
        })?;
        Ok(losses)
    }
}

fn unpack<G: Notation>(game: &G, packed: &[u8], step: u64) -> Result<G::Position, Error> {
    let position = game.unpack(packed);
    position.ok_or_else(|| Error::Step {
        step,
        couple: hex(packed),
        why: "this is no position of the game".to_owned(),
    })
}

/// How many steps are checked between looks.
const BETWEEN_LOOKS: usize = 64;

/// Checks all steps, and that the claim follows from the last.
pub(crate) fn check<G: Notation>(
    steps: &Steps,
    game: G,
    root: &G::Position,
    claim: Claim,
    extent: Extent,
    look: &mut dyn FnMut(&Report) -> Result<(), Error>,
) -> Result<Report, Error> {
    let mut checker = Checker {
        game,
        losses: Vec::new(),
        report: Report::default(),
    };
    steps.visit(|packed, met_by| {
        let step = checker.losses.len() as u64 + 1;
        let position = unpack(&checker.game, packed, step)?;
        if is_chosen(extent, step, steps.count) {
            checker.check_step(step, &position, met_by)?;
        }
        checker.losses.push(position);
        if checker.losses.len() % BETWEEN_LOOKS == 0 {
            look(&checker.report)?;
        }
        Ok(())
    })?;
    checker.check_claim(root, claim)?;
    Ok(checker.report)
}

struct Checker<G: Game> {
    game: G,
    /// The positions of all steps so far.
    losses: Vec<G::Position>,
    report: Report,
}

impl<G: Notation> Checker<G> {
    fn check_step(
        &mut self,
        step: u64,
        position: &G::Position,
        met_by: &[usize],
    ) -> Result<(), Error> {
        self.report.steps += 1;
        let Some(why) = self.what_is_wrong(position, met_by)? else {
            return Ok(());
        };
        let couple = self.game.write(position);
        Err(Error::Step { step, couple, why })
    }

    /// Why the player to move need not lose a position, as far as earlier steps tell.
    fn what_is_wrong(
        &mut self,
        position: &G::Position,
        met_by: &[usize],
    ) -> Result<Option<String>, Error> {
        match self.game.decided(position) {
            Some(Outcome::Loss) => return Ok(None),
            Some(Outcome::Win) => return Ok(Some("the player to move has won".to_owned())),
            None => {}
        }
        for after in self.options(position)? {
            let met = match self.game.decided(&after) {
                Some(Outcome::Win) => true,
                Some(Outcome::Loss) => false,
                None => self.has_lost_option(&after, met_by)?,
            };
            if !met {
                let after = self.game.write(&after);
                return Ok(Some(format!("no answer to the move to {after}")));
            }
        }
        Ok(None)
    }

    /// Whether a move leads to a loss by the rules, or to what is no better than some steps.
    fn has_lost_option(&mut self, position: &G::Position, losses: &[usize]) -> Result<bool, Error> {
        let options = self.options(position)?;
        Ok(options.iter().any(|option| self.is_lost(option, losses)))
    }

    fn is_lost(&mut self, position: &G::Position, losses: &[usize]) -> bool {
        if self.game.decided(position) == Some(Outcome::Loss) {
            return true;
        }
        self.report.lookups += losses.len() as u64;
        let mut losses = losses.iter().map(|&step| &self.losses[step]);
        losses.any(|lost| self.game.no_better(position, lost))
    }

    fn check_claim(&mut self, root: &G::Position, claim: Claim) -> Result<(), Error> {
        let last: Vec<usize> = self.losses.len().checked_sub(1).into_iter().collect();
        let holds = match claim {
            Claim::Loss => self.is_lost(root, &last),
            Claim::Win => {
                self.game.decided(root) == Some(Outcome::Win)
                    || self.has_lost_option(root, &last)?
            }
            Claim::Nimber(_) => false,
        };
        if holds {
            return Ok(());
        }
        Err(Error::Claim(match claim {
            Claim::Loss => "the root is not shown to be lost by the last step".to_owned(),
            Claim::Win => "no move of the root leads to what the last step shows lost".to_owned(),
            Claim::Nimber(_) => "steps show no nimbers".to_owned(),
        }))
    }

    /// The positions that moves lead to, as they lie.
    fn options(&mut self, position: &G::Position) -> Result<Vec<G::Position>, Error> {
        let moves = self.game.legal_moves(position);
        let moves = moves.map_err(|too_many| Error::Claim(too_many.to_string()))?;
        let options = moves.iter().map(|mv| self.game.play(position, mv));
        Ok(options.collect())
    }
}
