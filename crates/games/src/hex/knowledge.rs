//! What is known about a Hex position without search: fill-in, virtual connections, must-play.
//!
//! Papers: Hayward et al., "Solving 8x8 Hex", 2009; Arneson, Hayward and Henderson, "Solving Hex:
//! beyond humans", 2010.
//!
//! Connections are looked for when a node is expanded and not when it is first seen, since most
//! leaves never are; their first numbers are two-distances. See `sight` for what is seen,
//! `memory` for what is kept, `wins` for what serves elsewhere.

use std::cmp::Reverse;

use bouton_game::{Estimate, Knowledge, List, Nimber, Outcome, Player, Widening};

use super::alike::Gist;
use super::carriers::apart;
use super::memory::{Known, Memory, Open, Reply};
use super::order::{Rank, Ranking, distances, numbers};
use super::parts::Parts;
use super::promise::{Flow, Prospect, expected};
use super::sight::{Seen, Sight, View};
use super::wins::{Recall, Recalled};
use super::{Hex, Position, TwoDistance, cells, least};
use crate::grid::Size;

/// Static proofs for Hex; see the top of the file.
#[derive(Clone, Debug)]
pub struct VirtualConnections {
    parts: Parts,
    order: TwoDistance,
    /// For boards of up to 64 cells, and for larger ones.
    short: Sight<u64>,
    long: Sight<u128>,
    /// The board that the memory is about.
    size: Option<Size>,
    memory: Memory,
    /// The position whose moves were last asked for: the numbers of its children come next.
    latest: Option<Position>,
    builds: u64,
}

/// Bytes of memory that are of use. With a quarter of them 8x8 e4 takes as many builds.
const ENOUGH: usize = 96 << 20;

/// The part of them that wins may take.
const WINS: usize = 8;

/// A move by its promise and its distances, and where it leads to.
type Ranked = ((Reverse<i32>, Rank), Reply);

/// Promises are compared in steps of a hundredth.
const STEPS: f32 = 100.0;

/// As in Benzene. For four openings of 7x7 shares of 0.4 and 0.5 take 11 % and 1 % more builds.
const WIDENING: Widening = Widening {
    base: 1,
    share: 0.25,
};

/// What was found out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insight {
    /// Its outcome.
    Decided(Outcome),
    /// If the player to move wins at all, then with one of these moves.
    Moves {
        /// The position, filled in.
        board: Position,
        /// The cells to move onto.
        moves: u128,
    },
}

impl VirtualConnections {
    /// Knowledge with some parts only.
    pub fn with(parts: Parts) -> Self {
        Self {
            parts,
            order: TwoDistance::default(),
            short: Sight::default(),
            long: Sight::default(),
            size: None,
            memory: Memory::new(ENOUGH),
            latest: None,
            builds: 0,
        }
    }

    /// How often the connections of a position were looked for.
    pub fn builds(&self) -> u64 {
        self.builds
    }

    /// The position with stones on cells where they change nothing.
    pub fn filled(&mut self, game: &Hex, position: &Position) -> Position {
        match game.is_short() {
            true => self.short.fill(game, position, self.parts),
            false => self.long.fill(game, position, self.parts),
        }
    }

    /// Looks at a position that is not decided by the rules.
    pub fn look(&mut self, game: &Hex, position: &Position) -> Insight {
        match self.see(game, position) {
            Seen::Decided(outcome, _) => Insight::Decided(outcome),
            Seen::Open(View { board, moves, .. }) => Insight::Moves { board, moves },
        }
    }

    /// What wins elsewhere say about a position, and a look at it if they do not decide.
    fn recall_or_see(&mut self, game: &Hex, position: &Position) -> Seen {
        if !self.parts.recall {
            return self.see(game, position);
        }
        let threats = match self.wins(game).ask(&game.board, position) {
            Recalled::Decided(outcome, proof) => return Seen::Decided(outcome, proof),
            Recalled::Threats(threats) => threats,
        };
        let mut seen = View::unseen(game, position).with(position, &threats);
        if let Seen::Open(_) = seen {
            seen = match self.see(game, position) {
                Seen::Open(view) => view.with(position, &threats),
                decided => decided,
            };
        }
        if let Seen::Decided(outcome, proof) = seen {
            self.wins(game).add(&game.board, position, outcome, proof);
        }
        seen
    }

    fn wins(&mut self, game: &Hex) -> &mut dyn Recall {
        match game.is_short() {
            true => &mut self.short.wins,
            false => &mut self.long.wins,
        }
    }

    fn see(&mut self, game: &Hex, position: &Position) -> Seen {
        self.builds += 1;
        match game.is_short() {
            true => self.short.look(game, position, self.parts),
            false => self.long.look(game, position, self.parts),
        }
    }

    fn child(&mut self, game: &Hex, side: Player, cell: u8) -> Position {
        match game.is_short() {
            true => self.short.child(game, side, cell, self.parts),
            false => self.long.child(game, side, cell, self.parts),
        }
    }

    /// How the current flows in a view, if that is of use.
    fn flow(&mut self, game: &Hex, view: &View) -> Option<Flow> {
        let Parts {
            resistance,
            connections,
            ..
        } = self.parts;
        let cells = game.size().cells();
        let of_use = resistance && connections && view.has_choice();
        of_use.then(|| match game.is_short() {
            true => self.short.flow(cells),
            false => self.long.flow(cells),
        })
    }

    /// The promise of a move in the position that was last looked at.
    fn promise(&self, game: &Hex, view: &View, flow: &Flow, reply: &Reply) -> f32 {
        let Reply { cell, child, .. } = reply;
        let side = view.board.side;
        let settled = child.stones(side) & !view.board.stones(side) & !(1 << cell);
        let prospect = Prospect {
            through: flow.through[usize::from(*cell)],
            ties: match game.is_short() {
                true => self.short.ties(*cell),
                false => self.long.ties(*cell),
            },
            settled: settled.count_ones(),
            distance: reply.distances[1],
        };
        flow.promise(view.moves.count_ones(), &prospect)
    }

    /// The moves of a view, the best first, each with the child it leads to.
    fn replies(&mut self, game: &Hex, view: &View) -> Vec<Reply> {
        let mut ranked = self.ranked(game, view);
        ranked.sort_unstable_by_key(|(rank, reply)| (*rank, reply.cell));
        if self.parts.domination {
            drop_dominated(&mut ranked, view.board.side);
        }
        let replies = ranked.into_iter().map(|(_, reply)| {
            let (child, turned) = self.searched_for(game, &reply.child);
            Reply {
                turned,
                child,
                ..reply
            }
        });
        replies.collect()
    }

    /// What is searched for a filled-in position, and whether it is like it only after half a turn.
    pub(super) fn searched_for(&self, game: &Hex, filled: &Position) -> (Position, bool) {
        let alike = || {
            let (gist, turned) = Gist::of(&game.board, filled)?;
            let (alike, turned_too) = self.memory.alike(&game.board, &gist)?;
            Some((alike, turned != turned_too))
        };
        let found = if self.parts.alike { alike() } else { None };
        found.unwrap_or_else(|| {
            let least = least(*filled, game.half_turn(filled));
            (least, least != *filled)
        })
    }

    /// Has a position be searched for all that are like it.
    fn stand_for_all_alike(&mut self, game: &Hex, position: &Position) {
        let gist = || Some(Gist::of(&game.board, position)?.0);
        let gist = if self.parts.alike { gist() } else { None };
        if let Some(gist) = gist {
            self.memory.put_alike(&gist, position);
        }
    }

    /// The moves of a view with the children they lead to, and what they are ordered by.
    fn ranked(&mut self, game: &Hex, view: &View) -> Vec<Ranked> {
        let ranking = Ranking::new(game, &view.board);
        let flow = self.flow(game, view);
        let side = view.board.side;
        let mut ranked: Vec<Ranked> = Vec::new();
        for cell in cells(view.moves) {
            let child = self.child(game, side, cell);
            let mut reply = Reply {
                cell,
                turned: false,
                promise: 0.0,
                distances: distances(game, &child),
                stones: [child.black, child.white],
                child,
            };
            if let Some(flow) = &flow {
                reply.promise = self.promise(game, view, flow, &reply);
            }
            let rank = ranking.of(game, cell.into());
            ranked.push(((Reverse((STEPS * reply.promise) as i32), rank), reply));
        }
        ranked
    }

    /// The move that leads to a position, if it is one of the latest.
    fn latest_reply(&self, position: &Position) -> Option<&Reply> {
        match self.memory.get(&self.latest?)? {
            Known::Open(open) => open.moves.iter().find(|reply| reply.child == *position),
            Known::Solved { .. } => None,
        }
    }

    /// The cells with which the opponent wins after a reply that is known to lose, if they are
    /// not met.
    fn threat(&self, game: &Hex, position: &Position, reply: &Reply) -> Option<u128> {
        let known = self.memory.outcome(&reply.child) == Some(Outcome::Win);
        known.then(|| self.proof_after(game, position, reply, !position.side))?
    }

    /// The cells that meet all threats which the search has found below a position.
    fn met(&self, game: &Hex, position: &Position, open: &Open) -> u128 {
        if !self.parts.proof_sets {
            return !0;
        }
        let threats = open.moves.iter();
        let threats = threats.filter_map(|reply| self.threat(game, position, reply));
        threats.fold(!0, |met, threat| met & threat)
    }

    /// The proof set of a child, as one of the position.
    fn proof_after(
        &self,
        game: &Hex,
        position: &Position,
        reply: &Reply,
        winner: Player,
    ) -> Option<u128> {
        let mut proof = self.memory.proof(&reply.child)?;
        if reply.turned {
            proof = game.board.half_turn(proof);
        }
        Some((proof | reply.stones(winner)) & !position.stones(winner))
    }

    /// A proof set of a position that was just solved.
    fn proof(&self, game: &Hex, position: &Position, outcome: Outcome) -> Option<u128> {
        let Known::Open(open) = self.memory.get(position)? else {
            return None;
        };
        let replies = open.moves.iter();
        if outcome == Outcome::Win {
            let won = replies.filter_map(|reply| {
                let lost = self.memory.outcome(&reply.child) == Some(Outcome::Loss);
                lost.then(|| self.proof_after(game, position, reply, position.side))?
            });
            return won.min_by_key(|proof| proof.count_ones());
        }
        let mut sets = open.threats.to_vec();
        sets.extend(replies.filter_map(|reply| self.threat(game, position, reply)));
        let (chosen, common) = apart(&sets, open.empty);
        (common == 0).then(|| chosen.into_iter().fold(0, |all, set| all | set))
    }

    fn remember(&mut self, game: &Hex, position: &Position, outcome: Outcome, proof: Option<u128>) {
        let proof = proof.unwrap_or_else(|| game.empty(position));
        self.memory.put(*position, Known::Solved { outcome, proof });
    }

    /// Forgets all about another board.
    fn attend(&mut self, game: &Hex) {
        if self.size != Some(game.size()) {
            self.memory.clear();
            self.short.wins.clear();
            self.long.wins.clear();
            self.size = Some(game.size());
        }
    }
}

/// Drops moves that leave less than others: fewer own stones, more of the opponent.
fn drop_dominated(ranked: &mut Vec<Ranked>, side: Player) {
    let mut index = 0;
    while index < ranked.len() {
        let Reply { child, .. } = ranked[index].1;
        let dominated = ranked.iter().enumerate().any(|(other, (_, reply))| {
            let better = reply.child;
            let at_least = child.stones(side) & !better.stones(side) == 0
                && better.stones(!side) & !child.stones(!side) == 0;
            // Of equal ones the first stays.
            other != index && at_least && (better != child || other < index)
        });
        if dominated {
            ranked.remove(index);
        } else {
            index += 1;
        }
    }
}

impl Default for VirtualConnections {
    fn default() -> Self {
        Self::with(Parts::default())
    }
}

impl Knowledge<Hex> for VirtualConnections {
    const PARTS: &'static [&'static str] = &Parts::NAMES;

    fn leave_out(&mut self, part: usize) {
        self.parts.leave_out(part);
    }

    fn allow(&mut self, bytes: usize) -> usize {
        let bytes = bytes.min(ENOUGH);
        // Only those of one width are in use.
        let short = self.short.wins.allow(bytes / WINS);
        let long = self.long.wins.allow(bytes / WINS);
        self.memory = Memory::new(bytes - short.max(long));
        bytes
    }

    fn kept_bytes(&self) -> usize {
        let wins = self.short.wins.bytes() + self.long.wins.bytes();
        self.memory.bytes() + wins
    }

    /// The filled-in board, or one that is like it.
    fn stand_in(&mut self, game: &mut Hex, position: Position) -> Position {
        let filled = self.filled(game, &position);
        self.searched_for(game, &filled).0
    }

    fn narrow(
        &mut self,
        game: &mut Hex,
        parent: &Position,
        children: &mut List<Position>,
    ) -> Option<Outcome> {
        self.attend(game);
        self.latest = Some(*parent);
        match self.memory.get(parent) {
            Some(Known::Solved { outcome, .. }) => return Some(*outcome),
            Some(Known::Open(_)) => {}
            None => match self.recall_or_see(game, parent) {
                Seen::Decided(outcome, proof) => {
                    self.remember(game, parent, outcome, Some(proof));
                    return Some(outcome);
                }
                Seen::Open(view) => {
                    let open = Open {
                        moves: self.replies(game, &view).into(),
                        threats: view.threats.into(),
                        empty: game.empty(&view.board),
                    };
                    self.memory.put(*parent, Known::Open(open));
                    self.stand_for_all_alike(game, parent);
                }
            },
        }
        let Some(Known::Open(open)) = self.memory.get(parent) else {
            return None;
        };
        children.clear();
        let met = self.met(game, parent, open);
        let mut left: Vec<_> = open.moves.iter().collect();
        left.retain(|reply| met >> reply.cell & 1 == 1);
        left.sort_unstable_by_key(|reply| reply.cell);
        for reply in left {
            if children.iter().all(|other| *other != reply.child) {
                children.push(reply.child);
            }
        }
        None
    }

    /// Expects children that [`narrow`](Self::narrow) has left; others are ordered by distances.
    fn order(&mut self, game: &mut Hex, parent: &Position, children: &mut [Position]) {
        let Some(Known::Open(open)) = self.memory.get(parent) else {
            return self.order.order(game, parent, children);
        };
        let place = |child: &Position| open.moves.iter().position(|reply| reply.child == *child);
        children.sort_by_cached_key(place);
    }

    fn refutes(
        &mut self,
        game: &mut Hex,
        parent: &Position,
        refuted: &Position,
        sibling: &Position,
    ) -> bool {
        if !self.parts.proof_sets {
            return false;
        }
        let Some(Known::Open(open)) = self.memory.get(parent) else {
            return false;
        };
        let threats = open.moves.iter().filter(|reply| reply.child == *refuted);
        let threats = threats.filter_map(|reply| self.threat(game, parent, reply));
        let met = threats.fold(!0, |met, threat| met & threat);
        let mut replies = open.moves.iter();
        replies.any(|reply| reply.child == *sibling && met >> reply.cell & 1 == 0)
    }

    fn learn(&mut self, game: &mut Hex, position: &Position, outcome: Outcome) {
        self.attend(game);
        if let Some(Known::Open(_)) = self.memory.get(position) {
            let proof = self.proof(game, position, outcome);
            if let (true, Some(proof)) = (self.parts.recall, proof) {
                let wins = self.wins(game);
                wins.add(&game.board, position, outcome, proof);
            }
            self.remember(game, position, outcome, proof);
        }
    }

    fn widening(&self) -> Widening {
        match self.parts.widening {
            true => WIDENING,
            false => Widening::ALL,
        }
    }

    fn looks(&self) -> u64 {
        self.builds
    }

    fn verdict(&mut self, game: &mut Hex, position: &Position) -> Option<Outcome> {
        self.order.verdict(game, position)
    }

    /// Nothing in particular is promised where it is not known which move led to a position.
    fn estimate(&mut self, game: &mut Hex, position: &Position, _: Nimber) -> Estimate {
        match self.latest_reply(position) {
            Some(reply) => expected(numbers(reply.distances), reply.promise),
            None => expected(numbers(distances(game, position)), 0.0),
        }
    }
}
