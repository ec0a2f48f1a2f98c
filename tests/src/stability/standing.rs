//! How far a car moves that must stand.

use glam::DVec3;
use jounce::core::{CarCommand, Vehicle, WheelReport};
use proving_ground::ProvingError;

use super::stage::{FREE, Setup, Stage, steps};

/// The brake pedal fully pressed.
pub(super) const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };

/// Settling time of a car's springs (`s`). A truck's, soft for its height, oscillate longer: placed
/// across a slope, it leans by 40 mm.
pub(super) fn settling(setup: &Setup<'_>) -> f32 {
    match &*setup.car.name {
        "sedan" | "hatchback" | "sports-car" => 1.0,
        "truck" => 3.0,
        _ => 10.0,
    }
}

/// Its wheels.
pub(super) fn reports(vehicle: &Vehicle) -> impl Iterator<Item = WheelReport> {
    (0..vehicle.kind().wheel_count()).map(|n| vehicle.wheel_report(n))
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

/// Most that a place is away from where it `stood` (`mm`); each of the steps returns it.
pub(super) fn drift_from(
    stood: DVec3,
    mut steps: impl Iterator<Item = usize>,
    mut step: impl FnMut(usize) -> Result<DVec3, ProvingError>,
) -> Result<f64, ProvingError> {
    steps.try_fold(0.0_f64, |most, n| {
        Ok(most.max(1000.0 * step(n)?.distance(stood)))
    })
}

/// Most that a place is away (`mm`) from where it was at the same moment of the second of seven periods of this many steps;
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
