//! `jounce check`: every fault of a vehicle file, or a description of the vehicle; with `--targets`, what it does.

use core::fmt::Write as _;
use std::path::Path;

use clap::Args;
use jounce::core::VehicleModel;
use jounce::core::params::WheelParams;
use jounce::file::{Car, TargetVerdict};
use jounce::tires::tir::Reading;
use proving_ground::gears::{engine_peaks, gear_reaches};
use proving_ground::performance::measure;

use crate::error::LabError;
use crate::lint::implausible;
use crate::migrate::migrate;
use crate::tire::named_tires;
use jounce::presets;

/// Options of `jounce check`.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// Vehicle file, or the name of a preset
    pub vehicle: String,
    /// Treat warnings about .tir files as errors
    #[arg(long)]
    pub strict: bool,
    /// Drive the vehicle, and compare what it does with the table `[target]` of its file
    #[arg(long)]
    pub targets: bool,
    /// Rewrite the file in the newest schema; its comments stay
    #[arg(long, conflicts_with = "targets")]
    pub migrate: bool,
}

/// The result of `jounce check`.
#[derive(Clone, Debug)]
pub struct CheckOutcome {
    /// The output.
    pub text: String,
    /// Whether the vehicle misses a target that its file does not list as missed, or meets one that it lists.
    pub failed: bool,
}

/// Runs `jounce check` and returns its output: a description of the car, and oddities of the `.tir`
/// files and preset tires that it names; or its targets.
///
/// # Errors
/// With every fault of the file; under `strict` also with the first oddity of a `.tir` file.
pub fn check_command(args: &CheckArgs) -> Result<CheckOutcome, LabError> {
    if args.migrate {
        return Ok(CheckOutcome {
            text: migrate(Path::new(&args.vehicle))?,
            failed: false,
        });
    }
    let car = presets::load(&args.vehicle)?;
    if args.targets {
        return targets(&car);
    }
    let mut text = describe(&car);
    for finding in implausible(&car) {
        let _ = writeln!(text, "implausible: {finding}");
    }
    let reading = if args.strict {
        Reading::Strict
    } else {
        Reading::Tolerant
    };
    for tire in named_tires(&args.vehicle, &car, reading)? {
        let _ = write!(text, "{tire}");
    }
    Ok(CheckOutcome {
        text,
        failed: false,
    })
}

/// Compares a car with the figures of cars of its class.
fn targets(car: &Car) -> Result<CheckOutcome, LabError> {
    let figures: Vec<_> = car.targets.iter().map(|target| target.figure).collect();
    let measured = measure(car, &figures)?;
    let mut text = format!("{}: {}\n", car.name, car.description);
    let mut failed = false;
    if car.targets.is_empty() {
        text += "  no table [target]\n";
    }
    for (target, measured) in car.targets.iter().zip(measured) {
        let (verdict, figure) = (target.verdict(measured), target.figure);
        failed |= verdict.fails();
        let word = match verdict {
            TargetVerdict::Within => "in",
            TargetVerdict::KnownMiss => "known",
            TargetVerdict::Missed => "OUT",
            TargetVerdict::NoLongerMissed => "IN",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {word:<6}{:<21}{measured:>8.2}  target {:>6} ± {:<4} {:<5} {}",
            figure.key(),
            target.value,
            target.tolerance,
            figure.unit(),
            target.source
        );
        if let Some(cause) = &target.missed {
            let _ = writeln!(text, "        missed: {cause}");
        }
    }
    Ok(CheckOutcome { text, failed })
}

/// A description of a car.
#[must_use]
pub fn describe(car: &Car) -> String {
    let model = car.model();
    let params = model.params();
    let mut text = format!("{}: {}\n", car.name, car.description);
    let center = car.center_of_mass();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  mass {:.0} kg, center of mass {:.2} m ahead of the origin, {:.2} m up",
        car.mass(),
        center.x,
        center.z,
    );
    let _ = writeln!(text, "  wheels {}", params.wheels.len());
    let same_axle = |a: &WheelParams, b: &WheelParams| a.position.x == b.position.x;
    for axle in params.wheels.chunk_by(same_axle) {
        let on = |w: &WheelParams| w.suspension.sprung_mass + w.unsprung_mass();
        let load: f32 = axle.iter().map(on).sum();
        let (frequency, damping) = ride(&axle[0]);
        let names: Vec<&str> = axle.iter().map(|w| w.name.as_str()).collect();
        let _ = writeln!(
            text,
            "  {}: {:.0} % of the weight, ride frequency {frequency:.2} Hz, damping ratio \
             {damping:.2}, radius {:.3} m",
            names.join(", "),
            100.0 * load / car.mass(),
            axle[0].radius,
        );
        if let Some(hub) = axle[0].unsprung {
            let rate = axle[0].suspension.stiffness + hub.tire_stiffness;
            let hop = (rate / hub.mass).sqrt() / core::f32::consts::TAU;
            let _ = writeln!(
                text,
                "    unsprung {:.0} kg each, hops at {hop:.1} Hz",
                hub.mass
            );
        }
    }
    if let Some(support) = params.chassis.support {
        let share = 100.0 * support.mass / car.mass();
        let _ = writeln!(text, "  coupling: {share:.0} % of the weight");
    }
    if let Some(engine) = engine_peaks(&model) {
        let _ = writeln!(
            text,
            "  engine: {:.0} kW at {} rpm, {:.0} N·m at {} rpm",
            1e-3 * engine.power,
            engine.power_at,
            engine.torque,
            engine.torque_at
        );
    }
    let gears = gear_speeds(&model);
    if !gears.is_empty() {
        text += "  gears, at the greatest engine speed (drag may leave less):\n";
    }
    for (gear, speed) in gears {
        let _ = writeln!(text, "    gear {gear:>2}: {:.0} km/h", speed * 3.6);
    }
    text
}

/// Natural frequency (`Hz`) and damping ratio (–) of a corner.
fn ride(wheel: &WheelParams) -> (f32, f32) {
    let s = &wheel.suspension;
    let omega = (s.stiffness / s.sprung_mass).sqrt();
    let ratio = s.damping.mean_rate() / (2.0 * (s.stiffness * s.sprung_mass).sqrt());
    (omega / core::f32::consts::TAU, ratio)
}

/// Speed of the car at the engine's maximum speed (`m/s`) in each gear; reverse is negative. Empty
/// for drives without an engine.
#[must_use]
pub fn gear_speeds(model: &VehicleModel) -> Vec<(i8, f32)> {
    let reaches = gear_reaches(model).into_iter();
    reaches.map(|reach| (reach.gear.0, reach.speed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_described() {
        for (name, _) in presets::FILES {
            let text = describe(&presets::by_name(name).unwrap());
            assert!(text.contains("ride frequency"), "{text}");
            let without = [
                "trailer",
                "semi-trailer",
                "skateboard",
                "ev-saloon",
                "ev-saloon-awd",
                "hybrid-saloon",
                "hybrid-hatchback",
            ];
            let geared = !without.contains(&name);
            assert_eq!(
                text.contains("coupling: 28 %"),
                name == "semi-trailer",
                "{text}"
            );
            assert_eq!(text.contains("gear  1"), geared, "{text}");
        }
    }

    /// A description with a power has that of the engine, net of its damping, as the line of the engine.
    #[test]
    fn descriptions_have_the_power_of_the_engine() {
        let mut powers = 0;
        for (name, _) in presets::FILES {
            let text = describe(&presets::by_name(name).unwrap());
            let before_units = text
                .split(" kW")
                .map(|part| part.rsplit(' ').next().unwrap());
            let told: Vec<f32> = before_units.filter_map(|word| word.parse().ok()).collect();
            if let [described, printed] = told[..] {
                assert!((described / printed - 1.0).abs() < 0.03, "{text}");
                powers += 1;
            }
        }
        assert!(powers >= 13, "{powers}");
    }

    /// A data sheet gives its own figures back, and a peak torque the figures that damping leaves.
    #[test]
    fn power_and_torque_are_told_as_in_a_data_sheet() {
        let text = presets::BENCHMARK_SEDAN;
        let described = |text: &str| describe(&Car::parse(text, "t").unwrap());
        // 0.93·230 N·m at 0.8 of 680 rad/s (5195 1/min), 230 N·m at 0.55 of it (3571 1/min), each less 0.05 N·m·s/rad.
        let found = described(text);
        assert!(found.contains("engine: 102 kW at "), "{found}");
        assert!(found.contains(", 211 N·m at 3570 rpm\n"), "{found}");
        let mut file: toml::Table = text.parse().unwrap();
        let engine = file["drivetrain"]["engine"].as_table_mut().unwrap();
        for key in [
            "peak_torque",
            "torque_curve",
            "damping_full_throttle",
            "max_speed",
        ] {
            engine.remove(key);
        }
        let sheet = "net_torque = [[1000, 150], [4000, 205], [6000, 200], [7000, 184]]";
        engine.extend(sheet.parse::<toml::Table>().unwrap());
        file.insert(
            "units".to_owned(),
            toml::toml! { angular_speed = "rpm" }.into(),
        );
        let found = described(&file.to_string());
        assert!(
            found.contains("engine: 135 kW at 7000 rpm, 205 N·m at 4000 rpm"),
            "{found}"
        );
    }

    #[test]
    fn gears_have_the_speeds_of_their_ratios() {
        // 680 rad/s over 3.6 × 4.05, times 0.33 m; seven gears with reverse.
        let speeds = gear_speeds(&presets::sedan().model());
        assert_eq!(speeds.len(), 7);
        let (gear, speed) = speeds[1];
        assert_eq!(gear, 1);
        assert!(
            (speed - 680.0 / (3.6 * 4.05) * 0.33).abs() < 1e-3,
            "{speed}"
        );
        assert!(speeds[0].1 < 0.0);
    }

    /// Engine speed over ground speed is the ratio of a gear, up to what all gears have in common.
    #[test]
    fn speeds_of_gears_are_as_their_ratios() {
        let model = presets::sedan().model();
        let ratios = [-3.3, 3.6, 2.05, 1.38, 1.03, 0.84, 0.7];
        for ((gear, speed), ratio) in gear_speeds(&model).into_iter().zip(ratios) {
            let whole = speed * ratio * 4.05 / 0.33;
            assert!((whole - 680.0).abs() < 0.1, "{gear}: {whole} rad/s");
        }
    }

    /// Numbers of a line of a description.
    fn numbers(text: &str, line: &str) -> Vec<f32> {
        let line = text.lines().find(|l| l.contains(line)).unwrap();
        let words = line
            .split([' ', ','])
            .map(|word| word.trim_end_matches('.'));
        words.filter_map(|word| word.parse().ok()).collect()
    }

    /// A corner that swings freely at its frequency, and axles that carry all of the car.
    #[test]
    fn a_description_has_the_numbers_of_the_file() {
        let car = presets::sedan();
        let text = describe(&car);
        assert_eq!(numbers(&text, "mass"), [1500.0, 0.14, 0.54]);
        assert_eq!(numbers(&text, "wheels"), [4.0]);
        let [front, rear] = ["front left", "rear left"].map(|line| numbers(&text, line));
        assert!((front[0] + rear[0] - 100.0).abs() <= 1.0, "{text}");
        assert!((front[0] - 55.0).abs() <= 1.0, "{text}");
        let model = car.model();
        for (found, n, share) in [(front, 0, 0.55), (rear, 2, 0.45)] {
            let s = &model.params().wheels[n].suspension;
            // Of ω² = k/m and 2ζω = c/m, with half an axle's share of the mass.
            let mass = 0.5 * share * 1500.0;
            let omega = core::f32::consts::TAU * found[1];
            assert!(
                (omega * omega * mass / s.stiffness - 1.0).abs() < 0.02,
                "{text}"
            );
            let damping = 2.0 * found[2] * omega * mass;
            assert!(
                (damping / s.damping.mean_rate() - 1.0).abs() < 0.03,
                "{text}"
            );
            assert_eq!(found[3], 0.33);
        }
        let gears = numbers(&text, "gear  1");
        assert!(
            (gears[gears.len() - 1] - 680.0 / (3.6 * 4.05) * 0.33 * 3.6).abs() < 0.5,
            "{text}"
        );
    }

    /// Every shipped vehicle is within its targets, but for those that its file says to be missed, and why.
    #[test]
    fn shipped_vehicles_do_what_their_class_does() {
        for (name, _) in presets::FILES {
            let checked = targets(&presets::by_name(name).unwrap()).unwrap();
            assert!(!checked.failed, "{}", checked.text);
            println!("{}", checked.text);
        }
    }

    /// A car with half the torque does not accelerate as its class does; one whose file says so must miss.
    #[test]
    fn other_cars_miss_their_targets() {
        let (_, text) = presets::FILES[0];
        let weak = text.replacen("peak_torque = 230.0", "peak_torque = 115.0", 1);
        let checked = targets(&Car::parse(&weak, "weak").unwrap()).unwrap();
        let out = |text: &str, key: &str| {
            text.lines()
                .any(|l| l.starts_with("  OUT") && l.contains(key))
        };
        assert!(
            checked.failed && out(&checked.text, "zero_to_100"),
            "{}",
            checked.text
        );
        assert!(out(&checked.text, "top_speed"), "{}", checked.text);
        let told = text.replacen(
            "source = \"VW Passat",
            "missed = \"heavy\"\nsource = \"VW Passat",
            1,
        );
        let checked = targets(&Car::parse(&told, "told").unwrap()).unwrap();
        assert!(
            checked.failed && checked.text.contains("  IN    zero_to_100"),
            "{}",
            checked.text
        );
    }

    #[test]
    fn faults_are_errors_with_the_file_name() {
        let args = CheckArgs {
            vehicle: "no/such.toml".to_owned(),
            strict: false,
            targets: false,
            migrate: false,
        };
        let error = check_command(&args).unwrap_err().to_string();
        assert!(error.starts_with("no/such.toml: "), "{error}");
    }

    /// The sedan on a tire of a file with an odd line, and a coefficient of its own, under another model.
    fn on_an_odd_tire(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("check-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let tire = "[MODEL]\nFITTYP = 61\nPDY1 = 0.9\nPDY1 = 1.0\nPCX1 = 2.5\nPCY1 = 1.3\nPKY1 = -18\n\
                    PKY2 = 1.8\nPDX1 = 1.1\nPKX1 = 20\nFNOMIN = 4000\nUNLOADED_RADIUS = 0.3\nRHX1 = 0\n\
                    QHZ1 = 0\n[UNITS]\nLENGTH = 'meter'\nFORCE = 'newton'\nANGLE = 'radians'\nMASS = 'kg'\nTIME = 'second'\n";
        std::fs::write(folder.join("odd.tir"), tire).unwrap();
        let mut file: toml::Table = presets::BENCHMARK_SEDAN.parse().unwrap();
        let street = "model = 'relaxing'\nrelaxation_length = [0.3, 0.5]\n\
                      law = { model = 'magic-formula', file = 'odd.tir', coefficients = { pcy1 = 1.4 } }";
        let street: toml::Table = street.parse().unwrap();
        file["tires"].as_table_mut().unwrap()["street"] = street.into();
        std::fs::write(folder.join("car.toml"), file.to_string()).unwrap();
        folder
    }

    #[test]
    fn oddities_of_tir_files_are_reported_or_refused() {
        let folder = on_an_odd_tire("odd");
        let check = |strict: bool| {
            let vehicle = folder.join("car.toml").display().to_string();
            let args = CheckArgs {
                vehicle,
                strict,
                targets: false,
                migrate: false,
            };
            check_command(&args).map(|outcome| outcome.text)
        };
        let text = check(false).unwrap();
        let error = check(true).unwrap_err().to_string();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(
            text.contains("tire street (odd.tir): 1 warning(s), 1 finding(s), "),
            "{text}"
        );
        assert!(
            text.contains("line 4: PDY1: given on line 3 already"),
            "{text}"
        );
        assert!(
            text.contains("PCX1·LCX: 2.5 is not between 0 and 2"),
            "{text}"
        );
        assert!(
            text.contains(" PEX1 ") && !text.contains(" PCY1 "),
            "{text}"
        );
        assert!(error.contains("odd.tir:4: PDY1: "), "{error}");
    }

    /// A car that is lighter than its wheels, or whose hull cannot be its own, is described, and reported.
    #[test]
    fn implausible_numbers_are_told() {
        let path = std::env::temp_dir().join(format!("light-{}.toml", std::process::id()));
        let told = |[from, to]: [&str; 2]| {
            assert!(presets::BENCHMARK_SEDAN.contains(from), "{from}");
            let text = presets::BENCHMARK_SEDAN.replacen(from, to, 1);
            std::fs::write(&path, text).unwrap();
            let args = CheckArgs {
                vehicle: path.display().to_string(),
                strict: false,
                targets: false,
                migrate: false,
            };
            check_command(&args).unwrap().text
        };
        let name = "error [wheel-masses] chassis.mass: 70 kg with wheels of 84 kg in sum: the chassis is lighter";
        for (change, finding) in [
            (["mass = 1500.0", "mass = 70.0"], name),
            (
                ["size = [4.6", "size = [4600.0"],
                "error [length-scale] hull: length 4600 m",
            ),
            (
                ["0.78]", "0.3]"],
                "error [clearance] hull: the body's box is -0.2",
            ),
        ] {
            let text = told(change);
            assert!(text.contains(&format!("implausible: {finding}")), "{text}");
        }
        let sane = told(["mass = 1500.0", "mass = 1500.0"]);
        std::fs::remove_file(&path).unwrap();
        assert!(!sane.contains("implausible"), "{sane}");
    }

    #[test]
    fn only_preset_tires_are_reported() {
        let check = |vehicle: &str| {
            let vehicle = vehicle.to_owned();
            check_command(&CheckArgs {
                vehicle,
                strict: true,
                targets: false,
                migrate: false,
            })
            .unwrap()
            .text
        };
        let suv = check("suv");
        assert!(suv.contains("tire left, right (suv-255-55-r20): 0 warning(s), "));
        assert_eq!(suv.matches("suv-255-55-r20").count(), 1, "{suv}");
        assert!(!check("hatchback").contains("tire "));
    }
}
