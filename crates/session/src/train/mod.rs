//! Learns what a game's knowledge is made of: weights of features, from positions whose outcome
//! is searched.
//!
//! Positions come from random games, one of each: every ply after the start is as likely as any
//! other, as long as there is a move. A search solves them, so the examples are facts. Nine tenths
//! of them are learned from; the last tenth is asked about afterwards. The same board, number and
//! seed give the same weights, to the three decimals that are written: neither the search nor
//! the weights it is steered by have a say in what is learned.

mod regression;

use std::collections::HashSet;
use std::fmt::Write;

use bouton_game::{Features, Game, Knowledge, List, Notation, Outcome};
use bouton_games::konane::{Konane, Mobilities};
use bouton_search::dice::Dice;
use bouton_search::guide::Leaves;
use bouton_search::solver::{Replacement, Setup, Without};
use bouton_search::watch::{Stop, Watch};
use serde::Serialize;

use crate::Error;
use crate::algorithms::Algorithm;
use regression::{Examples, fit, logit};

/// What to learn from.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Options {
    /// How many different positions, at most.
    pub positions: usize,
    /// Which random games.
    pub seed: u64,
    /// Bytes for the search; what is learned does not depend on them.
    #[serde(skip)]
    pub memory: usize,
}

/// What was learned.
#[derive(Clone, Debug, Serialize)]
pub struct Lesson {
    game: &'static str,
    board: String,
    #[serde(flatten)]
    options: Options,
    /// Positions learned from, and positions asked about.
    learned: usize,
    asked: usize,
    /// Which part of those asked about are wins, and which part was told rightly.
    wins: f64,
    right: f64,
    /// The constant is the last.
    weights: Vec<Weight>,
}

/// What a feature counts for.
#[derive(Clone, Copy, Debug, Serialize)]
struct Weight {
    feature: &'static str,
    weight: f64,
}

/// Learns the weights of a game's features from a board.
pub fn train(
    game: &str,
    board: &str,
    options: &Options,
    watch: &mut Watch,
) -> Result<Result<Lesson, Stop>, Error> {
    match game {
        Konane::NAME => learn::<Konane, Mobilities>(board, options, watch),
        _ => {
            // A name that is no game's is an error of its own.
            let session = crate::open(game, board)?;
            let game = session.game();
            Err(Error::NothingToLearn { game })
        }
    }
}

fn learn<G, K>(
    board: &str,
    options: &Options,
    watch: &mut Watch,
) -> Result<Result<Lesson, Stop>, Error>
where
    G: Notation,
    K: Knowledge<G> + Features<G> + Default + Send + 'static,
{
    let (mut game, start) = G::open(board)?;
    let examples = match examples::<G, K>(&mut game, &start, options, watch) {
        Ok(examples) => examples,
        Err(stop) => return Ok(Err(stop)),
    };
    let learned = examples.len() - examples.len() / 10;
    // What is written is what is asked: rounded.
    let weights = fit(&examples, learned).into_iter();
    let weights: Vec<_> = weights
        .map(|weight| (weight * 1000.0).round() / 1000.0)
        .collect();
    let asked = || examples.range(learned..examples.len());
    let part = |count: usize| count as f64 / asked().count().max(1) as f64;
    let is_right = |(features, win): &(&[f64], bool)| (logit(&weights, features) > 0.0) == *win;
    Ok(Ok(Lesson {
        game: G::NAME,
        board: board.to_owned(),
        options: *options,
        learned,
        asked: examples.len() - learned,
        wins: part(asked().filter(|(_, win)| *win).count()),
        right: part(asked().filter(is_right).count()),
        weights: K::NAMES
            .iter()
            .copied()
            .chain(["constant"])
            .zip(weights)
            .map(|(feature, weight)| Weight { feature, weight })
            .collect(),
    }))
}

/// Positions of random games, with their features and outcomes.
fn examples<G, K>(
    game: &mut G,
    start: &G::Position,
    options: &Options,
    watch: &mut Watch,
) -> Result<Examples, Stop>
where
    G: Notation,
    K: Knowledge<G> + Features<G> + Default + Send + 'static,
{
    let setup = Setup {
        memory: options.memory,
        threads: 1,
        without: Without::default(),
        leaves: Leaves::default(),
        replacement: Replacement::default(),
    };
    let solver = Algorithm::PROVER.make::<G, K>(&setup);
    let mut solver = solver.expect("proof-number search serves every game");
    let mut dice = Dice::of(&G::NAME, options.seed);
    let mut met = HashSet::new();
    let mut examples = Examples {
        width: K::NAMES.len(),
        ..Examples::default()
    };
    // A small board has fewer positions than are asked for.
    for _ in 0..options.positions.saturating_mul(MOST_GAMES) {
        if examples.len() == options.positions {
            break;
        }
        watch.look(&solver.progress())?;
        let line = random_game(game, start, &mut dice);
        if line.is_empty() {
            continue;
        }
        let position = line[dice.roll() as usize % line.len()].clone();
        if met.insert(position.clone()) {
            let outcome = match solver.known(game, &position) {
                Some(outcome) => outcome,
                None => solver.outcome(game, &position, watch)?,
            };
            K::features(game, &position, &mut examples.features);
            examples.wins.push(outcome == Outcome::Win);
        }
    }
    Ok(examples)
}

/// Random games for each position that is wanted, at most.
const MOST_GAMES: usize = 20;

/// The positions of a random game between its first and its last.
fn random_game<G: Game>(game: &mut G, start: &G::Position, dice: &mut Dice) -> Vec<G::Position> {
    let mut line = vec![game.canonical(start)];
    let mut children = List::new();
    while let Some(position) = line.last() {
        children.clear();
        if game.decided(position).is_none() {
            game.children(position, &mut children);
        }
        if children.is_empty() {
            break;
        }
        line.push(children[dice.roll() as usize % children.len()].clone());
    }
    line.pop();
    line.drain(..line.len().min(1));
    line
}

impl Lesson {
    /// The weights as games are shipped with them, with where they come from.
    pub fn to_text(&self) -> String {
        let (learned, asked) = (self.learned, self.asked);
        let (name, board) = (self.game, &self.board);
        let Options {
            positions, seed, ..
        } = self.options;
        let (wins, right) = (100.0 * self.wins, 100.0 * self.right);
        let mut text = format!(
            "# {name}: the logit of a win for the player to move, a weighted sum of counts.\n\
             # Learned, not proved; from `bouton train {name} {board} --positions {positions} --seed {seed}`:\n\
             # a logistic regression on {learned} positions of random games, solved by df-pn.\n\
             # Of {asked} others it tells {right:.1} % rightly ({wins:.1} % of them are wins).\n"
        );
        for Weight { feature, weight } in &self.weights {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{weight:>7.3} {feature}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(board: &str, seed: u64) -> Lesson {
        let options = Options {
            positions: 2000,
            seed,
            memory: 64 << 20,
        };
        let mut go_on = |_: &_| Ok(());
        let lesson = train("konane", board, &options, &mut Watch::new(&mut go_on));
        lesson.expect("a board").expect("no limit")
    }

    #[test]
    fn the_same_seed_teaches_the_same_and_it_is_better_than_a_guess() {
        let one = lesson("5x4", 1);
        assert_eq!(one.to_text(), lesson("5x4", 1).to_text());
        assert_ne!(one.to_text(), lesson("5x4", 2).to_text());
        assert_eq!((one.learned, one.asked), (1800, 200));
        let guess = one.wins.max(1.0 - one.wins);
        assert!(one.right > guess + 0.05, "{}", one.to_text());
    }

    #[test]
    fn boards_without_a_game_teach_nothing() {
        let lesson = lesson("1x1", 1);
        assert_eq!((lesson.learned, lesson.asked), (0, 0));
        assert!(lesson.weights.iter().all(|of| of.weight == 0.0));
    }

    #[test]
    fn a_game_without_features_is_refused() {
        let options = Options {
            positions: 1,
            seed: 1,
            memory: 1 << 20,
        };
        let mut go_on = |_: &_| Ok(());
        let mut watch = Watch::new(&mut go_on);
        let error = train("nim", "3,2,1", &options, &mut watch).expect_err("no features");
        assert!(matches!(error, Error::NothingToLearn { game: "nim" }));
    }
}
