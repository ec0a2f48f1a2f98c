//! Sine with dwell (FMVSS 126, S7.9): the steering of an evasive maneuver, up to where a car spins.

use core::f32::consts::TAU;

use jounce::aids::AidSuite;
use jounce::core::CarCommand;
use proving_ground::ProvingError;
use proving_ground::stage::Setup;

use super::rig::{Rig, Road};

/// Speed (`m/s`): 80 km/h.
const SPEED: f32 = 80.0 / 3.6;
/// Frequency of the sine (`Hz`), and time for which it dwells at its second peak (`s`).
const FREQUENCY: f32 = 0.7;
const DWELL: f32 = 0.5;

/// Results of a maneuver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dwell {
    /// Yaw rate 1.0 s and 1.75 s after the end of the steering, over the peak after its reversal (–).
    pub ratios: [f32; 2],
    /// Lateral displacement of the center of mass 1.07 s after the beginning (`m`).
    pub displacement: f32,
    /// Peak of the yaw rate after the reversal (`rad/s`).
    pub peak: f32,
}

/// Steering at a time since the beginning (–), of a sine with amplitude 1 that dwells.
fn steering(time: f32) -> f32 {
    let quarter = 0.25 / FREQUENCY;
    let phase = if time < 3.0 * quarter {
        time
    } else if time < 3.0 * quarter + DWELL {
        3.0 * quarter
    } else {
        time - DWELL
    };
    if phase * FREQUENCY < 1.0 {
        (TAU * FREQUENCY * phase).sin()
    } else {
        0.0
    }
}

/// Steering command at which a car has 0.3 g at 80 km/h on dry ground (–): A of the standard.
///
/// # Errors
/// If the world refuses it.
pub fn steering_at_0_3_g(setup: &Setup<'_>) -> Result<f32, ProvingError> {
    let mut rig = start(setup, &AidSuite::default(), 60.0)?;
    let mut steer = 0.0;
    while steer < 0.5 {
        steer += 0.01 * rig.dt();
        rig.step(&coasting(steer))?;
        let body = rig.body();
        if body.angular_velocity.z.abs() * body.linear_velocity.length() > 0.3 * 9.81 {
            break;
        }
    }
    Ok(steer)
}

/// Drives a sine with dwell with this amplitude of the steering command.
///
/// # Errors
/// If the world refuses it.
pub fn sine_with_dwell(
    setup: &Setup<'_>,
    aids: &AidSuite,
    amplitude: f32,
    rate: f32,
) -> Result<Dwell, ProvingError> {
    let mut rig = start(setup, aids, rate)?;
    let mut found = Dwell::default();
    let end = 1.0 / FREQUENCY + DWELL;
    for n in 0..((end + 1.75) * rate).ceil() as usize {
        let (before, after) = (n as f32 * rig.dt(), (n as f32 + 1.0) * rig.dt());
        // The mean of the step.
        rig.step(&coasting(amplitude * steering(0.5 * (before + after))))?;
        let body = rig.body();
        let yaw_rate = body.angular_velocity.z;
        if after > 0.5 / FREQUENCY && after <= end && yaw_rate.abs() > found.peak.abs() {
            found.peak = yaw_rate;
        }
        if before < 1.07 && after >= 1.07 {
            found.displacement = body.position.y.abs() as f32;
        }
        for (ratio, late) in found.ratios.iter_mut().zip([1.0, 1.75]) {
            if before < end + late && after >= end + late - 1e-4 {
                *ratio = yaw_rate / found.peak;
            }
        }
    }
    Ok(found)
}

fn start(setup: &Setup<'_>, aids: &AidSuite, rate: f32) -> Result<Rig, ProvingError> {
    Rig::new(setup, aids, Road::level(0.9), (SPEED, rate))
}

/// Coasting out of gear.
fn coasting(steer: f32) -> CarCommand {
    CarCommand {
        steer,
        clutch: 1.0,
        automatic: false,
        ..CarCommand::default()
    }
}
