//! No text makes a parser panic, hang or lie: examples of every game, mutated at random.
//!
//! Always the same texts. The fuzz targets in `fuzz/` go further with the same check.

use std::fmt::Write;

use bouton_session::registry::games;

/// Pieces that notations are made of, and a few that they are not.
const PIECES: &[&str] = &[
    "0",
    "1",
    "2",
    "9",
    "12",
    "99999999999999999999",
    "a",
    "b",
    "z",
    "A",
    "B",
    "Z",
    "~",
    "x",
    "o",
    "X",
    "O",
    ".",
    "#",
    "|",
    "/",
    "+",
    "*",
    ",",
    "-",
    "}",
    "]",
    "!",
    " ",
    " b",
    " w",
    "\t",
    "\n",
    "\0",
    "é",
    "\u{1F600}",
    "0*",
    "1a1a",
    "AB|AB",
    "6x6",
    "0x3",
    "200x200",
];

const TEXTS_PER_GAME: usize = 6_000;

#[test]
fn mutated_positions_are_read_or_refused() {
    for game in games() {
        let mut dice = Dice(0x9e3779b97f4a7c15);
        let mut accepted = 0;
        for _ in 0..TEXTS_PER_GAME {
            let mut text = game.examples[dice.below(game.examples.len())].to_owned();
            for _ in 0..=dice.below(4) {
                mutate(&mut text, &mut dice);
            }
            accepted += usize::from(is_accepted(game.name, &text));
        }
        // Both ways were tried.
        assert!(
            (100..TEXTS_PER_GAME - 100).contains(&accepted),
            "{}: {accepted}",
            game.name
        );
    }
}

#[test]
fn long_texts_are_no_trouble() {
    for game in games() {
        for piece in PIECES.iter().chain(game.examples) {
            for separator in ["", "|", ".", "+", ","] {
                let mut text = String::new();
                for _ in 0..400 {
                    write!(text, "{piece}{separator}").expect("a string takes all");
                }
                is_accepted(game.name, &text);
            }
        }
    }
}

#[test]
fn mutated_moves_are_read_or_refused() {
    for game in games() {
        let mut dice = Dice(0xd1b54a32d192ed03);
        for example in game.examples {
            let mut session = bouton_session::open(game.name, example).expect("an example");
            let children = session.children().expect("examples are small");
            let moves: Vec<_> = children.iter().flat_map(|child| &child.moves).collect();
            for _ in 0..200 {
                let mut text = moves[dice.below(moves.len())].clone();
                mutate(&mut text, &mut dice);
                let before = session.position();
                if let Err(error) = session.play(&text) {
                    assert_is_helpful(game.name, &error.to_string());
                    assert_eq!(session.position(), before);
                } else {
                    session = bouton_session::open(game.name, example).expect("an example");
                }
            }
        }
    }
}

/// Whether a text is a position. If so, it can be written, read again and moved in; if not,
/// the error says in one line which game and what is wrong.
fn is_accepted(game: &str, text: &str) -> bool {
    match bouton_session::open(game, text) {
        Ok(mut session) => {
            let written = session.position();
            let again = bouton_session::open(game, &written)
                .unwrap_or_else(|error| panic!("{game}: {text:?} wrote {written:?}: {error}"));
            assert_eq!(again.position(), written, "{game}: {text:?}");
            // Too many moves to list is an answer too.
            let _ = session.children();
            true
        }
        Err(error) => {
            assert_is_helpful(game, &error.to_string());
            false
        }
    }
}

fn assert_is_helpful(game: &str, error: &str) {
    assert!(error.starts_with(&format!("{game}: ")), "{error}");
    assert!(!error.contains(char::is_control), "{error:?}");
    assert!(error.chars().count() < 500, "{error}");
}

fn mutate(text: &mut String, dice: &mut Dice) {
    let places: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    let (one, other) = (
        places[dice.below(places.len())],
        places[dice.below(places.len())],
    );
    let (from, to) = (one.min(other), one.max(other));
    match dice.below(5) {
        0 => text.insert_str(from, PIECES[dice.below(PIECES.len())]),
        1 => text.replace_range(from..to, ""),
        2 => text.replace_range(from..to, PIECES[dice.below(PIECES.len())]),
        3 => {
            let copy = text[from..to].to_owned();
            text.insert_str(to, &copy);
        }
        _ => {
            let copy: String = text[from..to].chars().rev().collect();
            text.replace_range(from..to, &copy);
        }
    }
}

/// Reproducible dice (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}
