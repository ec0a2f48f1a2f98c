//! Measurements.

use jounce::tires::real::Real;
use jounce::tires::steady::SteadyInput;

/// Names of the channels, in the order of [`Measurement::forces`].
pub const CHANNELS: [&str; 3] = ["Fx", "Fy", "Mz"];

/// A state of a tire and its measured forces, in ISO-W and SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// Load Fz (`N`), ≥ 0.
    pub load: f64,
    /// Slip ratio κ.
    pub slip_ratio: f64,
    /// Slip angle α (`rad`), positive where the contact point moves to the left.
    pub slip_angle: f64,
    /// Inclination γ (`rad`), positive with the top to the right.
    pub inclination: f64,
    /// Speed Vx (`m/s`); `None` is the speed of the tire's own measurement.
    pub speed: Option<f64>,
    /// Pressure (`Pa`); `None` is the tire's own.
    pub pressure: Option<f64>,
    /// Fx (`N`), Fy (`N`), Mz (`N·m`), where measured.
    pub forces: [Option<f64>; 3],
}

/// Default speed (`m/s`).
const SPEED: f64 = 16.7;

impl Measurement {
    /// Free rolling at a load (`N`), without measured values.
    #[must_use]
    pub const fn new(load: f64) -> Self {
        Self {
            load,
            slip_ratio: 0.0,
            slip_angle: 0.0,
            inclination: 0.0,
            speed: None,
            pressure: None,
            forces: [None; 3],
        }
    }

    /// This state with measured Fx (`N`), Fy (`N`), Mz (`N·m`).
    #[must_use]
    pub fn answered(self, forces: [f64; 3]) -> Self {
        Self {
            forces: forces.map(Some),
            ..self
        }
    }

    /// Whether all numbers of the measurement are finite and the load is not negative.
    pub(super) fn is_sound(&self) -> bool {
        let given = [
            self.load,
            self.slip_ratio,
            self.slip_angle,
            self.inclination,
        ];
        let more = [self.speed, self.pressure].into_iter().chain(self.forces);
        let all = given.into_iter().chain(more.flatten());
        all.into_iter().all(f64::is_finite) && self.load >= 0.0
    }

    /// The input of a steady law, on a surface with this friction.
    pub(super) fn seen<T: Real>(&self, friction: T) -> SteadyInput<T> {
        let tan = self.slip_angle.tan();
        let speed = self.speed.unwrap_or(SPEED).abs() * self.slip_ratio.hypot(tan);
        SteadyInput {
            ratio: T::of(self.slip_ratio),
            tan_angle: T::of(tan),
            camber: T::of(self.inclination),
            load: T::of(self.load),
            friction,
            speed: T::of(speed),
        }
    }
}
