//! Theorem 2 of Čížek, Balko and Schmid 2025: with thresholds `pt`, `dt` and `mt`, df-pn stays
//! below a node if and only if the most-proving node is there. So every leaf that it expands is
//! a most-proving node of the tree expanded so far.
//!
//! The tree is random, has sums, and lives in this file; so do the definitions of proof numbers
//! and of most-proving nodes, written down once more without a look at the search.

use std::collections::HashMap;

use bouton_game::{Nimber, Outcome};
use bouton_search::dfpn::{Dfpn, Options};
use bouton_search::dice::Dice;
use bouton_search::space::{Branch, BranchOf, Space};
use bouton_search::watch::{Stop, Watch};
use bouton_table::{Key, Numbers, Replacement, Table};

/// A couple, known by the way that leads to it from the root: nothing is met twice.
type Node = Vec<u32>;

/// A sum with the nimbers of the parts that are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sum {
    path: Vec<u32>,
    nimbers: Vec<Option<Nimber>>,
}

impl Sum {
    fn unknown(&self) -> Vec<usize> {
        let parts = 0..self.nimbers.len();
        parts.filter(|&part| self.nimbers[part].is_none()).collect()
    }

    fn xor(&self) -> Nimber {
        self.nimbers.iter().flatten().fold(0, |xor, n| xor ^ n)
    }

    fn couple(&self, part: usize, heap: Nimber) -> Node {
        [&self.path[..], &[1000 + part as u32, heap]].concat()
    }

    /// The couple that the sum comes down to when all parts but this one are known.
    fn last(&self, part: usize, heap: Nimber) -> Node {
        [&self.path[..], &[2000 + part as u32, heap]].concat()
    }

    /// Without the parts whose nimbers are given.
    fn resolved(mut self, part: usize, nimber: Nimber) -> Branch<Node, Sum> {
        self.nimbers[part] = Some(nimber);
        match self.unknown()[..] {
            [part] => Branch::Node(self.last(part, self.xor())),
            _ => Branch::Sum(self),
        }
    }
}

/// A random tree with sums, as far as it is expanded.
struct RandomTree {
    seed: u64,
    expanded: HashMap<Node, Vec<Branch<Node, Sum>>>,
    /// Leaves that were expanded though they were not most-proving.
    strays: usize,
}

impl RandomTree {
    const ROOT: [u32; 1] = [0];

    fn new(seed: u64) -> Self {
        Self {
            seed,
            expanded: HashMap::new(),
            strays: 0,
        }
    }

    fn branches(&self, node: &Node) -> Vec<Branch<Node, Sum>> {
        let mut dice = Dice::of(node, self.seed);
        // A part is worth 2 at most, so that its nimber is found soon.
        let ends = node.len() > 12 || node[node.len() - 1] >= 2 || dice.roll().is_multiple_of(8);
        let width = match dice.roll() % 4 {
            _ if ends && node.len() > 1 => 0,
            roll => 1 + roll as u32,
        };
        let branch = |index| {
            let path = [&node[..], &[index]].concat();
            match dice.roll() % 10 {
                roll @ 0..=3 => Branch::Sum(Sum {
                    path,
                    nimbers: vec![None; 2 + (roll == 0) as usize],
                }),
                _ => Branch::Node([path, vec![0]].concat()),
            }
        };
        (0..width).map(branch).collect()
    }

    fn first_numbers(&self, node: &Node) -> Numbers {
        if self.branches(node).is_empty() {
            return Numbers::LOSS;
        }
        let mut dice = Dice::of(node, self.seed + 1);
        Numbers::open(1 + dice.roll() % 4, 1 + dice.roll() % 4)
    }

    /// Equation (4), and first numbers for leaves.
    fn numbers(&self, node: &Node) -> Numbers {
        let Some(branches) = self.expanded.get(node) else {
            return self.first_numbers(node);
        };
        let numbers = branches.iter().map(|branch| self.numbers_of_branch(branch));
        numbers.fold(Numbers::LOSS, |all, one| Numbers {
            proof: all.proof.min(one.disproof),
            disproof: bouton_table::add(all.disproof, one.proof),
        })
    }

    fn numbers_of_branch(&self, branch: &Branch<Node, Sum>) -> Numbers {
        match branch {
            Branch::Node(node) => self.numbers(node),
            Branch::Sum(sum) => match self.look_at(sum) {
                // Equation (6).
                Parts::Unknown(couples) => {
                    let costs = couples.iter().map(|couple| self.numbers(couple).either());
                    let total = costs.sum();
                    Numbers::open(total, total)
                }
                // Equation (7).
                Parts::Last(node) => self.numbers(&node),
            },
        }
    }

    /// The couples at which the unknown parts stand, equation (5).
    fn look_at(&self, sum: &Sum) -> Parts {
        let mut nimbers = vec![None; sum.nimbers.len()];
        let mut couples = Vec::new();
        for (part, nimber) in nimbers.iter_mut().enumerate() {
            let mut heap = 0;
            while self.numbers(&sum.couple(part, heap)).is_win() {
                heap += 1;
            }
            let couple = sum.couple(part, heap);
            if self.numbers(&couple).is_loss() {
                *nimber = Some(heap);
            } else {
                couples.push(couple);
            }
        }
        let mut seen = Sum {
            nimbers,
            ..sum.clone()
        };
        match seen.unknown()[..] {
            [] => {
                let last = seen.nimbers.len() - 1;
                seen.nimbers[last] = None;
                Parts::Last(seen.last(last, seen.xor()))
            }
            [part] => Parts::Last(seen.last(part, seen.xor())),
            _ => Parts::Unknown(couples),
        }
    }

    /// Whether the way to a leaf is that of a most-proving node: of several branches that are
    /// equally good each will do, of a sum the first unknown part is next.
    fn is_most_proving(&self, from: &Node, leaf: &Node) -> bool {
        let Some(branches) = self.expanded.get(from) else {
            return from == leaf;
        };
        let proof = self.numbers(from).proof;
        let best = branches
            .iter()
            .filter(|branch| self.numbers_of_branch(branch).disproof == proof);
        best.map(|branch| match branch {
            Branch::Node(node) => node.clone(),
            Branch::Sum(sum) => match self.look_at(sum) {
                Parts::Unknown(couples) => couples[0].clone(),
                Parts::Last(node) => node,
            },
        })
        .any(|next| self.is_most_proving(&next, leaf))
    }
}

enum Parts {
    Unknown(Vec<Node>),
    Last(Node),
}

impl Space for RandomTree {
    type Node = Node;
    type Sum = Sum;
    const HAS_SUMS: bool = true;

    fn expand(
        &mut self,
        node: &Node,
        into: &mut Vec<BranchOf<Self>>,
    ) -> Result<Option<Outcome>, Stop> {
        if !self.expanded.contains_key(node) {
            self.strays += usize::from(!self.is_most_proving(&Self::ROOT.to_vec(), node));
            self.expanded.insert(node.clone(), self.branches(node));
        }
        into.clone_from(&self.expanded[node]);
        Ok(into.is_empty().then_some(Outcome::Loss))
    }

    fn assess(&mut self, node: &Node) -> Numbers {
        self.first_numbers(node)
    }

    fn known(&mut self, _: &Node) -> Option<Outcome> {
        None
    }

    fn learn(&mut self, node: &Node, outcome: Outcome, _: u64) {
        // The search claims nothing that does not follow.
        assert_eq!(self.numbers(node).is_win(), outcome == Outcome::Win);
        assert!(self.numbers(node).is_solved());
    }

    fn key(&self, node: &Node) -> Key {
        let mut dice = Dice::of(node, 99);
        u128::from(dice.roll()) << 64 | u128::from(dice.roll())
    }

    fn parts(&self, sum: &Sum) -> usize {
        sum.unknown().len()
    }

    fn term(&self, sum: &Sum, part: usize, heap: Nimber) -> Node {
        sum.couple(sum.unknown()[part], heap)
    }

    fn nimber(&mut self, _: &Sum, _: usize) -> Option<Nimber> {
        None
    }

    fn resolve(&self, sum: Sum, part: usize, nimber: Nimber) -> BranchOf<Self> {
        let part = sum.unknown()[part];
        sum.resolved(part, nimber)
    }

    fn facts(&self) -> (usize, usize) {
        (0, 0)
    }

    fn heap_bytes(_: &BranchOf<Self>) -> usize {
        0
    }
}

/// Searches random trees; how many leaves were expanded, and how many were not most-proving.
fn search(options: Options, seeds: u64) -> (usize, usize) {
    let (mut leaves, mut strays) = (0, 0);
    for seed in 0..seeds {
        let mut tree = RandomTree::new(seed);
        let root = Branch::Node(RandomTree::ROOT.to_vec());
        let mut go_on = |_: &_| Ok(());
        let mut watch = Watch::new(&mut go_on);
        let mut search = Dfpn::new(options, Table::new(1 << 22, Replacement::LeastWork));
        let numbers = search.work_on(&mut tree, &root, u64::MAX, &mut watch);
        let found = numbers.expect("nobody stops it");
        assert!(found.is_solved());
        let truth = tree.numbers(&RandomTree::ROOT.to_vec());
        assert_eq!(found.is_win(), truth.is_win());
        leaves += tree.expanded.len();
        strays += tree.strays;
    }
    (leaves, strays)
}

#[test]
fn every_leaf_that_is_expanded_is_most_proving() {
    let (leaves, strays) = search(Options::PAPER, 400);
    assert!(leaves > 4_000, "{leaves} leaves show little");
    assert_eq!(strays, 0, "of {leaves}");
}

/// The test above can fail: a search with patience strays.
#[test]
fn patience_strays() {
    let patient = Options {
        epsilon: 1.0,
        ..Options::PAPER
    };
    let (_, strays) = search(patient, 400);
    assert!(strays > 0);
}
