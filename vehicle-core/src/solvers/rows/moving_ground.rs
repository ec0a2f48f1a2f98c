//! A body under the wheels between steps: how it really moved, and how its velocity changes (ROWS §3).
//!
//! Scripted platforms change their velocity from step to step; other vehicles have the mean velocity of a step. The
//! chassis, whose velocity changes within a step, would fall behind such ground by half of each change.
//!
//! An engine may report how a body moved in the step before: one that is driven by its poses, or a vehicle that is
//! updated later. What such a report lacked in the last step, it will lack again, as long as the acceleration lasts.

use glam::{DVec3, Vec3};

use crate::base::math;
use crate::base::velocity::Velocity;
use crate::contracts::rigid_bodies::GroundMotion;
use crate::exchange::state::VehicleState;
use crate::exchange::step_record::GroundRecord;

use super::observer;
use super::tuning::{GROUND_ROUNDINGS, SHAKING_GROUND};

/// How the ground differs from what it did in the last step, at the vehicle's center of mass (world axes).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroundDeviation {
    /// Displacement from where the last step expected it (`m`, `rad`).
    pub pose_drift: Velocity,
    /// Change of its expected velocity since the last step (`m/s`, `rad/s`).
    pub change: Velocity,
    /// How much faster than reported it is expected to move (`m/s`).
    pub lag: Vec3,
}

impl GroundDeviation {
    /// Compares ground that moves like `motion` with the last step's, in this `state` of the vehicle. Other
    /// ground, or one that was moved by hand, does not deviate.
    ///
    /// ```text
    /// Δx = x − x_expected        lag = lag_last + gain·Δx/dt        ΔV = V + lag − V_last − lag_last
    /// ```
    ///
    /// `gain` is that of the observer (–): a lag that followed at once would let a heavy vehicle shake light ground.
    #[must_use]
    pub fn new(state: &VehicleState, motion: &GroundMotion, gravity: Vec3, gain: f32) -> Self {
        let last = &state.last_step;
        let ground = &last.ground;
        if last.duration == 0.0 || !ground.is_known() {
            return Self::default();
        }
        // From where it would be as reported.
        let foreseen = ground.lag * last.duration;
        let moved = Velocity {
            linear: (motion.position - state.position).as_vec3()
                - (last.position + ground.position)
                + foreseen,
            angular: observer::turned_since(ground.rotation, motion.rotation)
                - ground.velocity.angular * last.duration,
        };
        let change = motion.velocity() - ground.velocity;
        let step = (gravity, last.duration);
        let push = Velocity::ZERO;
        if observer::is_unexplained(&moved, &change, &push, motion.position, step) {
            return Self::default();
        }
        let arm = (state.position - motion.position).as_vec3();
        let (mut pose_drift, mut change) = (moved.at(arm), change.at(arm));
        let velocity = motion.velocity().at(arm).linear;
        let rounding = GROUND_ROUNDINGS * observer::rounding(motion.position);
        pose_drift.linear -= foreseen;
        let strayed = foreseen + pose_drift.linear * gain;
        let lag = bounded_lag(strayed, rounding, velocity, (gravity, last.duration));
        change.linear += lag - ground.lag;
        Self {
            pose_drift,
            change,
            lag,
        }
    }
}

/// How much faster than reported (`m/s`) ground is expected to move that reports this `velocity` (`m/s`) and has `strayed`
/// in steps of `dt` (`s`) from where its reports would have put it (`m`), by more than `rounding` (`m`).
///
/// No more than gravity gives in a step, so that a hit leaves little; and no more than half of what the ground moves faster
/// than a vehicle shakes it: what brakes will stand, and ground that responds to the vehicle's own push comes to rest only if it is
/// not thought to move much faster than it does (ROWS §5).
fn bounded_lag(strayed: Vec3, rounding: f32, velocity: Vec3, (gravity, dt): (Vec3, f32)) -> Vec3 {
    let length = |v: Vec3| math::sqrt(v.dot(v));
    let distance = length(strayed);
    if distance <= rounding {
        return Vec3::ZERO;
    }
    let most = (0.5 * (length(velocity) - SHAKING_GROUND)).clamp(0.0, length(gravity) * dt);
    strayed * (1.0 / dt).min(most / distance)
}

/// Ground that moves like `motion`, and faster by `lag` (`m/s`), as the next step expects it after `dt` (`s`); `end` is
/// where the vehicle's center of mass should then be (`m`, world).
#[must_use]
pub fn expected(motion: &GroundMotion, lag: Vec3, end: DVec3, dt: f32) -> GroundRecord {
    let center = motion.position + ((motion.linear_velocity + lag) * dt).as_dvec3();
    GroundRecord {
        position: (center - end).as_vec3(),
        rotation: motion.rotation.to_array(),
        velocity: motion.velocity(),
        lag,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::state::DriveState;
    use glam::Quat;
    use proptest::prelude::*;

    const DT: f32 = 1.0 / 60.0;
    const GAIN: f32 = 0.25;
    const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
    /// Displacement of the vehicle from its start to its expected position (`m`).
    const DISPLACEMENT: Vec3 = Vec3::new(0.3, -0.1, 0.02);

    fn vectors(most: f32) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-most..most).prop_map(Vec3::from)
    }

    fn motions() -> impl Strategy<Value = GroundMotion> {
        (vectors(40.0), vectors(30.0), vectors(0.02), vectors(3.0)).prop_map(
            |(position, linear_velocity, angular_velocity, axis)| GroundMotion {
                position: position.as_dvec3(),
                rotation: math::turn(Quat::IDENTITY, axis, 0.5),
                linear_velocity,
                angular_velocity,
                mass: None,
                inverse_inertia: glam::Mat3::ZERO,
            },
        )
    }

    /// A vehicle on ground that moved like `ground` in the last step.
    fn after_a_step_on(ground: &GroundMotion) -> VehicleState {
        let mut state = VehicleState::at_rest(4, DriveState::default());
        let start = DVec3::new(2.0, 1.0, 0.5);
        state.move_to(start);
        state.last_step.position = DISPLACEMENT;
        state.last_step.duration = DT;
        state.last_step.ground = expected(ground, Vec3::ZERO, start + DISPLACEMENT.as_dvec3(), DT);
        state
    }

    /// The ground a step later.
    fn moved(ground: &GroundMotion) -> GroundMotion {
        GroundMotion {
            position: ground.position + (ground.linear_velocity * DT).as_dvec3(),
            rotation: math::turn(ground.rotation, ground.angular_velocity, DT),
            ..*ground
        }
    }

    fn apart(a: Velocity, b: Velocity) -> f32 {
        let off = a - b;
        off.linear.length().max(off.angular.length())
    }

    proptest! {
        /// Ground that moves on as it did does not deviate.
        #[test]
        fn steady_ground_does_not_deviate(ground in motions()) {
            let actual = GroundDeviation::new(&after_a_step_on(&ground), &moved(&ground), GRAVITY, GAIN);
            // Rounding of 40 m and of quaternions in f32, at an arm of 40 m.
            prop_assert!(apart(actual.pose_drift, Velocity::ZERO) < 4e-5, "{actual:?}");
            prop_assert_eq!(actual.change, Velocity::ZERO);
        }

        /// Ground that was pushed: displacement and change of velocity of its point at the vehicle.
        #[test]
        fn pushed_ground_deviates_by_the_push(
            ground in motions(), linear in vectors(0.1), angular in vectors(0.01),
        ) {
            let state = after_a_step_on(&ground);
            let change = Velocity { linear, angular };
            let mut pushed = moved(&ground);
            pushed.position += (linear * DT).as_dvec3();
            pushed.rotation = math::turn(pushed.rotation, angular, DT);
            pushed.linear_velocity += linear;
            pushed.angular_velocity += angular;
            let actual = GroundDeviation::new(&state, &pushed, GRAVITY, GAIN);
            let arm = (state.position - pushed.position).as_vec3();
            let lag = Velocity { linear: actual.lag, angular: Vec3::ZERO };
            prop_assert!(apart(actual.change, change.at(arm) + lag) < 1e-4, "{actual:?}");
            prop_assert!(apart(actual.pose_drift, (change * DT).at(arm)) < 4e-5, "{actual:?}");
        }

        /// Ground that gains speed and reports how it moved in the step before is where it is expected, once its
        /// reports have lacked that gain for some steps.
        #[test]
        fn late_reports_are_foreseen(mut ground in motions(), gain in vectors(0.09)) {
            // The speed after 40 steps, or before, must not be too small.
            let slowest = ground.linear_velocity.length() - 40.0 * gain.length();
            prop_assume!(gain.length() < 0.5 * (slowest - SHAKING_GROUND) && gain.length() > 0.01);
            let mut state = VehicleState::at_rest(4, DriveState::default());
            state.last_step.duration = DT;
            state.last_step.position = DISPLACEMENT;
            for n in 0..40 {
                let actual = GroundDeviation::new(&state, &ground, GRAVITY, GAIN);
                if n > 20 {
                    prop_assert!((actual.lag - gain).length() < 5e-3, "{actual:?}");
                    prop_assert!(apart(actual.pose_drift, Velocity::ZERO) < 8e-5, "{actual:?}");
                    prop_assert!((actual.change.linear - gain).length() < 1e-2, "{actual:?}");
                }
                state.last_step.ground = expected(&ground, actual.lag, DISPLACEMENT.as_dvec3(), DT);
                ground.linear_velocity += gain;
                ground = moved(&ground);
            }
        }

        /// No lag reverses ground or is more than gravity's, and shaken ground has none.
        #[test]
        fn lags_are_bounded(strayed in vectors(0.1), velocity in vectors(3.0)) {
            let step = (GRAVITY, DT);
            let lag = bounded_lag(strayed, 0.0, velocity, step);
            let most = (0.5 * (velocity.length() - SHAKING_GROUND)).clamp(0.0, 9.81 * DT);
            prop_assert!((lag.length() - (strayed.length() / DT).min(most)).abs() < 1e-5, "{lag}");
            prop_assert!(lag.cross(strayed).length() < 1e-5 && lag.dot(strayed) >= 0.0);
            let shaken = velocity.normalize() * 0.04;
            prop_assert_eq!(bounded_lag(strayed, 0.0, shaken, step), Vec3::ZERO);
            prop_assert_eq!(bounded_lag(strayed, 0.2, velocity, step), Vec3::ZERO);
        }

        /// Ground that somebody put elsewhere, ground without a last step, and other ground do not deviate.
        #[test]
        fn ground_without_a_history_does_not_deviate(ground in motions(), by in vectors(1.0)) {
            let mut state = after_a_step_on(&ground);
            let mut elsewhere = moved(&ground);
            elsewhere.position += (by + by.signum() * 0.1).as_dvec3();
            let none = GroundDeviation::default();
            prop_assert_eq!(GroundDeviation::new(&state, &elsewhere, GRAVITY, GAIN), none);
            let mut fast = moved(&ground);
            fast.linear_velocity += Vec3::ONE;
            state.last_step.duration = 0.0;
            prop_assert_eq!(GroundDeviation::new(&state, &fast, GRAVITY, GAIN), none);
            state.last_step.duration = DT;
            state.last_step.ground = GroundRecord::NONE;
            prop_assert_eq!(GroundDeviation::new(&state, &fast, GRAVITY, GAIN), none);
        }
    }
}
