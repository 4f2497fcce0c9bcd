//! Which regions belong to one land: those that share letters, and those that share with these.
//!
//! Regions are bits of a number, one number for each region: nobody can guess which regions share a
//! letter, and joining them all costs little. Where there are more regions than bits, they are joined
//! one by one.

use super::row::Row;
use super::sketch::Sketch;

/// Cuts regions into lands; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Lands {
    /// The regions before it that each region shares a letter with, and itself, as bits.
    neighbours: Row<u64, 4>,
    /// The land of each region, if there are several, and how many there are.
    of: Vec<u16>,
    number: u16,
}

impl Lands {
    /// Forgets all regions from some on.
    pub(super) fn truncate(&mut self, regions: usize) {
        self.neighbours.truncate(regions);
    }

    /// Adds regions until there are so many: the bits of each new one and of those before it that it
    /// shares a letter with, to be filled in. Beyond the last bit anything will do.
    #[inline]
    pub(super) fn add_up_to(&mut self, regions: usize) -> impl Iterator<Item = &mut u64> {
        let new = regions - self.neighbours.len();
        self.neighbours.room(new);
        self.neighbours.advance(new);
        self.neighbours[regions - new..].iter_mut()
    }

    /// How many lands there are.
    #[inline]
    pub(super) fn number(&self) -> u16 {
        self.number
    }

    /// The land of each region, if there are several.
    pub(super) fn of_regions(&self) -> &[u16] {
        &self.of
    }

    /// Finds the lands of a sketch, all of whose regions were added.
    #[inline]
    pub(super) fn cut(&mut self, sketch: &Sketch) {
        let regions = self.neighbours.len();
        if regions > u64::BITS as usize {
            return self.cut_many(sketch);
        }
        self.number = u16::from(regions > 0);
        if let Some(before) = regions.checked_sub(1) {
            let last = 1 << before;
            let left = (last | (last - 1)) & !land_of(last, &self.neighbours);
            if left != 0 {
                self.cut_further(left);
            }
        }
    }

    /// Finds the lands of the regions that are left beside the first land.
    #[inline(never)]
    fn cut_further(&mut self, mut left: u64) {
        self.of.clear();
        let regions = 0..self.neighbours.len();
        self.of
            .extend(regions.map(|region| (left >> region & 1) as u16));
        loop {
            self.number += 1;
            left &= !land_of(left & left.wrapping_neg(), &self.neighbours);
            if left == 0 {
                return;
            }
            for (region, of) in self.of.iter_mut().enumerate() {
                *of += (left >> region & 1) as u16;
            }
        }
    }

    /// The same where there are too many regions for bits.
    #[cold]
    fn cut_many(&mut self, sketch: &Sketch) {
        let regions = sketch.faces.len();
        let mut roots: Vec<u16> = (0..regions as u16).collect();
        let mut homes = vec![u16::MAX; sketch.letters];
        for (index, (region, _)) in (0..).zip(sketch.regions()) {
            for id in region.iter().filter_map(|vertex| vertex.id()) {
                match homes[id] {
                    u16::MAX => homes[id] = index,
                    home => join(&mut roots, home, index),
                }
            }
        }
        self.of.clear();
        self.number = 0;
        for index in 0..regions as u16 {
            // A root comes first of its land.
            let land = match root(&mut roots, index) {
                first if first < index => self.of[usize::from(first)],
                _ => {
                    self.number += 1;
                    self.number - 1
                }
            };
            self.of.push(land);
        }
    }
}

/// All regions that one is joined to by neighbours. The last region of a child is new as a rule, and
/// what it shares letters with shares few with each other: from there one look at all, from the last to
/// the first, is enough.
#[inline]
fn land_of(region: u64, neighbours: &[u64]) -> u64 {
    let mut land = region;
    loop {
        let mut others = 0;
        for &sharing in neighbours.iter().rev() {
            let is_joined = sharing & land != 0;
            land |= if is_joined { sharing } else { 0 };
            others |= if is_joined { 0 } else { sharing };
        }
        if others & land == 0 {
            return land;
        }
    }
}

fn root(roots: &mut [u16], mut region: u16) -> u16 {
    while roots[usize::from(region)] != region {
        let above = roots[usize::from(region)];
        roots[usize::from(region)] = roots[usize::from(above)];
        region = above;
    }
    region
}

fn join(roots: &mut [u16], one: u16, other: u16) {
    let (one, other) = (root(roots, one), root(roots, other));
    roots[usize::from(one.max(other))] = one.min(other);
}
