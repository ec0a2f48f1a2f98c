//! Carpets of the linear law, by hand.

use glam::DVec2;
use jounce::core::TireForces;

use super::super::subject::State;
use super::*;
use crate::report::{Carpet, FamilyCurve, Place};

fn close(found: f64, wanted: f64, what: &str) {
    let bound = 2e-6 * wanted.abs().max(1.0);
    assert!(
        (found - wanted).abs() < bound,
        "{what}: {found} for {wanted}"
    );
}

/// Points of a line, which are all known.
fn points(line: &FamilyCurve) -> Vec<DVec2> {
    line.points
        .iter()
        .map(|(at, known)| {
            assert!(known, "{}", line.name);
            *at
        })
        .collect()
}

/// The law by hand: forces (kN) at slips and a camber (rad), a load (kN) and a friction.
fn by_hand(ratio: f64, angle: f64, camber: f64, load: f64, friction: f64) -> [f64; 2] {
    let (along, across) = (20.0 * ratio, -15.0 * angle.tan() - camber);
    let scale = (friction / along.hypot(across)).min(1.0);
    [along, across].map(|force| force * scale * load)
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
            assert_eq!((line.color, line.strength), (0, 0.5 * (n + 1) as f64));
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
fn tires_are_told_apart_by_color_and_legend() {
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
        let told = each.map(|l| (l.legend.clone(), l.label.1.clone(), l.color));
        told.collect::<Vec<_>>()
    };
    let line = |legend: &str, label: &str, color| (legend.to_owned(), label.to_owned(), color);
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
