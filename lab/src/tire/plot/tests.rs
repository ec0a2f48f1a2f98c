//! Tires of laws whose numbers are known by hand: what is drawn of them, for which loads and how far.

mod carpets;

use jounce::core::params::TireFit;

use super::subject::{Remarks, Wheel};
use super::*;

/// Forces per load and slip, camber thrust per load and camber (1/rad), trail (m).
const LINEAR: &str = "model = 'linear'\nslip_stiffness = 20.0\ncornering_stiffness = 15.0\n\
                      camber_stiffness = 1.0\ntrail = 0.03";
/// A linear law without camber thrust and trail.
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
        friction: TireFit::FLAT_FRICTION,
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

/// Tires that differ share the geometric mean of their loads, and the greatest of their slips.
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

fn args(tires: &[&str], out: &Path) -> PlotArgs {
    PlotArgs {
        tires: tires.iter().map(|tire| (*tire).to_owned()).collect(),
        out: out.to_owned(),
        loads: Vec::new(),
        friction: 1.0,
        rest_load: 4000.0,
    }
}

/// An option at its bounds is within them.
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

/// Six tires fit on a page, which states the common load and friction of two and more.
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
    let (one, six) = (page(&["hatchback#front"]), page(&["hatchback#front"; 6]));
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
