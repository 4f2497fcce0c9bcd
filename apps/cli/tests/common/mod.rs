//! What all tests of the command line need: the binary.

use std::process::{Command, Output};

/// Runs the binary to its end.
pub(crate) fn bouton(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bouton"));
    command.args(arguments).output().expect("the binary runs")
}
