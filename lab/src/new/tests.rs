use super::*;
use crate::lint::{Severity, lint};
use clap::Parser;
use rstest::rstest;
use std::path::Path;

#[derive(Parser)]
struct NewLine {
    #[command(flatten)]
    args: NewArgs,
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("new-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the command on a file of its own, with options and answers: what it says, what it asks, and the car.
fn run(name: &str, options: &str, answers: &str) -> (Result<String, String>, String, Option<Car>) {
    let folder = folder(name);
    let path = folder.join("my-car.toml");
    let line = ["jounce", &path.display().to_string()].map(str::to_owned);
    let options = options
        .split_whitespace()
        .map(|word| word.replace('_', " "));
    let args = NewLine::parse_from(line.into_iter().chain(options)).args;
    let mut asked = Vec::new();
    let told = new_with(&args, &mut answers.as_bytes(), &mut asked);
    let car = path.exists().then(|| Car::load(&path).unwrap());
    fs::remove_dir_all(&folder).unwrap();
    let told = told.map_err(|error| error.to_string());
    (told, String::from_utf8(asked).unwrap(), car)
}

fn number(text: &str, line: &str) -> f64 {
    let line = text.lines().find(|found| found.contains(line)).expect(text);
    let mut words = line.split_whitespace();
    words.find_map(|word| word.parse().ok()).expect(line)
}

/// Published cars: the file reaches 100 km/h in about the time of the data sheet, without any number but the sheet's.
#[rstest]
#[case::mx_5(
    "mx-5",
    "--power 135 --power-at 7000 --torque 205 --torque-at 4000 --redline 7500 --mass 1130 --wheelbase 2.31 --tires 205/45R17 --drive rear",
    6.5
)]
#[case::golf(
    "golf",
    "--power 110 --power-at 5000 --torque 250 --torque-at 1500-3500 --mass 1340 --wheelbase 2.636 --tires 225/45_R17",
    8.5
)]
#[case::passat(
    "passat",
    "--power 103kW --power-at 4000 --torque 320Nm --torque-at 1750-2500 --mass 1526 --wheelbase 2709mm --tires 205/55_R16",
    9.8
)]
#[case::small(
    "small",
    "--power 75PS --power-at 6200 --torque 95 --torque-at 3000 --mass 1005 --wheelbase 2.407 --tires 165/70_R14",
    13.5
)]
fn the_time_to_100_is_near_that_of_data_sheets(
    #[case] name: &str,
    #[case] sheet: &str,
    #[case] time: f64,
) {
    let (told, asked, car) = run(name, &format!("-y {sheet} --zero-to-100 {time}"), "");
    let told = told.unwrap();
    println!("{name}: {told}");
    let reached = number(&told, "0-100 km/h");
    assert!((reached / time - 1.0).abs() < 0.15, "{name}: {told}");
    assert_eq!(asked, "");
    let car = car.unwrap();
    // Among others: it stops by its brakes, and stays.
    let findings = lint(&car, 1.0 / 60.0).unwrap();
    let grave: Vec<_> = findings
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .collect();
    assert!(grave.is_empty(), "{name}: {grave:?}");
    let targets = car.targets;
    assert!((f64::from(targets[0].value) - time).abs() < 1e-5);
}

/// A plateau of power is held over all of its speeds.
#[test]
fn power_may_be_given_over_a_range_of_speeds() {
    let sheet = "-y --power 110 --power-at 5000-6000 --torque 250 --torque-at 1500-3500";
    let (_, _, car) = run("plateau", sheet, "");
    let told = crate::check::describe(&car.unwrap());
    let power = number(&told, "engine: ");
    // The torque is linear between both speeds: 0.8 % above what the power needs in their middle.
    assert!((power - 110.0).abs() < 1.1, "{told}");
    let (told, _, _) = run("reversed", "-y --power-at 6000-5000", "");
    let told = told.unwrap_err();
    assert!(
        told.contains("--power-at = 6000 rpm: must be within 500 and 5000"),
        "{told}"
    );
}

/// A tall car has more air to push aside, and carries its mass higher.
#[test]
fn height_sets_the_frontal_area_and_the_center_of_mass() {
    let sheet =
        "-y --power 105 --power-at 3800 --torque 330 --mass 2500 --wheelbase 3.665 --drive rwd";
    let top = |name: &str, height: &str| {
        let (told, _, car) = run(name, &format!("{sheet}{height}"), "");
        (number(&told.unwrap(), "top speed"), car.unwrap())
    };
    let ((low, _), (high, van)) = (top("low", ""), top("high", " --height 2400mm"));
    assert!(high < 0.9 * low, "{high} km/h, {low} km/h");
    assert!((van.center_of_mass().z - 0.37 * 2.4).abs() < 1e-3);
    assert!((van.hull.center.z + 0.5 * van.hull.size.z - 2.245).abs() < 1e-3);
}

/// The command asks at the end for data that would still help, and for nothing that was given.
#[test]
fn only_what_was_not_given_is_asked_for_at_the_end() {
    let (told, _, _) = run("nothing", "-y", "");
    assert!(
        told.unwrap()
            .contains("with --gears, --final-drive, --height, --drag it")
    );
    let sheet = "-y --gears 3.5,2,1.4,1,0.8 --final-drive 4 --height 1.5 --drag 0.3";
    let (told, _, _) = run("everything", sheet, "");
    assert!(told.unwrap().ends_with("jounce drive\n"));
}

/// Numbers in the other unit of data sheets are reported with the form to write.
#[test]
fn numbers_in_another_unit_are_recognized() {
    let sheet = "-y --power 184 --power-at 7000 --torque 205 --mass 1.13 --wheelbase 2310";
    let (told, _, _) = run("units", sheet, "");
    let told = told.unwrap_err();
    for part in [
        "184hp or 184PS",
        "if it is in t, write 1.13t",
        "write 2310mm",
    ] {
        assert!(told.contains(part), "{part} in\n{told}");
    }
    assert!(!told.contains("--track"), "it was not given: {told}");
    let (told, _, _) = run("no-units", "-y --power 900 --torque 205", "");
    assert!(!told.unwrap_err().contains("hp"), "no horsepower either");
}

/// A heavier car with the same engine is slower: the check drives the file.
#[test]
fn what_is_told_is_of_the_written_car() {
    let time = |mass: &str| {
        let (told, _, car) = run(mass, &format!("-y --mass {mass}"), "");
        assert_eq!(car.unwrap().mass().to_string(), mass);
        number(&told.unwrap(), "0-100 km/h")
    };
    assert!(time("2000") > 1.15 * time("1500"));
}

#[test]
fn answers_fill_what_options_leave_out() {
    let answers = "200\n6000\nmuch\n\n\n1400\n205/55 R16 91V\nrear\n";
    let (told, asked, car) = run("answers", "--wheelbase 2600mm", answers);
    let (told, car) = (told.unwrap(), car.unwrap());
    assert!(asked.contains("Peak power, kW [110 kW]: "), "{asked}");
    assert!(asked.contains("much: must be a number, in N·m"), "{asked}");
    assert!(!asked.contains("Wheelbase"), "{asked}");
    assert!(told.contains("km/h"), "{told}");
    let params = &car.spec().params;
    assert_eq!(params.chassis.mass, 1400.0);
    assert!((params.wheels[0].position.x - 1.3).abs() < 1e-6);
    assert!(
        (params.wheels[0].radius - 0.3067).abs() < 1e-4,
        "{}",
        params.wheels[0].radius
    );
    assert!(
        car.description.contains("rear-wheel drive"),
        "{}",
        car.description
    );
}

#[test]
fn every_contradiction_is_told_at_once() {
    let sheet =
        "-y --power 135 --power-at 7000 --torque 150 --mass 50 --torque-at 9000 --tires 205/55R160";
    let (told, _, car) = run("faults", sheet, "");
    let told = told.unwrap_err();
    for part in [
        "--torque = 150 N·m: must be at least what 135 kW at 7000 rpm are: 184.2 N·m",
        "--torque-at = 9000 rpm: must be within 100 and 7000",
        "--mass = 50 kg: must be within 200 and 10000",
        "--tires: rim = 160 in: must be",
    ] {
        assert!(told.contains(part), "{part} in\n{told}");
    }
    assert!(car.is_none(), "nothing is written");
}

#[test]
fn a_file_is_not_overwritten_unasked() {
    let folder = folder("kept");
    let path = folder.join("car.toml");
    fs::write(&path, "mine").unwrap();
    let run = |path: &Path, options: &[&str]| {
        let line = [
            "jounce".to_owned(),
            path.display().to_string(),
            "-y".to_owned(),
        ];
        let options = options.iter().map(|word| (*word).to_owned());
        let args = NewLine::parse_from(line.into_iter().chain(options)).args;
        new_with(&args, &mut io::empty(), &mut Vec::new())
    };
    let error = run(&path, &[]).unwrap_err().to_string();
    let kept = fs::read_to_string(&path).unwrap();
    let forced = run(&path, &["--force"]);
    let absent = run(&folder.join("no/car.toml"), &[]);
    fs::remove_dir_all(&folder).unwrap();
    assert!(error.contains("--force") && kept == "mine", "{error}");
    assert!(forced.is_ok() && absent.is_err());
}

/// Cars far from any preset are cars, too: no fault, all places of the template filled.
#[rstest]
#[case::kart(
    "--power 15 --power-at 9000 --torque 18 --mass 250 --wheelbase 1.2 --track 1.1 --tires 110/50_R8 --drive rear"
)]
#[case::van(
    "--power 120 --power-at 3500 --torque 380 --torque-at 1500-2500 --mass 3500 --wheelbase 3.7 --tires 225/75_R16 --drive rear --front-weight 45"
)]
#[case::electric(
    "--power 200 --power-at 5000 --torque 400 --torque-at 100-4700 --redline 15000 --mass 1900 --wheelbase 2.9 --tires 235/45_R18 --drive all --gears 1 --final-drive 9"
)]
#[case::three_gears("--gears 2.8,1.5,1.0 --top-speed 170")]
fn other_cars_are_written_too(#[case] sheet: &str) {
    let name = format!("other-{}", sheet.len());
    let (told, _, car) = run(&name, &format!("-y {sheet}"), "");
    println!("{}", told.unwrap());
    let car = car.unwrap();
    assert!(car.ride_height() > 0.2 && !car.description.contains('@'));
}

#[rstest]
#[case("205/55 R16", 0.6319)]
#[case("P245/40ZR18 97Y", 0.6532)]
fn sizes_of_tires_are_read(#[case] text: &str, #[case] diameter: f64) {
    let size: TireSize = text.parse().unwrap();
    assert!(
        (size.diameter() - diameter).abs() < 1e-3,
        "{}",
        size.diameter()
    );
}

#[rstest]
#[case("205")]
#[case("205-55-16")]
#[case("R16")]
fn other_texts_are_no_sizes(#[case] text: &str) {
    assert!(text.parse::<TireSize>().is_err());
}
