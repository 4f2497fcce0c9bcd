//! What tests of the games compare with: nimbers by definition, all positions, dice.

use std::collections::{HashMap, HashSet};

use bouton_game::{Expansion, Game, Impartial, List, Nimber, Notation};

/// Nimbers that were already computed.
pub(crate) type Memo<G> = HashMap<<G as Game>::Position, Nimber>;

/// The nimber of a position as it is written.
pub(crate) fn nimber_of<G: Impartial + Notation>(text: &str) -> Nimber {
    let (mut game, position) = G::open(text).unwrap();
    let position = game.canonical(&position);
    nimber(&mut game, &position, &mut Memo::<G>::new())
}

/// The nimber of a canonical position: the xor of its components, or the mex of its children.
pub(crate) fn nimber<G: Impartial>(
    game: &mut G,
    position: &G::Position,
    memo: &mut Memo<G>,
) -> Nimber {
    if let Some(&known) = memo.get(position) {
        return known;
    }
    let mut next = List::new();
    let expansion = game.expand_sum(position, &mut next);
    let values = next.iter().map(|next| nimber(game, next, memo));
    let found = match expansion {
        Expansion::Sum => values.fold(0, |sum, value| sum ^ value),
        Expansion::Moves => mex(values),
        other => panic!("{other:?} in an impartial game"),
    };
    memo.insert(position.clone(), found);
    found
}

/// The nimber by `moves` and `play` alone: no symmetry, no components.
pub(crate) fn raw_nimber<G: Impartial>(
    game: &mut G,
    position: &G::Position,
    memo: &mut Memo<G>,
) -> Nimber {
    if let Some(&known) = memo.get(position) {
        return known;
    }
    let children = raw_children(game, position);
    let found = mex(children.iter().map(|child| raw_nimber(game, child, memo)));
    memo.insert(position.clone(), found);
    found
}

/// Every position that play can reach, as it lies on the board, the first one included.
pub(crate) fn raw_positions<G: Game>(game: &mut G, start: &G::Position) -> HashSet<G::Position> {
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start.clone()];
    while let Some(position) = open.pop() {
        for child in raw_children(game, &position) {
            if seen.insert(child.clone()) {
                open.push(child);
            }
        }
    }
    seen
}

/// The nodes of the whole tree below a position, every path counted, itself included.
pub(crate) fn tree_nodes<G: Game>(
    game: &mut G,
    position: &G::Position,
    memo: &mut HashMap<G::Position, u64>,
) -> u64 {
    if let Some(&known) = memo.get(position) {
        return known;
    }
    let children = raw_children(game, position);
    let below = children.iter().map(|child| tree_nodes(game, child, memo));
    let nodes = 1 + below.sum::<u64>();
    memo.insert(position.clone(), nodes);
    nodes
}

/// What each move leads to, in the order of the moves.
pub(crate) fn raw_children<G: Game>(game: &mut G, position: &G::Position) -> Vec<G::Position> {
    let moves = game.legal_moves(position).unwrap();
    moves.iter().map(|mv| game.play(position, mv)).collect()
}

fn mex(values: impl Iterator<Item = Nimber>) -> Nimber {
    let seen: HashSet<_> = values.collect();
    (0..).find(|nimber| !seen.contains(nimber)).unwrap()
}

/// Reproducible dice (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// 64 random bits.
    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A random number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.roll() % end as u64) as usize
    }
}
