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
//! - Edge templates (see `templates`) are full and semi connections ready made.
//! - Both rules let connections share cells that a stone captures (see `captured`), on the cell
//!   between them or on one of their ends: the player owns these as good as already. What that
//!   stone captures belongs to the carrier then.
//!
//! Carriers are taken up the smallest first, so that few are replaced by smaller ones later. A
//! full connection is kept only if it shrinks the intersection of those of its pair, since
//! the opponent's threat to it lies there, and a semi connection only if it can lead to such a one:
//! if it does not contain that intersection. Semi connections are not even looked at again before
//! those of their pair have nothing in common. The limits lose connections, never truth; that the
//! rules are applied to nothing else is what **truth** hangs on.

use bouton_game::Player;

use super::board::{Board, Set, cells};
use super::captured::Captures;
use super::carriers::{Carriers, SIDES, apart, index};
use super::fill_in::FillIn;
use super::resistance::Network;
use super::templates::{Holding, Templates};
use super::waiting::{FULL, Waiting};

/// A player's sides, as points.
pub(super) const FIRST: usize = 0;
pub(super) const LAST: usize = 1;

/// How many carriers a pair may keep. With half as many, nine openings of 8x8 (b1 to g1, f3, c4, e4) take
/// a quarter more builds in no less time, all openings of 7x7 as many.
const MOST_FULLS: usize = 16;
const MOST_SEMIS: usize = 64;

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

/// Where connections are looked for, and with what.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a, S> {
    pub(super) board: &'a Board,
    pub(super) filled: &'a FillIn<S>,
    /// Whether connections may share what their ends capture.
    pub(super) captures: bool,
    /// Whether edge templates are taken.
    pub(super) templates: bool,
}

/// The connections of one player.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections<S> {
    points: Vec<Point<S>>,
    /// The stones of a point that is a chain.
    #[cfg(test)]
    pub(super) stones: Vec<u128>,
    /// The point of every place.
    at: Vec<u8>,
    /// Of all pairs of points.
    fulls: Carriers<S, MOST_FULLS>,
    semis: Carriers<S, MOST_SEMIS>,
    waiting: Waiting<S>,
    /// Fulls that the and-rule has found, and where they lead to; memory to reuse.
    joined: Vec<(usize, S)>,
    /// Fulls that the or-rule has found; memory to reuse.
    found: Vec<S>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Point<S> {
    /// The cell, nothing if it is a chain or a side.
    cell: S,
    /// The point alone.
    itself: Points<S>,
    /// The cells that a stone here captures.
    captured: S,
    /// To which points it has a full connection that was taken up.
    linked: Points<S>,
    /// To which points it has full connections that share no cell: none better is asked for.
    /// And itself.
    done: Points<S>,
}

/// A set of points.
#[derive(Clone, Copy, Debug, Default)]
struct Points<S> {
    /// The places of cells and chains: the cell, the first of the stones.
    places: S,
    /// The sides, a bit each.
    sides: u8,
}

impl<S: Set> Points<S> {
    fn add(&mut self, other: Self) {
        self.places |= other.places;
        self.sides |= other.sides;
    }
}

impl<S: Set> Point<S> {
    fn new(cell: S, places: S, sides: u8) -> Self {
        let itself = Points { places, sides };
        Self {
            cell,
            itself,
            captured: S::NONE,
            linked: Points::default(),
            done: itself,
        }
    }
}

impl<S: Set> Connections<S> {
    /// Finds the connections of a player.
    pub(super) fn build(&mut self, ground: Ground<S>, player: Player, goal: Goal) {
        let Ground { board, filled, .. } = ground;
        self.start(board, player, filled);
        if ground.captures {
            self.capture(board, player, filled);
        }
        if ground.templates {
            self.look_up(S::templates(board), player, filled);
        }
        while let Some((kind, found)) = self.waiting.next() {
            let [a, b] = found.points.map(usize::from);
            if kind == FULL {
                if self.fulls.take_up(index(a, b), found.carrier) {
                    self.and_rule(a, b, found.carrier);
                    if self.reached(goal) {
                        return;
                    }
                }
            } else if self.semis.take_up(index(a, b), found.carrier) {
                self.or_rule(a, b, found.carrier);
            }
        }
    }

    /// Whether the player joins their sides when the opponent moves first.
    pub(super) fn has_full(&self) -> bool {
        !self.fulls.of(SIDES).is_empty() || self.semis.common(SIDES) == S::NONE
    }

    /// Whether the player joins their sides when they move first.
    pub(super) fn has_semi(&self) -> bool {
        !self.semis.of(SIDES).is_empty() || self.has_full()
    }

    /// A carrier with which the player joins their sides moving first, if there is one.
    pub(super) fn semi_carrier(&self) -> S {
        let all = self.semis.of(SIDES).iter().chain(self.fulls.of(SIDES));
        let least = all.copied().min_by_key(|set| set.count());
        least.expect("there is a semi connection")
    }

    /// A carrier with which the player joins their sides moving second, if there is one.
    pub(super) fn full_carrier(&self) -> S {
        let fulls = self.fulls.of(SIDES).iter();
        let least = fulls.copied().min_by_key(|set| set.count());
        let (together, _) = apart(self.semis.of(SIDES), !S::NONE);
        least.unwrap_or_else(|| together.into_iter().fold(S::NONE, |all, set| all | set))
    }

    /// The current that flows where points have full connections: notes how much of it flows
    /// through every cell, and returns the whole.
    pub(super) fn flow(
        &self,
        network: &mut Network,
        currents: &mut Vec<f32>,
        mut note: impl FnMut(u8, f32),
    ) -> f32 {
        let points = self.points.len();
        network.reset(points - 2);
        let resistance = |point: usize| match self.points[point].cell == S::NONE {
            true => CHAIN,
            false => CELL,
        };
        // The poles come last.
        let place = |point: usize| match point {
            FIRST => points - 2,
            LAST => points - 1,
            _ => point - 2,
        };
        for b in 2..points {
            for a in 0..b {
                // The smallest was taken up first.
                if let Some(least) = self.fulls.of(index(a, b)).first() {
                    let carried = CARRIED * least.count() as f32;
                    let g = 1.0 / (resistance(a) + resistance(b) + carried);
                    network.join(place(a), place(b), g);
                }
            }
        }
        let whole = network.currents(currents);
        for (point, current) in self.points[2..].iter().zip(currents) {
            if point.cell != S::NONE {
                note(point.cell.lowest(), *current);
            }
        }
        whole
    }

    /// To how many of the sides a stone on an empty cell has a full connection, and how many semi
    /// connections to them are known.
    pub(super) fn ties(&self, cell: u8) -> [usize; 2] {
        let point = usize::from(self.at[usize::from(cell)]);
        let pairs = [FIRST, LAST].map(|side| index(side, point));
        let fulls = pairs
            .iter()
            .filter(|&&pair| !self.fulls.of(pair).is_empty());
        let semis = pairs.iter().map(|&pair| self.semis.of(pair).len());
        [fulls.count(), semis.sum()]
    }

    /// Few carriers that say as much as all: whoever meets them meets all.
    pub(super) fn threats(&self) -> Vec<S> {
        apart(self.semis.of(SIDES), !S::NONE).0
    }

    /// The cells on one of which the opponent must move to stop the player; all bits if there is
    /// no threat.
    pub(super) fn must_play(&self) -> S {
        self.semis.common(SIDES)
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
        self.points.clear();
        let sides_alone = [FIRST, LAST].map(|side| Point::new(S::NONE, S::NONE, 1 << side));
        self.points.extend(sides_alone);
        self.at.resize(board.size.cells(), 0);
        // Beyond its stones, a point reaches the empty cells that it touches.
        let mut reached = vec![sides[0].1, sides[1].1];
        #[cfg(test)]
        {
            self.stones = sides.map(|(joined, _)| joined).to_vec();
        }
        for side in [FIRST, LAST] {
            cells(sides[side].0).for_each(|cell| self.at[usize::from(cell)] = side as u8);
        }
        let mut rest = own & !(sides[0].0 | sides[1].0);
        while rest != 0 {
            let first = rest & rest.wrapping_neg();
            let chain = board.flood(first, own);
            rest &= !chain;
            let point = self.points.len() as u8;
            cells(chain).for_each(|cell| self.at[usize::from(cell)] = point);
            self.points.push(Point::new(S::NONE, S::narrow(first), 0));
            reached.push(board.neighbours(chain));
            #[cfg(test)]
            self.stones.push(chain);
        }
        let chains = self.points.len();
        for cell in cells(empty) {
            self.at[usize::from(cell)] = self.points.len() as u8;
            self.points.push(Point::new(S::one(cell), S::one(cell), 0));
            reached.push(board.neighbours(1 << cell));
        }
        self.reset(board.size.cells());
        for b in chains..self.points.len() {
            let cell = self.points[b].cell.widen();
            for (a, reached) in reached[..b].iter().enumerate() {
                if reached & cell != 0 {
                    self.add_full(a, b, S::NONE);
                }
            }
        }
    }

    /// Finds the cells that stones on empty cells would capture.
    fn capture(&mut self, board: &Board, player: Player, filled: &FillIn<S>) {
        let captures = Captures::new(board, player, filled);
        for point in &mut self.points {
            if point.cell != S::NONE {
                captures.of(point.cell.lowest(), |pair| {
                    point.captured |= S::narrow(pair);
                });
            }
        }
    }

    /// Takes what edge templates say.
    fn look_up(&mut self, templates: &Templates<S>, player: Player, filled: &FillIn<S>) {
        let [own, other] = [player, !player].map(|player| filled.stones[player as usize]);
        for holding in templates.holding(player, own, other) {
            let Holding { side, carrier, .. } = holding;
            let end = usize::from(self.at[usize::from(holding.end)]);
            if end == side {
                continue;
            }
            match holding.missing == S::NONE {
                true => self.add_full(end, side, carrier),
                false => self.add_semi(end, side, carrier | holding.missing),
            }
        }
    }

    /// Makes room for the points, and forgets all connections.
    fn reset(&mut self, cells: usize) {
        let points = self.points.len();
        let pairs = points * (points - 1) / 2;
        self.fulls.reset(pairs);
        self.semis.reset(pairs);
        self.waiting.reset(cells);
    }

    fn add_full(&mut self, a: usize, b: usize, carrier: S) {
        let pair = index(a, b);
        if self.fulls.add_useful(pair, carrier) {
            // Of semis that contain what all fulls share nothing new can come.
            let common = self.fulls.common(pair);
            self.semis.drop_around(pair, common);
            self.waiting.add(FULL, a, b, carrier);
            if common == S::NONE {
                let [first, last] = [a, b].map(|point| self.points[point].itself);
                self.points[a].done.add(last);
                self.points[b].done.add(first);
            }
        }
    }

    fn add_semi(&mut self, a: usize, b: usize, carrier: S) {
        let pair = index(a, b);
        let before = self.semis.common(pair);
        // Of what contains the cells that all fulls share nothing new can come.
        if !self.fulls.common(pair).is_within(carrier) && self.semis.add(pair, carrier) {
            let captured = self.points[a].captured | self.points[b].captured;
            let semis = &mut self.semis;
            self.waiting
                .add_semi(semis, [a, b], carrier, before, captured);
        }
    }

    /// Goes on from both ends of a full connection.
    fn and_rule(&mut self, a: usize, b: usize, carrier: S) {
        for (from, middle) in [(a, b), (b, a)] {
            // Whoever is at a side has arrived.
            if middle > LAST {
                self.go_on(from, middle, carrier);
            }
        }
        let [first, last] = [a, b].map(|point| self.points[point].itself);
        self.points[a].linked.add(last);
        self.points[b].linked.add(first);
    }

    /// Joins a full connection to those that begin where it ends.
    fn go_on(&mut self, from: usize, middle: usize, carrier: S) {
        let Self { points, fulls, .. } = self;
        let [start, turn] = [&points[from], &points[middle]];
        let mut places = turn.linked.places & !(start.done.places | carrier);
        let mut sides = turn.linked.sides & !start.done.sides;
        loop {
            let to = if places != S::NONE {
                let place = places.lowest();
                places &= !S::one(place);
                usize::from(self.at[usize::from(place)])
            } else if sides != 0 {
                let side = sides.trailing_zeros() as usize;
                sides &= sides - 1;
                side
            } else {
                break;
            };
            let (next, whole) = (index(middle, to), index(from, to));
            let known = fulls.common(whole);
            // Nothing can be joined to what all share, and of what contains the cells that all
            // fulls share nothing new can come.
            let blocked = !(carrier & fulls.common(next)).is_within(turn.captured);
            if blocked | known.is_within(carrier | turn.cell) {
                continue;
            }
            for &carrier_on in fulls.taken(next) {
                let shared = carrier & carrier_on;
                if !carrier_on.is_apart(start.cell) || !shared.is_within(turn.captured) {
                    continue;
                }
                let mut both = carrier | carrier_on | turn.cell;
                if shared != S::NONE {
                    if !turn.captured.is_apart(start.cell | points[to].cell) {
                        continue;
                    }
                    both |= turn.captured;
                }
                if turn.cell == S::NONE {
                    self.joined.push((to, both));
                } else if !known.is_within(both) {
                    let before = self.semis.common(whole);
                    if self.semis.add(whole, both) {
                        let captured = start.captured | points[to].captured;
                        let semis = &mut self.semis;
                        let points = [from, to];
                        self.waiting.add_semi(semis, points, both, before, captured);
                    }
                }
            }
        }
        while let Some((to, both)) = self.joined.pop() {
            self.add_full(from, to, both);
        }
    }

    /// What stones on two points capture, as far as these do not take it themselves, and the
    /// second only what the first does not capture.
    fn captured_by(&self, a: usize, b: usize) -> [S; 2] {
        let [first, last] = [a, b].map(|point| &self.points[point]);
        let taken = first.cell | last.cell;
        let free = |set: S, taken: S| if set.is_apart(taken) { set } else { S::NONE };
        let one = free(first.captured, taken);
        [one, free(last.captured, taken | one)]
    }

    /// Takes a new semi connection together with others.
    fn or_rule(&mut self, a: usize, b: usize, carrier: S) {
        let pair = index(a, b);
        let shared = self.captured_by(a, b);
        let captured = shared[0] | shared[1];
        if !self.semis.common(pair).is_within(captured) {
            return;
        }
        let (_, others) = self.semis.taken(pair).split_last().expect("the new one");
        let mut rest = [S::NONE; MOST_SEMIS];
        let mut common = carrier;
        for (&other, rest) in others.iter().zip(&mut rest).rev() {
            common &= other;
            *rest = common;
        }
        if !common.is_within(captured) {
            return;
        }
        if carrier.is_within(captured) {
            return self.add_full(a, b, captured);
        }
        let mut found = std::mem::take(&mut self.found);
        let joining = Joining {
            known: self.fulls.common(pair),
            others,
            rest: &rest,
            shared,
        };
        joining.join(0, carrier, carrier, MOST_JOINED - 1, &mut found);
        for carrier in found.drain(..) {
            self.add_full(a, b, carrier);
        }
        self.found = found;
    }
}

/// Semi connections to be joined.
struct Joining<'a, S> {
    /// What fulls that are known have in common; all bits if there are none.
    known: S,
    others: &'a [S],
    /// What those from a place on have in common with the first.
    rest: &'a [S],
    /// What they may have in common after all: what the one end captures, and the other.
    shared: [S; 2],
}

impl<S: Set> Joining<'_, S> {
    /// Finds unions of few semi connections, from a place on, that have nothing in common.
    fn join(&self, from: usize, common: S, union: S, more: usize, found: &mut Vec<S>) {
        let captured = self.shared[0] | self.shared[1];
        for place in from..self.others.len() {
            // However many are taken, this much stays.
            if !(common & self.rest[place]).is_within(captured) {
                return;
            }
            let other = self.others[place];
            let (less, all) = (common & other, union | other);
            if less == common {
                continue;
            }
            // More semis only add cells: nothing new can come of it.
            if self.known.is_within(all) || found.iter().any(|set| set.is_within(all)) {
                continue;
            }
            if less == S::NONE {
                found.push(all);
            } else if less.is_within(captured) {
                let needed = self.shared.iter().filter(|set| !set.is_apart(less));
                found.push(needed.fold(all, |all, &set| all | set));
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
        for b in 1..self.points.len() {
            for a in 0..b {
                let ends = [a, b].map(|point| self.points[point].cell.widen());
                let pair = index(a, b);
                for (full, sets) in [(true, self.fulls.of(pair)), (false, self.semis.of(pair))] {
                    let sets = sets.iter();
                    all.extend(sets.map(|set| (ends, [a, b], full, set.widen())));
                }
            }
        }
        all
    }
}
