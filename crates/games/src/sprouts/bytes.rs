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

use super::code::{Code, is_pair, lower_distance, upper_number};
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
    /// What each vertex is written as that is no lower-case letter: its byte if it has one, and a
    /// number that goes on from there if its name is too long for one.
    marks: Row<u16, 16>,
    /// What the next upper-case letter is written as.
    next: u16,
    /// The name of the lower-case letter at each place of the boundary.
    lowers: Vec<u16>,
}

/// More than there are letters.
const UNNAMED: u16 = u16::MAX;

/// The mark of the first upper-case letter; before it, a vertex of degree 1 or 2 is its own byte.
const FIRST_UPPER: usize = TWO as usize + 1;

/// The bytes of a letter that has no short name.
const WIDE: usize = 3;

/// As many bytes as so many vertices and ends of boundaries take at most.
pub(super) fn room(vertices: usize) -> usize {
    WIDE * vertices
}

/// As many bytes as so many regions with so many spots in all take at most, beside their boundaries.
pub(super) fn room_of_regions(zeros: usize, regions: usize) -> usize {
    zeros / MOST_SPOTS + 2 * regions
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

    /// Ends a region, with boundaries or with spots alone.
    #[inline]
    pub(super) fn end_region(&mut self, has_boundaries: bool) {
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
        self.marks.fill(FIRST_UPPER + letters, UNNAMED);
        for byte in [ONE, TWO] {
            self.marks[usize::from(byte)] = byte.into();
        }
        self.next = UPPER.into();
    }

    /// Writes a boundary as it is read from `start` on, ahead or back.
    #[inline]
    pub(super) fn write_boundary(
        &mut self,
        codes: &[Code],
        start: usize,
        is_turned: bool,
        page: &mut Page,
    ) {
        let length = codes.len();
        if self.lowers.len() < length {
            self.lowers.resize(length, UNNAMED);
        }
        // One back is all but one ahead.
        let step = if is_turned { length - 1 } else { 1 };
        let (mut place, mut next_lower) = (start, 0);
        for index in 0..length {
            let code = codes[place];
            place += step;
            place -= if place < length { 0 } else { length };
            let Some(distance) = lower_distance(code) else {
                self.write_mark(mark_of(code), 1 + u16::from(is_pair(code)), page);
                continue;
            };
            let ahead = if is_turned {
                length - distance
            } else {
                distance
            };
            // From the second of the two on, the other one lies behind.
            let name = match (index + ahead).checked_sub(length) {
                Some(partner) => self.lowers[partner],
                None => {
                    next_lower += 1;
                    next_lower - 1
                }
            };
            self.lowers[index] = name;
            page.write_letter(name, LOWER..UPPER, WIDE_LOWER);
        }
        page.push(NEXT_BOUNDARY);
    }

    /// Writes a boundary that is an upper-case letter, which has one name or two.
    #[inline]
    pub(super) fn write_alone(&mut self, number: usize, names: u16, page: &mut Page) {
        self.write_mark(FIRST_UPPER + number, names, page);
        page.push(NEXT_BOUNDARY);
    }

    /// Writes a vertex that is no lower-case letter by its names, the next ones if it has none yet.
    #[inline(always)]
    fn write_mark(&mut self, mark: usize, names: u16, page: &mut Page) {
        let mark = &mut self.marks[mark];
        // All marks given so far are less than the next one, and that is less than none.
        let first = (*mark).min(self.next);
        let last = first + names - 1;
        self.next = self.next.max(last + 1);
        *mark = first;
        if last <= SPOTS.into() {
            // Both, though the second is written over if there is only one: no need to ask.
            page.bytes[page.end] = first as u8;
            page.bytes[page.end + 1] = last as u8;
            page.end += usize::from(names);
        } else {
            let names = first - u16::from(UPPER)..=last - u16::from(UPPER);
            names.for_each(|name| page.write_letter(name, UPPER..SPOTS + 1, WIDE_UPPER));
        }
    }
}

/// Where a vertex that is no lower-case letter has its mark.
#[inline]
fn mark_of(code: Code) -> usize {
    match upper_number(code) {
        Some(number) => FIRST_UPPER + number,
        None => code as usize,
    }
}
