//! Driver aids that fight, or have nothing to do.

use jounce::aids::{AidSuite, SlipTarget};

use super::drive::of_weight;
use super::finding::{Findings, Rule, Severity, above, below, when};
use super::subject::{G, LintedCar};

use Severity::{Note, Warning};

const SECTION: &str = "not in the guide: driver aids";

/// Characteristic speeds of `torque-vectoring` and `stability-control`. Warning if they differ by more than a fifth.
const REFERENCES: Rule = Rule::new("aid-references", SECTION);
/// `torque-vectoring` by brakes beside the vectoring of an electric drive. Warning.
const VECTORING: Rule = Rule::new("aid-vectoring", SECTION);
/// Fixed slips of `traction-control` and `launch-control`. Warning if traction control keeps a smaller one.
const SLIPS: Rule = Rule::new("aid-slips", SECTION);
/// Speed of `speed-limiter` against those up to which other aids work. Warning below.
const SPEEDS: Rule = Rule::new("aid-speeds", SECTION);
/// Braking force of all wheels over weight beside an ABS. Note below 0.9: on dry roads it has nothing to do.
const IDLE_ABS: Rule = Rule::new("aid-abs", SECTION);

/// Force of the `parking-brake` at the rims over the weight. Warning below the 0.2 of the steepest slope on which UN Regulation 13-H
/// asks it to hold.
const PARKING: Rule = Rule::new("aid-parking", SECTION);
/// Slope on which a parking brake must hold (–, the sine).
const HELD: f32 = 0.2;

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    let aids = &subject.car.spec().aids;
    references(aids, findings);
    vectoring(subject, findings);
    slips(aids, findings);
    speeds(aids, findings);
    idle_abs(subject, findings);
    parking(subject, findings);
}

/// One aid turns the car in, and the other takes it back.
fn references(aids: &AidSuite, findings: &mut Findings) {
    let (Some(turns), Some(holds)) = (aids.torque_vectoring, aids.stability_control) else {
        return;
    };
    let [own, other] = [turns.characteristic_speed, holds.characteristic_speed];
    findings.add(
        above(own.max(other), 1.2 * own.min(other), Warning),
        REFERENCES,
        "aids.torque-vectoring.characteristic_speed",
        format!("{own} m/s, and {other} m/s of stability-control"),
        [
            "one reference for both: one aid brakes what the other asks".to_owned(),
            format!("characteristic_speed = {other:?}"),
        ],
    );
}

fn vectoring(subject: &LintedCar<'_>, findings: &mut Findings) {
    let spec = subject.car.spec();
    let motors = spec.drive.0.get("vectoring").is_some();
    findings.add(
        when(motors && spec.aids.torque_vectoring.is_some(), Warning),
        VECTORING,
        "aids.torque-vectoring",
        "beside drivetrain.vectoring".to_owned(),
        [
            "one of them: both answer the same error of yaw".to_owned(),
            "leave it out; motors lose no energy in brakes".to_owned(),
        ],
    );
}

fn slips(aids: &AidSuite, findings: &mut Findings) {
    let fixed = |slip| match slip {
        SlipTarget::Fixed(slip) => Some(slip),
        SlipTarget::Best => None,
    };
    let launch = aids.launch_control.and_then(|aid| fixed(aid.slip));
    let traction = aids.traction_control.and_then(|aid| fixed(aid.slip));
    let (Some(launch), Some(traction)) = (launch, traction) else {
        return;
    };
    findings.add(
        below(traction, launch, Warning),
        SLIPS,
        "aids.traction-control.slip",
        format!("{traction}, below {launch} of launch-control"),
        [
            "at least that of launch-control, which never reaches its slip otherwise".to_owned(),
            format!("slip = {launch:?}"),
        ],
    );
}

fn speeds(aids: &AidSuite, findings: &mut Findings) {
    let Some(limit) = aids.speed_limiter.map(|aid| aid.speed) else {
        return;
    };
    let launch = aids.launch_control.map(|aid| aid.end_speed);
    let descent = aids.hill_descent.map(|aid| aid.speed);
    for (name, speed) in [
        ("launch-control.end_speed", launch),
        ("hill-descent.speed", descent),
    ] {
        let Some(speed) = speed else { continue };
        findings.add(
            below(limit, speed, Warning),
            SPEEDS,
            "aids.speed-limiter.speed",
            format!("{limit} m/s, below {speed} m/s of {name}"),
            [
                "above the speeds of other aids".to_owned(),
                format!("speed = {:?}", 1.1 * speed),
            ],
        );
    }
}

fn parking(subject: &LintedCar<'_>, findings: &mut Findings) {
    let Some(aid) = subject.car.spec().aids.parking_brake else {
        return;
    };
    let params = &subject.params;
    let rear = params
        .wheels
        .iter()
        .filter(|wheel| wheel.position.x < params.chassis.center_of_mass.x);
    let force: f32 = rear.map(|wheel| aid.torque / wheel.radius).sum();
    let share = force / (params.chassis.mass * G);
    findings.add(
        below(share, HELD, Warning),
        PARKING,
        "aids.parking-brake.torque",
        format!("{share:.2} of the weight in sum"),
        [
            format!("at least {HELD}, as the law requires for cars"),
            format!(
                "torque = {:.0}.0",
                aid.torque * 1.2 * HELD / share.max(1e-3)
            ),
        ],
    );
}

fn idle_abs(subject: &LintedCar<'_>, findings: &mut Findings) {
    let aids = &subject.car.spec().aids;
    let has_abs = aids.abs.is_some() || aids.valve_abs.is_some();
    if !has_abs || subject.brakes.is_empty() {
        return;
    }
    let share = of_weight(subject, |brake| brake.max_torque);
    findings.add(
        below(share, 0.9, Note),
        IDLE_ABS,
        "brakes.max_torque",
        format!("{share:.2} of the weight in sum, with an ABS"),
        [
            "above what dry tires hold: the ABS keeps wheels from locking".to_owned(),
            format!("{:.1} times the torques", 1.2 / share.max(1e-3)),
        ],
    );
}
