//! Sums that a memory keeps in two numbers: one of single precision would lose the small parts of a substep.

/// A sum as two numbers, the second of which is what the first lacks.
pub(crate) fn halves(sum: f64) -> [f32; 2] {
    let high = sum as f32;
    [high, (sum - f64::from(high)) as f32]
}

/// The sum of two such numbers.
pub(crate) fn whole(halves: [f32; 2]) -> f64 {
    halves.map(f64::from).iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A day of substeps adds up to 10⁻⁹ of the sum.
    #[test]
    fn small_parts_are_not_lost() {
        let mut halved = [0.0; 2];
        for _ in 0..5_184_000 {
            halved = halves(whole(halved) + 1e-6);
        }
        assert!((whole(halved) / 5.184 - 1.0).abs() < 1e-9, "{halved:?}");
    }
}
