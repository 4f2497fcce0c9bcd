//! Which positions can be reached, and at which ply first: the first level first.
//!
//! Every level has a sheet for each ply at which some of its positions are reached. When its turn
//! comes all moves that lead to it have been played. Ply by ply, in ascending order, what was
//! reached at an earlier ply is taken off its sheets; what is left is counted, with its values,
//! and spread to the sheets of later levels at the next ply. Only the sheets at hand have to be
//! in memory.
//!
//! A run that is stopped ends with the ply at hand and leaves all sheets on disk, and a file that
//! says how far it came.

use std::sync::Mutex;

use bouton_game::Index;
use bouton_game::indexed::{Level, Place, Row, Rows, set};

use crate::Error;
use crate::checkpoint::State;
use crate::error::damaged;
use crate::files::{self, Head, Kind, Sealed};
use crate::sheets::{Key, Sheets};
use crate::table::Frame;
use crate::values::rows_at_a_time;
use crate::workers::{Pass, Stops, Workers};

/// What there is at a ply; a position counts where it is first reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// Positions first reached at this ply.
    pub positions: u64,
    /// Those of them that the player to move wins.
    pub wins: u64,
    /// Those of them in which the game is over.
    pub terminals: u64,
}

/// Counts the positions that play from `root` leads to.
pub(crate) fn count<I: Index + Sync>(
    index: &I,
    frame: &Frame,
    root: Place,
    memory: usize,
    workers: &mut Workers,
) -> Result<Vec<Ply>, Error> {
    let levels = index.levels();
    workers.progress.pass = Pass::Counts;
    let state = State::resume(frame)?;
    let fresh = state.is_none();
    let state = state.unwrap_or_default();
    let mut reach = Reach {
        index,
        levels,
        frame,
        sheets: Sheets::new(frame.scratch, frame.table, levels, memory, state.away),
        plies: state.plies,
        earlier: None,
        memory,
    };
    if fresh {
        reach.start(root)?;
    } else {
        reach.earlier = Some(reach.read_earlier(state.next.0)?);
    }
    for level in state.next.0..levels.len() {
        reach.level(level, workers)?;
    }
    Ok(reach.plies)
}

struct Reach<'a, I> {
    index: &'a I,
    levels: &'a [Level],
    frame: &'a Frame<'a>,
    sheets: Sheets<'a>,
    plies: Vec<Ply>,
    /// What the level at hand has at earlier plies.
    earlier: Option<Vec<u64>>,
    memory: usize,
}

impl<I: Index + Sync> Reach<'_, I> {
    fn start(&mut self, root: Place) -> Result<(), Error> {
        let key = (root.row.level, 0);
        let mut sheet = self.sheets.take(key)?;
        let words = self.levels[root.row.level].words();
        set(&mut sheet[root.row.row * words..], root.bit);
        self.sheets.put(key, sheet);
        Ok(())
    }

    /// Spreads all sheets of a level that are left.
    fn level(&mut self, number: usize, workers: &mut Workers) -> Result<(), Error> {
        let level = &self.levels[number];
        let words = level.rows * level.words();
        workers.progress.levels = (number, self.levels.len());
        let plies = self.sheets.plies(number);
        if !plies.is_empty() {
            self.sheets.make_room(2 * level.bytes())?;
            let mut earlier = match self.earlier.take() {
                Some(earlier) => earlier,
                None => self.sheets.blank(),
            };
            let mut values = self.sheets.blank();
            self.frame
                .read_values_into(number, level, &mut values[..words])?;
            for ply in plies {
                let about = About {
                    values: &values[..words],
                    earlier: &mut earlier[..words],
                };
                let result = self.sheet((number, ply), about, workers);
                self.sheets.forget((number, ply))?;
                if let Err(Error::Stopped) = result {
                    self.stop((number, ply + 1), &earlier[..words])?;
                }
                result?;
            }
            for mut done in [values, earlier] {
                done[..words].fill(0);
                self.sheets.take_back(done);
            }
        }
        // Of a level that was stopped at its last ply only this is left.
        self.earlier = None;
        Ok(())
    }

    /// Counts the sheet of a level and a ply, and spreads it.
    fn sheet(&mut self, key: Key, about: About, workers: &mut Workers) -> Result<(), Error> {
        let (number, ply) = key;
        let About { values, earlier } = about;
        let level = &self.levels[number];
        let (words, share) = (level.words(), rows_at_a_time(level));
        let targets = level.next.iter().map(|&next| (next, ply + 1));
        let in_use = targets.clone().map(|(next, _)| self.levels[next].bytes());
        let in_use = in_use.sum::<usize>() + 3 * level.bytes();
        if in_use > self.memory {
            return Err(Error::Memory {
                level: number,
                needed: in_use,
                allowed: self.memory,
            });
        }
        let mut sheet = self.sheets.take(key)?;
        let mut taken = Vec::new();
        for target in targets {
            self.sheets.make_room(in_use)?;
            taken.push((target, self.sheets.take(target)?));
        }
        self.sheets.make_room(in_use)?;
        workers.progress.ply = ply;
        workers.progress.bytes = self.sheets.bytes() + in_use;

        let total = Mutex::new(Ply::default());
        let into = Locked::new(&mut taken, self.levels);
        let parts = sheet[..level.rows * words]
            .chunks_mut(words * share)
            .zip(earlier.chunks_mut(words * share))
            .zip(values.chunks(words * share))
            .enumerate();
        let items = parts.map(|(item, ((sheet, earlier), values))| {
            let places = sheet.len() / words * level.bits;
            let part = Part {
                first: item * share,
                sheet,
                earlier,
                values,
            };
            (places as u64, part)
        });
        let state = || Counter::new(self.index, number, &total);
        let result = workers.run(items, Stops::WhenDone, state, |counter, part| {
            counter.part(part, words, &into);
        });
        drop(into);
        self.sheets.take_back(sheet);
        for (target, sheet) in taken {
            self.sheets.put(target, sheet);
        }
        let total = total.into_inner().expect("no thread panics");
        self.tally(ply, total);
        workers.progress.positions += total.positions;
        result.and_then(|()| workers.look())
    }

    fn tally(&mut self, ply: usize, count: Ply) {
        if count.positions == 0 {
            return;
        }
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, Ply::default());
        }
        let sum = &mut self.plies[ply];
        sum.positions += count.positions;
        sum.wins += count.wins;
        sum.terminals += count.terminals;
    }

    /// Leaves everything on disk, for another run to go on with the sheet `next`.
    fn stop(&mut self, next: Key, earlier: &[u64]) -> Result<(), Error> {
        files::write(self.frame.scratch, &self.earlier_head(next.0), earlier)?;
        self.sheets.put_away()?;
        let state = State {
            next,
            plies: std::mem::take(&mut self.plies),
            away: self.sheets.keys(),
        };
        state.write(self.frame)
    }

    fn read_earlier(&mut self, level: usize) -> Result<Vec<u64>, Error> {
        let head = self.earlier_head(level);
        let Some(file) = Sealed::open(self.frame.scratch, &head)? else {
            return Err(damaged(&head.path(self.frame.scratch), "it is missing"));
        };
        let mut earlier = self.sheets.blank();
        file.read_into(&mut earlier[..head.rows * head.words])?;
        Ok(earlier)
    }

    fn earlier_head(&self, level: usize) -> Head {
        Head {
            kind: Kind::Earlier,
            ..self.frame.values(level, &self.levels[level])
        }
    }
}

/// What is known about the positions of a level.
struct About<'a> {
    values: &'a [u64],
    /// Those reached at earlier plies.
    earlier: &'a mut [u64],
}

/// Some rows of a sheet.
struct Part<'a> {
    first: usize,
    sheet: &'a mut [u64],
    earlier: &'a mut [u64],
    values: &'a [u64],
}

/// One thread's share of a count; added to the total when it is dropped.
struct Counter<'a, I> {
    index: I,
    level: usize,
    counted: Vec<u64>,
    immobile: Vec<u64>,
    sum: Ply,
    total: &'a Mutex<Ply>,
}

impl<'a, I: Index> Counter<'a, I> {
    fn new(index: &I, level: usize, total: &'a Mutex<Ply>) -> Self {
        let words = index.levels()[level].words();
        Self {
            index: index.clone(),
            level,
            counted: vec![0; words],
            immobile: vec![0; words],
            sum: Ply::default(),
            total,
        }
    }

    fn part(&mut self, part: Part, words: usize, into: &Locked) {
        let Part {
            first,
            sheet,
            earlier,
            values,
        } = part;
        let rows = sheet.chunks_mut(words).zip(earlier.chunks_mut(words));
        let rows = rows.zip(values.chunks(words));
        for (row, ((bits, earlier), values)) in (first..).zip(rows) {
            if bits.iter().any(|&word| word != 0) {
                let row = Row {
                    level: self.level,
                    row,
                };
                self.row(row, bits, earlier, values, into);
            }
        }
    }

    fn row(
        &mut self,
        row: Row,
        bits: &mut [u64],
        earlier: &mut [u64],
        values: &[u64],
        into: &Locked,
    ) {
        self.index.settle(row, bits);
        self.index.positions(row, &mut self.counted);
        self.index.immobile(row, &mut self.immobile);
        let mut any = 0;
        for (bits, earlier) in bits.iter_mut().zip(earlier) {
            *bits &= !*earlier;
            *earlier |= *bits;
            any |= *bits;
        }
        if any == 0 {
            return;
        }
        let all = bits.iter().zip(&self.counted);
        for ((&bits, &counted), (&values, &immobile)) in all.zip(values.iter().zip(&self.immobile))
        {
            debug_assert!(bits & !counted == 0, "a place without a position");
            let bits = bits & counted;
            self.sum.positions += u64::from(bits.count_ones());
            self.sum.wins += u64::from((bits & values).count_ones());
            self.sum.terminals += u64::from((bits & immobile).count_ones());
        }
        self.index.spread(row, bits, into);
        // The sheet is used again.
        bits.fill(0);
    }
}

impl<I> Drop for Counter<'_, I> {
    fn drop(&mut self) {
        // A total that a panicking thread left behind is of no use to anybody.
        if let Ok(mut total) = self.total.lock() {
            total.positions += self.sum.positions;
            total.wins += self.sum.wins;
            total.terminals += self.sum.terminals;
        }
    }
}

/// The sheets that a sheet is spread to; a lock a row.
struct Locked<'a> {
    levels: Vec<(usize, Vec<Mutex<&'a mut [u64]>>)>,
}

impl<'a> Locked<'a> {
    fn new(sheets: &'a mut [(Key, Vec<u64>)], levels: &[Level]) -> Self {
        let locked = sheets.iter_mut().map(|((level, _), sheet)| {
            let (rows, words) = (levels[*level].rows, levels[*level].words());
            let rows = sheet[..rows * words].chunks_mut(words);
            (*level, rows.map(Mutex::new).collect())
        });
        let levels = locked.collect();
        Self { levels }
    }
}

impl Rows for Locked<'_> {
    fn with(&self, row: Row, add: impl FnOnce(&mut [u64])) {
        let mut levels = self.levels.iter();
        let (_, rows) = levels
            .find(|(level, _)| *level == row.level)
            .expect("moves lead to the levels that are next");
        add(&mut rows[row.row].lock().expect("no thread panics"));
    }
}
