//! Lands as bytes, one byte a vertex or mark: what they say, and how they are written.
//!
//! | byte | meaning |
//! | --- | --- |
//! | `01` `02` | a vertex of degree 1, of degree 2 |
//! | `03` `04` `05` | the next boundary, region, land begins |
//! | `06 hh ll` `07 hh ll` | lower-case, upper-case letter by its number, if it has no byte |
//! | `10`-`4f` | lower-case letters 0-63 |
//! | `50`-`bf` | upper-case letters 0-111 |
//! | `c0`-`ff` | 1-64 isolated spots; 64 as often as it goes, then the rest |
//!
//! Spots open their region and need no mark behind them.
//!
//! Invariant: letters are numbered from 0 by first appearance, lower-case ones anew in each
//! boundary, upper-case ones anew in each land. So lands that differ in names only have the same
//! bytes.

use smallvec::SmallVec;

use super::code::{Code, is_pair, lower_distance, turned, upper_number};
use super::drawing::{Drawing, Vertex};

const ONE: u8 = 0x01;
const TWO: u8 = 0x02;
const NEXT_BOUNDARY: u8 = 0x03;
const NEXT_REGION: u8 = 0x04;
pub(super) const NEXT_LAND: u8 = 0x05;
const WIDE_LOWER: u8 = 0x06;
const WIDE_UPPER: u8 = 0x07;
const LOWER: u8 = 0x10;
const UPPER: u8 = 0x50;
/// One less than the byte of one spot.
const SPOTS: u8 = 0xbf;
const MOST_SPOTS: usize = 64;
/// Upper-case letters that have a byte.
const SHORT_UPPERS: u16 = (SPOTS - UPPER) as u16 + 1;

/// What the bytes say, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Spots(usize),
    One,
    Two,
    Lower(usize),
    Upper(usize),
    NextBoundary,
    NextRegion,
    NextLand,
}

/// Adds a land to a drawing. By the invariant a new letter has the next number.
pub(super) fn draw_land(bytes: &[u8], into: &mut Drawing<Vertex>) {
    let mut uppers: SmallVec<[usize; 32]> = SmallVec::new();
    let mut lowers: SmallVec<[usize; 32]> = SmallVec::new();
    let mut zeros = 0;
    let mut boundary_is_open = false;
    let known = |letters: &mut SmallVec<[usize; 32]>, number: usize, next: &mut usize| {
        if number == letters.len() {
            letters.push(*next);
            *next += 1;
        }
        Vertex::letter(letters[number])
    };
    for token in (Tokens { bytes }).chain([Token::NextRegion]) {
        let vertex = match token {
            Token::Spots(more) => {
                zeros += more;
                continue;
            }
            Token::NextBoundary | Token::NextRegion | Token::NextLand => {
                if boundary_is_open {
                    into.close_boundary();
                    boundary_is_open = false;
                    lowers.clear();
                }
                if token != Token::NextBoundary {
                    into.close_region(zeros);
                    zeros = 0;
                }
                continue;
            }
            Token::One => Vertex::ONE,
            Token::Two => Vertex::TWO,
            Token::Lower(number) => known(&mut lowers, number, &mut into.letters),
            Token::Upper(number) => known(&mut uppers, number, &mut into.letters),
        };
        into.push(vertex);
        boundary_is_open = true;
    }
}

/// Reads bytes; ends at the first that mean nothing.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    #[inline]
    fn next(&mut self) -> Option<Token> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        let mut wide = || {
            let (&number, rest) = rest.split_first_chunk::<2>()?;
            self.bytes = rest;
            Some(usize::from(u16::from_be_bytes(number)))
        };
        Some(match first {
            ONE => Token::One,
            TWO => Token::Two,
            NEXT_BOUNDARY => Token::NextBoundary,
            NEXT_REGION => Token::NextRegion,
            NEXT_LAND => Token::NextLand,
            WIDE_LOWER => Token::Lower(wide()?),
            WIDE_UPPER => Token::Upper(wide()?),
            LOWER..UPPER => Token::Lower(usize::from(first - LOWER)),
            UPPER..=SPOTS => Token::Upper(usize::from(first - UPPER)),
            _ if first > SPOTS => Token::Spots(usize::from(first - SPOTS)),
            _ => return None,
        })
    }
}

/// Cuts bytes into lands.
#[derive(Clone)]
pub(super) struct Lands<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Iterator for Lands<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let is_mark = |&byte: &u8| (NEXT_LAND..=WIDE_UPPER).contains(&byte);
        let mut end = self.rest.iter().position(is_mark);
        // Behind a wide letter the mark may be half of a number, so look at tokens, not bytes.
        if end.is_some_and(|end| self.rest[end] != NEXT_LAND) {
            let mut tokens = Tokens { bytes: self.rest };
            let found = tokens.find(|&token| token == Token::NextLand);
            end = found.map(|_| self.rest.len() - tokens.bytes.len() - 1);
        }
        let end = end.unwrap_or(self.rest.len());
        let land = &self.rest[..end];
        self.rest = &self.rest[(end + 1).min(self.rest.len())..];
        Some(land)
    }
}

/// Writes a land as bytes and names its letters; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    /// The name of each upper-case letter, by its number.
    uppers: Vec<u16>,
    /// How many names are taken.
    named: u16,
    /// The name of the lower-case letter at each place of the boundary.
    lowers: Vec<u16>,
    next_lower: u16,
    /// The boundary's vertices, and how many of them are written.
    length: usize,
    index: usize,
}

/// More than there are letters.
const UNNAMED: u16 = u16::MAX;

/// As many bytes as a land of so many vertices and boundaries takes at most, apart from its regions.
pub(super) fn room(vertices: usize) -> usize {
    WIDE * vertices
}

/// As many bytes as a region takes beside its boundaries.
pub(super) fn room_of_region(zeros: usize) -> usize {
    zeros.div_ceil(MOST_SPOTS) + 1
}

/// The bytes of a wide letter.
const WIDE: usize = 3;

/// Writes the spots that open a region. Its boundaries follow, then [`end_region`].
#[inline]
pub(super) fn write_spots(mut number: usize, page: &mut [u8], mut end: usize) -> usize {
    while number > 0 {
        let some = number.min(MOST_SPOTS);
        page[end] = SPOTS + some as u8;
        end += 1;
        number -= some;
    }
    end
}

/// Boundaries are written as if another one followed.
#[inline]
pub(super) fn end_region(page: &mut [u8], end: usize) -> usize {
    let has_boundaries = end > 0 && page[end - 1] == NEXT_BOUNDARY;
    let mark = end - usize::from(has_boundaries);
    page[mark] = NEXT_REGION;
    mark + 1
}

/// Regions are written as if another one followed.
#[inline]
pub(super) fn end_land(end: usize) -> usize {
    end.saturating_sub(1)
}

impl Writer {
    /// Begins a land with so many upper-case letters.
    #[inline]
    pub(super) fn begin_land(&mut self, letters: usize) {
        self.uppers.clear();
        self.uppers.resize(letters, UNNAMED);
        self.named = 0;
    }

    /// Writes a boundary as it is read from `start` on, ahead or back.
    pub(super) fn write_boundary(
        &mut self,
        codes: &[Code],
        start: usize,
        is_turned: bool,
        page: &mut [u8],
        mut end: usize,
    ) -> usize {
        (self.length, self.index, self.next_lower) = (codes.len(), 0, 0);
        let (before, from) = codes.split_at(start + usize::from(is_turned));
        if is_turned {
            for &code in before.iter().rev().chain(from.iter().rev()) {
                end = self.write_code(turned(code, codes.len()), page, end);
            }
        } else {
            for &code in from.iter().chain(before) {
                end = self.write_code(code, page, end);
            }
        }
        page[end] = NEXT_BOUNDARY;
        end + 1
    }

    /// Writes a boundary that is an upper-case letter, which has one name or two.
    #[inline]
    pub(super) fn write_alone(
        &mut self,
        number: usize,
        names: u16,
        page: &mut [u8],
        end: usize,
    ) -> usize {
        let end = self.write_upper(number, names, page, end);
        page[end] = NEXT_BOUNDARY;
        end + 1
    }

    /// Writes the next vertex of a boundary.
    #[inline]
    fn write_code(&mut self, code: Code, page: &mut [u8], end: usize) -> usize {
        let end = match (upper_number(code), lower_distance(code)) {
            (Some(number), _) => self.write_upper(number, 1 + u16::from(is_pair(code)), page, end),
            (None, Some(distance)) => self.write_lower(distance, page, end),
            // A vertex of degree 1 or 2 is its own byte.
            (None, None) => {
                page[end] = code as u8;
                end + 1
            }
        };
        self.index += 1;
        end
    }

    fn write_lower(&mut self, distance: usize, page: &mut [u8], end: usize) -> usize {
        // From the second of the two on, the other one lies behind.
        let name = match (self.index + distance).checked_sub(self.length) {
            Some(partner) => self.lowers[partner],
            None => {
                self.next_lower += 1;
                self.next_lower - 1
            }
        };
        if self.lowers.len() <= self.index {
            self.lowers.resize(self.index + 1, UNNAMED);
        }
        self.lowers[self.index] = name;
        write_letter(name, LOWER..UPPER, WIDE_LOWER, page, end)
    }

    /// Writes an upper-case letter by its names, the next ones if it has none yet.
    #[inline]
    fn write_upper(&mut self, number: usize, names: u16, page: &mut [u8], end: usize) -> usize {
        let name = &mut self.uppers[number];
        let is_new = *name == UNNAMED;
        *name = if is_new { self.named } else { *name };
        self.named += if is_new { names } else { 0 };
        let (first, last) = (*name, *name + names - 1);
        if last < SHORT_UPPERS {
            // Both, though the second is written over if there is only one: no need to ask.
            page[end] = UPPER + first as u8;
            page[end + 1] = UPPER + last as u8;
            return end + usize::from(names);
        }
        (first..=last).fold(end, |end, name| {
            write_letter(name, UPPER..SPOTS + 1, WIDE_UPPER, page, end)
        })
    }
}

#[inline]
fn write_letter(
    name: u16,
    short: std::ops::Range<u8>,
    wide: u8,
    page: &mut [u8],
    end: usize,
) -> usize {
    if usize::from(name) < short.len() {
        page[end] = short.start + name as u8;
        return end + 1;
    }
    let [high, low] = name.to_be_bytes();
    page[end..end + WIDE].copy_from_slice(&[wide, high, low]);
    end + WIDE
}
