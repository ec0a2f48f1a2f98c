//! Rule by which a body falls asleep: PhysX's, from `updateWakeCounter` of its solver.

use glam::Vec3;

/// Time that a body stays awake after being woken (`s`) (PhysX's default wake counter).
pub(crate) const WAKE_TIME: f32 = 0.4;

/// The wake counter of one body.
///
/// It runs down while the body hardly moves; at 0 the body falls asleep. In its second half the
/// velocities of the steps are summed, so that jitter around zero cancels out; a sum with more
/// energy per mass than the threshold restarts it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Sleep {
    counter: f32,
    /// Sum of linear velocities since the last reset (`m/s`, world).
    linear: Vec3,
    /// Sum of angular velocities since the last reset (`rad/s`, principal axes).
    angular: Vec3,
    pub(crate) asleep: bool,
}

impl Sleep {
    pub(crate) const fn awake() -> Self {
        Self {
            counter: WAKE_TIME,
            linear: Vec3::ZERO,
            angular: Vec3::ZERO,
            asleep: false,
        }
    }

    /// Whether counter and sums are finite.
    #[cfg(feature = "serde")]
    pub(crate) fn is_finite(&self) -> bool {
        self.counter.is_finite() && self.linear.is_finite() && self.angular.is_finite()
    }

    /// Time left before sleep if nothing moves (`s`).
    pub(crate) const fn counter(&self) -> f32 {
        self.counter
    }

    /// Adds the velocities of one step of `dt` [s]: linear (`m/s`), angular [rad/s, principal axes];
    /// `gyration` is inertia over mass (`m²`, principal axes), `threshold` an energy per mass
    /// (`J/kg`), 0 for never.
    pub(crate) fn update(
        &mut self,
        linear: Vec3,
        angular: Vec3,
        gyration: Vec3,
        threshold: f32,
        dt: f32,
    ) {
        if threshold <= 0.0 {
            return;
        }
        if self.counter < 0.5 * WAKE_TIME || self.counter < dt {
            self.linear += linear;
            self.angular += angular;
            let spin = self.angular * self.angular;
            let energy = 0.5 * (self.linear.dot(self.linear) + spin.dot(gyration));
            if energy >= threshold {
                self.linear = Vec3::ZERO;
                self.angular = Vec3::ZERO;
                self.counter = (energy / threshold).min(2.0) * 0.5 * WAKE_TIME;
                return;
            }
        }
        self.counter = (self.counter - dt).max(0.0);
        self.asleep = self.counter == 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    /// Steps until sleep at a constant speed, at most 1000.
    fn steps(speed: f32, threshold: f32, dt: f32) -> Option<usize> {
        let mut sleep = Sleep::awake();
        (1..=1000).find(|_| {
            sleep.update(Vec3::X * speed, Vec3::ZERO, Vec3::ONE, threshold, dt);
            sleep.asleep
        })
    }

    #[rstest]
    #[case::still(0.0, 0.005, 0.1, Some(4))]
    #[case::slow(1e-3, 0.005, 0.0125, Some(32))]
    #[case::sums_reach_the_threshold(0.05, 0.005, 0.0125, None)]
    #[case::fast(1.0, 0.005, 0.0125, None)]
    #[case::never(0.0, 0.0, 0.1, None)]
    #[case::one_long_step(0.0, 0.005, 1.0, Some(1))]
    fn times_to_sleep(
        #[case] speed: f32,
        #[case] threshold: f32,
        #[case] dt: f32,
        #[case] expected: Option<usize>,
    ) {
        // Rounding of the counter may cost one step more.
        let (least, found) = (expected, steps(speed, threshold, dt));
        assert!(found == least || found == least.map(|n| n + 1), "{found:?}");
    }

    #[test]
    fn a_jitter_cancels_out() {
        let mut sleep = Sleep::awake();
        for i in 0..40 {
            let speed = if i % 2 == 0 { 0.09 } else { -0.09 };
            sleep.update(Vec3::X * speed, Vec3::ZERO, Vec3::ONE, 0.005, 0.0125);
        }
        assert!(sleep.asleep);
    }

    #[test]
    fn energy_sets_the_counter_in_proportion() {
        let mut sleep = Sleep::awake();
        sleep.update(Vec3::ZERO, Vec3::ZERO, Vec3::ONE, 0.005, 0.25);
        // ½·0.12² = 0.0072 = 1.44 thresholds.
        sleep.update(Vec3::X * 0.12, Vec3::ZERO, Vec3::ONE, 0.005, 0.25);
        assert!((sleep.counter() - 1.44 * 0.2).abs() < 1e-6);
    }
}
