//! Gathering a certificate: the couples that a claim follows from, and no others.
//!
//! From the root on, every couple that is needed gets an answer to each of its moves; what the
//! answers need is gathered in turn. A solver says which answers there are. What its table has
//! forgotten it searches again, so a certificate can be completed whatever the table's size.
//!
//! A solver that erred would find no answer, or one that the checker refuses: nothing here is
//! trusted by the checker.

use std::collections::HashMap;

use bouton_certificate::{Claim, Parts};
use bouton_game::{Game, List, Nimber, Notation, Outcome};
use bouton_search::watch::{Progress, Stop, Watch};

use crate::kind::Kind;

/// The couples of a certificate: packed positions with their nimbers.
pub(crate) type Couples = Vec<(Vec<u8>, Nimber)>;

/// Gathers the couples that a claim about a canonical root follows from.
pub(crate) fn certify<G: Notation, K: Kind<G>>(
    game: &mut G,
    solver: &mut K::Solver,
    root: &G::Position,
    claim: Claim,
    watch: &mut Watch,
) -> Result<Couples, Stop> {
    let mut gathering = Gathering::<G, K> {
        game,
        solver,
        chosen: HashMap::new(),
        open: Vec::new(),
    };
    match claim {
        Claim::Loss | Claim::Nimber(_) => gathering.add(root, watch)?,
        Claim::Win => gathering.add_move(root, 0, watch)?,
    }
    while let Some((position, nimber)) = gathering.open.pop() {
        watch.tick(|| gathering.progress())?;
        gathering.answer_all(&position, nimber, watch)?;
    }
    let Gathering { game, chosen, .. } = gathering;
    let packed = chosen.into_iter().map(|(position, nimber)| {
        let mut bytes = Vec::new();
        game.pack(&position, &mut bytes);
        (bytes, nimber)
    });
    Ok(packed.collect())
}

struct Gathering<'a, G: Game, K: Kind<G>> {
    game: &'a mut G,
    solver: &'a mut K::Solver,
    chosen: HashMap<G::Position, Nimber>,
    /// Couples that are chosen, and whose moves are still to be answered.
    open: Vec<(G::Position, Nimber)>,
}

impl<G: Notation, K: Kind<G>> Gathering<'_, G, K> {
    /// Adds what a position is made of.
    fn add(&mut self, position: &G::Position, watch: &mut Watch) -> Result<(), Stop> {
        if self.game.decided(position).is_some() {
            return Ok(());
        }
        for part in K::Parts::parts(self.game, position) {
            if !self.chosen.contains_key(&part) {
                let nimber = K::worth(self.solver, self.game, &part, watch)?;
                self.chosen.insert(part.clone(), nimber);
                self.open.push((part, nimber));
            }
        }
        Ok(())
    }

    /// Sees to it that every move in a couple has an answer.
    fn answer_all(
        &mut self,
        position: &G::Position,
        nimber: Nimber,
        watch: &mut Watch,
    ) -> Result<(), Stop> {
        if self.game.decided(position).is_some() {
            return Ok(());
        }
        let options = self.options(position)?;
        for option in &options {
            self.answer(option, nimber, watch)?;
        }
        for heap in 0..nimber {
            let answered = options
                .iter()
                .any(|option| self.worth(option) == Some(heap));
            if !answered {
                let added = self.add_one_of(&options, heap, watch)?;
                assert!(added, "a nimber has options of all lesser nimbers");
            }
        }
        Ok(())
    }

    /// Sees to it that a move to this position has an answer.
    fn answer(
        &mut self,
        option: &G::Position,
        nimber: Nimber,
        watch: &mut Watch,
    ) -> Result<(), Stop> {
        if self.game.decided(option).is_some() {
            return Ok(());
        }
        if self.worth(option).is_some_and(|worth| worth != nimber) {
            return Ok(());
        }
        let answers = self.options(option)?;
        if answers
            .iter()
            .any(|answer| self.worth(answer) == Some(nimber))
        {
            return Ok(());
        }
        if let Some(answer) = self.cheapest_known(&answers, nimber) {
            return self.add(&answer, watch);
        }
        // The heap beside it may be taken down to what the position is worth.
        if (0..nimber).any(|heap| self.known_loss(option, heap)) {
            return self.add(option, watch);
        }
        self.add_move(option, nimber, watch)
    }

    /// Finds a winning move where none is remembered: the search is done again.
    fn add_move(
        &mut self,
        position: &G::Position,
        nimber: Nimber,
        watch: &mut Watch,
    ) -> Result<(), Stop> {
        K::loses(self.solver, self.game, position, nimber, watch)?;
        let options = self.options(position)?;
        if (0..nimber).any(|heap| self.known_loss(position, heap)) {
            return self.add(position, watch);
        }
        if self.add_one_of(&options, nimber, watch)? {
            return Ok(());
        }
        // Then it is worth less than the heap, and that was forgotten.
        for heap in 0..nimber {
            if K::loses(self.solver, self.game, position, heap, watch)? {
                return self.add(position, watch);
            }
        }
        unreachable!("a win has a winning move")
    }

    /// Adds an option that is a loss with this heap; says whether there is one.
    fn add_one_of(
        &mut self,
        options: &[G::Position],
        heap: Nimber,
        watch: &mut Watch,
    ) -> Result<bool, Stop> {
        if let Some(option) = self.cheapest_known(options, heap) {
            self.add(&option, watch)?;
            return Ok(true);
        }
        for option in options {
            if K::loses(self.solver, self.game, option, heap, watch)? {
                self.add(option, watch)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Of the options known to be losses with a heap, one that adds little.
    fn cheapest_known(&mut self, options: &[G::Position], heap: Nimber) -> Option<G::Position> {
        let mut best: Option<(u64, &G::Position)> = None;
        for option in options {
            if self.known_loss(option, heap) {
                let cost = self.cost(option);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, option));
                }
            }
        }
        best.map(|(_, option)| option.clone())
    }

    /// About how much a position adds.
    fn cost(&mut self, position: &G::Position) -> u64 {
        let parts = K::Parts::parts(self.game, position);
        let chosen = &self.chosen;
        let new = parts.iter().filter(|part| !chosen.contains_key(*part));
        let costs = new.map(|part| self.game.mobility(part));
        costs.fold(0, u64::saturating_add)
    }

    fn known_loss(&mut self, position: &G::Position, heap: Nimber) -> bool {
        let known = match self.game.decided(position) {
            Some(outcome) => Some(outcome),
            None => K::known(self.solver, self.game, position, heap),
        };
        known == Some(Outcome::Loss)
    }

    /// What a position is worth by what is chosen.
    fn worth(&mut self, position: &G::Position) -> Option<Nimber> {
        match self.game.decided(position) {
            Some(Outcome::Loss) => return Some(0),
            Some(Outcome::Win) => return None,
            None => {}
        }
        let parts = K::Parts::parts(self.game, position);
        let mut nimbers = parts.iter().map(|part| self.chosen.get(part).copied());
        nimbers.try_fold(0, |worth, nimber| Some(worth ^ nimber?))
    }

    fn options(&mut self, position: &G::Position) -> Result<Vec<G::Position>, Stop> {
        let mut children = List::new();
        self.game.children(position, &mut children);
        children.into_result().map_err(|_| Stop::Memory)
    }

    fn progress(&self) -> Progress {
        Progress {
            facts: self.chosen.len() as u64,
            root: (self.chosen.len() - self.open.len(), self.chosen.len()),
            ..Progress::default()
        }
    }
}
