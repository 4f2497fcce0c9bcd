//! Games in which both players have the same moves, and their Grundy numbers.
//!
//! By the theorem of Sprague and Grundy every position of such a game is worth a Nim heap; the
//! size of the heap is its *nimber*. It is the least number that no child has (`mex`), 0 means
//! that the player to move loses, and a sum of positions is worth the xor of its parts.

use crate::{Expansion, Game, List};

/// A Grundy number.
pub type Nimber = u32;

/// A game in which the moves do not depend on who is to move, under normal play: no move, no
/// win. [`Game::decided`] stays silent in such a game.
pub trait Impartial: Game {
    /// Adds the canonical components of a canonical position: positions whose sum it is.
    /// Components without a move may be left out. A position in one piece adds only itself.
    ///
    /// A part too many or too few costs **truth**; parts that could be split further cost time.
    fn components(&mut self, position: &Self::Position, into: &mut List<Self::Position>) {
        into.push(position.clone());
    }

    /// Whether a glance tells that a canonical position is in one piece; `false` says nothing. A
    /// mistake costs time.
    #[inline]
    fn is_whole(&self, position: &Self::Position) -> bool {
        let _ = position;
        false
    }

    /// Like [`Game::expand`], but a position in several parts becomes [`Expansion::Sum`], with
    /// equal parts cancelled. `position` must be canonical.
    fn expand_sum(
        &mut self,
        position: &Self::Position,
        into: &mut List<Self::Position>,
    ) -> Expansion {
        into.clear();
        self.components(position, into);
        if into.len() == 1 && into[0] == *position {
            return self.expand(position, into);
        }
        cancel_pairs(into);
        Expansion::Sum
    }
}

/// Removes equal parts two by two, since `x + x` is worth nothing; sorts what is left.
pub fn cancel_pairs<P: Ord>(parts: &mut List<P>) {
    parts.sort_unstable();
    let mut kept = 0;
    for next in 0..parts.len() {
        if kept > 0 && parts[kept - 1] == parts[next] {
            kept -= 1;
        } else {
            parts.swap(kept, next);
            kept += 1;
        }
    }
    parts.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_cancel_in_pairs() {
        let mut parts = List::new();
        for part in [3, 1, 3, 2, 3, 1] {
            parts.push(part);
        }
        cancel_pairs(&mut parts);
        assert_eq!(&parts[..], [2, 3]);
    }
}
