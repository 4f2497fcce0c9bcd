//! How a thread goes down to a job, and comes back from it: the paper's TryRunJob.

use bouton_game::{Outcome, Widening};
use bouton_table::{INFINITY, Key, Numbers, add};

use super::Jobs;
use super::ledger::{Ledger, Standing, Upper};
use crate::dfpn::{Alone, Search, Terms, Thresholds, attended, total};
use crate::prove::{keep, tally};
use crate::space::{Branch, BranchOf, Space, proved, solved};
use crate::watch::{Progress, Stop, Watch};

/// What there is for a thread that asks for work.
pub(super) enum Handed<S: Space> {
    Job(Job<S>),
    /// Everything is being worked on.
    Nothing,
    Answer(Outcome),
}

/// A node to search below, and the way to it.
pub(super) struct Job<S: Space> {
    node: S::Node,
    key: Key,
    thresholds: Thresholds,
    /// Its numbers before.
    numbers: Numbers,
    /// Expansions that went into it before, and that may go into it now.
    work: u64,
    budget: u64,
    /// Up to the root.
    way: Vec<Passed<S>>,
}

/// What came of a job.
#[derive(Clone, Copy)]
pub(super) struct Done {
    numbers: Numbers,
    work: u64,
}

/// A node or a sum that was come by on the way to a job.
enum Passed<S: Space> {
    Node {
        node: S::Node,
        key: Key,
        /// Expansions that had gone into it.
        work: u64,
        /// The branch that leads to the job.
        chosen: usize,
    },
    Sum,
}

/// A node or a sum on the way down.
enum Step<S: Space> {
    Node(Fork<S>),
    Sum,
}

/// A node on the way down, with all that is known about its branches.
struct Fork<S: Space> {
    node: S::Node,
    key: Key,
    /// Expansions that went into it.
    work: u64,
    upper: Upper<S>,
    chosen: usize,
}

/// What came of going down.
enum Descent<S: Space> {
    /// A job; its way is still to come.
    Job(Job<S>),
    /// There is nothing to be done below.
    Passed(Standing),
}

/// A sum as it stands: its parts with the heaps in question, none of them known.
struct Parts {
    terms: Terms,
    standings: Vec<Standing>,
}

impl Parts {
    /// Parts that are worked on count as known. If all are, nobody else need go there: a branch
    /// that counts as won is no use to whoever could choose it.
    fn standing(&self) -> Standing {
        let left = self.standings.iter().map(|part| part.seen);
        let left = left.filter(|seen| !seen.is_solved());
        let (count, seen) = left.fold((0, 0), |(count, sum), numbers| {
            (count + 1, add(sum, numbers.either()))
        });
        let real = total(&self.terms);
        Standing {
            real: Numbers::open(real, real),
            seen: match count {
                0 => Numbers::WIN,
                _ => Numbers::open(seen, seen),
            },
        }
    }

    /// The cheapest that nobody works on.
    fn cheapest(&self) -> Option<usize> {
        let open = |&part: &usize| !self.standings[part].seen.is_solved();
        let parts = (0..self.standings.len()).filter(open);
        parts.min_by_key(|&part| self.standings[part].seen.either())
    }
}

/// A thread at the ledger, and at work.
pub(super) struct Clerk<'a, S: Space> {
    search: Search<'a, S, Alone>,
    jobs: Jobs,
}

impl<'a, S: Space> Clerk<'a, S> {
    pub(super) fn new(search: Search<'a, S, Alone>, jobs: Jobs) -> Self {
        Self { search, jobs }
    }

    pub(super) fn progress(&mut self) -> Progress {
        tally(self.search.space, self.search.table, self.search.counts)
    }

    /// Finds a job, and takes note that it is out.
    pub(super) fn hand_out(
        &mut self,
        ledger: &mut Ledger<S>,
        root: &BranchOf<S>,
    ) -> Result<Handed<S>, Stop> {
        let mut way = Vec::new();
        let descent = self.descend(ledger, root.clone(), Thresholds::NONE, &mut way)?;
        Ok(match descent {
            Descent::Job(mut job) => {
                self.mark(ledger, &mut job, way);
                Handed::Job(job)
            }
            Descent::Passed(standing) => {
                proved(standing.real).map_or(Handed::Nothing, Handed::Answer)
            }
        })
    }

    /// Does a job.
    pub(super) fn run(&mut self, job: &Job<S>, watch: &mut Watch) -> Result<Done, Stop> {
        let start = self.search.counts.expansions;
        self.search.limit = start.saturating_add(job.budget);
        let node = Branch::Node(job.node.clone());
        let numbers = self.search.below(&node, job.thresholds, watch)?;
        let work = self.search.counts.expansions - start;
        Ok(Done { numbers, work })
    }

    /// Until the job is done, its node counts as solved; the nodes above, as follows from that.
    fn mark(&mut self, ledger: &mut Ledger<S>, job: &mut Job<S>, way: Vec<Step<S>>) {
        let Numbers { proof, disproof } = job.numbers;
        let expected = match proof <= disproof {
            true => Numbers::WIN,
            false => Numbers::LOSS,
        };
        ledger.add(job.key, expected);
        for step in way.into_iter().rev() {
            let Step::Node(mut fork) = step else {
                job.way.push(Passed::Sum);
                continue;
            };
            let branch = &mut fork.upper.branches[fork.chosen];
            fork.upper.standings[fork.chosen] = self.stand(ledger, branch);
            ledger.add(fork.key, fork.upper.standing(self.search.widening).seen);
            let (node, key, work, chosen) = (fork.node, fork.key, fork.work, fork.chosen);
            ledger.keep_upper(key, fork.upper);
            job.way.push(Passed::Node {
                node,
                key,
                work,
                chosen,
            });
        }
    }

    /// Writes down what came of a job, for its node and all above.
    pub(super) fn take_back(&mut self, ledger: &mut Ledger<S>, job: Job<S>, done: Done) {
        ledger.remove(job.key, done.numbers);
        self.keep(&job.node, done.numbers, job.work + done.work);
        if !done.numbers.is_solved() {
            ledger.note_unsolved(job.key, self.search.table);
        }
        let mut found = Some(done.numbers);
        for passed in job.way {
            let Passed::Node {
                node,
                key,
                work,
                chosen,
            } = passed
            else {
                found = None;
                continue;
            };
            // Only a thread that is stopped does not bring it back.
            let Some(mut upper) = ledger.take_upper(key) else {
                return;
            };
            // The table may have forgotten what was found.
            let before = found.unwrap_or(upper.standings[chosen].real);
            let standing = self.stand(ledger, &mut upper.branches[chosen]);
            upper.standings[chosen] = standing.after(before);
            let standing = upper.standing(self.search.widening);
            ledger.remove(key, standing.seen);
            let entry = self.search.table.get(key);
            let work = entry.map_or(work, |entry| u64::from(entry.work));
            self.keep(&node, standing.real, work + done.work);
            found = Some(standing.real);
            ledger.keep_upper(key, upper);
        }
    }

    /// Goes down from a branch to the first node that little work went into.
    fn descend(
        &mut self,
        ledger: &mut Ledger<S>,
        branch: BranchOf<S>,
        thresholds: Thresholds,
        way: &mut Vec<Step<S>>,
    ) -> Result<Descent<S>, Stop> {
        match branch {
            Branch::Node(node) => self.descend_node(ledger, node, thresholds, way),
            Branch::Sum(_) => self.descend_sum(ledger, branch, thresholds, way),
        }
    }

    fn descend_node(
        &mut self,
        ledger: &mut Ledger<S>,
        node: S::Node,
        thresholds: Thresholds,
        way: &mut Vec<Step<S>>,
    ) -> Result<Descent<S>, Stop> {
        let standing = self.stand_node(ledger, &node);
        if standing.real.is_solved() || !thresholds.allow::<S>(standing.seen) {
            return Ok(Descent::Passed(standing));
        }
        let key = self.search.space.key(&node);
        let entry = self.search.table.get(key);
        let work = entry.map_or(0, |entry| u64::from(entry.work));
        let budget = self.jobs.work.saturating_mul(ledger.patience());
        if work < budget {
            let thresholds = match ledger.is_desperate() {
                true => Thresholds::NONE,
                false => thresholds,
            };
            return Ok(Descent::Job(Job {
                node,
                key,
                thresholds,
                numbers: standing.real,
                work,
                budget,
                way: Vec::new(),
            }));
        }
        let Some(mut upper) = self.list(ledger, &node, key)? else {
            // The list said at once what it is worth.
            return Ok(Descent::Passed(self.stand_node(ledger, &node)));
        };
        for (branch, standing) in upper.branches.iter_mut().zip(&mut upper.standings) {
            *standing = self.stand(ledger, branch).after(standing.real);
        }
        let fork = Fork {
            node,
            key,
            work,
            upper,
            chosen: 0,
        };
        self.choose(ledger, fork, thresholds, way)
    }

    /// The loop of df-pn, with virtual numbers, until there is a job.
    fn choose(
        &mut self,
        ledger: &mut Ledger<S>,
        mut fork: Fork<S>,
        thresholds: Thresholds,
        way: &mut Vec<Step<S>>,
    ) -> Result<Descent<S>, Stop> {
        loop {
            let standing = fork.upper.standing(self.search.widening);
            self.keep(&fork.node, standing.real, fork.work);
            if standing.real.is_solved() || !thresholds.allow::<S>(standing.seen) {
                ledger.keep_upper(fork.key, fork.upper);
                return Ok(Descent::Passed(standing));
            }
            let below = self.select(&mut fork, standing.seen, thresholds);
            let branch = fork.upper.branches[fork.chosen].clone();
            way.push(Step::Node(fork));
            let descent = self.descend(ledger, branch, below, way)?;
            let Descent::Passed(standing) = descent else {
                return Ok(descent);
            };
            let Some(Step::Node(back)) = way.pop() else {
                unreachable!("it was put there");
            };
            fork = back;
            fork.upper.standings[fork.chosen] = standing;
        }
    }

    /// The branch to go on with, which is left in the fork, and its thresholds. That is the
    /// best; but the one chosen last, as long as it is not worse by more than it may become.
    fn select(&self, fork: &mut Fork<S>, seen: Numbers, thresholds: Thresholds) -> Thresholds {
        let standings = &fork.upper.standings;
        let cost = |index: usize| standings[index].seen.disproof;
        let numbers = standings.iter().map(|standing| standing.seen);
        let attended = attended(self.search.widening, numbers);
        let (mut best, mut second) = (0, None);
        for index in 1..attended {
            if cost(index) < cost(best) {
                (best, second) = (index, Some(best));
            } else if second.is_none_or(|second| cost(index) < cost(second)) {
                second = Some(index);
            }
        }
        let below = |index: usize, rival: Option<usize>| {
            let patience = self.search.patience(rival.map_or(INFINITY, cost));
            thresholds.of_branch(seen, standings[index].seen, patience)
        };
        let last = fork.upper.last.filter(|&last| {
            let is_rival = last != best && last < attended;
            is_rival && below(last, Some(best)).allow::<S>(standings[last].seen)
        });
        let (chosen, below) = match last {
            Some(last) => (last, below(last, Some(best))),
            None => (best, below(best, second)),
        };
        fork.chosen = chosen;
        fork.upper.last = Some(chosen);
        below
    }

    /// Goes down to the cheapest part of a sum that nobody works on.
    fn descend_sum(
        &mut self,
        ledger: &mut Ledger<S>,
        mut branch: BranchOf<S>,
        thresholds: Thresholds,
        way: &mut Vec<Step<S>>,
    ) -> Result<Descent<S>, Stop> {
        let mut parts = self.survey(ledger, &mut branch, Terms::new());
        loop {
            let Branch::Sum(sum) = &branch else {
                return self.descend(ledger, branch, thresholds, way);
            };
            let standing = parts.standing();
            let Some(part) = parts.cheapest() else {
                return Ok(Descent::Passed(standing));
            };
            if !thresholds.allow::<S>(standing.seen) {
                return Ok(Descent::Passed(standing));
            }
            let node = self.search.space.term(sum, part, parts.terms[part].heap);
            let cost = parts.standings[part].seen.either();
            let below = thresholds.of_part(standing.seen.either(), cost);
            way.push(Step::Sum);
            let descent = self.descend_node(ledger, node, below, way)?;
            let Descent::Passed(standing) = descent else {
                return Ok(descent);
            };
            way.pop();
            parts.terms[part].numbers = standing.real;
            parts.standings[part] = standing;
            if standing.real.is_solved() {
                parts = self.survey(ledger, &mut branch, parts.terms);
            }
        }
    }

    /// The branches of a node; none if its outcome follows at once.
    fn list(
        &mut self,
        ledger: &mut Ledger<S>,
        node: &S::Node,
        key: Key,
    ) -> Result<Option<Upper<S>>, Stop> {
        if let Some(upper) = ledger.take_upper(key) {
            return Ok(Some(upper));
        }
        self.search.counts.expansions += 1;
        let mut branches = Vec::new();
        if let Some(outcome) = self.search.space.expand(node, &mut branches)? {
            self.keep(node, solved(outcome), 1);
            return Ok(None);
        }
        while let Some(win) = self.search.space.another_win() {
            self.keep(&win, Numbers::WIN, 1);
        }
        Ok(Some(Upper {
            standings: vec![Standing::of(UNKNOWN); branches.len()],
            branches,
            last: None,
        }))
    }

    /// How a branch stands. A sum of which only one part is left becomes that part.
    fn stand(&mut self, ledger: &Ledger<S>, branch: &mut BranchOf<S>) -> Standing {
        if let Branch::Sum(_) = branch {
            let parts = self.survey(ledger, branch, Terms::new());
            if let Branch::Sum(_) = branch {
                return parts.standing();
            }
        }
        match branch {
            Branch::Node(node) => self.stand_node(ledger, node),
            Branch::Sum(_) => unreachable!("it has returned"),
        }
    }

    fn stand_node(&mut self, ledger: &Ledger<S>, node: &S::Node) -> Standing {
        let real = self.search.look_node(node, None);
        let mut standing = Standing::of(real);
        if !real.is_solved()
            && let Some(seen) = ledger.seen(self.search.space.key(node))
        {
            standing.seen = seen;
        }
        standing
    }

    /// How the parts of a sum stand, those that are known left out.
    fn survey(&mut self, ledger: &Ledger<S>, branch: &mut BranchOf<S>, mut terms: Terms) -> Parts {
        self.search.survey(branch, &mut terms);
        let mut standings = Vec::new();
        if let Branch::Sum(sum) = branch {
            for (part, term) in terms.iter().enumerate() {
                let node = self.search.space.term(sum, part, term.heap);
                let seen = ledger.seen(self.search.space.key(&node));
                standings.push(Standing {
                    real: term.numbers,
                    seen: seen.unwrap_or(term.numbers),
                });
            }
        }
        Parts { terms, standings }
    }

    /// Keeps what is known about a node.
    fn keep(&mut self, node: &S::Node, numbers: Numbers, work: u64) {
        keep(self.search.space, self.search.table, node, numbers, work);
    }
}

/// Less than any numbers are.
const UNKNOWN: Numbers = Numbers::UNIT;

impl<S: Space> Upper<S> {
    /// The numbers of a node with these branches.
    fn standing(&self, widening: Widening) -> Standing {
        let numbers = |of: fn(&Standing) -> Numbers| {
            let (mut proof, mut disproof) = (INFINITY, 0);
            let branches = self.standings.iter().map(of);
            let attended = attended(widening, branches.clone());
            for (index, branch) in branches.enumerate() {
                if index < attended {
                    proof = proof.min(branch.disproof);
                }
                disproof = add(disproof, branch.proof);
            }
            match proof {
                // A branch that is lost: the others do not count.
                0 => Numbers::WIN,
                _ => Numbers { proof, disproof },
            }
        };
        Standing {
            real: numbers(|standing| standing.real),
            seen: numbers(|standing| standing.seen),
        }
    }
}
