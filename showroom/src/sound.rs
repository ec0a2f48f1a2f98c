//! Sound of a vehicle from the library's reports: an engine's note and the squeal of tires, as pitches and levels.

use core::f32::consts::TAU;

use jounce::core::{Vehicle, VehicleReport};
use proving_ground::course::Cover;

/// Pitches (`Hz`) and levels (0…1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Heard {
    /// Firing frequency of a four-stroke engine with four cylinders.
    pub engine_pitch: f32,
    /// Level of the engine, which rises with the throttle.
    pub engine_level: f32,
    /// Pitch of the loudest tire, higher the more it slides.
    pub squeal_pitch: f32,
    /// Level of the loudest tire.
    pub squeal_level: f32,
}

/// Firings per turn of the crankshaft.
const FIRINGS: f32 = 2.0;
/// Share of rolling below which a tire squeals ([`skid_info`](jounce::core::WheelReport::skid_info)).
const SQUEALS: f32 = 0.8;

impl Heard {
    /// Computes the sound of a vehicle after an update.
    #[must_use]
    pub fn beside(vehicle: &Vehicle, report: &VehicleReport) -> Self {
        let mut heard = Self::default();
        if let Some(engine) = report.engine.filter(|engine| engine.speed > 1.0) {
            heard.engine_pitch = engine.speed / TAU * FIRINGS;
            heard.engine_level = 0.25 + 0.75 * engine.throttle;
        }
        for wheel in 0..vehicle.model().wheel_count() {
            let tire = vehicle.wheel_report(wheel);
            let hard = Cover::of(tire.surface) == Cover::Asphalt && !tire.in_air;
            let slide = (SQUEALS - tire.skid_info).max(0.0) / SQUEALS;
            let pressed = (tire.load / (tire.rest_mass * 9.81)).min(1.0);
            // Rubber that creeps is silent.
            let rim = tire.spin * vehicle.model().params().wheels[wheel].radius;
            let fast = (tire.forward_speed.abs().max(rim.abs()) / 6.0).min(1.0);
            let level = if hard { slide * pressed * fast } else { 0.0 };
            if level > heard.squeal_level {
                heard.squeal_level = level;
                heard.squeal_pitch = 620.0 + 380.0 * slide;
            }
        }
        heard
    }
}
