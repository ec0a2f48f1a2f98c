//! Changes of a wheel's alignment and force points with travel and forces, and how its links lead tire forces to the body.

use alloc::format;
use alloc::vec::Vec;

use glam::{Vec2, Vec3};

use crate::base::checked::{Check, Inspector};

/// Tables over jounce (`m`), 0 at the design position, or over forces: up to [`Self::POINTS`] points each, jounce or force
/// ascending, linear between them, constant outside; empty for no change (ALGORITHMS §7.3, where three points are the most,
/// all over jounce).
///
/// The curves of spring and damper count forces in units of the stiffness and damping of [`SuspensionParams`](super::SuspensionParams), so that they go
/// along when those are scaled. They are linear between their points, of which the origin is one, and go on at the slopes
/// of their ends.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Compliance {
    /// Jounce (`m`) and additional steering angle (`rad`), positive to the left.
    pub toe: Vec<(f32, f32)>,
    /// Jounce (`m`) and additional camber (`rad`).
    pub camber: Vec<(f32, f32)>,
    /// Jounce (`m`) and shift of the wheel forward and to the left (`m`, vehicle frame): change of wheelbase and track. Rows
    /// solver only. [`LinkSlopes`] say how fast its contact moves.
    pub shift: Vec<(f32, Vec2)>,
    /// Additional toe by the tire's forces through the bushings: tables over its longitudinal force, its lateral force
    /// (`N`, forward and to the left) and its aligning moment (`N·m`, positive to the left), in this order. Rows
    /// solver only.
    pub toe_by_force: [Vec<(f32, f32)>; 3],
    /// Additional camber by the tire's forces: tables over the same three as those of `toe_by_force`. Rows solver only.
    pub camber_by_force: [Vec<(f32, f32)>; 3],
    /// Additional shift by the tire's forces: tables over the same three as those of `toe_by_force`. Rows solver only.
    pub shift_by_force: [Vec<(f32, Vec2)>; 3],
    /// Additional camber by the roll of its axle against the body, (jounce on the left − jounce on the right)/track
    /// (`rad/rad`), 0…1: 1 on a beam axle, whose wheels tilt with it, a part on a twist beam, 0 where wheels are independent.
    /// The wheel of the axle's other end stands where its mirror image would.
    pub roll_camber: f32,
    /// Roll steer coefficient, what the roll of its axle against the body adds to `toe` (`rad/rad`), within ±1: where
    /// the body rolls to the right, both wheels are steered to the right by so much of its angle (T. Gillespie,
    /// *Fundamentals of Vehicle Dynamics*, 1992, ch. 6).
    pub roll_steer: f32,
    /// Jounce (`m`) and shift of the strut's application point (`m`, vehicle frame). Explicit solver only; the
    /// rows solver's struts act where the ray meets the ground.
    pub suspension_point: Vec<(f32, Vec3)>,
    /// Jounce (`m`) and shift of the tire's application point (`m`, vehicle frame). Without effect on wheels with
    /// `links`.
    pub tire_point: Vec<(f32, Vec3)>,
    /// The spring: jounce (`m`) and force over `stiffness` (`m`), in addition to the preload; both ascend, and (0, 0) is a
    /// point. Empty for a linear spring. Rows solver only.
    pub spring: Vec<(f32, f32)>,
    /// The damper in compression: speed (`m/s`), > 0, and force over the `rate` of its `damping` (`m/s`), which does not
    /// fall; (0, 0) is understood. Empty for that rate and its knee.
    pub bump: Vec<(f32, f32)>,
    /// The damper in extension: speed (`m/s`), > 0, and force over the `rate` of its `damping` (`m/s`), by the rules of `bump`.
    pub rebound: Vec<(f32, f32)>,
    /// The links of the suspension, of all wheels or of none: tire forces then act where the tires touch the ground, and
    /// reach the body through them. Otherwise they act at the tire's application point. Rows solver only.
    pub links: Option<LinkSlopes>,
}

/// Slopes at which the links of a suspension lead a tire's forces from the contact to the body (–, vehicle frame):
/// how far the contact point moves to the left or forward per jounce, within ±1. The line of the force rises by as
/// much toward the instant center, past which it acts on the body. What the links carry does not bend the spring.
///
/// With a roll center at height z over the ground and a wheel at y to the left, `lateral` = z/y; with an instant center
/// in side view by x ahead of the contact and by z over it, −z/x. Source: Milliken & Milliken, *Race Car Vehicle
/// Dynamics*, §17.2 and §17.3.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct LinkSlopes {
    /// Slope for lateral forces at jounce 0: displacement of the contact to the left.
    pub lateral: f32,
    /// Change of the slope for lateral forces with jounce (`1/m`).
    pub lateral_change: f32,
    /// Whether a beam joins the wheel with the one at the other end of its axle: then only the axle's roll moves the
    /// contact aside, and the lateral forces of both load both wheels.
    pub beam: bool,
    /// Slope for longitudinal forces while the brake locks the wheel to its carrier: displacement of the contact
    /// forward.
    pub braked: f32,
    /// Slope for longitudinal forces otherwise: displacement of the wheel's center, as far as the carrier does not
    /// bear the drive's torque.
    pub driven: f32,
}

impl LinkSlopes {
    /// Slopes of a wheel in the middle of the vehicle: those that belong to no side.
    pub(crate) fn of_no_side(self) -> Self {
        Self {
            braked: self.braked,
            driven: self.driven,
            ..Self::default()
        }
    }
}

impl Check for LinkSlopes {
    fn check(&self, i: &mut Inspector) {
        for (name, slope) in [
            ("lateral", self.lateral),
            ("braked", self.braked),
            ("driven", self.driven),
        ] {
            i.within_range(name, slope, -1.0, 1.0, "");
        }
        i.finite("lateral_change", self.lateral_change, "1/m");
    }
}

impl Compliance {
    /// Maximum number of points of a table.
    pub const POINTS: usize = 32;

    /// Whether all tables of the compliance are empty.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Whether forces of the tire move the wheel.
    #[must_use]
    pub(crate) fn moves_by_force(&self) -> bool {
        let angles = self.toe_by_force.iter().chain(&self.camber_by_force);
        angles.clone().any(|table| !table.is_empty())
            || self.shift_by_force.iter().any(|table| !table.is_empty())
    }

    /// Checks the tables over jounce and forces.
    fn check_alignment(&self, i: &mut Inspector) {
        let quarter = core::f32::consts::FRAC_PI_2;
        let angle =
            |i: &mut Inspector, x: &f32| i.within_range("angle", *x, -quarter, quarter, "rad");
        let shift = |i: &mut Inspector, v: &Vec2| i.finite_vector("shift", v.extend(0.0), "m");
        for (name, table) in [("toe", &self.toe), ("camber", &self.camber)] {
            i.within(name, |i| check_table(i, table, JOUNCE, angle));
        }
        i.within_range("roll_camber", self.roll_camber, 0.0, 1.0, "rad/rad");
        i.within_range("roll_steer", self.roll_steer, -1.0, 1.0, "rad/rad");
        i.within("shift", |i| check_table(i, &self.shift, JOUNCE, shift));
        for (n, over) in FORCES.into_iter().enumerate() {
            for (name, tables) in [
                ("toe", &self.toe_by_force),
                ("camber", &self.camber_by_force),
            ] {
                let path = format!("{name}_by_force[{n}]");
                i.within(path, |i| check_table(i, &tables[n], over, angle));
            }
            let path = format!("shift_by_force[{n}]");
            i.within(path, |i| {
                check_table(i, &self.shift_by_force[n], over, shift);
            });
        }
    }
}

/// Checks length and order of a table over what is named `x`; `value` checks its values.
fn check_table<T>(
    i: &mut Inspector,
    table: &[(f32, T)],
    (x, unit): (&str, &str),
    value: impl Fn(&mut Inspector, &T),
) {
    let rule = format!("there must be at most {} points", Compliance::POINTS);
    let count = table.len();
    i.rule(count <= Compliance::POINTS, "", count, "points", rule);
    for (n, (at, y)) in table.iter().enumerate() {
        i.within(format!("[{n}]"), |i| {
            i.finite(x, *at, unit);
            let ascends = n == 0 || *at > table[n - 1].0;
            let rule = "must be above the point before";
            i.rule(ascends, x, at, unit, rule);
            value(i, y);
        });
    }
}

/// Quantity and unit of the first column of a table.
const JOUNCE: (&str, &str) = ("jounce", "m");
const FORCES: [(&str, &str); 3] = [("force", "N"), ("force", "N"), ("moment", "N·m")];

/// Checks the curve of a spring.
fn check_spring(i: &mut Inspector, curve: &[(f32, f32)]) {
    check_table(i, curve, JOUNCE, |i, y| {
        i.finite("force over stiffness", *y, "m");
    });
    for (n, pair) in curve.windows(2).enumerate() {
        let rule = "must be above that of the point before";
        let force = pair[1].1;
        let path = format!("[{}].force over stiffness", n + 1);
        i.rule(force > pair[0].1, &path, force, "m", rule);
    }
    let whole = curve.is_empty() || (curve.len() > 1 && curve.contains(&(0.0, 0.0)));
    let rule = "two points or more must be given, and 0 at jounce 0 is one: the preload carries the car there";
    i.rule(whole, "", curve.len(), "points", rule);
}

/// Checks the curve of a damper in a direction.
fn check_stroke(i: &mut Inspector, curve: &[(f32, f32)]) {
    check_table(i, curve, ("speed", "m/s"), |i, y| {
        i.finite("force over rate", *y, "m/s");
    });
    let mut least = (0.0, 0.0);
    for (n, point) in curve.iter().enumerate() {
        let rule = "must be > 0 (0 at 0 is understood), and force must not fall";
        let met = point.0 > 0.0 && point.1 >= least.1;
        i.rule(met, &format!("[{n}]"), format!("{point:?}"), "m/s", rule);
        least = *point;
    }
}

impl Check for Compliance {
    fn check(&self, i: &mut Inspector) {
        self.check_alignment(i);
        let points = [
            ("suspension_point", &self.suspension_point),
            ("tire_point", &self.tire_point),
        ];
        for (name, table) in points {
            let shift = |i: &mut Inspector, v: &Vec3| i.finite_vector("shift", *v, "m");
            i.within(name, |i| check_table(i, table, JOUNCE, shift));
        }
        i.within("spring", |i| check_spring(i, &self.spring));
        for (name, stroke) in [("bump", &self.bump), ("rebound", &self.rebound)] {
            i.within(name, |i| check_stroke(i, stroke));
        }
        if let Some(links) = &self.links {
            i.within("links", |i| links.check(i));
        }
    }
}
