//! Positions as they are kept: a short string of bytes, one byte a vertex or mark.
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
//! Spots open their region and need no mark behind them. The empty position has no bytes.
//!
//! Invariant: letters are numbered from 0 by first appearance, lower-case ones anew in each
//! boundary, upper-case ones anew in each land. So positions that differ in names only are
//! equal, and what is read from a text is written back as the same value.

use std::fmt;

use smallvec::SmallVec;

use super::code::{Code, Coder, Meaning, meaning};
use super::drawing::{Drawing, Vertex};
use super::notation;

/// A sum of lands.
///
/// The order is that of the bytes; it means nothing but is total.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    bytes: SmallVec<[u8; INLINE]>,
}

/// Bytes that need no memory of their own: enough for all but 49 of the 13,342 lands that five
/// spots lead to.
const INLINE: usize = 24;

const ONE: u8 = 0x01;
const TWO: u8 = 0x02;
const NEXT_BOUNDARY: u8 = 0x03;
const NEXT_REGION: u8 = 0x04;
const NEXT_LAND: u8 = 0x05;
const WIDE_LOWER: u8 = 0x06;
const WIDE_UPPER: u8 = 0x07;
const LOWER: u8 = 0x10;
const UPPER: u8 = 0x50;
/// One less than the byte of one spot.
const SPOTS: u8 = 0xbf;
const MOST_SPOTS: usize = 64;

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

impl Position {
    /// The sum of some coded lands, in this order.
    pub(super) fn from_lands<'a>(mut lands: impl Iterator<Item = &'a [u8]>) -> Self {
        // Most positions are one land, and take no byte too many.
        let mut bytes = SmallVec::from_slice(lands.next().unwrap_or_default());
        for land in lands {
            bytes.push(NEXT_LAND);
            bytes.extend_from_slice(land);
        }
        Self { bytes }
    }

    /// What [`bytes`](Self::bytes) gave.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let bytes = SmallVec::from_slice(bytes);
        Self { bytes }
    }

    /// The sum of some drawings, each one land, everything as it stands.
    pub(super) fn from_drawings(lands: &[Drawing<Vertex>]) -> Self {
        let (mut coder, mut writer) = (Coder::default(), Writer::default());
        let mut coded = Drawing::default();
        let coded_lands: Vec<Vec<u8>> = lands
            .iter()
            .map(|land| {
                let mut bytes = Vec::new();
                coder.code(land, &mut coded);
                writer.begin_land(coded.letters);
                for &region in &coded.regions {
                    writer.begin_region(region.zeros, &mut bytes);
                    for boundary in coded.boundaries_of(region) {
                        writer.begin_boundary(&mut bytes);
                        let codes = boundary.iter().copied();
                        writer.write_codes(boundary.len(), codes, &mut bytes);
                    }
                }
                bytes
            })
            .collect();
        Self::from_lands(coded_lands.iter().map(Vec::as_slice))
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn tokens(&self) -> Tokens<'_> {
        Tokens { bytes: &self.bytes }
    }

    /// The bytes of each land.
    pub(super) fn lands(&self) -> impl Iterator<Item = &[u8]> {
        Lands { rest: &self.bytes }
    }

    /// How many lands there are, as far as a glance tells: a few more, if there are wide letters
    /// whose numbers look like marks.
    #[inline]
    pub(super) fn about_lands(&self) -> usize {
        let marks = self.bytes.iter().filter(|&&byte| byte == NEXT_LAND);
        marks.count() + usize::from(!self.bytes.is_empty())
    }

    /// Whether a glance tells that it is a single land.
    #[inline]
    pub(super) fn is_one_land(&self) -> bool {
        !self.bytes.is_empty() && !self.bytes.contains(&NEXT_LAND)
    }

    /// Draws all lands into one drawing, letters of different lands apart.
    pub(super) fn draw(&self, into: &mut Drawing<Vertex>) {
        into.clear();
        for land in self.lands() {
            draw_land(land, into);
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        if self.bytes.spilled() {
            self.bytes.capacity()
        } else {
            0
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&notation::write(self))
    }
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
struct Lands<'a> {
    rest: &'a [u8],
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
    uppers: Vec<usize>,
    /// How many of them have a name.
    named: usize,
    /// The name of the lower-case letter at each place of the boundary.
    lowers: Vec<usize>,
    /// The next region is the first of its land, the next boundary of its region.
    is_first_region: bool,
    is_first_boundary: bool,
}

const UNNAMED: usize = usize::MAX;

impl Writer {
    /// Begins a land with so many upper-case letters.
    pub(super) fn begin_land(&mut self, letters: usize) {
        self.uppers.clear();
        self.uppers.resize(letters, UNNAMED);
        self.named = 0;
        self.is_first_region = true;
    }

    pub(super) fn begin_region(&mut self, zeros: usize, into: &mut Vec<u8>) {
        if !self.is_first_region {
            into.push(NEXT_REGION);
        }
        self.is_first_region = false;
        self.is_first_boundary = true;
        write_spots(zeros, into);
    }

    #[inline]
    pub(super) fn begin_boundary(&mut self, into: &mut Vec<u8>) {
        if !self.is_first_boundary {
            into.push(NEXT_BOUNDARY);
        }
        self.is_first_boundary = false;
    }

    /// Writes the codes of a boundary of some length, as they are read from some place on.
    pub(super) fn write_codes(
        &mut self,
        length: usize,
        codes: impl Iterator<Item = Code>,
        into: &mut Vec<u8>,
    ) {
        let mut next_lower = 0;
        for (index, code) in codes.enumerate() {
            let Meaning::Lower { distance } = meaning(code) else {
                self.write_single(code, into);
                continue;
            };
            // From the second of the two on, the other one lies behind.
            let lower = match (index + distance).checked_sub(length) {
                Some(partner) => self.lowers[partner],
                None => {
                    next_lower += 1;
                    next_lower - 1
                }
            };
            if self.lowers.len() <= index {
                self.lowers.resize(index + 1, UNNAMED);
            }
            self.lowers[index] = lower;
            write_letter(lower, LOWER..UPPER, WIDE_LOWER, into);
        }
    }

    /// Writes what is no lower-case letter.
    #[inline]
    pub(super) fn write_single(&mut self, code: Code, into: &mut Vec<u8>) {
        match meaning(code) {
            Meaning::One => into.push(ONE),
            Meaning::Two => into.push(TWO),
            Meaning::Lower { .. } => unreachable!("a lower-case letter comes twice"),
            Meaning::Upper(number) => {
                let name = self.upper_name(number, 1);
                write_letter(name, UPPER..SPOTS + 1, WIDE_UPPER, into);
            }
            Meaning::Pair(number) => {
                let name = self.upper_name(number, 2);
                for name in [name, name + 1] {
                    write_letter(name, UPPER..SPOTS + 1, WIDE_UPPER, into);
                }
            }
        }
    }

    /// The name of an upper-case letter; if it is new it takes so many.
    #[inline]
    fn upper_name(&mut self, number: usize, names: usize) -> usize {
        if self.uppers[number] == UNNAMED {
            self.uppers[number] = self.named;
            self.named += names;
        }
        self.uppers[number]
    }
}

fn write_spots(mut number: usize, into: &mut Vec<u8>) {
    while number > 0 {
        let some = number.min(MOST_SPOTS);
        into.push(SPOTS + some as u8);
        number -= some;
    }
}

#[inline]
fn write_letter(name: usize, short: std::ops::Range<u8>, wide: u8, into: &mut Vec<u8>) {
    if name < short.len() {
        into.push(short.start + name as u8);
    } else {
        let number = u16::try_from(name).expect("a position has a bounded number of letters");
        into.push(wide);
        into.extend_from_slice(&number.to_be_bytes());
    }
}
