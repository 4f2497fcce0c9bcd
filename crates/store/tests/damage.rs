//! Files that were cut or changed: an error, or right facts; never a wrong one, and none that is
//! missing without a word.

mod common;

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use bouton_store::{Error, Options, Store};
use common::{commit, copy, fact, files, mix, position};
use tempfile::TempDir;

const FACTS: u64 = 3_000;

/// What a damaged store did.
#[derive(Debug, PartialEq, Eq)]
enum Result {
    /// All facts were there.
    Unharmed,
    /// It did not open.
    Refused,
    /// It did not open, and then with fewer facts, as it was told to.
    Shortened(u64),
    /// It opened, and said which record it could not read.
    Reported,
}

/// A store with facts in tables (`tables`) or only in the journal, cleanly closed.
fn make(dir: &Path, tables: bool) {
    let store = Store::open(dir).unwrap();
    let facts = store.game("cram", "6x6").unwrap();
    if tables {
        // Enough to make fjall write tables and begin to merge them.
        let filler = store.game("filler", "").unwrap();
        for i in 0..16 {
            commit(&facts, FACTS * i / 16..FACTS * (i + 1) / 16);
            for part in 0..2 {
                let mut long = position(1_000_000 + 2 * i + part);
                long.resize(60_000, 1);
                filler.put(&long, fact(i)).unwrap();
                filler.commit().unwrap();
                store
                    .put_checkpoint("c", &vec![part as u8; 700_000])
                    .unwrap();
            }
        }
    } else {
        for i in 0..60 {
            commit(&facts, FACTS * i / 60..FACTS * (i + 1) / 60);
        }
    }
    assert_eq!(facts.len(), FACTS);
}

/// Opens a damaged store and reads everything. Panics on a wrong or quietly missing fact.
fn examine(dir: &Path, what: &str) -> Result {
    let accept = Options {
        accept_lost_commits: true,
        ..Options::default()
    };
    let (store, refused) = match Store::open(dir) {
        Ok(store) => (store, false),
        Err(Error::LostCommits { .. } | Error::Miscounted { .. }) => {
            // It says so every time, until it is told to go on.
            let again = Store::open(dir).err();
            assert!(
                matches!(
                    again,
                    Some(Error::LostCommits { .. } | Error::Miscounted { .. })
                ),
                "{what}"
            );
            match Store::open_with(dir, &accept) {
                Ok(store) => (store, true),
                Err(_) => return Result::Refused,
            }
        }
        Err(error) => {
            let text = error.to_string();
            assert!(text.starts_with(&dir.display().to_string()), "{text}");
            return Result::Refused;
        }
    };
    // All positions are read for the filter, so that a damaged table shows at once.
    let Ok(facts) = store.game("cram", "6x6") else {
        return Result::Reported;
    };
    let mut present = 0;
    let mut reported = false;
    for i in 0..FACTS {
        match facts.get(&position(i)) {
            Ok(Some(found)) => {
                assert_eq!(found, fact(i), "{what}: a wrong fact");
                present += 1;
            }
            Ok(None) => assert!(refused, "{what}: fact {i} is missing without a word"),
            Err(_) => reported = true,
        }
    }
    match store.verify() {
        Ok(_) => assert!(reported || facts.len() == present, "{what}: wrong count"),
        Err(_) => reported = true,
    }
    match (reported, refused) {
        (true, _) => Result::Reported,
        (false, true) => Result::Shortened(present),
        (false, false) => Result::Unharmed,
    }
}

/// A fresh copy of a store, and the files in it.
fn fresh(original: &Path) -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    copy(original, folder.path());
    let list = files(folder.path());
    (folder, list)
}

/// Closes and opens once: fjall then cuts its journal to what is in it.
fn settle(dir: &Path) {
    drop(Store::open(dir).unwrap());
}

fn cut(path: &Path, length: u64) {
    let file = OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(length).unwrap();
}

#[test]
fn files_cut_short() {
    for tables in [false, true] {
        let original = tempfile::tempdir().unwrap();
        make(original.path(), tables);
        settle(original.path());
        for n in 0..files(original.path()).len() {
            for place in 0..4 {
                let (folder, list) = fresh(original.path());
                let file = &list[n];
                let length = fs::metadata(file).unwrap().len();
                let keep = [0, length / 3, length * 9 / 10, length.saturating_sub(1)][place];
                cut(file, keep);
                let what = format!("{} of {length} cut to {keep}", file.display());
                let result = examine(folder.path(), &what);
                println!("{what}: {result:?}");
                if file.extension().is_some_and(|e| e == "jnl") && !tables && length > keep {
                    // Everything before the cut is there, commit by commit.
                    let least = FACTS * keep / length;
                    assert!(
                        matches!(result, Result::Shortened(n) if n + FACTS / 60 >= least),
                        "{what}: {result:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn files_removed() {
    for tables in [false, true] {
        let original = tempfile::tempdir().unwrap();
        make(original.path(), tables);
        settle(original.path());
        for n in 0..files(original.path()).len() {
            let (folder, list) = fresh(original.path());
            fs::remove_file(&list[n]).unwrap();
            let what = format!("{} removed", list[n].display());
            println!("{what}: {:?}", examine(folder.path(), &what));
        }
    }
}

#[test]
fn bytes_changed() {
    for tables in [false, true] {
        let original = tempfile::tempdir().unwrap();
        make(original.path(), tables);
        settle(original.path());
        for n in 0..files(original.path()).len() {
            for place in 0..10 {
                let (folder, list) = fresh(original.path());
                let mut bytes = fs::read(&list[n]).unwrap();
                if bytes.is_empty() {
                    continue;
                }
                let random = mix(1000 * n as u64 + place + if tables { 1 << 32 } else { 0 });
                let at = (random >> 8) as usize % bytes.len();
                bytes[at] ^= 1 << (random % 8);
                fs::write(&list[n], &bytes).unwrap();
                let what = format!("{} bit {} of byte {at}", list[n].display(), random % 8);
                println!("{what}: {:?}", examine(folder.path(), &what));
            }
        }
    }
}

/// The head of a batch in fjall's journal, with its sequence number, has no checksum there.
#[test]
fn heads_of_batches_changed() {
    for tables in [false, true] {
        let original = tempfile::tempdir().unwrap();
        make(original.path(), tables);
        settle(original.path());
        let journal = Path::new("data").join("0.jnl");
        let bytes = fs::read(original.path().join(&journal)).unwrap();
        // A batch ends with this, and the next one begins.
        let heads: Vec<_> = (0..bytes.len() - 5)
            .filter(|&at| bytes[at..].starts_with(b"FJL\x03\x01"))
            .map(|at| at + 4)
            .collect();
        for head in [0, heads[heads.len() / 2], heads[heads.len() - 2]] {
            for at in 0..13 {
                let (folder, _) = fresh(original.path());
                let mut bytes = bytes.clone();
                let bit = mix(at) % 8;
                bytes[head + at as usize] ^= 1 << bit;
                fs::write(folder.path().join(&journal), &bytes).unwrap();
                let what = format!("bit {bit} of byte {at} of the batch at {head}");
                println!("{what}: {:?}", examine(folder.path(), &what));
            }
        }
    }
}
