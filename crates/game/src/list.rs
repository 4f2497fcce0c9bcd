//! A reusable list with an end: what a game fills with moves or children.
//!
//! Some legal positions have more children than any machine can hold (a Sprouts region with
//! forty different boundaries has 2^39 ways to be split). A `List` takes what is pushed up to
//! its limit, then only remembers that there was more. Nobody can overlook that: searches see
//! the list through [`Game::expand`](crate::Game::expand), which answers
//! [`Expansion::TooMany`](crate::Expansion::TooMany).

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A list that is filled, read, cleared and filled again without allocating anew.
#[derive(Clone, Debug)]
pub struct List<T> {
    items: Vec<T>,
    limit: usize,
    overflowed: bool,
}

impl<T> List<T> {
    /// As many moves or children as a position may have; far beyond what a search could use.
    pub const LIMIT: usize = 1 << 20;

    /// An empty list with the usual limit.
    pub fn new() -> Self {
        Self::with_limit(Self::LIMIT)
    }

    /// An empty list that holds at most `limit` items.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            items: Vec::new(),
            limit,
            overflowed: false,
        }
    }

    /// Makes the list empty and keeps its memory.
    pub fn clear(&mut self) {
        self.items.clear();
        self.overflowed = false;
    }

    /// Adds an item; one too many is dropped, and [`overflowed`](Self::overflowed) says so.
    pub fn push(&mut self, item: T) {
        if self.items.len() < self.limit {
            self.items.push(item);
        } else {
            self.overflowed = true;
        }
    }

    /// Whether an item was dropped. A generator whose loops may be astronomically long asks
    /// this and gives up; others need not care.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Says that there was more than is listed, as if one item too many had been pushed.
    pub fn overflow(&mut self) {
        self.overflowed = true;
    }

    /// Takes all items out.
    pub fn drain(&mut self) -> impl Iterator<Item = T> {
        self.items.drain(..)
    }

    /// Drops everything from index `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// The items, and whether they are all.
    pub fn into_result(self) -> Result<Vec<T>, TooMany> {
        if self.overflowed {
            Err(TooMany { limit: self.limit })
        } else {
            Ok(self.items)
        }
    }
}

impl<T: Ord> List<T> {
    /// Sorts the items and keeps one of each.
    pub fn sort_and_dedup(&mut self) {
        self.items.sort_unstable();
        self.items.dedup();
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

/// A position has more moves than a [`List`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    limit: usize,
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the position has more than {} moves", self.limit)
    }
}

impl std::error::Error for TooMany {}
