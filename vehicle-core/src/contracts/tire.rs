//! Inputs and outputs of tires, for one wheel and for four.

use crate::base::lanes::{LANES, Mask4, W4};
#[cfg(doc)]
use crate::contracts::tire_model::TireModel;

/// Input of a tire at one instant, in the wheel's contact frame (ISO-W: x along the rolling direction, y to the
/// left, z along the ground's normal).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireInput {
    /// Longitudinal slip κ (–) with the solver's denominator: (Ω·r − vₓ)/den; 0 if a static-friction row holds
    /// the wheel.
    pub slip_ratio: f32,
    /// Tangent of the slip angle α (–): lateral speed/den; 0 if a static-friction row holds the wheel.
    pub tan_slip_angle: f32,
    /// Speed of the contact point along x relative to the ground (`m/s`).
    pub forward_speed: f32,
    /// Speed of the contact point along y relative to the ground (`m/s`), positive to the left.
    pub lateral_speed: f32,
    /// Speed of the rim, Ω·r (`m/s`).
    pub rim_speed: f32,
    /// Wheel radius (`m`), > 0.
    pub radius: f32,
    /// Tire load after the load filter (`N`), ≥ 0.
    pub load: f32,
    /// Rest load of this wheel (`N`), > 0.
    pub rest_load: f32,
    /// Inclination γ (`rad`), right-handed about the rolling direction.
    pub camber: f32,
    /// Friction coefficient μ of tire on surface (–), ≥ 0, with its dependence on slip.
    pub friction: f32,
    /// Yaw rate of the wheel with the vehicle relative to the ground (`rad/s`), positive to the left, which
    /// causes turn slip. Does not include the steering rate.
    pub yaw_speed: f32,
    /// Inflation pressure (`Pa`); 0 for the law's reference.
    pub pressure: f32,
    /// Magnitude of gravity (`m/s²`), > 0: some laws define stiffness per g.
    pub gravity: f32,
}

/// Forces of a tire on the wheel and the chassis, in the contact frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireForces {
    /// Longitudinal force on the chassis (`N`), positive forward.
    pub longitudinal: f32,
    /// Lateral force on the chassis (`N`), positive to the left.
    pub lateral: f32,
    /// Aligning moment about the contact's normal (`N·m`), ISO-W: positive turns to the left.
    pub aligning_moment: f32,
    /// Overturning moment about the rolling direction (`N·m`), ISO-W: positive leans to the right.
    pub overturning_moment: f32,
    /// Rolling resistance moment (`N·m`), ≥ 0: in ISO-W, My = −this for a wheel that rolls forward and +this
    /// backward. It is friction on the spin, also at a standstill, and never reverses a wheel.
    pub rolling_resistance: f32,
    /// Torque of the longitudinal force on the wheel's spin (`N·m`).
    pub wheel_torque: f32,
}

/// [`TireInput`] for four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is TireInput's of the same name")]
pub struct TireInput4 {
    pub slip_ratio: W4,
    pub tan_slip_angle: W4,
    pub forward_speed: W4,
    pub lateral_speed: W4,
    pub rim_speed: W4,
    pub radius: W4,
    pub load: W4,
    pub rest_load: W4,
    pub camber: W4,
    pub friction: W4,
    pub yaw_speed: W4,
    pub pressure: W4,
    pub gravity: f32,
}

impl TireInput4 {
    /// The inputs of four wheels, lane 0 first; gravity is that of the first.
    #[must_use]
    pub fn of(wheels: &[TireInput; LANES]) -> Self {
        let lanes = |of: fn(&TireInput) -> f32| W4::from_array(wheels.each_ref().map(of));
        Self {
            slip_ratio: lanes(|wheel| wheel.slip_ratio),
            tan_slip_angle: lanes(|wheel| wheel.tan_slip_angle),
            forward_speed: lanes(|wheel| wheel.forward_speed),
            lateral_speed: lanes(|wheel| wheel.lateral_speed),
            rim_speed: lanes(|wheel| wheel.rim_speed),
            radius: lanes(|wheel| wheel.radius),
            load: lanes(|wheel| wheel.load),
            rest_load: lanes(|wheel| wheel.rest_load),
            camber: lanes(|wheel| wheel.camber),
            friction: lanes(|wheel| wheel.friction),
            yaw_speed: lanes(|wheel| wheel.yaw_speed),
            pressure: lanes(|wheel| wheel.pressure),
            gravity: wheels[0].gravity,
        }
    }

    /// The same at the opposite slip.
    #[inline]
    #[must_use]
    pub fn opposite(&self) -> Self {
        Self {
            slip_ratio: -self.slip_ratio,
            tan_slip_angle: -self.tan_slip_angle,
            ..*self
        }
    }

    /// The input of one wheel.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[must_use]
    pub fn lane(&self, lane: usize) -> TireInput {
        TireInput {
            slip_ratio: self.slip_ratio.lane(lane),
            tan_slip_angle: self.tan_slip_angle.lane(lane),
            forward_speed: self.forward_speed.lane(lane),
            lateral_speed: self.lateral_speed.lane(lane),
            rim_speed: self.rim_speed.lane(lane),
            radius: self.radius.lane(lane),
            load: self.load.lane(lane),
            rest_load: self.rest_load.lane(lane),
            camber: self.camber.lane(lane),
            friction: self.friction.lane(lane),
            yaw_speed: self.yaw_speed.lane(lane),
            pressure: self.pressure.lane(lane),
            gravity: self.gravity,
        }
    }
}

/// [`TireForces`] of four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is TireForces' of the same name")]
pub struct TireForces4 {
    pub longitudinal: W4,
    pub lateral: W4,
    pub aligning_moment: W4,
    pub overturning_moment: W4,
    pub rolling_resistance: W4,
    pub wheel_torque: W4,
}

impl TireForces4 {
    /// Lanes of `other` where `mask` is true, own lanes elsewhere.
    #[inline]
    #[must_use]
    pub fn with(self, mask: Mask4, other: &Self) -> Self {
        Self {
            longitudinal: mask.select(other.longitudinal, self.longitudinal),
            lateral: mask.select(other.lateral, self.lateral),
            aligning_moment: mask.select(other.aligning_moment, self.aligning_moment),
            overturning_moment: mask.select(other.overturning_moment, self.overturning_moment),
            rolling_resistance: mask.select(other.rolling_resistance, self.rolling_resistance),
            wheel_torque: mask.select(other.wheel_torque, self.wheel_torque),
        }
    }
}

/// Properties of a tire at a load, camber and friction, independent of slip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireProperties {
    /// Maximum longitudinal and lateral force (`N`), ≥ 0. A standing wheel holds up to their ellipse; if one is
    /// 0 or not finite, up to friction × load.
    pub grip: [f32; 2],
    /// Slip stiffnesses at zero slip: longitudinal force per slip ratio, lateral force per tangent of the slip
    /// angle (`N`), ≥ 0.
    pub slip_stiffness: [f32; 2],
    /// Relaxation lengths: distances in which a force builds up to 63 % of the law's (`m`), > 0; 0 if unknown.
    /// Slip stiffness over relaxation length is the stiffness of the carcass.
    pub relaxation_length: [f32; 2],
}

impl TireProperties {
    /// Default of a law without properties: friction × load in every direction, no relaxation.
    #[must_use]
    pub fn plain(input: &TireInput) -> Self {
        Self {
            grip: [input.friction * input.load; 2],
            ..Self::default()
        }
    }
}

/// [`TireProperties`] of four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(
    missing_docs,
    reason = "each field is TireProperties' of the same name"
)]
pub struct TireProperties4 {
    pub grip: [W4; 2],
    pub slip_stiffness: [W4; 2],
    pub relaxation_length: [W4; 2],
}

impl TireProperties4 {
    /// As [`TireProperties::plain`].
    #[must_use]
    pub fn plain(input: &TireInput4) -> Self {
        Self {
            grip: [input.friction * input.load; 2],
            ..Self::default()
        }
    }

    /// Lanes of `other` where `mask` is true, own lanes elsewhere.
    #[must_use]
    pub fn with(self, mask: Mask4, other: &Self) -> Self {
        let pair = |of: fn(&Self) -> &[W4; 2]| {
            core::array::from_fn(|n| mask.select(of(other)[n], of(&self)[n]))
        };
        Self {
            grip: pair(|p| &p.grip),
            slip_stiffness: pair(|p| &p.slip_stiffness),
            relaxation_length: pair(|p| &p.relaxation_length),
        }
    }
}

/// Quantities wanted of four tires in addition to their forces at a slip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TireWants {
    /// Forces at the opposite slip.
    pub opposite: bool,
    /// Aligning and overturning moment and rolling resistance at the opposite slip as well.
    pub opposite_moments: bool,
    /// Properties.
    pub properties: bool,
}

/// Forces and properties of four wheels at one load, camber and friction; default where not wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireAnswers4 {
    /// Forces at the slip.
    pub forces: TireForces4,
    /// Forces at the opposite slip; unwanted moments may be any finite numbers.
    pub opposite: TireForces4,
    /// Properties.
    pub properties: TireProperties4,
}

/// Whether a tire provides a value: positive and finite.
#[inline]
pub(crate) fn is_there(x: W4) -> Mask4 {
    x.gt(W4::ZERO) & x.le(W4::splat(f32::MAX))
}

/// Traits of a tire law that save calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TireTraits {
    /// Whether there can be force at zero slip: camber, conicity, ply steer.
    pub has_offsets: bool,
    /// Whether the force falls with slip in some range.
    pub friction_falls: bool,
    /// Whether its moments act on the vehicle: aligning moment, overturning moment and rolling resistance.
    /// `false` for a law without moments, or whose moments are only reported.
    pub has_moments: bool,
    /// Whether [`TireModel::properties`] differs from [`TireProperties::plain`].
    pub has_properties: bool,
}

impl TireTraits {
    /// The safe default.
    pub const UNKNOWN: Self = Self {
        has_offsets: true,
        friction_falls: true,
        has_moments: true,
        has_properties: true,
    };
    /// Odd in slip, never falling, without moments and properties.
    pub const PLAIN: Self = Self {
        has_offsets: false,
        friction_falls: false,
        has_moments: false,
        has_properties: false,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_properties_grip_by_friction() {
        let input = TireInput {
            friction: 0.8,
            load: 4000.0,
            ..TireInput::default()
        };
        let plain = TireProperties::plain(&input);
        assert_eq!(plain.grip, [3200.0; 2]);
        assert_eq!(
            (plain.slip_stiffness, plain.relaxation_length),
            ([0.0; 2], [0.0; 2])
        );
        let four = TireInput4 {
            friction: W4::splat(0.8),
            load: W4::from_array([4000.0, 1000.0, 0.0, 10.0]),
            ..TireInput4::default()
        };
        let plain = TireProperties4::plain(&four);
        let expected = W4::from_array([3200.0, 800.0, 0.0, 8.0]);
        assert_eq!(plain.grip, [expected; 2]);
        assert_eq!(plain.slip_stiffness, [W4::ZERO; 2]);
    }

    #[test]
    fn provided_values_are_positive_and_finite() {
        let lanes = W4::from_array([0.0, 1e-30, f32::INFINITY, -1.0]);
        assert_eq!(
            is_there(lanes),
            Mask4::from_array([false, true, false, false])
        );
        assert!(!is_there(W4::splat(f32::NAN)).any());
        assert!(is_there(W4::splat(f32::MAX)).all());
    }

    /// Each number of its own wheel.
    #[test]
    fn lanes_are_merged_by_mask() {
        let forces = |x: f32| TireForces4 {
            longitudinal: W4::splat(x),
            lateral: W4::splat(x + 1.0),
            aligning_moment: W4::splat(x + 2.0),
            overturning_moment: W4::splat(x + 3.0),
            rolling_resistance: W4::splat(x + 4.0),
            wheel_torque: W4::splat(x + 5.0),
        };
        let properties = |x: f32| TireProperties4 {
            grip: [W4::splat(x), W4::splat(x + 1.0)],
            slip_stiffness: [W4::splat(x + 2.0), W4::splat(x + 3.0)],
            relaxation_length: [W4::splat(x + 4.0), W4::splat(x + 5.0)],
        };
        let mask = Mask4::from_array([true, false, false, true]);
        let mixed =
            |n: usize| W4::from_fn(|lane| n as f32 + if mask.lane(lane) { 20.0 } else { 0.0 });
        let found = forces(0.0).with(mask, &forces(20.0));
        let lanes = [
            found.longitudinal,
            found.lateral,
            found.aligning_moment,
            found.overturning_moment,
            found.rolling_resistance,
            found.wheel_torque,
        ];
        assert_eq!(lanes, core::array::from_fn(mixed));
        let found = properties(0.0).with(mask, &properties(20.0));
        let lanes = [found.grip, found.slip_stiffness, found.relaxation_length];
        assert_eq!(lanes.as_flattened(), core::array::from_fn::<_, 6, _>(mixed));
    }
}
