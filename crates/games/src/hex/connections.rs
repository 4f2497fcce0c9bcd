//! Virtual connections: what a player can join whatever the opponent does.
//!
//! Paper: Anshelevich, "A hierarchical approach to computer Hex", 2002 (H-search); limits after
//! Pawlewicz, Hayward, Henderson and Arneson, "Stronger virtual connections in Hex", 2015.
//!
//! *Points* are the player's two sides with the chains on them, the other chains, and the empty
//! cells, which stand for a stone of the player there. Two points have a *full* connection with a
//! carrier, a set of other empty cells, if the player can join them even though the opponent
//! moves first and has all cells outside of the carrier; a *semi* connection if the player must
//! move first.
//!
//! - Neighbours have a full connection with an empty carrier.
//! - And-rule: two full connections that share one point and no cell make a full connection if
//!   the point is a chain, and a semi connection that needs the cell too if it is empty.
//! - Or-rule: semi connections of two points without a cell common to all make a full one.
//! - Both rules let connections share cells that stones on their ends, or on the cell between
//!   them, capture (see `captured`): the player owns these as good as already. They all belong to
//!   the carrier then.
//!
//! Carriers are taken up the smallest first, so that few are replaced by smaller ones later. A
//! full connection is kept only if it shrinks the intersection of those of its pair, since
//! the opponent's threat to it lies there. The limits lose connections, never truth; that the
//! rules are applied to nothing else is what **truth** hangs on.

use bouton_game::Player;

use super::board::{Board, Set, cells, members};
use super::captured::Captures;
use super::carriers::{Carriers, apart};
use super::fill_in::FillIn;
use super::resistance::Network;

/// A player's sides, as points.
const FIRST: usize = 0;
const LAST: usize = 1;

/// How many carriers a pair may keep.
const MOST_FULLS: usize = 12;
const MOST_SEMIS: usize = 24;

/// Resistances: of a chain or side, of an empty cell, of a cell of a carrier.
const CHAIN: f32 = 0.1;
const CELL: f32 = 1.0;
const CARRIED: f32 = 0.2;

/// How many semi connections the or-rule takes together.
const MOST_JOINED: usize = 6;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// As soon as the sides have a semi connection.
    Semi,
    /// As soon as the sides have a full connection.
    Full,
    /// When nothing more is found.
    #[cfg(test)]
    All,
}

/// The connections of one player.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections<S> {
    /// The cell of a point, nothing if it is a chain or a side.
    cells: Vec<S>,
    /// The empty cells that a point touches.
    touched: Vec<S>,
    /// The cells that a stone on a point captures.
    captured: Vec<S>,
    /// The stones of a point that is a chain.
    #[cfg(test)]
    pub(super) stones: Vec<u128>,
    /// Of points `a < b` at `b * (b - 1) / 2 + a`.
    pairs: Vec<Pair<S>>,
    /// The point of every empty cell.
    points: Vec<u8>,
    /// To which points a point has a full connection that was taken up: cells, and others.
    linked: Vec<(S, Vec<u8>)>,
    /// What was found and not taken up yet, by the size of the carrier.
    waiting: Vec<[Vec<Found<S>>; 2]>,
    /// No carrier that waits is smaller.
    smallest: usize,
    /// Fulls that the or-rule has found; memory to reuse.
    joined: Vec<S>,
    /// What semis that the or-rule looks at have in common; memory to reuse.
    rest: Vec<S>,
}

/// The connections of two points.
#[derive(Clone, Debug)]
struct Pair<S> {
    fulls: Carriers<S>,
    semis: Carriers<S>,
}

#[derive(Clone, Copy, Debug)]
struct Found<S> {
    points: [u8; 2],
    carrier: S,
}

/// Indices of the lists in `waiting`.
const FULL: usize = 0;
const SEMI: usize = 1;

impl<S: Set> Default for Pair<S> {
    fn default() -> Self {
        Self {
            fulls: Carriers::new(),
            semis: Carriers::new(),
        }
    }
}

fn index(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * (high - 1) / 2 + low
}

impl<S: Set> Connections<S> {
    /// Finds the connections of a player on a board.
    pub(super) fn build(
        &mut self,
        board: &Board,
        player: Player,
        filled: &FillIn<S>,
        captures: bool,
        goal: Goal,
    ) {
        self.start(board, player, filled);
        if captures {
            self.capture(board, player, filled);
        }
        while !self.reached(goal) {
            let Some((kind, found)) = self.next() else {
                return;
            };
            let [a, b] = found.points.map(usize::from);
            let pair = &mut self.pairs[index(a, b)];
            if kind == FULL {
                if pair.fulls.take_up(found.carrier) {
                    self.and_rule(a, b, found.carrier);
                }
            } else if !pair.fulls.has_within(found.carrier) && pair.semis.take_up(found.carrier) {
                self.or_rule(a, b, found.carrier);
            }
        }
    }

    /// Whether the player joins their sides when the opponent moves first.
    pub(super) fn has_full(&self) -> bool {
        let sides = &self.pairs[index(FIRST, LAST)];
        !sides.fulls.sets.is_empty() || sides.semis.common == S::NONE
    }

    /// Whether the player joins their sides when they move first.
    pub(super) fn has_semi(&self) -> bool {
        !self.pairs[index(FIRST, LAST)].semis.sets.is_empty() || self.has_full()
    }

    /// A carrier with which the player joins their sides moving first, if there is one.
    pub(super) fn semi_carrier(&self) -> S {
        let sides = &self.pairs[index(FIRST, LAST)];
        let all = sides.semis.sets.iter().chain(&sides.fulls.sets);
        let least = all.copied().min_by_key(|set| set.count());
        least.expect("there is a semi connection")
    }

    /// A carrier with which the player joins their sides moving second, if there is one.
    pub(super) fn full_carrier(&self) -> S {
        let sides = &self.pairs[index(FIRST, LAST)];
        let least = sides
            .fulls
            .sets
            .iter()
            .copied()
            .min_by_key(|set| set.count());
        let (together, _) = apart(&sides.semis.sets, !S::NONE);
        least.unwrap_or_else(|| together.into_iter().fold(S::NONE, |all, set| all | set))
    }

    /// Adds to every cell's score the current that flows through it where points have full
    /// connections.
    pub(super) fn score(&self, network: &mut Network, currents: &mut Vec<f32>, scores: &mut [f32]) {
        let points = self.cells.len();
        network.reset(points - 2);
        let resistance = |point: usize| {
            if self.cells[point] == S::NONE {
                CHAIN
            } else {
                CELL
            }
        };
        // The poles come last.
        let place = |point: usize| match point {
            FIRST => points - 2,
            LAST => points - 1,
            _ => point - 2,
        };
        for b in 2..points {
            for a in 0..b {
                let fulls = &self.pairs[index(a, b)].fulls.sets;
                if let Some(least) = fulls.iter().map(|set| set.count()).min() {
                    let g = 1.0 / (resistance(a) + resistance(b) + CARRIED * least as f32);
                    network.join(place(a), place(b), g);
                }
            }
        }
        network.currents(currents);
        for (point, current) in currents.iter().enumerate() {
            if self.cells[point + 2] != S::NONE {
                scores[usize::from(self.cells[point + 2].lowest())] += current;
            }
        }
    }

    /// Few carriers that say as much as all: whoever meets them meets all.
    pub(super) fn threats(&self) -> Vec<S> {
        apart(&self.pairs[index(FIRST, LAST)].semis.sets, !S::NONE).0
    }

    /// The cells on one of which the opponent must move to stop the player; all bits if there is
    /// no threat.
    pub(super) fn must_play(&self) -> S {
        self.pairs[index(FIRST, LAST)].semis.common
    }

    fn reached(&self, goal: Goal) -> bool {
        match goal {
            Goal::Semi => self.has_semi(),
            Goal::Full => self.has_full(),
            #[cfg(test)]
            Goal::All => false,
        }
    }

    /// Lists the points, and joins neighbours.
    fn start(&mut self, board: &Board, player: Player, filled: &FillIn<S>) {
        let own = filled.stones[player as usize].widen();
        let empty = filled.empty.widen();
        let sides = board.sides(player).map(|side| {
            let joined = board.flood(side & own, own);
            (joined, side | board.neighbours(joined))
        });
        self.cells.clear();
        self.cells.extend([S::NONE; 2]);
        // Beyond its stones, a point reaches the empty cells that it touches.
        let mut reached = vec![sides[0].1, sides[1].1];
        #[cfg(test)]
        {
            self.stones = sides.map(|(joined, _)| joined).to_vec();
        }
        let mut rest = own & !(sides[0].0 | sides[1].0);
        while rest != 0 {
            let chain = board.flood(rest & rest.wrapping_neg(), own);
            rest &= !chain;
            self.cells.push(S::NONE);
            reached.push(board.neighbours(chain));
            #[cfg(test)]
            self.stones.push(chain);
        }
        let chains = self.cells.len();
        self.points.resize(board.size.cells(), 0);
        for cell in cells(empty) {
            self.points[usize::from(cell)] = self.cells.len() as u8;
            self.cells.push(S::narrow(1 << cell));
            reached.push(board.neighbours(1 << cell));
        }
        self.reset(board.size.cells());
        for b in chains..self.cells.len() {
            let cell = self.cells[b].widen();
            for (a, reached) in reached[..b].iter().enumerate() {
                if reached & cell != 0 {
                    self.touched[a] |= self.cells[b];
                    self.touched[b] |= self.cells[a];
                    self.add_full(a, b, S::NONE);
                }
            }
        }
    }

    /// Finds the cells that stones on empty cells would capture.
    fn capture(&mut self, board: &Board, player: Player, filled: &FillIn<S>) {
        let captures = Captures {
            board,
            player,
            own: filled.stones[player as usize].widen(),
            empty: filled.empty.widen(),
        };
        let points = self.cells.len();
        let chains = self
            .cells
            .iter()
            .take_while(|&&cell| cell == S::NONE)
            .count();
        for point in chains..points {
            let cell = self.cells[point].lowest();
            let mut pairs: [S; 3] = [S::NONE; 3];
            let mut count = 0;
            captures.of(cell, |pair| {
                pairs[count] = S::narrow(pair);
                count += 1;
            });
            for &pair in &pairs[..count] {
                self.captured[point] |= pair;
            }
        }
    }

    /// Makes room for the points, and forgets all connections.
    fn reset(&mut self, cells: usize) {
        let points = self.cells.len();
        let pairs = points * (points - 1) / 2;
        for pair in self.pairs.iter_mut().take(pairs) {
            pair.fulls.clear();
            pair.semis.clear();
        }
        if self.pairs.len() < pairs {
            self.pairs.resize_with(pairs, Pair::default);
        }
        for sets in [&mut self.touched, &mut self.captured] {
            sets.clear();
            sets.resize(points, S::NONE);
        }
        for (cells, others) in &mut self.linked {
            *cells = S::NONE;
            others.clear();
        }
        if self.linked.len() < points {
            self.linked.resize_with(points, Default::default);
        }
        self.waiting.resize_with(cells + 1, Default::default);
        self.waiting.iter_mut().flatten().for_each(Vec::clear);
        self.smallest = 0;
    }

    /// Takes out the connection with the smallest carrier.
    fn next(&mut self) -> Option<(usize, Found<S>)> {
        while let Some(kinds) = self.waiting.get_mut(self.smallest) {
            for (kind, list) in kinds.iter_mut().enumerate() {
                if let Some(found) = list.pop() {
                    return Some((kind, found));
                }
            }
            self.smallest += 1;
        }
        None
    }

    fn add_full(&mut self, a: usize, b: usize, carrier: S) {
        let fulls = &mut self.pairs[index(a, b)].fulls;
        if fulls.add(carrier, MOST_FULLS, true) {
            self.wait(FULL, a, b, carrier);
        }
    }

    fn add_semi(&mut self, a: usize, b: usize, carrier: S) {
        let Pair { fulls, semis } = &mut self.pairs[index(a, b)];
        // Where fulls have nothing in common already, more of them say no more.
        if fulls.common != S::NONE
            && !fulls.has_within(carrier)
            && semis.add(carrier, MOST_SEMIS, false)
        {
            self.wait(SEMI, a, b, carrier);
        }
    }

    fn wait(&mut self, kind: usize, a: usize, b: usize, carrier: S) {
        let points = [a as u8, b as u8];
        let size = carrier.count();
        self.smallest = self.smallest.min(size);
        self.waiting[size][kind].push(Found { points, carrier });
    }

    /// Goes on from both ends of a full connection.
    fn and_rule(&mut self, a: usize, b: usize, carrier: S) {
        for (from, middle) in [(a, b), (b, a)] {
            // Whoever is at a side has arrived.
            if middle > LAST {
                self.go_on(from, middle, carrier);
            }
        }
        if self.pairs[index(a, b)].fulls.taken_up == 1 {
            self.link(a, b);
            self.link(b, a);
        }
    }

    /// Notes a full connection.
    fn link(&mut self, from: usize, to: usize) {
        let (cells, others) = &mut self.linked[from];
        // A list of carriers may have become empty and be begun anew.
        if self.cells[to] != S::NONE {
            *cells |= self.cells[to];
        } else if !others.contains(&(to as u8)) {
            others.push(to as u8);
        }
    }

    /// Joins a full connection to those that begin where it ends.
    fn go_on(&mut self, from: usize, middle: usize, carrier: S) {
        // Nothing is better than to be neighbours.
        let needless = carrier | self.cells[from] | self.touched[from];
        for cell in members(self.linked[middle].0 & !needless) {
            let to = usize::from(self.points[usize::from(cell)]);
            self.join([from, middle, to], carrier);
        }
        for link in 0..self.linked[middle].1.len() {
            let to = usize::from(self.linked[middle].1[link]);
            if to != from && self.cells[from].is_apart(self.touched[to]) {
                self.join([from, middle, to], carrier);
            }
        }
    }

    /// Joins a full connection of the first two points to those of the last two.
    fn join(&mut self, points: [usize; 3], carrier: S) {
        let [from, middle, to] = points;
        let [start, at, _] = points.map(|point| self.cells[point]);
        let captured = points
            .iter()
            .fold(S::NONE, |all, &point| all | self.captured[point]);
        let pair = index(middle, to);
        // Nothing can be joined to what all share.
        if !(carrier & self.pairs[pair].fulls.common).is_within(captured) {
            return;
        }
        // Where fulls have nothing in common, semis are not asked for.
        if at != S::NONE && self.pairs[index(from, to)].fulls.common == S::NONE {
            return;
        }
        for next in 0..self.pairs[pair].fulls.taken_up {
            let carrier_on = self.pairs[pair].fulls.sets[next];
            let shared = carrier & carrier_on;
            if !carrier_on.is_apart(start) || !shared.is_within(captured) {
                continue;
            }
            let mut both = carrier | carrier_on | at;
            if shared != S::NONE {
                let captured = self.captured_by(points);
                if !shared.is_within(captured) {
                    continue;
                }
                both |= captured;
            }
            if at == S::NONE {
                self.add_full(from, to, both);
            } else {
                self.add_semi(from, to, both);
            }
        }
    }

    /// What stones on some points capture, as far as these do not take it themselves.
    fn captured_by<const N: usize>(&self, points: [usize; N]) -> S {
        let taken = points
            .iter()
            .fold(S::NONE, |all, &point| all | self.cells[point]);
        let captured = points.iter().map(|&point| self.captured[point]);
        captured.fold(S::NONE, |all, set| {
            if set.is_apart(taken | all) {
                all | set
            } else {
                all
            }
        })
    }

    /// Takes a new semi connection together with others.
    fn or_rule(&mut self, a: usize, b: usize, carrier: S) {
        // Between the sides it is enough to know what all have in common.
        if (a.min(b), a.max(b)) == (FIRST, LAST) {
            return;
        }
        let captured = self.captured_by([a, b]);
        let pair = &self.pairs[index(a, b)];
        if !pair.semis.common.is_within(captured) {
            return;
        }
        let others = pair.semis.taken();
        let common = others.iter().fold(!captured, |common, &set| common & set);
        if common != S::NONE {
            return;
        }
        let mut joined = std::mem::take(&mut self.joined);
        joined.clear();
        let (_, others) = others.split_last().expect("the new one");
        if carrier.is_within(captured) {
            joined.push(captured);
        } else {
            let mut rest = std::mem::take(&mut self.rest);
            common_to_rest(others, &mut rest);
            let joining = Joining {
                fulls: &pair.fulls,
                others,
                rest: &rest,
                captured,
            };
            joining.join(0, carrier, carrier, MOST_JOINED - 1, &mut joined);
            self.rest = rest;
        }
        for &carrier in &joined {
            self.add_full(a, b, carrier);
        }
        self.joined = joined;
    }
}

/// For each place, what all carriers from there on have in common.
fn common_to_rest<S: Set>(carriers: &[S], into: &mut Vec<S>) {
    into.clear();
    into.resize(carriers.len(), S::NONE);
    let mut common = !S::NONE;
    for (place, &carrier) in carriers.iter().enumerate().rev() {
        common &= carrier;
        into[place] = common;
    }
}

/// Semi connections to be joined.
struct Joining<'a, S> {
    fulls: &'a Carriers<S>,
    others: &'a [S],
    /// What those from a place on have in common.
    rest: &'a [S],
    /// What they may have in common after all.
    captured: S,
}

impl<S: Set> Joining<'_, S> {
    /// Finds unions of few semi connections, from a place on, that have nothing in common.
    fn join(&self, from: usize, common: S, union: S, more: usize, found: &mut Vec<S>) {
        let no_use = self.fulls.common;
        for place in from..self.others.len() {
            // However many are taken, this much stays.
            if !(common & self.rest[place]).is_within(self.captured) {
                return;
            }
            let other = self.others[place];
            let (less, all) = (common & other, union | other);
            if less == common {
                continue;
            }
            // More semis only add cells: nothing new can come of it.
            let known = found.iter().any(|set| set.is_within(all));
            if known || no_use.is_within(all) && !self.fulls.sets.is_empty() {
                continue;
            }
            if less == S::NONE {
                found.push(all);
            } else if less.is_within(self.captured) {
                found.push(all | self.captured);
            } else if more > 1 {
                self.join(place + 1, less, all, more - 1, found);
            }
        }
    }
}

#[cfg(test)]
impl<S: Set> Connections<S> {
    /// Every connection: its points as sets of cells, whether it is full, its carrier.
    pub(super) fn all(&self) -> Vec<([u128; 2], [usize; 2], bool, u128)> {
        let mut all = Vec::new();
        for b in 1..self.cells.len() {
            for a in 0..b {
                let ends = [a, b].map(|point| self.cells[point].widen());
                let Pair { fulls, semis } = &self.pairs[index(a, b)];
                let kinds = [(true, fulls), (false, semis)];
                for (full, carriers) in kinds {
                    let sets = carriers.sets.iter();
                    all.extend(sets.map(|set| (ends, [a, b], full, set.widen())));
                }
            }
        }
        all
    }
}
