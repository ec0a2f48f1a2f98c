//! Bends.

use super::finding::{Findings, Rule, Severity, above, below, when};
use super::run::{FLAT_OUT, GENTLY, LintRun, NOTHING, spins};
use super::subject::{AnyCommand, G, LintedCar};
use crate::error::LabError;
use proving_ground::stage::Scene;

use Severity::{Error, Warning};

/// Change of heading to the right within 3 s, steered by 0.6 from 4 m/s on. Error below 0.02 rad, also to the left;
/// warning below 0.15 rad, or if the drive does not respond to steering.
const STEERS: Rule = Rule::new("steers", "Troubleshooting: The Vehicle Does Not Steer/Turn");
/// Time for which the rim of the fastest driven wheel exceeds that of the slowest by more than half, and by 1 m/s,
/// within 3 s from 4 m/s on, with 0.6 of throttle and steering. Warning above 1 s.
const SPIN_IN_BENDS: Rule = Rule::new(
    "spin-in-bends",
    "Troubleshooting: The Wheels Spin Too Much When Cornering",
);
/// Time until the curvature of the heading is 63 % of its value after 2 s, by a steering step for 0.2 g at up to 20 m/s
/// without throttle. Tracks have no steered wheels, and steps above 0.08 s detect no vehicle that turns too quickly.
/// Warning below 0.08 s or above 0.7 s.
const TURNS_IN: Rule = Rule::new(
    "turns-in",
    "Troubleshooting: The Vehicle Turns Too Quickly/Too Slowly",
);

/// Steers the vehicle, and reports wrong or bad responses.
///
/// # Errors
/// If the world loses the car.
pub(super) fn look(
    subject: &LintedCar<'_>,
    driven: &[usize],
    findings: &mut Findings,
) -> Result<(), LabError> {
    if subject.steers() {
        bend(subject, findings)?;
        powered_bend(subject, driven, findings)?;
        step_steer(subject, findings)?;
    } else {
        let found = "no wheel responds to the steering".to_owned();
        let proposal = "steering = { max_deg = 36.0 } of an axle".to_owned();
        steers(Some(Warning), [found, proposal], findings);
    }
    Ok(())
}

fn steers(severity: Option<Severity>, [found, proposal]: [String; 2], findings: &mut Findings) {
    findings.add(
        severity,
        STEERS,
        "steering",
        found,
        ["a bend to the right".to_owned(), proposal],
    );
}

/// Checks that a steered car turns to that side.
fn bend(subject: &LintedCar<'_>, findings: &mut Findings) -> Result<(), LabError> {
    let mut run = LintRun::rolling(subject, 4.0)?;
    let steered = AnyCommand {
        steer: 0.6,
        ..GENTLY
    };
    let mut right = 0.0;
    run.watch(3.0, steered, |run| right -= run.yaw_rate() * run.stage.dt)?;
    let found = format!(
        "{:.0}° to the right in 3 s, steered there by 0.6",
        right.to_degrees()
    );
    let most = subject.steering_angle(1.0, 0.0).to_degrees();
    // An angle of wheels in radians is at most a quarter of a turn.
    let proposal = if (0.1..=core::f32::consts::FRAC_PI_2).contains(&most) {
        format!(
            "steering.max_deg = {:.0}: it is in degrees",
            most.to_degrees()
        )
    } else {
        "greater steering angles, less inertia about z, more lateral stiffness and friction"
            .to_owned()
    };
    steers(
        below(right, 0.02, Error).or(below(right, 0.15, Warning)),
        [found, proposal],
        findings,
    );
    Ok(())
}

/// Checks that no wheel spins up against the other driven ones under throttle in a bend.
fn powered_bend(
    subject: &LintedCar<'_>,
    driven: &[usize],
    findings: &mut Findings,
) -> Result<(), LabError> {
    let asked = AnyCommand {
        throttle: 0.6,
        steer: 0.6,
        ..NOTHING
    };
    let mut run = LintRun::rolling(subject, 4.0)?;
    let spun = run.timed(3.0, asked, |run| {
        let [low, high] = run.rims(driven.iter().copied());
        spins(high, low)
    })?;
    findings.add(
        above(spun, 1.0, Warning),
        SPIN_IN_BENDS,
        "differential",
        format!("a wheel spins alone for {spun:.1} of 3 s in a bend, at 60 % throttle"),
        [
            "at most 1 s".to_owned(),
            "a differential of limited slip, with less bias; less torque".to_owned(),
        ],
    );
    Ok(())
}

/// Checks the response time to steering: a steering step while the car rolls, for 0.2 g if tires did not slip.
fn step_steer(subject: &LintedCar<'_>, findings: &mut Findings) -> Result<(), LabError> {
    let base = subject.wheelbase();
    let enough = (4.0 * (G * base).sqrt()).min(20.0);
    let mut run = LintRun::new(subject, Scene::LEVEL)?;
    run.go_while(30.0, FLAT_OUT, |run| run.speed() < enough)?;
    run.go(0.5, NOTHING)?;
    let speed = run.speed();
    let lock = subject.steering_angle(1.0, speed);
    // Other rules find vehicles that hardly move or steer; tracks do not steer by angles.
    if speed < 3.0 || lock < 0.01 {
        return Ok(());
    }
    let steered = AnyCommand {
        steer: (subject.fifth_of_g(speed) / lock).min(1.0),
        ..NOTHING
    };
    let mut bends = Vec::new();
    run.watch(2.0, steered, |run| bends.push(run.curvature()))?;
    let time = turned_in(&bends) as f32 * subject.dt;
    let of_box = subject.box_inertia().z;
    findings.add(
        when(!(0.08..=0.7).contains(&time), Warning),
        TURNS_IN,
        "chassis.inertia about z",
        format!("{time:.2} s until 63 % of its final yaw rate, after a steering step at {speed:.0} m/s"),
        [
            "0.08 to 0.7 s: below that it turns too quickly, above too slowly".to_owned(),
            format!("about {of_box:.0} kg·m², that of the body's box: more makes it slower; then the lateral stiffness of tires"),
        ],
    );
    Ok(())
}

/// Number of steps until a bend reaches 63 % of its mean in the last quarter.
fn turned_in(bends: &[f32]) -> usize {
    let last = bends.len().div_ceil(4);
    let settled = bends.iter().rev().take(last).sum::<f32>() / last as f32;
    let there = bends.iter().position(|bend| bend / settled > 0.63);
    there.unwrap_or(bends.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quantity that approaches its end as exp(−t/τ) falls is at 63 % after τ, on either side.
    #[test]
    fn a_bend_is_there_after_its_time_constant() {
        for side in [1.0, -1.0, 0.01] {
            for tau in [5.5, 12.5, 20.5] {
                let bend = |n: i32| side * (1.0 - (-f64::from(n) / tau).exp()) as f32;
                let bends: Vec<f32> = (0..200).map(bend).collect();
                assert_eq!(turned_in(&bends), tau.round() as usize, "{side} {tau}");
            }
        }
        assert_eq!(turned_in(&[1.0, 1.0, -5.0, 2.0]), 4 - 1);
        assert_eq!(turned_in(&[0.0; 8]), 8, "nothing turns");
        // Of seven, the last two count.
        assert_eq!(turned_in(&[0.62, 0.64, 9.0, 9.0, 9.0, 1.5, 0.5]), 1);
    }
}
