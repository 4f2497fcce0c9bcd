//! Wins that were found, for all positions in which they hold.
//!
//! A position is won with a *proof set*: the winner needs these cells, and chains of theirs that
//! touch them; what else there is on the board does not matter, since no way leads through it. Nor
//! does it matter where a chain lies, only which of the cells it joins to each other and to a side: its
//! *link*. So the same win holds wherever the opponent has none of the cells and the winner's chains
//! make the same links or more. Where one move makes them, it is a threat. Half a turn keeps a win, and
//! reflection in the long diagonal makes it one of the other player.
//!
//! Why: whoever follows the winner's way of play in such a position ends up with a path of cells and
//! links between the sides, and there every link is made by a chain. Cells of the set that the
//! winner has already only help.
//!
//! Idea: proof sets in Hayward et al., "Solving 7x7 Hex", 2003, where they serve for siblings; here
//! for the whole search, and by links. Asking for the very stones takes a third more builds for all openings
//! of 7x7. A mistake here costs **truth**. What was found long ago is forgotten.

use bouton_game::{Outcome, Player};

use super::Position;
use super::board::{Board, Set, cells, members};
use super::chains::{Chains, Links};
use super::crossed::Crossed;

/// Wins that were found.
#[derive(Clone, Debug)]
pub(super) struct Wins<S> {
    /// For each player, the wins when the opponent moves first and when the player does.
    lists: [[Recent<S>; 2]; 2],
    /// How many of a list are kept.
    most: usize,
}

/// The newest of a list.
#[derive(Clone, Debug)]
struct Recent<S> {
    /// Where the opponent has none.
    free: Crossed<S>,
    links: Vec<Links<S>>,
    oldest: usize,
}

/// Wins, whatever the width of their sets.
pub(super) trait Recall {
    /// Takes note of a position that is won with a proof set.
    fn add(&mut self, board: &Board, position: &Position, outcome: Outcome, proof: u128);

    /// What they say about a position.
    fn ask(&self, board: &Board, position: &Position) -> Recalled;
}

/// What wins elsewhere say about a position.
#[derive(Clone, Debug)]
pub(super) enum Recalled {
    /// The outcome, and with which proof set.
    Decided(Outcome, u128),
    /// Cells with which the opponent of the player to move wins if they are not met.
    Threats(Vec<u128>),
}

#[derive(Clone, Copy, Debug)]
struct Win<S> {
    /// What the winner's chains join.
    links: Links<S>,
    /// Where the opponent has none.
    free: S,
}

/// Indices of a player's lists.
const SECOND: usize = 0;
const FIRST: usize = 1;

/// How many of a list are kept at most: all of them are asked. With a quarter of them all
/// openings of 7x7 in one run take 30,204 builds in place of 25,738; with more, no fewer.
const ENOUGH: usize = 1 << 14;

impl<S> Recent<S> {
    fn new() -> Self {
        Self {
            free: Crossed::default(),
            links: Vec::new(),
            oldest: 0,
        }
    }

    fn bytes(&self) -> usize {
        self.free.bytes() + self.links.capacity() * size_of::<Links<S>>()
    }
}

impl<S: Set> Recent<S> {
    /// Adds one, in place of the oldest where there are so many.
    fn add(&mut self, win: Win<S>, most: usize) {
        if self.links.len() < most {
            self.free.reserve(most);
            self.links.reserve_exact(most - self.links.len());
            self.free.push(win.free);
            self.links.push(win.links);
        } else if most > 0 {
            self.free.replace(self.oldest, win.free);
            self.links[self.oldest] = win.links;
            self.oldest = (self.oldest + 1) % most;
        }
    }

    /// The wins for which an opponent leaves room.
    #[inline]
    fn open_to(&self, other: S) -> impl Iterator<Item = Win<S>> {
        self.free.apart(other).map(|number| Win {
            links: self.links[number],
            free: self.free.get(number),
        })
    }
}

impl<S: Set> Win<S> {
    /// With which empty cells it holds for a player with these chains, if it does.
    #[inline]
    fn holds(&self, chains: &Chains<S>) -> Option<u128> {
        chains.make(&self.links).then(|| self.proof(chains).widen())
    }

    /// With which empty cells it holds if the player moves first: for every move that makes the links
    /// that are missing, but those outside of its cells only if there is none among them.
    #[inline]
    fn with_a_move(self, chains: &Chains<S>) -> impl Iterator<Item = u128> {
        let proof = self.proof(chains);
        let moves = chains.moves_that_make(&self.links);
        let moves = match moves.is_apart(proof) {
            true => moves,
            false => S::one((moves & proof).lowest()),
        };
        members(moves).map(move |cell| (proof | S::one(cell)).widen())
    }

    /// The cells of it that are empty.
    fn proof(&self, chains: &Chains<S>) -> S {
        self.free & !chains.own
    }
}

impl<S> Default for Wins<S> {
    fn default() -> Self {
        Self::with(ENOUGH)
    }
}

impl<S> Wins<S> {
    /// What so many wins in each of the four lists take.
    const fn bytes_of(wins: usize) -> usize {
        4 * (Crossed::<S>::bytes_of(wins) + wins * size_of::<Links<S>>())
    }

    fn with(most: usize) -> Self {
        Self {
            lists: std::array::from_fn(|_| std::array::from_fn(|_| Recent::new())),
            most,
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::with(self.most);
    }

    /// Forgets everything, and keeps to so many bytes from now on; returns how many it may use.
    pub(super) fn allow(&mut self, bytes: usize) -> usize {
        // The greatest number that fits, bit by bit.
        let bits = (0..=ENOUGH.ilog2()).rev().map(|bit| 1 << bit);
        let most = bits.fold(0, |most, bit| match Self::bytes_of(most | bit) <= bytes {
            true => most | bit,
            false => most,
        });
        self.most = most.min(ENOUGH);
        self.clear();
        Self::bytes_of(self.most)
    }

    /// The bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        self.lists.as_flattened().iter().map(Recent::bytes).sum()
    }

    fn of(&self, winner: Player, list: usize) -> &Recent<S> {
        &self.lists[winner as usize][list]
    }
}

impl<S: Set> Recall for Wins<S> {
    fn add(&mut self, board: &Board, position: &Position, outcome: Outcome, proof: u128) {
        let (winner, list) = match outcome {
            Outcome::Win => (position.side, FIRST),
            Outcome::Loss => (!position.side, SECOND),
        };
        let own = position.stones(winner);
        let Some(links) = Links::<u128>::new(board, winner, own, proof) else {
            return;
        };
        let mut images = vec![(winner, links, proof)];
        if board.size.rows == board.size.columns {
            let reflected = links.map(|set| reflect(board, set));
            images.push((!winner, reflected, reflect(board, proof)));
        }
        for (winner, links, free) in images {
            let turned = links.map(|set| board.half_turn(set)).with_sides_exchanged();
            for (links, free) in [(links, free), (turned, board.half_turn(free))] {
                let (links, free) = (links.map(S::narrow), S::narrow(free));
                self.lists[winner as usize][list].add(Win { links, free }, self.most);
            }
        }
    }

    fn ask(&self, board: &Board, position: &Position) -> Recalled {
        let (side, [own, other]) = sides_of(position);
        let chains = Chains::new(board, side, position);
        let mut now = self.of(side, FIRST).open_to(other);
        let mut next = self.of(side, SECOND).open_to(other);
        let won = now.find_map(|win| win.holds(&chains));
        if let Some(proof) = won.or_else(|| next.find_map(|win| win.with_a_move(&chains).next())) {
            return Recalled::Decided(Outcome::Win, proof);
        }
        let chains = Chains::new(board, !side, position);
        let mut threats = Vec::new();
        for win in self.of(!side, SECOND).open_to(own) {
            if let Some(proof) = win.holds(&chains) {
                return Recalled::Decided(Outcome::Loss, proof);
            }
            threats.extend(win.with_a_move(&chains));
        }
        let now = self.of(!side, FIRST).open_to(own);
        threats.extend(now.filter_map(|win| win.holds(&chains)));
        Recalled::Threats(threats)
    }
}

/// The player to move, with their stones and those of the opponent.
fn sides_of<S: Set>(position: &Position) -> (Player, [S; 2]) {
    let players = [position.side, !position.side];
    let stones = players.map(|player| S::narrow(position.stones(player)));
    (position.side, stones)
}

/// A set reflected in the long diagonal of a square board.
fn reflect(board: &Board, set: u128) -> u128 {
    let side = board.size.columns;
    cells(set).fold(0, |all, cell| {
        let (row, column) = board.size.row_and_column(cell.into());
        all | 1 << (column * side + row)
    })
}
