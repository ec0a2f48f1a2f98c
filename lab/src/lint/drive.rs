//! Engine, gears and brakes, as far as the drive's model has them.

use jounce::drive::{AutoboxParams, EngineParams, GearboxParams};

use super::finding::{Findings, Rule, Severity, graded, when};
use super::subject::{G, Subject};

use Severity::{Error, Note, Warning};

const ENGINE: &str = "Tuning Guide, PxVehicleEngineData";
const GEARS: &str = "Tuning Guide, PxVehicleGearsData";
const AUTOBOX: &str =
    "Tuning Guide, PxVehicleAutoBoxData; Troubleshooting: The Vehicle Never Goes Beyond First Gear";
const BRAKES: &str = "Tuning Guide, PxVehicleWheelData: mMaxBrakeTorque, mMaxHandBrakeTorque";

pub(super) fn look(subject: &Subject<'_>, findings: &mut Findings) {
    if let Some(engine) = &subject.engine {
        self::engine(engine, findings);
    }
    if let Some(gearbox) = &subject.gearbox {
        ratios(gearbox, findings);
        if let Some(autobox) = &subject.autobox {
            latency(autobox, gearbox, findings);
            hunting(autobox, gearbox, findings);
        }
    }
    brakes(subject, findings);
}

fn engine(engine: &EngineParams, findings: &mut Findings) {
    let rule = Rule {
        name: "engine-damping",
        section: ENGINE,
    };
    for (name, rate) in [
        ("damping_full_throttle", engine.damping_full_throttle),
        (
            "damping_zero_throttle_engaged",
            engine.damping_zero_throttle_engaged,
        ),
        (
            "damping_zero_throttle_disengaged",
            engine.damping_zero_throttle_disengaged,
        ),
    ] {
        let damped = rate * engine.max_speed / engine.peak_torque;
        let severity = if rate == 0.0 {
            Some(Warning)
        } else {
            when(damped > 4.0, Warning)
        };
        findings.add(
            severity,
            rule,
            &format!("engine.{name}"),
            format!(
                "{rate} N·m·s/rad, {:.0} % of the peak torque at full speed",
                100.0 * damped
            ),
            [
                "0.05 to 2 N·m·s/rad for a car, never 0: else the engine never slows down"
                    .to_owned(),
                format!("{:.2}", 0.1 * engine.peak_torque / engine.max_speed),
            ],
        );
    }
    let rule = Rule {
        name: "torque-curve",
        section: ENGINE,
    };
    let values = engine.torque_curve.0.iter().map(|point| point[1]);
    let most = values.clone().fold(0.0, f32::max);
    findings.add(
        when(most <= 0.0, Error).or(when(!(0.9..=1.1).contains(&most), Note)),
        rule,
        "engine.torque_curve",
        format!("its highest point is {most}"),
        [
            "1, where the engine has its peak torque".to_owned(),
            "values of 0 to 1, the highest 1".to_owned(),
        ],
    );
}

fn ratios(gearbox: &GearboxParams, findings: &mut Findings) {
    let rule = Rule {
        name: "gear-steps",
        section: GEARS,
    };
    for (n, pair) in gearbox.forward.windows(2).enumerate() {
        let step = pair[0] / pair[1];
        findings.add(
            graded(step, ([1.05, 2.2], Note), ([1.0, 4.0], Warning)),
            rule,
            &format!("gearbox.forward, gear {} to {}", n + 1, n + 2),
            format!("{} over {} = {step:.2}", pair[0], pair[1]),
            [
                "each ratio below the one before, by a step of 1.1 to 2".to_owned(),
                format!("{:.2}", pair[0] / 1.5),
            ],
        );
    }
}

/// A gear that is just in must not be taken out at once.
fn latency(autobox: &AutoboxParams, gearbox: &GearboxParams, findings: &mut Findings) {
    let rule = Rule {
        name: "autobox-latency",
        section: AUTOBOX,
    };
    let (latency, switch) = (autobox.latency, gearbox.switch_time);
    findings.add(
        when(latency <= switch, Error).or(when(latency < 1.5 * switch, Warning)),
        rule,
        "autobox.latency",
        format!("{latency} s, a change of gears takes {switch} s"),
        [
            "well above the switch time: else the box changes back at once".to_owned(),
            format!("latency = {:.1}", 2.0 * switch),
        ],
    );
}

/// After a change up, the engine must be fast enough for its new gear.
fn hunting(autobox: &AutoboxParams, gearbox: &GearboxParams, findings: &mut Findings) {
    let rule = Rule {
        name: "autobox-hunting",
        section: AUTOBOX,
    };
    let gears = gearbox.forward.windows(2).enumerate();
    for (n, pair) in gears {
        let (Some(up), Some(down)) = (autobox.up.get(n), autobox.down.get(n + 1)) else {
            continue;
        };
        let after = up * pair[1] / pair[0];
        findings.add(
            when(after <= *down, Warning),
            rule,
            &format!("autobox.down, gear {}", n + 2),
            format!(
                "changes down below {down} of the greatest speed; the change up leaves {after:.2}"
            ),
            [
                "below what the change up leaves: else the box goes to and fro".to_owned(),
                format!("down = {:.2}", 0.85 * after),
            ],
        );
    }
}

fn brakes(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.brakes.is_empty() {
        return;
    }
    let weight = subject.params.chassis.mass * G;
    let force = |torque: fn(&jounce::drive::BrakeParams) -> f32| -> f32 {
        let pairs = subject.brakes.iter().zip(&subject.params.wheels);
        pairs
            .map(|(brake, wheel)| torque(brake) / wheel.radius)
            .sum()
    };
    let rule = Rule {
        name: "brakes",
        section: BRAKES,
    };
    let service = force(|brake| brake.max_torque) / weight;
    findings.add(
        when(service <= 0.0, Error).or(when(service < 0.5, Warning)),
        rule,
        "brakes.max_torque",
        format!("{service:.2} of the weight in sum"),
        [
            "at least 0.5, as the law has it for cars; about 1 locks the wheels".to_owned(),
            format!("{:.1} times the torques", 0.8 / service.max(1e-3)),
        ],
    );
    let rule = Rule {
        name: "handbrake",
        section: BRAKES,
    };
    let hand = force(|brake| brake.max_handbrake_torque) / weight;
    findings.add(
        when(hand < 0.2, Warning),
        rule,
        "brakes.max_handbrake_torque",
        format!("{hand:.2} of the weight in sum"),
        [
            "at least 0.2, what holds on a slope of 20 %".to_owned(),
            format!("{:.1} times the torques", 0.3 / hand.max(1e-3)),
        ],
    );
    for (brake, wheel) in subject.brakes.iter().zip(&subject.params.wheels) {
        let [foot, hand] = [brake.max_torque, brake.max_handbrake_torque];
        findings.add(
            when(hand > 0.0 && hand < foot, Note),
            rule,
            &wheel.name,
            format!("handbrake {hand} N·m, brake {foot} N·m"),
            [
                "a handbrake 1 to 2 times as strong as the brake".to_owned(),
                format!("max_handbrake_torque = {:.0}", 1.5 * foot),
            ],
        );
    }
}
