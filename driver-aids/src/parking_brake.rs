//! An electric parking brake: motors close the rear brakes of a car that stands.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{Command, DriverAid, Inspector, Requests, Sensors};

use crate::sensing::Pedals;

/// An electric parking brake (EPB): once the driver pulled the handbrake of a standing car, or it stood for a while, motors close
/// the rear brakes and keep them closed with a finite torque, until the driver presses the accelerator.
///
/// It knows the speed over the ground; real ones that of the wheels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "ParkingBrake::car")]
pub struct ParkingBrake {
    /// Torque of each closed brake (`N·m`), > 0.
    pub torque: f32,
    /// Time in which the motors close or open the brakes (`s`), > 0.
    pub time: f32,
    /// Time of standing without the accelerator after which it closes by itself (`s`), ≥ 0. `None`: only by the handbrake.
    pub closes_after: Option<f32>,
}

/// Speed below which a car stands (`m/s`).
const STANDS: f32 = 0.1;
/// Handbrake from which on it is pulled (–).
const PULLED: f32 = 0.5;

impl ParkingBrake {
    /// A parking brake of a passenger car: it holds 1500 kg on the 20 % that UN Regulation 13-H, annex 3, 2.3.1 asks for, twice.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            torque: 1000.0,
            time: 0.8,
            closes_after: None,
        }
    }

    /// The driver's request in this substep: closed or open; `None` without one.
    fn asked(sensors: &Sensors<'_>, stands: bool) -> Option<bool> {
        let pulled = matches!(sensors.command, Some(Command::Car(car)) if car.handbrake > PULLED);
        if Pedals::of(sensors).throttle > 0.0 {
            Some(false)
        } else if stands && pulled {
            Some(true)
        } else {
            None
        }
    }
}

impl DriverAid for ParkingBrake {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.positive("torque", self.torque, "N·m");
        inspector.positive("time", self.time, "s");
        inspector.not_negative("closes_after", self.closes_after.unwrap_or(0.0), "s");
    }

    fn name(&self) -> &str {
        "parking-brake"
    }

    /// How far it is closed, 0…1, which is the activity; whether it is to be closed; time of standing (`s`), up to that after which
    /// it closes.
    fn memory(&self, _wheels: usize) -> usize {
        3
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory[0]
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let [closed, close, stood] = memory else {
            return;
        };
        let stands = sensors.velocity.x.abs() < STANDS;
        let asked = Self::asked(sensors, stands);
        let waits = stands && asked != Some(false);
        let after = self.closes_after.unwrap_or(f32::INFINITY);
        *stood = match self.closes_after {
            Some(after) if waits => math::lesser(*stood + sensors.duration, after),
            _ => 0.0,
        };
        if let Some(asked) = asked.or((waits && *stood >= after).then_some(true)) {
            *close = f32::from(u8::from(asked));
        }
        let most = sensors.duration / self.time;
        *closed += (*close - *closed).clamp(-most, most);
        for (wheel, request) in sensors.wheels.iter().zip(requests.wheels.iter_mut()) {
            if wheel.position.x < 0.0 {
                request.brake = math::greater(request.brake, *closed * self.torque);
            }
        }
    }
}
