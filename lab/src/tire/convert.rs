//! `jounce tire convert`: other axes, signs and units, the other side, another file.

use std::path::{Path, PathBuf};

use clap::Args;
use jounce::tires::frames::TireFrame;
use jounce::tires::magic_formula::Settings;
use jounce::tires::tir::{MagicFormulaFile, Reading, TirDocument};
use jounce::tires::{MagicFormulaParams, table_of};

use super::columns::{self, FrameName, TableUnits};
use super::source::{self, Kind, fault};
use super::table::{Table, Terms};
use crate::error::LabError;

/// Options of `jounce tire convert`.
#[derive(Args, Clone, Debug)]
pub struct ConvertArgs {
    /// A table (.csv) with the columns of `jounce tire eval`, or a tire (.tir, .toml)
    pub file: PathBuf,
    /// Output file, for a tire as .tir or .toml; for a table by default standard output
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Axes and signs of the input table
    #[arg(long, value_enum, default_value = "iso-w")]
    pub from: FrameName,
    /// Axes and signs of the output table
    #[arg(long, value_enum, default_value = "iso-w")]
    pub to: FrameName,
    /// Units of the input table that are not SI, such as deg,kN,%,km/h,kPa
    #[arg(long, value_delimiter = ',')]
    pub units: Vec<String>,
    /// Units of the output table that are not SI
    #[arg(long, value_delimiter = ',')]
    pub to_units: Vec<String>,
    /// Exchange left and right
    #[arg(long)]
    pub mirror: bool,
    /// Units of the output .tir file
    #[command(flatten)]
    pub file_units: FileUnits,
}

/// Units of a `.tir` file, by name.
#[derive(Args, Clone, Debug, Default)]
pub struct FileUnits {
    /// Unit of length of the .tir file, such as mm
    #[arg(long)]
    pub length: Option<String>,
    /// Unit of force of the .tir file, such as kN
    #[arg(long)]
    pub force: Option<String>,
    /// Unit of angle of the .tir file, such as deg
    #[arg(long)]
    pub angle: Option<String>,
    /// Unit of mass of the .tir file, such as tonne
    #[arg(long)]
    pub mass: Option<String>,
    /// Unit of time of the .tir file, such as ms
    #[arg(long)]
    pub time: Option<String>,
    /// Unit of pressure of the .tir file, such as bar
    #[arg(long)]
    pub pressure: Option<String>,
}

impl FileUnits {
    /// Quantities with the requested units.
    fn given(&self) -> Vec<(&'static str, &str)> {
        let units = [
            ("LENGTH", &self.length),
            ("FORCE", &self.force),
            ("ANGLE", &self.angle),
            ("MASS", &self.mass),
            ("TIME", &self.time),
            ("PRESSURE", &self.pressure),
        ];
        let given = units.into_iter();
        let given = given.filter_map(|(quantity, unit)| Some((quantity, unit.as_deref()?)));
        given.collect()
    }
}

/// Runs the conversion and returns its output.
///
/// # Errors
/// If a file cannot be read or written, or does not have the requested contents.
pub(super) fn convert(args: &ConvertArgs) -> Result<String, LabError> {
    only_what_applies(args)?;
    match (Kind::of(&args.file)?, &args.out) {
        (Kind::Csv, out) => {
            let text = convert_table(args)?;
            match out {
                Some(out) => written(out, text.into_bytes(), &[]),
                None => Ok(text),
            }
        }
        (_, None) => Err(fault(
            &args.file,
            "a tire needs --out, a .tir or .toml file",
        )),
        (from, Some(out)) => match (from, Kind::of(out)?) {
            (Kind::Tir, Kind::Tir) => tir_to_tir(args, out),
            (_, Kind::Tir) => to_tir(args, out),
            (_, Kind::Toml) => to_toml(args, out),
            (_, Kind::Csv) => Err(fault(out, "a tire is a .tir or .toml file")),
        },
    }
}

/// Fails on options that would have no effect.
fn only_what_applies(args: &ConvertArgs) -> Result<(), LabError> {
    let of_table = TireFrame::from(args.from) != TireFrame::from(args.to)
        || !args.units.is_empty()
        || !args.to_units.is_empty();
    let of_file = !args.file_units.given().is_empty();
    let to_tir = args.out.as_deref().map(Kind::of).transpose()? == Some(Kind::Tir);
    match Kind::of(&args.file)? {
        Kind::Csv if of_file => Err(fault(
            &args.file,
            "--length, --force and so on are for .tir files; a table has --units",
        )),
        Kind::Tir | Kind::Toml if of_table => Err(fault(
            &args.file,
            "--from, --to, --units and --to-units are for tables; parameters are of ISO-W",
        )),
        Kind::Tir | Kind::Toml if of_file && !to_tir => {
            Err(fault(&args.file, "a .toml file has SI units"))
        }
        _ => Ok(()),
    }
}

fn convert_table(args: &ConvertArgs) -> Result<String, LabError> {
    let mut table = Table::read(&args.file, columns::all())?;
    let terms = |frame: FrameName, units: &[String]| {
        Ok::<_, LabError>(Terms {
            frame: frame.into(),
            units: TableUnits::of_names(units)?,
        })
    };
    let from = terms(args.from, &args.units)?;
    let to = terms(args.to, &args.to_units)?;
    table.convert(from, to, args.mirror);
    Ok(table.csv())
}

fn tir_to_tir(args: &ConvertArgs, out: &Path) -> Result<String, LabError> {
    // A part of a tire has units and a side, too.
    let file = MagicFormulaFile::from_document(TirDocument::open(&args.file)?, Reading::Tolerant)
        .map_err(|error| error.in_file(args.file.display()))?;
    let side = if args.mirror { file.mirrored()? } else { file };
    in_units(args, out, &side, Vec::new())
}

fn to_tir(args: &ConvertArgs, out: &Path) -> Result<String, LabError> {
    let mut params = source::magic_formula(&args.file, &source::table(&args.file)?)?;
    params.mirrored ^= args.mirror;
    let mut notes = Vec::new();
    let combined_slip = params.settings.combined_slip;
    if params.settings
        != (Settings {
            combined_slip,
            ..Settings::vehicle()
        })
    {
        notes
            .push("settings other than those of a vehicle have no place in a .tir file".to_owned());
    }
    let file = MagicFormulaFile::from_document(params.document()?, Reading::Tolerant)?;
    in_units(args, out, &file, notes)
}

/// Writes a file in the requested units.
fn in_units(
    args: &ConvertArgs,
    out: &Path,
    file: &MagicFormulaFile,
    mut notes: Vec<String>,
) -> Result<String, LabError> {
    let units = args.file_units.given();
    let converted = file.in_units(&units)?;
    let left = file.left_in_old_units();
    if !units.is_empty() && !left.is_empty() {
        notes.push(format!("left as they are: {}", left.join(" ")));
    }
    written(out, converted.document.to_bytes(), &notes)
}

fn to_toml(args: &ConvertArgs, out: &Path) -> Result<String, LabError> {
    let mut tire = source::table(&args.file)?;
    if args.mirror {
        let params = source::magic_formula(&args.file, &tire)?;
        let params = MagicFormulaParams {
            mirrored: !params.mirrored,
            ..params
        };
        let coefficients = params.own_coefficients();
        let other = MagicFormulaParams {
            mirrored: false,
            coefficients,
            ..params
        };
        let model = tire.remove("model");
        tire = table_of(&other).map_err(|error| fault(out, error))?;
        tire.extend(model.map(|model| ("model".to_owned(), model)));
    }
    written(out, source::toml_text(out, tire).into_bytes(), &[])
}

/// Writes a file and reports it, with notes.
pub(super) fn written(path: &Path, bytes: Vec<u8>, notes: &[String]) -> Result<String, LabError> {
    std::fs::write(path, bytes).map_err(|source| LabError::File {
        path: path.to_owned(),
        source,
    })?;
    let notes: String = notes.iter().map(|note| format!("  {note}\n")).collect();
    Ok(format!("written: {}\n{notes}", path.display()))
}
