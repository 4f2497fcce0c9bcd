//! Which moves to try first: those through which most current flows.
//!
//! Idea: Anshelevich 2002. A player's points are joined by resistors wherever they have a full
//! connection, and a voltage lies between the player's sides. A cell through which much of the
//! current flows, in the network of either player, is worth a stone.
//!
//! This is order, not proof: a mistake here costs time.

/// How many numbers are computed at once.
const LANES: usize = 4;

/// A network between two poles.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    /// How many points there are beside the poles.
    points: usize,
    /// Conductances between points, row by row; the last two columns are those to the poles.
    edges: Vec<f32>,
    /// The equations of the potentials, in rows of whole lanes; memory to reuse.
    equations: Vec<f32>,
    potentials: Vec<f32>,
}

impl Network {
    /// A network without resistors.
    pub(super) fn reset(&mut self, points: usize) {
        self.points = points;
        self.edges.clear();
        self.edges.resize(points * (points + 2), 0.0);
    }

    /// Joins a point with another; the poles come after all points.
    pub(super) fn join(&mut self, a: usize, b: usize, conductance: f32) {
        let width = self.points + 2;
        for (from, to) in [(a, b), (b, a)] {
            if from < self.points {
                self.edges[from * width + to] = conductance;
            }
        }
    }

    /// The current through every point as a share of the whole, which is returned, for a voltage
    /// of 1.
    pub(super) fn currents(&mut self, into: &mut Vec<f32>) -> f32 {
        self.solve();
        let width = self.points + 2;
        into.clear();
        let mut whole = 0.0;
        for point in 0..self.points {
            let edges = &self.edges[point * width..][..width];
            let here = self.potentials[point];
            let flows = edges.iter().zip(self.potentials.iter().chain(&[1.0, 0.0]));
            let through: f32 = flows.map(|(edge, there)| edge * (here - there).abs()).sum();
            into.push(through / 2.0);
            whole += edges[self.points] * (1.0 - here);
        }
        into.iter_mut()
            .for_each(|current| *current /= whole.max(1e-6));
        whole
    }

    /// Finds the potentials by elimination; the equations are positive definite.
    fn solve(&mut self) {
        let n = self.points;
        let width = (n + 1).next_multiple_of(LANES);
        self.equations.clear();
        for point in 0..n {
            let edges = &self.edges[point * (n + 2)..][..n + 2];
            let row = self.equations.len();
            self.equations.extend(edges[..n].iter().map(|edge| -edge));
            self.equations.push(edges[n]);
            self.equations.resize(row + width, 0.0);
            // A point without edges stays at 0.
            self.equations[row + point] = edges.iter().sum::<f32>() + 1e-6;
        }
        for pivot in 0..n {
            let (done, rest) = self.equations.split_at_mut((pivot + 1) * width);
            let from = &done[pivot * width..];
            let scale = 1.0 / from[pivot];
            // Rows are columns: what is left of the diagonal is never looked at.
            for (row, place) in rest.chunks_exact_mut(width).zip(pivot + 1..) {
                let factor = from[place] * scale;
                if factor != 0.0 {
                    let start = place - place % LANES;
                    for (to, from) in row[start..].iter_mut().zip(&from[start..]) {
                        *to -= factor * from;
                    }
                }
            }
        }
        self.potentials.clear();
        self.potentials.resize(n, 0.0);
        for point in (0..n).rev() {
            let row = &self.equations[point * width..][..width];
            let known = row[point + 1..n].iter().zip(&self.potentials[point + 1..]);
            let sum: f32 = known.map(|(factor, potential)| factor * potential).sum();
            self.potentials[point] = (row[n] - sum) / row[point];
        }
    }
}
