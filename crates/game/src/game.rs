//! The rules of a game, as a search needs them.
//!
//! # Writing a game
//!
//! A value of the type that implements [`Game`] holds the parameters (the size of the board)
//! and whatever memory the rules want to reuse. It belongs to one thread: `children` takes
//! `&mut self`, so scratch buffers and caches are plain fields, without locks. A second thread
//! gets a clone, and parts worth sharing (an interner, precomputed masks) sit behind an `Arc`.
//!
//! Required are [`moves`](Game::moves), [`play`](Game::play) and
//! [`canonical`](Game::canonical). Everything else has a default that is right, if not always
//! fast.
//!
//! # What a mistake costs
//!
//! | method | a mistake costs |
//! | --- | --- |
//! | `moves`, `play`, `decided` | **truth**: another game is solved |
//! | `canonical` too coarse (unlike positions made equal) | **truth** |
//! | `canonical` too fine (like positions kept apart) | time and memory |
//! | `children` misses one, or adds one | **truth** |
//! | `children` repeats one, or leaves one uncanonical | time, and wrong counts |
//! | `children_until` leaves one out before any is enough | **truth** |
//! | `exact_key` not exact | **truth** |
//! | `no_better` where a player is better off | **truth** of certificates |
//! | `met`, `outline`, `least` | certificates that are long, or refused |
//! | `count_moves` | a wrong `perft` |
//! | `heap_bytes`, `kept_bytes` too small | memory beyond what the user allowed |
//!
//! The laws in `crates/session/tests/laws.rs` test most of this on every registered game.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{List, Outcome, Player, TooMany};

/// The rules of a game.
pub trait Game: Clone + Send + 'static {
    /// All that decides how play can go on, the side to move included.
    ///
    /// Keep it small and concrete (Konane: one `u64` and a side): searches hold millions. It
    /// may carry what was found out on the way down (Hex: filled-in cells, connections), since
    /// children are made from their parent; equality, order and hash must then ignore it.
    type Position: Clone + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// A move, as a player makes it. Where moves have no names of their own (Sprouts), the
    /// position it leads to.
    type Move: Clone + Debug + Send + 'static;

    /// Whether positions can be compared beyond being the same ([`no_better`](Self::no_better)):
    /// then a loss shows that others are, and certificates are made of steps.
    const ORDERED: bool = false;

    /// Adds every legal move, symmetric ones too. A decided position has none.
    fn moves(&mut self, position: &Self::Position, into: &mut List<Self::Move>);

    /// The position after a legal move, as it lies on the board (not canonical).
    fn play(&self, position: &Self::Position, mv: &Self::Move) -> Self::Position;

    /// One position for all that are the same up to symmetry: the same outcome, the same
    /// nimber, the same game. `canonical(canonical(p)) == canonical(p)`.
    fn canonical(&mut self, position: &Self::Position) -> Self::Position;

    /// Adds positions that a symmetry of the rules makes of `position`; each must have the
    /// canonical form of `position`. Used by tests, and by a `canonical` that takes the least.
    fn symmetric(&self, position: &Self::Position, into: &mut List<Self::Position>) {
        into.push(position.clone());
    }

    /// Adds the canonical children, each once, in any order. This is the hot path of every
    /// search: override it when moves, `play` and `canonical` one by one are slow.
    fn children(&mut self, position: &Self::Position, into: &mut List<Self::Position>) {
        let mut moves = List::new();
        self.moves(position, &mut moves);
        for mv in moves.iter() {
            let child = self.play(position, mv);
            into.push(self.canonical(&child));
        }
        if moves.overflowed() {
            into.overflow();
        }
        into.sort_and_dedup();
    }

    /// Adds the canonical children like [`children`](Self::children), but may leave the rest out
    /// after one that is `enough`: it decides whatever was to be found out. Override it when
    /// children are slow to make.
    fn children_until(
        &mut self,
        position: &Self::Position,
        into: &mut List<Self::Position>,
        enough: impl FnMut(&mut Self, &Self::Position) -> bool,
    ) {
        let _ = enough;
        self.children(position, into);
    }

    /// The outcome, where the rules end the game with a winner (Hex: a chain is complete).
    /// Under normal play there is nothing to say: no move means loss.
    fn decided(&self, position: &Self::Position) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// Who moves next, in a game with colours.
    fn to_move(&self, position: &Self::Position) -> Option<Player> {
        let _ = position;
        None
    }

    /// How many moves [`moves`](Game::moves) would list. Override it where counting is
    /// cheaper than listing.
    fn count_moves(&mut self, position: &Self::Position) -> Result<u64, TooMany> {
        Ok(self.legal_moves(position)?.len() as u64)
    }

    /// About how many moves there are, as a measure of how much work a position is. Override
    /// it where counting is slow; a bad guess costs time only.
    fn mobility(&mut self, position: &Self::Position) -> u64 {
        self.count_moves(position).unwrap_or(u64::MAX)
    }

    /// Whether the player to move has lost already: the game is over, or there is no move.
    fn is_lost(&mut self, position: &Self::Position) -> bool {
        match self.decided(position) {
            Some(outcome) => outcome == Outcome::Loss,
            None => matches!(self.count_moves(position), Ok(0)),
        }
    }

    /// Bytes that a position holds outside of itself, so that memory can be kept in bounds.
    fn heap_bytes(position: &Self::Position) -> usize {
        let _ = position;
        0
    }

    /// Lets the game keep, beside what it needs, up to so many bytes of what it has worked out,
    /// children of positions for instance, and returns how many of them it may use. The others
    /// are for the search. Clones made afterwards share these bytes. What is kept must not change
    /// any answer.
    fn allow(&mut self, bytes: usize) -> usize {
        let _ = bytes;
        0
    }

    /// How many of these bytes are in use.
    fn kept_bytes(&self) -> usize {
        0
    }

    /// What it has made since [`allow`](Self::allow), if it counts: for measurements.
    fn made(&self) -> Option<Made> {
        None
    }

    /// The position as a number of 128 bits, if it fits into them: unlike positions must have
    /// unlike numbers. Tables use a hash where there is none.
    fn exact_key(position: &Self::Position) -> Option<u128> {
        let _ = position;
        None
    }

    /// What the value of `position` follows from; the only way a search looks at a game.
    /// After [`Expansion::Moves`] the list holds the children.
    fn expand(&mut self, position: &Self::Position, into: &mut List<Self::Position>) -> Expansion {
        self.expand_until(position, into, |_, _| false)
    }

    /// The same, but children may be left out after one that is `enough`.
    fn expand_until(
        &mut self,
        position: &Self::Position,
        into: &mut List<Self::Position>,
        enough: impl FnMut(&mut Self, &Self::Position) -> bool,
    ) -> Expansion {
        into.clear();
        if let Some(outcome) = self.decided(position) {
            return Expansion::Decided(outcome);
        }
        self.children_until(position, into, enough);
        if into.overflowed() {
            Expansion::TooMany
        } else {
            Expansion::Moves
        }
    }

    /// Whether the player to move is no better off than in another position, plainly by the rules:
    /// if they lose the other, they lose this one. The checker of certificates relies on it.
    fn no_better(&self, position: &Self::Position, than: &Self::Position) -> bool {
        position == than
    }

    /// To which moves there is a reply that leaves the player no better off than in `lost`. Bit
    /// `n` stands for the `n`-th move as [`moves`](Self::moves) lists them; a game that is
    /// [`ORDERED`](Self::ORDERED) has at most 128.
    fn met(&mut self, position: &Self::Position, lost: &Self::Position) -> u128 {
        let moves = self.legal_moves(position).unwrap_or_default();
        let mut met = 0;
        for (index, mv) in moves.iter().enumerate().take(128) {
            let after = self.play(position, mv);
            let replies = self.legal_moves(&after).unwrap_or_default();
            let mut replies = replies.iter().map(|reply| self.play(&after, reply));
            let is_met = replies.any(|reply| self.no_better(&reply, lost));
            met |= u128::from(is_met) << index;
        }
        met
    }

    /// What comparing goes by, for finding positions that compare among many: `position` is no
    /// better than `lost`, or has a move that `lost` meets, only if
    /// [`may_meet`](Outline::may_meet) says so.
    fn outline(&self, position: &Self::Position) -> Outline {
        let _ = position;
        Outline::default()
    }

    /// A loss that says more than `position`, which it is no worse than: the opponent has only what
    /// it takes to meet every move by way of the losses `met_by`, or to have won.
    fn least(&self, position: &Self::Position, met_by: &[&Self::Position]) -> Self::Position {
        let _ = met_by;
        position.clone()
    }

    /// All legal moves, for callers that are in no hurry.
    fn legal_moves(&mut self, position: &Self::Position) -> Result<Vec<Self::Move>, TooMany> {
        let mut moves = List::new();
        self.moves(position, &mut moves);
        moves.into_result()
    }
}

/// What the player to move has in a position, and what the opponent has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// What the player to move has.
    pub own: u128,
    /// What the opponent has.
    pub other: u128,
}

impl Outline {
    /// Whether a position may compare with this loss: it has nothing that the loss has not, and the
    /// opponent misses at most what a single move brings.
    #[inline]
    pub fn may_meet(&self, position: &Self) -> bool {
        let missing = self.other & !position.other;
        position.own & !self.own == 0 && missing & missing.wrapping_sub(1) == 0
    }

    /// Makes it one that meets whatever this or another does.
    #[inline]
    pub fn join(&mut self, loss: &Self) {
        self.own |= loss.own;
        self.other &= loss.other;
    }
}

/// What a game has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Children, before duplicates were removed.
    pub children: u64,
    /// About how many different components.
    pub components: u64,
}

/// What the value of a position follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// The game is over.
    Decided(Outcome),
    /// The player to move chooses one of the listed children; without any, they lose.
    Moves,
    /// The position is the sum of the listed components: its nimber is the xor of theirs, 0
    /// if there are none. Only [`Impartial::expand_sum`](crate::Impartial::expand_sum) says so.
    Sum,
    /// The position has more children than can be listed: nothing can be said.
    TooMany,
}
