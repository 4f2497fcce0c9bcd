//! The path of a search that was stopped, so that another run can go on from its very end.
//!
//! Proof-number search is chaotic: who goes on with the table alone sees what was found out since
//! each node of the path was entered, chooses otherwise, and may need more than a fresh search.
//! So the lists of the path are kept as they were; numbers in them steer, as those of the table.
//!
//! As bytes a path begins at the root. Positions are packed by whoever keeps facts; without an
//! archive there are no bytes, and a search goes on with the table alone.

use bouton_table::{INFINITY, Numbers};

use super::Terms;
use super::search::Choice;
use super::sums::Term;
use crate::space::{BranchOf, Space};

/// A node or a sum on the path, and what was known when the search went on below it.
pub(crate) enum Frame<S: Space> {
    Node {
        node: S::Node,
        choices: Vec<Choice<S>>,
        /// Expansions since the node was entered.
        work: u64,
    },
    Sum {
        sum: S::Sum,
        /// What had become of it.
        rest: BranchOf<S>,
        terms: Terms,
    },
}

/// The frames as bytes, if the space can write its branches; they come from the end to the root.
pub(crate) fn encode<S: Space>(space: &mut S, frames: &[Frame<S>]) -> Option<Vec<u8>> {
    let mut writer = Writer {
        space,
        bytes: Vec::new(),
    };
    for frame in frames.iter().rev() {
        match frame {
            Frame::Node {
                node,
                choices,
                work,
            } => {
                writer.branch(&BranchOf::<S>::Node(node.clone()))?;
                writer.number(*work);
                writer.number(choices.len() as u64);
                for Choice { branch, numbers } in choices {
                    writer.branch(branch)?;
                    writer.numbers(*numbers);
                }
            }
            Frame::Sum { sum, rest, terms } => {
                writer.branch(&BranchOf::<S>::Sum(sum.clone()))?;
                writer.branch(rest)?;
                writer.number(terms.len() as u64);
                for term in terms {
                    writer.number(u64::from(term.heap));
                    writer.numbers(term.numbers);
                }
            }
        }
    }
    Some(writer.bytes)
}

/// The frames from the end to the root; none if the bytes are no path.
pub(crate) fn decode<S: Space>(space: &mut S, bytes: &[u8]) -> Option<Vec<Frame<S>>> {
    let mut reader = Reader { space, bytes };
    let mut frames = Vec::new();
    while !reader.bytes.is_empty() {
        frames.push(reader.frame()?);
    }
    frames.reverse();
    Some(frames)
}

struct Writer<'a, S> {
    space: &'a mut S,
    bytes: Vec<u8>,
}

impl<S: Space> Writer<'_, S> {
    fn number(&mut self, number: u64) {
        self.bytes.extend(number.to_le_bytes());
    }

    fn numbers(&mut self, Numbers { proof, disproof }: Numbers) {
        self.number(proof);
        self.number(disproof);
    }

    fn branch(&mut self, branch: &BranchOf<S>) -> Option<()> {
        self.space.pack(branch, &mut self.bytes)
    }
}

struct Reader<'a, 'b, S> {
    space: &'a mut S,
    bytes: &'b [u8],
}

impl<S: Space> Reader<'_, '_, S> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn numbers(&mut self) -> Option<Numbers> {
        let (proof, disproof) = (self.number()?, self.number()?);
        (proof.max(disproof) <= INFINITY).then_some(Numbers { proof, disproof })
    }

    fn branch(&mut self) -> Option<BranchOf<S>> {
        self.space.unpack(&mut self.bytes)
    }

    fn frame(&mut self) -> Option<Frame<S>> {
        match self.branch()? {
            BranchOf::<S>::Node(node) => {
                let work = self.number()?;
                let choices = (0..self.number()?).map(|_| {
                    let branch = self.branch()?;
                    let numbers = self.numbers()?;
                    Some(Choice { branch, numbers })
                });
                let choices = choices.collect::<Option<_>>()?;
                Some(Frame::Node {
                    node,
                    choices,
                    work,
                })
            }
            BranchOf::<S>::Sum(sum) => {
                let rest = self.branch()?;
                let terms = (0..self.number()?).map(|_| {
                    let heap = u32::try_from(self.number()?).ok()?;
                    let numbers = self.numbers()?;
                    Some(Term { heap, numbers })
                });
                let terms = terms.collect::<Option<_>>()?;
                Some(Frame::Sum { sum, rest, terms })
            }
        }
    }
}
