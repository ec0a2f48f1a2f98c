//! Anti-roll bars.

use glam::Vec3;

use crate::kind::WheelConsts;
use crate::lanes::{Groups, LANES};
use crate::params::AntiRollBar;

/// What a bar sees of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarEnd {
    /// Jounce [m].
    pub jounce: f32,
    /// Whether the wheel carries load.
    pub carrying: bool,
}

/// Torque of all bars on the chassis [N·m, vehicle frame]; `end(group, lane)` tells of a wheel.
///
/// A bar pushes the strut that is compressed less and pulls the other, each only if its wheel
/// carries; only the moment acts, the net force is dropped (ALGORITHMS §3.9).
#[must_use]
pub fn torque(
    bars: &[AntiRollBar],
    consts: &Groups<WheelConsts>,
    end: impl Fn(usize, usize) -> BarEnd,
) -> Vec3 {
    let mut torque = Vec3::ZERO;
    for bar in bars {
        let places = bar.wheels.map(|wheel| (wheel / LANES, wheel % LANES));
        let ends = places.map(|(group, lane)| end(group, lane));
        let twist = (ends[0].jounce - ends[1].jounce) * bar.stiffness;
        for (((group, lane), end), force) in places.into_iter().zip(ends).zip([-twist, twist]) {
            if end.carrying {
                let k = &consts[group];
                let direction = k.travel.lane(lane);
                torque += k.suspension_point.lane(lane).cross(direction * force);
            }
        }
    }
    torque
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn ends(jounce: [f32; 4], carrying: [bool; 4]) -> impl Fn(usize, usize) -> BarEnd {
        move |_, lane| BarEnd {
            jounce: jounce[lane],
            carrying: carrying[lane],
        }
    }

    fn bar() -> [AntiRollBar; 1] {
        [AntiRollBar {
            wheels: [0, 1],
            stiffness: 10_000.0,
        }]
    }

    #[test]
    fn a_bar_rights_a_car_that_leans_to_the_left() {
        let consts = Groups::for_wheels(4, |_| testing::wheel_consts());
        let leaning = ends([0.05, -0.05, 0.0, 0.0], [true; 4]);
        let torque = torque(&bar(), &consts, leaning);
        // 1000 N up at +1.05 m and 1000 N down at −1.05 m: a positive moment about x.
        assert!((torque.x - 2100.0).abs() < 0.5, "{torque}");
        assert!(torque.z.abs() < 1e-3);
    }

    #[test]
    fn level_or_airborne_there_is_none() {
        let consts = Groups::for_wheels(4, |_| testing::wheel_consts());
        let level = ends([0.07, 0.07, 0.0, 0.0], [true; 4]);
        assert_eq!(torque(&bar(), &consts, level), Vec3::ZERO);
        let flying = ends([0.05, -0.05, 0.0, 0.0], [false; 4]);
        assert_eq!(torque(&bar(), &consts, flying), Vec3::ZERO);
    }
}
