//! Sweeps do what their plans say, wherever their chunks are run.

use jounce::presets;
use rstest::rstest;

use super::*;
use crate::random::Uniform;

fn request(space: &[(&str, Distribution)]) -> SweepRequest {
    let mut request = SweepRequest::new(presets::sedan(), "brake", 6);
    let space = space.iter().cloned();
    request.space = space.map(|(name, it)| (name.to_owned(), it)).collect();
    request
}

fn between(low: f64, high: f64) -> Distribution {
    Distribution::Uniform(Uniform { low, high })
}

fn numbers(columns: &[SweepColumn], name: &str) -> Vec<f64> {
    let column = columns.iter().find(|column| column.name == name);
    match &column.unwrap_or_else(|| panic!("{name}")).values {
        SweepValues::Numbers(values) => values.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

fn texts<'a>(columns: &'a [SweepColumn], name: &str) -> &'a [String] {
    let column = columns.iter().find(|column| column.name == name);
    match &column.unwrap().values {
        SweepValues::Texts(values) => values,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn braking_distances_follow_friction() {
    let sweep = Sweep::new(&request(&[("grip", between(0.3, 1.0))])).unwrap();
    let columns = sweep.run(0).unwrap();
    let grip = numbers(&columns, "grip");
    let distance = numbers(&columns, "braking_distance");
    let mut pairs: Vec<_> = grip.into_iter().zip(distance).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(pairs.is_sorted_by(|a, b| a.1 > b.1), "{pairs:?}");
    // v² = 2·µ·g·d; tires of wheels that lock have less than their most.
    let all_hold = pairs
        .iter()
        .all(|(grip, distance)| (0.85..1.4).contains(&(grip * distance / 39.3)));
    assert!(all_hold, "{pairs:?}");
    assert!(texts(&columns, "end").iter().all(|end| end == "finished"));
    let standing = numbers(&columns, "stand.time");
    assert!(standing.iter().all(|time| (time - 1.0).abs() < 0.05));
    let speed = numbers(&columns, "brake.speed");
    assert!(
        speed.iter().all(|speed| (speed - 29.2).abs() < 0.3),
        "{speed:?}"
    );
}

#[test]
fn keys_of_vehicle_and_maneuver_are_varied() {
    let space = [
        ("chassis.mass", between(1200.0, 2400.0)),
        ("maneuver.stages.0.until.speed_above", between(10.0, 20.0)),
    ];
    let columns = Sweep::new(&request(&space)).unwrap().run(0).unwrap();
    let asked = numbers(&columns, space[1].0);
    let speed = numbers(&columns, "brake.speed");
    for (asked, speed) in asked.iter().zip(&speed) {
        assert!((asked - speed).abs() < 0.2, "{asked} {speed}");
    }
    let mut mass_per_pull: Vec<_> = numbers(&columns, "chassis.mass")
        .into_iter()
        .zip(numbers(&columns, "peak_forward"))
        .collect();
    mass_per_pull.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(
        mass_per_pull.is_sorted_by(|a, b| a.1 > b.1),
        "{mass_per_pull:?}"
    );
}

#[test]
fn a_payload_is_mass() {
    let loaded = |payload| {
        let columns = Sweep::new(&request(&[("payload", between(payload, payload))]));
        numbers(&columns.unwrap().run(0).unwrap(), "speed_up.time")[0]
    };
    assert!(loaded(600.0) > 1.2 * loaded(0.0));
}

#[test]
fn a_chunk_depends_on_its_plan_alone() {
    let space = [
        ("grip", between(0.3, 1.0)),
        (
            "axles.suspension.stiffness",
            Distribution::OneOf(vec![2e4.into(), 3e4.into()]),
        ),
    ];
    let mut request = request(&space);
    let whole = Sweep::new(&request).unwrap();
    let expected = whole.run(0).unwrap();
    request.chunk = Some(4);
    let sweep = Sweep::new(&request).unwrap();
    let again = Sweep::parse(&sweep.text()).unwrap();
    assert_eq!(again.text(), sweep.text());
    assert_eq!([whole.chunks(), again.chunks()], [1, 2]);
    for name in ["grip", "axles.suspension.stiffness", "duration", "y"] {
        let parts = [1, 0].map(|chunk| numbers(&again.run(chunk).unwrap(), name));
        let joined = [&parts[1][..], &parts[0]].concat();
        assert_eq!(joined, numbers(&expected, name), "{name}");
    }
    assert!(again.run(2).unwrap_err().to_string().contains("below 2"));
}

#[test]
fn a_sample_that_makes_no_drive_is_a_row() {
    let tires = Distribution::OneOf(vec![(-1.0).into(), 1500.0.into()]);
    let mut request = request(&[("chassis.mass", tires)]);
    request.samples = 8;
    let columns = Sweep::new(&request).unwrap().run(0).unwrap();
    let masses = numbers(&columns, "chassis.mass");
    let distances = numbers(&columns, "distance");
    let ends = texts(&columns, "end");
    assert!(masses.contains(&-1.0) && masses.contains(&1500.0));
    for (n, mass) in masses.iter().enumerate() {
        assert_eq!(distances[n].is_nan(), *mass < 0.0);
        assert_eq!(ends[n] == "refused", *mass < 0.0);
        let told = texts(&columns, "fault")[n].contains("chassis.mass = -1 kg");
        assert_eq!(told, *mass < 0.0);
    }
}

#[rstest]
#[case("axles.suspension.stifness", "stifness")]
#[case("maneuver.stages.9.brake", "stages.9.brake")]
#[case("maneuver.stages.1.brakes", "brakes")]
fn unknown_names_are_refused(#[case] name: &str, #[case] told: &str) {
    let error = Sweep::new(&request(&[(name, between(0.0, 1.0))])).unwrap_err();
    assert!(error.to_string().contains(told), "{error}");
}

#[test]
fn bad_requests_are_refused() {
    let refused = |change: fn(&mut SweepRequest)| {
        let mut request = request(&[]);
        change(&mut request);
        Sweep::new(&request).unwrap_err().to_string()
    };
    assert_eq!(refused(|it| it.samples = 0), "n = 0: must be >= 1");
    assert_eq!(refused(|it| it.chunk = Some(0)), "chunk = 0: must be >= 1");
    assert!(refused(|it| it.seed = u64::MAX).contains("below 2^63"));
    assert!(refused(|it| it.dt = 0.0).starts_with("dt = 0 s"));
    assert!(refused(|it| it.maneuver = "dance".to_owned()).contains("built-in maneuver"));
    for told in [
        refused(|it| it.ground = "mesh:x.obj".parse().ok()),
        refused(|it| it.ground = "file:x.toml".parse().ok()),
        refused(|it| it.ground = "heightfield:x.asc".parse().ok()),
    ] {
        assert!(told.contains("without a file"), "{told}");
    }
    let texts = Distribution::OneOf(vec!["much".into()]);
    let error = Sweep::new(&request(&[("grip", texts)])).unwrap_err();
    assert!(error.to_string().contains("of numbers"));
    let text = Sweep::new(&request(&[])).unwrap().text();
    let other = text.replacen("jounce = \"", "jounce = \"9.", 1);
    assert!(
        Sweep::parse(&other)
            .unwrap_err()
            .to_string()
            .contains("of version")
    );
}
