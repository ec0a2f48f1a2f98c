//! `jounce tire`: inspects, evaluates, converts and fits `.tir` files, and plots tires of any law.

mod columns;
mod table;
mod old;
mod source;
mod argument;
mod check;
mod convert;
mod eval;
mod fit;
mod named;
mod plot;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use jounce::tires::tir::Reading;

use crate::error::LabError;
pub(crate) use named::{findings_within, named_tires};
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

/// Actions of `jounce tire`.
#[derive(Subcommand, Clone, Debug)]
pub enum TireAction {
    /// Report what a tire file contains, lacks and violates; fails if it makes no tire
    Check {
        /// A .tir file, a TOML file of a tire or a vehicle (all its tires; FILE#NAME for one), or the name of a preset
        /// tire or vehicle
        #[arg(value_name = "TIRE")]
        file: String,
        /// Treat warnings as errors
        #[arg(long)]
        strict: bool,
    },
    /// Evaluate a tire at points, and write forces and moments as CSV; PAC89, PAC94 and FIALA have Fx, Fy, Mz
    Eval {
        /// A .tir file, a TOML file of a tire or a vehicle (FILE#NAME if it has several), or the name of a preset
        #[arg(value_name = "TIRE")]
        file: String,
        /// CSV with a column Fz (`N`) and any of kappa [-], alpha (`rad`), gamma (`rad`), phit (`1/m`), Vx (`m/s`),
        /// p (`Pa`) (ISO-W)
        #[arg(long)]
        points: PathBuf,
        /// Output file; by default standard output
        #[arg(long)]
        out: Option<PathBuf>,
        /// Obey ranges that forbid driving, braking, or slip to one side, too
        #[arg(long)]
        every_range: bool,
    },
    /// Plot tires over one another: forces, moments, stiffnesses, as one page
    Plot(PlotArgs),
    /// Convert tables of points and measurements to other axes, signs and units, and tire files to
    /// other units, the other side, or from .tir to TOML and back
    Convert(ConvertArgs),
    /// Fit a law's parameters to a table of measured forces
    Fit(FitArgs),
}

/// Runs `jounce tire` and returns its output.
///
/// # Errors
/// If a file cannot be read or written, or violates its rules.
pub fn tire_command(args: &TireArgs) -> Result<String, LabError> {
    match &args.action {
        TireAction::Check { file, strict } => {
            let reading = if *strict {
                Reading::Strict
            } else {
                Reading::Tolerant
            };
            check::check(file, reading)
        }
        TireAction::Eval {
            file,
            points,
            out,
            every_range,
        } => {
            let text = eval::evaluate(file, points, *every_range)?;
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
