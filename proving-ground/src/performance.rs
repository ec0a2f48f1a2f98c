//! Figures of a whole car: acceleration, top speed, braking distance, consumption, and its handling in steady and sudden bends.
//!
//! Each is driven on a level plane in still air, as its standard says; steps are those of [`RATE`] but for the WLTC.

mod straight;
mod bend;
mod cycle;

use jounce::core::Air;
use jounce::file::{Car, TargetFigure};

use crate::error::ProvingError;
use crate::stage::{Scene, Setup, Stage};
use crate::world::WorldKind;

pub use bend::{SkidPadPoint, fastest_bend, skid_pad};
pub use cycle::CycleDrive;
pub use straight::full_throttle;

use bend::Bend;
use straight::{Straight, braking_distance};

/// Steps per second of every drive (`Hz`).
pub const RATE: f32 = 240.0;
/// Steps per second of the WLTC (`Hz`), which is long and gentle.
const CYCLE_RATE: f32 = 60.0;

/// A car that gains less than this (`m/s`) in [`PATIENCE`] (`s`) has its greatest speed.
const GAIN: f64 = 0.02;
const PATIENCE: f32 = 10.0;

/// The figures that are asked for, in their order; `NaN` for what the car does not do, such as 100 km/h.
///
/// # Errors
/// If the car cannot be driven.
pub fn measure(car: &Car, figures: &[TargetFigure]) -> Result<Vec<f64>, ProvingError> {
    use TargetFigure as F;
    let asked = |of: &[F]| figures.iter().any(|figure| of.contains(figure));
    let mut straight = None;
    if asked(&[F::ZeroTo100, F::TopSpeed]) {
        straight = Some(Straight::of(car)?);
    }
    let mut bend = None;
    if asked(&[
        F::UndersteerGradient,
        F::LateralAcceleration,
        F::RollGradient,
        F::ResponseTime,
    ]) {
        bend = Some(Bend::at_80(car)?);
    }
    let mut cycle = None;
    if asked(&[F::FuelConsumption, F::EnergyConsumption]) {
        cycle = Some(CycleDrive::of(car, CYCLE_RATE)?);
    }
    let value = |figure: &F| {
        let straight = |of: fn(&Straight) -> f64| straight.as_ref().map_or(f64::NAN, of);
        let cycle = |of: fn(&CycleDrive) -> f64| cycle.as_ref().map_or(f64::NAN, of);
        let steady = |of: fn(&Bend) -> f64| bend.as_ref().map_or(f64::NAN, of);
        Ok(match figure {
            F::ZeroTo100 => straight(|it| it.zero_to_100),
            F::TopSpeed => straight(|it| it.top_speed * 3.6),
            F::BrakingDistance => braking_distance(car)?,
            F::UndersteerGradient => steady(Bend::understeer_gradient),
            F::LateralAcceleration => steady(Bend::greatest),
            F::RollGradient => steady(Bend::roll_gradient),
            F::FuelConsumption => cycle(CycleDrive::liters_per_100_km),
            F::EnergyConsumption => cycle(CycleDrive::kilowatt_hours_per_100_km),
            F::ResponseTime => bend.as_ref().map_or(Ok(f64::NAN), |it| it.response(car))?,
        })
    };
    figures.iter().map(value).collect()
}

fn stage(car: &Car, scene: &Scene, rate: f32) -> Result<Stage, ProvingError> {
    let setup = Setup {
        world: WorldKind::Standalone,
        car,
    };
    let scene = Scene {
        hull: false,
        ..*scene
    };
    let mut stage = Stage::new(&setup, &scene, rate)?;
    stage.air = Air::STILL;
    Ok(stage)
}

fn speed_of(stage: &Stage) -> f64 {
    stage.velocity().with_z(0.0).length().into()
}

#[cfg(test)]
mod tests;
