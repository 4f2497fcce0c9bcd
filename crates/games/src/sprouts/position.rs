//! Positions as they are kept: the bytes of their lands (see `bytes`), short ones in place.
//!
//! The empty position has no bytes. Positions that differ in names only are equal, and what is read
//! from a text is written back as the same value.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::bytes::{
    Bytes as Row, Lands, NEXT_LAND, Page, Tokens, Writer, draw_land, room, room_of_regions,
};
use super::code::Coder;
use super::drawing::{Drawing, Vertex};
use super::notation;

/// A sum of lands.
///
/// The order is that of the bytes; it means nothing but is total.
#[derive(Clone)]
pub struct Position(Bytes);

#[derive(Clone)]
enum Bytes {
    /// In place, with zeros behind them.
    Few {
        length: u8,
        lands: u8,
        bytes: [u8; INLINE],
    },
    Many {
        lands: usize,
        bytes: Box<[u8]>,
    },
}

/// Bytes that need no memory of their own: with their numbers a position takes 32 bytes, and all but
/// a few of the lands that five spots lead to fit in.
const INLINE: usize = 29;

/// From the right place on, as many bytes are left as they are and the others become zeros.
const MASK: [u8; 64] = {
    let mut mask = [0; 64];
    let mut place = 0;
    while place < 32 {
        mask[place] = u8::MAX;
        place += 1;
    }
    mask
};

impl Position {
    /// The sum of some coded lands, in this order.
    pub(super) fn from_lands<'a>(lands: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        let lands = lands.filter(|land| !land.is_empty());
        let (length, number) = lands.clone().fold((0, 0), |(length, number), land| {
            (length + land.len() + usize::from(number > 0), number + 1)
        });
        let mut bytes = [0; INLINE];
        if length > INLINE {
            let lands: Vec<&[u8]> = lands.collect();
            return Self::from_many(&lands.join(&NEXT_LAND), number);
        }
        let mut end = 0;
        for land in lands {
            if end > 0 {
                bytes[end] = NEXT_LAND;
                end += 1;
            }
            bytes[end..end + land.len()].copy_from_slice(land);
            end += land.len();
        }
        Self::from_few(bytes, end, number)
    }

    /// A coded land.
    pub(super) fn from_land(land: &[u8]) -> Self {
        Self::from_sum(land, 1)
    }

    /// A coded sum of so many lands.
    fn from_sum(sum: &[u8], lands: usize) -> Self {
        let mut bytes = [0; INLINE];
        match bytes.get_mut(..sum.len()) {
            None => return Self::from_many(sum, lands),
            Some(bytes) => bytes.copy_from_slice(sum),
        }
        Self::from_few(bytes, sum.len(), lands)
    }

    /// The sum of so many lands that are part of a row.
    #[inline]
    pub(super) fn from_form(row: &Row, part: Range<usize>, lands: usize) -> Self {
        let length = part.len();
        let Some(block) = row.block(part.start).filter(|_| length <= INLINE) else {
            return Self::from_sum(&row[part], lands);
        };
        Self::from_block(block, length, lands)
    }

    /// The sum of so many lands that are the first bytes of a block, few enough.
    #[inline]
    pub(super) fn from_block(block: &[u8; 32], length: usize, lands: usize) -> Self {
        // What lies behind becomes zeros.
        let mask = &MASK[32 - length.min(INLINE)..];
        let mut bytes = [0; INLINE];
        for ((byte, &from), mask) in bytes.iter_mut().zip(block).zip(mask) {
            *byte = from & mask;
        }
        Self::from_few(bytes, length, lands)
    }

    /// What [`bytes`](Self::bytes) gave.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        Self::from_lands(Lands { rest: bytes })
    }

    #[inline]
    fn from_few(bytes: [u8; INLINE], length: usize, lands: usize) -> Self {
        // Both are small, since there is room for the bytes.
        let (length, lands) = (length as u8, lands as u8);
        Self(Bytes::Few {
            length,
            lands,
            bytes,
        })
    }

    #[cold]
    fn from_many(bytes: &[u8], lands: usize) -> Self {
        let bytes = bytes.into();
        Self(Bytes::Many { lands, bytes })
    }

    /// The sum of some drawings, each one land, everything as it stands.
    pub(super) fn from_drawings(lands: &[Drawing<Vertex>]) -> Self {
        let (mut coder, mut writer) = (Coder::default(), Writer::default());
        let mut coded = Drawing::default();
        let coded_lands: Vec<Vec<u8>> = lands
            .iter()
            .map(|land| {
                coder.code(land, &mut coded);
                writer.begin_land(coded.letters);
                let zeros = coded.regions.iter().map(|region| region.zeros).sum();
                let vertices = coded.vertices.len() + coded.boundaries.len();
                let room = room(vertices) + room_of_regions(zeros, coded.regions.len());
                let mut bytes = vec![0; room];
                let mut page = Page::new(&mut bytes);
                for &region in &coded.regions {
                    page.write_spots(region.zeros);
                    for boundary in coded.boundaries_of(region) {
                        writer.write_boundary(boundary, 0, false, &mut page);
                    }
                    page.end_region(!region.boundaries.range().is_empty());
                }
                let length = page.end_land();
                bytes.truncate(length);
                bytes
            })
            .collect();
        Self::from_lands(coded_lands.iter().map(Vec::as_slice))
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.0 {
            Bytes::Few { length, bytes, .. } => &bytes[..usize::from(*length)],
            Bytes::Many { bytes, .. } => bytes,
        }
    }

    pub(super) fn tokens(&self) -> Tokens<'_> {
        Tokens::of(self.bytes())
    }

    /// The bytes of each land.
    pub(super) fn lands(&self) -> impl Iterator<Item = &[u8]> {
        Lands { rest: self.bytes() }
    }

    /// How many lands there are.
    #[inline]
    pub(super) fn number_of_lands(&self) -> usize {
        match self.0 {
            Bytes::Few { lands, .. } => usize::from(lands),
            Bytes::Many { lands, .. } => lands,
        }
    }

    #[inline]
    pub(super) fn is_one_land(&self) -> bool {
        self.number_of_lands() == 1
    }

    /// Draws all lands into one drawing, letters of different lands apart.
    pub(super) fn draw(&self, into: &mut Drawing<Vertex>) {
        into.clear();
        for land in self.lands() {
            draw_land(land, into);
        }
    }

    #[inline]
    pub(super) fn heap_bytes(&self) -> usize {
        match &self.0 {
            Bytes::Few { .. } => 0,
            Bytes::Many { bytes, .. } => bytes.len(),
        }
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::from_bytes(&[])
    }
}

impl PartialEq for Position {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            // As one comparison of known size.
            (
                Bytes::Few { length, bytes, .. },
                Bytes::Few {
                    length: other_length,
                    bytes: others,
                    ..
                },
            ) => length == other_length && bytes == others,
            _ => self.bytes() == other.bytes(),
        }
    }
}

impl Eq for Position {}

impl Hash for Position {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes().hash(state);
    }
}

impl PartialOrd for Position {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Position {
    /// With zeros behind them, short ones are compared like numbers of known size. The first half
    /// mostly decides; where only zeros follow, the shorter one is less.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let (
            Bytes::Few { bytes, length, .. },
            Bytes::Few {
                bytes: others,
                length: other_length,
                ..
            },
        ) = (&self.0, &other.0)
        else {
            return self.bytes().cmp(other.bytes());
        };
        let first = |bytes: &[u8; INLINE]| bytes.first_chunk().copied().map(u128::from_be_bytes);
        let last = |bytes: &[u8; INLINE]| bytes.last_chunk().copied().map(u128::from_be_bytes);
        match first(bytes).cmp(&first(others)) {
            Ordering::Equal => {
                let rest = last(bytes).cmp(&last(others));
                rest.then(length.cmp(other_length))
            }
            decided => decided,
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&notation::write(self))
    }
}
