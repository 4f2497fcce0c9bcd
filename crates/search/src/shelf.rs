//! Facts that outlast a run, as a search sees them.
//!
//! A search asks the shelf about a position before it expands it, and puts there what it has
//! found out. What is behind, and whether anything is, is none of its business: without an
//! [`Archive`] nothing is known and nothing is kept.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bouton_game::{Fact, Game, Impartial, Nimber, Outcome};
use foldhash::fast::FixedState;

use crate::recent::Recent;

/// Where facts are kept.
pub trait Archive<G: Game>: Send {
    /// What is known about a position.
    fn get(&mut self, position: &G::Position) -> Option<Fact>;

    /// Whether it knew anything before this run.
    fn has_more(&self) -> bool;

    /// The same archive, for another thread.
    fn another(&self) -> Box<dyn Archive<G>>;

    /// Keeps a fact.
    fn put(&mut self, position: &G::Position, fact: Fact);

    /// The exact bytes of a position.
    fn pack(&mut self, position: &G::Position, into: &mut Vec<u8>);

    /// The position with these bytes.
    fn unpack(&mut self, bytes: &[u8]) -> Option<G::Position>;
}

/// An archive, or none.
pub struct Shelf<G: Game> {
    archive: Option<Box<dyn Archive<G>>>,
}

/// Expansions that a fact must have cost to be kept: less is found again sooner than it is
/// written and read.
pub const WORTH_KEEPING: u64 = 16;

impl<G: Game> Shelf<G> {
    /// Nothing is known, nothing is kept.
    pub const EMPTY: Self = Self { archive: None };

    /// A shelf in front of an archive.
    pub fn new(archive: Box<dyn Archive<G>>) -> Self {
        Self {
            archive: Some(archive),
        }
    }

    /// The same shelf, for another thread.
    pub fn another(&self) -> Self {
        Self {
            archive: self.archive.as_ref().map(|archive| archive.another()),
        }
    }

    fn has_more(&self) -> bool {
        let archive = self.archive.as_ref();
        archive.is_some_and(|archive| archive.has_more())
    }

    /// What is known about a position.
    #[inline]
    pub fn get(&mut self, position: &G::Position) -> Option<Fact> {
        self.archive.as_mut()?.get(position)
    }

    /// The outcome of a position, if that is known.
    pub fn outcome(&mut self, position: &G::Position) -> Option<Outcome> {
        self.get(position).map(Fact::outcome)
    }

    /// Appends the bytes of a position, behind their number.
    pub fn pack(&mut self, position: &G::Position, into: &mut Vec<u8>) -> Option<()> {
        let archive = self.archive.as_mut()?;
        let start = into.len();
        into.extend([0; 4]);
        archive.pack(position, into);
        let length = u32::try_from(into.len() - start - 4).ok()?;
        into[start..start + 4].copy_from_slice(&length.to_le_bytes());
        Some(())
    }

    /// Takes a position from the front of bytes that [`pack`](Self::pack) made.
    pub fn unpack(&mut self, from: &mut &[u8]) -> Option<G::Position> {
        let (length, rest) = from.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        let (bytes, rest) = rest.split_at_checked(length)?;
        *from = rest;
        self.archive.as_mut()?.unpack(bytes)
    }

    /// Keeps a fact that took so many expansions, if it is worth it.
    #[inline]
    pub fn put(&mut self, position: &G::Position, fact: Fact, work: u64) {
        if let Some(archive) = &mut self.archive
            && work >= WORTH_KEEPING
        {
            archive.put(position, fact);
        }
    }
}

/// The nimbers of positions: those found lately in memory, all others on the shelf.
pub struct Nimbers<G: Impartial> {
    recent: Memory<G>,
    shelf: Shelf<G>,
    /// Whether the shelf may know what is not in memory. To ask costs as much as a few look-ups in
    /// memory, and a search asks about every child.
    asks: bool,
}

/// Nimbers in memory: of one thread, or of several.
enum Memory<G: Impartial> {
    /// With how often something was put there.
    Own(Recent<G, Nimber>, u64),
    Shared(Arc<Shared<G>>),
}

impl<G: Impartial> Nimbers<G> {
    /// Nothing is known yet; so many bytes are for what is found lately.
    pub fn new(memory: usize) -> Self {
        Self::with(Memory::Own(Recent::new(memory), 0))
    }

    /// The same for so many threads: what one finds, all know at once.
    pub fn for_threads(memory: usize, threads: usize) -> Vec<Self> {
        if threads == 1 {
            return vec![Self::new(memory)];
        }
        let shared = Arc::new(Shared::new(memory));
        let memory = || Memory::Shared(Arc::clone(&shared));
        (0..threads).map(|_| Self::with(memory())).collect()
    }

    fn with(recent: Memory<G>) -> Self {
        Self {
            recent,
            shelf: Shelf::EMPTY,
            asks: false,
        }
    }

    /// Puts a shelf behind the memory.
    pub fn attach(&mut self, shelf: Shelf<G>) {
        self.asks = shelf.has_more() || self.recent.has_forgotten();
        self.shelf = shelf;
    }

    /// What is behind the memory.
    pub fn shelf(&mut self) -> &mut Shelf<G> {
        &mut self.shelf
    }

    /// The nimber of a position, if it is known.
    #[inline]
    pub fn get(&mut self, position: &G::Position) -> Option<Nimber> {
        let recent = self.recent.get(position);
        match self.asks {
            true => recent.or_else(|| self.shelf_nimber(position)),
            false => recent,
        }
    }

    fn shelf_nimber(&mut self, position: &G::Position) -> Option<Nimber> {
        let nimber = self.shelf.get(position)?.nimber()?;
        self.recent.put(position, nimber);
        Some(nimber)
    }

    /// Whether the shelf knows a position as a win, though not what it is worth.
    pub fn is_win(&mut self, position: &G::Position) -> bool {
        self.shelf.outcome(position) == Some(Outcome::Win)
    }

    /// A nimber was found. All of them are kept, however little work they were: a run that goes
    /// on later then sees the same sums.
    pub fn put(&mut self, position: &G::Position, nimber: Nimber) {
        self.recent.put(position, nimber);
        self.asks |= self.recent.has_forgotten();
        self.shelf
            .put(position, Fact::Nimber(nimber), WORTH_KEEPING);
    }

    /// A position was found to be a win, after so many expansions.
    pub fn put_win(&mut self, position: &G::Position, work: u64) {
        self.shelf.put(position, Fact::Outcome(Outcome::Win), work);
    }

    /// How often a nimber was found.
    #[inline]
    pub fn found(&self) -> u64 {
        self.recent.found()
    }

    /// How many nimbers are in memory.
    pub fn len(&self) -> usize {
        self.recent.sum(Recent::len)
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes held.
    pub fn bytes(&self) -> usize {
        self.recent.sum(Recent::bytes)
    }
}

impl<G: Impartial> Memory<G> {
    #[inline]
    fn get(&self, position: &G::Position) -> Option<Nimber> {
        match self {
            Self::Own(recent, _) => recent.get(position),
            Self::Shared(shared) => shared.part(position).get(position),
        }
    }

    fn put(&mut self, position: &G::Position, nimber: Nimber) {
        match self {
            Self::Own(recent, found) => {
                recent.put(position, nimber);
                *found += 1;
            }
            Self::Shared(shared) => shared.put(position, nimber),
        }
    }

    #[inline]
    fn found(&self) -> u64 {
        match self {
            Self::Own(_, found) => *found,
            Self::Shared(shared) => shared.found.load(Relaxed),
        }
    }

    fn has_forgotten(&self) -> bool {
        match self {
            Self::Own(recent, _) => recent.has_forgotten(),
            Self::Shared(shared) => shared.has_forgotten.load(Relaxed),
        }
    }

    fn sum(&self, count: impl Fn(&Recent<G, Nimber>) -> usize) -> usize {
        match self {
            Self::Own(recent, _) => count(recent),
            Self::Shared(shared) => shared.parts.iter().map(|part| count(&lock(part))).sum(),
        }
    }
}

/// A memory in so many parts that threads seldom meet in one.
struct Shared<G: Impartial> {
    parts: Vec<Mutex<Recent<G, Nimber>>>,
    has_forgotten: AtomicBool,
    /// How often something was put there.
    found: AtomicU64,
}

/// How many parts there are.
const PARTS: usize = 64;

impl<G: Impartial> Shared<G> {
    fn new(memory: usize) -> Self {
        let part = || Mutex::new(Recent::new(memory / PARTS));
        Self {
            parts: (0..PARTS).map(|_| part()).collect(),
            has_forgotten: AtomicBool::new(false),
            found: AtomicU64::new(0),
        }
    }

    #[inline]
    fn part(&self, position: &G::Position) -> MutexGuard<'_, Recent<G, Nimber>> {
        // Not the hash that the map inside uses: its entries would crowd together.
        let hash = FixedState::with_seed(1).hash_one(position);
        lock(&self.parts[hash as usize % PARTS])
    }

    fn put(&self, position: &G::Position, nimber: Nimber) {
        let mut part = self.part(position);
        part.put(position, nimber);
        self.found.fetch_add(1, Relaxed);
        if part.has_forgotten() {
            self.has_forgotten.store(true, Relaxed);
        }
    }
}

/// What a thread that panicked has left is as good as any other.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
