//! What can be counted on a board with a few shifts, for both sides: the features that the
//! learned part of the [knowledge](super::knowledge) is a weighted sum of.
//!
//! Everything is about three squares in a line, seen from the one in the middle. If that holds an
//! opposing stone, one end a stone and the other end none, the stone can jump; if both ends hold
//! stones, they are *blocked*; if the middle and one end are empty, that end is within the *reach*
//! of a stone on the other end, should an opposing stone come between. Such sets are joined over
//! both axes and then counted: few counts, and each says something of its own.

use super::board::{Board, set};
use crate::grid::Size;

/// How many features a side has.
const OF_A_SIDE: usize = 7;

/// How many features there are, without the constant.
pub(super) const FEATURES: usize = 2 * OF_A_SIDE;

/// Their names: each of the player to move, then of the other.
pub(super) const NAMES: [&str; FEATURES] = [
    "own single jumps",
    "other single jumps",
    "own stones that can jump",
    "other stones that can jump",
    "own landing squares",
    "other landing squares",
    "stones the player can take",
    "stones the other player can take",
    "own blocked stones",
    "other blocked stones",
    "own reach",
    "other reach",
    "own stones that can jump and cannot be taken",
    "other stones that can jump and cannot be taken",
];

/// The value of every feature.
pub(super) type Counts = [[u32; 2]; OF_A_SIDE];

/// Rows or columns, seen from the middle one of three squares in a line. What is shifted from
/// there to the ends stays on the board; what is shifted from anywhere to the middle is to be cut
/// down to the inner squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// From a square to the next, as a shift.
    step: u32,
    /// The squares with a square before and one after them.
    inner: u64,
}

impl Axis {
    /// Rows and columns.
    pub(super) fn both(size: Size) -> [Self; 2] {
        let inside = |place, length| place > 0 && place + 1 < length;
        [
            Self {
                step: 1,
                inner: set(size, |_, column| inside(column, size.columns)),
            },
            Self {
                step: size.columns as u32,
                inner: set(size, |row, _| inside(row, size.rows)),
            },
        ]
    }

    /// The inner squares that have one of a set before them, and those that have one after them.
    #[inline]
    fn ends(&self, set: u64) -> (u64, u64) {
        (self.onward(set), self.backward(set))
    }

    /// A set of squares, one step on.
    #[inline]
    fn onward(&self, set: u64) -> u64 {
        set << (self.step % 64)
    }

    /// A set of squares, one step back.
    #[inline]
    fn backward(&self, set: u64) -> u64 {
        set >> (self.step % 64)
    }

    /// The stones `other` that stones `own` can jump over in either direction.
    #[inline]
    fn passed(&self, own: u64, other: u64, empty: u64) -> u64 {
        let ((before, after), (empty_before, empty_after)) = (self.ends(own), self.ends(empty));
        other & self.inner & ((before & empty_after) | (after & empty_before))
    }
}

/// The sets that the features of a side are counted in, joined over both axes.
#[derive(Clone, Copy, Default)]
struct Sets {
    jumps: u32,
    jumpers: u64,
    landings: u64,
    passed: u64,
    blocked: u64,
    reach: u64,
}

impl Board {
    /// Counts the features for the side with the stones `own`.
    #[inline]
    pub(super) fn count_features(&self, own: u64, other: u64) -> Counts {
        let (mine, theirs) = (self.sets(own, other), self.sets(other, own));
        let count = |set: fn(Sets) -> u64| [set(mine).count_ones(), set(theirs).count_ones()];
        [
            [mine.jumps, theirs.jumps],
            count(|side| side.jumpers),
            count(|side| side.landings),
            count(|side| side.passed),
            count(|side| side.blocked),
            count(|side| side.reach),
            [
                (mine.jumpers & !theirs.passed).count_ones(),
                (theirs.jumpers & !mine.passed).count_ones(),
            ],
        ]
    }

    /// Whether there is a jump.
    #[inline]
    pub(super) fn has_jump(&self, own: u64, other: u64) -> bool {
        let empty = self.all & !(own | other);
        let axes = self.axes.iter();
        let passed = axes.map(|axis| axis.passed(own, other, empty));
        passed.fold(0, |all, passed| all | passed) != 0
    }

    #[inline]
    fn sets(&self, own: u64, other: u64) -> Sets {
        let empty = self.all & !(own | other);
        let mut sets = Sets::default();
        for axis in &self.axes {
            let (before, after) = axis.ends(own);
            let (empty_before, empty_after) = axis.ends(empty);
            let (there, back) = (before & empty_after, after & empty_before);
            let middle = other & axis.inner;
            let (jump_there, jump_back) = (middle & there, middle & back);
            // No two jumps along an axis pass the same stone.
            let passed = jump_there | jump_back;
            sets.jumps += passed.count_ones();
            sets.passed |= passed;
            sets.landings |= axis.onward(jump_there) | axis.backward(jump_back);
            sets.jumpers |= axis.backward(jump_there) | axis.onward(jump_back);
            let blocked = middle & before & after;
            sets.blocked |= axis.backward(blocked) | axis.onward(blocked);
            let middle = empty & axis.inner;
            sets.reach |= axis.onward(middle & there) | axis.backward(middle & back);
        }
        sets
    }
}
