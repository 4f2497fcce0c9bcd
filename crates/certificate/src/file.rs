//! Reading certificates: one pass over the file, then blocks as they are asked for.
//!
//! The pass checks all that can be checked without the game (the seal, the order, the counts) and
//! notes where each block begins and with which position. So memory holds an index of a few
//! bytes for every 64 couples, and the blocks that were asked for lately. Steps, which are read in
//! their order, are held as the bytes they are.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use bouton_game::Nimber;

use crate::steps::Steps;
use crate::{Claim, Error, Statement, varint};

pub(crate) const MAGIC: &[u8; 7] = b"BOUTONC";
/// The version with couples, and the one with steps.
pub(crate) const COUPLES: u8 = 1;
pub(crate) const STEPS: u8 = 2;
pub(crate) const COUPLES_A_BLOCK: usize = 64;
const SEAL: usize = 32;

/// Blocks kept in memory, in each of two generations.
const KEPT: usize = 1 << 14;

/// A couple as it is in the file.
pub(crate) type Record = (Vec<u8>, Nimber);

/// A certificate, open for reading.
pub struct Certificate {
    statement: Statement,
    pub(crate) contents: Contents,
}

/// What a claim follows from.
pub(crate) enum Contents {
    Couples(Couples),
    Steps(Steps),
}

/// Couples in blocks.
pub(crate) struct Couples {
    count: u64,
    blocks: Vec<Block>,
    source: RefCell<Source>,
}

/// Bytes that can be read from any place on.
trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

/// Where a block is.
struct Block {
    start: u64,
    length: usize,
    first: Vec<u8>,
}

struct Source {
    file: Box<dyn Bytes>,
    young: HashMap<usize, Rc<Vec<Record>>>,
    old: HashMap<usize, Rc<Vec<Record>>>,
}

impl Certificate {
    /// Opens a file and checks all but its proof.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::read(File::open(path)?)
    }

    /// Reads a certificate from anywhere and checks all but its proof.
    pub fn read(source: impl Read + Seek + 'static) -> Result<Self, Error> {
        let mut file: Box<dyn Bytes> = Box::new(source);
        let length = file.seek(SeekFrom::End(0))?;
        let version = check_seal(&mut *file, length)?;
        let mut input = Input::new(&mut *file, length.saturating_sub(SEAL as u64))?;
        let statement = input.statement()?;
        let count = u64::from(input.number("how many couples or steps there are")?);
        let contents = if version == STEPS {
            let start = input.at();
            Contents::Steps(Steps::new(input.rest()?, count, start)?)
        } else {
            let blocks = input.number("the number of blocks")? as usize;
            let blocks = input.blocks(count, blocks)?;
            if input.at() != input.end {
                return Err(input.damaged("bytes behind the last block"));
            }
            Contents::Couples(Couples {
                count,
                blocks,
                source: RefCell::new(Source {
                    file,
                    young: HashMap::new(),
                    old: HashMap::new(),
                }),
            })
        };
        Ok(Self {
            statement,
            contents,
        })
    }

    /// What it claims.
    pub fn statement(&self) -> &Statement {
        &self.statement
    }

    /// How many couples it has, or steps.
    pub fn couples(&self) -> u64 {
        match &self.contents {
            Contents::Couples(couples) => couples.count,
            Contents::Steps(steps) => steps.count(),
        }
    }
}

impl Couples {
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The couples of a block.
    pub(crate) fn block(&self, index: usize) -> Result<Rc<Vec<Record>>, Error> {
        let source = &mut *self.source.borrow_mut();
        let kept = source.young.get(&index).or_else(|| source.old.get(&index));
        if let Some(records) = kept {
            return Ok(Rc::clone(records));
        }
        let block = &self.blocks[index];
        let mut bytes = vec![0; block.length];
        source.file.seek(SeekFrom::Start(block.start))?;
        source.file.read_exact(&mut bytes)?;
        let (records, _) = decode(&bytes, block.start)?;
        let records = Rc::new(records);
        if source.young.len() >= KEPT {
            source.old = std::mem::take(&mut source.young);
        }
        source.young.insert(index, Rc::clone(&records));
        Ok(records)
    }

    /// The nimber of a packed position, if it is there.
    pub(crate) fn find(&self, position: &[u8]) -> Result<Option<Nimber>, Error> {
        let after = self
            .blocks
            .partition_point(|block| block.first[..] <= *position);
        let Some(index) = after.checked_sub(1) else {
            return Ok(None);
        };
        let records = self.block(index)?;
        let found = records.binary_search_by(|(key, _)| key[..].cmp(position));
        Ok(found.ok().map(|index| records[index].1))
    }
}

/// Checks that the file is whole; returns its version.
fn check_seal(file: &mut dyn Bytes, length: u64) -> Result<u8, Error> {
    file.seek(SeekFrom::Start(0))?;
    let mut magic = Vec::new();
    file.take(8).read_to_end(&mut magic)?;
    let version = match magic.split_last() {
        Some((&version @ (COUPLES | STEPS), begin)) if begin == MAGIC => version,
        Some((&version, begin)) if begin == MAGIC => return Err(Error::Version(version)),
        _ => return Err(Error::Foreign),
    };
    let end = length.saturating_sub(SEAL as u64);
    file.seek(SeekFrom::Start(0))?;
    let mut hash = blake3::Hasher::new();
    std::io::copy(&mut file.take(end), &mut hash)?;
    let mut seal = Vec::new();
    file.read_to_end(&mut seal)?;
    if seal[..] != *hash.finalize().as_bytes() {
        return Err(Error::Damaged {
            what: "its seal does not fit; it was cut off or changed",
            at: end,
        });
    }
    Ok(version)
}

/// The couples at the beginning of some bytes that lie at `start` in the file, and how many
/// bytes they take.
fn decode(bytes: &[u8], start: u64) -> Result<(Vec<Record>, usize), Error> {
    let mut rest = bytes;
    let at = |rest: &[u8]| start + (bytes.len() - rest.len()) as u64;
    let damaged = |what, rest: &[u8]| Error::Damaged { what, at: at(rest) };
    let number = |rest: &mut &[u8]| {
        let (number, behind) = varint::read(rest).ok_or(damaged("a number", rest))?;
        *rest = behind;
        Ok::<_, Error>(number as usize)
    };
    let count = number(&mut rest)?;
    if count == 0 || count > COUPLES_A_BLOCK {
        return Err(damaged("a block of 0 or more than 64 couples", rest));
    }
    let mut records: Vec<Record> = Vec::with_capacity(count);
    for _ in 0..count {
        let (shared, other) = (number(&mut rest)?, number(&mut rest)?);
        let before = records.last().map_or(&[][..], |(key, _)| key);
        if shared > before.len() || other > rest.len() {
            return Err(damaged("a position that is too long", rest));
        }
        let (own, behind) = rest.split_at(other);
        let key = [&before[..shared], own].concat();
        if !records.is_empty() && key[..] <= *before {
            return Err(damaged("positions out of order", rest));
        }
        rest = behind;
        let nimber = number(&mut rest)? as Nimber;
        records.push((key, nimber));
    }
    Ok((records, bytes.len() - rest.len()))
}

/// The file on the first pass: a window that moves on.
struct Input<'a> {
    file: &'a mut dyn Bytes,
    window: Vec<u8>,
    /// How much of the window is done.
    done: usize,
    /// Where the window begins in the file.
    start: u64,
    /// Where the couples end.
    end: u64,
}

impl<'a> Input<'a> {
    const MORE: usize = 1 << 16;

    fn new(file: &'a mut dyn Bytes, end: u64) -> Result<Self, Error> {
        let start = (MAGIC.len() + 1) as u64;
        file.seek(SeekFrom::Start(start))?;
        Ok(Self {
            file,
            window: Vec::new(),
            done: 0,
            start,
            end,
        })
    }

    fn at(&self) -> u64 {
        self.start + self.done as u64
    }

    fn damaged(&self, what: &'static str) -> Error {
        Error::Damaged {
            what,
            at: self.at(),
        }
    }

    /// The bytes from here on: so many, or all that are left.
    fn ahead(&mut self, wanted: usize) -> Result<&[u8], Error> {
        if self.window.len() - self.done < wanted {
            self.window.drain(..self.done);
            self.start += self.done as u64;
            self.done = 0;
            let read = self.start + self.window.len() as u64;
            let left = self.end.saturating_sub(read);
            let more = left.min(wanted.max(Self::MORE) as u64);
            (&mut *self.file).take(more).read_to_end(&mut self.window)?;
        }
        Ok(&self.window[self.done..])
    }

    fn number(&mut self, what: &'static str) -> Result<u32, Error> {
        let bytes = self.ahead(5)?;
        let before = bytes.len();
        let Some((number, rest)) = varint::read(bytes) else {
            return Err(self.damaged(what));
        };
        self.done += before - rest.len();
        Ok(number)
    }

    /// All that is left.
    fn rest(&mut self) -> Result<Vec<u8>, Error> {
        let left = self.end.saturating_sub(self.at());
        let left = usize::try_from(left).map_err(|_| self.damaged("more than memory can hold"))?;
        let bytes = self.ahead(left)?;
        let bytes = bytes.get(..left).map(<[u8]>::to_vec);
        self.done += left;
        bytes.ok_or_else(|| self.damaged("the file became shorter"))
    }

    fn text(&mut self, what: &'static str) -> Result<String, Error> {
        let length = self.number(what)? as usize;
        let bytes = self.ahead(length)?;
        let text = bytes
            .get(..length)
            .and_then(|text| str::from_utf8(text).ok())
            // It is shown to people: nothing in it may move the cursor.
            .filter(|text| !text.contains(char::is_control));
        let Some(text) = text.map(str::to_owned) else {
            return Err(self.damaged(what));
        };
        self.done += length;
        Ok(text)
    }

    fn statement(&mut self) -> Result<Statement, Error> {
        let game = self.text("the name of the game")?;
        let root = self.text("the root")?;
        let kind = self.ahead(1)?.first().copied();
        self.done += usize::from(kind.is_some());
        let nimber = self.number("the claim")?;
        let claim = match (kind, nimber) {
            (Some(0), 0) => Claim::Loss,
            (Some(1), 0) => Claim::Win,
            (Some(2), nimber) => Claim::Nimber(nimber),
            _ => return Err(self.damaged("the claim")),
        };
        Ok(Statement { game, root, claim })
    }

    /// The index of all blocks.
    fn blocks(&mut self, couples: u64, count: usize) -> Result<Vec<Block>, Error> {
        let full = couples.div_ceil(COUPLES_A_BLOCK as u64);
        if full != count as u64 {
            return Err(self.damaged("the number of blocks"));
        }
        let mut blocks = Vec::new();
        let mut last: Vec<u8> = Vec::new();
        for index in 0..count {
            let start = self.at();
            let (records, length) = self.next_block(start)?;
            let left = couples - index as u64 * COUPLES_A_BLOCK as u64;
            if records.len() as u64 != left.min(COUPLES_A_BLOCK as u64) {
                return Err(self.damaged("the number of couples in a block"));
            }
            let (first, end) = (&records[0].0, &records[records.len() - 1].0);
            if index > 0 && *first <= last {
                return Err(self.damaged("positions out of order"));
            }
            last.clone_from(end);
            blocks.push(Block {
                start,
                length,
                first: first.clone(),
            });
            self.done += length;
        }
        Ok(blocks)
    }

    /// Decodes the block that begins here; where the window is too short, with a longer one.
    fn next_block(&mut self, start: u64) -> Result<(Vec<Record>, usize), Error> {
        let mut wanted = Self::MORE;
        loop {
            let bytes = self.ahead(wanted)?;
            let all = bytes.len() < wanted;
            match decode(bytes, start) {
                Err(Error::Damaged { .. }) if !all => wanted *= 2,
                result => return result,
            }
        }
    }
}
