//! Split of a torque between motors by shares and limits.

use super::PerMotor;

/// Splits `total` between motors by their `shares` of 1, each up to its limit; motors with torque to spare take over the rest, in
/// proportion to it. All torques are at the wheels (`N·m`) and ≥ 0.
pub(super) fn split(total: f32, shares: &PerMotor, limits: &PerMotor) -> PerMotor {
    let mut torques: PerMotor = core::array::from_fn(|n| (total * shares[n]).min(limits[n]));
    let given: f32 = torques.iter().sum();
    let spare: f32 = limits.iter().sum::<f32>() - given;
    if spare > 0.0 {
        let part = ((total - given) / spare).clamp(0.0, 1.0);
        for (torque, limit) in torques.iter_mut().zip(limits) {
            *torque += part * (limit - *torque);
        }
    }
    torques
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::by_shares(1000.0, [0.25, 0.75], [2000.0, 2000.0], [250.0, 750.0])]
    #[case::one_at_its_limit(1000.0, [0.0, 1.0], [2000.0, 600.0], [400.0, 600.0])]
    #[case::all_of_both(2600.0, [0.0, 1.0], [2000.0, 600.0], [2000.0, 600.0])]
    #[case::more_than_there_is(9000.0, [0.5, 0.5], [2000.0, 600.0], [2000.0, 600.0])]
    #[case::none(0.0, [0.5, 0.5], [2000.0, 600.0], [0.0, 0.0])]
    fn motors_share_a_torque(
        #[case] total: f32,
        #[case] shares: [f32; 2],
        #[case] limits: [f32; 2],
        #[case] expected: [f32; 2],
    ) {
        let all = |two: [f32; 2]| core::array::from_fn(|n| two.get(n).copied().unwrap_or(0.0));
        assert_eq!(split(total, &all(shares), &all(limits)), all(expected));
    }
}
