//! A slot of the table: four words that threads read and write without a lock.
//!
//! The last two words are the numbers with the work, the first two the key combined with those. A
//! writer first swaps the third word, which must still be the one it has seen, for a mark: only
//! one writer at a time has a slot, and one that decided by what was there before finds out. Then
//! it writes the others, and the third word last. A reader takes no notice: an entry of which
//! one half is new and the other old belongs to no key.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::sync::AtomicU64;
use crate::{Entry, INFINITY, Key, Numbers};

/// Words of a slot.
pub(crate) const ENTRY: usize = 4;

/// The third word of an empty slot, and of one that is being written.
const NOTHING: u64 = 0;
const BUSY: u64 = u64::MAX;

/// What is in a slot.
pub(crate) enum Read {
    Empty,
    /// Somebody is writing.
    Busy,
    /// Something; if somebody was writing meanwhile, under a key that nobody has.
    Entry(Stored),
}

#[inline]
pub(crate) fn read(slot: &[AtomicU64]) -> Read {
    let words = [slot[2].load(Relaxed), slot[3].load(Relaxed)];
    match words[0] {
        NOTHING => return Read::Empty,
        BUSY => return Read::Busy,
        _ => {}
    }
    let seal = Stored::seal(words);
    let low = slot[0].load(Acquire) ^ seal[0];
    let high = slot[1].load(Acquire) ^ seal[1];
    let key = u128::from(high) << 64 | u128::from(low);
    Read::Entry(Stored { key, words })
}

/// The same for writers, who must not take half an entry for one of another key: busy, if
/// anybody was writing meanwhile.
#[inline]
pub(crate) fn read_whole(slot: &[AtomicU64]) -> Read {
    match (read(slot), read(slot)) {
        (Read::Entry(one), Read::Entry(other)) if one == other => Read::Entry(one),
        (Read::Empty, Read::Empty) => Read::Empty,
        _ => Read::Busy,
    }
}

/// Writes an entry where another is, or none; says whether that was still there.
#[inline]
pub(crate) fn replace(slot: &[AtomicU64], old: Option<&Stored>, new: &Stored) -> bool {
    if !claim(slot, old.map_or(NOTHING, |old| old.words[0])) {
        return false;
    }
    let seal = Stored::seal(new.words);
    slot[0].store(new.key as u64 ^ seal[0], Relaxed);
    slot[1].store((new.key >> 64) as u64 ^ seal[1], Relaxed);
    slot[3].store(new.words[1], Relaxed);
    slot[2].store(new.words[0], Release);
    true
}

/// Empties a slot, and says what was in it.
pub(crate) fn take(slot: &[AtomicU64]) -> Option<Stored> {
    loop {
        match read_whole(slot) {
            Read::Empty => return None,
            Read::Busy => crate::sync::wait(),
            Read::Entry(stored) => {
                if claim(slot, stored.words[0]) {
                    slot[3].store(0, Relaxed);
                    slot[2].store(NOTHING, Release);
                    return Some(stored);
                }
            }
        }
    }
}

#[inline]
fn claim(slot: &[AtomicU64], seen: u64) -> bool {
    let claimed = slot[2].compare_exchange(seen, BUSY, Acquire, Relaxed);
    claimed.is_ok()
}

/// An entry with its key, as two words each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) key: Key,
    words: [u64; 2],
}

impl Stored {
    #[inline]
    pub(crate) fn new(key: Key, Entry { numbers, work }: Entry) -> Self {
        let (low, high) = (u64::from(work & 0xffff), u64::from(work >> 16));
        let mut first = numbers.proof | low << 48;
        // Words that say something else: the work is one more, or one less.
        if first == NOTHING || first == BUSY {
            first ^= 1 << 48;
        }
        Self {
            key,
            words: [first, numbers.disproof | high << 48],
        }
    }

    #[inline]
    pub(crate) fn entry(&self) -> Entry {
        let [one, other] = self.words;
        Entry {
            numbers: Numbers {
                proof: one & INFINITY,
                disproof: other & INFINITY,
            },
            work: (one >> 48 | other >> 48 << 16) as u32,
        }
    }

    #[inline]
    pub(crate) fn is_solved(&self) -> bool {
        self.entry().numbers.is_solved()
    }

    /// How long the work is in bits.
    pub(crate) fn class(&self) -> usize {
        (u32::BITS - self.entry().work.leading_zeros()) as usize
    }

    /// What the words of the key are combined with. Two entries of one key that got mixed up
    /// differ in a word of numbers, so they differ from either in the first of these.
    #[inline]
    fn seal([one, other]: [u64; 2]) -> [u64; 2] {
        [
            one ^ other.rotate_left(29),
            one.rotate_left(17).wrapping_add(other),
        ]
    }
}
