//! Anti-roll bars.

use glam::{Vec3, Vec4};

use crate::base::lanes::{LANES, Mask4, V3x4, W4};
use crate::params::AntiRollBar;

/// Quantities of a wheel that a bar needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarEnd {
    /// Jounce (`m`).
    pub jounce: f32,
    /// Whether the wheel carries load.
    pub loaded: bool,
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
        let share = |end: BarEnd| if end.loaded { twist } else { 0.0 };
        self.arms[1] * share(b) - self.arms[0] * share(a)
    }
}

/// Bars between neighbors in the first group, as an ordinary car has them, prepared for all of them at once: wheel 0 with 1
/// and 2 with 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedBars {
    /// Lever arms of the wheels, as in [`PreparedBar`].
    arms: V3x4,
    /// Stiffness of the bar at each wheel, as in [`PreparedBar`]; 0 without a bar.
    stiffness: W4,
}

impl PairedBars {
    /// `None` if a bar is between others, or if there are several between two.
    #[must_use]
    pub fn of(bars: &[PreparedBar]) -> Option<Self> {
        let (mut arms, mut stiffness) = ([Vec3::ZERO; LANES], [0.0; LANES]);
        for bar in bars {
            let [(0, a @ (0 | 2)), (0, b)] = bar.wheels else {
                return None;
            };
            if b != a + 1 || stiffness[a] != 0.0 {
                return None;
            }
            [arms[a], arms[b]] = bar.arms;
            [stiffness[a], stiffness[b]] = [bar.stiffness; 2];
        }
        Some(Self {
            arms: V3x4::from_array(arms),
            stiffness: W4::from_array(stiffness),
        })
    }

    /// Torque of all bars on the chassis (`N·m`, vehicle frame; the last lane counts for nothing): the sum of what each
    /// [`PreparedBar`] would say.
    #[inline]
    #[must_use]
    pub fn torque(&self, jounce: W4, loaded: Mask4) -> Vec4 {
        let [a, b, c, d] = jounce.to_array();
        let apart = W4::from_array([a, a, c, c]) - W4::from_array([b, b, d, d]);
        let [a, b, c, d] = (self.arms * loaded.keep(apart * self.stiffness)).by_wheel();
        (b - a) + (d - c)
    }

    /// Forces on the struts at these jounces, each against its opposite wheel at the jounce `opposite` (`N`).
    #[inline]
    #[must_use]
    pub fn forces(&self, jounce: W4, opposite: W4) -> W4 {
        let [a, b, c, d] = opposite.to_array();
        self.stiffness * (jounce - W4::from_array([b, a, d, c]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::testing::uneven::{lanes, masks, near, uneven_consts, vector};
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;
    use rstest::rstest;

    fn torque(jounce: [f32; 4], loaded: bool) -> Vec3 {
        let k = testing::wheel_consts();
        let bar = AntiRollBar {
            wheels: [0, 1],
            stiffness: 10_000.0,
        };
        PreparedBar::new(&bar, |_, lane| k.suspension_arm(lane)).torque(|_, lane| BarEnd {
            jounce: jounce[lane],
            loaded,
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
            loaded: (group, lane) == (1, 2),
        });
        // The second wheel is in: the strut there is pushed out, so that the chassis is lifted.
        assert!(near(torque, arm(1, 2) * (-0.4 * 700.0), 1000.0), "{torque}");
    }

    #[rstest]
    #[case::crossed(&[[0, 2]])]
    #[case::reversed(&[[1, 0]])]
    #[case::of_other_groups(&[[0, 1], [4, 5]])]
    #[case::two_between_two(&[[0, 1], [0, 1]])]
    fn other_bars_are_not_paired(#[case] wheels: &[[usize; 2]]) {
        let bar = |&wheels: &[usize; 2]| {
            let bar = AntiRollBar {
                wheels,
                stiffness: 500.0,
            };
            PreparedBar::new(&bar, |_, _| Vec3::X)
        };
        let bars: Vec<PreparedBar> = wheels.iter().map(bar).collect();
        assert_eq!(PairedBars::of(&bars), None);
    }

    proptest! {
        /// Bars of both axles at once are each for itself.
        #[test]
        fn paired_bars_are_bars(
            jounce in lanes(-0.2..0.2), loaded in masks(), stiffness in [100f32..2e4, 100f32..2e4], single in any::<bool>(),
        ) {
            let k = uneven_consts();
            let bar = |n: usize| {
                let ends = AntiRollBar { wheels: [2 * n, 2 * n + 1], stiffness: stiffness[n] };
                PreparedBar::new(&ends, |_, lane| k.suspension_arm(lane))
            };
            let bars = if single { vec![bar(1)] } else { vec![bar(1), bar(0)] };
            let end = |_, lane: usize| BarEnd {
                jounce: jounce.lane(lane),
                loaded: loaded.lane(lane),
            };
            let expected: Vec3 = bars.iter().map(|bar| bar.torque(end)).sum();
            let paired = PairedBars::of(&bars).unwrap();
            prop_assert_eq!(paired.torque(jounce, loaded).truncate(), expected);
            let forces = paired.forces(jounce, jounce);
            let twists = bars.iter().all(|bar| bar.wheels().windows(2).all(|pair| {
                let [(_, a), (_, b)] = [pair[0], pair[1]];
                let force = bar.stiffness() * (jounce.lane(a) - jounce.lane(b));
                (forces.lane(a), forces.lane(b)) == (force, -force)
            }));
            prop_assert!(twists && (!single || forces.lane(0) == 0.0));
        }

        /// A bar is two forces along struts, equal and opposite in their sense of droop: the moment of
        /// each acts if its wheel carries.
        #[test]
        fn a_bar_twists_by_the_difference_of_jounces(
            jounce in vector(0.2), loaded in any::<[bool; 2]>(), stiffness in 100f32..2e4,
        ) {
            let k = uneven_consts();
            let ends = AntiRollBar { wheels: [2, 1], stiffness };
            let bar = PreparedBar::new(&ends, |_, lane| k.suspension_arm(lane));
            let end = |_, lane: usize| BarEnd {
                jounce: jounce[lane],
                loaded: loaded[usize::from(lane == 1)],
            };
            let force = |lane: usize, opposite: usize| {
                let droops = k.travel.lane(lane) * ((jounce[opposite] - jounce[lane]) * stiffness);
                k.suspension_point.lane(lane).cross(droops)
            };
            let acting = |acts: bool, moment: Vec3| if acts { moment } else { Vec3::ZERO };
            let expected = acting(loaded[0], force(2, 1)) + acting(loaded[1], force(1, 2));
            prop_assert!(near(bar.torque(end), expected, 1e4));
        }
    }
}
