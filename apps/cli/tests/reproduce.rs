//! `bouton reproduce`, through the binary itself.

use std::process::{Command, Output};

use serde_json::Value;

fn reproduce(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bouton"));
    let command = command.arg("reproduce").args(arguments);
    command.output().expect("bouton runs")
}

#[test]
fn alone_it_lists_the_names() {
    let output = reproduce(&[]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().count(), 8, "{text}");
    assert!(text.starts_with("impartial-1 "), "{text}");
    let names: Value = serde_json::from_slice(&reproduce(&["--json"]).stdout).expect("JSON");
    assert_eq!(names[7]["name"], "impartial-8");
}

#[test]
fn an_unknown_name_is_refused_with_the_names() {
    let output = reproduce(&["impartial-9"]);
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        output.stdout.is_empty() && error.lines().count() == 1,
        "{error}"
    );
    assert!(error.contains("impartial-1, impartial-2"), "{error}");
}

/// The first rows of table 7 take a second or two, all of them a minute.
#[test]
fn a_stopped_run_shows_the_rows_that_are_complete() {
    let picture = std::env::temp_dir().join(format!("bouton-{}.svg", std::process::id()));
    let file = picture.to_str().expect("a path in Unicode");
    let output = reproduce(&[
        "impartial-7",
        "--shuffles",
        "1",
        "--time",
        "2s",
        "--quiet",
        "--json",
        "--svg",
        file,
    ]);
    let drawn = std::fs::read_to_string(&picture).expect("a picture");
    std::fs::remove_file(&picture).expect("a picture");
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    let table: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let stopped = table["stopped"].as_str();
    assert_eq!(
        output.status.code(),
        Some(if stopped.is_some() { 3 } else { 0 })
    );
    for row in table["rows"].as_array().expect("rows") {
        let cells = row["cells"].as_array().expect("cells");
        assert_eq!(cells.len(), 4, "{row}");
        assert!(cells[1]["ours"].as_f64() > Some(0.0), "{row}");
    }
}
