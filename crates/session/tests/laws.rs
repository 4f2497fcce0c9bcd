//! Laws that hold for every game in the registry.
//!
//! Each law is written once, for any game, and tried on random positions: a game's examples,
//! played on by random moves. The game of `docs/add-a-game.md` stands among them. The truth they
//! are held against is [`brute_force`]: legal moves, one after the other, without canonical forms,
//! components or any search of ours.

mod brute_force;
mod strip;

use std::collections::HashSet;
use std::marker::PhantomData;

use bouton_game::{
    Assessment, Estimate, Game, Impartial, Knowledge, List, Notation, Outcome, Unguided,
};
use bouton_session::algorithms::Algorithm;
use bouton_session::registry::{Visitor, visit};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};
use strip::Strip;

/// A law for positions of any game.
trait Law {
    /// On how many positions of each game it is tried.
    const CASES: u32 = 256;

    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult;
}

/// A law for positions of impartial games.
trait ImpartialLaw {
    /// On how many positions of each game it is tried.
    const CASES: u32 = 256;

    fn holds<G: Notation + Impartial>(game: &mut G, position: &G::Position) -> TestCaseResult;
}

/// Tries a law on random positions of every game.
struct EveryGame<L>(PhantomData<L>);

impl<L: Law> Visitor for EveryGame<L> {
    fn impartial<G: Impartial + Notation, K>(&mut self, _: &str) {
        on_random_positions::<G>(L::CASES, L::holds);
    }
    fn coloured<G: Game + Notation, K>(&mut self, _: &str) {
        on_random_positions::<G>(L::CASES, L::holds);
    }
}

/// Tries a law on random positions of every impartial game.
struct EveryImpartialGame<L>(PhantomData<L>);

impl<L: ImpartialLaw> Visitor for EveryImpartialGame<L> {
    fn impartial<G: Impartial + Notation, K>(&mut self, _: &str) {
        on_random_positions::<G>(L::CASES, L::holds);
    }
    fn coloured<G: Game + Notation, K>(&mut self, _: &str) {}
}

fn every_game<L: Law>() {
    let mut games = EveryGame::<L>(PhantomData);
    visit(&mut games);
    games.impartial::<Strip, Unguided>("exhaustive");
}

fn every_impartial_game<L: ImpartialLaw>() {
    let mut games = EveryImpartialGame::<L>(PhantomData);
    visit(&mut games);
    games.impartial::<Strip, Unguided>("exhaustive");
}

fn on_random_positions<G: Notation>(cases: u32, law: fn(&mut G, &G::Position) -> TestCaseResult) {
    // The same positions on every machine.
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let walk = (any::<Index>(), prop::collection::vec(any::<Index>(), 0..24));
    let result = runner.run(&walk, |(example, steps)| {
        let (mut game, position) = random_position::<G>(&example, &steps);
        law(&mut game, &position).map_err(|error| match error {
            TestCaseError::Fail(why) => {
                TestCaseError::fail(format!("{} {}: {why}", G::NAME, game.write(&position)))
            }
            reject @ TestCaseError::Reject(_) => reject,
        })
    });
    if let Err(error) = result {
        panic!("{}: {error}", G::NAME);
    }
}

fn random_position<G: Notation>(example: &Index, steps: &[Index]) -> (G, G::Position) {
    let example = G::EXAMPLES[example.index(G::EXAMPLES.len())];
    let (mut game, mut position) = G::open(example).expect("an example");
    for step in steps {
        let moves = game.legal_moves(&position).expect("examples are small");
        if moves.is_empty() {
            break;
        }
        position = game.play(&position, step.get(&moves));
    }
    (game, position)
}

fn children<G: Game>(game: &mut G, position: &G::Position) -> Vec<G::Position> {
    let mut children = List::new();
    game.expand(position, &mut children);
    children.into_result().expect("examples are small")
}

struct ChildrenAreCanonicalAndDistinct;

impl Law for ChildrenAreCanonicalAndDistinct {
    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        let children = children(game, position);
        for child in &children {
            prop_assert_eq!(&game.canonical(child), child);
        }
        let distinct: HashSet<_> = children.iter().cloned().collect();
        prop_assert_eq!(distinct.len(), children.len());
        let moves = game.legal_moves(position).expect("examples are small");
        let by_moves = moves.iter().map(|mv| game.play(position, mv));
        let by_moves: Vec<_> = by_moves.collect();
        let by_moves: HashSet<_> = by_moves.iter().map(|child| game.canonical(child)).collect();
        prop_assert_eq!(distinct, by_moves);
        Ok(())
    }
}

#[test]
fn children_are_canonical_and_distinct() {
    every_game::<ChildrenAreCanonicalAndDistinct>();
}

/// Of a list that may be cut short after a child, every item is a child and that one is there; if
/// none is enough, it is whole. What was left out is not missing later.
struct ChildrenMayBeCutShort;

impl Law for ChildrenMayBeCutShort {
    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        let all: HashSet<_> = children(game, position).into_iter().collect();
        let mut some = List::new();
        for keeps in [false, true] {
            // From no child at all to the last one, and one more.
            for enough in 0..=all.len() {
                game.allow(if keeps { 1 << 20 } else { 0 });
                let mut asked = Vec::new();
                game.expand_until(position, &mut some, |_, child| {
                    asked.push(child.clone());
                    asked.len() > enough
                });
                let found: HashSet<_> = some.iter().cloned().collect();
                prop_assert_eq!(found.len(), some.len());
                prop_assert!(found.is_subset(&all));
                prop_assert!(asked.iter().all(|child| found.contains(child)));
                if asked.len() <= enough {
                    prop_assert_eq!(&found, &all);
                }
                let later: HashSet<_> = children(game, position).into_iter().collect();
                prop_assert_eq!(&later, &all);
            }
        }
        Ok(())
    }
}

#[test]
fn children_may_be_cut_short() {
    every_game::<ChildrenMayBeCutShort>();
}

/// What a game was allowed to keep changes no answer, and it keeps to its word.
struct KeptWithinBounds;

impl Law for KeptWithinBounds {
    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        let mut keeping = game.clone();
        for allowed in [0, 1 << 10, 1 << 20] {
            let promised = keeping.allow(allowed);
            prop_assert!(promised <= allowed);
            for _ in 0..2 {
                prop_assert_eq!(children(&mut keeping, position), children(game, position));
                prop_assert!(keeping.kept_bytes() <= promised);
            }
        }
        Ok(())
    }
}

#[test]
fn what_a_game_keeps_changes_nothing() {
    every_game::<KeptWithinBounds>();
}

struct ParseAfterWriteIsTheIdentity;

impl Law for ParseAfterWriteIsTheIdentity {
    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        let canonical = game.canonical(position);
        for position in [position, &canonical] {
            let text = game.write(position);
            let read = G::open(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(&read.1, position);
        }
        let mut texts = HashSet::new();
        for mv in game.legal_moves(position).expect("examples are small") {
            let text = game.write_move(position, &mv);
            prop_assert!(!text.contains(char::is_whitespace), "move {}", text);
            prop_assert!(texts.insert(text.clone()), "two moves {}", text);
            let read = game.read_move(position, &text);
            let read = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
            let (one, other) = (game.play(position, &mv), game.play(position, &read));
            prop_assert_eq!(game.canonical(&one), game.canonical(&other));
        }
        Ok(())
    }
}

#[test]
fn parse_after_write_is_the_identity() {
    every_game::<ParseAfterWriteIsTheIdentity>();
}

struct ThePackedKeyIsInjective;

impl Law for ThePackedKeyIsInjective {
    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        // What can be read back has a key of its own.
        let mut family = children(game, position);
        family.push(game.canonical(position));
        for position in &family {
            let mut bytes = Vec::new();
            game.pack(position, &mut bytes);
            prop_assert_eq!(game.unpack(&bytes), Some(position.clone()));
        }
        Ok(())
    }
}

#[test]
fn the_packed_key_is_injective() {
    every_game::<ThePackedKeyIsInjective>();
}

struct APositionMeansTheSameInAllOfItsSetting;

impl Law for APositionMeansTheSameInAllOfItsSetting {
    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        let exact = |game: &mut G| {
            let mut bytes = Vec::new();
            let canonical = game.canonical(position);
            game.pack(&canonical, &mut bytes);
            (game.board(), bytes)
        };
        for example in G::EXAMPLES {
            let (mut other, _) = G::open(example).expect("an example");
            if game.setting().is_some() && other.setting() == game.setting() {
                prop_assert_eq!(exact(&mut other), exact(game), "{}", example);
            }
        }
        Ok(())
    }
}

#[test]
fn a_position_means_the_same_in_all_of_its_setting() {
    every_game::<APositionMeansTheSameInAllOfItsSetting>();
}

struct SymmetricPositionsShareACanonicalForm;

impl Law for SymmetricPositionsShareACanonicalForm {
    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        let canonical = game.canonical(position);
        prop_assert_eq!(&game.canonical(&canonical), &canonical);
        prop_assert_eq!(game.to_move(&canonical), game.to_move(position));
        let mut images = List::new();
        game.symmetric(position, &mut images);
        prop_assert!(!images.is_empty());
        for image in images.iter() {
            prop_assert_eq!(&game.canonical(image), &canonical);
        }
        Ok(())
    }
}

#[test]
fn symmetric_positions_share_a_canonical_form() {
    every_game::<SymmetricPositionsShareACanonicalForm>();
}

struct CanonicalPositionsKeepTheOutcome;

impl Law for CanonicalPositionsKeepTheOutcome {
    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        let canonical = game.canonical(position);
        let truth = brute_force::outcome(game, position);
        prop_assert_eq!(brute_force::outcome(game, &canonical), truth);
        Ok(())
    }
}

#[test]
fn canonical_positions_keep_the_outcome() {
    every_game::<CanonicalPositionsKeepTheOutcome>();
}

struct ADecidedGameHasNoMoves;

impl Law for ADecidedGameHasNoMoves {
    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        let moves = game.legal_moves(position).expect("examples are small");
        prop_assert_eq!(game.count_moves(position), Ok(moves.len() as u64));
        if game.decided(position).is_some() {
            prop_assert!(moves.is_empty());
        }
        let side = game.to_move(position);
        for mv in &moves {
            let child = game.play(position, mv);
            prop_assert_eq!(game.to_move(&child), side.map(|side| !side));
        }
        Ok(())
    }
}

#[test]
fn a_decided_game_has_no_moves_and_players_take_turns() {
    every_game::<ADecidedGameHasNoMoves>();
}

struct XorOfComponentsIsTheNimber;

impl ImpartialLaw for XorOfComponentsIsTheNimber {
    fn holds<G: Notation + Impartial>(game: &mut G, position: &G::Position) -> TestCaseResult {
        prop_assert_eq!(game.decided(position), None);
        let truth = brute_force::nimber(game, position);
        let mut parts = List::new();
        let canonical = game.canonical(position);
        game.components(&canonical, &mut parts);
        let mut xor = 0;
        for part in parts.iter() {
            prop_assert_eq!(&game.canonical(part), part);
            xor ^= brute_force::nimber(game, part);
        }
        prop_assert_eq!(xor, truth);
        Ok(())
    }
}

#[test]
fn xor_of_the_components_is_the_nimber() {
    every_impartial_game::<XorOfComponentsIsTheNimber>();
}

/// The knowledge that the registry pairs with a game: it may be useless, it must not lie.
#[test]
fn knowledge_tells_the_truth() {
    struct Check;
    impl Check {
        fn check<G: Notation, K: Knowledge<G> + Default>() {
            on_random_positions::<G>(256, |game, position| {
                let heaps = if game.to_move(position).is_some() {
                    0..1
                } else {
                    0..3
                };
                let mut knowledge = K::default();
                if let Some(verdict) = knowledge.verdict(game, position) {
                    prop_assert_eq!(verdict, brute_force::outcome(game, position));
                }
                for heap in heaps {
                    match knowledge.assess(game, position, heap) {
                        Assessment::Proved(outcome) => {
                            prop_assert_eq!(heap, 0, "a heap takes a search");
                            prop_assert_eq!(outcome, brute_force::outcome(game, position));
                        }
                        Assessment::Open(Estimate { proof, disproof }) => {
                            prop_assert!(proof > 0 && disproof > 0);
                        }
                    }
                }
                let unordered = children(game, position);
                let mut ordered = unordered.clone();
                knowledge.order(game, position, &mut ordered);
                ordered.sort_unstable();
                let mut unordered = unordered;
                unordered.sort_unstable();
                prop_assert_eq!(ordered, unordered);
                Ok(())
            });
        }
    }
    impl Visitor for Check {
        fn impartial<G: Impartial + Notation, K: Knowledge<G> + Default>(&mut self, _: &str) {
            Self::check::<G, K>();
            Self::check::<G, Unguided>();
        }
        fn coloured<G: Game + Notation, K: Knowledge<G> + Default>(&mut self, _: &str) {
            Self::check::<G, K>();
        }
    }
    visit(&mut Check);
}

struct AnswersAreTrue;

impl Law for AnswersAreTrue {
    const CASES: u32 = 64; // Each is many searches.

    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        use bouton_session::{Request, Verdict, Watch};
        let truth = brute_force::outcome(game, position);
        let mut session = bouton_session::open(G::NAME, &game.write(position))
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let impartial = session.impartial();
        let algorithms = Algorithm::ALL.iter();
        let algorithms = algorithms.filter(|algorithm| impartial || algorithm.serves_colours());
        for (algorithm, all_moves) in algorithms.flat_map(|name| [(name, false), (name, true)]) {
            let request = Request {
                algorithm: algorithm.name.to_owned(),
                all_moves,
                ..Request::default()
            };
            let mut go_on = |_: &_| Ok(());
            let answer = session
                .solve(&request, &mut Watch::new(&mut go_on))
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(answer.reason, None);
            prop_assert_eq!(
                answer.outcome,
                Verdict::from(Some(truth)),
                "{}",
                algorithm.name
            );
            let mut winning = Vec::new();
            for mv in game.legal_moves(position).expect("examples are small") {
                let child = game.play(position, &mv);
                if brute_force::outcome(game, &child) == Outcome::Loss {
                    winning.push(game.write_move(position, &mv));
                }
            }
            if all_moves {
                prop_assert_eq!(answer.winning_moves, winning, "{}", algorithm.name);
            } else {
                prop_assert!(answer.winning_moves.iter().all(|mv| winning.contains(mv)));
                // Whoever wins by moving is told a move.
                prop_assert_eq!(answer.winning_moves.is_empty(), winning.is_empty());
            }
        }
        Ok(())
    }
}

#[test]
fn answers_are_true() {
    visit(&mut EveryGame::<AnswersAreTrue>(PhantomData));
}

/// Tables that hold next to nothing, from 16 entries up, make a search slow, not wrong.
struct SmallTablesTellTheTruth;

impl Law for SmallTablesTellTheTruth {
    const CASES: u32 = 2_000;

    fn holds<G: Notation>(game: &mut G, position: &G::Position) -> TestCaseResult {
        use bouton_session::{Request, Stop, Verdict, Watch};
        let truth = brute_force::outcome(game, position);
        let mut session = bouton_session::open(G::NAME, &game.write(position))
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let provers = Algorithm::ALL.iter().filter(|algorithm| algorithm.proves());
        for (algorithm, memory) in
            provers.flat_map(|name| [800, 4_096, 65_536].map(|memory| (name, memory)))
        {
            let request = Request {
                algorithm: algorithm.name.to_owned(),
                memory,
                ..Request::default()
            };
            let mut go_on = |_: &_| Ok(());
            let answer = session
                .solve(&request, &mut Watch::new(&mut go_on))
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            if answer.reason == Some(Stop::Memory) && !algorithm.forgets() {
                continue;
            }
            prop_assert_eq!(answer.reason, None, "{} {}", algorithm.name, memory);
            prop_assert_eq!(
                answer.outcome,
                Verdict::from(Some(truth)),
                "{}",
                algorithm.name
            );
        }
        Ok(())
    }
}

#[test]
fn small_tables_tell_the_truth() {
    visit(&mut EveryGame::<SmallTablesTellTheTruth>(PhantomData));
}

struct NimbersAreTrue;

impl ImpartialLaw for NimbersAreTrue {
    const CASES: u32 = 64; // Each is many searches.

    fn holds<G: Notation + Impartial>(game: &mut G, position: &G::Position) -> TestCaseResult {
        use bouton_session::{Request, Watch, Without};
        let mut session = bouton_session::open(G::NAME, &game.write(position))
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let truth = brute_force::nimber(game, position);
        let whole = [false, true].into_iter().flat_map(|symmetry| {
            [false, true].map(|components| Without {
                symmetry,
                components,
                order: symmetry,
                knowledge: 0,
            })
        });
        let all = Algorithm::ALL.iter();
        let variants =
            all.flat_map(|algorithm| whole.clone().map(move |without| (algorithm, without)));
        for (algorithm, without) in variants {
            if without != Without::default() && !algorithm.has_parts() {
                continue;
            }
            let request = Request {
                algorithm: algorithm.name.to_owned(),
                nimber: true,
                without,
                ..Request::default()
            };
            let mut go_on = |_: &_| Ok(());
            let answer = session
                .solve(&request, &mut Watch::new(&mut go_on))
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(
                answer.nimber,
                Some(truth),
                "{} {:?}",
                algorithm.name,
                without
            );
        }
        Ok(())
    }
}

#[test]
fn nimbers_are_true() {
    visit(&mut EveryImpartialGame::<NimbersAreTrue>(PhantomData));
}
