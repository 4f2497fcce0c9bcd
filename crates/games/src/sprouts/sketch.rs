//! A drawing as one string: what curves are drawn in, and what reduction leaves of it.
//!
//! Children are made by the million and most of them only to be recognised, so that they are
//! held as plainly as possible: vertices in a row, each boundary closed by
//! [`Vertex::END`], and for each region where it ends and how many isolated spots are in it.

use super::drawing::{Drawing, Region, Vertex};
use super::row::Row;

/// Vertices in a row: mostly a boundary or two are added at a time.
pub(super) type Vertices = Row<Vertex, 8>;

/// Regions of boundaries of vertices, in a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketch {
    pub(super) vertices: Vertices,
    pub(super) faces: Row<Face, 4>,
    /// The ids of all letters are below this number.
    pub(super) letters: usize,
    /// A hash of everything, as far as somebody has worked it out.
    pub(super) hash: u64,
    /// A region that each letter stands in, if somebody asked for that.
    homes: Vec<u32>,
}

/// No region.
const NOWHERE: u32 = u32::MAX;

/// A region: it begins where the one before ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Face {
    pub(super) end: u32,
    pub(super) zeros: u32,
}

impl Sketch {
    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.faces.clear();
        self.letters = 0;
        self.hash = 0;
    }

    /// Finds a region for each letter, that it stands in.
    pub(super) fn find_homes(&mut self) {
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

    /// The regions found for two vertices, if they are letters.
    #[inline]
    pub(super) fn homes_of(&self, vertices: [Vertex; 2]) -> [usize; 2] {
        vertices.map(|vertex| {
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

    /// Adds the first regions of another sketch as they are.
    #[inline]
    pub(super) fn push_regions(&mut self, from: &Self, regions: usize) {
        let faces = &from.faces[..regions];
        let end = faces.last().map_or(0, |face| face.end as usize);
        self.faces.append(&from.faces, 0, regions);
        self.vertices.append(&from.vertices, 0, end);
    }

    fn push_boundary(&mut self, boundary: &[Vertex]) {
        self.vertices.extend(boundary);
        self.vertices.push(Vertex::END);
    }

    /// The boundaries pushed since the last region was closed become a region.
    #[inline]
    pub(super) fn close_face(&mut self, zeros: usize) {
        // Lives are bounded far below.
        let (end, zeros) = (self.vertices.len() as u32, zeros as u32);
        self.faces.push(Face { end, zeros });
    }

    /// Where the last region ends.
    #[inline]
    pub(super) fn last_end(&self) -> usize {
        self.faces.last().map_or(0, |face| face.end as usize)
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
        let vertices = &self.vertices[..];
        let before = self.faces[..first].last();
        let mut start = before.map_or(0, |face| face.end as usize);
        (first..)
            .zip(&self.faces[first..])
            .map(move |(index, face)| {
                let end = face.end as usize;
                let region = &vertices[std::mem::replace(&mut start, end)..end];
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
