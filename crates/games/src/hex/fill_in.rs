//! Fill-in: cells whose colour is already settled get a stone, and the position keeps its value.
//!
//! Paper: Björnsson, Hayward, Johanson and van Rijswijck, "Dead cell analysis in Hex and the
//! Shannon game", 2007. For each player there is a graph: its vertices are the empty cells and
//! the player's two sides, and cells are joined if they touch each other or the same chain of the
//! player, where a side is a chain too. An own stone melts its cell's neighbours together, a
//! stone of the opponent deletes the cell. The player wins if a path joins the sides.
//!
//! - A cell is *dead* if its neighbours in one of the two graphs are all joined to each other: a
//!   shortest path never needs it. So are the cells that can be reached only through one chain.
//! - A pair of cells is *captured* by a player if a stone of theirs on either kills the other:
//!   whoever comes first, the player is as well off as with both.
//!
//! Differences: no table of patterns; the two conditions are tested on the graphs themselves,
//! which know the chains, until neither finds anything more. Larger captured sets are not looked
//! for. Who is to move does not matter. A mistake here costs **truth**.
//!
//! A settled board is kept with its graphs: a child is its parent with one more stone, and only
//! what lies near new stones is looked at again.

use bouton_game::Player;

use super::board::{Board, Set, members};

const PLAYERS: [Player; 2] = [Player::Black, Player::White];

/// A board with its graphs.
#[derive(Clone, Debug, Default)]
pub(super) struct FillIn<S> {
    graphs: [Graph<S>; 2],
    /// The stones of both players.
    pub(super) stones: [S; 2],
    pub(super) empty: S,
    /// Cells near which a stone has come since they were last looked at.
    stale: S,
}

/// One player's graph.
#[derive(Debug, Default)]
struct Graph<S> {
    /// The neighbours of every empty cell.
    near: Vec<S>,
    /// The sides that every empty cell is joined to, a bit each.
    sides: Vec<u8>,
}

/// What keeps the neighbours of a cell from being all joined to each other.
#[derive(Clone, Copy, Debug)]
struct Gaps<S> {
    /// Those that are not joined to one of the others, and those that are not to several of them
    /// or to a side of the cell.
    one: S,
    more: S,
    /// The neighbours of the cell.
    near: S,
    /// Where a stone of the opponent would leave none.
    without: S,
}

impl<S: Set> Gaps<S> {
    /// Whether an own stone may join them: those that it does not touch stay as they are.
    fn may_close(&self, graph: &Graph<S>, stone: u8) -> bool {
        let touched = graph.near[usize::from(stone)] | S::one(stone);
        match S::one(stone).is_apart(self.near) {
            true => (self.one | self.more).is_within(touched),
            false => self.more.is_within(touched),
        }
    }
}

/// Joined to both sides: a stone here wins.
const BOTH: u8 = 0b11;

// `clone_from` keeps the memory.
impl<S: Clone> Clone for Graph<S> {
    fn clone(&self) -> Self {
        Self {
            near: self.near.clone(),
            sides: self.sides.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.near.clone_from(&other.near);
        self.sides.clone_from(&other.sides);
    }
}

impl<S: Set> FillIn<S> {
    /// The board without stones.
    pub(super) fn new(board: &Board) -> Self {
        Self {
            graphs: PLAYERS.map(|player| Graph::new(board, player)),
            stones: [S::NONE; 2],
            empty: S::narrow(board.all),
            stale: S::narrow(board.all),
        }
    }

    /// Makes it the same as another.
    pub(super) fn copy(&mut self, other: &Self) {
        for (graph, from) in self.graphs.iter_mut().zip(&other.graphs) {
            graph.clone_from(from);
        }
        (self.stones, self.empty, self.stale) = (other.stones, other.empty, other.stale);
    }

    /// What a player's graph joins every empty cell to.
    pub(super) fn near(&self, player: Player) -> &[S] {
        &self.graphs[player as usize].near
    }

    /// Puts a stone on an empty cell.
    pub(super) fn put(&mut self, player: Player, cell: u8) {
        let bit = S::one(cell);
        let [own, other] = [player, !player].map(|player| player as usize);
        self.mark(player, cell);
        self.graphs[own].melt(cell);
        self.graphs[other].delete(cell);
        self.stones[own] |= bit;
        self.empty &= !bit;
        self.stale &= !bit;
    }

    /// What depends on a cell has to be looked at again: its neighbours, and theirs where it joins
    /// them.
    fn mark(&mut self, player: Player, cell: u8) {
        let [own, other] = [player, !player].map(|player| &self.graphs[player as usize].near);
        let near = own[usize::from(cell)];
        self.stale |= near | other[usize::from(cell)];
        for joined in members(near) {
            self.stale |= own[usize::from(joined)];
        }
    }

    /// Puts stones wherever they change nothing.
    pub(super) fn settle(&mut self, board: &Board) {
        loop {
            let stale = std::mem::replace(&mut self.stale, S::NONE);
            if stale == S::NONE {
                return;
            }
            let before = self.empty;
            self.drop_dead(stale);
            if self.empty == before {
                self.take_captured(stale);
            } else {
                // What is captured may be seen more easily when the dead are gone.
                self.stale |= stale & self.empty;
            }
            if self.empty == before {
                self.drop_cut_off(board);
            }
        }
    }

    /// Fills dead cells with the colour in whose graph they are plain to see.
    fn drop_dead(&mut self, among: S) {
        for cell in members(among) {
            let dead = |player: &Player| self.graphs[*player as usize].is_simplicial(cell);
            if let Some(player) = PLAYERS.into_iter().find(dead) {
                self.put(player, cell);
            }
        }
    }

    /// Fills cells that only one chain joins to the rest: a path in and out of them could go
    /// straight through the chain.
    fn drop_cut_off(&mut self, board: &Board) {
        let empty = self.empty.widen();
        for player in PLAYERS {
            let own = self.stones[player as usize].widen();
            let sides = board.sides(player);
            let mut rest = own;
            while rest != 0 {
                let chain = board.flood(rest & rest.wrapping_neg(), own);
                rest &= !chain;
                let open = (empty | own) & !chain;
                // What a chain of a side cuts off is cut off from the other side.
                let goals = sides.iter().filter(|&side| chain & side == 0);
                let starts = goals.fold(0, |starts, side| starts | side & open);
                let cut_off = empty & !board.flood(starts, open);
                if cut_off != 0 && !sides.iter().all(|side| chain & side != 0) {
                    members(S::narrow(cut_off)).for_each(|cell| self.put(player, cell));
                    return;
                }
            }
        }
    }

    /// Fills captured pairs.
    fn take_captured(&mut self, among: S) {
        for cell in members(among) {
            if S::one(cell).is_apart(self.empty) {
                continue;
            }
            let [black, white] = &self.graphs;
            let near = black.near[usize::from(cell)] | white.near[usize::from(cell)];
            // A pair of stale cells is looked at once.
            let partners = near & self.empty & !(among & S::below(cell));
            let gaps = self.graphs.each_ref().map(|graph| graph.gaps(cell));
            for player in PLAYERS {
                let [own, other_gaps] = [player, !player].map(|player| gaps[player as usize]);
                let captured = |&other: &u8| {
                    (other_gaps.without & S::one(other) != S::NONE
                        || own.may_close(&self.graphs[player as usize], other)
                            && self.graphs[player as usize].is_simplicial_after(other, cell))
                        && self.kills(player, cell, other)
                };
                if let Some(other) = members(partners).find(captured) {
                    self.put(player, cell);
                    self.put(player, other);
                    break;
                }
            }
        }
    }

    /// Whether a player's stone on one cell makes another dead.
    fn kills(&self, player: Player, stone: u8, victim: u8) -> bool {
        let other = &self.graphs[!player as usize];
        other.is_simplicial_without(victim, S::one(stone))
            || self.graphs[player as usize].is_simplicial_after(stone, victim)
    }
}

impl<S: Set> Graph<S> {
    fn new(board: &Board, player: Player) -> Self {
        let sides = board.sides(player);
        let cells = 0..board.size.cells();
        let near = cells.clone().map(|cell| {
            let at = |side: &&u128| **side >> cell & 1 == 1;
            let beside = sides.iter().filter(at).fold(0, |all, side| all | side);
            S::narrow((board.neighbours(1 << cell) | beside) & !(1 << cell))
        });
        let bits = |cell: usize| {
            let [first, last] = sides.map(|side| (side >> cell & 1) as u8);
            first | last << 1
        };
        Self {
            near: near.collect(),
            sides: cells.map(bits).collect(),
        }
    }

    /// Gives a cell an own stone.
    fn melt(&mut self, cell: u8) {
        let near = self.near[usize::from(cell)];
        let sides = self.sides[usize::from(cell)];
        let gone = S::one(cell);
        for other in members(near) {
            let joined = self.near[usize::from(other)] | near;
            self.near[usize::from(other)] = joined & !(gone | S::one(other));
            self.sides[usize::from(other)] |= sides;
        }
    }

    /// Gives a cell a stone of the opponent.
    fn delete(&mut self, cell: u8) {
        let gone = S::one(cell);
        for other in members(self.near[usize::from(cell)]) {
            self.near[usize::from(other)] &= !gone;
        }
    }

    /// What keeps a cell from being dead.
    fn gaps(&self, cell: u8) -> Gaps<S> {
        let near = self.near[usize::from(cell)];
        let sides = self.sides[usize::from(cell)];
        let mut gaps = Gaps {
            one: S::NONE,
            more: S::NONE,
            near,
            without: if sides == BOTH { S::NONE } else { !S::NONE },
        };
        for other in members(near) {
            let bit = S::one(other);
            let missing = near & !(self.near[usize::from(other)] | bit);
            if sides & !self.sides[usize::from(other)] != 0 || missing.count() > 1 {
                gaps.more |= bit;
                gaps.without &= bit;
            } else if missing != S::NONE {
                gaps.one |= bit;
                gaps.without &= bit | missing;
            }
        }
        gaps
    }

    /// Whether the neighbours of a cell are all joined to each other.
    fn is_simplicial(&self, cell: u8) -> bool {
        self.is_simplicial_without(cell, S::NONE)
    }

    /// The same if the opponent has some other cells.
    fn is_simplicial_without(&self, cell: u8, gone: S) -> bool {
        let near = self.near[usize::from(cell)] & !gone;
        let sides = self.sides[usize::from(cell)];
        sides != BOTH
            && members(near).all(|other| {
                let joined = self.near[usize::from(other)] | S::one(other);
                near.is_within(joined) && sides & !self.sides[usize::from(other)] == 0
            })
    }

    /// The same with an own stone on another cell.
    fn is_simplicial_after(&self, stone: u8, cell: u8) -> bool {
        let bit = S::one(stone);
        let (melted, melted_sides) = (
            self.near[usize::from(stone)],
            self.sides[usize::from(stone)],
        );
        let after = |cell: u8| {
            let (near, sides) = (self.near[usize::from(cell)], self.sides[usize::from(cell)]);
            match near & bit == S::NONE {
                true => (near | S::one(cell), sides),
                false => ((near | melted) & !bit, sides | melted_sides),
            }
        };
        let (with_cell, sides) = after(cell);
        let near = with_cell & !S::one(cell);
        sides != BOTH
            && members(near).all(|other| {
                let (joined, joined_sides) = after(other);
                near.is_within(joined | S::one(other)) && sides & !joined_sides == 0
            })
    }
}
