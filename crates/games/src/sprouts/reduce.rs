//! Forgetting what no longer matters: dead vertices, dead regions, shapes without effect.
//!
//! After Applegate, Jacobson and Sleator (1991) and their successors, Lemoine and Viennot's GLOP
//! and SPOTS. In a region of two or three lives shape has no effect, so it becomes a single
//! boundary. A letter left with one occurrence must become a `2`: it would count as reachable
//! from two sides otherwise, and its third occurrence would never come.
//!
//! Each step is done once, in order: later ones give earlier ones nothing new to do. There are
//! two passes over the vertices: regions are copied; then letters are named by first appearance, and
//! what has become single or connects regions is noted. Regions that a curve does not touch were
//! reduced before, and are copied as they are.

use super::drawing::Vertex;
use super::sketch::{Face, Sketch};

/// Reduces sketches and cuts them into lands; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Reducer {
    /// What is left, its letters named by first appearance.
    kept: Sketch,
    letters: Vec<Letter>,
    /// A region of the same land for each region, itself for the first of a land.
    roots: Vec<u32>,
    /// How many lands there are.
    parts: usize,
    /// One of several lands, and the names of letters there.
    land: Sketch,
    names: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Letter {
    /// How often it occurs.
    count: u8,
    name: u16,
    /// A region that it was seen in.
    region: u32,
}

impl Letter {
    const NEW: Self = Self {
        count: 2,
        name: UNNAMED,
        region: u32::MAX,
    };
}

/// More than there are letters.
const UNNAMED: u16 = u16::MAX;

/// The most vertices of a region of three lives: all of them letters, each twice.
const MOST_FLAT: usize = 6;

impl Reducer {
    /// Reduces a sketch and cuts it into lands.
    pub(super) fn reduce(&mut self, from: &Sketch) {
        self.letters.resize(from.letters, Letter::NEW);
        self.letters.fill(Letter::NEW);
        for id in from.worn.iter().filter_map(|vertex| vertex.id()) {
            self.letters[id].count += 1;
        }
        self.kept.faces.clear();
        self.kept.vertices.resize(from.vertices.len(), Vertex::END);
        let worn = from.worn_regions();
        let mut end = 0;
        for (index, (region, zeros)) in from.regions().enumerate() {
            end = match index < from.settled && !worn.contains(&index) {
                true => self.copy_region(region, zeros, end),
                false => self.reduce_region(region, zeros, index as u32, end),
            };
        }
        self.kept.vertices.truncate(end);
        self.cut_into_lands();
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
        region: u32,
        first: usize,
    ) -> usize {
        let (kept, letters) = (&mut self.kept.vertices[..], &mut self.letters[..]);
        let (mut start, mut end) = (first, first);
        // Pairs are letters that occur twice.
        let (mut boundaries, mut pairs, mut lives) = (0, 0, 3 * zeros as usize);
        for &vertex in vertices {
            if let Some(id) = vertex.id() {
                let letter = &mut letters[id];
                if letter.count >= 3 {
                    continue;
                }
                // A letter next to itself is there once.
                if end > start && kept[end - 1] == vertex {
                    letter.count -= 1;
                    continue;
                }
                pairs += usize::from(letter.region == region);
                letter.region = region;
            } else if vertex == Vertex::END {
                if end > start + 1
                    && kept[start] == kept[end - 1]
                    && let Some(id) = kept[start].id()
                {
                    letters[id].count -= 1;
                    end -= 1;
                    lives -= 1;
                    pairs -= 1;
                }
                if end > start {
                    kept[end] = Vertex::END;
                    end += 1;
                    start = end;
                    boundaries += 1;
                }
                continue;
            }
            lives += vertex.lives();
            kept[end] = vertex;
            end += 1;
        }
        if lives < 2 {
            for id in kept[first..end].iter().filter_map(|vertex| vertex.id()) {
                letters[id].count -= 1;
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

    /// Regions that share a letter belong to one land, named after its first region. Letters that
    /// are alone become `2`.
    fn cut_into_lands(&mut self) {
        let Self {
            kept,
            letters,
            roots,
            ..
        } = self;
        let regions = kept.faces.len();
        roots.clear();
        roots.extend(0..regions as u32);
        let (mut start, mut parts, mut named) = (0, regions, 0);
        for (index, face) in (0..).zip(&kept.faces) {
            let end = face.end as usize;
            for vertex in &mut kept.vertices[start..end] {
                let Some(id) = vertex.id() else { continue };
                let letter = &mut letters[id];
                if letter.count == 1 {
                    *vertex = Vertex::TWO;
                    continue;
                }
                if letter.name == UNNAMED {
                    letter.name = named;
                    letter.region = index;
                    named += 1;
                } else if letter.region != index {
                    parts -= usize::from(join(roots, letter.region, index));
                }
                *vertex = Vertex::letter(letter.name.into());
            }
            start = end;
        }
        kept.letters = named.into();
        self.parts = parts;
    }

    fn each_of_several(&mut self, mut show: impl FnMut(&Sketch)) {
        let Self {
            kept,
            roots,
            land,
            names,
            ..
        } = self;
        names.clear();
        names.resize(kept.letters, UNNAMED);
        for first in 0..roots.len() as u32 {
            if roots[first as usize] != first {
                continue;
            }
            land.clear();
            for (index, (region, zeros)) in (0..).zip(kept.regions()) {
                if root(roots, index) != first {
                    continue;
                }
                for &vertex in region {
                    let vertex = vertex.id().map_or(vertex, |id| {
                        if names[id] == UNNAMED {
                            names[id] = land.letters as u16;
                            land.letters += 1;
                        }
                        Vertex::letter(names[id].into())
                    });
                    land.vertices.push(vertex);
                }
                land.close_face(zeros as usize);
            }
            show(land);
        }
    }
}

/// Makes a region of two or three lives one boundary, a pair of letters one `2`; returns how much
/// is left.
fn flatten(vertices: &mut [Vertex]) -> usize {
    let mut flat = [Vertex::END; MOST_FLAT + 1];
    let mut kept = 0;
    for (index, &vertex) in vertices.iter().enumerate() {
        let is_letter = vertex.id().is_some();
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

fn root(roots: &mut [u32], mut region: u32) -> u32 {
    while roots[region as usize] != region {
        let above = roots[region as usize];
        roots[region as usize] = roots[above as usize];
        region = above;
    }
    region
}

/// Whether they were apart.
fn join(roots: &mut [u32], one: u32, other: u32) -> bool {
    let (one, other) = (root(roots, one), root(roots, other));
    roots[one.max(other) as usize] = one.min(other);
    one != other
}
