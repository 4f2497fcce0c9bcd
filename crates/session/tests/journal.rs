//! What a master keeps is found again: by a master, and by every other run.

use bouton_session::jobs::{KeyResult, Task, Thresholds};
use bouton_session::{Request, Seating, Session, Watch};

const MEMORY: usize = 256 << 20;

fn open(game: &str, position: &str) -> Box<dyn Session> {
    bouton_session::open(game, position).expect("a position")
}

/// Key results as a worker finds them.
fn found(session: &dyn Session) -> Vec<KeyResult> {
    let mut bench = session.benches(Seating::alone(1), MEMORY).remove(0);
    let bouton_session::Root::Open(leaf) = bench.root(0) else {
        panic!("it is to be searched");
    };
    let task = Task {
        leaf,
        thresholds: Thresholds::NONE,
        least: 0,
        expansions: 300,
        lists: false,
        lists_after: 0,
    };
    let searched = bench.search(&task, &mut Watch::new(&mut |_| Ok(())));
    assert!(matches!(searched, Ok(Some(_))));
    let mut results = bench.take_results();
    results.sort();
    results
}

#[test]
fn key_results_and_trees_are_found_again() {
    for (game, position) in [("sprouts", "8"), ("konane", "5x5")] {
        let folder = tempfile::tempdir().expect("a folder for tests");
        let mut session = open(game, position);
        let results = found(&*session);
        assert!(results.len() > 1, "{game}");
        let journal = session.journal(folder.path());
        let mut journal = journal.expect("a new store");
        journal.append(&results).expect("they are true");
        journal.commit().expect("there is a disk");
        journal.save(b"root", b"tree").expect("there is a disk");
        drop(journal);
        let journal = session.journal(folder.path());
        let journal = journal.expect("the same store");
        let mut again = journal.results().expect("they can be read");
        again.sort();
        assert_eq!(again, results, "{game}");
        assert_eq!(journal.saved(b"root").expect("it can be read"), b"tree");
        assert_eq!(journal.saved(b"other").expect("it can be read"), b"");
        drop(journal);
        let request = Request {
            store: Some(folder.path().to_owned()),
            memory: MEMORY,
            ..Request::default()
        };
        let answer = session.solve(&request, &mut Watch::new(&mut |_| Ok(())));
        let kept = answer.expect("nothing contradicts").store.expect("a store");
        assert_eq!(kept.facts - kept.new_facts, results.len() as u64, "{game}");
    }
}
