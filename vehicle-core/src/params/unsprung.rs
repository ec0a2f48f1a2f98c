//! Unsprung masses on tires that give.

use alloc::format;

use super::VehicleParams;
use crate::base::checked::{Check, Inspector};

/// What moves with a wheel, between its strut and its tire: the wheel hops on the tire, and its center stands over the ground
/// by its radius less what the tire gives (rows solver only; ROWS §4.1).
///
/// Source: T. Gillespie, *Fundamentals of Vehicle Dynamics*, 1992, ch. 5: a tire's vertical stiffness is 8 to 12 times that
/// of a car's spring, its damping hardly counts beside the strut's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Unsprung {
    /// Mass of wheel, tire, brake, hub, and the half of links, spring and damper (`kg`), > 0; a part of the chassis' mass.
    pub mass: f32,
    /// Vertical stiffness of the tire (`N/m`), > 0.
    pub tire_stiffness: f32,
    /// Vertical damping of the tire (`N·s/m`), ≥ 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tire_damping: f32,
}

impl Check for Unsprung {
    fn check(&self, i: &mut Inspector) {
        i.positive("mass", self.mass, "kg");
        i.positive("tire_stiffness", self.tire_stiffness, "N/m");
        i.not_negative("tire_damping", self.tire_damping, "N·s/m");
    }
}

impl VehicleParams {
    /// All wheels have an unsprung mass or none, on the rows solver, and the larger part of mass and inertia is sprung.
    pub(super) fn check_unsprung(&self, i: &mut Inspector) {
        let has = |n: usize| self.wheels[n].unsprung.is_some();
        for n in 0..self.wheels.len() {
            i.within(format!("wheels[{n}]"), |i| {
                let rule = "all wheels have an unsprung mass, or none";
                i.rule(has(n) == has(0), "unsprung", has(n), "", rule);
                let rule = "needs the rows solver: the explicit one's wheels have no mass";
                let solves = self.profile.rows().is_some();
                i.rule(solves || !has(n), "unsprung", "given", "", rule);
            });
        }
        let on = || self.wheels.iter().filter(|wheel| wheel.enabled);
        let sum = |of: fn(glam::Vec3) -> f32| -> f32 {
            let part = |wheel: &super::WheelParams| {
                wheel.unsprung_mass() * of(self.from_centre_of_mass(wheel.position))
            };
            on().map(part).sum()
        };
        let chassis = &self.chassis;
        for (name, unit, unsprung, whole) in [
            ("chassis.mass", "kg", sum(|_| 1.0), chassis.mass),
            (
                "chassis.inertia.x",
                "kg·m²",
                sum(|p| p.y * p.y),
                chassis.inertia.x,
            ),
            (
                "chassis.inertia.y",
                "kg·m²",
                sum(|p| p.x * p.x),
                chassis.inertia.y,
            ),
        ] {
            let holds = unsprung == 0.0 || unsprung <= 0.5 * whole;
            let rule = format!(
                "includes that of the unsprung masses, which must be at most half: {unsprung} {unit}"
            );
            i.rule(holds, name, whole, unit, rule);
        }
    }
}
