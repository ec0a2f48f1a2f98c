//! Behavior of single wheels: they stay within their grip and come to rest.

use glam::Vec3;
use jounce::core::CarCommand;

use super::finding::CarFinding;
use super::stage::{FREE, Scene, Setup, Stage, steps};
use proving_ground::ProvingError;

/// 100 km/h (`m/s`).
const HUNDRED: f32 = 100.0 / 3.6;

/// Full braking and half steering lock at 100 km/h until the car stands: the maximum sum of the
/// tires' forces over their grip.
pub(super) fn braked_in_a_bend(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let scene = Scene {
        speed: HUNDRED,
        ..Scene::LEVEL
    };
    let command = CarCommand {
        brake: 1.0,
        steer: 0.5,
        ..FREE
    };
    let most = |rate: f32| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        let mut most = 0.0_f64;
        for _ in 0..steps(6.0, rate) {
            stage.step(&command)?;
            most = most.max(grip_used(&stage));
        }
        Ok(most)
    };
    CarFinding::at_rates(most)
}

/// Sum of the tires' ground forces over the sum of their grips.
fn grip_used(stage: &Stage) -> f64 {
    let wheels = 0..stage.vehicle.model().wheel_count();
    let (mut force, mut grip) = (Vec3::ZERO, 0.0);
    for wheel in wheels.map(|wheel| stage.vehicle.wheel_report(wheel)) {
        force += wheel.longitudinal_direction * wheel.longitudinal_force
            + wheel.lateral_direction * wheel.lateral_force;
        grip += wheel.friction * wheel.load;
    }
    if grip > 0.0 {
        f64::from(force.length() / grip)
    } else {
        0.0
    }
}

/// Sign changes of the spins of a car that has braked below 1 mm/s, for 3 s.
pub(super) fn stopped(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let scene = Scene {
        speed: 3.0,
        ..Scene::LEVEL
    };
    let command = CarCommand { brake: 0.3, ..FREE };
    let changes = |rate: f32| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        for _ in 0..steps(10.0, rate) {
            stage.step(&command)?;
            if stage.velocity().length() < 1e-3 {
                return sign_changes(&mut stage, &command, 3.0);
            }
        }
        Ok(f64::NAN)
    };
    CarFinding::at_rates(changes)
}

/// Sign changes of the spins of a car placed at 0.1 m/s with standing wheels, within 5 s.
pub(super) fn put_down(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let scene = Scene {
        speed: 0.1,
        ..Scene::LEVEL
    };
    let changes = |rate: f32| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        let wheels = stage.vehicle.state_mut().wheels.iter_mut();
        wheels.for_each(|wheels| wheels.spin = jounce::core::lanes::W4::ZERO);
        sign_changes(&mut stage, &FREE, 5.0)
    };
    CarFinding::at_rates(changes)
}

/// Maximum number of sign changes of any wheel's spin; less than 1e-3 rad/s counts as zero.
fn sign_changes(
    stage: &mut Stage,
    command: &CarCommand,
    seconds: f32,
) -> Result<f64, ProvingError> {
    const NOTHING: f32 = 1e-3;
    let mut wheels = vec![(0.0_f32, 0_u32); stage.vehicle.model().wheel_count()];
    for _ in 0..steps(seconds, 1.0 / stage.dt) {
        stage.step(command)?;
        for ((sign, changes), spin) in wheels.iter_mut().zip(stage.spins()) {
            if spin.abs() > NOTHING {
                *changes += u32::from(*sign * spin < 0.0);
                *sign = spin.signum();
            }
        }
    }
    let most = wheels.into_iter().map(|(_, changes)| changes).max();
    Ok(most.map_or(f64::NAN, f64::from))
}
