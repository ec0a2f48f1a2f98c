//! Anti-roll bars.

use glam::Vec3;

use crate::lanes::LANES;
use crate::params::AntiRollBar;

/// What a bar sees of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarEnd {
    /// Jounce [m].
    pub jounce: f32,
    /// Whether the wheel carries load.
    pub carrying: bool,
}

/// A bar, prepared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Group and lane of its two wheels.
    wheels: [(usize, usize); 2],
    /// Moment on the chassis per force along each strut's droop [m, vehicle frame].
    arms: [Vec3; 2],
    /// Force per difference of jounce [N/m].
    stiffness: f32,
}

impl Bar {
    /// Prepares a bar; `arm(group, lane)` is the moment on the chassis per force along a wheel's
    /// droop [m, vehicle frame].
    #[must_use]
    pub fn new(bar: &AntiRollBar, arm: impl Fn(usize, usize) -> Vec3) -> Self {
        let wheels = bar.wheels.map(|wheel| (wheel / LANES, wheel % LANES));
        Self {
            wheels,
            arms: wheels.map(|(group, lane)| arm(group, lane)),
            stiffness: bar.stiffness,
        }
    }

    /// Group and lane of its two wheels.
    #[inline]
    #[must_use]
    pub fn wheels(&self) -> [(usize, usize); 2] {
        self.wheels
    }

    /// Force per difference of jounce [N/m].
    #[inline]
    #[must_use]
    pub fn stiffness(&self) -> f32 {
        self.stiffness
    }

    /// Torque of the bar on the chassis [N·m, vehicle frame]; `end(group, lane)` tells of a wheel.
    ///
    /// It pushes the strut that is compressed less and pulls the other, each only if its wheel
    /// carries; only the moment acts, the net force is dropped (ALGORITHMS §3.9).
    #[inline]
    #[must_use]
    pub fn torque(&self, end: impl Fn(usize, usize) -> BarEnd) -> Vec3 {
        let [(group_a, lane_a), (group_b, lane_b)] = self.wheels;
        let (a, b) = (end(group_a, lane_a), end(group_b, lane_b));
        let twist = (a.jounce - b.jounce) * self.stiffness;
        let share = |end: BarEnd| if end.carrying { twist } else { 0.0 };
        self.arms[1] * share(b) - self.arms[0] * share(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn torque(jounce: [f32; 4], carrying: bool) -> Vec3 {
        let k = testing::wheel_consts();
        let bar = AntiRollBar {
            wheels: [0, 1],
            stiffness: 10_000.0,
        };
        Bar::new(&bar, |_, lane| k.suspension_arm(lane)).torque(|_, lane| BarEnd {
            jounce: jounce[lane],
            carrying,
        })
    }

    #[test]
    fn a_bar_rights_a_car_that_leans_to_the_left() {
        let torque = torque([0.05, -0.05, 0.0, 0.0], true);
        // 1000 N up at +1.05 m and 1000 N down at −1.05 m: a positive moment about x.
        assert!((torque.x - 2100.0).abs() < 0.5, "{torque}");
        assert!(torque.z.abs() < 1e-3);
    }

    #[test]
    fn level_or_airborne_there_is_none() {
        assert_eq!(torque([0.07, 0.07, 0.0, 0.0], true), Vec3::ZERO);
        assert_eq!(torque([0.05, -0.05, 0.0, 0.0], false), Vec3::ZERO);
    }
}
