//! Under which conditions a search for nimbers sees a game: with or without symmetry and sums,
//! and in which order the successors come.
//!
//! Papers count nodes under stated conditions; users want the best there is. Both are a
//! [`Conditions`], so that no algorithm has to know.

use bouton_game::{Expansion, Game, Impartial, List};

use crate::dice::Dice;

/// How positions are joined or taken apart, and how successors are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Positions that are the same up to symmetry count as one.
    pub symmetry: bool,
    /// A position in several components is worth the xor of theirs. Components are canonical,
    /// whatever `symmetry` says.
    pub components: bool,
    /// Which successors come first.
    pub order: Order,
}

/// Which successors come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As the game lists them.
    Listed,
    /// Those with fewer moves: their trees are smaller.
    FewestMoves,
    /// Shuffled; the same number gives each position the same order always.
    Shuffled(u64),
}

impl Conditions {
    /// The best we know.
    pub const BEST: Self = Self {
        symmetry: true,
        components: true,
        order: Order::FewestMoves,
    };

    /// Positions as they lie, as in Beling and Rogalski 2020.
    pub const fn raw(order: Order) -> Self {
        Self {
            symmetry: false,
            components: false,
            order,
        }
    }

    /// The position by which another is known.
    pub fn identify<G: Game>(self, game: &mut G, position: &G::Position) -> G::Position {
        if self.symmetry {
            game.canonical(position)
        } else {
            position.clone()
        }
    }

    /// What the nimber of a position follows from.
    pub fn expand<G: Impartial>(
        self,
        game: &mut G,
        position: &G::Position,
        into: &mut List<G::Position>,
    ) -> Expansion {
        into.clear();
        if self.components {
            game.components(position, into);
            if into.len() != 1 || into[0] != *position {
                bouton_game::cancel_pairs(into);
                // The largest comes last: what the others are worth narrows its search.
                into.sort_by_cached_key(|part| game.count_moves(part).unwrap_or(u64::MAX));
                return Expansion::Sum;
            }
            into.clear();
        }
        if self.symmetry {
            game.children(position, into);
        } else {
            self.play_all(game, position, into);
        }
        self.sort(game, position, into);
        if into.overflowed() {
            Expansion::TooMany
        } else {
            Expansion::Moves
        }
    }

    fn play_all<G: Game>(self, game: &mut G, position: &G::Position, into: &mut List<G::Position>) {
        match game.legal_moves(position) {
            Ok(moves) => moves
                .iter()
                .for_each(|mv| into.push(game.play(position, mv))),
            Err(_) => into.overflow(),
        }
    }

    fn sort<G: Game>(
        self,
        game: &mut G,
        position: &G::Position,
        successors: &mut List<G::Position>,
    ) {
        match self.order {
            Order::Listed => {}
            Order::FewestMoves => {
                successors.sort_by_cached_key(|next| game.count_moves(next).unwrap_or(u64::MAX));
            }
            Order::Shuffled(variant) => Dice::of(position, variant).shuffle(successors),
        }
    }
}
