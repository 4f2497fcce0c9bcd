//! Under which conditions a search for nimbers sees a game: with or without symmetry and sums,
//! and in which order the successors come.
//!
//! Papers count nodes under stated conditions; users want the best there is. Both are a
//! [`Conditions`], so that no algorithm has to know.

use std::cmp::Reverse;

use bouton_game::{Expansion, Game, Impartial, List};

use crate::dice::Dice;
use crate::nimber_table::{Entry, NimberTable};
use crate::solver::Without;

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
    /// Those in more components, then those whose largest component has fewer moves: their
    /// trees are smaller.
    FewestMoves,
    /// Those in more components, then those with less to find out: fewer moves in components
    /// that are not known yet, fewer nimbers left. This changes as the table fills, so it does
    /// not go together with resuming.
    LeastUnknown,
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

    /// The same without some of it.
    pub fn without(self, without: Without) -> Self {
        Self {
            symmetry: self.symmetry && !without.symmetry,
            components: self.components && !without.components,
            order: if without.order {
                Order::Listed
            } else {
                self.order
            },
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
        if self.components && self.split(game, position, into) {
            // The largest comes last: what the others are worth narrows its search.
            into.sort_by_cached_key(|part| game.mobility(part));
            return Expansion::Sum;
        }
        into.clear();
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

    /// What a table says of a position: of itself, or of its components. A sum is known in part
    /// if all of it but one component is known exactly.
    pub(crate) fn known<G: Impartial>(
        self,
        game: &mut G,
        table: &mut impl NimberTable<G>,
        position: &G::Position,
        parts: &mut List<G::Position>,
    ) -> Option<Entry> {
        if let Some(entry) = table.get(position) {
            return Some(entry.clone());
        }
        if !self.components || !self.split(game, position, parts) {
            return None;
        }
        let mut xor = 0;
        let mut partial = None;
        for part in parts.iter() {
            match table.get(part)? {
                Entry::Exact(nimber) => xor ^= nimber,
                Entry::Partial(set) if partial.is_none() => partial = Some(set.clone()),
                Entry::Partial(_) => return None,
            }
        }
        Some(match partial {
            Some(set) => Entry::Partial(set.shifted_by(xor)),
            None => Entry::Exact(xor),
        })
    }

    /// Whether a position need not be taken apart, as far as a glance tells.
    #[inline]
    pub(crate) fn is_whole<G: Impartial>(self, game: &G, position: &G::Position) -> bool {
        !self.components || self.symmetry && game.is_whole(position)
    }

    /// Lists the components, without pairs of equal ones, unless the position is in one piece.
    pub(crate) fn split<G: Impartial>(
        self,
        game: &mut G,
        position: &G::Position,
        parts: &mut List<G::Position>,
    ) -> bool {
        parts.clear();
        if self.symmetry {
            game.components(position, parts);
        } else {
            let canonical = game.canonical(position);
            game.components(&canonical, parts);
            // In one piece it stays as it lies.
            if parts.len() == 1 && parts[0] == canonical {
                return false;
            }
        }
        if parts.len() == 1 && parts[0] == *position {
            return false;
        }
        bouton_game::cancel_pairs(parts);
        true
    }

    /// What a position can become by a move, in the order in which the game lists it.
    pub(crate) fn children<G: Game>(
        self,
        game: &mut G,
        position: &G::Position,
        into: &mut List<G::Position>,
    ) -> Expansion {
        self.children_until(game, position, into, |_, _| false)
    }

    /// The same, but children may be left out after one that is `enough`.
    pub(crate) fn children_until<G: Game>(
        self,
        game: &mut G,
        position: &G::Position,
        into: &mut List<G::Position>,
        enough: impl FnMut(&mut G, &G::Position) -> bool,
    ) -> Expansion {
        if self.symmetry {
            return game.expand_until(position, into, enough);
        }
        into.clear();
        if let Some(outcome) = game.decided(position) {
            return Expansion::Decided(outcome);
        }
        self.play_all(game, position, into);
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

    /// Puts successors into the order that holds from the start.
    fn sort<G: Impartial>(
        self,
        game: &mut G,
        position: &G::Position,
        successors: &mut List<G::Position>,
    ) {
        match self.order {
            Order::Listed | Order::LeastUnknown => {}
            Order::FewestMoves => {
                let mut parts = List::new();
                successors.sort_by_cached_key(|next| {
                    self.split(game, next, &mut parts);
                    let largest = parts.iter().map(|part| game.mobility(part)).max();
                    (Reverse(parts.len()), largest)
                });
            }
            Order::Shuffled(variant) => Dice::of(position, variant).shuffle(successors),
        }
    }

    /// Puts successors that a table does not know into [`Order::LeastUnknown`].
    pub(crate) fn sort_unknown<G: Impartial>(
        self,
        game: &mut G,
        table: &mut impl NimberTable<G>,
        successors: &mut List<G::Position>,
    ) {
        if self.order != Order::LeastUnknown {
            return;
        }
        let mut parts = List::new();
        successors.sort_by_cached_key(|next| {
            self.split(game, next, &mut parts);
            let unknown = parts.iter().map(|part| match table.get(part) {
                Some(Entry::Exact(_)) => 0,
                // Where many nimbers are excluded, few are left to try.
                Some(Entry::Partial(excluded)) => work(game, part) - 2 * excluded.len() as i64,
                None => work(game, part),
            });
            let unknown = unknown.fold(0, i64::saturating_add);
            (Reverse(parts.len()), unknown)
        });
    }
}

fn work<G: Game>(game: &mut G, position: &G::Position) -> i64 {
    i64::try_from(game.mobility(position)).unwrap_or(i64::MAX / 2)
}
