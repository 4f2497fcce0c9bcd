//! The command line's contract, through the binary itself.

mod common;

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use common::bouton;

fn stdout(arguments: &[&str]) -> String {
    let output = bouton(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("one line of JSON")
}

/// The exit code and the one line on standard error.
fn refusal(arguments: &[&str]) -> (Option<i32>, String) {
    let output = bouton(arguments);
    let error = String::from_utf8(output.stderr).expect("text");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(error.lines().count(), 1, "{error}");
    (output.status.code(), error)
}

#[test]
fn solve_prints_the_object_of_the_contract() {
    let solve = ["solve", "cram", "3x4", "--nimber", "--json", "--threads"];
    let threads = |number| json_of(&[&solve[..], &[number]].concat());
    let answer = threads("1");
    let keys: Vec<_> = answer
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    let mut expected = vec![
        "game",
        "position",
        "outcome",
        "nimber",
        "reason",
        "winning_moves",
        "algorithm",
        "threads",
        "counts",
        "cpu_seconds",
        "seconds",
        "peak_memory_bytes",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!(answer["game"], "cram");
    assert_eq!(answer["position"], "....|....|....");
    assert_eq!(answer["outcome"], "win");
    assert_eq!(answer["nimber"], 1);
    assert_eq!(answer["reason"], Value::Null);
    let how = |answer: &Value| (answer["algorithm"].clone(), answer["threads"].clone());
    assert_eq!(how(&answer), (json!("dfpn"), json!(1)));
    assert_eq!(how(&threads("2")), (json!("spdfpn"), json!(2)));
    assert!(answer["counts"]["table_entries"].as_u64() >= answer["counts"]["facts"].as_u64());
    assert!(answer["counts"]["expansions"].as_u64() > Some(0));
    assert!(answer["peak_memory_bytes"].as_u64() > Some(0));
}

#[test]
fn games_with_colours_name_the_winner() {
    let answer = json_of(&["solve", "konane", "4x4", "--json"]);
    assert_eq!(
        (&answer["outcome"], &answer["winner"]),
        (&json!("loss"), &json!("white"))
    );
    let answer = json_of(&["solve", "hex", "3x3", "--after", "a1", "--json"]);
    assert_eq!(
        (&answer["outcome"], &answer["winner"]),
        (&json!("win"), &json!("white"))
    );
    assert_eq!(answer["nimber"], Value::Null);
    assert_eq!(answer["position"], "x..|...|... w");
}

#[test]
fn every_move_has_its_outcome() {
    let answer = json_of(&["solve", "nim", "3,2", "--all-moves", "--json"]);
    assert_eq!(answer["winning_moves"], json!(["1-2"]));
    let moves = answer["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 5);
    assert_eq!(moves[2], json!({"move": "1-2", "outcome": "win"}));
    assert_eq!(moves[0], json!({"move": "1-0", "outcome": "loss"}));
}

#[test]
fn moves_lists_canonical_children() {
    let children = json_of(&["moves", "sprouts", "0*2", "--json"]);
    let positions: Vec<_> = children
        .as_array()
        .expect("children")
        .iter()
        .map(|child| &child["position"])
        .collect();
    assert_eq!(positions.len(), 2);
    assert!(
        positions.contains(&&json!("1a1a")) && positions.contains(&&json!("0.AB|AB")),
        "{positions:?}"
    );
    let text = stdout(&["moves", "cram", "1x4"]);
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(
        text.lines().any(|line| line.ends_with("\ta1-b1 c1-d1")),
        "{text}"
    );
}

#[test]
fn census_and_perft_count_per_ply() {
    let census = json_of(&["census", "konane", "3x3", "--json"]);
    let positions: Vec<_> = census
        .as_array()
        .expect("plies")
        .iter()
        .map(|ply| &ply["positions"])
        .collect();
    assert_eq!(json!(positions), json!([1, 2, 2, 1, 2, 1]));
    let raw = json_of(&["census", "konane", "3x3", "--raw", "--depth", "2", "--json"]);
    assert_eq!(raw[2], json!({"ply": 2, "positions": 12, "terminals": 4}));
    let perft = json_of(&["perft", "konane", "8x8", "--depth", "4", "--json"]);
    assert_eq!(perft[4], json!({"ply": 4, "paths": 172}));
}

#[test]
fn train_prints_weights_with_where_they_come_from() {
    let train = ["train", "konane", "4x4", "--positions", "100"];
    let train = [&train[..], &["--seed", "7"]].concat();
    let lesson = stdout(&train);
    assert!(lesson.contains("`bouton train konane 4x4 --positions 100 --seed 7`"));
    let weights = lesson.lines().filter(|line| !line.starts_with('#'));
    let numbers = weights.map(|line| line.split_whitespace().next().expect("a number"));
    let numbers: Vec<f64> = numbers
        .map(|number| number.parse().expect("a number"))
        .collect();
    assert_eq!(numbers.len(), 15, "fourteen features and a constant");
    let object = json_of(&[&train[..], &["--json"]].concat());
    assert_eq!([&object["positions"], &object["seed"]], [100, 7]);
    let weights = object["weights"].as_array().expect("weights").iter();
    let weights = weights.map(|of| of["weight"].as_f64().expect("a number"));
    assert_eq!(weights.collect::<Vec<_>>(), numbers);
    let (code, error) = refusal(&["train", "chomp", "3x3"]);
    assert_eq!(code, Some(2));
    assert!(
        error.contains("chomp: nothing about it is learned"),
        "{error}"
    );
}

/// `--help` names every part that Hex can do without.
#[test]
fn what_can_be_left_out_is_in_the_help() {
    let help = stdout(&["solve", "--help"]);
    let (_, error) = refusal(&["solve", "hex", "3x3", "--without", "nothing"]);
    let (_, parts) = error.split_once("; expected ").expect("the parts");
    for part in parts.trim().split(", ") {
        assert!(help.contains(part), "{part}");
    }
}

#[test]
fn there_are_nine_games_and_their_examples_work() {
    let games = json_of(&["games", "--json"]);
    let games = games.as_array().expect("games");
    assert_eq!(games.len(), 9);
    for game in games {
        let name = game["name"].as_str().expect("a name");
        for example in game["examples"].as_array().expect("examples") {
            stdout(&["solve", name, example.as_str().expect("text")]);
        }
    }
    let algorithms = json_of(&["algorithms", "--json"]);
    assert_eq!(algorithms[0]["name"], "exhaustive");
    let (_, unknown) = refusal(&["solve", "nim", "1", "--algorithm", "magic"]);
    for algorithm in algorithms.as_array().expect("algorithms") {
        let name = algorithm["name"].as_str().expect("a name");
        stdout(&["solve", "nim", "3,2", "--algorithm", name, "--quiet"]);
        assert!(unknown.contains(&format!(" {name}")), "{unknown}");
    }
    assert!(unknown.contains(", pns-pdfpn (see"), "{unknown}");
}

#[test]
fn what_is_wrong_is_refused_in_one_line() {
    let (code, error) = refusal(&["solve", "cram", "......|......|....."]);
    assert_eq!(code, Some(2));
    assert_eq!(
        error,
        "error: cram: row 3 has 5 cells, expected 6 (position \"......|......|.....\")\n"
    );
    for (arguments, word) in [
        (&["solve", "go", "3x3"][..], "unknown game"),
        (
            &["solve", "nim", "1", "--algorithm", "magic"],
            "unknown algorithm",
        ),
        (&["solve", "hex", "3x3", "--nimber"], "no nimbers"),
        (&["moves", "konane", "oxo|xox|oxo b"], "konane: "),
        (&["census", "sprouts", "0.A"], "sprouts: "),
        (
            &["perft", "hex", "3x3", "--after", "a1 a1"],
            "not a legal move",
        ),
    ] {
        let (code, error) = refusal(arguments);
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains(word), "{error}");
    }
    assert_eq!(
        bouton(&["solve", "nim", "1", "--memory", "much"])
            .status
            .code(),
        Some(2)
    );
    assert_eq!(bouton(&["prove"]).status.code(), Some(2));
}

/// The system's reason is told once, however deep it comes from.
#[test]
fn a_cause_is_told_once() {
    let below_a_file = "Cargo.toml/x";
    let not_to_be_made = "/proc/x";
    for arguments in [
        &["check", below_a_file][..],
        &["show", below_a_file],
        &["solve", "nim", "1", "--store", not_to_be_made],
        &["solve", "nim", "1", "--certificate", below_a_file],
        &["solve", "chomp", "2x2", "--table", below_a_file],
        &["table", "build", "chomp", "2x2", "--out", below_a_file],
        &["table", "probe", below_a_file, "2x2"],
    ] {
        let (code, error) = refusal(&[arguments, &["--json"]].concat());
        assert_eq!(code, Some(1), "{error}");
        assert_eq!(error.matches("(os error ").count(), 1, "{error}");
    }
}

/// Whoever asks for more is told what the most is.
#[test]
fn no_more_threads_than_a_system_has() {
    let parallel = ["--algorithm", "parallel-pn2", "--threads", "65535"];
    for options in [
        &["--workers", "65535"][..],
        &["--threads", "1025"],
        &["--workers", "64", "--threads", "64"],
        &parallel,
    ] {
        let output = bouton(&[&["solve", "cram", "4x4"], options].concat());
        let error = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{options:?}: {error}");
        assert!(error.contains("1024"), "{error}");
    }
    for command in [
        &["table", "build", "chomp", "2x2", "--out", "nowhere"][..],
        &["reproduce", "konane-a7"],
        &["simulate", "nim", "3"],
    ] {
        let output = bouton(&[command, &["--threads", "65535"]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?}");
    }
    let most = ["--workers", "512", "--threads", "2", "--memory", "1G"];
    stdout(&[&["solve", "cram", "4x4", "--quiet"][..], &most].concat());
}

#[test]
fn limits_end_in_unknown_with_the_reason() {
    for (limit, reason) in [
        (["--time", "200ms"], "time"),
        (["--memory", "16M"], "memory"),
    ] {
        let solve = [
            "solve",
            "cram",
            "7x10",
            "--algorithm",
            "exhaustive",
            "--json",
            "--quiet",
        ];
        let arguments = [&solve[..], &limit].concat();
        let output = bouton(&arguments);
        assert_eq!(output.status.code(), Some(3), "{reason}");
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["outcome"], "unknown");
        assert_eq!(answer["reason"], reason);
        if reason == "memory" {
            let peak = answer["peak_memory_bytes"].as_u64().expect("bytes");
            assert!(peak < 32 << 20, "{peak} bytes");
        }
    }
}

#[test]
fn a_census_that_is_stopped_shows_what_is_complete() {
    let output = bouton(&["census", "konane", "6x6", "--memory", "1M", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let plies: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(plies[5]["positions"], 154);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_an_answer() {
    let mut run = Command::new(env!("CARGO_BIN_EXE_bouton"))
        .args([
            "solve", "cram", "7x10", "--json", "--quiet", "--time", "60s", "--memory", "4G",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .expect("bouton runs");
    std::thread::sleep(Duration::from_millis(300));
    let pressed = Instant::now();
    let kill = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", run.id())])
        .status();
    assert!(kill.expect("a shell runs").success());
    let status = run.wait().expect("an end");
    // Far from the 60 seconds it was allowed.
    assert!(pressed.elapsed() < Duration::from_secs(20));
    let mut text = String::new();
    run.stdout
        .expect("piped")
        .read_to_string(&mut text)
        .expect("text");
    assert_eq!(status.code(), Some(3));
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(answer["reason"], "interrupted");
}

#[test]
fn a_reader_who_has_read_enough_is_no_error() {
    let mut run = Command::new(env!("CARGO_BIN_EXE_bouton"))
        .args(["moves", "nim", "10000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bouton runs");
    drop(run.stdout.take());
    let output = run.wait_with_output().expect("an end");
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

/// Sums of different components, too.
#[test]
fn simulate_has_a_row_for_each_number_of_cores() {
    for (game, position, outcome) in [("sprouts", "0*2+0*3", "win"), ("nim", "3,5,6", "loss")] {
        let simulate = ["simulate", game, position, "--quiet", "--json"];
        let rows = json_of(&[&simulate[..], &["--cores", "1,2"]].concat());
        for (row, cores) in rows.as_array().expect("rows").iter().zip([1, 2]) {
            assert_eq!(
                [&row["cores"], &row["outcome"]],
                [&json!(cores), &json!(outcome)]
            );
        }
        let trials = json_of(&[&simulate[..], &["--trials", "3"]].concat());
        assert_eq!(trials["failed"], Value::Null);
    }
}

/// Machines are whole: what is simulated in place of what was asked for is said.
#[test]
fn simulate_says_how_many_cores_there_are() {
    let simulate = ["simulate", "nim", "3", "--quiet", "--json", "--cores"];
    let told = |cores| {
        let output = bouton(&[&simulate[..], &[cores]].concat());
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).expect("text")
    };
    assert_eq!(told("32,64"), "");
    assert_eq!(
        told("1,33"),
        "33 cores: simulated are 64, 2 machines of 32\n"
    );
}

/// The fields of the driver for Ray (`apps/python/python/bouton/cluster/view.py`).
#[test]
fn workers_tell_their_progress_as_json_lines() {
    let log = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("progress.jsonl");
    let _ = std::fs::remove_file(&log);
    let path = log.to_str().expect("text");
    let workers = ["--workers", "2", "--threads", "2", "--quiet"];
    let solve = ["solve", "sprouts", "12", "--log", path, "--interval", "0s"];
    let (code, error) = refusal(&solve);
    assert_eq!(code, Some(2), "{error}");
    assert!(
        error.contains("give --workers N") && !log.exists(),
        "{error}"
    );
    let text = stdout(&[&solve[..], &workers].concat());
    assert!(text.contains("loss for the player to move"), "{text}");
    let log = std::fs::read_to_string(&log).expect("it was written");
    let states: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("one object a line"))
        .collect();
    for pair in states.windows(2) {
        for total in ["seconds", "facts", "expansions"] {
            let [before, after] = [0, 1].map(|at| pair[at][total].as_f64().expect("a number"));
            assert!(before <= after, "{total}");
        }
    }
    let last = states.last().expect("a run that is over has a line");
    assert_eq!([&last["workers"], &last["threads"]], [2, 4]);
    let ray = include_str!("../../python/python/bouton/cluster/view.py");
    for field in last.as_object().expect("an object").keys() {
        assert!(ray.contains(&format!("\"{field}\": ")), "{field}");
    }
}

/// Runs bouton where threads have little room for their stacks.
#[cfg(target_os = "linux")]
fn with_little_room(arguments: &str) -> std::process::Output {
    let bouton = env!("CARGO_BIN_EXE_bouton");
    let run = format!("ulimit -v 4000000; exec timeout -k 5 60 {bouton} {arguments} --quiet");
    let output = std::process::Command::new("sh").args(["-c", &run]).output();
    output.expect("a shell runs")
}

/// A system that has no room for all workers gets an answer from fewer.
#[cfg(target_os = "linux")]
#[test]
fn workers_without_room_are_done_without() {
    let output = with_little_room("solve sprouts 5 --workers 200 --memory 512M");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(text.starts_with("sprouts 0*5: win"), "{text}");
}

/// Threads that take turns cannot do without any of them.
#[cfg(target_os = "linux")]
#[test]
fn turns_without_room_end_with_the_reason() {
    let output = with_little_room("simulate sprouts 5 --cores 64 --threads 64 --memory 64M");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(said.contains("memory"), "{said}");
}
