//! Which positions may have a fact: a few bits each, so that most questions need no look-up.
//!
//! A Bloom filter whose bits for one position are all in one word (Putze, Sanders and Singler
//! 2007, "register-blocked"): one access to memory a question. A search asks about every position
//! it expands, and nearly all of them are unknown.
//!
//! It errs on one side only: a position that was added is always found. Of the others about one
//! in seventy is looked up in vain.

use xxhash_rust::xxh3::xxh3_64;

/// The filter.
pub(crate) struct Filter {
    words: Vec<u64>,
    added: usize,
}

/// Positions for each word.
const LOAD: usize = 4;

impl Filter {
    /// A filter with room for so many positions and as many again.
    pub(crate) fn for_twice(positions: usize) -> Self {
        let words = (positions.max(1 << 10) * 2 / LOAD).next_power_of_two();
        Self {
            words: vec![0; words],
            added: 0,
        }
    }

    /// Whether another position would make it say "perhaps" too often.
    pub(crate) fn is_full(&self) -> bool {
        self.added >= self.words.len() * LOAD
    }

    pub(crate) fn add(&mut self, position: &[u8]) {
        let (word, bits) = self.place(position);
        self.words[word] |= bits;
        self.added += 1;
    }

    /// Whether the position may have been added; if not, it has not.
    pub(crate) fn may_have(&self, position: &[u8]) -> bool {
        let (word, bits) = self.place(position);
        self.words[word] & bits == bits
    }

    /// The word of a position, and its five bits there (or fewer, where they coincide).
    fn place(&self, position: &[u8]) -> (usize, u64) {
        let hash = xxh3_64(position);
        let bits = (0..5).fold(0, |bits, i| bits | 1 << (hash >> (6 * i) & 63));
        ((hash >> 32) as usize & (self.words.len() - 1), bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_found_and_little_else() {
        let mut filter = Filter::for_twice(5_000);
        let mut added = 0u32;
        while !filter.is_full() {
            filter.add(&added.to_le_bytes());
            added += 1;
        }
        assert!(added >= 10_000);
        assert!((0..added).all(|number| filter.may_have(&number.to_le_bytes())));
        let others = added..added + 100_000;
        let wrong = others.filter(|number| filter.may_have(&number.to_le_bytes()));
        assert!(wrong.count() < 3_000);
    }
}
