//! Positions as text.
//!
//! The form that is written, and read: lands joined by `+`, regions by `|`, boundaries by `.`,
//! `0*k` for k isolated spots, `!` for the empty position. The older form of Applegate, Jacobson
//! and Sleator (1991) and of GLOP is read too: `.` ends a boundary, `}` a region, `]` a land
//! and `!` the position.
//!
//! After `Z` comes `A~`, after `Z~` comes `A~~`; likewise in lower case.
//!
//! A number alone is a size: `12` is the start position `0*12`. The boundary with vertices `1`
//! and `2`, if it is all there is, is written `12!`; a `!` may end any position.
//!
//! At most 30,000 lives are taken, those of 10,000 spots. Moves use lives up, so that what can
//! be read bounds everything that follows.

use super::bytes::{Token, Tokens};
use super::check::{Symbol, check};
use super::drawing::{Drawing, Vertex};
use super::position::Position;

/// The largest start position.
const MOST_SPOTS: usize = 10_000;

/// A life of a letter is shared by its two occurrences: count halves.
const MOST_HALF_LIVES: usize = 6 * MOST_SPOTS;

// Every occurrence of a vertex, so every boundary and region, has a half of a life. Forms count them
// in 16 bits, with some values to spare (`reduce`, `pairs`, `occurrence`, `bytes`): beyond, unlike
// lands would get one form.
const _: () = assert!(MOST_HALF_LIVES < 0xf000);

/// Reads a size or a position.
pub(super) fn read(text: &str) -> Result<Position, String> {
    let text = text.trim();
    if text == "!" {
        return Ok(Position::default());
    }
    if is_size(text) {
        return start(text);
    }
    let mut reader = Reader::new(text);
    reader.read()?;
    check_lands(&reader.lands)
}

/// Reads the bytes of a position, whoever wrote them.
pub(super) fn unpack(bytes: &[u8]) -> Option<Position> {
    let lands = lands_of(bytes)?;
    let position = check_lands(&lands).ok()?;
    // Numbering of letters, empty boundaries, bytes without meaning: all of it shows here.
    (position.bytes() == bytes).then_some(position)
}

fn check_lands(lands: &[Drawing<Symbol>]) -> Result<Position, String> {
    let checked = lands.iter().enumerate().map(|(index, land)| {
        check(land).map_err(|fault| {
            let comma = if fault.starts_with("region") {
                ","
            } else {
                ":"
            };
            format!("land {}{comma} {fault}", index + 1)
        })
    });
    let drawings: Vec<Drawing<Vertex>> = checked.collect::<Result<_, _>>()?;
    Ok(Position::from_drawings(&drawings))
}

fn is_size(text: &str) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && !text.starts_with('0')
}

fn start(size: &str) -> Result<Position, String> {
    let spots = size.parse().ok().filter(|&spots| spots <= MOST_SPOTS);
    let spots = spots.ok_or_else(|| format!("expected a size of 1 to {MOST_SPOTS} spots"))?;
    let mut land: Drawing<Vertex> = Drawing::default();
    land.close_region(spots);
    Ok(Position::from_drawings(&[land]))
}

/// Which marks end what.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    New,
    Older,
}

/// Reads text into lands, symbols as they stand; letters are checked later.
struct Reader<'a> {
    chars: std::iter::Peekable<std::iter::Enumerate<std::str::Chars<'a>>>,
    form: Form,
    lands: Vec<Drawing<Symbol>>,
    land: Drawing<Symbol>,
    /// Isolated spots of the region, and those of the boundary being read.
    zeros: usize,
    spots: usize,
    half_lives: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let is_older = text.contains(['}', ']']);
        Self {
            chars: text.chars().enumerate().peekable(),
            form: if is_older { Form::Older } else { Form::New },
            lands: Vec::new(),
            land: Drawing::default(),
            zeros: 0,
            spots: 0,
            half_lives: 0,
        }
    }

    fn read(&mut self) -> Result<(), String> {
        while let Some((index, symbol)) = self.chars.next() {
            let place = |fault: String| format!("character {}: {fault}", index + 1);
            if symbol == '!' {
                return self.end_of_position().map_err(place);
            }
            self.read_symbol(symbol).map_err(place)?;
        }
        if self.form == Form::Older {
            return Err("expected \"!\" at the end".to_owned());
        }
        self.close_boundary();
        self.close_region();
        self.close_land();
        Ok(())
    }

    fn read_symbol(&mut self, symbol: char) -> Result<(), String> {
        match (symbol, self.form) {
            ('0', _) => return self.read_spots(),
            ('1', _) => return self.push(Symbol::One, 4),
            ('2', _) => return self.push(Symbol::Two, 2),
            ('a'..='z', _) => {
                let number = self.letter_number(symbol, 'a');
                return self.push(Symbol::Lower(number), 1);
            }
            ('A'..='Z', _) => {
                let number = self.letter_number(symbol, 'A');
                return self.push(Symbol::Upper(number), 1);
            }
            ('.', _) => self.close_boundary(),
            ('|' | '+', Form::New) => {
                self.close_boundary();
                self.close_region();
                if symbol == '+' {
                    self.close_land();
                }
            }
            ('}', Form::Older) if self.is_between_boundaries() => self.close_region(),
            ('}', Form::Older) => return Err("expected \".\" before \"}\"".to_owned()),
            (']', Form::Older) if self.is_between_regions() => self.close_land(),
            (']', Form::Older) => return Err("expected \"}\" before \"]\"".to_owned()),
            (_, Form::New) => {
                let rest = "expected 0, 1, 2, a letter or one of . | + !";
                return Err(format!("{rest}, found \"{symbol}\""));
            }
            (_, Form::Older) => {
                let rest = "expected 0, 1, 2, a letter or one of . } ] !";
                return Err(format!("{rest}, found \"{symbol}\""));
            }
        }
        Ok(())
    }

    /// `0` or `0*k`, at the beginning of a boundary.
    fn read_spots(&mut self) -> Result<(), String> {
        if !self.is_between_boundaries() {
            return Err("expected 0 alone in its boundary".to_owned());
        }
        self.spots = 1;
        if self.chars.next_if(|&(_, c)| c == '*').is_some() {
            let mut number = None;
            while let Some((_, digit)) = self.chars.next_if(|(_, c)| c.is_ascii_digit()) {
                let digit = digit as usize - '0' as usize;
                let before = number.unwrap_or(0usize);
                number = Some(before.saturating_mul(10).saturating_add(digit));
            }
            self.spots = number
                .filter(|&number| number > 0)
                .ok_or("expected a number from 1 on after \"0*\"")?;
        }
        self.spend(self.spots.saturating_mul(6))
    }

    fn push(&mut self, symbol: Symbol, half_lives: usize) -> Result<(), String> {
        if self.spots > 0 {
            return Err(format!(
                "expected 0 alone in its boundary, found {symbol} behind it"
            ));
        }
        self.land.push(symbol);
        self.spend(half_lives)
    }

    fn spend(&mut self, half_lives: usize) -> Result<(), String> {
        self.half_lives = self.half_lives.saturating_add(half_lives);
        if self.half_lives > MOST_HALF_LIVES {
            let lives = MOST_HALF_LIVES / 2;
            return Err(format!(
                "expected at most {lives} lives in all, those of {MOST_SPOTS} spots"
            ));
        }
        Ok(())
    }

    fn letter_number(&mut self, letter: char, first: char) -> usize {
        let mut number = letter as usize - first as usize;
        while self.chars.next_if(|&(_, c)| c == '~').is_some() {
            number += 26;
        }
        number
    }

    fn end_of_position(&mut self) -> Result<(), String> {
        if self.chars.next().is_some() {
            return Err("expected nothing behind \"!\"".to_owned());
        }
        if self.form == Form::New {
            self.close_boundary();
            self.close_region();
            self.close_land();
        } else if !self.is_between_regions() || !self.land.regions.is_empty() {
            return Err("expected \"]\" before \"!\"".to_owned());
        }
        Ok(())
    }

    fn is_between_boundaries(&self) -> bool {
        self.spots == 0 && !self.land.boundary_is_open()
    }

    fn is_between_regions(&self) -> bool {
        self.is_between_boundaries() && self.zeros == 0 && !self.land.region_is_open()
    }

    fn close_boundary(&mut self) {
        if self.spots == 0 {
            self.land.close_boundary();
        }
        self.zeros += std::mem::take(&mut self.spots);
    }

    fn close_region(&mut self) {
        self.land.close_region(std::mem::take(&mut self.zeros));
    }

    fn close_land(&mut self) {
        self.lands.push(std::mem::take(&mut self.land));
    }
}

/// Bytes as lands of symbols; `None` if they have too many lives.
fn lands_of(bytes: &[u8]) -> Option<Vec<Drawing<Symbol>>> {
    let mut lands = Vec::new();
    let mut land = Drawing::default();
    let (mut zeros, mut half_lives) = (0, 0);
    let end = (!bytes.is_empty()).then_some(Token::NextLand);
    for token in Tokens::of(bytes).chain(end) {
        let (symbol, cost) = match token {
            Token::One => (Some(Symbol::One), 4),
            Token::Two => (Some(Symbol::Two), 2),
            Token::Lower(number) => (Some(Symbol::Lower(number)), 1),
            Token::Upper(number) => (Some(Symbol::Upper(number)), 1),
            Token::Spots(more) => {
                zeros += more;
                (None, 6 * more)
            }
            Token::NextBoundary | Token::NextRegion | Token::NextLand => (None, 0),
        };
        half_lives += cost;
        if half_lives > MOST_HALF_LIVES {
            return None;
        }
        if let Some(symbol) = symbol {
            land.push(symbol);
            continue;
        }
        if land.boundary_is_open() && !matches!(token, Token::Spots(_)) {
            land.close_boundary();
        }
        if matches!(token, Token::NextRegion | Token::NextLand) {
            land.close_region(std::mem::take(&mut zeros));
        }
        if token == Token::NextLand {
            lands.push(std::mem::take(&mut land));
        }
    }
    Some(lands)
}

/// Writes a position.
pub(super) fn write(position: &Position) -> String {
    let mut text = String::new();
    let mut spots = 0;
    for token in position.tokens() {
        if let Token::Spots(more) = token {
            spots += more;
            continue;
        }
        let is_mark = matches!(
            token,
            Token::NextBoundary | Token::NextRegion | Token::NextLand
        );
        write_spots(std::mem::take(&mut spots), !is_mark, &mut text);
        match token {
            Token::One => text.push('1'),
            Token::Two => text.push('2'),
            Token::Lower(number) => write_letter('a', number, &mut text),
            Token::Upper(number) => write_letter('A', number, &mut text),
            Token::NextBoundary => text.push('.'),
            Token::NextRegion => text.push('|'),
            Token::NextLand => text.push('+'),
            Token::Spots(_) => {}
        }
    }
    write_spots(spots, false, &mut text);
    if text.is_empty() || is_size(&text) {
        text.push('!');
    }
    text
}

fn write_spots(number: usize, more_follows: bool, text: &mut String) {
    match number {
        0 => return,
        1 => text.push('0'),
        _ => text.push_str(&format!("0*{number}")),
    }
    if more_follows {
        text.push('.');
    }
}

/// Writes the letter with this number, from 0 on; `first` is `a` or `A`.
pub(super) fn write_letter(first: char, number: usize, text: &mut String) {
    text.push(char::from(first as u8 + (number % 26) as u8));
    text.extend(std::iter::repeat_n('~', number / 26));
}

#[cfg(test)]
mod tests {
    use super::super::Sprouts;
    use super::super::tests::{Dice, open, random_play};
    use super::*;

    fn refuses(text: &str, fault: &str) {
        let error = read(text).expect_err(text);
        assert!(error.contains(fault), "{text}: {error}");
    }

    #[test]
    fn sizes_and_positions_are_read() {
        assert_eq!(open("12"), open("0*12"));
        assert_eq!(open(" 1 "), open("0"));
        assert_eq!(open("1a1a|0*18"), open("1x1x|0*17.0"));
        assert_eq!(open("AB.0|AB"), open("0.BA|BA!"));
        assert_ne!(open("AB|0.AB"), open("0.AB|AB"));
        assert_eq!(write(&open("QA~.0|BQ|BA~")), "0.AB|CA|CB");
        assert_eq!(write(&open("!")), "!");
    }

    #[test]
    fn the_older_form_is_read() {
        let older = "0.2ABC.}0.1ab1bc2ca.ACB.}]!";
        assert_eq!(open(older), open("0.2ABC|0.1ab1bc2ca.ACB"));
        assert_eq!(open("0.AB.}AB.}]!"), open("0.AB|AB"));
        assert_eq!(open("0*3.}]0.AB.}AB.}]!"), open("0*3+0.AB|AB"));
    }

    #[test]
    fn a_number_is_a_size_and_a_boundary_needs_a_mark() {
        assert_eq!(write(&open("12!")), "12!");
        assert_ne!(open("12!"), open("12"));
        assert_eq!(write(&open("1.2")), "1.2");
        assert_eq!(write(&open("1")), "0");
    }

    #[test]
    fn faults_are_named_with_their_place() {
        refuses("", "region 1, boundary \"\": expected at least one vertex");
        refuses("0*2x1", "character 4: expected 0 alone");
        refuses("0.AB|A?B", "character 7: expected 0, 1, 2, a letter");
        refuses("0.AB}AB.}]!", "character 5: expected \".\" before");
        refuses("0.AB.}AB.]!", "character 10: expected \"}\" before");
        refuses("0.AB.}AB.}!", "character 11: expected \"]\" before");
        refuses("0.AB.}AB.}]", "expected \"!\" at the end");
        refuses("0.AB|AB!1", "character 8: expected nothing behind");
        refuses("0*0", "character 1: expected a number from 1 on");
        refuses("0*|AB|AB", "character 1: expected a number");
        refuses("1*3", "character 2: expected 0, 1, 2");
        refuses("012", "character 2: expected 0 alone");
        refuses("20.A|A", "character 2: expected 0 alone");
        refuses("0..AB|AB", "land 1, region 1, boundary \"\"");
        refuses("0|1+|2", "land 2, region 1, boundary \"\"");
        refuses("0.AB|A", "region 1, boundary \"AB\": B occurs once");
        refuses(
            "AB|AB|1A",
            "region 3, boundary \"1A\": A occurs for the third time",
        );
        refuses("1ABA|B", "expected a lower-case letter");
        refuses("1A.2A|B|B", "in another boundary of the region too");
        refuses(
            "0+1a2",
            "land 2, region 1, boundary \"1a2\": a occurs 1 times",
        );
        refuses("1a1a1a", "a occurs 3 times");
        refuses("1a2b1a2b", "a crosses");
    }

    #[test]
    fn too_many_spots_are_refused() {
        assert!(read("10000").is_ok() && read("0*10000").is_ok());
        refuses("10001", "expected a size of 1 to 10000");
        refuses("0*10001", "at most 30000 lives");
        refuses("0*99999999999", "at most 30000 lives");
        refuses("0*99999999999999999999999999", "at most 30000 lives");
        refuses("99999999999999999999999999", "expected a size");
        refuses(&"0.".repeat(20_000), "at most 30000 lives");
        refuses(&"1".repeat(1_000_000), "expected a size");
        refuses(&"1a".repeat(1_000_000), "at most 30000 lives");
        refuses(&format!("A{}", "~".repeat(1_000_000)), "occurs once");
    }

    #[test]
    fn boundaries_must_fit_into_the_plane() {
        for planar in ["ABCD|ABCD", "ABCD|ADCB", "1a2DEa|DE", "AB.CD|AB|CD"] {
            assert!(read(planar).is_ok(), "{planar}");
        }
        refuses("ABCD|ABDC", "land 1: its boundaries cross");
        refuses("0+ABCD|ABDC", "land 2: its boundaries cross");
        refuses("aBaC|BC", "its boundaries cross");
        refuses("AB.CD|AB.CD", "region 2: its boundaries are linked outside");
        refuses("A.B|A.C|B.C", "region 3: its boundaries are linked outside");
        refuses("ABCD|AEFG|BEHI|CFHJ|DGIJ", "its boundaries cross");
    }

    /// Two discs that touch in five points see them in one cyclic order, or in its reverse.
    #[test]
    fn two_boundaries_share_letters_in_cyclic_order() {
        let mut accepted = 0;
        for digits in 0..5usize.pow(5) {
            let order: Vec<_> = (0..5).map(|place| digits / 5usize.pow(place) % 5).collect();
            let letters = order.iter().map(|&number| char::from(b'A' + number as u8));
            let text: String = "ABCDE|".chars().chain(letters).collect();
            accepted += usize::from(read(&text).is_ok());
        }
        assert_eq!(accepted, 10);
    }

    #[test]
    fn long_texts_are_read_quickly() {
        let letter = |first, number| {
            let mut text = String::new();
            write_letter(first, number, &mut text);
            text
        };
        let names: Vec<_> = (0..2000).map(|number| letter('a', number)).collect();
        let mut back = names.clone();
        back.reverse();
        assert!(read(&format!("{}1{}2", names.concat(), back.concat())).is_ok());
        let ring: Vec<_> = (0..1500)
            .map(|number| letter('A', number) + &letter('A', (number + 1) % 1500))
            .collect();
        assert!(read(&ring.join("|")).is_ok());
    }

    #[test]
    fn mutated_texts_are_read_or_refused() {
        let (mut game, mut dice) = (Sprouts::default(), Dice(1));
        let alphabet: Vec<char> = "00112.|+!}]*~abABCD9 \u{e9}".chars().collect();
        for round in 0..40 {
            for position in random_play(&mut game, 2 + round % 7, &mut dice) {
                let mut text: Vec<char> = write(&position).chars().collect();
                for _ in 0..12 {
                    let at = dice.below(text.len() + 1);
                    let symbol = alphabet[dice.below(alphabet.len())];
                    match dice.below(3) {
                        0 if at < text.len() => text[at] = symbol,
                        1 if at < text.len() => drop(text.remove(at)),
                        _ => text.insert(at, symbol),
                    }
                    let text: String = text.iter().collect();
                    if let Ok(position) = read(&text) {
                        assert_eq!(open(&write(&position)), position, "{text}");
                    }
                }
            }
        }
    }
}
