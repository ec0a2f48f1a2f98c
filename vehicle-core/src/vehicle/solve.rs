//! One step of either solver, and the resulting motion for the engine.

use glam::Vec3;

use super::Vehicle;
use crate::base::math;
use crate::base::velocity::Velocity;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::command::Command;
use crate::exchange::step_result::Motion;
use crate::params::profile::{ExplicitSettings, RowsSettings};
use crate::solvers::explicit;
use crate::solvers::explicit::stops;
use crate::solvers::rows::group::GroupRows;
use crate::solvers::rows::moving_ground::{self, GroundDeviation};
use crate::solvers::rows::observer;
use crate::solvers::rows::{self, Step};
use crate::stages::chassis::Chassis;
use crate::stages::outputs::Workspace;

/// Minimum factor by which damping scales a velocity (–), so that it can be divided by.
const LEAST_LEFT: f32 = 1e-3;

impl Vehicle {
    /// The rows solver's step, with scratch memory for its `rows`.
    pub(super) fn solve_rows(
        &mut self,
        settings: &RowsSettings,
        body: &BodyState,
        (command, gravity, dt): (Option<&Command>, Vec3, f32),
        rows: &mut [GroupRows],
    ) -> Motion {
        let mut observation = observer::begin_step(settings, &mut self.state, body, gravity);
        observation.pose_drift = observation.pose_drift + self.trend.take_pose_drift();
        let moved = self.follow(body);
        self.lead_planes(body);
        self.lead_edges(body, moved);
        let ground = self.ground.first_motion();
        let deviation = ground.as_ref().map(|ground| {
            GroundDeviation::new(&self.state, ground, gravity, settings.observer_gain)
        });
        let mut chassis = Chassis::with_matrix(body, self.matrix, observation.velocity);
        let (under, reactions) = self.ground.for_step();
        let mut work = Workspace {
            control: &mut self.control,
            command,
            steering: &mut self.steering,
            ground: under,
            swept: &self.swept,
            edges: self.edges.as_deref(),
            ends: self.probe_times.ends(),
            outputs: &mut self.outputs,
            reactions,
            air: self.air,
            air_load: &mut self.air_load,
        };
        let (model, state) = (&self.model, &mut self.state);
        rows::advance(
            model,
            &Step {
                settings,
                observation: &observation,
                ground: deviation.as_ref(),
                gravity,
                dt,
            },
            state,
            &mut chassis,
            &mut work,
            rows,
        );
        self.updated = chassis.velocity.truncated();
        let motion = observer::end_step(state, body, &chassis, &observation.push, (gravity, dt));
        let end = body.position + chassis.moved.as_dvec3();
        if let (Some(ground), Some(deviation)) = (&ground, deviation) {
            state.last_step.ground = moving_ground::expected(ground, deviation.lag, end, dt);
        }
        self.forget_ended(dt);
        motion
    }

    /// The explicit solver's step.
    pub(super) fn solve_explicitly(
        &mut self,
        settings: &ExplicitSettings,
        body: &BodyState,
        (command, gravity, dt): (Option<&Command>, Vec3, f32),
    ) -> Motion {
        let moved = self.follow(body);
        let velocity = body.velocity().in_lanes() + self.state.carry.in_lanes();
        let mut chassis = Chassis::with_matrix(body, self.matrix, velocity);
        self.hold_direct_sweeps(&chassis, gravity, moved);
        let (ground, reactions) = self.ground.for_step();
        let mut work = Workspace {
            control: &mut self.control,
            command,
            steering: &mut self.steering,
            ground,
            swept: &self.swept,
            edges: None,
            ends: &[],
            outputs: &mut self.outputs,
            reactions,
            air: self.air,
            air_load: &mut self.air_load,
        };
        let (model, state) = (&self.model, &mut self.state);
        explicit::advance(
            model,
            (gravity, dt),
            state,
            &mut chassis,
            &mut work,
            &mut self.stops,
        );
        self.updated = chassis.velocity.truncated();
        self.state.carry = Velocity::ZERO;
        // What the engine adds.
        let falling = gravity * dt;
        let mut target = self.updated.linear;
        if settings.integrates_gravity {
            target -= falling;
        }
        if !self.stops.is_empty() {
            if settings.stops.of_last_substep && chassis.elapsed > 0.0 {
                stops::turn_back(&mut self.stops, &chassis.matrix, &self.matrix);
            }
            return self.stopped(settings, body, target, falling, dt);
        }
        let angular = self.updated.angular - body.angular_velocity;
        motion_by(settings, target - body.linear_velocity, angular, dt)
    }

    /// Motion of a body whose wheels are at their stops or stick, toward the velocity `target` (`m/s`); what the body does not
    /// keep is carried.
    fn stopped(
        &mut self,
        settings: &ExplicitSettings,
        body: &BodyState,
        target: Vec3,
        falling: Vec3,
        dt: f32,
    ) -> Motion {
        let mut target = Velocity {
            linear: target,
            angular: self.updated.angular,
        };
        // Damping of an engine stops a body within the step at most.
        let linear_left = (1.0 - body.linear_damping * dt).max(LEAST_LEFT);
        let angular_left = (1.0 - body.angular_damping * dt).max(LEAST_LEFT);
        let before = Velocity {
            linear: (target.linear + falling) * linear_left,
            angular: target.angular * angular_left,
        };
        let axes = math::columns_of(&self.matrix);
        let start = before.in_lanes().rotated_back_by(&axes).truncated();
        let solved = stops::solve(
            &self.stops,
            start,
            1.0 / body.mass,
            &body.inverse_inertia,
            settings.stops.restitution,
            dt,
        );
        let to_world = |v: Velocity| v.in_lanes().rotated(&self.matrix).truncated();
        self.state.carry = to_world(solved.end - solved.moving);
        let change = to_world(solved.moving - start);
        target.linear += change.linear / linear_left;
        target.angular += change.angular / angular_left;
        let linear = target.linear - body.linear_velocity;
        let angular = target.angular - body.angular_velocity;
        motion_by(settings, linear, angular, dt)
    }
}

/// A change of velocity within `dt` (`s`), as a motion for the engine.
pub(super) fn motion_by(
    settings: &ExplicitSettings,
    linear: Vec3,
    angular: Vec3,
    dt: f32,
) -> Motion {
    if settings.accelerates {
        Motion::Acceleration {
            linear: linear / dt,
            angular: angular / dt,
        }
    } else {
        Motion::VelocityChange { linear, angular }
    }
}
