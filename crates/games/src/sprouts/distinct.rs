//! About how many different lands there were, in four kilobytes.
//!
//! HyperLogLog: P. Flajolet, É. Fusy, O. Gandouet and F. Meunier, 2007. Lands are spread over
//! registers by their hashes; a register keeps the longest run of zeros that one of its hashes ends
//! in, and long runs are rare unless there are many hashes. The error is 1.6 % as a rule. This is
//! for measurements only; nothing depends on it.

/// The count.
#[derive(Clone, Debug, Default)]
pub(super) struct Distinct {
    /// None before the first land.
    registers: Vec<u8>,
}

const BITS: u32 = 12;
const REGISTERS: usize = 1 << BITS;

impl Distinct {
    /// Counts a land by its hash, unless it was counted before.
    #[inline]
    pub(super) fn add(&mut self, hash: u64) {
        if self.registers.is_empty() {
            self.registers = vec![0; REGISTERS];
        }
        let register = &mut self.registers[(hash >> (64 - BITS)) as usize];
        *register = (*register).max(hash.trailing_zeros() as u8 + 1);
    }

    /// About how many different hashes there were.
    pub(super) fn estimate(&self) -> u64 {
        let registers = REGISTERS as f64;
        let empty = self.registers.iter().filter(|&&run| run == 0).count();
        let sum: f64 = self
            .registers
            .iter()
            .map(|&run| 0.5f64.powi(run.into()))
            .sum();
        let estimate = match self.registers.is_empty() {
            true => 0.0,
            false => 0.7213 / (1.0 + 1.079 / registers) * registers * registers / sum,
        };
        // With few lands the empty registers tell more.
        match estimate <= 2.5 * registers && empty > 0 {
            true => (registers * (registers / empty as f64).ln()).round() as u64,
            false => estimate.round() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::recognise::hash_of;
    use super::*;

    #[test]
    fn the_estimate_is_off_by_a_few_percent() {
        let mut distinct = Distinct::default();
        assert_eq!(distinct.estimate(), 0);
        let mut number = 0u64;
        for many in [10, 1_000, 10_000, 100_000, 1_000_000] {
            while number < many {
                for _ in 0..2 {
                    distinct.add(hash_of(&number.to_le_bytes()));
                }
                number += 1;
            }
            let ratio = distinct.estimate() as f64 / many as f64;
            assert!((0.95..1.05).contains(&ratio), "{many}: {ratio}");
        }
    }
}
