//! `jounce tire`: looks at `.tir` files, evaluates, converts and fits them, and draws tires of any law.

mod check;
mod columns;
mod source;
mod table;
mod convert;
mod eval;
mod fit;
mod named;
mod plot;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use jounce::tires::tir::{MagicFormulaFile, Reading};

use crate::error::LabError;
pub(crate) use named::{findings_of, named_tires};
pub use plot::PlotArgs;

pub use columns::FrameName;
pub use convert::{ConvertArgs, FileUnits};
pub use fit::{FitArgs, Model};

/// Options of `jounce tire`.
#[derive(Args, Clone, Debug)]
pub struct TireArgs {
    /// What to do
    #[command(subcommand)]
    pub action: TireAction,
}

/// What `jounce tire` can do.
#[derive(Subcommand, Clone, Debug)]
pub enum TireAction {
    /// Tell what a .tir file holds, lacks and breaks
    Check {
        /// The file
        file: PathBuf,
        /// Refuse what a tolerant reader warns of
        #[arg(long)]
        strict: bool,
    },
    /// Evaluate a .tir file at points, and write forces and moments as CSV
    Eval {
        /// The file
        file: PathBuf,
        /// CSV with a column Fz (`N`) and any of kappa [-], alpha (`rad`), gamma (`rad`), phit (`1/m`), Vx (`m/s`),
        /// p (`Pa`) (ISO-W)
        #[arg(long)]
        points: PathBuf,
        /// Where to write; by default to the standard output
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Draw tires over one another: forces, moments, stiffnesses, as one page
    Plot(PlotArgs),
    /// Convert tables of points and measurements to other axes, signs and units, and files of tires to other
    /// units, the other side, or from .tir to TOML and back
    Convert(ConvertArgs),
    /// Fit a law's parameters to a table of measured forces
    Fit(FitArgs),
}

/// Carries out `jounce tire` and returns what to print.
///
/// # Errors
/// If a file cannot be read or written, or breaks its rules.
pub fn tire_command(args: &TireArgs) -> Result<String, LabError> {
    match &args.action {
        TireAction::Check { file, strict } => {
            let reading = if *strict {
                Reading::Strict
            } else {
                Reading::Tolerant
            };
            let tire = MagicFormulaFile::open(file, reading)?;
            Ok(check::describe(&file.display().to_string(), &tire))
        }
        TireAction::Eval { file, points, out } => {
            let tire = MagicFormulaFile::open(file, Reading::Tolerant)?;
            let text = eval::evaluate(&tire, points)?;
            match out {
                Some(out) => convert::written(out, text.into_bytes(), &[]),
                None => Ok(text),
            }
        }
        TireAction::Plot(args) => plot::plot(args),
        TireAction::Convert(args) => convert::convert(args),
        TireAction::Fit(args) => fit::fit(args),
    }
}
