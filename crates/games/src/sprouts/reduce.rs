//! Forgetting what no longer matters: dead vertices, dead regions, shapes without effect.
//!
//! After Applegate, Jacobson and Sleator (1991) and their successors, Lemoine and Viennot's GLOP
//! and SPOTS. In a region of two or three lives shape has no effect, so it becomes a single
//! boundary. A letter left with one occurrence must become a `2`: it would count as reachable
//! from two sides otherwise, and its third occurrence would never come.
//!
//! Each step is done once, in order: later ones give earlier ones nothing new to do. At last letters
//! are named by first appearance, and which regions share one is noted. Naming asks no question about
//! a vertex, since nobody can guess what it is: all are looked up in one table, and regions are bits.
//!
//! Of a child little is new. The regions that its curve does not lie in were reduced before, apart from
//! letters that the curve ends in; so were all boundaries but those along the curve. And all children
//! of a curve have these in common, except for what falls on which side. So a curve is begun once, with
//! the other regions named, and a child adds its regions, of boundaries that are known to be reduced. A
//! region that dies has no letter but the new one, so that the names given before stay.

use std::hint::select_unpredictable;

use super::drawing::Vertex;
use super::lands::Lands;
use super::row::Row;
use super::sketch::{Sketch, Vertices};
use super::survey::mix;

/// Reduces sketches and cuts them into lands; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Reducer {
    /// What is left.
    kept: Sketch,
    /// The regions whose letters are named, by first appearance, the next name and a hash of all that
    /// is named.
    named: usize,
    next: u16,
    hash: u64,
    /// By the number of the vertex; what is no letter is there too, and its own name.
    letters: Vec<Letter>,
    /// What there is before anything happens to letters, of more of them.
    fresh: Vec<Letter>,
    lands: Lands,
    /// The new boundaries of a curve.
    sides: [Side; 2],
    /// The region being drawn.
    open: Tally,
    common: Common,
    /// Several lands, and the names of letters in them.
    parts: Vec<Sketch>,
    names: Row<u16, 16>,
}

/// A new boundary, reduced, with its end if there is anything left.
#[derive(Clone, Debug, Default)]
struct Side {
    vertices: Vertices,
    tally: Tally,
}

/// What children of a curve have in common: all that was there before the first one.
#[derive(Clone, Debug, Default)]
struct Common {
    letters: Vec<Letter>,
    vertices: usize,
    regions: usize,
    next: u16,
    hash: u64,
}

/// What decides about a region, apart from its spots: its boundaries, the letters that occur twice in
/// it, and its lives, with one for each occurrence of a letter. All in one number, added up at once:
/// there are fewer of each than a third of the bits can count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally(u64);

const THIRD: u32 = 21;
const BOUNDARY: u64 = 1;
const PAIR: u64 = 1 << THIRD;
const LIFE: u64 = 1 << (2 * THIRD);

impl Tally {
    #[inline]
    pub(super) fn new(boundaries: usize, pairs: usize, lives: usize) -> Self {
        Self(boundaries as u64 * BOUNDARY + pairs as u64 * PAIR + lives as u64 * LIFE)
    }

    /// So many times as much.
    #[inline]
    pub(super) fn times(self, number: usize) -> Self {
        Self(number as u64 * self.0)
    }

    #[inline]
    fn add(&mut self, other: Self) {
        self.0 += other.0;
    }

    #[inline]
    fn boundaries(self) -> usize {
        (self.0 % PAIR) as usize
    }

    #[inline]
    fn pairs(self) -> usize {
        (self.0 / PAIR % PAIR) as usize
    }

    #[inline]
    fn lives(self) -> usize {
        (self.0 / LIFE) as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Letter {
    /// How often it occurs, once more for each curve that ends in it: with three it is dead.
    count: i32,
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

    /// What is no letter keeps its name, however often it is lost, and never dies.
    const fn named(name: u16) -> Self {
        Self {
            count: i32::MIN / 2,
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
}

/// The vertex that a letter becomes: without a name it takes the next one, which is more than all
/// taken before.
#[inline]
fn name_or(name: &mut u16, next: &mut u16) -> Vertex {
    let is_new = *name >= *next;
    *name = (*name).min(*next);
    *next += u16::from(is_new);
    Vertex::numbered(*name)
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
        self.clear(from.letters);
        for (index, (region, zeros)) in (0..).zip(from.regions()) {
            self.reduce_region(region, zeros, index);
        }
        self.finish();
    }

    /// Begins a curve: the regions that it does not lie in, the letters that it ends in and are dead,
    /// and the boundaries along it.
    pub(super) fn begin(&mut self, others: &Sketch, worn: [Vertex; 2], sides: &[Vec<Vertex>; 2]) {
        self.clear(others.letters);
        for id in worn.iter().filter_map(|vertex| vertex.id()) {
            self.letters[FIRST + id].count += 1;
        }
        let worn @ [one, other] = others.homes_of(worn);
        let settled = others.faces.len().min(one).min(other);
        self.kept.push_regions(others, settled);
        for (index, (region, zeros)) in others.regions_from(settled) {
            match worn.contains(&index) {
                true => self.reduce_region(region, zeros, index as u16),
                false => {
                    let end = others.faces[index].end as usize;
                    let start = end - region.len();
                    self.kept
                        .vertices
                        .append(&others.vertices, start, region.len());
                    self.kept.close_face(zeros as usize);
                }
            }
        }
        for (index, (side, boundary)) in self.sides.iter_mut().zip(sides).enumerate() {
            let region = others.faces.len() + index;
            side.reduce(boundary, &mut self.letters, region as u16);
        }
    }

    /// The curve has several children: remembers what they have in common.
    pub(super) fn remember(&mut self) {
        self.name_letters();
        self.common.letters.clone_from(&self.letters);
        self.common.vertices = self.kept.vertices.len();
        self.common.regions = self.kept.faces.len();
        (self.common.next, self.common.hash) = (self.next, self.hash);
    }

    /// Goes back to what was remembered.
    #[inline]
    pub(super) fn recall(&mut self) {
        let Common {
            letters,
            vertices,
            regions,
            next,
            hash,
        } = &self.common;
        self.letters.copy_from_slice(letters);
        self.kept.vertices.truncate(*vertices);
        self.kept.faces.truncate(*regions);
        self.lands.truncate(*regions);
        (self.named, self.next, self.hash) = (*regions, *next, *hash);
    }

    /// Draws a boundary along the curve.
    #[inline]
    pub(super) fn push_side(&mut self, side: usize) {
        let Side { vertices, tally } = &self.sides[side];
        self.kept.vertices.append(vertices, 0, vertices.len());
        self.open.add(*tally);
    }

    /// Draws boundaries that nothing has happened to: so many vertices and ends of a row, and what
    /// they add up to.
    #[inline]
    pub(super) fn push_boundaries(
        &mut self,
        row: &Vertices,
        start: usize,
        number: usize,
        tally: Tally,
    ) {
        self.kept.vertices.append(row, start, number);
        self.open.add(tally);
    }

    /// The boundaries drawn since the last region was closed become one, if enough is left of it.
    #[inline]
    pub(super) fn close_region(&mut self, zeros: usize) {
        let tally = std::mem::take(&mut self.open);
        let lives = tally.lives() + 3 * zeros;
        if lives < 2 {
            return self.lose_region();
        }
        // With at most three lives a spot is alone, and without pairs one boundary is flat.
        let pairs = tally.pairs();
        if lives - pairs <= 3 && pairs + tally.boundaries() > 1 {
            self.flatten_region();
        }
        self.kept.close_face(zeros);
    }

    /// Drops what was drawn of a region that is dead.
    #[inline(never)]
    fn lose_region(&mut self) {
        let first = self.kept.last_end();
        let vertices = &mut self.kept.vertices;
        for vertex in &vertices[first..] {
            self.letters[vertex.number()].lose();
        }
        vertices.truncate(first);
    }

    #[inline(never)]
    fn flatten_region(&mut self) {
        let first = self.kept.last_end();
        let vertices = &mut self.kept.vertices;
        let left = flatten(&mut vertices[first..]);
        vertices.truncate(first + left);
    }

    /// All regions are drawn: cuts them into lands.
    #[inline]
    pub(super) fn finish(&mut self) {
        self.name_letters();
        self.lands.cut(&self.kept);
    }

    /// What is left, if it is a single land, its letters named by first appearance.
    #[inline]
    pub(super) fn only_land(&self) -> Option<&Sketch> {
        (self.lands.number() == 1).then_some(&self.kept)
    }

    /// Shows every land, its letters named by first appearance.
    #[inline]
    pub(super) fn each_land(&mut self, mut show: impl FnMut(&Sketch)) {
        match self.lands.number() {
            1 => show(&self.kept),
            _ => self.each_of_several(show),
        }
    }

    /// Whether a sketch whose letters are named by first appearance was a single land and is all
    /// that is left.
    pub(super) fn has_left_all(&self, of: &Sketch) -> bool {
        let Sketch {
            faces, vertices, ..
        } = &self.kept;
        self.lands.number() == 1 && faces[..] == of.faces[..] && vertices[..] == of.vertices[..]
    }

    /// Begins with so many letters and no region.
    #[inline]
    fn clear(&mut self, letters: usize) {
        let Self { fresh, .. } = self;
        if fresh.len() < FIRST + letters {
            fresh.clear();
            fresh.extend([0, 1, 2].map(Letter::named));
            fresh.resize(2 * (FIRST + letters), Letter::NEW);
        }
        self.letters.clear();
        self.letters.extend_from_slice(&fresh[..FIRST + letters]);
        self.kept.clear();
        self.lands.truncate(0);
        (self.named, self.next, self.hash) = (0, Vertex::FIRST_LETTER, NO_HASH);
    }

    /// Draws what is left of a region.
    #[inline]
    fn reduce_region(&mut self, region: &[Vertex], zeros: u32, index: u16) {
        self.open = compact(region, &mut self.kept.vertices, &mut self.letters, index);
        self.close_region(zeros as usize);
    }

    /// Names the letters of regions that were drawn by first appearance, but those that are alone
    /// become `2`; finds the regions that share letters.
    #[inline]
    fn name_letters(&mut self) {
        let Sketch {
            vertices, faces, ..
        } = &mut self.kept;
        let (vertices, faces) = (&mut vertices[..], &faces[..]);
        let letters = &mut self.letters[..];
        let (mut next, mut hash) = (self.next, self.hash);
        let (before, new) = faces.split_at(self.named);
        let mut start = before.last().map_or(0, |face| face.end) as usize;
        let mut region = 1u64.wrapping_shl(self.named as u32);
        for (face, neighbours) in new.iter().zip(self.lands.add_up_to(faces.len())) {
            let end = face.end as usize;
            let mut sharing = region;
            for vertex in &mut vertices[start..end] {
                let letter = &mut letters[vertex.number()];
                *vertex = name_or(&mut letter.name, &mut next);
                hash = hash_further(hash, vertex.number());
                letter.regions |= region;
                sharing |= letter.regions;
            }
            // What is no letter is shared with none.
            for other in &mut letters[..FIRST] {
                other.regions = 0;
            }
            *neighbours = sharing;
            hash = hash_further(hash, face.zeros as usize);
            start = end;
            region = region.rotate_left(1);
        }
        self.named = faces.len();
        (self.next, self.hash) = (next, hash);
        self.kept.letters = usize::from(next) - FIRST;
        self.kept.hash = mix(hash);
    }

    /// Each region is added to its land as it comes: to look for those of one land after another would
    /// be to guess each time.
    fn each_of_several(&mut self, mut show: impl FnMut(&Sketch)) {
        let number = usize::from(self.lands.number());
        if self.parts.len() < number {
            self.parts.resize_with(number, Sketch::default);
        }
        let parts = &mut self.parts[..number];
        for part in &mut *parts {
            part.clear();
            part.hash = NO_HASH;
        }
        self.names.fill(FIRST + self.kept.letters, UNNAMED);
        let names = &mut self.names[..];
        names[..FIRST].copy_from_slice(&[0, 1, 2]);
        for ((region, zeros), &of) in self.kept.regions().zip(self.lands.of_regions()) {
            let part = &mut parts[usize::from(of)];
            let mut next = (FIRST + part.letters) as u16;
            let mut hash = part.hash;
            for (vertex, place) in region.iter().zip(part.vertices.room(region.len())) {
                *place = name_or(&mut names[vertex.number()], &mut next);
                hash = hash_further(hash, place.number());
            }
            part.vertices.advance(region.len());
            part.close_face(zeros as usize);
            part.letters = usize::from(next) - FIRST;
            part.hash = hash_further(hash, zeros as usize);
        }
        for part in parts {
            part.hash = mix(part.hash);
            show(part);
        }
    }
}

impl Side {
    /// Becomes what is left of a boundary.
    #[inline]
    fn reduce(&mut self, boundary: &[Vertex], letters: &mut [Letter], region: u16) {
        self.vertices.clear();
        self.tally = match boundary {
            [] => Tally::default(),
            _ => compact(boundary, &mut self.vertices, letters, region),
        };
    }
}

/// The hash of something and one number more. It is not spread to all bits, so that it does not wait
/// for long.
#[inline]
fn hash_further(hash: u64, number: usize) -> u64 {
    // An odd factor that fits into an instruction.
    hash.wrapping_add(number as u64).wrapping_mul(0x5bd1_e995)
}

/// The hash of nothing.
const NO_HASH: u64 = 1;

/// Adds boundaries of a region but for what is dead or next to itself; returns what they add up to.
#[inline]
fn compact(from: &[Vertex], into: &mut Vertices, letters: &mut [Letter], region: u16) -> Tally {
    let vertices = into.room(from.len());
    let (mut start, mut end) = (0, 0);
    let mut last = Vertex::END;
    let mut tally = 0;
    for &vertex in from {
        if vertex == Vertex::END {
            let first = vertices[start];
            if first.is_letter() & (first == last) & (end > start + 1) {
                letters[first.number()].lose();
                end -= 1;
                tally -= LIFE + PAIR;
            }
            let is_left = end > start;
            vertices[end] = Vertex::END;
            end += usize::from(is_left);
            tally += BOUNDARY * u64::from(is_left);
            (start, last) = (end, Vertex::END);
            continue;
        }
        // Nobody can guess what it is, and few are letters next to themselves.
        let letter = &mut letters[vertex.number()];
        let is_letter = vertex.is_letter();
        if is_letter & (vertex == last) {
            letter.lose();
            continue;
        }
        let is_left = letter.count < 3;
        let pairs = u64::from(is_letter & (letter.region == region));
        letter.region = region;
        let lives = LIFE << u32::from(vertex == Vertex::ONE);
        tally += select_unpredictable(is_left, lives + PAIR * pairs, 0);
        vertices[end] = vertex;
        end += usize::from(is_left);
        last = select_unpredictable(is_left, vertex, last);
    }
    into.advance(end);
    Tally(tally)
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
