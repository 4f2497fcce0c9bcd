//! Konane against a generator that looks at one square at a time, what it counts and proves at a
//! glance against the same, and its refusals. The tables of the thesis and the laws of every game
//! are tested in the session.

mod random;

use bouton_game::{Assessment, Features, Game, Knowledge, List, Notation, Outcome};
use bouton_games::grid::{self, Symmetry};
use bouton_games::konane::{Konane, Mobilities, Position};
use random::Random;

fn open(text: &str) -> (Konane, Position) {
    Konane::open(text).unwrap_or_else(|error| panic!("{error}"))
}

fn after_every_move(game: &mut Konane, position: &Position) -> Vec<Position> {
    let moves = game.legal_moves(position).unwrap();
    moves.iter().map(|mv| game.play(position, mv)).collect()
}

const SHAPES: [(usize, usize); 16] = [
    (1, 1),
    (1, 2),
    (1, 20),
    (1, 64),
    (64, 1),
    (2, 32),
    (32, 2),
    (3, 3),
    (3, 8),
    (5, 4),
    (6, 6),
    (7, 8),
    (8, 7),
    (8, 8),
    (3, 21),
    (21, 3),
];

/// A position of this shape as text; the fuller, the fewer holes.
fn random_text((rows, columns): (usize, usize), random: &mut Random) -> String {
    let size = grid::Size { rows, columns };
    let holes = 1 + random.below(9);
    let board: Vec<_> = (0..size.cells())
        .map(|square| match (square / columns + square % columns) % 2 {
            _ if random.below(10) < holes => '.',
            0 => 'x',
            _ => 'o',
        })
        .collect();
    // A full board is no position for White.
    let sides = if board.contains(&'.') { "bw" } else { "b" };
    let side = random.choose(sides.as_bytes()) as char;
    format!("{} {side}", size.write(|square| board[square]))
}

fn random_positions() -> impl Iterator<Item = String> {
    let mut random = Random::new(1);
    (0..200).flat_map(move |_| SHAPES.map(|shape| random_text(shape, &mut random)))
}

/// Positions of every size up to 8x8; those of eight columns are where shifts could wrap round.
fn positions_of_every_size() -> impl Iterator<Item = String> {
    let mut random = Random::new(2);
    let shapes = (1..=8).flat_map(|rows| (1..=8).map(move |columns| (rows, columns)));
    let often = shapes.flat_map(|shape| std::iter::repeat_n(shape, 40));
    often.map(move |shape| random_text(shape, &mut random))
}

/// The legal moves of a written position, found square by square.
fn moves_square_by_square(text: &str) -> Vec<String> {
    let (board, side) = text.split_once(' ').unwrap();
    let rows: Vec<Vec<char>> = board.split('|').map(|row| row.chars().collect()).collect();
    let (height, width) = (rows.len() as i32, rows[0].len() as i32);
    let at = |row: i32, column: i32| {
        let inside = (0..height).contains(&row) && (0..width).contains(&column);
        inside.then(|| rows[row as usize][column as usize])
    };
    let name = |row: i32, column: i32| grid::name(row as usize + 1, column as usize);
    let squares = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    let holes: Vec<_> = squares
        .clone()
        .filter(|&(row, column)| at(row, column) == Some('.'))
        .collect();
    let ways = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    if side == "b" && holes.is_empty() {
        let end = |place: i32, length: i32| place == 0 || place == length - 1;
        let middle = |place: i32, length: i32| place == (length - 1) / 2 || place == length / 2;
        let opening = squares.filter(|&(row, column)| {
            (end(row, height) && end(column, width) || middle(row, height) && middle(column, width))
                && at(row, column) == Some('x')
        });
        return opening.map(|(row, column)| name(row, column)).collect();
    }
    if let ("w", &[(row, column)]) = (side, &holes[..])
        && (row + column) % 2 == 0
    {
        let beside = ways
            .iter()
            .map(|(down, right)| (row + down, column + right));
        let stones = beside.filter(|&(row, column)| at(row, column).is_some());
        return stones.map(|(row, column)| name(row, column)).collect();
    }
    let (own, other) = if side == "b" { ('x', 'o') } else { ('o', 'x') };
    let mut moves = Vec::new();
    for (row, column) in squares.filter(|&(row, column)| at(row, column) == Some(own)) {
        for (down, right) in ways {
            let ahead = |steps: i32| (row + steps * down, column + steps * right);
            let mut steps = 0;
            loop {
                let (over, to) = (ahead(steps + 1), ahead(steps + 2));
                if at(over.0, over.1) != Some(other) || at(to.0, to.1) != Some('.') {
                    break;
                }
                moves.push(format!("{}-{}", name(row, column), name(to.0, to.1)));
                steps += 2;
            }
        }
    }
    moves
}

#[test]
fn sets_of_jumps_are_the_jumps_square_by_square() {
    let starts = SHAPES.iter().flat_map(|(rows, columns)| {
        let (mut game, start) = open(&format!("{rows}x{columns}"));
        let mut texts = vec![game.write(&start)];
        let opened = after_every_move(&mut game, &start);
        texts.extend(opened.iter().map(|position| game.write(position)));
        texts
    });
    for text in random_positions().chain(starts) {
        let (mut game, position) = open(&text);
        let moves = game.legal_moves(&position).unwrap();
        let mut names: Vec<_> = moves
            .iter()
            .map(|mv| game.write_move(&position, mv))
            .collect();
        let mut expected = moves_square_by_square(&text);
        names.sort();
        expected.sort();
        assert_eq!(names, expected, "{text}");
        assert_eq!(
            game.count_moves(&position),
            Ok(names.len() as u64),
            "{text}"
        );
    }
}

/// The least set of stones that a symmetry makes of a position, stone by stone.
fn least_image_stone_by_stone(game: &Konane, position: &Position) -> u64 {
    let size = game.size();
    let colour = |square: usize| (square / size.columns + square % size.columns) % 2;
    let keeps = |symmetry: &Symmetry| {
        symmetry.size(size) == size
            && (0..size.cells()).all(|s| colour(symmetry.image(size, s)) == colour(s))
    };
    let image = |symmetry: Symmetry| {
        let stones = (0..size.cells()).filter(|square| position.stones >> square & 1 == 1);
        stones.fold(0, |set, square| set | 1 << symmetry.image(size, square))
    };
    let images = Symmetry::all().filter(keeps).map(image);
    images.min().expect("the identity keeps everything")
}

#[test]
fn children_are_the_least_images_of_what_moves_lead_to() {
    for text in positions_of_every_size().chain(random_positions()) {
        let (mut game, position) = open(&text);
        let mut expected: Vec<_> = after_every_move(&mut game, &position)
            .iter()
            .map(|next| (least_image_stone_by_stone(&game, next), next.side))
            .collect();
        expected.sort_unstable();
        expected.dedup();
        let mut children = List::new();
        game.children(&position, &mut children);
        let children: Vec<_> = children.iter().map(|c| (c.stones, c.side)).collect();
        assert_eq!(children, expected, "{text}");
    }
}

#[test]
fn what_is_proved_at_a_glance_is_true_by_the_rules() {
    let mut knowledge = Mobilities::default();
    let (mut losses, mut wins) = (0, 0);
    for text in positions_of_every_size().chain(random_positions()) {
        let (mut game, position) = open(&text);
        let loses = moves_square_by_square(&text).is_empty();
        let next = after_every_move(&mut game, &position);
        let mut replies = next
            .iter()
            .map(|next| moves_square_by_square(&game.write(next)));
        let wins_at_once = replies.any(|replies| replies.is_empty());
        match knowledge.assess(&mut game, &position, 0) {
            Assessment::Proved(Outcome::Loss) => assert!(loses, "{text}"),
            Assessment::Proved(Outcome::Win) => assert!(wins_at_once, "{text}"),
            Assessment::Open(estimate) => {
                assert!(!loses, "{text}");
                assert!(estimate.proof >= 1 && estimate.disproof >= 1, "{text}");
                continue;
            }
        }
        losses += usize::from(loses);
        wins += usize::from(wins_at_once);
    }
    assert!(losses > 500 && wins > 500, "{losses} {wins}");
}

/// The features of the knowledge for the player `own`, square by square.
fn features_square_by_square(text: &str, own: char) -> [usize; 7] {
    let rows: Vec<Vec<char>> = text[..text.len() - 2]
        .split('|')
        .map(|row| row.chars().collect())
        .collect();
    let (height, width) = (rows.len() as i32, rows[0].len() as i32);
    let at = |row: i32, column: i32| {
        let inside = (0..height).contains(&row) && (0..width).contains(&column);
        inside.then(|| rows[row as usize][column as usize])
    };
    let other = if own == 'x' { 'o' } else { 'x' };
    let squares = || (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    // Every stone of a player with what is beside it and behind that, in every direction.
    let views = |player: char| {
        let stones = squares().filter(move |&(row, column)| at(row, column) == Some(player));
        stones.flat_map(move |(row, column)| {
            [(0, 1), (1, 0), (0, -1), (-1, 0)].map(|(down, right)| {
                let places = [0, 1, 2].map(|n| (row + n * down, column + n * right));
                (places, places.map(|(row, column)| at(row, column)))
            })
        })
    };
    let jumps = |player: char, over: char| {
        views(player)
            .filter(move |(_, seen)| seen[1..] == [Some(over), Some('.')])
            .map(|(places, _)| places)
    };
    let distinct = |mut places: Vec<(i32, i32)>| {
        places.sort_unstable();
        places.dedup();
        places.len()
    };
    let behind = |beside: char, end: char| {
        let found = views(own).filter(move |(_, seen)| seen[1..] == [Some(beside), Some(end)]);
        found.map(|(places, _)| places).collect::<Vec<_>>()
    };
    let taken: Vec<_> = jumps(other, own).map(|places| places[1]).collect();
    let safe = jumps(own, other).map(|places| places[0]);
    [
        jumps(own, other).count(),
        distinct(jumps(own, other).map(|places| places[0]).collect()),
        distinct(jumps(own, other).map(|places| places[2]).collect()),
        distinct(jumps(own, other).map(|places| places[1]).collect()),
        distinct(behind(other, own).iter().map(|places| places[0]).collect()),
        distinct(behind('.', '.').iter().map(|places| places[2]).collect()),
        distinct(safe.filter(|stone| !taken.contains(stone)).collect()),
    ]
}

#[test]
fn features_are_what_can_be_counted_square_by_square() {
    for text in positions_of_every_size().chain(random_positions()) {
        let (mut game, position) = open(&text);
        let (own, other) = if text.ends_with('b') {
            ('x', 'o')
        } else {
            ('o', 'x')
        };
        let sides = [own, other].map(|side| features_square_by_square(&text, side));
        let expected: Vec<_> = (0..7)
            .flat_map(|index| sides.map(|side| side[index] as f64))
            .collect();
        let mut counted = Vec::new();
        Mobilities::features(&mut game, &position, &mut counted);
        assert_eq!(counted, expected, "{text}");
    }
}

#[test]
fn a_jump_takes_what_it_passes() {
    let (mut game, position) = open("xo.ox|ox.x.|xo.ox|.xoxo|xoxox b");
    let after = |game: &mut Konane, mv: &str| {
        let mv = game.read_move(&position, mv).unwrap();
        let next = game.play(&position, &mv);
        game.write(&next)
    };
    assert_eq!(after(&mut game, "e1-c1"), "xox..|ox.x.|xo.ox|.xoxo|xoxox w");
    assert_eq!(after(&mut game, "A3-C3"), "xo.ox|ox.x.|..xox|.xoxo|xoxox w");
    assert!(game.read_move(&position, "c5-c1").is_err());
}

#[test]
fn bytes_of_no_position_are_refused() {
    let (game, _) = open("3x3");
    assert!(game.unpack(&[0xff, 1, b'b']).is_some());
    for bytes in [
        &[][..],
        b"b",
        &[0xff, b'b'],
        &[0xff, 1, b'w'],
        &[0xff, 1, b'x'],
        &[0xff, 2, b'b'],
        &[0xff, 1, 0, b'b'],
    ] {
        assert_eq!(game.unpack(bytes), None, "{bytes:?}");
    }
}

#[test]
fn errors_name_the_place() {
    let error = |text: &str| Konane::open(text).unwrap_err().to_string();
    for (text, place) in [
        ("", "side to move"),
        ("9x8", "1 to 64 cells"),
        ("0x4", "1 to 64 cells"),
        ("99999999999999999999x1", "1 to 64 cells"),
        ("xox|oxo", "side to move"),
        ("xox|ox b", "row 2 has 2 cells"),
        ("xox|o?o b", "row 2, column 2"),
        ("xox|xxo b", "a2: expected \"o\" or \".\", found \"x\""),
        ("oxo|.x. b", "a1: expected \"x\""),
        ("xox|oxo w", "Black to move"),
        ("x w", "Black to move"),
        ("| b", "row 1 has 0 cells"),
    ] {
        let message = error(text);
        assert!(message.starts_with("konane: "), "{message}");
        assert!(message.contains(place), "{text:?}: {message}");
        assert!(!message.contains('\n'));
    }
}
