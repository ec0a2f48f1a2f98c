//! `jounce kinematics`: what a suspension's hard points do to its wheels over travel and rack.
//!
//! ```text
//! file ─▶ hardpoints ─▶ linkage ─▶ mechanism: poses ─▶ stance ─▶ sweep ─┬▶ show: text, CSV, page
//!                                                                      └▶ into: a vehicle file
//! ```

mod carrier;
mod mechanism;
mod kinds;
mod hardpoints;
mod linkage;
mod stance;
mod sweep;
mod quantities;
mod show;
mod into;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::{LabError, read_text};
use hardpoints::{HardPoints, invalid};
use into::{Fitted, write_into};
use kinds::SuspensionKind;
use show::ShownSuspension;
use sweep::TravelSweep;

/// Options of `jounce kinematics`.
#[derive(Args, Clone, Debug)]
pub struct KinematicsArgs {
    /// Files of hard points (TOML): double wishbone, strut, five links, trailing or semi-trailing arm, live axle with
    /// a Panhard rod
    #[arg(required = true)]
    pub points: Vec<PathBuf>,
    /// Output file of the page; the same numbers go into a .csv beside it
    #[arg(long, default_value = "out/kinematics.html")]
    pub out: PathBuf,
    /// A vehicle file into which the curves are written, one file of hard points for each --axle
    #[arg(long, requires = "axle")]
    pub into: Option<PathBuf>,
    /// Names of the axles that the curves are for, such as front
    #[arg(long, requires = "into")]
    pub axle: Vec<String>,
}

/// Runs `jounce kinematics` and returns its output.
///
/// # Errors
/// If a file cannot be read or written, hard points violate a rule or cannot be assembled, or a vehicle has no such axle.
pub fn kinematics_command(args: &KinematicsArgs) -> Result<String, LabError> {
    if args.into.is_some() && args.axle.len() != args.points.len() {
        let message = format!(
            "--axle: {} of them for {} file(s) of hard points",
            args.axle.len(),
            args.points.len()
        );
        let file = "kinematics".to_owned();
        return Err(LabError::Syntax { file, message });
    }
    let moved = args.points.iter().map(|path| moved(path));
    let moved = moved.collect::<Result<Vec<_>, _>>()?;
    let shown: Vec<ShownSuspension<'_>> = moved
        .iter()
        .map(|(points, sweep)| ShownSuspension {
            name: &points.name,
            sweep,
        })
        .collect();
    let mut text: String = shown
        .iter()
        .map(|shown| show::table(shown) + "\n")
        .collect();
    text += &pages(args, &shown)?;
    if let Some(vehicle) = &args.into {
        let pairs = moved.iter().zip(&args.axle);
        let fitted = pairs.map(|((points, sweep), axle)| Fitted {
            axle,
            sweep,
            beam: points.kind == SuspensionKind::LiveAxle,
        });
        text += &write_into(vehicle, &fitted.collect::<Vec<_>>())?;
    }
    Ok(text)
}

/// Reads hard points and moves them; without a name, they have that of their file.
fn moved(path: &Path) -> Result<(HardPoints, TravelSweep), LabError> {
    let text = read_text(path)?;
    let file = path.display().to_string();
    let mut points = HardPoints::parse(&text, &file)?;
    if points.name.is_empty() {
        points.name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
    }
    let sweep = TravelSweep::new(&points).map_err(|fault| invalid(&file, vec![fault]))?;
    Ok((points, sweep))
}

/// Writes the page and the table.
fn pages(args: &KinematicsArgs, shown: &[ShownSuspension<'_>]) -> Result<String, LabError> {
    let folder = args.out.parent().unwrap_or(Path::new(""));
    let Some(name) = args.out.file_name() else {
        return Err(LabError::Syntax {
            file: "kinematics".to_owned(),
            message: format!("--out = {}: must name a file", args.out.display()),
        });
    };
    let page = show::sheet(shown).save(folder, &name.to_string_lossy())?;
    let table = page.with_extension("csv");
    fs::write(&table, show::csv(shown)).map_err(LabError::of_file(&table))?;
    Ok(format!(
        "written: {}\nwritten: {}\n",
        page.display(),
        table.display()
    ))
}
