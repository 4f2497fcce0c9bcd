//! Machine words that hold a board: `u64` where 64 cells are enough, else `u128`.
//!
//! Shapes are worked on in the smaller word where it will do, since that takes half the time
//! (5x6: 18 ns against 40 ns for a canonical form).

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A set of cells as bits.
pub(super) trait Word:
    Copy
    + Debug
    + Ord
    + Into<u128>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const BITS: u32;
    const EMPTY: Self;

    /// The cells that fit.
    fn truncate(cells: u128) -> Self;
    /// The lowest bits, as an index.
    fn low(self) -> usize;
    /// The cells without the first.
    fn without_first(self) -> Self;
    fn trailing_zeros(self) -> u32;
    fn ilog2(self) -> u32;
    fn reverse_bits(self) -> Self;
    fn unbounded_shl(self, distance: u32) -> Self;
    fn unbounded_shr(self, distance: u32) -> Self;

    /// The cells, in ascending order.
    fn cells(self) -> impl Iterator<Item = u32> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let cell = (rest != Self::EMPTY).then(|| rest.trailing_zeros());
            rest = rest.without_first();
            cell
        })
    }
}

macro_rules! word {
    ($type:ty) => {
        impl Word for $type {
            const BITS: u32 = <$type>::BITS;
            const EMPTY: Self = 0;

            fn truncate(cells: u128) -> Self {
                cells as $type
            }

            fn low(self) -> usize {
                self as usize
            }

            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }

            fn trailing_zeros(self) -> u32 {
                self.trailing_zeros()
            }

            fn ilog2(self) -> u32 {
                self.ilog2()
            }

            fn reverse_bits(self) -> Self {
                self.reverse_bits()
            }

            fn unbounded_shl(self, distance: u32) -> Self {
                self.unbounded_shl(distance)
            }

            fn unbounded_shr(self, distance: u32) -> Self {
                self.unbounded_shr(distance)
            }
        }
    };
}

word!(u64);
word!(u128);
