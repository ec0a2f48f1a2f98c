//! The vehicle of a file, and the faults of a wrong one.

mod aids;
mod commented;
mod curves;
mod defaults;
pub(super) mod keys;
mod compliance;
mod links;
mod products;
mod rules;
mod together;
mod unsprung;
mod wheels;

use std::fs;

use super::*;
use crate::presets;
use rstest::rstest;
use vehicle_core::inertia;
use vehicle_core::profile::ExplicitSettings;

/// A sedan without links and compliance, with every key shown.
pub(in crate::file) use crate::presets::BENCHMARK_SEDAN as SEDAN;

fn sedan_with(from: &str, to: &str) -> String {
    let text = SEDAN;
    assert!(text.contains(from), "the sedan has {from:?}");
    let changed = text.replacen(from, to, 1);
    match Car::parse(&changed, "sedan.toml") {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The line, from 1, of the first `part` in a text.
fn line_of(text: &str, part: &str) -> usize {
    let before = text.split(part).next().expect("there is a beginning");
    1 + before.matches('\n').count()
}

#[test]
fn each_fault_names_file_line_path_value_unit_and_rule() {
    let sedan = SEDAN;
    let line = line_of(sedan, "mass = 1500.0");
    let text = sedan_with("mass = 1500.0", "mass = 0.0");
    let fault = format!("sedan.toml:{line}: chassis.mass = 0 kg: must be finite and > 0");
    assert!(text.contains(&fault), "{text}");
}

#[test]
fn faults_of_aerodynamics_are_named_where_they_stand() {
    for (to, fault) in [
        (
            "area = -2.15",
            "aerodynamics.area = -2.15 m²: must be finite and > 0",
        ),
        (
            "area = 2.15\nwheelbase = 0.0",
            "aerodynamics.wheelbase = 0 m: must be finite and > 0",
        ),
        (
            "area = 2.15\nliftfront = 0.1",
            "aerodynamics.liftfront = 0.1: unknown key, did you mean lift_front?",
        ),
        (
            "area = 2.15\nby_yaw_deg = { yawn = [[0.0, 1.0]] }",
            "aerodynamics.by_yaw_deg.yawn = [[0.0, 1.0]]: unknown key, did you mean yaw?",
        ),
        (
            "area = 2.15\nby_yaw_deg = { drag = [[9.0, 1.0], [3.0, 1.1]] }",
            "aerodynamics.by_yaw_deg.drag.[1].x = 0.05235988: must be above the point before",
        ),
        (
            "area = 2.15\nground_effect = { drag = [[0.0, -1.0]] }",
            "aerodynamics.ground_effect.drag.[0].y = -1: must be >= 0",
        ),
    ] {
        let text = sedan_with("area = 2.15 ", to);
        assert!(text.contains(fault), "{text}");
    }
    let text = sedan_with("drag = 0.30", "drag = -0.3");
    assert!(
        text.contains("aerodynamics.drag = -0.3: must be >= 0"),
        "{text}"
    );
}

#[test]
fn faults_are_in_the_order_of_the_file() {
    let sedan = SEDAN;
    let changed = sedan
        .replacen("model = \"street\"", "model = \"sreet\"", 1)
        .replacen("mass = 1500.0", "mass = 0.0", 1)
        .replacen("sweeps = 1", "sweep = 1", 1)
        .replacen("max_torque = 950.0", "max_torque = -1.0", 1);
    let error = Car::parse(&changed, "sedan.toml").unwrap_err().to_string();
    let lines: Vec<usize> = error
        .lines()
        .filter_map(|line| {
            line.strip_prefix("sedan.toml:")?
                .split(':')
                .next()?
                .parse()
                .ok()
        })
        .collect();
    assert!(lines.len() >= 4 && lines.is_sorted(), "{error}");
}

#[test]
fn a_missing_table_is_one_fault() {
    let sedan = SEDAN;
    for table in ["[chassis]", "[drivetrain.engine]", "[tires.street]"] {
        let start = sedan.find(table).expect("the sedan has it");
        let end = sedan[start..]
            .find("\n\n")
            .map_or(sedan.len(), |length| start + length);
        let without = format!("{}{}", &sedan[..start], &sedan[end..]);
        let error = Car::parse(&without, "sedan.toml").unwrap_err().to_string();
        assert!(error.contains("1 fault(s)"), "{table}: {error}");
        let path = table.trim_matches(['[', ']']);
        let path = path.strip_suffix(".street").unwrap_or(path);
        assert!(
            error.contains(&format!("{path} = nothing: must be given")),
            "{error}"
        );
    }
    let three_lines = "schema = 4\nname = 'a'\nprofile = 'default'";
    let error = Car::parse(three_lines, "a.toml").unwrap_err().to_string();
    let lacks = ["chassis", "axles", "tires", "drivetrain"];
    assert!(error.contains("4 fault(s)"), "{error}");
    assert!(
        lacks
            .iter()
            .all(|key| error.contains(&format!("a.toml: {key} = nothing"))),
        "{error}"
    );
}

#[test]
fn unknown_keys_and_bad_values_are_found_together() {
    let text = sedan_with("mass = 1500.0", "mass = nan\nmas = 3");
    assert!(
        text.contains("chassis.mas = 3: unknown key, did you mean mass?"),
        "{text}"
    );
    assert!(text.contains("chassis.mass = NaN kg"), "{text}");
    assert!(
        text.contains("2 fault(s)"),
        "consequences of a fault are not faults: {text}"
    );
}

#[test]
fn missing_wheels_are_reported_with_all_other_faults() {
    let text = sedan_with("wheels = [0, 1, 2, 3]", "wheels = [0, 1, 2, 9]\nextra = 1");
    assert!(
        text.contains("drivetrain.differential.wheels[3] = 9: must name a wheel, 0..4"),
        "{text}"
    );
    assert!(text.contains("drivetrain.differential.extra = 1"), "{text}");
}

#[test]
fn settings_of_the_rows_solver_are_checked_under_their_own_key() {
    let text = sedan_with("max_substep = 0.016666668", "max_substep = 0.0");
    assert!(
        text.contains(": rows.max_substep = 0 s: must be within 0.00001..=1"),
        "{text}"
    );
    let text = sedan_with("sweeps = 1", "sweep = 1");
    assert!(
        text.contains("rows.sweep = 1: unknown key, did you mean sweeps?"),
        "{text}"
    );
    let text = sedan_with("solver = \"rows\"", "solver = \"row\"");
    assert!(text.contains(": solver = \"row\""), "{text}");
    let text = sedan_with(
        "bump_stop_stiffness = 275000.0",
        "bump_stop_stiffness = -1.0",
    );
    let rule = "axles[0].suspension.bump_stop_stiffness = -1 N/m: must be finite and > 0";
    assert!(text.contains(rule), "{text}");
}

/// A suspension as a constraint: spring, damper and limit by the mass that it carries.
#[test]
fn a_suspension_may_be_a_constraint() {
    let (spring, damper) = ("stiffness = 27500.0, ", "damping = 2600.0, ");
    let stop = "bump_stop_stiffness = 275000.0, ";
    let all = format!("{spring}{damper}{stop}");
    let constraint = "constraint = { frequency = 3.0, damping_ratio = 0.7 }, ";
    let car = sedan(&all, constraint);
    let strut = &car.spec().params.wheels[0].suspension;
    let omega = 3.0 * core::f32::consts::TAU;
    let mass = strut.sprung_mass;
    assert!((strut.stiffness / (omega * omega * mass) - 1.0).abs() < 1e-6);
    assert!((strut.damping.mean_rate() / (1.4 * omega * mass) - 1.0).abs() < 1e-6);
    let stop_omega = (strut.bump_stop_stiffness / mass).sqrt();
    assert!((stop_omega / core::f32::consts::TAU - 20.0).abs() < 1e-3);
    for (to, rule) in [
        (
            "",
            "axles[0].suspension.stiffness = nothing: must be given, or `constraint`",
        ),
        (
            spring,
            "axles[0].suspension.damping = nothing: must be given, or `constraint`",
        ),
        (
            "damping = 1.0, constraint = { frequency = 3.0, damping_ratio = 0.7 }, ",
            "axles[0].suspension.damping = given: a constraint has its own",
        ),
        (
            "constraint = { frequency = 0.0, damping_ratio = 0.7 }, ",
            "axles[0].suspension.constraint.frequency = 0 Hz: must be finite and > 0",
        ),
    ] {
        let text = sedan_with(&all, to);
        assert!(text.contains(rule), "{text}");
    }
}

/// The sedan with one of its commented-out tables, changed.
pub(super) fn sedan_uncommented(table: &str, from: &str, to: &str) -> Result<Car, FileError> {
    let text = SEDAN;
    let start = text.find(table).expect("the sedan shows the table");
    let end = start + text[start..].find("\n\n").expect("it ends");
    let table = text[start..end].replace("\n# ", "\n").replacen("# ", "", 1);
    assert!(table.contains(from), "{table}");
    let table = table.replacen(from, to, 1);
    let swept = format!("{}{table}{}", &text[..start], &text[end..]);
    Car::parse(&swept, "car.toml")
}

/// The sedan, changed.
fn sedan(from: &str, to: &str) -> Car {
    let text = SEDAN;
    assert!(text.contains(from), "the sedan has {from:?}");
    Car::parse(&text.replacen(from, to, 1), "sedan.toml").unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_damper_is_one_rate_or_one_for_each_direction() {
    let table = "damping = { bump = { rate = 2000.0, knee = { speed = 0.4, rate = 700.0 } }, \
                 rebound = { rate = 3200.0 } }";
    let params = sedan("damping = 2600.0", table).model().params().clone();
    let damping = params.wheels[1].suspension.damping;
    assert_eq!(damping.bump.knee.map(|knee| knee.rate), Some(700.0));
    assert_eq!(damping.rebound.rate, 3200.0);
    assert!(params.wheels[2].suspension.damping.is_linear());
    let text = sedan_with("damping = 2600.0", &table.replace("700.0", "-1.0"));
    let rule = "axles[0].suspension.damping.bump.knee.rate = -1 N·s/m: must be finite and >= 0";
    assert!(text.contains(rule), "{text}");
    let text = sedan_with("damping = 2600.0", &table.replace("knee", "kne"));
    assert!(text.contains("damping.bump.kne = "), "{text}");
    let text = sedan_with("damping = 2600.0", "damping = -3");
    assert!(
        text.contains("axles[0].suspension.damping = -3 N·s/m"),
        "{text}"
    );
}

#[test]
fn compliance_is_mirrored_and_checked() {
    let tables = "[axles.compliance]\ntoe_deg = [[-0.1, 0.2], [0.1, -0.4]]\n\
                  tire_point = [[0.0, [0.0, 0.03, 0.0]]]\n\n[[axles]]\nname = \"rear\"";
    let rear = "[[axles]]\nname = \"rear\"";
    let wheels = sedan(rear, tables).model().params().wheels.clone();
    let toe = |n: usize| wheels[n].compliance.toe[0].1;
    assert!(
        (toe(1) - 0.2_f32.to_radians()).abs() < 1e-7,
        "inwards is left"
    );
    assert_eq!(toe(0), -toe(1));
    let outwards = |n: usize| wheels[n].compliance.tire_point[0].1.y;
    assert_eq!((outwards(0), outwards(1)), (0.03, -0.03));
    assert!(wheels[2].compliance.is_none());
    let text = sedan_with(rear, &tables.replace("[-0.1, 0.2]", "[0.1, 0.2]"));
    let rule = "axles[0].compliance.toe.[1].jounce = 0.1 m: must be above the point before";
    assert!(text.contains(rule), "{text}");
}

/// The sedan on tires from a file, the right ones mirrored, in a folder of its own.
fn sedan_on(name: &str, tire: &str) -> Result<Car, FileError> {
    let text = SEDAN;
    let fit = text.matches("tire = { model = \"street\"").count();
    assert!(fit > 0, "the sedan has {fit} axles on such tires");
    let right = "tire = { model = \"street\", right = \"mirrored\"";
    let text = text.replace("tire = { model = \"street\"", right);
    let table = "model = \"magic-formula\"\nfile = \"rubber/tire.tir\"";
    let tires = format!("[tires.mirrored]\n{table}\nmirrored = true\n[tires.street]\n{table}\n");
    let start = text.find("[tires.street]").expect("it has them");
    let end = start + text[start..].find("\n\n").expect("they end");
    let text = format!("{}{tires}{}", &text[..start], &text[end..]);
    let folder = std::env::temp_dir().join(format!("sedan-{}-{name}", std::process::id()));
    fs::create_dir_all(folder.join("rubber")).unwrap();
    fs::write(folder.join("rubber/tire.tir"), tire).unwrap();
    fs::write(folder.join("sedan.toml"), text).unwrap();
    let car = Car::load(folder.join("sedan.toml"));
    fs::remove_dir_all(folder).unwrap();
    car
}

#[test]
fn tires_from_files_are_inlined_in_the_spec() {
    let (_, tire) = tire_models::presets::FILES[0];
    let car = sedan_on("sound", tire).unwrap_or_else(|error| panic!("{error}"));
    let model = car.model();
    let models: Vec<usize> = model.params().wheels.iter().map(|w| w.tire.model).collect();
    assert_eq!(
        models,
        [1, 0, 1, 0],
        "left, right; names stand in alphabetical order"
    );
    let rebuilt = car
        .spec()
        .build(&crate::document::Registries::with_builtins());
    assert_eq!(rebuilt.unwrap().params(), model.params());
}

#[test]
fn a_fault_of_a_tires_file_names_both_files_line_and_key() {
    let (_, tire) = tire_models::presets::FILES[0];
    let at = tire
        .lines()
        .position(|line| line.starts_with("PDY1"))
        .unwrap();
    let lines = tire.lines().enumerate();
    let lines: Vec<_> = lines
        .map(|(n, l)| if n == at { "PDY1 = soft" } else { l })
        .collect();
    let error = sedan_on("soft", &lines.join("\n")).unwrap_err().to_string();
    let fault = ": tires.mirrored.file = \"rubber/tire.tir\": ";
    assert!(error.contains(fault), "{error}");
    let place = format!("tire.tir:{}: PDY1: not a number: \"soft\"", at + 1);
    assert!(error.contains(&place), "{error}");
    let text = sedan_with("model = \"street\"", "model = \"street\", right = \"rode\"");
    let rule = "axles[0].tire.right = \"rode\": must name one of the tires: street";
    assert!(text.contains(rule), "{text}");
}

#[test]
fn the_load_on_the_coupling_is_not_on_the_wheels() {
    let coupling =
        |load: &str| format!("[coupling]\nposition = [1.3, 0.0, 0.6]\nload = {load}\n\n[chassis]");
    // Nose-heavy, and tail-heavy.
    for load in [200.0, -200.0] {
        let car = sedan("[chassis]", &coupling(&format!("{load:?}")));
        let params = car.model().params().clone();
        assert_eq!(params.chassis.support.map(|s| s.mass), Some(load));
        let (mut sum, mut moment) = (load, Vec3::X * 1.3 * load);
        for wheel in &params.wheels {
            sum += wheel.suspension.sprung_mass;
            moment += wheel.position * wheel.suspension.sprung_mass;
        }
        assert!((sum - car.mass()).abs() < 1e-3);
        assert!((moment / sum - car.center_of_mass()).truncate().length() < 1e-5);
    }
    let fault = |load: &str| sedan_with("[chassis]", &coupling(load));
    let text = fault("1500.0");
    let rule = ": coupling.load = 1500 kg: must be below chassis.mass = 1500 kg";
    assert!(text.contains(rule), "{text}");
    assert!(text.contains("1 fault(s)"), "{text}");
    let text = fault("1300.0");
    let rule = "coupling.load = 1300 kg: must leave some weight to every wheel";
    assert!(text.contains(rule) && text.contains("1 fault(s)"), "{text}");
    let text = fault("nan");
    assert!(text.contains("coupling.load = NaN kg"), "{text}");
}

/// A center of mass outside the wheels is one fault, by its name, without one for each wheel that would carry a negative load.
#[rstest]
#[case::behind("-1.6, 0.0, 0.54", "(-1.6, 0) m")]
#[case::beside("0.14, 0.9, 0.54", "(0.14, 0.9) m")]
fn a_center_of_mass_outside_the_wheels_is_told_by_that_name(
    #[case] center: &str,
    #[case] told: &str,
) {
    let text = sedan_with(
        "center_of_mass = [0.14, 0.0, 0.54]",
        &format!("center_of_mass = [{center}]"),
    );
    let rule = format!(
        "chassis.center_of_mass = {told}: lies outside the wheels, or too close to their edge: it must leave some weight to \
         every wheel; they stand within x = -1.36 to 1.36 m, y = -0.78 to 0.78 m"
    );
    assert!(
        text.contains(&rule) && text.contains("1 fault(s)"),
        "{text}"
    );
}

#[test]
fn springs_and_side_forces_have_their_keys() {
    let keys = "stiffness = 27500.0, spring = \"pure\", roll_influence = 0.4";
    let wheels = sedan("stiffness = 27500.0", keys)
        .model()
        .params()
        .wheels
        .clone();
    assert!(wheels[0].suspension.free_at_droop);
    assert_eq!(wheels[1].suspension.roll_influence, 0.4);
    assert_eq!(wheels[2].suspension.roll_influence, 1.0);
    let text = sedan_with("stiffness = 27500.0", &keys.replace("0.4", "1.4"));
    assert!(
        text.contains("axles[0].suspension.roll_influence = 1.4"),
        "{text}"
    );
    let text = sedan_with("stiffness = 27500.0", &keys.replace("pure", "poor"));
    assert!(text.contains("suspension.spring = \"poor\""), "{text}");
    let car = sedan(
        "solver = \"rows\"",
        "limit_expansion = true\nsolver = \"rows\"",
    );
    assert!(car.model().params().profile.limit_expansion);
    let acting = |keys: &str| {
        let profile = &sedan("profile = \"default\"", keys)
            .model()
            .params()
            .profile
            .clone();
        profile.tire_moments
    };
    assert!(acting("profile = \"default\"") && !acting("profile = \"physx-4\""));
    assert!(!acting("profile = \"default\"\ntire_moments = false"));
    assert!(acting("profile = \"physx-4\"\ntire_moments = true"));
    let text = sedan_with("solver = \"rows\"", "tire_moments = 1\nsolver = \"rows\"");
    assert!(text.contains("tire_moments = 1"), "{text}");
    let car = sedan(
        "solver = \"rows\"\nprofile = \"default\"",
        "solver = \"explicit\"\nprofile = \"physx-5\"",
    );
    assert_eq!(
        car.model().params().profile.explicit().unwrap().stops,
        ExplicitSettings::PHYSX_5.stops
    );
}

#[test]
fn another_schema_and_another_tire_are_refused() {
    assert!(sedan_with("schema = 4", "schema = 5").contains("schema = 5: must be 1 to 4"));
    let text = sedan_with("model = \"street\"", "model = \"sreet\"");
    assert!(text.contains("axles[0].tire.model = \"sreet\""), "{text}");
}

#[test]
fn a_direct_drive_is_read_and_its_indices_are_checked() {
    let text = SEDAN;
    let start = text.find("[drivetrain]").expect("the sedan has one");
    let direct = |torques: &str| {
        let drive = "[drivetrain]\nmodel = \"direct\"\nmax_torques = ";
        Car::parse(&format!("{}{drive}{torques}", &text[..start]), "e.toml")
    };
    assert!(direct("[300, 300, 0, 0]").is_ok());
    let error = direct("[1, 1, 1, 1, 1]").unwrap_err().to_string();
    assert!(error.contains("drivetrain.max_torques"), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let error = Car::load("no/such.toml").unwrap_err().to_string();
    assert!(error.starts_with("no/such.toml: "), "{error}");
}

#[test]
fn a_car_rides_where_its_wheels_stand_on_level_ground() {
    // Its center of mass stands at 0.54 m over the ground, on wheels of 0.32 m at that height.
    assert!((presets::sedan().ride_height() - 0.54).abs() < 1e-6);
    let lifted = sedan("radius = 0.32", "radius = 0.32\nz = 0.42");
    assert!((lifted.ride_height() - 0.44).abs() < 1e-6);
}
