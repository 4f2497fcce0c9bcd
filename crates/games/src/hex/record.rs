//! Games of Hex as they are recorded: a size and moves, or SGF.
//!
//! `7x7 b2 d4 c5` are moves from the start, Black first. Of SGF the properties `SZ` (`7` or
//! `7:7`), `AB`, `AW` (stones), `B`, `W` (moves) and `PL` (who is to move) are read, along the
//! main line; all others are passed over. Cells are written as everywhere: `b2`.

use bouton_game::{NotationError, Player};

use super::{Hex, Position};
use crate::grid::Size;

impl Hex {
    /// Reads a size and moves; `None` if the text does not begin with a size and a space.
    pub(super) fn read_moves(text: &str) -> Option<Result<(Self, Position), NotationError>> {
        let (size, moves) = text.trim().split_once(' ')?;
        let size = Size::read::<Self>(size, Self::MOST_CELLS)?;
        Some(size.and_then(|size| {
            let game = Self::new(size);
            let mut position = game.start();
            for cell in moves.split_whitespace() {
                let player = position.side;
                game.put(&mut position, player, cell)?;
                position.side = !player;
            }
            Ok((game, position))
        }))
    }

    /// Reads SGF; `None` if the text does not begin like it.
    pub(super) fn read_sgf(text: &str) -> Option<Result<(Self, Position), NotationError>> {
        let text = text.trim().strip_prefix("(;")?;
        Some(Self::replay(text))
    }

    fn replay(text: &str) -> Result<(Self, Position), NotationError> {
        let properties = properties(text)?;
        let size = properties.iter().find(|(name, _)| *name == "SZ");
        let size = size.and_then(|(_, size)| read_size(size));
        let size = size.ok_or_else(|| wrong("a size up to 128 cells in SZ", text))?;
        let game = Self::new(size);
        let mut position = game.start();
        for (name, value) in properties {
            let moved = match name {
                "B" => (Player::Black, true),
                "W" => (Player::White, true),
                "AB" => (Player::Black, false),
                "AW" => (Player::White, false),
                "PL" => {
                    position.side = match value {
                        "B" | "b" | "black" => Player::Black,
                        "W" | "w" | "white" => Player::White,
                        _ => return Err(wrong("B or W in PL", value)),
                    };
                    continue;
                }
                _ => continue,
            };
            game.put(&mut position, moved.0, value)?;
            if moved.1 {
                position.side = !moved.0;
            }
        }
        Ok((game, position))
    }

    /// Puts a stone on an empty cell.
    fn put(
        &self,
        position: &mut Position,
        player: Player,
        text: &str,
    ) -> Result<(), NotationError> {
        let empty = super::cells(self.empty(position));
        let named = |cell: &u8| {
            let name = self.size().name(usize::from(*cell));
            name.eq_ignore_ascii_case(text)
        };
        let mut empty = empty.filter(named);
        let cell = empty.next().ok_or_else(|| wrong("an empty cell", text))?;
        match player {
            Player::Black => position.black |= 1 << cell,
            Player::White => position.white |= 1 << cell,
        }
        Ok(())
    }
}

fn wrong(expected: &str, found: &str) -> NotationError {
    NotationError::new::<Hex>(format!(
        "expected {expected}, found {:?}",
        bouton_game::excerpt(found)
    ))
}

/// `7` or `7:8`, columns first.
fn read_size(text: &str) -> Option<Size> {
    let (columns, rows) = text.split_once(':').unwrap_or((text, text));
    let number = |text: &str| text.parse::<usize>().ok().filter(|n| (1..=128).contains(n));
    let size = Size {
        rows: number(rows)?,
        columns: number(columns)?,
    };
    (size.cells() <= Hex::MOST_CELLS).then_some(size)
}

/// The properties of the main line: names and values, a pair for each value.
fn properties(text: &str) -> Result<Vec<(&str, &str)>, NotationError> {
    let (mut found, mut name, mut rest) = (Vec::new(), "", text);
    while let Some(next) = rest.chars().next() {
        match next {
            '[' => {
                let end = end_of_value(rest).ok_or_else(|| wrong("a ] after the value", rest))?;
                found.push((name, &rest[1..end]));
                rest = &rest[end + 1..];
            }
            // The main line ends where its innermost variation does.
            ')' => break,
            _ if next.is_ascii_alphabetic() => {
                let end = rest.find(|c: char| !c.is_ascii_alphabetic());
                let (before, after) = rest.split_at(end.unwrap_or(rest.len()));
                (name, rest) = (before, after);
            }
            _ if next == ';' || next == '(' || next.is_whitespace() => {
                rest = &rest[next.len_utf8()..];
            }
            _ => return Err(wrong("an SGF property", rest)),
        }
    }
    Ok(found)
}

/// Where the value that begins with a bracket ends; a backslash hides the next character.
fn end_of_value(text: &str) -> Option<usize> {
    let mut hidden = false;
    let ends = |c: char| {
        let ends = c == ']' && !hidden;
        hidden = c == '\\' && !hidden;
        ends
    };
    text.find(ends)
}

#[cfg(test)]
mod tests {
    use bouton_game::Notation;

    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let opened = Hex::open(text).map_err(|error| error.to_string());
        opened.map(|(game, position)| game.write(&position))
    }

    #[test]
    fn recorded_games_are_replayed() {
        let expected = Ok("..x|.o.|... b".to_owned());
        for text in [
            "3x3 c1 b2",
            "(;FF[4]GM[11]SZ[3];B[c1];W[b2])",
            "(;SZ[3:3]AB[c1]AW[b2]PL[B]C[a \\] in a comment])",
            "(;SZ[3] (;B[c1];W[b2]) (;B[a1]))",
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn wrong_records_are_refused() {
        for text in [
            "3x3 c1 c1",
            "3x3 d1",
            "(;B[a1])",
            "(;SZ[99])",
            "(;SZ[3];B[a1",
            "(;SZ[3];B[z9])",
            "(;SZ[3]PL[x])",
            "(;SZ[3]é)",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
