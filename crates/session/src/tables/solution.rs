//! A finished table, and what it says about a position.

use std::path::{Path, PathBuf};

use bouton_game::{Indexed, Notation, Outcome};
use bouton_retrograde::Table;
use bouton_retrograde::table::Cover;
use bouton_search::watch::Watch;
use serde::Serialize;

use super::{Error, Extent, Ply, Verified, index, plies};
use crate::answer::{MoveOutcome, Verdict, Winner};

/// A finished table of some game.
pub trait Solution: Send {
    /// The game's name.
    fn game(&self) -> &'static str;

    /// The position that counts begin with.
    fn root(&self) -> &str;

    /// The board whose packed positions it can look up.
    fn board(&self) -> String;

    /// What was counted.
    fn plies(&self) -> Vec<Ply>;

    /// The outcome of a canonical position, packed, if the table has it.
    fn look_up(&mut self, packed: &[u8]) -> Result<Option<Outcome>, Error>;

    /// What the table says about a position, after some moves.
    fn probe(&mut self, position: &str, after: &str) -> Result<Found, Error>;

    /// Whether to believe it.
    fn verify(&mut self, extent: &Extent, watch: &mut Watch) -> Result<Verified, Error>;
}

/// What a table says about a position.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// The game.
    pub game: &'static str,
    /// The position, as it lies.
    pub position: String,
    /// The outcome for the player to move.
    pub outcome: Verdict,
    /// Who wins, in a game with colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Winner>,
    /// All moves that win.
    pub winning_moves: Vec<String>,
    /// Every move with its outcome for the player who makes it.
    pub moves: Vec<MoveOutcome>,
}

pub(super) fn open<G: Indexed + Notation>(
    directory: &Path,
    cover: Cover,
) -> Result<Box<dyn Solution>, Error>
where
    G::Index: Sync + 'static,
{
    let (game, root) = G::open(&cover.subject.root).map_err(crate::Error::from)?;
    let index = index(&game, &root)?;
    let table = Table::open(directory, cover, index)?;
    let directory = directory.to_owned();
    Ok(Box::new(Opened::<G> {
        game,
        root,
        table,
        directory,
    }))
}

/// A table, and the game it is about.
pub(super) struct Opened<G: Indexed> {
    pub(super) game: G,
    pub(super) root: G::Position,
    pub(super) table: Table<G::Index>,
    pub(super) directory: PathBuf,
}

impl<G: Indexed + Notation> Opened<G>
where
    G::Index: Sync,
{
    /// The outcome of a position, which the table must have.
    pub(super) fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Error> {
        let found = self.table.outcome(position)?;
        found.ok_or_else(|| Error::Elsewhere {
            game: G::NAME,
            position: self.game.write(position),
            root: self.table.cover().subject.root.clone(),
        })
    }

    fn read(&mut self, position: &str, after: &str) -> Result<G::Position, crate::Error> {
        let (mut game, mut position) = G::open(position)?;
        for text in after.split_whitespace() {
            let mv = game.read_move(&position, text)?;
            position = game.play(&position, &mv);
        }
        // A position of another board may look like one of ours, but for its text.
        let text = game.write(&position);
        if self.game.write(&position) != text {
            return Err(crate::Error::from(bouton_game::NotationError::new::<G>(
                format_args!(
                    "\"{}\" is not a position of {}",
                    bouton_game::excerpt(&text),
                    bouton_game::excerpt(&self.table.cover().subject.root)
                ),
            )));
        }
        Ok(position)
    }
}

impl<G: Indexed + Notation> Solution for Opened<G>
where
    G::Index: Sync,
{
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn root(&self) -> &str {
        &self.table.cover().subject.root
    }

    fn board(&self) -> String {
        self.game.board()
    }

    fn look_up(&mut self, packed: &[u8]) -> Result<Option<Outcome>, Error> {
        match self.game.unpack(packed) {
            Some(position) => Ok(self.table.outcome(&position)?),
            None => Ok(None),
        }
    }

    fn plies(&self) -> Vec<Ply> {
        plies(&self.table.cover().plies)
    }

    fn probe(&mut self, position: &str, after: &str) -> Result<Found, Error> {
        let position = self.read(position, after)?;
        let outcome = self.outcome(&position)?;
        let legal = self.game.legal_moves(&position);
        let legal = legal.map_err(|too_many| crate::Error::TooMany {
            game: G::NAME,
            too_many,
        })?;
        let mut moves = Vec::new();
        for mv in legal {
            let child = self.game.play(&position, &mv);
            moves.push(MoveOutcome {
                mv: self.game.write_move(&position, &mv),
                outcome: Some(!self.outcome(&child)?).into(),
            });
        }
        let winning = moves.iter().filter(|mv| mv.outcome == Verdict::Win);
        let side = self.game.to_move(&position);
        Ok(Found {
            game: G::NAME,
            position: self.game.write(&position),
            outcome: Some(outcome).into(),
            winner: side.map(|side| Winner(side.winner(outcome))),
            winning_moves: winning.map(|mv| mv.mv.clone()).collect(),
            moves,
        })
    }

    fn verify(&mut self, extent: &Extent, watch: &mut Watch) -> Result<Verified, Error> {
        self.check(extent, watch)
    }
}
