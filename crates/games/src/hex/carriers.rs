//! The carriers of one pair of points, full or semi: which are kept, and what they have in common.

use super::board::Set;

/// Carriers, none of which contains another.
#[derive(Clone, Debug)]
pub(super) struct Carriers<S> {
    /// Those taken up already come first.
    pub(super) sets: Vec<S>,
    pub(super) taken_up: usize,
    /// The intersection of all that were ever found.
    pub(super) common: S,
}

impl<S: Set> Carriers<S> {
    pub(super) fn new() -> Self {
        Self {
            sets: Vec::new(),
            taken_up: 0,
            common: !S::NONE,
        }
    }

    pub(super) fn clear(&mut self) {
        self.sets.clear();
        self.taken_up = 0;
        self.common = !S::NONE;
    }

    pub(super) fn has_within(&self, carrier: S) -> bool {
        self.sets.iter().any(|set| set.is_within(carrier))
    }

    /// Drops all that contain a carrier.
    fn drop_around(&mut self, carrier: S) {
        let mut index = 0;
        while index < self.sets.len() {
            if carrier.is_within(self.sets[index]) {
                self.sets.remove(index);
                self.taken_up -= usize::from(index < self.taken_up);
            } else {
                index += 1;
            }
        }
    }

    /// Whether a new carrier is worth keeping; it is among the sets then.
    pub(super) fn add(&mut self, carrier: S, most: usize, only_shrinking: bool) -> bool {
        let shrinks = !self.common.is_within(carrier);
        let mut replaces = false;
        for &set in &self.sets {
            if set.is_within(carrier) {
                return false;
            }
            replaces |= carrier.is_within(set);
        }
        if !shrinks && !replaces && (only_shrinking || self.sets.len() >= most) {
            return false;
        }
        self.common &= carrier;
        if replaces {
            self.drop_around(carrier);
        }
        self.sets.push(carrier);
        true
    }

    /// Marks a carrier as taken up, unless it was replaced.
    pub(super) fn take_up(&mut self, carrier: S) -> bool {
        let waiting = &self.sets[self.taken_up..];
        let Some(index) = waiting.iter().position(|&set| set == carrier) else {
            return false;
        };
        self.sets.swap(self.taken_up, self.taken_up + index);
        self.taken_up += 1;
        true
    }

    pub(super) fn taken(&self) -> &[S] {
        &self.sets[..self.taken_up]
    }
}

/// Some sets that have as little in common, within others, as all of them; and what that is.
pub(super) fn apart<S: Set>(sets: &[S], within: S) -> (Vec<S>, S) {
    let (mut chosen, mut union, mut common) = (Vec::new(), S::NONE, within);
    loop {
        let value = |set: &S| ((common & *set).count(), (union | *set).count());
        let Some(&best) = sets.iter().min_by_key(|set| value(set)) else {
            return (chosen, common);
        };
        if common.is_within(best) {
            return (chosen, common);
        }
        common &= best;
        union |= best;
        chosen.push(best);
    }
}
