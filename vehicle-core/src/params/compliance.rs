//! Changes of a wheel's stance and force points with travel, and how its links lead tire forces to the body.

use alloc::format;
use alloc::vec::Vec;

use glam::Vec3;

use crate::base::checked::{Check, Inspector};

/// Tables over jounce (`m`), 0 at the design position: up to three points each, jounce ascending, linear
/// between them, constant outside; empty for no change (ALGORITHMS §7.3).
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Compliance {
    /// Jounce (`m`) and additional steering angle (`rad`), positive to the left.
    pub toe: Vec<(f32, f32)>,
    /// Jounce (`m`) and additional camber (`rad`).
    pub camber: Vec<(f32, f32)>,
    /// Jounce (`m`) and shift of the strut's application point (`m`, vehicle frame). Explicit solver only; the
    /// rows solver's struts act where the ray meets the ground.
    pub suspension_point: Vec<(f32, Vec3)>,
    /// Jounce (`m`) and shift of the tire's application point (`m`, vehicle frame). Without effect on wheels with
    /// `links`.
    pub tire_point: Vec<(f32, Vec3)>,
    /// The links of the suspension, of all wheels or of none: tire forces then act where the tires touch the ground, and
    /// reach the body through them. Otherwise they act at the tire's application point. Rows solver only.
    pub links: Option<LinkSlopes>,
}

/// Slopes at which the links of a suspension lead a tire's forces from the contact to the body (–, vehicle frame):
/// how far the contact point moves to the left or forward per jounce, within ±1. The line of the force rises by as
/// much towards the instant center, past which it acts on the body. What the links carry does not bend the spring.
///
/// With a roll center at height z over the ground and a wheel at y to the left, `lateral` = z/y; with an instant center
/// in side view by x ahead of the contact and by z over it, −z/x. Source: Milliken & Milliken, *Race Car Vehicle
/// Dynamics*, §17.2 and §17.3.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct LinkSlopes {
    /// Of lateral forces at jounce 0: way of the contact to the left.
    pub lateral: f32,
    /// Its change with jounce (`1/m`).
    pub lateral_change: f32,
    /// Whether a beam joins the wheel with the one at the other end of its axle: then only the axle's roll moves the
    /// contact aside, and the lateral forces of both load both wheels.
    pub beam: bool,
    /// Of longitudinal forces while the brake holds the wheel to its carrier: way of the contact forward.
    pub braked: f32,
    /// Of longitudinal forces otherwise: way of the wheel's center, as far as the carrier does not bear the drive's
    /// torque.
    pub driven: f32,
}

impl LinkSlopes {
    /// Those of a wheel in the middle of the vehicle.
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
    pub const POINTS: usize = 3;

    /// Whether all tables are empty.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Checks length and order of a table; `value` checks its values.
fn check_table<T>(i: &mut Inspector, table: &[(f32, T)], value: impl Fn(&mut Inspector, &T)) {
    let rule = format!("there must be at most {} points", Compliance::POINTS);
    let count = table.len();
    i.rule(count <= Compliance::POINTS, "", count, "points", rule);
    for (n, (jounce, y)) in table.iter().enumerate() {
        i.within(format!("[{n}]"), |i| {
            i.finite("jounce", *jounce, "m");
            let ascends = n == 0 || *jounce > table[n - 1].0;
            let rule = "must be above the point before";
            i.rule(ascends, "jounce", jounce, "m", rule);
            value(i, y);
        });
    }
}

impl Check for Compliance {
    fn check(&self, i: &mut Inspector) {
        let quarter = core::f32::consts::FRAC_PI_2;
        for (name, table) in [("toe", &self.toe), ("camber", &self.camber)] {
            let angle =
                |i: &mut Inspector, x: &f32| i.within_range("angle", *x, -quarter, quarter, "rad");
            i.within(name, |i| check_table(i, table, angle));
        }
        let points = [
            ("suspension_point", &self.suspension_point),
            ("tire_point", &self.tire_point),
        ];
        for (name, table) in points {
            let shift = |i: &mut Inspector, v: &Vec3| i.finite_vector("shift", *v, "m");
            i.within(name, |i| check_table(i, table, shift));
        }
        if let Some(links) = &self.links {
            i.within("links", |i| links.check(i));
        }
    }
}
