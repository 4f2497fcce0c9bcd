//! The algorithms there are. To add one: a file in `search`, a variant here, and a line in
//! each of the two `make` functions it can serve.

use bouton_game::{Game, Impartial, Knowledge};
use bouton_search::exhaustive;
use bouton_search::solver::{NimberSolver, Setup, Solver};

use crate::Error;

/// An algorithm that solves positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// [`bouton_search::exhaustive`].
    Exhaustive,
}

impl Algorithm {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Exhaustive];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exhaustive => "exhaustive",
        }
    }

    /// What it does, in one line.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Exhaustive => {
                "every position once, with exact memory; the yardstick for all others"
            }
        }
    }

    /// The algorithm of this name; `auto` leaves the choice to us.
    pub fn find(name: &str) -> Result<Self, Error> {
        if name == "auto" {
            return Ok(Self::Exhaustive);
        }
        let found = Self::ALL.iter().find(|algorithm| algorithm.name() == name);
        found.copied().ok_or_else(|| Error::UnknownAlgorithm {
            name: bouton_game::excerpt(name),
            algorithms: Self::ALL
                .iter()
                .map(|a| a.name())
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// A solver for any game.
    pub fn make<G: Game, K>(self, setup: &Setup) -> Box<dyn Solver<G>>
    where
        K: Knowledge<G> + Default + Send + 'static,
    {
        match self {
            Self::Exhaustive => Box::new(exhaustive::Outcomes::<G, K>::new(setup)),
        }
    }

    /// A solver for an impartial game.
    pub fn make_impartial<G: Impartial, K>(self, setup: &Setup) -> Box<dyn NimberSolver<G>>
    where
        K: Knowledge<G> + Default + Send + 'static,
    {
        match self {
            Self::Exhaustive => Box::new(exhaustive::Nimbers::<G, K>::new(setup)),
        }
    }
}
