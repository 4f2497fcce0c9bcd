//! A graph is held against its definition after every step: on Kayles, whose positions fall
//! apart all the time, and on small trees made by hand.

use std::collections::HashMap;

use bouton_table::{Key, LARGEST, Replacement, Table};

use super::*;
use crate::watch::Progress;

fn table() -> Table {
    Table::new(1 << 12, Replacement::LeastWork)
}

/// Runs a search step by step, with a look at the graph before each.
fn run<S: Space>(
    space: &mut S,
    root: &BranchOf<S>,
    memory: usize,
    first: &First<S>,
    mut look: impl FnMut(&mut Graph<S>, &mut Context<S>),
) -> Result<Outcome, Stop> {
    let (table, mut counts) = (table(), Progress::default());
    let mut context = Context {
        space,
        table: &table,
        counts: &mut counts,
    };
    let mut graph = Graph::new(memory)?;
    if let Some(outcome) = graph.begin(&mut context, root, first)? {
        return Ok(outcome);
    }
    loop {
        look(&mut graph, &mut context);
        if let Some(outcome) = graph.outcome() {
            return Ok(outcome);
        }
        let (leaf, _) = graph.select();
        if graph.develop(&mut context, leaf, first)? == Step::Full && !graph.collect(&mut context) {
            return Err(Stop::Memory);
        }
    }
}

/// Whether the numbers of every open node follow from those of its links.
fn check<S: Space>(graph: &Graph<S>) {
    for record in &graph.records {
        if record.is_leaf() || record.numbers.is_solved() {
            continue;
        }
        let links = graph.links[record.links()].iter();
        let children: Vec<_> = links.map(|link| graph.numbers(link.child)).collect();
        let expected = match record.kind() {
            Kind::Choice => Numbers {
                proof: children.iter().map(|child| child.disproof).min().unwrap(),
                disproof: children.iter().fold(0, |sum, child| sum + child.proof),
            },
            Kind::Sum => {
                assert!(children.iter().all(|child| !child.is_solved()));
                let total = children.iter().map(|child| child.either()).sum();
                Numbers::open(total, total)
            }
            Kind::Rest => children[0],
        };
        assert_eq!(record.numbers, expected);
        assert!(!record.is_flagged());
        let best = graph.numbers(record.best);
        match record.kind() {
            Kind::Choice => assert_eq!(best.disproof, record.numbers.proof),
            Kind::Sum => assert!(children.iter().all(|child| child.either() >= best.either())),
            Kind::Rest => assert_eq!(best, record.numbers),
        }
    }
}

/// Rows of pins; a move takes one pin or two that stand side by side.
#[derive(Default)]
struct Kayles {
    facts: HashMap<u8, Nimber>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Rows(Vec<u8>, Nimber);

impl Kayles {
    fn branch(&self, rows: &[u8], mut heap: Nimber) -> Branch<(u8, Nimber), Rows> {
        let mut unknown = Vec::new();
        for &row in rows.iter().filter(|row| **row > 0) {
            match self.facts.get(&row) {
                Some(nimber) => heap ^= nimber,
                None => unknown.push(row),
            }
        }
        unknown.sort_unstable();
        match unknown[..] {
            [] => Branch::Node((0, heap)),
            [row] => Branch::Node((row, heap)),
            [one, other] if one == other => Branch::Node((0, heap)),
            _ => Branch::Sum(Rows(unknown, heap)),
        }
    }
}

impl Space for Kayles {
    type Node = (u8, Nimber);
    type Sum = Rows;
    const HAS_SUMS: bool = true;

    fn expand(
        &mut self,
        &(row, heap): &(u8, Nimber),
        into: &mut Vec<BranchOf<Self>>,
    ) -> Result<Option<Outcome>, Stop> {
        into.clear();
        for taken in 1..=row.min(2) {
            for left in 0..=(row - taken) / 2 {
                into.push(self.branch(&[left, row - taken - left], heap));
            }
        }
        into.extend((0..heap).map(|heap| Branch::Node((row, heap))));
        Ok(into.is_empty().then_some(Outcome::Loss))
    }

    fn assess(&mut self, &(row, heap): &(u8, Nimber)) -> Numbers {
        match (row, heap) {
            (0, 0) => Numbers::LOSS,
            (0, _) => Numbers::WIN,
            _ => Numbers::open(1, u64::from(row)),
        }
    }

    fn known(&mut self, (row, heap): &(u8, Nimber)) -> Option<Outcome> {
        let nimber = self.facts.get(row)?;
        Some(crate::solver::outcome_of(nimber ^ heap))
    }

    fn learn(&mut self, &(row, heap): &(u8, Nimber), outcome: Outcome, _: u64) {
        if outcome == Outcome::Loss {
            self.facts.insert(row, heap);
        }
    }

    fn key(&self, &(row, heap): &(u8, Nimber)) -> Key {
        Key::from(row) << 64 | Key::from(heap)
    }

    fn parts(&self, rows: &Rows) -> usize {
        rows.0.len()
    }

    fn term(&self, rows: &Rows, part: usize, heap: Nimber) -> (u8, Nimber) {
        (rows.0[part], heap)
    }

    fn nimber(&mut self, rows: &Rows, part: usize) -> Option<Nimber> {
        self.facts.get(&rows.0[part]).copied()
    }

    fn resolve(&self, rows: Rows, part: usize, nimber: Nimber) -> BranchOf<Self> {
        let mut left = rows.0;
        left.remove(part);
        match left[..] {
            [row] => Branch::Node((row, rows.1 ^ nimber)),
            _ => Branch::Sum(Rows(left, rows.1 ^ nimber)),
        }
    }

    fn heap_bytes(branch: &BranchOf<Self>) -> usize {
        match branch {
            Branch::Node(_) => 0,
            Branch::Sum(rows) => rows.0.capacity(),
        }
    }

    fn facts(&self) -> (usize, usize) {
        (0, self.facts.len())
    }
}

/// Winning Ways, chapter 4.
const KAYLES: [Nimber; 24] = [
    0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7,
];

fn kayles_nimber(
    row: u8,
    first: &First<Kayles>,
    mut look: impl FnMut(&mut Graph<Kayles>, &mut Context<Kayles>),
) -> Nimber {
    let mut outcome = |heap| {
        let root = Branch::Node((row, heap));
        run(&mut Kayles::default(), &root, 1 << 20, first, &mut look)
    };
    let mut heaps = 0..;
    let lost = heaps.find(|heap| outcome(*heap) == Ok(Outcome::Loss));
    lost.expect("there is a nimber")
}

#[test]
fn numbers_follow_from_links_after_every_step() {
    for row in 0..24 {
        for first in [First::Assessed, First::Unit] {
            let nimber = kayles_nimber(row, &first, |graph, _| check(graph));
            assert_eq!(nimber, KAYLES[usize::from(row)], "row of {row}");
        }
    }
}

#[test]
fn a_collection_changes_no_number_and_no_answer() {
    for row in 0..24 {
        let mut steps = 0;
        let nimber = kayles_nimber(row, &First::Assessed, |graph, context| {
            steps += 1;
            if steps % 3 == 0 && graph.outcome().is_none() {
                let before = (graph.numbers(graph.root), graph.root_progress().1);
                let leaf = graph.branch(graph.select().0).clone();
                graph.collect(context);
                assert_eq!(graph.branch(graph.select().0), &leaf);
                assert_eq!((graph.numbers(graph.root), graph.root_progress().1), before);
                check(graph);
            }
        });
        assert_eq!(nimber, KAYLES[usize::from(row)], "row of {row}");
    }
}

#[test]
fn sums_as_roots_are_true() {
    for (one, other, third) in [(5, 9, 11), (3, 7, 12), (4, 8, 13), (6, 10, 14), (1, 2, 3)] {
        let rows = [one, other, third];
        let xor = rows
            .iter()
            .fold(0, |xor, row| xor ^ KAYLES[usize::from(*row)]);
        let mut space = Kayles::default();
        for heap in 0..8 {
            let root = Branch::Sum(Rows(rows.to_vec(), heap));
            let outcome = run(&mut space, &root, 1 << 20, &First::Unit, |graph, _| {
                check(graph);
            });
            assert_eq!(outcome, Ok(crate::solver::outcome_of(xor ^ heap)));
            space.facts.clear();
        }
    }
}

#[test]
fn too_little_memory_is_no_answer() {
    let root = Branch::Node((23, 0));
    let mut answers = [0, 0];
    for memory in (10..20).map(|bits| 1 << bits) {
        let mut most = 0;
        let outcome = run(
            &mut Kayles::default(),
            &root,
            memory,
            &First::Unit,
            |graph, _| {
                most = most.max(graph.bytes());
            },
        );
        assert!(most <= memory);
        match outcome {
            Ok(outcome) => assert_eq!(outcome, Outcome::Win),
            Err(stop) => assert_eq!(stop, Stop::Memory),
        }
        answers[usize::from(outcome.is_ok())] += 1;
    }
    assert!(answers[0] > 0 && answers[1] > 0, "{answers:?}");
}

/// A graph as a list of children by node; first numbers as given.
struct Listed(Vec<(Numbers, Vec<u32>)>);

impl Space for Listed {
    type Node = u32;
    type Sum = crate::space::Nothing;
    const HAS_SUMS: bool = false;

    fn expand(
        &mut self,
        node: &u32,
        into: &mut Vec<BranchOf<Self>>,
    ) -> Result<Option<Outcome>, Stop> {
        into.clear();
        into.extend(self.0[*node as usize].1.iter().copied().map(Branch::Node));
        Ok(into.is_empty().then_some(Outcome::Loss))
    }

    fn assess(&mut self, node: &u32) -> Numbers {
        self.0[*node as usize].0
    }

    fn known(&mut self, _: &u32) -> Option<Outcome> {
        None
    }

    fn learn(&mut self, _: &u32, _: Outcome, _: u64) {}

    fn key(&self, node: &u32) -> Key {
        Key::from(*node)
    }

    fn parts(&self, sum: &Self::Sum) -> usize {
        match *sum {}
    }

    fn term(&self, sum: &Self::Sum, _: usize, _: Nimber) -> u32 {
        match *sum {}
    }

    fn nimber(&mut self, sum: &Self::Sum, _: usize) -> Option<Nimber> {
        match *sum {}
    }

    fn resolve(&self, sum: Self::Sum, _: usize, _: Nimber) -> BranchOf<Self> {
        match sum {}
    }

    fn heap_bytes(_: &BranchOf<Self>) -> usize {
        0
    }

    fn facts(&self) -> (usize, usize) {
        (0, 0)
    }
}

fn open(proof: u64, disproof: u64) -> Numbers {
    Numbers { proof, disproof }
}

/// ```text
/// 0 - 1 (3,5)
///   - 2 (2,4) - 3 (7,1)
///   |         - 4 (6,2)
///   - 5: won by the other side
/// ```
#[test]
fn numbers_of_a_tree_made_by_hand() {
    let leaf = |proof, disproof| (open(proof, disproof), vec![]);
    let mut space = Listed(vec![
        (open(1, 1), vec![1, 2, 5]),
        leaf(3, 5),
        (open(2, 4), vec![3, 4]),
        leaf(7, 1),
        leaf(6, 2),
        (Numbers::WIN, vec![]),
    ]);
    let mut seen = Vec::new();
    let root = Branch::Node(0);
    let outcome = run(
        &mut space,
        &root,
        1 << 16,
        &First::Assessed,
        |graph, context| {
            let leaf = match graph.outcome() {
                None => graph.branch(graph.select().0).clone(),
                Some(_) => Branch::Node(99),
            };
            seen.push((graph.numbers(graph.root), leaf, context.counts.evaluations));
        },
    );
    assert_eq!(outcome, Ok(Outcome::Win));
    let expected = [
        (open(1, 1), Branch::Node(0), 1),
        (open(4, 5), Branch::Node(2), 4),
        // 2 is (1, 13) now: proof of the root is min(5, 13), disproof 3 + 1.
        (open(5, 4), Branch::Node(1), 6),
        (Numbers::WIN, Branch::Node(99), 6),
    ];
    assert_eq!(seen, expected);
}

/// Take one or two from a heap: as many lines as Fibonacci says, but few positions.
#[test]
fn equal_nodes_are_one() {
    let children = |node: u32| (node.saturating_sub(2)..node).rev().collect();
    let mut space = Listed(
        (0..61)
            .map(|node| (Numbers::UNIT, children(node)))
            .collect(),
    );
    let mut most = 0;
    let root = Branch::Node(60);
    let outcome = run(&mut space, &root, 1 << 16, &First::Unit, |graph, _| {
        check(graph);
        most = most.max(graph.len());
    });
    assert_eq!(outcome, Ok(Outcome::Loss));
    assert!(most <= 61);
}

/// A sum that has reached the end of the scale says what it is again when its parts shrink.
#[test]
fn the_largest_number_is_no_trap() {
    let mut space = Listed(vec![
        (open(1, 1), vec![1, 2]),
        (open(LARGEST - 5, 9), vec![3]),
        (open(10, 20), vec![3]),
        (open(1, 1), vec![4]),
        (open(1, 1), vec![]),
    ]);
    let mut seen = Vec::new();
    let root = Branch::Node(0);
    let outcome = run(&mut space, &root, 1 << 16, &First::Assessed, |graph, _| {
        seen.push(graph.numbers(graph.root));
    });
    assert_eq!(outcome, Ok(Outcome::Win));
    assert_eq!(seen[..3], [open(1, 1), open(9, LARGEST), open(1, 11)]);
}

#[test]
fn deep_graphs_need_no_stack() {
    let nodes = 300_000;
    let children = |node: u32| {
        if node + 1 < nodes {
            vec![node + 1]
        } else {
            vec![]
        }
    };
    let mut space = Listed(
        (0..nodes)
            .map(|node| (Numbers::UNIT, children(node)))
            .collect(),
    );
    let root = Branch::Node(0);
    let (table, mut counts) = (table(), Progress::default());
    let mut context = Context {
        space: &mut space,
        table: &table,
        counts: &mut counts,
    };
    // All the way down by hand: one selection and one update of full length.
    let mut graph = Graph::new(1 << 26).unwrap();
    graph.begin(&mut context, &root, &First::Unit).unwrap();
    for leaf in 0..nodes - 1 {
        graph.develop(&mut context, leaf, &First::Unit).unwrap();
    }
    // Nothing is solved, so all is needed.
    assert!(!graph.collect(&mut context));
    let (leaf, depth) = graph.select();
    assert_eq!((leaf, depth), (nodes - 1, nodes as usize - 1));
    graph.develop(&mut context, leaf, &First::Unit).unwrap();
    assert_eq!(graph.outcome(), Some(Outcome::Win));
}
