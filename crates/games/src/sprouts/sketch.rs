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
    /// Letters in which a curve ends, if any: they occur once more for each end.
    pub(super) worn: [Vertex; 2],
    /// How many of the regions, from the first on, hold nothing that could be reduced, apart from
    /// worn letters.
    pub(super) settled: usize,
}

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

    /// The vertices of a region.
    #[inline]
    pub(super) fn region(&self, index: usize) -> &[Vertex] {
        let start = match index {
            0 => 0,
            _ => self.faces[index - 1].end,
        };
        &self.vertices[start as usize..self.faces[index].end as usize]
    }
}
