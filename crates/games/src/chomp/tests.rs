//! Facts about Chomp, and the fast rules beside naive ones.

use std::collections::BTreeSet;

use bouton_game::{Game, List, Notation};

use super::{Bar, Chomp};
use crate::brute_force::{Dice, Memo, nimber_of, raw_children, raw_nimber, raw_positions};

/// Squares by column and row, counted from 0; the poisoned one is (0, 0).
type Squares = BTreeSet<(u16, u16)>;

fn open(text: &str) -> Bar {
    Chomp::open(text).unwrap().1
}

fn squares(bar: &Bar) -> Squares {
    let rows = (0..).zip(&bar.0);
    rows.flat_map(|(row, &length)| (0..length).map(move |column| (column, row)))
        .collect()
}

/// What every bite leaves, by the wording of the rules.
fn naive_children(squares: &Squares) -> Vec<Squares> {
    let mut order: Vec<_> = squares.iter().copied().filter(|&s| s != (0, 0)).collect();
    order.sort_by_key(|&(column, row)| (row, column));
    let bite = |(x, y)| {
        let stays = |&(column, row): &(u16, u16)| column < x || row < y;
        squares.iter().copied().filter(stays).collect()
    };
    order.into_iter().map(bite).collect()
}

fn random_bar(dice: &mut Dice, side: usize) -> Bar {
    let rows = 1 + dice.below(side);
    let mut lengths: Vec<_> = (0..rows).map(|_| dice.below(side + 1) as u16).collect();
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    lengths[0] = lengths[0].max(1);
    Bar(lengths.into())
}

fn pack(bar: &Bar) -> Vec<u8> {
    let mut bytes = Vec::new();
    Chomp.pack(bar, &mut bytes);
    bytes
}

#[test]
fn six_by_four_has_209_positions() {
    // Beling and Rogalski 2020, table 6; the poison alone is one of them.
    let positions = raw_positions(&mut Chomp, &open("6x4"));
    assert_eq!(positions.len(), 209);
    assert!(positions.contains(&open("1,0,0,0")));
}

#[test]
fn nimbers() {
    // 6x4: the same table. The others by definition.
    let known = [
        ("6x4", 16),
        ("2x2", 2),
        ("3x2", 4),
        ("3x3", 5),
        ("5x5", 6),
        ("4x1", 3),
    ];
    for (size, nimber) in known {
        assert_eq!(nimber_of::<Chomp>(size), nimber, "{size}");
        let (columns, rows) = size.split_once('x').unwrap();
        assert_eq!(nimber_of::<Chomp>(&format!("{rows}x{columns}")), nimber);
    }
}

#[test]
fn canonical_forms_keep_the_nimber() {
    let mut memo = Memo::<Chomp>::new();
    let mut dice = Dice(1);
    for _ in 0..200 {
        let bar = random_bar(&mut dice, 4);
        let raw = raw_nimber(&mut Chomp, &bar, &mut memo);
        assert_eq!(raw, raw_nimber(&mut Chomp, &bar.canonical(), &mut memo));
        assert_eq!(raw, nimber_of::<Chomp>(&Chomp.write(&bar)), "{bar:?}");
    }
}

#[test]
fn a_bar_and_its_transposition_share_a_canonical_form() {
    let mut dice = Dice(2);
    for _ in 0..1000 {
        let bar = random_bar(&mut dice, 12);
        let turned: Squares = squares(&bar).into_iter().map(|(x, y)| (y, x)).collect();
        assert_eq!(squares(&bar.transposed()), turned);
        let canonical = bar.canonical();
        assert_eq!(canonical.canonical(), canonical);
        let mut images = List::new();
        Chomp.symmetric(&bar, &mut images);
        assert!(images.iter().all(|image| image.canonical() == canonical));
        assert!([squares(&bar), turned].contains(&squares(&canonical)));
        assert!(!canonical.0.contains(&0));
    }
}

#[test]
fn bites_follow_the_wording_of_the_rules_in_the_order_of_the_paper() {
    let mut dice = Dice(3);
    for _ in 0..500 {
        let bar = random_bar(&mut dice, 9);
        let fast: Vec<_> = raw_children(&mut Chomp, &bar).iter().map(squares).collect();
        assert_eq!(fast, naive_children(&squares(&bar)));
        assert_eq!(Chomp.count_moves(&bar), Ok(fast.len() as u64));
    }
}

#[test]
fn children_are_canonical_and_distinct() {
    let mut dice = Dice(4);
    for _ in 0..200 {
        let bar = random_bar(&mut dice, 9);
        let mut children = List::new();
        Chomp.children(&bar, &mut children);
        let raw = raw_children(&mut Chomp, &bar);
        let expected: BTreeSet<_> = raw.iter().map(Bar::canonical).collect();
        assert!(children.iter().eq(&expected));
    }
}

#[test]
fn moves_are_named_by_their_square() {
    let bar = open("3,2,0");
    let moves = Chomp.legal_moves(&bar).unwrap();
    let names: Vec<_> = moves.iter().map(|mv| Chomp.write_move(&bar, mv)).collect();
    assert_eq!(names, ["b1", "c1", "a2", "b2"]);
    let bite = Chomp.read_move(&bar, "B1").unwrap();
    assert_eq!(Chomp.write(&Chomp.play(&bar, &bite)), "1,1,0");
    for wrong in ["a1", "a3", "c2", "", "b", "1b", "b0", "b-1"] {
        assert!(Chomp.read_move(&bar, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn text_and_bytes_come_back() {
    let mut dice = Dice(5);
    let random = (0..500).map(|_| random_bar(&mut dice, 20));
    for bar in random.chain(["1,0,0,0", "4096x1", "1x4096", "300,200,7"].map(open)) {
        assert_eq!(open(&Chomp.write(&bar)), bar);
        let canonical = bar.canonical();
        assert_eq!(Chomp.unpack(&pack(&canonical)), Some(canonical));
    }
    assert_eq!(open(" 6, 6,4,0 "), open("6,6,4,0"));
    assert_eq!(open("6x4"), open("6,6,6,6"));
}

#[test]
fn bytes_that_nobody_packs_are_refused() {
    let garbage: [&[u8]; 9] = [
        &[],                 // not even the poison
        &[0],                // an empty row
        &[2, 3],             // growing upwards
        &[3, 0],             // an empty row above
        &[1, 1],             // its transposition is greater
        &[0x80],             // the end is missing
        &[0x83, 0x00],       // 3 in two bytes
        &[0x80, 0x80, 0x01], // too long
        &[0x81, 0x20],       // 4097 squares
    ];
    for bytes in garbage {
        assert_eq!(Chomp.unpack(bytes), None, "{bytes:?}");
    }
    assert_eq!(Chomp.unpack(&[0x80, 0x20]), Some(open("4096x1")));
}

#[test]
fn memory_is_counted_once_rows_are_many() {
    assert_eq!(Chomp::heap_bytes(&open("9x8")), 0);
    assert!(Chomp::heap_bytes(&open("8x9")) >= 18);
    assert_eq!(size_of::<Bar>(), 24);
}

#[test]
fn wrong_positions_name_the_row() {
    let wrong = [
        ("", "row 1 from the bottom is \"\", expected a length"),
        ("3,,1", "row 2 from the bottom is \"\", expected a length"),
        ("3,-1", "row 2 from the bottom is \"-1\", expected a length"),
        ("3,+1", "row 2 from the bottom is \"+1\", expected a length"),
        ("3x", "row 1 from the bottom is \"3x\", expected a length"),
        (
            "0,0",
            "row 1 from the bottom is empty, expected at least the poison",
        ),
        (
            "3,2,4",
            "row 3 from the bottom has 4 squares, expected at most 2 as below it",
        ),
        ("65x64", "expected a board of 1 to 4096 cells"),
        ("0x4", "expected a board of 1 to 4096 cells"),
        (
            "4097",
            "row 1 from the bottom is too much, expected a board of at most 4096",
        ),
        (
            "2048,1,1",
            "row 3 from the bottom is too much, expected a board of at most 4096",
        ),
        (
            "99999999999999999999999",
            "row 1 from the bottom is too much",
        ),
    ];
    for (text, reason) in wrong {
        let error = Chomp::open(text).unwrap_err().to_string();
        assert!(error.starts_with("chomp: "), "{error}");
        assert!(error.contains(reason), "{error}");
    }
    let long = "1,".repeat(1_000_000);
    assert!(Chomp::open(&long).unwrap_err().to_string().len() < 200);
}
