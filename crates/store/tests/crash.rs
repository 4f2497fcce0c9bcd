//! Processes that are killed, disks that are full, folders that cannot be written.
//!
//! Each test runs this test binary again as a child: the test [`child`] does nothing unless the
//! environment says what.

mod common;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use bouton_store::{Error, Store};
use common::{commit, fact, mix, position};

const TASK: &str = "BOUTON_STORE_TASK";
const DIR: &str = "BOUTON_STORE_DIR";
const BATCH: u64 = 100;

/// What a child is for: commit batches and say which, until something stops it.
#[test]
fn child() {
    let Ok(task) = std::env::var(TASK) else {
        return;
    };
    let dir = std::env::var(DIR).unwrap();
    if task == "open" {
        println!("\nopened {:?}", Store::open(dir).err());
        return;
    }
    let store = Store::open(dir).unwrap();
    let facts = store.game("cram", "7x7").unwrap();
    for batch in facts.len() / BATCH.. {
        for i in batch * BATCH..(batch + 1) * BATCH {
            facts.put(&position(i), fact(i)).unwrap();
        }
        match facts.commit() {
            Ok(()) => println!("\nacknowledged {batch}"),
            Err(error) => {
                println!("\nfailed {error:?}");
                println!("\nagain {:?}", facts.commit().err());
                return;
            }
        }
    }
}

fn command(task: &str, dir: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["child", "--exact", "--nocapture"]);
    command.env(TASK, task).env(DIR, dir);
    command.stdout(Stdio::piped());
    command
}

/// Everything up to and with this batch is there.
fn check(dir: &Path, batches: u64) -> u64 {
    let store = Store::open(dir).unwrap();
    let facts = store.game("cram", "7x7").unwrap();
    assert!(
        facts.len() >= batches * BATCH,
        "acknowledged facts are lost"
    );
    assert_eq!(facts.len() % BATCH, 0, "a batch is there in part");
    for i in 0..facts.len() {
        assert_eq!(facts.get(&position(i)).unwrap(), Some(fact(i)));
    }
    assert_eq!(store.verify().unwrap(), facts.len());
    facts.len() / BATCH
}

#[test]
fn what_was_acknowledged_survives_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("store");
    let mut batches = 0;
    for round in 0..30 {
        let mut child = command("commit", &dir).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        // The first rounds end while the store is created or opened.
        std::thread::sleep(Duration::from_micros(mix(round) % (4_000 * (round + 1))));
        child.kill().unwrap();
        child.wait().unwrap();
        for line in output.lines() {
            if let Some(number) = line.unwrap().strip_prefix("acknowledged ") {
                batches = number.parse::<u64>().unwrap() + 1;
            }
        }
        batches = check(&dir, batches);
    }
    assert!(batches > 30, "the children had no time: {batches} batches");
}

#[test]
#[cfg(unix)]
fn a_full_disk_costs_nothing_that_was_committed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let store = Store::open(dir).unwrap();
    commit(&store.game("cram", "7x7").unwrap(), 0..BATCH * 10);
    drop(store);
    drop(Store::open(dir).unwrap()); // fjall gives back what it reserved for its journal.

    // No file may grow beyond 256 KiB: the nearest to a full disk that needs no rights.
    let script = "trap '' XFSZ; ulimit -f 512; exec \"$0\" child --exact --nocapture";
    let output = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .env(TASK, "commit")
        .env(DIR, dir)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut last = text.lines().filter_map(|l| l.strip_prefix("acknowledged "));
    let batches = last.next_back().unwrap().parse::<u64>().unwrap() + 1;
    assert!(batches > 10, "{text}");
    assert!(text.contains("\nfailed DiskFull"), "{text}");
    assert!(text.contains("\nagain Some(Stopped"), "{text}");

    // There is room again.
    let found = check(dir, batches);
    let store = Store::open(dir).unwrap();
    let facts = store.game("cram", "7x7").unwrap();
    commit(&facts, found * BATCH..(found + 1) * BATCH);
    drop((store, facts));
    check(dir, found + 1);
}

#[test]
#[cfg(unix)]
fn a_folder_that_cannot_be_written_is_said_so() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    // Root may write anywhere, so the child is somebody else.
    let root = rustix::process::geteuid().is_root();
    let folder = tempfile::tempdir().unwrap();
    let (empty, full) = (folder.path().join("empty"), folder.path().join("full"));
    std::fs::create_dir(&empty).unwrap();
    drop(Store::open(&full).unwrap());
    set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    for dir in [&empty, &full] {
        set_permissions(dir, Permissions::from_mode(0o555)).unwrap();
    }
    set_permissions(full.join("BOUTON-STORE"), Permissions::from_mode(0o444)).unwrap();
    for dir in [&empty, &full, &empty.join("missing")] {
        let mut command = command("open", dir);
        if root {
            command.uid(65_534).gid(65_534);
        }
        let Ok(output) = command.output() else {
            eprintln!("skipped: this binary cannot be run as somebody else");
            break;
        };
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("opened Some(ReadOnly"), "{text}");
    }
    for dir in [&empty, &full] {
        set_permissions(dir, Permissions::from_mode(0o755)).unwrap();
    }
    assert!(common::files(&empty).is_empty());
    let opened = Store::open(&empty);
    assert!(!matches!(opened, Err(Error::ReadOnly { .. })));
}
