//! Creep: the torque of a selected gear while no pedal is pressed.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector};

/// Brake pedal or handbrake at which a vehicle no longer creeps (–).
const BRAKED: f32 = 0.1;

/// Torque in a selected gear while no brake is applied.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreepParams {
    /// Torque at a standstill, at all wheels together (`N·m`), > 0.
    pub torque: f32,
    /// Speed of the wheels' rims at which there is none left (`m/s`), > 0.
    pub speed: f32,
}

impl CreepParams {
    /// Torque at all wheels together (`N·m`), ≥ 0, at a speed of the rims in the selected direction (`m/s`), with `brakes` applied,
    /// 0…1; and the torque that it loses per speed (`N·s`), ≥ 0.
    #[must_use]
    pub fn at(&self, speed: f32, brakes: f32) -> [f32; 2] {
        let torque = self.torque * (1.0 - brakes / BRAKED).clamp(0.0, 1.0);
        let part = 1.0 - speed / self.speed;
        let falls = (0.0..1.0).contains(&part);
        let slope = if falls { torque / self.speed } else { 0.0 };
        [torque * part.clamp(0.0, 1.0), slope]
    }
}

impl Check for CreepParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("torque", self.torque, "N·m");
        i.positive("speed", self.speed, "m/s");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::standing(0.0, 0.0, [400.0, 0.0])]
    #[case::rolling(1.0, 0.0, [200.0, 200.0])]
    #[case::fast_enough(2.0, 0.0, [0.0, 200.0])]
    #[case::faster(9.0, 0.0, [0.0, 0.0])]
    #[case::rolling_back(-1.0, 0.0, [400.0, 0.0])]
    #[case::touched_brake(1.0, 0.05, [100.0, 100.0])]
    #[case::braked(0.0, 0.3, [0.0, 0.0])]
    fn it_creeps_up_to_a_speed(
        #[case] speed: f32,
        #[case] brakes: f32,
        #[case] expected: [f32; 2],
    ) {
        let creep = CreepParams {
            torque: 400.0,
            speed: 2.0,
        };
        assert_eq!(creep.at(speed, brakes), expected);
    }
}
