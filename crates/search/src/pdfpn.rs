//! Parallel df-pn (PDFPN): threads that search the same tree and keep out of each other's way.
//!
//! Papers: Kaneko 2010, "Parallel depth first proof number search"; Čížek, Balko and Schmid 2025,
//! "Second-Level Parallelization", for Grundy numbers.
//!
//! Every thread runs df-pn from the root, and all share the table and the facts. When a thread
//! selects, a branch counts as dearer for each thread that is below it, and its threshold is as
//! much less; so threads part where branches are alike. Of a sum they take different parts. A
//! thread that solves a node tells the others, and who works below that node comes back.
//!
//! Differences: threads take notice of each other down to the first node that little work has gone
//! into; below it a thread searches as if it were alone, which costs nothing, and two that met
//! there would part over a handful of expansions. Therefore a branch is dearer by a part of its
//! cost for each thread, not by one only, or threads would follow each other into that node. Who
//! is where is counted in an array of counters under hashes of nodes: a collision makes a node
//! look busier than it is. News is a number that grows; who sees it looks up the nodes of its
//! own path. A branch is searched beyond its threshold where that would forbid any step: it may
//! be the second-best, chosen because the best is crowded.
//!
//! A job for threads (`work_within`) has limits: so many expansions of all together, and thresholds
//! for its root. Whoever reaches one of them calls all others back. Threads of a job may take turns,
//! for a simulation.
//!
//! Invariant: a thread that is alone selects as df-pn does; one thread is df-pn.

use std::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use bouton_game::Outcome;
use bouton_table::{Key, Numbers, Table};

use crate::crew;
use crate::dfpn::{Alone, Company, Dfpn, Division, Search, Within};
use crate::jobs::Pace;
use crate::space::{BranchOf, Space, proved};
use crate::turns::Turns;
use crate::watch::{Stop, Watch};

/// All threads search from the root.
pub struct FromTheRoot;

impl Division for FromTheRoot {
    fn search<S: Space>(
        &self,
        dfpn: &mut Dfpn,
        spaces: &mut [S],
        root: &BranchOf<S>,
        watch: &mut Watch,
    ) -> Result<Outcome, Stop> {
        let crowd = Crowd::new(None);
        let (options, table) = (dfpn.options, &*dfpn.table);
        crew::search(spaces, &mut dfpn.counts, watch, |member| {
            let company = Together::new(&crowd, member.index);
            let mut search = Search::new(member.space, options, table, member.counts, company);
            loop {
                let numbers = search.go_on(root, &mut Vec::new(), member.watch)?;
                // It may have been called back from the root: then it looks again.
                if let Some(outcome) = proved(numbers) {
                    return Ok(outcome);
                }
            }
        })
    }
}

/// The numbers of a branch when threads, one for each space, have solved it, when a threshold is
/// passed, or after the most expansions.
pub(crate) fn work_within<S: Space>(
    dfpn: &mut Dfpn,
    spaces: &mut [S],
    root: &BranchOf<S>,
    within: Within,
    pace: Pace,
    watch: &mut Watch,
) -> Result<Numbers, Stop> {
    let crowd = Crowd::new(Some(Job {
        most: within.most,
        made: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
        turns: (pace == Pace::InTurns).then(|| Turns::new(spaces.len())),
    }));
    let (options, table) = (dfpn.options, &*dfpn.table);
    let numbers = crew::search_to_the_end(spaces, &mut dfpn.counts, watch, |member| {
        let company = Together::new(&crowd, member.index);
        let mut search = Search::new(member.space, options, table, member.counts, company);
        // One of those who take turns may be missing: nobody would ever pass the turn on.
        member.watch.go_on()?;
        let is_enough = |search: &Search<_, Together>| search.company.made() >= within.least;
        let numbers = search.work_until(root, within.thresholds, is_enough, member.watch)?;
        search.company.end_job();
        Ok(numbers)
    })?;
    // Another thread may have been the last.
    let space = &mut spaces[0];
    let mut search = Search::new(space, options, table, &mut dfpn.counts, Alone);
    Ok(match numbers.is_solved() {
        true => numbers,
        false => search.look_or(&mut root.clone(), Some(numbers)),
    })
}

/// What threads are to do together, if not all there is.
struct Job {
    /// Expansions, at most and so far.
    most: u64,
    made: AtomicU64,
    is_over: AtomicBool,
    turns: Option<Turns>,
}

/// Who is where.
struct Crowd {
    /// How many threads are counted at the nodes of each hash.
    threads: Vec<AtomicU32>,
    /// How often a node was solved that others were below.
    news: AtomicU64,
    job: Option<Job>,
}

/// Counters: many more than there are nodes on all paths.
const COUNTERS: usize = 1 << 14;

/// Expansions that are little work: no others are looked for below such a node.
const LITTLE: u64 = 200;

/// The same in a job, where threads begin again and again at a node that is new to all of them:
/// each would do what the others do.
const LITTLE_OF_JOB: u64 = 1;

/// Which part of its cost a branch is dearer by for each thread below it.
const CROWD: u64 = 8;

impl Crowd {
    fn new(job: Option<Job>) -> Self {
        Self {
            job,
            threads: (0..COUNTERS).map(|_| AtomicU32::new(0)).collect(),
            news: AtomicU64::new(0),
        }
    }

    #[inline]
    fn little(&self) -> u64 {
        match self.job {
            Some(_) => LITTLE_OF_JOB,
            None => LITTLE,
        }
    }

    fn turns(&self) -> Option<&Turns> {
        self.job.as_ref()?.turns.as_ref()
    }

    #[inline]
    fn counter(&self, key: Key) -> &AtomicU32 {
        let folded = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.threads[(folded >> 50) as usize]
    }
}

/// The others, as one thread sees them.
struct Together<'a> {
    crowd: &'a Crowd,
    /// Which thread this is.
    index: usize,
    /// The nodes it is counted at, the root first.
    path: Vec<Key>,
    /// How many of these others may be below: all, or all but the last.
    shared: usize,
    /// How many nodes it is below, beyond those.
    beyond: usize,
    /// The news it has seen.
    seen: u64,
    /// How short the path has to become, if it is called back.
    back_to: Option<usize>,
}

impl<'a> Together<'a> {
    fn new(crowd: &'a Crowd, index: usize) -> Self {
        if let Some(turns) = crowd.turns() {
            turns.wait(index);
        }
        Self {
            crowd,
            index,
            path: Vec::new(),
            shared: 0,
            beyond: 0,
            seen: 0,
            back_to: None,
        }
    }
}

impl Together<'_> {
    /// Expansions that went into the job.
    fn made(&self) -> u64 {
        let job = self.crowd.job.as_ref();
        job.map_or(0, |job| job.made.load(Relaxed))
    }

    /// Calls all others back.
    fn end_job(&self) {
        if let Some(job) = &self.crowd.job {
            job.is_over.store(true, Relaxed);
        }
    }

    fn is_over(&self) -> bool {
        let job = self.crowd.job.as_ref();
        job.is_some_and(|job| job.is_over.load(Relaxed))
    }
}

impl Drop for Together<'_> {
    fn drop(&mut self) {
        match self.crowd.turns() {
            Some(turns) if self.is_over() => turns.leave(self.index),
            Some(turns) => turns.end(), // It was stopped, and so are all.
            None => {}
        }
    }
}

impl Company for Together<'_> {
    const ALONE: bool = false;

    fn enter(&mut self, key: Key, work: impl FnOnce() -> u64) {
        if self.shared < self.path.len() {
            self.beyond += 1;
            return;
        }
        self.path.push(key);
        self.crowd.counter(key).fetch_add(1, Relaxed);
        self.note_work(work());
    }

    fn leave(&mut self, key: Key, solved: bool) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        self.path.pop();
        self.shared = self.path.len();
        self.back_to = self.back_to.filter(|&length| length < self.path.len());
        let others = self.crowd.counter(key).fetch_sub(1, Relaxed) - 1;
        if solved && others > 0 {
            self.crowd.news.fetch_add(1, Release);
        }
    }

    #[inline]
    fn note_work(&mut self, expansions: u64) {
        if self.beyond == 0 && expansions >= self.crowd.little() {
            self.shared = self.path.len();
        }
    }

    #[inline]
    fn step(&mut self) {
        let Some(job) = &self.crowd.job else {
            return;
        };
        if let Some(turns) = &job.turns {
            turns.pass(self.index);
        }
        if job.made.fetch_add(1, Relaxed) + 1 >= job.most {
            self.end_job();
        }
    }

    #[inline]
    fn shares(&self) -> bool {
        self.shared == self.path.len()
    }

    #[inline]
    fn crowd(&self, key: Key, cost: u64) -> u64 {
        let threads = u64::from(self.crowd.counter(key).load(Relaxed));
        threads * (1 + cost / CROWD)
    }

    #[inline]
    fn is_called_back(&mut self, table: &Table) -> bool {
        let news = self.crowd.news.load(Acquire);
        if news != self.seen {
            self.seen = news;
            let solved = |&key: &Key| table.get(key).is_some_and(|at| at.numbers.is_solved());
            self.back_to = self.path.iter().position(solved);
        }
        self.back_to.is_some() || self.is_over()
    }
}

const _: () = assert!(COUNTERS == 1 << (64 - 50));
