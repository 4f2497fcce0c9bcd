//! Shapes of free cells: their box, symmetries, canonical form and connected regions.
//!
//! The board lies: its rows are the shorter side, and bit `row * columns + column` of a mask
//! stands for a cell. [`Cram`](super::Cram) turns a standing board before it comes here, so
//! there are at most 11 rows (11 x 11 <= 128), and a shape has one form on all boards.
//!
//! Everything works on whole masks. A half turn is the reversal of all bits, a mirror image
//! swaps halves of all rows at once, then halves of halves, and a transposition reads a row
//! from a table as a column.
//!
//! Invariants: a mask never has bits outside of the board; a *corner* shape touches the top row
//! and the left column.

use std::cmp::Ordering;

use super::word::Word;

/// A lying board and its masks.
#[derive(Debug)]
pub(super) struct Frame<W> {
    columns: u32,
    /// All cells.
    all: W,
    first_row: W,
    /// Cells with a neighbour to the right.
    with_right: W,
    /// The row of each cell: a division saved in the innermost loop.
    row_of: [u8; 128],
    /// The steps of a mirror image, largest blocks first.
    swaps: Vec<Swap<W>>,
    /// For the bits of a row: the same bits in the left column, top to bottom. As long as the
    /// board has rows; nothing longer is ever transposed.
    upright: Vec<W>,
}

/// Exchanges the left and the right half of every block of columns.
#[derive(Debug)]
struct Swap<W> {
    left: W,
    right: W,
    /// Columns in the middle of odd blocks.
    stay: W,
    distance: u32,
}

/// The size of the least box around a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) height: u32,
    pub(super) width: u32,
}

impl Extent {
    fn transposed(self) -> Self {
        Self {
            height: self.width,
            width: self.height,
        }
    }
}

impl<W: Word> Frame<W> {
    /// A board of `rows <= columns`, with at most as many cells as the word has bits.
    pub(super) fn new(rows: u32, columns: u32) -> Self {
        assert!(0 < rows && rows <= columns && rows * columns <= W::BITS);
        let all = low_bits(rows * columns);
        let first_column = upright_row(low_bits(rows), columns);
        let with_right = all & !(first_column << (columns - 1));
        let upright = (0..1 << rows).map(|row| upright_row(row, columns));
        Self {
            columns,
            all: W::truncate(all),
            first_row: W::truncate(low_bits(columns)),
            with_right: W::truncate(with_right),
            row_of: std::array::from_fn(|cell| (cell / columns as usize) as u8),
            swaps: Swap::steps(first_column, columns),
            upright: upright.map(W::truncate).collect(),
        }
    }

    /// All cells of the board.
    pub(super) fn all(&self) -> W {
        self.all
    }

    /// Free cells whose right neighbour is free too.
    pub(super) fn horizontal(&self, free: W) -> W {
        free & (free >> 1) & self.with_right
    }

    /// Free cells whose lower neighbour is free too.
    pub(super) fn vertical(&self, free: W) -> W {
        // A single row may be as wide as the word, and has nothing below.
        free & free.unbounded_shr(self.columns)
    }

    /// Every two free neighbours.
    pub(super) fn dominoes(&self, free: W) -> impl Iterator<Item = W> + use<W> {
        let upright = W::truncate(upright_row(0b11, self.columns));
        let horizontal = self.horizontal(free).cells();
        let vertical = self.vertical(free).cells();
        horizontal
            .map(|cell| W::truncate(0b11) << cell)
            .chain(vertical.map(move |cell| upright << cell))
    }

    /// The least mask among the shapes that cells with a free neighbour form, moved to the
    /// corner, after every symmetry that lays their box.
    pub(super) fn canonical(&self, free: W) -> W {
        let (shape, extent) = self.corner(free & self.neighbours(free));
        // A standing box fits after transposition: its height is at most the board's rows,
        // thus at most its columns, and its width is less than its height.
        match extent.height.cmp(&extent.width) {
            Ordering::Less => self.least_flip(shape, extent),
            Ordering::Greater => {
                self.least_flip(self.transpose(shape, extent), extent.transposed())
            }
            Ordering::Equal => self
                .least_flip(shape, extent)
                .min(self.least_flip(self.transpose(shape, extent), extent)),
        }
    }

    /// Moves a shape up and left as far as it goes.
    pub(super) fn corner(&self, shape: W) -> (W, Extent) {
        if shape == W::EMPTY {
            let nothing = Extent {
                height: 0,
                width: 0,
            };
            return (shape, nothing);
        }
        let top = u32::from(self.row_of[shape.trailing_zeros() as usize]);
        let bottom = u32::from(self.row_of[shape.ilog2() as usize]);
        let columns = self.used_columns(shape);
        let left = columns.trailing_zeros();
        let extent = Extent {
            height: bottom - top + 1,
            width: columns.ilog2() - left + 1,
        };
        (shape >> (top * self.columns + left), extent)
    }

    /// All rows laid on the first.
    fn used_columns(&self, shape: W) -> W {
        let mut folded = shape;
        let mut step = self.columns;
        while step <= self.all.ilog2() {
            folded = folded | folded >> step;
            step *= 2;
        }
        folded & self.first_row
    }

    /// The least of a corner shape, its mirror images and its half turn.
    fn least_flip(&self, shape: W, extent: Extent) -> W {
        if shape == W::EMPTY {
            return shape;
        }
        let mirrored = self.mirror(shape) >> (self.columns - extent.width);
        // The last cell of the box becomes the first.
        let last = (extent.height - 1) * self.columns + extent.width - 1;
        let half_turn = |shape: W| shape.reverse_bits() >> (W::BITS - 1 - last);
        let upright = shape.min(mirrored);
        upright.min(half_turn(shape)).min(half_turn(mirrored))
    }

    /// Every row of the board back to front.
    fn mirror(&self, shape: W) -> W {
        self.swaps.iter().fold(shape, |shape, swap| {
            (shape & swap.stay)
                | (shape & swap.left) << swap.distance
                | (shape & swap.right) >> swap.distance
        })
    }

    /// Rows become columns, in a box no longer than the board has rows.
    fn transpose(&self, shape: W, extent: Extent) -> W {
        let row = self.upright.len() - 1;
        (0..extent.height).fold(W::EMPTY, |columns, y| {
            let bits = (shape >> (y * self.columns)).low() & row;
            columns | self.upright[bits] << y
        })
    }

    /// The connected regions of two cells and more.
    pub(super) fn regions(&self, free: W) -> impl Iterator<Item = W> {
        let mut left = free & self.neighbours(free);
        std::iter::from_fn(move || {
            let seed = left ^ left.without_first();
            let region = self.flood(seed, left);
            left = left ^ region;
            (region != W::EMPTY).then_some(region)
        })
    }

    /// Whatever can be reached from `seed` inside of `space`.
    fn flood(&self, seed: W, space: W) -> W {
        let mut reached = seed;
        loop {
            let further = reached | (self.neighbours(reached) & space);
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }

    /// Cells beside `cells`. Vertical ones may lie beyond the board: the caller masks.
    fn neighbours(&self, cells: W) -> W {
        ((cells & self.with_right) << 1)
            | ((cells >> 1) & self.with_right)
            | cells.unbounded_shl(self.columns)
            | cells.unbounded_shr(self.columns)
    }
}

impl Frame<u128> {
    /// The bits of a corner shape without gaps, row after row of its box.
    pub(super) fn squeeze(&self, shape: u128, extent: Extent) -> u128 {
        (0..extent.height).fold(0, |bits, y| {
            let row = shape >> (y * self.columns) & low_bits(extent.width);
            bits | row << (y * extent.width)
        })
    }

    /// The opposite of [`squeeze`](Self::squeeze), for a box that fits on the board.
    pub(super) fn stretch(&self, bits: u128, extent: Extent) -> u128 {
        (0..extent.height).fold(0, |shape, y| {
            let row = bits >> (y * extent.width) & low_bits(extent.width);
            shape | row << (y * self.columns)
        })
    }
}

impl<W: Word> Swap<W> {
    /// The steps that put every row of a board back to front.
    fn steps(first_column: u128, columns: u32) -> Vec<Self> {
        let mut steps = Vec::new();
        // Blocks of columns that have their place and are still to be mirrored, each by itself.
        let (mut starts, mut width) = (vec![0], columns);
        while width > 1 {
            let half = width / 2;
            let distance = width - half;
            let wanted = starts.iter().flat_map(|&start| start..start + half);
            let left: u128 = wanted.map(|column| first_column << column).sum();
            let right = left << distance;
            steps.push(Self {
                left: W::truncate(left),
                right: W::truncate(right),
                stay: W::truncate(!(left | right)),
                distance,
            });
            starts = starts.iter().flat_map(|&s| [s, s + distance]).collect();
            width = half;
        }
        steps
    }
}

/// The bits of a row as a column of a board with `columns` columns.
fn upright_row(row: u128, columns: u32) -> u128 {
    row.cells().map(|x| 1_u128.unbounded_shl(x * columns)).sum()
}

/// The `count <= 128` lowest bits.
fn low_bits(count: u32) -> u128 {
    1_u128.unbounded_shl(count).wrapping_sub(1)
}
