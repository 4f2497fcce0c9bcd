//! What is known about Sprouts, and the laws that every position obeys.

use std::collections::{BTreeSet, HashMap};

use bouton_game::{Expansion, Nimber};

use super::*;
use crate::brute_force;

pub(super) fn open(text: &str) -> Position {
    let opened = Sprouts::open(text);
    opened.unwrap_or_else(|error| panic!("{text}: {error}")).1
}

/// Numbers that look random and are the same in every run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// All positions of a random play from `spots` spots, the last without a move.
pub(super) fn random_play(game: &mut Sprouts, spots: usize, dice: &mut Dice) -> Vec<Position> {
    let mut play = vec![open(&spots.to_string())];
    loop {
        let children = game.legal_moves(&play[play.len() - 1]).unwrap();
        if children.is_empty() {
            return play;
        }
        play.push(children[dice.below(children.len())].clone());
    }
}

/// All lands of all positions that can come up from `root`, in the order found.
pub(super) fn reachable_lands(game: &mut Sprouts, root: &str) -> Vec<Position> {
    let root = game.canonical(&open(root));
    let mut seen = BTreeSet::from([root.clone()]);
    let mut lands = vec![root];
    let mut children = List::new();
    let mut next = 0;
    while next < lands.len() {
        children.clear();
        game.children(&lands[next], &mut children);
        for land in children.iter().flat_map(Position::lands) {
            let land = Position::from_lands([land].into_iter());
            if seen.insert(land.clone()) {
                lands.push(land);
            }
        }
        next += 1;
    }
    lands
}

#[derive(Default)]
struct Mex {
    game: Sprouts,
    known: brute_force::Memo<Sprouts>,
}

impl Mex {
    fn nimber(&mut self, position: &Position) -> Nimber {
        brute_force::nimber(&mut self.game, position, &mut self.known)
    }

    fn check(&mut self, text: &str, children: usize, nimber: u32) {
        let position = self.game.canonical(&open(text));
        let found = self.game.legal_moves(&position).unwrap().len();
        assert_eq!(found, children, "children of {text}");
        assert_eq!(self.nimber(&position), nimber, "nimber of {text}");
    }
}

/// Agreed on by several independent programs; `0*4.1a1a` has nimber 1 but takes half a minute.
#[test]
fn known_positions_have_their_children_and_nimbers() {
    let mut mex = Mex::default();
    mex.check("0*2", 2, 0);
    mex.check("0.1a1a", 8, 0);
    mex.check("0*3.1a1a", 16, 3);
    mex.check("0*2.AB|AB", 7, 2);
    mex.check("0.A|0.B|AB", 3, 2);
    mex.check("1a2b1ba", 11, 1);
    mex.check("0.1aAa|0.BC|ABC", 16, 3);
    mex.check("0*2.12.2", 19, 2);
    mex.check("1aAa|1B|0*2.A.B", 14, 1);
    mex.check("1AB|ACB|DCE|DE", 8, 0);
    mex.check("2AB|0*2.AB", 8, 0);
    mex.check("2AB|AB.CD|0.CD", 8, 1);
    mex.check("ABCD.E|ABCD|FG|EG|0.F", 9, 0);
    mex.check("2A.BC|BC.DE|0.DE|0.A", 12, 0);
    mex.check("0*3+0.AB|0.AB", 6, 1);
    mex.check("1a1a.A|1aAa", 11, 3);
    mex.check("1A|ABCD|0.CBD", 9, 0);
    mex.check("ABCD.EF|ABCD|0*2.EF", 12, 0);
    mex.check("12.A|0*2.A", 9, 1);
    let children = mex.game.legal_moves(&open("0*4.1a1a")).unwrap();
    assert_eq!(children.len(), 20);
}

#[test]
fn two_spots_have_two_children() {
    let children = Sprouts::default().legal_moves(&open("2")).unwrap();
    let texts: BTreeSet<_> = children.iter().map(notation::write).collect();
    assert!(texts.iter().eq(["0.AB|AB", "1a1a"]));
}

/// The first player wins exactly if the number of spots is 3, 4 or 5 modulo 6: conjectured by
/// Applegate, Jacobson and Sleator.
#[test]
fn few_spots_have_known_nimbers() {
    let mut mex = Mex::default();
    for (spots, nimber) in (1..=5).zip([0, 0, 1, 1, 1]) {
        assert_eq!(
            mex.nimber(&open(&spots.to_string())),
            nimber,
            "{spots} spots"
        );
    }
}

/// Lands up to isomorphism; the root `0*5` is counted, the empty position is no land.
#[test]
fn five_spots_lead_to_as_many_lands_as_are_known() {
    let mut game = Sprouts::default();
    let lands = reachable_lands(&mut game, "5");
    assert_eq!(lands.len(), 13_342);
    for land in &lands {
        assert_eq!(game.canonical(land), *land);
    }
}

/// The shortest and the longest play; plays of a sum are plays of its lands, put together.
fn lengths(
    game: &mut Sprouts,
    position: &Position,
    known: &mut HashMap<Position, (usize, usize)>,
) -> (usize, usize) {
    if let Some(&lengths) = known.get(position) {
        return lengths;
    }
    let mut list = List::new();
    game.components(position, &mut list);
    let lengths = if list.len() == 1 {
        list.clear();
        game.children(position, &mut list);
        let after = list.iter().map(|child| lengths(game, child, known));
        let (shortest, longest) = after
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            .expect("a land has a move");
        (shortest + 1, longest + 1)
    } else {
        let parts = list.iter().map(|land| lengths(game, land, known));
        parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    };
    known.insert(position.clone(), lengths);
    lengths
}

#[test]
fn a_game_from_n_spots_lasts_2n_to_3n_minus_1_moves() {
    let (mut game, mut known) = (Sprouts::default(), HashMap::new());
    for n in 1..=4 {
        let lengths = lengths(&mut game, &open(&n.to_string()), &mut known);
        assert_eq!(lengths, (2 * n, 3 * n - 1), "{n} spots");
    }
}

#[test]
fn many_spots_have_few_children() {
    let mut game = Sprouts::default();
    for n in (2..12).chain([47, 104, 1000, 10_000]) {
        let children = game.legal_moves(&open(&n.to_string())).unwrap();
        assert_eq!(children.len(), (n - 1) / 2 + 2, "{n} spots");
        let long = children.iter().max_by_key(|child| child.bytes().len());
        game.legal_moves(long.unwrap()).unwrap();
    }
}

#[test]
fn a_region_with_forty_kinds_of_boundaries_has_too_many_children() {
    let boundaries: Vec<_> = (1..=40).map(|length| "2".repeat(length)).collect();
    let position = open(&boundaries.join("."));
    let mut list = List::new();
    let expansion = Sprouts::default().expand(&position, &mut list);
    assert_eq!(expansion, Expansion::TooMany);
}

#[test]
fn children_do_not_depend_on_the_drawing() {
    let (mut game, mut dice) = (Sprouts::default(), Dice(7));
    for spots in 2..9 {
        for position in random_play(&mut game, spots, &mut dice) {
            let children = game.legal_moves(&position).unwrap();
            assert!(children.is_sorted_by(|a, b| a < b));
            let mut variants = List::new();
            game.symmetric(&position, &mut variants);
            for variant in variants.iter() {
                assert_eq!(game.canonical(variant), position);
                assert_eq!(game.legal_moves(variant).unwrap(), children, "{variant:?}");
            }
            for child in &children {
                assert_eq!(game.canonical(child), *child);
            }
        }
    }
}

/// The children that [`naive`] makes, in canonical form.
fn naive_children(game: &mut Sprouts, position: &Position) -> BTreeSet<Position> {
    let texts = naive::children(&game.write(position));
    let texts = texts.iter().map(|text| game.canonical(&open(text)));
    texts.collect()
}

#[test]
fn children_are_those_of_the_plainest_generator() {
    let (mut game, mut dice) = (Sprouts::default(), Dice(21));
    let mut seen = BTreeSet::new();
    for round in 0..300 {
        for position in random_play(&mut game, 2 + round % 8, &mut dice) {
            if position != open("!") && seen.insert(position.clone()) {
                let naive = naive_children(&mut game, &position);
                let children = game.legal_moves(&position).unwrap();
                assert!(
                    naive.iter().eq(&children),
                    "{position:?}: {naive:?}, {children:?}"
                );
            }
        }
    }
    assert!(seen.len() > 2000, "{}", seen.len());
}

/// All that four spots lead to, symmetric lands among them, and some that are more so.
#[test]
fn children_of_symmetric_lands_are_those_of_the_plainest_generator() {
    let mut game = Sprouts::default();
    let mut lands = reachable_lands(&mut game, "4");
    for text in [
        "AB.CD|AB|0.CD",
        "0*2.AB.CD.11|AB|CD",
        "1a1a.1a1a.12.22",
        "0*2.1abAba|1A",
        "0.A|0.B|0.C|ABC",
        "0*3.AB|0*3.AB",
        "ABC.2|ABC.2",
        "11.11.A|1aAa.1aBa|0.B",
        "ABCD|ABCD.1212",
        "0.1A2A1B2B|0*2",
    ] {
        if let Ok((_, position)) = Sprouts::open(text) {
            lands.push(game.canonical(&position));
        }
    }
    for land in &lands {
        let naive = naive_children(&mut game, land);
        let children = game.legal_moves(land).unwrap();
        assert!(
            naive.iter().eq(&children),
            "{land:?}: {naive:?}, {children:?}"
        );
    }
}

/// What a game may keep changes no answer, and stays within its bounds.
#[test]
fn remembered_children_are_the_children() {
    let (mut game, mut forgetful) = (Sprouts::default(), Sprouts::default());
    let mut list = List::new();
    for allowed in [0, 1 << 12, 1 << 16, 1 << 22] {
        assert_eq!(game.allow(allowed), allowed);
        let mut dice = Dice(13);
        for round in 0..30 {
            for position in random_play(&mut forgetful, 2 + round % 6, &mut dice) {
                for _ in 0..2 {
                    list.clear();
                    game.children(&position, &mut list);
                    assert_eq!(list[..], forgetful.legal_moves(&position).unwrap()[..]);
                    assert!(game.kept_bytes() <= allowed);
                }
            }
        }
        assert_eq!(game.kept_bytes() > 0, allowed > 0);
    }
}

/// The same position drawn and named at random, as text.
fn redrawn(position: &Position, dice: &mut Dice) -> String {
    let mut lands: Vec<Drawing<Vertex>> = position
        .lands()
        .map(|land| redrawn_land(land, dice))
        .collect();
    dice.shuffle(&mut lands);
    let mut names: Vec<char> = ('A'..='Z').collect();
    dice.shuffle(&mut names);
    let text = notation::write(&Position::from_drawings(&lands));
    let rename = |c: char| match c {
        'A'..='Z' => names[c as usize - 'A' as usize],
        'a'..='z' => names[c as usize - 'a' as usize].to_ascii_lowercase(),
        _ => c,
    };
    text.chars().map(rename).collect()
}

fn redrawn_land(bytes: &[u8], dice: &mut Dice) -> Drawing<Vertex> {
    let (mut land, mut changed) = (Drawing::default(), Drawing::default());
    position::draw_land(bytes, &mut land);
    changed.letters = land.letters;
    let mut regions = land.regions.clone();
    dice.shuffle(&mut regions);
    for region in regions {
        let mut boundaries: Vec<_> = land.boundaries_of(region).map(<[_]>::to_vec).collect();
        dice.shuffle(&mut boundaries);
        let is_turned = dice.below(2) == 1;
        for mut boundary in boundaries {
            let by = dice.below(boundary.len());
            boundary.rotate_left(by);
            if is_turned {
                boundary.reverse();
            }
            changed.push_boundary(&boundary);
        }
        changed.close_region(region.zeros);
    }
    changed
}

#[test]
fn redrawn_positions_have_the_same_form() {
    let (mut game, mut dice) = (Sprouts::default(), Dice(11));
    for round in 0..40 {
        for position in random_play(&mut game, 2 + round % 14, &mut dice) {
            for _ in 0..3 {
                let text = redrawn(&position, &mut dice);
                assert_eq!(game.canonical(&open(&text)), position, "{text}");
            }
        }
    }
}

/// Every position of play is a drawing in the plane, so the checks must let it pass.
#[test]
fn what_play_leads_to_can_be_read_and_packed() {
    let (mut game, mut dice) = (Sprouts::default(), Dice(3));
    for round in 0..60 {
        for position in random_play(&mut game, 1 + round % 12, &mut dice) {
            let text = game.write(&position);
            assert_eq!(open(&text), position, "{text}");
            let mut bytes = Vec::new();
            game.pack(&position, &mut bytes);
            assert_eq!(game.unpack(&bytes).as_ref(), Some(&position), "{text}");
            let mut variants = List::new();
            game.symmetric(&position, &mut variants);
            for variant in variants.iter() {
                assert_eq!(open(&game.write(variant)), *variant);
            }
        }
    }
}

#[test]
fn the_sum_of_the_components_is_the_position() {
    let mut game = Sprouts::default();
    let position = game.canonical(&open("0*2+1a1a+0*2+0.AB|0.AB|0"));
    let mut parts = List::new();
    game.components(&position, &mut parts);
    assert_eq!(parts.len(), 5);
    assert_eq!(
        Position::from_lands(parts.iter().map(Position::bytes)),
        position
    );
    assert_eq!(game.expand_sum(&position, &mut parts), Expansion::Sum);
    assert_eq!(parts.len(), 3);
    assert_eq!(game.expand_sum(&open("!"), &mut parts), Expansion::Sum);
    assert!(parts.is_empty());
}

#[test]
fn a_move_may_be_written_in_any_way() {
    let mut game = Sprouts::default();
    let start = open("2");
    let child = game.read_move(&start, "BX|XB.0").unwrap();
    assert_eq!(game.write(&child), "0.AB|AB");
    let error = game.read_move(&start, "0.A|A").unwrap_err().to_string();
    assert_eq!(
        error,
        "sprouts: \"0.A|A\" is not a legal move in \"0*2\" (moves are written the child's position)"
    );
}

fn name(first: char, number: usize) -> String {
    let mut text = String::new();
    notation::write_letter(first, number, &mut text);
    text
}

/// Some interchangeable letters around a hub.
fn star(letters: usize) -> Position {
    let names: Vec<_> = (0..letters).map(|number| name('A', number)).collect();
    open(&format!("{}|0.{}", names.join("."), names.join("|0.")))
}

#[test]
fn interchangeable_letters_are_no_burden() {
    let (mut game, mut dice) = (Sprouts::default(), Dice(5));
    let position = star(26);
    let form = game.canonical(&position);
    for _ in 0..5 {
        assert_eq!(game.canonical(&open(&redrawn(&position, &mut dice))), form);
    }
    let form = game.canonical(&star(100));
    assert_eq!(game.canonical(&form), form);
    game.canonical(&star(7000));
}

#[test]
fn names_go_on_after_the_alphabet() {
    let mut game = Sprouts::default();
    let position = star(60);
    let text = game.write(&position);
    assert!(text.contains("Z.A~.B~") && text.contains("0.Z~|0.A~~"));
    assert_eq!(open(&text), position);
    for child in game.legal_moves(&star(28)).unwrap() {
        assert_eq!(open(&game.write(&child)), child);
    }
}

/// More letters than have a byte of their own, lower and upper case.
#[test]
fn many_letters_are_packed() {
    let mut game = Sprouts::default();
    let names: Vec<_> = (0..150).map(|number| name('a', number)).collect();
    let back: Vec<_> = names.iter().rev().map(String::as_str).collect();
    let nested = open(&format!("1{}2{}", names.join("2"), back.join("2")));
    for position in [nested, star(150)] {
        assert_eq!(open(&game.write(&position)), position);
        let form = game.canonical(&position);
        let mut bytes = Vec::new();
        game.pack(&form, &mut bytes);
        assert_eq!(game.unpack(&bytes), Some(form));
    }
}

#[test]
fn damaged_bytes_are_refused() {
    let (mut game, mut dice) = (Sprouts::default(), Dice(9));
    for round in 0..30 {
        for position in random_play(&mut game, 2 + round % 8, &mut dice) {
            for _ in 0..20 {
                let mut bytes = position.bytes().to_vec();
                let at = dice.below(bytes.len() + 1);
                match dice.below(3) {
                    0 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
                    1 => bytes.truncate(at),
                    _ => bytes.insert(at, dice.below(256) as u8),
                }
                if let Some(other) = game.unpack(&bytes) {
                    assert_eq!(other.bytes(), bytes);
                    assert_eq!(game.canonical(&other), other);
                }
            }
        }
    }
}
