//! Numbers and texts of bytes, one after the other: what goes over a wire or into a checkpoint.
//!
//! All numbers are little-endian and take eight bytes; a text of bytes stands behind its length.
//! A reader takes nothing for granted: whatever does not fit is no value.

use bouton_table::{INFINITY, Numbers};

/// Appends values.
#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    /// Appends a number.
    pub fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    /// Appends bytes.
    pub fn text(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    /// Appends proof numbers.
    pub fn numbers(&mut self, Numbers { proof, disproof }: Numbers) {
        self.number(proof);
        self.number(disproof);
    }

    /// Appends a list behind its length.
    pub fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        for item in items {
            write(self, item);
        }
    }
}

/// Takes values from the front.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// Bytes.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    /// Proof numbers: those of an outcome, or open ones.
    pub fn numbers(&mut self) -> Option<Numbers> {
        let (proof, disproof) = (self.number()?, self.number()?);
        let numbers = Numbers { proof, disproof };
        let is_outcome = numbers == Numbers::WIN || numbers == Numbers::LOSS;
        let is_open = (1..INFINITY).contains(&proof) && (1..INFINITY).contains(&disproof);
        (is_outcome || is_open).then_some(numbers)
    }

    /// A list.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| read(self)).collect()
    }

    /// Nothing, if nothing is left.
    pub fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}
