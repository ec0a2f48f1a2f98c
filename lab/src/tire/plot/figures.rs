//! Key figures and remarks of each tire.

use jounce::tires::magic_formula::Coefficients;
use jounce::tires::tir::{Side, validate};

use super::family::{Peak, across, along};
use super::subject::{State, Subject};
use crate::report::{ReportTable, abreast, figures, list};

/// Inches per meter.
const INCHES: f64 = 1.0 / 0.0254;
/// Maximum number of tires whose two tables fit side by side.
const ABREAST: usize = 2;
/// Text of an empty cell.
const NOTHING: &str = "–";

/// A row: its label, and its text for a tire in free rolling at nominal load.
type FigureRow = (&'static str, fn(&Subject, &State) -> Option<String>);

/// Properties of the tire.
const IDENTITY: [FigureRow; 12] = [
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

/// Behavior at its nominal load.
const DEEDS: [FigureRow; 12] = [
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

/// Properties of the tires, and their behavior at nominal load; for few tires side by side.
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
fn table(title: &str, rows: &[FigureRow], subjects: &[Subject], friction: f64) -> ReportTable {
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
    ReportTable {
        head: core::iter::once(title.to_owned()).chain(names).collect(),
        rows: rows.collect(),
    }
}

/// Oddities of a tire's parameters and missing keys; empty for laws without files.
pub(super) fn remarks(subject: &Subject) -> String {
    let name = &subject.name;
    let heading = format!("{name}: what is odd about its parameters");
    let Some(formula) = &subject.formula else {
        return list(&heading, &subject.remarks.warnings, true);
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
    let title = format!("{name}: {} of its keys at their defaults", defaulted.len());
    list(&heading, &odd, true) + &list(&title, &keys, false)
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
    let points = subject.friction_curve()?;
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

/// Lateral force per degree of camber [N/°], to the right if the top inclines to the right.
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

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::super::tests::{RELAXING, linear, tire};
    use super::*;

    /// Cells of a table, row by row.
    fn rows(html: &str) -> Vec<Vec<String>> {
        let rows = html.split("<tr><td>").skip(1);
        let cells = |row: &str| {
            let row = row.split("</td></tr>").next().unwrap();
            row.split("</td><td>").map(str::to_owned).collect()
        };
        rows.map(cells).collect()
    }

    #[test]
    fn tables_say_what_a_law_does_by_hand() {
        let found = rows(&tables(&[linear(4000.0)], 0.8).concat());
        let wanted = [
            ["law", "linear"],
            ["from", "by hand"],
            ["nominal load [kN]", "4.00, at rest"],
            ["speed [km/h]", "60.0"],
            ["peak friction, driven", "0.800 at 4.00 %"],
            ["peak friction, braked", "0.800 at −4.00 %"],
            ["peak friction, to the right", "0.800 at 3.10°"],
            ["peak friction, to the left", "0.800 at −3.10°"],
            ["slip stiffness [kN]", "80.0"],
            ["cornering stiffness [kN/°]", "1.05"],
            ["camber thrust [N/°]", "69.8"],
            ["pneumatic trail [mm]", "30.0"],
        ];
        assert_eq!(found, wanted);
        assert_eq!(remarks(&linear(4000.0)), "");
    }

    /// A dash stands for a value that one of the tires does not have; two tables stand side by side for up to two tires.
    #[test]
    fn tires_stand_beside_one_another() {
        let both = [linear(4000.0), tire("slow", RELAXING, 5000.0)];
        let sections = tables(&both, 1.0);
        assert_eq!(sections.len(), 1);
        let found = rows(&sections[0]);
        let row = |name: &str| found.iter().find(|row| row[0] == name).map(|row| &row[1..]);
        for (name, cells) in [
            ("relaxation length along [m]", ["–", "0.250"]),
            ("relaxation length across [m]", ["–", "0.450"]),
            ("camber thrust [N/°]", ["69.8", "–"]),
            ("slip stiffness [kN]", ["80.0", "100"]),
        ] {
            assert_eq!(row(name).unwrap(), cells);
        }
        assert_eq!((row("size"), row("friction against |κ|")), (None, None));
        assert!(sections[0].contains("<th>what it is</th><th>straight</th><th>slow</th>"));
        assert_eq!(tables(&[1.0, 2.0, 3.0].map(linear), 1.0).len(), 2);
    }

    /// Sizes are those that the files are named by; none is guessed.
    #[test]
    fn a_size_is_written_as_on_the_side_of_a_tire() {
        for (name, wanted) in [
            ("sedan-245-40-r18", "245/40 R18"),
            ("suv-255-55-r20", "255/55 R20"),
        ] {
            let mut file = source::subjects(name, 4000.0).unwrap().remove(0);
            file.remarks.defaulted.clear();
            assert_eq!(size(&file).unwrap(), wanted);
            for key in ["WIDTH", "ASPECT_RATIO", "RIM_RADIUS"] {
                file.remarks.defaulted = vec![key, "LMUX"];
                assert_eq!(size(&file), None);
            }
        }
        assert_eq!(size(&linear(4000.0)), None);
    }

    #[test]
    fn a_friction_curve_is_told_with_its_slips() {
        let folder = std::env::temp_dir().join(format!("figures-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("car.toml");
        let text = jounce::presets::BENCHMARK_SEDAN;
        let street = "model = \"street\", force_height = 0.20";
        let curve = format!("{street}, friction_curve = [[0.0, 1.0], [0.15, 1.25], [0.9, 0.75]]");
        std::fs::write(&path, text.replacen(street, &curve, 1)).unwrap();
        let found = source::subjects(&path.display().to_string(), 4000.0);
        std::fs::remove_dir_all(&folder).unwrap();
        let html = tables(&found.unwrap(), 1.0).concat();
        assert!(
            html.contains("<td>1, 1.25, 0.75 at 0, 15, 90 %</td>"),
            "{html}"
        );
    }

    #[test]
    fn ranges_are_in_the_units_of_people() {
        assert_eq!(range([-0.25, 1500.0], 0.1), "−0.0250 … 150");
        let file = &source::subjects("suv-255-55-r20", 4000.0).unwrap()[0];
        let c = file.coefficients().unwrap();
        let found = of_range(file, |c| [c.KPUMIN, c.KPUMAX], 100.0).unwrap();
        let wanted = [c.KPUMIN, c.KPUMAX].map(|end| figures(100.0 * end));
        assert_eq!(found, wanted.join(" … "));
        assert_eq!(of_range(&linear(4000.0), |_| [0.0, 1.0], 1.0), None);
        assert_eq!(nominal_load(file), figures(c.FNOMIN / 1e3));
    }
}
