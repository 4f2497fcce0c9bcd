//! Everything that is known without search, against brute force.
//!
//! `HEX_POSITIONS` sets how many random positions each test takes.

use std::collections::HashMap;

use bouton_game::{Game, Knowledge, List, Notation, Outcome, Player};

use super::alike::Gist;
use super::connections::{Connections, Goal, Ground};
use super::fill_in::FillIn;
use super::wins::{Recall, Recalled, Wins};
use super::{Hex, Insight, Parts, Position, VirtualConnections, cells};
use crate::brute_force::Dice;
use crate::grid::Size;

const SHAPES: [(usize, usize); 5] = [(3, 3), (3, 4), (4, 3), (4, 4), (4, 4)];

/// Most empty cells of a random position, so that brute force stays fast.
const MOST_EMPTY: usize = 11;

fn positions(default: usize) -> usize {
    let asked = std::env::var("HEX_POSITIONS").ok();
    asked.map_or(default, |text| text.parse().expect("a number"))
}

/// Visits random positions that the rules do not decide.
pub(super) fn for_random_positions(
    seed: u64,
    count: usize,
    mut visit: impl FnMut(&mut Hex, &Position),
) {
    let mut dice = Dice(seed);
    let mut games = SHAPES.map(|(rows, columns)| Hex::new(Size { rows, columns }));
    let mut seen = 0;
    while seen < count {
        let game = &mut games[dice.below(SHAPES.len())];
        let position = random_position(game, &mut dice);
        if game.decided(&position).is_none() {
            seen += 1;
            visit(game, &position);
        }
    }
}

fn random_position(game: &Hex, dice: &mut Dice) -> Position {
    let total = game.size().cells();
    let empty = 1 + dice.below(MOST_EMPTY.min(total));
    let mut order: Vec<usize> = (0..total).collect();
    for index in (1..total).rev() {
        order.swap(index, dice.below(index + 1));
    }
    let mut position = game.start();
    for &cell in &order[empty..] {
        match dice.below(2) {
            0 => position.black |= 1 << cell,
            _ => position.white |= 1 << cell,
        }
    }
    if dice.below(2) == 0 {
        position.side = Player::White;
    }
    position
}

/// Outcomes by the rules alone.
#[derive(Default)]
pub(super) struct BruteForce(HashMap<(Size, Position), Outcome>);

impl BruteForce {
    pub(super) fn outcome(&mut self, game: &Hex, position: &Position) -> Outcome {
        if let Some(outcome) = game.decided(position) {
            return outcome;
        }
        let key = (game.size(), *position);
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let mut choices = cells(game.empty(position));
        let wins = choices.any(|cell| self.outcome(game, &position.with(cell)) == Outcome::Loss);
        let outcome = if wins { Outcome::Win } else { Outcome::Loss };
        self.0.insert(key, outcome);
        outcome
    }
}

#[test]
fn fill_in_keeps_the_outcome_for_both_sides_to_move() {
    let mut brute_force = BruteForce::default();
    let mut knowledge = VirtualConnections::default();
    let (mut empty, mut filled_in) = (0, 0);
    for_random_positions(1, positions(10_000), |game, position| {
        let Position { black, white, .. } = knowledge.filled(game, position);
        assert_eq!(black & white, 0);
        empty += game.empty(position).count_ones();
        for side in [Player::Black, Player::White] {
            let before = Position { side, ..*position };
            let after = Position { black, white, side };
            assert_eq!(
                brute_force.outcome(game, &before),
                brute_force.outcome(game, &after),
                "{} {}",
                game.write(&before),
                game.write(&after)
            );
        }
        filled_in += ((black | white) & game.empty(position)).count_ones();
    });
    assert!(2 * filled_in > empty, "{filled_in} of {empty} cells");
}

fn all_parts() -> impl Iterator<Item = Parts> {
    (0..64).map(|bits| Parts {
        fill_in: bits & 1 != 0,
        connections: bits & 2 != 0,
        must_play: bits & 4 != 0,
        captured: bits & 8 != 0,
        templates: true,
        domination: bits & 16 != 0,
        proof_sets: bits & 32 != 0,
        recall: true,
        alike: true,
        resistance: false,
        widening: false,
    })
}

#[test]
fn verdicts_are_true_and_dropped_moves_are_not_missed() {
    let mut brute_force = BruteForce::default();
    let with = |parts| (parts, VirtualConnections::with(parts));
    let mut knowledge: Vec<_> = all_parts().map(with).collect();
    for_random_positions(2, positions(10_000), |game, position| {
        let expected = brute_force.outcome(game, position);
        for (parts, knowledge) in &mut knowledge {
            let text = || format!("{} {parts:?}", game.write(position));
            match knowledge.look(game, position) {
                Insight::Decided(outcome) => assert_eq!(outcome, expected, "{}", text()),
                Insight::Moves { moves, .. } => {
                    let loses = |cell| brute_force.outcome(game, &position.with(cell));
                    let wins = cells(moves).map(loses).any(|found| found == Outcome::Loss);
                    assert_eq!(wins, expected == Outcome::Win, "{}", text());
                }
            }
        }
    });
}

#[test]
fn moves_outside_of_the_must_play_region_lose() {
    let mut brute_force = BruteForce::default();
    let parts = Parts {
        fill_in: false,
        ..Parts::default()
    };
    let mut knowledge = VirtualConnections::with(parts);
    let mut dropped = 0;
    for_random_positions(3, positions(10_000), |game, position| {
        if let Insight::Moves { moves, .. } = knowledge.look(game, position) {
            for cell in cells(game.empty(position) & !moves) {
                dropped += 1;
                let child = position.with(cell);
                let outcome = brute_force.outcome(game, &child);
                assert_eq!(outcome, Outcome::Win, "{}", game.write(&child));
            }
        }
    });
    assert!(dropped > 0);
}

#[test]
fn canonical_children_that_are_left_decide() {
    let mut brute_force = BruteForce::default();
    let mut knowledge = VirtualConnections::default();
    let mut children = List::new();
    for_random_positions(4, positions(5_000), |game, position| {
        // Every other position is its own half turn, where children stand for two cells.
        let mut position = game.canonical(position);
        if position.black & 1 == 0 {
            let turned = game.half_turn(&position);
            position.black |= turned.black & !(position.white | turned.white);
            position.white |= turned.white;
            position.white &= !position.black;
            position.black &= game.board.half_turn(position.black);
        }
        if game.decided(&position).is_some() || game.empty(&position).count_ones() > 12 {
            return;
        }
        let expected = brute_force.outcome(game, &position);
        children.clear();
        game.children(&position, &mut children);
        let outcome = knowledge
            .narrow(game, &position, &mut children)
            .unwrap_or_else(|| {
                let lost = |child: &Position| brute_force.outcome(game, child) == Outcome::Loss;
                match children.iter().any(lost) {
                    true => Outcome::Win,
                    false => Outcome::Loss,
                }
            });
        assert_eq!(outcome, expected, "{}", game.write(&position));
    });
}

/// The outcome by a search that uses all knowledge, proof sets included.
pub(super) fn searched(
    game: &mut Hex,
    knowledge: &mut VirtualConnections,
    position: &Position,
) -> Outcome {
    let position = game.canonical(position);
    if let Some(outcome) = game.decided(&position) {
        return outcome;
    }
    let mut children = List::new();
    game.children(&position, &mut children);
    if let Some(outcome) = knowledge.narrow(game, &position, &mut children) {
        return outcome;
    }
    let mut left: Vec<Position> = children.iter().copied().collect();
    knowledge.order(game, &position, &mut left);
    let mut outcome = Outcome::Loss;
    while !left.is_empty() && outcome == Outcome::Loss {
        let child = left.remove(0);
        outcome = !searched(game, knowledge, &child);
        left.retain(|other| !knowledge.refutes(game, &position, &child, other));
    }
    knowledge.learn(game, &position, outcome);
    outcome
}

/// The outcomes of all positions of 4x4, found from full boards on: what a stone adds to a
/// position's number is positive. Who has joined their sides stays the winner, so that nothing but
/// full boards has to be looked at.
struct All4x4 {
    game: Hex,
    /// For each number, whether Black and White win who are to move, a bit each.
    wins: Vec<u8>,
}

impl All4x4 {
    const CELLS: usize = 16;

    fn new() -> Self {
        let game = Hex::new(Size {
            rows: 4,
            columns: 4,
        });
        let powers: [usize; Self::CELLS] = std::array::from_fn(|cell| 3usize.pow(cell as u32));
        let mut wins = vec![0; 3 * powers[Self::CELLS - 1]];
        for number in (0..wins.len()).rev() {
            let digit = |cell: usize| number / powers[cell] % 3;
            let (mut is_full, mut outcomes) = (true, 0);
            for (cell, power) in powers.iter().enumerate() {
                if digit(cell) == 0 {
                    is_full = false;
                    let [black, white] = [wins[number + power], wins[number + 2 * power]];
                    outcomes |= (!black >> 1 & 1) | (!white & 1) << 1;
                }
            }
            if is_full {
                let black = (0..Self::CELLS).filter(|&cell| digit(cell) == 1);
                let black = black.fold(0, |set, cell| set | 1 << cell);
                outcomes = if game.board.joins(Player::Black, black) {
                    1
                } else {
                    2
                };
            }
            wins[number] = outcomes;
        }
        Self { game, wins }
    }

    fn outcome(&self, position: &Position) -> Outcome {
        let number = (0..Self::CELLS).rev().fold(0, |number, cell| {
            let digit = (position.black >> cell & 1) + 2 * (position.white >> cell & 1);
            3 * number + digit as usize
        });
        match self.wins[number] >> position.side as u8 & 1 {
            1 => Outcome::Win,
            _ => Outcome::Loss,
        }
    }
}

/// A position of 4x4 with as many stones as can be, or as few.
fn random_4x4(game: &Hex, dice: &mut Dice) -> Position {
    let mut position = game.start();
    let stones = dice.below(All4x4::CELLS);
    while ((position.black | position.white).count_ones() as usize) < stones {
        let cell = 1 << dice.below(All4x4::CELLS);
        if cell & !(position.black | position.white) != 0 {
            match dice.below(2) {
                0 => position.black |= cell,
                _ => position.white |= cell,
            }
        }
    }
    if dice.below(2) == 0 {
        position.side = Player::White;
    }
    position
}

#[test]
fn searches_with_all_knowledge_find_the_outcomes_of_brute_force() {
    let mut all = All4x4::new();
    let mut knowledge = VirtualConnections::default();
    let mut dice = Dice(6);
    for _ in 0..positions(100_000) {
        let position = random_4x4(&all.game, &mut dice);
        let expected = all.outcome(&position);
        let found = searched(&mut all.game, &mut knowledge, &position);
        assert_eq!(found, expected, "{}", all.game.write(&position));
    }
}

#[test]
fn little_memory_is_kept_to_and_changes_no_outcome() {
    let mut all = All4x4::new();
    let mut dice = Dice(8);
    for allowed in [0, 1 << 14, 1 << 17] {
        let mut knowledge = VirtualConnections::default();
        assert_eq!(knowledge.allow(allowed), allowed);
        for _ in 0..positions(5_000) {
            let position = random_4x4(&all.game, &mut dice);
            let found = searched(&mut all.game, &mut knowledge, &position);
            assert_eq!(found, all.outcome(&position));
            let kept = knowledge.kept_bytes();
            // Where nothing fits, there is still the latest.
            assert!(kept <= allowed || allowed == 0, "{kept} of {allowed} bytes");
        }
    }
}

#[test]
fn stand_ins_have_the_same_outcome_and_stand_for_themselves() {
    let mut all = All4x4::new();
    let mut knowledge = VirtualConnections::default();
    let mut dice = Dice(9);
    for _ in 0..positions(20_000) {
        let position = random_4x4(&all.game, &mut dice);
        let stand_in = knowledge.stand_in(&mut all.game, position);
        let text = all.game.write(&position);
        assert_eq!(all.outcome(&stand_in), all.outcome(&position), "{text}");
        assert_eq!(
            knowledge.stand_in(&mut all.game, stand_in),
            stand_in,
            "{text}"
        );
        let filled = knowledge.filled(&all.game, &position);
        let (found, turned) = knowledge.searched_for(&all.game, &filled);
        assert_eq!(found, stand_in, "{text}");
        let empty = all.game.empty(&filled);
        let empty_there = all.game.empty(&found);
        match turned {
            true => assert_eq!(all.game.board.half_turn(empty), empty_there, "{text}"),
            false => assert_eq!(empty, empty_there, "{text}"),
        }
        // From now on it may stand for others that are like it.
        searched(&mut all.game, &mut knowledge, &stand_in);
    }
}

/// A position in which the opponent of a player has all empty cells but some.
fn with_only(game: &Hex, position: &Position, player: Player, left: u128) -> Position {
    let given = game.empty(position) & !left;
    let mut position = *position;
    match player {
        Player::Black => position.white |= given,
        Player::White => position.black |= given,
    }
    position
}

/// Cells with which the winner wins even if the opponent has all others that are empty; none of
/// them can be spared.
fn least_proof(brute_force: &mut BruteForce, game: &Hex, position: &Position) -> u128 {
    let outcome = brute_force.outcome(game, position);
    let winner = winner(position, outcome);
    let empty = game.empty(position);
    let mut proof = empty;
    for cell in cells(empty) {
        let without = proof & !(1 << cell);
        let other = with_only(game, position, winner, without);
        if brute_force.outcome(game, &other) == outcome {
            proof = without;
        }
    }
    proof
}

fn winner(position: &Position, outcome: Outcome) -> Player {
    match outcome {
        Outcome::Win => position.side,
        Outcome::Loss => !position.side,
    }
}

#[test]
fn wins_hold_wherever_they_are_recalled() {
    let mut brute_force = BruteForce::default();
    let mut wins: HashMap<Size, Wins<u64>> = HashMap::new();
    let mut recalled = [0; 2];
    for_random_positions(7, positions(20_000), |game, position| {
        let wins = wins.entry(game.size()).or_default();
        let mut holds = |position: Position, outcome| {
            let text = game.write(&position);
            assert_eq!(brute_force.outcome(game, &position), outcome, "{text}");
        };
        match wins.ask(&game.board, position) {
            Recalled::Decided(outcome, proof) => {
                recalled[0] += 1;
                assert_eq!(proof & !game.empty(position), 0);
                let winner = winner(position, outcome);
                holds(with_only(game, position, winner, proof), outcome);
                holds(*position, outcome);
            }
            Recalled::Threats(threats) => {
                recalled[1] += threats.len();
                for threat in threats {
                    let mut child = with_only(game, position, !position.side, threat);
                    child.side = !position.side;
                    holds(child, Outcome::Win);
                }
            }
        }
        let expected = brute_force.outcome(game, position);
        let proof = least_proof(&mut brute_force, game, position);
        wins.add(&game.board, position, expected, proof);
    });
    assert!(recalled.iter().all(|&count| count > 1_000), "{recalled:?}");
}

#[test]
fn positions_that_are_alike_have_the_same_outcome_and_proof_sets() {
    let mut brute_force = BruteForce::default();
    let mut knowledge = VirtualConnections::default();
    let mut firsts: HashMap<(Size, Gist), (bool, Outcome, u128)> = HashMap::new();
    let (mut alike, mut turned_only) = (0, 0);
    for_random_positions(11, positions(20_000), |game, position| {
        let filled = knowledge.filled(game, position);
        for position in [*position, filled] {
            let Some((gist, turned)) = Gist::of(&game.board, &position) else {
                assert!(game.has_won(&position, Player::Black));
                continue;
            };
            let Some((first, outcome, proof)) = firsts.get(&(game.size(), gist.clone())) else {
                let outcome = brute_force.outcome(game, &position);
                let proof = least_proof(&mut brute_force, game, &position);
                firsts.insert((game.size(), gist), (turned, outcome, proof));
                continue;
            };
            let text = game.write(&position);
            let found = brute_force.outcome(game, &position);
            assert_eq!(found, *outcome, "{text}");
            let proof = match turned == *first {
                true => *proof,
                false => game.board.half_turn(*proof),
            };
            let least = with_only(game, &position, winner(&position, found), proof);
            assert_eq!(brute_force.outcome(game, &least), found, "{text}");
            alike += 1;
            turned_only += u32::from(turned != *first);
        }
    });
    assert!(alike > 1_000 && turned_only > 100, "{alike} {turned_only}");
}

#[test]
fn a_game_that_is_over_says_nothing_of_others() {
    let game = Hex::open("3x3").unwrap().0;
    let won = Position {
        black: 0b001_001_001,
        white: 0b010_010_000,
        side: Player::White,
    };
    assert_eq!(game.decided(&won), Some(Outcome::Loss));
    let mut wins = Wins::<u64>::default();
    wins.add(&game.board, &won, Outcome::Loss, 0);
    let said = wins.ask(&game.board, &game.start());
    assert!(matches!(said, Recalled::Threats(threats) if threats.is_empty()));
}

/// Whether a connection holds in play-out.
fn connection_holds(
    game: &Hex,
    player: Player,
    position: &Position,
    connections: &Connections<u64>,
    (ends, points, full, carrier): ([u128; 2], [usize; 2], bool, u128),
) -> bool {
    let own = position.stones(player);
    assert_eq!(carrier & !game.empty(position), 0);
    assert_eq!(carrier & (ends[0] | ends[1]), 0);
    let near = [0, 1].map(|end| match points[end] {
        side @ 0..=1 => game.board.sides(player)[side],
        _ if ends[end] != 0 => ends[end],
        point => connections.stones[point],
    });
    joins_from(
        game,
        game.board.sides(player),
        near,
        own | ends[0] | ends[1],
        carrier,
        !full,
    )
}

/// Whether a player joins two sets of cells by moves within a carrier; all else is the opponent's.
pub(super) fn joins_from(
    game: &Hex,
    sides: [u128; 2],
    near: [u128; 2],
    own: u128,
    carrier: u128,
    own_to_move: bool,
) -> bool {
    let mut reached = game.board.flood(near[0] & own, own);
    for _ in 0..2 {
        for side in sides {
            // Stones at the same side are joined.
            if near[0] == side || reached & side != 0 {
                reached |= game.board.flood(side & own, own);
                if near[1] == side {
                    return true;
                }
            }
        }
    }
    if reached & near[1] & own != 0 {
        return true;
    }
    let after = |cell: u8| {
        let left = carrier & !(1 << cell);
        let own = if own_to_move { own | 1 << cell } else { own };
        joins_from(game, sides, near, own, left, !own_to_move)
    };
    match own_to_move {
        true => cells(carrier).any(after),
        false => carrier != 0 && cells(carrier).all(after),
    }
}

#[test]
fn every_connection_holds_in_play() {
    const MOST_CELLS: u32 = 9;
    let mut connections = Connections::<u64>::default();
    let mut checked = [0; 2];
    for_random_positions(5, positions(1_000), |game, position| {
        for player in [Player::Black, Player::White] {
            let stones = [position.black, position.white];
            let mut board = FillIn::<u64>::new(&game.board);
            for player in [Player::Black, Player::White] {
                cells(stones[player as usize]).for_each(|cell| board.put(player, cell));
            }
            let ground = Ground {
                board: &game.board,
                filled: &board,
                captures: true,
                templates: true,
            };
            connections.build(ground, player, Goal::All);
            for connection in connections.all() {
                let (_, _, full, carrier) = connection;
                if carrier.count_ones() <= MOST_CELLS {
                    checked[usize::from(full)] += 1;
                    let holds = connection_holds(game, player, position, &connections, connection);
                    assert!(holds, "{} {player} {connection:?}", game.write(position));
                }
            }
        }
    });
    assert!(checked.iter().all(|&count| count > 1_000), "{checked:?}");
}

/// Whether the player to move has won or lost without search.
fn insight(text: &str) -> Insight {
    let (game, position) = Hex::open(text).unwrap();
    VirtualConnections::default().look(&game, &position)
}

#[test]
fn small_boards_are_won_without_search() {
    for text in ["2x2", "3x3", "4x4"] {
        assert_eq!(insight(text), Insight::Decided(Outcome::Win), "{text}");
    }
    let lost = ".....|.....|..x..|.....|..... w";
    assert_eq!(insight(lost), Insight::Decided(Outcome::Loss));
}
