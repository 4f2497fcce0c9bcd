//! What is gone: a group that is known to be dead, whose leaf goes to the next at once; a tree.

use bouton_cluster::master::{Command, Event, Kept};
use bouton_cluster::{GroupId, Letter, Master, News, Settings, What};
use bouton_session::{Root, Seating};

fn hello(group: GroupId) -> Event {
    Event::Letter(Letter {
        group,
        seats: 1,
        running: Vec::new(),
        known: 0,
        first: 0,
        results: Vec::new(),
        news: News::None,
    })
}

/// Who gets which leaf.
fn jobs(commands: Vec<Command>) -> Vec<(GroupId, Vec<u8>)> {
    let jobs = commands.into_iter().filter_map(|command| match command {
        Command::Send(group, order) => match order.what {
            What::Job { leaf, .. } => Some((group, leaf)),
            _ => None,
        },
        _ => None,
    });
    jobs.collect()
}

fn root() -> Vec<u8> {
    let session = bouton_session::open("sprouts", "5").expect("a position");
    let Root::Open(root) = session.benches(Seating::alone(1), 1 << 20)[0].root(0) else {
        panic!("five spots are to be searched");
    };
    root
}

#[test]
fn a_leaf_of_the_dead_goes_to_the_living() {
    let root = root();
    let master = Master::new(&root, Settings::default(), Kept::default());
    let mut master = master.expect("there is memory").expect("it is a root");
    assert_eq!(jobs(master.handle(0, hello(1))), [(1, root.clone())]);
    assert_eq!(jobs(master.handle(1, hello(2))), []); // The only leaf is out.
    assert_eq!(jobs(master.handle(2, Event::Gone(1))), [(2, root)]);
}

/// A damaged tree is no reason not to go on.
#[test]
fn without_its_tree_a_master_begins_anew() {
    let root = root();
    let kept = Kept {
        tree: b"no tree",
        ..Kept::default()
    };
    let refused = Master::new(&root, Settings::default(), kept);
    assert!(refused.expect("there is memory").is_none());
    let master = Master::resume(&root, Settings::default(), kept);
    let mut master = master.expect("there is memory").expect("it is a root");
    assert_eq!(jobs(master.handle(0, hello(1))), [(1, root)]);
}
