//! The speed map of a variator, and the hand-over between two clutches.

use jounce::drive::{DualClutchParams, EngineParams, GearboxParams, VariatorParams};

use super::finding::{Findings, Rule, Severity, above, when};
use super::plausible::significant;
use super::subject::LintedCar;

/// Speeds that a variator gives the engine. Warning outside its idle and its maximum speed.
const SPEED_MAP: Rule = Rule::new(
    "speed-map",
    "not in the guide: Bosch Automotive Handbook, continuously variable transmissions",
);

/// Hand-over of a double clutch against the time of a change of gears. Warning above half of it, which is the most that it takes.
const HANDOVER: Rule = Rule::new(
    "handover",
    "not in the guide: a change of gears also matches the engine's speed",
);

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    if let (Some(variator), Some(engine)) = (&subject.variator, &subject.engine) {
        speed_map(variator, engine, findings);
    }
    if let (Some(dual), Some(gearbox)) = (&subject.dual_clutch, &subject.gearbox) {
        handover(dual, gearbox, findings);
    }
}

/// The engine needs the rest of a change to come to its speed.
fn handover(dual: &DualClutchParams, gearbox: &GearboxParams, findings: &mut Findings) {
    let (time, switch) = (dual.handover, gearbox.switch_time);
    findings.add(
        above(time, 0.5 * switch, Severity::Warning),
        HANDOVER,
        "dual_clutch.handover",
        format!("{time} s, a change of gears takes {switch} s"),
        [
            "at most half of the switch time, which is the most that it takes".to_owned(),
            format!("handover = {}", significant(0.4 * switch)),
        ],
    );
}

fn speed_map(variator: &VariatorParams, engine: &EngineParams, findings: &mut Findings) {
    let (idle, most) = (engine.idle_speed, engine.max_speed);
    for (n, row) in variator.speed_map.iter().enumerate() {
        for [_, speed] in &row.by_speed.0 {
            findings.add(
                when(!(idle..most).contains(speed), Severity::Warning),
                SPEED_MAP,
                &format!("variator.speed_map, row {}", n + 1),
                format!("{speed} rad/s"),
                [
                    format!("above idle_speed, {idle} rad/s, and below max_speed, {most} rad/s"),
                    format!("at most {:.0}", 0.95 * most),
                ],
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::lint;
    use super::super::tests::preset_with;

    #[rstest]
    #[case::as_shipped("handover = 0.15", 0)]
    #[case::too_long("handover = 0.2", 1)]
    fn a_long_handover_is_named(#[case] handover: &str, #[case] count: usize) {
        let car = preset_with("hatchback-dct", "handover = 0.15", handover);
        let found = lint(&car, 1.0 / 60.0).unwrap();
        let named = found.iter().filter(|finding| finding.rule == "handover");
        assert_eq!(named.count(), count);
    }

    #[rstest]
    #[case::as_shipped("[28.0, 628.0]", 0)]
    #[case::too_fast("[28.0, 690.0]", 1)]
    #[case::too_slow("[28.0, 70.0]", 1)]
    fn speeds_beyond_the_engine_are_named(#[case] point: &str, #[case] count: usize) {
        let car = preset_with("city-car-cvt", "[28.0, 628.0]", point);
        let found = lint(&car, 1.0 / 60.0).unwrap();
        let named = found.iter().filter(|finding| finding.rule == "speed-map");
        assert_eq!(named.count(), count);
    }
}
