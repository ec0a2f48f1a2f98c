//! Unsprung masses of axles.

use super::*;
use rstest::rstest;

const HUB: &str = "unsprung = { mass = 42.0, tire_stiffness = 210000.0, tire_damping = 120.0 }";

/// The sedan with this line on each axle.
fn sedan(lines: [&str; 2]) -> Result<Car, FileError> {
    let text = presets::BENCHMARK_SEDAN;
    let parts: Vec<&str> = text.split("\n[[axles]]\n").collect();
    let [head, front, rear] = parts[..] else {
        panic!("the sedan has two axles");
    };
    let axle = |part: &str, line: &str| format!("\n[[axles]]\n{line}\n{part}");
    let text = format!("{head}{}{}", axle(front, lines[0]), axle(rear, lines[1]));
    Car::parse(&text, "sedan.toml")
}

/// Springs carry what is sprung, and all together is the car.
#[test]
fn springs_carry_what_is_sprung() {
    let (plain, hopping) = (sedan(["", ""]).unwrap(), sedan([HUB; 2]).unwrap());
    let wheels = |car: &Car| car.model().params().wheels.clone();
    for (plain, wheel) in wheels(&plain).iter().zip(wheels(&hopping)) {
        let unsprung = wheel.unsprung.unwrap();
        let found = [
            unsprung.mass,
            unsprung.tire_stiffness,
            unsprung.tire_damping,
        ];
        assert_eq!(found, [42.0, 210_000.0, 120.0]);
        let carried = wheel.suspension.sprung_mass + 42.0;
        assert!((carried - plain.suspension.sprung_mass).abs() < 1e-3);
        assert_eq!(wheel.suspension.stiffness, plain.suspension.stiffness);
    }
}

#[rstest]
#[case::one_axle([HUB, ""], "axles[1].unsprung = false: all wheels have an unsprung mass, or none")]
#[case::mass(["unsprung = { mass = -1.0, tire_stiffness = 2e5 }", HUB],
    "axles[0].unsprung.mass = -1 kg: must be finite and > 0")]
#[case::stiffness([HUB, "unsprung = { mass = 40.0, tire_stiffness = 0.0 }"],
    "axles[1].unsprung.tire_stiffness = 0 N/m: must be finite and > 0")]
#[case::damping([HUB, "unsprung = { mass = 40.0, tire_stiffness = 2e5, tire_damping = -3.0 }"],
    "axles[1].unsprung.tire_damping = -3 N·s/m: must be finite and >= 0")]
#[case::missing(["unsprung = { mass = 40.0 }", HUB],
    "axles[0].unsprung.tire_stiffness = nothing: must be given: tires.street has no VERTICAL_STIFFNESS of a .tir file")]
#[case::unknown(["unsprung = { mass = 40.0, tire_stiffness = 2e5, damping = 1.0 }", HUB], "axles[0].unsprung.damping")]
#[case::too_heavy(["unsprung = { mass = 220.0, tire_stiffness = 2e5 }"; 2],
    "chassis.mass = 1500 kg: includes that of the unsprung masses, which must be at most half: 880 kg")]
fn faults_of_unsprung_masses_are_named(#[case] lines: [&str; 2], #[case] expected: &str) {
    let text = sedan(lines).unwrap_err().to_string();
    assert!(text.contains(expected), "{text}");
}

/// The suv with this line on each axle, on its measured tires or on others.
fn suv(line: &str, tire: [&str; 2]) -> Result<Car, FileError> {
    let suv = presets::FILES.iter().find(|(name, _)| *name == "suv");
    let (_, text) = suv.unwrap();
    let text = text.replace("\n[[axles]]\n", &format!("\n[[axles]]\n{line}\n"));
    let [from, to] = tire;
    assert!(text.contains(from));
    Car::parse(&text.replace(from, to), "suv.toml")
}

const PRESET: &str = "preset = \"suv-255-55-r20\"";
const RIGHT: &str = "model = \"magic-formula\"\npreset = \"suv-255-55-r20\"\nmirrored = true";

/// A measured tire's own stiffness and damping, mirrored or beneath what modifies it, unless the axle has others.
#[rstest]
#[case::tires("unsprung = { mass = 45.0 }", [PRESET; 2], [314_931.3, 500.0])]
#[case::stiffness("unsprung = { mass = 45.0, tire_stiffness = 2e5 }", [PRESET; 2], [200_000.0, 500.0])]
#[case::damping("unsprung = { mass = 45.0, tire_damping = 0.0 }", [PRESET; 2], [314_931.3, 0.0])]
#[case::changed("unsprung = { mass = 45.0 }",
    [PRESET, "preset = \"suv-255-55-r20\"\ncoefficients = { VERTICAL_STIFFNESS = 250000 }"], [250_000.0, 500.0])]
#[case::beneath("unsprung = { mass = 45.0 }",
    [RIGHT, "model = \"relaxing\"\nrelaxation_length = [0.3, 0.5]\nlaw = { model = \"magic-formula\", preset = \"suv-255-55-r20\", mirrored = true }"],
    [314_931.3, 500.0])]
fn a_measured_tire_tells_how_it_gives(
    #[case] line: &str,
    #[case] tire: [&str; 2],
    #[case] expected: [f32; 2],
) {
    let car = suv(line, tire).unwrap();
    for wheel in &car.model().params().wheels {
        let found = wheel.unsprung.unwrap();
        assert_eq!([found.tire_stiffness, found.tire_damping], expected);
    }
}

/// An invalid tire is one fault, without faults of the axle that follow from it.
#[test]
fn an_invalid_tire_is_one_fault() {
    let to = "preset = \"none\"";
    let text = suv("unsprung = { mass = 45.0 }", [PRESET, to])
        .unwrap_err()
        .to_string();
    assert!(
        text.contains("tires.left.preset") && !text.contains("unsprung"),
        "{text}"
    );
}

#[test]
fn the_explicit_solver_has_none() {
    let text = presets::BENCHMARK_SEDAN;
    let text = text.replace("\n[[axles]]\n", &format!("\n[[axles]]\n{HUB}\n"));
    let explicit = text.replace("solver = \"rows\"", "solver = \"explicit\"");
    assert_ne!(text, explicit);
    let error = Car::parse(&explicit, "sedan.toml").unwrap_err().to_string();
    let expected = "axles[0].unsprung = given: needs the rows solver";
    assert!(error.contains(expected), "{error}");
}
