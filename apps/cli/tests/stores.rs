//! Stores on the command line: runs that are killed at any moment and taken up again.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn command(arguments: &[&str], store: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bouton"));
    command
        .args(arguments)
        .args(["--quiet", "--memory", "256M"]);
    command.arg("--store").arg(store);
    command
}

fn run(arguments: &[&str], store: &Path) -> Output {
    let output = command(arguments, store).output();
    output.expect("the binary runs")
}

fn start(arguments: &[&str], store: &Path) -> Child {
    let mut command = command(arguments, store);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the binary runs")
}

/// How many facts a run left in its store, and how many of them were new.
fn facts_and_new(text: &str) -> Option<(u64, u64)> {
    let line = text.lines().find(|line| line.starts_with("store "))?;
    let (facts, rest) = line.rsplit_once(": ")?.1.split_once(" facts, ")?;
    let number = |text: &str| text.replace(',', "").parse().ok();
    Some((number(facts)?, number(rest.split_once(' ')?.0)?))
}

/// Kills a run after some time; says whether it was still alive.
fn kill_after(moment: Duration, arguments: &[&str], store: &Path) -> bool {
    let mut child = start(arguments, store);
    std::thread::sleep(moment);
    child.kill().expect("it is ours");
    !child.wait().expect("it was started").success()
}

/// Kills so many runs, each at another moment of the time that a whole run takes, and lets each
/// be taken up again. A store that had lost what it acknowledged would refuse to open.
fn kill_and_resume(name: &str, arguments: &[&str], answer: &str, kills: u32) {
    let store = folder(name);
    let clock = Instant::now();
    let fresh = run(arguments, &store);
    let time = clock.elapsed();
    assert!(String::from_utf8_lossy(&fresh.stdout).contains(answer));
    let mut found = 0;
    for kill in 0..kills {
        let store = folder(name);
        // Spread over the run, in an order that is not that of time.
        let mut moment = time.mul_f64(f64::from(kill * 37 % kills) / f64::from(kills));
        while !kill_after(moment, arguments, &store) {
            // It was faster this time.
            moment /= 2;
            std::fs::remove_dir_all(&store).expect("it is ours");
        }
        let resumed = run(arguments, &store);
        let (text, error) = (
            String::from_utf8_lossy(&resumed.stdout),
            String::from_utf8_lossy(&resumed.stderr),
        );
        assert!(text.contains(answer), "kill {kill}: {text}{error}");
        found += u32::from(facts_and_new(&text).is_some_and(|(facts, new)| new < facts));
    }
    assert!(found > kills / 4, "{found} of {kills} found facts");
    std::fs::remove_dir_all(&store).expect("it is ours");
}

#[test]
fn sprouts_survives_kill_9() {
    let answer = "win for the player to move";
    kill_and_resume("killed-sprouts", &["solve", "sprouts", "16"], answer, 50);
}

#[test]
fn cram_survives_kill_9() {
    let arguments = ["solve", "cram", "5x7", "--nimber"];
    kill_and_resume("killed-cram", &arguments, "nimber 1", 50);
}

#[test]
fn workers_survive_kill_9() {
    let arguments = ["solve", "sprouts", "16", "--workers", "2"];
    let answer = "win for the player to move";
    kill_and_resume("killed-workers", &arguments, answer, 12);
}

/// The master goes on with its tree, and says so.
#[test]
fn a_master_that_was_stopped_goes_on() {
    let store = folder("stopped-master");
    let arguments = ["solve", "sprouts", "19", "--workers", "2"];
    let stopped = run(&[&arguments[..], &["--time", "500ms"]].concat(), &store);
    assert_eq!(stopped.status.code(), Some(3));
    let resumed = run(&arguments, &store);
    let text = String::from_utf8_lossy(&resumed.stdout);
    assert!(text.contains("loss for the player to move"), "{text}");
    assert!(text.contains("went on with"), "{text}");
    let (facts, new) = facts_and_new(&text).expect("a line about the store");
    assert!(0 < new && new < facts, "{text}");
}

#[test]
fn a_run_that_was_stopped_says_how_far_it_came_and_goes_on() {
    let store = folder("stopped");
    let arguments = ["solve", "konane", "6x6"];
    let stopped = run(&[&arguments[..], &["--time", "100ms"]].concat(), &store);
    assert_eq!(stopped.status.code(), Some(3));
    let resumed = run(&arguments, &store);
    let text = String::from_utf8_lossy(&resumed.stdout);
    assert!(text.contains("white wins"), "{text}");
    assert!(text.contains("went on with"), "{text}");
    let json = run(&[&arguments[..], &["--json"]].concat(), &store);
    let json = String::from_utf8_lossy(&json.stdout);
    assert!(json.contains(r#""new_facts":0"#), "{json}");
}

#[test]
fn folders_that_are_no_stores_are_refused() {
    let foreign = folder("foreign");
    std::fs::create_dir_all(&foreign).expect("a folder of ours");
    std::fs::write(foreign.join("letter.txt"), "dear reader").expect("a folder of ours");
    let file = folder("file");
    std::fs::write(&file, "no folder").expect("a folder of ours");
    let newer = folder("newer");
    assert!(run(&["solve", "nim", "3,2"], &newer).status.success());
    let marker = newer.join("BOUTON-STORE");
    let mut bytes = std::fs::read(&marker).expect("it is there");
    bytes[8] = 9;
    std::fs::write(&marker, &bytes).expect("a folder of ours");
    for store in [&foreign, &file, &newer] {
        let refused = run(&["solve", "nim", "3,2"], store);
        assert_eq!(refused.status.code(), Some(1));
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(error.starts_with("error: "), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(&*store.to_string_lossy()), "{error}");
    }
    let left = std::fs::read_to_string(foreign.join("letter.txt"));
    assert_eq!(left.expect("nothing is destroyed"), "dear reader");
    assert_eq!(std::fs::read(&marker).expect("nothing is destroyed"), bytes);
}

#[test]
fn one_run_at_a_time() {
    let store = folder("shared");
    let mut child = start(&["solve", "cram", "6x6"], &store);
    let clock = Instant::now();
    while !store.join("data").exists() && clock.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let refused = run(&["solve", "cram", "3x3"], &store);
    child.kill().expect("it is ours");
    child.wait().expect("it was started");
    assert_eq!(refused.status.code(), Some(1));
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("another"), "{error}");
}
