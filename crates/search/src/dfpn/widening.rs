//! Widening: a node attends to its most promising branches first.
//!
//! Paper: Arneson, Hayward and Henderson, "Solving Hex: beyond humans", 2010. Where branches come
//! in a good order, most of a long list is not worth a look. Of those that are not won yet only
//! the first few may be chosen; when one turns out to be won, the next takes its place. To prove
//! that a node is lost all have to be won, so that its disproof number is the sum over all.
//!
//! A node is lost only when no branch is left, and won as soon as one branch is lost, whether it
//! was attended to or not: so this steers and decides nothing. Nor does it keep a search from
//! coming to an end: which branches are attended to changes only when one of them is solved, and
//! until then one of those is searched whose numbers the node's thresholds are made of.

use bouton_game::Widening;
use bouton_table::Numbers;

/// How many branches, from the first on, hold all that are attended to; all if one is lost.
#[inline]
pub(crate) fn attended(
    widening: Widening,
    numbers: impl ExactSizeIterator<Item = Numbers> + Clone,
) -> usize {
    let all = numbers.len();
    if widening == Widening::ALL {
        return all;
    }
    let is_left = |numbers: &Numbers| !numbers.is_win();
    let left = numbers.clone().filter(is_left).count();
    let some = widening.of(left);
    if some == left || numbers.clone().any(Numbers::is_loss) {
        return all;
    }
    let mut places = numbers.enumerate().filter(|(_, numbers)| is_left(numbers));
    places.nth(some - 1).map_or(all, |(place, _)| place + 1)
}
