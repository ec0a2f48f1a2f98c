//! Tires of laws whose numbers are known by hand: what is drawn of them, for which loads and how far.

use jounce::core::TireForces;
use jounce::core::params::FrictionCurve;

use super::subject::{Remarks, State, Wheel};
use super::*;
use crate::report::{Carpet, Line, Place};

/// Forces per load and slip, camber thrust per load and camber (1/rad), trail (m).
const LINEAR: &str = "model = 'linear'\nslip_stiffness = 20.0\ncornering_stiffness = 15.0\n\
                      camber_stiffness = 1.0\ntrail = 0.03";
/// The same without camber thrust and trail.
pub(super) const PLAIN: &str = "model = 'linear'\nslip_stiffness = 20.0\ncornering_stiffness = 15.0\n\
                     camber_stiffness = 0.0\ntrail = 0.0";
/// A law with relaxation lengths.
pub(super) const RELAXING: &str = "model = 'relaxing'\nrelaxation_length = [0.25, 0.45]\n[law]\nmodel = 'linear'\n\
    slip_stiffness = 20.0\ncornering_stiffness = 15.0\ncamber_stiffness = 0.0\ntrail = 0.0";

/// A tire of a law at a load at rest (N).
pub(super) fn tire(name: &str, law: &str, rest_load: f64) -> Subject {
    let wheel = Wheel {
        rest_load,
        radius: None,
        friction: FrictionCurve::FLAT,
    };
    let table = law.parse().unwrap();
    Subject::new(
        name.to_owned(),
        "by hand".to_owned(),
        table,
        Remarks::default(),
        wheel,
    )
    .unwrap()
}

pub(super) fn linear(rest_load: f64) -> Subject {
    tire("straight", LINEAR, rest_load)
}

fn family(loads: &[f64]) -> Family {
    Family {
        loads: loads.to_vec(),
        at: 4000.0,
        friction: 1.0,
        angle: 10.0,
        ratio: 10.0,
    }
}

fn close(found: f64, wanted: f64, what: &str) {
    let bound = 2e-6 * wanted.abs().max(1.0);
    assert!(
        (found - wanted).abs() < bound,
        "{what}: {found} for {wanted}"
    );
}

/// Points of a line, which are all known.
fn points(line: &Line) -> Vec<DVec> {
    line.points
        .iter()
        .map(|(at, known)| {
            assert!(known, "{}", line.name);
            *at
        })
        .collect()
}

type DVec = glam::DVec2;

/// The law by hand: forces (kN) at slips and a camber (rad), a load (kN) and a friction.
fn by_hand(ratio: f64, angle: f64, camber: f64, load: f64, friction: f64) -> [f64; 2] {
    let (along, across) = (20.0 * ratio, -15.0 * angle.tan() - camber);
    let scale = (friction / along.hypot(across)).min(1.0);
    [along, across].map(|force| force * scale * load)
}

/// Friction of 1 is reached at 5 % and at 3.85°: axes go half as far again.
#[test]
fn a_family_goes_beyond_the_peaks_at_round_loads() {
    let one = Family::of(&[linear(4000.0)], &[], 1.0);
    let wanted = Family {
        loads: vec![1500.0, 3000.0, 4500.0, 6000.0],
        ..family(&[])
    };
    assert_eq!(one, wanted);
    assert_eq!(
        (one.words().as_str(), one.greatest_load()),
        ("1.5 kN, 3 kN, 4.5 kN, 6 kN", 6000.0)
    );
    let icy = Family::of(&[linear(4000.0)], &[], 0.5);
    assert_eq!((icy.angle, icy.ratio, icy.friction), (5.0, 5.0, 0.5));
    // Soft as rubber bands: nothing goes on for ever.
    let soft = "model = 'linear'\nslip_stiffness = 0.5\ncornering_stiffness = 0.5\ncamber_stiffness = 0.0\ntrail = 0.0";
    let soft = Family::of(&[tire("soft", soft, 4000.0)], &[], 1.0);
    assert_eq!((soft.angle, soft.ratio), (45.0, 100.0));
}

/// Of unlike tires the geometric mean counts, and of all slips the greatest.
#[test]
fn unlike_tires_meet_at_the_mean_of_their_loads() {
    let stiff = LINEAR.replace("20.0", "200.0").replace("15.0", "150.0");
    for both in [
        [linear(2000.0), tire("stiff", &stiff, 8000.0)],
        [tire("stiff", &stiff, 8000.0), linear(2000.0)],
    ] {
        let found = Family::of(&both, &[], 1.0);
        assert_eq!((found.at, found.angle, found.ratio), (4000.0, 10.0, 10.0));
        assert_eq!(found.loads, [1500.0, 3000.0, 4500.0, 6000.0]);
    }
    let odd = Family::of(&[linear(4321.0), linear(4321.0)], &[], 1.0);
    assert_eq!(odd.at, 4321.0, "alike");
}

#[test]
fn loads_that_are_asked_for_come_in_their_order_and_once() {
    let asked = Family::of(&[linear(4000.0)], &[5000.0, 240.0, 5000.0], 1.0);
    assert_eq!(
        (asked.loads.as_slice(), asked.greatest_load()),
        (&[240.0, 5000.0][..], 5000.0)
    );
    assert_eq!(asked.words(), "240 N, 5 kN");
    assert_eq!(family::newtons(1000.0), "1 kN");
}

/// A law that tells its greatest load is drawn up to it.
#[test]
fn round_loads_are_those_that_a_tire_knows() {
    let slips = "model = 'bakker-87'\nlongitudinal_shape = 1.65\nlateral_shape = 1.3\naligning_shape = 2.4\n\
        longitudinal = [-21.3, 1144.0, 49.6, 226.0, 0.069, -0.006, 0.056, 0.486]\n\
        lateral = [-22.1, 1011.0, 1078.0, 1.82, 0.208, 0.0, -0.354, 0.707, 0.028, 0.0, 14.8, 0.022, 0.0]\n\
        aligning = [-2.72, -2.28, -1.86, -2.73, 0.11, -0.07, 0.643, -4.04, 0.015, -0.066, 0.945, 0.03, 0.07]\n\
        greatest_load = 6000.0";
    let known = tire("bakker", slips, 8000.0);
    assert_eq!(known.loads(), Some([0.0, 6000.0]));
    assert_eq!(Family::of(&[known], &[], 1.0).loads, [3000.0, 6000.0]);
    let light = tire("light", &slips.replace("6000.0", "2000.0"), 8000.0);
    assert_eq!(
        Family::of(&[light], &[], 1.0).loads,
        [8000.0],
        "at rest, or there is no curve"
    );
}

/// One tire's lines: as many as loads, the last one strongest, with points from end to end.
#[test]
fn curves_of_pure_slip_are_the_law() {
    let (subjects, family) = ([linear(4000.0)], family(&[2000.0, 4000.0]));
    let carpets = Carpets {
        subjects: &subjects,
        family: &family,
    };
    let check = |carpet: &Carpet, force: &dyn Fn(f64, f64) -> f64| {
        assert_eq!(carpet.lines.len(), 2);
        assert_eq!(carpet.x.1, [-10.0, 10.0]);
        assert!(!carpet.square);
        for (n, (line, load)) in carpet.lines.iter().zip([2.0, 4.0]).enumerate() {
            assert_eq!(line.name, format!("straight, {load} kN"));
            assert_eq!(
                (line.label.1.as_str(), line.legend.as_str()),
                (format!("{load} kN").as_str(), "")
            );
            assert_eq!((line.colour, line.strength), (0, 0.5 * (n + 1) as f64));
            let points = points(line);
            assert_eq!(
                (points.len(), points[0].x, points[240].x),
                (241, -10.0, 10.0)
            );
            for at in points {
                close(at.y, force(at.x, load), &carpet.title);
            }
        }
    };
    let lateral = |x: f64, load: f64| by_hand(0.0, x.to_radians(), 0.0, load, 1.0)[1];
    check(&carpets.lateral(), &lateral);
    check(&carpets.longitudinal(), &|x, load| {
        by_hand(x / 100.0, 0.0, 0.0, load, 1.0)[0]
    });
    check(&carpets.aligning().unwrap(), &|x, load| {
        -30.0 * lateral(x, load)
    });
    assert!(carpets.overturning().is_none() && carpets.relaxation().is_none());
    assert!(carpets.inflated().is_none() && carpets.inflated_stiffness().is_none());
}

/// Each line keeps one slip, and is drawn in the plane of forces at one load.
#[test]
fn curves_of_combined_slip_are_the_law() {
    let (subjects, family) = ([linear(4000.0)], family(&[2000.0]));
    let carpets = Carpets {
        subjects: &subjects,
        family: &family,
    };
    let kept = [-6.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 6.0];
    for (carpet, unit) in [(carpets.braked(), "°"), (carpets.cornered(), " %")] {
        assert!(
            carpet.square && carpet.how.starts_with("At 4 kN: "),
            "{}",
            carpet.how
        );
        assert_eq!(carpet.lines.len(), kept.len());
        for (line, kept) in carpet.lines.iter().zip(kept) {
            assert_eq!(line.label, (Place::Middle, lines::signed(kept, unit)));
            assert_eq!(line.strength, 0.6);
            let points = points(line);
            assert_eq!(points.len(), 241);
            for (n, at) in points.into_iter().enumerate() {
                // Close together around zero.
                let share = (n as f64 / 120.0 - 1.0).powi(3);
                let (ratio, angle) = if unit == "°" {
                    (share, kept.to_radians())
                } else {
                    (kept / 100.0, (45.0 * share).to_radians())
                };
                let [x, y] = by_hand(ratio, angle, 0.0, 4.0, 1.0);
                close(at.x, x, &line.name);
                close(at.y, y, &line.name);
            }
        }
    }
}

#[test]
fn curves_of_camber_are_the_law() {
    let (subjects, family) = ([linear(4000.0)], family(&[2000.0, 4000.0]));
    let carpets = Carpets {
        subjects: &subjects,
        family: &family,
    };
    let cambered = carpets.cambered().unwrap();
    assert!(cambered.how.starts_with("At 4 kN ") && cambered.x.1 == [-2.0, 2.0]);
    let cambers = [-4.0_f64, -2.0, 0.0, 2.0, 4.0];
    assert_eq!(cambered.lines.len(), cambers.len());
    for (line, camber) in cambered.lines.iter().zip(cambers) {
        assert_eq!(line.label, (Place::End, lines::signed(camber, "°")));
        for at in points(line) {
            let [_, y] = by_hand(0.0, at.x.to_radians(), camber.to_radians(), 4.0, 1.0);
            close(at.y, y, &line.name);
        }
    }
    let thrust = carpets.thrust().unwrap();
    assert_eq!(thrust.x.1, [-8.0, 8.0]);
    for (line, load) in thrust.lines.iter().zip([2.0, 4.0]) {
        for at in points(line) {
            close(at.y, -load * at.x.to_radians(), &line.name);
        }
    }
    let upright = [tire("upright", PLAIN, 4000.0)];
    let carpets = Carpets {
        subjects: &upright,
        ..carpets
    };
    assert!(
        carpets.cambered().is_none() && carpets.thrust().is_none() && carpets.aligning().is_none()
    );
}

/// Forty points from a fortieth of the greatest load on.
#[test]
fn curves_over_load_are_the_law() {
    let subjects = [tire("slow", RELAXING, 4000.0)];
    let family = Family {
        friction: 0.8,
        ..family(&[2000.0, 6000.0])
    };
    let carpets = Carpets {
        subjects: &subjects,
        family: &family,
    };
    let check = |carpet: &Carpet, names: &[&str], value: &dyn Fn(usize, f64) -> f64| {
        assert_eq!(carpet.x.1, [0.0, 6.0], "{}", carpet.title);
        assert_eq!(carpet.lines.len(), names.len());
        for (n, (line, name)) in carpet.lines.iter().zip(names).enumerate() {
            assert_eq!(line.name, *name);
            let points = points(line);
            assert_eq!(points.len(), 40);
            for (k, at) in points.into_iter().enumerate() {
                close(at.x, 6.0 * (k + 1) as f64 / 40.0, &carpet.title);
                let wanted = value(n, at.x);
                assert!(
                    (at.y - wanted).abs() < 2e-3 * wanted,
                    "{}: {at} for {wanted}",
                    carpet.title
                );
            }
        }
    };
    check(&carpets.cornering_stiffness(), &["slow"], &|_, load| {
        15.0 * load * 1_f64.to_radians()
    });
    check(&carpets.slip_stiffness(), &["slow"], &|_, load| 20.0 * load);
    let ways = ["slow, along", "slow, across"];
    check(&carpets.friction(), &ways, &|_, _| 0.8);
    check(&carpets.relaxation().unwrap(), &ways, &|n, _| {
        [0.25, 0.45][n]
    });
}

/// Words stand beside the lines of the first tire that has some, names of tires in the legend.
#[test]
fn tires_are_told_apart_by_colour_and_legend() {
    let subjects = [
        tire("plain", PLAIN, 4000.0),
        linear(4000.0),
        tire("third", LINEAR, 4000.0),
    ];
    let family = family(&[2000.0, 4000.0]);
    let carpets = Carpets {
        subjects: &subjects,
        family: &family,
    };
    let told = |carpet: &Carpet| {
        let each = carpet.lines.iter();
        let told = each.map(|l| (l.legend.clone(), l.label.1.clone(), l.colour));
        told.collect::<Vec<_>>()
    };
    let line = |legend: &str, label: &str, colour| (legend.to_owned(), label.to_owned(), colour);
    assert_eq!(
        told(&carpets.lateral()),
        [
            line("", "2 kN", 0),
            line("plain", "4 kN", 0),
            line("", "", 1),
            line("straight", "", 1),
            line("", "", 4),
            line("third", "", 4),
        ]
    );
    let thrust = [
        line("", "2 kN", 1),
        line("straight", "4 kN", 1),
        line("", "", 4),
        line("third", "", 4),
    ];
    assert_eq!(told(&carpets.thrust().unwrap()), thrust);
    let stiffness = carpets.cornering_stiffness();
    let names: Vec<&str> = stiffness
        .lines
        .iter()
        .map(|line| line.name.as_str())
        .collect();
    assert_eq!(names, ["plain", "straight", "third"]);
    assert!(
        told(&stiffness)
            .iter()
            .all(|(legend, label, _)| label.is_empty() && !legend.is_empty())
    );
}

/// Points are known up to the load and the slips that a tire's file gives.
#[test]
fn pressures_around_a_tires_own_are_drawn_as_far_as_its_file_goes() {
    let file = &source::subjects("suv-255-55-r20", 4000.0).unwrap()[0];
    let own = file.pressure().unwrap();
    let c = file.coefficients().unwrap();
    assert!(file.covers_its_pressure());
    let family = Family {
        at: file.nominal_load(),
        ..family(&[file.nominal_load()])
    };
    let subjects = [file.clone()];
    let carpets = Carpets {
        subjects: &subjects,
        family: &family,
    };
    let at = State {
        load: file.nominal_load(),
        angle: 5_f64.to_radians(),
        friction: 1.0,
        ..State::default()
    };
    let inflated = carpets.inflated().unwrap();
    let stiffness = carpets.inflated_stiffness().unwrap();
    assert_eq!((inflated.lines.len(), stiffness.lines.len()), (3, 3));
    for (n, share) in [0.8, 1.0, 1.2].into_iter().enumerate() {
        let pressure = share * own;
        let (line, over_load) = (&inflated.lines[n], &stiffness.lines[n]);
        let words = format!("{:.0} kPa", pressure / 1e3);
        assert_eq!((&line.label.1, &over_load.label.1), (&words, &words));
        let (point, known) = line.points[180];
        assert_eq!(known, (c.PRESMIN..=c.PRESMAX).contains(&pressure));
        let softer = file.inflated(pressure).unwrap();
        assert_eq!(
            (softer.pressure(), softer.covers_its_pressure()),
            (Some(pressure), known)
        );
        let force: TireForces = softer.forces(&at);
        close(point.y, f64::from(force.lateral) / 1e3, &words);
        let (last, _) = over_load.points[39];
        close(
            last.y,
            softer.stiffness(&State { angle: 0.0, ..at })[1].to_radians() / 1e3,
            &words,
        );
    }
    assert_eq!(file.law(), "Magic Formula 6.1");
}

fn args(tires: &[&str], out: &Path) -> PlotArgs {
    PlotArgs {
        tires: tires.iter().map(|tire| (*tire).to_owned()).collect(),
        out: out.to_owned(),
        loads: Vec::new(),
        friction: 1.0,
        rest_load: 4000.0,
    }
}

/// At its bounds an option is within them.
#[test]
fn the_ends_of_ranges_are_allowed() {
    let args = args(&["suv"], Path::new("a.html"));
    for (friction, rest_load, loads) in [
        (0.01, 1.0, vec![1.0; 6]),
        (10.0, 1e6, vec![1e6]),
        (1.0, 4e3, vec![]),
    ] {
        let args = PlotArgs {
            loads,
            friction,
            rest_load,
            ..args.clone()
        };
        assert!(check(&args).is_ok(), "{args:?}");
    }
    let seven = PlotArgs {
        loads: vec![1000.0; 7],
        ..args
    };
    assert!(check(&seven).is_err());
}

/// Six tires fit on a page, and what they are compared at is told of two and more.
#[test]
fn a_page_tells_what_its_curves_are_drawn_for() {
    let folder = std::env::temp_dir().join(format!("plot-{}", std::process::id()));
    let page = |tires: &[&str]| {
        let out = folder.join(format!("{}.html", tires.len()));
        let mut args = args(tires, &out);
        args.loads = vec![3000.0, 500.0];
        let told = plot(&args).unwrap();
        assert_eq!(told, format!("written: {}\n", out.display()));
        std::fs::read_to_string(out).unwrap()
    };
    let (one, six) = (page(&["sedan"]), page(&["sedan"; 6]));
    std::fs::remove_dir_all(&folder).unwrap();
    let facts = "<li>loads <b>500 N, 3 kN</b></li><li>friction <b>1</b></li>";
    assert!(
        one.contains(&format!("{facts}</ul>")),
        "one tire is compared with none"
    );
    assert!(
        six.contains(&format!("{facts}<li>compared at <b>")),
        "{:.2000}",
        six
    );
    assert!(one.contains("<h2>Pure slip</h2>") && !one.contains("<h2>Camber</h2>"));
}
