//! Separating clutch of a parallel hybrid.

use jounce::drive::{EngineParams, ParallelHybridParams};

use super::finding::{Findings, Rule, Severity, below};
use super::plausible::significant;
use super::subject::LintedCar;

use Severity::Warning;

const SECTION: &str =
    "not in the guide: L. Guzzella, A. Sciarretta, Vehicle Propulsion Systems, 2013, chapter 4";

/// Torque that cranks the engine over its friction. Warning below 1.2: it then starts late, or never.
const CRANKING: Rule = Rule::new("cranking-torque", SECTION);
/// Capacity of the clutch over the engine's greatest torque. Warning below 1: it slips.
const CLUTCH: Rule = Rule::new("separating-clutch", SECTION);

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    if let (Some(parallel), Some(engine)) = (&subject.parallel, &subject.engine) {
        cranking(parallel, engine, findings);
        clutch(parallel, engine, findings);
    }
}

fn cranking(parallel: &ParallelHybridParams, engine: &EngineParams, findings: &mut Findings) {
    let turning = engine.damping(0.0, 1.0) * engine.idle_speed;
    let friction = engine.static_friction.max(turning);
    let torque = parallel.cranking_torque;
    findings.add(
        below(torque, 1.2 * friction, Warning),
        CRANKING,
        "parallel.cranking_torque",
        format!("{torque} N·m, the engine's friction {friction:.1} N·m"),
        [
            "1.2 times the engine's friction or more".to_owned(),
            format!("cranking_torque = {}", significant(1.5 * friction)),
        ],
    );
}

fn clutch(parallel: &ParallelHybridParams, engine: &EngineParams, findings: &mut Findings) {
    let capacity = parallel.clutch.capacity.unwrap_or(f32::INFINITY);
    let most = engine.peak_torque;
    findings.add(
        below(capacity, most, Warning),
        CLUTCH,
        "parallel.clutch.capacity",
        format!("{capacity} N·m, the engine {most:.0} N·m"),
        [
            "more than the engine's greatest torque".to_owned(),
            format!("capacity = {}", significant(1.5 * most)),
        ],
    );
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::tests::preset_with;
    use super::super::{Severity, lint};

    #[rstest]
    #[case::cranking(
        "cranking-torque",
        "cranking_torque = 60.0",
        "cranking_torque = 45.0",
        1
    )]
    #[case::cranks(
        "cranking-torque",
        "cranking_torque = 60.0",
        "cranking_torque = 50.0",
        0
    )]
    #[case::slips("separating-clutch", "capacity = 260.0", "capacity = 140.0", 1)]
    #[case::holds("separating-clutch", "capacity = 260.0", "capacity = 150.0", 0)]
    fn parts_that_do_not_suit_each_other_are_named(
        #[case] rule: &str,
        #[case] from: &str,
        #[case] to: &str,
        #[case] count: usize,
    ) {
        let found = lint(&preset_with("hybrid-hatchback", from, to), 1.0 / 60.0).unwrap();
        let found = found.iter().filter(|finding| finding.rule == rule);
        let warnings = found.map(|finding| assert_eq!(finding.severity, Severity::Warning));
        assert_eq!(warnings.count(), count);
    }
}
