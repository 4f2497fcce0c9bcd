//! Known values, from the data files in `reference/` (its README names the sources).

use bouton_session::algorithms::Algorithm;
use bouton_session::{Answer, Identity, Player, Request, Session, Stop, Verdict, Watch, open};
use serde::Deserialize;

fn read<T: for<'de> Deserialize<'de>>(json: &'static str) -> T {
    serde_json::from_str(json).expect("a data file of ours")
}

fn opened(game: &str, position: &str) -> Box<dyn Session> {
    open(game, position).unwrap_or_else(|error| panic!("{error}"))
}

fn ask(game: &str, position: &str, request: &Request) -> Answer {
    let mut go_on = |_: &_| Ok(());
    let answer = opened(game, position).solve(request, &mut Watch::new(&mut go_on));
    answer.unwrap_or_else(|error| panic!("{error}"))
}

fn solve(game: &str, position: &str, request: &Request) -> Answer {
    let answer = ask(game, position, request);
    assert_eq!(answer.reason, None, "{game} {position}");
    answer
}

fn check_nimber(game: &str, position: &str, nimber: u32) {
    let request = Request {
        nimber: true,
        ..Request::default()
    };
    let answer = solve(game, position, &request);
    assert_eq!(answer.nimber, Some(nimber), "{game} {position}");
    // The outcome alone is another search.
    let outcome = solve(game, position, &Request::default()).outcome;
    assert_eq!(outcome == Verdict::Win, nimber > 0, "{game} {position}");
}

fn all_moves(game: &str, position: &str) -> Answer {
    let request = Request {
        all_moves: true,
        ..Request::default()
    };
    solve(game, position, &request)
}

fn sorted(mut moves: Vec<String>) -> Vec<String> {
    moves.sort_unstable();
    moves
}

#[derive(Deserialize)]
struct Known {
    game: String,
    instance: String,
    nimber: u32,
    winning_moves_row_col_0based: Option<Vec<(usize, usize)>>,
}

fn known(games: &[&str]) -> Vec<Known> {
    let all: Vec<Known> = read(include_str!("reference/impartial.json"));
    let wanted = |known: &Known| games.contains(&known.game.as_str());
    all.into_iter().filter(wanted).collect()
}

#[test]
fn heap_games() {
    let mut checked = 0;
    for known in known(&[
        "kayles(.77)",
        "dawson_kayles(.07)=cram 1xn",
        "grundy_game",
        "nim",
    ]) {
        let name = match known.game.as_bytes()[0] {
            b'k' => "kayles",
            b'd' => "dawson",
            b'g' => "grundy",
            _ => "nim",
        };
        let heaps = known.instance.trim_start_matches("n=");
        check_nimber(name, heaps, known.nimber);
        checked += 1;
    }
    assert_eq!(checked, 69 + 70 + 64 + 2);
}

#[test]
fn dawsons_kayles_is_cram_on_one_row() {
    for known in known(&["dawson_kayles(.07)=cram 1xn"]) {
        let n = known.instance.trim_start_matches("n=");
        if n != "0" {
            check_nimber("cram", &format!("1x{n}"), known.nimber);
        }
    }
}

/// The data file counts rows x columns, our sizes of Chomp columns x rows.
#[test]
fn chomp() {
    for known in known(&["chomp(poison cell removed)"]) {
        let (rows, columns) = known.instance.split_once('x').expect("a size");
        let size = format!("{columns}x{rows}");
        check_nimber("chomp", &size, known.nimber);
        let cells = known.winning_moves_row_col_0based.expect("winning moves");
        let letter = |column: usize| char::from(b'a' + column as u8);
        let moves = cells
            .iter()
            .map(|&(row, column)| format!("{}{}", letter(column), row + 1));
        let answer = all_moves("chomp", &size);
        assert_eq!(
            sorted(answer.winning_moves),
            sorted(moves.collect()),
            "chomp {size}"
        );
    }
}

/// Boards to 36 cells, both ways round.
#[test]
fn cram() {
    let mut checked = 0;
    for known in known(&["cram"]) {
        let (rows, columns) = known.instance.split_once('x').expect("a size");
        let sides: (u32, u32) = (
            rows.parse().expect("rows"),
            columns.parse().expect("columns"),
        );
        if sides.0 * sides.1 <= 36 {
            check_nimber("cram", &known.instance, known.nimber);
            check_nimber("cram", &format!("{columns}x{rows}"), known.nimber);
            checked += 1;
        }
    }
    assert_eq!(checked, 22);
}

fn check_nimber_by(algorithm: &str, game: &str, position: &str, nimber: u32) {
    let request = Request {
        algorithm: algorithm.to_owned(),
        nimber: true,
        ..Request::default()
    };
    let answer = solve(game, position, &request);
    assert_eq!(
        answer.nimber,
        Some(nimber),
        "{algorithm}: {game} {position}"
    );
}

/// Small boards by every algorithm of the family.
#[test]
fn small_boards_by_every_algorithm() {
    for algorithm in Algorithm::ALL {
        for (columns, nimber) in (3..=6).zip([0, 1, 1, 4]) {
            check_nimber_by(algorithm.name, "cram", &format!("3x{columns}"), nimber);
        }
        for (size, nimber) in [("4x4", 0), ("4x5", 2)] {
            check_nimber_by(algorithm.name, "cram", size, nimber);
        }
        for (size, nimber) in [("6x4", 16), ("5x5", 6), ("3x3", 5)] {
            check_nimber_by(algorithm.name, "chomp", size, nimber);
        }
        check_nimber_by(algorithm.name, "sprouts", "4", 1);
    }
}

/// Larger boards by the best of the family; values from the literature and an independent
/// program.
#[test]
fn cram_by_the_best_algorithms() {
    for algorithm in ["lv-x", "cut-ceax", "cut-cea"] {
        for (columns, nimber) in (7..=12).zip([1, 3, 1, 2, 0, 1]) {
            check_nimber_by(algorithm, "cram", &format!("3x{columns}"), nimber);
        }
        for (size, nimber) in [("4x6", 0), ("4x7", 3), ("4x8", 0), ("5x5", 0), ("5x6", 2)] {
            check_nimber_by(algorithm, "cram", size, nimber);
        }
    }
    check_nimber_by("lv-x", "cram", "4x9", 1);
    check_nimber_by("lv-x", "cram", "5x7", 1);
}

/// A table too small for the search forgets, and the answer stays.
#[test]
fn small_tables_change_no_answer() {
    for algorithm in Algorithm::ALL
        .iter()
        .filter(|algorithm| algorithm.forgets())
    {
        for memory in [1, 4_096, 65_536] {
            let answer = solve("cram", "3x6", &nimber_within(memory, algorithm));
            assert_eq!(answer.nimber, Some(4), "{} {memory}", algorithm.name);
        }
    }
}

/// What may not forget says so when its memory is full.
#[test]
fn full_memory_gives_no_wrong_answer() {
    for algorithm in Algorithm::ALL
        .iter()
        .filter(|algorithm| !algorithm.forgets())
    {
        let (mut found, mut stopped) = (0, 0);
        for memory in [1, 4_096, 65_536, 1 << 20, 1 << 24] {
            let answer = ask("cram", "3x6", &nimber_within(memory, algorithm));
            match (answer.nimber, answer.reason) {
                (Some(4), None) => found += 1,
                (None, Some(Stop::Memory)) => stopped += 1,
                other => panic!("{} {memory}: {other:?}", algorithm.name),
            }
        }
        assert!(found > 0 && stopped > 0, "{}", algorithm.name);
    }
}

fn nimber_within(memory: usize, algorithm: &Algorithm) -> Request {
    Request {
        algorithm: algorithm.name.to_owned(),
        nimber: true,
        memory,
        ..Request::default()
    }
}

/// The nodes of the game tree are the lines of play.
#[test]
fn cram_without_a_table() {
    let mut go_on = |_: &_| Ok(());
    let (lines, _) = opened("cram", "4x4").perft(None, &mut Watch::new(&mut go_on));
    assert_eq!(lines.iter().sum::<u64>(), 6_257_129);
}

fn count_raw(game: &str, position: &str) -> u64 {
    let mut go_on = |_: &_| Ok(());
    let mut watch = Watch::new(&mut go_on);
    let census = opened(game, position).census(Identity::Raw, None, 1 << 30, &mut watch);
    census.0.iter().map(|ply| ply.positions).sum()
}

#[test]
fn distinct_positions_of_the_paper() {
    assert_eq!(count_raw("nim", "9,8,5"), 540);
    assert_eq!(count_raw("nim", "9,7,7"), 640);
    assert_eq!(count_raw("chomp", "6x4"), 209);
    assert_eq!(count_raw("cram", "5x4"), 58_830);
    assert_eq!(count_raw("cram", "6x4"), 607_752);
}

#[derive(Deserialize)]
struct SproutsData {
    positions: Vec<SproutsPosition>,
}

#[derive(Deserialize)]
struct SproutsPosition {
    position: String,
    grundy: u32,
    children: usize,
}

#[test]
fn sprouts() {
    let data: SproutsData = read(include_str!("reference/sprouts.json"));
    for known in &data.positions {
        let children = opened("sprouts", &known.position).children();
        assert_eq!(
            children.expect("few").len(),
            known.children,
            "{}",
            known.position
        );
        check_nimber("sprouts", &known.position, known.grundy);
    }
}

/// Applegate, Jacobson and Sleator 1991; the nimbers after Lemoine and Viennot 2015.
#[test]
fn sprouts_from_spots() {
    for (spots, nimber) in [0, 0, 1, 1, 1, 0, 0, 0].into_iter().enumerate() {
        check_nimber("sprouts", &(spots + 1).to_string(), nimber);
    }
}

#[derive(Deserialize)]
struct KonaneData {
    positions: Vec<KonanePosition>,
}

#[derive(Deserialize)]
struct KonanePosition {
    rows: usize,
    cols: usize,
    board: String,
    to_move: String,
    winner: String,
    legal_moves: usize,
    winning_moves: Vec<String>,
    line: String,
}

fn player(name: &str) -> Player {
    match name {
        "black" => Player::Black,
        "white" => Player::White,
        other => panic!("no player is called {other}"),
    }
}

fn check_winner(answer: &Answer, winner: &str) {
    let found = answer.winner.flatten().expect("a winner").0;
    assert_eq!(found, player(winner), "{} {}", answer.game, answer.position);
}

#[test]
fn konane_positions() {
    let data: KonaneData = read(include_str!("reference/konane.json"));
    for known in data.positions {
        let position = format!("{} {}", known.board, player(&known.to_move).letter());
        let answer = all_moves("konane", &position);
        check_winner(&answer, &known.winner);
        let moves = answer.moves.expect("all moves");
        assert_eq!(moves.len(), known.legal_moves, "{position}");
        assert_eq!(
            sorted(answer.winning_moves),
            sorted(known.winning_moves),
            "{position}"
        );

        let mut played = opened("konane", &format!("{}x{}", known.rows, known.cols));
        played
            .play(&known.line)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(played.position(), opened("konane", &position).position());
    }
}

#[derive(Deserialize)]
struct KonaneTables {
    census: Vec<StateSpace>,
    perft_8x8: Vec<u64>,
    unique_states: Vec<UniqueStates>,
}

#[derive(Deserialize)]
struct StateSpace {
    table: String,
    board: String,
    positions: Vec<u64>,
    terminals: Vec<u64>,
}

#[derive(Deserialize)]
struct UniqueStates {
    board: String,
    canonical: Vec<u64>,
    raw: Vec<u64>,
}

fn konane_tables() -> KonaneTables {
    read(include_str!("reference/konane-tables.json"))
}

fn census(board: &str, identity: Identity, depth: Option<usize>) -> Vec<bouton_session::Ply> {
    let mut go_on = |_: &_| Ok(());
    let mut watch = Watch::new(&mut go_on);
    let (plies, result) = opened("konane", board).census(identity, depth, 1 << 32, &mut watch);
    assert_eq!(result, Ok(()));
    plies
}

/// Tables A.1 to A.5 whole; of 6x5 and 6x6 the first plies.
#[test]
fn konane_state_spaces() {
    for table in konane_tables().census {
        let depth = match table.board.as_str() {
            "6x5" => Some(11),
            "6x6" => Some(10),
            _ => None,
        };
        let plies = census(&table.board, Identity::Canonical, depth);
        let shown = depth.map_or(table.positions.len(), |depth| depth + 1);
        let positions: Vec<_> = plies.iter().map(|ply| ply.positions).collect();
        let terminals: Vec<_> = plies.iter().map(|ply| ply.terminals).collect();
        assert_eq!(positions, table.positions[..shown], "table {}", table.table);
        assert_eq!(terminals, table.terminals[..shown], "table {}", table.table);
    }
}

#[test]
fn konane_unique_states() {
    const DEPTH: usize = 8;
    for row in konane_tables().unique_states {
        for (identity, expected) in [
            (Identity::Canonical, &row.canonical),
            (Identity::Raw, &row.raw),
        ] {
            let plies = census(&row.board, identity, Some(DEPTH));
            let mut found: Vec<_> = plies.iter().skip(1).map(|ply| ply.positions).collect();
            found.resize(DEPTH, 0); // The thesis prints 0 where the game is over.
            assert_eq!(found, expected[..DEPTH], "{} {identity:?}", row.board);
        }
    }
}

#[test]
fn konane_perft() {
    let mut go_on = |_: &_| Ok(());
    let (lines, _) = opened("konane", "8x8").perft(Some(9), &mut Watch::new(&mut go_on));
    assert_eq!(lines[1..], konane_tables().perft_8x8[..9]);
}

/// Figure 4.3: Black wins on few boards. 6x7, 7x6 (White) and 7x7 (Black) take seconds and are
/// left to `make bench`.
#[test]
fn konane_small_boards() {
    let boards = (1..=7).flat_map(|rows| (1..=7).map(move |columns| (rows, columns)));
    for (rows, columns) in boards.filter(|(rows, columns)| rows * columns < 42) {
        let answer = solve("konane", &format!("{rows}x{columns}"), &Request::default());
        let black = [(1, 1), (1, 5), (5, 5), (5, 7)];
        let black = black.contains(&(rows.min(columns), rows.max(columns)));
        check_winner(&answer, if black { "black" } else { "white" });
    }
}

#[derive(Deserialize)]
struct HexOpenings {
    winner_of_opening:
        std::collections::BTreeMap<String, std::collections::BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct HexPositions {
    positions: Vec<HexPosition>,
}

#[derive(Deserialize)]
struct HexPosition {
    size: usize,
    play: Vec<(String, String)>,
    to_move: String,
    winner: String,
}

/// All are read and written; those of 8x8 and larger, which take up to half a minute each, are
/// solved by `bench/hex`.
#[test]
fn hex_positions_are_read_written_and_solved() {
    let data: HexPositions = read(include_str!("reference/hex-positions.json"));
    for known in data.positions {
        let mut rows = vec![vec!['.'; known.size]; known.size];
        for (colour, cell) in &known.play {
            let (column, row) = cell.split_at(1);
            let column = usize::from(column.as_bytes()[0] - b'a');
            let row: usize = row.parse().expect("a row");
            rows[row - 1][column] = if colour == "b" { 'x' } else { 'o' };
        }
        let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        let text = format!("{} {}", rows.join("|"), player(&known.to_move).letter());
        let mut session = opened("hex", &text);
        assert_eq!(session.position(), text);
        if known.size <= 7 {
            let answer = session.solve(&Request::default(), &mut Watch::new(&mut |_| Ok(())));
            let winner = answer.expect("an answer").winner.flatten();
            let winner = winner.expect("a winner").0.to_string();
            assert_eq!(winner, known.winner, "{text}");
        }
        let empty = known.size * known.size - known.play.len();
        let children = session.children().expect("few");
        assert_eq!(
            children
                .iter()
                .map(|child| child.moves.len())
                .sum::<usize>(),
            empty
        );
    }
}

/// Every opening of 3x3 to 6x6; those of 7x7 take half a minute, see `bouton reproduce hex-openings`.
#[test]
fn hex_openings() {
    let data: HexOpenings = read(include_str!("reference/hex-openings.json"));
    for size in ["3x3", "4x4", "5x5", "6x6"] {
        let answer = all_moves("hex", size);
        let moves = answer.moves.expect("all moves");
        let openings = &data.winner_of_opening[size];
        assert_eq!(moves.len(), openings.len());
        for mv in moves {
            let black_wins = openings[&mv.mv] == "black";
            assert_eq!(
                mv.outcome == Verdict::Win,
                black_wins,
                "hex {size} {}",
                mv.mv
            );
        }
    }
}
