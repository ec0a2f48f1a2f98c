//! Engine, generator and operating line of a power split.

use jounce::drive::{EngineParams, MotorParams, PowerSplitParams};

use super::finding::{Findings, Rule, Severity, above, below};
use super::plausible::significant;
use super::subject::LintedCar;

use Severity::Warning;

const SECTION: &str =
    "not in the guide: J. Liu, H. Peng, Control of a Power-Split Hybrid Vehicle, 2008";

/// Power of the operating line over what the engine has at its speed. Warning above 1.02.
const OPERATING_LINE: Rule = Rule::new("operating-line", SECTION);
/// Torque of the generator over that of the engine on the sun. Warning below 1: the engine then gives less than it could.
const GENERATOR: Rule = Rule::new("generator-torque", SECTION);

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    if let (Some(split), Some(engine)) = (&subject.power_split, &subject.engine) {
        operating_line(split, engine, findings);
        let mut motors = subject.motors.iter();
        if let Some(generator) = motors.find(|motor| motor.wheels.is_empty()) {
            torque(split, engine, generator, findings);
        }
    }
}

/// Torque of an engine at full throttle, damping included (`N·m`).
fn full_torque(engine: &EngineParams, speed: f32) -> f32 {
    engine.torque(1.0, speed) - engine.damping(1.0, 1.0) * speed
}

fn operating_line(split: &PowerSplitParams, engine: &EngineParams, findings: &mut Findings) {
    for (n, [power, speed]) in split.operating_line.0.iter().enumerate() {
        let most = full_torque(engine, *speed) * speed;
        findings.add(
            above(power / most.max(1.0), 1.02, Warning),
            OPERATING_LINE,
            &format!("power_split.operating_line, point {}", n + 1),
            format!("{power} W at {speed} rad/s, where the engine has {most:.0} W"),
            [
                "at most what the engine has at that speed".to_owned(),
                format!("[{}, {speed}]", significant(0.9 * most)),
            ],
        );
    }
}

fn torque(
    split: &PowerSplitParams,
    engine: &EngineParams,
    generator: &MotorParams,
    findings: &mut Findings,
) {
    let line = split.operating_line.0.iter();
    let most = line.map(|[_, speed]| full_torque(engine, *speed));
    let on_sun = most.fold(0.0, f32::max) / ((1.0 + split.planetary) * generator.ratio);
    findings.add(
        below(generator.peak_torque, on_sun, Warning),
        GENERATOR,
        "motors, the generator's peak_torque",
        format!(
            "{} N·m, the engine on the sun {on_sun:.1} N·m",
            generator.peak_torque
        ),
        [
            "more than the engine's torque over 1 + planetary".to_owned(),
            format!("peak_torque = {}", significant(1.2 * on_sun)),
        ],
    );
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::tests::preset_with;
    use super::super::{Severity, lint};

    #[rstest]
    #[case::line("operating-line", "[73000.0, 545.0]", "[83000.0, 545.0]", 1)]
    #[case::most("operating-line", "[73000.0, 545.0]", "[74000.0, 545.0]", 0)]
    #[case::generator("generator-torque", "peak_torque = 50.0", "peak_torque = 35.0", 1)]
    #[case::least("generator-torque", "peak_torque = 50.0", "peak_torque = 40.0", 0)]
    fn parts_that_do_not_suit_each_other_are_named(
        #[case] rule: &str,
        #[case] from: &str,
        #[case] to: &str,
        #[case] count: usize,
    ) {
        let found = lint(&preset_with("hybrid-saloon", from, to), 1.0 / 60.0).unwrap();
        let found = found.iter().filter(|finding| finding.rule == rule);
        let warnings = found.map(|finding| assert_eq!(finding.severity, Severity::Warning));
        assert_eq!(warnings.count(), count);
    }
}
