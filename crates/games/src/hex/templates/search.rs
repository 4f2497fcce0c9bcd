//! How edge templates are found, and that they hold.
//!
//! A strip of the board ends at Black's last side. In its first row there is the end, which a stone
//! above joins to the other side; some more black stones are put at random. If Black wins though White
//! moves first, then White gets the empty cells one by one, in random order, as long as that changes
//! nothing. What is left is a template, unless the rules for connections see it. All is proved by a
//! search that knows no templates.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use bouton_game::{Game, Notation, Outcome, Player};

use super::super::board::Board;
use super::super::tests::{BruteForce, joins_from, searched};
use super::super::{Hex, Insight, Parts, Position, VirtualConnections, cells};
use super::{FIRST, Shape, Templates};
use crate::brute_force::Dice;
use crate::grid::Size;

/// Rows, columns, stones beside the end, and how often templates are looked for.
const SEARCHED: [(usize, usize, usize, usize); 4] = [
    (4, 8, 1, 5_000),
    (4, 8, 2, 20_000),
    (5, 9, 1, 1_000),
    (5, 9, 2, 5_000),
];

/// Templates of this many cells are proved by brute force too.
const FEW: u32 = 10;

/// All that there is but what is to be proved.
fn no_templates() -> Parts {
    Parts {
        templates: false,
        ..Parts::default()
    }
}

/// Rows of a board at Black's last side.
struct Strip {
    game: Hex,
    knowledge: VirtualConnections,
    end: u128,
}

impl Strip {
    /// A strip with the end in some column of its first row, above which there is one row more.
    fn new(rows: usize, columns: usize, end: usize) -> Self {
        let rows = rows + 1;
        Self {
            game: Hex::new(Size { rows, columns }),
            knowledge: VirtualConnections::with(no_templates()),
            end: 1 << (columns + end),
        }
    }

    /// All cells but the end and those above it.
    fn region(&self) -> u128 {
        let [above, _] = self.game.board.sides(Player::Black);
        self.game.board.all & !(above | self.end)
    }

    /// White to move has all but Black's stones and some cells.
    fn position(&self, stones: u128, free: u128) -> Position {
        let black = stones | self.end | self.end >> self.game.size().columns;
        Position {
            black,
            white: self.game.board.all & !(black | free),
            side: Player::White,
        }
    }

    /// Whether the end is joined to the side.
    fn holds(&mut self, stones: u128, free: u128) -> bool {
        let position = self.position(stones, free);
        searched(&mut self.game, &mut self.knowledge, &position) == Outcome::Loss
    }

    /// Whether connections tell so without a search.
    fn is_seen(&self, parts: Parts, stones: u128, free: u128) -> bool {
        let position = self.position(stones, free);
        let decided = self.game.decided(&position).is_some();
        let mut knowledge = VirtualConnections::with(parts);
        decided || matches!(knowledge.look(&self.game, &position), Insight::Decided(_))
    }

    /// Looks for a template once.
    fn search(&mut self, more: usize, dice: &mut Dice) -> Option<Shape> {
        let region = self.region();
        let mut order: Vec<u8> = cells(region).collect();
        for index in (1..order.len()).rev() {
            order.swap(index, dice.below(index + 1));
        }
        let mut stones = order.drain(..more).fold(0, |set, cell| set | 1 << cell);
        let mut free = region & !stones;
        if !self.holds(stones, free) {
            return None;
        }
        for cell in order {
            let less = free & !(1 << cell);
            if self.holds(stones, less) {
                free = less;
            }
        }
        for cell in cells(stones) {
            let less = stones & !(1 << cell);
            if self.holds(less, free) {
                stones = less;
            }
        }
        (!self.is_seen(no_templates(), stones, free)).then(|| self.shape(stones, free))
    }

    fn shape(&self, stones: u128, free: u128) -> Shape {
        let size = self.game.size();
        let sets = [(self.end, '*'), (stones, 'x'), (free, '.')];
        let columns = cells(self.end | stones | free);
        let columns = columns.map(|cell| size.row_and_column(cell.into()).1);
        let left = columns.min().unwrap_or(0);
        let mut shape = Shape { cells: Vec::new() };
        for (set, symbol) in sets {
            for cell in cells(set) {
                let (row, column) = size.row_and_column(cell.into());
                shape.cells.push((row - 1, column - left, symbol));
            }
        }
        shape.cells.sort_unstable();
        shape
    }
}

impl Shape {
    /// The line that says it.
    fn write(&self) -> String {
        let mut rows = vec![String::new(); self.rows()];
        for &(row, column, symbol) in &self.cells {
            while rows[row].len() < column {
                rows[row].push('-');
            }
            rows[row].push(symbol);
        }
        rows.join("|")
    }

    /// The strip it lies on, with its stones and cells.
    fn strip(&self) -> (Strip, u128, u128) {
        let (_, end, _) = self.cells[self.place_of_end()];
        let strip = Strip::new(self.rows(), self.columns(), end);
        let set = |wanted: char| {
            let of = self.cells.iter().filter(|cell| cell.2 == wanted);
            of.fold(0, |set, &(row, column, _)| {
                set | 1u128 << ((row + 1) * self.columns() + column)
            })
        };
        let (stones, free) = (set('x'), set('.'));
        (strip, stones, free)
    }

    /// How many cells, those with stones included.
    fn size(&self) -> usize {
        self.cells.len()
    }

    fn place_of_end(&self) -> usize {
        let end = self.cells.iter().position(|cell| cell.2 == '*');
        end.expect("an end")
    }
}

/// A list with those shapes besides that connections do not see with its help and that of smaller ones.
fn extended(mut list: Vec<Shape>, mut shapes: Vec<Shape>) -> Vec<Shape> {
    shapes.sort_by_key(Shape::size);
    for alike in shapes.chunk_by(|one, other| one.size() == other.size()) {
        let mut boards = HashMap::new();
        let mut news = Vec::new();
        for shape in alike {
            let (mut strip, stones, free) = shape.strip();
            let board = boards.entry((shape.rows(), shape.columns()));
            let board = board.or_insert_with(|| {
                let templates = |board: &Board| Templates::of(board, list.iter().cloned());
                Arc::new(Board::with_templates(strip.game.size(), templates))
            });
            strip.game.board = Arc::clone(board);
            if !strip.is_seen(Parts::default(), stones, free) {
                news.push(shape.clone());
            }
        }
        list.extend(news);
    }
    list.sort_by_key(|shape| (shape.size(), shape.write()));
    list
}

fn list() -> impl Iterator<Item = Shape> {
    include_str!("list.txt").lines().map(Shape::read)
}

/// Prints the list with what a further search adds to it: `cargo test --release -p bouton-games --lib templates_are_listed -- --ignored
/// --nocapture`.
#[test]
#[ignore = "it takes two minutes and makes a file"]
fn templates_are_listed() {
    let list: Vec<_> = list().collect();
    // Another search for every list.
    let mut dice = Dice(list.len() as u64);
    let mut found = BTreeSet::new();
    for (rows, columns, more, times) in SEARCHED {
        let mut strip = Strip::new(rows, columns, columns / 2);
        for _ in 0..times {
            if let Some(shape) = strip.search(more, &mut dice) {
                found.insert(shape.write().min(shape.mirrored().write()));
            }
        }
    }
    let found = found.iter().map(|text| Shape::read(text)).collect();
    for shape in extended(list, found) {
        println!("{}", shape.write());
    }
}

#[test]
fn every_template_holds() {
    let mut brute_force = BruteForce::default();
    for shape in list().flat_map(|shape| [shape.mirrored(), shape]) {
        let (mut strip, stones, free) = shape.strip();
        assert!(strip.holds(stones, free), "{}", shape.write());
        if free.count_ones() <= FEW {
            let position = strip.position(stones, free);
            let outcome = brute_force.outcome(&strip.game, &position);
            assert_eq!(outcome, Outcome::Loss, "{}", strip.game.write(&position));
        }
    }
}

#[test]
fn shapes_are_read_and_mirrored() {
    for line in include_str!("list.txt").lines() {
        let shape = Shape::read(line);
        assert_eq!(shape.write(), line);
        assert_eq!(shape.mirrored().mirrored(), shape, "{line}");
        assert_eq!(shape.cells[shape.place_of_end()].0, 0, "{line}");
    }
}

/// At both sides of both players, on boards of different shapes.
#[test]
fn templates_hold_in_play_wherever_they_are_placed() {
    const MOST_CELLS: usize = 9;
    let mut checked = [[0; 2]; 2];
    for (rows, columns) in [(6, 6), (5, 8), (8, 5)] {
        let game = Hex::new(Size { rows, columns });
        let templates = Templates::<u64>::new(&game.board);
        for player in [Player::Black, Player::White] {
            let sides = game.board.sides(player);
            for place in &templates.places[player as usize] {
                let [stones, carrier] = [place.stones, place.carrier].map(u128::from);
                if carrier.count_ones() as usize > MOST_CELLS {
                    continue;
                }
                checked[player as usize][usize::from(place.side == FIRST)] += 1;
                let end = 1u128 << place.end;
                let near = [end, sides[place.side]];
                let own = stones | end;
                assert!(joins_from(&game, sides, near, own, carrier, false));
            }
        }
    }
    assert!(
        checked.as_flattened().iter().all(|&count| count > 10),
        "{checked:?}"
    );
}
