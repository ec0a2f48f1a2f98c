//! Drives of multi-body and single-track models, repeated with our cars.

use jounce::file::Car;
use proving_ground::ProvingError;

use super::driven::drive;
use super::figures::{CoursePoint, DrivenCourse, Response};
use super::recorded::{RecordedModel, Take};
use super::{Apart, Reckoning};

/// Speed down to which braking distances are compared (`m/s`): the models change their equations below.
const SLOWEST: f64 = 3.0;
/// Braked in a bend, forces are compared this long after the brakes were pressed (`s`; ISO 7975), over this time.
const AFTER: f64 = 1.0;
const OVER: f64 = 0.2;
/// Roll of a car that lies on its side (`rad`).
const TIPPED: f64 = 1.0;

/// A figure, how far it may be off, and how it is read from a drive.
type DriveFigure = (&'static str, Apart, f64, fn(&Take, &DrivenCourse) -> f64);

pub(super) const LATERAL: &str = "lateral acceleration [m/s²]";
pub(super) const ROLL: &str = "roll [°]";
pub(super) const RISE: &str = "yaw rate, time to 90 % [s]";
pub(super) const OVERSHOOT: &str = "yaw rate, overshoot [%]";
pub(super) const WAY: &str = "braking way [m]";
pub(super) const TIPPED_OVER: &str = "tipped over";

/// Figures of responses to the last step of the steering.
const STEERED: [DriveFigure; 4] = [
    (LATERAL, Apart::Percent, 3.0, |take, course| {
        after_last_step(take, course, lateral).last
    }),
    (ROLL, Apart::Percent, 5.0, |take, course| {
        after_last_step(take, course, roll).last
    }),
    (RISE, Apart::Percent, 5.0, |take, course| {
        after_last_step(take, course, yaw_rate).rise
    }),
    (OVERSHOOT, Apart::Points, 3.0, |take, course| {
        after_last_step(take, course, yaw_rate).overshoot
    }),
];

/// Figures of steered drives of a model that does not roll.
const TURNED: [DriveFigure; 3] = [STEERED[0], STEERED[2], STEERED[3]];

const BRAKED: [DriveFigure; 1] = [(WAY, Apart::Percent, 1.0, |take, course| {
    course.way_down_to(SLOWEST, take.brake_start)
})];

const BRAKED_IN_A_BEND: [DriveFigure; 3] = [
    BRAKED[0],
    (LATERAL, Apart::Percent, 3.0, |take, course| {
        while_braked(take, course, lateral)
    }),
    (ROLL, Apart::Percent, 5.0, |take, course| {
        while_braked(take, course, roll)
    }),
];

fn lateral(at: &CoursePoint) -> f64 {
    at.lateral_acceleration
}

fn roll(at: &CoursePoint) -> f64 {
    at.roll.to_degrees()
}

fn yaw_rate(at: &CoursePoint) -> f64 {
    at.yaw_rate
}

/// Response from the time when the steering last began to move.
fn after_last_step(take: &Take, course: &DrivenCourse, of: fn(&CoursePoint) -> f64) -> Response {
    let step = take.turns.iter().copied().fold(take.start, f64::max);
    course.response(step, course.duration(), of)
}

fn while_braked(take: &Take, course: &DrivenCourse, of: fn(&CoursePoint) -> f64) -> f64 {
    let middle = take.brake_start + AFTER;
    course.mean(middle - 0.5 * OVER, middle + 0.5 * OVER, of)
}

/// Every figure of a record's drives with this car. Of a drive that the model leaves before its end, spun or on its
/// side, there is none.
///
/// # Errors
/// If a drive fails, or the maneuver is not known.
pub fn multi_body(record: &RecordedModel, car: &Car) -> Result<Vec<Reckoning>, ProvingError> {
    let readings = match record.maneuver.as_str() {
        "step-steer" | "double-step" => &STEERED[..],
        "small-step" => &TURNED,
        "braking" => &BRAKED,
        "brake-in-bend" => &BRAKED_IN_A_BEND,
        other => {
            return Err(ProvingError::Syntax {
                file: record.car.clone(),
                message: format!("{other} is not known"),
            });
        }
    };
    let mut found = Vec::new();
    for take in record.drives.iter().filter(|take| take.whole) {
        let ours = drive(car, take)?;
        let reckoning = |figure, apart, bound, ours, theirs| Reckoning {
            subject: format!("{} {}", record.car, record.maneuver),
            figure,
            at: conditions(take),
            ours,
            theirs,
            apart,
            bound,
        };
        found.extend(readings.iter().map(|(figure, apart, bound, of)| {
            reckoning(
                figure,
                *apart,
                *bound,
                of(take, &ours),
                of(take, &take.course),
            )
        }));
        let tipped = |course: &DrivenCourse| {
            let over = course.instants.iter().any(|at| at.roll.abs() > TIPPED);
            f64::from(u8::from(over))
        };
        found.push(reckoning(
            TIPPED_OVER,
            Apart::Points,
            0.0,
            tipped(&ours),
            tipped(&take.course),
        ));
    }
    Ok(found)
}

fn conditions(take: &Take) -> String {
    let steer = (take.steer_deg != 0.0).then(|| format!("{}°", take.steer_deg));
    let braking = (take.braking != 0.0).then(|| format!("{} m/s²", take.braking));
    let speed = format!("{} km/h", take.speed_kmh);
    let words: Vec<String> = [Some(speed), steer, braking]
        .into_iter()
        .flatten()
        .collect();
    words.join(", ")
}
