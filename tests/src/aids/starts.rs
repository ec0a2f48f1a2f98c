//! Starts: on slippery ground, and on a slope.

use jounce::aids::{AidSuite, SlipTarget, TractionControl};
use jounce::core::CarCommand;
use proving_ground::ProvingError;
use proving_ground::stage::Setup;

use super::rig::{Rig, Road};

/// Rate of a brake without valves (`N·m/s`).
const AT_ONCE: f32 = 1e9;
/// Duration of a launch (`s`).
const LAUNCH: f32 = 4.0;

/// Mean acceleration of a launch in first gear by the full throttle (`m/s²`).
///
/// # Errors
/// If the world refuses it.
pub fn launch(
    setup: &Setup<'_>,
    aids: &AidSuite,
    road: Road,
    rate: f32,
) -> Result<f32, ProvingError> {
    let mut rig = Rig::new(setup, aids, road, (0.0, rate))?;
    rig.engage(1);
    for _ in 0..(LAUNCH * rate) as usize {
        rig.step(&CarCommand {
            throttle: 1.0,
            automatic: false,
            ..CarCommand::default()
        })?;
    }
    Ok(rig.body().linear_velocity.x / LAUNCH)
}

/// Greatest acceleration of launches with constant slips, by brakes, engine or both (`m/s²`).
///
/// # Errors
/// If the world refuses one.
pub fn best_launch(setup: &Setup<'_>, road: Road, slips: &[f32]) -> Result<f32, ProvingError> {
    let mut best = 0.0_f32;
    for &slip in slips {
        for (engine, brake) in [(true, 0.0), (false, 5000.0), (true, 5000.0)] {
            let control = TractionControl {
                slip: SlipTarget::Fixed(slip),
                engine,
                brake,
                fill_rate: AT_ONCE,
                ..TractionControl::car()
            };
            let suite = AidSuite {
                traction_control: Some(control),
                ..AidSuite::default()
            };
            best = best.max(launch(setup, &suite, road, 60.0)?);
        }
    }
    Ok(best)
}

/// Results of a start on a slope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HillStart {
    /// Distance that the car rolled back (`m`).
    pub back: f64,
    /// Time from the moment at which the torque suffices until the aid is off and the car moves (`s`); infinite if it never does.
    pub late: f32,
}

/// Starts uphill: the brake pedal for a second, nothing for half a second, then the full throttle.
///
/// # Errors
/// If the world refuses it.
pub fn hill_start(
    setup: &Setup<'_>,
    aids: &AidSuite,
    slope: f32,
    rate: f32,
) -> Result<HillStart, ProvingError> {
    let road = Road {
        frictions: [1.0; 2],
        slope,
        waves: 0.0,
    };
    let mut rig = Rig::new(setup, aids, road, (0.0, rate))?;
    rig.engage(1);
    let mut start = HillStart {
        back: 0.0,
        late: f32::INFINITY,
    };
    let (mut stopped_at, mut suffices_at) = (0.0, None);
    let needed = setup.car.mass() * 9.81 * slope / (1.0 + slope * slope).sqrt();
    for n in 0..(5.0 * rate) as usize {
        let time = n as f32 * rig.dt();
        let command = CarCommand {
            brake: if time < 1.0 { 0.5 } else { 0.0 },
            throttle: if time < 1.5 { 0.0 } else { 1.0 },
            clutch: if time < 1.5 { 1.0 } else { 0.0 },
            automatic: false,
            ..CarCommand::default()
        };
        rig.step(&command)?;
        let body = rig.body();
        if time < 1.0 {
            stopped_at = body.position.x;
        }
        start.back = start.back.max(stopped_at - body.position.x);
        let wheels = 0..setup.car.model().wheel_count();
        let torque: f32 = wheels
            .map(|n| rig.vehicle().wheel_report(n).drive_torque)
            .sum();
        if suffices_at.is_none() && torque / setup.car.model().params().wheels[0].radius > needed {
            suffices_at = Some(time);
        }
        if let Some(at) = suffices_at
            && body.linear_velocity.x > 0.05
            && rig.activity() <= 0.0
        {
            start.late = time - at;
            break;
        }
    }
    Ok(start)
}
