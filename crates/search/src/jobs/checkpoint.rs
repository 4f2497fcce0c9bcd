//! A tree as bytes, for a run that goes on later.
//!
//! First all nodes with their numbers, then the developed ones with their branches, parents first.
//! Whoever reads them develops one after the other again; sums follow by themselves. Nimbers are
//! not in there: they are in the log, which is longer than it was when the bytes were written.
//! What is in the bytes steers, but for outcomes, which were proved.

use super::bytes::{Reader, Writer};
use super::sealed::{self, Sealed};
use super::{KeyResult, Tree};
use crate::graph::{First, Listed, Step};
use crate::watch::Stop;

impl Tree {
    /// The tree as bytes. Nothing is said about which leaves are out.
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        if self.outcome().is_some() {
            return writer.0;
        }
        let nodes: Vec<_> = self.graph.nodes().collect();
        writer.list(&nodes, |writer, (branch, numbers)| {
            writer.text(&sealed::write(branch));
            writer.numbers(*numbers);
        });
        writer.list(&self.graph.developed(), |writer, developed| {
            writer.text(&sealed::write(developed.node));
            writer.list(&developed.branches, |writer, branch| {
                writer.text(&sealed::write(branch));
            });
        });
        writer.0
    }

    /// The tree below a root that was saved, with all nimbers that are known by now; without
    /// bytes a new one. None if the bytes are no tree.
    pub fn restore(
        root: &[u8],
        memory: usize,
        saved: &[u8],
        results: &[KeyResult],
    ) -> Result<Option<Self>, Stop> {
        let Some(mut tree) = Self::new(root, memory)? else {
            return Ok(None);
        };
        for result in results {
            tree.positions.note(&result.position, result.nimber);
        }
        let (Some(root), Some((numbers, developed))) = (sealed::read(root), read(saved)) else {
            return Ok(None);
        };
        let first = First::Listed(&numbers);
        tree.plant(&root, &first)?;
        for (node, branches) in developed {
            if tree.grow(&node, branches, &first)? == Step::Full {
                break; // What is missing is searched again.
            }
        }
        Ok(Some(tree))
    }
}

/// A node with its branches.
type Developed = (Sealed, Vec<Sealed>);

/// The numbers of nodes, and the branches of those that are developed.
fn read(saved: &[u8]) -> Option<(Listed<super::Positions>, Vec<Developed>)> {
    if saved.is_empty() {
        return Some(Default::default());
    }
    let mut reader = Reader(saved);
    let numbers = reader.list(|reader| Some((branch(reader)?, reader.numbers()?)))?;
    let developed = reader.list(|reader| Some((branch(reader)?, reader.list(branch)?)))?;
    reader.end()?;
    Some((numbers.into_iter().collect(), developed))
}

fn branch(reader: &mut Reader) -> Option<Sealed> {
    sealed::read(reader.text()?)
}
