//! What a store does when all is well, and what it refuses.

mod common;

use std::fs;

use bouton_game::Outcome;
use bouton_store::{Error, Fact, Store};
use common::{commit, fact, files, position};

const LOSS: Fact = Fact::Outcome(Outcome::Loss);
const WIN: Fact = Fact::Outcome(Outcome::Win);

#[test]
fn facts_are_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("new").join("store");
    for round in 0..3 {
        let store = Store::open(&dir).unwrap();
        let facts = store.game("cram", "4x5").unwrap();
        assert_eq!(facts.len(), 100 * round);
        commit(&facts, 100 * round..100 * (round + 1));
        for i in 0..100 * (round + 1) {
            assert_eq!(facts.get(&position(i)).unwrap(), Some(fact(i)));
        }
        assert_eq!(facts.get(&position(9999)).unwrap(), None);
        assert_eq!(facts.iter().count() as u64, facts.len());
        assert_eq!(store.verify().unwrap(), facts.len());
    }
}

#[test]
fn games_and_boards_do_not_mix() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let games = [
        ("cram", "4x5", Fact::Nimber(2)),
        ("cram", "5x5", Fact::Nimber(0)),
        ("konane", "4x5", LOSS),
        ("sprouts", "", Fact::Nimber(u32::MAX)),
    ];
    for (name, board, fact) in games {
        let facts = store.game(name, board).unwrap();
        facts.put(b"the same bytes", fact).unwrap();
        facts.put(b"", fact).unwrap();
        facts.commit().unwrap();
    }
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    let names: Vec<_> = games.map(|(n, b, _)| (n.into(), b.into())).into();
    assert_eq!(store.games(), names);
    for (name, board, fact) in games {
        let facts = store.game(name, board).unwrap();
        let all: Vec<_> = facts.iter().map(Result::unwrap).collect();
        assert_eq!(
            all,
            [(b"".to_vec(), fact), (b"the same bytes".to_vec(), fact)]
        );
        assert_eq!(facts.len(), 2);
    }
    assert_eq!(store.verify().unwrap(), 8);
}

#[test]
fn what_is_not_committed_is_seen_but_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (facts, other) = (store.game("nim", ""), store.game("nim", ""));
    let (facts, other) = (facts.unwrap(), other.unwrap());
    facts.put(b"p", Fact::Nimber(1)).unwrap();
    assert_eq!(other.get(b"p").unwrap(), Some(Fact::Nimber(1)));
    assert_eq!((facts.len(), other.pending()), (0, 1));
    drop((store, facts, other));
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.game("nim", "").unwrap().get(b"p").unwrap(), None);
}

#[test]
fn a_fact_put_again_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let facts = store.game("cram", "4x4").unwrap();
    for _ in 0..3 {
        commit(&facts, 0..50);
        facts.put(&position(0), fact(0)).unwrap();
        facts.put(&position(0), fact(0)).unwrap();
        assert_eq!((facts.len(), facts.pending()), (50, 0));
        facts.commit().unwrap();
    }
    assert_eq!(facts.iter().count(), 50);
}

#[test]
fn a_nimber_refines_an_outcome_and_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let facts = store.game("cram", "4x4").unwrap();
    facts.put(b"p", WIN).unwrap();
    facts.commit().unwrap();
    facts.put(b"p", Fact::Nimber(4)).unwrap();
    facts.commit().unwrap();
    facts.put(b"p", WIN).unwrap();
    assert_eq!(facts.get(b"p").unwrap(), Some(Fact::Nimber(4)));
    assert_eq!((facts.len(), facts.pending()), (1, 0));
    assert_eq!(store.verify().unwrap(), 1);
}

#[test]
fn contradictions_keep_both_and_are_not_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let konane = store.game("konane", "6x6").unwrap();
    konane.put(b"\x01\xab", LOSS).unwrap();
    konane.commit().unwrap();
    // Against a committed fact, twice, and against one of the same batch.
    for _ in 0..2 {
        let error = konane.put(b"\x01\xab", WIN).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("konane 6x6: position 01ab is known as loss and now found as win"),
            "{text}"
        );
    }
    let cram = store.game("cram", "3x3").unwrap();
    cram.put(b"q", Fact::Nimber(1)).unwrap();
    cram.put(b"r", Fact::Nimber(1)).unwrap();
    let error = cram.put(b"q", Fact::Nimber(2)).unwrap_err();
    assert!(matches!(error, Error::Contradiction { stored, new, .. }
            if stored == Fact::Nimber(1) && new == Fact::Nimber(2)));
    cram.commit().unwrap();
    assert_eq!(cram.get(b"r").unwrap(), Some(Fact::Nimber(1)));
    let before = store.conflicts().unwrap();
    drop((store, konane, cram));

    let store = Store::open(folder.path()).unwrap();
    let conflicts = store.conflicts().unwrap();
    assert_eq!(conflicts, before);
    let said: Vec<_> = conflicts
        .iter()
        .map(|c| (c.game.as_str(), c.position.as_slice(), c.stored, c.new))
        .collect();
    assert_eq!(said.len(), 2);
    assert!(said.contains(&("konane", b"\x01\xab", LOSS, WIN)));
    assert!(said.contains(&("cram", b"q", Fact::Nimber(1), Fact::Nimber(2))));
    assert!(conflicts.iter().all(|c| c.time.elapsed().is_ok()));
    let konane = store.game("konane", "6x6").unwrap();
    assert_eq!(konane.get(b"\x01\xab").unwrap(), Some(LOSS));
    assert_eq!(store.verify().unwrap(), 3);
}

#[test]
fn checkpoints_are_kept_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.get_checkpoint("run").unwrap(), None);
    store.put_checkpoint("run", b"one").unwrap();
    let long = vec![7; 1 << 20];
    store.put_checkpoint("run", &long).unwrap();
    store.put_checkpoint("empty", b"").unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.get_checkpoint("run").unwrap(), Some(long));
    assert_eq!(store.get_checkpoint("empty").unwrap(), Some(vec![]));
}

#[test]
fn what_has_no_place_in_a_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for (name, board) in [("", ""), ("a\0b", ""), ("a", "\0"), (&*"x".repeat(256), "")] {
        assert!(matches!(store.game(name, board), Err(Error::Name { .. })));
    }
    let facts = store.game("nim", "").unwrap();
    assert!(facts.put(&vec![0; 65_518], WIN).is_ok());
    assert!(facts.put(&vec![0; 65_518], LOSS).is_err());
    assert!(facts.commit().is_ok());
    for length in [65_519, 70_000, 1 << 20] {
        let error = facts.put(&vec![0; length], WIN).unwrap_err();
        assert!(matches!(error, Error::TooLong { .. }), "{error}");
    }
}

#[test]
fn one_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let second = Store::open(folder.path()).err().unwrap();
    assert!(matches!(second, Error::InUse { .. }), "{second}");
    let facts = store.game("nim", "").unwrap();
    drop(store);
    assert!(Store::open(folder.path()).is_err(), "a handle is open");
    drop(facts);
    Store::open(folder.path()).unwrap();
}

#[test]
fn a_foreign_folder_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let letter = folder.path().join("letter.txt");
    fs::write(&letter, "Dear Charles").unwrap();
    for dir in [folder.path(), &letter] {
        let error = Store::open(dir).err().unwrap();
        assert!(matches!(error, Error::Foreign { .. }), "{error}");
        assert_eq!(files(folder.path()), [&*letter]);
        assert_eq!(fs::read_to_string(&letter).unwrap(), "Dear Charles");
    }
    // A file of the right name with something else in it.
    let marker = folder.path().join("BOUTON-STORE");
    fs::write(&marker, "opening hours").unwrap();
    let error = Store::open(folder.path()).err().unwrap();
    assert!(matches!(error, Error::Foreign { .. }), "{error}");
    assert_eq!(fs::read_to_string(&marker).unwrap(), "opening hours");
    assert_eq!(files(folder.path()).len(), 2);
}

#[test]
fn another_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let marker = folder.path().join("BOUTON-STORE");
    let mut bytes = fs::read(&marker).unwrap();
    bytes[8..12].copy_from_slice(&7_u32.to_le_bytes());
    let check = xxhash_rust::xxh3::xxh3_64(&bytes[..12]).to_le_bytes();
    bytes[12..16].copy_from_slice(&check[..4]);
    fs::write(&marker, &bytes).unwrap();
    let before: Vec<_> = files(folder.path());
    let error = Store::open(folder.path()).err().unwrap();
    assert!(matches!(error, Error::Version { found: 7, .. }), "{error}");
    assert_eq!(files(folder.path()), before);
    assert_eq!(fs::read(&marker).unwrap(), bytes);
}

#[test]
fn an_interrupted_creation_is_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let marker = folder.path().join("BOUTON-STORE");
    let whole = fs::read(&marker).unwrap();
    for length in [0, 5, 16, 47, 48] {
        fs::rename(folder.path().join("data"), folder.path().join("data.new")).unwrap();
        fs::write(&marker, &whole[..length]).unwrap();
        let store = Store::open(folder.path()).unwrap();
        let facts = store.game("nim", "").unwrap();
        assert!(facts.is_empty());
        drop(facts);
        drop(store);
    }
}
