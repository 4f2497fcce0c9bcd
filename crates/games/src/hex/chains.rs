//! What a player's chains join: which cells to each other, and which to a side.
//!
//! A chain joins the cells that it touches. So do the two sides, with the chains on them. Whoever needs
//! some cells to be joined, a *link*, need not ask which stones do it: any chain will do that touches or
//! holds all of them, for a side that side.

use bouton_game::Player;
use smallvec::SmallVec;

use super::Position;
use super::board::{Board, Set, members};

/// How many links a win may need. None of all openings of 7x7 and of two of 8x8 needs more, and one in a
/// thousand needs more than six.
const MOST: usize = 8;

/// The sides come first.
const SIDES: usize = 2;

/// What the chains of a position join of some cells: the first side, the last, and others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links<S>([S; MOST]);

/// The chains of a player in a position.
#[derive(Clone, Debug)]
pub(super) struct Chains<'a, S> {
    board: &'a Board,
    pub(super) own: S,
    empty: S,
    /// What each holds or touches, the two sides first.
    reach: SmallVec<[S; 16]>,
}

impl Links<u128> {
    /// The links that a player's stones make between cells; none if there are too many, or if they
    /// join the sides themselves, which links between cells do not say.
    pub(super) fn new(board: &Board, player: Player, own: u128, cells: u128) -> Option<Self> {
        if board.joins(player, own) {
            return None;
        }
        let sides = board.sides(player);
        let mut links = [0; MOST];
        let mut count = SIDES;
        for (index, chain) in chains(board, player, own).enumerate() {
            let link = board.neighbours(chain) & cells;
            match sides.get(index) {
                // Cells at a side are joined to it everywhere.
                Some(side) => links[index] = link & !side,
                None if link.count_ones() > 1 => {
                    *links.get_mut(count)? = link;
                    count += 1;
                }
                // What touches one cell joins nothing.
                None => {}
            }
        }
        Some(Self(links))
    }
}

impl<S> Links<S> {
    pub(super) fn map<T>(self, image: impl FnMut(S) -> T) -> Links<T> {
        Links(self.0.map(image))
    }

    pub(super) fn with_sides_exchanged(mut self) -> Self {
        self.0.swap(0, 1);
        self
    }
}

impl<'a, S: Set> Chains<'a, S> {
    pub(super) fn new(board: &'a Board, player: Player, position: &Position) -> Self {
        let own = position.stones(player);
        let sides = board.sides(player);
        let reach = chains(board, player, own).enumerate();
        let reach = reach.map(|(index, chain)| {
            let side = sides.get(index).unwrap_or(&0);
            S::narrow(chain | side | board.neighbours(chain))
        });
        Self {
            board,
            own: S::narrow(own),
            empty: S::narrow(board.all & !(position.black | position.white)),
            reach: reach.collect(),
        }
    }

    /// Whether some chain, or the right side, makes a link.
    #[inline]
    fn makes(&self, index: usize, link: S) -> bool {
        match self.reach[..SIDES].get(index) {
            Some(&side) => link.is_within(side),
            None => self.reach.iter().any(|&reach| link.is_within(reach)),
        }
    }

    /// Whether they make all links.
    #[inline]
    pub(super) fn make(&self, links: &Links<S>) -> bool {
        let mut links = links.0.iter().enumerate();
        links.all(|(index, &link)| self.makes(index, link))
    }

    /// The empty cells on which one stone more makes all links.
    #[inline]
    pub(super) fn moves_that_make(&self, links: &Links<S>) -> S {
        // Only the chain of that stone is new, so that has to make all that is missing.
        let mut moves = self.empty;
        for (index, &link) in links.0.iter().enumerate() {
            if !self.makes(index, link) {
                moves &= self.reach[..SIDES]
                    .get(index)
                    .map_or(!S::NONE, |&side| side);
                for cell in members(link) {
                    moves &= self.moves_that_reach(cell);
                    if moves == S::NONE {
                        return moves;
                    }
                }
            }
        }
        moves
    }

    /// Where the chain of one stone more holds or touches a cell: on the cell, beside it, and wherever
    /// a chain is touched that touches it.
    #[inline]
    fn moves_that_reach(&self, cell: u8) -> S {
        let bit = S::one(cell);
        let beside = S::narrow(self.board.neighbours(1 << cell)) | bit;
        let joined = self.reach.iter().filter(|reach| !reach.is_apart(bit));
        joined.fold(beside, |all, &reach| all | reach)
    }
}

/// The chains of a player's stones, those on the two sides first, even if there are none.
pub(super) fn chains(board: &Board, player: Player, own: u128) -> impl Iterator<Item = u128> {
    let sides = board.sides(player).map(|side| board.flood(side & own, own));
    let mut rest = own & !(sides[0] | sides[1]);
    let others = std::iter::from_fn(move || {
        let chain = board.flood(rest & rest.wrapping_neg(), own);
        rest &= !chain;
        (chain != 0).then_some(chain)
    });
    sides.into_iter().chain(others)
}
