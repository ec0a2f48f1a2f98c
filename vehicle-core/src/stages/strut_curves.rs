//! Nonlinear dampers and compliance for four wheels at once. Vehicles without them have no extra cost.

use alloc::vec::Vec;

use glam::Vec3;

use crate::base::lanes::{LANES, Mask4, Mates, V3x4, W4};
use crate::exchange::extra_states::MountForces;
use crate::params::{Compliance, DamperStroke, LinkSlopes, WheelParams};
use crate::stages::force_curves::{ForceCurves, ShiftTable};
use crate::stages::polyline::Polyline;
use crate::stages::steering::Steering;
use crate::stages::wheel_consts::{WheelConsts, lowered};

/// Damper curves in one direction.
#[derive(Clone, Debug, PartialEq)]
struct Strokes {
    /// Rate at low speed (`N·s/m`).
    rate: W4,
    /// Speed at the knee (`m/s`).
    knee: W4,
    /// Rate beyond the knee (`N·s/m`).
    beyond: W4,
    /// Wheels with a curve instead, and the curve: force over `rate` at a speed (`m/s`).
    curve: Option<(Mask4, Polyline)>,
}

impl Strokes {
    fn new<'a>(
        stroke: impl Fn(usize) -> DamperStroke,
        curve: impl Fn(usize) -> &'a [(f32, f32)],
    ) -> Self {
        let knee = |lane: usize| stroke(lane).knee;
        let curved = Mask4::from_fn(|lane| !curve(lane).is_empty());
        Self {
            curve: curved
                .any()
                .then(|| (curved, Polyline::through_origin(curve))),
            rate: W4::from_fn(|lane| stroke(lane).rate),
            knee: W4::from_fn(|lane| knee(lane).map_or(f32::MAX, |knee| knee.speed)),
            beyond: W4::from_fn(|lane| knee(lane).map_or(0.0, |knee| knee.rate)),
        }
    }

    /// Force over speed at a speed ≥ 0 (`N·s/m`).
    fn secant(&self, speed: W4) -> W4 {
        let over = (speed - self.knee).max(W4::ZERO);
        let share = over / speed.max(self.knee);
        let plain = self.rate + (self.beyond - self.rate) * share;
        match &self.curve {
            None => plain,
            Some((curved, curve)) => curved.select(self.rate * over_speed(curve, speed), plain),
        }
    }
}

/// A curve's value over the speed. Not inlined, as vehicles without curves would pay for it.
#[inline(never)]
fn over_speed(curve: &Polyline, speed: W4) -> W4 {
    let speed = speed.max(W4::splat(LEAST_SPEED));
    curve.at(speed) / speed
}

/// Below, a damper has the rate that it has at this speed (`m/s`).
const LEAST_SPEED: f32 = 1e-6;

/// A linear spring as a curve.
const LINEAR: [(f32, f32); 2] = [(0.0, 0.0), (1.0, 1.0)];

/// Curves of springs: force over stiffness (`m`) over jounce (`m`).
#[derive(Clone, Debug, PartialEq)]
struct SpringCurve {
    force: Polyline,
    /// The other way round.
    jounce: Polyline,
}

impl SpringCurve {
    /// None if all springs are linear.
    fn new<'a>(curve: impl Fn(usize) -> &'a [(f32, f32)]) -> Option<Self> {
        if (0..LANES).all(|lane| curve(lane).is_empty()) {
            return None;
        }
        let points = |lane: usize| match curve(lane) {
            [] => &LINEAR,
            points => points,
        };
        let swapped: [Vec<(f32, f32)>; LANES] =
            core::array::from_fn(|lane| points(lane).iter().map(|&(x, y)| (y, x)).collect());
        Some(Self {
            force: Polyline::through_origin(points),
            jounce: Polyline::through_origin(|lane| &swapped[lane]),
        })
    }
}

/// Springs of four wheels along a part of their travel: force `preload + stiffness·j`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Springs {
    /// At jounce 0 (`N`).
    pub preload: W4,
    /// `N/m`.
    pub stiffness: W4,
}

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

/// Stance of four wheels at a jounce: from constants or from compliance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance<'a> {
    /// Sine of the steering angle, with toe.
    pub steer_sin: &'a W4,
    /// Its cosine.
    pub steer_cos: &'a W4,
    /// Where the suspension force acts (`m`).
    pub suspension_point: &'a V3x4,
    /// Where tire forces act (`m`).
    pub tire_point: &'a V3x4,
    /// Where their lateral part acts (`m`).
    pub side_point: &'a V3x4,
}

impl<'a> Stance<'a> {
    /// Stance of wheels with this steering at a jounce (`m`), with these forces on its mounts; `room` stores that of
    /// wheels with compliance.
    #[inline]
    #[must_use]
    pub fn new(
        k: &'a WheelConsts,
        curves: Option<&StrutCurves>,
        steering: &'a Steering,
        jounce: W4,
        mounts: Option<&MountForces>,
        room: &'a mut Option<Yielded>,
    ) -> Self {
        match curves {
            None => Self {
                steer_sin: &steering.sin,
                steer_cos: &steering.cos,
                suspension_point: &k.suspension_point,
                tire_point: &k.tire_point,
                side_point: &k.side_point,
            },
            Some(curves) => room
                .insert(Yielded::new(k, curves, steering, jounce, mounts))
                .stance(),
        }
    }
}

/// Stance of four wheels with compliance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Yielded {
    steering: Steering,
    suspension_point: V3x4,
    tire_point: V3x4,
    side_point: V3x4,
}

impl Yielded {
    fn new(
        k: &WheelConsts,
        curves: &StrutCurves,
        steering: &Steering,
        jounce: W4,
        mounts: Option<&MountForces>,
    ) -> Self {
        let mut steering = *steering;
        if curves.turns {
            steering.turn_to(steering.angle + curves.toe(jounce, mounts));
        }
        let [suspension_point, tire_point] = curves.force_points(k, jounce, mounts);
        Self {
            steering,
            suspension_point,
            tire_point,
            side_point: lowered(tire_point, curves.roll_influence),
        }
    }

    fn stance(&self) -> Stance<'_> {
        Stance {
            steer_sin: &self.steering.sin,
            steer_cos: &self.steering.cos,
            suspension_point: &self.suspension_point,
            tire_point: &self.tire_point,
            side_point: &self.side_point,
        }
    }
}

/// Camber of four wheels relative to the chassis at a jounce (`m`), with these forces on their mounts, in `rad`.
#[inline]
#[must_use]
pub fn camber(
    k: &WheelConsts,
    curves: Option<&StrutCurves>,
    jounce: W4,
    mounts: Option<&MountForces>,
) -> W4 {
    let Some(curves) = curves else {
        return k.camber(jounce);
    };
    let by_force = curves.forces.as_ref().zip(mounts);
    let by_force = by_force.map_or(W4::ZERO, |(forces, mounts)| forces.camber(mounts));
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
    /// Whether any compliance table changes the steering angle.
    turns: bool,
    toe: Polyline,
    camber: Polyline,
    /// Whether any table moves a wheel forward or aside.
    pub shifts: bool,
    shift: ShiftTable,
    /// What forces do, if anything.
    pub(crate) forces: Option<ForceCurves>,
    suspension_point: VectorTable,
    tire_point: VectorTable,
    roll_influence: W4,
    /// Whether any wheel's links lead forces.
    pub leads: bool,
    /// Wheels that a beam joins with their mates.
    pub beam: Mask4,
    /// Wheels at the other ends of the axles.
    pub(crate) mates: Mates,
    /// What the roll of axles does, if anything.
    rolls: Option<AxleRoll>,
    links: Slopes,
}

/// What the roll of axles against the body does to their wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AxleRoll {
    /// 1/distance from the mate, positive on the left (`1/m`); 0 without one.
    inverse_track: W4,
    mates: Mates,
    camber: W4,
    steer: W4,
}

impl AxleRoll {
    /// None where no roll does anything.
    fn new<'a>(wheel: impl Fn(usize) -> &'a WheelParams, mates: [usize; LANES]) -> Option<Self> {
        let each = |of: fn(&Compliance) -> f32| W4::from_fn(|lane| of(&wheel(lane).compliance));
        let (camber, steer) = (each(|c| c.roll_camber), each(|c| c.roll_steer));
        if camber.same(W4::ZERO).all() && steer.same(W4::ZERO).all() {
            return None;
        }
        let inverse_track = W4::from_fn(|lane| {
            let track = wheel(lane).position.y - wheel(mates[lane]).position.y;
            if track == 0.0 { 0.0 } else { 1.0 / track }
        });
        Some(Self {
            inverse_track,
            mates: Mates::new(mates),
            camber,
            steer,
        })
    }

    /// Roll of the axles against the body at these jounces (`rad`), positive where the left wheel is higher.
    fn angle(&self, jounce: W4) -> W4 {
        (jounce - self.mates.of(jounce)) * self.inverse_track
    }
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

    /// For up to four wheels; missing lanes repeat the first wheel.
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
            mates: Mates::new(mates(wheels)),
            rolls: AxleRoll::new(wheel, mates(wheels)),
            links: Slopes::new(links),
        }
    }

    /// Ways of the contact points forward and to the left per jounce (–, vehicle frame) at a jounce (`m`), with the share
    /// of the longitudinal force that the brake holds, 0…1.
    #[must_use]
    pub fn link_slopes(&self, jounce: W4, braked: W4) -> [W4; 2] {
        let links = &self.links;
        [
            links.driven + (links.braked - links.driven) * braked,
            links.lateral + links.lateral_change * jounce,
        ]
    }

    /// The line along which these springs do the same work on the way between two jounces (`m`) as along their curves.
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

    /// Rate of the dampers, force over speed (`N·s/m`), at a rate of jounce (`m/s`).
    #[must_use]
    pub fn damper(&self, jounce_speed: W4) -> W4 {
        let speed = jounce_speed.abs();
        let compressing = jounce_speed.gt(W4::ZERO);
        compressing.select(self.bump.secant(speed), self.rebound.secant(speed))
    }

    /// Steering angle due to travel and to the forces on the mounts (`rad`).
    #[must_use]
    pub fn toe(&self, jounce: W4, mounts: Option<&MountForces>) -> W4 {
        let mut by_travel = self.toe.at(jounce);
        if let Some(rolls) = &self.rolls {
            by_travel += rolls.steer * rolls.angle(jounce);
        }
        match self.forces.as_ref().zip(mounts) {
            Some((forces, mounts)) => by_travel + forces.toe(mounts),
            None => by_travel,
        }
    }

    /// Where suspension and tire forces act (`m`) at a jounce (`m`), with these forces on the mounts.
    #[must_use]
    pub fn force_points(
        &self,
        k: &WheelConsts,
        jounce: W4,
        mounts: Option<&MountForces>,
    ) -> [V3x4; 2] {
        let mut tire_point = k.tire_point + self.tire_point.at(jounce);
        if self.shifts {
            tire_point = tire_point + self.shift(jounce, mounts);
        }
        let suspension_point = k.suspension_point + self.suspension_point.at(jounce);
        [suspension_point, tire_point]
    }

    /// Shift of the wheels forward and to the left due to the same (`m`); 0 without forces, as with the explicit
    /// solver.
    #[must_use]
    pub fn shift(&self, jounce: W4, mounts: Option<&MountForces>) -> V3x4 {
        let Some(mounts) = mounts else {
            return V3x4::ZERO;
        };
        let by_travel = self.shift.at(jounce);
        let forces = self.forces.as_ref();
        forces.map_or(by_travel, |forces| by_travel + forces.shift(mounts))
    }
}

/// Whether a table changes the steering angle.
fn turns(c: &Compliance) -> bool {
    let mut by_force = c.toe_by_force.iter();
    !c.toe.is_empty() || c.roll_steer != 0.0 || by_force.any(|table| !table.is_empty())
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

/// Lanes of the wheels that stand where the mirror images of these do, to 1 cm; their own without one.
fn mates(wheels: &[WheelParams]) -> [usize; LANES] {
    core::array::from_fn(|lane| {
        let Some(wheel) = wheels.get(lane) else {
            return lane;
        };
        let image = wheel.position * Vec3::new(1.0, -1.0, 1.0);
        let stands = |other: &WheelParams| other.position.distance(image) < 0.01;
        wheels.iter().take(LANES).position(stands).unwrap_or(lane)
    })
}

#[cfg(test)]
mod tests;
