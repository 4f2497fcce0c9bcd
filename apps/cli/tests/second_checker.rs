//! `docs/formats/check.py`, the checker that shares nothing with Bouton: it accepts what the
//! binary writes, and nothing false. These tests need Python 3.8 or later as `python3`.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bouton_session::algorithms::{Algorithm, JOB_LEVEL};
use bouton_session::certificate::Claim;
use bouton_session::registry::games;
use bouton_session::{Certificate, Request, Verdict, Watch, open};

use common::bouton;

/// Small positions of the games that the second checker serves: wins and losses of several
/// sizes, sums, a game that is over, equal components.
const POSITIONS: &[(&str, &[&str])] = &[
    ("nim", &["3,4,5", "1,2,3", "2,2,1", "5,0,3", "0"]),
    (
        "cram",
        &["1x7", "2x4", "3x3", "3x4", "..#..|....#|.#...", "#"],
    ),
    (
        "konane",
        &[
            "3x3",
            "2x5",
            "4x4",
            "xox.|o.ox|..xo|ox.x w",
            "xoxo|o.ox|x..o|..ox|xoxo w",
        ],
    ),
    (
        "hex",
        &[
            "2x2",
            "3x3",
            "3x4",
            "3x3 a1",
            "..ox|.ox.|.x..|o... w",
            "x.|x. b",
            "x.|x. w",
        ],
    ),
    (
        "sprouts",
        &["2", "3", "1aAa|0*2.A", "0*2+0*2+0.AB|0.AB", "12!", "!"],
    ),
];

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// What the second checker says about each of some files, without the name of the file.
fn second_checker(files: &[PathBuf]) -> Vec<String> {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats/check.py");
    let output = Command::new("python3").arg(program).args(files).output();
    let output = output.expect("python3 runs: install Python 3.8 or later");
    let text = stdout(&output);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(text.lines().count(), files.len(), "{text}{errors}");
    let lines: Vec<_> = text
        .lines()
        .zip(files)
        .map(|(line, file)| {
            let said = line.strip_prefix(&format!("{}: ", file.display()));
            said.unwrap_or_else(|| panic!("{line}")).to_owned()
        })
        .collect();
    let all_verified = lines.iter().all(|line| line.starts_with("verified: "));
    assert_eq!(output.status.success(), all_verified, "{text}{errors}");
    lines
}

/// An empty folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder of ours");
    folder
}

/// The algorithms that the binary lists and a game can use; all can use job-level search.
fn algorithms(impartial: bool) -> Vec<String> {
    let listed = stdout(&bouton(&["algorithms"]));
    let names = listed.lines().filter_map(|line| line.split(' ').next());
    let serves = |name: &&str| {
        if *name == JOB_LEVEL.name {
            return true;
        }
        let algorithm = Algorithm::find(name, "").unwrap_or_else(|error| panic!("{error}"));
        impartial || algorithm.serves_colours()
    };
    let names: Vec<_> = names.filter(serves).map(str::to_owned).collect();
    assert!(names.len() >= 5, "{listed}");
    names
}

/// Every algorithm proves every position of a game, outcome and nimber, to both checkers.
fn check_game(name: &str) {
    let game = games().iter().find(|game| game.name == name);
    let impartial = game.expect("a game").impartial;
    let (_, positions) = POSITIONS
        .iter()
        .find(|(game, _)| *game == name)
        .expect("positions");
    let folder = folder(&format!("second-checker-{name}"));
    let (mut files, mut first) = (Vec::new(), Vec::new());
    for algorithm in algorithms(impartial) {
        for position in *positions {
            for with_nimber in [false, true] {
                if with_nimber && !impartial {
                    continue;
                }
                let path = folder.join(format!("{}.bouton", files.len()));
                let file = path.to_str().expect("text");
                let mut arguments = vec!["solve", name, position, "--quiet"];
                arguments.extend(["--algorithm", &algorithm, "--certificate", file]);
                arguments.extend(with_nimber.then_some("--nimber"));
                let solved = bouton(&arguments);
                assert!(solved.status.success(), "{arguments:?}: {solved:?}");
                let checked = bouton(&["check", file]);
                assert!(checked.status.success(), "{arguments:?}: {checked:?}");
                let said = stdout(&checked);
                first.push(said.lines().next().expect("a line").to_owned());
                files.push(path);
            }
        }
    }
    for (first, second) in first.iter().zip(second_checker(&files)) {
        assert!(first.starts_with("verified: "), "{first}");
        assert!(second.starts_with(first), "{first}, but {second}");
    }
    for claim in ["win for", "loss for", "nimber 0", "nimber 1"] {
        let is_claimed = first.iter().any(|said| said.contains(claim));
        assert_eq!(
            is_claimed,
            impartial || !claim.starts_with("nimber"),
            "{claim}"
        );
    }
}

#[test]
fn both_checkers_accept_nim() {
    check_game("nim");
}

#[test]
fn both_checkers_accept_cram() {
    check_game("cram");
}

#[test]
fn both_checkers_accept_konane() {
    check_game("konane");
}

#[test]
fn both_checkers_accept_hex() {
    check_game("hex");
}

#[test]
fn both_checkers_accept_sprouts() {
    check_game("sprouts");
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// One to three bytes of the body set, inserted, removed or swapped.
fn changed(mut bytes: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    for _ in 0..=dice.below(3) {
        let body = bytes.len() - 32;
        let (at, other) = (dice.below(body), dice.below(body));
        match dice.below(4) {
            0 => bytes[at] = dice.below(256) as u8,
            1 => bytes.insert(at, dice.below(256) as u8),
            2 => drop(bytes.remove(at)),
            _ => bytes.swap(at, other),
        }
    }
    bytes
}

/// Whether `verified: GAME ROOT: CLAIM (...)` is true, by a search.
fn is_true(said: &str) -> bool {
    let said = said.strip_prefix("verified: ").expect("it was verified");
    let (game, rest) = said.split_once(' ').expect("a game");
    let (root, claim) = rest.split_once(": ").expect("a root");
    let (claim, _) = claim.split_once(" (").expect("a claim");
    let mut session = open(game, root).unwrap_or_else(|error| panic!("{error}"));
    let nimber = claim.strip_prefix("nimber ");
    let request = Request {
        nimber: nimber.is_some(),
        ..Request::default()
    };
    let mut go_on = |_: &_| Ok(());
    let answer = session.solve(&request, &mut Watch::new(&mut go_on));
    let answer = answer.expect("an answer");
    match (nimber, answer.outcome) {
        (Some(nimber), _) => answer.nimber.expect("a nimber").to_string() == nimber,
        (None, Verdict::Loss) => claim == Claim::Loss.to_string(),
        (None, Verdict::Win) => claim == Claim::Win.to_string(),
        (None, _) => false,
    }
}

/// Several hundred changed files of each game.
#[test]
fn a_changed_certificate_proves_nothing_false_to_the_second_checker() {
    let folder = folder("second-checker-changed");
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut files = Vec::new();
    for (game, position) in [
        ("nim", "3,4,6"),
        ("cram", "3x4"),
        ("konane", "4x4"),
        ("hex", "3x4"),
        ("sprouts", "4"),
    ] {
        let path = folder.join(game);
        let file = path.to_str().expect("text");
        let solved = bouton(&["solve", game, position, "--quiet", "--certificate", file]);
        assert!(solved.status.success(), "{solved:?}");
        assert!(Certificate::open(&path).expect("a certificate").couples() > 2);
        let bytes = fs::read(&path).expect("it was written");
        for number in 0..300 {
            let path = folder.join(format!("{game}-{number}"));
            fs::write(&path, changed(bytes.clone(), &mut dice)).expect("a folder of ours");
            files.push(path);
        }
    }
    let said = second_checker(&files);
    let (accepted, refused): (Vec<_>, Vec<_>) =
        said.iter().partition(|said| said.starts_with("verified: "));
    for said in &accepted {
        assert!(is_true(said), "{said}");
    }
    assert!(
        refused
            .iter()
            .all(|said| said.starts_with("not verified: "))
    );
    assert!(refused.len() > 5 * accepted.len(), "{}", accepted.len());
}

/// A certificate of Nim, written by hand: the root, its nimber, couples of heaps and nimbers.
fn by_hand(root: &str, nimber: u32, couples: &[(u8, u32)]) -> Vec<u8> {
    let couples: Vec<_> = couples
        .iter()
        .map(|&(heap, n)| (vec![0, heap], n))
        .collect();
    certificate("nim", root, nimber, &couples)
}

/// A certificate with the nimber of a root, and a block of couples: packed positions and nimbers.
fn certificate(game: &str, root: &str, nimber: u32, couples: &[(Vec<u8>, u32)]) -> Vec<u8> {
    let mut bytes = b"BOUTONC\x01".to_vec();
    bytes.push(game.len() as u8);
    bytes.extend(game.as_bytes());
    bytes.push(root.len() as u8);
    bytes.extend(root.as_bytes());
    let blocks = couples.len().min(1) as u8;
    bytes.push(2);
    bytes.extend(varint(nimber));
    bytes.extend([couples.len() as u8, blocks]);
    if blocks > 0 {
        bytes.push(couples.len() as u8);
    }
    for (position, nimber) in couples {
        bytes.extend([0, position.len() as u8]);
        bytes.extend(position);
        bytes.extend(varint(*nimber));
    }
    bytes.extend([0; 32]);
    bytes
}

fn varint(mut number: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// One file for each way in which a couple or a claim can be wrong.
#[test]
fn the_second_checker_sees_through_lies() {
    let folder = folder("second-checker-lies");
    let no_option = "not verified: couple 0001 + *2: no answer to *1";
    let no_more_options = "not verified: couple 0001 + *4294967295: no answer to *1";
    let cases = [
        (
            "1,2",
            3,
            vec![(1, 1), (2, 2)],
            "verified: nim 1,2: nimber 3",
        ),
        // Equal components do not cancel: each of them has to be in the set.
        ("2,2", 0, vec![], "not verified: the claim does not follow"),
        (
            "1",
            0,
            vec![(1, 1)],
            "not verified: the claim does not follow",
        ),
        // A move to the very nimber; a move without an answer; a heap without one.
        (
            "1",
            0,
            vec![(1, 0)],
            "not verified: couple 0001 + *0: no answer to ()",
        ),
        (
            "2",
            1,
            vec![(2, 1)],
            "not verified: couple 0002 + *1: no answer to (1,)",
        ),
        ("1", 2, vec![(1, 2)], no_option),
        // The first heap without an answer ends it, however many there are.
        ("1", u32::MAX, vec![(1, u32::MAX)], no_more_options),
    ];
    let files = cases
        .iter()
        .enumerate()
        .map(|(index, (root, nimber, couples, _))| {
            let path = folder.join(index.to_string());
            fs::write(&path, by_hand(root, *nimber, couples)).expect("a folder of ours");
            path
        });
    let said = second_checker(&files.collect::<Vec<_>>());
    for ((root, .., expected), said) in cases.iter().zip(said) {
        assert!(said.starts_with(expected), "{root}: {said}");
    }
}

/// A number alone is that many spots to Bouton, and digits of a boundary are vertices: what is true of
/// one is no proof for the other. And what a terminal would obey is no root.
#[test]
fn a_root_that_could_be_misread_is_refused() {
    let folder = folder("second-checker-roots");
    let cases = [
        ("1!", true),
        ("1", false),
        ("0*1", false),
        ("1!\u{1b}[2K", false),
    ];
    let mut files = Vec::new();
    for (index, (root, _)) in cases.iter().enumerate() {
        let path = folder.join(index.to_string());
        let mut bytes = certificate("sprouts", root, 1, &[(vec![1], 1)]);
        let body = bytes.len() - 32;
        let seal = blake3::hash(&bytes[..body]);
        bytes[body..].copy_from_slice(seal.as_bytes());
        fs::write(&path, bytes).expect("a folder of ours");
        files.push(path);
    }
    let second = second_checker(&files);
    for (((root, is_true), file), second) in cases.iter().zip(&files).zip(second) {
        let first = bouton(&["check", file.to_str().expect("text")]);
        assert_eq!(first.status.success(), *is_true, "{root}: {first:?}");
        assert_eq!(
            second.starts_with("verified: "),
            *is_true,
            "{root}: {second}"
        );
    }
}
