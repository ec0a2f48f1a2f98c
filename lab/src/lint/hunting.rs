//! A gearbox that changes up and down without end on a steady climb.

use super::finding::{Findings, Rule, Severity, above};
use super::run::LintRun;
use super::subject::{AnyCommand, LintedCar};
use crate::error::LabError;
use proving_ground::stage::Scene;

use Severity::Warning;

/// Number of gear changes against the direction of the change before, with an autobox and two gears, on slopes of 0°,
/// 5°, 10° and 15° at 60 % and at full throttle, from 15 s to 35 s. Warning above one.
const GEAR_HUNTING: Rule = Rule::new(
    "gear-hunting",
    "Tuning Guide, PxVehicleAutoBoxData: mUpRatios, mDownRatios",
);
/// The climbs (`°`).
const SLOPES: [f64; 4] = [0.0, 5.0, 10.0, 15.0];
/// The accelerator on each, 0…1.
const THROTTLES: [f32; 2] = [0.6, 1.0];
/// Time to find the gear of a climb (`s`).
const SETTLING: f32 = 15.0;
/// Time in which the gearbox should stay in that gear (`s`).
const WATCHED: f32 = 20.0;

/// Climbs at a constant throttle, and reports most changes down of a gearbox that changed up again.
///
/// # Errors
/// If the world loses the car.
pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) -> Result<(), LabError> {
    let gears = subject.gearbox.as_ref().map_or(0, |g| g.forward.len());
    if subject.autobox.is_none() || gears < 2 {
        return Ok(());
    }
    let (mut most, mut worst) = (0, (0.0, 0.0));
    for slope in SLOPES {
        for throttle in THROTTLES {
            let count = changes_back(subject, slope, throttle)?;
            if count > most {
                (most, worst) = (count, (slope, throttle));
            }
        }
    }
    let (slope, throttle) = worst;
    findings.add(
        above(most, 1, Warning),
        GEAR_HUNTING,
        "autobox",
        format!(
            "{most} changes back and forth in {WATCHED} s up {slope}° at {:.0} % throttle",
            100.0 * throttle
        ),
        [
            "at most 1: one gear for a steady climb".to_owned(),
            "solver = \"rows\", whose autobox knows the load; else lower autobox.down, smaller steps between gears, a shorter gearbox.switch_time".to_owned(),
        ],
    );
    Ok(())
}

/// Number of changes of gears against the direction of the one before.
fn changes_back(subject: &LintedCar<'_>, slope: f64, throttle: f32) -> Result<u32, LabError> {
    let scene = Scene {
        slope,
        ..Scene::LEVEL
    };
    let climb = AnyCommand {
        throttle,
        ..AnyCommand::default()
    };
    let mut run = LintRun::new(subject, scene)?;
    run.go(SETTLING, climb)?;
    let target = |run: &LintRun<'_>| run.stage.vehicle.state().drive.target_gear;
    let (mut gear, mut up, mut count) = (target(&run), None, 0);
    run.watch(WATCHED, climb, |run| {
        let now = target(run);
        if now != gear {
            let rises = now > gear;
            count += u32::from(up == Some(!rises));
            (gear, up) = (now, Some(rises));
        }
    })?;
    Ok(count)
}
