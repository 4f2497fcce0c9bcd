//! Checking a certificate by the rules of its game alone.
//!
//! `docs/formats/certificate.md` gives the conditions; here they are for couples, one function
//! each; see `steps` for the others. What is asked of a game: its moves, where they lead, canonical
//! forms and components.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use bouton_game::{Game, Impartial, List, Nimber, Notation, Outcome};

use crate::file::{Certificate, Contents, Couples};
use crate::{Claim, Error, Statement, steps};

/// How positions of a game fall into parts.
pub trait Parts<G: Game> {
    /// The parts of a canonical position.
    fn parts(game: &mut G, position: &G::Position) -> Vec<G::Position>;
}

/// Every position is one part: games with colours.
pub enum Whole {}

impl<G: Game> Parts<G> for Whole {
    fn parts(_: &mut G, position: &G::Position) -> Vec<G::Position> {
        vec![position.clone()]
    }
}

/// Positions are sums of components: impartial games.
pub enum Components {}

impl<G: Impartial> Parts<G> for Components {
    fn parts(game: &mut G, position: &G::Position) -> Vec<G::Position> {
        let mut parts = List::new();
        game.components(position, &mut parts);
        parts.to_vec()
    }
}

/// How much of a certificate is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it: it is a proof.
    All,
    /// The claim, and about so many couples: it is no proof, but a lie is unlikely.
    Sample(u64),
}

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Couples that were checked.
    pub steps: u64,
    /// Positions that were looked up.
    pub lookups: u64,
}

/// Checks a certificate. `look` is called every so many couples with what was checked so far,
/// and may stop the check with an error.
pub fn check<G: Notation, P: Parts<G>>(
    certificate: &Certificate,
    extent: Extent,
    look: &mut dyn FnMut(&Report) -> Result<(), Error>,
) -> Result<Report, Error> {
    let statement = certificate.statement();
    let (game, root) = open_root::<G>(statement)?;
    match &certificate.contents {
        Contents::Couples(couples) => {
            let mut checker = Checker::<G, P>::new(couples, game);
            checker.check_claim(&root, statement.claim)?;
            checker.check_couples(extent, look)?;
            Ok(checker.report)
        }
        Contents::Steps(list) => steps::check(list, game, &root, statement.claim, extent, look),
    }
}

/// The root, which has to be written as Bouton does: a reader is shown it, and other programs read it.
pub(crate) fn open_root<G: Notation>(statement: &Statement) -> Result<(G, G::Position), Error> {
    let opened = G::open(&statement.root).map_err(|error| Error::Root(error.to_string()));
    let (game, root) = opened?;
    let written = game.write(&root);
    if written != statement.root {
        let root = format!("the root is not written out; expected \"{written}\"");
        return Err(Error::Root(root));
    }
    Ok((game, root))
}

/// Whether a step is among those to be checked: steps are spread evenly, but not in step with
/// anything.
pub(crate) fn is_chosen(extent: Extent, step: u64, all: u64) -> bool {
    match extent {
        Extent::All => true,
        Extent::Sample(wanted) => {
            let mixed = step.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            u128::from(mixed) * u128::from(all) < u128::from(wanted) << 32
        }
    }
}

pub(crate) struct Checker<'a, G: Game, P> {
    couples: &'a Couples,
    game: G,
    report: Report,
    packed: Vec<u8>,
    parts: PhantomData<P>,
}

impl<'a, G: Notation, P: Parts<G>> Checker<'a, G, P> {
    pub(crate) fn new(couples: &'a Couples, game: G) -> Self {
        Self {
            couples,
            game,
            report: Report::default(),
            packed: Vec::new(),
            parts: PhantomData,
        }
    }

    fn check_couples(
        &mut self,
        extent: Extent,
        look: &mut dyn FnMut(&Report) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut step = 0;
        for index in 0..self.couples.blocks() {
            for (packed, nimber) in self.couples.block(index)?.iter() {
                step += 1;
                if is_chosen(extent, step, self.couples.count()) {
                    self.check_step(step, packed, *nimber)?;
                }
            }
            look(&self.report)?;
        }
        Ok(())
    }

    fn check_claim(&mut self, root: &G::Position, claim: Claim) -> Result<(), Error> {
        if self.game.to_move(root).is_some() && matches!(claim, Claim::Nimber(_)) {
            return Err(Error::Claim("there are no nimbers in this game".to_owned()));
        }
        let root = self.game.canonical(root);
        let worth = self.worth(&root)?;
        let holds = match claim {
            Claim::Loss => worth == Some(0),
            Claim::Nimber(nimber) => worth == Some(nimber),
            Claim::Win => match worth {
                Some(nimber) => nimber != 0,
                None => self.has_option_worth(&root, 0)?,
            },
        };
        if holds {
            return Ok(());
        }
        Err(Error::Claim(match (claim, worth) {
            (Claim::Win, None) => "no move of the root leads to a loss of the set".to_owned(),
            (_, None) => "a component of the root is not in the set".to_owned(),
            (_, Some(worth)) => format!("the root is worth {worth}"),
        }))
    }

    fn check_step(&mut self, step: u64, packed: &[u8], nimber: Nimber) -> Result<(), Error> {
        self.report.steps += 1;
        let unpacked = self.game.unpack(packed);
        let position = unpacked.filter(|position| self.game.canonical(position) == *position);
        let position = position.ok_or_else(|| Error::Step {
            step,
            couple: hex(packed),
            why: "this is no canonical position of the game".to_owned(),
        })?;
        let wrong = self.what_is_wrong(&position, nimber)?;
        let Some(why) = wrong else {
            return Ok(());
        };
        let text = self.game.write(&position);
        let couple = match self.game.to_move(&position) {
            Some(_) => text,
            None => format!("{text} + *{nimber}"),
        };
        Err(Error::Step { step, couple, why })
    }

    /// Why the player to move need not lose a couple, as far as the set tells.
    fn what_is_wrong(
        &mut self,
        position: &G::Position,
        nimber: Nimber,
    ) -> Result<Option<String>, Error> {
        if P::parts(&mut self.game, position) != [position.clone()] {
            return Ok(Some("it is not in one piece".to_owned()));
        }
        if nimber > 0 && self.game.to_move(position).is_some() {
            return Ok(Some("there are no heaps in this game".to_owned()));
        }
        match self.game.decided(position) {
            Some(Outcome::Loss) => return Ok(None),
            Some(Outcome::Win) => return Ok(Some("the player to move has won".to_owned())),
            None => {}
        }
        let options = self.options(position)?;
        for option in &options {
            if !self.is_answered(option, nimber)? {
                let option = self.game.write(option);
                return Ok(Some(format!("no answer to the move to {option}")));
            }
        }
        self.heap_not_answered(&options, nimber)
    }

    /// Condition 1: a move to this position loses.
    fn is_answered(&mut self, option: &G::Position, nimber: Nimber) -> Result<bool, Error> {
        match self.game.decided(option) {
            Some(Outcome::Win) => return Ok(true),
            Some(Outcome::Loss) => return Ok(false),
            None => {}
        }
        match self.worth(option)? {
            Some(worth) => Ok(worth != nimber),
            None => self.has_option_worth(option, nimber),
        }
    }

    /// Condition 2: taking the heap down loses.
    fn heap_not_answered(
        &mut self,
        options: &[G::Position],
        nimber: Nimber,
    ) -> Result<Option<String>, Error> {
        // No more heaps than options are answered: one of so many is missing, whatever a file says.
        let heaps = (0..nimber).take(options.len() + 1);
        let mut missing: BTreeSet<Nimber> = heaps.collect();
        for option in options {
            if missing.is_empty() {
                break;
            }
            if let Some(worth) = self.worth(option)? {
                missing.remove(&worth);
            }
        }
        let why = |heap| format!("no answer to taking the heap down to {heap}");
        Ok(missing.first().map(why))
    }

    fn has_option_worth(&mut self, position: &G::Position, nimber: Nimber) -> Result<bool, Error> {
        for option in self.options(position)? {
            if self.worth(&option)? == Some(nimber) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a canonical position is worth by the set.
    pub(crate) fn worth(&mut self, position: &G::Position) -> Result<Option<Nimber>, Error> {
        match self.game.decided(position) {
            Some(Outcome::Loss) => return Ok(Some(0)),
            Some(Outcome::Win) => return Ok(None),
            None => {}
        }
        let mut worth = 0;
        for part in P::parts(&mut self.game, position) {
            self.packed.clear();
            self.game.pack(&part, &mut self.packed);
            self.report.lookups += 1;
            match self.couples.find(&self.packed)? {
                Some(nimber) => worth ^= nimber,
                None => return Ok(None),
            }
        }
        Ok(Some(worth))
    }

    /// The positions that moves lead to, up to symmetry.
    fn options(&mut self, position: &G::Position) -> Result<Vec<G::Position>, Error> {
        let moves = self.game.legal_moves(position);
        let moves = moves.map_err(|too_many| Error::Claim(too_many.to_string()))?;
        let mut options: Vec<_> = moves
            .iter()
            .map(|mv| {
                let option = self.game.play(position, mv);
                self.game.canonical(&option)
            })
            .collect();
        options.sort_unstable();
        options.dedup();
        Ok(options)
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
