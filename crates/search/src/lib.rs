//! The algorithms, one file each, over any game.
//!
//! | file | what it computes |
//! | --- | --- |
//! | [`exhaustive`] | outcomes and nimbers, by trying everything once: the yardstick for the rest |
//! | [`census`](mod@census) | how many distinct positions there are at each ply |
//! | [`perft`](mod@perft) | how many lines of play there are of each length |
//!
//! Around them: [`watch`], the one way to look into a run and to stop it; [`memo`], exact
//! memory within a budget; [`nimber_set`], sets of nimbers; [`solver`], what every solving algorithm offers to its callers.
//!
//! A search sees a game only through [`Game::expand`](bouton_game::Game::expand) and
//! [`Impartial::expand_sum`](bouton_game::Impartial::expand_sum).

pub mod census;
mod deep_stack;
mod desk;
pub mod dice;
pub mod exhaustive;
pub mod lv;
pub mod memo;
pub mod mex_tree;
pub mod nimber_set;
pub mod nimber_table;
pub mod perft;
pub mod solver;
pub mod successors;
pub mod watch;
