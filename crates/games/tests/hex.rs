//! Hex against a search for chains that goes cell by cell, and its refusals. Known openings and the
//! laws of every game are tested in the session.

mod random;

use bouton_game::{Game, Knowledge, List, Notation, Outcome, Player};
use bouton_games::grid::{self, Size, Symmetry};
use bouton_games::hex::{Cell, Hex, Position, TwoDistance};
use random::Random;

fn open(text: &str) -> (Hex, Position) {
    Hex::open(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The outcome, by trying everything.
fn outcome(game: &mut Hex, position: &Position) -> Outcome {
    game.decided(position).unwrap_or_else(|| {
        let moves = game.legal_moves(position).unwrap();
        let wins = moves.iter().any(|mv| {
            let next = game.play(position, mv);
            outcome(game, &next) == Outcome::Loss
        });
        if wins { Outcome::Win } else { Outcome::Loss }
    })
}

const SHAPES: [(usize, usize); 16] = [
    (1, 1),
    (1, 64),
    (64, 1),
    (2, 64),
    (1, 7),
    (7, 1),
    (1, 128),
    (128, 1),
    (2, 3),
    (3, 4),
    (3, 9),
    (5, 5),
    (8, 8),
    (11, 11),
    (8, 16),
    (16, 8),
];

/// A position of this shape; how many cells are empty varies, `full` leaves none.
fn random_text(rows: usize, columns: usize, full: bool, random: &mut Random) -> String {
    let size = Size { rows, columns };
    let empty = if full { 0 } else { 1 + random.below(9) };
    let black = 3 + random.below(5);
    let board: Vec<_> = (0..size.cells())
        .map(|_| match random.below(10) {
            _ if random.below(10) < empty => '.',
            n if n < black => 'x',
            _ => 'o',
        })
        .collect();
    let side = random.choose(&['b', 'w']);
    format!("{} {side}", size.write(|cell| board[cell]))
}

fn random_positions(full: bool) -> impl Iterator<Item = String> {
    let mut random = Random::new(1);
    (0..100).flat_map(move |_| {
        SHAPES.map(|(rows, columns)| random_text(rows, columns, full, &mut random))
    })
}

/// Whether a chain of `symbol` leads from one side to the other, cell by cell.
fn joined_cell_by_cell(text: &str, symbol: char) -> bool {
    let board = text.split_once(' ').unwrap().0;
    let rows: Vec<Vec<char>> = board.split('|').map(|row| row.chars().collect()).collect();
    let (height, width) = (rows.len() as i32, rows[0].len() as i32);
    let top_to_bottom = symbol == 'x';
    let mut waiting: Vec<(i32, i32)> = match top_to_bottom {
        true => (0..width).map(|column| (0, column)).collect(),
        false => (0..height).map(|row| (row, 0)).collect(),
    };
    let mut seen = vec![vec![false; rows[0].len()]; rows.len()];
    while let Some((row, column)) = waiting.pop() {
        if !(0..height).contains(&row) || !(0..width).contains(&column) {
            continue;
        }
        let (r, c) = (row as usize, column as usize);
        if rows[r][c] != symbol || std::mem::replace(&mut seen[r][c], true) {
            continue;
        }
        if (top_to_bottom && row == height - 1) || (!top_to_bottom && column == width - 1) {
            return true;
        }
        let ways = [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)];
        waiting.extend(ways.map(|(down, right)| (row + down, column + right)));
    }
    false
}

#[test]
fn floods_find_the_chains_that_a_walk_finds() {
    for text in random_positions(false).chain(random_positions(true)) {
        let (game, position) = open(&text);
        for (player, symbol) in [(Player::Black, 'x'), (Player::White, 'o')] {
            let joined = joined_cell_by_cell(&text, symbol);
            assert_eq!(game.has_won(&position, player), joined, "{text} {player}");
        }
    }
}

#[test]
fn a_full_board_has_exactly_one_winner() {
    for text in random_positions(true) {
        let (mut game, position) = open(&text);
        let [black, white] =
            [Player::Black, Player::White].map(|player| game.has_won(&position, player));
        assert_ne!(black, white, "{text}");
        let winner = if black { Player::Black } else { Player::White };
        let outcome = game.decided(&position).unwrap();
        assert_eq!(position.side.winner(outcome), winner, "{text}");
        assert_eq!(game.count_moves(&position), Ok(0));
    }
}

#[test]
fn the_game_ends_with_the_first_chain() {
    let (mut game, position) = open("x.o|xo.|x.. w");
    assert_eq!(game.decided(&position), Some(Outcome::Loss));
    assert!(game.legal_moves(&position).unwrap().is_empty());
    let (game, given) = open("x.o|xo.|x.. b");
    assert_eq!(game.decided(&given), Some(Outcome::Win));
    let (mut game, position) = open("x.o|xo.|... b");
    assert_eq!(game.decided(&position), None);
    assert_eq!(game.count_moves(&position), Ok(5));
}

/// The position reflected in the long diagonal, colours and side swapped.
fn reflect(text: &str) -> String {
    let (board, side) = text.split_once(' ').unwrap();
    let board = grid::Board::read::<Hex>(board, "xo.", Hex::MOST_CELLS).unwrap();
    let transpose = Symmetry {
        transposes: true,
        flips_rows: false,
        flips_columns: false,
    };
    let swapped = |symbol| match symbol {
        'x' => 'o',
        'o' => 'x',
        other => other,
    };
    let size = transpose.size(board.size);
    let rows = size.write(|cell| swapped(board.symbols[transpose.image(size, cell)]));
    format!("{rows} {}", if side == "b" { 'w' } else { 'b' })
}

#[test]
fn reflection_with_swapped_colours_keeps_the_outcome() {
    let mut random = Random::new(3);
    for (rows, columns) in [(3, 3), (3, 3), (3, 4), (4, 3)].repeat(40) {
        let text = random_text(rows, columns, false, &mut random);
        let [original, reflected] = [text.clone(), reflect(&text)].map(|text| {
            let (mut game, position) = open(&text);
            outcome(&mut game, &position)
        });
        assert_eq!(original, reflected, "{text}");
    }
}

#[test]
fn a_win_comes_first_then_the_only_defence() {
    for (text, first) in [
        // Both complete a chain on b4.
        (".x..|.x..|.x..|o.oo b", ".x..|.x..|.x..|oxoo w"),
        (".x..|.x..|.x..|o.oo w", ".x..|.x..|.x..|oooo b"),
        // White threatens to complete the bottom row: Black must take b4.
        ("....|.x..|....|o.oo b", "....|.x..|....|oxoo w"),
    ] {
        let (mut game, position) = open(text);
        let mut children = List::new();
        game.children(&position, &mut children);
        TwoDistance::default().order(&mut game, &position, &mut children);
        let expected = open(first).1;
        assert_eq!(children[0], game.canonical(&expected), "{text}");
    }
}

#[test]
fn bytes_of_no_position_are_refused() {
    let (game, _) = open("2x2");
    assert!(game.unpack(&[0b0001, 0b1000, b'w']).is_some());
    for bytes in [
        &[][..],
        &[0, 0, b'x'],
        &[0b1_0000, 0, b'b'],
        &[0b0001, 0b0001, b'b'],
        &[0, 0, 0, b'b'],
    ] {
        assert_eq!(game.unpack(bytes), None, "{bytes:?}");
    }
}

#[test]
fn moves_are_read_by_name() {
    let (mut game, position) = open("x..|...|... w");
    assert_eq!(game.read_move(&position, "b3").unwrap(), Cell(7));
    assert_eq!(game.read_move(&position, "C1").unwrap(), Cell(2));
    for text in ["a1", "d1", "a4", "", "b", "2b"] {
        assert!(game.read_move(&position, text).is_err(), "{text}");
    }
}

#[test]
fn errors_name_the_place() {
    for (text, place) in [
        ("", "side to move"),
        ("12x11", "1 to 128 cells"),
        ("5x0", "1 to 128 cells"),
        ("...|...", "side to move"),
        ("...|.. b", "row 2 has 2 cells"),
        ("...|.#. b", "row 2, column 2"),
        ("|| b", "row 1 has 0 cells"),
        ("... x", "side to move"),
    ] {
        let message = Hex::open(text).unwrap_err().to_string();
        assert!(message.starts_with("hex: "), "{message}");
        assert!(message.contains(place), "{text:?}: {message}");
    }
}
