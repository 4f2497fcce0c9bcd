//! Interleavings of threads at one bucket, tried by shuttle: `cargo test -p bouton-table
//! --features shuttle`.

#![cfg(feature = "shuttle")]

use std::sync::Arc;

use bouton_table::{Entry, Key, Numbers, Replacement, Table};

/// How many interleavings are tried.
const TRIES: usize = 5_000;

/// A table of one bucket.
fn bucket(replacement: Replacement) -> Arc<Table> {
    Arc::new(Table::new(0, replacement))
}

/// An entry from which its key can be told.
fn entry(key: Key, version: u64) -> Entry {
    let proof = 10 * version + 1;
    Entry {
        numbers: Numbers::open(proof, proof + key as u64),
        work: version as u32 + 1,
    }
}

fn is_whole(key: Key, Entry { numbers, .. }: Entry) -> bool {
    numbers.is_solved() || numbers.disproof == numbers.proof + key as u64
}

/// Three threads write two keys and read both: what is read was written under that key.
#[test]
fn entries_are_never_torn() {
    for replacement in [Replacement::LeastWork, Replacement::SmallTrees] {
        shuttle::check_random(
            move || {
                let table = bucket(replacement);
                let threads = (0..3u64).map(|thread| {
                    let table = Arc::clone(&table);
                    shuttle::thread::spawn(move || {
                        for step in 0..2 {
                            let key = Key::from((thread + step) % 2 + 1);
                            table.put(key, entry(key, 3 * thread + step));
                            for key in [1, 2] {
                                let found = table.get(key);
                                assert!(found.is_none_or(|found| is_whole(key, found)));
                            }
                        }
                    })
                });
                for thread in threads.collect::<Vec<_>>() {
                    thread.join().expect("no thread panics");
                }
                assert_eq!(table.len(), 2, "each key once");
            },
            TRIES,
        );
    }
}

/// One thread solves what others have numbers for: in the end it is solved, whoever was last.
#[test]
fn what_is_solved_stays_solved() {
    shuttle::check_random(
        || {
            let table = bucket(Replacement::LeastWork);
            table.put(1, entry(1, 0));
            let threads = (0..3u64).map(|thread| {
                let table = Arc::clone(&table);
                shuttle::thread::spawn(move || match thread {
                    0 => table.put(
                        1,
                        Entry {
                            numbers: Numbers::LOSS,
                            work: 1,
                        },
                    ),
                    _ => table.put(1, entry(1, thread)),
                })
            });
            for thread in threads.collect::<Vec<_>>() {
                thread.join().expect("no thread panics");
            }
            let found = table.get(1).expect("nothing else was put there");
            assert_eq!(found.numbers, Numbers::LOSS);
        },
        TRIES,
    );
}

/// More keys than a bucket has room for: counts stay right, and whoever is there is whole.
#[test]
fn a_full_bucket_stays_in_order() {
    shuttle::check_random(
        || {
            let table = bucket(Replacement::SmallTrees);
            let threads = (0..3u64).map(|thread| {
                let table = Arc::clone(&table);
                shuttle::thread::spawn(move || {
                    for key in 1..=3 {
                        let key = Key::from(3 * thread + key);
                        table.put(key, entry(key, key as u64));
                    }
                })
            });
            for thread in threads.collect::<Vec<_>>() {
                thread.join().expect("no thread panics");
            }
            let found = (1..=9).filter_map(|key| Some((key, table.get(key)?)));
            let found: Vec<_> = found.collect();
            assert!(found.iter().all(|&(key, entry)| is_whole(key, entry)));
            assert!(found.len() == table.len() && table.len() <= table.capacity());
        },
        TRIES,
    );
}
