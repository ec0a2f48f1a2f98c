//! `jounce tire fit`: the parameters of a law from a table of measured forces.

mod report;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use jounce::tires::magic_formula::{Coefficients, Settings, Version};
use jounce::tires::tir::{MagicFormulaFile, Reading};
use jounce::tires::{
    Bakker87Params, BrushParams, DugoffParams, FialaParams, MagicFormulaParams, Pacejka89Params,
    Pacejka94Params, TmEasyParams, TmSimpleParams, presets, table_of,
};
use toml::Value;

use super::columns::{self, FrameName, TableUnits};
use super::convert::written;
use super::source::{self, Kind, fault};
use super::table::{Table, Terms};
use crate::error::LabError;
use crate::fit::data::{CHANNELS, Measurement};
use crate::fit::magic_formula::{HELD, fit_magic_formula};
use crate::fit::small::{FRICTION, Small, SmallLaw};
use crate::fit::{self, FitError};
use report::{estimates, notes, residuals, unfinished};

/// Options of `jounce tire fit`.
#[derive(Args, Clone, Debug)]
pub struct FitArgs {
    /// CSV (commas, semicolons or tabs) with a column Fz, any of kappa, alpha, gamma, Vx, p, and some of Fx, Fy, Mz; a blank
    /// cell of these three means not measured
    pub data: PathBuf,
    /// The law
    #[arg(long, value_enum)]
    pub model: Model,
    /// Start: a .tir or .toml file or the name of a preset tire; by default a plausible car tire
    #[arg(long)]
    pub start: Option<String>,
    /// Output file, as .tir or .toml
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Axes and signs of the table
    #[arg(long, value_enum, default_value = "iso-w")]
    pub from: FrameName,
    /// Units of the table that are not SI, such as deg,kN,%,km/h,kPa
    #[arg(long, value_delimiter = ',')]
    pub units: Vec<String>,
    /// Weight of each channel over its own root mean square, such as Fx=1,Fy=1,Mz=0.2; 0 excludes
    /// it
    #[arg(long, value_delimiter = ',')]
    pub weights: Vec<String>,
    /// Parameters held at their start
    #[arg(long, value_delimiter = ',')]
    pub hold: Vec<String>,
    /// Friction of the surface of the measurement; for dugoff and brush the start of its fit
    #[arg(long, default_value_t = 1.0)]
    pub friction: f64,
}

/// Fittable laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "their names")]
pub enum Model {
    Dugoff,
    Fiala,
    Brush,
    #[value(name = "tmsimple")]
    TmSimple,
    #[value(name = "tmeasy")]
    TmEasy,
    #[value(name = "bakker-87")]
    Bakker87,
    #[value(name = "pacejka-89")]
    Pacejka89,
    #[value(name = "pacejka-94")]
    Pacejka94,
    /// The Magic Formula in the version of the start, by default 6.1
    MagicFormula,
    #[value(name = "magic-formula-5.2")]
    MagicFormula52,
    #[value(name = "magic-formula-6.1")]
    MagicFormula61,
    #[value(name = "magic-formula-6.2")]
    MagicFormula62,
    /// That of motorcycles
    #[value(name = "magic-formula-mc")]
    MagicFormulaMc,
}

/// Runs the fit and returns the report.
///
/// # Errors
/// If a file cannot be read or written, the start is of another law, or the fit fails.
pub(super) fn fit(args: &FitArgs) -> Result<String, LabError> {
    let data = measurements(args)?;
    match args.model {
        Model::Dugoff => small::<DugoffParams<f64>>(args, &data),
        Model::Fiala => small::<FialaParams<f64>>(args, &data),
        Model::Brush => small::<BrushParams<f64>>(args, &data),
        Model::TmSimple => small::<TmSimpleParams<f64>>(args, &data),
        Model::TmEasy => small::<TmEasyParams<f64>>(args, &data),
        Model::Bakker87 => small::<Bakker87Params<f64>>(args, &data),
        Model::Pacejka89 => small::<Pacejka89Params<f64>>(args, &data),
        Model::Pacejka94 => small::<Pacejka94Params<f64>>(args, &data),
        Model::MagicFormula => magic_formula(args, None, &data),
        Model::MagicFormula52 => magic_formula(args, Some(Version::V52), &data),
        Model::MagicFormula61 => magic_formula(args, Some(Version::V61), &data),
        Model::MagicFormula62 => magic_formula(args, Some(Version::V62), &data),
        Model::MagicFormulaMc => magic_formula(args, Some(Version::Motorcycle), &data),
    }
}

/// The table in ISO-W and SI units.
fn measurements(args: &FitArgs) -> Result<Vec<Measurement>, LabError> {
    let mut table = Table::read(&args.data, columns::all())?;
    let given = Terms {
        frame: args.from.into(),
        units: TableUnits::of_names(&args.units)?,
    };
    table.convert(given, Terms::ISO_W, false);
    let inputs = ["Fz", "kappa", "alpha", "gamma", "Vx", "p"].map(|name| table.place(name));
    let forces = CHANNELS.map(|name| table.place(name));
    if forces == [None; 3] {
        return Err(table.fault(None, "there must be a column Fx, Fy or Mz".to_owned()));
    }
    let rows = table.rows.iter().enumerate();
    rows.map(|(n, row)| {
        let cell = |place: Option<usize>| place.and_then(|place| row[place]);
        let [load, slip_ratio, slip_angle, inclination, speed, pressure] = inputs.map(cell);
        let load = load.unwrap_or(0.0);
        if load < 0.0 {
            let rule = format!(
                "row {}: Fz = {load} N in ISO-W: must be >= 0; is --from right?",
                n + 1
            );
            return Err(table.fault(None, rule));
        }
        Ok(Measurement {
            load,
            slip_ratio: slip_ratio.unwrap_or(0.0),
            slip_angle: slip_angle.unwrap_or(0.0),
            inclination: inclination.unwrap_or(0.0),
            speed,
            pressure,
            forces: forces.map(cell),
        })
    })
    .collect()
}

/// The weights of Fx, Fy, Mz.
fn weights(args: &FitArgs) -> Result<[f64; 3], LabError> {
    let mut weights = [1.0; 3];
    for text in &args.weights {
        let pair = text.split_once('=');
        let known = pair.and_then(|(name, weight)| {
            let channel = CHANNELS.iter().position(|channel| *channel == name)?;
            let weight = weight.parse().ok()?;
            (0.0..f64::INFINITY)
                .contains(&weight)
                .then_some((channel, weight))
        });
        let Some((channel, weight)) = known else {
            let message = format!("{text:?}: must be Fx, Fy or Mz, =, and a number >= 0");
            return Err(LabError::Syntax {
                file: "--weights".to_owned(),
                message,
            });
        };
        weights[channel] = weight;
    }
    Ok(weights)
}

fn no_fit(args: &FitArgs) -> impl Fn(FitError) -> LabError + '_ {
    |error| fault(&args.data, error)
}

/// Fails if a parameter to be held does not exist.
fn known(args: &FitArgs, is_known: impl Fn(&str) -> bool) -> Result<(), LabError> {
    match args.hold.iter().find(|name| !is_known(name)) {
        Some(name) => Err(LabError::Syntax {
            file: "--hold".to_owned(),
            message: format!("{name:?}: no parameter of this law"),
        }),
        None => Ok(()),
    }
}

fn small<P: SmallLaw>(args: &FitArgs, data: &[Measurement]) -> Result<String, LabError>
where
    P::Of<f64>: serde::Serialize,
{
    let start: P = match &args.start {
        Some(file) => small_start(Path::new(file))?,
        None => toml::from_str(P::START).map_err(|error| fault(&args.data, error))?,
    };
    let listed = start.listed();
    known(args, |name| {
        name == FRICTION || listed.iter().any(|(other, _)| other == name)
    })?;
    let family = Small::with_friction(start, args.friction).holding(&args.hold);
    let found = fit::fit(&family, data, weights(args)?).map_err(no_fit(args))?;
    let mut text = format!("{} from {} measurements\n", P::MODEL, data.len());
    text += &residuals([Some(&found), Some(&found), Some(&found)]);
    text += &estimates(&found.estimates);
    text += unfinished(&found);
    if P::NEEDS_FRICTION {
        text += "friction is that of the surface, not a parameter of the tire\n";
    }
    let Some(out) = &args.out else {
        return Ok(text);
    };
    if Kind::of(out)? != Kind::Toml {
        return Err(fault(
            out,
            format!("a tire {:?} is written as .toml", P::MODEL),
        ));
    }
    let tire = table_of(&family.params(&found.values()));
    let mut tire = tire.map_err(|error| fault(out, error))?;
    tire.insert("model".to_owned(), P::MODEL.into());
    Ok(text + &written(out, source::toml_text(out, tire).into_bytes(), &[])?)
}

/// The parameters in a file, which must be of the same law.
fn small_start<P: SmallLaw>(file: &Path) -> Result<P, LabError> {
    let mut table = source::table(file)?;
    let model = table.remove("model");
    match model.as_ref().and_then(Value::as_str) {
        Some(model) if model == P::MODEL => Value::Table(table)
            .try_into()
            .map_err(|error: toml::de::Error| fault(file, error)),
        _ => Err(fault(file, format!("must be a tire {:?}", P::MODEL))),
    }
}

/// The start of a Magic Formula: from a file or a preset tire, with the file if it is one.
fn magic_start(
    args: &FitArgs,
    version: Version,
    data: &[Measurement],
) -> Result<(MagicFormulaParams, Option<MagicFormulaFile>), LabError> {
    let Some(start) = &args.start else {
        return Ok((template(version, data), None));
    };
    if let Some(file) = presets::by_name(start) {
        return Ok((MagicFormulaParams::from_file(&file), Some(file)));
    }
    let path = Path::new(start);
    if Kind::of(path)? == Kind::Tir {
        let file = MagicFormulaFile::open(path, Reading::Tolerant)?;
        return Ok((MagicFormulaParams::from_file(&file), Some(file)));
    }
    let params = source::magic_formula(path, &source::table(path)?)?;
    Ok((params, None))
}

/// A plausible tire for the loads, speeds and pressures of the measurement.
fn template(version: Version, data: &[Measurement]) -> MagicFormulaParams {
    let mean = |value: fn(&Measurement) -> Option<f64>| {
        let values: Vec<f64> = data.iter().filter_map(value).collect();
        let sum: f64 = values.iter().sum();
        Some(sum / values.len() as f64).filter(|mean| *mean > 0.0)
    };
    let mut c = Coefficients::template_of(version);
    c.FNOMIN = mean(|at| Some(at.load)).unwrap_or(c.FNOMIN).round();
    c.LONGVL = mean(|at| at.speed.map(f64::abs)).unwrap_or(c.LONGVL);
    c.NOMPRES = mean(|at| at.pressure).unwrap_or(c.NOMPRES).round();
    c.INFLPRES = c.NOMPRES;
    MagicFormulaParams {
        version,
        mirrored: false,
        settings: Settings::vehicle(),
        coefficients: c,
    }
}

fn magic_formula(
    args: &FitArgs,
    version: Option<Version>,
    data: &[Measurement],
) -> Result<String, LabError> {
    let (start, file) = magic_start(args, version.unwrap_or(Version::V61), data)?;
    let version = version.unwrap_or(start.version);
    if (version == Version::Motorcycle) != (start.version == Version::Motorcycle) {
        let rule = format!(
            "--start is of {}, --model of {version}: keys of motorcycles and cars differ",
            start.version
        );
        return Err(LabError::Syntax {
            file: "tire fit".to_owned(),
            message: rule,
        });
    }
    let own = start.own_coefficients();
    known(args, |name| own.get(name).is_some())?;
    // For motorcycles, the held key is not redundant.
    let mut held = match version {
        Version::Motorcycle => Vec::new(),
        _ => HELD.map(str::to_owned).to_vec(),
    };
    held.extend_from_slice(&args.hold);
    let found =
        fit_magic_formula(&own, version, data, weights(args)?, &held).map_err(no_fit(args))?;
    let mut text = format!("magic-formula {version} from {} measurements\n", data.len());
    text += &residuals(found.channels.each_ref().map(Option::as_ref));
    for channel in found.channels.iter().flatten() {
        text += &estimates(&channel.estimates);
        text += unfinished(channel);
    }
    text += &notes(version, &own, &found, &held);
    let Some(out) = &args.out else {
        return Ok(text);
    };
    let params = MagicFormulaParams {
        version,
        mirrored: false,
        coefficients: found.coefficients,
        settings: Settings::vehicle(),
    };
    let bytes = match (Kind::of(out)?, file) {
        (Kind::Tir, Some(mut file)) if file.version == version => {
            file.store(&params.coefficients)?;
            file.document.to_bytes()
        }
        (Kind::Tir, _) => params.document()?.to_bytes(),
        (Kind::Toml, _) => {
            let mut tire = table_of(&params).map_err(|error| fault(out, error))?;
            tire.insert("model".to_owned(), "magic-formula".into());
            source::toml_text(out, tire).into_bytes()
        }
        (Kind::Csv, _) => return Err(fault(out, "a tire is a .tir or .toml file")),
    };
    Ok(text + &written(out, bytes, &[])?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loads, speeds and pressures are the means of what was measured, or the usual ones.
    #[test]
    fn a_template_is_for_what_was_measured() {
        let at = |load: f64, speed: Option<f64>, pressure: Option<f64>| Measurement {
            load,
            speed,
            pressure,
            slip_ratio: 0.0,
            slip_angle: 0.0,
            inclination: 0.0,
            forces: [None; 3],
        };
        let found = |data: &[Measurement]| {
            let c = template(Version::V61, data).coefficients;
            assert_eq!(c.INFLPRES, c.NOMPRES);
            [c.FNOMIN, c.LONGVL, c.NOMPRES]
        };
        let usual = Coefficients::template();
        let usual = [usual.FNOMIN, usual.LONGVL, usual.NOMPRES];
        assert_eq!(found(&[]), usual);
        assert_eq!(found(&[at(0.0, Some(0.0), Some(0.0))]), usual);
        let data = [
            at(3000.0, Some(-10.0), Some(2e5)),
            at(4001.0, Some(20.0), None),
            at(5000.0, None, Some(2.5e5)),
        ];
        assert_eq!(found(&data), [4000.0, 15.0, 2.25e5]);
    }
}
