//! Deceleration of a car that rolls to a stop, out of gear and in still air.

use super::finding::{Findings, Rule, Severity, when};
use super::run::{COASTING, LintRun};
use super::subject::{G, LintedCar};
use crate::error::LabError;

use Severity::Note;

/// Deceleration out of gear at 10 km/h, from all causes. Note outside 0.03–0.6 m/s².
const ROLLING_RESISTANCE: Rule = Rule::new(
    "rolling-resistance",
    "not in the guide: coast-downs of 966 cars (EPA test cars, 2022); Gillespie (1992), chapter 4",
);
/// Speed at which the deceleration is measured (`m/s`): 10 km/h.
const SPEED: f32 = 10.0 / 3.6;
/// Deceleration of a car on its tires (`m/s²`).
const USUAL: f32 = 0.1;
/// Decelerations of rolling vehicles (`m/s²`): above that of steel on rails, and below that of tracks.
const ROLLS: [f32; 2] = [0.03, 0.6];

/// Lets the car roll, and reports one that hardly slows down, or at once.
///
/// # Errors
/// If the world loses the car.
pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) -> Result<(), LabError> {
    let mut run = LintRun::coasting(subject, SPEED)?;
    run.go(0.5, COASTING)?;
    let before = run.speed();
    run.go(1.0, COASTING)?;
    let slower = before - run.speed();
    findings.add(
        when(!(ROLLS[0]..=ROLLS[1]).contains(&slower), Note),
        ROLLING_RESISTANCE,
        "tires",
        format!("it slows down by {slower:.3} m/s² out of gear at 10 km/h"),
        [
            "0.06 to 0.14 m/s², a heavy truck 0.05, tracks 0.4".to_owned(),
            format!(
                "tires with a rolling_resistance of {:.3}, or QSY1 of a Magic Formula",
                USUAL / G
            ),
        ],
    );
    Ok(())
}
