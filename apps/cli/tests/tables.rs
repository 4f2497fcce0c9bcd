//! Strong solutions on the command line: built, asked, verified, and used by `solve`.

mod common;

use std::path::PathBuf;

use serde_json::{Value, json};

use common::bouton;

fn json_of(arguments: &[&str]) -> Value {
    let output = bouton(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("one line of JSON")
}

/// The exit code and the one line on standard error.
fn refusal(arguments: &[&str]) -> (Option<i32>, String) {
    let output = bouton(arguments);
    let error = String::from_utf8(output.stderr).expect("text");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(error.lines().count(), 1, "{error}");
    (output.status.code(), error)
}

/// A directory of this test's own, empty.
fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn a_table_is_built_asked_verified_and_used() {
    let path = directory("konane-5x4");
    let path = path.to_str().expect("text");
    let build = ["table", "build", "konane", "5x4", "--out", path];
    let built = json_of(&[&build[..], &["--memory", "64M", "--threads", "2", "--json"]].concat());
    assert_eq!(
        (&built["reason"], &built["found"]),
        (&Value::Null, &json!(false))
    );
    let plies = built["plies"].as_array().expect("plies");
    let sum = |what: &str| {
        plies
            .iter()
            .filter_map(|ply| ply[what].as_u64())
            .sum::<u64>()
    };
    assert_eq!((sum("positions"), sum("terminals")), (28_202, 2_104));
    let text = String::from_utf8(bouton(&build).stdout).expect("text");
    assert!(text.contains("every position solved"), "{text}");

    let found = json_of(&["table", "probe", path, "5x4", "--after", "a1 a2", "--json"]);
    let answer = json_of(&[
        "solve",
        "konane",
        "5x4",
        "--after",
        "a1 a2",
        "--all-moves",
        "--json",
    ]);
    for key in [
        "game",
        "position",
        "outcome",
        "winner",
        "winning_moves",
        "moves",
    ] {
        assert_eq!(found[key], answer[key], "{key}");
    }
    let solved = json_of(&["solve", "konane", "5x4", "--table", path, "--json"]);
    assert!(solved["counts"]["expansions"].as_u64() <= Some(1));
    assert_eq!(
        (&solved["outcome"], &solved["winner"]),
        (&json!("loss"), &json!("white"))
    );

    let verified = json_of(&["table", "verify", path, "--searches", "5", "--json"]);
    assert_eq!(verified["counts"], true);
    assert_eq!(verified["positions"], 100_000);
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let path = directory("konane-refused");
    let path = path.to_str().expect("text");
    let build = |game, size| refusal(&["table", "build", game, size, "--out", path, "--quiet"]);
    let (code, error) = build("konane", "8x8");
    assert_eq!(code, Some(2));
    assert!(error.contains("at most 40 squares"), "{error}");
    let (code, error) = build("sprouts", "3");
    assert_eq!(code, Some(2));
    assert!(error.contains("konane, chomp"), "{error}");
    assert_eq!(build("konane", "3y3").0, Some(2));
    let (code, error) = refusal(&[
        "table", "build", "konane", "4x4", "--out", path, "--memory", "1K", "--quiet",
    ]);
    assert_eq!(code, Some(3));
    assert!(error.contains("memory"), "{error}");
    let (code, error) = refusal(&["solve", "konane", "4x4", "--table", path]);
    assert_eq!(code, Some(1), "{error}");
    let (code, error) = refusal(&["table", "probe", path, "4x4"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("no finished table"), "{error}");
}

/// Stopped at once, and again; then it may take its time.
#[test]
fn a_stopped_build_says_how_to_go_on() {
    let path = directory("konane-stopped");
    let path = path.to_str().expect("text");
    let build = ["table", "build", "konane", "4x4", "--out", path, "--quiet"];
    let stopped = bouton(&[&build[..], &["--time", "0s"]].concat());
    assert_eq!(stopped.status.code(), Some(3));
    let text = String::from_utf8(stopped.stdout).expect("text");
    assert!(
        text.contains("stopped: time") && text.contains("goes on"),
        "{text}"
    );
    let built = bouton(&build);
    assert_eq!(built.status.code(), Some(0));
    let text = String::from_utf8(built.stdout).expect("text");
    assert!(text.contains("978"), "{text}");
}
