//! Whether to believe a table.
//!
//! Four ways, each by other code than built it: checksums of all that is on disk; positions
//! chosen at random whose value must follow from those of their children, by the rules as a
//! search knows them, one position at a time; some of them searched anew; and the counts, with
//! their values, derived once more.

use std::path::PathBuf;

use bouton_game::indexed::{Place, Row};
use bouton_game::{Expansion, Index, Indexed, List, Notation, Outcome};
use bouton_retrograde::{self as retrograde, Plan};
use bouton_search::dice::Dice;
use bouton_search::watch::{Progress, Stop, Watch};
use serde::Serialize;

use super::solution::Opened;
use super::{Error, look};
use crate::{Request, Verdict};

/// How much is verified.
#[derive(Clone, Debug)]
pub struct Extent {
    /// How many positions are compared with their children.
    pub positions: u64,
    /// How many positions are searched anew.
    pub searches: u64,
    /// Whether positions are counted anew.
    pub counts: bool,
    /// Which positions: another seed, others.
    pub seed: u64,
    /// Threads for the counts.
    pub threads: usize,
    /// Bytes for searches and counts.
    pub memory: usize,
    /// Where to put what does not fit into memory; made, and removed in the end.
    pub scratch: PathBuf,
}

/// What was found to be right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Levels whose checksums fit.
    pub levels: usize,
    /// Positions whose value follows from those of their children.
    pub positions: u64,
    /// Positions searched anew.
    pub searches: u64,
    /// Whether the counts came out the same.
    pub counts: bool,
    /// Why that is not all.
    #[serde(serialize_with = "crate::answer::as_text")]
    pub reason: Option<Stop>,
}

impl<G: Indexed + Notation> Opened<G>
where
    G::Index: Sync,
{
    /// Verifies as much as is asked for, or until the watch stops it.
    pub(super) fn check(&mut self, extent: &Extent, watch: &mut Watch) -> Result<Verified, Error> {
        let mut verified = Verified::default();
        let result = self.check_all(extent, watch, &mut verified);
        match result {
            Err(Halt::Stop(reason)) => verified.reason = Some(reason),
            Err(Halt::Error(error)) => return Err(error),
            Ok(()) => {}
        }
        Ok(verified)
    }

    fn check_all(
        &mut self,
        extent: &Extent,
        watch: &mut Watch,
        verified: &mut Verified,
    ) -> Result<(), Halt> {
        let levels = self.table.index().levels().len();
        for level in 0..levels {
            self.table.check_level(level).map_err(Error::from)?;
            verified.levels += 1;
            watch.look(&Progress {
                root: (verified.levels, levels),
                ..Progress::default()
            })?;
        }
        let mut dice = Dice::of(&self.table.cover().subject.root, extent.seed);
        while verified.positions < extent.positions {
            let position = self.random(&mut dice);
            self.check_by_children(&position)?;
            verified.positions += 1;
            watch.tick(|| Progress {
                expansions: verified.positions,
                root: (levels, levels),
                ..Progress::default()
            })?;
        }
        while verified.searches < extent.searches {
            let position = self.random(&mut dice);
            self.check_by_search(&position, extent.memory, watch)?;
            verified.searches += 1;
        }
        if extent.counts {
            self.check_counts(extent, watch)?;
            verified.counts = true;
        }
        Ok(())
    }

    /// A position from anywhere in the table, whether play can lead there or not.
    fn random(&mut self, dice: &mut Dice) -> G::Position {
        let index = self.table.index();
        let places = |level: &bouton_game::indexed::Level| (level.rows * level.bits) as u64;
        let all: u64 = index.levels().iter().map(places).sum();
        loop {
            let mut number = dice.roll() % all;
            let mut level = 0;
            while number >= places(&index.levels()[level]) {
                number -= places(&index.levels()[level]);
                level += 1;
            }
            let bits = index.levels()[level].bits as u64;
            let row = Row {
                level,
                row: (number / bits) as usize,
            };
            let bit = (number % bits) as usize;
            if let Some(position) = index.position(Place { row, bit }) {
                return position;
            }
        }
    }

    fn check_by_children(&mut self, position: &G::Position) -> Result<(), Halt> {
        let mut children = List::new();
        let expected = match self.game.expand(position, &mut children) {
            Expansion::Decided(outcome) => outcome,
            _ => {
                let mut expected = Outcome::Loss;
                for child in children.iter() {
                    if self.outcome(child)? == Outcome::Loss {
                        expected = Outcome::Win;
                    }
                }
                expected
            }
        };
        self.expect(position, expected, "its children say otherwise")
    }

    fn check_by_search(
        &mut self,
        position: &G::Position,
        memory: usize,
        watch: &mut Watch,
    ) -> Result<(), Halt> {
        let mut session = crate::open(G::NAME, &self.game.write(position)).map_err(Error::from)?;
        let request = Request {
            memory: memory.min(Request::default().memory),
            ..Request::default()
        };
        let answer = session.solve(&request, watch).map_err(Error::from)?;
        match answer.outcome {
            Verdict::Win => self.expect(position, Outcome::Win, "a search says otherwise"),
            Verdict::Loss => self.expect(position, Outcome::Loss, "a search says otherwise"),
            Verdict::Unknown => Err(Halt::Stop(answer.reason.unwrap_or(Stop::Interrupted))),
        }
    }

    fn expect(
        &mut self,
        position: &G::Position,
        expected: Outcome,
        why_not: &str,
    ) -> Result<(), Halt> {
        let found = self.outcome(position)?;
        if found == expected {
            return Ok(());
        }
        let position = self.game.write(position);
        let wrong = format!("{position} is called a {found}, but {why_not}");
        Err(Halt::Error(Error::Wrong(wrong)))
    }

    fn check_counts(&mut self, extent: &Extent, watch: &mut Watch) -> Result<(), Halt> {
        let plan = Plan {
            directory: self.directory.clone(),
            threads: extent.threads,
            memory: extent.memory,
        };
        let cover = self.table.cover().clone();
        let scratch = &extent.scratch;
        let made = std::fs::create_dir(scratch).map_err(|cause| retrograde::Error::System {
            path: scratch.display().to_string(),
            cause,
        });
        made.map_err(Error::from)?;
        let mut stop = None;
        let index = self.table.index();
        let counted = {
            let (subject, root) = (&cover.subject, &self.root);
            let mut look = look(watch, &mut stop);
            retrograde::count(index, subject, root, &plan, scratch, &mut look)
        };
        // Nobody needs it, and nobody but us has put anything there.
        let _ = std::fs::remove_dir_all(scratch);
        match counted {
            Ok(plies) if plies == cover.plies => Ok(()),
            Ok(_) => {
                let wrong = "its counts, derived anew, are others".to_owned();
                Err(Halt::Error(Error::Wrong(wrong)))
            }
            Err(retrograde::Error::Stopped) => Err(Halt::Stop(stop.unwrap_or(Stop::Interrupted))),
            Err(error) => Err(Halt::Error(error.into())),
        }
    }
}

/// Why verifying ended early.
enum Halt {
    Stop(Stop),
    Error(Error),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}
