//! Lamps of a vehicle: where they are, and which are lit.

use glam::{Vec3, Vec4};
use jounce::core::{CarCommand, Gear};

use crate::scene::mesh::MeshData;

/// A lamp, or a pair of lamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lamp {
    /// Headlamps.
    Head,
    /// Brake lamps.
    Brake,
    /// Reversing lamps.
    Reverse,
    /// Left indicators.
    Left,
    /// Right indicators.
    Right,
}

/// All lamps.
pub(crate) const LAMPS: [Lamp; 5] = [
    Lamp::Head,
    Lamp::Brake,
    Lamp::Reverse,
    Lamp::Left,
    Lamp::Right,
];

/// Least pedal and steering that light a lamp (–).
const PRESSED: f32 = 0.03;
const STEERED: f32 = 0.25;
/// Flashes of an indicator per second.
const FLASHES: f64 = 1.5;

/// The lamps that are lit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lit {
    brake: bool,
    reverse: bool,
    left: bool,
    right: bool,
}

impl Lit {
    /// Lamps by the driver's command, the gear and the time (`s`), by which indicators flash.
    pub(crate) fn by(command: &CarCommand, gear: Gear, time: f64) -> Self {
        let flashes = (time * FLASHES).fract() < 0.5;
        Self {
            brake: command.brake > PRESSED,
            reverse: gear.0 < 0,
            left: flashes && command.steer < -STEERED,
            right: flashes && command.steer > STEERED,
        }
    }

    /// Brightness of a lamp, as a factor on its color.
    pub(crate) fn tint(&self, lamp: Lamp) -> Vec4 {
        let lit = match lamp {
            Lamp::Head => true,
            Lamp::Brake => self.brake,
            Lamp::Reverse => self.reverse,
            Lamp::Left => self.left,
            Lamp::Right => self.right,
        };
        Vec4::splat(if lit { 2.6 } else { 0.45 }).with_w(1.0)
    }
}

/// Meshes of lamps, in the order of [`LAMPS`].
#[derive(Default)]
pub(super) struct Lamps(pub(super) [MeshData; LAMPS.len()]);

impl Lamps {
    fn add(&mut self, lamp: Lamp, center: Vec3, half: Vec3, color: Vec3) {
        self.0[lamp as usize].add_box(center, half, color.extend(0.1));
    }

    /// Adds headlamps and front indicators: center of the left one (`m`), half its width and height.
    pub(super) fn front(&mut self, center: Vec3, half: [f32; 2]) {
        let [wide, high] = half;
        for (side, indicator) in [(1.0, Lamp::Left), (-1.0, Lamp::Right)] {
            let at = |y: f32| Vec3::new(center.x, side * (center.y + y), center.z);
            let box_of = |wide: f32| Vec3::new(0.025, wide, high);
            self.add(Lamp::Head, at(-0.2 * wide), box_of(0.75 * wide), HEAD);
            self.add(indicator, at(0.8 * wide), box_of(0.2 * wide), AMBER);
        }
    }

    /// Adds brake and reversing lamps and rear indicators: center of the left cluster (`m`), half its width and height.
    pub(super) fn rear(&mut self, center: Vec3, half: [f32; 2]) {
        let [wide, high] = half;
        for (side, indicator) in [(1.0, Lamp::Left), (-1.0, Lamp::Right)] {
            let at = |y: f32, z: f32| {
                Vec3::new(center.x, side * (center.y + y * wide), center.z + z * high)
            };
            let box_of = |y: f32, z: f32| Vec3::new(0.025, y * wide, z * high);
            self.add(Lamp::Brake, at(0.0, 0.35), box_of(1.0, 0.65), RED);
            self.add(indicator, at(0.45, -0.65), box_of(0.55, 0.35), AMBER);
            self.add(Lamp::Reverse, at(-0.55, -0.65), box_of(0.45, 0.35), WHITE);
        }
    }
}

const HEAD: Vec3 = Vec3::new(0.60, 0.58, 0.50);
const RED: Vec3 = Vec3::new(0.85, 0.04, 0.03);
const AMBER: Vec3 = Vec3::new(0.95, 0.42, 0.03);
const WHITE: Vec3 = Vec3::new(0.62, 0.63, 0.62);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lamps_follow_pedal_gear_and_steering() {
        let command = CarCommand {
            brake: 0.5,
            steer: -0.6,
            ..CarCommand::default()
        };
        let bright = |lit: &Lit| LAMPS.map(|lamp| lit.tint(lamp).x > 1.0);
        let lit = Lit::by(&command, Gear::FIRST, 0.1);
        assert_eq!(bright(&lit), [true, true, false, true, false]);
        // The indicator is dark in the second half of its period.
        let dark = Lit::by(&command, Gear::REVERSE, 0.5);
        assert_eq!(bright(&dark), [true, true, true, false, false]);
        let free = Lit::by(&CarCommand::default(), Gear::FIRST, 0.1);
        assert_eq!(bright(&free), [true, false, false, false, false]);
    }
}
