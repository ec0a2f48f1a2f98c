//! The run as one JSON object.

use serde_json::{Value, json};

use vehicle_conformance::agreement::CARS;
use vehicle_conformance::finding::{Finding, Verdict};
use vehicle_conformance::suite::{CaseRow, Results};

/// The results of a run: every case with every backend's finding, and the end of every course.
pub(crate) fn json(results: &Results) -> Value {
    let cases = results.rows.iter().map(|row| case(results, row));
    let unknown = results.unknown.iter();
    let unknown = unknown.map(|(backend, name)| json!({ "backend": backend, "case": name }));
    json!({
        "good": results.is_good(),
        "backends": results.backends,
        "cases": cases.collect::<Vec<_>>(),
        "unknown_expected_failures": unknown.collect::<Vec<_>>(),
        "drives": drives(results),
    })
}

fn case(results: &Results, row: &CaseRow) -> Value {
    let named = results.backends.iter().zip(&row.findings);
    let findings = named.map(|(backend, finding)| (String::from(*backend), value(finding)));
    json!({
        "tier": row.case.tier.letter().to_string(),
        "name": row.case.name,
        "measures": row.case.measures,
        "at_most": row.case.bound,
        "findings": Value::Object(findings.collect()),
    })
}

/// A number that JSON cannot represent is `null`.
fn value(finding: &Finding) -> Value {
    let (value, note) = match &finding.result {
        Ok(measure) => (Some(measure.value), measure.note.clone()),
        Err(failure) => (None, failure.to_string()),
    };
    let (verdict, reason) = match finding.verdict {
        Verdict::Pass => ("pass", None),
        Verdict::Expected(reason) => ("expected", Some(reason)),
        Verdict::Fail => ("fail", None),
        Verdict::Surprise => ("passes unexpectedly", None),
    };
    json!({ "verdict": verdict, "value": value, "note": note, "reason": reason })
}

/// Length, speed and heading of every drive.
fn drives(results: &Results) -> Vec<Value> {
    let mut drives = Vec::new();
    for (course, driven) in &results.drives {
        for (backend, traces) in results.backends.iter().zip(driven) {
            for (car, trace) in CARS.iter().zip(traces.iter().flatten()) {
                drives.push(json!({
                    "course": course.name,
                    "car": car,
                    "backend": backend,
                    "length_m": trace.length(),
                    "speed_m_s": trace.speed,
                    "heading_deg": trace.heading.to_degrees(),
                    "end_m": trace.places.last().map(|p| p.to_array()),
                }));
            }
        }
    }
    drives
}

#[cfg(test)]
mod tests {
    use super::*;
    use proving_ground::world::WorldKind;
    use vehicle_conformance::suite::run;

    #[test]
    fn every_case_is_told_of() {
        let mut results = run(&[&WorldKind::Standalone]);
        assert_eq!(json(&results)["good"], true);
        results.unknown.push(("standalone", "no such case"));
        let value = json(&results);
        assert_eq!(value["good"], false);
        assert_eq!(value["cases"].as_array().unwrap().len(), results.rows.len());
    }
}
