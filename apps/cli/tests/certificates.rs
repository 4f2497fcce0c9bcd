//! Certificates on the command line: written, checked, played.

mod common;

use std::path::PathBuf;
use std::process::Output;

use common::bouton;

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// A file of this test's own.
fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn a_proof_is_written_checked_and_played() {
    let path = file("konane.bouton");
    let path = path.to_str().expect("text");
    let solved = bouton(&["solve", "konane", "4x5", "--quiet", "--certificate", path]);
    assert!(solved.status.success());
    assert!(stdout(&solved).contains("couples"));

    let checked = bouton(&["check", path]);
    assert!(checked.status.success());
    let text = stdout(&checked);
    assert!(text.starts_with("verified: konane"), "{text}");
    assert!(text.contains("loss for the player to move"), "{text}");
    let sampled = stdout(&bouton(&["check", path, "--sample", "1", "--json"]));
    assert!(sampled.contains("\"verified\":false"), "{sampled}");

    let shown = stdout(&bouton(&["show", path]));
    assert_eq!(shown.matches(" is answered by ").count(), 3, "{shown}");
    let shown = stdout(&bouton(&["show", path, "--json"]));
    assert!(shown.contains("\"outcome\":\"loss\""), "{shown}");
}

/// The bytes of a position mean something else on another board: nothing is said of that.
#[test]
fn a_proof_says_nothing_about_other_boards() {
    let path = file("other-boards.bouton");
    let path = path.to_str().expect("text");
    for (game, size, elsewhere) in [
        ("hex", "4x4", "..|..|..|..|..|..|..|.. b"),
        ("konane", "5x4", "xoxox|..ox.|.oxox|ox..o b"),
    ] {
        let solved = bouton(&["solve", game, size, "--quiet", "--certificate", path]);
        assert!(solved.status.success(), "{solved:?}");
        let shown = stdout(&bouton(&["show", path, elsewhere]));
        assert!(shown.contains("says nothing"), "{shown}");
        let refused = bouton(&["show", path, "nonsense"]);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    }
}

/// The position in `show --help` is one that the certificate there speaks of.
#[test]
fn the_example_of_show_has_an_answer() {
    let help = stdout(&bouton(&["show", "--help"]));
    let position = help.split('"').nth(1).expect("a position");
    let path = file("example.bouton");
    let path = path.to_str().expect("text");
    let solved = bouton(&["solve", "konane", "5x5", "--quiet", "--certificate", path]);
    assert!(solved.status.success());
    let shown = stdout(&bouton(&["show", path, position]));
    assert!(shown.contains(" is answered by "), "{shown}");
}

#[test]
fn a_damaged_or_missing_file_fails() {
    let path = file("cram.bouton");
    let text = path.to_str().expect("text");
    let solved = bouton(&["solve", "cram", "3x4", "--quiet", "--certificate", text]);
    assert!(solved.status.success());
    let mut bytes = std::fs::read(&path).expect("it was written");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).expect("a folder of ours");
    for (file, expected) in [
        (text, "damaged"),
        ("Cargo.toml", "no certificate"),
        ("nowhere", "No such file"),
    ] {
        let failed = bouton(&["check", file]);
        assert_eq!(failed.status.code(), Some(1));
        let error = String::from_utf8(failed.stderr).expect("text");
        assert!(error.contains(expected), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// The error names the file.
#[test]
fn a_certificate_that_cannot_be_written_is_an_error() {
    let failed = bouton(&[
        "solve",
        "nim",
        "1,2",
        "--quiet",
        "--certificate",
        "nowhere/x",
    ]);
    assert_eq!(failed.status.code(), Some(1));
    let error = String::from_utf8(failed.stderr).expect("text");
    assert!(
        error.contains("cannot write the certificate nowhere/x"),
        "{error}"
    );
}
