//! Changing the model or the body of a running vehicle while keeping its state.

use alloc::sync::Arc;

use super::{Vehicle, no_edge_ground, no_swept_wheels};
use crate::base::ids::BodyId;
use crate::base::lanes::{Groups, LANES, Mask4, W4};
use crate::exchange::extra_states::ExtraStates;
use crate::exchange::state::WheelState;
use crate::params::VehicleParams;
use crate::stages::model::VehicleModel;

impl Vehicle {
    /// Changes the parameters without losing state; also between a probe and its update.
    ///
    /// Wheels that are disabled stop; wheels that are enabled start like new ones in
    /// [`Vehicle::set_model_with`]. Stateful tires keep their state, even under another law; a model without
    /// stateful tires resets it. Drivetrain and driver aids keep their memories, if the new model's are as long. Wheel forces scale with the sprung masses, and a gear that the new drive lacks
    /// becomes the nearest. Mass, inertia and center of mass of the body are the caller's to change.
    ///
    /// # Panics
    /// If the new model has another number of wheels: see [`Vehicle::set_model_with`].
    pub fn set_model(&mut self, model: Arc<VehicleModel>) {
        assert_eq!(
            model.wheel_count(),
            self.model.wheel_count(),
            "a vehicle keeps its number of wheels"
        );
        self.control = model.idle_control();
        self.take_over(model, Some);
    }

    /// Changes to a version with other wheels, as [`Vehicle::set_model`] does: wheel `n` of the new model takes
    /// over spin, ground, forces and user value of wheel `from[n]` (copy of dynamics, ALGORITHMS §6.4). Several
    /// wheels may have the same source.
    ///
    /// Wheels without a source roll at the others' mean rim speed and know no ground until the next
    /// probe. A probe before the change does not count. Buffers are reallocated. With a probe before the next update,
    /// reactions and reports include the ground.
    ///
    /// # Panics
    /// If `from` has not one element per wheel of the new model, or names a wheel that does not exist.
    pub fn set_model_with(&mut self, model: Arc<VehicleModel>, from: &[Option<usize>]) {
        assert_eq!(
            from.len(),
            model.wheel_count(),
            "one element per wheel of the new vehicle model"
        );
        let known = |wheel: &usize| *wheel < self.model.wheel_count();
        assert!(from.iter().flatten().all(known), "wheels that are there");
        self.take_over(model, |wheel| from[wheel]);
        let fresh = Self::new(Arc::clone(&self.model), self.body);
        let old = core::mem::replace(self, fresh);
        if !old.user_values.is_empty() {
            let values = from
                .iter()
                .map(|source| source.map_or(0, |n| old.user_values[n]));
            self.user_values = values.collect();
        }
        self.state = old.state;
        self.filter = old.filter;
        self.clamped = old.clamped;
        self.updated = old.updated;
        self.gravity = old.gravity;
        self.air = old.air;
        self.unsound_air = old.unsound_air;
        self.grip = old.grip;
        self.matrix = old.matrix;
    }

    /// Moves the vehicle to another body, which its probes never hit: the first body that its
    /// [filter](Vehicle::filter_mut) ignores. Known ground stays where it is in the world.
    pub fn set_body(&mut self, body: BodyId) {
        self.filter.ignore[0] = Some(body);
        self.body = body;
        self.state.last_step.duration = 0.0;
    }

    /// Adapts the state to a vehicle model whose wheels have the sources `from`, and sets the model.
    fn take_over(&mut self, model: Arc<VehicleModel>, from: impl Fn(usize) -> Option<usize>) {
        let (old, new) = (self.model.params(), model.params());
        let same_solver = old.profile.solver.is_like(&new.profile.solver);
        let same_motion = same_solver && old.chassis.center_of_mass == new.chassis.center_of_mass;
        if !same_motion {
            // After a change of the solver or of the center of mass, there is no valid record of the last step.
            self.state.last_step.duration = 0.0;
        }
        // A wheel that is or was disabled starts as a new one.
        let source = |wheel: usize| {
            let source = from(wheel).filter(|&n| old.wheels[n].enabled);
            source.filter(|_| new.wheels[wheel].enabled)
        };
        self.state.extras = extras_of(&self.state.extras, &self.model, &model, source);
        self.state.wheels = wheels_of(&self.state.wheels, &self.model, &model, source);
        let count = new.wheels.len();
        self.probe_result
            .keep_wheels(|wheel| wheel < count && source(wheel).is_some());
        for wheels in self.state.wheels.iter_mut() {
            wheels.grip = wheels.grip.of(&new.profile.solver);
        }
        if !same_solver || !model.has_moments() {
            self.state.tire_moment = glam::Vec3::ZERO;
        }
        model.drivetrain().adopt(&mut self.state.drive);
        self.trend.forget();
        self.forget_turning();
        self.state.input_digest = 0;
        // If they are swept, the next step sets their orientation.
        self.probe_result.met_sections = None;
        self.swept = no_swept_wheels(&model);
        self.edges = no_edge_ground(&model);
        self.model = model;
    }
}

/// Tires, steering wheel, bushings and memories of `new` with the state of their `source` in `old`; new ones if they have none.
fn extras_of(
    extras: &ExtraStates,
    old: &VehicleModel,
    new: &VehicleModel,
    source: impl Fn(usize) -> Option<usize>,
) -> ExtraStates {
    let mut new_extras = new.fresh_extras();
    if let (Some(steering), Some(before)) = (new_extras.steering_mut(), extras.steering()) {
        *steering = *before;
    }
    new_extras.take_bushing_forces(extras, &source);
    new_extras.take_memories(extras);
    for (wheel, tire) in new_extras.tires_mut().iter_mut().enumerate() {
        let before = source(wheel).filter(|&n| old.remembers(n));
        let before = before.and_then(|n| extras.tires().get(n));
        *tire = before.copied().unwrap_or(*tire);
    }
    new_extras
}

/// Wheels of `new` with the state of their `source` in `old`.
fn wheels_of(
    wheels: &[WheelState],
    old: &VehicleModel,
    new: &VehicleModel,
    source: impl Fn(usize) -> Option<usize>,
) -> Groups<WheelState> {
    let count = new.wheel_count();
    let (mut rolling, mut rim_speed) = (0, 0.0);
    for n in (0..count).filter_map(&source) {
        rolling += 1;
        rim_speed += wheels[n / LANES].spin.lane(n % LANES) * old.params().wheels[n].radius;
    }
    let mean = rim_speed / rolling.max(1) as f32;
    Groups::for_wheels(count, |g| {
        let wheel = |lane: usize| (g * LANES + lane < count).then_some(g * LANES + lane);
        let mut gathered = WheelState::gathered(wheels, |lane| source(wheel(lane)?));
        let k = &new.wheels()[g];
        let rolling = k.enabled.keep(W4::splat(mean) * k.inverse_radius);
        let is_none = |lane: usize| wheel(lane).is_some_and(|n| source(n).is_none());
        let begins = Mask4::from_fn(is_none);
        gathered.spin = begins.select(rolling, gathered.spin);
        gathered.spin_shown = begins.select(rolling, gathered.spin_shown);
        let more = W4::from_fn(|lane| {
            let carried =
                |params: &VehicleParams, n: usize| params.wheels[n].suspension.sprung_mass;
            let pair = wheel(lane).and_then(|n| Some((n, source(n)?)));
            pair.map_or(1.0, |(to, from)| {
                carried(new.params(), to) / carried(old.params(), from)
            })
        });
        gathered.normal_force = gathered.normal_force * more;
        gathered.grip = gathered.grip.with_forces_times(more);
        gathered
    })
}
