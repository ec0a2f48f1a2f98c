//! Conditions of a drive: initial motion, load, gravity, grip and wind.

use glam::Vec3;
use jounce::core::checked::{Check, Inspector};
use jounce::core::{Air, Gear, InvalidParams, Surfaces, Vehicle, VehicleModel};

use crate::gears::{gear_for, gear_reaches};
use crate::stage::roll;

/// Initial motion of the vehicles, load, and gravity, grip and wind of a drive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveConditions {
    /// Initial speed along the vehicles, with rolling wheels (`m/s`), within ±150; negative in reverse.
    pub speed: f32,
    /// The initial gear; by default the one for this speed.
    pub gear: Option<Gear>,
    /// Initial height above the standing position (`m`), within 0…1000.
    pub height: f64,
    /// Mass at the first vehicle's center of mass, beside its own (`kg`), within 0…1e6: its inertia grows in proportion, its
    /// springs stay.
    pub payload: f32,
    /// Gravity (`m/s²`, downward), within 0…100.
    pub gravity: f32,
    /// Factor on the friction of every tire on every ground (–), within 0…10: 1 on a dry road.
    pub friction: f32,
    /// Velocity of the air over the ground (`m/s`, world axes), within ±150 each.
    pub wind: Vec3,
}

impl DriveConditions {
    /// The usual conditions: at rest on a dry road on Earth, in calm air.
    pub const USUAL: Self = Self {
        speed: 0.0,
        gear: None,
        height: 0.0,
        payload: 0.0,
        gravity: 9.81,
        friction: 1.0,
        wind: Vec3::ZERO,
    };

    /// Checks the conditions for a vehicle, whose gear must be one of its own.
    ///
    /// # Errors
    /// With every value that violates its rule.
    pub fn check_for(&self, model: &VehicleModel) -> Result<(), InvalidParams> {
        let mut inspector = Inspector::new();
        self.check(&mut inspector);
        let gears: Vec<i8> = gear_reaches(model).iter().map(|r| r.gear.0).collect();
        if let (Some(gear), Some(least), Some(most)) = (self.gear, gears.first(), gears.last()) {
            let (least, most) = (least.min(&0), most.max(&0));
            let rule = format!("must be within {least}..={most}, the gears of this vehicle");
            let known = (*least..=*most).contains(&gear.0);
            inspector.rule(known, "gear", gear.0, "", rule);
        }
        inspector.verdict()
    }

    /// Gravity (`m/s²`, world axes).
    pub(super) fn gravity(&self) -> Vec3 {
        Vec3::NEG_Z * self.gravity
    }

    /// Grip of tires over that on a dry road on Earth (–).
    pub(super) fn grip(&self) -> f64 {
        f64::from(self.friction * self.gravity / Self::USUAL.gravity)
    }

    /// The air.
    pub(super) fn air(&self) -> Air {
        Air {
            wind: self.wind,
            ..Air::STILL
        }
    }

    /// Friction of the ground, whose own surfaces are those of its terrain.
    ///
    /// # Errors
    /// If the friction violates its rule.
    pub(super) fn surfaces(&self, terrain: &Surfaces) -> Result<Surfaces, InvalidParams> {
        let mut surfaces = terrain.clone();
        let grip = surfaces.set_grip(self.friction);
        grip.map_err(|fault| InvalidParams(vec![fault]))?;
        Ok(surfaces)
    }

    /// Sets the wheels of a vehicle rolling, and its engine running along in `gear`.
    pub(super) fn set_rolling(&self, vehicle: &mut Vehicle, gear: Option<Gear>) {
        if self.speed != 0.0 {
            roll(vehicle, self.speed);
        }
        let model = vehicle.model();
        let gear = gear.unwrap_or_else(|| gear_for(model, self.speed));
        let reaches = gear_reaches(model);
        let reach = reaches.iter().find(|reach| reach.gear == gear);
        let turned = reach.map_or(0.0, |r| {
            r.engine_speed * (self.speed / r.speed).clamp(0.0, 1.0)
        });
        let drive = &mut vehicle.state_mut().drive;
        drive.force_gear(gear);
        drive.engine_speed = drive.engine_speed.max(turned);
    }
}

impl Check for DriveConditions {
    fn check(&self, i: &mut Inspector) {
        i.within_range("speed", self.speed, -150.0, 150.0, "m/s");
        let holds = (0.0..=1000.0).contains(&self.height);
        i.rule(holds, "height", self.height, "m", "must be within 0..=1000");
        i.within_range("payload", self.payload, 0.0, 1e6, "kg");
        i.within_range("gravity", self.gravity, 0.0, 100.0, "m/s²");
        i.within_range("friction", self.friction, 0.0, 10.0, "");
        let holds = self.wind.abs().cmple(Vec3::splat(150.0)).all();
        let rule = "must be within ±150 in every component";
        i.rule(holds, "wind", self.wind, "m/s", rule);
    }
}

#[cfg(test)]
mod tests {
    use jounce::presets;

    use super::*;

    #[test]
    fn a_drive_starts_in_each_gear_of_a_vehicle_and_in_no_other() {
        for (name, _) in presets::FILES {
            let model = presets::by_name(name).unwrap().model();
            let gears: Vec<i8> = gear_reaches(&model).iter().map(|r| r.gear.0).collect();
            let (Some(&lowest), Some(&highest)) = (gears.first(), gears.last()) else {
                continue;
            };
            assert!(gears.is_sorted(), "{name}: {gears:?}");
            for gear in lowest - 1..=highest + 1 {
                let conditions = DriveConditions {
                    gear: Some(Gear(gear)),
                    ..DriveConditions::USUAL
                };
                let starts = conditions.check_for(&model).is_ok();
                assert_eq!(starts, gears.contains(&gear) || gear == 0, "{name}: {gear}");
            }
        }
    }
}
