//! Bodies, wheels and starts, for both generations.

use core::f32::consts::PI;

use super::dice::Dice;

/// A vehicle's outline, in PhysX's axes, from its center of mass.
pub(super) struct Outline {
    pub(super) mass: f32,
    pub(super) wheels: usize,
    /// Half of the track (`m`).
    half_track: f32,
    /// Half of the distance between the first and the last axle (`m`).
    half_base: f32,
    /// Depth of the wheels' centers (`m`).
    depth: f32,
    pub(super) radius: f32,
    /// The center of mass in the actor (`m`).
    pub(super) center: [f32; 3],
}

impl Outline {
    /// An outline with this number of wheels, in pairs; the last one of an odd number is alone.
    pub(super) fn new(dice: &mut Dice, wheels: usize) -> Self {
        let radius = dice.within(0.25..0.6);
        Self {
            mass: dice.within(150.0..450.0) * wheels as f32,
            wheels,
            half_track: dice.within(0.6..1.1),
            half_base: dice.within(1.0..2.0) + 0.25 * wheels as f32 * radius,
            depth: dice.within(0.2..0.7),
            radius,
            center: [
                dice.either(0.0, -0.1..0.1),
                dice.within(-0.4..0.6),
                dice.within(-0.3..0.3),
            ],
        }
    }

    /// The center of a wheel; even ones have x < 0, and axles follow one another from the front, or from the rear.
    pub(super) fn place(&self, wheel: usize, from_rear: bool) -> [f32; 3] {
        let x = -self.side(wheel) * self.half_track;
        // A single axle is in front.
        let gaps = self.wheels.div_ceil(2).saturating_sub(1).max(1);
        let along = 1.0 - 2.0 * (wheel / 2) as f32 / gaps as f32;
        let z = self.half_base * if from_rear { -along } else { along };
        [x, -self.depth, z]
    }

    /// Sign of a wheel's toe and camber: even and odd wheels mirror one another, a wheel alone itself.
    pub(super) const fn side(&self, wheel: usize) -> f32 {
        match (wheel.is_multiple_of(2), wheel + 1 == self.wheels) {
            (true, true) => 0.0,
            (true, false) => 1.0,
            (false, _) => -1.0,
        }
    }

    /// Principal moments of inertia of a box of about this size (`kg·m²`).
    pub(super) fn inertia(&self, dice: &mut Dice) -> [f32; 3] {
        let [wide, high, long] = [2.2 * self.half_track, 1.2, 2.6 * self.half_base];
        let moment = |a: f32, b: f32| self.mass * (a * a + b * b) / 12.0;
        let moments = [moment(high, long), moment(wide, long), moment(wide, high)];
        moments.map(|moment| moment * dice.within(0.8..1.2))
    }

    /// Position of the actor with the wheels `drop` above y = 0 (`m`).
    pub(super) fn start(&self, drop: f32) -> [f32; 3] {
        let [x, y, z] = self.center;
        [-x, self.depth + self.radius + drop - y, -z]
    }

    /// Stiffness and damping of a strut.
    pub(super) fn strut(&self, dice: &mut Dice) -> [f32; 2] {
        let rate = 2.0 * PI * dice.within(1.2..2.2);
        let mass = self.mass / self.wheels as f32;
        [
            mass * rate * rate,
            2.0 * mass * rate * dice.within(0.2..0.7),
        ]
    }
}

/// A small angle to either side.
pub(super) fn tilt(dice: &mut Dice, most: f32) -> f32 {
    dice.within(-most..most)
}

/// Turned about the vertical by an angle (`rad`).
pub(super) fn heading(angle: f32) -> [f32; 4] {
    [0.0, libm::sinf(0.5 * angle), 0.0, libm::cosf(0.5 * angle)]
}

/// A unit normal that is inclined from the vertical by angles about z and x (`rad`).
pub(super) fn normal(dice: &mut Dice) -> [f32; 3] {
    if dice.chance(0.5) {
        return [0.0, 1.0, 0.0];
    }
    let [x, z] = [tilt(dice, 0.2), tilt(dice, 0.2)];
    let length = libm::sqrtf(1.0 + x * x + z * z);
    [x, 1.0, z].map(|component| component / length)
}

/// Points of a friction curve over the slip.
pub(super) fn friction_curve(dice: &mut Dice) -> [f32; 6] {
    if dice.chance(0.5) {
        return [0.0, 1.0, 0.1, 1.0, 1.0, 1.0];
    }
    let peak = dice.within(1.0..1.3);
    [
        0.0,
        dice.within(0.8..1.0),
        dice.within(0.05..0.3),
        peak,
        1.0,
        dice.within(0.6..0.9),
    ]
}
