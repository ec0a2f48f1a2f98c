//! Defaults of vehicle files.

use rstest::rstest;
use toml::{Table, Value};

use super::keys::{file, read};
use crate::file::path::{find, replace};

/// A file with `path` set by a line of TOML, or removed.
fn with(mut file: Value, path: &str, value: Option<&str>) -> Table {
    let value = value.map(|text| {
        let line: Table = format!("value = {text}").parse().unwrap();
        line["value"].clone()
    });
    if value.is_some() || find(&file, path).is_some() {
        assert!(replace(&mut file, path, value), "{path}");
    }
    file.as_table().unwrap().clone()
}

/// Half of 22 kg times the square of 0.33 m.
const DISC: &str = "1.1979";

#[rstest]
#[case::height("sedan", "axles[1].z", "0.33")]
#[case::inertia("sedan", "axles[0].inertia", DISC)]
#[case::toe("sedan", "axles[0].toe_deg", "0.0")]
#[case::layers("sedan", "axles[0].layers", "4294967295")]
#[case::wheels("sedan", "axles[0].wheels", "2")]
#[case::bump_stop("sedan", "axles[0].suspension.bump_stop_stiffness", "250000.0")]
#[case::roll_influence("sedan", "axles[0].suspension.roll_influence", "1.0")]
#[case::spring("semi-trailer", "axles[0].suspension.spring", "'sprung-mass'")]
#[case::camber("sedan", "axles[1].suspension.camber_deg", "0.0")]
#[case::camber_up("sedan", "axles[1].suspension.camber_at_max_compression_deg", "0.0")]
#[case::camber_down("sedan", "axles[1].suspension.camber_at_max_droop_deg", "0.0")]
#[case::compliance("rally-car", "axles[0].compliance", "{}")]
#[case::tire_kind("rest 0", "axles[1].tire.kind", "0")]
#[case::resistance("rest 0", "axles[1].tire.rolling_resistance", "0.009")]
#[case::physx_resistance("physx-snippet", "axles[0].tire.rolling_resistance", "0.0")]
#[case::resistance_rise("rest 0", "axles[1].tire.rolling_resistance_rise", "0.0")]
#[case::tire_right("rest 0", "axles[1].tire.right", "'left'")]
#[case::friction(
    "truck",
    "axles[0].tire.friction_curve",
    "[[0.0, 1.0], [0.1, 1.0], [1.0, 1.0]]"
)]
#[case::ackermann("sedan", "axles[0].steering.ackermann", "0.0")]
#[case::counter("skateboard", "axles[1].steering.counter", "false")]
#[case::farthest_axle("eighteen-wheeler", "axles[0].steering.separation", "14.3")]
#[case::farthest_behind("skateboard", "axles[1].steering.separation", "0.76")]
#[case::description("sedan", "description", "''")]
#[case::solver("sedan", "solver", "'rows'")]
#[case::physx_solver("physx-snippet", "solver", "'explicit'")]
#[case::limit_expansion("rest 0", "limit_expansion", "false")]
#[case::tire_moments("rest 0", "tire_moments", "true")]
#[case::sprung_masses("rest 0", "sprung_masses_may_differ", "false")]
#[case::reference_length("sedan", "aerodynamics.wheelbase", "2.72")]
#[case::reference_point("sedan", "aerodynamics.point", "[0.0, 0.0, 0.0]")]
#[case::pitching("sedan", "aerodynamics.pitch", "0.0")]
#[case::no_factors("sedan", "aerodynamics.by_yaw_deg", "{}")]
#[case::lift("truck", "aerodynamics.lift_rear", "0.0")]
#[case::anti_roll("sedan", "anti_roll", "[]")]
#[case::coupling_load("trailer", "coupling.load", "0.0")]
#[case::shape("rest 0", "sweep.shape", "'cylinder'")]
#[case::hits("rest 0", "sweep.hits", "'all'")]
#[case::radius_scale("rest 0", "sweep.radius_scale", "1.0")]
#[case::width_scale("rest 0", "sweep.width_scale", "1.0")]
#[case::inflation("rest 0", "sweep.inflation", "0.0")]
#[case::point_angle("rest 0", "sweep.point_angle_deg", "45.0")]
#[case::normal_angle("rest 0", "sweep.normal_angle_deg", "45.0")]
#[case::direct("rest 0", "sweep.direct", "false")]
#[case::law("tank", "drivetrain.differential.law", "'shared'")]
#[case::special("tank", "drivetrain.differential.special", "false")]
#[case::hold("tank", "drivetrain.differential.hold", "0.0")]
#[case::differential("tank", "drivetrain.differential.model", "'tank'")]
fn an_absent_key_equals_its_default(#[case] name: &str, #[case] key: &str, #[case] default: &str) {
    let whole = Value::Table(file(name));
    let said = with(whole.clone(), key, Some(default));
    assert_eq!(read(&with(whole, key, None)), read(&said));
    assert!(read(&said).is_ok(), "{key} = {default}");
}

#[test]
fn tracks_run_over_all_wheels_of_either_side() {
    let mut whole = Value::Table(file("tank"));
    replace(&mut whole, "axles[6].radius", Some(Value::Float(0.3)));
    let axles = whole["axles"].as_array_mut().unwrap();
    let mut middle = axles[0].clone();
    let single = middle.as_table_mut().unwrap();
    single.remove("track");
    single.insert("wheels".to_owned(), Value::Integer(1));
    // Between the first pair and the others in wheel order; it belongs to no track.
    axles.insert(1, middle);
    let read = read(whole.as_table().unwrap()).unwrap();
    let tracks = &read["drive"]["differential"]["tank"]["tracks"];
    for (side, first) in [("left", 0), ("right", 1)] {
        let track = &tracks[first];
        let wheels: Vec<i64> = [0, 3, 5, 7, 9, 11, 13].map(|n| n + first as i64).into();
        assert_eq!(track["side"].as_str(), Some(side));
        assert_eq!(track["wheels"], Value::try_from(wheels).unwrap());
        let radii = [0.33, 0.33, 0.33, 0.33, 0.33, 0.33, 0.3];
        assert_eq!(track["radii"], Value::try_from(radii).unwrap());
    }
}

/// Sprung masses of a file's wheels, with their positions.
fn sprung_masses(file: &Table) -> Vec<(f64, [f64; 2])> {
    let read = read(file).unwrap();
    let wheels = read["wheels"].as_table().unwrap().values();
    let number = |value: &Value| value.as_float().unwrap();
    wheels
        .map(|wheel| {
            let place = [0, 1].map(|n| number(&wheel["position"][n]));
            (number(&wheel["suspension"]["sprung_mass"]), place)
        })
        .collect()
}

#[rstest]
fn sprung_masses_and_coupling_load_balance_the_chassis(
    #[values(
        "sedan",
        "delta",
        "tank",
        "eighteen-wheeler",
        "semi-trailer",
        "skateboard"
    )]
    name: &str,
) {
    let file = file(name);
    let number = |path: &str| find(&Value::Table(file.clone()), path).and_then(Value::as_float);
    let mass = number("chassis.mass").unwrap();
    let load = number("coupling.load").unwrap_or(0.0);
    for (axis, key) in ["chassis.center_of_mass[0]", "chassis.center_of_mass[1]"]
        .iter()
        .enumerate()
    {
        let coupling = number(&format!("coupling.position[{axis}]")).unwrap_or(0.0);
        let on_wheels = sprung_masses(&file);
        let sum: f64 = on_wheels.iter().map(|(mass, _)| mass).sum();
        let moment: f64 = on_wheels
            .iter()
            .map(|(mass, place)| mass * place[axis])
            .sum();
        assert!(((sum + load) / mass - 1.0).abs() < 1e-5, "{sum}");
        let center = (moment + load * coupling) / mass;
        assert!((center - number(key).unwrap()).abs() < 1e-4, "{center}");
    }
}
