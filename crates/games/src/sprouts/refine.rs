//! Colour refinement: telling upper-case letters apart by where they occur.
//!
//! Letters stand in an ordered partition, given by *ranks*: the rank of a letter is the number
//! of letters in earlier cells. A round computes for every letter a number from its two
//! occurrences, each seen with everything around it by rank only, and splits cells by it. Cells
//! keep their order, so a letter alone in its cell keeps its rank for good. Rounds go on until
//! nothing splits.
//!
//! The numbers are hashes, and may be: they depend on the land up to symmetry only, so like
//! lands are always split alike. Two unlike letters with one hash by accident merely stay
//! together, as if the rounds were a little weaker. They do decide which of the equivalent
//! forms is the canonical one: a change of a constant here changes stored keys.

use std::cmp::Ordering;

use super::code::{Code, turned, upper, upper_number};
use super::drawing::{Drawing, Span};

/// Splits cells of letters of one land; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Refiner {
    /// Steps since the land was taken up, about one for each vertex or letter looked at.
    pub(super) work: usize,
    /// The symbol of each vertex, read forwards and backwards. Those of upper-case letters
    /// change with their ranks.
    symbols: Vec<[u64; 2]>,
    /// Where upper-case letters occur, region by region.
    occurrences: Vec<Occurrence>,
    boundaries: Vec<Boundary>,
    regions: Vec<Region>,
    /// What each letter's occurrences add up to in this round.
    contexts: Vec<u64>,
    /// The letters, sorted by rank and context.
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Occurrence {
    letter: u32,
    /// The index of its symbol.
    place: u32,
    /// The hashes of the boundary read from here, forwards and backwards.
    readings: [u64; 2],
}

/// A boundary with upper-case letters.
#[derive(Clone, Copy, Debug)]
struct Boundary {
    symbols: Span,
    occurrences: Span,
    /// The factor of the last symbol in a reading.
    last_factor: u64,
}

/// A region with upper-case letters.
#[derive(Clone, Copy, Debug)]
struct Region {
    boundaries: Span,
    occurrences: Span,
    /// The hash of everything else in it, in both directions.
    rest: [u64; 2],
}

/// The factor between neighbours in the hash of a string, and its inverse modulo 2^64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
const STEP_BACK: u64 = inverse(STEP);

/// Newton's iteration doubles the number of right bits; an odd number is its own inverse
/// modulo 8.
const fn inverse(odd: u64) -> u64 {
    let mut found = odd;
    let mut bits = 3;
    while bits < 64 {
        found = found.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(found)));
        bits *= 2;
    }
    found
}

/// Spreads the bits of a number: both halves of a long product.
fn mix(number: u64) -> u64 {
    let product =
        u128::from(number ^ 0xd6e8_feb8_6659_fd93) * u128::from(0xa076_1d64_78bd_642f_u64);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Refiner {
    /// Takes up a land; the parts without upper-case letters are looked at only now.
    pub(super) fn begin(&mut self, land: &Drawing<Code>) {
        self.work = 0;
        self.symbols.clear();
        self.occurrences.clear();
        self.boundaries.clear();
        self.regions.clear();
        for region in &land.regions {
            let starts = (self.boundaries.len(), self.occurrences.len());
            let mut rest = [mix(region.zeros as u64); 2];
            for boundary in land.boundaries_of(*region) {
                self.begin_boundary(boundary, &mut rest);
            }
            self.regions.push(Region {
                boundaries: Span::new(starts.0, self.boundaries.len()),
                occurrences: Span::new(starts.1, self.occurrences.len()),
                rest,
            });
        }
    }

    fn begin_boundary(&mut self, codes: &[Code], rest: &mut [u64; 2]) {
        let starts = (self.symbols.len(), self.occurrences.len());
        let mut last_factor = STEP_BACK;
        for (index, &code) in codes.iter().enumerate() {
            if let Some(letter) = upper_number(code) {
                self.occurrences.push(Occurrence {
                    letter: letter as u32,
                    place: (starts.0 + index) as u32,
                    readings: [0; 2],
                });
            }
            let both = [code, turned(code, codes.len())];
            self.symbols.push(both.map(|code| mix(u64::from(code))));
            last_factor = last_factor.wrapping_mul(STEP);
        }
        let symbols = Span::new(starts.0, self.symbols.len());
        if self.occurrences.len() > starts.1 {
            self.boundaries.push(Boundary {
                symbols,
                occurrences: Span::new(starts.1, self.occurrences.len()),
                last_factor,
            });
            return;
        }
        let mut sum = [0u64; 2];
        read(
            &self.symbols[symbols.range()],
            last_factor,
            |_, readings| {
                add(&mut sum, readings.map(mix));
            },
        );
        add(rest, sum.map(mix));
        self.symbols.truncate(starts.0);
    }

    /// Refines `ranks` until nothing splits; says whether every letter has a cell of its own.
    pub(super) fn refine(&mut self, ranks: &mut [u32]) -> bool {
        self.work += ranks.len();
        let mut cells = self.sort_by_rank(ranks);
        while cells < ranks.len() {
            self.work += self.symbols.len() + self.regions.len();
            self.look_around(ranks);
            let finer = self.split(ranks);
            if finer == cells {
                return false;
            }
            cells = finer;
        }
        true
    }

    /// Begins with the cells as they are; returns their number.
    fn sort_by_rank(&mut self, ranks: &[u32]) -> usize {
        let Self { order, .. } = self;
        order.clear();
        order.extend(0..ranks.len() as u32);
        order.sort_unstable_by_key(|&letter| ranks[letter as usize]);
        let opens = |&(index, &letter): &(usize, &u32)| ranks[letter as usize] as usize == index;
        order.iter().enumerate().filter(opens).count()
    }

    /// Computes what each letter sees around its occurrences.
    fn look_around(&mut self, ranks: &[u32]) {
        self.contexts.clear();
        self.contexts.resize(ranks.len(), 0);
        for occurrence in &self.occurrences {
            let rank = ranks[occurrence.letter as usize];
            let symbol = mix(u64::from(upper(rank as usize)));
            self.symbols[occurrence.place as usize] = [symbol; 2];
        }
        for index in 0..self.regions.len() {
            self.look_around_region(self.regions[index]);
        }
    }

    /// The region may be turned round, so what counts is the reading in the direction with the
    /// lesser hash, or both if they tie.
    fn look_around_region(&mut self, region: Region) {
        let mut whole = region.rest;
        for index in region.boundaries.range() {
            let readings = self.read_boundary(self.boundaries[index]);
            add(&mut whole, readings);
        }
        let [ahead, back] = whole;
        let direction = ahead.cmp(&back);
        let whole = mix(ahead.min(back)) ^ ahead.max(back);
        for occurrence in &self.occurrences[region.occurrences.range()] {
            let [ahead, back] = occurrence.readings;
            let seen = match direction {
                Ordering::Less => mix(ahead ^ whole),
                Ordering::Greater => mix(back ^ whole),
                Ordering::Equal => mix(ahead ^ whole).wrapping_add(mix(back ^ whole)),
            };
            let context = &mut self.contexts[occurrence.letter as usize];
            *context = context.wrapping_add(seen);
        }
    }

    /// Hashes the readings from each upper-case letter; returns what they add up to.
    fn read_boundary(&mut self, boundary: Boundary) -> [u64; 2] {
        let symbols = &self.symbols[boundary.symbols.range()];
        let start = boundary.symbols.range().start;
        let mut occurrences = self.occurrences[boundary.occurrences.range()].iter_mut();
        let mut next = occurrences.next();
        let mut sum = [0u64; 2];
        read(symbols, boundary.last_factor, |index, readings| {
            if let Some(occurrence) = &mut next
                && occurrence.place as usize == start + index
            {
                occurrence.readings = readings;
                add(&mut sum, readings.map(mix));
                next = occurrences.next();
            }
        });
        sum.map(mix)
    }

    /// Splits the cells by context; returns how many there are now.
    fn split(&mut self, ranks: &mut [u32]) -> usize {
        let Self {
            order, contexts, ..
        } = self;
        let key = |letter: u32| (ranks[letter as usize], contexts[letter as usize]);
        order.sort_unstable_by_key(|&letter| key(letter));
        let mut cells = 0;
        let mut start = 0;
        for index in 0..order.len() {
            let letter = order[index] as usize;
            // A rank is where its cell begins: equal to the index, it opens an old cell.
            let opens = ranks[letter] as usize == index
                || contexts[letter] != contexts[order[index - 1] as usize];
            if opens {
                cells += 1;
                start = index as u32;
            }
            ranks[letter] = start;
        }
        cells
    }
}

/// Adds up two directions.
fn add(sum: &mut [u64; 2], more: [u64; 2]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.wrapping_add(more);
    }
}

/// Gives the hashes of a cyclic string read from each place, forwards and backwards: a symbol
/// counts times `STEP` to the power of its distance.
fn read(symbols: &[[u64; 2]], last_factor: u64, mut visit: impl FnMut(usize, [u64; 2])) {
    let (mut ahead, mut back) = (0u64, 0u64);
    for &[forward, _] in symbols.iter().rev() {
        ahead = ahead.wrapping_mul(STEP).wrapping_add(forward);
    }
    for &[_, backward] in symbols[1..].iter().chain(&symbols[..1]) {
        back = back.wrapping_mul(STEP).wrapping_add(backward);
    }
    for index in 0..symbols.len() {
        visit(index, [ahead, back]);
        // The first symbol of a reading forwards is the last one of the next, and the last one
        // of a reading backwards is the first one of the next.
        let first = symbols[index][0];
        ahead = ahead.wrapping_sub(first).wrapping_mul(STEP_BACK);
        ahead = ahead.wrapping_add(first.wrapping_mul(last_factor));
        let next = if index + 1 < symbols.len() {
            index + 1
        } else {
            0
        };
        let last = symbols[next][1];
        back = back.wrapping_sub(last.wrapping_mul(last_factor));
        back = back.wrapping_mul(STEP).wrapping_add(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_forth_and_a_step_back() {
        assert_eq!(STEP.wrapping_mul(STEP_BACK), 1);
    }
}
