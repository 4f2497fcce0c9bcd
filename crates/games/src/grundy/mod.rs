//! Grundy's game: split a heap into two heaps of different sizes. Whether its nimbers ever
//! become periodic is not known.

use crate::heaps::{HeapGame, HeapRule};

/// The game.
pub type Grundy = HeapGame<GrundyRule>;

/// A heap becomes two unequal heaps.
#[derive(Clone, Debug)]
pub enum GrundyRule {}

impl HeapRule for GrundyRule {
    const NAME: &'static str = "grundy";
    const SUMMARY: &'static str = "split a heap into two heaps of different sizes";
    const EXAMPLES: &'static [&'static str] = &["7", "5,4", "10", "6,3,3"];
    const SMALLEST: u16 = 3;

    fn options(heap: u16, mut becomes: impl FnMut(u16, u16)) {
        // The smaller part is less than half.
        (1..heap.div_ceil(2)).for_each(|smaller| becomes(heap - smaller, smaller));
    }
}
