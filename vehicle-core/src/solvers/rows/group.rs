//! The rows of four wheels through a substep: warm-started from the state, swept, committed to it.

mod ground;
mod begin;
mod unsprung;
mod bushings;
mod outputs;
mod tires;

use crate::base::lanes::{LANES, Mask4, W4};
use crate::base::velocity::VelocityLanes;
use crate::contracts::stateful_tire::TireRow;
use crate::contracts::tire::TireInput;
use crate::exchange::extra_states::BushingForces;
use crate::stages::axles::WheelAxles;
use crate::stages::slip::TireAxes;
use crate::stages::suspension::ContactDepth;
use crate::stages::wheel_consts::WheelConsts;

use super::clutch::{Driven, Spins};
use super::contact_space::RowBlock;
use super::coupled_wheel::{CoupledWheel, Sloped};
use super::ground_compliance::GroundCompliance;
use super::lateral_midpoint::LateralMidpoint;
use super::links::Links;
use super::low_speed::{GroundGain, LowSpeed, Softness};
use super::slip_limits::EngineLimit;
use super::strut::{Compression, StrutForces, StrutRows};
use super::substep_context::{SubstepContext, SubstepInputs};
use super::tire_rows::{Moments, TireLinearization};
use super::tuning::FAST_STRUT;
use super::unsprung::UnsprungMasses;
use super::wheel::{Shaft, WheelRows};

/// Rows of four wheels: scratch data of one substep.
// Order: the fields that begin as zeros lie on both sides of the few others, so that two short fills write them. One fill of
// more than 2 KiB compiles to `rep stosb`, which is slower.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupRows {
    /// Rows along the ground's normals.
    pub normal: RowBlock<1>,
    /// Tangential rows, longitudinal and lateral: Jacobians, speeds and impulses. Their forces are in `tire_rows`.
    pub tangent: RowBlock<2>,
    ground_compliance: GroundCompliance,
    softness: Softness,
    contact_depth: ContactDepth,
    compression: Compression,
    /// Wheels with a normal impulse at the warm start.
    loaded_before: Mask4,
    /// Jounce of the wheels with those lifted by bars (`m`).
    free_jounce: W4,
    axes: TireAxes,
    /// Inclination of wheels without camber (`rad`).
    inclination: W4,
    /// Yaw rates of the wheels relative to the ground (`rad/s`).
    yaw: W4,
    rest_load: W4,
    /// Forces of the struts that do not depend on their speed.
    pub forces: StrutForces,
    struts: StrutRows,
    linearization: TireLinearization,
    moments: Moments,
    tire_rows: [TireRow<W4>; 2],
    ground: GroundGain,
    low_speed: LowSpeed,
    lateral_midpoint: LateralMidpoint,
    spins: Spins,
    /// Forces on the bushings, if these move any wheel.
    pub bushings: BushingForces,
    wheel_rows: WheelRows,
    /// Input at which stateful tires gave their rows, if there are any.
    tire_input: Option<TireInput<W4>>,
    links: Option<Links>,
    /// Unsprung masses of the wheels, if they have any.
    unsprung_masses: Option<UnsprungMasses>,
    axles: WheelAxles,
}

impl GroupRows {
    /// Resets the fields that not every substep sets, for wheels on these `bushings`: the last step may have been another
    /// vehicle's.
    pub fn begin_step(&mut self, bushings: BushingForces) {
        self.ground_compliance = GroundCompliance::default();
        self.ground = GroundGain::default();
        self.moments = Moments::default();
        self.bushings = bushings;
        self.tire_input = None;
        self.links = None;
        self.unsprung_masses = None;
    }

    /// Jounce in the middle of the contact, extrapolated from its beginning; the extension in the air (`m`).
    #[must_use]
    pub fn middle_jounce(&self) -> W4 {
        self.compression.middle
    }

    /// Jounce of the wheels with those lifted by bars (`m`).
    #[must_use]
    pub fn free_jounce(&self) -> W4 {
        self.free_jounce
    }

    /// Computes the jounces of wheels that bars lift off the ground or off their droop; returns whether there
    /// are any.
    #[inline]
    pub fn lift_by_bars(&mut self, inputs: &SubstepInputs<'_>) -> bool {
        if self.unsprung_masses.is_some() {
            // Wheels with unsprung masses rise by themselves.
            return false;
        }
        let StrutForces { springs, twist } = self.forces;
        let middle = self.compression.middle;
        let springs = inputs.curves.map_or(springs, |curves| {
            curves.springs_between(springs, middle, middle)
        });
        self.free_jounce = self.compression.free_jounce(inputs.consts, springs, twist);
        self.free_jounce.gt(middle).any()
    }

    /// Applies to the chassis' `velocity` the changes of the normal rows' impulses since the last call.
    #[inline]
    pub fn push_by_struts(&mut self, velocity: &mut VelocityLanes) {
        self.normal.apply_impulses(velocity, self.axles.pairs);
    }

    /// Applies to the chassis' `velocity` the changes of the tangential rows' impulses since the last call.
    #[inline]
    pub fn push_by_tires(&mut self, velocity: &mut VelocityLanes) {
        self.tangent.apply_impulses(velocity, self.axles.pairs);
    }

    /// Whether a strut on the ground moves by more than [`FAST_STRUT`] from the start to the middle of its contact.
    #[must_use]
    pub fn moves_fast(&self) -> bool {
        let Compression { jounce, middle, .. } = self.compression;
        let displacement = (middle - jounce).abs();
        (self.compression.touching & displacement.gt(W4::splat(FAST_STRUT))).any()
    }

    /// Whether one sweep more is needed: a wheel touches that had no normal impulse at the warm start, or there are unsprung
    /// masses, whose rows are many times as stiff as struts.
    #[must_use]
    pub fn needs_another_sweep(&self) -> bool {
        self.unsprung_masses.is_some() || (self.compression.touching & !self.loaded_before).any()
    }

    /// Prepares the normal rows, with bars, at the chassis' present `velocity`.
    #[inline]
    pub fn prepare_struts(
        &mut self,
        inputs: &SubstepInputs<'_>,
        velocity: &VelocityLanes,
        now: &SubstepContext<'_>,
    ) {
        if let Some(unsprung_mass) = inputs.consts.unsprung_masses() {
            self.prepare_unsprung_masses(inputs, unsprung_mass, velocity, now);
            if !self.compression.buried.any() {
                return;
            }
        }
        match inputs.curves {
            Some(curves) if curves.bends => {
                self.normal.read_velocity(velocity);
                self.struts = StrutRows::curved(
                    inputs.consts,
                    curves,
                    self.ground_compliance.most_damping(),
                    &self.compression,
                    &self.forces,
                    &self.normal,
                );
            }
            _ => self.prepare_linear_struts(inputs.consts),
        }
    }

    fn prepare_linear_struts(&mut self, k: &WheelConsts) {
        let own = self.normal.inverse_effective_mass(0);
        let damper = k.damper.min(self.ground_compliance.most_damping());
        self.struts = StrutRows::new(k, damper, &self.compression, &self.forces, own);
    }

    /// One sweep over the normal rows.
    pub fn sweep_struts(&mut self, k: &WheelConsts) {
        if let Some(unsprung_masses) = &mut self.unsprung_masses {
            unsprung_masses.sweep(&mut self.normal, &self.axles);
            if !self.compression.buried.any() {
                return;
            }
        }
        let on = (k, &self.compression);
        self.struts.sweep(&mut self.normal, on, &self.axles);
    }

    /// Wheels with a normal impulse.
    #[must_use]
    pub fn loaded(&self) -> Mask4 {
        let impulses = self.normal.impulses_of(0);
        match &self.unsprung_masses {
            None => impulses.gt(W4::ZERO),
            Some(unsprung_masses) => {
                let loaded = unsprung_masses
                    .select(unsprung_masses.tire_impulse(), impulses)
                    .gt(W4::ZERO);
                loaded & self.compression.touching
            }
        }
    }

    /// Normal impulses of the wheels on the ground, by struts and links (`N·s`).
    #[inline]
    fn normal_impulses(&self) -> W4 {
        let strut = self.normal.impulses_of(0);
        let tire = [self.tangent.impulses_of(0), self.tangent.impulses_of(1)];
        self.with_unsprung_masses(Links::normal_impulses(self.links.as_ref(), strut, tire))
    }

    /// Normal impulses of all wheels on the ground (`N·s`), those of wheels without unsprung mass being `massless`.
    #[inline]
    fn with_unsprung_masses(&self, massless: W4) -> W4 {
        match &self.unsprung_masses {
            None => massless,
            Some(unsprung_masses) => {
                unsprung_masses.select(unsprung_masses.tire_impulse(), massless)
            }
        }
    }

    /// Spins after the last sweep (`rad/s`).
    #[must_use]
    pub fn spin(&self) -> W4 {
        self.wheel_rows.spin
    }

    /// Prepares the solve of the clutch's torque; `loaded_count` is the vehicle's number of loaded wheels.
    #[inline]
    pub fn prepare_clutch(&mut self, inputs: &SubstepInputs<'_>, loaded_count: f32, h: f32) {
        let driven = Driven {
            consts: inputs.consts,
            rim_weight: self.low_speed.rim_weight(),
            split: inputs.control,
            row: &self.tire_rows[0],
            tangent: &self.tangent,
        };
        let normal = self.wheel_rows.load_impulse(self.normal_impulses());
        let bounds = self.wheel_rows.bounds(normal);
        self.spins = Spins::new(&driven, bounds, loaded_count, h);
        if inputs.limits.is_some() || inputs.limits_engine {
            self.spins.limit(&driven, &self.wheel_rows, loaded_count);
        }
    }

    /// The wheel of a lane as a coupled wheel, geared by `ratio`; call after `prepare_clutch`.
    #[inline]
    #[must_use]
    pub fn coupled_wheel(&mut self, lane: usize, ratio: f32) -> CoupledWheel {
        CoupledWheel {
            ratio,
            lateral_impulse: self
                .wheel_rows
                .circular_lateral_impulse(&self.tangent)
                .as_array()[lane],
            ..self.spins.coupled_wheel(&self.wheel_rows, lane)
        }
    }

    /// Sum of the wheels' parts of the mean speed that the clutch sees (`rad/s`), at this `torque` on the
    /// differentials (`N·m`).
    #[inline]
    #[must_use]
    pub fn mean_at(&self, torque: f32) -> Sloped {
        self.spins.mean_at(&self.wheel_rows, torque)
    }

    /// How far the driven wheels are beyond the engine's limit ([`Spins::excess_at`]).
    #[must_use]
    pub fn excess_at(&self, limit: &EngineLimit, torque: f32) -> Option<f32> {
        self.spins.excess_at(&self.wheel_rows, limit, torque)
    }

    /// Spins with these torques of shafts on the wheels (`N·m`), and their slopes (`rad/s/(N·m)`), 0 where a spin stays; call after
    /// `prepare_clutch`.
    #[must_use]
    pub fn spins_with(&self, torque: W4, h: f32) -> (W4, W4) {
        let step = W4::splat(h);
        let (spin, mobility) = self.spins.spins_with(&self.wheel_rows, torque * step);
        let turning = !spin.same(W4::ZERO);
        (spin, turning.keep(mobility * step))
    }

    /// How far the `driven` wheels are beyond the engine's limit with these torques of shafts on them (`N·m`).
    #[must_use]
    pub fn excess_with(
        &self,
        limit: &EngineLimit,
        torque: W4,
        driven: Mask4,
        h: f32,
    ) -> Option<f32> {
        let drive = torque * W4::splat(h);
        self.spins
            .excess_with(&self.wheel_rows, limit, drive, driven)
    }

    /// Impulses of the brakes without rolling resistance, as limits let them brake (`N·m·s`); `None` without limits.
    #[must_use]
    pub fn limited_brake(&self) -> Option<W4> {
        self.wheel_rows.limited_brake()
    }

    /// Splits the `torque` on the differentials (`N·m`) among the wheels.
    pub fn set_torque(&mut self, inputs: &SubstepInputs<'_>, torque: f32, h: f32) {
        self.wheel_rows.drive = inputs.control.torque_share * W4::splat(torque * h);
    }

    /// Sets the torques of shafts on the wheels (`N·m`).
    pub fn set_torques(&mut self, torques: W4, h: f32) {
        self.wheel_rows.drive = torques * W4::splat(h);
    }

    /// One sweep over wheels and tangential rows.
    pub fn sweep_wheels(&mut self) {
        let normal = self.normal_impulses_alone();
        self.wheel_rows
            .sweep(&mut self.tangent, normal, &self.axles);
    }

    /// One sweep over coupled wheels and tangential rows.
    pub fn sweep_coupled_wheels(&mut self, shafts: &[Shaft; LANES]) {
        let normal = self.normal_impulses_alone();
        self.wheel_rows
            .sweep_coupled(&mut self.tangent, normal, shafts, &self.axles);
    }

    /// Normal impulses of the wheels, without those by which links let their tires' own forces lift them in this sweep, as the
    /// friction bounds take them (`N·s`).
    #[inline]
    fn normal_impulses_alone(&mut self) -> W4 {
        self.lead_by_beams();
        let strut = self.normal.impulses_of(0);
        let massless = Links::normal_impulses(self.links.as_ref(), strut, [W4::ZERO; 2]);
        self.wheel_rows
            .load_impulse(self.with_unsprung_masses(massless))
    }

    #[inline]
    fn lead_by_beams(&mut self) {
        if let Some(links) = &mut self.links {
            links.lead([self.tangent.impulses_of(0), self.tangent.impulses_of(1)]);
        }
    }

    /// Sets the spin of a coupled wheel (`rad/s`).
    pub fn set_spin(&mut self, lane: usize, spin: f32) {
        self.wheel_rows.spin = self.wheel_rows.spin.with_lane(lane, spin);
    }
}

#[cfg(test)]
mod tests;
