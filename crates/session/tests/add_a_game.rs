//! The code on the page `docs/add-a-game.md` is the code that is compiled and tested here.

mod strip;

use bouton_game::{Game, Notation};
use strip::Strip;

#[test]
fn the_page_shows_the_code() {
    let page = include_str!("../../../docs/add-a-game.md");
    let code = include_str!("strip/mod.rs");
    let blocks: Vec<_> = page.split("```rust\n").skip(1).collect();
    assert_eq!(blocks.len(), 5);
    for block in blocks {
        let (block, _) = block.split_once("```").expect("the end of a block");
        assert!(code.contains(block), "not in the code: {block}");
    }
}

#[test]
fn its_text_is_read_and_refused() {
    let (mut strip, start) = Strip::open("4.5.7").expect("a position");
    let step = strip.read_move(&start, "2>3").expect("a move");
    assert_eq!(strip.write(&strip.play(&start, &step)), "4.3.7");
    let error = Strip::open("4.x").expect_err("no square").to_string();
    assert_eq!(
        error,
        "strip: counter 2: expected at most 100 counters on squares 0 to 255"
    );
}
