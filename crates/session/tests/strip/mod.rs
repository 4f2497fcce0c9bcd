//! The game of `docs/add-a-game.md`, which shows this code piece by piece.

use bouton_game::{Game, Impartial, List, Notation, NotationError, Unguided};
use bouton_search::exhaustive::Nimbers;
use bouton_search::guide::Leaves;
use bouton_search::solver::{NimberSolver, Replacement, Setup, Without};
use bouton_search::watch::Watch;

/// The squares of the counters, 0 is the left end.
pub(crate) type Squares = Vec<u8>;

/// A move: a counter, and where it goes.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    counter: usize,
    to: u8,
}

/// The rules. A game with boards of different sizes would keep the size here.
#[derive(Clone, Debug)]
pub(crate) struct Strip;

impl Game for Strip {
    type Position = Squares;
    type Move = Step;

    fn moves(&mut self, squares: &Squares, into: &mut List<Step>) {
        for (counter, &square) in squares.iter().enumerate() {
            for to in square.saturating_sub(2)..square {
                into.push(Step { counter, to });
            }
        }
    }

    fn play(&self, squares: &Squares, step: &Step) -> Squares {
        let mut after = squares.clone();
        after[step.counter] = step.to;
        after
    }

    fn canonical(&mut self, squares: &Squares) -> Squares {
        let mut alive: Squares = squares
            .iter()
            .copied()
            .filter(|&square| square > 0)
            .collect();
        alive.sort_unstable();
        alive
    }

    // A position owns memory elsewhere: say how much, so that `--memory` is kept.
    fn heap_bytes(squares: &Squares) -> usize {
        squares.capacity()
    }
}

impl Impartial for Strip {
    fn components(&mut self, squares: &Squares, into: &mut List<Squares>) {
        for &square in squares.iter().filter(|&&square| square > 0) {
            into.push(vec![square]);
        }
    }
}

impl Notation for Strip {
    const NAME: &'static str = "strip";
    const SUMMARY: &'static str = "move a counter one or two squares to the left";
    const SIZES: &'static str = "-";
    const POSITIONS: &'static str = "the counters' squares, 4.5.7";
    const MOVES: &'static str = "2>3: the second counter to square 3";
    const EXAMPLES: &'static [&'static str] = &["3", "4.2", "5.0.1"];

    fn open(text: &str) -> Result<(Self, Squares), NotationError> {
        let mut squares = Squares::new();
        for (index, square) in text.split('.').enumerate().filter(|_| text != "-") {
            let square = square.parse().ok().filter(|_| index < 100);
            squares.push(square.ok_or_else(|| {
                NotationError::new::<Self>(format_args!(
                    "counter {}: expected at most 100 counters on squares 0 to 255",
                    index + 1
                ))
            })?);
        }
        Ok((Self, squares))
    }

    fn write(&self, squares: &Squares) -> String {
        if squares.is_empty() {
            return "-".to_owned();
        }
        squares
            .iter()
            .map(u8::to_string)
            .collect::<Vec<_>>()
            .join(".")
    }

    fn write_move(&self, _: &Squares, step: &Step) -> String {
        format!("{}>{}", step.counter + 1, step.to)
    }
}

#[test]
fn a_counter_is_worth_its_square_modulo_three() {
    let setup = Setup {
        memory: 1 << 20,
        threads: 1,
        without: Without::default(),
        leaves: Leaves::default(),
        replacement: Replacement::default(),
    };
    let mut solver = Nimbers::<Strip, Unguided>::new(&setup);
    let mut go_on = |_: &_| Ok(());
    let nimber = solver.nimber(&mut Strip, &vec![4, 5, 7], &mut Watch::new(&mut go_on));
    assert_eq!(nimber, Ok(1 ^ 2 ^ 1));
}
