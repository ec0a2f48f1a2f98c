//! Key figures and remarks of each tire.

use jounce::tires::magic_formula::Coefficients;
use jounce::tires::tir::{Side, validate};

use super::family::{Peak, across, along};
use super::subject::{State, Subject};
use crate::report::{Table, abreast, figures, list};

/// Inches per metre.
const INCHES: f64 = 1.0 / 0.0254;
/// Maximum number of tires whose two tables fit side by side.
const ABREAST: usize = 2;
/// Text of an empty cell.
const NOTHING: &str = "–";

/// A row: its label, and its text for a tire in free rolling at nominal load.
type Row = (&'static str, fn(&Subject, &State) -> Option<String>);

/// Properties of the tire.
const IDENTITY: [Row; 12] = [
    ("law", |s, _| Some(s.law())),
    ("from", |s, _| Some(s.source.clone())),
    ("measured for", |s, _| s.remarks.side.map(side)),
    ("size", |s, _| size(s)),
    ("nominal load [kN]", |s, _| Some(nominal_load(s))),
    ("inflation pressure [kPa]", |s, _| {
        Some(figures(s.pressure()? / 1e3))
    }),
    ("speed [km/h]", |s, _| Some(figures(s.speed() * 3.6))),
    ("range of loads [kN]", |s, _| Some(range(s.loads()?, 1e-3))),
    ("range of slip angles [°]", |s, _| {
        of_range(s, |c| [c.ALPMIN, c.ALPMAX], 1_f64.to_degrees())
    }),
    ("range of slip ratios [%]", |s, _| {
        of_range(s, |c| [c.KPUMIN, c.KPUMAX], 100.0)
    }),
    ("range of cambers [°]", |s, _| {
        of_range(s, |c| [c.CAMMIN, c.CAMMAX], 1_f64.to_degrees())
    }),
    ("friction against |κ|", |s, _| friction_curve(s)),
];

/// Behaviour at its nominal load.
const DEEDS: [Row; 12] = [
    ("peak friction, driven", |s, at| {
        Some(percent(along(s, at, 1.0)))
    }),
    ("peak friction, braked", |s, at| {
        Some(percent(along(s, at, -1.0)))
    }),
    ("peak friction, to the right", |s, at| {
        Some(degrees(across(s, at, 1.0)))
    }),
    ("peak friction, to the left", |s, at| {
        Some(degrees(across(s, at, -1.0)))
    }),
    ("slip stiffness [kN]", |s, at| {
        Some(figures(s.stiffness(at)[0] / 1e3))
    }),
    ("cornering stiffness [kN/°]", |s, at| {
        Some(figures(s.stiffness(at)[1].to_radians() / 1e3))
    }),
    ("relaxation length along [m]", |s, at| {
        some(f64::from(s.properties(at).relaxation_length[0]))
    }),
    ("relaxation length across [m]", |s, at| {
        some(f64::from(s.properties(at).relaxation_length[1]))
    }),
    ("lateral force without slip [N]", |s, at| {
        some(f64::from(s.forces(at).lateral))
    }),
    ("camber thrust [N/°]", |s, at| some(thrust(s, at))),
    ("pneumatic trail [mm]", |s, at| {
        Some(figures(1e3 * s.trail(at)?))
    }),
    ("rolling resistance [N·m]", |s, at| {
        some(f64::from(s.forces(at).rolling_resistance))
    }),
];

/// Properties of the tires, and their behaviour at nominal load; for few tires side by side.
pub(super) fn tables(subjects: &[Subject], friction: f64) -> Vec<String> {
    let [identity, deeds] = [
        table("what it is", &IDENTITY, subjects, friction),
        table("at nominal load", &DEEDS, subjects, friction),
    ];
    let tables = [identity.html(), deeds.html()];
    if subjects.len() <= ABREAST {
        return vec![abreast(&tables)];
    }
    tables.to_vec()
}

/// The tires side by side; rows empty for all tires are omitted.
fn table(title: &str, rows: &[Row], subjects: &[Subject], friction: f64) -> Table {
    let cells = |tell: fn(&Subject, &State) -> Option<String>| {
        let cells = subjects.iter().map(|subject| {
            let nominal = State {
                load: subject.nominal_load(),
                friction,
                ..State::default()
            };
            tell(subject, &nominal)
        });
        cells.collect::<Vec<_>>()
    };
    let names = subjects.iter().map(|subject| subject.name.clone());
    let rows = rows.iter().filter_map(|(name, tell)| {
        let cells = cells(*tell);
        let told = cells.iter().any(Option::is_some);
        let cells = cells
            .into_iter()
            .map(|cell| cell.unwrap_or_else(|| NOTHING.to_owned()));
        told.then(|| core::iter::once((*name).to_owned()).chain(cells).collect())
    });
    Table {
        head: core::iter::once(title.to_owned()).chain(names).collect(),
        rows: rows.collect(),
    }
}

/// Oddities of a tire's parameters and missing keys; empty for laws without files.
pub(super) fn remarks(subject: &Subject) -> String {
    let Some(formula) = &subject.formula else {
        return String::new();
    };
    let findings = validate(formula.version, &formula.coefficients);
    let findings = findings.iter().map(|finding| finding.to_string());
    let odd = subject.remarks.warnings.iter().cloned().chain(findings);
    let odd: Vec<String> = odd.collect();
    let defaulted = &subject.remarks.defaulted;
    let keys: Vec<String> = defaulted
        .chunks(usize::MAX)
        .map(|keys| keys.join(" "))
        .collect();
    let name = &subject.name;
    let title = format!("{name}: {} of its keys at their defaults", defaulted.len());
    list(
        &format!("{name}: what is odd about its parameters"),
        &odd,
        true,
    ) + &list(&title, &keys, false)
}

fn side(side: Side) -> String {
    let side = match side {
        Side::Left => "left side",
        Side::Right => "right side",
        Side::Symmetric => "both sides",
    };
    side.to_owned()
}

/// Width (`mm`), height over width (`%`) and rim [in], if the file gives them.
fn size(subject: &Subject) -> Option<String> {
    let c = subject.coefficients()?;
    let keys = ["WIDTH", "ASPECT_RATIO", "RIM_RADIUS"];
    let guessed = keys
        .iter()
        .any(|key| subject.remarks.defaulted.contains(key));
    let (width, height) = (1e3 * c.WIDTH, 100.0 * c.ASPECT_RATIO);
    let rim = 2.0 * c.RIM_RADIUS * INCHES;
    (!guessed).then(|| format!("{width:.0}/{height:.0} R{rim:.0}"))
}

fn nominal_load(subject: &Subject) -> String {
    let load = figures(subject.nominal_load() / 1e3);
    match subject.own_load() {
        Some(_) => load,
        None => format!("{load}, at rest"),
    }
}

fn range([low, high]: [f64; 2], unit: f64) -> String {
    format!("{} … {}", figures(low * unit), figures(high * unit))
}

fn of_range(subject: &Subject, ends: fn(&Coefficients) -> [f64; 2], unit: f64) -> Option<String> {
    Some(range(ends(subject.coefficients()?), unit))
}

fn friction_curve(subject: &Subject) -> Option<String> {
    let points = subject.friction_curve()?.0;
    let [slips, frictions] = [0, 1].map(|n| points.map(|point| point[n]));
    let [a, b, c] = frictions;
    let [d, e, f] = slips.map(|slip| 100.0 * slip);
    Some(format!("{a}, {b}, {c} at {d:.0}, {e:.0}, {f:.0} %"))
}

fn percent(peak: Peak) -> String {
    format!("{:.3} at {} %", peak.friction, figures(100.0 * peak.slip))
}

fn degrees(peak: Peak) -> String {
    format!(
        "{:.3} at {}°",
        peak.friction,
        figures(peak.slip.to_degrees())
    )
}

/// Lateral force per degree of camber [N/°], to the right if it leans to the right.
fn thrust(subject: &Subject, state: &State) -> f64 {
    let lateral = |degrees: f64| {
        let camber = degrees.to_radians();
        f64::from(subject.forces(&State { camber, ..*state }).lateral)
    };
    0.5 * (lateral(-1.0) - lateral(1.0))
}

/// A quantity that a law has if it is not zero.
fn some(value: f64) -> Option<String> {
    (value != 0.0).then(|| figures(value))
}
