//! Proof numbers of positions, in memory of a fixed size; may forget.
//!
//! An entry is four words: a key of 128 bits, a proof and a disproof number of 48 bits each,
//! and how much work they stand for in 32 bits. Four entries make a bucket of two cache lines.
//! What is forgotten when a bucket is full, or the table is, is for [`Replacement`] to say.
//!
//! The table is shared by reference and has no lock. How threads read and write a slot is in
//! `slot`: an entry is read whole or not at all, and what is solved is never overwritten by what
//! is not, under one key.
//!
//! The memory is reserved at once, but only a part of it is used at first. When that fills, the
//! used part doubles in place, so that a small search touches few pages, and goes the same way
//! however much memory there is. The first buckets are always the used ones, and what a bucket
//! holds never moves towards the first: bucket `b` of `n` becomes `2b` and `2b + 1` of `2n`.

mod numbers;
mod slot;
mod snapshot;
mod sync;

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

pub use numbers::{INFINITY, LARGEST, Numbers, add};
use slot::{ENTRY, Read, Stored};
use sync::{AtomicBool, AtomicU64, AtomicUsize};

/// What a position is known by: the position itself where 128 bits are enough for it, else a
/// hash of as many bits.
pub type Key = u128;

/// What is kept about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its numbers.
    pub numbers: Numbers,
    /// How many expansions it took to get them.
    pub work: u32,
}

/// What is forgotten to make room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replacement {
    /// When a bucket is full: its entry with the least work.
    #[default]
    LeastWork,
    /// When the table is nearly full: the third of all entries with the least work (Nagai's
    /// collection of small subtrees). Until then entries find room in the next buckets.
    SmallTrees,
}

/// The table.
pub struct Table {
    words: Vec<AtomicU64>,
    /// The first word of the first bucket: where a cache line begins.
    start: usize,
    replacement: Replacement,
    /// Buckets in use.
    buckets: AtomicUsize,
    /// Buckets that were in use before, while entries are on their way from there; else none.
    buckets_before: AtomicUsize,
    /// Buckets there are.
    all_buckets: usize,
    /// Somebody is doubling the used part, or collecting.
    tidying: AtomicBool,
    /// Entries in use. In a place of its own: threads that read the rest need not wait for those
    /// that write here.
    used: Box<AtomicUsize>,
}

/// What an entry takes.
pub const ENTRY_BYTES: usize = ENTRY * size_of::<u64>();

const BUCKET: usize = 4 * ENTRY;
const BUCKET_BYTES: usize = BUCKET * size_of::<u64>();

/// Words of a page of memory; where pages are larger, nothing is lost.
const PAGE: usize = 4096 / size_of::<u64>();

/// With how many buckets a table starts.
const FIRST_BUCKETS: usize = 1 << 10;

/// How many buckets are searched for an entry of [`Replacement::SmallTrees`].
const REACH: usize = 4;

impl Table {
    /// A table of at most so many bytes, and at least one bucket.
    ///
    /// # Panics
    /// If there is no memory for one.
    pub fn new(bytes: usize, replacement: Replacement) -> Self {
        let mut all_buckets = (bytes / BUCKET_BYTES).max(1);
        let words = loop {
            // Who allows more than the machine has gets as much as there is.
            match sync::zeros((all_buckets + 1) * BUCKET) {
                Some(words) => break words,
                None if all_buckets == 1 => panic!("there is no memory for a single bucket"),
                None => all_buckets /= 2,
            }
        };
        let beyond = words.as_ptr().addr() % BUCKET_BYTES;
        Self {
            start: (BUCKET_BYTES - beyond) % BUCKET_BYTES / size_of::<u64>(),
            words,
            replacement,
            buckets: AtomicUsize::new(all_buckets.min(FIRST_BUCKETS)),
            buckets_before: AtomicUsize::new(0),
            all_buckets,
            tidying: AtomicBool::new(false),
            used: Box::new(AtomicUsize::new(0)),
        }
    }

    /// What is known about a position.
    #[inline]
    pub fn get(&self, key: Key) -> Option<Entry> {
        let found = self.find(key, self.buckets.load(Relaxed));
        found.or_else(|| match self.buckets_before.load(Relaxed) {
            0 => None,
            before => self.find(key, before),
        })
    }

    /// What is known about a position, where it is if so many buckets are in use.
    #[inline]
    fn find(&self, key: Key, buckets: usize) -> Option<Entry> {
        let home = index(key, buckets);
        for distance in 0..self.reach(buckets) {
            let bucket = self.bucket((home + distance) % buckets);
            let mut full = true;
            for slot in bucket.chunks_exact(ENTRY) {
                match slot::read(slot) {
                    Read::Entry(stored) if stored.key == key => return Some(stored.entry()),
                    Read::Entry(_) | Read::Busy => {}
                    Read::Empty => full = false,
                }
            }
            if !full {
                return None;
            }
        }
        None
    }

    /// Has the memory of an entry fetched, so that a [`get`](Self::get) soon after need not wait.
    #[inline]
    pub fn touch(&self, key: Key) {
        let bucket = self.bucket(index(key, self.buckets.load(Relaxed)));
        std::hint::black_box(bucket[0].load(Relaxed));
        std::hint::black_box(bucket[BUCKET / 2].load(Relaxed));
    }

    /// Keeps what is known about a position, for a while at least. What is solved stays solved.
    #[inline]
    pub fn put(&self, key: Key, entry: Entry) {
        let is_one_more = self.insert(Stored::new(key, entry));
        if is_one_more && self.is_crowded(self.len()) {
            self.tidy();
        }
    }

    /// Whether so many entries are too many for the used part.
    #[inline]
    fn is_crowded(&self, entries: usize) -> bool {
        let buckets = self.buckets.load(Relaxed);
        // Where buckets are full too early, entries are lost though there is memory left.
        let eighths = match self.replacement {
            Replacement::LeastWork if buckets == self.all_buckets => 8,
            Replacement::LeastWork => 3,
            Replacement::SmallTrees if buckets == self.all_buckets => 7,
            Replacement::SmallTrees => 5,
        };
        entries * 8 > buckets * BUCKET / ENTRY * eighths
    }

    /// Puts an entry where it belongs, and says whether there is one more now.
    fn insert(&self, new: Stored) -> bool {
        loop {
            match self.try_insert(&new) {
                Inserted::Added => return true,
                Inserted::Replaced => return false,
                // Whoever loses a race for a slot looks again.
                Inserted::Busy => sync::wait(),
            }
        }
    }

    fn try_insert(&self, new: &Stored) -> Inserted {
        let buckets = self.buckets.load(Relaxed);
        let home = index(new.key, buckets);
        let mut least: Option<(&[AtomicU64], Stored)> = None;
        for distance in 0..self.reach(buckets) {
            let bucket = self.bucket((home + distance) % buckets);
            let mut empty = None;
            for slot in bucket.chunks_exact(ENTRY) {
                match slot::read_whole(slot) {
                    Read::Busy => return Inserted::Busy,
                    Read::Empty => empty = empty.or(Some(slot)),
                    Read::Entry(old) if old.key == new.key => {
                        let is_news = !old.is_solved() || new.is_solved();
                        let done = !is_news || slot::replace(slot, Some(&old), new);
                        return Inserted::replaced(done);
                    }
                    Read::Entry(old) => {
                        let work = old.entry().work;
                        if least.is_none_or(|(_, least)| work < least.entry().work) {
                            least = Some((slot, old));
                        }
                    }
                }
            }
            if let Some(slot) = empty {
                if !slot::replace(slot, None, new) {
                    return Inserted::Busy;
                }
                self.used.fetch_add(1, Relaxed);
                return Inserted::Added;
            }
        }
        let done = least.is_none_or(|(slot, old)| slot::replace(slot, Some(&old), new));
        Inserted::replaced(done)
    }

    /// How many positions something is known about.
    pub fn len(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many positions there is room for, once all memory is in use.
    pub fn capacity(&self) -> usize {
        self.all_buckets * BUCKET / ENTRY
    }

    /// The bytes in use.
    pub fn bytes(&self) -> usize {
        self.buckets.load(Relaxed) * BUCKET_BYTES
    }

    /// How many buckets an entry may be in.
    #[inline]
    fn reach(&self, buckets: usize) -> usize {
        match self.replacement {
            Replacement::LeastWork => 1,
            Replacement::SmallTrees => REACH.min(buckets),
        }
    }

    #[inline]
    fn bucket(&self, index: usize) -> &[AtomicU64] {
        &self.words[self.start + index * BUCKET..][..BUCKET]
    }

    /// Makes room: doubles the used part as far as it goes, or, if all of it is used, collects small subtrees.
    /// Whoever comes while another tidies goes on without.
    #[cold]
    fn tidy(&self) {
        if self.tidying.swap(true, Acquire) {
            return;
        }
        if self.buckets.load(Relaxed) < self.all_buckets {
            self.grow();
        } else if self.replacement == Replacement::SmallTrees {
            self.collect();
        }
        self.tidying.store(false, Release);
    }

    /// From the last bucket to the first, so that every bucket is empty before it is filled.
    fn grow(&self) {
        let before = self.buckets.load(Relaxed);
        let after = (2 * before).min(self.all_buckets);
        // A page that is read before it is written to is fetched twice, and the second time all
        // threads have to wait.
        let new = &self.words[self.start..][before * BUCKET..after * BUCKET];
        for word in new.iter().step_by(PAGE) {
            word.store(0, Relaxed);
        }
        self.buckets_before.store(before, Relaxed);
        self.buckets.store(after, Relaxed);
        for bucket in (0..before).rev() {
            self.reinsert(bucket, |_| true);
        }
        self.buckets_before.store(0, Relaxed);
    }

    /// Forgets a third of the entries or a little more, those with the least work.
    fn collect(&self) {
        let buckets = self.buckets.load(Relaxed);
        let mut classes = [0usize; 33];
        for slot in self.words[self.start..][..buckets * BUCKET].chunks_exact(ENTRY) {
            if let Read::Entry(stored) = slot::read(slot) {
                classes[stored.class()] += 1;
            }
        }
        let third = self.len() / 3;
        let mut gone = 0;
        let kept = classes.iter().position(|class| {
            let enough = gone >= third;
            gone += class;
            enough
        });
        let kept = kept.unwrap_or(classes.len());
        for bucket in 0..buckets {
            self.reinsert(bucket, |stored| stored.class() >= kept);
        }
    }

    /// Empties a bucket and puts what is to be kept where it belongs now.
    fn reinsert(&self, bucket: usize, keep: impl Fn(&Stored) -> bool) {
        let slots = || self.bucket(bucket).chunks_exact(ENTRY);
        let mut found = [None; BUCKET / ENTRY];
        for (slot, found) in slots().zip(&mut found) {
            *found = slot::take(slot);
            self.used.fetch_sub(usize::from(found.is_some()), Relaxed);
        }
        for stored in found.into_iter().flatten().filter(keep) {
            self.insert(stored);
        }
    }
}

/// What came of putting an entry into the table.
enum Inserted {
    /// There is one more.
    Added,
    /// There are as many as before.
    Replaced,
    /// Another thread is writing there.
    Busy,
}

impl Inserted {
    #[inline]
    fn replaced(done: bool) -> Self {
        match done {
            true => Self::Replaced,
            false => Self::Busy,
        }
    }
}

/// The bucket of a key: its hash, as a fraction of all hashes.
#[inline]
fn index(key: Key, buckets: usize) -> usize {
    let (low, high) = (key as u64, (key >> 64) as u64);
    let product =
        u128::from(low ^ 0x9e37_79b9_7f4a_7c15) * u128::from(high ^ 0xd6e8_feb8_6659_fd93);
    let hash = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0xff51_afd7_ed55_8ccd);
    ((u128::from(hash) * buckets as u128) >> 64) as usize
}

#[cfg(test)]
mod tests;
