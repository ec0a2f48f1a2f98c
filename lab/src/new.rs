//! `jounce new`: a vehicle file from a data sheet.

mod questions;
mod quantities;
mod sheet;
mod write;

use core::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use clap::Args;
use jounce::file::{Car, FileError, FileFault, TargetFigure};
use proving_ground::performance::measure;

use crate::error::LabError;
use questions::Questions;

pub use quantities::{DrivenAxles, SpeedRange, TireSize};
pub use sheet::{CarSheet, SheetFlags};
pub use write::vehicle_file;

/// Options of `jounce new`.
#[derive(Args, Clone, Debug)]
pub struct NewArgs {
    /// The vehicle file to be written
    pub file: PathBuf,
    /// Ask nothing: take the defaults for what no option says
    #[arg(short, long)]
    pub yes: bool,
    /// Overwrite the file
    #[arg(long)]
    pub force: bool,
    /// The data sheet
    #[command(flatten)]
    pub sheet: SheetFlags,
}

/// Runs `jounce new`: asks on standard error for what no option says, answered on standard input, writes the file,
/// drives the car, and returns what it reaches beside the data sheet.
///
/// # Errors
/// If the file exists or cannot be written, or with every fault of the data sheet.
pub fn new_command(args: &NewArgs) -> Result<String, LabError> {
    new_with(args, &mut io::stdin().lock(), &mut io::stderr())
}

/// Runs `jounce new` with answers from `input`, and questions to `output`.
///
/// # Errors
/// As [`new_command`].
pub fn new_with(
    args: &NewArgs,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<String, LabError> {
    let failed = |source| LabError::File {
        path: args.file.clone(),
        source,
    };
    if args.file.exists() && !args.force {
        let kind = io::ErrorKind::AlreadyExists;
        return Err(failed(io::Error::new(
            kind,
            "exists already; --force overwrites it",
        )));
    }
    let mut questions = Questions::new(input, output, args.yes);
    let sheet = CarSheet::ask(&args.sheet, &mut questions).map_err(failed)?;
    let faults = sheet.faults();
    if !faults.is_empty() {
        let faults = faults
            .into_iter()
            .map(|fault| FileFault { line: None, fault });
        let file = "data sheet".to_owned();
        let faults = faults.collect();
        return Err(FileError::Invalid { file, faults }.into());
    }
    let name = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let text = vehicle_file(&name, &sheet);
    let car = Car::parse(&text, &args.file.display().to_string())?;
    fs::write(&args.file, &text).map_err(failed)?;
    Ok(format!(
        "{}: written\n{}",
        args.file.display(),
        reached(&car, &sheet)?
    ))
}

/// Table of the figures that the car reaches, beside the data sheet.
fn reached(car: &Car, sheet: &CarSheet) -> Result<String, LabError> {
    let measured = measure(car, &[TargetFigure::ZeroTo100, TargetFigure::TopSpeed])?;
    let told = [sheet.zero_to_100, sheet.top_speed];
    let names = [("0-100 km/h", "s", 1), ("top speed", "km/h", 0)];
    let mut text = String::new();
    for (((name, unit, digits), measured), told) in names.into_iter().zip(measured).zip(told) {
        // Writing to a string cannot fail.
        let _ = match told {
            _ if measured.is_nan() => writeln!(text, "  {name:<12}not reached"),
            None => writeln!(text, "  {name:<12}{measured:.digits$} {unit}"),
            Some(told) => writeln!(
                text,
                "  {name:<12}{measured:.digits$} {unit}; the data sheet says {told:.digits$} {unit}: {:+.0} %",
                100.0 * (measured / told - 1.0)
            ),
        };
    }
    text += "next: jounce check, jounce lint, jounce drive";
    let missing = sheet.estimated();
    if !missing.is_empty() {
        text += &format!("; with {} it comes closer", missing.join(", "));
    }
    Ok(text + "\n")
}

#[cfg(test)]
mod tests;
