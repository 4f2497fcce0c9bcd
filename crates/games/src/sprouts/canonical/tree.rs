//! The search tree of a canonical form: open nodes, the leaves they remember, and a stack that
//! keeps memory.

/// A node whose children are being looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub(super) ranks: Vec<u32>,
    /// The letters of the cell to be split, and how many of them were taken.
    pub(super) cell: Vec<u32>,
    pub(super) taken: usize,
    /// Letters that were singled out, and the index of the first leaf below.
    pub(super) explored: Vec<(u32, usize)>,
    /// How many leaves there were before the node had children of its own.
    pub(super) leaves: usize,
    /// Joins letters that symmetries fixing this node take to each other.
    pub(super) orbits: Vec<u32>,
}

/// A discrete partition, and the hash of the land with ranks as numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    pub(super) ranks: Vec<u32>,
    pub(super) certificate: u64,
}

impl Node {
    /// Begins with the first letter of the cell taken.
    pub(super) fn open(&mut self, ranks: &[u32], cell: u32, leaves: usize) {
        self.ranks.clear();
        self.ranks.extend_from_slice(ranks);
        self.cell.clear();
        let letters = 0..ranks.len() as u32;
        let in_cell = |&letter: &u32| ranks[letter as usize] == cell;
        self.cell.extend(letters.clone().filter(in_cell));
        self.taken = 1;
        self.explored.clear();
        self.leaves = leaves;
        self.orbits.clear();
        self.orbits.extend(letters);
    }

    pub(super) fn taken_letter(&self) -> u32 {
        self.cell[self.taken - 1]
    }

    /// Takes the next letter of the cell that no known symmetry takes to an explored one.
    pub(super) fn take_next_letter(&mut self) -> bool {
        let Self {
            cell,
            taken,
            explored,
            orbits,
            ..
        } = self;
        let found = cell[*taken..].iter().position(|&letter| {
            let orbit = root(orbits, letter);
            let mut explored = explored.iter();
            explored.all(|&(other, _)| root(orbits, other) != orbit)
        });
        *taken = found.map_or(cell.len(), |skipped| *taken + skipped + 1);
        found.is_some()
    }

    pub(super) fn join_orbits(&mut self, letter: u32, image: u32) {
        let [one, other] = [letter, image].map(|letter| root(&mut self.orbits, letter));
        self.orbits[one as usize] = other;
    }
}

/// A stack that keeps the memory of what is taken off.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack<T> {
    items: Vec<T>,
    len: usize,
}

impl<T: Default> Stack<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds an item, with whatever it held before.
    pub(super) fn push(&mut self) -> &mut T {
        if self.len == self.items.len() {
            self.items.push(T::default());
        }
        self.len += 1;
        &mut self.items[self.len - 1]
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.len = len;
    }

    pub(super) fn items(&self) -> &[T] {
        &self.items[..self.len]
    }

    pub(super) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len]
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut T> {
        self.items_mut().last_mut()
    }
}

fn root(orbits: &mut [u32], mut letter: u32) -> u32 {
    while orbits[letter as usize] != letter {
        let above = orbits[letter as usize];
        orbits[letter as usize] = orbits[above as usize];
        letter = above;
    }
    letter
}
