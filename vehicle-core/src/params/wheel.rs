//! One wheel with its suspension and its tire.

use alloc::string::String;

use glam::Vec3;

use super::compliance::Compliance;
use super::suspension::SuspensionParams;
use super::tire::TireFit;
use super::unsprung::Unsprung;
use crate::base::checked::{Check, Inspector};

/// One wheel. PhysX's defaults are in `jounce::presets`; [`blank`](Self::blank) has what need not be given.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct WheelParams {
    /// Name in reports, for example `front left`.
    pub name: String,
    /// A disabled wheel touches nothing and carries nothing.
    pub enabled: bool,
    /// Wheel center at the design position (jounce 0) (`m`, vehicle frame).
    pub position: Vec3,
    /// Radius (`m`), > 0; of a wheel with an unsprung mass, without load.
    pub radius: f32,
    /// Width (`m`), > 0.
    pub width: f32,
    /// Mass of wheel and tire (`kg`), > 0.
    pub mass: f32,
    /// Moment of inertia about the axle (`kg·m²`), > 0; a solid disc has ½·m·r².
    pub inertia: f32,
    /// Bearing damping (`N·m·s/rad`), ≥ 0.
    pub damping: f32,
    /// Toe, the constant part of the steering angle (`rad`), positive to the left, within ±π/2.
    pub toe: f32,
    /// Ground layers of this wheel, one bit each.
    pub layers: u32,
    /// Strut of the wheel.
    pub suspension: SuspensionParams,
    /// Changes of its alignment with travel.
    #[cfg_attr(feature = "serde", serde(default))]
    pub compliance: Compliance,
    /// Unsprung mass and vertical stiffness of the tire, of a wheel with one; without them, the wheel stands
    /// on the ground as long as it touches.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unsprung: Option<Unsprung>,
    /// Tire of the wheel.
    pub tire: TireFit,
}

impl WheelParams {
    /// Mass between its strut and its tire (`kg`); 0 unless it has some.
    #[must_use]
    pub fn unsprung_mass(&self) -> f32 {
        self.unsprung.map_or(0.0, |unsprung| unsprung.mass)
    }
}

impl Check for WheelParams {
    fn check(&self, i: &mut Inspector) {
        i.finite_vector("position", self.position, "m");
        i.positive("radius", self.radius, "m");
        i.positive("width", self.width, "m");
        i.positive("mass", self.mass, "kg");
        i.positive("inertia", self.inertia, "kg·m²");
        i.not_negative("damping", self.damping, "N·m·s/rad");
        let quarter = core::f32::consts::FRAC_PI_2;
        i.within_range("toe", self.toe, -quarter, quarter, "rad");
        i.within("suspension", |i| self.suspension.check(i));
        i.within("compliance", |i| {
            self.compliance.check(i);
            let both = self.suspension.free_at_droop && !self.compliance.spring.is_empty();
            let rule = "a spring that is free at full droop has none";
            i.rule(
                !both,
                "spring",
                self.compliance.spring.len(),
                "points",
                rule,
            );
        });
        if let Some(unsprung) = &self.unsprung {
            i.within("unsprung", |i| unsprung.check(i));
        }
        i.within("tire", |i| self.tire.check(i));
    }
}
