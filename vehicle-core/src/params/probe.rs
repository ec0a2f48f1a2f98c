//! How wheels probe the ground.

use crate::base::checked::{Check, Inspector};
use crate::base::words::words;
use crate::params::contact_policy::ContactPolicy;
use crate::params::wheel_shape::{ShapeKind, WheelShape};

/// How wheels probe the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Probe {
    /// A ray per wheel, through its center: cheap, but independent of the wheel's size.
    #[default]
    Ray,
    /// A shape of the wheel's size, swept from above full compression to full droop.
    Sweep(SweepSettings),
    /// Sections: the wheel's plane and two planes beside it cut the triangles of the ground, and the wheel stands where its
    /// rim meets the cuts. Exact at curbs, cracks and stairs, with any step; needs a world with
    /// [triangles](crate::SceneQuery::triangles).
    Sections,
    /// Sections in a world with triangles, a ray per wheel in another one; [`last_probe`](crate::phases::last_probe) tells which.
    Auto,
}

impl Probe {
    /// Settings of the sweeps, if wheels are swept.
    #[must_use]
    pub fn sweep(&self) -> Option<SweepSettings> {
        match *self {
            Self::Ray | Self::Sections | Self::Auto => None,
            Self::Sweep(settings) => Some(settings),
        }
    }
}

words!(hits: "first", "all");

/// Settings of wheel sweeps (ALGORITHMS §2.2, §2.4).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct SweepSettings {
    /// The swept shape.
    pub shape: ShapeKind,
    /// Whether all hits are requested ("non-blocking"): of those that belong to the suspension by `policy`, the one
    /// that lifts the wheel most. Otherwise the first hit of any kind ("blocking"): a wheel climbs everything that it
    /// meets.
    #[cfg_attr(feature = "serde", serde(rename = "hits", with = "hits"))]
    pub all_hits: bool,
    /// The swept shape's radius over the wheel's (–), > 0.
    pub radius_scale: f32,
    /// The swept shape's width over the wheel's (–), > 0.
    pub width_scale: f32,
    /// Added to the swept shape's radius and half width (`m`), ≥ 0.
    pub inflation: f32,
    /// Rule by which hits belong to the suspension.
    pub policy: ContactPolicy,
    /// Whether jounce is the distance of the sweep itself ("direct sweep"), scales and inflation included.
    /// Otherwise, the sweep gives a plane, on which the wheel of actual size is placed. The explicit solver keeps
    /// such a jounce, and the point that the sweep hit, through all substeps of a step (ALGORITHMS §3.3); the rows
    /// solver goes on from the plane on which the wheel then stands.
    pub direct: bool,
}

impl SweepSettings {
    /// A cylinder of the wheel's own size, all hits, complementary angles of 45°.
    pub const DEFAULT: Self = Self {
        shape: ShapeKind::Cylinder,
        all_hits: true,
        radius_scale: 1.0,
        width_scale: 1.0,
        inflation: 0.0,
        policy: ContactPolicy::DEFAULT,
        direct: false,
    };

    /// The swept shape of a wheel with this radius and width (`m`).
    #[must_use]
    pub fn swept_shape(&self, radius: f32, width: f32) -> WheelShape {
        WheelShape {
            kind: self.shape,
            radius: radius * self.radius_scale + self.inflation,
            half_width: 0.5 * width * self.width_scale + self.inflation,
        }
    }
}

impl Default for SweepSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Check for Probe {
    fn check(&self, i: &mut Inspector) {
        if let Self::Sweep(sweep) = self {
            i.positive("radius_scale", sweep.radius_scale, "");
            i.positive("width_scale", sweep.width_scale, "");
            i.not_negative("inflation", sweep.inflation, "m");
            sweep.policy.check(i);
        }
    }
}
