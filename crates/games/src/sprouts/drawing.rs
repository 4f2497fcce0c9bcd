//! A drawing in flat memory: regions of boundaries of vertices.
//!
//! This is the workbench of the rules; positions are kept as bytes (`position.rs`). All
//! vertices lie in one array, boundaries are ranges of it, regions are ranges of boundaries, so
//! that a drawing is filled again and again without allocating. Isolated spots are a number.
//!
//! The type of a vertex varies: [`Vertex`] for the rules, a symbol with the user's names while
//! a text is checked, a code while forms are compared.
//!
//! Lower-case and upper-case letters are not told apart here: a letter whose two occurrences
//! lie in one boundary *is* lower case. Ids of letters are below [`Drawing::letters`].

use std::ops::Range;

/// A vertex that still has a life: of degree 1, of degree 2 and seen once, or a letter (of
/// degree 2 and seen twice). Vertices of degree 0 are counted by the region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Vertex(u16);

impl Vertex {
    /// No vertex: where a boundary ends, in a [`Sketch`](super::sketch::Sketch).
    pub(super) const END: Self = Self(0);
    pub(super) const ONE: Self = Self(1);
    pub(super) const TWO: Self = Self(2);
    /// The number of the first letter.
    pub(super) const FIRST_LETTER: u16 = 3;

    #[inline]
    pub(super) fn letter(id: usize) -> Self {
        let id = u16::try_from(id).expect("a position has fewer lives than there are letters");
        Self(Self::FIRST_LETTER + id)
    }

    /// The id of a letter.
    #[inline]
    pub(super) fn id(self) -> Option<usize> {
        self.is_letter()
            .then(|| usize::from(self.0 - Self::FIRST_LETTER))
    }

    /// Vertices in a row: what is no letter first, then the letters by their ids.
    #[inline]
    pub(super) fn number(self) -> usize {
        usize::from(self.0)
    }

    /// The vertex with this number.
    #[inline]
    pub(super) fn numbered(number: u16) -> Self {
        Self(number)
    }

    #[inline]
    pub(super) fn is_letter(self) -> bool {
        self.0 >= Self::FIRST_LETTER
    }

    /// A byte, different for vertices that are no letters or have small ids; less than 3 for what is
    /// no letter.
    #[inline]
    pub(super) fn low_byte(self) -> u8 {
        self.0 as u8
    }
}

/// A range of indices, small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    #[inline]
    pub(super) fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end && u32::try_from(end).is_ok());
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(super) fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// A face of the drawing: isolated spots, and the boundaries that surround it or lie in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) zeros: usize,
    pub(super) boundaries: Span,
}

/// Regions of boundaries of vertices `V`.
#[derive(Clone, Debug)]
pub(super) struct Drawing<V> {
    pub(super) vertices: Vec<V>,
    pub(super) boundaries: Vec<Span>,
    pub(super) regions: Vec<Region>,
    /// The ids of all letters are below this number.
    pub(super) letters: usize,
    /// Where the boundary begins that is being filled.
    open_boundary: usize,
    /// Where the region begins that is being filled.
    open_region: usize,
}

impl<V> Default for Drawing<V> {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            boundaries: Vec::new(),
            regions: Vec::new(),
            letters: 0,
            open_boundary: 0,
            open_region: 0,
        }
    }
}

impl<V: Copy> Drawing<V> {
    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.boundaries.clear();
        self.regions.clear();
        self.letters = 0;
        self.open_boundary = 0;
        self.open_region = 0;
    }

    pub(super) fn boundary(&self, index: usize) -> &[V] {
        &self.vertices[self.boundaries[index].range()]
    }

    /// The boundaries of a region.
    pub(super) fn boundaries_of(&self, region: Region) -> impl DoubleEndedIterator<Item = &[V]> {
        let spans = self.boundaries[region.boundaries.range()].iter();
        spans.map(|span| &self.vertices[span.range()])
    }

    pub(super) fn push(&mut self, vertex: V) {
        self.vertices.push(vertex);
    }

    /// The vertices pushed since the last boundary was closed become a boundary.
    pub(super) fn close_boundary(&mut self) {
        let end = self.vertices.len();
        self.boundaries.push(Span::new(self.open_boundary, end));
        self.open_boundary = end;
    }

    /// The boundaries closed since the last region was closed become a region.
    pub(super) fn close_region(&mut self, zeros: usize) {
        let boundaries = Span::new(self.open_region, self.boundaries.len());
        self.regions.push(Region { zeros, boundaries });
        self.open_region = self.boundaries.len();
    }

    /// Whether vertices were pushed that no closed boundary holds.
    pub(super) fn boundary_is_open(&self) -> bool {
        self.vertices.len() > self.open_boundary
    }

    /// Whether boundaries were closed that no closed region holds.
    pub(super) fn region_is_open(&self) -> bool {
        self.boundaries.len() > self.open_region
    }

    pub(super) fn push_boundary(&mut self, vertices: &[V]) {
        self.vertices.extend_from_slice(vertices);
        self.close_boundary();
    }

    /// Adds a region of another drawing as it is; ids keep their meaning.
    pub(super) fn push_region(&mut self, from: &Self, region: Region) {
        for boundary in from.boundaries_of(region) {
            self.push_boundary(boundary);
        }
        self.close_region(region.zeros);
    }
}
