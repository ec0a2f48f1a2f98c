//! Slip limiters of differentials, a retarder, and the travel of a clutch pedal.

use jounce::drive::{ClutchPedalParams, Differential, RetarderParams, SlipLimiter};

use super::finding::{Findings, Rule, Severity, above, below};
use super::plausible::significant;
use super::subject::{G, LintedCar};

/// Preload of a slip limiter over the torque with which a wheel of its axle slips on friction 1. Warning above 1: without throttle
/// the wheels then turn together in every bend.
const PRELOAD: Rule = Rule::new(
    "preload",
    "not in the guide: W. Milliken, D. Milliken, Race Car Vehicle Dynamics, ch. 20",
);

/// Torque bias ratio of a Torsen differential. Warning above 6: gears reach about 5.
const TORQUE_BIAS: Rule = Rule::new(
    "torque-bias",
    "not in the guide: Torsen differentials have ratios of 1.5 to 5",
);

/// Force of the retarder over the load of the wheels that it brakes. Warning above 0.4: they lock on a wet road.
const RETARDER: Rule = Rule::new(
    "retarder",
    "not in the guide: UN Regulation 13, endurance braking systems",
);

/// Travel of the clutch pedal between bite point and closed point. Warning below 0.05: no foot finds the points between.
const PEDAL: Rule = Rule::new(
    "clutch-pedal",
    "not in the guide: the driver's foot works the clutch within this travel",
);

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    if let Some(Differential::LimitedSlip(law)) = &subject.differential {
        let all: Vec<usize> = law
            .axles
            .iter()
            .flat_map(|axle| axle.wheels.clone())
            .collect();
        let center = law.slip_limiter.iter().map(|limiter| (limiter, &all));
        let axles = law.axles.iter();
        let axles = axles.filter_map(|axle| Some((axle.slip_limiter.as_ref()?, &axle.wheels)));
        for (limiter, wheels) in center.chain(axles) {
            slip_limiter(limiter, wheels, subject, findings);
        }
    }
    if let Some(found) = &subject.retarder {
        retarder(found, subject, findings);
    }
    if let Some(found) = &subject.clutch_pedal {
        pedal(found, findings);
    }
}

/// Greatest torque of a wheel's tire on friction 1 (`N·m`).
fn grip(wheel: usize, subject: &LintedCar<'_>) -> f32 {
    let wheel = &subject.params.wheels[wheel];
    wheel.suspension.sprung_mass * G * wheel.radius
}

fn slip_limiter(
    limiter: &SlipLimiter,
    wheels: &[usize],
    subject: &LintedCar<'_>,
    findings: &mut Findings,
) {
    match *limiter {
        SlipLimiter::Plates { preload, .. } => {
            let grips = wheels.iter().map(|wheel| grip(*wheel, subject));
            let most = grips.fold(f32::INFINITY, f32::min);
            findings.add(
                above(preload, most, Severity::Warning),
                PRELOAD,
                "differential, slip_limiter.plates.preload",
                format!("{preload} N·m"),
                [
                    format!("below {most:.0} N·m, with which a wheel slips"),
                    format!("preload = {}", significant(0.1 * most)),
                ],
            );
        }
        SlipLimiter::Torsen { power, coast } => {
            let most = power.max(coast);
            findings.add(
                above(most, 6.0, Severity::Warning),
                TORQUE_BIAS,
                "differential, slip_limiter.torsen",
                format!("a torque bias ratio of {most}"),
                ["1.5 to 5".to_owned(), "power = 2.5".to_owned()],
            );
        }
        SlipLimiter::Viscous { .. } => {}
    }
}

fn retarder(found: &RetarderParams, subject: &LintedCar<'_>, findings: &mut Findings) {
    let Some(gearbox) = &subject.gearbox else {
        return;
    };
    let torques = found.torque_curve.0.iter().map(|[_, torque]| *torque);
    let torque = torques.fold(0.0, f32::max) * gearbox.final_ratio;
    let grips = subject.driven_wheels().into_iter();
    let most: f32 = grips.map(|wheel| grip(wheel, subject)).sum();
    let part = torque / most;
    findings.add(
        above(part, 0.4, Severity::Warning),
        RETARDER,
        "retarder.torque_curve",
        format!("brakes the driven wheels with {part:.2} of their load"),
        [
            "at most 0.4".to_owned(),
            format!(
                "torques up to {}",
                significant(0.3 * most / gearbox.final_ratio)
            ),
        ],
    );
}

fn pedal(found: &ClutchPedalParams, findings: &mut Findings) {
    let travel = found.bite_point - found.closed_point;
    findings.add(
        below(travel, 0.05, Severity::Warning),
        PEDAL,
        "clutch.pedal",
        format!("closes within {travel:.3} of its travel"),
        [
            "at least 0.05, usually 0.2 to 0.4".to_owned(),
            format!("closed_point = {}", significant(0.5 * found.bite_point)),
        ],
    );
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::inspect;
    use super::super::tests::preset_with;

    #[rstest]
    #[case::preload("sports-car-manual", "preload = 14.0", "preload = 9000.0", "preload")]
    #[case::torsen(
        "sports-car-manual",
        "{ plates = { preload = 14.0, power = 0.22, coast = 0.27 } }",
        "{ torsen = { power = 9.0, coast = 2.0 } }",
        "torque-bias"
    )]
    #[case::pedal(
        "sports-car-manual",
        "closed_point = 0.25",
        "closed_point = 0.58",
        "clutch-pedal"
    )]
    #[case::retarder(
        "eighteen-wheeler-retarder",
        "[120.0, 3000.0]",
        "[120.0, 30000.0]",
        "retarder"
    )]
    fn a_fault_is_named(
        #[case] name: &str,
        #[case] from: &str,
        #[case] to: &str,
        #[case] rule: &str,
    ) {
        for (to, expected) in [(from, 0), (to, 1)] {
            let found = inspect(&preset_with(name, from, to), 1.0 / 60.0);
            let named = found.iter().filter(|finding| finding.rule == rule);
            assert_eq!(named.count(), expected, "{to}");
        }
    }
}
