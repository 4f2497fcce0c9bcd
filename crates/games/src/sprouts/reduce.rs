//! Forgetting what no longer matters: dead vertices, dead regions, shapes without effect.
//!
//! After Applegate, Jacobson and Sleator (1991) and their successors, Lemoine and Viennot's GLOP
//! and SPOTS. In a region of two or three lives shape has no effect, so it becomes a single
//! boundary. A letter left with one occurrence must become a `2`: it would count as reachable
//! from two sides otherwise, and its third occurrence would never come.
//!
//! Each step is done once, in order: later ones give earlier ones nothing new to do. There are
//! two passes over the vertices: regions are copied, and what has become single or connects regions
//! is noted. Regions that a curve does not touch were reduced before, and are copied as they are.

use super::drawing::Vertex;
use super::sketch::{Face, Sketch};

/// Reduces sketches and cuts them into lands; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Reducer {
    /// What is left.
    pub(super) kept: Sketch,
    /// Land and index of each region. If there are several lands, sorted: regions of a land
    /// stand together.
    lands: Vec<(u32, u32)>,
    /// How often each letter occurs.
    counts: Vec<u8>,
    /// The region each letter was seen in last.
    seen: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

/// With more lives than this a region cannot be down to three even if all letters are pairs.
const SURELY_LARGE: usize = 6;

impl Reducer {
    /// Reduces a sketch into [`kept`](Self::kept) and cuts it into [`lands`](Self::lands).
    pub(super) fn reduce(&mut self, from: &Sketch) {
        self.count(from);
        self.kept.faces.clear();
        self.kept.letters = from.letters;
        // Room for all; what counts ends with the last region.
        if self.kept.vertices.len() < from.vertices.len() {
            self.kept.vertices.resize(from.vertices.len(), Vertex::END);
        }
        let (mut start, mut end) = (0, 0);
        for (index, &face) in from.faces.iter().enumerate() {
            let region = &from.vertices[start..face.end as usize];
            start = face.end as usize;
            let has = |&letter: &Vertex| letter != Vertex::END && region.contains(&letter);
            end = match index < from.settled && !from.worn.iter().any(has) {
                true => self.copy_region(region, face.zeros, end),
                false => self.reduce_region(region, face.zeros, end),
            };
        }
        self.cut_into_lands();
    }

    /// The regions of each land.
    pub(super) fn lands(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        self.lands.chunk_by(|a, b| a.0 == b.0)
    }

    fn count(&mut self, from: &Sketch) {
        self.counts.clear();
        self.counts.resize(from.letters, 2);
        for id in from.worn.iter().filter_map(|vertex| vertex.id()) {
            self.counts[id] += 1;
        }
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
    fn reduce_region(&mut self, vertices: &[Vertex], zeros: u32, first: usize) -> usize {
        let (kept, counts) = (&mut self.kept.vertices[..], &mut self.counts[..]);
        let (mut start, mut end) = (first, first);
        let (mut boundaries, mut lives) = (0, 3 * zeros as usize);
        for &vertex in vertices {
            if let Some(id) = vertex.id() {
                if counts[id] >= 3 {
                    continue;
                }
                // A letter next to itself is there once.
                if end > start && kept[end - 1] == vertex {
                    counts[id] -= 1;
                    continue;
                }
            } else if vertex == Vertex::END {
                if end > start + 1
                    && kept[start] == kept[end - 1]
                    && let Some(id) = kept[start].id()
                {
                    counts[id] -= 1;
                    end -= 1;
                    lives -= 1;
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
                counts[id] -= 1;
            }
            return first;
        }
        if lives <= SURELY_LARGE {
            end = flatten(&mut kept[first..end], boundaries, lives) + first;
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
            lands,
            seen,
            counts,
        } = self;
        let regions = kept.faces.len();
        lands.clear();
        lands.extend((0..regions as u32).map(|region| (region, region)));
        seen.clear();
        seen.resize(kept.letters, NOWHERE);
        let (mut start, mut parts) = (0, regions);
        for (index, face) in kept.faces.iter().enumerate() {
            let end = face.end as usize;
            for vertex in &mut kept.vertices[start..end] {
                let Some(id) = vertex.id() else { continue };
                if counts[id] == 1 {
                    *vertex = Vertex::TWO;
                    continue;
                }
                if seen[id] != NOWHERE && seen[id] != index as u32 {
                    parts -= usize::from(join(lands, seen[id], index as u32));
                }
                seen[id] = index as u32;
            }
            start = end;
        }
        if parts == 1 {
            for land in lands {
                land.0 = 0;
            }
            return;
        }
        for index in 0..regions {
            lands[index].0 = root(lands, index as u32);
        }
        lands.sort_unstable();
    }
}

/// Makes a region of two or three lives one boundary, a pair of letters one `2`; returns how much
/// is left.
fn flatten(vertices: &mut [Vertex], boundaries: usize, lives: usize) -> usize {
    let is_again = |index: usize| {
        vertices[index].id().is_some() && vertices[..index].contains(&vertices[index])
    };
    let pairs = (1..vertices.len()).filter(|&index| is_again(index)).count();
    // With at most three lives a spot is alone, and without pairs one boundary is flat.
    if lives - pairs > 3 || pairs + boundaries <= 1 {
        return vertices.len();
    }
    let mut flat = [Vertex::END; SURELY_LARGE + 1];
    let mut kept = 0;
    for (index, &vertex) in vertices.iter().enumerate() {
        if vertex == Vertex::END || is_again(index) {
            continue;
        }
        let is_pair = vertex.id().is_some() && vertices[index + 1..].contains(&vertex);
        flat[kept] = if is_pair { Vertex::TWO } else { vertex };
        kept += 1;
    }
    // With the end of the boundary, which is not longer than before.
    vertices[..=kept].copy_from_slice(&flat[..=kept]);
    kept + 1
}

fn root(lands: &mut [(u32, u32)], mut region: u32) -> u32 {
    while lands[region as usize].0 != region {
        let above = lands[region as usize].0;
        lands[region as usize].0 = lands[above as usize].0;
        region = above;
    }
    region
}

/// Whether they were apart.
fn join(lands: &mut [(u32, u32)], one: u32, other: u32) -> bool {
    let (one, other) = (root(lands, one), root(lands, other));
    lands[one.max(other) as usize].0 = one.min(other);
    one != other
}
