//! Symmetries of whole rows of bits.
//!
//! A bit of a row stands for a set of white stones: the number of the bit is the set. A symmetry
//! sends each square to another, so it permutes the digits of that number, and the bits of the
//! row accordingly. Where the six lowest digits are permuted among themselves, so are the 64
//! bits of every word, by a few exchanges that all words share; and the words change places.

/// A permutation of the bits of a row.
#[derive(Debug)]
pub(super) struct Permutation {
    /// Where each digit goes.
    images: Vec<usize>,
    way: Way,
}

#[derive(Debug)]
enum Way {
    /// Nothing moves.
    Identity,
    /// Whole words move, and bits within all words alike.
    Words { places: Vec<u32>, swaps: Vec<Swap> },
    /// Every bit moves on its own: for small boards on which no six squares keep together.
    Bits,
}

/// Exchanges two digits of the number of every bit of a word.
#[derive(Clone, Copy, Debug)]
struct Swap {
    /// Bits that have the first digit and not the second.
    first: u64,
    /// How far away their partners are.
    distance: u32,
}

impl Swap {
    fn new(low: usize, high: usize) -> Self {
        let first = (0..64).filter(|bit| bit >> low & 1 == 1 && bit >> high & 1 == 0);
        Self {
            first: first.fold(0, |set, bit| set | 1 << bit),
            distance: (1 << high) - (1 << low),
        }
    }

    #[inline]
    fn apply(self, words: &mut [u64]) {
        for word in words {
            let unlike = (*word >> self.distance ^ *word) & self.first;
            *word ^= unlike | unlike << self.distance;
        }
    }
}

/// Digits within a word.
pub(super) const LOW: usize = 6;

impl Permutation {
    /// The permutation that sends digit `n` to digit `images[n]`; there are at least six.
    pub(super) fn new(images: Vec<usize>) -> Self {
        let identity = images.iter().enumerate().all(|(from, &to)| from == to);
        let way = if identity {
            Way::Identity
        } else if images[..LOW].iter().all(|&to| to < LOW) {
            let words = 0..1 << (images.len() - LOW);
            Way::Words {
                places: words
                    .map(|word: u32| image(&images, word << LOW) >> LOW)
                    .collect(),
                swaps: swaps(&images[..LOW]),
            }
        } else {
            Way::Bits
        };
        Self { images, way }
    }

    /// The image of a single set.
    pub(super) fn image(&self, set: u32) -> u32 {
        image(&self.images, set)
    }

    /// The image of a row.
    pub(super) fn apply(&self, row: &[u64], into: &mut [u64]) {
        match &self.way {
            Way::Identity => into.copy_from_slice(row),
            Way::Words { places, swaps } => {
                for (&word, &place) in row.iter().zip(places) {
                    into[place as usize] = word;
                }
                swaps.iter().for_each(|swap| swap.apply(into));
            }
            Way::Bits => {
                into.fill(0);
                for bit in bouton_game::indexed::ones(row) {
                    bouton_game::indexed::set(into, self.image(bit as u32) as usize);
                }
            }
        }
    }
}

fn image(images: &[usize], mut set: u32) -> u32 {
    let mut result = 0;
    while set != 0 {
        result |= 1 << images[set.trailing_zeros() as usize];
        set &= set - 1;
    }
    result
}

/// Exchanges of digits that bring each digit to its image, one after the other.
fn swaps(images: &[usize]) -> Vec<Swap> {
    // Which digit is now where.
    let mut now: Vec<usize> = (0..images.len()).collect();
    let mut swaps = Vec::new();
    for place in 0..images.len() {
        let wanted = images
            .iter()
            .position(|&to| to == place)
            .expect("a permutation");
        let found = now
            .iter()
            .position(|&digit| digit == wanted)
            .expect("it is somewhere");
        if found != place {
            now.swap(place, found);
            swaps.push(Swap::new(place, found));
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row with no pattern to speak of.
    fn row(words: usize) -> Vec<u64> {
        (1..=words as u64)
            .map(|word| {
                word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(word as u32)
            })
            .collect()
    }

    #[test]
    fn words_move_as_their_bits_would() {
        for images in [
            vec![5, 4, 3, 2, 1, 0, 8, 7, 6],
            vec![1, 2, 0, 4, 5, 3, 7, 8, 6],
            vec![0, 1, 2, 3, 4, 5, 7, 6],
            vec![0, 3, 2, 1, 5, 4],
            vec![6, 1, 2, 3, 4, 5, 0],
        ] {
            let row = row(1 << (images.len() - LOW));
            let mut expected = vec![0; row.len()];
            for bit in bouton_game::indexed::ones(&row) {
                let place = image(&images, bit as u32) as usize;
                bouton_game::indexed::set(&mut expected, place);
            }
            let mut found = vec![0; row.len()];
            Permutation::new(images.clone()).apply(&row, &mut found);
            assert_eq!(found, expected, "{images:?}");
        }
    }
}
