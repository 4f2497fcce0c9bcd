//! Dawson's Kayles: take two neighbours from a row. Octal game 0.07, the same as Cram on a
//! board of one row; its nimbers have period 34 from 53 on (Guy and Smith 1956).

use crate::heaps::{HeapGame, HeapRule};

/// The game.
pub type Dawson = HeapGame<DawsonRule>;

/// A row loses two neighbours and may fall into two rows.
#[derive(Clone, Debug)]
pub enum DawsonRule {}

impl HeapRule for DawsonRule {
    const NAME: &'static str = "dawson";
    const SUMMARY: &'static str = "Dawson's Kayles: take two neighbours from a row (octal 0.07)";
    const EXAMPLES: &'static [&'static str] = &["6", "4,3", "9", "5,2,2"];
    const SMALLEST: u16 = 2;

    fn options(heap: u16, mut becomes: impl FnMut(u16, u16)) {
        if let Some(left) = heap.checked_sub(2) {
            (0..=left / 2).for_each(|smaller| becomes(left - smaller, smaller));
        }
    }
}
