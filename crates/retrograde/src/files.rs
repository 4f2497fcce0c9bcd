//! The files of a table: sets of positions, level by level, sealed block by block.
//!
//! `docs/formats/table.md` draws them. A file is written beside its place first and put there
//! when it is whole, so that it is whole or not there. Every block has its checksum in the head,
//! and the head has its own: a look-up reads one block, and can trust it.

use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use blake3::Hash;

use crate::Error;
use crate::error::{at, damaged};

/// What a file of positions begins with, before its version.
const MAGIC: &[u8; 7] = b"BOUTONP";
pub(crate) const VERSION: u8 = 1;

/// A block: as much as is read, and sealed, at a time.
const BLOCK_WORDS: usize = 8192;
const BLOCK: usize = BLOCK_WORDS * 8;

const HEAD: usize = 64;
const HASH: usize = blake3::OUT_LEN;

/// What a set of positions is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Those of a level from which the player to move wins.
    Values,
    /// Those of a level that are reached at a ply, as far as is known.
    Reached { ply: u32 },
    /// Those of a level that are reached at earlier plies.
    Earlier,
}

/// What a file says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Which table it belongs to.
    pub(crate) table: Hash,
    pub(crate) kind: Kind,
    pub(crate) level: usize,
    pub(crate) rows: usize,
    /// Words of a row.
    pub(crate) words: usize,
}

impl Head {
    fn all_words(&self) -> usize {
        self.rows * self.words
    }

    fn blocks(&self) -> usize {
        self.all_words().div_ceil(BLOCK_WORDS)
    }

    /// Where the positions begin.
    fn data(&self) -> u64 {
        (HEAD + (self.blocks() + 1) * HASH) as u64
    }

    /// The file of such a set.
    pub(crate) fn path(&self, directory: &Path) -> PathBuf {
        let level = self.level;
        directory.join(match self.kind {
            Kind::Values => format!("level-{level:03}.values"),
            Kind::Reached { ply } => format!("level-{level:03}-ply-{ply:03}.reached"),
            Kind::Earlier => format!("level-{level:03}.earlier"),
        })
    }

    fn to_bytes(self) -> [u8; HEAD] {
        let (kind, ply) = match self.kind {
            Kind::Values => (1u32, 0),
            Kind::Reached { ply } => (2, ply),
            Kind::Earlier => (3, 0),
        };
        let mut head = [0; HEAD];
        head[..7].copy_from_slice(MAGIC);
        head[7] = VERSION;
        head[8..12].copy_from_slice(&kind.to_le_bytes());
        head[12..16].copy_from_slice(&(self.level as u32).to_le_bytes());
        head[16..20].copy_from_slice(&ply.to_le_bytes());
        head[20..24].copy_from_slice(&(self.words as u32).to_le_bytes());
        head[24..32].copy_from_slice(&(self.rows as u64).to_le_bytes());
        head[32..].copy_from_slice(self.table.as_bytes());
        head
    }
}

/// Writes a set of positions; the file is whole or not there. Gives its seal.
pub(crate) fn write(directory: &Path, head: &Head, words: &[u64]) -> Result<Hash, Error> {
    let path = head.path(directory);
    let written = write_beside(&path, |file| {
        let mut sums = Vec::with_capacity(head.blocks() * HASH);
        let mut block = vec![0; BLOCK];
        file.seek(SeekFrom::Start(head.data()))?;
        for words in words.chunks(BLOCK_WORDS) {
            let bytes = &mut block[..words.len() * 8];
            for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            sums.extend_from_slice(blake3::hash(bytes).as_bytes());
            file.write_all(bytes)?;
        }
        let mut start = head.to_bytes().to_vec();
        start.append(&mut sums);
        let seal = blake3::hash(&start);
        start.extend_from_slice(seal.as_bytes());
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&start)?;
        Ok(seal)
    });
    written.map_err(at(&path))
}

/// Writes a file beside its place and puts it there when it is whole.
pub(crate) fn write_beside<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<T>,
) -> std::io::Result<T> {
    // Two runs that write the same file write it twice, and not one into the other.
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let mut file = BufWriter::with_capacity(1 << 18, File::create(&beside)?);
    let result = write(&mut file)?;
    file.into_inner()?.sync_data()?;
    fs::rename(&beside, path)?;
    Ok(result)
}

/// A set of positions on disk, whose head is right.
#[derive(Debug)]
pub(crate) struct Sealed {
    path: PathBuf,
    file: File,
    head: Head,
    sums: Vec<u8>,
    /// The checksum of the head, which follows from all that is in the file.
    pub(crate) seal: Hash,
}

impl Sealed {
    /// Opens a set of positions; `None` if there is no such file.
    pub(crate) fn open(directory: &Path, head: &Head) -> Result<Option<Self>, Error> {
        let path = head.path(directory);
        let mut file = match File::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file.map_err(at(&path))?,
        };
        let mut start = Vec::new();
        let wanted = head.data();
        let read = Read::by_ref(&mut file).take(wanted).read_to_end(&mut start);
        read.map_err(at(&path))?;
        check_magic(&path, &start, MAGIC)?;
        if start.len() < HEAD {
            return Err(damaged(&path, "it ends too early"));
        }
        let expected = head.to_bytes();
        if start[32..HEAD] != expected[32..] {
            let what = "another board, or another version of its index".to_owned();
            let path = path.display().to_string();
            return Err(Error::Other { path, what });
        }
        let length = file.metadata().map_err(at(&path))?.len();
        if start[..HEAD] != expected || length != wanted + head.all_words() as u64 * 8 {
            return Err(damaged(&path, "its head or its length is wrong"));
        }
        let (start, seal) = start.split_at(start.len() - HASH);
        let hash = blake3::hash(start);
        if seal != hash.as_bytes() {
            return Err(damaged(&path, "the checksum of its head does not fit"));
        }
        Ok(Some(Self {
            path,
            file,
            head: *head,
            sums: start[HEAD..].to_vec(),
            seal: hash,
        }))
    }

    /// The words of a block; the last one may be short.
    pub(crate) fn block(&mut self, block: usize) -> Result<Vec<u64>, Error> {
        let left = self.head.all_words() - block * BLOCK_WORDS;
        let mut words = vec![0; left.min(BLOCK_WORDS)];
        self.read_block(block, &mut words)?;
        Ok(words)
    }

    fn read_block(&mut self, block: usize, into: &mut [u64]) -> Result<(), Error> {
        let start = self.head.data() + (block * BLOCK) as u64;
        let mut bytes = vec![0; into.len() * 8];
        let file = &mut self.file;
        let read = file.seek(SeekFrom::Start(start));
        let read = read.and_then(|_| file.read_exact(&mut bytes));
        read.map_err(at(&self.path))?;
        if self.sums[block * HASH..][..HASH] != *blake3::hash(&bytes).as_bytes() {
            return Err(damaged(&self.path, "the checksum of a block does not fit"));
        }
        for (into, word) in into.iter_mut().zip(bytes.chunks_exact(8)) {
            *into = u64::from_le_bytes(word.try_into().expect("eight bytes"));
        }
        Ok(())
    }

    /// The block, and the word of it, that holds a word of a row.
    pub(crate) fn find(&self, row: usize, word: usize) -> (usize, usize) {
        let word = row * self.head.words + word;
        (word / BLOCK_WORDS, word % BLOCK_WORDS)
    }

    /// All words.
    pub(crate) fn read(self) -> Result<Vec<u64>, Error> {
        let mut words = vec![0; self.head.all_words()];
        self.read_into(&mut words)?;
        Ok(words)
    }

    /// All words, as many as fit the place for them.
    pub(crate) fn read_into(mut self, words: &mut [u64]) -> Result<(), Error> {
        assert_eq!(words.len(), self.head.all_words(), "a place for all");
        let blocks = words.chunks_mut(BLOCK_WORDS).enumerate();
        for (block, words) in blocks {
            self.read_block(block, words)?;
        }
        Ok(())
    }

    /// Reads everything, to see whether it is as it was written.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        (0..self.head.blocks()).try_for_each(|block| self.block(block).map(drop))
    }
}

/// Whether a file begins as it should, with a version that can be read.
pub(crate) fn check_magic(path: &Path, bytes: &[u8], magic: &[u8; 7]) -> Result<(), Error> {
    let path = path.display().to_string();
    match bytes.get(..8).and_then(<[u8]>::split_last) {
        Some((&VERSION, begin)) if begin == magic => Ok(()),
        Some((&version, begin)) if begin == magic => Err(Error::Version {
            path,
            version,
            expected: VERSION,
        }),
        _ => Err(Error::Foreign { path }),
    }
}
