//! Keys and values, byte by byte.
//!
//! All records are in one tree of fjall, sorted by key; the first byte of a key says what kind of
//! record it is. One tree and not several, because fjall writes each tree's memory to the disk at
//! a time of its own: only within one tree does "commit 7 is there" mean that its facts are.
//!
//! Every value ends with four bytes of XXH3 over the value, seeded with XXH3 over the key, so that
//! it is right for this key only. fjall has XXH3 sums of its own over blocks of records; these
//! here go from the caller to the disk and back. XXH3, since it is there already (fjall's) and
//! costs a few nanoseconds, where BLAKE3 costs a hundred; nobody forges a store against himself.

use bouton_game::{Fact, Nimber, Outcome};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The longest key that fjall takes.
const KEY_LIMIT: usize = u16::MAX as usize;

/// The longest packed position: what is left of a key beside the parts of a conflict.
pub(crate) const POSITION_LIMIT: usize = KEY_LIMIT - 1 - GAME - CODE;

/// Bytes of a game's number in a key.
const GAME: usize = 8;

/// Bytes of a fact of fixed length.
const CODE: usize = 8;

const CHECK: usize = 4;

/// What kind of record it is: the first byte of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Commit = 0,
    Game = 1,
    Fact = 2,
    Conflict = 3,
    Checkpoint = 4,
}

/// The number of a game on a board: a hash of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GameId(u64);

impl GameId {
    pub(crate) fn new(name: &str, board: &str) -> Self {
        Self(xxh3_64(&names(name, board)))
    }

    pub(crate) fn from_key(key: &[u8]) -> Option<Self> {
        let bytes = key.get(1..=GAME)?.try_into().ok()?;
        Some(Self(u64::from_be_bytes(bytes)))
    }

    /// The key of the record with the game's names.
    pub(crate) fn key(self) -> Vec<u8> {
        self.start(Kind::Game)
    }

    /// What all keys of the game's facts or conflicts begin with.
    pub(crate) fn start(self, kind: Kind) -> Vec<u8> {
        let mut key = vec![kind as u8];
        key.extend(self.0.to_be_bytes());
        key
    }

    pub(crate) fn fact_key(self, position: &[u8]) -> Vec<u8> {
        let mut key = Vec::with_capacity(1 + GAME + position.len());
        key.push(Kind::Fact as u8);
        key.extend(self.0.to_be_bytes());
        key.extend(position);
        key
    }

    pub(crate) fn conflict_key(self, position: &[u8], new: Fact) -> Vec<u8> {
        let mut key = self.start(Kind::Conflict);
        key.extend(position);
        key.extend(code(new).to_be_bytes());
        key
    }
}

pub(crate) fn commit_key(number: u64) -> Vec<u8> {
    let mut key = vec![Kind::Commit as u8];
    key.extend(number.to_be_bytes());
    key
}

/// A commit's record: how many facts more there are after it.
pub(crate) fn commit_value(facts: i64) -> Vec<u8> {
    facts.to_le_bytes().to_vec()
}

/// The number of a commit, and how many facts it brought.
pub(crate) fn read_commit(key: &[u8], value: &[u8]) -> Option<(u64, i64)> {
    let number = u64::from_be_bytes(key.get(1..)?.try_into().ok()?);
    let facts = i64::from_le_bytes(value.try_into().ok()?);
    Some((number, facts))
}

pub(crate) fn checkpoint_key(name: &str) -> Vec<u8> {
    let mut key = vec![Kind::Checkpoint as u8];
    key.extend(name.as_bytes());
    key
}

/// The position in the key of a fact.
pub(crate) fn fact_position(key: &[u8]) -> Option<&[u8]> {
    key.get(1 + GAME..)
}

/// The position and the new fact in the key of a conflict.
pub(crate) fn conflict_parts(key: &[u8]) -> Option<(&[u8], Fact)> {
    let (position, code) = key.get(1 + GAME..)?.split_last_chunk::<CODE>()?;
    Some((position, fact_of(u64::from_be_bytes(*code))?))
}

fn names(name: &str, board: &str) -> Vec<u8> {
    [name.as_bytes(), &[0], board.as_bytes()].concat()
}

/// A game's record: its names, and how many facts it has.
pub(crate) fn game_value(name: &str, board: &str, facts: u64) -> Vec<u8> {
    let mut value = facts.to_le_bytes().to_vec();
    value.extend(names(name, board));
    value
}

/// Names and number of facts in a game's record.
pub(crate) fn read_game(value: &[u8]) -> Option<(String, String, u64)> {
    let (facts, names) = value.split_first_chunk::<8>()?;
    let (name, board) = std::str::from_utf8(names).ok()?.split_once('\0')?;
    let facts = u64::from_le_bytes(*facts);
    Some((name.to_owned(), board.to_owned(), facts))
}

/// 0 loss, 1 win, else the nimber and 2: so that most facts take one byte.
fn code(fact: Fact) -> u64 {
    match fact {
        Fact::Outcome(Outcome::Loss) => 0,
        Fact::Outcome(Outcome::Win) => 1,
        Fact::Nimber(nimber) => u64::from(nimber) + 2,
    }
}

/// The fact with this code, if there is one.
fn fact_of(code: u64) -> Option<Fact> {
    match code {
        0 => Some(Fact::Outcome(Outcome::Loss)),
        1 => Some(Fact::Outcome(Outcome::Win)),
        _ => Nimber::try_from(code - 2).ok().map(Fact::Nimber),
    }
}

/// A fact's code, 7 bits a byte, the lowest first, the high bit set on all but the last.
pub(crate) fn fact_value(fact: Fact) -> Vec<u8> {
    let mut value = Vec::with_capacity(1 + CHECK);
    let mut code = code(fact);
    while code >= 0x80 {
        value.push(code as u8 | 0x80);
        code >>= 7;
    }
    value.push(code as u8);
    value
}

pub(crate) fn read_fact(value: &[u8]) -> Option<Fact> {
    let mut code = 0;
    for (i, byte) in value.iter().enumerate().take(5) {
        code |= u64::from(byte & 0x7f) << (7 * i);
        if byte & 0x80 == 0 {
            return fact_of(code).filter(|_| i + 1 == value.len());
        }
    }
    None
}

/// A conflict's record: when it was found, in milliseconds since 1970, and what was known.
pub(crate) fn conflict_value(millis: u64, stored: Fact) -> Vec<u8> {
    [millis.to_le_bytes(), code(stored).to_le_bytes()].concat()
}

pub(crate) fn read_conflict(value: &[u8]) -> Option<(u64, Fact)> {
    let (millis, code) = value.split_first_chunk::<8>()?;
    let code = u64::from_le_bytes(code.try_into().ok()?);
    Some((u64::from_le_bytes(*millis), fact_of(code)?))
}

fn check(key: &[u8], value: &[u8]) -> [u8; CHECK] {
    (xxh3_64_with_seed(value, xxh3_64(key)) as u32).to_le_bytes()
}

/// The value with its checksum.
pub(crate) fn seal(key: &[u8], mut value: Vec<u8>) -> Vec<u8> {
    let check = check(key, &value);
    value.extend(check);
    value
}

/// The value without its checksum, if that is right.
pub(crate) fn unseal<'a>(key: &[u8], sealed: &'a [u8]) -> Option<&'a [u8]> {
    let (value, found) = sealed.split_last_chunk::<CHECK>()?;
    (check(key, value) == *found).then_some(value)
}

/// How a record is called in an error.
pub(crate) fn describe(key: &[u8]) -> String {
    let kind = match key.first() {
        Some(0) => "the record of a commit",
        Some(1) => "the record of a game",
        Some(2) => "the fact",
        Some(3) => "the conflict",
        Some(4) => "the checkpoint",
        _ => "a record",
    };
    format!("{kind} with key {}", hex(key))
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_right_for_its_key_only() {
        let sealed = seal(b"key", fact_value(Fact::Nimber(300)));
        let value = unseal(b"key", &sealed).unwrap();
        assert_eq!(read_fact(value), Some(Fact::Nimber(300)));
        assert_eq!(unseal(b"kez", &sealed), None);
        for bit in 0..8 * sealed.len() {
            let mut flipped = sealed.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unseal(b"key", &flipped), None);
        }
    }

    #[test]
    fn codes_are_exact() {
        let outcomes = [Outcome::Loss, Outcome::Win].map(Fact::Outcome);
        for fact in [Fact::Nimber(0), Fact::Nimber(u32::MAX)]
            .into_iter()
            .chain(outcomes)
        {
            assert_eq!(fact_of(code(fact)), Some(fact));
        }
        assert_eq!(fact_of(u64::from(u32::MAX) + 3), None);
    }

    #[test]
    fn the_largest_fact_takes_five_bytes() {
        let value = fact_value(Fact::Nimber(u32::MAX));
        assert_eq!(value.len(), 5);
        assert_eq!(read_fact(&value), Some(Fact::Nimber(u32::MAX)));
        assert_eq!(read_fact(&[0x80, 0x80, 0x80, 0x80, 0x80, 1]), None);
        assert_eq!(read_fact(&[1, 1]), None);
        assert_eq!(read_fact(&[]), None);
    }

    #[test]
    fn board_and_name_are_apart() {
        assert_ne!(GameId::new("ab", "c"), GameId::new("a", "bc"));
        let value = game_value("cram", "4x5", 7);
        assert_eq!(read_game(&value), Some(("cram".into(), "4x5".into(), 7)));
    }
}
