//! Nonlinear dampers and compliance for four wheels at once. Vehicles without them have no extra cost.

use glam::Vec3;

use crate::base::lanes::{LANES, V3x4, W4};
use crate::params::{Compliance, DamperStroke, LinkSlopes, WheelParams};
use crate::stages::steering::Steering;
use crate::stages::wheel_consts::{WheelConsts, lowered};

/// Damper curves in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Strokes {
    /// Rate at low speed (`N·s/m`).
    rate: W4,
    /// Speed at the knee (`m/s`).
    knee: W4,
    /// Rate beyond the knee (`N·s/m`).
    beyond: W4,
}

impl Strokes {
    fn new(stroke: impl Fn(usize) -> DamperStroke) -> Self {
        let knee = |lane: usize| stroke(lane).knee;
        Self {
            rate: W4::from_fn(|lane| stroke(lane).rate),
            knee: W4::from_fn(|lane| knee(lane).map_or(f32::MAX, |knee| knee.speed)),
            beyond: W4::from_fn(|lane| knee(lane).map_or(0.0, |knee| knee.rate)),
        }
    }

    /// Force over speed at a speed ≥ 0 (`N·s/m`).
    fn secant(&self, speed: W4) -> W4 {
        let over = (speed - self.knee).max(W4::ZERO);
        let share = over / speed.max(self.knee);
        self.rate + (self.beyond - self.rate) * share
    }
}

/// Tables over jounce with up to three points; constant outside.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Table {
    x: [W4; Compliance::POINTS],
    first: W4,
    /// Slopes between the points.
    slopes: [W4; Compliance::POINTS - 1],
}

impl Table {
    /// From points (jounce, value) per lane.
    fn new<'a, T: 'a + Copy>(
        points: impl Fn(usize) -> &'a [(f32, T)],
        of: impl Fn(T) -> f32,
    ) -> Self {
        // Missing points repeat the last one.
        let point = |lane: usize, n: usize| {
            let points = points(lane);
            points
                .get(n)
                .or(points.last())
                .map_or((0.0, 0.0), |&(x, y)| (x, of(y)))
        };
        let slope = |lane: usize, n: usize| {
            let ((x0, y0), (x1, y1)) = (point(lane, n), point(lane, n + 1));
            if x1 > x0 { (y1 - y0) / (x1 - x0) } else { 0.0 }
        };
        Self {
            x: core::array::from_fn(|n| W4::from_fn(|lane| point(lane, n).0)),
            first: W4::from_fn(|lane| point(lane, 0).1),
            slopes: core::array::from_fn(|n| W4::from_fn(|lane| slope(lane, n))),
        }
    }

    fn at(&self, jounce: W4) -> W4 {
        let [x0, x1, x2] = self.x;
        let within = |from: W4, to: W4| jounce.max(from).min(to) - from;
        self.first + within(x0, x1) * self.slopes[0] + within(x1, x2) * self.slopes[1]
    }
}

/// Tables of vectors over jounce.
#[derive(Clone, Copy, Debug, PartialEq)]
struct VectorTable([Table; 3]);

impl VectorTable {
    fn new<'a>(points: impl Fn(usize) -> &'a [(f32, Vec3)]) -> Self {
        Self(core::array::from_fn(|axis| {
            Table::new(&points, |v: Vec3| v[axis])
        }))
    }

    fn at(&self, jounce: W4) -> V3x4 {
        let [x, y, z] = self.0;
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
    /// Stance of wheels with this steering at a jounce (`m`); `room` stores that of wheels with compliance.
    #[inline]
    #[must_use]
    pub fn new(
        k: &'a WheelConsts,
        curves: Option<&StrutCurves>,
        steering: &'a Steering,
        jounce: W4,
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
                .insert(Yielded::new(k, curves, steering, jounce))
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
    fn new(k: &WheelConsts, curves: &StrutCurves, steering: &Steering, jounce: W4) -> Self {
        let mut steering = *steering;
        if curves.turns {
            steering.turn_to(steering.angle + curves.toe(jounce));
        }
        let tire_point = k.tire_point + curves.tire_point.at(jounce);
        Self {
            steering,
            suspension_point: k.suspension_point + curves.suspension_point.at(jounce),
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

/// Camber of four wheels relative to the chassis at a jounce (`m`), in `rad`.
#[inline]
#[must_use]
pub fn camber(k: &WheelConsts, curves: Option<&StrutCurves>, jounce: W4) -> W4 {
    match curves {
        None => k.camber(jounce),
        Some(curves) => k.camber(jounce) + curves.camber.at(jounce),
    }
}

/// Dampers and compliance of four wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrutCurves {
    bump: Strokes,
    rebound: Strokes,
    /// Whether any damper is nonlinear.
    pub bends: bool,
    /// Whether any compliance table changes the steering angle.
    turns: bool,
    toe: Table,
    camber: Table,
    suspension_point: VectorTable,
    tire_point: VectorTable,
    roll_influence: W4,
    /// Whether any wheel's links lead forces.
    pub leads: bool,
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

    /// For up to four wheels; missing lanes repeat the first wheel.
    ///
    /// # Panics
    /// If there is no wheel.
    #[must_use]
    pub fn new(wheels: &[WheelParams]) -> Self {
        let wheel = |lane: usize| wheels.get(lane).unwrap_or(&wheels[0]);
        let damping = |lane: usize| wheel(lane).suspension.damping;
        let same = |x: f32| x;
        Self {
            bump: Strokes::new(|lane| damping(lane).bump),
            rebound: Strokes::new(|lane| damping(lane).rebound),
            bends: (0..LANES).any(|lane| !damping(lane).is_linear()),
            turns: (0..LANES).any(|lane| !wheel(lane).compliance.toe.is_empty()),
            toe: Table::new(|lane| &wheel(lane).compliance.toe, same),
            camber: Table::new(|lane| &wheel(lane).compliance.camber, same),
            suspension_point: VectorTable::new(|lane| &wheel(lane).compliance.suspension_point),
            tire_point: VectorTable::new(|lane| &wheel(lane).compliance.tire_point),
            roll_influence: W4::from_fn(|lane| wheel(lane).suspension.roll_influence),
            leads: (0..LANES).any(|lane| wheel(lane).compliance.links != LinkSlopes::NONE),
            links: Slopes::new(|lane| wheel(lane).compliance.links),
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

    /// Rate of the dampers, force over speed (`N·s/m`), at a rate of jounce (`m/s`).
    #[must_use]
    pub fn damper(&self, jounce_speed: W4) -> W4 {
        let speed = jounce_speed.abs();
        let compressing = jounce_speed.gt(W4::ZERO);
        compressing.select(self.bump.secant(speed), self.rebound.secant(speed))
    }

    /// Steering angle due to travel (`rad`).
    #[must_use]
    pub fn toe(&self, jounce: W4) -> W4 {
        self.toe.at(jounce)
    }
}

#[cfg(test)]
mod tests;
