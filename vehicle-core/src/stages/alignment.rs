//! How wheels stand at a jounce: steering angle, and where forces act.

use crate::base::lanes::{V3x4, W4};
use crate::exchange::extra_states::BushingForces;
use crate::stages::steering::Steering;
use crate::stages::strut_curves::StrutCurves;
use crate::stages::wheel_consts::{WheelConsts, lowered};

/// Wheel alignment of four wheels at a jounce: from constants or from compliance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelAlignment<'a> {
    /// Sine of the steering angle, with toe.
    pub steer_sin: &'a W4,
    /// Cosine of the steering angle.
    pub steer_cos: &'a W4,
    /// Point of application of the suspension force (`m`).
    pub suspension_point: &'a V3x4,
    /// Point of application of tire forces (`m`).
    pub tire_point: &'a V3x4,
    /// Point of application of lateral tire forces (`m`).
    pub side_point: &'a V3x4,
}

impl<'a> WheelAlignment<'a> {
    /// Wheel alignment of wheels with this steering at a jounce (`m`), with these forces on its bushings; `room` stores one that travel
    /// or forces change.
    #[inline]
    #[must_use]
    pub fn new(
        k: &'a WheelConsts,
        curves: Option<&StrutCurves>,
        steering: &'a Steering,
        jounce: W4,
        bushings: Option<&BushingForces>,
        room: &'a mut Option<CompliantAlignment>,
    ) -> Self {
        match curves.filter(|curves| curves.changes_alignment) {
            None => Self {
                steer_sin: &steering.sin,
                steer_cos: &steering.cos,
                suspension_point: &k.suspension_point,
                tire_point: &k.tire_point,
                side_point: &k.side_point,
            },
            Some(curves) => room
                .insert(CompliantAlignment::new(
                    k, curves, steering, jounce, bushings,
                ))
                .alignment(),
        }
    }
}

/// Wheel alignment of four wheels with compliance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompliantAlignment {
    steering: Steering,
    suspension_point: V3x4,
    tire_point: V3x4,
    side_point: V3x4,
}

impl CompliantAlignment {
    fn new(
        k: &WheelConsts,
        curves: &StrutCurves,
        steering: &Steering,
        jounce: W4,
        bushings: Option<&BushingForces>,
    ) -> Self {
        let mut steering = *steering;
        if curves.turns {
            steering.turn_to(steering.angle + curves.toe(jounce, bushings));
        }
        let [suspension_point, tire_point] = curves.force_points(k, jounce, bushings);
        Self {
            steering,
            suspension_point,
            tire_point,
            side_point: lowered(tire_point, curves.roll_influence),
        }
    }

    fn alignment(&self) -> WheelAlignment<'_> {
        WheelAlignment {
            steer_sin: &self.steering.sin,
            steer_cos: &self.steering.cos,
            suspension_point: &self.suspension_point,
            tire_point: &self.tire_point,
            side_point: &self.side_point,
        }
    }
}
