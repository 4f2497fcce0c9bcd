//! Proofs that anyone can check.
//!
//! A certificate is a set of couples, positions with a Nim heap beside them, each of which the
//! player to move loses; or, in games whose positions compare, a list of positions with losses to
//! come back to. `docs/formats/certificate.md` says why these prove something and draws the file
//! byte by byte. [`write()`] writes one, [`Certificate::open`] reads one, [`check`](check()) checks
//! it, [`show`](show()) plays it.
//!
//! This crate knows the rules of games and nothing else: no search and no table. It asks a game
//! for moves, one after the other, and for canonical forms, not for the lists of children that
//! searches are fed with.

mod check;
mod file;
mod show;
mod steps;
mod varint;
mod write;

use std::fmt;
use std::io;

use bouton_game::Nimber;

pub use check::{Components, Extent, Parts, Report, Whole, check};
pub use file::Certificate;
pub use show::{Shown, Step, Verdict, show};
pub use steps::Loss;
pub use write::{Evidence, write};

/// What a certificate is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The name of the game.
    pub game: String,
    /// The root, in the game's notation.
    pub root: String,
    /// What is claimed about it.
    pub claim: Claim,
}

/// What is claimed about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The player to move loses.
    Loss,
    /// The player to move wins.
    Win,
    /// The position has this nimber.
    Nimber(Nimber),
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loss => f.write_str("loss for the player to move"),
            Self::Win => f.write_str("win for the player to move"),
            Self::Nimber(nimber) => write!(f, "nimber {nimber}"),
        }
    }
}

/// Why a file proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("this is no certificate of Bouton's (it does not begin as one)")]
    Foreign,
    /// It is of a later version.
    #[error("the certificate has version {0}, this program reads up to 2; use a newer one")]
    Version(u8),
    /// It is not what was written.
    #[error("the file is damaged: {what} (at byte {at})")]
    Damaged {
        /// What is wrong.
        what: &'static str,
        /// Where.
        at: u64,
    },
    /// Its root is no position.
    #[error("{0}")]
    Root(String),
    /// A couple is not what it is said to be.
    #[error("step {step} is wrong: {couple}: {why}")]
    Step {
        /// Which of the couples, from 1.
        step: u64,
        /// The couple as text.
        couple: String,
        /// What is wrong with it.
        why: String,
    },
    /// The couples may be right, but the claim does not follow.
    #[error("the claim does not follow: {0}")]
    Claim(String),
}
