//! About how many moves a position has, without making them, and how many lives.
//!
//! A curve within a boundary divides the other boundaries of its region in two, in about two
//! ways each and one more than there are spots for the spots; a curve between two boundaries
//! divides nothing. Counted per region and summed; symmetric curves are counted each. This
//! orders children and estimates work: a bad guess costs time only. It is asked of every leaf,
//! so that it reads the bytes of the position and draws nothing.

use super::bytes::Token;
use super::position::Position;

/// Of a boundary with this many vertices, the part for curves from a vertex to itself.
const LOOPS: f64 = 0.3;

/// What there is to do in a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mobility {
    /// Three for a spot, less for a vertex that curves end in; a letter stands in two places.
    pub(super) lives: f64,
    /// About how many moves there are, at least one.
    pub(super) moves: f64,
}

/// The region that is being read.
#[derive(Default)]
struct Region {
    spots: u32,
    /// Boundaries, their vertices, and curves within and between them.
    boundaries: u32,
    vertices: u32,
    within: f64,
    between: u64,
    /// Vertices of the boundary that is being read.
    size: u32,
}

impl Mobility {
    pub(super) fn of(position: &Position) -> Self {
        let (mut half_lives, mut moves) = (0, 0.0);
        let mut region = Region::default();
        for token in position.tokens() {
            let more = match token {
                Token::Spots(number) => {
                    region.spots += number as u32;
                    half_lives += 6 * number as u32;
                    continue;
                }
                Token::NextBoundary => {
                    region.close_boundary();
                    continue;
                }
                Token::NextRegion | Token::NextLand => {
                    moves += std::mem::take(&mut region).moves();
                    continue;
                }
                Token::One => 4,
                Token::Two => 2,
                Token::Lower(_) | Token::Upper(_) => 1,
            };
            region.size += 1;
            half_lives += more;
        }
        moves += region.moves();
        Self {
            lives: f64::from(half_lives) / 2.0,
            moves: moves.max(1.0),
        }
    }
}

impl Region {
    fn close_boundary(&mut self) {
        let size = std::mem::take(&mut self.size);
        if size > 0 {
            let pairs = u64::from(size) * u64::from(size - 1) / 2;
            self.boundaries += 1;
            self.within += pairs as f64 + LOOPS;
            self.between += u64::from(self.vertices) * u64::from(size);
            self.vertices += size;
        }
    }

    fn moves(mut self) -> f64 {
        self.close_boundary();
        let spots = f64::from(self.spots);
        let divisions = power_of_two(self.boundaries);
        let mut moves = self.within * (spots + 1.0) * divisions / 2.0 + self.between as f64;
        if self.spots >= 1 {
            moves += f64::from(self.vertices) + spots / 2.0 * divisions;
        }
        if self.spots >= 2 {
            moves += 1.0;
        }
        moves
    }
}

/// As a number of this exponent, beyond which there is none.
#[inline]
fn power_of_two(exponent: u32) -> f64 {
    let bits = u64::from(exponent.min(1024)) + 1023;
    f64::from_bits(bits << 52)
}
