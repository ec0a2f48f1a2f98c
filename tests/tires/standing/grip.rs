//! The force of a tire on a slope, by its own law.

use glam::Vec3;
use jounce::core::{TireInput, TireModel, WheelReport};
use proving_ground::stage::GRAVITY;

/// Minimum reference speed of slips [m/s]: that of the rows solver.
const LEAST_SPEED: f32 = 0.05;

/// Slips that are tried [−]: from a thousandth, a geometric series with this factor and number of terms.
const FIRST: f32 = 1e-3;
const FACTOR: f32 = 1.05;
const COUNT: u8 = 190;

/// A tire on a slope, braked, on a surface of friction 1.
pub(super) struct Braked<'a> {
    pub(super) tire: &'a dyn TireModel,
    pub(super) wheel: &'a WheelReport,
    /// Inclination to the ground (`rad`), with that of the body.
    pub(super) inclination: f32,
    /// Radius (`m`).
    pub(super) radius: f32,
    /// Downhill direction, unit vector, vehicle frame.
    pub(super) downhill: Vec3,
}

impl Braked<'_> {
    /// The maximum uphill force over slip (`N`), without shifts: they need a rolling tire, and a
    /// standing one has no direction (ROWS §5).
    pub(super) fn peak(&self) -> f64 {
        if self.tire.stateful().is_some() {
            return self.told();
        }
        let slips = (0..COUNT).scan(FIRST, |slip, _| {
            let present = *slip;
            *slip *= FACTOR;
            Some(present)
        });
        // A braked wheel is locked at most.
        let most = if self.downhill.x == 0.0 {
            f32::INFINITY
        } else {
            1.0
        };
        let forces = slips.take_while(|slip| *slip <= most).map(|slip| {
            let [here, opposite] = [slip, -slip].map(|slip| self.held(&self.slow(slip)));
            0.5 * (here - opposite)
        });
        forces.fold(0.0, f64::max)
    }

    /// The peak force that a stateful tire reports [N]: its law is that of a rolling tire.
    fn told(&self) -> f64 {
        let grip = self.tire.properties(&self.standing()).grip;
        let [along, across] = [self.downhill.x / grip[0], self.downhill.y / grip[1]];
        1.0 / f64::from(along).hypot(f64::from(across))
    }

    /// Uphill force (`N`) of the locked tire that slides down at `speed` (`m/s`).
    pub(super) fn sliding(&self, speed: f32) -> f64 {
        let [forward, left] = [speed * self.downhill.x, speed * self.downhill.y];
        let over = forward.abs().max(LEAST_SPEED);
        self.held(&TireInput {
            slip_ratio: -forward / over,
            tan_slip_angle: left / over,
            forward_speed: forward,
            lateral_speed: left,
            ..self.standing()
        })
    }

    /// A downhill slip at the minimum speed.
    fn slow(&self, slip: f32) -> TireInput {
        let [along, across] = [slip * self.downhill.x, slip * self.downhill.y];
        TireInput {
            slip_ratio: -along,
            tan_slip_angle: across,
            forward_speed: LEAST_SPEED,
            rim_speed: LEAST_SPEED * (1.0 - along),
            lateral_speed: LEAST_SPEED * across,
            ..self.standing()
        }
    }

    fn standing(&self) -> TireInput {
        TireInput {
            radius: self.radius,
            load: self.wheel.load,
            rest_load: self.wheel.rest_mass * -GRAVITY.z,
            camber: self.inclination,
            friction: 1.0,
            gravity: -GRAVITY.z,
            ..TireInput::default()
        }
    }

    /// Uphill force (`N`).
    fn held(&self, input: &TireInput) -> f64 {
        let forces = self.tire.forces(input);
        let force = Vec3::new(forces.longitudinal, forces.lateral, 0.0);
        f64::from(-force.dot(self.downhill))
    }
}
