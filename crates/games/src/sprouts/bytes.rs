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

use std::hint::select_unpredictable;

use smallvec::SmallVec;

use super::code::{Code, is_pair, lower_distance, turned, upper_number};
use super::drawing::{Drawing, Vertex};
use super::row::Row;

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

/// Lands one after another: most take no more than a block.
pub(super) type Bytes = Row<u8, 32>;

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
    uppers: Row<u16, 16>,
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

/// The bytes of a letter that has no short name.
const WIDE: usize = 3;

/// As many bytes as so many vertices and ends of boundaries take at most.
pub(super) fn room(vertices: usize) -> usize {
    WIDE * vertices
}

/// As many bytes as a region takes beside its boundaries.
pub(super) fn room_of_region(zeros: usize) -> usize {
    zeros.div_ceil(MOST_SPOTS) + 1
}

/// A land that is written in place, into bytes enough for it. Boundaries and regions are written as
/// if another one followed: the end of what they are part of takes that back.
pub(super) struct Page<'a> {
    bytes: &'a mut [u8],
    /// How many are written.
    end: usize,
}

impl<'a> Page<'a> {
    pub(super) fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, end: 0 }
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[self.end] = byte;
        self.end += 1;
    }

    /// Writes the spots that open a region.
    #[inline]
    pub(super) fn write_spots(&mut self, mut number: usize) {
        while number > MOST_SPOTS {
            self.push(SPOTS + MOST_SPOTS as u8);
            number -= MOST_SPOTS;
        }
        // Written over if there are none: no need to ask.
        self.bytes[self.end] = SPOTS + number as u8;
        self.end += usize::from(number > 0);
    }

    #[inline]
    pub(super) fn end_region(&mut self) {
        let has_boundaries = self.end > 0 && self.bytes[self.end - 1] == NEXT_BOUNDARY;
        self.end -= usize::from(has_boundaries);
        self.push(NEXT_REGION);
    }

    /// How many bytes the land takes.
    #[inline]
    pub(super) fn end_land(self) -> usize {
        self.end.saturating_sub(1)
    }

    /// Writes a letter by its name, in a byte if that is one of the short ones.
    #[inline]
    fn write_letter(&mut self, name: u16, short: std::ops::Range<u8>, wide: u8) {
        if usize::from(name) < short.len() {
            return self.push(short.start + name as u8);
        }
        let [high, low] = name.to_be_bytes();
        for byte in [wide, high, low] {
            self.push(byte);
        }
    }
}

impl Writer {
    /// Begins a land with so many upper-case letters.
    #[inline]
    pub(super) fn begin_land(&mut self, letters: usize) {
        self.uppers.fill(letters, UNNAMED);
        self.named = 0;
    }

    /// Writes a boundary as it is read from `start` on, ahead or back.
    pub(super) fn write_boundary(
        &mut self,
        codes: &[Code],
        start: usize,
        is_turned: bool,
        page: &mut Page,
    ) {
        (self.length, self.index, self.next_lower) = (codes.len(), 0, 0);
        let (before, from) = codes.split_at(start + usize::from(is_turned));
        if is_turned {
            for &code in before.iter().rev().chain(from.iter().rev()) {
                self.write_code(turned(code, codes.len()), page);
            }
        } else {
            for &code in from.iter().chain(before) {
                self.write_code(code, page);
            }
        }
        page.push(NEXT_BOUNDARY);
    }

    /// Writes a boundary that is an upper-case letter, which has one name or two.
    #[inline]
    pub(super) fn write_alone(&mut self, number: usize, names: u16, page: &mut Page) {
        self.write_upper(number, names, page);
        page.push(NEXT_BOUNDARY);
    }

    /// Writes the next vertex of a boundary.
    #[inline]
    fn write_code(&mut self, code: Code, page: &mut Page) {
        match (upper_number(code), lower_distance(code)) {
            (Some(number), _) => self.write_upper(number, 1 + u16::from(is_pair(code)), page),
            (None, Some(distance)) => self.write_lower(distance, page),
            // A vertex of degree 1 or 2 is its own byte.
            (None, None) => page.push(code as u8),
        }
        self.index += 1;
    }

    fn write_lower(&mut self, distance: usize, page: &mut Page) {
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
        page.write_letter(name, LOWER..UPPER, WIDE_LOWER);
    }

    /// Writes an upper-case letter by its names, the next ones if it has none yet.
    #[inline(always)]
    fn write_upper(&mut self, number: usize, names: u16, page: &mut Page) {
        let name = &mut self.uppers[number];
        let is_new = *name == UNNAMED;
        *name = select_unpredictable(is_new, self.named, *name);
        self.named += select_unpredictable(is_new, names, 0);
        let (first, last) = (*name, *name + names - 1);
        if last < SHORT_UPPERS {
            // Both, though the second is written over if there is only one: no need to ask.
            page.bytes[page.end] = UPPER + first as u8;
            page.bytes[page.end + 1] = UPPER + last as u8;
            page.end += usize::from(names);
        } else {
            (first..=last).for_each(|name| page.write_letter(name, UPPER..SPOTS + 1, WIDE_UPPER));
        }
    }
}
