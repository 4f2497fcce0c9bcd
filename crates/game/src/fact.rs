//! What can be known for good about a position, and which facts contradict each other.

use std::fmt;

use crate::{Nimber, Outcome};

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// The Grundy number of a position of an impartial game.
    Nimber(Nimber),
    /// Who wins, for the player to move: all there is to know in games with colours.
    Outcome(Outcome),
}

impl Fact {
    /// Who wins, for the player to move.
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Nimber(0) => Outcome::Loss,
            Self::Nimber(_) => Outcome::Win,
            Self::Outcome(outcome) => outcome,
        }
    }

    /// The Grundy number, if it is known; for positions of impartial games.
    pub fn nimber(self) -> Option<Nimber> {
        match self {
            Self::Nimber(nimber) => Some(nimber),
            Self::Outcome(Outcome::Loss) => Some(0),
            Self::Outcome(Outcome::Win) => None,
        }
    }

    /// What is known if both facts are true; nothing if they cannot both be. A nimber says more
    /// than the outcome it implies.
    pub fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Nimber(a), Self::Nimber(b)) => (a == b).then_some(self),
            _ if self.outcome() != other.outcome() => None,
            (Self::Outcome(_), _) => Some(other),
            (Self::Nimber(_), Self::Outcome(_)) => Some(self),
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nimber(nimber) => write!(f, "nimber {nimber}"),
            Self::Outcome(outcome) => outcome.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOSS: Fact = Fact::Outcome(Outcome::Loss);
    const WIN: Fact = Fact::Outcome(Outcome::Win);

    #[test]
    fn a_nimber_says_more_than_its_outcome() {
        assert_eq!(LOSS.and(Fact::Nimber(0)), Some(Fact::Nimber(0)));
        assert_eq!(Fact::Nimber(3).and(WIN), Some(Fact::Nimber(3)));
        assert_eq!(WIN.and(WIN), Some(WIN));
    }

    #[test]
    fn contradictions_have_nothing_in_common() {
        for (a, b) in [
            (LOSS, WIN),
            (LOSS, Fact::Nimber(1)),
            (WIN, Fact::Nimber(0)),
            (Fact::Nimber(1), Fact::Nimber(2)),
        ] {
            assert_eq!(a.and(b), None);
            assert_eq!(b.and(a), None);
        }
    }
}
