use bouton_game::Outcome;

use super::sealed::{read, write};
use super::{Branches, KeyResult, Numbers, Tree};

/// The bytes of a position in some parts with a heap beside it.
fn branch(parts: &[&str], heap: u32) -> Vec<u8> {
    let mut bytes = heap.to_le_bytes().to_vec();
    bytes.extend((parts.len() as u32).to_le_bytes());
    for part in parts {
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(part.as_bytes());
    }
    bytes
}

fn tree() -> Tree {
    let tree = Tree::new(&branch(&["root"], 0), 1 << 20);
    tree.expect("there is room").expect("it is a branch")
}

fn take(tree: &mut Tree) -> Option<Vec<u8>> {
    let taken = tree.take().expect("there is room");
    taken.map(|leaf| leaf.bytes)
}

/// A leaf comes back with branches of some numbers.
fn give_back(tree: &mut Tree, leaf: &[u8], open: &[(Vec<u8>, u64, u64)]) {
    let open = open.iter();
    let open =
        open.map(|(bytes, proof, disproof)| (bytes.clone(), Numbers::open(*proof, *disproof)));
    let branches = Branches {
        open: open.collect(),
        questions: Vec::new(),
    };
    let result = tree.give_back(leaf, Numbers::open(9, 9), &branches, 1);
    result.expect("there is room");
}

fn nimber(position: &str, nimber: u32) -> KeyResult {
    KeyResult {
        position: position.as_bytes().into(),
        nimber,
    }
}

/// The root with branches a (easy to disprove), b, and the sum c + d.
fn developed() -> Tree {
    let mut tree = tree();
    let root = take(&mut tree).expect("the root");
    let branches = [
        (branch(&["a"], 0), 5, 1),
        (branch(&["b"], 0), 5, 2),
        (branch(&["c", "d"], 1), 5, 7),
    ];
    give_back(&mut tree, &root, &branches);
    tree
}

#[test]
fn branches_come_back_from_their_bytes() {
    for bytes in [branch(&["a"], 3), branch(&["b", ""], 0)] {
        let read = read(&bytes).expect("it is a branch");
        assert_eq!(write(&read), bytes);
    }
    assert!(read(&branch(&[], 0)).is_none());
    assert!(read(&branch(&["a"], 3)[..9]).is_none());
}

#[test]
fn a_leaf_is_handed_out_once() {
    let mut tree = tree();
    let root = take(&mut tree).expect("the root");
    assert_eq!(take(&mut tree), None);
    tree.release(&root);
    assert_eq!(take(&mut tree), Some(root));
}

#[test]
fn leaves_are_handed_out_in_the_order_of_their_numbers() {
    let mut tree = developed();
    let leaves: Vec<_> = std::iter::from_fn(|| take(&mut tree)).collect();
    assert_eq!(leaves[..2], [branch(&["a"], 0), branch(&["b"], 0)]);
    assert_eq!(leaves.len(), 4);
}

#[test]
fn a_lost_branch_wins() {
    let mut tree = developed();
    let leaf = take(&mut tree).expect("a leaf");
    let solved = tree.give_back(&leaf, Numbers::LOSS, &Branches::default(), 1);
    solved.expect("there is room");
    assert_eq!(tree.outcome(), Some(Outcome::Win));
    assert_eq!(tree.take_followed(), [nimber("a", 0)]);
    assert_eq!(take(&mut tree), None);
}

/// c + d + *1 is lost if c is worth 2 and d is worth 3.
#[test]
fn nimbers_solve_sums() {
    let mut tree = developed();
    tree.learn(&[nimber("c", 2)]).expect("there is room");
    assert_eq!(tree.outcome(), None);
    tree.learn(&[nimber("d", 3)]).expect("there is room");
    assert_eq!(tree.outcome(), Some(Outcome::Win));
}

#[test]
fn without_branches_nothing_is_proved() {
    let mut tree = tree();
    let root = take(&mut tree).expect("the root");
    give_back(&mut tree, &root, &[]);
    assert_eq!(tree.outcome(), None);
    assert_eq!(take(&mut tree), Some(root));
}

#[test]
fn two_nimbers_of_one_position_are_noticed() {
    let mut tree = tree();
    tree.learn(&[nimber("a", 1), nimber("a", 1)]).expect("room");
    assert_eq!(tree.contradiction(), None);
    tree.learn(&[nimber("a", 2)]).expect("there is room");
    assert_eq!(tree.contradiction(), Some(&b"a"[..]));
}

/// The same leaves in the same order, and later nimbers count.
#[test]
fn a_tree_goes_on_from_its_bytes() {
    let restore = |saved: &[u8], results: &[KeyResult]| {
        let tree = Tree::restore(&branch(&["root"], 0), 1 << 20, saved, results);
        tree.expect("there is room")
    };
    let mut before = developed();
    let saved = before.save();
    let mut after = restore(&saved, &[]).expect("it was saved");
    for _ in 0..5 {
        assert_eq!(take(&mut after), take(&mut before));
    }
    let solved = restore(&saved, &[nimber("a", 0)]).expect("it was saved");
    assert_eq!(solved.outcome(), Some(Outcome::Win));
    assert!(restore(&saved[1..], &[]).is_none());
}

/// What is full takes nothing more over, and goes on: leaves are searched further by workers.
#[test]
fn a_full_tree_still_hands_out_leaves() {
    let tree = Tree::new(&branch(&["root"], 0), 1 << 16);
    let mut tree = tree.expect("there is room").expect("it is a branch");
    for round in 0..3000 {
        let leaf = take(&mut tree).expect("a leaf");
        let names: Vec<_> = (0..5).map(|at| format!("{round} {at}")).collect();
        let open: Vec<_> = names
            .iter()
            .map(|name| (branch(&[name], 0), 2, 2))
            .collect();
        give_back(&mut tree, &leaf, &open);
    }
    assert!(tree.len() < 3000);
    assert_eq!(tree.outcome(), None);
}
