//! Result of an update for the engine.

use glam::{DVec3, Vec3};

use crate::base::ids::BodyId;
use crate::base::lanes::{W4, are_finite};
use crate::base::locked_axes::LockedAxes;

/// Motion of the chassis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Motion {
    /// Leave the body alone (asleep, or the update was refused).
    #[default]
    Keep,
    /// Change the velocities before the engine adds gravity.
    VelocityChange {
        /// Change of the linear velocity (`m/s`, world axes).
        linear: Vec3,
        /// Change of the angular velocity (`rad/s`, world axes).
        angular: Vec3,
    },
    /// Accelerate over the next step, in addition to gravity.
    Acceleration {
        /// Linear acceleration (`m/s²`, world axes).
        linear: Vec3,
        /// Angular acceleration (`rad/s²`, world axes).
        angular: Vec3,
    },
    /// Move through the next step at these mean velocities: set them, and cancel gravity and lasting pushes, which they
    /// already contain, for this step. Other forces act as usual.
    StepMotion {
        /// Mean velocity of the center of mass (`m/s`, world axes).
        linear: Vec3,
        /// Mean angular velocity (`rad/s`, world axes).
        angular: Vec3,
        /// Acceleration by gravity and lasting pushes (`m/s²`, world axes), which the engine must cancel by the opposite
        /// force in all its substeps.
        canceled_acceleration: Vec3,
        /// Angular acceleration by lasting pushes (`rad/s²`, world axes), which the engine must cancel by the opposite torque
        /// in all its substeps.
        canceled_angular_acceleration: Vec3,
    },
}

impl Motion {
    /// Whether all numbers of the motion are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Keep => true,
            Self::VelocityChange {
                linear: a,
                angular: b,
            }
            | Self::Acceleration {
                linear: a,
                angular: b,
            } => {
                let numbers = [[a.x, a.y, a.z, b.x], [b.y, b.z, 0.0, 0.0]];
                are_finite(numbers.map(W4::from_array))
            }
            Self::StepMotion {
                linear: a,
                angular: b,
                canceled_acceleration: c,
                canceled_angular_acceleration: d,
            } => {
                let numbers = [
                    [a.x, a.y, a.z, b.x],
                    [b.y, b.z, c.x, c.y],
                    [c.z, d.x, d.y, d.z],
                ];
                are_finite(numbers.map(W4::from_array))
            }
        }
    }
}

impl Motion {
    /// The motion of a body with these locked axes: velocities and accelerations along and about them are 0.
    ///
    /// The canceled accelerations are unchanged: along locked axes, the engine adds no acceleration, so that nothing is to be
    /// canceled.
    #[inline]
    #[must_use]
    pub fn in_free_axes(self, locked: &LockedAxes) -> Self {
        if !locked.any() {
            return self;
        }
        let (v, w) = (|v| locked.free_linear(v), |w| locked.free_angular(w));
        match self {
            Self::Keep => Self::Keep,
            Self::VelocityChange { linear, angular } => Self::VelocityChange {
                linear: v(linear),
                angular: w(angular),
            },
            Self::Acceleration { linear, angular } => Self::Acceleration {
                linear: v(linear),
                angular: w(angular),
            },
            Self::StepMotion {
                linear,
                angular,
                canceled_acceleration,
                canceled_angular_acceleration,
            } => Self::StepMotion {
                linear: v(linear),
                angular: w(angular),
                canceled_acceleration,
                canceled_angular_acceleration,
            },
        }
    }
}

/// Result of an update for the engine, for the next step only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepResult {
    /// Motion of the chassis.
    pub motion: Motion,
    /// Whether to wake the chassis first and restart its sleep timer. Set in every step in which the vehicle
    /// must stay awake, since engines put slowly rolling cars to sleep. If not set, nothing wakes, and the
    /// engine may put the body to sleep while it hardly moves.
    pub wake: bool,
}

impl StepResult {
    /// The motion to apply to a body that is `asleep` or awake.
    ///
    /// [`Motion::Keep`] if a number is not finite, or for a [`Motion::StepMotion`] of a body that sleeps and is
    /// not woken.
    #[inline]
    #[must_use]
    pub fn motion_for(&self, asleep: bool) -> Motion {
        let sleeps = asleep && !self.wake && matches!(self.motion, Motion::StepMotion { .. });
        if sleeps || !self.motion.is_finite() {
            Motion::Keep
        } else {
            self.motion
        }
    }
}

/// Reaction of a wheel on the dynamic body under it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction {
    /// The body under the wheel.
    pub body: BodyId,
    /// Mean force over the step (`N`, world axes).
    pub force: Vec3,
    /// Mean torque over the step, in addition to that of the force about the body's center of mass (`N·m`,
    /// world axes): the opposite of the tire's aligning and overturning moment with the rows solver; 0 with the
    /// explicit one.
    pub torque: Vec3,
    /// Center of mass of the vehicle (`m`, world), the origin of `offset`.
    pub anchor: DVec3,
    /// Point of application of the force, relative to the anchor (`m`, world axes).
    pub offset: Vec3,
}

impl Reaction {
    /// Whether the reaction has an effect: its numbers are finite, and force or torque are not zero. Engines pass
    /// over others, which do not wake bodies.
    #[must_use]
    pub fn acts(&self) -> bool {
        let numbers = self.force + self.torque + self.offset;
        let finite = numbers.is_finite() && self.anchor.is_finite();
        finite && (self.force, self.torque) != (Vec3::ZERO, Vec3::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Motion = Motion::StepMotion {
        linear: Vec3::X,
        angular: Vec3::Y,
        canceled_acceleration: Vec3::Z,
        canceled_angular_acceleration: Vec3::ZERO,
    };

    #[test]
    fn a_reaction_acts_if_it_is_finite_and_not_zero() {
        let good = Reaction {
            body: BodyId(0),
            force: Vec3::X,
            torque: Vec3::Y,
            anchor: DVec3::ZERO,
            offset: Vec3::Z,
        };
        let (none, bad) = (Vec3::ZERO, Vec3::X * f32::NAN);
        assert!(
            good.acts()
                && Reaction {
                    force: none,
                    ..good
                }
                .acts()
        );
        assert!(
            Reaction {
                torque: none,
                ..good
            }
            .acts()
        );
        assert!(
            !Reaction {
                force: none,
                torque: none,
                ..good
            }
            .acts()
        );
        for wrong in [
            Reaction { force: bad, ..good },
            Reaction {
                torque: bad,
                ..good
            },
            Reaction {
                offset: bad,
                ..good
            },
            Reaction {
                anchor: DVec3::INFINITY,
                ..good
            },
        ] {
            assert!(!wrong.acts(), "{wrong:?}");
        }
    }

    #[test]
    fn a_sleeping_body_ignores_step_motions() {
        for (asleep, wake) in [(false, false), (false, true), (true, false), (true, true)] {
            let step = StepResult { motion: STEP, wake };
            let moves = wake || !asleep;
            assert_eq!(step.motion_for(asleep) == STEP, moves);
            assert_eq!(step.motion_for(asleep) == Motion::Keep, !moves);
        }
    }

    #[test]
    fn every_number_must_be_finite() {
        let (linear, angular) = (Vec3::X, Vec3::Y * f32::INFINITY);
        let gravity = Vec3::Z * f32::NAN;
        for motion in [
            Motion::VelocityChange { linear, angular },
            Motion::Acceleration { linear, angular },
            Motion::StepMotion {
                linear,
                angular: linear,
                canceled_acceleration: gravity,
                canceled_angular_acceleration: Vec3::ZERO,
            },
        ] {
            let result = StepResult { motion, wake: true };
            assert_eq!(result.motion_for(false), Motion::Keep);
        }
        assert!(STEP.is_finite() && Motion::Keep.is_finite());
    }

    /// One non-finite number among finite ones makes a motion non-finite.
    #[test]
    fn one_non_finite_number_discards_a_motion() {
        let vectors = |bad: usize| -> [Vec3; 4] {
            let wrong = [Vec3::X * f32::INFINITY, Vec3::Y * f32::NAN][bad % 2];
            core::array::from_fn(|n| if n == bad { wrong } else { Vec3::ONE })
        };
        for bad in 0..5 {
            let [
                linear,
                angular,
                canceled_acceleration,
                canceled_angular_acceleration,
            ] = vectors(bad);
            let step = Motion::StepMotion {
                linear,
                angular,
                canceled_acceleration,
                canceled_angular_acceleration,
            };
            assert_eq!(step.is_finite(), bad > 3);
            for motion in [
                Motion::VelocityChange { linear, angular },
                Motion::Acceleration { linear, angular },
            ] {
                assert_eq!(motion.is_finite(), bad > 1);
            }
        }
    }

    /// Velocity changes and accelerations are passed on for a sleeping body, too: engines decide on them.
    #[test]
    fn a_change_of_velocity_is_passed_on_as_it_is() {
        let (linear, angular) = (Vec3::X, Vec3::Y);
        for motion in [
            Motion::VelocityChange { linear, angular },
            Motion::Acceleration { linear, angular },
        ] {
            for (asleep, wake) in [(false, false), (false, true), (true, false), (true, true)] {
                assert_eq!(StepResult { motion, wake }.motion_for(asleep), motion);
            }
        }
    }
}
