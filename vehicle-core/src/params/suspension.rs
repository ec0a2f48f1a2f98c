//! Springs, dampers, travel, camber, anti-roll bars.

use glam::Vec3;

use super::damping::Damping;
use crate::base::checked::{Check, Inspector};
use crate::base::words::words;

/// Inclination of a wheel relative to its travel (`rad`), right-handed about the vehicle's x axis.
///
/// The two end values are *increments* on `at_rest`, in proportion to travel (ALGORITHMS §3.7).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CamberCurve {
    /// Camber at jounce 0 (`rad`).
    pub at_rest: f32,
    /// Camber added at full compression (`rad`).
    pub at_max_compression: f32,
    /// Camber added at full droop (`rad`).
    pub at_max_droop: f32,
}

words!(spring: "sprung-mass", "pure");

/// One strut. Travel is measured along `travel_direction` from the design position: jounce 0 at
/// rest, positive in compression.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SuspensionParams {
    /// Spring stiffness at the wheel (`N/m`), > 0.
    pub stiffness: f32,
    /// Whether the spring is free at full droop: `stiffness`·(jounce + `max_droop`), and the strut rests where it
    /// carries the car, at jounce 0 if `stiffness`·`max_droop` equals its weight (ALGORITHMS §7.10). Otherwise it has a
    /// preload of sprung mass × design gravity of the chassis, plus `stiffness`·jounce: the
    /// strut rests at jounce 0 under that, and higher where gravity is less (in PhysX's profiles, ALGORITHMS §3.6, the preload
    /// follows the present gravity).
    #[cfg_attr(feature = "serde", serde(default, rename = "spring", with = "spring"))]
    pub free_at_droop: bool,
    /// Damper at the wheel (`N·s/m`).
    pub damping: Damping,
    /// Stiffness of the bump stop, which acts in addition beyond full compression (`N/m`), > 0; rubber stops of cars
    /// have 200 to 600 kN/m. The explicit solver's stops are rigid.
    pub bump_stop_stiffness: f32,
    /// Travel from rest to full compression (`m`), ≥ 0; not both travels 0.
    pub max_compression: f32,
    /// Travel from rest to full droop (`m`), ≥ 0.
    pub max_droop: f32,
    /// Mass that this strut carries at rest (`kg`), > 0: without the wheel's unsprung mass, if it has some.
    pub sprung_mass: f32,
    /// Direction of droop, a unit vector (vehicle frame); straight down is (0, 0, −1).
    pub travel_direction: Vec3,
    /// Point at which the suspension force acts on the chassis (`m`, vehicle frame) with the explicit solver; with the
    /// rows solver, it acts where the ray meets the ground.
    pub application_point: Vec3,
    /// Roll influence: share of the tire point's height, from the center of mass, at which lateral forces act
    /// (–), 0…1. Below 1, they roll the car less, as if the center of mass were lower; with 0, it corners flat.
    /// The rows solver measures lateral slip at the same height, so that no energy is created.
    #[cfg_attr(feature = "serde", serde(default = "whole"))]
    pub roll_influence: f32,
    /// Inclination over travel.
    pub camber: CamberCurve,
}

#[cfg(feature = "serde")]
fn whole() -> f32 {
    1.0
}

impl SuspensionParams {
    /// This strut for another sprung mass (`kg`), with unchanged natural frequency and damping ratio.
    #[must_use]
    pub fn with_sprung_mass(self, sprung_mass: f32) -> Self {
        Self {
            damping: self.damping.scaled(sprung_mass / self.sprung_mass),
            ..self.with_spring_for(sprung_mass)
        }
    }

    /// This strut with a spring for another sprung mass (`kg`): unchanged natural frequency and damper.
    pub(crate) fn with_spring_for(self, sprung_mass: f32) -> Self {
        Self {
            stiffness: self.stiffness * (sprung_mass / self.sprung_mass),
            bump_stop_stiffness: self.bump_stop_stiffness * (sprung_mass / self.sprung_mass),
            sprung_mass,
            ..self
        }
    }
}

impl Check for SuspensionParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("stiffness", self.stiffness, "N/m");
        i.within("damping", |i| self.damping.check(i));
        i.positive("bump_stop_stiffness", self.bump_stop_stiffness, "N/m");
        i.not_negative("max_compression", self.max_compression, "m");
        i.not_negative("max_droop", self.max_droop, "m");
        let travel = self.max_compression + self.max_droop;
        i.rule(
            travel > 0.0,
            "max_compression + max_droop",
            travel,
            "m",
            "must be > 0",
        );
        i.positive("sprung_mass", self.sprung_mass, "kg");
        let length = self.travel_direction.length();
        i.rule(
            (length - 1.0).abs() < 1e-3,
            "travel_direction",
            self.travel_direction,
            "",
            "must have length 1",
        );
        i.finite_vector("application_point", self.application_point, "m");
        i.within_range("roll_influence", self.roll_influence, 0.0, 1.0, "");
        i.within("camber", |i| {
            let quarter = core::f32::consts::FRAC_PI_2;
            let c = &self.camber;
            i.within_range("at_rest", c.at_rest, -quarter, quarter, "rad");
            i.within_range(
                "at_max_compression",
                c.at_max_compression,
                -quarter,
                quarter,
                "rad",
            );
            i.within_range("at_max_droop", c.at_max_droop, -quarter, quarter, "rad");
        });
    }
}

/// A torsion bar between two wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct AntiRollBar {
    /// The two wheels, different and enabled.
    pub wheels: [usize; 2],
    /// Force per difference of jounce (`N/m`), ≥ 0.
    pub stiffness: f32,
}

impl Check for AntiRollBar {
    fn check(&self, i: &mut Inspector) {
        let [a, b] = self.wheels;
        i.rule(a != b, "wheels", a, "", "must be two different wheels");
        i.not_negative("stiffness", self.stiffness, "N/m");
    }
}
