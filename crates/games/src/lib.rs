//! The games, one folder each: rules, canonical form, notation.
//!
//! A game knows nothing of searches. What several games share has its own file: rectangular
//! boards ([`grid`]) and rows of heaps ([`heaps`]).

pub mod grid;
