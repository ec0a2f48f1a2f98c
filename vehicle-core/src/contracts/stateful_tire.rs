//! The contract [`StatefulTire`]: tires with a state. Most laws are pure functions of slip and load; a tire
//! that warms up, wears, or has bristles implements [`TireModel::stateful`] and gets a [`TireState`] per wheel,
//! which is part of the vehicle's state.
//!
//! The state may be used in two ways:
//!
//! * [`StatefulTire::condition`], for temperature, wear and pressure: factors on friction and stiffness that
//!   every law understands. The law itself is unchanged.
//! * [`StatefulTire::rows`]: forces that are integrated in time, such as those of bristles. In the rows solver,
//!   they replace the wheel's rows and are bounded by the friction ellipse in the same way. The explicit solver
//!   uses the law ([`TireModel::forces`]), their steady state.
//!
//! ```
//! use vehicle_core::stateful_tire::{StatefulTire, TireCondition, TireStep};
//! use vehicle_core::tire_state::TireState;
//! use vehicle_core::{TireForces, TireInput, TireModel};
//!
//! /// Rubber that loses 1 % of its grip in each megajoule that it slides.
//! #[derive(Debug)]
//! struct Wearing;
//!
//! impl TireModel for Wearing {
//!     fn forces(&self, tire: &TireInput) -> TireForces {
//!         let grip = tire.friction * tire.load;
//!         let longitudinal = (12.0 * tire.load * tire.slip_ratio).clamp(-grip, grip);
//!         TireForces {
//!             longitudinal,
//!             wheel_torque: -longitudinal * tire.radius,
//!             ..TireForces::default()
//!         }
//!     }
//!
//!     fn stateful(&self) -> Option<&dyn StatefulTire> {
//!         Some(self)
//!     }
//! }
//!
//! impl StatefulTire for Wearing {
//!     fn fresh(&self) -> TireState {
//!         TireState::default()
//!     }
//!
//!     fn condition(&self, state: &TireState) -> TireCondition {
//!         TireCondition {
//!             friction: 1.0 - 1e-8 * state.values[0],
//!             ..TireCondition::NEW
//!         }
//!     }
//!
//!     fn advance(&self, state: &mut TireState, step: &TireStep) {
//!         state.values[0] += step.sliding_power() * step.duration;
//!     }
//! }
//! ```

use core::fmt::Debug;

use crate::base::lanes::{LANES, W4};
use crate::base::math;
use crate::contracts::tire::TireInput;
#[cfg(doc)]
use crate::contracts::tire_model::TireModel;
use crate::exchange::tire_state::TireState;

/// Condition of a tire relative to its law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TireCondition<N = f32> {
    /// Factor on friction (–), ≥ 0.
    pub friction: N,
    /// Factor on slip stiffness (–), > 0: the law is evaluated at the slip times this factor. It does not apply
    /// to a tire's own rows, which depend on the state directly.
    pub stiffness: N,
    /// Inflation pressure (`Pa`), for laws that use it; 0 for the law's reference.
    pub pressure: N,
}

impl TireCondition {
    /// No change to the law.
    pub const NEW: Self = Self {
        friction: 1.0,
        stiffness: 1.0,
        pressure: 0.0,
    };

    /// Clamped to bounds in which no law overflows; no change where not finite.
    #[must_use]
    pub(crate) fn sound(self) -> Self {
        let within = |x: f32, least: f32, most: f32, measured: f32| {
            if x.is_finite() {
                math::lesser(math::greater(x, least), most)
            } else {
                measured
            }
        };
        Self {
            friction: within(self.friction, 0.0, 1e3, 1.0),
            stiffness: within(self.stiffness, 1e-3, 1e3, 1.0),
            pressure: within(self.pressure, 0.0, 1e12, 0.0),
        }
    }
}

impl TireCondition<W4> {
    /// The conditions of four wheels, lane 0 first.
    #[inline]
    #[must_use]
    pub(crate) fn of(wheels: &[TireCondition; LANES]) -> Self {
        let lanes = |of: fn(&TireCondition) -> f32| W4::from_fn(|lane| of(&wheels[lane]));
        Self {
            friction: lanes(|tire| tire.friction),
            stiffness: lanes(|tire| tire.stiffness),
            pressure: lanes(|tire| tire.pressure),
        }
    }
}

/// A force at the end of a substep, `force + gain·s`, with the slip speed s then (`m/s`): forward Ω·r − vₓ, to
/// the left −`v_y`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireRow<N = f32> {
    /// Force on the chassis at zero slip speed (`N`).
    pub force: N,
    /// Force per slip speed (`N·s/m`), ≥ 0.
    pub gain: N,
}

impl TireRow {
    /// Whether the row is finite and its gain not negative.
    #[must_use]
    pub(crate) fn is_sound(&self) -> bool {
        self.force.is_finite() && self.gain >= 0.0 && self.gain.is_finite()
    }
}

/// A tire's substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireStep {
    /// Input of its law; with the rows solver, speeds at the end of the substep, with the explicit one at its
    /// start. In the air, load and friction are 0.
    pub input: TireInput,
    /// Transmitted forces, forward and to the left (`N`).
    pub forces: [f32; 2],
    /// Length of the substep (`s`), > 0.
    pub duration: f32,
}

impl TireStep {
    /// Slip speeds, forward and to the left (`m/s`): Ω·r − vₓ and −`v_y`.
    #[must_use]
    pub fn slip_speeds(&self) -> [f32; 2] {
        let input = &self.input;
        [input.rim_speed - input.forward_speed, -input.lateral_speed]
    }

    /// Power dissipated in the sliding contact (`W`), ≥ 0.
    #[must_use]
    pub fn sliding_power(&self) -> f32 {
        let [forward, left] = self.slip_speeds();
        math::greater(self.forces[0] * forward + self.forces[1] * left, 0.0)
    }
}

/// A tire with a state. Its methods are pure, like those of [`TireModel`]: the past is in the state.
///
/// Non-finite states and rows are discarded; a non-finite condition counts as [`TireCondition::NEW`].
pub trait StatefulTire: Debug + Send + Sync {
    /// State of a new tire.
    fn fresh(&self) -> TireState;

    /// Condition of the tire relative to its law; by default no change.
    fn condition(&self, state: &TireState) -> TireCondition {
        let _ = state;
        TireCondition::NEW
    }

    /// Rows of its forces forward and to the left for a substep of `duration` (`s`) in the rows solver; `None`
    /// for those of its law. Called for wheels on the ground only; the input's slips and speeds are the
    /// solver's predictions.
    fn rows(&self, state: &TireState, input: &TireInput, duration: f32) -> Option<[TireRow; 2]> {
        let _ = (state, input, duration);
        None
    }

    /// Advances the state at the end of each substep, also in the air. It does not advance while a vehicle
    /// sleeps or is extrapolated.
    fn advance(&self, state: &mut TireState, step: &TireStep);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_condition_counts_as_new() {
        let actual = TireCondition {
            friction: f32::NAN,
            stiffness: f32::INFINITY,
            pressure: f32::NAN,
        };
        assert_eq!(actual.sound(), TireCondition::NEW);
        let least = TireCondition {
            friction: -1.0,
            stiffness: 0.0,
            pressure: -5.0,
        };
        assert_eq!(least.sound().friction, 0.0);
        assert!(least.sound().stiffness > 0.0);
        assert_eq!(least.sound().pressure, 0.0);
    }

    #[test]
    fn sliding_power_is_never_negative() {
        let step = |forces| TireStep {
            input: TireInput {
                rim_speed: 12.0,
                forward_speed: 10.0,
                lateral_speed: 1.0,
                ..TireInput::default()
            },
            forces,
            duration: 0.01,
        };
        assert_eq!(step([100.0, -50.0]).sliding_power(), 250.0);
        assert_eq!(step([-100.0, 0.0]).sliding_power(), 0.0);
    }

    #[test]
    fn a_row_has_a_force_and_a_gain_that_does_not_drive() {
        for (force, gain, sound) in [
            (100.0, 5.0, true),
            (-100.0, 0.0, true),
            (100.0, -1e-3, false),
            (f32::NAN, 5.0, false),
            (f32::INFINITY, 5.0, false),
            (100.0, f32::INFINITY, false),
            (100.0, f32::NAN, false),
        ] {
            assert_eq!(TireRow { force, gain }.is_sound(), sound, "{force} {gain}");
        }
    }

    /// Within bounds, a condition is what it is.
    #[test]
    fn a_valid_condition_is_unchanged() {
        let worn = TireCondition {
            friction: 0.8,
            stiffness: 1.2,
            pressure: 2.2e5,
        };
        assert_eq!(worn.sound(), worn);
        let most = TireCondition {
            friction: 1e9,
            stiffness: 1e9,
            pressure: 1e30,
        };
        let actual = most.sound();
        assert_eq!((actual.friction, actual.stiffness), (1e3, 1e3));
        assert_eq!(actual.pressure, 1e12);
    }

    /// A tire with no more than the required methods has the conditions as measured, and rows of its law.
    #[test]
    fn a_stateful_tire_defaults_to_its_law() {
        #[derive(Debug)]
        struct Plain;
        impl StatefulTire for Plain {
            fn fresh(&self) -> TireState {
                TireState::default()
            }
            fn advance(&self, _: &mut TireState, _: &TireStep) {}
        }
        let state = Plain.fresh();
        assert_eq!(Plain.condition(&state), TireCondition::NEW);
        assert_eq!(Plain.rows(&state, &TireInput::default(), 0.01), None);
    }
}
