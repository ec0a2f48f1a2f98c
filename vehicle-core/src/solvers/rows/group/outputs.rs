//! Results of a substep: forces and moments on the chassis, the wheels' state, outputs for reports.

use glam::Vec3;

use crate::base::lanes::{V3x4, W4};
use crate::contracts::tire::{TireForces, TireInput};
use crate::exchange::grip_memory::{GripMemory, RowsGrip};
use crate::exchange::state::WheelState;
use crate::solvers::rows::substep_context::SubstepContext;
use crate::solvers::rows::tire_rows;
use crate::stages::outputs::{StickyRows, WheelOutputs};
use crate::stages::spin;
use crate::stages::strut_curves::{self, StrutCurves};
use crate::stages::suspension::Touch;
use crate::stages::wheel_consts::WheelConsts;

use super::super::links::Links;
use super::GroupRows;

impl GroupRows {
    /// Moments of the tires on the chassis after the last sweep (`N·m`, vehicle frame).
    #[must_use]
    pub fn moments(&self, h: f32) -> V3x4 {
        let [aligning, overturning] = self.moments_over(h);
        self.contact_depth.normal * aligning + self.axes.longitudinal * overturning
    }

    /// Sum of the tires' moments on the chassis after the last sweep (`N·m`, vehicle frame).
    #[must_use]
    pub fn whole_moment(&self, h: f32) -> Vec3 {
        self.moments(h).sum_by(self.axles.pairs).truncate()
    }

    /// Aligning and overturning moment of the tires on the chassis (`N·m`).
    pub(super) fn moments_over(&self, h: f32) -> [W4; 2] {
        self.moments
            .at(self.tangent.impulses_of(1) * W4::splat(1.0 / h))
    }

    /// Stores the substep's result in the wheels' state.
    pub fn commit(&self, k: &WheelConsts, wheels: &mut WheelState, now: &SubstepContext<'_>) {
        let per_step = W4::splat(now.per_second);
        wheels.normal_force = self.normal.impulses_of(0) * per_step;
        let force = [0, 1].map(|kind| self.tangent.impulses_of(kind) * per_step);
        let before = self.deflection(wheels);
        let after = tire_rows::deflected(&self.linearization.carcass, before, force, now.h);
        wheels.grip = GripMemory::Rows(RowsGrip {
            deflection: core::array::from_fn(|n| after[n] / self.softness.own[n]),
            force,
        });
        wheels.spin = self.spin();
        wheels.jounce_speed = self.jounce_speed();
        wheels.jounce = self.end_jounce(k, wheels.jounce_speed, now.h);
        if let Some(unsprung_masses) = &self.unsprung_masses {
            wheels.jounce_speed =
                unsprung_masses.select(unsprung_masses.end_speed(), wheels.jounce_speed);
            // Buried wheels have none, which marks them for the next step.
            let unknown = W4::splat(WheelState::UNKNOWN);
            let massless = self.compression.buried.select(unknown, wheels.jounce);
            wheels.jounce = unsprung_masses.select(unsprung_masses.end_jounce(k), massless);
        }
        spin::turn(wheels, now.h);
    }

    /// Jounce speed at the end of the substep (`m/s`).
    fn jounce_speed(&self) -> W4 {
        let speed = -self.normal.speeds_of(0) * self.compression.steepness;
        self.compression
            .touching
            .select(speed, self.compression.free.speed)
    }

    /// Jounce at the end of the substep (`m`), j + T/2·(j̇₀ + j̇⁺); `speed` is j̇⁺ (`m/s`).
    fn end_jounce(&self, k: &WheelConsts, speed: W4, h: f32) -> W4 {
        let mean = (self.compression.speed + speed) * W4::splat(0.5 * h);
        let end = self.compression.jounce + self.compression.touching.keep(mean);
        // Only buried wheels stay beyond the stop, which marks them for the next step.
        let most = self.compression.buried.select(end, k.max_compression);
        end.min(most).max(self.compression.free.jounce)
    }

    /// Forces of the wheels on the chassis, as the mean over the substep (`N`, vehicle frame).
    #[must_use]
    pub fn chassis_forces(&self, wheels: &WheelState) -> V3x4 {
        let up = self.normal.jacobian[0].direction;
        let [forward, left] = self.tangent.jacobian.map(|jacobian| jacobian.direction);
        let force = wheels.grip.rows().force;
        let [longitudinal, lateral] = force;
        let mut normal = wheels.normal_force;
        if let Some(unsprung_masses) = &self.unsprung_masses {
            // The ground bears the unsprung masses, too.
            let per_step = W4::splat(1.0 / unsprung_masses.start.h);
            let led = Links::tilted(self.links.as_ref(), force);
            normal =
                unsprung_masses.select(unsprung_masses.tire_impulse() * per_step + led, normal);
        }
        up * normal + forward * longitudinal + left * lateral
    }

    /// Filtered loads of the tires after the substep (`N`).
    #[inline]
    fn load(&self, wheels: &WheelState, now: &SubstepContext<'_>) -> W4 {
        let normal = if self.links.is_some() || self.unsprung_masses.is_some() {
            self.normal_impulses() * W4::splat(now.per_second)
        } else {
            wheels.normal_force
        };
        let load = now.load_line.tire_load(normal, self.rest_load);
        self.loaded().keep(load)
    }

    /// Inputs at which the tires were evaluated last, and their forces in the substep, for the steering.
    #[must_use]
    pub fn road(
        &self,
        k: &WheelConsts,
        wheels: &WheelState,
        now: &SubstepContext<'_>,
    ) -> (TireInput<W4>, TireForces<W4>) {
        let force = wheels.grip.rows().force;
        let [aligning, overturning] = self.moments_over(now.h);
        let input = TireInput {
            slip_ratio: self.linearization.slip_ratio,
            tan_slip_angle: self.linearization.tan_slip_angle,
            forward_speed: self.tangent.speeds_of(0),
            lateral_speed: self.tangent.speeds_of(1),
            rim_speed: wheels.spin * k.radius,
            radius: k.radius,
            load: self.load(wheels, now),
            rest_load: self.rest_load,
            friction: self.linearization.friction,
            yaw_speed: self.yaw,
            gravity: k.design_gravity,
            ..TireInput::default()
        };
        let forces = TireForces {
            longitudinal: force[0],
            lateral: force[1],
            aligning_moment: k.moments.keep(aligning),
            overturning_moment: k.moments.keep(overturning),
            ..self.linearization.forces
        };
        (input, forces)
    }

    /// Writes the outputs for reports.
    pub fn report(
        &self,
        k: &WheelConsts,
        curves: Option<&StrutCurves>,
        wheels: &WheelState,
        now: &SubstepContext<'_>,
        out: &mut WheelOutputs,
    ) {
        let loaded = self.loaded();
        let depth = &self.contact_depth;
        let forward = loaded.keep(self.tangent.speeds_of(0));
        let [longitudinal, lateral] = wheels.grip.rows().force;
        *out = WheelOutputs {
            touch: Touch {
                touching: self.compression.touching,
                normal: depth.normal,
                along: depth.along,
                bottom: depth.bottom,
                jounce: wheels.jounce.min(k.max_compression),
                jounce_speed: wheels.jounce_speed,
                beyond_stop: self.compression.touching.keep(
                    (self.compression.jounce - k.max_compression) * self.compression.incidence,
                ),
            },
            loaded,
            suspension_force: wheels.normal_force,
            deflection: W4::ZERO,
            load: self.load(wheels, now),
            friction: self.linearization.friction,
            lateral_grip: self.linearization.lateral_grip,
            axes: self.axes,
            forward_speed: forward,
            lateral_speed: loaded.keep(self.tangent.speeds_of(1)),
            slip_ratio: self.linearization.slip_ratio,
            tan_slip_angle: self.linearization.tan_slip_angle,
            camber: strut_curves::camber(k, curves, wheels.jounce, Some(&self.bushings)),
            forces: TireForces {
                longitudinal,
                lateral,
                wheel_torque: -(longitudinal * k.radius),
                ..self.linearization.forces
            },
            sticky: StickyRows::default(),
        };
        if let (Some(unsprung_masses), Some(unsprung_mass)) =
            (&self.unsprung_masses, k.unsprung_masses())
        {
            out.suspension_force = unsprung_masses.select(
                unsprung_masses.strut_force(unsprung_mass),
                out.suspension_force,
            );
            out.deflection = unsprung_masses.end_deflection();
        }
        if k.moments.any() {
            let [aligning, overturning] = self.moments_over(now.h);
            let forces = &mut out.forces;
            forces.aligning_moment = k.moments.select(aligning, forces.aligning_moment);
            forces.overturning_moment = k.moments.select(overturning, forces.overturning_moment);
        }
    }
}
