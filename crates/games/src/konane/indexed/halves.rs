//! The board as two halves, the black squares and the white ones, each numbered for itself.
//!
//! A position is a set of black stones and a set of white ones. Symmetries act on both at once;
//! of the images of a set of black stones the least stands for all, and the white stones follow.
//! Sets of black stones are sorted by how many stones they have: this is what levels are made of.

use super::super::board::{Board, squares};
use super::permutation::{LOW, Permutation};

/// The two halves of a board and its symmetries.
#[derive(Debug)]
pub(super) struct Halves {
    /// The square of each black digit.
    pub(super) black: Vec<u8>,
    /// The square of each white digit.
    pub(super) white: Vec<u8>,
    /// The symmetries that keep the colours, the identity first.
    pub(super) symmetries: Vec<Symmetry>,
    /// For every set of black stones the row of its least image, and the symmetry that leads
    /// there: `row << 3 | symmetry`, since there are at most eight.
    images: Vec<u32>,
    /// The least images, for every number of stones.
    least: Vec<Vec<Least>>,
}

/// A symmetry, as it acts on both halves.
#[derive(Debug)]
pub(super) struct Symmetry {
    /// Where each black digit goes.
    black: Vec<usize>,
    /// What happens to rows of sets of white stones.
    pub(super) white: Permutation,
    /// The symmetry that undoes it.
    pub(super) inverse: usize,
}

/// A set of black stones that stands for all its images.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    pub(super) stones: u32,
    /// The symmetries that keep it, as bits.
    pub(super) keeps: u8,
}

/// Where the least image of a set of black stones is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    /// Its number among those with as many stones.
    pub(super) row: usize,
    /// The symmetry that leads there.
    pub(super) symmetry: usize,
}

impl Halves {
    /// The halves of a board; `busy` says how many moves have to do with a white square.
    pub(super) fn new(board: &Board, busy: impl Fn(u8) -> usize) -> Self {
        let images = images_of_squares(board);
        let black: Vec<u8> = squares(board.black).collect();
        let white = number_white(board, &images, busy);
        let symmetries = symmetries(&images, &black, &white);
        let mut halves = Self {
            black,
            white,
            symmetries,
            images: Vec::new(),
            least: Vec::new(),
        };
        halves.sort_black();
        halves
    }

    /// How many digits a set of white stones has; below six there are some without a square,
    /// so that a row is at least a word.
    pub(super) fn digits(&self) -> usize {
        self.white.len().max(LOW)
    }

    /// All black stones.
    pub(super) fn all_black(&self) -> u32 {
        full(self.black.len())
    }

    /// All white stones.
    pub(super) fn all_white(&self) -> u32 {
        full(self.white.len())
    }

    /// The least image of a set of black stones.
    #[inline]
    pub(super) fn image(&self, black: u32) -> Image {
        let found = self.images[black as usize];
        Image {
            row: (found >> 3) as usize,
            symmetry: (found & 7) as usize,
        }
    }

    /// The least images with so many stones.
    #[inline]
    pub(super) fn least(&self, stones: usize) -> &[Least] {
        &self.least[stones]
    }

    /// The two sets of a board's stones.
    pub(super) fn split(&self, stones: u64) -> (u32, u32) {
        (gather(&self.black, stones), gather(&self.white, stones))
    }

    /// The stones of two sets.
    pub(super) fn join(&self, black: u32, white: u32) -> u64 {
        scatter(&self.black, black) | scatter(&self.white, white)
    }

    /// The least of a set's images under some symmetries.
    pub(super) fn least_white(&self, white: u32, symmetries: u8) -> u32 {
        let images = ones(symmetries).map(|symmetry| self.symmetries[symmetry].white.image(white));
        images.fold(white, u32::min)
    }

    fn sort_black(&mut self) {
        let sets = 1usize << self.black.len();
        let mut images = vec![0; sets];
        let mut least = vec![Vec::new(); self.black.len() + 1];
        for stones in 0..sets as u32 {
            let all = self
                .symmetries
                .iter()
                .map(|symmetry| symmetry.black(stones));
            let (first, symmetry) = all.clone().zip(0..).min().expect("the identity");
            if first == stones {
                let keeping = all.zip(0..).filter(|&(image, _)| image == stones);
                let keeps = keeping.fold(0, |set, (_, symmetry)| set | 1 << symmetry);
                let row: &mut Vec<Least> = &mut least[stones.count_ones() as usize];
                images[stones as usize] = (row.len() as u32) << 3;
                row.push(Least { stones, keeps });
            } else {
                // The least image is less, so it has a row already.
                images[stones as usize] = images[first as usize] | symmetry;
            }
        }
        self.images = images;
        self.least = least;
    }
}

impl Symmetry {
    fn black(&self, mut stones: u32) -> u32 {
        let mut image = 0;
        while stones != 0 {
            image |= 1 << self.black[stones.trailing_zeros() as usize];
            stones &= stones - 1;
        }
        image
    }
}

fn full(digits: usize) -> u32 {
    (1 << digits) - 1
}

/// The members of a set of symmetries.
pub(super) fn ones(set: u8) -> impl Iterator<Item = usize> {
    (0..8).filter(move |number| set >> number & 1 == 1)
}

fn gather(half: &[u8], stones: u64) -> u32 {
    let digits = half.iter().zip(0..);
    digits.fold(0, |set, (&square, digit)| {
        set | ((stones >> square & 1) as u32) << digit
    })
}

fn scatter(half: &[u8], set: u32) -> u64 {
    let digits = half.iter().zip(0..);
    digits.fold(0, |stones, (&square, digit)| {
        stones | u64::from(set >> digit & 1) << square
    })
}

/// Where each symmetry sends each square; no two are equal.
fn images_of_squares(board: &Board) -> Vec<Vec<u8>> {
    let by_square: Vec<_> = squares(board.all)
        .map(|square| board.images(1 << square))
        .collect();
    let mut symmetries: Vec<Vec<u8>> = Vec::new();
    for symmetry in 0..by_square[0].len() {
        let images = by_square.iter();
        let images: Vec<_> = images
            .map(|images| images[symmetry].trailing_zeros() as u8)
            .collect();
        if !symmetries.contains(&images) {
            symmetries.push(images);
        }
    }
    symmetries
}

/// The white squares in the order of their digits. The lowest six, if possible, are such that
/// symmetries keep them together, and the busiest of these: moves then mostly shift within words.
/// Next come the least busy ones, so that what else a move does concerns long runs of words.
fn number_white(board: &Board, images: &[Vec<u8>], busy: impl Fn(u8) -> usize) -> Vec<u8> {
    let mut orbits: Vec<Vec<u8>> = Vec::new();
    for square in squares(board.all & !board.black) {
        if orbits.iter().all(|orbit| !orbit.contains(&square)) {
            let mut orbit: Vec<u8> = images.iter().map(|to| to[usize::from(square)]).collect();
            orbit.sort_unstable();
            orbit.dedup();
            orbits.push(orbit);
        }
    }
    orbits.sort_by_key(|orbit| busy(orbit[0]));
    let low = choose(&orbits, &busy);
    let (low, high): (Vec<_>, Vec<_>) = orbits.into_iter().zip(low).partition(|(_, low)| *low);
    low.into_iter()
        .chain(high)
        .flat_map(|(orbit, _)| orbit)
        .collect()
}

/// The orbits with six squares in all that are the busiest; none if there are no such orbits.
fn choose(orbits: &[Vec<u8>], busy: impl Fn(u8) -> usize) -> Vec<bool> {
    // For every number of squares the busiest choice of orbits so far.
    let mut best: [Option<(usize, Vec<bool>)>; LOW + 1] = [const { None }; LOW + 1];
    best[0] = Some((0, vec![false; orbits.len()]));
    for (number, orbit) in orbits.iter().enumerate() {
        for squares in (orbit.len()..=LOW).rev() {
            let Some((work, chosen)) = &best[squares - orbit.len()] else {
                continue;
            };
            let work = work + orbit.len() * busy(orbit[0]);
            if best[squares]
                .as_ref()
                .is_none_or(|(least, _)| work > *least)
            {
                let mut chosen = chosen.clone();
                chosen[number] = true;
                best[squares] = Some((work, chosen));
            }
        }
    }
    let [.., six] = best;
    six.map_or(vec![false; orbits.len()], |(_, chosen)| chosen)
}

fn symmetries(images: &[Vec<u8>], black: &[u8], white: &[u8]) -> Vec<Symmetry> {
    let digits = |half: &[u8], to: &[u8]| -> Vec<usize> {
        let images = half.iter().map(|&square| to[usize::from(square)]);
        images
            .map(|image| half.iter().position(|&square| square == image))
            .map(|digit| digit.expect("colours are kept"))
            .collect()
    };
    let undone = |to: &[u8], back: &[u8]| {
        let mut squares = to.iter().zip(0..);
        squares.all(|(&image, square)| back[usize::from(image)] == square)
    };
    let symmetry = |to: &Vec<u8>| {
        let mut digits_of_rows = digits(white, to);
        digits_of_rows.extend(white.len()..LOW);
        Symmetry {
            black: digits(black, to),
            white: Permutation::new(digits_of_rows),
            inverse: images
                .iter()
                .position(|back| undone(to, back))
                .expect("symmetries can be undone"),
        }
    };
    images.iter().map(symmetry).collect()
}
