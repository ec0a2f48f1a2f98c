//! Motion of a car that must stand.

use glam::{DVec3, Vec3};
use jounce::core::params::Damping;
use jounce::core::{CarCommand, Vehicle, VehicleParams, WheelReport};
use proving_ground::ProvingError;

use super::stage::{FREE, Setup, Stage, steps};

/// The brake pedal fully pressed.
pub(super) const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };
/// The brake pedal and the handbrake: rear brakes that spare their wheels at speed may hold less than these wheels' share.
pub(super) const ALL_BRAKES: CarCommand = CarCommand {
    handbrake: 1.0,
    ..BRAKED
};

/// Time constants after which a placed car stands (–): a thousandth is left of how far it was from there, some 30 mm.
const TIME_CONSTANTS: f32 = 7.0;

/// A load that stands on a car and moves with it.
pub(super) struct RoofLoad {
    /// Mass (`kg`).
    pub(super) mass: f32,
    /// Height of its center of mass over that of the car (`m`).
    pub(super) over: f32,
}

/// Time in which a placed car comes to rest on its springs (`s`).
pub(super) fn settling(setup: &Setup<'_>) -> f32 {
    let nothing = RoofLoad {
        mass: 0.0,
        over: 0.0,
    };
    settling_under(setup, &nothing)
}

/// Time in which a placed car with a `load` on it comes to rest (`s`), by the slowest motion. Dampers c let a mass m
/// that heaves settle at the rate Σc/2m, and a car that rolls or pitches about the ground at Σc·d²/2I.
pub(super) fn settling_under(setup: &Setup<'_>, load: &RoofLoad) -> f32 {
    let model = setup.car.model();
    let VehicleParams {
        chassis, wheels, ..
    } = model.params();
    let height = setup.car.ride_height() as f32;
    let about_ground = chassis.mass * height.powi(2) + load.mass * (height + load.over).powi(2);
    let rate = |way: fn(Vec3) -> f32, inertia: f32| {
        let damping = wheels.iter().map(|wheel| {
            let Damping { bump, rebound } = wheel.suspension.damping;
            let way = way(wheel.position - chassis.center_of_mass);
            bump.rate.min(rebound.rate) * way * way
        });
        damping.sum::<f32>() / (2.0 * inertia)
    };
    let slowest = rate(|_| 1.0, chassis.mass + load.mass)
        .min(rate(|arm| arm.x, chassis.inertia.y + about_ground))
        .min(rate(|arm| arm.y, chassis.inertia.x + about_ground));
    // Whole seconds are whole steps at every rate.
    (TIME_CONSTANTS / slowest).ceil()
}

/// Reports of a vehicle's wheels.
pub(super) fn reports(vehicle: &Vehicle) -> impl Iterator<Item = WheelReport> {
    (0..vehicle.model().wheel_count()).map(|n| vehicle.wheel_report(n))
}

/// Most that a car moves from where it stands (`mm`), within `seconds` of this command.
pub(super) fn drift(
    stage: &mut Stage,
    seconds: f32,
    command: &CarCommand,
) -> Result<f64, ProvingError> {
    let stood = stage.position()?;
    let count = steps(seconds, 1.0 / stage.dt);
    drift_from(stood, 0..count, |_| {
        stage.step(command)?;
        stage.position()
    })
}

/// Greatest distance of a position from where it `stood` (`mm`); each of the steps returns it.
pub(super) fn drift_from(
    stood: DVec3,
    mut steps: impl Iterator<Item = usize>,
    mut step: impl FnMut(usize) -> Result<DVec3, ProvingError>,
) -> Result<f64, ProvingError> {
    steps.try_fold(0.0_f64, |most, n| {
        Ok(most.max(1000.0 * step(n)?.distance(stood)))
    })
}

/// Greatest distance of a position (`mm`) from where it was at the same moment of the second of seven periods of this many steps;
/// each step returns it.
pub(super) fn drift_of_periods(
    period: usize,
    mut step: impl FnMut(usize) -> Result<DVec3, ProvingError>,
) -> Result<f64, ProvingError> {
    for n in 0..period {
        step(n)?;
    }
    let second = (period..2 * period).map(&mut step);
    let second = second.collect::<Result<Vec<_>, _>>()?;
    (2 * period..7 * period).try_fold(0.0_f64, |most, n| {
        Ok(most.max(1000.0 * step(n)?.distance(second[n % period])))
    })
}
