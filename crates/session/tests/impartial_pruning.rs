//! The tables of Beling and Rogalski 2020 whose order of moves is known, held against our
//! searches cell by cell, to the printed digit.
//!
//! Cells that take more than about a second (those with more than [`MOST_SEARCHES`] searches in
//! a small table) are left to `bouton reproduce impartial-2`, `-4` and `-6`.

use bouton_game::{Impartial, Notation};
use bouton_games::chomp::Chomp;
use bouton_games::cram::Cram;
use bouton_games::nim::Nim;
use bouton_search::nimber_table::Fifo;
use bouton_search::successors::{Conditions, Order};
use bouton_search::watch::Watch;
use bouton_session::reproduce::impartial::{Algorithm, Found, Printed, PrintedOrder, printed};

const MOST_SEARCHES: u64 = 4_000_000;

fn search<G: Impartial + Notation>(position: &str, algorithm: &str, tt_size: usize) -> Found {
    let (mut game, root) = G::open(position).expect("a position");
    let conditions = Conditions::raw(Order::Listed);
    let algorithm = Algorithm::named(algorithm, conditions).expect("an algorithm");
    let mut go_on = |_: &_| Ok(());
    let table = (tt_size, Fifo::new(tt_size));
    let found = algorithm.search(&mut game, &root, table, &mut Watch::new(&mut go_on));
    found.expect("nothing stops it")
}

/// Checks a table; says how many printed numbers were checked and how many searches left out.
fn check_table<G: Impartial + Notation>(number: u32) -> (usize, usize) {
    let table = printed().iter().find(|table| table.table == number);
    let table = table.expect("a table of the paper");
    assert_eq!(
        (table.game.as_str(), table.order),
        (G::NAME, PrintedOrder::Listed)
    );
    let (mut checked, mut left_out) = (0, 0);
    for row in 0..table.rows.len() {
        for column in 0..table.tt_sizes.len() {
            let cells = check_cell::<G>(table, row, column);
            checked += cells.unwrap_or(0);
            left_out += usize::from(cells.is_none());
        }
    }
    (checked, left_out)
}

/// Checks nodes, and searches if they are printed; `None` if that would take long.
fn check_cell<G: Impartial + Notation>(
    table: &Printed,
    row: usize,
    column: usize,
) -> Option<usize> {
    let (row, size, unit) = (
        &table.rows[row],
        table.tt_sizes[column],
        table.units[column],
    );
    let Some(nodes) = row.nodes[column] else {
        return Some(0);
    };
    let searches = row.searches.get(column).copied().flatten();
    if size > 0 && searches.unwrap_or(nodes) * unit > MOST_SEARCHES {
        return None;
    }
    let found = search::<G>(&table.position, &row.algorithm, size);
    let cell = format!("table {}, {} at {size}", table.table, row.algorithm);
    assert_eq!(found.nimber, table.nimber, "{cell}");
    assert_eq!(rounded(found.nodes, unit), nodes, "{cell}: nodes");
    if let Some(searches) = searches {
        assert_eq!(rounded(found.searches, unit), searches, "{cell}: searches");
    }
    Some(1 + usize::from(searches.is_some()))
}

/// In units, as the paper rounds.
fn rounded(count: u64, unit: u64) -> u64 {
    (count + unit / 2) / unit
}

#[test]
fn nim_9_8_5_takes_the_nodes_of_table_2() {
    assert_eq!(check_table::<Nim>(2), (62, 5));
}

#[test]
fn nim_9_7_7_takes_the_nodes_of_table_4() {
    assert_eq!(check_table::<Nim>(4), (46, 14));
}

#[test]
fn chomp_6x4_takes_the_nodes_of_table_6() {
    assert_eq!(check_table::<Chomp>(6), (47, 14));
}

#[test]
fn trees_of_cram_without_a_table_have_so_many_nodes() {
    assert_eq!(search::<Cram>("4x4", "def", 0).nodes, 6_257_129);
    assert_eq!(search::<Cram>("5x4", "def", 0).nodes, 1_780_847_574);
}
