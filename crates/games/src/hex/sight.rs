//! What can be seen of one position: fill-in, connections, must-play, children.
//!
//! A position is filled in first. If the opponent has a full connection of their sides there, the
//! player to move loses. Otherwise they must move into what all of the opponent's semi connections
//! have in common: elsewhere the opponent goes through with one of them. If they have a semi
//! connection of their own sides, they win; that is seldom so after a move that met all threats,
//! and is looked for last. Moves onto filled-in cells are no better than others.
//!
//! Connections that share captured cells take twice as long to find. The player's own, which are looked
//! for where the opponent's left a choice, are worth that everywhere; the opponent's only while much of
//! the board is empty, where a move less saves a large search.
//!
//! Children are filled in too, so that positions which differ in settled cells only are one node.
//! A child that has all stones of another for the player who made it, and no others for the
//! opponent, makes the other superfluous.
//!
//! Every verdict comes with a *proof set*: cells, empty in the position, such that the winner wins
//! even if the opponent has all others. It is a carrier and the winner's filled-in cells.

use bouton_game::{Outcome, Player};

use super::board::{Set, cells};
use super::connections::{Connections, Goal, Ground};
use super::fill_in::FillIn;
use super::parts::Parts;
use super::promise::Flow;
use super::resistance::Network;
use super::wins::Wins;
use super::{Hex, Position};
use crate::grid::Size;

/// The opponent's connections share captured cells while at least so many cells are empty. All openings
/// of 7x7 take 25,155 builds if they always do, with this limit 25,738 in 6 % less time, and 30,032 if they
/// never do. Nine openings of 8x8 took as many with it as if they always did, half as many again without.
const MUCH: usize = 36;

/// Memory for looking at positions of boards whose sets fit into `S`.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight<S> {
    /// The board without stones.
    bare: Option<(Size, FillIn<S>)>,
    board: FillIn<S>,
    child: FillIn<S>,
    /// Of the player to move, of the opponent.
    connections: [Connections<S>; 2],
    network: Network,
    pub(super) wins: Wins<S>,
    /// Memory to reuse.
    currents: Vec<f32>,
}

/// What was seen.
pub(super) enum Seen {
    /// The outcome, and with which proof set.
    Decided(Outcome, u128),
    Open(View),
}

/// A position that is not decided.
pub(super) struct View {
    /// The position, filled in.
    pub(super) board: Position,
    /// If the player to move wins at all, then with a stone on one of these cells.
    pub(super) moves: u128,
    /// Carriers with which the opponent wins if they are not met.
    pub(super) threats: Vec<u128>,
}

impl View {
    /// Whether there is something to order. Whoever has a single move has seldom won already.
    pub(super) fn has_choice(&self) -> bool {
        self.moves & self.moves.wrapping_sub(1) != 0
    }

    /// A position at which nobody has looked yet.
    pub(super) fn unseen(game: &Hex, position: &Position) -> Self {
        Self {
            board: *position,
            moves: game.empty(position),
            threats: Vec::new(),
        }
    }

    /// The same with more threats on the board of a position.
    pub(super) fn with(mut self, position: &Position, threats: &[u128]) -> Seen {
        let other = !position.side;
        let filled_in = self.board.stones(other) & !position.stones(other);
        for &threat in threats {
            if self.moves & !threat != 0 {
                self.moves &= threat;
                self.threats.push(threat | filled_in);
            }
        }
        if self.moves != 0 {
            return Seen::Open(self);
        }
        let all = self.threats.into_iter().fold(0, |all, threat| all | threat);
        Seen::Decided(Outcome::Loss, all)
    }
}

impl<S: Set> Sight<S> {
    /// Puts the stones of a position on the board, and those that change nothing.
    pub(super) fn fill(&mut self, game: &Hex, position: &Position, parts: Parts) -> Position {
        let size = game.size();
        let bare = match &mut self.bare {
            Some((made_for, bare)) if *made_for == size => bare,
            other => &mut other.insert((size, FillIn::new(&game.board))).1,
        };
        self.board.copy(bare);
        for player in [Player::Black, Player::White] {
            cells(position.stones(player)).for_each(|cell| self.board.put(player, cell));
        }
        if parts.fill_in {
            self.board.settle(&game.board);
        }
        position_of(&self.board, position.side)
    }

    /// Looks at a position that is not decided by the rules.
    pub(super) fn look(&mut self, game: &Hex, position: &Position, parts: Parts) -> Seen {
        let board = self.fill(game, position, parts);
        let (own, other) = (position.side, !position.side);
        let filled_in = |player| board.stones(player) & !position.stones(player);
        for (player, outcome) in [(own, Outcome::Win), (other, Outcome::Loss)] {
            if game.has_won(&board, player) {
                return Seen::Decided(outcome, filled_in(player));
            }
        }
        let mut view = View::unseen(game, &board);
        if !parts.connections {
            return Seen::Open(view);
        }
        self.connect(game, other, parts, Goal::Full);
        let [_, connections] = &self.connections;
        if connections.has_full() {
            let carrier = connections.full_carrier().widen();
            return Seen::Decided(Outcome::Loss, carrier | filled_in(other));
        }
        if parts.must_play {
            view.moves &= connections.must_play().widen();
            let threats = connections.threats().into_iter();
            view.threats = threats.map(|set| set.widen() | filled_in(other)).collect();
        }
        if view.has_choice() {
            self.connect(game, own, parts, Goal::Semi);
            let [connections, _] = &self.connections;
            if connections.has_semi() {
                let carrier = connections.semi_carrier().widen();
                return Seen::Decided(Outcome::Win, carrier | filled_in(own));
            }
        }
        Seen::Open(view)
    }

    fn connect(&mut self, game: &Hex, player: Player, parts: Parts, goal: Goal) {
        let ground = Ground {
            board: &game.board,
            filled: &self.board,
            captures: parts.captured && (goal == Goal::Semi || self.board.empty.count() >= MUCH),
            templates: parts.templates,
        };
        let connections = &mut self.connections[usize::from(goal == Goal::Full)];
        connections.build(ground, player, goal);
    }

    /// How the current flows in the position with a choice that was last looked at.
    pub(super) fn flow(&mut self, cells: usize) -> Flow {
        let mut through = vec![[0.0; 2]; cells];
        let mut player = 0;
        let whole = self.connections.each_ref().map(|connections| {
            let note = |cell: u8, share| through[usize::from(cell)][player] = share;
            let whole = connections.flow(&mut self.network, &mut self.currents, note);
            player += 1;
            whole
        });
        Flow { whole, through }
    }

    /// How an own stone on a cell would be tied to the player's sides there.
    pub(super) fn ties(&self, cell: u8) -> [usize; 2] {
        let [own, _] = &self.connections;
        own.ties(cell)
    }

    /// The filled-in child after a move in the position that was last looked at.
    pub(super) fn child(&mut self, game: &Hex, side: Player, cell: u8, parts: Parts) -> Position {
        self.child.copy(&self.board);
        self.child.put(side, cell);
        if parts.fill_in {
            self.child.settle(&game.board);
        }
        position_of(&self.child, !side)
    }
}

fn position_of<S: Set>(board: &FillIn<S>, side: Player) -> Position {
    let [black, white] = board.stones.map(S::widen);
    Position { black, white, side }
}
