//! What the master of a job-level search keeps in a store: key results, which are facts like any
//! others, and its tree as a checkpoint. A master that was killed goes on from there. The facts are
//! the record of truth; a checkpoint steers, and what is solved in it was proved.

use std::path::Path;
use std::time::Duration;

use bouton_game::{Fact, Outcome};
use bouton_search::jobs::KeyResult;
use bouton_search::jobs::bytes::{Reader, Writer};
use bouton_store::{Facts, Store};

use crate::Error;
use crate::keeping::Schedule;

/// A store that is open for a master.
pub struct Journal {
    store: Store,
    facts: Facts,
    has_nimbers: bool,
    /// The name of its checkpoint.
    name: String,
    commits: Schedule,
}

/// Bytes that a tree may have in a store.
const LARGEST_TREE: usize = 48 << 20;

impl Journal {
    pub(crate) fn open(
        dir: &Path,
        game: &str,
        board: &str,
        has_nimbers: bool,
    ) -> Result<Self, Error> {
        let store = Store::open(dir)?;
        Ok(Self {
            facts: store.game(game, board)?,
            store,
            has_nimbers,
            name: format!("pns-pdfpn {game} {board}"),
            commits: Schedule::every(Duration::from_millis(50)),
        })
    }

    /// How many facts there are about the game.
    pub fn facts(&self) -> u64 {
        self.facts.len()
    }

    /// All key results there are.
    pub fn results(&self) -> Result<Vec<KeyResult>, Error> {
        let mut results = Vec::new();
        for entry in &self.facts {
            let (position, fact) = entry?;
            let nimber = match (fact, self.has_nimbers) {
                (Fact::Nimber(nimber), true) => nimber,
                (Fact::Outcome(Outcome::Loss), false) => 0,
                _ => continue,
            };
            let position = position.into();
            results.push(KeyResult { position, nimber });
        }
        Ok(results)
    }

    /// Keeps key results. They are sure to last when they are [committed](Self::commit); now and
    /// then that is done here.
    pub fn append(&mut self, results: &[KeyResult]) -> Result<(), Error> {
        for KeyResult { position, nimber } in results {
            let fact = match self.has_nimbers {
                true => Fact::Nimber(*nimber),
                false => Fact::Outcome(Outcome::Loss),
            };
            self.facts.put(position, fact)?;
        }
        if let Some(start) = self.commits.due() {
            self.commit()?;
            self.commits.done_since(start);
        }
        Ok(())
    }

    /// Makes all key results last.
    pub fn commit(&self) -> Result<(), Error> {
        Ok(self.facts.commit()?)
    }

    /// Keeps the tree below a root, in place of what was kept before; an empty one when it is done.
    /// One that is too large is not kept: then there are the facts.
    pub fn save(&self, root: &[u8], tree: &[u8]) -> Result<(), Error> {
        self.commit()?;
        if tree.len() > LARGEST_TREE {
            return Ok(());
        }
        let mut writer = Writer::default();
        writer.text(root);
        writer.text(tree);
        Ok(self.store.put_checkpoint(&self.name, &writer.0)?)
    }

    /// The tree below a root that was kept last, empty if there is none.
    pub fn saved(&self, root: &[u8]) -> Result<Vec<u8>, Error> {
        let saved = self.store.get_checkpoint(&self.name)?.unwrap_or_default();
        let mut reader = Reader(&saved);
        let parts = reader.text().zip(reader.text());
        let tree = parts.filter(|(of, _)| *of == root).map(|(_, tree)| tree);
        Ok(tree.unwrap_or_default().to_vec())
    }
}
