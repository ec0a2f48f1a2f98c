//! Nonlinear dampers and compliance for four wheels at once. Vehicles without them have no extra cost.

mod dampers;
mod springs;
mod axle_roll;

use glam::Vec3;

use crate::base::lanes::{LANES, Mask4, OppositeWheels, V3x4, W4};
use crate::exchange::extra_states::BushingForces;
use crate::params::{Compliance, LinkSlopes, WheelParams};
use crate::stages::force_curves::{ForceCurves, ShiftTable};
use crate::stages::polyline::Polyline;
use crate::stages::wheel_consts::WheelConsts;

use axle_roll::{AxleRoll, opposite};
use dampers::Strokes;
use springs::SpringCurve;

pub use springs::Springs;

/// Tables of vectors over jounce.
#[derive(Clone, Debug, PartialEq)]
struct VectorTable([Polyline; 3]);

impl VectorTable {
    fn new<'a>(points: impl Fn(usize) -> &'a [(f32, Vec3)]) -> Self {
        Self(core::array::from_fn(|axis| {
            Polyline::bounded(&points, |v: Vec3| v[axis])
        }))
    }

    fn at(&self, jounce: W4) -> V3x4 {
        let [x, y, z] = &self.0;
        V3x4 {
            x: x.at(jounce),
            y: y.at(jounce),
            z: z.at(jounce),
        }
    }
}

/// Camber of four wheels relative to the chassis at a jounce (`m`), with these forces on their bushings, in `rad`.
#[inline]
#[must_use]
pub fn camber(
    k: &WheelConsts,
    curves: Option<&StrutCurves>,
    jounce: W4,
    bushings: Option<&BushingForces>,
) -> W4 {
    let Some(curves) = curves else {
        return k.camber(jounce);
    };
    let by_force = curves.forces.as_ref().zip(bushings);
    let by_force = by_force.map_or(W4::ZERO, |(forces, bushings)| forces.camber(bushings));
    let by_travel = k.camber(jounce) + curves.camber.at(jounce) + by_force;
    match &curves.rolls {
        Some(rolls) => by_travel + rolls.camber * rolls.angle(jounce),
        None => by_travel,
    }
}

/// Slope of the camber over jounce (`rad/m`) at a jounce (`m`), as an axle rolls.
#[must_use]
pub fn camber_slope(k: &WheelConsts, curves: &StrutCurves, jounce: W4) -> W4 {
    let (of, beside) = (Some(curves), W4::splat(1e-3));
    let change = camber(k, of, jounce + beside, None) - camber(k, of, jounce - beside, None);
    let alone = change / (beside + beside);
    // As the axle's other wheel goes down.
    let rolls = curves.rolls.as_ref();
    rolls.map_or(alone, |rolls| {
        alone + rolls.camber * rolls.inverse_track * W4::splat(2.0)
    })
}

/// Dampers and compliance of four wheels.
#[derive(Clone, Debug, PartialEq)]
pub struct StrutCurves {
    bump: Strokes,
    rebound: Strokes,
    spring: Option<SpringCurve>,
    /// Whether any damper or spring is nonlinear.
    pub bends: bool,
    /// Whether travel or forces change any wheel's [alignment](crate::stages::alignment::WheelAlignment).
    pub(crate) changes_alignment: bool,
    /// Whether any compliance table changes the steering angle.
    pub(crate) turns: bool,
    toe: Polyline,
    camber: Polyline,
    /// Whether any table moves a wheel forward or aside.
    pub shifts: bool,
    shift: ShiftTable,
    /// Change of the alignment by forces, if there is any.
    pub(crate) forces: Option<ForceCurves>,
    suspension_point: VectorTable,
    tire_point: VectorTable,
    pub(crate) roll_influence: W4,
    /// Whether any wheel's links lead forces.
    pub leads: bool,
    /// Wheels that a beam joins with the opposite wheel.
    pub beam: Mask4,
    /// Wheels at the other ends of the axles.
    pub(crate) opposite: OppositeWheels,
    /// Change of the alignment by the roll of axles, if there is any.
    rolls: Option<AxleRoll>,
    links: Slopes,
}

/// Slopes of links.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slopes {
    lateral: W4,
    lateral_change: W4,
    braked: W4,
    driven: W4,
}

impl Slopes {
    fn new(links: impl Fn(usize) -> LinkSlopes) -> Self {
        let each = |slope: fn(LinkSlopes) -> f32| W4::from_fn(|lane| slope(links(lane)));
        Self {
            lateral: each(|links| links.lateral),
            lateral_change: each(|links| links.lateral_change),
            braked: each(|links| links.braked),
            driven: each(|links| links.driven),
        }
    }
}

impl StrutCurves {
    /// Whether a wheel has nonlinear dampers or compliance.
    #[must_use]
    pub fn are_needed(wheel: &WheelParams) -> bool {
        !(wheel.suspension.damping.is_linear() && wheel.compliance.is_none())
    }

    /// Curves of up to four wheels; missing lanes repeat the first wheel.
    ///
    /// # Panics
    /// If there is no wheel.
    #[must_use]
    pub fn new(wheels: &[WheelParams]) -> Self {
        let wheel = |lane: usize| wheels.get(lane).unwrap_or(&wheels[0]);
        let damping = |lane: usize| wheel(lane).suspension.damping;
        let same = |x: f32| x;
        let links = |lane: usize| wheel(lane).compliance.links.unwrap_or_default();
        Self {
            bump: Strokes::new(
                |lane| damping(lane).bump,
                |lane| &wheel(lane).compliance.bump,
            ),
            rebound: Strokes::new(
                |lane| damping(lane).rebound,
                |lane| &wheel(lane).compliance.rebound,
            ),
            spring: SpringCurve::new(|lane| &wheel(lane).compliance.spring),
            bends: (0..LANES).any(|lane| bends(wheel(lane))),
            changes_alignment: wheels
                .iter()
                .any(|wheel| changes_alignment(&wheel.compliance)),
            turns: wheels.iter().any(|wheel| turns(&wheel.compliance)),
            shifts: wheels.iter().any(|wheel| shifts(&wheel.compliance)),
            shift: ShiftTable::new(|lane| &wheel(lane).compliance.shift),
            forces: ForceCurves::new(wheels),
            toe: Polyline::bounded(|lane| &wheel(lane).compliance.toe, same),
            camber: Polyline::bounded(|lane| &wheel(lane).compliance.camber, same),
            suspension_point: VectorTable::new(|lane| &wheel(lane).compliance.suspension_point),
            tire_point: VectorTable::new(|lane| &wheel(lane).compliance.tire_point),
            roll_influence: W4::from_fn(|lane| wheel(lane).suspension.roll_influence),
            leads: wheels.iter().any(|wheel| wheel.compliance.links.is_some()),
            beam: Mask4::from_fn(|lane| links(lane).beam),
            opposite: OppositeWheels::new(opposite(wheels)),
            rolls: AxleRoll::new(wheel, opposite(wheels)),
            links: Slopes::new(links),
        }
    }

    /// Displacements of the contact points forward and to the left per jounce (–, vehicle frame) at a jounce (`m`), with the share
    /// of the longitudinal force that the brake bears, 0…1.
    #[must_use]
    pub fn link_slopes(&self, jounce: W4, braked: W4) -> [W4; 2] {
        let links = &self.links;
        [
            links.driven + (links.braked - links.driven) * braked,
            links.lateral + links.lateral_change * jounce,
        ]
    }

    /// The line along which these springs do the same work between two jounces (`m`) as along their curves.
    #[must_use]
    pub fn springs_between(&self, springs: Springs, from: W4, to: W4) -> Springs {
        let Some(curve) = &self.spring else {
            return springs;
        };
        let stiffness = springs.stiffness * curve.force.mean_slope(from, to);
        Springs {
            preload: springs.preload + springs.stiffness * curve.force.at(from) - stiffness * from,
            stiffness,
        }
    }

    /// Jounce from which on these springs push (`m`).
    #[must_use]
    pub fn slack(&self, springs: Springs) -> Option<W4> {
        let curve = self.spring.as_ref()?;
        let least = W4::splat(f32::MIN_POSITIVE);
        Some(
            curve
                .jounce
                .at(-springs.preload / springs.stiffness.max(least)),
        )
    }

    /// Coefficient of the dampers, force over speed (`N·s/m`), at a jounce speed (`m/s`).
    #[must_use]
    pub fn damper(&self, jounce_speed: W4) -> W4 {
        let speed = jounce_speed.abs();
        let compressing = jounce_speed.gt(W4::ZERO);
        compressing.select(self.bump.secant(speed), self.rebound.secant(speed))
    }

    /// Steering angle due to travel and to the forces on the bushings (`rad`).
    #[must_use]
    pub fn toe(&self, jounce: W4, bushings: Option<&BushingForces>) -> W4 {
        let mut by_travel = self.toe.at(jounce);
        if let Some(rolls) = &self.rolls {
            by_travel += rolls.steer * rolls.angle(jounce);
        }
        match self.forces.as_ref().zip(bushings) {
            Some((forces, bushings)) => by_travel + forces.toe(bushings),
            None => by_travel,
        }
    }

    /// Points of application of suspension and tire forces (`m`) at a jounce (`m`), with these forces on the bushings.
    #[must_use]
    pub fn force_points(
        &self,
        k: &WheelConsts,
        jounce: W4,
        bushings: Option<&BushingForces>,
    ) -> [V3x4; 2] {
        let mut tire_point = k.tire_point + self.tire_point.at(jounce);
        if self.shifts {
            tire_point = tire_point + self.contact_offset(jounce, bushings);
        }
        let suspension_point = k.suspension_point + self.suspension_point.at(jounce);
        [suspension_point, tire_point]
    }

    /// Shift of the wheels forward and to the left due to the same (`m`); 0 without forces, as with the explicit
    /// solver.
    #[must_use]
    pub fn contact_offset(&self, jounce: W4, bushings: Option<&BushingForces>) -> V3x4 {
        let Some(bushings) = bushings else {
            return V3x4::ZERO;
        };
        let by_travel = self.shift.at(jounce);
        let forces = self.forces.as_ref();
        forces.map_or(by_travel, |forces| {
            by_travel + forces.contact_offset(bushings)
        })
    }
}

/// Whether a table changes the steering angle.
fn turns(c: &Compliance) -> bool {
    let mut by_force = c.toe_by_force.iter();
    !c.toe.is_empty() || c.roll_steer != 0.0 || by_force.any(|table| !table.is_empty())
}

/// Whether a table changes the steering angle, or where forces act.
fn changes_alignment(c: &Compliance) -> bool {
    let mut points = [&c.suspension_point, &c.tire_point].into_iter();
    turns(c) || shifts(c) || points.any(|table| !table.is_empty())
}

/// Whether a table moves the wheel.
fn shifts(c: &Compliance) -> bool {
    let mut by_force = c.shift_by_force.iter();
    !c.shift.is_empty() || by_force.any(|table| !table.is_empty())
}

/// Whether a wheel's damper or spring is nonlinear.
fn bends(wheel: &WheelParams) -> bool {
    let c = &wheel.compliance;
    let curved = [&c.spring, &c.bump, &c.rebound]
        .iter()
        .any(|curve| !curve.is_empty());
    curved || !wheel.suspension.damping.is_linear()
}

#[cfg(test)]
mod tests;
