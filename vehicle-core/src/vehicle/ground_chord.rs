//! Ground planes over a step: probes look where the wheels will be at its end, and the planes lead there from where the wheels
//! stand at its start (ROWS §3).
//!
//! Measured with the tangent at the start instead: a sports car that coasts around a loop with a radius of 12 m from 28 m/s
//! passes its foot at 31.7, 38.8, 50.9 and 75.3 m/s at 30 Hz. With the chord it loses energy in each round, at every rate.

use glam::{DVec3, Mat3, Vec3};

use super::Vehicle;
use crate::base::lanes::{Groups, LANES, V3x4, W4};
use crate::base::velocity::Velocity;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::state::VehicleState;
use crate::params::Probe;
use crate::stages::contact::GroundPlanes;
use crate::stages::suspension::{self, LEAST_INCIDENCE};
use crate::stages::wheel_consts::WheelConsts;

/// Longest time by which probes look ahead, unless a step is longer (`s`).
const LONGEST: f32 = 0.05;

/// How the probes of four wheels look ahead (world axes).
#[derive(Clone, Copy, Debug)]
pub(super) struct LookAhead {
    /// Displacement of the wheels relative to the ground, along the planes on which they stand, until the next probe (`m`).
    pub(super) displacement: V3x4,
    /// Additional length of the probes, so that the rows solver sees a landing before it happens: the distance along the
    /// travel by which ground inclined up to 60° against it approaches in a step of 1/20 s (`m`).
    pub(super) extension: W4,
}

/// Times of the last probe: how far it looked ahead, and when ground ends. One element per group of wheels.
#[derive(Clone, Debug)]
pub(super) struct ProbeTimes {
    /// Time until the wheels are where the probe looked (`s`); 0 if it did not look ahead.
    times: Groups<W4>,
    /// Time until the ground ends (`s`), infinite where it does not end; only of use if `ends_somewhere`.
    ends: Groups<W4>,
    looks_ahead: bool,
    ends_somewhere: bool,
}

impl ProbeTimes {
    /// Times of a probe that looks nowhere ahead, for this number of wheels.
    pub(super) fn none(wheels: usize) -> Self {
        Self {
            times: Groups::for_wheels(wheels, |_| W4::ZERO),
            ends: Groups::for_wheels(wheels, |_| W4::ZERO),
            looks_ahead: false,
            ends_somewhere: false,
        }
    }

    /// Begins a probe that looks ahead by `time` (`s`).
    #[inline]
    pub(super) fn look_ahead_by(&mut self, time: f32) {
        self.times.fill(W4::splat(time));
        self.looks_ahead = time > 0.0;
        self.ends_somewhere = false;
    }

    /// Whether the last probe looked ahead.
    pub(super) fn looks_ahead(&self) -> bool {
        self.looks_ahead
    }

    /// Notes that the ground of a wheel ends: `fractions` are the parts of its displacement at which the ground was found last, and
    /// at which it ends (–).
    pub(super) fn end(&mut self, wheel: usize, [last, end]: [f32; 2]) {
        if !self.ends_somewhere {
            self.ends.fill(W4::splat(f32::INFINITY));
            self.ends_somewhere = true;
        }
        let (g, lane) = (wheel / LANES, wheel % LANES);
        let time = self.times[g].lane(lane);
        self.times[g] = self.times[g].with_lane(lane, last * time);
        self.ends[g] = self.ends[g].with_lane(lane, end * time);
    }

    /// Times until the ground ends (`s`); empty if it ends nowhere.
    #[inline]
    pub(super) fn ends(&self) -> &[W4] {
        if self.ends_somewhere { &self.ends } else { &[] }
    }
}

/// Time by which the probes of a vehicle with this `state` look ahead, whose center of mass is at `position` (`m`, world):
/// until the next probe, if that comes as late as this one (`s`). 0 if the body is away from where the last step led by more
/// than half of that step's displacement: it was placed, or its world was not stepped.
pub(super) fn time_ahead(state: &VehicleState, position: DVec3) -> f32 {
    let last = &state.last_step;
    let drift = (position - state.position).as_vec3() - last.position;
    if 4.0 * drift.dot(drift) > last.position.dot(last.position) {
        return 0.0;
    }
    let steps = f32::from(state.steps_since_probe().max(1));
    (last.duration * steps).min(last.duration.max(LONGEST))
}

impl Vehicle {
    /// How the probes of group `g` of the wheels look ahead, for a chassis at `body` with this rotation `matrix`.
    pub(super) fn look_ahead(&self, g: usize, body: &BodyState, matrix: &Mat3) -> LookAhead {
        const STEEPEST: W4 = W4::splat(1.732);
        let k = &self.model.wheels()[g];
        let direction = k.travel.rotated(matrix);
        let feet = self.feet(k, matrix);
        let velocity = velocity_at(body.velocity(), feet);
        let along = velocity.dot(direction);
        let across = velocity - direction * along;
        let sideways = across.dot(across).sqrt();
        // A body that sleeps may keep a velocity, but goes nowhere: its probes stay the same to the bit.
        let time = if body.asleep {
            W4::ZERO
        } else {
            W4::splat(time_ahead(&self.state, body.position))
        };
        let normal = self.state.wheels[g].ground_normal;
        let relative = velocity - self.velocity_of_ground(feet);
        LookAhead {
            displacement: following(normal, direction, relative, time),
            extension: W4::splat(LONGEST) * (along + STEEPEST * sideways).max(W4::ZERO),
        }
    }

    /// Displacement of group `g` of the wheels, which stood on planes with these normals, to where the last probe looked (`m`, world
    /// axes), for the chassis at its `body`.
    pub(super) fn probed_displacement(
        &self,
        g: usize,
        normal: V3x4,
        body: &BodyState,
        matrix: &Mat3,
    ) -> V3x4 {
        let k = &self.model.wheels()[g];
        let feet = self.feet(k, matrix);
        let relative = velocity_at(body.velocity(), feet) - self.velocity_of_ground(feet);
        let direction = k.travel.rotated(matrix);
        following(normal, direction, relative, self.probe_times.times[g])
    }

    /// Velocity of the ground of the last step at points at `arm` from the center of mass (`m/s`; arms in `m`).
    fn velocity_of_ground(&self, arm: V3x4) -> V3x4 {
        let ground = &self.state.last_step.ground;
        velocity_at(ground.velocity, arm - V3x4::splat(ground.position))
    }

    /// Ends of the probes of wheels at full droop (`m`, from the center of mass, world axes).
    fn feet(&self, k: &WheelConsts, matrix: &Mat3) -> V3x4 {
        let length = match self.probe() {
            Probe::Ray | Probe::Auto => k.ray_length,
            Probe::Sweep(_) | Probe::Sections => k.ray_length - k.radius,
        };
        (k.ray_start + k.travel * length).rotated(matrix)
    }

    /// Replaces the planes of the last probe by those that lead to them, from where the wheels of a chassis at `body` stand.
    #[inline]
    pub(super) fn lead_planes(&mut self, body: &BodyState) {
        if !self.probed.is_present() {
            // What was found applied to the step of its probe.
            (
                self.probe_times.looks_ahead,
                self.probe_times.ends_somewhere,
            ) = (false, false);
        }
        if !self.probe_times.looks_ahead {
            return;
        }
        for g in 0..self.probe_result.ground.len() {
            let (next, previous) = (&self.state.wheels[g], &self.probe_result.ground[g].planes);
            if next.ground_normal != previous.normal {
                self.lead_planes_of(g, body);
            }
        }
    }

    fn lead_planes_of(&mut self, g: usize, body: &BodyState) {
        let k = &self.model.wheels()[g];
        let mut previous = self.probe_result.ground[g].planes;
        let displacement = self.probed_displacement(g, previous.normal, body, &self.matrix);
        let moving = &self.ground.ground()[g];
        if moving.any {
            let contacts = &self.contacts[g * LANES..];
            let point = |lane: usize| Some(contacts.get(lane)?.as_ref()?.point);
            let points = core::array::from_fn(|lane| point(lane).unwrap_or_default());
            previous.follow(moving, V3x4::from_array(points), self.probe_times.times[g]);
        }
        let swept = self.swept.get(g).and_then(Option::as_ref);
        let wheels = &mut self.state.wheels[g];
        let next = GroundPlanes::under(wheels, Vec3::ZERO);
        let displacement = displacement.rotated_back(&self.matrix);
        let led = suspension::chord(k, &self.matrix, [&previous, &next], swept, displacement);
        (wheels.ground_normal, wheels.ground_height) = (led.normal, led.height);
    }

    /// Forgets the planes of ground that ended within the step of `dt` (`s`).
    #[inline]
    pub(super) fn forget_ended(&mut self, dt: f32) {
        let groups = self.probe_times.ends().iter();
        for (ends, wheels) in groups.zip(self.state.wheels.iter_mut()) {
            let lasts = ends.ge(W4::splat(dt));
            wheels.ground_normal = wheels.ground_normal.kept(lasts);
            wheels.ground_height = lasts.keep(wheels.ground_height);
        }
    }
}

/// Displacement within a time (`s`; result `m`) of wheels that move at a `velocity` over the ground (`m/s`): across their travel
/// along a `direction`, and along it as far as they follow planes with these normals. So probes of a tilted body find level ground
/// where it is.
fn following(normal: V3x4, direction: V3x4, velocity: V3x4, time: W4) -> V3x4 {
    let across = (velocity - direction * velocity.dot(direction)) * time;
    let facing = normal.dot(direction);
    let carries = facing.lt(W4::splat(-LEAST_INCIDENCE));
    let along = carries.keep(normal.dot(across)) / carries.select(facing, -W4::ONE);
    across - direction * along
}

/// Velocity of points of a body at `arm` (`m/s`; arms in `m`).
fn velocity_at(body: Velocity, arm: V3x4) -> V3x4 {
    V3x4::splat(body.linear) + V3x4::splat(body.angular).cross(arm)
}
