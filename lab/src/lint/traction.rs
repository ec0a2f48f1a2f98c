//! Traction: wheelspin and slopes.

use super::finding::{Findings, Rule, Severity, above, graded};
use super::run::{FLAT_OUT, LintRun};
use super::subject::LintedCar;
use crate::error::LabError;
use proving_ground::stage::Scene;

use Severity::{Note, Warning};

/// Time for which a rim exceeds the car's speed by more than half, and by 1 m/s, within 4 s at full throttle from rest.
/// Warning above 2 s, note above 1 s.
const WHEEL_SPIN: Rule = Rule::new(
    "wheel-spin",
    "Troubleshooting: The Wheels Spin Too Much Under Acceleration",
);
/// Distance uphill within 4 s at full throttle from rest, on a slope of 45°. Warning above 0.5 m.
const CLIMBS: Rule = Rule::new(
    "climbs",
    "Troubleshooting: The Vehicle Climbs Too Steep Slopes",
);
/// Slope that is too steep for any wheeled vehicle from a standing start (`°`).
const TOO_STEEP: f64 = 45.0;

/// Sets off and reports too little or too much grip.
///
/// # Errors
/// If the world loses the car.
pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) -> Result<(), LabError> {
    set_off(subject, findings)?;
    climb(subject, findings)
}

/// Checks a start on level ground.
fn set_off(subject: &LintedCar<'_>, findings: &mut Findings) -> Result<(), LabError> {
    let mut run = LintRun::new(subject, Scene::LEVEL)?;
    let spun = run.timed(4.0, FLAT_OUT, LintRun::spins)?;
    findings.add(
        // "Aggressively pressing the accelerator pedal on a powerful car ought to lead to wheel spin."
        graded(spun, ([0.0, 1.0], Note), ([0.0, 2.0], Warning)),
        WHEEL_SPIN,
        "wheels",
        format!("a wheel spins for {spun:.1} of the first 4 s at full throttle"),
        [
            "at most 1 s; 2 s in a powerful car".to_owned(),
            "a gentler pedal, more load on driven wheels, wheel inertia as that of a disc, less torque".to_owned(),
        ],
    );
    Ok(())
}

/// Up a slope.
fn climb(subject: &LintedCar<'_>, findings: &mut Findings) -> Result<(), LabError> {
    let scene = Scene {
        slope: TOO_STEEP,
        ..Scene::LEVEL
    };
    let mut run = LintRun::new(subject, scene)?;
    let start = run.stage.position()?;
    let spun = run.timed(4.0, FLAT_OUT, LintRun::spins)?;
    let up = run.stage.position()?.z - start.z;
    findings.add(
        above(up, 0.5, Warning),
        CLIMBS,
        "tires",
        format!("{up:.1} m up a slope of {TOO_STEEP}° in 4 s at full throttle, a wheel spinning for {spun:.1} s"),
        [
            "it slides back or stays put".to_owned(),
            "a friction curve of about 1 that falls where wheels slip: [[0.0, 1.0], [0.1, 1.0], [1.0, 0.7]]".to_owned(),
        ],
    );
    Ok(())
}
