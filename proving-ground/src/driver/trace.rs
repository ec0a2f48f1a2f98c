//! Pedals that follow a speed trace: a driver who looks ahead, presses for the acceleration that leads there, and corrects by the
//! acceleration that comes of it.

use crate::maneuver::SpeedTrace;

/// Time that the driver looks ahead (`s`). tuned: shipped cars keep the tolerance of the WLTC.
const PREVIEW: f32 = 0.7;
/// Acceleration that a driver expects of a fully pressed accelerator, and deceleration of a brake pedal (`m/s²`). tuned: cars of middling
/// power in a middle gear, and brakes near their limit.
const EXPECTED: [f32; 2] = [3.0, 9.0];
/// Rate at which a lasting difference from the acceleration wanted is corrected (`1/s`), and the greatest correction (`m/s²`). tuned: as
/// fast as does not hunt.
const CORRECTION_RATE: f32 = 2.0;
const GREATEST_CORRECTION: f32 = 4.0;
/// Speed below which a car stands that is to stand (`m/s`), and brake pedal that holds it.
const STANDS: f32 = 0.2;
const HOLDS: f32 = 0.3;

/// A driver's estimate of what the pedals do.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TraceFollower {
    /// Acceleration to ask for beside that wanted (`m/s²`).
    correction: f32,
    /// Speed before the last step (`m/s`).
    speed: f32,
}

impl TraceFollower {
    /// A driver of a car with this speed (`m/s`).
    pub(super) fn new(speed: f32) -> Self {
        Self {
            correction: 0.0,
            speed,
        }
    }

    /// Accelerator and brake pedal at a `time` since the trace began (`s`), with this speed of the car (`m/s`).
    pub(super) fn pedals(
        &mut self,
        trace: &SpeedTrace,
        (time, dt): (f32, f32),
        speed: f32,
    ) -> (f32, f32) {
        let ahead = trace.at(time + PREVIEW);
        let gained = (speed - self.speed) / dt;
        self.speed = speed;
        if ahead <= 0.0 && speed < STANDS {
            self.correction = 0.0;
            return (0.0, HOLDS);
        }
        let wanted = (ahead - speed) / PREVIEW;
        let [throttle, brake] = EXPECTED;
        let asked = wanted + self.correction;
        // A pedal at its stop teaches nothing.
        if asked < throttle && asked > -brake {
            let change = CORRECTION_RATE * dt * (wanted - gained);
            self.correction =
                (self.correction + change).clamp(-GREATEST_CORRECTION, GREATEST_CORRECTION);
        }
        (
            (asked / throttle).clamp(0.0, 1.0),
            (-asked / brake).clamp(0.0, 1.0),
        )
    }
}
