//! Full throttle from rest, and full brakes.

use jounce::core::CarCommand;
use jounce::file::Car;

use super::{GAIN, PATIENCE, RATE, speed_of, stage};
use crate::error::ProvingError;
use crate::stage::{FLAT_OUT, FREE, Scene, steps};

/// 100 km/h (`m/s`).
pub(super) const HUNDRED: f64 = 100.0 / 3.6;

/// Mean accelerations at full throttle (`m/s²`) from each whole speed to the next one (`m/s`), from rest on, up to the greatest
/// that the car reaches in a minute. Changes of gears and spinning wheels are in them.
///
/// # Errors
/// If the car cannot be driven.
pub fn full_throttle(car: &Car) -> Result<Vec<f64>, ProvingError> {
    const LONGEST: f32 = 60.0;
    let mut stage = stage(car, &Scene::IN_FIRST, RATE)?;
    let mut accelerations: Vec<f64> = Vec::new();
    let mut last = [0.0; 2];
    for n in 1..=steps(LONGEST, RATE) {
        stage.step(&FLAT_OUT)?;
        let now = [n as f64 / f64::from(RATE), speed_of(&stage)];
        if now[1] >= (accelerations.len() + 1) as f64 {
            accelerations.push((now[1] - last[1]) / (now[0] - last[0]));
            last = now;
        }
    }
    Ok(accelerations)
}

/// Full throttle from rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Straight {
    /// Time from 0 to 100 km/h (`s`).
    pub(super) zero_to_100: f64,
    /// Top speed (`m/s`).
    pub(super) top_speed: f64,
}

impl Straight {
    /// The longest drive (`s`).
    const LONGEST: f32 = 600.0;

    pub(super) fn of(car: &Car) -> Result<Self, ProvingError> {
        let mut stage = stage(car, &Scene::IN_FIRST, RATE)?;
        let mut it = Self {
            zero_to_100: f64::NAN,
            top_speed: 0.0,
        };
        let (mut last, mut judged) = (0.0, -1.0);
        for n in 1..=steps(Self::LONGEST, RATE) {
            stage.step(&FLAT_OUT)?;
            let speed = speed_of(&stage);
            if it.zero_to_100.is_nan() && speed >= HUNDRED {
                let part = (HUNDRED - last) / (speed - last);
                it.zero_to_100 = ((n - 1) as f64 + part) / f64::from(RATE);
            }
            last = speed;
            it.top_speed = it.top_speed.max(speed);
            if n % steps(PATIENCE, RATE) == 0 {
                if it.top_speed < judged + GAIN {
                    break;
                }
                judged = it.top_speed;
            }
        }
        Ok(it)
    }
}

/// The distance from 100 km/h to rest (`m`).
pub(super) fn braking_distance(car: &Car) -> Result<f64, ProvingError> {
    /// Speed below which the car is at rest (`m/s`).
    const REST: f64 = 0.05;
    const LONGEST: f32 = 60.0;
    let braked = CarCommand { brake: 1.0, ..FREE };
    let scene = Scene {
        speed: (HUNDRED + 1.0) as f32,
        ..Scene::LEVEL
    };
    let mut stage = stage(car, &scene, RATE)?;
    // A stage that was not stepped yet has no velocity.
    for _ in 0..steps(LONGEST, RATE) {
        stage.step(&FREE)?;
        if speed_of(&stage) <= HUNDRED {
            break;
        }
    }
    let mut distance = 0.0;
    for _ in 0..steps(LONGEST, RATE) {
        let before = speed_of(&stage);
        stage.step(&braked)?;
        let speed = speed_of(&stage);
        distance += 0.5 * (before + speed) * f64::from(stage.dt);
        if speed < REST {
            return Ok(distance);
        }
    }
    Ok(f64::NAN)
}
