//! The algorithms there are. To add one: a file in `search`, a line in [`Algorithm::ALL`], and
//! its making in [`Algorithm::make`], [`Algorithm::make_impartial`] or both.

use std::marker::PhantomData;

use bouton_game::{Game, Impartial, Knowledge};
use bouton_search::alpha_beta::AlphaBeta;
use bouton_search::dfpn::{self, Dfpn, Threaded};
use bouton_search::exhaustive;
use bouton_search::lv::{self, Lv};
use bouton_search::mex_tree::{self, Aspiration, Etc, MexTree, Pruning};
use bouton_search::nimber_table::Bounded;
use bouton_search::parallel_pn2::ParallelPn2;
use bouton_search::pdfpn::FromTheRoot;
use bouton_search::pn2::{self, Pn2};
use bouton_search::pns::{self, Pns};
use bouton_search::prove::{Nimbers, Outcomes, Prover};
use bouton_search::solver::{NimberSolver, Setup, Solver, Table};
use bouton_search::spdfpn::Jobs;
use bouton_search::successors::{Conditions, Order};
use serde::Serialize;

use crate::Error;

/// A name for `--algorithm`, and what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
}

/// The search that `cluster` adds to those here: its workers are no [`Algorithm`].
pub const JOB_LEVEL: Entry = Entry {
    name: "pns-pdfpn",
    summary: "proof-number search that hands out its leaves to workers (--workers)",
};

/// What `--algorithm` can be, besides `auto`.
pub fn names() -> Vec<Entry> {
    let algorithms = Algorithm::ALL.iter().map(|algorithm| Entry {
        name: algorithm.name,
        summary: algorithm.summary,
    });
    algorithms.chain([JOB_LEVEL]).collect()
}

/// An algorithm that solves positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Algorithm {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Exhaustive,
    MexTree(mex_tree::Options),
    Lv(lv::Options),
    Proves(Proof),
}

/// What proves outcomes of nodes, in whatever space.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Proof {
    AlphaBeta,
    Pns(pns::Options),
    Pn2(pn2::Options),
    ParallelPn2(pn2::Options),
    Dfpn(dfpn::Options),
    Pdfpn(dfpn::Options),
    Spdfpn(Jobs, dfpn::Options),
}

/// `def`, the plainest of its family; the others differ from it as they say.
const DEF: mex_tree::Options = mex_tree::Options {
    pruning: Pruning::Never,
    resuming: false,
    etc: Etc::Off,
    aspiration: Aspiration::Off,
    excluding: false,
    conditions: Conditions::BEST,
};

const SCUT: mex_tree::Options = mex_tree::Options {
    pruning: Pruning::Simple,
    ..DEF
};

const CUT: mex_tree::Options = mex_tree::Options {
    pruning: Pruning::Full,
    ..DEF
};

/// For algorithms that remember what is excluded.
const LEAST_UNKNOWN: Conditions = Conditions {
    order: Order::LeastUnknown,
    ..Conditions::BEST
};

const LV: lv::Options = lv::Options {
    excluding: false,
    successors_first: false,
    conditions: Conditions::BEST,
};

const fn mex_tree(
    name: &'static str,
    summary: &'static str,
    options: mex_tree::Options,
) -> Algorithm {
    let kind = Kind::MexTree(options);
    Algorithm {
        name,
        summary,
        kind,
    }
}

const fn lv(name: &'static str, summary: &'static str, options: lv::Options) -> Algorithm {
    let kind = Kind::Lv(options);
    Algorithm {
        name,
        summary,
        kind,
    }
}

const fn prover(name: &'static str, summary: &'static str, proof: Proof) -> Algorithm {
    let kind = Kind::Proves(proof);
    Algorithm {
        name,
        summary,
        kind,
    }
}

impl Algorithm {
    /// All of them.
    #[rustfmt::skip]
    pub const ALL: &'static [Self] = &[
        Self::EXHAUSTIVE,
        mex_tree("def", "nimbers by definition, with a bounded table", DEF),
        mex_tree("scut", "mex tree search with simplified pruning", SCUT),
        mex_tree("scut-r", "scut that resumes where it was cut off", mex_tree::Options { resuming: true, ..SCUT }),
        mex_tree("scut-e", "scut that looks up all successors first (ETC)", mex_tree::Options { etc: Etc::All, ..SCUT }),
        mex_tree("scut-ce", "scut-e that stops looking up when it can", mex_tree::Options { etc: Etc::UntilCut, ..SCUT }),
        mex_tree("cut", "mex tree search with pruning", CUT),
        mex_tree("cut-a", "cut with aspiration sets {0}, {1}, {2}, ...", mex_tree::Options { aspiration: Aspiration::Singles, ..CUT }),
        mex_tree("cut-r", "cut that resumes where it was cut off", mex_tree::Options { resuming: true, ..CUT }),
        mex_tree("cut-ra", "cut-r with aspiration sets", mex_tree::Options { resuming: true, aspiration: Aspiration::Singles, ..CUT }),
        mex_tree("cut-e", "cut that looks up all successors first (ETC)", mex_tree::Options { etc: Etc::All, ..CUT }),
        mex_tree("cut-ce", "cut-e that stops looking up when it can", mex_tree::Options { etc: Etc::UntilCut, ..CUT }),
        mex_tree("cut-ea", "cut-e with aspiration sets", mex_tree::Options { etc: Etc::All, aspiration: Aspiration::Singles, ..CUT }),
        mex_tree("cut-cea", "cut-ce with aspiration sets: the paper's best", mex_tree::Options { etc: Etc::UntilCut, aspiration: Aspiration::Singles, ..CUT }),
        mex_tree("cut-ceax", "cut-cea that remembers which nimbers are excluded", mex_tree::Options { etc: Etc::UntilCut, aspiration: Aspiration::Singles, excluding: true, conditions: LEAST_UNKNOWN, ..CUT }),
        mex_tree("cut-cedx", "cut-ceax with aspiration sets {0}, {1,2}, {3..6}, ...: for large nimbers", mex_tree::Options { etc: Etc::UntilCut, aspiration: Aspiration::Doubling, excluding: true, conditions: LEAST_UNKNOWN, ..CUT }),
        lv("lv", "Lemoine and Viennot: is the position with a Nim heap a loss?", LV),
        lv("lv-x", "lv that remembers wins and tries successors before heaps: for small nimbers", lv::Options { excluding: true, successors_first: true, conditions: LEAST_UNKNOWN }),
        prover("alpha-beta", "alpha-beta with iterative deepening and a table, to compare with", Proof::AlphaBeta),
        prover("pns", "proof-number search, best first: the whole graph in memory", Proof::Pns(pns::Options::BEST)),
        prover("pn2", "proof-number search in two levels: the second is thrown away each time", Proof::Pn2(pn2::Options::PAPER)),
        prover("parallel-pn2", "pn2 with threads that search leaves of one first level", Proof::ParallelPn2(pn2::Options::PAPER)),
        Self::PROVER,
        prover("pdfpn", "df-pn with threads that search the same tree and keep apart", Proof::Pdfpn(dfpn::Options::BEST)),
        Self::THREADED,
    ];

    /// What certificates are made with.
    #[rustfmt::skip]
    pub(crate) const PROVER: Self =
        prover("dfpn", "depth-first proof-number search, with sums of components where there are", Proof::Dfpn(dfpn::Options::BEST));

    /// What takes the place of df-pn where there are several threads and nobody chose.
    #[rustfmt::skip]
    const THREADED: Self =
        prover("spdfpn", "df-pn with threads that are handed out jobs", Proof::Spdfpn(Jobs::BEST, dfpn::Options::BEST));

    const EXHAUSTIVE: Self = Self {
        name: "exhaustive",
        summary: "every position once, with exact memory: the yardstick for all others",
        kind: Kind::Exhaustive,
    };

    /// The algorithm of this name; `auto` stands for the one given.
    pub fn find(name: &str, auto: &str) -> Result<Self, Error> {
        let name = if name == "auto" { auto } else { name };
        let found = Self::ALL.iter().find(|algorithm| algorithm.name == name);
        found.copied().ok_or_else(|| Error::UnknownAlgorithm {
            name: bouton_game::excerpt(name),
            algorithms: names()
                .into_iter()
                .map(|entry| entry.name)
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// Whether it serves games whose players have moves of their own.
    pub fn serves_colours(self) -> bool {
        !matches!(self.kind, Kind::MexTree(_) | Kind::Lv(_))
    }

    /// Whether it proves outcomes of nodes, with first numbers that can be chosen.
    pub fn proves(self) -> bool {
        matches!(self.kind, Kind::Proves(_))
    }

    /// What does the same with so many threads.
    pub(crate) fn with_threads(self, threads: usize) -> Self {
        match self {
            Self::PROVER if threads > 1 => Self::THREADED,
            _ => self,
        }
    }

    /// How many threads it uses if it may use so many.
    pub fn threads(self, allowed: usize) -> usize {
        match self.kind {
            Kind::Proves(Proof::Pdfpn(_) | Proof::Spdfpn(..) | Proof::ParallelPn2(_)) => allowed,
            _ => 1,
        }
    }

    /// Whether its table holds what a proof of its answer needs.
    pub(crate) fn remembers_proofs(self) -> bool {
        let kind = |proof| matches!(proof, Proof::Dfpn(_) | Proof::Pdfpn(_) | Proof::Spdfpn(..));
        matches!(self.kind, Kind::Proves(proof) if kind(proof))
    }

    /// Whether parts of it can be switched off.
    pub fn has_parts(self) -> bool {
        self.kind != Kind::Exhaustive
    }

    /// Whether it gets by with any memory, because it may forget. The others end without an
    /// answer when theirs is full.
    pub fn forgets(self) -> bool {
        let keeps = |proof| matches!(proof, Proof::Pns(_) | Proof::Pn2(_) | Proof::ParallelPn2(_));
        match self.kind {
            Kind::Exhaustive => false,
            Kind::MexTree(_) | Kind::Lv(_) => true,
            Kind::Proves(proof) => !keeps(proof),
        }
    }

    /// A solver for any game; `None` if the algorithm serves impartial games only.
    pub fn make<G: Game, K>(self, setup: &Setup) -> Option<Box<dyn Solver<G>>>
    where
        K: Knowledge<G> + Default + 'static,
    {
        match self.kind {
            Kind::Exhaustive => Some(Box::new(exhaustive::Outcomes::<G, K>::new(setup))),
            Kind::MexTree(_) | Kind::Lv(_) => None,
            Kind::Proves(proof) => Some(proof.make(OutcomesOf::<G, K>(PhantomData), setup)),
        }
    }

    /// A solver for an impartial game.
    pub fn make_impartial<G: Impartial, K>(self, setup: &Setup) -> Box<dyn NimberSolver<G>>
    where
        K: Knowledge<G> + Default + 'static,
    {
        let table = || Bounded::<G>::new(setup.memory);
        let conditions = |conditions: Conditions| conditions.without(setup.without);
        match self.kind {
            Kind::Exhaustive => Box::new(exhaustive::Nimbers::<G, K>::new(setup)),
            Kind::MexTree(options) => {
                let conditions = conditions(options.conditions);
                let options = mex_tree::Options {
                    conditions,
                    ..options
                };
                Box::new(MexTree::new(options, Some(table())))
            }
            Kind::Lv(options) => {
                let conditions = conditions(options.conditions);
                let options = lv::Options {
                    conditions,
                    ..options
                };
                Box::new(Lv::new(options, table()))
            }
            Kind::Proves(proof) => proof.make(NimbersOf::<G, K>(PhantomData), setup),
        }
    }
}

/// What a prover becomes part of.
trait Around {
    type Solver;

    /// Builds it; the prover is told its share of the memory.
    fn build<A: Prover + 'static>(
        self,
        prover: impl FnOnce(usize) -> A,
        setup: &Setup,
    ) -> Self::Solver;
}

/// A solver for any game.
struct OutcomesOf<G, K>(PhantomData<(G, K)>);

impl<G: Game, K: Knowledge<G> + Default + 'static> Around for OutcomesOf<G, K> {
    type Solver = Box<dyn Solver<G>>;

    fn build<A: Prover + 'static>(
        self,
        prover: impl FnOnce(usize) -> A,
        setup: &Setup,
    ) -> Self::Solver {
        Box::new(Outcomes::<G, A, K>::new(prover, setup))
    }
}

/// A solver for an impartial game.
struct NimbersOf<G, K>(PhantomData<(G, K)>);

impl<G: Impartial, K: Knowledge<G> + Default + 'static> Around for NimbersOf<G, K> {
    type Solver = Box<dyn NimberSolver<G>>;

    fn build<A: Prover + 'static>(
        self,
        prover: impl FnOnce(usize) -> A,
        setup: &Setup,
    ) -> Self::Solver {
        Box::new(Nimbers::<G, A, K>::new(prover, setup))
    }
}

impl Proof {
    fn make<S: Around>(self, around: S, setup: &Setup) -> S::Solver {
        let table = |memory| table(memory, setup);
        match self {
            Self::AlphaBeta => around.build(AlphaBeta::new, setup),
            Self::Pns(options) => around.build(|memory| Pns::new(options, memory), setup),
            Self::Pn2(options) => around.build(|memory| Pn2::new(options, memory), setup),
            Self::ParallelPn2(options) => {
                around.build(|memory| ParallelPn2::new(options, memory), setup)
            }
            Self::Dfpn(options) => around.build(|memory| Dfpn::new(options, table(memory)), setup),
            Self::Pdfpn(options) => around.build(
                |memory| Threaded::new(FromTheRoot, options, table(memory)),
                setup,
            ),
            Self::Spdfpn(jobs, options) => {
                around.build(|memory| Threaded::new(jobs, options, table(memory)), setup)
            }
        }
    }
}

/// A table of proof numbers that leaves a little of the memory to the rest of a search.
fn table(memory: usize, setup: &Setup) -> Table {
    Table::new(memory / 16 * 15, setup.replacement)
}
