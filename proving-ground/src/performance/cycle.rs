//! Consumption on the WLTC, followed by the driver of maneuvers.

use glam::Vec3;
use jounce::file::Car;

use super::{speed_of, stage};
use crate::driver::{Driver, Seen};
use crate::electric::ElectricCar;
use crate::error::ProvingError;
use crate::maneuver::Maneuver;
use crate::stage::{Scene, Stage};

/// A drive of the WLTC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleDrive {
    /// Distance (`m`).
    pub distance: f64,
    /// Share of the time in which the speed is outside the tolerance of UN GTR No. 15 (–): 2 km/h, within a second.
    pub outside: f64,
    /// Fuel used (`m³`); `NaN` if the car counts none.
    pub fuel: f64,
    /// Energy that left the battery's terminals, less what came back (`J`); `NaN` without a battery.
    pub energy: f64,
}

impl CycleDrive {
    /// Drives a car through the cycle, `rate` steps per second (`Hz`).
    ///
    /// # Errors
    /// If the car cannot be driven.
    pub fn of(car: &Car, rate: f32) -> Result<Self, ProvingError> {
        let maneuver = Maneuver::load("wltc")?;
        let mut stage = stage(car, &Scene::IN_FIRST, rate)?;
        let mut driver = Driver::new(&maneuver, &seen(&stage, 0.0)?);
        let (mut distance, mut outside, mut steps) = (0.0, 0_u32, 0_u32);
        let period = f64::from(stage.dt);
        loop {
            let time = (f64::from(steps) * period) as f32;
            let Some(command) = driver.command(&seen(&stage, time)?, stage.dt) else {
                break;
            };
            stage.step(&command)?;
            steps += 1;
            let speed = speed_of(&stage);
            distance += speed * period;
            let start = driver.stage_start();
            let trace = maneuver.stages[start.stage].speed_trace.as_ref();
            let allowed = trace.map(|trace| trace.tolerated(time + stage.dt - start.time));
            let holds =
                allowed.is_none_or(|[least, most]| (least..=most).contains(&(speed as f32)));
            outside += u32::from(!holds);
        }
        let memory = stage.vehicle.state().drivetrain_memory();
        let electric = ElectricCar::of(car).map(|electric| electric.report(memory));
        let fuel = stage.vehicle.model().fuel_use(stage.vehicle.state());
        Ok(Self {
            distance,
            outside: f64::from(outside) / f64::from(steps),
            fuel: fuel.map_or(f64::NAN, |fuel| fuel.volume.into()),
            energy: electric.map_or(f64::NAN, |report| {
                f64::from(report.energy_used) - f64::from(report.energy_recovered)
            }),
        })
    }

    /// Fuel consumption (`l/100 km`).
    #[must_use]
    pub fn liters_per_100_km(&self) -> f64 {
        1e3 * self.fuel / (1e-5 * self.distance)
    }

    /// Consumption of electric energy at the battery's terminals (`kWh/100 km`).
    #[must_use]
    pub fn kilowatt_hours_per_100_km(&self) -> f64 {
        self.energy / 3.6e6 / (1e-5 * self.distance)
    }
}

/// The car as its driver sees it, at this time (`s`).
fn seen(stage: &Stage, time: f32) -> Result<Seen, ProvingError> {
    let body = stage.body()?;
    let ahead = body.rotation * Vec3::X;
    let report = stage.vehicle.report(&body);
    Ok(Seen {
        time,
        speed: speed_of(stage) as f32,
        forward_speed: report.forward_speed,
        position: body.position.truncate(),
        lateral_speed: report.lateral_speed,
        heading: libm::atan2f(ahead.y, ahead.x),
        yaw_rate: report.yaw_rate,
        gear: report.target_gear,
    })
}
