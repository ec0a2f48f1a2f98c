//! Tires by their names on the command line.

use std::path::Path;

use jounce::core::lanes::LANES;
use jounce::core::params::TireFit;
use jounce::file::Car;
use jounce::tires::tir::{BrokenRule, MagicFormulaFile, Reading};
use jounce::tires::{MagicFormulaParams, TireRegistry, table_of};
use serde::Serialize;
use toml::{Table, Value};

use super::fault;
use super::subject::{Remarks, Subject, Wheel};
use crate::error::LabError;
use crate::tire::argument::{TireArgument, TireTables, resolve, split};
use crate::tire::named;
use crate::tire::source::{Tire, tire};
use proving_ground::stage::GRAVITY;

/// Source of a preset tire.
const SHIPS: &str = "ships with Jounce";

/// The tires of an argument: a file, one of its tires (`FILE#NAME`), or the preset of that name.
/// Without a load at rest from parameters or vehicle, it is `rest_load` (`N`).
///
/// # Errors
/// If there is nothing of that name, or it contains no valid tire.
pub(super) fn subjects(name: &str, rest_load: f64) -> Result<Vec<Subject>, LabError> {
    let (path, wanted) = split(name);
    match resolve(name)? {
        TireArgument::Preset(file) => Ok(vec![of_formula(SHIPS, path.to_owned(), &file)?]),
        TireArgument::Tir(_) => Ok(vec![of_tir(path, rest_load)?]),
        TireArgument::Tables(found) if found.file.contains_key("axles") => {
            of_vehicle(path, wanted, &found)
        }
        TireArgument::Tables(found) => of_tables(path, wanted, &found, rest_load),
    }
}

/// The tires of a file without a vehicle, or the selected one.
fn of_tables(
    path: &str,
    wanted: Option<&str>,
    found: &TireTables,
    rest_load: f64,
) -> Result<Vec<Subject>, LabError> {
    let selected = found.tires.iter();
    let selected = selected.filter(|(name, _)| wanted.is_none() || name.as_deref() == wanted);
    let subjects = selected.map(|(name, tire)| {
        let (source, name) = match name {
            Some(name) if found.tires.len() > 1 => {
                (format!("{path}#{name}"), format!("{}#{name}", stem(path)))
            }
            _ => (path.to_owned(), stem(path)),
        };
        let load = nominal_load(tire).unwrap_or(rest_load);
        of_table(&source, name, tire, found.folder.as_deref(), alone(load))
    });
    subjects.collect()
}

/// The nominal load of a table with coefficients of its own (`N`).
fn nominal_load(tire: &Table) -> Option<f64> {
    let coefficients = tire.get("coefficients")?.as_table()?;
    let mut given = coefficients.iter();
    let (_, load) = given.find(|(key, _)| key.eq_ignore_ascii_case("FNOMIN"))?;
    load.as_float()
        .or(load.as_integer().map(|load| load as f64))
}

/// All tires of a vehicle, or the selected one.
fn of_vehicle(
    path: &str,
    wanted: Option<&str>,
    found: &TireTables,
) -> Result<Vec<Subject>, LabError> {
    let car = jounce::presets::load(path)?;
    let folder = found.folder.as_deref();
    // A vehicle's tires are indexed in the order of their names.
    let all = found.tires.iter().enumerate();
    let all = all.filter_map(|(n, (name, tire))| Some((n, name.as_ref()?, tire)));
    let all = all.filter(|(_, name, _)| wanted.is_none_or(|tire| *name == tire));
    all.map(|(n, name, tire)| {
        let whole = format!("{}#{name}", stem(path));
        let wheel = wheel_with(&car, n).unwrap_or_else(|| alone(mean_load(&car)));
        // Only files have a folder.
        let source = folder.map_or(SHIPS.to_owned(), |_| format!("{path}#{name}"));
        of_table(&source, whole, tire, folder, wheel)
    })
    .collect()
}

/// The first wheel of a vehicle with a tire.
fn wheel_with(car: &Car, tire: usize) -> Option<Wheel> {
    let model = car.model();
    let wheels = &model.params().wheels;
    let n = wheels.iter().position(|wheel| wheel.tire.model == tire)?;
    let rest_mass = model.wheels()[n / LANES].rest_mass.lane(n % LANES);
    Some(Wheel {
        rest_load: f64::from(rest_mass * car.model().params().chassis.design_gravity),
        radius: Some(f64::from(wheels[n].radius)),
        friction: wheels[n].tire.friction_curve,
    })
}

/// Load of a wheel (`N`) if equally shared.
fn mean_load(car: &Car) -> f64 {
    f64::from(car.mass() * GRAVITY.length()) / car.model().wheel_count() as f64
}

/// A tire without a vehicle.
const fn alone(rest_load: f64) -> Wheel {
    Wheel {
        rest_load,
        radius: None,
        friction: TireFit::FLAT_FRICTION,
    }
}

/// The tire of a table `model = "…"`.
fn of_table(
    source: &str,
    name: String,
    table: &Table,
    folder: Option<&Path>,
    wheel: Wheel,
) -> Result<Subject, LabError> {
    let registry = TireRegistry::with_builtins();
    let inlined = registry.inlined(table.clone(), folder);
    let remarks = remarks_of(table, folder);
    let made =
        inlined.and_then(|table| Subject::new(name, source.to_owned(), table, remarks, wheel));
    made.map_err(|error| fault(source, error.to_string().trim_end().to_owned()))
}

/// Oddities of a Magic Formula's table and its file, and keys given by neither.
fn remarks_of(table: &Table, folder: Option<&Path>) -> Remarks {
    if table.get("model").and_then(Value::as_str) != Some("magic-formula") {
        return Remarks::default();
    }
    let file = named::file_of(table, folder, Reading::Tolerant);
    let mut remarks = file.ok().flatten().map_or_else(
        || Remarks {
            defaulted: named::keys_of(table),
            ..Remarks::default()
        },
        |file| of_file(&file),
    );
    named::retain_absent(&mut remarks.defaulted, table);
    remarks
}

fn of_file(file: &MagicFormulaFile) -> Remarks {
    Remarks {
        side: file.side,
        warnings: file.warnings.iter().map(|w| w.to_string()).collect(),
        defaulted: file.defaulted.clone(),
    }
}

/// The tire of a `.tir` file.
fn of_tir(path: &str, rest_load: f64) -> Result<Subject, LabError> {
    match tire(Path::new(path), Reading::Tolerant)? {
        Tire::Formula(file) => of_formula(path, stem(path), &file),
        Tire::Old(law) => {
            let (name, source) = (stem(path), path.to_owned());
            let remarks = Remarks {
                warnings: law.findings().iter().map(BrokenRule::to_string).collect(),
                ..Remarks::default()
            };
            Subject::new(name, source, law.table(), remarks, alone(rest_load))
                .map_err(|error| fault(path, error.to_string()))
        }
    }
}

fn of_formula(source: &str, name: String, file: &MagicFormulaFile) -> Result<Subject, LabError> {
    let params = MagicFormulaParams::from_file(file);
    let wheel = alone(file.coefficients.FNOMIN);
    made(source, name, "magic-formula", &params, of_file(file), wheel)
}

fn made(
    source: &str,
    name: String,
    model: &str,
    params: &impl Serialize,
    remarks: Remarks,
    wheel: Wheel,
) -> Result<Subject, LabError> {
    let mut table = table_of(params).map_err(|error| fault(source, error.to_string()))?;
    table.insert("model".to_owned(), Value::String(model.to_owned()));
    Subject::new(name, source.to_owned(), table, remarks, wheel)
        .map_err(|error| fault(source, error.to_string()))
}

fn stem(path: &str) -> String {
    let stem = Path::new(path).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The sedan with a tire of its own behind, and one that no wheel has.
    fn car() -> (std::path::PathBuf, String) {
        let folder = std::env::temp_dir().join(format!("source-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let text = jounce::presets::BENCHMARK_SEDAN;
        let (front, rear) = text.split_once("name = \"rear\"").unwrap();
        let rear = rear.replacen("model = \"street\"", "model = \"tail\"", 1);
        let start = rear.find("[tires.street]").unwrap();
        let end = start + rear[start..].find("[drivetrain]").unwrap();
        let law = &rear[start..end];
        let [tail, spare] = ["tail", "spare"].map(|name| law.replace("street", name));
        let (before, after) = rear.split_at(end);
        let text = format!("{front}name = \"rear\"{before}{tail}{spare}{after}");
        let path = folder.join("own.toml");
        fs::write(&path, text).unwrap();
        (folder, path.display().to_string())
    }

    /// Each tire has the load of a wheel that it is on, or else a quarter of the car.
    #[test]
    fn tires_of_a_vehicle_carry_what_their_wheels_do() {
        let (folder, path) = car();
        let all = subjects(&path, 4000.0).unwrap();
        let one = subjects(&format!("{path}#tail"), 4000.0).unwrap();
        let none = subjects(&format!("{path}#best"), 4000.0);
        fs::remove_dir_all(&folder).unwrap();
        let names: Vec<&str> = all.iter().map(|tire| tire.name.as_str()).collect();
        assert_eq!(names, ["own#spare", "own#street", "own#tail"]);
        let weight = 1500.0 * 9.81;
        // The center of mass is 0.14 m ahead of the middle of 2.72 m.
        let front = 0.5 + 0.14 / 2.72;
        // Wheels carry themselves besides.
        let shares = [
            0.25,
            0.5 * front + 22.0 / 1500.0,
            0.5 * (1.0 - front) + 20.0 / 1500.0,
        ];
        for (tire, share) in all.iter().zip(shares) {
            let off = tire.nominal_load() / weight - share;
            assert!(off.abs() < 1e-4, "{}: {off}", tire.name);
            assert_eq!(tire.source, format!("{path}#{}", &tire.name[4..]));
        }
        assert_eq!((one.len(), one[0].name.as_str()), (1, "own#tail"));
        let error = none.unwrap_err().to_string();
        assert!(
            error.contains("has no tire \"best\"; it has: spare, street, tail"),
            "{error}"
        );
    }

    #[test]
    fn what_ships_says_so() {
        for (name, whole) in [
            ("sedan", "sedan#left"),
            ("suv-255-55-r20", "suv-255-55-r20"),
        ] {
            let found = &subjects(name, 4000.0).unwrap()[0];
            assert_eq!((found.name.as_str(), found.source.as_str()), (whole, SHIPS));
        }
        assert_eq!(stem("a/b.c.tir"), "b.c");
    }
}
