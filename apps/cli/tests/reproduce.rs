//! `bouton reproduce`, through the binary itself.

mod common;

use std::process::Output;

use serde_json::Value;

use common::bouton;

fn reproduce(arguments: &[&str]) -> Output {
    bouton(&[&["reproduce"], arguments].concat())
}

#[test]
fn alone_it_lists_the_names() {
    let output = reproduce(&[]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("impartial-1 "), "{text}");
    let listed = text.lines().map(|line| line.split(' ').next());
    let names: Value = serde_json::from_slice(&reproduce(&["--json"]).stdout).expect("JSON");
    let names = names.as_array().expect("an array").iter();
    let names: Vec<_> = names.map(|entry| entry["name"].as_str()).collect();
    assert_eq!(listed.collect::<Vec<_>>(), names);
    assert_eq!(names[7], Some("impartial-8"));
    for name in [
        "konane-4.2",
        "konane-a7",
        "konane-b2",
        "konane-4.5",
        "spots-3",
    ] {
        assert!(names.contains(&Some(name)), "{text}");
    }
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
    let last = "spots-4, spots-5, spots-table3 (see";
    assert!(error.contains(last), "{error}");
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

/// A table on a small position: its rows as JSON, its picture, and its text.
fn on(position: &str, name: &str) -> (Value, String, String) {
    let file = format!("bouton-{name}-{}.svg", std::process::id());
    let picture = std::env::temp_dir().join(file);
    let file = picture.to_str().expect("a path in Unicode");
    let arguments = [name, "--position", position, "--quiet"];
    let drawn = reproduce(&[&arguments[..], &["--json", "--svg", file]].concat());
    let written = reproduce(&arguments);
    let svg = std::fs::read_to_string(&picture).expect("a picture");
    std::fs::remove_file(&picture).expect("a picture");
    assert_eq!(drawn.status.code(), Some(0));
    let table = serde_json::from_slice(&drawn.stdout).expect("JSON");
    (table, svg, String::from_utf8(written.stdout).expect("text"))
}

/// Every element is closed, in its turn.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("the end of a tag");
        let name = tag.split([' ', '/']).find(|name| !name.is_empty());
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), name, "{tag}"),
            (false, true) => {}
            (false, false) => open.extend(name),
        }
        assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
        let quotes = tag.matches('"').count();
        assert!(quotes.is_multiple_of(2), "{tag}");
    }
    assert!(open.is_empty() && svg.starts_with("<svg "), "{open:?}");
}

#[test]
fn konane_is_compared_on_a_smaller_board() {
    let (table, svg, text) = on("5x5", "konane-4.2");
    let rows = table["rows"].as_array().expect("rows");
    let names = rows.iter().map(|row| row["name"].as_str().expect("a name"));
    let names: Vec<_> = names.collect();
    let ours = ["df-pn", "df-pn, our numbers"];
    assert_eq!(
        (names[0], &names[names.len() - 2..]),
        ("alpha-beta", &ours[..])
    );
    for row in rows {
        let cells = row["cells"].as_array().expect("cells");
        assert!(cells[1]["ours"].as_f64() > Some(20.0), "{row}");
        // The thesis has nothing on 5x5.
        assert!(cells[0]["theirs"].is_null(), "{row}");
    }
    // An algorithm that is not there has no row, but a note.
    for (name, algorithm) in [("PNS", "pns"), ("PN²", "pn2")] {
        let note = format!("{name}: left out, there is no algorithm {algorithm} yet");
        assert_eq!(text.contains(&note), !names.contains(&name), "{text}");
    }
    assert_well_formed(&svg);
}

#[test]
fn tables_of_proof_numbers_hold_no_more_than_they_may() {
    let (table, svg, text) = on("8", "spots-3");
    let rows = table["rows"].as_array().expect("rows").iter();
    let dfpn: Vec<_> = rows
        .filter_map(|row| {
            let name = row["name"].as_str()?.strip_prefix("df-pn, ")?;
            let entries = row["cells"][2]["ours"].as_f64()?;
            Some((name.parse::<f64>().ok()?, entries))
        })
        .collect();
    assert!(dfpn.len() >= 4, "{text}");
    for (capacity, entries) in dfpn {
        assert!(entries > 0.0 && entries <= capacity, "{text}");
    }
    assert!(text.contains("0*8") && text.contains("figure 3"), "{text}");
    assert_well_formed(&svg);
}

#[test]
fn a_wrong_position_is_refused() {
    for (name, position) in [
        ("impartial-2", "9,8,5"),
        ("konane-4.2", "5x"),
        ("spots-3", "0*"),
    ] {
        let output = reproduce(&[name, "--position", position]);
        let error = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(output.stdout.is_empty() && error.lines().count() == 1);
    }
}
