//! Chomp as text (`6,6,4,0`, moves `c2`) and as bytes.
//!
//! Bytes: the rows of a canonical bar from the bottom up, each length in groups of seven bits,
//! lowest first; the highest bit of a byte says that another one follows. Rows below 128, that
//! is nearly all, take one byte.

use bouton_game::{Notation, NotationError, excerpt};

use super::{Bar, Bite, Chomp, Lengths};
use crate::grid::{Size, name};
use crate::number::read_number;

impl Notation for Chomp {
    const NAME: &'static str = "chomp";
    const SUMMARY: &'static str = "bite a square and all above and right of it, never the poison";
    const SIZES: &'static str = "CxR, columns x rows";
    const POSITIONS: &'static str = "row lengths from the bottom, 6,6,4,0, the poison included";
    const MOVES: &'static str = "c2, a square: column letter, row number from the bottom";
    const EXAMPLES: &'static [&'static str] = &["2x3", "3x3", "4x2", "3,3,1"];

    fn open(text: &str) -> Result<(Self, Bar), NotationError> {
        let text = text.trim();
        let bar = match Size::read::<Self>(text, Self::SQUARES) {
            Some(size) => {
                // A size counts rows first; the paper's sizes of Chomp count columns first.
                let Size { rows, columns } = size?;
                Bar::whole(rows as u16, columns)
            }
            None => read_rows(text)?,
        };
        Ok((Self, bar))
    }

    fn write(&self, bar: &Bar) -> String {
        let lengths: Vec<_> = bar.0.iter().map(u16::to_string).collect();
        lengths.join(",")
    }

    fn write_move(&self, _bar: &Bar, bite: &Bite) -> String {
        name(usize::from(bite.row) + 1, bite.column.into())
    }

    /// A position says all by itself.
    fn setting(&self) -> Option<String> {
        Some(String::new())
    }

    fn pack(&self, bar: &Bar, into: &mut Vec<u8>) {
        for &length in &bar.0 {
            let mut rest = length;
            while rest >= 0x80 {
                into.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            into.push(rest as u8);
        }
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Bar> {
        let mut lengths = Lengths::new();
        // No length takes more than two bytes.
        for group in bytes.chunk_by(|byte, _| byte & 0x80 != 0) {
            lengths.push(match *group {
                [low @ ..0x80] => low.into(),
                [low, high @ 1..0x80] => u16::from(low & 0x7f) | u16::from(high) << 7,
                _ => return None,
            });
        }
        let legal = lengths.is_sorted_by(|below, above| below >= above)
            && lengths.last().is_some_and(|&top| top > 0)
            && usize::from(lengths[0]) * lengths.len() <= Self::SQUARES;
        let bar = Bar(lengths);
        (legal && bar.canonical() == bar).then_some(bar)
    }
}

fn read_rows(text: &str) -> Result<Bar, NotationError> {
    let mut lengths = Lengths::new();
    for (index, item) in text.split(',').enumerate() {
        let length = read_length(item.trim(), &lengths).map_err(|message| {
            let (row, position) = (index + 1, excerpt(text));
            NotationError::new::<Chomp>(format_args!(
                "row {row} from the bottom {message} (position \"{position}\")"
            ))
        })?;
        lengths.push(length);
    }
    Ok(Bar(lengths))
}

/// The length of the row above the rows `below`, or what is wrong with it.
fn read_length(text: &str, below: &[u16]) -> Result<u16, String> {
    let Some(length) = read_number(text) else {
        return Err(format!("is \"{}\", expected a length", excerpt(text)));
    };
    if below.is_empty() && length == 0 {
        return Err("is empty, expected at least the poison".into());
    }
    if let Some(&most) = below.last()
        && length > most.into()
    {
        return Err(format!(
            "has {length} squares, expected at most {most} as below it"
        ));
    }
    // Empty rows count: the text must not make us hold more than the board it describes.
    let width = below.first().map_or(length, |&first| first.into());
    if width.saturating_mul(below.len() + 1) > Chomp::SQUARES {
        let most = Chomp::SQUARES;
        return Err(format!(
            "is too much, expected a board of at most {most} squares"
        ));
    }
    Ok(length as u16)
}
