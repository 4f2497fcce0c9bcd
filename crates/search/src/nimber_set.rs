//! Sets of nimbers, as bits.
//!
//! Nearly always below 128, and then without memory elsewhere; a position with more children
//! makes a longer set. The highest word is never 0, so equal sets are equal words.

use std::fmt;

use bouton_game::Nimber;
use smallvec::SmallVec;

/// A set of nimbers.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct NimberSet {
    words: SmallVec<[u64; 2]>,
}

impl NimberSet {
    /// The set without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// The nimbers below `end`.
    pub fn below(end: usize) -> Self {
        let mut words = SmallVec::from_elem(u64::MAX, end / 64);
        if !end.is_multiple_of(64) {
            words.push((1 << (end % 64)) - 1);
        }
        Self { words }
    }

    /// The set of one nimber.
    pub fn only(nimber: Nimber) -> Self {
        let mut set = Self::new();
        set.insert(nimber);
        set
    }

    /// Adds a nimber.
    pub fn insert(&mut self, nimber: Nimber) {
        let (word, bit) = place(nimber);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
    }

    /// Takes a nimber out.
    pub fn remove(&mut self, nimber: Nimber) {
        let (word, bit) = place(nimber);
        if let Some(word) = self.words.get_mut(word) {
            *word &= !bit;
            self.trim();
        }
    }

    /// Makes the set empty and keeps its memory.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Whether a nimber is in the set.
    pub fn contains(&self, nimber: Nimber) -> bool {
        let (word, bit) = place(nimber);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// The greatest member.
    pub fn max(&self) -> Option<Nimber> {
        let highest = self.words.last()?.ilog2();
        Some((self.words.len() as Nimber - 1) * 64 + highest)
    }

    /// The only member, if there is just one.
    pub fn single(&self) -> Option<Nimber> {
        if self.len() == 1 { self.max() } else { None }
    }

    /// The least nimber that is not in the set.
    pub fn mex(&self) -> Nimber {
        let full = self.words.iter().take_while(|&&word| word == u64::MAX);
        let word = full.count();
        let ones = self.words.get(word).map_or(0, |word| word.trailing_ones());
        word as Nimber * 64 + ones
    }

    /// Whether the sets have no member in common.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        let pairs = self.words.iter().zip(&other.words);
        pairs.into_iter().all(|(one, other)| one & other == 0)
    }

    /// Whether all members are in the other set too.
    pub fn is_subset(&self, other: &Self) -> bool {
        let others = other.words.iter().copied().chain(std::iter::repeat(0));
        self.words
            .iter()
            .zip(others)
            .all(|(one, other)| one & !other == 0)
    }

    /// Adds the members of another set.
    pub fn insert_all(&mut self, other: &Self) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let pairs = self.words.iter_mut().zip(&other.words);
        pairs.into_iter().for_each(|(one, other)| *one |= other);
    }

    /// Takes the members of another set out.
    pub fn remove_all(&mut self, other: &Self) {
        let pairs = self.words.iter_mut().zip(&other.words);
        pairs.into_iter().for_each(|(one, other)| *one &= !other);
        self.trim();
    }

    /// Keeps the members up to `most`.
    pub fn retain_up_to(&mut self, most: Nimber) {
        let kept = Self::below(most as usize + 1);
        self.words.truncate(kept.words.len());
        let pairs = self.words.iter_mut().zip(&kept.words);
        pairs.into_iter().for_each(|(one, kept)| *one &= kept);
        self.trim();
    }

    /// The members, least first.
    pub fn iter(&self) -> impl Iterator<Item = Nimber> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(index, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| index as Nimber * 64 + bit)
        })
    }

    /// The set with every member xored with `nimber`.
    pub fn shifted_by(&self, nimber: Nimber) -> Self {
        self.iter().map(|member| member ^ nimber).collect()
    }

    /// Bytes held outside of the set itself.
    pub fn heap_bytes(&self) -> usize {
        if self.words.spilled() {
            self.words.capacity() * size_of::<u64>()
        } else {
            0
        }
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

fn place(nimber: Nimber) -> (usize, u64) {
    (nimber as usize / 64, 1 << (nimber % 64))
}

impl Extend<Nimber> for NimberSet {
    fn extend<I: IntoIterator<Item = Nimber>>(&mut self, nimbers: I) {
        nimbers.into_iter().for_each(|nimber| self.insert(nimber));
    }
}

impl FromIterator<Nimber> for NimberSet {
    fn from_iter<I: IntoIterator<Item = Nimber>>(nimbers: I) -> Self {
        let mut set = Self::new();
        set.extend(nimbers);
        set
    }
}

impl fmt::Debug for NimberSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn both(members: &[Nimber]) -> (NimberSet, BTreeSet<Nimber>) {
        (
            members.iter().copied().collect(),
            members.iter().copied().collect(),
        )
    }

    #[test]
    fn a_set_is_what_its_members_are() {
        let lists: &[&[Nimber]] = &[
            &[],
            &[0],
            &[0, 1, 2],
            &[1, 63, 64],
            &[0, 127, 128, 300],
            &[5, 200],
        ];
        for one in lists {
            let (set, model) = both(one);
            assert!(set.iter().eq(model.iter().copied()));
            assert_eq!(set.len(), model.len());
            assert_eq!(set.max(), model.last().copied());
            assert_eq!(
                Some(set.mex()),
                (0..).find(|nimber| !model.contains(nimber))
            );
            assert_eq!(set.shifted_by(3).shifted_by(3), set);
            for most in [0, 1, 63, 64, 128, 299, 300] {
                let mut low = set.clone();
                low.retain_up_to(most);
                assert!(
                    low.iter().eq(model.range(..=most).copied()),
                    "{set:?} to {most}"
                );
            }
            for other in lists {
                let (others, other_model) = both(other);
                assert_eq!(set.is_disjoint(&others), model.is_disjoint(&other_model));
                assert_eq!(set.is_subset(&others), model.is_subset(&other_model));
                let (mut union, mut rest) = (set.clone(), set.clone());
                union.insert_all(&others);
                rest.remove_all(&others);
                assert!(union.iter().eq(model.union(&other_model).copied()));
                assert!(rest.iter().eq(model.difference(&other_model).copied()));
                assert_eq!(rest, model.difference(&other_model).copied().collect());
            }
        }
    }

    #[test]
    fn below_counts_from_zero() {
        for end in [0, 1, 63, 64, 65, 128, 200] {
            assert!(NimberSet::below(end).iter().eq(0..end as Nimber));
        }
    }
}
