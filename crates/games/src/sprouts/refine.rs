//! Colour refinement: telling upper-case letters apart by where they occur.
//!
//! Letters stand in an ordered partition, given by *ranks*: the rank of a letter is the number
//! of letters in earlier cells. A round computes for every letter a number from its two
//! occurrences, each seen with its neighbours and its region by rank only, and splits cells by
//! it. Cells keep their order, so a letter alone in its cell keeps its rank for good. Rounds go
//! on until nothing splits, or only pairs are left: pairs are mostly symmetric, and another round
//! would find that out and no more.
//!
//! What lies between two occurrences, and boundaries without any, are looked at once, when a
//! land is taken up ([`Survey`]); a round costs a few multiplications an occurrence.
//!
//! The numbers are hashes, and may be: they depend on the land up to symmetry only, so like
//! lands are always split alike. Two unlike letters with one hash by accident merely stay
//! together, as if the rounds were a little weaker. They do decide which of the equivalent
//! forms is the canonical one: a change of a constant here changes stored keys.

use std::hint::select_unpredictable;

use super::pairs::Pairs;
use super::row::Row;
use super::sketch::Sketch;
use super::survey::{Region, Survey, mix, sort};

/// Splits cells of letters of one land; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Refiner {
    /// Steps since the land was taken up, about one for each occurrence or letter looked at.
    pub(super) work: usize,
    /// The land, with the hashes of the last look at it.
    pub(super) survey: Survey,
    /// What each letter's occurrences add up to in this round.
    contexts: Row<u64, 8>,
    /// The letters, sorted by rank and context, both in one number: contexts are hashes, of which
    /// 48 bits do as well.
    order: Row<(u64, u32), 4>,
}

impl Refiner {
    /// Takes up a land, gives its letters their first ranks and refines them; says whether every
    /// letter has a cell of its own. If so, the last look was with these ranks.
    pub(super) fn begin(&mut self, land: &Sketch, ranks: &mut Vec<u32>) -> bool {
        self.survey.take(land);
        self.work = self.looked_at();
        // Those that stand for two come last.
        let Pairs { singles, pairs, .. } = self.survey.pairs;
        ranks.clear();
        ranks.resize(singles, 0);
        ranks.resize(singles + pairs, singles as u32);
        let cells = usize::from(singles > 0) + usize::from(pairs > 0);
        if cells == ranks.len() {
            return true;
        }
        let is_discrete = self.refine_cells(ranks, cells);
        if is_discrete {
            self.look(ranks);
        }
        is_discrete
    }

    /// Refines `ranks`; says whether every letter has a cell of its own.
    pub(super) fn refine(&mut self, ranks: &mut [u32]) -> bool {
        let cells = self.count_cells(ranks);
        if cells < ranks.len() {
            self.look(ranks);
        }
        self.refine_cells(ranks, cells)
    }

    /// The same, with so many cells at first, if the last look was with these ranks.
    fn refine_cells(&mut self, ranks: &mut [u32], mut cells: usize) -> bool {
        self.work += ranks.len();
        while cells < ranks.len() {
            self.look_around(ranks);
            let (finer, largest) = self.split(ranks);
            if finer == ranks.len() {
                return true;
            }
            if finer == cells || largest <= 2 {
                return false;
            }
            cells = finer;
            self.look(ranks);
        }
        true
    }

    /// A hash of the land with its letters numbered; the same only for images under a symmetry.
    pub(super) fn certify(&mut self, numbers: &[u32]) -> u64 {
        self.look(numbers);
        let regions = self.survey.regions.iter();
        regions.fold(0, |sum, region| sum.wrapping_add(mix(region.whole)))
    }

    /// Hashes the land as it looks with these ranks.
    pub(super) fn look(&mut self, ranks: &[u32]) {
        self.work += self.looked_at();
        self.survey.look(ranks);
    }

    /// The steps of a look.
    fn looked_at(&self) -> usize {
        let survey = &self.survey;
        survey.alone.len() + survey.occurrences.len() + survey.regions.len()
    }

    /// How many cells there are: as many as ranks that occur.
    fn count_cells(&mut self, ranks: &[u32]) -> usize {
        self.contexts.fill(ranks.len(), 0);
        let mut cells = 0;
        for &rank in ranks {
            let seen = &mut self.contexts[rank as usize];
            cells += usize::from(*seen == 0);
            *seen = 1;
        }
        cells
    }

    /// Adds up what each letter sees around its occurrences.
    fn look_around(&mut self, ranks: &[u32]) {
        let Self {
            survey, contexts, ..
        } = self;
        contexts.fill(ranks.len(), 0);
        let contexts = &mut contexts[..];
        for alone in &survey.alone {
            let letter = usize::from(alone.letter);
            let look = survey.ranked[ranks[letter] as usize].look;
            let seen = seen_alone(look, &survey.regions[usize::from(alone.region)]);
            contexts[letter] = contexts[letter].wrapping_add(seen);
        }
        for occurrence in &survey.occurrences {
            let letter = usize::from(occurrence.letter);
            let region = &survey.regions[usize::from(occurrence.region)];
            contexts[letter] = contexts[letter].wrapping_add(seen(occurrence.looks, region));
        }
    }

    /// Splits the cells by context; returns how many there are now, and how large the largest is.
    fn split(&mut self, ranks: &mut [u32]) -> (usize, usize) {
        let Self {
            order, contexts, ..
        } = self;
        let order = &mut order.room(ranks.len())[..ranks.len()];
        let seen = ranks.iter().zip(&contexts[..]);
        for (letter, (place, (&rank, &context))) in order.iter_mut().zip(seen).enumerate() {
            *place = (u64::from(rank) << 48 | context >> 16, letter as u32);
        }
        sort(order);
        let (mut cells, mut largest, mut start) = (0, 0, 0);
        // No key: there are fewer ranks.
        let mut last = u64::MAX;
        for (index, &(key, letter)) in order.iter().enumerate() {
            let is_new = key != last;
            cells += usize::from(is_new);
            start = select_unpredictable(is_new, index, start);
            largest = largest.max(index - start + 1);
            ranks[letter as usize] = start as u32;
            last = key;
        }
        (cells, largest)
    }
}

/// An occurrence in its region. That may be turned round, so what counts is the direction with
/// the lesser hash, or both if they tie.
#[inline]
fn seen([ahead, back]: [u64; 2], region: &Region) -> u64 {
    let seen = |first: u64, second: u64| mix(region.whole ^ first ^ second.rotate_left(29));
    let counts = |first: usize| u64::from(region.hashes[first] <= region.hashes[1 - first]);
    // Whether they tie is hard to guess, so both are worked out.
    let (ahead, back) = (seen(ahead, back), seen(back, ahead));
    (ahead * counts(0)).wrapping_add(back * counts(1))
}

/// The same for a letter that is a boundary: it looks the same in both directions.
#[inline]
fn seen_alone(look: u64, region: &Region) -> u64 {
    let seen = mix(region.whole ^ look ^ look.rotate_left(29));
    seen << u32::from(region.hashes[0] == region.hashes[1])
}
