//! The canonical form of a land: one string for all drawings that are the same.
//!
//! Lands are the same if names of letters, rotations of boundaries, turning all boundaries of a
//! region round together (region by region), and the order of boundaries and regions make one
//! of the other. Once the upper-case letters are numbered, hashes put the rest in order
//! (`arrange.rs`). What is left is to choose the numbers. As in graph isomorphism (B. McKay and
//! A. Piperno, "Practical graph isomorphism, II", 2014) that is a search tree:
//!
//! - a node is an ordered partition of the letters, refined (`refine.rs`);
//! - if all cells are single, it is a leaf: ranks are the numbers, and the land so numbered has a
//!   hash, its *certificate*;
//! - otherwise its children single out each letter of the first larger cell in turn.
//!
//! The canonical form is what the leaf with the least certificate is written as. *Unlike lands,
//! two forms*: whatever the numbers, what is written can be read back as the land. This is what
//! truth rests on, and it needs no hash. *Like lands, one form*: the tree is made from the land
//! by rules that do not look at names or order, so a symmetry maps the tree of one land to that
//! of the other, leaves to leaves with equal certificates, and leaves with equal certificates
//! are written alike, unless two hashes of 64 bits are equal by accident. That would keep like
//! positions apart, which costs time.
//!
//! Pruning keeps this. If two leaves below different children of a node have one certificate,
//! matching their letters by rank is a symmetry of the land. It fixes the letters singled out
//! above the node, since a single letter keeps its rank, and takes one child to the other; their
//! subtrees have the same certificates, and one is enough. So the first leaf below a child is
//! looked at before the rest, and often not even that: a symmetry that moves as few letters as
//! possible is guessed and tried. Children are also skipped if symmetries found below the same
//! node lead to a child seen before. All in all, k interchangeable letters cost about 2k leaves. And
//! the symmetries that most lands have are seen without a search (`orbit.rs`).
//!
//! A limit on work cuts off trees in the hundreds of letters, and the best leaf found until then
//! stands. That may keep like positions apart, which costs time, never truth. We know of no
//! land with fewer than five hundred letters that comes near the limit.

mod orbit;
#[cfg(test)]
mod tests;
mod tree;

use super::arrange::Arranger;
use super::bytes::Bytes;
use super::refine::Refiner;
use super::sketch::Sketch;
use orbit::is_orbit;
use tree::{Leaf, Node, Stack};

/// Steps that one form may take, a fraction of a second.
const MOST_WORK: usize = 1 << 24;

/// Finds canonical forms; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Canonizer {
    refiner: Refiner,
    arranger: Arranger,
    /// The partition being refined, a leaf in the end.
    ranks: Vec<u32>,
    /// The certificate of that leaf.
    certificate: u64,
    /// The leaf with the least certificate so far.
    best: Vec<u32>,
    /// The open nodes of the search tree, from the root.
    nodes: Stack<Node>,
    /// The leaves that open nodes remember.
    leaves: Stack<Leaf>,
    /// A number for each rank: how many letters have it, or which one, or their cell.
    by_rank: Vec<u32>,
    /// Numbers of the letters that give the certificate of a known leaf, or are guessed to.
    numbers: Vec<u32>,
    /// Numbers that are free in each cell, and letters that want one.
    gone: Vec<(u32, u32)>,
    come: Vec<(u32, u32)>,
}

impl Canonizer {
    /// Appends the canonical form of a connected land, as bytes.
    pub(super) fn form(&mut self, land: &Sketch, into: &mut Bytes) {
        if !self.refiner.begin(land, &mut self.ranks) {
            self.tell_apart();
        }
        // The last look was with these numbers.
        self.arranger
            .arrange(&self.refiner.survey, &self.ranks, into);
    }

    /// Numbers the letters from `ranks`, refined but not discrete; the last look is with the numbers.
    fn tell_apart(&mut self) {
        loop {
            let tie = only_tie(&self.ranks);
            let cell = match tie {
                Some([one, _]) => self.ranks[one],
                None => first_larger_cell(&self.ranks, &mut self.by_rank),
            };
            let size = self.ranks.iter().filter(|&&rank| rank == cell).count();
            let may_go_on = self.refiner.work <= MOST_WORK;
            match tie {
                _ if may_go_on && is_orbit(&self.refiner.survey, &self.ranks, cell, size) => {}
                Some(tie) => return self.try_both(tie),
                None => return self.search(),
            }
            let first = self.ranks.iter().position(|&rank| rank == cell);
            single_out(&mut self.ranks, first.unwrap_or_default() as u32);
            if self.refiner.refine(&mut self.ranks) {
                return self.refiner.look(&self.ranks);
            }
        }
    }

    /// The tree of a land with two letters in one cell and all others apart: two leaves.
    fn try_both(&mut self, [one, other]: [usize; 2]) {
        self.ranks[other] += 1;
        let first = self.refiner.certify(&self.ranks);
        self.ranks.swap(one, other);
        if first < self.refiner.certify(&self.ranks) {
            self.ranks.swap(one, other);
            self.refiner.look(&self.ranks);
        }
    }

    /// Looks for the leaf with the least certificate; the last look is at that.
    fn search(&mut self) {
        self.walk();
        if self.ranks != self.best {
            self.ranks.clone_from(&self.best);
            self.refiner.look(&self.ranks);
        }
    }

    fn walk(&mut self) {
        self.nodes.truncate(0);
        self.leaves.truncate(0);
        self.descend();
        self.best.clone_from(&self.ranks);
        let mut least = self.certificate;
        self.remember(0);
        while let Some(node) = self.nodes.last_mut() {
            if self.refiner.work > MOST_WORK {
                return;
            }
            if !node.take_next_letter() {
                self.leaves.truncate(node.leaves);
                self.nodes.truncate(self.nodes.len() - 1);
                continue;
            }
            self.ranks.clone_from(&node.ranks);
            single_out(&mut self.ranks, node.taken_letter());
            let depth = self.nodes.len();
            if self.refiner.refine(&mut self.ranks) {
                self.certificate = self.refiner.certify(&self.ranks);
            } else if self.guessed_symmetry() {
                continue;
            } else {
                self.descend();
            }
            let is_image = self.found_symmetry(depth);
            // The later of two that are the same was looked at last.
            if self.certificate <= least {
                least = self.certificate;
                self.best.clone_from(&self.ranks);
            }
            if is_image {
                self.nodes.truncate(depth);
            } else {
                self.remember(depth - 1);
            }
        }
    }

    /// Whether a symmetry takes the first child of the current node to the one being looked at,
    /// whose partition is not discrete, and leaves as many letters as possible where they are.
    ///
    /// The leaf below the first child is carried over: a letter in the same cell of both
    /// partitions keeps its number, the others of a cell take each other's in order. If that
    /// gives the same certificate, it was a good guess, and the way down is saved.
    fn guessed_symmetry(&mut self) -> bool {
        let node = &self.nodes.items()[self.nodes.len() - 1];
        let leaf = &self.leaves.items()[node.explored[0].1];
        let cells = &mut self.by_rank;
        cells.clear();
        cells.resize(self.ranks.len(), 0);
        for &rank in &self.ranks {
            cells[rank as usize] = rank;
        }
        for rank in 1..cells.len() {
            cells[rank] = cells[rank].max(cells[rank - 1]);
        }
        let numbers = &mut self.numbers;
        numbers.clone_from(&leaf.ranks);
        self.gone.clear();
        self.come.clear();
        for (letter, (&number, &cell)) in leaf.ranks.iter().zip(&self.ranks).enumerate() {
            if cells[number as usize] != cell {
                self.gone.push((cells[number as usize], number));
                self.come.push((cell, letter as u32));
            }
        }
        self.gone.sort_unstable();
        self.come.sort_unstable();
        for (&(from, number), &(to, letter)) in self.gone.iter().zip(&self.come) {
            if from != to {
                return false;
            }
            numbers[letter as usize] = number;
        }
        if self.refiner.certify(numbers) != leaf.certificate {
            return false;
        }
        self.tell_nodes(self.nodes.len(), node.explored[0].1);
        true
    }

    /// Goes down from `ranks`, which is not discrete, by the first letter each time, and leaves
    /// the nodes on the way open.
    fn descend(&mut self) {
        loop {
            if self.refiner.work > MOST_WORK {
                // There is no coming back from here; any leaf will do.
                break_ties(&mut self.ranks);
                break;
            }
            let cell = first_larger_cell(&self.ranks, &mut self.by_rank);
            let leaves = self.leaves.len() + 1;
            let node = self.nodes.push();
            node.open(&self.ranks, cell, leaves);
            single_out(&mut self.ranks, node.taken_letter());
            if self.refiner.refine(&mut self.ranks) {
                break;
            }
        }
        self.certificate = self.refiner.certify(&self.ranks);
    }

    /// The leaf just found is the first below the letters that the nodes from `depth` on have
    /// taken.
    fn remember(&mut self, depth: usize) {
        let index = self.leaves.len();
        let leaf = self.leaves.push();
        leaf.ranks.clone_from(&self.ranks);
        leaf.certificate = self.certificate;
        for node in &mut self.nodes.items_mut()[depth..] {
            node.explored.push((node.taken_letter(), index));
        }
    }

    /// Whether the leaf just found is the image of another below the last of `depth` nodes.
    fn found_symmetry(&mut self, depth: usize) -> bool {
        let leaves = self.leaves.items();
        let mut known = self.nodes.items()[depth - 1].explored.iter();
        let Some(&(_, leaf)) =
            known.find(|&&(_, leaf)| leaves[leaf].certificate == self.certificate)
        else {
            return false;
        };
        self.numbers.clone_from(&self.ranks);
        self.tell_nodes(depth, leaf);
        true
    }

    /// Letters with one number in a leaf and in `numbers` are images of each other under a
    /// symmetry that fixes what the last of `depth` nodes, and so each of them, singled out.
    fn tell_nodes(&mut self, depth: usize, leaf: usize) {
        self.by_rank.clear();
        self.by_rank.resize(self.numbers.len(), 0);
        for (letter, &number) in self.numbers.iter().enumerate() {
            self.by_rank[number as usize] = letter as u32;
        }
        for (letter, &number) in self.leaves.items()[leaf].ranks.iter().enumerate() {
            let image = self.by_rank[number as usize];
            if image != letter as u32 {
                self.refiner.work += depth;
                for node in &mut self.nodes.items_mut()[..depth] {
                    node.join_orbits(letter as u32, image);
                }
            }
        }
    }
}

/// The two letters that share a cell, if all others are apart.
fn only_tie(ranks: &[u32]) -> Option<[usize; 2]> {
    // Apart, letters have all ranks: if one of them is missing, it is that of the later of two.
    let all = ranks.len() * ranks.len().saturating_sub(1) / 2;
    let sum: usize = ranks.iter().map(|&rank| rank as usize).sum();
    if all - sum != 1 {
        return None;
    }
    (1..ranks.len()).find_map(|other| {
        let one = ranks[..other]
            .iter()
            .position(|&rank| rank == ranks[other])?;
        Some([one, other])
    })
}

/// Puts a letter before the rest of its cell.
fn single_out(ranks: &mut [u32], letter: u32) {
    let cell = ranks[letter as usize];
    for (other, rank) in ranks.iter_mut().enumerate() {
        if *rank == cell && other != letter as usize {
            *rank += 1;
        }
    }
}

/// Makes a partition discrete by the order of the letters.
fn break_ties(ranks: &mut [u32]) {
    let mut letters: Vec<usize> = (0..ranks.len()).collect();
    letters.sort_by_key(|&letter| ranks[letter]);
    for (rank, letter) in letters.into_iter().enumerate() {
        ranks[letter] = rank as u32;
    }
}

/// The rank of the first cell with more than one letter: the least rank that occurs twice.
fn first_larger_cell(ranks: &[u32], sizes: &mut Vec<u32>) -> u32 {
    sizes.clear();
    sizes.resize(ranks.len(), 0);
    for &rank in ranks {
        sizes[rank as usize] += 1;
    }
    sizes.iter().position(|&size| size > 1).unwrap_or(0) as u32
}
