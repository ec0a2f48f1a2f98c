//! Lateral forces that act at another height than longitudinal ones: at that of a roll center.
//!
//! What carries a force across are links of the body, however its wheel is steered. So the part of a force F along the body's
//! lateral axis y acts at the point raised by r, and the rest at the tire's point p:
//!
//! ```text
//! row in direction d:   arm = p × d + (d·y)·(r × y)
//! ```
//!
//! Rows forward and to the left are then projections of one motion of the contact: a wheel that is steered to and fro while its
//! carcass makes the car stand leaves no trace.

use crate::base::lanes::{V3x4, W4};
use crate::stages::slip::TireAxes;

/// How four wheels' lateral forces are raised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raised {
    /// The body's lateral axis in the ground plane, y.
    lateral: V3x4,
    /// r × y (`m`).
    couple: V3x4,
    /// Parts d·y of the directions forward and to the left (–).
    parts: [W4; 2],
}

impl Raised {
    /// Lateral forces raised by `r` (`m`, vehicle frame), of wheels steered by an angle with this sine and cosine.
    #[inline]
    #[must_use]
    pub(super) fn new(axes: &TireAxes, [sin, cos]: [W4; 2], r: V3x4) -> Self {
        let lateral = axes.lateral * cos + axes.longitudinal * sin;
        Self {
            lateral,
            couple: r.cross(lateral),
            parts: [sin, cos],
        }
    }

    /// Angular parts (`m`) of rows in the `directions` forward and to the left, of tires whose forces act at `point` (`m`).
    #[inline]
    #[must_use]
    pub(super) fn arms(&self, point: &V3x4, directions: &[V3x4; 2]) -> [V3x4; 2] {
        core::array::from_fn(|n| point.cross(directions[n]) + self.couple * self.parts[n])
    }

    /// Speed along row `n`, 0 forward and 1 to the left, of ground that moves like this at the tire's point and at the raised
    /// one (`m/s`).
    #[inline]
    #[must_use]
    pub(super) fn ground_speed(&self, n: usize, direction: V3x4, [at, raised]: [V3x4; 2]) -> W4 {
        direction.dot(at) + self.parts[n] * self.lateral.dot(raised - at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::lanes::angles::sin_cos;
    use crate::stages::slip;
    use crate::testing::uneven::lanes;
    use proptest::prelude::*;

    fn vectors(most: f32) -> impl Strategy<Value = V3x4> {
        [lanes(-most..most), lanes(-most..most), lanes(-most..most)].prop_map(|[x, y, z]| V3x4 {
            x,
            y,
            z,
        })
    }

    proptest! {
        /// However wheels are steered, both rows see one motion of the contact; on ground that turns with the car, none.
        #[test]
        fn rows_are_projections_of_one_motion(
            steer in lanes(-1.2..1.2), point in vectors(2.0), raised in vectors(0.6), spin in vectors(1.0),
            up in vectors(0.3),
        ) {
            let normal = V3x4 { z: W4::ONE, ..up };
            let normal = normal * (W4::ONE / normal.dot(normal).sqrt());
            let at = |angle: W4| {
                let (sin, cos) = sin_cos(angle);
                let axes = slip::tire_axes(normal, sin, cos);
                let directions = [axes.longitudinal, axes.lateral];
                let row = Raised::new(&axes, [sin, cos], raised);
                let speeds = row.arms(&point, &directions).map(|arm| arm.dot(spin));
                let ground = [point, point + raised].map(|point| spin.cross(point));
                let of_ground = [0, 1].map(|n| row.ground_speed(n, directions[n], ground));
                (directions[0] * speeds[0] + directions[1] * speeds[1], speeds, of_ground)
            };
            let (straight, _, _) = at(W4::ZERO);
            let (steered, speeds, of_ground) = at(steer);
            let off = straight - steered;
            prop_assert!(off.dot(off).lt(W4::splat(1e-9)).all(), "{off:?}");
            for n in 0..2 {
                prop_assert!((speeds[n] - of_ground[n]).abs().lt(W4::splat(1e-4)).all());
            }
        }
    }
}
