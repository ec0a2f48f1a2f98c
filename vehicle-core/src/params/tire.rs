//! Parameters of a tire besides its law: where it acts, its friction table entry, its load filter.

use alloc::format;

use glam::Vec3;

use crate::base::checked::{Check, Inspector};
use crate::params::surface::TireType;

/// The tire on a wheel: its law, and where and how it acts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct TireFit {
    /// Index of the vehicle's tire model.
    pub model: usize,
    /// Row of the friction table.
    pub kind: TireType,
    /// Friction over the magnitude of longitudinal slip: three points (|slip ratio|, friction factor) (–), linear
    /// between them, constant after the last (ALGORITHMS §3.7). Slips ascend from 0, and friction never rises after
    /// the second point.
    pub friction_curve: [[f32; 2]; 3],
    /// Point at which tire forces act on the chassis (`m`, vehicle frame). With `Compliance::links`, the rows solver's act where the
    /// tire touches the ground.
    pub application_point: Vec3,
    /// Mass on the tire at rest (`kg`), > 0, the reference of its law's load; by default that of the wheel and
    /// its sprung mass.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rest_mass: Option<f32>,
    /// Rolling resistance of a tire whose law has none of its own: coefficient (–), 0…1, and its rise with the square of
    /// speed (`s²/m²`), ≥ 0. The coefficient is the force over the load, as in ISO 28580: 0.006 to 0.012 for road tires. A law
    /// that tells a [moment](crate::contracts::tire::TireForces::rolling_resistance) keeps that.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rolling_resistance: [f32; 2],
}

impl TireFit {
    /// Friction curve of 1 at every slip: PhysX's default (ALGORITHMS §4.1).
    pub const FLAT_FRICTION: [[f32; 2]; 3] = [[0.0, 1.0], [0.1, 1.0], [1.0, 1.0]];
}

/// Checks a friction curve.
fn check_friction([[x0, y0], [x1, y1], [x2, y2]]: [[f32; 2]; 3], i: &mut Inspector) {
    i.rule(x0 == 0.0, "[0][0]", x0, "", "the first slip must be 0");
    i.positive("[0][1]", y0, "");
    let ascends = x1 > x0 && x1.is_finite();
    i.rule(ascends, "[1][0]", x1, "", "slips must ascend");
    let rises = y1 >= y0 && y1.is_finite();
    i.rule(rises, "[1][1]", y1, "", "must be >= the first friction");
    let ascends = x2 > x1 && x2.is_finite();
    i.rule(ascends, "[2][0]", x2, "", "slips must ascend");
    let falls = y2 <= y1 && y2 >= 0.0;
    i.rule(falls, "[2][1]", y2, "", "must be 0 to the second friction");
}

impl Check for TireFit {
    fn check(&self, i: &mut Inspector) {
        i.positive("rest_mass", self.rest_mass.unwrap_or(1.0), "kg");
        let [coefficient, rise] = self.rolling_resistance;
        i.within_range("rolling_resistance[0]", coefficient, 0.0, 1.0, "");
        i.within_range("rolling_resistance[1]", rise, 0.0, 1.0, "s²/m²");
        i.finite_vector("application_point", self.application_point, "m");
        i.within("friction_curve", |i| check_friction(self.friction_curve, i));
    }
}

/// Filters suspension load to tire load: linear between two points of normalized load, constant outside
/// (ALGORITHMS §3.6).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct LoadFilter {
    /// Normalized load below which the filtered load is constant (–), ≥ 0.
    pub min_load: f32,
    /// Filtered load there, normalized (–).
    pub min_filtered: f32,
    /// Normalized load above which the filtered load is constant (–), > `min_load`.
    pub max_load: f32,
    /// Filtered load there, normalized (–).
    pub max_filtered: f32,
}

impl LoadFilter {
    /// The unfiltered load, never negative, up to a hundred times the rest load.
    pub const OFF: Self = Self {
        min_load: 0.0,
        min_filtered: 0.0,
        max_load: 100.0,
        max_filtered: 100.0,
    };
}

impl Check for LoadFilter {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("min_load", self.min_load, "");
        i.not_negative("min_filtered", self.min_filtered, "");
        i.positive("max_load", self.max_load, "");
        let rises = !(0.0..=self.min_load).contains(&self.max_load) || self.max_load == 0.0;
        let rule = format!("must be above min_load, {}", self.min_load);
        i.rule(rises, "max_load", self.max_load, "", rule);
        i.positive("max_filtered", self.max_filtered, "");
    }
}
