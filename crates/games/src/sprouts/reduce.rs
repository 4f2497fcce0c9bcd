//! Forgetting what no longer matters: dead vertices, dead regions, shapes without effect.
//!
//! After Applegate, Jacobson and Sleator (1991) and their successors, Lemoine and Viennot's GLOP
//! and SPOTS. In a region of two or three lives shape has no effect, so it becomes a single
//! boundary. A letter left with one occurrence must become a `2`: it would count as reachable
//! from two sides otherwise, and its third occurrence would never come.
//!
//! Each step is done once, in order: later ones give earlier ones nothing new to do.

use super::drawing::{Drawing, Region, Vertex};

/// Reduces drawings and cuts them into lands; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Reducer {
    /// What is left.
    pub(super) drawing: Drawing<Vertex>,
    /// Land and index of each region, sorted: regions of a land stand together.
    lands: Vec<(u32, u32)>,
    /// How often each letter occurs.
    counts: Vec<u32>,
    /// The region each letter was seen in last.
    seen: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Reducer {
    /// Reduces `from` into [`drawing`](Self::drawing) and cuts it into [`lands`](Self::lands).
    pub(super) fn reduce(&mut self, from: &Drawing<Vertex>) {
        self.count(from);
        self.drawing.clear();
        self.drawing.letters = from.letters;
        for &region in &from.regions {
            self.reduce_region(from, region);
        }
        for vertex in &mut self.drawing.vertices {
            if vertex.id().is_some_and(|id| self.counts[id] == 1) {
                *vertex = Vertex::TWO;
            }
        }
        self.cut_into_lands();
    }

    /// The regions of each land.
    pub(super) fn lands(&self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        let lands = self.lands.chunk_by(|a, b| a.0 == b.0);
        lands.map(|land| land.iter().map(|&(_, region)| region as usize))
    }

    fn count(&mut self, from: &Drawing<Vertex>) {
        self.counts.clear();
        self.counts.resize(from.letters, 0);
        self.seen.clear();
        self.seen.resize(from.letters, NOWHERE);
        for id in from.vertices.iter().filter_map(|vertex| vertex.id()) {
            self.counts[id] += 1;
        }
    }

    fn reduce_region(&mut self, from: &Drawing<Vertex>, region: Region) {
        let before = self.drawing.mark();
        let (first, first_boundary) = (self.drawing.vertices.len(), self.drawing.boundaries.len());
        for boundary in from.boundaries_of(region) {
            self.copy_living(boundary);
        }
        let lives = self.lives_after(first) + 3 * region.zeros;
        if lives < 2 {
            for vertex in &self.drawing.vertices[first..] {
                if let Some(id) = vertex.id() {
                    self.counts[id] -= 1;
                }
            }
            self.drawing.back_to(before);
            return;
        }
        let pairs = self.pairs_after(first);
        let boundaries = self.drawing.boundaries.len() - first_boundary;
        // With at most three lives a spot is alone, and without pairs one boundary is flat.
        if lives - pairs <= 3 && pairs + boundaries > 1 {
            let mut vertices = [Vertex::TWO; 6];
            let kept = self.flatten(first, &mut vertices);
            self.drawing.back_to(before);
            self.drawing.push_boundary(&vertices[..kept]);
        }
        self.drawing.close_region(region.zeros);
    }

    /// Copies a boundary without dead letters, and a letter next to itself only once.
    fn copy_living(&mut self, boundary: &[Vertex]) {
        let start = self.drawing.vertices.len();
        for &vertex in boundary {
            if let Some(id) = vertex.id() {
                if self.counts[id] >= 3 {
                    continue;
                }
                if self.drawing.vertices[start..].last() == Some(&vertex) {
                    self.counts[id] -= 1;
                    continue;
                }
            }
            self.drawing.push(vertex);
        }
        if let [first, .., last] = self.drawing.vertices[start..]
            && let (true, Some(id)) = (first == last, first.id())
        {
            self.counts[id] -= 1;
            self.drawing.vertices.pop();
        }
        if self.drawing.vertices.len() > start {
            self.drawing.close_boundary();
        }
    }

    fn lives_after(&self, first: usize) -> usize {
        let vertices = self.drawing.vertices[first..].iter();
        vertices.map(|vertex| vertex.lives()).sum()
    }

    /// How many letters have both occurrences in the region that begins at `first`.
    fn pairs_after(&mut self, first: usize) -> usize {
        let this = self.drawing.regions.len() as u32;
        let mut pairs = 0;
        for vertex in &self.drawing.vertices[first..] {
            if let Some(id) = vertex.id() {
                pairs += usize::from(self.seen[id] == this);
                self.seen[id] = this;
            }
        }
        pairs
    }

    /// The vertices of a small region, a pair of letters as one `2`.
    fn flatten(&mut self, first: usize, into: &mut [Vertex; 6]) -> usize {
        let vertices = &self.drawing.vertices[first..];
        let mut kept = 0;
        for (index, &vertex) in vertices.iter().enumerate() {
            let is_letter = vertex.id().is_some();
            if is_letter && vertices[..index].contains(&vertex) {
                continue;
            }
            let is_pair = is_letter && vertices[index + 1..].contains(&vertex);
            into[kept] = if is_pair { Vertex::TWO } else { vertex };
            kept += 1;
        }
        kept
    }

    /// Regions that share a letter belong to one land, named after its first region.
    fn cut_into_lands(&mut self) {
        let Self {
            drawing,
            lands,
            seen,
            ..
        } = self;
        lands.clear();
        lands.extend((0..drawing.regions.len() as u32).map(|region| (region, region)));
        seen.fill(NOWHERE);
        for (index, &region) in drawing.regions.iter().enumerate() {
            for vertex in drawing.boundaries_of(region).flatten() {
                let Some(id) = vertex.id() else { continue };
                if seen[id] != NOWHERE {
                    join(lands, seen[id], index as u32);
                }
                seen[id] = index as u32;
            }
        }
        for index in 0..lands.len() {
            lands[index].0 = root(lands, index as u32);
        }
        lands.sort_unstable();
    }
}

fn root(lands: &mut [(u32, u32)], mut region: u32) -> u32 {
    while lands[region as usize].0 != region {
        let above = lands[region as usize].0;
        lands[region as usize].0 = lands[above as usize].0;
        region = above;
    }
    region
}

fn join(lands: &mut [(u32, u32)], one: u32, other: u32) {
    let (one, other) = (root(lands, one), root(lands, other));
    lands[one.max(other) as usize].0 = one.min(other);
}
