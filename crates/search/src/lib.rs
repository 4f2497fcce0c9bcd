//! The algorithms, one file each, over any game.
//!
//! | file | what it computes |
//! | --- | --- |
//! | [`exhaustive`] | outcomes and nimbers, by trying everything once: the yardstick for the rest |
//! | [`mex_tree`] | nimbers with pruning: `def`, `scut`, `cut` and their extensions |
//! | [`lv`] | nimbers by trying Nim heaps beside a position |
//! | [`alpha_beta`] | outcomes and nimbers, deeper and deeper: the yardstick for [`dfpn`] |
//! | [`dfpn`] | outcomes and nimbers by depth-first proof-number search |
//! | [`pdfpn`] | the same with threads that search the same tree and keep out of each other's way |
//! | [`spdfpn`] | the same with threads that are handed out jobs |
//! | [`pns`] | outcomes by best-first proof-number search, the whole graph in memory |
//! | [`pn2`] | the same in two levels, the second of which is thrown away |
//! | [`parallel_pn2`] | the same with threads that search leaves of the first level |
//! | [`jobs`] | the same with workers that are anywhere: the tree of jobs, and a worker's search |
//! | [`census`](mod@census) | how many distinct positions there are at each ply |
//! | [`perft`](mod@perft) | how many lines of play there are of each length |
//!
//! Around them: [`watch`], the one way to look into a run and to stop it; [`solver`], what every
//! solving algorithm offers to its callers; [`memo`], exact memory within a budget;
//! [`recent`] and [`nimber_table`], memory that may forget; [`nimber_set`], sets of nimbers;
//! [`successors`], under which conditions a game is seen; [`dice`], reproducible chance.
//!
//! Algorithms that prove outcomes see a [`space`]; [`prove`] makes solvers of them, and [`guide`]
//! leaves out what is not wanted of a game's knowledge. All others see a game only as an
//! [`Expansion`](bouton_game::Expansion): through [`Game::expand`](bouton_game::Game::expand),
//! [`Impartial::expand_sum`](bouton_game::Impartial::expand_sum) or
//! [`Conditions::expand`](successors::Conditions::expand).

pub mod alpha_beta;
pub mod census;
mod crew;
pub mod deep_stack;
mod desk;
pub mod dfpn;
pub mod dice;
pub mod exhaustive;
mod graph;
pub mod guide;
pub mod jobs;
pub mod lv;
pub mod memo;
pub mod mex_tree;
pub mod nimber_set;
pub mod nimber_table;
pub mod parallel_pn2;
pub mod pdfpn;
pub mod perft;
pub mod pn2;
pub mod pns;
pub mod prove;
pub mod recent;
pub mod shelf;
pub mod solver;
pub mod space;
pub mod spdfpn;
pub mod successors;
mod sync;
mod turns;
pub mod watch;
