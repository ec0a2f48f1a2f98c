//! Cars whose rear comes round: by their understeer gradient, and where the driver lifts off in a bend.

use jounce::core::Gear;

use super::finding::{Findings, Rule, Severity, when};
use super::ramp::TighteningBend;
use super::run::{FLAT_OUT, LintRun, NOTHING};
use super::subject::{AnyCommand, G, LintedCar};
use crate::error::LabError;
use proving_ground::stage::Scene;

use Severity::Warning;

/// Understeer gradient in a bend that tightens slowly (ISO 4138), beside the curvature of the path at a walk; sideslip
/// within 3 s after the driver lifts off in a bend at 4 m/s² (ISO 9816). Warning if the vehicle is unstable at a speed
/// that it reaches; warning if the sideslip exceeds 20°.
const OVERSTEERS: Rule = Rule::new(
    "oversteers",
    "Gillespie, Fundamentals of Vehicle Dynamics (1992), chapter 6; ISO 4138, ISO 9816",
);
/// Angle between heading and path beyond which a car spins (`rad`): 20°.
const SPUN: f32 = 0.35;
/// Lateral acceleration of the bend in which the driver lifts off (`m/s²`; ISO 9816), or as part of the greatest, if less.
const BEND: (f32, f32) = (4.0, 0.6);

/// Reports a car that oversteers.
///
/// # Errors
/// If the world loses the car.
pub(super) fn look(
    subject: &LintedCar<'_>,
    bend: &TighteningBend,
    findings: &mut Findings,
) -> Result<(), LabError> {
    // Near the speed above which it is unstable, a car responds too late to be measured.
    let slow = TighteningBend::drive(subject, 0.6 * bend.speed)?;
    let gradient = slow.and_then(|slow| slow.understeer());
    let gradient = gradient.filter(|gradient| *gradient < 0.0);
    if let Some(gradient) = gradient {
        unstable(subject, gradient, findings);
    }
    lift_off(subject, bend, gradient, findings)
}

/// The speed above which a car of this gradient (`rad` per g, below 0) is unstable is one that it does not reach.
fn unstable(subject: &LintedCar<'_>, gradient: f32, findings: &mut Findings) {
    let critical = (subject.wheelbase() * G / -gradient).sqrt();
    findings.add(
        when(
            subject.top_speed().is_none_or(|top| critical < top),
            Warning,
        ),
        OVERSTEERS,
        "axles",
        format!(
            "understeer gradient {:.2} °/g: unstable above {:.0} km/h",
            gradient.to_degrees(),
            3.6 * critical
        ),
        [
            "0 °/g or more; cars have 1 to 4".to_owned(),
            balance_proposal(subject, gradient),
        ],
    );
}

/// Change that makes a car of this gradient (`rad` per g) understeer.
fn balance_proposal(subject: &LintedCar<'_>, gradient: f32) -> String {
    /// Understeer to be had (`rad` per g): 0.5°.
    const WANTED: f32 = 0.0087;
    let [front, rear] = subject.of_ends(|tire| tire.cornering_stiffness());
    let of_tires = 1.0 / front - 1.0 / rear;
    // What is not of the tires stays.
    let other = (gradient - of_tires).min(0.0);
    let stiffer = 1.0 / (rear * (1.0 / front - WANTED + other));
    if of_tires < 0.5 * gradient && stiffer > 1.0 {
        format!(
            "rear tires with {stiffer:.2} times the cornering stiffness, or front tires with 1/{stiffer:.2} of it"
        )
    } else {
        "rear wheels that do not turn out of the bend: compliance without roll_steer, by_lateral_force and toe_deg"
            .to_owned()
    }
}

/// Checks that the car keeps its line in a bend when the driver lifts off.
fn lift_off(
    subject: &LintedCar<'_>,
    bend: &TighteningBend,
    gradient: Option<f32>,
    findings: &mut Findings,
) -> Result<(), LabError> {
    let Some(slip) = LiftOff::InGear
        .slip(subject, bend)?
        .filter(|slip| *slip > SPUN)
    else {
        return Ok(());
    };
    let braked = LiftOff::Neutral
        .slip(subject, bend)?
        .is_none_or(|slip| slip < SPUN);
    let [front, rear] = subject.of_ends(|tire| tire.peak_friction() * tire.load);
    let proposal = match gradient {
        _ if braked => {
            "a quarter of damping_zero_throttle_engaged: the engine brakes the rear wheels"
                .to_owned()
        }
        Some(gradient) => balance_proposal(subject, gradient),
        None if rear < 0.95 * front => {
            format!("rear tires with {:.2} times the friction", front / rear)
        }
        None => "a softer anti_roll bar behind and a stiffer one in front".to_owned(),
    };
    findings.add(
        Warning,
        OVERSTEERS,
        "throttle",
        format!(
            "its heading leaves its path by {:.0}° within 3 s after the driver lifts off in a bend at {:.0} km/h",
            slip.to_degrees(),
            3.6 * bend.speed
        ),
        [format!("at most {:.0}°", SPUN.to_degrees()), proposal],
    );
    Ok(())
}

/// Gear in which the driver leaves the throttle.
#[derive(Clone, Copy, PartialEq)]
enum LiftOff {
    InGear,
    /// Out of gear: no engine brakes.
    Neutral,
}

impl LiftOff {
    /// The greatest angle between heading and path (`rad`) in the 3 s after it, at a held steering. `None` if the car does not
    /// hold the bend before.
    fn slip(self, subject: &LintedCar<'_>, bend: &TighteningBend) -> Result<Option<f32>, LabError> {
        let acceleration = BEND.0.min(BEND.1 * bend.greatest());
        let steer = -bend.steer_at(acceleration);
        let mut run = LintRun::new(subject, Scene::LEVEL)?;
        run.go_while(30.0, FLAT_OUT, |run| run.speed() < bend.speed)?;
        run.hold(3.0, bend.speed, steer)?;
        if run.speed() < 0.5 * bend.speed || run.sideslip()? > SPUN {
            return Ok(None);
        }
        let in_neutral = self == Self::Neutral;
        if in_neutral {
            run.stage
                .vehicle
                .state_mut()
                .drive
                .force_gear(Gear::NEUTRAL);
        }
        let lifted = AnyCommand {
            steer,
            in_neutral,
            ..NOTHING
        };
        let (mut time, mut slip) = (0.0, 0.0_f32);
        while time < 3.0 && run.speed() > 3.0 {
            run.step(lifted)?;
            time += subject.dt;
            slip = slip.max(run.sideslip()?);
        }
        Ok(Some(slip))
    }
}

impl LintRun<'_> {
    /// Holds a speed (`m/s`) by the throttle, with this steering.
    fn hold(&mut self, seconds: f32, speed: f32, steer: f32) -> Result<(), LabError> {
        let (mut time, mut sum) = (0.0, 0.0);
        while time < seconds {
            let lacking = speed - self.speed();
            sum = (sum + 0.3 * lacking * self.stage.dt).clamp(0.0, 1.0);
            self.step(AnyCommand {
                throttle: (0.5 * lacking + sum).clamp(0.0, 1.0),
                steer,
                ..NOTHING
            })?;
            time += self.stage.dt;
        }
        Ok(())
    }
}
