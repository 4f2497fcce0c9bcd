//! A drawing as one string: what curves are drawn in, and what reduction leaves of it.
//!
//! Children are made by the million and most of them only to be recognised, so that they are
//! held as plainly as possible: vertices in a row, each boundary closed by
//! [`Vertex::END`], and for each region where it ends and how many isolated spots are in it.

use super::drawing::{Drawing, Region, Vertex};

/// Regions of boundaries of vertices, in a row.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    pub(super) vertices: Vec<Vertex>,
    pub(super) faces: Vec<Face>,
    /// The ids of all letters are below this number. Each occurs twice or not at all, but:
    pub(super) letters: usize,
    /// Letters in which a curve ends, if any: they are dead, wherever they still occur.
    pub(super) worn: [Vertex; 2],
    /// How many of the regions, from the first on, hold nothing that could be reduced, apart from
    /// worn letters.
    pub(super) settled: usize,
    /// A settled region that each letter stands in.
    homes: Vec<u32>,
}

/// No settled region.
const NOWHERE: u32 = u32::MAX;

/// A region: it begins where the one before ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    pub(super) end: u32,
    pub(super) zeros: u32,
}

/// How far a sketch was filled, at the end of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    vertices: usize,
    faces: usize,
}

impl Default for Sketch {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            faces: Vec::new(),
            letters: 0,
            worn: NOT_WORN,
            settled: 0,
            homes: Vec::new(),
        }
    }
}

/// No letter is worn.
pub(super) const NOT_WORN: [Vertex; 2] = [Vertex::END; 2];

impl Sketch {
    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.faces.clear();
        self.letters = 0;
        self.worn = NOT_WORN;
        self.settled = 0;
        self.homes.clear();
    }

    /// All regions so far hold nothing that could be reduced, apart from letters that will be worn.
    pub(super) fn settle(&mut self) {
        self.settled = self.faces.len();
        let mut homes = std::mem::take(&mut self.homes);
        homes.clear();
        homes.resize(self.letters, NOWHERE);
        for (index, (region, _)) in (0..).zip(self.regions()) {
            for id in region.iter().filter_map(|vertex| vertex.id()) {
                homes[id] = index;
            }
        }
        self.homes = homes;
    }

    /// The settled regions that worn letters stand in.
    #[inline]
    pub(super) fn worn_regions(&self) -> [usize; 2] {
        self.worn.map(|vertex| {
            let home = vertex.id().and_then(|id| self.homes.get(id));
            home.map_or(usize::MAX, |&home| home as usize)
        })
    }

    /// Becomes the same as a drawing.
    pub(super) fn copy(&mut self, drawing: &Drawing<Vertex>) {
        self.clear();
        self.letters = drawing.letters;
        for &region in &drawing.regions {
            self.push_region(drawing, region);
        }
    }

    /// Adds a region of a drawing as it is; ids keep their meaning.
    pub(super) fn push_region(&mut self, drawing: &Drawing<Vertex>, region: Region) {
        for boundary in drawing.boundaries_of(region) {
            self.push_boundary(boundary);
        }
        self.close_face(region.zeros);
    }

    #[inline]
    pub(super) fn push_boundary(&mut self, boundary: &[Vertex]) {
        self.vertices.extend_from_slice(boundary);
        self.vertices.push(Vertex::END);
    }

    /// The boundaries pushed since the last region was closed become a region.
    #[inline]
    pub(super) fn close_face(&mut self, zeros: usize) {
        // Lives are bounded far below.
        let (end, zeros) = (self.vertices.len() as u32, zeros as u32);
        self.faces.push(Face { end, zeros });
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            vertices: self.vertices.len(),
            faces: self.faces.len(),
        }
    }

    /// Forgets what was added after `mark`.
    #[inline]
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.vertices.truncate(mark.vertices);
        self.faces.truncate(mark.faces);
    }

    /// The vertices of each region, and its spots.
    #[inline]
    pub(super) fn regions(&self) -> impl Iterator<Item = (&[Vertex], u32)> {
        self.regions_from(0).map(|(_, region)| region)
    }

    /// The same from some region on, with their indices.
    #[inline]
    pub(super) fn regions_from(
        &self,
        first: usize,
    ) -> impl Iterator<Item = (usize, (&[Vertex], u32))> {
        let before = self.faces[..first].last();
        let mut start = before.map_or(0, |face| face.end as usize);
        (first..)
            .zip(&self.faces[first..])
            .map(move |(index, face)| {
                let end = face.end as usize;
                let region = &self.vertices[std::mem::replace(&mut start, end)..end];
                (index, (region, face.zeros))
            })
    }
}

/// The first boundary of some vertices, without its end, and what comes behind.
#[inline]
pub(super) fn split_boundary(vertices: &[Vertex]) -> (&[Vertex], &[Vertex]) {
    let length = vertices.iter().position(|&vertex| vertex == Vertex::END);
    let length = length.unwrap_or(vertices.len());
    let (boundary, rest) = vertices.split_at(length);
    (boundary, rest.get(1..).unwrap_or_default())
}
