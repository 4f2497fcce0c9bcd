//! Which moves to try first: those that shorten both players' ways.
//!
//! The *two-distance* (van Rijswijck, "Computer Hex: are bees better than fruitflies?", 2000)
//! of an empty cell from a side is 1 if a stone there is joined to the side, and otherwise one
//! more than the distance of its *second* nearest neighbour: the opponent will take the nearest.
//! Empty cells are neighbours if they touch each other or the same chain of the player. The sum
//! of a cell's distances from both sides tells how far a player is from joining them through it.
//!
//! Children are sorted by that sum for the player to move, then by the opponent's sum, since the
//! opponent's best cell is worth taking too, then from the centre outwards. A cell that wins at
//! once goes before everything, then a cell where the opponent would win at once.
//!
//! This is order, not proof: a mistake here costs time. Distances are found for whole sets of
//! cells at once, level by level.

use bouton_game::{Estimate, Game, Knowledge, Nimber, Outcome, Player};
use smallvec::SmallVec;

use super::board::Board;
use super::{Hex, Position};

/// Orders children by two-distances; see the top of the file.
#[derive(Clone, Debug, Default)]
pub struct TwoDistance {
    /// Each child's rank and index; memory to reuse.
    ranked: Vec<(Rank, u8)>,
    /// The children before they are sorted; memory to reuse.
    unsorted: Vec<Position>,
}

/// Own distance, the opponent's, distance from the centre: less is better.
pub(super) type Rank = (u8, u8, u16);

/// The sets of cells at most 1, 2, ... from a side.
type Levels = SmallVec<[u128; 12]>;

/// The distance of cells that no level reaches.
const FAR: usize = 100;

impl Knowledge<Hex> for TwoDistance {
    fn order(&mut self, game: &mut Hex, parent: &Position, children: &mut [Position]) {
        if let Some(index) = game.urgent(parent, children) {
            children.swap(0, index);
            return;
        }
        let ranking = Ranking::new(game, parent);
        self.ranked.clear();
        for (index, child) in children.iter().enumerate() {
            let cell = game.added(parent, child).trailing_zeros() as usize;
            self.ranked.push((ranking.of(game, cell), index as u8));
        }
        self.ranked.sort_unstable();
        self.unsorted.clear();
        self.unsorted.extend_from_slice(children);
        for (child, &(_, index)) in children.iter_mut().zip(&self.ranked) {
            *child = self.unsorted[usize::from(index)];
        }
    }

    /// A player who can join their sides at once does so.
    fn verdict(&mut self, game: &mut Hex, position: &Position) -> Option<Outcome> {
        let decided = game.decided(position);
        decided.or_else(|| (game.completing(position, position.side) != 0).then_some(Outcome::Win))
    }

    /// The farther a player is from joining their sides, the more work to show that they do.
    fn estimate(&mut self, game: &mut Hex, position: &Position, _: Nimber) -> Estimate {
        numbers(distances(game, position))
    }
}

/// By how much the work grows with a player's distance.
const BASE: f32 = 1.5;

/// First numbers that grow with the distances of the player to move and of the opponent.
pub(super) fn numbers(distances: [u8; 2]) -> Estimate {
    let [proof, disproof] = distances.map(|distance| BASE.powi(distance.into()) as u64);
    Estimate { proof, disproof }
}

/// How far the player to move and the opponent are from joining their sides.
pub(super) fn distances(game: &Hex, position: &Position) -> [u8; 2] {
    let players = [position.side, !position.side];
    players.map(|player| Distances::new(game, position, player).least())
}

impl Hex {
    /// The child that wins at once; if there is none, one that keeps the opponent from doing so.
    fn urgent(&self, parent: &Position, children: &[Position]) -> Option<usize> {
        let players = [parent.side, !parent.side];
        let cells = players.map(|player| self.completing(parent, player));
        let urgent = cells.into_iter().find(|&cells| cells != 0)?;
        children
            .iter()
            .position(|child| self.added(parent, child) & urgent != 0)
    }

    /// The empty cells that join a player's sides at once.
    fn completing(&self, position: &Position, player: Player) -> u128 {
        let stones = position.stones(player);
        let [near_first, near_last] = self.board.sides(player).map(|side| {
            let joined = self.board.flood(side & stones, stones);
            side | self.board.neighbours(joined)
        });
        near_first & near_last & self.empty(position)
    }

    /// The cell that is empty in `parent` and not in its canonical child, as a set.
    fn added(&self, parent: &Position, child: &Position) -> u128 {
        let (before, after) = (parent.black | parent.white, child.black | child.white);
        let other = !parent.side;
        if after & before == before && child.stones(other) == parent.stones(other) {
            after ^ before
        } else {
            self.board.half_turn(after) ^ before
        }
    }
}

/// The square of a cell's distance from the centre, in half steps.
fn off_centre(game: &Hex, cell: usize) -> u16 {
    let size = game.size();
    let (row, column) = size.row_and_column(cell);
    let off = |place: usize, length: usize| 2 * place as i32 + 1 - length as i32;
    let (down, right) = (off(row, size.rows), off(column, size.columns));
    // Steps down and right form an angle of 60 degrees.
    (down * down + right * right + down * right) as u16
}

/// What the moves of a position are sorted by.
pub(super) struct Ranking {
    /// Of the player to move, of the opponent.
    distances: [Distances; 2],
}

impl Ranking {
    pub(super) fn new(game: &Hex, position: &Position) -> Self {
        let players = [position.side, !position.side];
        Self {
            distances: players.map(|player| Distances::new(game, position, player)),
        }
    }

    /// The rank of a move onto an empty cell.
    pub(super) fn of(&self, game: &Hex, cell: usize) -> Rank {
        let distances = self.distances.each_ref();
        let [own, other] = distances.map(|player| player.through(cell));
        (own, other, off_centre(game, cell))
    }
}

/// A player's distances from both of their sides.
struct Distances {
    levels: [Levels; 2],
}

/// Stones that are joined, and the empty cells that touch them.
struct Chain {
    stones: u128,
    liberties: u128,
}

impl Distances {
    fn new(game: &Hex, position: &Position, player: Player) -> Self {
        let empty = game.empty(position);
        let chains = chains(&game.board, position.stones(player), empty);
        let sides = game.board.sides(player);
        Self {
            levels: sides.map(|side| levels(&game.board, &chains, empty, side)),
        }
    }

    /// How far the player is from joining both sides, through whichever cell.
    fn least(&self) -> u8 {
        let [first, last] = &self.levels;
        let through = |level: &u128| last.iter().position(|other| level & other != 0);
        let sums = first.iter().enumerate();
        let sums = sums.filter_map(|(distance, level)| Some(distance + through(level)?));
        sums.min().unwrap_or(FAR) as u8
    }

    /// How far the player is from joining both sides through an empty cell.
    fn through(&self, cell: usize) -> u8 {
        let distance = |levels: &Levels| {
            let level = levels.iter().position(|level| level >> cell & 1 == 1);
            level.unwrap_or(FAR)
        };
        self.levels.iter().map(distance).sum::<usize>() as u8
    }
}

/// The chains of a player's stones.
fn chains(board: &Board, stones: u128, empty: u128) -> SmallVec<[Chain; 12]> {
    let mut chains = SmallVec::new();
    let mut rest = stones;
    while rest != 0 {
        let stones = board.flood(rest & rest.wrapping_neg(), stones);
        let liberties = board.neighbours(stones) & empty;
        chains.push(Chain { stones, liberties });
        rest &= !stones;
    }
    chains
}

/// The levels of the empty cells from one side.
fn levels(board: &Board, chains: &[Chain], empty: u128, side: u128) -> Levels {
    let joined = chains.iter().filter(|chain| chain.stones & side != 0);
    let mut level = joined.fold(side & empty, |level, chain| level | chain.liberties);
    let mut levels = Levels::new();
    while levels.last() != Some(&level) {
        levels.push(level);
        level |= with_two_neighbours(board, chains, level) & empty;
    }
    levels
}

/// The cells with at least two neighbours in a set of empty cells.
fn with_two_neighbours(board: &Board, chains: &[Chain], set: u128) -> u128 {
    let (mut one, mut two) = (0, 0);
    for touching in board.stepped(set) {
        two |= one & touching;
        one |= touching;
    }
    for chain in chains {
        let near = chain.liberties & set;
        if near & near.wrapping_sub(1) != 0 {
            two |= chain.liberties;
        } else if near != 0 {
            // A cell that touches the chain's only neighbour in the set has counted it already.
            let new = chain.liberties & !board.neighbours(near);
            two |= one & new;
            one |= new;
        }
    }
    two
}

#[cfg(test)]
mod tests {
    use bouton_game::Notation;

    use super::*;

    /// The distance of every cell from Black's first side, `-` for stones.
    fn from_the_top(text: &str) -> String {
        let (game, position) = Hex::open(text).unwrap();
        let distances = Distances::new(&game, &position, Player::Black);
        game.size().write(|cell| {
            let level = distances.levels[0]
                .iter()
                .position(|set| set >> cell & 1 == 1);
            level.map_or('-', |level| char::from(b'1' + level as u8))
        })
    }

    #[test]
    fn the_second_nearest_neighbour_counts() {
        assert_eq!(from_the_top("3x3"), "111|223|345");
    }

    #[test]
    fn a_chain_makes_neighbours() {
        // b2 touches b1 and c1: whoever takes one of them leaves the other.
        assert_eq!(from_the_top("...|.x.|... w"), "111|2-2|223");
    }
}
