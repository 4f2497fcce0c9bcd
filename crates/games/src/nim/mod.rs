//! Nim: take any number of tokens from one heap. Solved by Bouton in 1901; a position's nimber
//! is the xor of its heaps, which makes it the yardstick for everything else here.

use crate::heaps::{HeapGame, HeapRule, Heaps, Split};

/// The game.
pub type Nim = HeapGame<NimRule>;

/// A heap may become any smaller heap.
#[derive(Clone, Debug)]
pub enum NimRule {}

impl HeapRule for NimRule {
    const NAME: &'static str = "nim";
    const SUMMARY: &'static str = "take tokens from one heap; whoever takes the last one wins";
    const SIZES: &'static str = "-";
    const MOVES: &'static str = "2-3: leave 3 tokens in heap 2";
    const EXAMPLES: &'static [&'static str] = &["3,2,1", "4,1", "5,0,3", "2,2,2,1", "7"];
    const SAYS_WHICH: bool = true;
    const SMALLEST: u16 = 1;

    fn options(heap: u16, mut becomes: impl FnMut(u16, u16)) {
        (0..heap).for_each(|left| becomes(left, 0));
    }

    fn write_move(_: &Heaps, mv: Split) -> String {
        format!("{}-{}", mv.heap + 1, mv.left)
    }
}

#[cfg(test)]
mod tests {
    use bouton_game::{Game, Notation};

    use super::Nim;

    #[test]
    fn a_move_names_the_heap_and_what_is_left() {
        let (mut nim, start) = Nim::open("9,8,5").expect("a position");
        let mv = nim.read_move(&start, "2-3").expect("a legal move");
        let next = nim.play(&start, &mv);
        assert_eq!(nim.write(&next), "9,3,5");
        assert!(nim.read_move(&start, "2-8").is_err());
        assert!(nim.read_move(&start, "4-0").is_err());
    }

    #[test]
    fn heaps_are_bounded() {
        assert!(Nim::open("10000").is_ok());
        for wrong in ["10001", "70000", "", "1,,2", "-1", "1,a", "5000,5001"] {
            let error = Nim::open(wrong).expect_err(wrong).to_string();
            assert!(error.starts_with("nim: heap "), "{error}");
        }
    }
}
