//! Torque split between shafts at different speeds.

/// Whether all spins have the same direction and none is zero.
pub(super) fn same_way(spins: &[f32]) -> bool {
    spins.iter().all(|&spin| spin > 0.0) || spins.iter().all(|&spin| spin < 0.0)
}

/// Spins of two axles as differentials compare them: a wheel that is off counts with the spin of
/// the other wheel of its axle, and an axle that is off with that of the other axle.
pub(super) fn turning(spins: [f32; 4], off: [bool; 4]) -> [f32; 4] {
    let [a, b, c, d] = core::array::from_fn(|n| {
        let mate = n ^ 1;
        spins[if off[n] && !off[mate] { mate } else { n }]
    });
    match off {
        [true, true, ..] => [c, d, c, d],
        [.., true, true] => [a, b, a, b],
        _ => [a, b, c, d],
    }
}

/// Speed below which a smooth differential is hardly limited (`rad/s`): its shares follow the spins a substep late; limited,
/// wheels that keep a car in gear at rest would swing against each other.
pub(super) const CREEP: f32 = 1.0;

/// Excess of the faster of two shafts over `bias` times the slower one, over its speed: −1…1, positive if the first is faster.
/// Speeds ≥ 0 (`rad/s`); below `creep` it fades with the square of the faster one.
pub(super) fn excess(first: f32, second: f32, bias: f32, creep: f32) -> f32 {
    let (fast, slow) = (first.max(second), first.min(second));
    let excess = (fast - bias * slow).max(0.0) / (fast + creep * creep / fast);
    if first >= second { excess } else { -excess }
}

/// Shares of two shafts: `split` for the first without excess, otherwise less for the faster one.
/// They sum to 1.
pub(super) fn shared(split: f32, excess: f32) -> (f32, f32) {
    let (a, b) = (split * (1.0 - excess), (1.0 - split) * (1.0 + excess));
    let sum = a + b;
    if sum > 0.0 {
        (a / sum, b / sum)
    } else {
        (split, 1.0 - split)
    }
}

/// 1 if a `torque` drives shafts that turn this way, −1 if it slows them down. The friction of a differential slows the faster
/// shaft down in either case: a torque that drives leaves it a smaller share, one that brakes a greater one.
pub(super) fn power_sign(torque: f32, way: f32) -> f32 {
    if torque * way < 0.0 { -1.0 } else { 1.0 }
}

/// Takes from the `shares` of shafts with these spins (`rad/s`) that turn faster than `bias` times
/// the mean of the others, and gives to the slower ones, or reversely if the `torque` brakes; the sum stays. Two shafts
/// that turn in the same direction share as by [`shared`]; the more they turn in opposite directions, the less they
/// are limited, which avoids jumps. Shafts without a spin are off: they are not compared, and their
/// shares stay.
pub(super) fn limit(shares: &mut [f32], spins: &[Option<f32>], bias: f32, torque: f32) {
    let turning = || spins.iter().flatten();
    let count = turning().count();
    if count < 2 {
        return;
    }
    let (sum, magnitudes) = turning().fold((0.0, 0.0), |(s, m), spin| (s + spin, m + spin.abs()));
    let before = of_turning(shares, spins);
    let forward = |spin: f32| (spin * f32::signum(sum)).max(0.0);
    let all: f32 = turning().map(|&spin| forward(spin)).sum();
    let together = if magnitudes > 0.0 {
        sum.abs() / magnitudes
    } else {
        0.0
    };
    let others = (count - 1) as f32;
    let together = together * power_sign(torque, sum);
    for (share, spin) in shares.iter_mut().zip(spins) {
        let Some(spin) = *spin else { continue };
        let own = forward(spin);
        let excess = excess(own, (all - own).max(0.0) / others, bias, CREEP);
        // Rounding could give zero.
        *share *= (1.0 - together * excess).max(f32::EPSILON);
    }
    let after = of_turning(shares, spins);
    if after > 0.0 {
        for (share, _) in shares.iter_mut().zip(spins).filter(|(_, s)| s.is_some()) {
            *share *= before / after;
        }
    }
}

/// Sum of the shares of shafts that are on.
fn of_turning(shares: &[f32], spins: &[Option<f32>]) -> f32 {
    let on = shares.iter().zip(spins).filter(|(_, spin)| spin.is_some());
    on.map(|(share, _)| share).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rstest::rstest;

    /// A differential is still open at `bias`; beyond it, the faster wheel loses the excess.
    #[rstest]
    #[case::at_the_bias(12.0, 8.0, 0.0)]
    #[case::beyond(16.0, 8.0, 0.25)]
    #[case::standing(8.0, 0.0, 1.0)]
    #[case::second(8.0, 16.0, -0.25)]
    fn the_excess_is_what_exceeds_the_bias(
        #[case] first: f32,
        #[case] second: f32,
        #[case] found: f32,
    ) {
        assert_eq!(excess(first, second, 1.5, 0.0), found);
        let damped = excess(first, second, 1.5, 2.0);
        let faster = first.max(second);
        let square = faster * faster;
        assert_relative_eq!(damped, found * square / (square + 4.0));
        let (a, b) = shared(0.25, found);
        assert_relative_eq!(a / b, (1.0 - found) / (3.0 * (1.0 + found)));
        assert_relative_eq!(a + b, 1.0);
    }

    /// Two shafts that turn in the same direction share as in a differential of two.
    #[test]
    fn a_limit_of_two_shafts_is_that_of_a_differential() {
        for (spins, split) in [
            ([20.0, 8.0], 0.5),
            ([8.0, 20.0], 0.3),
            ([-30.0, -10.0], 0.7),
        ] {
            let mut shares = [split, 1.0 - split];
            limit(&mut shares, &spins.map(Some), 1.3, spins[0]);
            let [first, second] = spins.map(f32::abs);
            let (a, b) = shared(split, excess(first, second, 1.3, CREEP));
            assert_relative_eq!(shares[0], a, max_relative = 1e-5);
            assert_relative_eq!(shares[1], b, max_relative = 1e-5);
        }
    }

    /// Shafts that turn in opposite directions are limited in proportion to the sum of their spins:
    /// here by a third.
    #[test]
    fn shafts_that_turn_in_opposite_directions_are_limited_less() {
        let mut shares = [0.3, 0.3, 0.4];
        limit(&mut shares, &[Some(20.0), Some(-10.0), None], 1.3, 1.0);
        let third = 400.0 / 401.0 / 3.0;
        let (fast, slow) = (1.0 - third, 1.0 + third);
        assert_relative_eq!(shares[0] / shares[1], fast / slow, max_relative = 1e-5);
        assert_relative_eq!(shares[0] + shares[1], 0.6, max_relative = 1e-6);
        assert_eq!(shares[2], 0.4);
    }

    /// Each shaft is compared with the mean of the others.
    #[test]
    fn one_of_three_is_compared_with_the_mean_of_both_others() {
        let mut shares = [0.2, 0.5, 0.3];
        limit(&mut shares, &[Some(30.0), Some(10.0), Some(5.0)], 1.5, 1.0);
        let beyond = |own: f32, mean: f32| {
            let fast = own.max(mean);
            let excess = (fast - 1.5 * own.min(mean)).max(0.0) * fast / (fast * fast + 1.0);
            if own > mean {
                1.0 - excess
            } else {
                1.0 + excess
            }
        };
        let expected = [
            0.2 * beyond(30.0, 7.5),
            0.5 * beyond(10.0, 17.5),
            0.3 * beyond(5.0, 20.0),
        ];
        let sum: f32 = expected.iter().sum();
        for (found, expected) in shares.into_iter().zip(expected) {
            assert_relative_eq!(found, expected / sum, max_relative = 1e-5);
        }
    }

    #[test]
    fn shafts_without_a_share_get_none() {
        let mut shares = [0.0, 0.0, 1.0];
        limit(&mut shares, &[Some(30.0), Some(10.0), None], 1.3, 1.0);
        assert_eq!(shares, [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_single_shaft_keeps_its_share() {
        let mut shares = [0.3, 0.7];
        limit(&mut shares, &[Some(30.0), None], 1.3, 1.0);
        assert_eq!(shares, [0.3, 0.7]);
    }

    #[test]
    fn shares_of_nothing_are_the_split() {
        assert_eq!(shared(1.0, 1.0), (1.0, 0.0));
        assert_eq!(shared(0.0, -1.0), (0.0, 1.0));
    }

    #[rstest]
    #[case::on([false; 4], [1.0, 2.0, 3.0, 4.0])]
    #[case::first([true, false, false, false], [2.0, 2.0, 3.0, 4.0])]
    #[case::last([false, false, false, true], [1.0, 2.0, 3.0, 3.0])]
    #[case::one_of_each([false, true, true, false], [1.0, 1.0, 4.0, 4.0])]
    #[case::front([true, true, false, false], [3.0, 4.0, 3.0, 4.0])]
    #[case::rear([false, false, true, true], [1.0, 2.0, 1.0, 2.0])]
    fn spins_of_wheels_that_are_off(#[case] off: [bool; 4], #[case] expected: [f32; 4]) {
        assert_eq!(turning([1.0, 2.0, 3.0, 4.0], off), expected);
    }

    #[rstest]
    #[case(&[1.0, 2.0], true)]
    #[case(&[-1.0, -2.0], true)]
    #[case(&[1.0, -2.0], false)]
    #[case(&[0.0, 2.0], false)]
    #[case(&[0.0, -2.0], false)]
    fn a_standing_shaft_does_not_turn_the_same_way(#[case] spins: &[f32], #[case] expected: bool) {
        assert_eq!(same_way(spins), expected);
    }
}
