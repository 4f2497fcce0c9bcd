//! Writing certificates.

use std::io::{self, Write};

use bouton_game::Nimber;

use crate::file::{COUPLES, COUPLES_A_BLOCK, MAGIC, STEPS};
use crate::{Claim, Loss, Statement, varint};

/// What a claim follows from.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Packed positions with their nimbers, in any order.
    Couples(Vec<(Vec<u8>, Nimber)>),
    /// Losses, each after those it goes back to; the claim goes back to the last.
    Steps(Vec<Loss>),
}

/// Writes a certificate.
pub fn write(into: &mut impl Write, statement: &Statement, evidence: Evidence) -> io::Result<()> {
    let mut output = Sealed {
        into,
        hash: blake3::Hasher::new(),
    };
    match evidence {
        Evidence::Couples(mut couples) => {
            couples.sort_unstable();
            let blocks = couples.chunks(COUPLES_A_BLOCK);
            let mut bytes = header(statement, COUPLES, couples.len())?;
            varint::push(number(blocks.len())?, &mut bytes);
            output.put(&bytes)?;
            for block in blocks {
                output.put(&coded(block)?)?;
            }
        }
        Evidence::Steps(steps) => {
            output.put(&header(statement, STEPS, steps.len())?)?;
            let mut before: &[u8] = &[];
            for (index, step) in steps.iter().enumerate() {
                output.put(&coded_step(index, step, before)?)?;
                before = &step.position;
            }
        }
    }
    let seal = output.hash.finalize();
    output.into.write_all(seal.as_bytes())
}

/// Output that is hashed as it goes.
struct Sealed<'a, W> {
    into: &'a mut W,
    hash: blake3::Hasher,
}

impl<W: Write> Sealed<'_, W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.into.write_all(bytes)
    }
}

fn header(statement: &Statement, version: u8, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(version);
    for text in [&statement.game, &statement.root] {
        varint::push(number(text.len())?, &mut bytes);
        bytes.extend_from_slice(text.as_bytes());
    }
    let (kind, nimber) = match statement.claim {
        Claim::Loss => (0, 0),
        Claim::Win => (1, 0),
        Claim::Nimber(nimber) => (2, nimber),
    };
    bytes.push(kind);
    varint::push(nimber, &mut bytes);
    varint::push(number(count)?, &mut bytes);
    Ok(bytes)
}

/// A block of couples.
fn coded(couples: &[(Vec<u8>, Nimber)]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    varint::push(number(couples.len())?, &mut bytes);
    let mut before: &[u8] = &[];
    for (position, nimber) in couples {
        put_position(position, before, &mut bytes)?;
        varint::push(*nimber, &mut bytes);
        before = position;
    }
    Ok(bytes)
}

/// A step: its position, and how far back the losses lie that it goes back to.
fn coded_step(index: usize, step: &Loss, before: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    put_position(&step.position, before, &mut bytes)?;
    varint::push(number(step.met_by.len())?, &mut bytes);
    for &earlier in &step.met_by {
        varint::push(number(index - earlier as usize)?, &mut bytes);
    }
    Ok(bytes)
}

/// A position by what it does not share with the one before.
fn put_position(position: &[u8], before: &[u8], into: &mut Vec<u8>) -> io::Result<()> {
    let same = before.iter().zip(position).take_while(|(a, b)| a == b);
    let shared = same.count();
    varint::push(number(shared)?, into);
    varint::push(number(position.len() - shared)?, into);
    into.extend_from_slice(&position[shared..]);
    Ok(())
}

fn number(count: usize) -> io::Result<u32> {
    u32::try_from(count)
        .map_err(|_| io::Error::other("a certificate has at most 2^32 - 1 couples or steps"))
}
