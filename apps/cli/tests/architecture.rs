//! Which crate may depend on which: the arrows of ARCHITECTURE.md, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde::Deserialize;

/// A crate of ours, and those of ours it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("bouton-game", &[]),
    ("bouton-games", &["bouton-game"]),
    ("bouton-store", &["bouton-game"]),
    ("bouton-table", &[]),
    ("bouton-certificate", &["bouton-game"]),
    ("bouton-search", &["bouton-game", "bouton-table"]),
    ("bouton-retrograde", &["bouton-game"]),
    (
        "bouton-session",
        &[
            "bouton-game",
            "bouton-games",
            "bouton-search",
            "bouton-store",
            "bouton-certificate",
            "bouton-retrograde",
        ],
    ),
    ("bouton-cluster", &["bouton-session"]),
    ("bouton", &["bouton-session", "bouton-cluster"]),
    ("bouton-python", &["bouton-session", "bouton-cluster"]),
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
}

#[test]
fn crates_depend_on_each_other_as_drawn() {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: Metadata = serde_json::from_slice(&output.stdout).expect("cargo's metadata");
    let ours: BTreeSet<_> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    assert_eq!(
        ours,
        allowed.keys().copied().collect(),
        "a crate is missing from the drawing"
    );
    for package in &metadata.packages {
        for dependency in &package.dependencies {
            let name = dependency.name.as_str();
            let fine = !ours.contains(name) || allowed[package.name.as_str()].contains(&name);
            assert!(fine, "{} must not depend on {name}", package.name);
        }
    }
    let game = metadata.packages.iter().find(|p| p.name == "bouton-game");
    assert!(
        game.is_some_and(|game| game.dependencies.is_empty()),
        "bouton-game stands alone"
    );
}
