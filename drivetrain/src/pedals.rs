//! Command values as the drives use them.

use vehicle_core::lanes::{LANES, W4};

/// Tolerance of commands beyond their range, that of PhysX (–) (ALGORITHMS §4.10). The core has checked the commands.
const TOLERANCE: f32 = 0.01;

/// Values of pedals, 0…1 within the tolerance.
#[inline]
pub(crate) fn pedals(values: [f32; LANES]) -> [f32; LANES] {
    let (least, most) = (W4::splat(-TOLERANCE), W4::splat(1.0 + TOLERANCE));
    let values = W4::from_array(values).max(least);
    // As `min`, which the compiler would split into four where lanes are used one by one.
    values.lt(most).select(values, most).to_array()
}

/// A pedal's value, 0…1 within the tolerance.
#[inline]
pub(crate) fn pedal(value: f32) -> f32 {
    value.clamp(-TOLERANCE, 1.0 + TOLERANCE)
}

/// A steering command's value, −1 (left) … 1 (right) within the tolerance.
pub(crate) fn steer(value: f32) -> f32 {
    value.clamp(-1.0 - TOLERANCE, 1.0 + TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::inside(0.3, 0.3, 0.3)]
    #[case::negative(-0.3, -0.01, -0.3)]
    #[case::tolerated(1.005, 1.005, 1.005)]
    #[case::slightly_negative(-0.005, -0.005, -0.005)]
    #[case::beyond(3.0, 1.01, 1.01)]
    #[case::beyond_to_the_left(-3.0, -0.01, -1.01)]
    fn values_within_the_tolerance_stay(
        #[case] value: f32,
        #[case] as_pedal: f32,
        #[case] as_steer: f32,
    ) {
        assert_eq!((pedal(value), steer(value)), (as_pedal, as_steer));
    }
}
