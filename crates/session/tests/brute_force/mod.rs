//! Outcomes and nimbers by the definitions, over raw positions: only `moves`, `play` and
//! `decided` of a game are trusted.

use std::collections::HashMap;

use bouton_game::{Game, Impartial, Nimber, Outcome};

/// Who wins.
pub(crate) fn outcome<G: Game>(game: &mut G, position: &G::Position) -> Outcome {
    win_loss(game, position, &mut HashMap::new())
}

/// The Grundy number.
pub(crate) fn nimber<G: Impartial>(game: &mut G, position: &G::Position) -> Nimber {
    mex(game, position, &mut HashMap::new())
}

fn win_loss<G: Game>(
    game: &mut G,
    position: &G::Position,
    known: &mut HashMap<G::Position, Outcome>,
) -> Outcome {
    if let Some(&outcome) = known.get(position) {
        return outcome;
    }
    let outcome = game.decided(position).unwrap_or_else(|| {
        let moves = game.legal_moves(position).expect("a small position");
        let wins = moves.iter().any(|mv| {
            let child = game.play(position, mv);
            win_loss(game, &child, known) == Outcome::Loss
        });
        if wins { Outcome::Win } else { Outcome::Loss }
    });
    known.insert(position.clone(), outcome);
    outcome
}

fn mex<G: Impartial>(
    game: &mut G,
    position: &G::Position,
    known: &mut HashMap<G::Position, Nimber>,
) -> Nimber {
    if let Some(&nimber) = known.get(position) {
        return nimber;
    }
    let moves = game.legal_moves(position).expect("a small position");
    let mut children = Vec::new();
    for mv in &moves {
        let child = game.play(position, mv);
        children.push(mex(game, &child, known));
    }
    let nimber = (0..).find(|nimber| !children.contains(nimber));
    let nimber = nimber.expect("some number is not among finitely many");
    known.insert(position.clone(), nimber);
    nimber
}
