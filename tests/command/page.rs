//! The report page: plots of the differences between worlds, and all tables.

use glam::DVec2;
use jounce_lab::report::{
    Chart, ChartCurve, Pin, Plan, ReportTable, Scale, Sheet, Window, abreast, heading, note,
};

use vehicle_conformance::agreement::{CARS, Course, Trace, Traces};
use vehicle_conformance::report::{TIERS, complaints, expected, summary, table};
use vehicle_conformance::suite::Results;

/// Line widths of the first backend, the second and so on (`px`).
const WIDTHS: [f64; 4] = [7.0, 4.0, 1.6, 0.8];
/// Steps per second of the drives (`Hz`).
const RATE: f64 = 60.0;

/// The page of a run.
pub(crate) fn page(results: &Results) -> Sheet {
    let mut sections = Vec::new();
    let bad = complaints(results);
    if !bad.is_empty() {
        sections.push(heading("Not as it should be"));
        sections.extend(bad.iter().map(|text| note(text)));
    }
    if !results.drives.is_empty() {
        sections.push(heading("The same drives in every world"));
        sections.push(note(
            "Left: the paths of the center of mass, seen from above; wider lines lie under thinner \
             ones, so that lines that agree show as one with borders. Right: how far a car is from \
             where it is in the first world at the same time, on a logarithmic scale.",
        ));
    }
    for (course, driven) in &results.drives {
        sections.push(abreast(&[
            plan(results, course, driven),
            parting(results, course, driven),
        ]));
    }
    for (tier, title) in TIERS {
        sections.push(heading(title));
        let mut lines = table(results, tier).into_iter();
        let table = ReportTable {
            head: lines.next().unwrap_or_default(),
            rows: lines.collect(),
        };
        sections.push(table.html());
    }
    sections.push(heading("Expected failures"));
    sections.extend(expected(results).iter().map(|text| note(text)));
    Sheet {
        brand: "jounce conformance".to_owned(),
        title: if results.is_good() {
            "Worlds that can be exchanged".to_owned()
        } else {
            "Worlds that cannot be exchanged".to_owned()
        },
        what: summary(results).replace('\n', ". ") + ".",
        facts: vec![
            ("worlds", results.backends.join(", ")),
            ("cases", results.rows.len().to_string()),
            ("drives", format!("10 s at 60 Hz, {}", CARS.join(" and "))),
        ],
        sections,
    }
}

/// Traces of all backends: number of the backend, number of the car, and the trace.
fn traces(driven: &[Traces]) -> impl Iterator<Item = (usize, usize, &Trace)> {
    let backends = driven.iter().enumerate();
    backends.flat_map(|(backend, driven)| {
        let cars = driven.iter().flatten().enumerate();
        cars.map(move |(car, trace)| (backend, car, trace))
    })
}

/// All paths of a course in one picture.
fn plan(results: &Results, course: &Course, driven: &[Traces]) -> String {
    let curve = |(backend, car, trace): (usize, usize, &Trace)| ChartCurve {
        width: WIDTHS[backend.min(WIDTHS.len() - 1)],
        // Once per backend is enough; the ends say which car is which.
        ..ChartCurve::new(
            if car == 0 {
                results.backends[backend]
            } else {
                ""
            },
            color(backend),
            trace.places.iter().map(|place| place.truncate()).collect(),
        )
    };
    let curves: Vec<ChartCurve> = traces(driven).map(curve).collect();
    let points = curves.iter().flat_map(|curve| curve.points.iter().copied());
    let around = Window::around(points.clone()).unwrap_or(Window {
        low: DVec2::ZERO,
        size: DVec2::ONE,
    });
    // Straight paths need some width, bends not too much height, and all some margin.
    let high = around.size.y.max(0.25 * around.size.x).max(0.5);
    let size = DVec2::new(around.size.x.max(1.6 * high), high) * 1.15;
    let ends = curves.iter().enumerate().filter_map(|(n, curve)| {
        let at = *curve.points.last()?;
        // The first world's cars are named where they end.
        let text = if n < CARS.len() { CARS[n] } else { "" };
        Some(Pin {
            at,
            color: curve.color,
            text: text.to_owned(),
        })
    });
    Plan {
        title: course.name.to_owned(),
        how: String::new(),
        window: around.resized(size),
        shapes: Vec::new(),
        pins: ends.collect(),
        curves,
    }
    .html()
}

/// Distance of the cars from those of the first world, over time.
fn parting(results: &Results, course: &Course, driven: &[Traces]) -> String {
    let first = driven.first().and_then(|driven| driven.as_ref().ok());
    let curve = |(backend, car, trace): (usize, usize, &Trace)| {
        let judge = first?.get(car)?;
        let pairs = judge.places.iter().zip(&trace.places).enumerate();
        let point = |(n, (a, b)): (usize, (&glam::DVec3, &glam::DVec3))| {
            DVec2::new((n + 1) as f64 / RATE, 1000.0 * a.distance(*b))
        };
        Some(ChartCurve {
            dashed: car > 0,
            ..ChartCurve::new(
                format!("{}, {}", CARS[car], results.backends[backend]),
                color(backend),
                pairs.map(point).collect(),
            )
        })
    };
    let others = traces(driven).filter(|(backend, ..)| *backend > 0);
    Chart {
        title: "Apart".to_owned(),
        unit: "mm",
        how: note_of(results, course),
        curves: others.filter_map(curve).collect(),
        scale: Scale::Decades(-3, 5),
        goal: None,
        words: Vec::new(),
        height: 190,
    }
    .html()
}

/// Results of the suite by backend.
fn note_of(results: &Results, course: &Course) -> String {
    let row = results.rows.iter().find(|row| row.case.name == course.name);
    let findings = row.map_or(&[][..], |row| &row.findings);
    let lines = results
        .backends
        .iter()
        .zip(findings)
        .map(|(name, finding)| {
            let found = match &finding.result {
                Ok(measure) => measure.note.clone(),
                Err(failure) => failure.to_string(),
            };
            format!("{name}: {} ({found}).", finding.verdict)
        });
    lines.collect::<Vec<_>>().join(" ")
}

/// One of the page's colors.
fn color(backend: usize) -> usize {
    [0, 1, 4][backend % 3]
}
