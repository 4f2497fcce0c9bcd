//! Children: how many there are, and that they are those of plainer generators.

use super::*;

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
    let mut list = List::new();
    for spots in 2..9 {
        for position in random_play(&mut game, spots, &mut dice) {
            let children = game.legal_moves(&position).unwrap();
            assert!(children.is_sorted_by(|a, b| a < b));
            let mut variants = List::new();
            game.symmetric(&position, &mut variants);
            for variant in variants.iter() {
                assert_eq!(game.canonical(variant), position);
                assert_eq!(game.legal_moves(variant).unwrap(), children, "{variant:?}");
                list.clear();
                game.children(variant, &mut list);
                assert_eq!(list[..], children[..], "{variant:?}");
            }
            for child in &children {
                assert_eq!(game.canonical(child), *child);
            }
        }
    }
}

/// Shapes without effect, dead regions, equal lands.
#[test]
fn what_is_not_reduced_is_before_its_children_are_made() {
    let mut game = Sprouts::default();
    let mut list = List::new();
    for text in [
        "2.2",
        "1.2",
        "0*2+1.2+0*2",
        "A|0*2.A",
        "0*2.AB|A|B",
        "1A|A.2",
    ] {
        let position = open(text);
        let reduced = game.canonical(&position);
        assert_ne!(reduced, position, "{text}");
        list.clear();
        game.children(&position, &mut list);
        assert_eq!(list[..], game.legal_moves(&reduced).unwrap()[..], "{text}");
    }
}

/// Positions come from people too, who draw what reduction would drop, and make moves there.
#[test]
fn a_move_may_be_made_where_a_drawing_is_not_reduced() {
    let (mut game, mut dice) = (Sprouts::default(), Dice(4));
    let mut texts: Vec<String> = [
        "2a2a!",
        "2.2+0",
        "AB|AB|0",
        "2aAa|0*2.A",
        "2.AB|0.AB",
        "1.A|0.2.A",
        "aAa|0*2.A",
        "aAaB|0.A.1a1a|B",
    ]
    .map(str::to_owned)
    .into();
    for round in 0..60 {
        let play = random_play(&mut game, 2 + round % 4, &mut dice);
        let position = &play[dice.below(play.len())];
        let children = Vec::from_iter(naive::children(&game.write(position)));
        texts.extend(children.get(dice.below(children.len().max(1))).cloned());
    }
    let (mut made, mut unlike) = (0, 0);
    for text in texts {
        let position = open(&text);
        let legal = game.legal_moves(&position).unwrap();
        for child in naive::children(&text) {
            let read = game.read_move(&position, &child);
            let read = read.unwrap_or_else(|error| panic!("{error}"));
            made += 1;
            unlike += usize::from(!legal.contains(&read));
        }
    }
    assert!(made > 300 && unlike > 0, "{made}, {unlike}");
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
        "0.1a2a1b2b",
        "0*2.ABCD.2|0.1.ABCD",
        "0*2.ABC.2|0.1.ACB",
        "0*2.AB.1|0.AB1|2.12",
        "0*2.AB.11|12.CAB|C.2",
        "0*3.AB|C1AB.1b1b|C.12",
        "0*2.AB|CABD|0.CD",
        "0*2.AB|CABD|0.CD.12",
        "ABCDEF.12|0.AFEDCB.1",
        "0*2.AB|1A2B2",
        "0*2.AB.12|1A2B2",
        "0*2.AB|1A22B",
        "0*2.AB|1A22B.12a1a",
        "0*2.AB1|0.AB1",
        "0*2.AB12|0.AB12",
        "0.CAB|1A2B2|C.2",
        "0.CAB.1|2.AB|C.2",
        // Turned with another region, or not.
        "0*3.ABC|0.ABC2",
        "0*2.ABC|0.ABCa1a.12",
        "0*2.ABCD|0.ABCD2.12",
        "0*2.ABCD|0.ABCD2.12a1a",
        "0*2.ABC|0.ABC2.DE1|DE",
        "0*2.ABC|0.ABCD.2|0.D",
        "0*2.ABC|0.ABCD2|0.D",
        "0*2.ABCD|0.A1B2CD",
        "0*2.ABCD|0.A1B1CD",
        "0*2.ABCD|A1BE|E2CD",
        "0.ABCDEF|AB1|CD1|EF1",
        "0.ABC.DEF|0.ABC2|0.DEF2",
        "0.ABC1.DEF|0.ABC2|0.DEF2",
        // Ends of a land that are alike, or nearly.
        "0*2.AB.CD.EF|AB|CD|EF",
        "0*2.AB.CD.EF|0.AB|0.CD|EF",
        "0*2.A.B.C|0.A|0.B|2.C",
        "0*2.A1.B1.C2|0.A|0.B|0.C",
        "0*2.AB1.CD1|0.AB2|0.CD2",
        "0*2.AB1.CD1|0.AB2|0.DC2",
        "0*2.ABC.DEF|0.ABC12|0.DEF12",
        "0*2.ABC.DFE.12a1a|0.ABC12|0.DEF12",
        "0*2.AB.CD|0.AB1|0.CD2",
        "0*2.AB.CD|0.AB.1|0.CD.2",
        "0.AB.CD|0.AB.E|0.CD|2.E",
        "0.AB.CD|0.AB.E|0.CD.F|2.E|2.F",
        "0*2.AB.CD|0*2.AB.EF|CD|EF",
        "0*3.ABC2|0*3.ABC2",
        "0*3.ABC2|0*3.ACB2",
    ] {
        lands.push(game.canonical(&open(text)));
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

/// What a symmetry takes to a child that was made is not made again.
#[test]
fn children_of_symmetric_lands_are_made_once() {
    for text in [
        "0*4.AB.CD.EF.GH|AB|CD|EF|GH",
        "0*2.A.B.C|0.A|0.B|0.C",
        "0*4.AB|0*4.CD|0*3.AB.CD",
        "0*8.AB|0*8.AB",
        "0*3.ABCD|0*3.ABCD",
        "0*3.A|0*3.BC1|ABC",
    ] {
        let mut game = Sprouts::default();
        let land = game.canonical(&open(text));
        let children = game.legal_moves(&land).unwrap();
        let made = game.made().map(|made| made.children);
        assert_eq!(made, Some(children.len() as u64), "{text}");
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
