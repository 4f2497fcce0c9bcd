//! Reproducible chance.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

/// Dice that roll the same on every machine (splitmix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice for something, in one of many variants.
    pub fn of(thing: &impl Hash, variant: u64) -> Self {
        Self(FixedState::with_seed(variant).hash_one(thing))
    }

    /// 64 random bits.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Puts a list into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            let other = self.roll() % (end as u64 + 1);
            list.swap(end, other as usize);
        }
    }
}
