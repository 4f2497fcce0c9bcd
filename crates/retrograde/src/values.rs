//! Who wins every position: the last level first.
//!
//! Moves lead to later levels, so when a level's turn comes all it depends on is known. Its rows
//! are independent of each other and spread over the threads. In memory are the level itself and
//! those that moves lead to, further ones as far as they may be; all others are on disk.

use bouton_game::Index;
use bouton_game::indexed::{Level, Row, Values};

use crate::Error;
use crate::files::{self, Sealed};
use crate::table::Frame;
use crate::workers::{Stops, Workers};

/// About as many words as a thread should work on at a time.
const SHARE: usize = 8192;

/// How many rows of a level a thread takes at a time.
pub(crate) fn rows_at_a_time(level: &Level) -> usize {
    (SHARE / level.words()).max(1)
}

/// The values of some levels.
pub(crate) struct Levels {
    words: Vec<usize>,
    levels: Vec<Option<Vec<u64>>>,
}

impl Levels {
    pub(crate) fn new(levels: &[Level]) -> Self {
        Self {
            words: levels.iter().map(Level::words).collect(),
            levels: vec![None; levels.len()],
        }
    }

    fn bytes(&self) -> usize {
        self.levels
            .iter()
            .flatten()
            .map(|level| level.len() * 8)
            .sum()
    }

    /// Keeps the levels that satisfy a condition.
    fn keep(&mut self, keeps: impl Fn(usize) -> bool) {
        for (number, level) in self.levels.iter_mut().enumerate() {
            if !keeps(number) {
                *level = None;
            }
        }
    }
}

impl Values for Levels {
    fn row(&self, Row { level, row }: Row) -> &[u64] {
        let words = self.words[level];
        let level = self.levels[level]
            .as_ref()
            .expect("levels behind are known");
        &level[row * words..][..words]
    }
}

/// Values all levels that have no file yet.
pub(crate) fn solve<I: Index + Sync>(
    index: &I,
    frame: &Frame,
    memory: usize,
    workers: &mut Workers,
) -> Result<(), Error> {
    let levels = index.levels();
    let mut known = Levels::new(levels);
    for number in (0..levels.len()).rev() {
        workers.progress.levels = (levels.len() - 1 - number, levels.len());
        let level = &levels[number];
        if Sealed::open(frame.directory, &frame.values(number, level))?.is_some() {
            continue;
        }
        fetch(&mut known, number, levels, frame, memory)?;
        workers.progress.bytes = known.bytes() + level.bytes();
        let solved = solve_level(index, number, &known, workers)?;
        files::write(frame.directory, &frame.values(number, level), &solved)?;
        known.levels[number] = Some(solved);
        workers.look()?;
    }
    Ok(())
}

/// Brings the levels into memory that moves lead to, and lets go of those that are in the way.
fn fetch(
    known: &mut Levels,
    number: usize,
    levels: &[Level],
    frame: &Frame,
    memory: usize,
) -> Result<(), Error> {
    let next = &levels[number].next;
    let of_use = |level: usize| levels[..=number].iter().any(|l| l.next.contains(&level));
    known.keep(of_use);
    let missing = next.iter().filter(|&&level| known.levels[level].is_none());
    let missing: usize = missing.map(|&level| levels[level].bytes()).sum();
    let own = levels[number].bytes();
    if known.bytes() + missing + own > memory {
        known.keep(|level| next.contains(&level));
    }
    let needed = next
        .iter()
        .map(|&level| levels[level].bytes())
        .sum::<usize>()
        + own;
    if needed > memory {
        return Err(Error::Memory {
            level: number,
            needed,
            allowed: memory,
        });
    }
    for &level in next {
        if known.levels[level].is_none() {
            known.levels[level] = Some(frame.read_values(level, &levels[level])?);
        }
    }
    Ok(())
}

fn solve_level<I: Index + Sync>(
    index: &I,
    number: usize,
    known: &Levels,
    workers: &mut Workers,
) -> Result<Vec<u64>, Error> {
    let level = &index.levels()[number];
    let (words, share) = (level.words(), rows_at_a_time(level));
    let mut solved = vec![0; level.rows * words];
    let items = solved.chunks_mut(words * share).enumerate();
    let items = items.map(|(item, rows)| {
        let places = rows.len() / words * level.bits;
        (places as u64, (item * share, rows))
    });
    let work = |index: &mut I, (first, rows): (usize, &mut [u64])| {
        for (row, into) in (first..).zip(rows.chunks_mut(words)) {
            index.wins(Row { level: number, row }, known, into);
        }
    };
    workers.run(items, Stops::AtOnce, || index.clone(), work)?;
    Ok(solved)
}
