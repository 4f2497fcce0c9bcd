//! A move, played in all positions of a row at once.
//!
//! A bit of a row stands for a set of white stones. What a move asks of them is that some squares
//! are as it wants them, and what it does to them is to turn some of these squares round. So it
//! takes the positions of certain words, picks the same bits of each, shifts these by the same
//! distance, and leaves them in a word at the same distance: 64 positions in a few operations.

use super::permutation::LOW;

/// What a move does to the white stones, in every position of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// The digits of a word's number that matter, and what they must be before the move.
    care: usize,
    want: usize,
    /// Those that the move turns round.
    flip: usize,
    /// The bits of a word from which, and to which, the move leads.
    before: u64,
    after: u64,
    /// How far up, and how far down, they move; one of the two is 0.
    up: u32,
    down: u32,
}

impl Shift {
    /// The move that needs the squares `care` to be as in `want` and turns `flip` round, which
    /// are among them.
    pub(super) fn new(care: u32, want: u32, flip: u32) -> Self {
        debug_assert!(want & !care == 0 && flip & !care == 0);
        const WORD: u32 = (1 << LOW) - 1;
        let bits = |want: u32| {
            let fits = |bit: &u32| bit & care & WORD == want & WORD;
            (0..64).filter(fits).fold(0, |set, bit| set | 1 << bit)
        };
        let low = |set: u32| set & flip & WORD;
        Self {
            care: (care >> LOW) as usize,
            want: (want >> LOW) as usize,
            flip: (flip >> LOW) as usize,
            before: bits(want),
            after: bits(want ^ flip),
            up: low(want ^ flip).saturating_sub(low(want)),
            down: low(want).saturating_sub(low(want ^ flip)),
        }
    }

    /// Calls `visit` with the first word before the move, the first one after, and how many
    /// follow each.
    #[inline(always)]
    fn runs(&self, words: usize, mut visit: impl FnMut(usize, usize, usize)) {
        let length = match self.care {
            0 => words,
            care => 1 << care.trailing_zeros(),
        };
        // Counts through the numbers that have nothing but free digits.
        let free = (words - 1) & !self.care & !(length - 1);
        let mut number: usize = 0;
        loop {
            let before = number | self.want;
            visit(before, before ^ self.flip, length);
            number = number.wrapping_sub(free) & free;
            if number == 0 {
                return;
            }
        }
    }

    /// Adds the positions after the move.
    #[inline]
    pub(super) fn play(&self, before: &[u64], into: &mut [u64]) {
        self.runs(before.len(), |from, to, length| {
            let pairs = before[from..][..length]
                .iter()
                .zip(&mut into[to..][..length]);
            for (&before, into) in pairs {
                *into |= (before & self.before) << self.up >> self.down;
            }
        });
    }

    /// Adds the positions before the move after which the opponent does not win.
    #[inline]
    pub(super) fn add_wins(&self, opponent_wins: &[u64], into: &mut [u64]) {
        self.runs(into.len(), |to, from, length| {
            let pairs = opponent_wins[from..][..length]
                .iter()
                .zip(&mut into[to..][..length]);
            for (&wins, into) in pairs {
                *into |= (!wins & self.after) << self.down >> self.up;
            }
        });
    }

    /// Adds the positions in which the move is legal.
    #[inline]
    pub(super) fn add_legal(&self, into: &mut [u64]) {
        self.runs(into.len(), |from, _, length| {
            for into in &mut into[from..][..length] {
                *into |= self.before;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_game::indexed::{get, ones, set};

    #[test]
    fn a_row_moves_as_its_positions_would() {
        let words = 1 << 4;
        let row: Vec<u64> = (1..=words as u64)
            .map(|word| {
                word.wrapping_mul(0xd134_2543_de82_ef95)
                    .rotate_right(word as u32)
            })
            .collect();
        // Taken stones, and a stone that moves past squares that have to be empty; in words,
        // across words, and both.
        for (care, want, flip) in [
            (0b1, 0b1, 0b1),
            (0b100_1000000, 0b100_1000000, 0b100_1000000),
            (0b101000, 0b101000, 0b101000),
            (0b110, 0b010, 0b110),
            (0b110, 0b100, 0b110),
            (0b1_000001, 0b1, 0b1_000001),
            (0b1_000001, 0b1_000000, 0b1_000001),
            (0b1010_101010, 0b1000_000000, 0b1000_000010),
        ] {
            let shift = Shift::new(care, want, flip);
            let legal = |bit: usize| bit as u32 & care == want;
            let after = |bit: usize| bit ^ flip as usize;
            let mut played = vec![0; words];
            for bit in ones(&row).filter(|&bit| legal(bit)) {
                set(&mut played, after(bit));
            }
            let mut found = vec![0; words];
            shift.play(&row, &mut found);
            assert_eq!(found, played, "{care:b} {want:b} {flip:b}");

            let (mut wins, mut legals) = (vec![0; words], vec![0; words]);
            for bit in (0..words * 64).filter(|&bit| legal(bit)) {
                set(&mut legals, bit);
                if !get(&row, after(bit)) {
                    set(&mut wins, bit);
                }
            }
            let mut found = vec![0; words];
            shift.add_wins(&row, &mut found);
            assert_eq!(found, wins, "{care:b} {want:b} {flip:b}");
            let mut found = vec![0; words];
            shift.add_legal(&mut found);
            assert_eq!(found, legals, "{care:b} {want:b} {flip:b}");
        }
    }
}
