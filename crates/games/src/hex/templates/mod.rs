//! Edge templates: stones that are joined to a side although the rules for connections do not see it.
//!
//! A *template* is an end, other stones of the same player, and empty cells, near one of the player's
//! sides. Whoever has all stones, while the opponent has none of the cells, joins the end with
//! the side even if the opponent moves first: that is a full connection, with the cells as its
//! carrier. With one of the other stones missing it is a semi connection which needs that cell too.
//!
//! `list.txt` has templates that the rules in `connections` miss, one a line: rows of cells as on the
//! board, the side below the last one; `*` the end, `x` another stone, `.` a cell, `-` anything.
//! Of a template and its mirror image one is there. `search` found them, and left out those that
//! connections see with the help of smaller ones. Many are worth it: all openings of 7x7 take 25,100 builds
//! with these 2,565, 26,400 with the 1,864 of up to 28 cells, 28,400 with the 1,052 of up to 22. A mistake in
//! the list costs **truth**, so a test proves each of them by a search that knows none.

#[cfg(test)]
mod search;

use bouton_game::Player;

use super::board::{Board, Set};
use super::connections::{FIRST, LAST};
use super::crossed::Crossed;

/// The templates, wherever they fit on a board.
#[derive(Clone, Debug)]
pub(super) struct Templates<S> {
    /// Of each player.
    places: [Vec<Place<S>>; 2],
    /// All cells of each of them, stones included: most questions end there.
    wholes: [Crossed<S>; 2],
}

/// A template somewhere on a board.
#[derive(Clone, Copy, Debug)]
struct Place<S> {
    side: usize,
    end: u8,
    /// The stones beside the end.
    stones: S,
    carrier: S,
}

/// A template that holds, or will with one more stone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holding<S> {
    /// The point of the side.
    pub(super) side: usize,
    /// The cell of the end, with a stone or empty.
    pub(super) end: u8,
    pub(super) carrier: S,
    /// Where a stone is missing, if one is.
    pub(super) missing: S,
}

impl<S: Set> Templates<S> {
    pub(super) fn new(board: &Board) -> Self {
        Self::of(board, include_str!("list.txt").lines().map(Shape::read))
    }

    fn of(board: &Board, shapes: impl Iterator<Item = Shape>) -> Self {
        let both = shapes.flat_map(|shape| [shape.mirrored(), shape]);
        let mut places = [Vec::new(), Vec::new()];
        for shape in both {
            for player in [Player::Black, Player::White] {
                shape.place(board, player, &mut places[player as usize]);
            }
        }
        let whole = |place: &Place<S>| place.stones | place.carrier | S::one(place.end);
        let wholes = places.each_ref().map(|of| of.iter().map(whole).collect());
        Self { places, wholes }
    }

    /// The templates of a player with these stones, against those of the opponent.
    pub(super) fn holding(
        &self,
        player: Player,
        own: S,
        other: S,
    ) -> impl Iterator<Item = Holding<S>> {
        let places = &self.places[player as usize];
        let free = self.wholes[player as usize].apart(other);
        let free = free.map(|number| &places[number]);
        let near = free.map(move |place| Holding {
            side: place.side,
            end: place.end,
            carrier: place.carrier & !own,
            missing: place.stones & !own,
        });
        near.filter(|place| place.missing.count() <= 1)
    }
}

/// A template, as cells with their rows, columns and symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    cells: Vec<(usize, usize, char)>,
}

impl Shape {
    fn read(line: &str) -> Self {
        let rows = line.split('|').enumerate();
        let cells = rows.flat_map(|(row, text)| {
            let cells = text.char_indices();
            cells.map(move |(column, symbol)| (row, column, symbol))
        });
        Self {
            cells: cells.filter(|&(_, _, symbol)| symbol != '-').collect(),
        }
    }

    /// Left and right swapped, which keeps neighbours and rows.
    fn mirrored(&self) -> Self {
        let shifted = |&(row, column, symbol): &(usize, usize, char)| {
            (row, -(row as isize + column as isize), symbol)
        };
        let cells: Vec<_> = self.cells.iter().map(shifted).collect();
        let first = cells.iter().map(|&(_, column, _)| column).min();
        let first = first.unwrap_or(0);
        let mut cells: Vec<_> = cells
            .into_iter()
            .map(|(row, column, symbol)| (row, (column - first) as usize, symbol))
            .collect();
        cells.sort_unstable();
        Self { cells }
    }

    fn rows(&self) -> usize {
        self.cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(0)
    }

    fn columns(&self) -> usize {
        self.cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(0)
    }

    /// Adds all places at both sides of a player.
    fn place<S: Set>(&self, board: &Board, player: Player, into: &mut Vec<Place<S>>) {
        let size = board.size;
        // White's sides are Black's, reflected in the long diagonal.
        let (rows, columns) = match player {
            Player::Black => (size.rows, size.columns),
            Player::White => (size.columns, size.rows),
        };
        if self.rows() > rows || self.columns() > columns {
            return;
        }
        let down = rows - self.rows();
        for right in 0..=columns - self.columns() {
            let set = |symbols: &str| {
                let cells = self.cells.iter();
                let cells = cells.filter(|cell| symbols.contains(cell.2));
                cells.fold(0u128, |set, &(row, column, _)| {
                    let (row, column) = (row + down, column + right);
                    set | match player {
                        Player::Black => 1 << (row * size.columns + column),
                        Player::White => 1 << (column * size.columns + row),
                    }
                })
            };
            let sets = ["*", "x", "."].map(set);
            let turned = sets.map(|set| board.half_turn(set));
            for (side, [end, stones, carrier]) in [(LAST, sets), (FIRST, turned)] {
                into.push(Place {
                    side,
                    end: end.trailing_zeros() as u8,
                    stones: S::narrow(stones),
                    carrier: S::narrow(carrier),
                });
            }
        }
    }
}
