//! Forgetting what no longer matters: dead vertices, dead regions, shapes without effect.
//!
//! After Applegate, Jacobson and Sleator (1991) and their successors, Lemoine and Viennot's GLOP
//! and SPOTS. In a region of two or three lives shape has no effect, so it becomes a single
//! boundary. A letter left with one occurrence must become a `2`: it would count as reachable
//! from two sides otherwise, and its third occurrence would never come.
//!
//! Each step is done once, in order: later ones give earlier ones nothing new to do. There are
//! two passes over the vertices: regions are copied; then letters are named by first appearance, and
//! which regions share one is noted. Regions that a curve does not touch were reduced before, and
//! are copied as they are. The second pass asks no question about a vertex, since nobody can guess
//! what it is: all are looked up in one table, and regions are bits.

use super::drawing::Vertex;
use super::sketch::{Face, Sketch};

/// Reduces sketches and cuts them into lands; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Reducer {
    /// What is left, its letters named by first appearance.
    kept: Sketch,
    /// By the number of the vertex; what is no letter is there too, and its own name.
    letters: Vec<Letter>,
    /// The regions before it that each region shares a letter with, and itself, as bits.
    neighbours: Vec<u64>,
    /// The land of each region, if there are several, and how many there are.
    lands: Vec<u16>,
    parts: u16,
    /// One of several lands.
    land: Sketch,
}

#[derive(Clone, Copy, Debug)]
struct Letter {
    /// How often it occurs, once more for each curve that ends in it: with three it is dead.
    count: u16,
    /// The number of the vertex that it becomes.
    name: u16,
    /// A region that it was seen in.
    region: u16,
    /// All of them, as bits.
    regions: u64,
}

impl Letter {
    const NEW: Self = Self {
        count: 2,
        name: UNNAMED,
        region: u16::MAX,
        regions: 0,
    };

    /// What is no letter keeps its name, however often it is lost.
    const fn named(name: u16) -> Self {
        Self {
            count: u16::MAX,
            name,
            ..Self::NEW
        }
    }

    /// Occurs once less. If it is alone then, it becomes a `2`.
    #[inline]
    fn lose(&mut self) {
        self.count -= 1;
        self.name = if self.count == 1 { TWO } else { self.name };
    }

    /// What it becomes: without a name it takes the next one.
    #[inline]
    fn name_or(&mut self, next: &mut u16) -> Vertex {
        let is_new = self.name == UNNAMED;
        self.name = if is_new { *next } else { self.name };
        *next += u16::from(is_new);
        Vertex::numbered(self.name)
    }
}

/// More than there are vertices with a number.
const UNNAMED: u16 = u16::MAX;

/// The number of a vertex of degree 2, and of the first letter.
const TWO: u16 = 2;
const FIRST: usize = Vertex::FIRST_LETTER as usize;

/// The most vertices of a region of three lives: all of them letters, each twice.
const MOST_FLAT: usize = 6;

impl Reducer {
    /// Reduces a sketch and cuts it into lands.
    pub(super) fn reduce(&mut self, from: &Sketch) {
        self.take_letters(from.letters);
        for id in from.worn.iter().filter_map(|vertex| vertex.id()) {
            self.letters[FIRST + id].count += 1;
        }
        let worn @ [one, other] = from.worn_regions();
        let mut end = self.copy_regions(from, from.settled.min(one).min(other));
        let copied = self.kept.faces.len();
        for (index, (region, zeros)) in from.regions_from(copied) {
            end = match index < from.settled && !worn.contains(&index) {
                true => self.copy_region(region, zeros, end),
                false => self.reduce_region(region, zeros, index as u16, end),
            };
        }
        self.kept.vertices.truncate(end);
        self.name_letters();
        self.cut_into_lands();
    }

    /// Begins with so many letters.
    #[inline]
    fn take_letters(&mut self, letters: usize) {
        self.letters.clear();
        self.letters.extend([0, 1, 2].map(Letter::named));
        self.letters.resize(FIRST + letters, Letter::NEW);
    }

    /// Shows every land, its letters named by first appearance.
    #[inline]
    pub(super) fn each_land(&mut self, mut show: impl FnMut(&Sketch)) {
        match self.parts {
            1 => show(&self.kept),
            _ => self.each_of_several(show),
        }
    }

    /// Whether a sketch whose letters are named by first appearance was a single land and is all
    /// that is left.
    pub(super) fn has_left_all(&self, of: &Sketch) -> bool {
        self.parts == 1 && self.kept.faces == of.faces && self.kept.vertices == of.vertices
    }

    /// Begins with so many regions as they are; returns where they end.
    #[inline]
    fn copy_regions(&mut self, from: &Sketch, regions: usize) -> usize {
        let Sketch {
            faces, vertices, ..
        } = &mut self.kept;
        faces.clear();
        faces.extend_from_slice(&from.faces[..regions]);
        // All of the rest too, to have the room for it.
        vertices.clear();
        vertices.extend_from_slice(&from.vertices);
        faces.last().map_or(0, |face| face.end as usize)
    }

    /// Copies a region as it is to `first`; returns where it ends.
    #[inline]
    fn copy_region(&mut self, vertices: &[Vertex], zeros: u32, first: usize) -> usize {
        let end = first + vertices.len();
        self.kept.vertices[first..end].copy_from_slice(vertices);
        let face = Face {
            end: end as u32,
            zeros,
        };
        self.kept.faces.push(face);
        end
    }

    /// Copies what is left of a region to `first`; returns where it ends.
    #[inline]
    fn reduce_region(
        &mut self,
        vertices: &[Vertex],
        zeros: u32,
        region: u16,
        first: usize,
    ) -> usize {
        let (kept, letters) = (&mut self.kept.vertices[..], &mut self.letters[..]);
        let (mut start, mut end) = (first, first);
        // Pairs are letters that occur twice.
        let (mut boundaries, mut pairs, mut lives) = (0, 0, 3 * zeros as usize);
        for &vertex in vertices {
            if vertex.is_letter() {
                let letter = &mut letters[vertex.number()];
                if letter.count >= 3 {
                    continue;
                }
                // A letter next to itself is there once.
                if end > start && kept[end - 1] == vertex {
                    letter.lose();
                    continue;
                }
                pairs += usize::from(letter.region == region);
                letter.region = region;
            } else if vertex == Vertex::END {
                if end > start + 1 && kept[start] == kept[end - 1] && kept[start].is_letter() {
                    letters[kept[start].number()].lose();
                    end -= 1;
                    lives -= 1;
                    pairs -= 1;
                }
                let is_left = usize::from(end > start);
                kept[end] = Vertex::END;
                end += is_left;
                boundaries += is_left;
                start = end;
                continue;
            }
            lives += vertex.lives();
            kept[end] = vertex;
            end += 1;
        }
        if lives < 2 {
            for vertex in &kept[first..end] {
                letters[vertex.number()].lose();
            }
            return first;
        }
        // With at most three lives a spot is alone, and without pairs one boundary is flat.
        if lives - pairs <= 3 && pairs + boundaries > 1 {
            end = first + flatten(&mut kept[first..end]);
        }
        let face = Face {
            end: end as u32,
            zeros,
        };
        self.kept.faces.push(face);
        end
    }

    /// Names letters by first appearance, but those that are alone become `2`; finds the regions
    /// that share letters.
    fn name_letters(&mut self) {
        let Self {
            kept,
            letters,
            neighbours,
            ..
        } = self;
        neighbours.clear();
        let (mut start, mut next) = (0, Vertex::FIRST_LETTER);
        for (index, face) in (0u32..).zip(&kept.faces) {
            let end = face.end as usize;
            let region = 1u64.wrapping_shl(index);
            let mut sharing = region;
            for vertex in &mut kept.vertices[start..end] {
                let letter = &mut letters[vertex.number()];
                *vertex = letter.name_or(&mut next);
                letter.regions |= if vertex.is_letter() { region } else { 0 };
                sharing |= letter.regions;
            }
            neighbours.push(sharing);
            start = end;
        }
        kept.letters = usize::from(next) - FIRST;
    }

    /// Regions that share a letter belong to one land.
    fn cut_into_lands(&mut self) {
        let regions = self.kept.faces.len();
        if regions > u64::BITS as usize {
            return self.cut_many_into_lands();
        }
        let all = u64::MAX.unbounded_shr(u64::BITS - regions as u32);
        let mut land = spread(all & 1, all, &self.neighbours);
        self.parts = u16::from(all != 0);
        if land == all {
            return;
        }
        self.lands.clear();
        self.lands.resize(regions, 0);
        let mut left = all & !land;
        while left != 0 {
            land = spread(left & left.wrapping_neg(), left, &self.neighbours);
            for (region, of) in self.lands.iter_mut().enumerate() {
                *of = if land >> region & 1 == 0 {
                    *of
                } else {
                    self.parts
                };
            }
            left &= !land;
            self.parts += 1;
        }
    }

    /// The same where there are too many regions for bits.
    #[cold]
    fn cut_many_into_lands(&mut self) {
        let Self { kept, lands, .. } = self;
        let regions = kept.faces.len();
        let mut roots: Vec<u16> = (0..regions as u16).collect();
        let mut homes = vec![u16::MAX; kept.letters];
        for (index, (region, _)) in (0..).zip(kept.regions()) {
            for id in region.iter().filter_map(|vertex| vertex.id()) {
                match homes[id] {
                    u16::MAX => homes[id] = index,
                    home => join(&mut roots, home, index),
                }
            }
        }
        lands.clear();
        self.parts = 0;
        for index in 0..regions as u16 {
            // A root comes first of its land.
            let land = match root(&mut roots, index) {
                first if first < index => lands[usize::from(first)],
                _ => {
                    self.parts += 1;
                    self.parts - 1
                }
            };
            lands.push(land);
        }
    }

    fn each_of_several(&mut self, mut show: impl FnMut(&Sketch)) {
        self.take_letters(self.kept.letters);
        let Self {
            kept,
            letters,
            lands,
            land,
            parts,
            ..
        } = self;
        for part in 0..*parts {
            land.clear();
            let mut next = Vertex::FIRST_LETTER;
            for ((region, zeros), of) in kept.regions().zip(&*lands) {
                if *of == part {
                    let name = |&vertex: &Vertex| letters[vertex.number()].name_or(&mut next);
                    land.vertices.extend(region.iter().map(name));
                    land.close_face(zeros as usize);
                }
            }
            land.letters = usize::from(next) - FIRST;
            show(land);
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

/// Makes a region of two or three lives one boundary, a pair of letters one `2`; returns how much
/// is left.
fn flatten(vertices: &mut [Vertex]) -> usize {
    let mut flat = [Vertex::END; MOST_FLAT + 1];
    let mut kept = 0;
    for (index, &vertex) in vertices.iter().enumerate() {
        let is_letter = vertex.is_letter();
        if vertex == Vertex::END || is_letter && vertices[..index].contains(&vertex) {
            continue;
        }
        let is_pair = is_letter && vertices[index + 1..].contains(&vertex);
        flat[kept] = if is_pair { Vertex::TWO } else { vertex };
        kept += 1;
    }
    // With the end of the boundary, which is not longer than before.
    vertices[..=kept].copy_from_slice(&flat[..=kept]);
    kept + 1
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
