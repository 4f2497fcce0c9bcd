//! A table as bytes, so that a search that was interrupted can go on close to where it was.
//!
//! Drawn in `docs/formats/store.md`. The entries with the most work come first in importance:
//! where there are more than may be saved, those with less work than some power of two are left
//! out. A snapshot of a table that threads are writing to is as good as any other: an entry is
//! read whole or not at all.

use std::sync::atomic::Ordering::Relaxed;

use crate::slot::{self, ENTRY, Read, Stored};
use crate::{BUCKET, Entry, Key, Numbers, Table};

/// What a snapshot begins with; the digit is the version of the format.
const MAGIC: [u8; 8] = *b"BOUTONP1";

/// Bytes of an entry.
const BYTES: usize = 32;

impl Table {
    /// At most so many bytes that [`restore`](Self::restore) can read.
    pub fn snapshot(&self, limit: usize) -> Vec<u8> {
        let room = limit.saturating_sub(MAGIC.len()) / BYTES;
        let least = self.least_class_for(room);
        let kept = self.stored().filter(|stored| stored.class() >= least);
        let mut bytes = MAGIC.to_vec();
        // Threads may have added entries since they were counted.
        for stored in kept.take(room) {
            bytes.extend(encode(stored));
        }
        bytes
    }

    /// Puts the entries of a snapshot into the table; says how many, or nothing if the bytes are
    /// no snapshot.
    pub fn restore(&self, snapshot: &[u8]) -> Option<usize> {
        let entries = snapshot.strip_prefix(&MAGIC)?;
        let (entries, rest) = entries.as_chunks::<BYTES>();
        if !rest.is_empty() {
            return None;
        }
        // They come in the order of their buckets: a table that grew as they came would be full
        // in front and empty behind.
        while self.buckets.load(Relaxed) < self.all_buckets
            && self.is_crowded(self.len() + entries.len())
        {
            self.tidy();
        }
        for entry in entries {
            let (key, entry) = decode(entry);
            self.put(key, entry);
        }
        Some(entries.len())
    }

    /// The least class of work of which, with all above, there are no more than `room` entries.
    fn least_class_for(&self, room: usize) -> usize {
        let mut classes = [0usize; 33];
        self.stored()
            .for_each(|stored| classes[stored.class()] += 1);
        let mut kept = 0;
        let above = classes.iter().rev().take_while(|&&class| {
            kept += class;
            kept <= room
        });
        classes.len() - above.count()
    }

    fn stored(&self) -> impl Iterator<Item = Stored> {
        let used = self.buckets.load(Relaxed) * BUCKET;
        let slots = self.words[self.start..][..used].chunks_exact(ENTRY);
        slots.filter_map(|slot| match slot::read(slot) {
            Read::Entry(stored) => Some(stored),
            Read::Empty | Read::Busy => None,
        })
    }
}

fn encode(stored: Stored) -> [u8; BYTES] {
    let Entry { numbers, work } = stored.entry();
    let mut bytes = [0; BYTES];
    bytes[..16].copy_from_slice(&stored.key.to_le_bytes());
    bytes[16..22].copy_from_slice(&numbers.proof.to_le_bytes()[..6]);
    bytes[22..28].copy_from_slice(&numbers.disproof.to_le_bytes()[..6]);
    bytes[28..].copy_from_slice(&work.to_le_bytes());
    bytes
}

fn decode(bytes: &[u8; BYTES]) -> (Key, Entry) {
    let number = |bytes: &[u8]| {
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        u128::from_le_bytes(wide)
    };
    let numbers = Numbers {
        proof: number(&bytes[16..22]) as u64,
        disproof: number(&bytes[22..28]) as u64,
    };
    let work = number(&bytes[28..]) as u32;
    (number(&bytes[..16]), Entry { numbers, work })
}

#[cfg(test)]
mod tests {
    use crate::{Entry, Numbers, Replacement, Table};

    fn filled(entries: u32) -> Table {
        let table = Table::new(1 << 20, Replacement::LeastWork);
        for work in 1..=entries {
            let numbers = Numbers::open(u64::from(work) + 1, 7);
            table.put(u128::from(work) << 90 | 5, Entry { numbers, work });
        }
        table
    }

    #[test]
    fn a_restored_table_knows_the_same() {
        let table = filled(500);
        table.put(
            9,
            Entry {
                numbers: Numbers::LOSS,
                work: 3,
            },
        );
        let copy = Table::new(1 << 18, Replacement::LeastWork);
        assert_eq!(copy.restore(&table.snapshot(1 << 20)), Some(table.len()));
        for key in (1..=500).map(|work| work << 90 | 5).chain([9]) {
            assert_eq!(copy.get(key), table.get(key));
        }
    }

    /// A large one too, though it comes in the order of its buckets.
    #[test]
    fn nothing_is_lost_on_the_way() {
        let table = Table::new(1 << 22, Replacement::LeastWork);
        for number in 0..40_000u128 {
            let numbers = Numbers::open(5, 7);
            table.put(
                (number << 64) | (number * 7_919),
                Entry { numbers, work: 1 },
            );
        }
        let copy = Table::new(1 << 22, Replacement::LeastWork);
        assert_eq!(copy.restore(&table.snapshot(1 << 22)), Some(table.len()));
        assert_eq!(copy.len(), table.len());
    }

    #[test]
    fn where_room_is_short_the_most_work_is_kept() {
        let table = filled(1_000);
        let snapshot = table.snapshot(8 + 32 * 500);
        let copy = Table::new(1 << 20, Replacement::LeastWork);
        let kept = copy.restore(&snapshot).unwrap();
        assert!((400..=500).contains(&kept), "{kept}");
        let of = |work: u128| copy.get(work << 90 | 5);
        assert!((600..=1_000).all(|work| of(work).is_some()));
        assert!((1..500).all(|work| of(work).is_none()));
    }

    #[test]
    fn other_bytes_are_no_snapshot() {
        let table = filled(3);
        let snapshot = table.snapshot(1 << 20);
        for wrong in [&snapshot[..20], &snapshot[1..], b"", b"BOUTONP2"] {
            assert_eq!(table.restore(wrong), None);
        }
        assert_eq!(table.restore(&snapshot[..8]), Some(0));
    }
}
