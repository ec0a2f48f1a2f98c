//! A running vehicle goes on with another kind, or on another body, and keeps what it remembers.

use alloc::sync::Arc;

use super::Vehicle;
use crate::base::ids::BodyId;
use crate::base::lanes::{Groups, LANES, Mask4, W4};
use crate::exchange::state::WheelState;
use crate::exchange::tire_state::TireStates;
use crate::params::VehicleParams;
use crate::solvers::rows::group::GroupRows;
use crate::stages::kind::VehicleKind;

impl Vehicle {
    /// Goes on with other parameters without losing state. Between a probe and its update, too.
    ///
    /// Wheels that come off stop; wheels that were off begin as those of
    /// [`Vehicle::set_kind_with`] that were none. Stateful tires go on with what they remember, also as those
    /// of another law; through a kind whose tires remember nothing, they become new. What wheels pushed scales with their sprung masses,
    /// and a gear that the new drive has not becomes the nearest that it has. Mass, inertia and centre
    /// of mass of the body are the caller's to change.
    ///
    /// # Panics
    /// If the new kind has another number of wheels: see [`Vehicle::set_kind_with`].
    pub fn set_kind(&mut self, kind: Arc<VehicleKind>) {
        assert_eq!(
            kind.wheel_count(),
            self.kind.wheel_count(),
            "a vehicle keeps its number of wheels"
        );
        self.control = kind.idle_control();
        self.take_over(kind, Some);
    }

    /// Goes on as a version with other wheels, as [`Vehicle::set_kind`] does: wheel `n` of the new
    /// kind goes on as wheel `from[n]` of the present one did, spin, ground, forces and user value (copy of
    /// dynamics, ALGORITHMS §6.4). Several wheels may go on as the same one.
    ///
    /// Wheels that were none roll as fast as those do on average, and know of no ground until the
    /// next probe. Buffers are made anew, so that this allocates; a probe before the next update lets
    /// reactions and reports know what is under the wheels.
    ///
    /// # Panics
    /// If `from` has not one element per wheel of the new kind, or names a wheel that is not there.
    pub fn set_kind_with(&mut self, kind: Arc<VehicleKind>, from: &[Option<usize>]) {
        assert_eq!(
            from.len(),
            kind.wheel_count(),
            "one element per wheel of the new kind"
        );
        let known = |wheel: &usize| *wheel < self.kind.wheel_count();
        assert!(from.iter().flatten().all(known), "wheels that are there");
        self.take_over(kind, |wheel| from[wheel]);
        let fresh = Self::new(Arc::clone(&self.kind), self.body);
        let old = core::mem::replace(self, fresh);
        for (slot, source) in self.user_values.iter_mut().zip(from) {
            *slot = source.map_or(0, |wheel| old.user_values[wheel]);
        }
        self.state = old.state;
        self.filter = old.filter;
        self.clamped = old.clamped;
        self.updated = old.updated;
        self.matrix = old.matrix;
    }

    /// Moves over to another body, which is then never its own ground: the first of the bodies that its
    /// [filter](Vehicle::filter_mut) ignores. What it knows of the ground
    /// stays where it is in the world.
    pub fn set_body(&mut self, body: BodyId) {
        self.filter.ignore[0] = Some(body);
        self.body = body;
        self.state.handover.duration = 0.0;
    }

    /// Fits the state to `kind`, whose wheels go on as `from` says, and takes it.
    fn take_over(&mut self, kind: Arc<VehicleKind>, from: impl Fn(usize) -> Option<usize>) {
        let (old, new) = (self.kind.params(), kind.params());
        let same_solver = old.profile.solver.is_like(&new.profile.solver);
        let same_motion = same_solver && old.chassis.centre_of_mass == new.chassis.centre_of_mass;
        if !same_motion {
            // What another solver, or another point of the body, has not kept is not compared with.
            self.state.handover.duration = 0.0;
        }
        // A wheel that is off or was off goes on as none.
        let source = |wheel: usize| {
            let source = from(wheel).filter(|&n| old.wheels[n].enabled);
            source.filter(|_| new.wheels[wheel].enabled)
        };
        self.state.tires = tires_of(&self.state.tires, &self.kind, &kind, source);
        self.state.wheels = wheels_of(&self.state.wheels, &self.kind, &kind, source);
        for wheels in self.state.wheels.iter_mut() {
            wheels.grip = wheels.grip.of(&new.profile.solver);
        }
        self.state.tire_moment = glam::Vec3::ZERO;
        kind.drivetrain().adopt(&mut self.state.drive);
        self.trend.forget();
        self.rows
            .iter_mut()
            .for_each(|rows| *rows = GroupRows::default());
        // The next step turns them anew if they are swept then.
        self.swept.iter_mut().for_each(|swept| *swept = None);
        self.kind = kind;
    }
}

/// Tires of `new` that go on as those of `old` which `source` names; new ones where those remember nothing.
fn tires_of(
    tires: &TireStates,
    old: &VehicleKind,
    new: &VehicleKind,
    source: impl Fn(usize) -> Option<usize>,
) -> TireStates {
    let mut found = new.fresh_tires();
    for (wheel, tire) in found.as_mut_slice().iter_mut().enumerate() {
        let before = source(wheel).filter(|&n| old.remembers(n));
        let before = before.and_then(|n| tires.as_slice().get(n));
        *tire = before.copied().unwrap_or(*tire);
    }
    found
}

/// The wheels of `new` that go on as those of `old` which `source` names.
fn wheels_of(
    wheels: &Groups<WheelState>,
    old: &VehicleKind,
    new: &VehicleKind,
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
