//! One form for all drawings of a position, as text and as bytes.

use super::*;

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
    bytes::draw_land(bytes, &mut land);
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

/// Positions are compared by their bytes, in place or not, and know their lands.
#[test]
fn positions_are_compared_by_their_bytes() {
    let mut dice = Dice(5);
    // With bytes that mean nothing, or stand for half of a wide letter's number.
    let mut strings: Vec<Vec<u8>> = (0..400)
        .map(|_| {
            let length = [0, 1, 7, 8, 9, 16, 28, 29, 30, 31, 60][dice.below(11)];
            (0..length).map(|_| [0, 1, 0x50][dice.below(3)]).collect()
        })
        .collect();
    strings.sort();
    strings.dedup();
    let positions: Vec<Position> = strings
        .iter()
        .map(|bytes| Position::from_bytes(bytes))
        .collect();
    for (bytes, position) in strings.iter().zip(&positions) {
        assert_eq!(position.bytes(), bytes);
        for (others, other) in strings.iter().zip(&positions) {
            assert_eq!(position.cmp(other), bytes.cmp(others));
            assert_eq!(position == other, bytes == others);
        }
    }
}

#[test]
fn a_position_knows_how_many_lands_it_has() {
    let (mut game, mut dice) = (Sprouts::default(), Dice(9));
    assert_eq!(Position::default().number_of_lands(), 0);
    // The letter with the number 5 * 256 + 5 has bytes that look like marks.
    let wide = [0x50, 0x07, 0x05, 0x05];
    for lands in [vec![&wide[..]], vec![&wide[..]; 2], vec![&wide[..]; 9]] {
        let number = lands.len();
        let position = Position::from_lands(lands.into_iter());
        assert_eq!(position.number_of_lands(), number);
        assert_eq!(
            Position::from_bytes(position.bytes()).number_of_lands(),
            number
        );
    }
    for round in 0..40 {
        for position in random_play(&mut game, 1 + round % 14, &mut dice) {
            assert_eq!(position.number_of_lands(), position.lands().count());
            assert_eq!(position.is_one_land(), position.lands().count() == 1);
        }
    }
}

#[test]
fn lands_are_told_apart_however_many_regions_there_are() {
    let (mut game, land) = (Sprouts::default(), "0*2.AB|0.AB");
    for lands in [1, 2, 31, 32, 33, 70] {
        let sum = game.canonical(&open(&vec![land; lands].join("+")));
        let land = game.canonical(&open(land));
        assert_eq!(sum.number_of_lands(), lands);
        assert!(sum.lands().all(|part| part == land.bytes()));
    }
}
