//! Writing certificates.

use std::io::{self, Write};

use bouton_game::Nimber;

use crate::file::{COUPLES_A_BLOCK, MAGIC, VERSION};
use crate::{Claim, Statement, varint};

/// Writes a certificate; couples come as packed positions with their nimbers, in any order.
pub fn write(
    into: &mut impl Write,
    statement: &Statement,
    mut couples: Vec<(Vec<u8>, Nimber)>,
) -> io::Result<()> {
    couples.sort_unstable();
    let mut output = Sealed {
        into,
        hash: blake3::Hasher::new(),
    };
    let blocks = couples.chunks(COUPLES_A_BLOCK);
    output.put(&header(statement, couples.len(), blocks.len())?)?;
    for block in blocks {
        output.put(&coded(block)?)?;
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

fn header(statement: &Statement, couples: usize, blocks: usize) -> io::Result<Vec<u8>> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
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
    varint::push(number(couples)?, &mut bytes);
    varint::push(number(blocks)?, &mut bytes);
    Ok(bytes)
}

/// A block: each position by what it does not share with the one before.
fn coded(couples: &[(Vec<u8>, Nimber)]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    varint::push(number(couples.len())?, &mut bytes);
    let mut before: &[u8] = &[];
    for (position, nimber) in couples {
        let same = before.iter().zip(position).take_while(|(a, b)| a == b);
        let shared = same.count();
        varint::push(number(shared)?, &mut bytes);
        varint::push(number(position.len() - shared)?, &mut bytes);
        bytes.extend_from_slice(&position[shared..]);
        varint::push(*nimber, &mut bytes);
        before = position;
    }
    Ok(bytes)
}

fn number(count: usize) -> io::Result<u32> {
    u32::try_from(count).map_err(|_| io::Error::other("a certificate has at most 2^32 - 1 couples"))
}
