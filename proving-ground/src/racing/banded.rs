//! Linear equations of a ring, each of which couples an unknown with the two before and the two after it.

/// Half of the bandwidth once the ring is folded: its two ends lie side by side.
const HALF: usize = 4;

/// A symmetric, positive definite matrix over the unknowns of a ring. In rows, the ring is folded in the middle, 0, n − 1, 1,
/// n − 2 and so on, so that the first and the last unknown are neighbors and the matrix is a band.
#[derive(Clone, Debug)]
pub(super) struct RingMatrix {
    /// Each row up to its diagonal, from there on to the left.
    rows: Vec<[f64; HALF + 1]>,
}

impl RingMatrix {
    pub(super) fn zero(count: usize) -> Self {
        Self {
            rows: vec![[0.0; HALF + 1]; count],
        }
    }

    fn row(&self, unknown: usize) -> usize {
        let count = self.rows.len();
        if 2 * unknown < count {
            2 * unknown
        } else {
            2 * (count - 1 - unknown) + 1
        }
    }

    /// Adds to the element of two unknowns at most two apart on the ring, once for both orders.
    pub(super) fn add(&mut self, one: usize, other: usize, value: f64) {
        let (a, b) = (self.row(one), self.row(other));
        self.rows[a.max(b)][a.abs_diff(b)] += value;
    }

    /// Solution for a right-hand side, by Cholesky's factors.
    pub(super) fn solve(mut self, right: &[f64]) -> Vec<f64> {
        let count = self.rows.len();
        for i in 0..count {
            for back in (0..=HALF.min(i)).rev() {
                let j = i - back;
                let shared = (1..=HALF - back).take_while(|n| *n <= j);
                let products = shared.map(|n| self.rows[i][back + n] * self.rows[j][n]);
                let rest = self.rows[i][back] - products.sum::<f64>();
                self.rows[i][back] = if back == 0 {
                    rest.sqrt()
                } else {
                    rest / self.rows[j][0]
                };
            }
        }
        let mut x = vec![0.0; count];
        for (unknown, value) in right.iter().enumerate() {
            x[self.row(unknown)] = *value;
        }
        for i in 0..count {
            let known = (1..=HALF.min(i)).map(|n| self.rows[i][n] * x[i - n]);
            x[i] = (x[i] - known.sum::<f64>()) / self.rows[i][0];
        }
        for i in (0..count).rev() {
            let known = (1..=HALF.min(count - 1 - i)).map(|n| self.rows[i + n][n] * x[i + n]);
            x[i] = (x[i] - known.sum::<f64>()) / self.rows[i][0];
        }
        (0..count).map(|unknown| x[self.row(unknown)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    /// Element of a matrix whose rows couple neighbors of a ring up to two apart.
    fn element(i: usize, j: usize, count: usize) -> f64 {
        let apart = i.abs_diff(j).min(count - i.abs_diff(j));
        [7.0 + i as f64, -2.0, 0.5]
            .get(apart)
            .copied()
            .unwrap_or(0.0)
    }

    #[rstest]
    fn the_solution_fulfills_the_equations(#[values(5, 8, 9, 50)] count: usize) {
        let mut matrix = RingMatrix::zero(count);
        for i in 0..count {
            for j in 0..=i {
                if element(i, j, count) != 0.0 {
                    matrix.add(i, j, element(i, j, count));
                }
            }
        }
        let right: Vec<f64> = (0..count).map(|n| (n * n % 7) as f64 - 3.0).collect();
        let x = matrix.solve(&right);
        for (i, right) in right.iter().enumerate() {
            let left: f64 = (0..count).map(|j| element(i, j, count) * x[j]).sum();
            assert!((left - right).abs() < 1e-12, "{i}: {left} {right}");
        }
    }
}
