//! Inputs and outputs of a tire law: of one wheel with `f32` for each number, as by default.

use core::ops::Mul;

use crate::base::lanes::{LANES, Mask4, W4};
#[cfg(doc)]
use crate::contracts::tire_model::TireModel;

/// Input of a tire at one instant, in the wheel's contact frame (ISO-W: x along the rolling direction, y to the
/// left, z along the ground's normal).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireInput<N = f32> {
    /// Longitudinal slip κ (–) with the solver's denominator: (Ω·r − vₓ)/den; 0 if the contact sticks.
    pub slip_ratio: N,
    /// Tangent of the slip angle α (–): lateral speed/den; 0 if the contact sticks.
    pub tan_slip_angle: N,
    /// Speed of the contact point along x relative to the ground (`m/s`).
    pub forward_speed: N,
    /// Speed of the contact point along y relative to the ground (`m/s`), positive to the left.
    pub lateral_speed: N,
    /// Speed of the rim, Ω·r (`m/s`).
    pub rim_speed: N,
    /// Wheel radius (`m`), > 0.
    pub radius: N,
    /// Tire load after the load filter (`N`), ≥ 0.
    pub load: N,
    /// Rest load of this wheel (`N`), > 0.
    pub rest_load: N,
    /// Inclination γ (`rad`), right-handed about the rolling direction.
    pub camber: N,
    /// Friction coefficient μ of tire on surface (–), ≥ 0, with its dependence on slip.
    pub friction: N,
    /// Yaw rate of the wheel with the vehicle relative to the ground (`rad/s`), positive to the left, which
    /// causes turn slip. Does not include the steering rate.
    pub yaw_speed: N,
    /// Inflation pressure (`Pa`); 0 for the law's reference.
    pub pressure: N,
    /// Magnitude of gravity (`m/s²`), > 0: some laws define stiffness per g.
    pub gravity: f32,
}

impl<N> TireInput<N> {
    /// Each number from that of the same name in other inputs, read by the argument of `of`.
    #[inline]
    fn each<M>(gravity: f32, of: impl Fn(fn(&TireInput<M>) -> &M) -> N) -> Self {
        Self {
            slip_ratio: of(|tire| &tire.slip_ratio),
            tan_slip_angle: of(|tire| &tire.tan_slip_angle),
            forward_speed: of(|tire| &tire.forward_speed),
            lateral_speed: of(|tire| &tire.lateral_speed),
            rim_speed: of(|tire| &tire.rim_speed),
            radius: of(|tire| &tire.radius),
            load: of(|tire| &tire.load),
            rest_load: of(|tire| &tire.rest_load),
            camber: of(|tire| &tire.camber),
            friction: of(|tire| &tire.friction),
            yaw_speed: of(|tire| &tire.yaw_speed),
            pressure: of(|tire| &tire.pressure),
            gravity,
        }
    }
}

#[doc(hidden)]
impl TireInput<W4> {
    /// The inputs of four wheels, lane 0 first; gravity is that of the first.
    #[must_use]
    pub fn of(wheels: &[TireInput; LANES]) -> Self {
        Self::each(wheels[0].gravity, |get| gathered(wheels, get))
    }

    /// This input at the opposite slip.
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
        TireInput::each(self.gravity, |get| get(self).lane(lane))
    }
}

/// Forces of a tire on the wheel and the chassis, in the contact frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireForces<N = f32> {
    /// Longitudinal force on the chassis (`N`), positive forward.
    pub longitudinal: N,
    /// Lateral force on the chassis (`N`), positive to the left.
    pub lateral: N,
    /// Aligning moment about the contact's normal (`N·m`), ISO-W: positive turns to the left.
    pub aligning_moment: N,
    /// Overturning moment about the rolling direction (`N·m`), ISO-W: positive rolls to the right.
    pub overturning_moment: N,
    /// Rolling resistance moment (`N·m`), ≥ 0: in ISO-W, My = −this for a wheel that rolls forward and +this
    /// backward. It is friction on the spin, also at a standstill, and never reverses a wheel. Where a law has 0, that of the
    /// [fit](crate::params::TireFit::rolling_resistance) acts.
    pub rolling_resistance: N,
    /// Torque of the longitudinal force on the wheel's spin (`N·m`).
    pub wheel_torque: N,
}

impl<N> TireForces<N> {
    /// Each number from that of the same name in other forces, read by the argument of `of`.
    #[inline]
    fn each<M>(of: impl Fn(fn(&TireForces<M>) -> &M) -> N) -> Self {
        Self {
            longitudinal: of(|tire| &tire.longitudinal),
            lateral: of(|tire| &tire.lateral),
            aligning_moment: of(|tire| &tire.aligning_moment),
            overturning_moment: of(|tire| &tire.overturning_moment),
            rolling_resistance: of(|tire| &tire.rolling_resistance),
            wheel_torque: of(|tire| &tire.wheel_torque),
        }
    }
}

#[doc(hidden)]
impl TireForces<W4> {
    /// The forces of four wheels, lane 0 first.
    #[must_use]
    pub fn of(wheels: &[TireForces; LANES]) -> Self {
        Self::each(|get| gathered(wheels, get))
    }

    /// Lanes of `other` where `mask` is true, own lanes elsewhere.
    #[inline]
    #[must_use]
    pub fn with(self, mask: Mask4, other: &Self) -> Self {
        Self::each(|get| mask.select(*get(other), *get(&self)))
    }

    /// Own lanes where `mask` is true, 0 elsewhere.
    #[inline]
    #[must_use]
    pub fn kept(self, mask: Mask4) -> Self {
        Self::each(|get| mask.keep(*get(&self)))
    }
}

/// Properties of a tire at a load, camber and friction, independent of slip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireProperties<N = f32> {
    /// Maximum longitudinal and lateral force (`N`), ≥ 0. A standing wheel sticks up to their ellipse; if one is
    /// 0 or not finite, up to friction × load.
    pub grip: [N; 2],
    /// Slip stiffnesses at zero slip: longitudinal force per slip ratio, lateral force per tangent of the slip
    /// angle (`N`), ≥ 0.
    pub slip_stiffness: [N; 2],
    /// Relaxation lengths: distances in which a force builds up to 63 % of the law's (`m`), > 0; 0 if unknown.
    /// Slip stiffness over relaxation length is the stiffness of the carcass.
    pub relaxation_length: [N; 2],
}

impl<N: Copy + Default + Mul<Output = N>> TireProperties<N> {
    /// Default of a law without properties: friction × load in every direction, no relaxation.
    #[must_use]
    pub fn plain(input: &TireInput<N>) -> Self {
        Self {
            grip: [input.friction * input.load; 2],
            ..Self::default()
        }
    }
}

#[doc(hidden)]
impl TireProperties<W4> {
    /// Each number from that of the same name in other properties, read by the arguments of `of`.
    #[inline]
    fn each<M>(of: impl Fn(fn(&TireProperties<M>) -> &[M; 2], usize) -> W4) -> Self {
        let pair = |get| [of(get, 0), of(get, 1)];
        Self {
            grip: pair(|tire| &tire.grip),
            slip_stiffness: pair(|tire| &tire.slip_stiffness),
            relaxation_length: pair(|tire| &tire.relaxation_length),
        }
    }

    /// The properties of four wheels, lane 0 first.
    #[must_use]
    pub fn of(wheels: &[TireProperties; LANES]) -> Self {
        Self::each(|get, n| W4::from_fn(|lane| get(&wheels[lane])[n]))
    }

    /// Lanes of `other` where `mask` is true, own lanes elsewhere.
    #[must_use]
    pub fn with(self, mask: Mask4, other: &Self) -> Self {
        Self::each(|get, n| mask.select(get(other)[n], get(&self)[n]))
    }
}

/// One number of each of four wheels, lane 0 first.
#[inline]
fn gathered<T>(wheels: &[T; LANES], number: fn(&T) -> &f32) -> W4 {
    W4::from_fn(|lane| *number(&wheels[lane]))
}

/// Lanes in which a tire provides a value: those that are positive and finite.
#[inline]
pub(crate) fn is_there(x: W4) -> Mask4 {
    x.gt(W4::ZERO) & x.le(W4::splat(f32::MAX))
}

/// Traits of a tire law that save calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TireTraits {
    /// Whether the tire can have force at zero slip: camber, conicity, ply steer.
    pub has_offsets: bool,
    /// Whether the tire's forces depend on camber. The rows solver hands none to wheels of which no tire feels it.
    pub feels_camber: bool,
    /// Whether the tire's force falls with slip in some range.
    pub friction_falls: bool,
    /// Whether the tire's moments act on the vehicle: aligning moment, overturning moment and rolling resistance.
    /// `false` for a law without moments, or whose moments are only reported.
    pub has_moments: bool,
    /// Whether [`TireModel::properties`] differs from [`TireProperties::plain`].
    pub has_properties: bool,
    /// Whether friction bounds each direction by itself, a pyramid, instead of both together, a cone (rows solver
    /// only).
    pub bounds_each: bool,
}

impl TireTraits {
    /// The safe default.
    pub const UNKNOWN: Self = Self {
        has_offsets: true,
        feels_camber: true,
        friction_falls: true,
        has_moments: true,
        has_properties: true,
        bounds_each: false,
    };
    /// Odd in slip, never falling, without moments and properties; camber may count.
    pub const PLAIN: Self = Self {
        has_offsets: false,
        feels_camber: true,
        friction_falls: false,
        has_moments: false,
        has_properties: false,
        bounds_each: false,
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
        let four = TireInput {
            friction: W4::splat(0.8),
            load: W4::from_array([4000.0, 1000.0, 0.0, 10.0]),
            ..TireInput::default()
        };
        let plain = TireProperties::plain(&four);
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
        let forces = |x: f32| TireForces {
            longitudinal: W4::splat(x),
            lateral: W4::splat(x + 1.0),
            aligning_moment: W4::splat(x + 2.0),
            overturning_moment: W4::splat(x + 3.0),
            rolling_resistance: W4::splat(x + 4.0),
            wheel_torque: W4::splat(x + 5.0),
        };
        let properties = |x: f32| TireProperties {
            grip: [W4::splat(x), W4::splat(x + 1.0)],
            slip_stiffness: [W4::splat(x + 2.0), W4::splat(x + 3.0)],
            relaxation_length: [W4::splat(x + 4.0), W4::splat(x + 5.0)],
        };
        let mask = Mask4::from_array([true, false, false, true]);
        let mixed =
            |n: usize| W4::from_fn(|lane| n as f32 + if mask.lane(lane) { 20.0 } else { 0.0 });
        let actual = forces(0.0).with(mask, &forces(20.0));
        let lanes = [
            actual.longitudinal,
            actual.lateral,
            actual.aligning_moment,
            actual.overturning_moment,
            actual.rolling_resistance,
            actual.wheel_torque,
        ];
        assert_eq!(lanes, core::array::from_fn(mixed));
        let actual = properties(0.0).with(mask, &properties(20.0));
        let lanes = [actual.grip, actual.slip_stiffness, actual.relaxation_length];
        assert_eq!(lanes.as_flattened(), core::array::from_fn::<_, 6, _>(mixed));
    }
}
