//! Where games meet algorithms, and where applications come in.
//!
//! Below this crate everything is generic, so that a search of Konane is compiled for Konane's
//! positions. Here the types are chosen once: [`registry`] lists the games, [`algorithms`] the
//! algorithms, and [`open`] makes a [`Session`] of a game's name and a position's text: an
//! object that takes and gives text and plain data. The command line, and whatever else wants
//! to use Bouton, needs nothing else.
//!
//! ```
//! use bouton_session::{Request, Watch};
//!
//! let mut session = bouton_session::open("cram", "3x6")?;
//! let mut go_on = |_: &_| Ok(());
//! let request = Request { nimber: true, ..Request::default() };
//! let answer = session.solve(&request, &mut Watch::new(&mut go_on))?;
//! assert_eq!(answer.nimber, Some(4));
//! # Ok::<(), bouton_session::Error>(())
//! ```

pub mod algorithms;
mod answer;
mod archives;
mod bench;
mod certify;
mod error;
mod journal;
mod keeping;
mod kind;
mod opened;
mod pile;
pub mod registry;
pub mod reproduce;
mod steps;
pub mod tables;
pub mod train;
mod usage;

pub use answer::{
    Answer, Child, Counts, MOST_THREADS, MoveOutcome, Proof, Request, Verdict, Winner,
    check_threads,
};
pub use bench::{Bench, Forgets, Root, Seating};
pub use bouton_certificate::{self as certificate, Certificate, Extent};
pub use bouton_game::{Nimber, Outcome, Player};
pub use bouton_retrograde::Plan;
pub use bouton_search::census::{Identity, Ply};
pub use bouton_search::deep_stack;
pub use bouton_search::dice;
pub use bouton_search::guide::Leaves;
pub use bouton_search::jobs;
pub use bouton_search::solver::{Replacement, Without};
pub use bouton_search::watch::{Jobs, Progress, Stop, Watch};
pub use error::Error;
pub use journal::Journal;
pub use keeping::Kept;
pub use opened::Session;
pub use registry::{check, open, show};
pub use usage::Stopwatch;
