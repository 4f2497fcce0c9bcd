//! Kayles: knock down one pin or two neighbouring pins of a row. Octal game 0.77; its nimbers
//! have period 12 from 71 on (Guy and Smith 1956).

use crate::heaps::{HeapGame, HeapRule};

/// The game.
pub type Kayles = HeapGame<KaylesRule>;

/// A row loses one or two neighbouring pins and may fall into two rows.
#[derive(Clone, Debug)]
pub enum KaylesRule {}

impl HeapRule for KaylesRule {
    const NAME: &'static str = "kayles";
    const SUMMARY: &'static str = "knock down one pin or two neighbours in a row (octal 0.77)";
    const EXAMPLES: &'static [&'static str] = &["5", "3,2", "7", "4,1,1"];
    const SMALLEST: u16 = 1;

    fn options(heap: u16, mut becomes: impl FnMut(u16, u16)) {
        for taken in 1..=heap.min(2) {
            let left = heap - taken;
            (0..=left / 2).for_each(|smaller| becomes(left - smaller, smaller));
        }
    }
}
