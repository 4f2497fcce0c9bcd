//! The board as sets of squares: colours, jumps, symmetries.
//!
//! A set of squares is a `u64`; bit `n` is the `n`-th square, row by row from the top left.
//! All 64 bits may be squares, so there is no spare column to catch what is shifted over the
//! rim. Instead every direction has a mask of the squares that can be landed on, and shifts
//! are rotations: one rule for all four directions, and what wraps round is masked away.
//!
//! Jumps follow section 3.2 of the thesis, but whole sets of stones jump at once: a square is
//! *open* in a direction if it is empty and lies behind an opposing stone. The first jumps
//! land on the open squares two steps from a stone, the second jumps on the open squares two
//! steps from there, and so on. Jumping changes nothing ahead of the jumper, so the sets of
//! the position itself serve for all of them.
//!
//! Symmetries are those of section 3.4: all that keep the colours of the squares. A half turn
//! is a reversal of bits; the others come in pairs that differ by a half turn, so one table
//! serves both.

use super::features::Axis;
use super::frames::{Frames, Images, Jump};
use crate::grid::{Size, Symmetry};

/// Squares, rules and symmetries of one size; never changes.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) size: Size,
    /// All squares.
    pub(super) all: u64,
    /// The squares of black stones; the top left one is among them.
    pub(super) black: u64,
    /// The black stones that may be removed first.
    pub(super) opening: u64,
    /// The left column.
    column: u64,
    /// Opposite ones in pairs: east and west, south and north.
    directions: [[Direction; 2]; 2],
    /// The same as lines: along rows, along columns.
    pub(super) axes: [Axis; 2],
    /// Whether a half turn keeps the colours.
    turns: bool,
    /// One of each pair of symmetries, without the identity.
    tables: Vec<Table>,
    /// All symmetries, for children.
    pub(super) frames: Frames,
}

/// One of the four ways to move; see the top of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    /// One step, as a rotation of the set to the left.
    pub(super) one: u32,
    /// Two steps.
    pub(super) two: u32,
    /// The squares one step from another square.
    beside: u64,
    /// The squares two steps from another square.
    pub(super) behind: u64,
}

impl Board {
    /// The board of a size with at most 64 squares.
    pub(super) fn new(size: Size) -> Self {
        let black = set(size, |row, column| (row + column) % 2 == 0);
        let turns = size.rows % 2 == size.columns % 2;
        let directions = [[(0, 1), (0, -1)], [(1, 0), (-1, 0)]]
            .map(|pair| pair.map(|(south, east)| Direction::new(size, south, east)));
        let mut board = Self {
            size,
            all: set(size, |_, _| true),
            black,
            opening: black & opening(size),
            column: set(size, |_, column| column == 0),
            directions,
            axes: Axis::both(size),
            turns,
            tables: tables(size, turns),
            frames: Frames::default(),
        };
        let symmetries = (0..board.symmetries()).map(|index| {
            let board = &board;
            move |stones| board.images_at_once(stones)[index]
        });
        let symmetries: Vec<_> = symmetries.collect();
        board.frames = Frames::new(size.cells(), directions.as_flattened(), &symmetries);
        board
    }

    /// The four directions.
    #[inline]
    pub(super) fn ways(&self) -> &[Direction] {
        self.directions.as_flattened()
    }

    /// The squares beside a square.
    pub(super) fn neighbours(&self, square: u64) -> u64 {
        let ways = self.directions.as_flattened().iter();
        ways.fold(0, |all, way| {
            all | (square.rotate_left(way.one) & way.beside)
        })
    }

    /// Calls `visit(from, to)` for every jump of the stones `own` over stones `other`.
    #[inline]
    pub(super) fn jumps(&self, own: u64, other: u64, mut visit: impl FnMut(u8, u8)) {
        self.each_jump(own, other, |Jump { to, way, more }| {
            let distance = self.ways()[way].two * (more as u32 + 1);
            visit((u32::from(to).wrapping_sub(distance) % 64) as u8, to);
        });
    }

    /// The same by direction and length.
    #[inline]
    pub(super) fn each_jump(&self, own: u64, other: u64, mut visit: impl FnMut(Jump)) {
        self.any_jump(own, other, |jump| {
            visit(jump);
            false
        });
    }

    /// Whether a condition holds for one of the jumps; those after it are not visited.
    #[inline]
    pub(super) fn any_jump(
        &self,
        own: u64,
        other: u64,
        mut holds: impl FnMut(Jump) -> bool,
    ) -> bool {
        let empty = self.all & !(own | other);
        for (index, way) in self.ways().iter().enumerate() {
            let open = way.open(other, empty);
            let mut landings = way.jump(own, open);
            let mut more = 0;
            while landings != 0 {
                let jump = |to| Jump {
                    to,
                    way: index,
                    more,
                };
                if squares(landings).any(|to| holds(jump(to))) {
                    return true;
                }
                landings = way.jump(landings, open);
                more += 1;
            }
        }
        false
    }

    /// How many jumps [`jumps`](Self::jumps) would visit.
    ///
    /// A jumper lands on an empty square and passes a stone. So the landings of one direction
    /// and the stones passed in another have no square in common, and are counted together.
    #[inline]
    pub(super) fn count_jumps(&self, own: u64, other: u64) -> u32 {
        let empty = self.all & !(own | other);
        let mut count = 0;
        for [there, back] in &self.directions {
            let open = [there.open(other, empty), back.open(other, empty)];
            let mut landings = [there.jump(own, open[0]), back.jump(own, open[1])];
            while landings != [0, 0] {
                let passed = landings[1].rotate_left(there.one);
                count += (landings[0] | passed).count_ones();
                landings = [
                    there.jump(landings[0], open[0]),
                    back.jump(landings[1], open[1]),
                ];
            }
        }
        count
    }

    /// The stones after a jump: those it passes are gone, and so is the jumper.
    #[inline]
    pub(super) fn jump(&self, stones: u64, from: u8, to: u8) -> u64 {
        let (low, high) = (from.min(to), from.max(to));
        // Along a row every square from one end to the other, along a column one in each row.
        let along_row = usize::from(high - low) < self.size.columns;
        let line = if along_row { u64::MAX } else { self.column };
        let path = (line << low) & (u64::MAX >> (63 - high));
        (stones & !path) | 1 << to
    }

    /// The least image of a set of stones.
    #[inline]
    pub(super) fn least_image(&self, stones: u64) -> u64 {
        let least = |stones: u64| match self.turns {
            true => stones.min(self.half_turn(stones)),
            false => stones,
        };
        let images = self.tables.iter().map(|table| table.image(stones));
        images.fold(least(stones), |best, image| best.min(least(image)))
    }

    /// All images of a set of stones, itself first.
    pub(super) fn images(&self, stones: u64) -> Vec<u64> {
        self.images_at_once(stones)[..self.symmetries()].to_vec()
    }

    /// How many symmetries there are.
    fn symmetries(&self) -> usize {
        (1 + self.tables.len()) << u32::from(self.turns)
    }

    /// The images of a set of stones, itself first; beyond the last symmetry they say nothing.
    #[inline]
    pub(super) fn images_at_once(&self, stones: u64) -> Images {
        let mut images = Images::default();
        images[0] = stones;
        for (image, table) in images[1..].iter_mut().zip(&self.tables) {
            *image = table.image(stones);
        }
        if self.turns {
            let (there, back) = images.split_at_mut(1 + self.tables.len());
            for (image, turned) in there.iter().zip(back) {
                *turned = self.half_turn(*image);
            }
        }
        images
    }

    fn half_turn(&self, stones: u64) -> u64 {
        stones.reverse_bits() >> (64 - self.size.cells())
    }
}

impl Direction {
    fn new(size: Size, south: isize, east: isize) -> Self {
        let step = south * size.columns as isize + east;
        let rotation = |steps: isize| (steps * step).rem_euclid(64) as u32;
        let lands = |steps: isize| {
            set(size, |row, column| {
                row.checked_add_signed(-steps * south)
                    .is_some_and(|row| row < size.rows)
                    && column
                        .checked_add_signed(-steps * east)
                        .is_some_and(|column| column < size.columns)
            })
        };
        Self {
            one: rotation(1),
            two: rotation(2),
            beside: lands(1),
            behind: lands(2),
        }
    }

    /// The empty squares that lie behind one of the stones `over`.
    #[inline]
    pub(super) fn open(&self, over: u64, empty: u64) -> u64 {
        over.rotate_left(self.one) & empty & self.behind
    }

    /// Where stones land that jump two steps onto open squares.
    #[inline]
    pub(super) fn jump(&self, stones: u64, open: u64) -> u64 {
        stones.rotate_left(self.two) & open
    }
}

/// The corners and the squares in the middle, of either colour.
fn opening(size: Size) -> u64 {
    let corner = |place, length| place == 0 || place == length - 1;
    let middle = |place, length| place == (length - 1) / 2 || place == length / 2;
    set(size, |row, column| {
        (corner(row, size.rows) && corner(column, size.columns))
            || (middle(row, size.rows) && middle(column, size.columns))
    })
}

/// The squares whose row and column satisfy a condition.
pub(super) fn set(size: Size, holds: impl Fn(usize, usize) -> bool) -> u64 {
    size.set(holds) as u64
}

/// The squares of a set, the lowest first.
#[inline]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// A symmetry as a look-up: the image of every value of every byte.
#[derive(Debug)]
struct Table(Vec<[u64; 256]>);

impl Table {
    /// The table of a symmetry that sends square `n` to `images[n]`.
    fn new(images: &[usize]) -> Self {
        let byte = |images: &[usize]| {
            std::array::from_fn(|value| {
                let squares = images.iter().enumerate();
                let present = squares.filter(|(bit, _)| value >> bit & 1 == 1);
                present.fold(0, |set, (_, image)| set | 1 << image)
            })
        };
        Self(images.chunks(8).map(byte).collect())
    }

    #[inline]
    fn image(&self, stones: u64) -> u64 {
        let bytes = stones.to_le_bytes().into_iter().zip(&self.0);
        bytes.fold(0, |set, (value, images)| set | images[usize::from(value)])
    }
}

/// Tables of the symmetries that keep size and colours; of two that differ by a half turn
/// (where that is a symmetry), and of equal ones (on boards of one row), the first only.
fn tables(size: Size, turns: bool) -> Vec<Table> {
    let mut known: Vec<Vec<usize>> = Vec::new();
    let mut tables = Vec::new();
    for symmetry in Symmetry::all().filter(|&symmetry| keeps_colours(size, symmetry)) {
        let images: Vec<_> = (0..size.cells())
            .map(|square| symmetry.image(size, square))
            .collect();
        if known.contains(&images) {
            continue;
        }
        if !known.is_empty() {
            tables.push(Table::new(&images));
        }
        if turns {
            known.push(images.iter().rev().copied().collect());
        }
        known.push(images);
    }
    tables
}

/// Whether a symmetry keeps the size and sends black squares to black ones; the top left
/// square speaks for all.
fn keeps_colours(size: Size, symmetry: Symmetry) -> bool {
    let (row, column) = size.row_and_column(symmetry.image(size, 0));
    symmetry.size(size) == size && (row + column) % 2 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: usize, columns: usize) -> Board {
        Board::new(Size { rows, columns })
    }

    #[test]
    fn black_opens_at_corners_and_in_the_middle() {
        let choices = |rows, columns| board(rows, columns).opening.count_ones();
        assert_eq!(choices(8, 8), 4);
        assert_eq!(choices(7, 7), 5);
        assert_eq!(choices(6, 5), 3);
        assert_eq!(choices(1, 1), 1);
    }

    #[test]
    fn symmetries_are_those_of_section_3_4() {
        let count = |rows, columns| board(rows, columns).images(1).len();
        assert_eq!(count(5, 5), 8);
        assert_eq!(count(6, 6), 4);
        assert_eq!(count(5, 7), 4);
        assert_eq!(count(6, 8), 2);
        assert_eq!(count(6, 5), 2);
        assert_eq!(count(1, 7), 2);
        assert_eq!(count(1, 8), 1);
        assert_eq!(count(1, 1), 2, "a half turn, though of a single square");
    }

    #[test]
    fn a_jump_to_the_east_does_not_leave_its_row() {
        // g1 jumps over h1 to what would be a2, were there no rim.
        let board = board(8, 8);
        assert_eq!(board.count_jumps(1 << 6, 1 << 7), 0);
        assert_eq!(board.count_jumps(1 << 5, 1 << 6), 1);
    }
}
