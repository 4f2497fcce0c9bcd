//! Who wins, and who is to move.

use std::fmt;
use std::ops::Not;

/// What perfect play gives, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The player to move wins (an N-position).
    Win,
    /// The player to move loses (a P-position).
    Loss,
}

impl Not for Outcome {
    type Output = Self;

    /// The same result, seen by the other player.
    fn not(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win => "win",
            Self::Loss => "loss",
        })
    }
}

/// A player of a game with colours; Black begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The first player.
    Black,
    /// The second player.
    White,
}

impl Player {
    /// The letter that ends a written position: `b` or `w`.
    pub fn letter(self) -> char {
        match self {
            Self::Black => 'b',
            Self::White => 'w',
        }
    }

    /// The winner, when this player is to move and the position's outcome is `outcome`.
    pub fn winner(self, outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => self,
            Outcome::Loss => !self,
        }
    }
}

impl Not for Player {
    type Output = Self;

    /// The opponent.
    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}
