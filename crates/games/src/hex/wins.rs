//! Wins that a search has found, for all positions in which they hold.
//!
//! A position is won with a *proof set*: the winner needs these cells, and stones of theirs that
//! touch them; what else there is on the board does not matter, since no way leads through it. So
//! the same win holds wherever the winner has the stones and the opponent none of the cells. With
//! one of the stones missing it is a threat. Half a turn keeps a win, and reflection in the long
//! diagonal makes it one of the other player.
//!
//! Idea: proof sets in Hayward et al., "Solving 7x7 Hex", 2003, where they serve for siblings; here
//! for the whole search. A mistake here costs **truth**. What was found long ago is forgotten.

use bouton_game::{Outcome, Player};

use super::Position;
use super::board::{Board, Set, cells};
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
    stones: Vec<S>,
    oldest: usize,
}

/// Wins, whatever the width of their sets.
pub(super) trait Recall {
    /// Takes note of a position that is won with a proof set.
    fn add(&mut self, board: &Board, position: &Position, outcome: Outcome, proof: u128);

    /// The outcome of a position, and with which proof set.
    fn verdict(&self, position: &Position) -> Option<(Outcome, u128)>;

    /// Cells with which the opponent of the player to move wins if they are not met.
    fn threats(&self, position: &Position) -> Vec<u128>;
}

#[derive(Clone, Copy, Debug)]
struct Win<S> {
    /// Where the winner has stones.
    stones: S,
    /// Where the opponent has none: these cells, and those of the stones.
    free: S,
}

/// Indices of a player's lists.
const SECOND: usize = 0;
const FIRST: usize = 1;

/// How many of a list are kept at most: all of them are asked. With a quarter of them all
/// openings of 7x7 in one run take 54,869 builds in place of 46,958; with more, no fewer.
const ENOUGH: usize = 1 << 14;

impl<S> Recent<S> {
    fn new() -> Self {
        Self {
            free: Crossed::default(),
            stones: Vec::new(),
            oldest: 0,
        }
    }

    fn bytes(&self) -> usize {
        self.free.bytes() + self.stones.capacity() * size_of::<S>()
    }
}

impl<S: Set> Recent<S> {
    /// Adds one, in place of the oldest where there are so many.
    fn add(&mut self, win: Win<S>, most: usize) {
        if self.stones.len() < most {
            self.free.reserve(most);
            self.stones.reserve_exact(most - self.stones.len());
            self.free.push(win.free);
            self.stones.push(win.stones);
        } else if most > 0 {
            self.free.replace(self.oldest, win.free);
            self.stones[self.oldest] = win.stones;
            self.oldest = (self.oldest + 1) % most;
        }
    }

    /// The wins for which an opponent leaves room.
    #[inline]
    fn open_to(&self, other: S) -> impl Iterator<Item = Win<S>> {
        self.free.apart(other).map(|number| Win {
            stones: self.stones[number],
            free: self.free.get(number),
        })
    }
}

impl<S: Set> Win<S> {
    /// Whether the winner has all stones.
    #[inline]
    fn holds(&self, own: S) -> bool {
        self.stones.is_within(own)
    }

    /// Whether a move makes it hold.
    #[inline]
    fn is_near(&self, own: S) -> bool {
        (self.stones & !own).count() <= 1
    }

    /// The cells of it that are empty.
    fn proof(&self, own: S) -> u128 {
        (self.free & !own).widen()
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
        4 * (Crossed::<S>::bytes_of(wins) + wins * size_of::<S>())
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
        let stones = needed(board, winner, position.stones(winner), proof);
        let mut images = vec![(winner, stones, stones | proof)];
        if board.size.rows == board.size.columns {
            let reflected = [stones, stones | proof].map(|set| reflect(board, set));
            images.push((!winner, reflected[0], reflected[1]));
        }
        for (winner, stones, free) in images {
            let turned = [stones, free].map(|set| board.half_turn(set));
            for [stones, free] in [[stones, free], turned] {
                let [stones, free] = [stones, free].map(S::narrow);
                self.lists[winner as usize][list].add(Win { stones, free }, self.most);
            }
        }
    }

    fn verdict(&self, position: &Position) -> Option<(Outcome, u128)> {
        let (side, [own, other]) = sides_of(position);
        let mut now = self.of(side, FIRST).open_to(other);
        let mut next = self.of(side, SECOND).open_to(other);
        let won = now.find(|win| win.holds(own));
        if let Some(win) = won.or_else(|| next.find(|win| win.is_near(own))) {
            return Some((Outcome::Win, win.proof(own)));
        }
        let mut lost = self.of(!side, SECOND).open_to(own);
        let win = lost.find(|win| win.holds(other))?;
        Some((Outcome::Loss, win.proof(other)))
    }

    fn threats(&self, position: &Position) -> Vec<u128> {
        let (side, [own, other]) = sides_of(position);
        let now = self.of(!side, FIRST).open_to(own);
        let next = self.of(!side, SECOND).open_to(own);
        let now = now.filter(|win| win.holds(other));
        let next = next.filter(|win| win.is_near(other));
        now.chain(next).map(|win| win.proof(other)).collect()
    }
}

/// The player to move, with their stones and those of the opponent.
fn sides_of<S: Set>(position: &Position) -> (Player, [S; 2]) {
    let players = [position.side, !position.side];
    let stones = players.map(|player| S::narrow(position.stones(player)));
    (position.side, stones)
}

/// The chains of the winner's stones that touch a proof set, and one that joins both sides.
fn needed(board: &Board, winner: Player, own: u128, proof: u128) -> u128 {
    let near = board.neighbours(proof);
    let [first, last] = board.sides(winner);
    let through = board.flood(first & own, own);
    let touching = board.flood(near & own, own);
    match through & last {
        0 => touching,
        _ => touching | through,
    }
}

/// A set reflected in the long diagonal of a square board.
fn reflect(board: &Board, set: u128) -> u128 {
    let side = board.size.columns;
    cells(set).fold(0, |all, cell| {
        let (row, column) = board.size.row_and_column(cell.into());
        all | 1 << (column * side + row)
    })
}
