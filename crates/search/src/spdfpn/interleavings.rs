//! Interleavings of threads that are handed out jobs, tried by shuttle: `cargo test -p
//! bouton-search --features shuttle`.
//!
//! The games are random trees. Whatever the threads' turns, each tree gets its outcome, nobody
//! waits forever, and in the end no job is out.

use std::sync::Arc;

use bouton_game::{Nimber, Outcome};
use bouton_table::{Key, Numbers, Replacement, Table};

use super::*;
use crate::dice::Dice;
use crate::space::{Branch, Nothing};
use crate::watch::Progress;

/// How many interleavings are tried of each tree.
const TRIES: usize = 400;

/// A tree: a node is the way to it, as a number that begins with a one.
#[derive(Clone, Copy)]
struct Tree {
    seed: u64,
}

impl Tree {
    fn children(self, node: u64) -> u64 {
        match node.ilog(4) {
            0..3 => Dice::of(&node, self.seed).roll() % 4,
            _ => 0,
        }
    }

    fn outcome(self, node: u64) -> Outcome {
        let mut children = (0..self.children(node)).map(|child| 4 * node + child);
        match children.any(|child| self.outcome(child) == Outcome::Loss) {
            true => Outcome::Win,
            false => Outcome::Loss,
        }
    }
}

impl Space for Tree {
    type Node = u64;
    type Sum = Nothing;
    const HAS_SUMS: bool = false;

    fn expand(
        &mut self,
        node: &u64,
        into: &mut Vec<BranchOf<Self>>,
    ) -> Result<Option<Outcome>, Stop> {
        into.clear();
        let children = (0..self.children(*node)).map(|child| 4 * node + child);
        into.extend(children.map(Branch::Node));
        Ok(into.is_empty().then_some(Outcome::Loss))
    }

    fn assess(&mut self, _: &u64) -> Numbers {
        Numbers::UNIT
    }

    fn known(&mut self, _: &u64) -> Option<Outcome> {
        None
    }

    fn learn(&mut self, _: &u64, _: Outcome, _: u64) {}

    fn key(&self, node: &u64) -> Key {
        Key::from(*node)
    }

    fn parts(&self, sum: &Nothing) -> usize {
        match *sum {}
    }

    fn term(&self, sum: &Nothing, _: usize, _: Nimber) -> u64 {
        match *sum {}
    }

    fn nimber(&mut self, sum: &Nothing, _: usize) -> Option<Nimber> {
        match *sum {}
    }

    fn resolve(&self, sum: Nothing, _: usize, _: Nimber) -> BranchOf<Self> {
        match sum {}
    }

    fn heap_bytes(_: &BranchOf<Self>) -> usize {
        0
    }

    fn facts(&self) -> (usize, usize) {
        (0, 0)
    }
}

/// Has some threads solve a tree with jobs of so many expansions.
fn solve_in_company(tree: Tree, threads: usize, work: u64) {
    let office = Arc::new(Office::<Tree>::new(Jobs { work }, Options::BEST));
    let table = Arc::new(Table::new(1 << 12, Replacement::LeastWork));
    let workers = (0..threads).map(|index| {
        let (office, table) = (Arc::clone(&office), Arc::clone(&table));
        shuttle::thread::spawn(move || {
            let mut go_on = |_: &_| Ok(());
            let member = Member {
                index,
                space: &mut tree.clone(),
                counts: &mut Progress::default(),
                watch: &mut Watch::new(&mut go_on),
            };
            office.employ(&table, &Branch::Node(1), member)
        })
    });
    for worker in workers.collect::<Vec<_>>() {
        let outcome = worker.join().expect("no thread panics");
        assert_eq!(outcome, Ok(tree.outcome(1)));
    }
    assert!(office.ledger.lock().is_settled(), "no job is out");
}

#[test]
fn jobs_are_handed_out_and_come_back() {
    for seed in 0..12 {
        let threads = 2 + seed as usize % 2;
        let work = 1 + seed % 3;
        let run = move || solve_in_company(Tree { seed }, threads, work);
        shuttle::check_random(run, TRIES);
    }
}
