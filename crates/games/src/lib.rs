//! The games, one folder each: rules, canonical form, notation.
//!
//! A game knows nothing of searches. What several games share has its own file: rectangular
//! boards ([`grid`]) and games on heaps ([`heaps`]).

#[cfg(test)]
mod brute_force;
pub mod chomp;
pub mod cram;
pub mod dawson;
pub mod grid;
pub mod grundy;
pub mod heaps;
pub mod hex;
pub mod kayles;
pub mod konane;
pub mod nim;
mod number;
pub mod sprouts;
