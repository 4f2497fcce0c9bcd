//! What the tests of the store share: known facts, damage, and copies of folders.
#![allow(dead_code)] // Each test file uses a part.

use std::fs;
use std::path::{Path, PathBuf};

use bouton_store::{Fact, Facts};

/// The position number `i`: 24 bytes that look random.
pub(crate) fn position(i: u64) -> Vec<u8> {
    (0..3)
        .flat_map(|part| mix(3 * i + part).to_be_bytes())
        .collect()
}

/// The fact about position number `i`.
pub(crate) fn fact(i: u64) -> Fact {
    Fact::Nimber((mix(i ^ 0xfac7) % 9) as u32)
}

/// Puts the facts with these numbers and commits them.
pub(crate) fn commit(facts: &Facts, numbers: std::ops::Range<u64>) {
    for i in numbers {
        facts.put(&position(i), fact(i)).unwrap();
    }
    facts.commit().unwrap();
}

/// A number that looks random (splitmix64).
pub(crate) fn mix(i: u64) -> u64 {
    let mut z = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// All files below a folder, in a fixed order.
pub(crate) fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Copies a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
