//! What is known about Sprouts, and what tests of it share.

mod children;
mod forms;
mod speed;

use std::collections::{BTreeSet, HashMap};

use bouton_game::{Expansion, Nimber};

use super::*;
use crate::brute_force;

pub(super) fn open(text: &str) -> Position {
    let opened = Sprouts::open(text);
    opened.unwrap_or_else(|error| panic!("{text}: {error}")).1
}

/// Numbers that look random and are the same in every run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// All positions of a random play from `spots` spots, the last without a move.
pub(super) fn random_play(game: &mut Sprouts, spots: usize, dice: &mut Dice) -> Vec<Position> {
    let mut play = vec![open(&spots.to_string())];
    loop {
        let children = game.legal_moves(&play[play.len() - 1]).unwrap();
        if children.is_empty() {
            return play;
        }
        play.push(children[dice.below(children.len())].clone());
    }
}

/// All lands of all positions that can come up from `root`, in the order found.
pub(super) fn reachable_lands(game: &mut Sprouts, root: &str) -> Vec<Position> {
    let root = game.canonical(&open(root));
    let mut seen = BTreeSet::from([root.clone()]);
    let mut lands = vec![root];
    let mut children = List::new();
    let mut next = 0;
    while next < lands.len() {
        children.clear();
        game.children(&lands[next], &mut children);
        for land in children.iter().flat_map(Position::lands) {
            let land = Position::from_land(land);
            if seen.insert(land.clone()) {
                lands.push(land);
            }
        }
        next += 1;
    }
    lands
}

#[derive(Default)]
struct Mex {
    game: Sprouts,
    known: brute_force::Memo<Sprouts>,
}

impl Mex {
    fn nimber(&mut self, position: &Position) -> Nimber {
        brute_force::nimber(&mut self.game, position, &mut self.known)
    }

    fn check(&mut self, text: &str, children: usize, nimber: u32) {
        let position = self.game.canonical(&open(text));
        let found = self.game.legal_moves(&position).unwrap().len();
        assert_eq!(found, children, "children of {text}");
        assert_eq!(self.nimber(&position), nimber, "nimber of {text}");
    }
}

/// Agreed on by several independent programs; `0*4.1a1a` has nimber 1 but takes half a minute.
#[test]
fn known_positions_have_their_children_and_nimbers() {
    let mut mex = Mex::default();
    mex.check("0*2", 2, 0);
    mex.check("0.1a1a", 8, 0);
    mex.check("0*3.1a1a", 16, 3);
    mex.check("0*2.AB|AB", 7, 2);
    mex.check("0.A|0.B|AB", 3, 2);
    mex.check("1a2b1ba", 11, 1);
    mex.check("0.1aAa|0.BC|ABC", 16, 3);
    mex.check("0*2.12.2", 19, 2);
    mex.check("1aAa|1B|0*2.A.B", 14, 1);
    mex.check("1AB|ACB|DCE|DE", 8, 0);
    mex.check("2AB|0*2.AB", 8, 0);
    mex.check("2AB|AB.CD|0.CD", 8, 1);
    mex.check("ABCD.E|ABCD|FG|EG|0.F", 9, 0);
    mex.check("2A.BC|BC.DE|0.DE|0.A", 12, 0);
    mex.check("0*3+0.AB|0.AB", 6, 1);
    mex.check("1a1a.A|1aAa", 11, 3);
    mex.check("1A|ABCD|0.CBD", 9, 0);
    mex.check("ABCD.EF|ABCD|0*2.EF", 12, 0);
    mex.check("12.A|0*2.A", 9, 1);
    let children = mex.game.legal_moves(&open("0*4.1a1a")).unwrap();
    assert_eq!(children.len(), 20);
}

#[test]
fn two_spots_have_two_children() {
    let children = Sprouts::default().legal_moves(&open("2")).unwrap();
    let texts: BTreeSet<_> = children.iter().map(notation::write).collect();
    assert!(texts.iter().eq(["0.AB|AB", "1a1a"]));
}

/// The first player wins exactly if the number of spots is 3, 4 or 5 modulo 6: conjectured by
/// Applegate, Jacobson and Sleator.
#[test]
fn few_spots_have_known_nimbers() {
    let mut mex = Mex::default();
    for (spots, nimber) in (1..=5).zip([0, 0, 1, 1, 1]) {
        assert_eq!(
            mex.nimber(&open(&spots.to_string())),
            nimber,
            "{spots} spots"
        );
    }
}

/// Lands up to isomorphism; the root `0*5` is counted, the empty position is no land.
#[test]
fn five_spots_lead_to_as_many_lands_as_are_known() {
    let mut game = Sprouts::default();
    let lands = reachable_lands(&mut game, "5");
    assert_eq!(lands.len(), 13_342);
    for land in &lands {
        assert_eq!(game.canonical(land), *land);
    }
}

/// The shortest and the longest play; plays of a sum are plays of its lands, put together.
fn lengths(
    game: &mut Sprouts,
    position: &Position,
    known: &mut HashMap<Position, (usize, usize)>,
) -> (usize, usize) {
    if let Some(&lengths) = known.get(position) {
        return lengths;
    }
    let mut list = List::new();
    game.components(position, &mut list);
    let lengths = if list.len() == 1 {
        list.clear();
        game.children(position, &mut list);
        let after = list.iter().map(|child| lengths(game, child, known));
        let (shortest, longest) = after
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            .expect("a land has a move");
        (shortest + 1, longest + 1)
    } else {
        let parts = list.iter().map(|land| lengths(game, land, known));
        parts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    };
    known.insert(position.clone(), lengths);
    lengths
}

#[test]
fn a_game_from_n_spots_lasts_2n_to_3n_minus_1_moves() {
    let (mut game, mut known) = (Sprouts::default(), HashMap::new());
    for n in 1..=4 {
        let lengths = lengths(&mut game, &open(&n.to_string()), &mut known);
        assert_eq!(lengths, (2 * n, 3 * n - 1), "{n} spots");
    }
}

#[test]
fn the_sum_of_the_components_is_the_position() {
    let mut game = Sprouts::default();
    let position = game.canonical(&open("0*2+1a1a+0*2+0.AB|0.AB|0"));
    let mut parts = List::new();
    game.components(&position, &mut parts);
    assert_eq!(parts.len(), 5);
    assert_eq!(
        Position::from_lands(parts.iter().map(Position::bytes)),
        position
    );
    assert_eq!(game.expand_sum(&position, &mut parts), Expansion::Sum);
    assert_eq!(parts.len(), 3);
    assert_eq!(game.expand_sum(&open("!"), &mut parts), Expansion::Sum);
    assert!(parts.is_empty());
}

#[test]
fn a_move_may_be_written_in_any_way() {
    let mut game = Sprouts::default();
    let start = open("2");
    let child = game.read_move(&start, "BX|XB.0").unwrap();
    assert_eq!(game.write(&child), "0.AB|AB");
    let error = game.read_move(&start, "0.A|A").unwrap_err().to_string();
    assert_eq!(
        error,
        "sprouts: \"0.A|A\" is not a legal move in \"0*2\" (moves are written the child's position)"
    );
}
