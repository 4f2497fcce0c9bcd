//! Facts about Cram, and the fast rules beside naive ones.

use std::collections::{BTreeSet, HashMap};

use bouton_game::{Game, Impartial, List, Notation};

use super::word::Word;
use super::{Cram, Free};
use crate::brute_force::{
    Dice, Memo, nimber, nimber_of, raw_children, raw_nimber, raw_positions, tree_nodes,
};
use crate::grid::{Size, Symmetry};

/// Cells by row and column, of the board as it is drawn.
type Coordinates = BTreeSet<(usize, usize)>;

const SIZES: [&str; 15] = [
    "1x1", "1x2", "2x2", "4x6", "6x4", "5x5", "7x10", "10x7", "1x40", "40x1", "11x11", "8x16",
    "1x128", "1x64", "8x8",
];

fn open(text: &str) -> (Cram, Free) {
    Cram::open(text).unwrap()
}

/// Free cells strewn at random, few or many.
fn random_position(game: &Cram, dice: &mut Dice) -> Free {
    let density = 1 + dice.below(9);
    let free = (0..game.size.cells()).filter(|_| dice.below(10) < density);
    Free(free.map(|cell| 1 << cell).sum())
}

fn coordinates(game: &Cram, position: Free) -> Coordinates {
    let drawn = position.0.cells().map(|bit| game.cell(bit as usize));
    drawn.map(|cell| game.size.row_and_column(cell)).collect()
}

fn neighbours((row, column): (usize, usize)) -> [(usize, usize); 4] {
    [
        (row, column + 1),
        (row + 1, column),
        (row, column.wrapping_sub(1)),
        (row.wrapping_sub(1), column),
    ]
}

/// The cells with a free neighbour.
fn live(free: &Coordinates) -> Coordinates {
    let has_move = |&&cell: &&_| neighbours(cell).iter().any(|n| free.contains(n));
    free.iter().filter(has_move).copied().collect()
}

/// The least list of coordinates over all symmetries and translations.
fn naive_canonical(free: &Coordinates) -> Vec<(i64, i64)> {
    let live = live(free);
    let image = |symmetry: u32| {
        let mut image = Vec::new();
        for &(row, column) in &live {
            let (mut y, mut x) = (row as i64, column as i64);
            if symmetry & 4 != 0 {
                (y, x) = (x, y);
            }
            let [up, left] = [2, 1].map(|bit| if symmetry & bit == 0 { 1 } else { -1 });
            image.push((y * up, x * left));
        }
        let top = image.iter().map(|cell| cell.0).min().unwrap_or(0);
        let left = image.iter().map(|cell| cell.1).min().unwrap_or(0);
        image
            .iter_mut()
            .for_each(|cell| *cell = (cell.0 - top, cell.1 - left));
        image.sort_unstable();
        image
    };
    (0..8).map(image).min().unwrap()
}

fn naive_children(free: &Coordinates) -> BTreeSet<Coordinates> {
    let mut children = BTreeSet::new();
    for &cell in free {
        for other in neighbours(cell).into_iter().filter(|n| free.contains(n)) {
            let pair = Coordinates::from([cell, other]);
            children.insert(free - &pair);
        }
    }
    children
}

fn pack(game: &Cram, position: Free) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.pack(&position, &mut bytes);
    bytes
}

#[test]
fn trees_and_positions_are_as_many_as_in_the_paper() {
    // Beling and Rogalski 2020, tables 7 and 8; 4x4 by an independent program.
    let known = [
        ("4x4", None, 6_257_129),
        ("5x4", Some(58_830), 1_780_847_574),
    ];
    for (size, positions, nodes) in known {
        let (mut game, start) = open(size);
        let mut memo = HashMap::new();
        assert_eq!(tree_nodes(&mut game, &start, &mut memo), nodes, "{size}");
        let reached = raw_positions(&mut game, &start).len();
        assert_eq!(reached, memo.len());
        assert!(
            positions.is_none_or(|expected| expected == reached),
            "{size}"
        );
    }
    let (mut game, start) = open("6x4");
    assert_eq!(raw_positions(&mut game, &start).len(), 607_752);
}

#[test]
fn nimbers_of_boards() {
    for columns in 1..=10 {
        let size = format!("2x{columns}");
        assert_eq!(nimber_of::<Cram>(&size), columns % 2, "{size}");
    }
    for (columns, nimber) in (3..=8).zip([0, 1, 1, 4, 1, 3]) {
        assert_eq!(nimber_of::<Cram>(&format!("3x{columns}")), nimber);
        assert_eq!(nimber_of::<Cram>(&format!("{columns}x3")), nimber);
    }
    for (size, nimber) in [("4x4", 0), ("4x5", 2), ("5x5", 0)] {
        assert_eq!(nimber_of::<Cram>(size), nimber, "{size}");
    }
}

#[test]
fn one_row_is_dawsons_kayles() {
    let known = [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4];
    for (columns, nimber) in (1..).zip(known) {
        assert_eq!(nimber_of::<Cram>(&format!("1x{columns}")), nimber);
        assert_eq!(nimber_of::<Cram>(&format!("{columns}x1")), nimber);
    }
}

#[test]
fn the_sum_of_the_components_is_the_position() {
    let mut dice = Dice(1);
    for size in ["3x5", "5x3", "4x4", "1x15"] {
        let (mut game, _) = open(size);
        let (mut memo, mut raw_memo) = (Memo::<Cram>::new(), Memo::<Cram>::new());
        for _ in 0..300 {
            let position = random_position(&game, &mut dice);
            let raw = raw_nimber(&mut game, &position, &mut raw_memo);
            let canonical = game.canonical(&position);
            assert_eq!(nimber(&mut game, &canonical, &mut memo), raw);
            let mut parts = List::new();
            game.components(&position, &mut parts);
            let sum = parts
                .iter()
                .fold(0, |sum, part| sum ^ nimber(&mut game, part, &mut memo));
            assert_eq!(sum, raw, "{}", game.write(&position));
        }
    }
}

#[test]
fn components_are_canonical_and_in_one_piece() {
    let mut dice = Dice(2);
    for size in SIZES {
        let (mut game, _) = open(size);
        for _ in 0..100 {
            let position = random_position(&game, &mut dice);
            let mut parts = List::new();
            game.components(&position, &mut parts);
            for part in parts.iter() {
                assert_eq!(game.canonical(part), *part);
                assert!(part.count() >= 2);
                let mut again = List::new();
                game.components(part, &mut again);
                assert_eq!(again[..], [*part]);
            }
            let with_move = live(&coordinates(&game, position)).len();
            let counted: u32 = parts.iter().map(|part| part.count()).sum();
            assert_eq!(counted as usize, with_move);
        }
    }
}

#[test]
fn boards_up_to_128_cells_open() {
    for size in SIZES {
        let (mut game, start) = open(size);
        let Size { rows, columns } = game.size;
        assert_eq!(size, format!("{rows}x{columns}"));
        assert_eq!(start.count() as usize, rows * columns);
        let moves = game.legal_moves(&start).unwrap();
        assert_eq!(moves.len(), rows * (columns - 1) + columns * (rows - 1));
        assert_eq!(game.count_moves(&start), Ok(moves.len() as u64));
    }
}

#[test]
fn moves_are_all_pairs_of_free_neighbours() {
    let mut dice = Dice(3);
    for size in SIZES {
        let (mut game, _) = open(size);
        for _ in 0..50 {
            let position = random_position(&game, &mut dice);
            let raw = raw_children(&mut game, &position);
            assert_eq!(game.count_moves(&position), Ok(raw.len() as u64));
            let fast: BTreeSet<_> = raw.iter().map(|&p| coordinates(&game, p)).collect();
            assert_eq!(fast.len(), raw.len());
            assert_eq!(fast, naive_children(&coordinates(&game, position)));
        }
    }
}

#[test]
fn children_are_canonical_and_distinct() {
    let mut dice = Dice(4);
    for size in SIZES {
        let (mut game, _) = open(size);
        for _ in 0..50 {
            let position = random_position(&game, &mut dice);
            let mut children = List::new();
            game.children(&position, &mut children);
            let raw = raw_children(&mut game, &position);
            let expected: BTreeSet<_> = raw.iter().map(|child| game.canonical(child)).collect();
            assert!(children.iter().eq(&expected));
        }
    }
}

#[test]
fn congruent_shapes_share_a_canonical_form() {
    let mut dice = Dice(5);
    for size in SIZES {
        let (mut game, _) = open(size);
        for _ in 0..200 {
            let position = random_position(&game, &mut dice);
            let canonical = game.canonical(&position);
            assert_eq!(game.canonical(&canonical), canonical);
            let mut images = List::new();
            game.symmetric(&position, &mut images);
            let square = game.size.rows == game.size.columns;
            assert_eq!(images.len(), if square { 8 } else { 4 });
            for image in images.iter() {
                assert_eq!(game.canonical(image), canonical);
            }
        }
    }
}

#[test]
fn canonical_forms_and_naive_ones_make_the_same_classes() {
    let mut dice = Dice(6);
    for size in SIZES {
        let (mut game, _) = open(size);
        let (mut classes, mut back) = (HashMap::new(), HashMap::new());
        for round in 0..200 {
            // Small shapes meet again by chance, large ones only as their own images.
            let longest = if round % 2 == 0 { 3 } else { 128 };
            for position in congruent_positions(&game, longest, &mut dice) {
                let fast = game.canonical(&position);
                let naive = naive_canonical(&coordinates(&game, position));
                let known = classes.entry(naive.clone()).or_insert(fast);
                assert_eq!(*known, fast, "{}", game.write(&position));
                let known = back.entry(fast).or_insert(naive.clone());
                assert_eq!(*known, naive, "{}", game.write(&position));
            }
        }
    }
}

/// A random shape in a box with sides up to `longest`, turned and reflected in every way that
/// fits on the board, each laid down at a random place.
fn congruent_positions(game: &Cram, longest: usize, dice: &mut Dice) -> Vec<Free> {
    let patch = Size {
        rows: 1 + dice.below(game.size.rows.min(longest)),
        columns: 1 + dice.below(game.size.columns.min(longest)),
    };
    let shape: Vec<_> = (0..patch.cells()).filter(|_| dice.below(3) > 0).collect();
    let mut positions = Vec::new();
    for symmetry in Symmetry::all() {
        let turned = symmetry.size(patch);
        if turned.rows > game.size.rows || turned.columns > game.size.columns {
            continue;
        }
        let down = dice.below(game.size.rows - turned.rows + 1);
        let right = dice.below(game.size.columns - turned.columns + 1);
        let bits = shape.iter().map(|&cell| {
            let (row, column) = turned.row_and_column(symmetry.image(patch, cell));
            1 << game.bit(game.size.cell(row + down, column + right))
        });
        positions.push(Free(bits.sum()));
    }
    positions
}

#[test]
fn a_canonical_box_lies_on_lying_boards_and_stands_on_standing_ones() {
    for (text, expected) in [
        ("#.##|#.##|#.##", "...#|####|####"),
        ("####|#...|####|####|####", ".###|.###|.###|####|####"),
        ("#.#|.#.|#.#", "###|###|###"),
    ] {
        let (mut game, position) = open(text);
        let canonical = game.canonical(&position);
        assert_eq!(game.write(&canonical), expected);
    }
}

#[test]
fn text_and_bytes_come_back() {
    let mut dice = Dice(7);
    for size in SIZES {
        let (mut game, start) = open(size);
        for _ in 0..100 {
            let position = random_position(&game, &mut dice);
            let text = game.write(&position);
            assert_eq!(open(&text).1, position);
            assert_eq!(open(&text.replace('|', "/")).1, position);
            let canonical = game.canonical(&position);
            assert_eq!(game.unpack(&pack(&game, canonical)), Some(canonical));
        }
        assert_eq!(open(&game.write(&start)).1, start);
    }
}

#[test]
fn a_shape_has_the_same_bytes_on_every_board() {
    let mut dice = Dice(8);
    let (mut small, _) = open("4x5");
    for _ in 0..300 {
        let position = random_position(&small, &mut dice);
        let free = coordinates(&small, position);
        let canonical = small.canonical(&position);
        let bytes = pack(&small, canonical);
        for size in ["5x4", "5x5", "7x10", "10x7", "8x16"] {
            let (mut game, _) = open(size);
            let moved = free.iter().map(|&(row, column)| match game.size.columns {
                4 => game.size.cell(column, row),
                _ => game.size.cell(row, column),
            });
            let moved = Free(moved.map(|cell| 1 << game.bit(cell)).sum());
            let canonical = game.canonical(&moved);
            assert_eq!(pack(&game, canonical), bytes);
        }
    }
}

#[test]
fn bytes_that_nobody_packs_are_refused() {
    let (game, _) = open("3x5");
    assert_eq!(game.unpack(&[0, 0]), Some(Free(0)));
    assert_eq!(game.unpack(&[1, 3, 0b111]), Some(Free(0b111)));
    let garbage: [&[u8]; 11] = [
        &[],
        &[0],
        &[0, 0, 0],
        &[1, 3],             // no cells
        &[1, 3, 0b111, 0],   // a byte too many
        &[1, 3, 0b1111],     // a bit too many
        &[1, 3, 0b011],      // a box too wide
        &[3, 1, 0b111],      // standing
        &[1, 6, 0b111111],   // too wide for the board
        &[2, 2, 0b1011],     // not the least: 0b0111 is
        &[255, 255, 0b0111], // no such box
    ];
    for bytes in garbage {
        assert_eq!(game.unpack(bytes), None, "{bytes:?}");
    }
}

#[test]
fn moves_are_read_and_written() {
    for text in ["..#.|....|.#..", "..|..|#.|..", "1x28"] {
        let (mut game, position) = open(text);
        for mv in game.legal_moves(&position).unwrap() {
            let name = game.write_move(&position, &mv);
            assert_eq!(game.read_move(&position, &name).unwrap(), mv);
            let (a, b) = name.split_once('-').unwrap();
            let reversed = format!("{b}-{a}").to_uppercase();
            assert_eq!(game.read_move(&position, &reversed).unwrap(), mv);
        }
    }
    let (mut game, position) = open("..#|...");
    let names = game.legal_moves(&position).unwrap();
    let names: Vec<_> = names
        .iter()
        .map(|mv| game.write_move(&position, mv))
        .collect();
    assert_eq!(names, ["a1-b1", "a2-b2", "b2-c2", "a1-a2", "b1-b2"]);
    let mv = game.read_move(&position, "b2-b1").unwrap();
    assert_eq!(game.write(&game.play(&position, &mv)), ".##|.#.");
    for wrong in [
        "", "-", "a1", "b1-c1", "a1-b2", "a1-a1", "a1-b1-", "a1 b1", "é1-b1",
    ] {
        let error = game.read_move(&position, wrong).unwrap_err().to_string();
        assert!(
            error.starts_with("cram: expected two free neighbours"),
            "{error}"
        );
    }
}

#[test]
fn wrong_positions_say_where() {
    let wrong = [
        ("", "row 1 has 0 cells, expected 1"),
        ("...|..", "row 2 has 2 cells, expected 3"),
        ("...|", "row 2 has 0 cells, expected 3"),
        (
            "..x|...",
            "row 1, column 3: expected one of \".#\", found \"x\"",
        ),
        ("5x", "row 1, column 1"),
        ("0x5", "expected a board of 1 to 128 cells"),
        ("12x11", "expected a board of 1 to 128 cells"),
        (
            "99999999999999999999x2",
            "expected a board of 1 to 128 cells",
        ),
    ];
    for (text, reason) in wrong {
        let error = Cram::open(text).unwrap_err().to_string();
        assert!(error.starts_with("cram: "), "{error}");
        assert!(error.contains(reason), "{error}");
    }
    for hostile in [
        ".".repeat(1 << 20),
        "|".repeat(1 << 20),
        ".|".repeat(1 << 20),
    ] {
        assert!(Cram::open(&hostile).unwrap_err().to_string().len() < 200);
    }
}
