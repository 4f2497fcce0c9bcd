//! Durable facts: what a canonical position is worth, kept in a folder between runs.
//!
//! ```
//! use bouton_store::{Fact, Store};
//! # let folder = tempfile::tempdir()?;
//! # let dir = folder.path();
//! let store = Store::open(dir)?;
//! let cram = store.game("cram", "4x5")?;
//! cram.put(b"packed position", Fact::Nimber(2))?; // buffered
//! cram.commit()?; // on the disk, all of it or nothing
//! assert_eq!(cram.get(b"packed position")?, Some(Fact::Nimber(2)));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! The work of keeping sorted records on a disk is [fjall](https://docs.rs/fjall)'s, a
//! log-structured tree. This crate adds what facts need: that a wrong one is never returned, that
//! a lost one is noticed, and that two which contradict each other are both kept and reported.
//! `docs/formats/store.md` draws the files and says who guarantees what.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `store` | [`Store`]: opening, numbered commits, checkpoints, conflicts, the full check |
//! | `facts` | [`Facts`]: the facts of one game on one board |
//! | `filter` | which positions may have a fact: saves look-ups |
//! | `record` | keys and values, byte by byte, with their checksums |
//! | `folder` | the marker file, its lock, and what fjall does not check of its own files |
//!
//! Invariants:
//!
//! - What [`Facts::get`] and [`Facts::iter`] return was committed under exactly that game and
//!   position, or they return an error that names the record.
//! - What [`Facts::commit`] acknowledged is there after a crash; if it is not, because files were
//!   damaged, [`Store::open`] says so instead of opening.
//! - A stored fact is never replaced by one that contradicts it.

mod error;
mod facts;
mod filter;
mod folder;
mod record;
mod store;

pub use bouton_game::Fact;
pub use error::Error;
pub use facts::{Facts, Iter};
pub use store::{Conflict, Options, Store};
