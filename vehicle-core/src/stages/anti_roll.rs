//! Anti-roll bars.

use glam::Vec3;

use crate::base::lanes::LANES;
use crate::params::AntiRollBar;

/// Quantities of a wheel that a bar needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarEnd {
    /// Jounce (`m`).
    pub jounce: f32,
    /// Whether the wheel carries load.
    pub carrying: bool,
}

/// A prepared bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreparedBar {
    /// Group and lane of its two wheels.
    wheels: [(usize, usize); 2],
    /// Moment on the chassis per force along each strut's droop (`m`, vehicle frame).
    arms: [Vec3; 2],
    /// Force per difference of jounce (`N/m`).
    stiffness: f32,
}

impl PreparedBar {
    /// Prepares a bar; `arm(group, lane)` is the moment on the chassis per force along a wheel's
    /// droop (`m`, vehicle frame).
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

    /// Force per difference of jounce (`N/m`).
    #[inline]
    #[must_use]
    pub fn stiffness(&self) -> f32 {
        self.stiffness
    }

    /// Torque of the bar on the chassis (`N·m`, vehicle frame); `end(group, lane)` returns the state of a
    /// wheel.
    ///
    /// It pushes the strut that is compressed less and pulls the other, each only if its wheel carries load;
    /// only the moment acts, the net force is dropped (ALGORITHMS §3.9).
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
    use crate::testing::uneven::{near, uneven_consts, vector};
    use proptest::prelude::*;

    fn torque(jounce: [f32; 4], carrying: bool) -> Vec3 {
        let k = testing::wheel_consts();
        let bar = AntiRollBar {
            wheels: [0, 1],
            stiffness: 10_000.0,
        };
        PreparedBar::new(&bar, |_, lane| k.suspension_arm(lane)).torque(|_, lane| BarEnd {
            jounce: jounce[lane],
            carrying,
        })
    }

    #[test]
    fn a_bar_resists_roll() {
        let torque = torque([0.05, -0.05, 0.0, 0.0], true);
        // 1000 N up at +1.05 m and 1000 N down at −1.05 m: a positive moment about x.
        assert!((torque.x - 2100.0).abs() < 0.5, "{torque}");
        assert!(torque.z.abs() < 1e-3);
    }

    #[test]
    fn a_level_or_airborne_bar_has_no_torque() {
        assert_eq!(torque([0.07, 0.07, 0.0, 0.0], true), Vec3::ZERO);
        assert_eq!(torque([0.05, -0.05, 0.0, 0.0], false), Vec3::ZERO);
    }

    #[test]
    fn a_bar_finds_its_wheels_in_their_groups() {
        let ends = AntiRollBar {
            wheels: [3, 6],
            stiffness: 700.0,
        };
        let arm = |group: usize, lane: usize| Vec3::new(group as f32, lane as f32, 1.0);
        let bar = PreparedBar::new(&ends, arm);
        assert_eq!(bar.wheels(), [(0, 3), (1, 2)]);
        assert_eq!(bar.stiffness(), 700.0);
        let torque = bar.torque(|group, lane| BarEnd {
            jounce: if (group, lane) == (1, 2) { 0.5 } else { 0.1 },
            carrying: (group, lane) == (1, 2),
        });
        // The second wheel is in: the strut there is pushed out, so that the chassis is lifted.
        assert!(near(torque, arm(1, 2) * (-0.4 * 700.0), 1000.0), "{torque}");
    }

    proptest! {
        /// A bar is two forces along struts, equal and opposite in their sense of droop: the moment of
        /// each acts if its wheel carries.
        #[test]
        fn a_bar_twists_by_the_difference_of_jounces(
            jounce in vector(0.2), carrying in any::<[bool; 2]>(), stiffness in 100f32..2e4,
        ) {
            let k = uneven_consts();
            let ends = AntiRollBar { wheels: [2, 1], stiffness };
            let bar = PreparedBar::new(&ends, |_, lane| k.suspension_arm(lane));
            let end = |_, lane: usize| BarEnd {
                jounce: jounce[lane],
                carrying: carrying[usize::from(lane == 1)],
            };
            let force = |lane: usize, mate: usize| {
                let droops = k.travel.lane(lane) * ((jounce[mate] - jounce[lane]) * stiffness);
                k.suspension_point.lane(lane).cross(droops)
            };
            let acting = |acts: bool, moment: Vec3| if acts { moment } else { Vec3::ZERO };
            let expected = acting(carrying[0], force(2, 1)) + acting(carrying[1], force(1, 2));
            prop_assert!(near(bar.torque(end), expected, 1e4));
        }
    }
}
