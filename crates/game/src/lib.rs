//! The vocabulary of combinatorial games and the traits that tie a game to a search.
//!
//! This crate has no dependencies and does no I/O. It is the narrow middle of Bouton: games
//! implement its traits, searches call them, and neither knows the other.
//!
//! | trait | what it says | who must have it |
//! | --- | --- | --- |
//! | [`Game`] | the rules: moves, what they lead to, which positions are the same | every game |
//! | [`Impartial`] | both players have the same moves; a position may fall into components | games with nimbers |
//! | [`Notation`] | positions and moves as text for people and as exact bytes for files | every game in the registry |
//! | [`Indexed`] | positions have numbers, so that all of them can be solved | games with strong solutions |
//! | [`Knowledge`] | hints and proofs that rules alone do not give | optional |
//! | [`Features`] | what a learned part of it is made of | optional |
//!
//! Two players move in turn and a play always ends. Unless a game says otherwise
//! ([`Game::decided`]), the player who cannot move loses. An [`Outcome`] is always meant for
//! the player to move.
//!
//! To add a game, read `docs/add-a-game.md`; its code is compiled and tested.

mod fact;
mod game;
mod impartial;
pub mod indexed;
mod knowledge;
mod list;
mod notation;
mod outcome;

pub use fact::Fact;
pub use game::{Expansion, Game, Made, Outline};
pub use impartial::{Impartial, Nimber, cancel_pairs};
pub use indexed::{Index, Indexed};
pub use knowledge::{Assessment, Estimate, Features, Knowledge, Unguided, Widening};
pub use list::{List, TooMany};
pub use notation::{Notation, NotationError, excerpt};
pub use outcome::{Outcome, Player};
