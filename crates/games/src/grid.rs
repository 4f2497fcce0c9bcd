//! Rectangular boards: sizes, rows of text, names of cells, symmetries.
//!
//! A cell is counted row by row from the top left. Its name is its column's letter and its
//! row's number from the top (`a1` is the top left cell); after `z` comes `aa`.

use std::fmt;

use bouton_game::{Notation, NotationError, Player, excerpt};

use crate::number::read_number;

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// How many rows, at least 1.
    pub rows: usize,
    /// How many columns, at least 1.
    pub columns: usize,
}

/// As people write it: `4x5`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

impl Size {
    /// How many cells the board has.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// Reads `RxC`, a board of at most `most` cells; `None` if the text is not meant as a size.
    pub fn read<G: Notation>(text: &str, most: usize) -> Option<Result<Self, NotationError>> {
        let (rows, columns) = text.split_once(['x', 'X'])?;
        let (rows, columns) = (read_number(rows)?, read_number(columns)?);
        let fits = rows > 0 && columns > 0 && rows.checked_mul(columns).is_some_and(|n| n <= most);
        Some(if fits {
            Ok(Self { rows, columns })
        } else {
            Err(NotationError::new::<G>(format_args!(
                "size \"{}\": expected a board of 1 to {most} cells",
                excerpt(text)
            )))
        })
    }

    /// The cell in this row and column, counted from 0.
    pub fn cell(self, row: usize, column: usize) -> usize {
        row * self.columns + column
    }

    /// The row and the column of a cell, counted from 0.
    pub fn row_and_column(self, cell: usize) -> (usize, usize) {
        (cell / self.columns, cell % self.columns)
    }

    /// The cells whose row and column satisfy a condition, as bits; the board has at most 128.
    pub fn set(self, holds: impl Fn(usize, usize) -> bool) -> u128 {
        let cells = (0..self.cells()).filter(|&cell| {
            let (row, column) = self.row_and_column(cell);
            holds(row, column)
        });
        cells.fold(0, |set, cell| set | 1 << cell)
    }

    /// The name of a cell, `a1` to the top left.
    pub fn name(self, cell: usize) -> String {
        let (row, column) = self.row_and_column(cell);
        name(row + 1, column)
    }

    /// Writes a board, rows joined by `|`.
    pub fn write(self, symbol: impl Fn(usize) -> char) -> String {
        let mut text = String::with_capacity(self.cells() + self.rows);
        for row in 0..self.rows {
            if row > 0 {
                text.push('|');
            }
            text.extend((0..self.columns).map(|column| symbol(self.cell(row, column))));
        }
        text
    }
}

/// The name of a cell: the letters of its column (counted from 0), the number of its row.
pub fn name(row: usize, column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(b'a' + (rest % 26) as u8);
        rest /= 26;
    }
    let letters = letters.iter().rev().map(|&letter| char::from(letter));
    letters.chain(row.to_string().chars()).collect()
}

/// A board as it was read: its size and the symbol of every cell, in lower case.
#[derive(Clone, Debug)]
pub struct Board {
    /// The size.
    pub size: Size,
    /// The symbols, row by row.
    pub symbols: Vec<char>,
}

impl Board {
    /// Reads rows joined by `|` or `/`, of cells from `alphabet`, at most `most` in all.
    pub fn read<G: Notation>(
        text: &str,
        alphabet: &str,
        most: usize,
    ) -> Result<Self, NotationError> {
        let error = |message: String| {
            let position = excerpt(text);
            NotationError::new::<G>(format_args!("{message} (position \"{position}\")"))
        };
        let mut symbols = Vec::new();
        let mut columns = 0;
        let mut rows = 0;
        for (row, line) in text.split(['|', '/']).enumerate() {
            let before = symbols.len();
            for (column, symbol) in line.chars().enumerate() {
                let symbol = symbol.to_ascii_lowercase();
                if !alphabet.contains(symbol) {
                    return Err(error(format!(
                        "row {}, column {}: expected one of \"{alphabet}\", found \"{symbol}\"",
                        row + 1,
                        column + 1
                    )));
                }
                if symbols.len() == most {
                    return Err(error(format!("expected a board of at most {most} cells")));
                }
                symbols.push(symbol);
            }
            let cells = symbols.len() - before;
            if row == 0 {
                columns = cells;
            }
            if cells == 0 || cells != columns {
                let expected = columns.max(1);
                return Err(error(format!(
                    "row {} has {cells} cells, expected {expected}",
                    row + 1
                )));
            }
            rows = row + 1;
        }
        let size = Size { rows, columns };
        Ok(Self { size, symbols })
    }

    /// The cells that show `symbol`.
    pub fn cells_with(&self, symbol: char) -> impl Iterator<Item = usize> {
        let found = self.symbols.iter().enumerate();
        found.filter_map(move |(cell, &other)| (other == symbol).then_some(cell))
    }
}

/// Splits a position of a game with colours into its board and the side to move.
pub fn read_side<G: Notation>(text: &str) -> Result<(&str, Player), NotationError> {
    let (board, side) = text.trim_end().rsplit_once(' ').unwrap_or((text, ""));
    let player = match side {
        "b" | "B" => Player::Black,
        "w" | "W" => Player::White,
        _ => {
            return Err(NotationError::new::<G>(format_args!(
                "expected a board, a space and the side to move, \"b\" or \"w\" (position \"{}\")",
                excerpt(text)
            )));
        }
    };
    Ok((board.trim(), player))
}

/// A symmetry of the rectangle: reflect in the main diagonal or not, then turn rows or columns
/// round or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Rows become columns.
    pub transposes: bool,
    /// The top row becomes the bottom row.
    pub flips_rows: bool,
    /// The left column becomes the right column.
    pub flips_columns: bool,
}

impl Symmetry {
    /// All eight, the identity first; those that transpose keep the size of squares only.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self {
            transposes: bits & 4 != 0,
            flips_rows: bits & 2 != 0,
            flips_columns: bits & 1 != 0,
        })
    }

    /// The size of the board after the symmetry.
    pub fn size(self, size: Size) -> Size {
        if self.transposes {
            Size {
                rows: size.columns,
                columns: size.rows,
            }
        } else {
            size
        }
    }

    /// Where a cell of a board of this size goes, on a board of size `self.size(size)`.
    pub fn image(self, size: Size, cell: usize) -> usize {
        let (mut row, mut column) = size.row_and_column(cell);
        let after = self.size(size);
        if self.transposes {
            (row, column) = (column, row);
        }
        if self.flips_rows {
            row = after.rows - 1 - row;
        }
        if self.flips_columns {
            column = after.columns - 1 - column;
        }
        after.cell(row, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_like_in_a_spreadsheet() {
        assert_eq!(name(1, 0), "a1");
        assert_eq!(name(12, 25), "z12");
        assert_eq!(name(3, 26), "aa3");
        assert_eq!(name(3, 701), "zz3");
        assert_eq!(name(3, 702), "aaa3");
    }

    #[test]
    fn a_symmetry_moves_every_cell_to_a_place_of_its_own() {
        let size = Size {
            rows: 3,
            columns: 5,
        };
        for symmetry in Symmetry::all() {
            let mut images: Vec<_> = (0..15).map(|cell| symmetry.image(size, cell)).collect();
            images.sort_unstable();
            assert!(images.into_iter().eq(0..15));
        }
    }
}
