use super::*;

fn entry(proof: u64, disproof: u64, work: u32) -> Entry {
    Entry {
        numbers: Numbers { proof, disproof },
        work,
    }
}

/// Keys that look like positions: small numbers, and some with high bits.
fn key(number: u64) -> Key {
    u128::from(number) | u128::from(number % 3) << 64
}

const KINDS: [Replacement; 2] = [Replacement::LeastWork, Replacement::SmallTrees];

#[test]
fn what_is_put_is_found() {
    for replacement in KINDS {
        let table = Table::new(1 << 20, replacement);
        for number in 0..200 {
            table.put(key(number), entry(number + 1, LARGEST, u32::MAX));
        }
        for number in 0..200 {
            let found = table.get(key(number));
            assert_eq!(found, Some(entry(number + 1, LARGEST, u32::MAX)));
        }
        assert_eq!(table.get(key(200)), None);
        assert_eq!(table.len(), 200);
    }
}

#[test]
fn growing_keeps_nearly_everything() {
    for replacement in KINDS {
        let most = 20_000_000; // Not a power of two: the last step is a shorter one.
        let table = Table::new(most, replacement);
        let start = table.bytes();
        const MANY: u64 = 200_000;
        for number in 0..MANY {
            table.put(key(number), entry(number + 1, 7, 1));
        }
        let found = |number: &u64| table.get(key(*number)) == Some(entry(number + 1, 7, 1));
        let kept = (0..MANY).filter(found).count() as u64;
        assert!(table.bytes() > start && table.bytes() <= most);
        assert!(kept > MANY * 95 / 100, "{replacement:?} kept {kept}");
    }
}

/// What was there before is found by others while the table grows; only the few entries that are
/// just on their way are not.
#[test]
fn growing_hides_nearly_nothing() {
    for replacement in KINDS {
        let table = Table::new(1 << 26, replacement);
        let first = 0..1_000;
        for number in first.clone() {
            table.put(key(number), entry(number + 1, 7, u32::MAX));
        }
        let is_done = std::sync::atomic::AtomicBool::new(false);
        let misses = std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let mut rounds = Vec::new();
                while !is_done.load(Relaxed) {
                    let missing = |number: &u64| table.get(key(*number)).is_none();
                    rounds.push(first.clone().filter(missing).count());
                }
                rounds
            });
            for number in 1_000..500_000 {
                table.put(key(number), entry(number + 1, 7, 1));
            }
            is_done.store(true, Relaxed);
            reader.join().expect("it does not panic")
        });
        let most = misses.iter().max().expect("there is a round");
        assert!(*most <= 40, "{replacement:?}: {most} of 1,000 were missing");
    }
}

/// All memory asked for is used, whatever its size; never more.
#[test]
fn capacity_is_what_was_asked_for() {
    for bytes in [0, 128, 1 << 14, 1 << 20, 3_000_000, 100_000_000] {
        let table = Table::new(bytes, Replacement::LeastWork);
        let capacity = table.capacity();
        assert!(capacity * 32 <= bytes.max(128));
        assert!(capacity * 32 >= bytes / 1000 * 995, "{bytes} {capacity}");
    }
}

/// Memory that is not there is not taken.
#[test]
fn a_table_larger_than_the_machine_is_smaller() {
    let table = Table::new(1 << 60, Replacement::LeastWork);
    table.put(key(1), entry(2, 3, 4));
    assert_eq!(table.get(key(1)), Some(entry(2, 3, 4)));
}

#[test]
fn a_full_table_keeps_what_cost_most() {
    for replacement in KINDS {
        let table = Table::new(1 << 16, replacement);
        let capacity = table.capacity() as u64;
        for number in 0..capacity / 8 {
            table.put(key(number), entry(3, 5, 1_000_000));
        }
        for number in capacity..8 * capacity {
            table.put(key(number), entry(1, 1, 1));
        }
        let kept = (0..capacity / 8).filter(|&number| table.get(key(number)).is_some());
        let kept = kept.count() as u64;
        assert!(kept * 10 > capacity / 8 * 9, "{replacement:?} kept {kept}");
        assert!(table.len() as u64 <= capacity);
    }
}

#[test]
fn what_is_solved_stays_solved() {
    for replacement in KINDS {
        let table = Table::new(1 << 12, replacement);
        table.put(
            1,
            Entry {
                numbers: Numbers::WIN,
                work: 9,
            },
        );
        table.put(1, entry(4, 4, 10));
        assert_eq!(table.get(1).map(|entry| entry.numbers), Some(Numbers::WIN));
        table.put(2, entry(4, 4, 10));
        table.put(
            2,
            Entry {
                numbers: Numbers::LOSS,
                work: 9,
            },
        );
        assert_eq!(table.get(2).map(|entry| entry.numbers), Some(Numbers::LOSS));
    }
}

/// Threads that write the same few keys: what is read was written, by one of them, as a whole.
#[test]
fn entries_are_never_torn() {
    for replacement in KINDS {
        let table = Table::new(1 << 10, replacement);
        let whole = |key: Key, Entry { numbers, work }: Entry| {
            numbers.disproof == numbers.proof + key as u64 && u64::from(work) == numbers.proof
        };
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for step in 1..50_000u64 {
                        let key = u128::from(step % 61 + 1);
                        let proof = step * 4 + thread;
                        table.put(key, entry(proof, proof + key as u64, proof as u32));
                        if let Some(found) = table.get(key + 1) {
                            assert!(whole(key + 1, found), "{found:?}");
                        }
                    }
                });
            }
        });
    }
}

#[test]
fn numbers_add_up_without_becoming_infinite() {
    assert_eq!(add(1, 2), 3);
    assert_eq!(add(LARGEST, LARGEST), LARGEST);
    assert_eq!(add(INFINITY, 1), INFINITY);
    assert!(
        Numbers::open(0, u64::MAX)
            == Numbers {
                proof: 1,
                disproof: LARGEST
            }
    );
}
