//! Logistic regression by Newton's method.
//!
//! The logit of a win is a weighted sum of features and a constant. The weights make what was
//! seen most likely; a small penalty on their squares keeps them finite where the features tell
//! everything. Sums run in a fixed order, so that the same examples give the same weights.

/// Positions by their features, and which of them are wins.
#[derive(Debug, Default)]
pub(super) struct Examples {
    /// The features of one example after the other.
    pub(super) features: Vec<f64>,
    /// Whether an example is a win.
    pub(super) wins: Vec<bool>,
    /// How many features an example has.
    pub(super) width: usize,
}

impl Examples {
    /// Every example from one index to another: its features, and whether it is a win.
    pub(super) fn range(
        &self,
        range: std::ops::Range<usize>,
    ) -> impl Iterator<Item = (&[f64], bool)> {
        range.map(|index| {
            let features = &self.features[index * self.width..][..self.width];
            (features, self.wins[index])
        })
    }

    pub(super) fn len(&self) -> usize {
        self.wins.len()
    }
}

/// Newton's method doubles the right digits with each step: far more than enough.
const STEPS: usize = 25;

/// What a weight of 1 costs, in examples.
const PENALTY: f64 = 1.0;

/// The weight of every feature, and the constant, for the first `count` examples.
pub(super) fn fit(examples: &Examples, count: usize) -> Vec<f64> {
    let size = examples.width + 1;
    let mut weights = vec![0.0; size];
    let mut row = vec![1.0; size];
    for _ in 0..STEPS {
        // The equations of a step: the matrix, and the right side as the last column.
        let mut equations = vec![vec![0.0; size + 1]; size];
        for (index, weight) in weights.iter().enumerate().take(size - 1) {
            equations[index][index] = PENALTY;
            equations[index][size] = -PENALTY * weight;
        }
        for (features, win) in examples.range(0..count) {
            row[..size - 1].copy_from_slice(features);
            let chance = 1.0 / (1.0 + (-logit(&weights, features)).exp());
            let (error, slope) = (f64::from(win) - chance, chance * (1.0 - chance));
            for (equation, &value) in equations.iter_mut().zip(&row) {
                for (entry, &other) in equation.iter_mut().zip(&row) {
                    *entry += slope * value * other;
                }
                equation[size] += error * value;
            }
        }
        for (weight, step) in weights.iter_mut().zip(solve(equations)) {
            *weight += step;
        }
    }
    weights
}

/// The logit that weights, the constant last, give to an example.
pub(super) fn logit(weights: &[f64], features: &[f64]) -> f64 {
    let constant = weights[features.len()];
    let terms = weights.iter().zip(features);
    terms.fold(constant, |sum, (weight, value)| sum + weight * value)
}

/// Solves linear equations by elimination. A column without an entry gets 0.
fn solve(mut equations: Vec<Vec<f64>>) -> Vec<f64> {
    let size = equations.len();
    for column in 0..size {
        let largest = |row: &usize| equations[*row][column].abs();
        let pivot = (column..size).max_by(|a, b| largest(a).total_cmp(&largest(b)));
        equations.swap(column, pivot.expect("there is a row left"));
        let row = equations[column].clone();
        if row[column] == 0.0 {
            continue;
        }
        for (index, other) in equations.iter_mut().enumerate() {
            let factor = other[column] / row[column];
            if index != column && factor != 0.0 {
                for (entry, value) in other.iter_mut().zip(&row) {
                    *entry -= factor * value;
                }
            }
        }
    }
    let unknown = |(index, row): (usize, &Vec<f64>)| match row[index] {
        0.0 => 0.0,
        divisor => row[size] / divisor,
    };
    equations.iter().enumerate().map(unknown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_a_table_of_four_are_its_log_odds() {
        // With x = 0, one of four wins; with x = 1, three of four: logits -ln 3 and ln 3.
        let mut examples = Examples {
            width: 1,
            ..Examples::default()
        };
        for index in 0..4000 {
            let x = index % 2;
            examples.features.push(f64::from(x));
            examples.wins.push(index / 2 % 4 < 1 + 2 * x);
        }
        let weights = fit(&examples, 4000);
        let three = 3.0_f64.ln();
        assert!((weights[0] - 2.0 * three).abs() < 0.02, "{weights:?}");
        assert!((weights[1] + three).abs() < 0.02, "{weights:?}");
    }

    #[test]
    fn features_that_tell_everything_or_nothing_do_no_harm() {
        let examples = Examples {
            features: vec![0.0, 7.0, 1.0, 7.0, 0.0, 7.0, 1.0, 7.0],
            wins: vec![false, true, false, true],
            width: 2,
        };
        let weights = fit(&examples, 4);
        assert!(weights.iter().all(|weight| weight.is_finite()));
        for (features, win) in examples.range(0..4) {
            assert_eq!(logit(&weights, features) > 0.0, win);
        }
    }
}
