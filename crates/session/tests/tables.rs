//! Strong solutions against searches, positions one by one, and the tables of the thesis.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bouton_game::indexed::{Index, Indexed, Place, Row, get};
use bouton_game::{Game, Notation, Outcome};
use bouton_games::chomp::Chomp;
use bouton_games::konane::Konane;
use bouton_retrograde::table::Cover;
use bouton_retrograde::{Plan, Table};
use bouton_search::exhaustive;
use bouton_search::guide::Leaves;
use bouton_search::solver::{Replacement, Setup, Solver, Without};
use bouton_session::tables::{self, Built, Extent, Verified};
use bouton_session::{
    Answer, Certificate, Extent as CertificateExtent, Request, Stop, Watch, reproduce,
};

/// A directory of its own that goes when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let name = format!("bouton-tables-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }

    fn plan(&self) -> Plan {
        Plan {
            directory: self.0.join("table"),
            threads: 2,
            memory: 1 << 30,
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn build(game: &str, size: &str, plan: &Plan) -> Built {
    let mut go_on = |_: &_| Ok(());
    let built = tables::build(game, size, plan, &mut Watch::new(&mut go_on));
    let built = built.unwrap_or_else(|error| panic!("{game} {size}: {error}"));
    assert_eq!(built.reason, None);
    built
}

/// All places of an index that hold a position, with the position.
fn places<I: Index>(index: &mut I) -> Vec<(Place, <I::Game as Game>::Position)> {
    let mut found = Vec::new();
    for level in 0..index.levels().len() {
        for row in 0..index.levels()[level].rows {
            let row = Row { level, row };
            let mut mask = vec![0; index.levels()[level].words()];
            index.positions(row, &mut mask);
            for bit in 0..index.levels()[level].bits {
                let place = Place { row, bit };
                let position = index.position(place);
                assert_eq!(get(&mask, bit), position.is_some(), "{place:?}");
                found.extend(position.map(|position| (place, position)));
            }
        }
    }
    found
}

/// Every position of a board has the value that trying everything gives it, and a place of its
/// own.
fn check_against_exhaustive<G: Indexed + Notation>(size: &str) {
    let scratch = Scratch::new(&format!("{}-{size}", G::NAME));
    let plan = scratch.plan();
    build(G::NAME, size, &plan);
    let (mut game, root) = G::open(size).unwrap_or_else(|error| panic!("{error}"));
    let mut index = game.index(&root).expect("a small board");
    let cover = Cover::read(&plan.directory).expect("a table");
    let mut table = Table::open(&plan.directory, cover, index.clone()).expect("a table");
    let setup = Setup {
        threads: 1,
        memory: 1 << 30,
        without: Without::default(),
        leaves: Leaves::default(),
        replacement: Replacement::default(),
    };
    let mut solver = exhaustive::Outcomes::<G, bouton_game::Unguided>::new(&setup);
    let mut go_on = |_: &_| Ok(());
    let mut watch = Watch::new(&mut go_on);
    let (mut wins, mut all) = (0, 0);
    for (place, position) in places(&mut index) {
        assert_eq!(index.place(&position), Some(place), "{position:?}");
        let canonical = game.canonical(&position);
        assert_eq!(index.place(&canonical), Some(place), "{position:?}");
        let outcome = solver.outcome(&mut game, &canonical, &mut watch);
        let found = table.outcome_at(place).expect("a table");
        assert_eq!(Ok(found), outcome, "{}", game.write(&position));
        wins += usize::from(found == Outcome::Win);
        all += 1;
    }
    assert!(all > 0 && wins < all, "{size}: {wins} of {all}");
}

#[test]
fn konane_as_trying_everything_has_it() {
    for size in [
        "1x1", "1x2", "2x1", "1x5", "1x8", "2x2", "3x2", "2x5", "3x3", "4x3", "3x4", "4x4", "3x5",
        "5x3", "7x2", "4x5",
    ] {
        check_against_exhaustive::<Konane>(size);
    }
}

#[test]
fn chomp_as_trying_everything_has_it() {
    for size in ["1x1", "2x3", "5x1", "4x4", "5x4", "4x6", "7x7"] {
        check_against_exhaustive::<Chomp>(size);
    }
}

/// Counts by ply are those of a census, which visits positions one by one.
#[test]
fn counts_are_those_of_a_census() {
    for (game, size) in [
        ("konane", "1x1"),
        ("konane", "1x7"),
        ("konane", "2x6"),
        ("konane", "3x3"),
        ("konane", "3x6"),
        ("konane", "4x5"),
        ("konane", "7x3"),
        ("chomp", "5x4"),
        ("chomp", "1x1"),
    ] {
        let scratch = Scratch::new(&format!("census-{game}-{size}"));
        let built = build(game, size, &scratch.plan());
        let mut session = bouton_session::open(game, size).expect("a board");
        let mut go_on = |_: &_| Ok(());
        let mut watch = Watch::new(&mut go_on);
        let identity = bouton_session::Identity::Canonical;
        let (plies, result) = session.census(identity, None, 1 << 30, &mut watch);
        assert_eq!(result, Ok(()));
        let expected = plies.iter().map(|ply| (ply.positions, ply.terminals));
        let found = built.plies.iter().map(|ply| (ply.positions, ply.terminals));
        assert!(found.eq(expected), "{game} {size}: {:?}", built.plies);
    }
}

/// Tables A.1 to A.5 of the thesis, all columns; `reproduce` has the two larger ones.
#[test]
fn konane_state_spaces_with_their_winners() {
    for (name, plies) in [("a1", 6), ("a2", 12), ("a3", 16), ("a4", 19), ("a5", 23)] {
        let name = format!("konane-{name}");
        let mut go_on = |_: &_| Ok(());
        let mut watch = Watch::new(&mut go_on);
        let options = reproduce::Options::default();
        let table = reproduce::run(&name, &options, &mut watch).expect("a table");
        assert_eq!(table.rows.len(), plies + 1, "{name}");
        assert_eq!(table.cells().count(), 4 * (plies + 1), "{name}");
        for (row, column, cell) in table.cells() {
            assert_eq!(
                cell.difference,
                Some(0.0),
                "{name} {} {}",
                row.name,
                column.name
            );
        }
    }
}

/// All files of a finished table, with their bytes.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        (name, std::fs::read(&path).expect("a file"))
    };
    entries.map(file).collect()
}

/// A run that is stopped again and again ends with the same files as one that is not.
#[test]
fn a_stopped_build_goes_on_where_it_was() {
    let scratch = Scratch::new("stopped");
    let whole = scratch.plan();
    let built = build("konane", "4x4", &whole);
    for patience in [1, 2, 5, 17] {
        let plan = Plan {
            directory: scratch.0.join(format!("stopped-{patience}")),
            threads: 1,
            ..whole.clone()
        };
        let mut runs = 0;
        let last = loop {
            let mut looks = 0;
            let mut look = |_: &_| {
                looks += 1;
                match looks > patience {
                    true => Err(Stop::Interrupted),
                    false => Ok(()),
                }
            };
            let run = tables::build("konane", "4x4", &plan, &mut Watch::new(&mut look));
            let run = run.unwrap_or_else(|error| panic!("{error}"));
            runs += 1;
            assert!(runs < 1000, "it never ends");
            if run.reason.is_none() {
                break run;
            }
        };
        assert!(runs > 1, "it was never stopped");
        assert_eq!(last.plies, built.plies);
        assert_eq!(files(&plan.directory), files(&whole.directory));
    }
}

/// With as little memory as it takes, sheets go to disk and come back, and nothing changes.
#[test]
fn what_does_not_fit_into_memory_goes_to_disk() {
    let scratch = Scratch::new("memory");
    let plan = scratch.plan();
    let built = build("konane", "5x4", &plan);
    let (mut refused, mut spilled) = (0, 0);
    for kibibytes in [1, 40, 80, 160] {
        let plan = Plan {
            directory: scratch.0.join(format!("memory-{kibibytes}")),
            threads: 2,
            memory: kibibytes << 10,
        };
        let mut seen = false;
        let directory = plan.directory.clone();
        let mut look = |_: &_| {
            let own = format!("count-{}.unfinished", std::process::id());
            let entries = std::fs::read_dir(directory.join(own));
            seen |= entries.is_ok_and(|mut entries| entries.next().is_some());
            Ok(())
        };
        match tables::build("konane", "5x4", &plan, &mut Watch::new(&mut look)) {
            Ok(less) => {
                assert_eq!(less.plies, built.plies);
                spilled += usize::from(seen);
            }
            Err(error) => {
                assert_eq!(error.limit(), Some(Stop::Memory), "{error}");
                refused += 1;
            }
        }
    }
    assert!(
        refused > 0 && spilled > 0,
        "{refused} refused, {spilled} spilled"
    );
}

fn extent(scratch: &Scratch) -> Extent {
    Extent {
        positions: 2_000,
        searches: 20,
        counts: true,
        seed: 1,
        threads: 2,
        memory: 1 << 28,
        scratch: scratch.0.join("verify"),
    }
}

fn verify(plan: &Plan, extent: &Extent) -> Result<Verified, tables::Error> {
    let mut go_on = |_: &_| Ok(());
    tables::open(&plan.directory)?.verify(extent, &mut Watch::new(&mut go_on))
}

#[test]
fn a_table_is_verified_and_a_changed_one_is_not() {
    let scratch = Scratch::new("verified");
    let plan = scratch.plan();
    build("konane", "4x3", &plan);
    let extent = extent(&scratch);
    let verified = verify(&plan, &extent).unwrap_or_else(|error| panic!("{error}"));
    assert!(verified.counts && verified.reason.is_none());
    assert_eq!((verified.positions, verified.searches), (2_000, 20));

    for (name, bytes) in files(&plan.directory) {
        let path = plan.directory.join(&name);
        for place in [0, 7, 9, 40, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            std::fs::write(&path, &changed).expect("a file");
            let error = verify(&plan, &extent).expect_err("a changed file");
            assert!(
                !error.is_usage() && error.to_string().contains(&name),
                "{error}"
            );
        }
        std::fs::write(&path, &bytes[..bytes.len() - 1]).expect("a file");
        verify(&plan, &extent).expect_err("a torn file");
        std::fs::write(&path, &bytes).expect("a file");
    }
    verify(&plan, &extent).unwrap_or_else(|error| panic!("{error}"));
}

/// Whoever forges a value and all checksums that depend on it is found out by the rules.
#[test]
fn a_forged_value_is_found() {
    let scratch = Scratch::new("forged");
    let plan = scratch.plan();
    build("konane", "3x3", &plan);
    let hash = |bytes: &[u8]| *blake3::hash(bytes).as_bytes();
    // White to move, three of five black stones: one block, behind a head of 128 bytes.
    let level = 2 + 2 * 2 + 1;
    let path = plan.directory.join(format!("level-{level:03}.values"));
    let mut bytes = std::fs::read(&path).expect("a level");
    let old: [u8; 32] = bytes[96..128].try_into().expect("a seal");
    bytes[128..].iter_mut().for_each(|byte| *byte ^= 0xff);
    let block = hash(&bytes[128..]);
    bytes[64..96].copy_from_slice(&block);
    let seal = hash(&bytes[..96]);
    bytes[96..128].copy_from_slice(&seal);
    std::fs::write(&path, bytes).expect("a file");
    let path = plan.directory.join("table.bouton");
    let mut cover = std::fs::read(&path).expect("a cover");
    let place = cover
        .windows(32)
        .position(|bytes| bytes == old)
        .expect("the seal");
    cover[place..place + 32].copy_from_slice(&seal);
    let end = cover.len() - 32;
    let seal = hash(&cover[..end]);
    cover[end..].copy_from_slice(&seal);
    std::fs::write(&path, cover).expect("a file");
    let error = verify(&plan, &extent(&scratch)).expect_err("a forged table");
    assert!(matches!(error, tables::Error::Wrong(_)), "{error}");
}

#[test]
fn a_directory_of_something_else_is_left_alone() {
    let scratch = Scratch::new("foreign");
    let plan = scratch.plan();
    build("konane", "3x3", &plan);
    let before = files(&plan.directory);
    let try_to = |plan: &Plan| {
        let mut go_on = |_: &_| Ok(());
        let error = tables::build("konane", "3x4", plan, &mut Watch::new(&mut go_on));
        error.expect_err("another table").to_string()
    };
    assert!(try_to(&plan).contains("another table"), "{}", try_to(&plan));
    assert_eq!(files(&plan.directory), before);

    // Without its cover it is a table that is not finished, but still another one.
    std::fs::remove_file(plan.directory.join("table.bouton")).expect("a cover");
    assert!(try_to(&plan).contains("another table"), "{}", try_to(&plan));
    let error = tables::open(&plan.directory).err().expect("no table");
    assert!(error.to_string().contains("no finished table"), "{error}");

    std::fs::write(plan.directory.join("table.bouton"), "my notes").expect("a file");
    assert!(
        try_to(&plan).contains("not a file of a table"),
        "{}",
        try_to(&plan)
    );
    std::fs::write(plan.directory.join("table.bouton"), b"BOUTONT\x09...").expect("a file");
    assert!(
        try_to(&plan).contains("format version 9"),
        "{}",
        try_to(&plan)
    );
}

#[test]
fn a_table_names_all_winning_moves() {
    let scratch = Scratch::new("moves");
    let plan = scratch.plan();
    build("konane", "4x4", &plan);
    let mut table = tables::open(&plan.directory).expect("a table");
    for after in ["", "a1", "a1 b1", "b2 b1", "a1 b1 a3-a1"] {
        let found = table
            .probe("4x4", after)
            .unwrap_or_else(|error| panic!("{error}"));
        let mut session = bouton_session::open("konane", "4x4").expect("a board");
        session.play(after).expect("legal moves");
        let request = Request {
            all_moves: true,
            ..Request::default()
        };
        let mut go_on = |_: &_| Ok(());
        let answer = session.solve(&request, &mut Watch::new(&mut go_on));
        let answer = answer.expect("an answer");
        assert_eq!(found.outcome, answer.outcome, "{after}");
        assert_eq!(found.winning_moves, answer.winning_moves, "{after}");
        assert_eq!(found.position, session.position());
    }
    let error = table.probe("4x5", "").expect_err("another board");
    assert!(error.is_usage(), "{error}");
    let error = table.probe("nonsense", "").expect_err("no position");
    assert!(error.is_usage(), "{error}");
}

fn solve(game: &str, position: &str, request: &Request) -> Answer {
    let mut session = bouton_session::open(game, position).expect("a position");
    let mut go_on = |_: &_| Ok(());
    let answer = session.solve(request, &mut Watch::new(&mut go_on));
    answer.unwrap_or_else(|error| panic!("{game} {position}: {error}"))
}

/// Every algorithm asks the table, and a proof can be made with its help.
#[test]
fn a_search_asks_the_table() {
    let scratch = Scratch::new("asked");
    let plan = scratch.plan();
    build("konane", "5x4", &plan);
    for algorithm in ["exhaustive", "dfpn", "pns", "pn2", "alpha-beta"] {
        let mut request = Request {
            algorithm: algorithm.to_owned(),
            all_moves: true,
            ..Request::default()
        };
        let alone = solve("konane", "5x4", &request);
        request.table = Some(plan.directory.clone());
        let asked = solve("konane", "5x4", &request);
        assert_eq!(asked.outcome, alone.outcome);
        assert_eq!(asked.winning_moves, alone.winning_moves);
        assert!(asked.counts.expansions <= 1);
        request.certificate = true;
        let asked = solve("konane", "5x4", &request);
        let mut file = Vec::new();
        let proof = asked.proof.expect("it was asked for");
        proof.write(&mut file).expect("memory can be written to");
        let certificate = Certificate::read(std::io::Cursor::new(file)).expect("a certificate");
        bouton_session::check(&certificate, CertificateExtent::All, &mut |_| Ok(()))
            .unwrap_or_else(|error| panic!("{algorithm}: {error}"));
    }
}

/// Bars of Chomp are the same on all boards: a table of a small one has the ends of large ones.
#[test]
fn a_table_is_a_database_of_endgames() {
    let scratch = Scratch::new("endgames");
    let plan = scratch.plan();
    build("chomp", "5x5", &plan);
    let mut request = Request {
        algorithm: "exhaustive".to_owned(),
        ..Request::default()
    };
    let alone = solve("chomp", "6x7", &request);
    request.table = Some(plan.directory.clone());
    let asked = solve("chomp", "6x7", &request);
    assert_eq!(asked.outcome, alone.outcome);
    assert_eq!(asked.winning_moves, alone.winning_moves);
    assert!(asked.counts.expansions < alone.counts.expansions);
}

#[test]
fn a_table_of_another_board_is_refused() {
    let scratch = Scratch::new("refused");
    let plan = scratch.plan();
    build("konane", "4x4", &plan);
    let request = Request {
        table: Some(plan.directory.clone()),
        ..Request::default()
    };
    for (game, position) in [("konane", "4x5"), ("chomp", "3x3")] {
        let mut session = bouton_session::open(game, position).expect("a position");
        let mut go_on = |_: &_| Ok(());
        let error = session.solve(&request, &mut Watch::new(&mut go_on));
        let error = error.expect_err("another board").to_string();
        assert!(error.contains("the table is about konane"), "{error}");
    }
}
