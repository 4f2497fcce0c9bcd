//! The board as sets of cells: neighbours, sides, chains.
//!
//! A set of cells is a `u128`; bit `n` is the `n`-th cell, row by row from the top left. A
//! cell touches the cells left and right of it, above and below, above to the right and below
//! to the left. Each of the six steps is a shift and a mask of the cells it can arrive at, so
//! no step leaves a row over the rim, also where all 128 bits are cells.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

use std::sync::OnceLock;

use bouton_game::Player;

use super::templates::Templates;
use crate::grid::Size;

/// Cells and sides of one size; never changes.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) size: Size,
    /// All cells.
    pub(super) all: u128,
    /// The two rows that Black joins, the two columns that White joins.
    sides: [[u128; 2]; 2],
    /// Right, down, down to the left: the steps to higher cells.
    steps: [Step<u128>; 3],
    /// The same in half the bits, where the board fits: all of a 5x5 search is a quarter faster.
    short_steps: Option<[Step<u64>; 3]>,
    /// Where edge templates fit, in either width, as soon as somebody asks.
    short_templates: OnceLock<Templates<u64>>,
    long_templates: OnceLock<Templates<u128>>,
}

/// A set of cells, in as many bits as the board needs.
pub(super) trait Set:
    Copy
    + Default
    + PartialEq
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// No cell.
    const NONE: Self;

    /// The set, of which all cells must fit.
    fn narrow(cells: u128) -> Self;

    /// The set in all bits.
    fn widen(self) -> u128;

    /// The edge templates of a board.
    fn templates(board: &Board) -> &Templates<Self>;

    /// How many cells.
    fn count(self) -> usize;

    /// One cell.
    fn one(cell: u8) -> Self;

    /// All cells below one.
    fn below(cell: u8) -> Self;

    /// The lowest cell of a set that is not empty.
    fn lowest(self) -> u8;

    /// Whether all cells are in another set.
    #[inline]
    fn is_within(self, other: Self) -> bool {
        self & !other == Self::NONE
    }

    /// Whether no cell is in another set.
    #[inline]
    fn is_apart(self, other: Self) -> bool {
        self & other == Self::NONE
    }
}

/// Sets of cells as the bits of a number.
macro_rules! set {
    ($number:ty, $templates:ident) => {
        impl Set for $number {
            const NONE: Self = 0;

            #[inline]
            fn narrow(cells: u128) -> Self {
                cells as Self
            }

            #[inline]
            fn widen(self) -> u128 {
                self as u128
            }

            fn templates(board: &Board) -> &Templates<Self> {
                board.$templates.get_or_init(|| Templates::new(board))
            }

            #[inline]
            fn count(self) -> usize {
                self.count_ones() as usize
            }

            #[inline]
            fn one(cell: u8) -> Self {
                1 << cell
            }

            #[inline]
            fn below(cell: u8) -> Self {
                (1 << cell) - 1
            }

            #[inline]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }
        }
    };
}

set!(u64, short_templates);
set!(u128, long_templates);

/// A step and the one back.
#[derive(Clone, Copy, Debug)]
struct Step<S> {
    shift: u32,
    /// The cells that the step can arrive at.
    there: S,
    /// The cells that the step back can arrive at.
    back: S,
}

impl Board {
    /// The board of a size with at most 128 cells.
    pub(super) fn new(size: Size) -> Self {
        let Size { rows, columns } = size;
        let steps = [(0, 1), (1, 0), (1, -1)].map(|(down, right)| Step::new(size, down, right));
        Self {
            size,
            all: size.set(|_, _| true),
            sides: [
                [
                    size.set(|row, _| row == 0),
                    size.set(|row, _| row == rows - 1),
                ],
                [
                    size.set(|_, column| column == 0),
                    size.set(|_, column| column == columns - 1),
                ],
            ],
            steps,
            short_steps: (size.cells() <= 64).then(|| {
                steps.map(|step| Step {
                    shift: step.shift % u64::BITS,
                    there: step.there as u64,
                    back: step.back as u64,
                })
            }),
            short_templates: OnceLock::new(),
            long_templates: OnceLock::new(),
        }
    }

    /// The board with other edge templates than those of the list, if it fits into 64 bits.
    #[cfg(test)]
    pub(super) fn with_templates(
        size: Size,
        templates: impl FnOnce(&Self) -> Templates<u64>,
    ) -> Self {
        let mut board = Self::new(size);
        board.short_templates = OnceLock::from(templates(&board));
        board
    }

    /// The two sides that a player joins.
    pub(super) fn sides(&self, player: Player) -> [u128; 2] {
        self.sides[player as usize]
    }

    /// The set moved by each of the six steps.
    #[inline]
    pub(super) fn stepped(&self, cells: u128) -> [u128; 6] {
        match &self.short_steps {
            Some(steps) => stepped(steps, cells as u64).map(u128::from),
            None => stepped(&self.steps, cells),
        }
    }

    /// The cells that touch a cell of the set; some may be of the set themselves.
    #[inline]
    pub(super) fn neighbours(&self, cells: u128) -> u128 {
        self.stepped(cells)
            .into_iter()
            .fold(0, |all, set| all | set)
    }

    /// `from`, and all that chains of `stones` join to it.
    #[inline]
    pub(super) fn flood(&self, from: u128, stones: u128) -> u128 {
        match &self.short_steps {
            Some(steps) => flood(steps, from as u64, stones as u64).into(),
            None => flood(&self.steps, from, stones),
        }
    }

    /// Whether a player with these stones has joined both sides.
    #[inline]
    pub(super) fn joins(&self, player: Player, stones: u128) -> bool {
        let [first, last] = self.sides(player);
        let (start, goal) = (first & stones, last & stones);
        start != 0 && goal != 0 && self.flood(start, stones) & goal != 0
    }

    /// The cells after half a turn, which keeps both players' sides.
    #[inline]
    pub(super) fn half_turn(&self, cells: u128) -> u128 {
        cells.reverse_bits() >> (128 - self.size.cells())
    }
}

#[inline]
fn stepped<S: Set>(steps: &[Step<S>; 3], cells: S) -> [S; 6] {
    let [right, down, left] = steps.map(|step| (cells << step.shift) & step.there);
    let [back, up, up_right] = steps.map(|step| (cells >> step.shift) & step.back);
    [right, down, left, back, up, up_right]
}

#[inline]
fn flood<S: Set>(steps: &[Step<S>; 3], from: S, stones: S) -> S {
    let mut reached = from;
    loop {
        let before = reached;
        // Each step goes on from where the last one arrived: fewer rounds.
        for step in steps {
            reached = reached | ((reached << step.shift) & step.there & stones);
            reached = reached | ((reached >> step.shift) & step.back & stones);
        }
        if reached == before {
            return reached;
        }
    }
}

impl Step<u128> {
    fn new(size: Size, down: usize, right: isize) -> Self {
        let inside = |row: Option<usize>, column: Option<usize>| {
            row.is_some_and(|row| row < size.rows)
                && column.is_some_and(|column| column < size.columns)
        };
        Self {
            // On a single row a step down may be longer than the set has bits. Its masks are
            // empty, so any shift will do.
            shift: (down * size.columns).saturating_add_signed(right) as u32 % u128::BITS,
            there: size.set(|row, column| {
                inside(row.checked_sub(down), column.checked_add_signed(-right))
            }),
            back: size
                .set(|row, column| inside(row.checked_add(down), column.checked_add_signed(right))),
        }
    }
}

/// The cells of a set, the lowest first.
#[inline]
pub(super) fn members<S: Set>(mut set: S) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != S::NONE).then(|| {
            let lowest = set.lowest();
            set &= !S::one(lowest);
            lowest
        })
    })
}

/// The same for sets in all bits.
#[inline]
pub(super) fn cells(set: u128) -> impl Iterator<Item = u8> {
    members(set)
}
