//! Parts of a vehicle that wheels that are bodies leave out.

use std::collections::BTreeMap;

use jounce::core::Fault;
use jounce::file::{WheelKind, Wheels};
use jounce::jointed::left_out;

use super::finding::{Findings, Rule, Severity};
use super::subject::LintedCar;

/// Parts of the file that `wheels = "rigid"`, or a rigid rung of a ladder, ignores: toe, camber, links, unsprung
/// masses, curves of springs and dampers, a steering wheel. Note.
const RIGID_WHEELS: Rule = Rule::new("rigid-wheels", "not in the guide: wheels that are bodies");

/// Values that the file gives and that its wheels, always or on the nearest rung, do not heed; one finding for all
/// wheels with the same.
pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    let rungs = subject.car.ladder.iter().flat_map(|ladder| &ladder.rungs);
    let on_rung = rungs.into_iter().any(|rung| rung.wheels == Wheels::Rigid);
    if subject.car.wheels != WheelKind::Jointed && !on_rung {
        return;
    }
    if subject.car.wheels == WheelKind::Jointed {
        findings.add(
            Severity::Note,
            RIGID_WHEELS,
            "wheels",
            "rigid".to_owned(),
            [
                "what lint finds by driving is of the same car on probes".to_owned(),
                "a drive of its own, as in the example rigid_wheels".to_owned(),
            ],
        );
    }
    let mut all: BTreeMap<String, Vec<Fault>> = BTreeMap::new();
    for fault in left_out(&subject.car.model()) {
        let name = fault
            .path
            .split_once("].")
            .map_or(&*fault.path, |(_, name)| name);
        all.entry(name.to_owned()).or_default().push(fault);
    }
    for (name, faults) in all {
        let first = &faults[0];
        findings.add(
            Severity::Note,
            RIGID_WHEELS,
            &name,
            format!("{}, on {} wheel(s)", first.value, faults.len()),
            [
                first.rule.clone(),
                "none, or wheels that probe the ground".to_owned(),
            ],
        );
    }
}
