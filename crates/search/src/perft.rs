//! How many lines of play there are of each length: a test of move generation, and the size of
//! the game tree.
//!
//! Every line is walked, symmetric ones too; the moves of the last ply are counted, not made.

use bouton_game::{Game, List};

use crate::watch::{Progress, Stop, Watch};

/// Counts the lines of play from `root`, to length `depth` or to the end. Entry `n` counts the
/// lines of length `n`; entry 0 is 1. On a [`Stop`] the counts are incomplete.
pub fn perft<G: Game>(
    game: &mut G,
    root: &G::Position,
    depth: Option<usize>,
    watch: &mut Watch,
) -> (Vec<u64>, Result<(), Stop>) {
    let mut perft = Perft {
        game,
        depth: depth.unwrap_or(usize::MAX),
        path: Vec::new(),
        spare: Vec::new(),
        lines: vec![1],
        counts: Progress::default(),
    };
    let result = perft.run(root, watch);
    (perft.lines, result)
}

struct Frame<G: Game> {
    position: G::Position,
    moves: List<G::Move>,
    next: usize,
}

struct Perft<'g, G: Game> {
    game: &'g mut G,
    depth: usize,
    path: Vec<Frame<G>>,
    /// Lists of frames that are done, to be filled again.
    spare: Vec<List<G::Move>>,
    lines: Vec<u64>,
    counts: Progress,
}

impl<G: Game> Perft<'_, G> {
    fn run(&mut self, root: &G::Position, watch: &mut Watch) -> Result<(), Stop> {
        if self.depth > 0 {
            self.enter(root.clone())?;
        }
        while let Some(frame) = self.path.last_mut() {
            if let Some(mv) = frame.moves.get(frame.next) {
                let child = self.game.play(&frame.position, mv);
                frame.next += 1;
                self.enter(child)?;
                self.show(watch)?;
            } else if let Some(frame) = self.path.pop() {
                self.spare.push(frame.moves);
            }
        }
        Ok(())
    }

    /// Counts the moves of a position and, if there is a ply below, makes them one by one.
    fn enter(&mut self, position: G::Position) -> Result<(), Stop> {
        let ply = self.path.len() + 1;
        if ply == self.depth {
            let moves = self.game.count_moves(&position).map_err(|_| Stop::Memory)?;
            self.count(ply, moves);
            return Ok(());
        }
        let mut moves = self.spare.pop().unwrap_or_default();
        moves.clear();
        self.game.moves(&position, &mut moves);
        if moves.overflowed() {
            return Err(Stop::Memory);
        }
        self.count(ply, moves.len() as u64);
        self.path.push(Frame {
            position,
            moves,
            next: 0,
        });
        Ok(())
    }

    fn count(&mut self, ply: usize, moves: u64) {
        self.counts.expansions += 1;
        self.counts.evaluations += moves;
        if ply == self.lines.len() && moves > 0 {
            self.lines.push(0);
        }
        if moves > 0 {
            self.lines[ply] += moves;
        }
    }

    fn show(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        watch.tick(|| {
            self.counts.depth = self.path.len();
            let root = self.path.first();
            self.counts.root = root.map_or((0, 0), |frame| (frame.next, frame.moves.len()));
            self.counts
        })
    }
}
