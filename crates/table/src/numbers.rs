//! Proof and disproof numbers.

/// How much is still to be shown, at the least, to prove and to disprove that the player to
/// move wins (Allis 1994). Both are estimates until one of them is 0; then the other is
/// infinite, and the outcome is a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbers {
    /// Left to prove a win.
    pub proof: u64,
    /// Left to prove a loss.
    pub disproof: u64,
}

/// Of what there can never be enough.
pub const INFINITY: u64 = (1 << 48) - 1;

/// The greatest number of something unsolved: sums stop here.
pub const LARGEST: u64 = INFINITY - 1;

impl Numbers {
    /// The player to move wins.
    pub const WIN: Self = Self {
        proof: 0,
        disproof: INFINITY,
    };

    /// The player to move loses.
    pub const LOSS: Self = Self {
        proof: INFINITY,
        disproof: 0,
    };

    /// One leaf either way.
    pub const UNIT: Self = Self {
        proof: 1,
        disproof: 1,
    };

    /// Numbers of something unsolved, kept between 1 and [`LARGEST`].
    #[inline]
    pub fn open(proof: u64, disproof: u64) -> Self {
        Self {
            proof: proof.clamp(1, LARGEST),
            disproof: disproof.clamp(1, LARGEST),
        }
    }

    /// Whether the outcome is known.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Whether the player to move is known to win.
    #[inline]
    pub fn is_win(self) -> bool {
        self.proof == 0
    }

    /// Whether the player to move is known to lose.
    #[inline]
    pub fn is_loss(self) -> bool {
        self.disproof == 0
    }

    /// The greater numbers of both.
    #[inline]
    #[must_use]
    pub fn at_least(self, other: Self) -> Self {
        Self {
            proof: self.proof.max(other.proof),
            disproof: self.disproof.max(other.disproof),
        }
    }

    /// The lesser of the two: what it takes to find out which outcome it is.
    #[inline]
    pub fn either(self) -> u64 {
        self.proof.min(self.disproof)
    }
}

/// The sum of two numbers; infinite if one of them is, and not otherwise.
#[inline]
pub fn add(one: u64, other: u64) -> u64 {
    if one == INFINITY || other == INFINITY {
        INFINITY
    } else {
        (one + other).min(LARGEST)
    }
}
