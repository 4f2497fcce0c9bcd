//! The canonical form against one found by trying every numbering.

use std::collections::{BTreeMap, BTreeSet};

use bouton_game::Notation;

use super::super::bytes::draw_land;
use super::super::code::{Code, Coder, turned, upper, upper_number};
use super::super::drawing::{Drawing, Region, Vertex};
use super::super::notation::write_letter;
use super::super::position::Position;
use super::super::sketch::Sketch;
use super::super::tests::{Dice, random_play, reachable_lands};
use super::super::{Sprouts, symmetric};
use super::*;

type Strings = Vec<(usize, Vec<Vec<Code>>)>;

/// The least of all strings under rotations, turns and order, with the letters numbered.
fn least_strings(land: &Drawing<Code>, numbers: &[u32]) -> Strings {
    let numbered =
        |&code: &Code| upper_number(code).map_or(code, |letter| upper(numbers[letter] as usize));
    let read = |boundary: &[Code], is_turned: bool| {
        let mut codes: Vec<Code> = boundary.iter().map(numbered).collect();
        if is_turned {
            let length = codes.len();
            codes.reverse();
            codes
                .iter_mut()
                .for_each(|code| *code = turned(*code, length));
        }
        let rotated = |by: usize| [&codes[by..], &codes[..by]].concat();
        (0..codes.len()).map(rotated).min().unwrap()
    };
    let read_region = |&region: &Region| {
        let directions = [false, true].map(|is_turned| {
            let boundaries = land.boundaries_of(region);
            let mut strings: Vec<_> = boundaries.map(|codes| read(codes, is_turned)).collect();
            strings.sort();
            strings
        });
        (region.zeros, directions.into_iter().min().unwrap())
    };
    let mut regions: Strings = land.regions.iter().map(read_region).collect();
    regions.sort();
    regions
}

/// The least over all numberings of the letters.
fn form_by_trying_all(land: &Drawing<Code>) -> Strings {
    let mut numbers: Vec<u32> = (0..land.letters as u32).collect();
    let mut least = least_strings(land, &numbers);
    while next_permutation(&mut numbers) {
        least = least.min(least_strings(land, &numbers));
    }
    least
}

fn next_permutation(numbers: &mut [u32]) -> bool {
    let Some(pivot) = numbers.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let greater = numbers.iter().rposition(|&number| number > numbers[pivot]);
    numbers.swap(pivot, greater.unwrap_or(pivot));
    numbers[pivot + 1..].reverse();
    true
}

/// The forms of lands, found in both ways.
#[derive(Default)]
struct Comparison {
    coder: Coder,
    coded: Drawing<Code>,
    canonizer: Canonizer,
    /// Under the form that trying all numberings gives.
    forms: BTreeMap<Strings, Vec<u8>>,
    tried: usize,
}

impl Comparison {
    fn slow_form(&mut self, land: &Drawing<Vertex>) -> Option<Strings> {
        self.coder.code(land, &mut self.coded);
        (self.coded.letters <= 6).then(|| form_by_trying_all(&self.coded))
    }

    /// Like lands have one form, and a form is a drawing of its land.
    fn add(&mut self, land: &Position) {
        let (mut drawing, mut sketch) = (Drawing::default(), Sketch::default());
        land.draw(&mut drawing);
        let Some(slow) = self.slow_form(&drawing) else {
            return;
        };
        sketch.copy(&drawing);
        let mut form = Bytes::default();
        self.canonizer.form(&sketch, &mut form);
        let form = form.to_vec();
        self.tried += 1;
        if let Some(known) = self.forms.get(&slow) {
            assert_eq!(*known, form, "{land:?}");
            return;
        }
        let mut written = Drawing::default();
        draw_land(&form, &mut written);
        let read_back = self.slow_form(&written);
        assert_eq!(read_back.as_ref(), Some(&slow), "{land:?}");
        self.forms.insert(slow, form);
    }
}

#[test]
fn the_search_tells_apart_what_trying_all_numberings_does() {
    let mut game = Sprouts::default();
    let mut comparison = Comparison::default();
    for land in reachable_lands(&mut game, "4") {
        symmetric::variants(&land).for_each(|variant| comparison.add(&variant));
    }
    let different: BTreeSet<_> = comparison.forms.values().collect();
    assert_eq!(different.len(), comparison.forms.len());
    assert!(comparison.tried > 10_000, "{}", comparison.tried);
}

/// The lands of longer games, and letters side by side that are a pair, or not quite.
#[test]
fn letters_side_by_side_are_told_apart_like_others() {
    let (mut game, mut dice) = (Sprouts::default(), Dice(17));
    let mut comparison = Comparison::default();
    for text in [
        "AB|AB",
        "ABC|ABC",
        "AB1|AB1",
        "AB12|AB1",
        "AB12|AB12",
        "AB12|BA12",
        "AB12.1|AB2.22",
        "AB12.111|AB2.112",
        "AB12.111|BA2.112",
        "AB1.112|AB12",
        "ABC2|ABC.11",
        "ABC2|AC1B",
        "ABCD|ABCD",
        "ABCD|AB1|CD1",
        "ABCD|AB.0|CD",
        "ABCD|AB.EF|CD|EF1",
        "AB.CD|AB2|CD1",
        // Letters that can go round or change places at a glance, or not quite.
        "0.ABCD|2.ABCD",
        "0.ABCD|2.ADCB",
        "0.ABCDE|ABCDE.11",
        "0.AB.CD|AB|CD",
        "0.AB.CD|0.AB|CD",
        "0.AB.CD.EF|AB|CD|EF",
        "0.AB.CD.EF|112.AB|112.CD|211.EF",
        "0.AB.CD|AB.EF|EF|CD",
        "0.A.B.C|1a1a.A|1a1a.B|1a1a.C",
        "0.A.B.C|1a1a.A|1a1a.B|12.C",
        "0.1aAa|0.BC|ABC",
        "12ABCD|AB1|CD2",
        "12ABCD|BA12|CD2",
        "12ABCD|BA12|DC11",
    ] {
        let (_, land) = Sprouts::open(text).expect(text);
        symmetric::variants(&land).for_each(|variant| comparison.add(&variant));
    }
    for round in 0..200 {
        for position in random_play(&mut game, 5 + round % 5, &mut dice) {
            for land in position.lands() {
                let land = Position::from_land(land);
                symmetric::variants(&land).for_each(|variant| comparison.add(&variant));
            }
        }
    }
    let different: BTreeSet<_> = comparison.forms.values().collect();
    assert_eq!(different.len(), comparison.forms.len());
    assert!(comparison.forms.len() > 500, "{}", comparison.forms.len());
}

/// A star of so many letters that to take one after the other would take too long.
#[test]
fn symmetries_that_are_seen_take_no_more_work_than_others() {
    let names: Vec<_> = (0..3000)
        .map(|number| {
            let mut name = String::new();
            write_letter('A', number, &mut name);
            name
        })
        .collect();
    let text = format!("0.{}|0.2.{}", names.join("."), names.join("|0.2."));
    let (_, land) = Sprouts::open(&text).expect("a star");
    let (mut drawing, mut sketch) = (Drawing::default(), Sketch::default());
    land.draw(&mut drawing);
    sketch.copy(&drawing);
    let mut canonizer = Canonizer::default();
    canonizer.form(&sketch, &mut Bytes::default());
    let work = canonizer.refiner.work;
    assert!((MOST_WORK..MOST_WORK / 8 * 9).contains(&work), "{work}");
}

#[test]
fn a_tie_is_two_letters_and_no_more() {
    for (ranks, tie) in [
        (&[][..], None),
        (&[0], None),
        (&[1, 0, 2], None),
        (&[0, 0], Some([0, 1])),
        (&[1, 0, 1], Some([0, 2])),
        (&[0, 3, 1, 1], Some([2, 3])),
        (&[0, 0, 0], None),
        (&[2, 0, 2, 0], None),
    ] {
        assert_eq!(only_tie(ranks), tie, "{ranks:?}");
    }
}
