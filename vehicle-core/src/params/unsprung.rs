//! Unsprung masses on tires that give.

use crate::base::checked::{Check, Inspector};

/// Unsprung mass of a wheel, between its strut and its tire: the mass moves between both (wheel hop), and its center stands over
/// the ground by its radius less what the tire gives (rows solver only; ROWS §4.1).
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
