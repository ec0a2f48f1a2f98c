//! How the links of a suspension lead tire forces from the contact to the body (ROWS §4).
//!
//! As a wheel rises by dj, its contact moves by `p·dj` in the vehicle frame: along the travel, and by the links' slopes
//! forward and to the left. On the ground, dj follows from the body's motion, so that a row in direction d has the speed
//!
//! ```text
//! s = d·(v + p·j̇),  j̇ = −n·v/i   ⇒   s = (d − t·n)·v,   t = d·p/i      i: incidence −n·travel
//! ```
//!
//! with v of the body at the contact. An impulse in the row acts in the same direction d − t·n: what the links carry
//! does not bend the spring, presses the wheel on the ground, `N = N_strut − Σ t·F`, and neither makes nor takes energy.

use crate::base::lanes::{V3x4, W4};
use crate::exchange::state::WheelState;
use crate::stages::slip::TireAxes;
use crate::stages::suspension::Reach;

use super::instant::Stage;

/// Tilts t of the tangential rows of four wheels, forward and to the left (–).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Links([W4; 2]);

impl Links {
    /// At a `jounce` (`m`), with the forces of the last substep; `None` without links.
    #[inline]
    #[must_use]
    pub(super) fn new(
        stage: &Stage<'_>,
        wheels: &WheelState,
        found: &Reach,
        axes: &TireAxes,
        jounce: W4,
    ) -> Option<Self> {
        let curves = stage.curves.filter(|curves| curves.leads)?;
        let [forward, left] = curves.link_slopes(jounce, braked(stage, wheels));
        let incidence = -found.along;
        let tilt =
            |d: &V3x4| (d.x * forward + d.y * left) / incidence.max(W4::splat(LEAST_INCIDENCE));
        Some(Self([tilt(&axes.long), tilt(&axes.lat)]))
    }

    /// Directions in which tangential impulses act, from the tire's `axes` and the ground's `normal`.
    #[inline]
    #[must_use]
    pub(super) fn directions(&self, axes: &TireAxes, normal: V3x4) -> [V3x4; 2] {
        let [long, lat] = self.0;
        [axes.long - normal * long, axes.lat - normal * lat]
    }

    /// What presses the wheels on the ground, ≥ 0: from the struts' impulses and those forward and to the left (`N·s`).
    #[inline]
    #[must_use]
    pub(super) fn pressing(&self, strut: W4, tire: [W4; 2]) -> W4 {
        let [long, lat] = self.0;
        let whole = strut - long * tire[0] - lat * tire[1];
        strut.gt(W4::ZERO).keep(whole.max(W4::ZERO))
    }
}

/// Struts of a smaller incidence carry nothing.
const LEAST_INCIDENCE: f32 = 0.25;

/// Share of the longitudinal forces that the brakes hold, 0…1: the brake's torque, if it is less than the force's.
fn braked(stage: &Stage<'_>, wheels: &WheelState) -> W4 {
    let [longitudinal, _] = wheels.grip.rows().force;
    let brake = stage.control.brake;
    let held = brake / (longitudinal.abs() * stage.consts.radius).max(brake);
    brake.gt(W4::ZERO).keep(held)
}
