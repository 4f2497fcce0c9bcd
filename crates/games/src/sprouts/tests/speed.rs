//! What a child costs to make, on lands of random plays, apart from any search.
//!
//! Counted in two ways: by the children made here, and by those that a generator without our
//! symmetries would have made (*raw*): it knows equal boundaries and counts spots, but neither
//! rotations nor reflections nor letters that can change places.

use std::time::Instant;

use super::super::code::{Code, Coder, ONE, upper_number};
use super::*;

/// How many raw children a land has.
fn raw_children(land: &Position) -> usize {
    let (mut drawing, mut coded) = (Drawing::default(), Drawing::default());
    land.draw(&mut drawing);
    Coder::default().code(&drawing, &mut coded);
    let regions = coded.regions.iter();
    regions
        .map(|&region| raw_children_in(coded.boundaries_of(region).collect(), region.zeros))
        .sum()
}

fn raw_children_in(mut boundaries: Vec<&[Code]>, zeros: usize) -> usize {
    boundaries.sort_unstable();
    let kinds: Vec<_> = boundaries.chunk_by(|a, b| a == b).collect();
    let divisions: usize = kinds.iter().map(|kind| kind.len() + 1).product();
    let mut raw = usize::from(zeros >= 2) + zeros * divisions;
    for (index, kind) in kinds.iter().enumerate() {
        let length = kind[0].len();
        let others = divisions / (kind.len() + 1) * kind.len() * (zeros + 1);
        raw += curves_within(kind[0]) * others;
        raw += length * usize::from(zeros >= 1) + length * length * usize::from(kind.len() >= 2);
        let later = kinds[index + 1..].iter();
        raw += later.map(|other| length * other[0].len()).sum::<usize>();
    }
    raw
}

fn curves_within(boundary: &[Code]) -> usize {
    let ones = boundary.iter().filter(|&&code| code == ONE).count();
    let is_lower = |&&code: &&Code| code > 2 && upper_number(code).is_none();
    let pairs = boundary.len() * (boundary.len() - 1) / 2;
    pairs + ones - boundary.iter().filter(is_lower).count() / 2
}

#[test]
fn raw_children_are_counted() {
    // To itself around none, one or two; or to another.
    assert_eq!(raw_children(&open("0*3")), 3 + 1);
    // From each 1 to itself, 1 to 1, a letter to each 1, not to itself.
    assert_eq!(raw_children(&open("1a1a")), 2 + 1 + 4);
    // Within AB, with the spot on either side; to the spot; the spot to itself.
    assert_eq!(raw_children(&open("0.AB|AB")), (2 + 2 + 2) + 1);
}

/// How often all children are made. What else happens on a machine only adds to the time, and often adds
/// half of it: the least is about what it costs, the others say how far it is from that.
const ROUNDS: usize = 100;

/// A measurement: `bench/sprouts` runs it.
#[test]
#[ignore = "a measurement"]
fn a_child_takes_this_long() {
    let (mut game, mut dice) = (Sprouts::default(), Dice(23));
    let mut lands = BTreeSet::new();
    for round in 0..200 {
        for position in random_play(&mut game, 10 + round % 8, &mut dice) {
            lands.extend(position.lands().map(Position::from_land));
        }
    }
    let raw = lands.iter().map(raw_children).sum::<usize>() as u64;
    let mut children = List::new();
    let mut made = 0;
    let mut seconds = [0.0; ROUNDS];
    for seconds in &mut seconds {
        game = Sprouts::default();
        let start = Instant::now();
        for land in &lands {
            children.clear();
            game.children(land, &mut children);
        }
        *seconds = start.elapsed().as_secs_f64();
        made = game.made().map_or(0, |made| made.children);
    }
    seconds.sort_unstable_by(f64::total_cmp);
    let nanoseconds = |of: u64| {
        let [least, quarter, half] = [0, ROUNDS / 4, ROUNDS / 2].map(|round| seconds[round]);
        let [least, quarter, half] = [least, quarter, half].map(|all| all / of as f64 * 1e9);
        format!("{least:.0} ns each ({quarter:.0} in a quarter of the rounds, {half:.0} in half)")
    };
    println!(
        "children of {} lands of random plays: {made} made, {}; {raw} raw, {}",
        lands.len(),
        nanoseconds(made),
        nanoseconds(raw)
    );
}
