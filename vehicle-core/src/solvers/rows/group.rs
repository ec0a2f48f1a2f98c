//! The rows of four wheels through a substep: warm-started from the state, swept, committed to it.

mod ground;
mod hubs;
mod mounts;
mod outcome;
mod tires;

use crate::base::lanes::{LANES, Mask4, V3x4, W4};
use crate::base::velocity::Velocity;
use crate::contracts::stateful_tire::TireRow;
use crate::contracts::tire::TireInput;
use crate::exchange::extra_states::MountForces;
use crate::exchange::state::WheelState;
use crate::stages::chassis::View;
use crate::stages::slip::{self, TireAxes};
use crate::stages::strut_curves::{Springs, Stance};
use crate::stages::suspension::{self, Reach};
use crate::stages::wheel_consts::WheelConsts;

use super::clutch::{Driven, Spins};
use super::contact_space::{Jacobian, Order, RowBlock};
use super::cornering::Cornering;
use super::hub::Hubs;
use super::instant::{Instant, SubstepInputs};
use super::links::Links;
use super::member::{Member, Sloped};
use super::standing::{GroundGain, Softness, Standing};
use super::strut::{self, Compression, Extension, StrutForces, StrutRows};
use super::tread::{Law, Moments};
use super::wheel::{Shaft, WheelRows, WheelStart};
use super::yielding::Yielding;

/// A strut that moves farther (`m`) until the middle of its contact meets its bump stop within few substeps: rows that stiff,
/// solved one after the other in a single sweep, push a car aside.
const FAST: f32 = 5e-3;

/// Rows of four wheels: scratch data of one substep.
// What begins as zeros is first, so that one call writes them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupRows {
    /// Rows along the ground's normals.
    pub normal: RowBlock<1>,
    /// Rows forward and to the left.
    pub tangent: RowBlock<2>,
    reach: Reach,
    compression: Compression,
    carried_before: Mask4,
    jounce: [f32; LANES],
    free_jounce: [f32; LANES],
    axes: TireAxes,
    /// Inclination of wheels without camber (`rad`).
    lean: W4,
    /// Yaw rates of the wheels relative to the ground (`rad/s`).
    yaw: W4,
    rest_load: W4,
    /// Forces of the struts that do not depend on their speed.
    pub forces: StrutForces,
    struts: StrutRows,
    law: Law,
    moments: Moments,
    tread: [TireRow<W4>; 2],
    ground: GroundGain,
    standing: Standing,
    cornering: Cornering,
    start: WheelStart,
    spins: Spins,
    /// Forces on the mounts, if these move any wheel.
    pub mounts: MountForces,
    /// Input at which stateful tires gave their rows.
    tire_input: TireInput<W4>,
    wheel_rows: WheelRows,
    links: Option<Links>,
    /// Wheels that hop on their tires, if these do.
    hubs: Option<Hubs>,
    yielding: Yielding,
    softness: Softness,
    order: Order,
}

impl GroupRows {
    /// Sets up contact geometry and Jacobians, and warm-starts the rows of touching wheels with the last
    /// substep's forces: λ₀ = F·h.
    pub fn prepare(&mut self, stage: &SubstepInputs<'_>, wheels: &WheelState, now: &Instant<'_>) {
        let k = stage.consts;
        let at_start = View {
            matrix: *now.start_matrix,
            ..now.view
        };
        let mut found = suspension::reach(k, &at_start, wheels, stage.ground, stage.swept);
        found.normal = wheels.ground_normal.rotated_back(&now.view.matrix);
        found.along = found.normal.dot(k.travel);
        if let Some(curves) = stage.curves
            && curves.shifts
        {
            let by = curves.shift(stance_jounce(k, &found, wheels), Some(&self.mounts));
            found = found.shifted(&k.travel, by);
        }
        self.reach = found;
        let jounce = stance_jounce(k, &found, wheels);
        let mut room = None;
        let mounts = Some(&self.mounts);
        let stance = Stance::new(k, stage.curves, stage.steering, jounce, mounts, &mut room);
        let axes = slip::tire_axes(found.normal, *stance.steer_sin, *stance.steer_cos);
        self.axes = axes;
        self.lean = slip::lean(found.normal, *stance.steer_sin, *stance.steer_cos);
        let row = |direction, point| Jacobian::new(direction, point, now.inverse_inertia);
        // Through the point where the ray meets the ground, not the file's application point: only there, force
        // times speed is the power absorbed by the spring.
        self.normal.jacobian = [row(found.normal, found.bottom)];
        // Once there are some, in every substep.
        if let Some(curves) = stage.curves.filter(|curves| curves.leads) {
            self.links = Some(Links::new(
                curves, stage, wheels, now, &found, &axes, jounce,
            ));
        }
        let (directions, [ahead, side]) = match &self.links {
            Some(links) => (links.directions(&axes, found.normal), links.points()),
            None => (
                [axes.long, axes.lat],
                [stance.tire_point, stance.side_point],
            ),
        };
        self.tangent.jacobian = [row(directions[0], *ahead), row(directions[1], *side)];
        let points = [&found.bottom, ahead, side];
        let ([up], [forward, left]) = (&self.normal.jacobian, &self.tangent.jacobian);
        let along = [up, forward, left];
        let rates = ground::rates(stage, now, points, along);
        let (begun, ground) = (rates.start(), rates.end());
        self.ground = GroundGain {
            gain: [rates.gain[1], rates.gain[2]],
            moves: stage.ground.moves,
        };
        self.yielding = if stage.ground.any {
            Yielding::new(along, stage, now)
        } else {
            Yielding::default()
        };
        let away = up.rates(&now.start) - begun[0];
        let falling = up.rates(&now.start) - ground[0];
        let unconstrained = up.rates(&now.unconstrained) - ground[0];
        let springs = Springs {
            preload: k.preload_mass * W4::splat(now.g) + k.preload,
            stiffness: k.stiffness,
        };
        let free = if now.limits_expansion && k.hubs().is_none() {
            Extension::of_mass(k, stage.curves, wheels, springs, now.h)
        } else {
            Extension::full(k)
        };
        let slack = strut::slack(stage.curves, springs);
        self.compression = Compression::new(free, slack, &found, away, unconstrained, now.h);
        self.compression.buried = strut::buried(k, &found, wheels, now.placed);
        self.forces = StrutForces {
            springs,
            ..StrutForces::default()
        };
        if k.hubs().is_some() {
            self.begin_hubs(k, &found, wheels, now, [away, falling, unconstrained]);
        }
        // Warm start.
        let step = self.compression.touching.keep(W4::splat(now.h));
        let mut normal_impulses = wheels.normal_force * step;
        let tangent_impulses = wheels.grip.rows().force.map(|force| force * step);
        // Standing wheels keep one order: to exchange them under a swinging load would move them.
        self.order = if now.drives {
            Order::heaviest_last(&k.mates, normal_impulses)
        } else {
            Order::default()
        };
        let mut yaw = found.normal.dot(V3x4::splat(now.unconstrained.angular));
        if stage.ground.any {
            yaw = yaw - wheels.ground_normal.dot(stage.ground.spin);
        }
        let tangent_ground =
            ground::at_the_end(yaw, now, &self.tangent.jacobian, [ground[1], ground[2]]);
        let sliding = self.tangent.jacobian[1].rates(&now.start) - begun[2];
        self.cornering = Cornering::new(sliding + tangent_ground[1] - ground[2]);
        if let Some(hubs) = &self.hubs {
            // In the air, they push the chassis, too.
            let pushed = hubs.over_ground.select(W4::splat(now.h), step);
            normal_impulses = wheels.normal_force * pushed;
        }
        self.normal
            .prepare([ground[0]], [normal_impulses], now.inverse_mass);
        self.tangent
            .prepare(tangent_ground, tangent_impulses, now.inverse_mass);
        self.lead_by_beams();
        self.rest_load = k.rest_mass * W4::splat(now.g);
        self.carried_before = match &self.hubs {
            None => normal_impulses.gt(W4::ZERO),
            Some(hubs) => hubs
                .select(hubs.start.deflection, normal_impulses)
                .gt(W4::ZERO),
        };
        self.jounce = self.compression.middle.to_array();
        self.yaw = yaw;
    }

    /// Jounce in the middle of the contact, extrapolated from its beginning; the extension in the air (`m`).
    #[must_use]
    pub fn jounce(&self) -> &[f32; LANES] {
        &self.jounce
    }

    /// Jounce of the wheels with those lifted by bars (`m`).
    #[must_use]
    pub fn free_jounce(&self) -> &[f32; LANES] {
        &self.free_jounce
    }

    /// Computes the jounces of wheels that bars lift off the ground or off their droop; returns whether there
    /// are any.
    pub fn lift_by_bars(&mut self, stage: &SubstepInputs<'_>) -> bool {
        if self.hubs.is_some() {
            // They rise by themselves.
            return false;
        }
        let StrutForces { springs, twist } = self.forces;
        let middle = self.compression.middle;
        let springs = stage.curves.map_or(springs, |curves| {
            curves.springs_between(springs, middle, middle)
        });
        let free = self
            .compression
            .free_jounce(stage.consts, springs, W4::from_array(twist));
        self.free_jounce = free.to_array();
        free.gt(self.compression.middle).any()
    }

    /// Whether a strut on the ground moves by more than [`FAST`] until the middle of its contact.
    #[must_use]
    pub fn moves_fast(&self) -> bool {
        let Compression { jounce, middle, .. } = self.compression;
        let way = (middle - jounce).abs();
        (self.compression.touching & way.gt(W4::splat(FAST))).any()
    }

    /// Whether one sweep more is needed: a wheel touches that had no normal impulse at the warm start, or hubs hop, whose rows
    /// are many times as stiff as struts.
    #[must_use]
    pub fn wants_more(&self) -> bool {
        self.hubs.is_some() || (self.compression.touching & !self.carried_before).any()
    }

    /// Prepares the normal rows, with bars, at the chassis' present `velocity`.
    #[inline]
    pub fn prepare_struts(
        &mut self,
        stage: &SubstepInputs<'_>,
        velocity: &Velocity,
        now: &Instant<'_>,
    ) {
        if let Some(hub) = stage.consts.hubs() {
            self.prepare_hubs(stage, hub, velocity, now);
            if !self.compression.buried.any() {
                return;
            }
        }
        match stage.curves {
            Some(curves) if curves.bends => {
                self.normal.read_velocity(velocity);
                self.struts = StrutRows::curved(
                    stage.consts,
                    curves,
                    self.yielding.most_damping(),
                    &self.compression,
                    &self.forces,
                    &self.normal,
                );
            }
            _ => self.prepare_linear_struts(stage.consts),
        }
    }

    fn prepare_linear_struts(&mut self, k: &WheelConsts) {
        let own = self.normal.inverse_effective_mass(0);
        let damper = k.damper.min(self.yielding.most_damping());
        self.struts = StrutRows::new(k, damper, &self.compression, &self.forces, own);
    }

    /// One sweep over the normal rows.
    pub fn sweep_struts(&mut self) {
        if let Some(hubs) = &mut self.hubs {
            hubs.sweep(&mut self.normal, self.order);
            if !self.compression.buried.any() {
                return;
            }
        }
        self.struts.sweep(&mut self.normal, self.order);
    }

    /// Wheels with a normal impulse.
    #[must_use]
    pub fn carrying(&self) -> Mask4 {
        let impulses = self.normal.impulses_of(0);
        match &self.hubs {
            None => impulses.gt(W4::ZERO),
            Some(hubs) => {
                let standing = hubs.select(hubs.tire_impulse(), impulses).gt(W4::ZERO);
                standing & self.compression.touching
            }
        }
    }

    /// Impulses that press the wheels on the ground, of struts and links (`N·s`).
    #[inline]
    fn pressing(&self) -> W4 {
        let strut = self.normal.impulses_of(0);
        let tire = [self.tangent.impulses_of(0), self.tangent.impulses_of(1)];
        self.with_hubs(Links::pressing(self.links.as_ref(), strut, tire))
    }

    /// Impulses that press wheels on the ground, of which `massless` ones have these (`N·s`).
    #[inline]
    fn with_hubs(&self, massless: W4) -> W4 {
        match &self.hubs {
            None => massless,
            Some(hubs) => hubs.select(hubs.tire_impulse(), massless),
        }
    }

    /// Spins after the last sweep (`rad/s`).
    #[must_use]
    pub fn spin(&self) -> W4 {
        W4::from_array(self.wheel_rows.spin)
    }

    /// Prepares the solve of the clutch's torque; `loaded` is the number of wheels that carry the chassis.
    #[inline]
    pub fn prepare_clutch(&mut self, stage: &SubstepInputs<'_>, loaded: f32, h: f32) {
        let driven = Driven {
            consts: stage.consts,
            start: &self.start,
            shares: stage.control,
            row: &self.tread[0],
            space: &self.tangent,
        };
        let normal = self.wheel_rows.counted(self.pressing());
        let bounds = self.wheel_rows.bounds(normal);
        self.spins = Spins::new(&driven, bounds, loaded, h);
    }

    /// The wheel of a lane as a member of a bond, geared by `ratio`; call after `prepare_clutch`.
    #[inline]
    #[must_use]
    pub fn bond_member(&mut self, lane: usize, ratio: f32) -> Member {
        Member {
            ratio,
            lateral_impulse: self
                .wheel_rows
                .circular_lateral_impulse(&self.tangent, lane),
            ..self.spins.bond_member(lane)
        }
    }

    /// Share of the wheels in the mean speed that the clutch sees (`rad/s`), at this `torque` on the
    /// differentials (`N·m`).
    #[inline]
    #[must_use]
    pub fn mean_at(&self, torque: f32) -> Sloped {
        self.spins.mean_at(torque)
    }

    /// Sets the wheels' shares of the torque on the differentials (`N·m`).
    pub fn set_torque(&mut self, stage: &SubstepInputs<'_>, torque: f32, h: f32) {
        self.wheel_rows.drive = (stage.control.torque_share * W4::splat(torque * h)).to_array();
    }

    /// One sweep over wheels and tangential rows.
    pub fn sweep_wheels(&mut self) {
        let normal = self.pressing_alone();
        self.wheel_rows
            .sweep(&mut self.tangent, &normal, self.order);
    }

    /// The same with bonded wheels.
    pub fn sweep_bonded_wheels(&mut self, shafts: &[Shaft; LANES]) {
        let normal = self.pressing_alone();
        self.wheel_rows
            .sweep_bonded(&mut self.tangent, &normal, shafts, self.order);
    }

    /// Impulses that press the wheels on the ground but for what their own tires lift in this sweep, as friction counts them
    /// (`N·s`).
    fn pressing_alone(&mut self) -> [f32; LANES] {
        self.lead_by_beams();
        let strut = self.normal.impulses_of(0);
        let massless = Links::pressing(self.links.as_ref(), strut, [W4::ZERO; 2]);
        self.wheel_rows.counted(self.with_hubs(massless)).to_array()
    }

    #[inline]
    fn lead_by_beams(&mut self) {
        if let Some(links) = &mut self.links {
            links.lead(self.tangent.impulses_of(1));
        }
    }

    /// Sets the spin of a bonded wheel (`rad/s`).
    pub fn set_spin(&mut self, lane: usize, spin: f32) {
        self.wheel_rows.spin[lane] = spin;
    }
}

/// Jounce of the wheels at which their stance is looked up (`m`): that of the ground, or a hub's own.
#[inline]
fn stance_jounce(k: &WheelConsts, found: &Reach, wheels: &WheelState) -> W4 {
    let of_ground = found.jounce.max(-k.max_droop);
    if k.hubs().is_none() {
        return of_ground;
    }
    let unknown = wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
    unknown.select(of_ground, wheels.jounce)
}

#[cfg(test)]
mod tests;
