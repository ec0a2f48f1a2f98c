//! Tires named on the command line: a `.tir` file, a TOML file of a tire or a vehicle, or the name of a preset.

use std::path::{Path, PathBuf};

use jounce::core::Checked;
use jounce::tires::tir::{MagicFormulaFile, Reading};
use jounce::tires::{
    FialaParams, MagicFormulaParams, Pacejka89Params, Pacejka94Params, TireRegistry, presets,
};
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::old::OldLaw;
use super::source::{Tire, fault, tire};
use crate::error::{LabError, read_text};

/// Tire, table or preset that an argument names.
pub(super) enum TireArgument {
    /// A preset tire.
    Preset(Box<MagicFormulaFile>),
    /// A `.tir` file.
    Tir(PathBuf),
    /// Tables of a TOML file or a preset vehicle.
    Tables(TireTables),
}

/// Tires as tables.
pub(super) struct TireTables {
    /// The whole file.
    pub(super) file: Table,
    /// The tires; without a name, the file is the only one. In the order of their names, as a vehicle has them.
    pub(super) tires: Vec<(Option<String>, Table)>,
    /// The folder of the file; none of a preset.
    pub(super) folder: Option<PathBuf>,
}

/// The file or preset of an argument, and the name of the tire after its `#`.
pub(super) fn split(argument: &str) -> (&str, Option<&str>) {
    match argument.rsplit_once('#') {
        Some((path, tire)) if !Path::new(argument).exists() => (path, Some(tire)),
        _ => (argument, None),
    }
}

/// The tires that an argument names. Tables are all of those of its file, or the one after the `#`.
///
/// # Errors
/// If there is nothing of that name, or it has no tire of the name after the `#`.
pub(super) fn resolve(argument: &str) -> Result<TireArgument, LabError> {
    let (path, wanted) = split(argument);
    let single = |found| match wanted {
        Some(tire) => {
            let message = format!("is one tire and has none called {tire:?}");
            Err(fault(Path::new(path), message))
        }
        None => Ok(found),
    };
    let mut vehicles = jounce::presets::FILES.iter();
    if let Some((_, text)) = vehicles.find(|(known, _)| *known == path) {
        return tables(path, text, None, wanted).map(TireArgument::Tables);
    }
    if let Some(file) = presets::by_name(path) {
        return single(TireArgument::Preset(Box::new(file)));
    }
    let extension = Path::new(path).extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("tir") {
        return single(TireArgument::Tir(path.into()));
    }
    let text = read(path)?;
    let folder = Path::new(path).parent().map(Path::to_owned);
    tables(path, &text, folder, wanted).map(TireArgument::Tables)
}

fn read(path: &str) -> Result<String, LabError> {
    if !Path::new(path).exists() {
        let names = |files: &[(&str, &str)]| {
            let names = files.iter().map(|(name, _)| *name);
            names.collect::<Vec<_>>().join(", ")
        };
        let (tires, vehicles) = (names(&presets::FILES), names(&jounce::presets::FILES));
        let message = format!("no such file or preset; tires: {tires}; vehicles: {vehicles}");
        return Err(fault(Path::new(path), message));
    }
    read_text(Path::new(path))
}

fn tables(
    path: &str,
    text: &str,
    folder: Option<PathBuf>,
    wanted: Option<&str>,
) -> Result<TireTables, LabError> {
    let fault = |message: String| fault(Path::new(path), message);
    let file = text.parse::<Table>();
    let file = file.map_err(|error| fault(error.to_string().trim_end().to_owned()))?;
    let own = file.get("tires").and_then(Value::as_table);
    let own = own.filter(|_| !file.contains_key("model"));
    let mut tires: Vec<(Option<String>, Table)> = match own {
        None => vec![(None, file.clone())],
        Some(tires) => {
            let tables = tires.iter();
            let tables = tables.filter_map(|(name, tire)| Some((name.clone(), tire.as_table()?)));
            let named = tables.map(|(name, tire)| (Some(name), tire.clone()));
            named.collect()
        }
    };
    tires.sort_by(|(a, _), (b, _)| a.cmp(b));
    if let Some(wanted) = wanted {
        let known: Vec<String> = tires.iter().filter_map(|(name, _)| name.clone()).collect();
        if known.is_empty() {
            return Err(fault(format!("is one tire and has none called {wanted:?}")));
        }
        if !known.iter().any(|name| name == wanted) {
            let known = known.join(", ");
            return Err(fault(format!("has no tire {wanted:?}; it has: {known}")));
        }
    }
    Ok(TireTables {
        file,
        tires,
        folder,
    })
}

/// The tires that an argument names, each with its name for reports.
///
/// # Errors
/// As [`resolve`]; or if one of them has faults, or a law that has no `.tir` file.
pub(super) fn tires(argument: &str, reading: Reading) -> Result<Vec<(String, Tire)>, LabError> {
    let (path, wanted) = split(argument);
    let found = match resolve(argument)? {
        TireArgument::Preset(file) => return Ok(vec![(path.to_owned(), Tire::Formula(file))]),
        TireArgument::Tir(file) => return Ok(vec![(path.to_owned(), tire(&file, reading)?)]),
        TireArgument::Tables(found) => found,
    };
    let folder = found.folder.as_deref();
    let tires = found.tires.into_iter();
    let tires = tires.filter(|(name, _)| wanted.is_none() || name.as_deref() == wanted);
    let tires = tires.map(|(name, table)| {
        let name = name.map_or_else(|| path.to_owned(), |name| format!("{path}#{name}"));
        let tire = of_table(&name, table, folder, reading)?;
        Ok((name, tire))
    });
    tires.collect()
}

/// The tire of a table, without laws around its own.
fn of_table(
    name: &str,
    table: Table,
    folder: Option<&Path>,
    reading: Reading,
) -> Result<Tire, LabError> {
    let name = Path::new(name);
    let registry = TireRegistry::with_builtins();
    let table = registry.inlined(table, folder);
    let mut table = table.map_err(|error| fault(name, error))?;
    while let Some(Value::Table(law)) = table.remove("law") {
        table = law;
    }
    registry
        .build(table.clone())
        .map_err(|error| fault(name, error))?;
    let model = table.remove("model");
    match model.as_ref().and_then(Value::as_str).unwrap_or_default() {
        "magic-formula" => {
            let params: MagicFormulaParams = params(name, table)?;
            let document = params
                .document()
                .map_err(|error| error.in_file(name.display()))?;
            let file = MagicFormulaFile::from_document(document, reading);
            let file = file.map_err(|error| error.in_file(name.display()))?;
            Ok(Tire::Formula(Box::new(file)))
        }
        "pacejka-89" => {
            let params: Pacejka89Params<f64> = params(name, table)?;
            checked(name, params.map(|&x| x as f32))?;
            Ok(Tire::Old(OldLaw::Pacejka89(Box::new(params))))
        }
        "pacejka-94" => {
            let params: Pacejka94Params<f64> = params(name, table)?;
            checked(name, params.map(|&x| x as f32))?;
            Ok(Tire::Old(OldLaw::Pacejka94(Box::new(params))))
        }
        "fiala" => {
            let params: FialaParams<f64> = params(name, table)?;
            checked(name, params.map(|&x| x as f32))?;
            Ok(Tire::Old(OldLaw::Fiala(params)))
        }
        other => Err(fault(
            name,
            format!("model {other:?} has no .tir file; `jounce tire plot` shows it"),
        )),
    }
}

fn params<T: DeserializeOwned>(name: &Path, table: Table) -> Result<T, LabError> {
    let params = Value::Table(table).try_into();
    params.map_err(|error: toml::de::Error| fault(name, error))
}

fn checked<T: jounce::core::Check>(name: &Path, params: T) -> Result<(), LabError> {
    let checked = Checked::new(params).map(drop);
    checked.map_err(|faults| fault(name, faults))
}
