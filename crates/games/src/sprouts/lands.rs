//! Which regions belong to one land: those that share letters, and those that share with these.
//!
//! Regions are bits of a number, one number for each region: nobody can guess which regions share a
//! letter, and joining them all costs little. Where there are more regions than bits, they are joined
//! one by one.

use super::sketch::Sketch;

/// Cuts regions into lands; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Lands {
    /// The regions before it that each region shares a letter with, and itself, as bits.
    neighbours: Vec<u64>,
    /// The land of each region, if there are several, and how many there are.
    of: Vec<u16>,
    number: u16,
}

impl Lands {
    /// Forgets all regions from some on.
    pub(super) fn truncate(&mut self, regions: usize) {
        self.neighbours.truncate(regions);
    }

    /// Adds a region by the bits of itself and of those before it that it shares a letter with. Beyond
    /// the last bit anything will do.
    #[inline]
    pub(super) fn push(&mut self, sharing: u64) {
        self.neighbours.push(sharing);
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
    pub(super) fn cut(&mut self, sketch: &Sketch) {
        let regions = self.neighbours.len();
        if regions > u64::BITS as usize {
            return self.cut_many(sketch);
        }
        let all = u64::MAX.unbounded_shr(u64::BITS - regions as u32);
        let mut land = spread(all & 1, all, &self.neighbours);
        self.number = u16::from(all != 0);
        if land == all {
            return;
        }
        self.of.clear();
        self.of.resize(regions, 0);
        let mut left = all & !land;
        while left != 0 {
            land = spread(left & left.wrapping_neg(), left, &self.neighbours);
            for (region, of) in self.of.iter_mut().enumerate() {
                *of = if land >> region & 1 == 0 {
                    *of
                } else {
                    self.number
                };
            }
            left &= !land;
            self.number += 1;
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

/// All regions that some are joined to by neighbours, among those left.
#[inline]
fn spread(mut regions: u64, left: u64, neighbours: &[u64]) -> u64 {
    loop {
        let before = regions;
        for &sharing in neighbours {
            regions |= if sharing & regions == 0 { 0 } else { sharing };
        }
        if regions == before || regions == left {
            return regions;
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
