//! Small linear systems, by Gaussian elimination.

use crate::contracts::shafts::Shafts;

/// Largest number of rows.
pub(super) const ROWS: usize = Shafts::MAX_ROWS;

/// A value per row.
pub(super) type Vector = [f64; ROWS];

/// Coefficients per pair of rows.
pub(super) type Matrix = [Vector; ROWS];

/// Solves `matrix·x = right` for the `free` unknowns among the first `count`; the others are 0.
pub(super) fn solve(matrix: &Matrix, right: &Vector, free: &[bool; ROWS], count: usize) -> Vector {
    let (mut own, mut rest, mut x) = (*matrix, *right, [0.0; ROWS]);
    let mut order = [0; ROWS];
    let mut unknowns = 0;
    for k in (0..count).filter(|&k| free[k]) {
        order[unknowns] = k;
        unknowns += 1;
    }
    let columns = order;
    for n in 0..unknowns {
        let size = |k: usize| own[k][columns[n]].abs();
        let pivot = (n..unknowns).fold(n, |best, k| {
            if size(order[k]) > size(order[best]) {
                k
            } else {
                best
            }
        });
        order.swap(n, pivot);
        let (row, column) = (order[n], columns[n]);
        if own[row][column] == 0.0 {
            continue;
        }
        for &below in &order[n + 1..unknowns] {
            let factor = own[below][column] / own[row][column];
            for &c in &columns[n..unknowns] {
                own[below][c] -= factor * own[row][c];
            }
            rest[below] -= factor * rest[row];
        }
    }
    for n in (0..unknowns).rev() {
        let (row, column) = (order[n], columns[n]);
        let later = columns[n + 1..unknowns].iter();
        let known: f64 = later.map(|&c| own[row][c] * x[c]).sum();
        x[column] = if own[row][column] == 0.0 {
            0.0
        } else {
            (rest[row] - known) / own[row][column]
        };
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Free unknowns fulfill their equations, and the others are 0.
        #[test]
        fn free_unknowns_fulfill_their_equations(
            values in prop::collection::vec(-3.0_f64..3.0, 16),
            right in prop::collection::vec(-10.0_f64..10.0, 4),
            free in prop::collection::vec(any::<bool>(), 4),
        ) {
            let (mut matrix, mut b, mut is_free) = ([[0.0; ROWS]; ROWS], [0.0; ROWS], [false; ROWS]);
            for k in 0..4 {
                for j in 0..4 {
                    matrix[k][j] = values[4 * k + j];
                }
                matrix[k][k] += 10.0;
                (b[k], is_free[k]) = (right[k], free[k]);
            }
            let x = solve(&matrix, &b, &is_free, 4);
            for k in 0..4 {
                let sum: f64 = (0..4).map(|j| matrix[k][j] * x[j]).sum();
                let rest = if is_free[k] { sum - b[k] } else { x[k] };
                prop_assert!(rest.abs() < 1e-9, "{k} {rest}");
            }
        }
    }
}
