//! Positions and moves as text for people, and as exact bytes for files.

use std::fmt;

use crate::Game;

/// How a game is named, read and written.
///
/// Reading must refuse what is wrong with a [`NotationError`] and never panic, hang or take
/// memory out of proportion, whatever the text; the mutated strings of
/// `crates/session/tests/hostile_text.rs` and the fuzz targets try. A position that is accepted
/// although no play could contain it costs **truth**; refusing a legal one costs a user.
pub trait Notation: Game {
    /// The name on the command line: lower case, no spaces.
    const NAME: &'static str;

    /// What the game is, in one line.
    const SUMMARY: &'static str;

    /// How a start position is asked for (`RxC`), or `-` where there are no sizes.
    const SIZES: &'static str;

    /// How positions are written, in a few words.
    const POSITIONS: &'static str;

    /// How moves are written, in a few words.
    const MOVES: &'static str;

    /// A few small positions, sizes included: shown as examples, and the roots from which the
    /// laws walk. Exhaustive search should solve each within milliseconds.
    const EXAMPLES: &'static [&'static str];

    /// Reads a size (giving the start position) or a position, and the game it belongs to.
    fn open(text: &str) -> Result<(Self, Self::Position), NotationError>;

    /// The position as text; [`open`](Self::open) reads back exactly this position.
    fn write(&self, position: &Self::Position) -> String;

    /// A legal move of `position` as text, different from that of every other one.
    fn write_move(&self, position: &Self::Position, mv: &Self::Move) -> String;

    /// A picture of the board with a mark for every move, given its text, in a few lines; where
    /// moves are places of a board.
    fn map(&self, position: &Self::Position, mark: &dyn Fn(&str) -> char) -> Option<String> {
        let _ = (position, mark);
        None
    }

    /// Reads a move that is legal in `position`. The default compares with the text of every
    /// legal move and ignores case.
    fn read_move(
        &mut self,
        position: &Self::Position,
        text: &str,
    ) -> Result<Self::Move, NotationError> {
        let legal = self.legal_moves(position).unwrap_or_default();
        let found = legal
            .into_iter()
            .find(|mv| self.write_move(position, mv).eq_ignore_ascii_case(text));
        found.ok_or_else(|| NotationError::not_a_move(self, position, text))
    }

    /// All that must be known beside packed bytes to tell which position they are, such as the
    /// size of the board; nothing where bytes mean the same on all boards. Facts are kept apart
    /// by it: where it says too little that costs **truth**.
    fn board(&self) -> String {
        String::new()
    }

    /// All that must be known beside a position, as it is in memory, to tell which one it is: a
    /// mask of cells needs the size of the board, say. The table of a search that was stopped serves
    /// all searches of one setting: where it says too little that costs **truth**. Where nothing is
    /// said, a table serves the start that it was made for and no other.
    fn setting(&self) -> Option<String> {
        None
    }

    /// Appends the exact bytes of a canonical position: different positions, different bytes.
    /// A collision costs **truth**; long bytes cost memory. The default writes the text.
    fn pack(&self, position: &Self::Position, into: &mut Vec<u8>) {
        into.extend_from_slice(self.write(position).as_bytes());
    }

    /// The canonical position with these bytes, if there is one in this game.
    fn unpack(&self, bytes: &[u8]) -> Option<Self::Position> {
        let text = std::str::from_utf8(bytes).ok()?;
        Some(Self::open(text).ok()?.1)
    }
}

/// Why a text is not a position or a move: one line that names the game, the place and what
/// was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    message: String,
}

impl NotationError {
    /// An error of game `G`; `message` says where and what was expected.
    pub fn new<G: Notation>(message: impl fmt::Display) -> Self {
        Self {
            message: format!("{}: {message}", G::NAME),
        }
    }

    /// The text names no legal move of the position.
    pub fn not_a_move<G: Notation>(game: &G, position: &G::Position, text: &str) -> Self {
        Self::new::<G>(format_args!(
            "\"{}\" is not a legal move in \"{}\" (moves are written {})",
            excerpt(text),
            excerpt(&game.write(position)),
            G::MOVES
        ))
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Whatever the user typed is on one line of a terminal.
        self.message
            .chars()
            .try_for_each(|c| write!(f, "{}", if c.is_control() { '\u{fffd}' } else { c }))
    }
}

impl std::error::Error for NotationError {}

/// A text as it may be quoted in an error: not longer than a line.
pub fn excerpt(text: &str) -> String {
    const LENGTH: usize = 60;
    if text.chars().count() <= LENGTH {
        return text.to_owned();
    }
    text.chars().take(LENGTH).chain("...".chars()).collect()
}
