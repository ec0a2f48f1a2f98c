//! One step of either solver, and the resulting motion for the engine.

use glam::Vec3;

use super::Vehicle;
use crate::base::velocity::Velocity;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::outcome::Motion;
use crate::params::profile::{ExplicitSettings, RowsSettings};
use crate::solvers::explicit;
use crate::solvers::explicit::stops;
use crate::solvers::rows::carried::{self, GroundDeviation};
use crate::solvers::rows::handover;
use crate::solvers::rows::{self, Step};
use crate::stages::chassis::Chassis;
use crate::stages::outputs::Workspace;

/// Minimum factor by which damping scales a velocity (–), so that it can be divided by.
const LEAST_LEFT: f32 = 1e-3;

impl Vehicle {
    /// The rows solver's step.
    pub(super) fn solve_rows(
        &mut self,
        settings: &RowsSettings,
        body: &BodyState,
        gravity: Vec3,
        dt: f32,
    ) -> Motion {
        let found = handover::receive(settings, &mut self.state, body, gravity);
        self.follow(body);
        let velocity = found.velocity;
        let ground = self.ground.first_motion();
        let deviation = ground.as_ref().map(|ground| {
            GroundDeviation::new(&self.state, ground, gravity, settings.observer_gain)
        });
        let mut chassis =
            Chassis::with_matrix(body, self.matrix, velocity.linear, velocity.angular);
        let (under, reactions) = self.ground.for_step();
        let mut work = Workspace {
            control: &mut self.control,
            steering: &mut self.steering,
            ground: under,
            swept: &self.swept,
            outputs: &mut self.outputs,
            reactions,
            air: self.air,
            air_load: &mut self.air_load,
        };
        let (kind, state) = (&self.kind, &mut self.state);
        rows::advance(
            kind,
            &Step {
                settings,
                found: &found,
                ground: deviation.as_ref(),
                gravity,
                dt,
            },
            state,
            &mut chassis,
            &mut work,
        );
        self.updated = Velocity {
            linear: chassis.linear,
            angular: chassis.angular,
        };
        let motion = handover::hand_over(state, body, &chassis, &found.push, (gravity, dt));
        let end = body.position + chassis.moved.as_dvec3();
        if let (Some(ground), Some(deviation)) = (&ground, deviation) {
            state.handover.ground = carried::expected(ground, deviation.lag, end, dt);
        }
        motion
    }

    /// The explicit solver's step.
    #[inline(always)]
    pub(super) fn solve_explicitly(&mut self, body: &BodyState, gravity: Vec3, dt: f32) -> Motion {
        let moved = self.follow(body);
        let linear = body.linear_velocity + self.state.carry.linear;
        let angular = body.angular_velocity + self.state.carry.angular;
        let mut chassis = Chassis::with_matrix(body, self.matrix, linear, angular);
        self.hold_direct_sweeps(&chassis, gravity, moved);
        let (ground, reactions) = self.ground.for_step();
        let mut work = Workspace {
            control: &mut self.control,
            steering: &mut self.steering,
            ground,
            swept: &self.swept,
            outputs: &mut self.outputs,
            reactions,
            air: self.air,
            air_load: &mut self.air_load,
        };
        let (kind, state) = (&self.kind, &mut self.state);
        explicit::advance(
            kind,
            (gravity, dt),
            state,
            &mut chassis,
            &mut work,
            &mut self.stops,
        );
        self.explicit_motion(body, &chassis, gravity, dt)
    }

    /// The motion after which, with the engine's gravity and damping, the body moves as the solver decided.
    #[inline(always)]
    fn explicit_motion(
        &mut self,
        body: &BodyState,
        chassis: &Chassis,
        gravity: Vec3,
        dt: f32,
    ) -> Motion {
        let Some(settings) = self.kind.params().profile.explicit() else {
            return Motion::Keep;
        };
        let mut target = Velocity {
            linear: chassis.linear,
            angular: chassis.angular,
        };
        self.updated = target;
        // What the engine adds.
        let falling = gravity * dt;
        if settings.integrates_gravity {
            target.linear -= falling;
        }
        self.state.carry = Velocity::ZERO;
        if !self.stops.is_empty() {
            // Damping of an engine stops a body within the step at most.
            let linear_left = (1.0 - body.linear_damping * dt).max(LEAST_LEFT);
            let angular_left = (1.0 - body.angular_damping * dt).max(LEAST_LEFT);
            let world = self.matrix;
            let to_vehicle = |v: Vec3| world.transpose() * v;
            let start = Velocity {
                linear: to_vehicle((target.linear + falling) * linear_left),
                angular: to_vehicle(target.angular * angular_left),
            };
            let solved = stops::solve(
                &self.stops,
                start,
                1.0 / body.mass,
                &body.inverse_inertia,
                settings.stops.restitution,
                dt,
            );
            target.linear += world * (solved.moving.linear - start.linear) / linear_left;
            target.angular += world * (solved.moving.angular - start.angular) / angular_left;
            let carry = solved.end - solved.moving;
            self.state.carry = Velocity {
                linear: world * carry.linear,
                angular: world * carry.angular,
            };
        }
        let linear = target.linear - body.linear_velocity;
        let angular = target.angular - body.angular_velocity;
        handed_over(settings, linear, angular, dt)
    }
}

/// A change of velocity within `dt` (`s`), as a motion for the engine.
pub(super) fn handed_over(
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
