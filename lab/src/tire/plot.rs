//! `jounce tire plot`: tires of any law as a page of carpets.

mod subject;
mod family;
mod lines;
mod carpets;
mod figures;
mod source;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::LabError;
use crate::report::{Sheet, abreast, heading, note, readout};
use carpets::Carpets;
use family::Family;
use subject::Subject;

/// Maximum number of tires on a page: twice the number of colors.
const MOST_TIRES: usize = 24;
/// Maximum number of loads: as many labels as are distinguishable.
const MOST: usize = 6;
/// Allowed friction (–).
const FRICTION: core::ops::RangeInclusive<f64> = 0.01..=10.0;
/// Allowed loads (`N`).
const LOADS: core::ops::RangeInclusive<f64> = 1.0..=1e6;

/// Options of `jounce tire plot`.
#[derive(Args, Clone, Debug)]
pub struct PlotArgs {
    /// Tires: .tir files, TOML files of a tire (`model = "…"` and its parameters) or of a vehicle
    /// (all its tires; FILE#NAME for one), names of preset tires and vehicles
    #[arg(required = true)]
    pub tires: Vec<String>,
    /// Output file of the page
    #[arg(long, default_value = "out/tires.html")]
    pub out: PathBuf,
    /// Loads of the families (`N`), such as 2000,4000,6000; by default round ones around the nominal load
    #[arg(long, value_delimiter = ',')]
    pub loads: Vec<f64>,
    /// Friction of the surface; a factor for tires with their own friction
    #[arg(long, default_value_t = 1.0)]
    pub friction: f64,
    /// Load at rest (`N`) of tires whose file has neither a nominal load nor a vehicle
    #[arg(long, default_value_t = 4000.0)]
    pub rest_load: f64,
}

/// Writes the page and returns the output.
///
/// # Errors
/// If a tire cannot be read or built, an option is out of range, or the page cannot be written.
pub(super) fn plot(args: &PlotArgs) -> Result<String, LabError> {
    check(args)?;
    let mut subjects = Vec::new();
    for name in &args.tires {
        subjects.extend(source::subjects(name, args.rest_load)?);
    }
    if subjects.len() > MOST_TIRES {
        let rule = format!(
            "{} tires: at most {MOST_TIRES} fit on a page",
            subjects.len()
        );
        return Err(fault("tires", rule));
    }
    let folder = args.out.parent().unwrap_or(Path::new(""));
    let Some(name) = args.out.file_name() else {
        let rule = format!("--out = {}: must name a file", args.out.display());
        return Err(fault("tire plot", rule));
    };
    let sheet = sheet(&subjects, args);
    let path = sheet.save(folder, &name.to_string_lossy())?;
    Ok(format!("written: {}\n", path.display()))
}

fn check(args: &PlotArgs) -> Result<(), LabError> {
    let within = |name: &str, value: f64, unit: &str, range: core::ops::RangeInclusive<f64>| {
        let rule = format!(
            "--{name} = {value}{unit}: must be within {}..={}",
            range.start(),
            range.end()
        );
        let inside = range.contains(&value);
        inside.then_some(()).ok_or_else(|| fault("tire plot", rule))
    };
    within("friction", args.friction, "", FRICTION)?;
    within("rest-load", args.rest_load, " N", LOADS)?;
    for load in &args.loads {
        within("loads", *load, " N", LOADS)?;
    }
    if args.loads.len() > MOST {
        let rule = format!("--loads: {} of them, at most {MOST}", args.loads.len());
        return Err(fault("tire plot", rule));
    }
    Ok(())
}

fn fault(subject: &str, message: String) -> LabError {
    LabError::Syntax {
        file: subject.to_owned(),
        message,
    }
}

fn sheet(subjects: &[Subject], args: &PlotArgs) -> Sheet {
    let family = Family::of(subjects, &args.loads, args.friction);
    let names: Vec<&str> = subjects.iter().map(|s| s.name.as_str()).collect();
    let mut sections = figures::tables(subjects, args.friction);
    sections.extend(subjects.iter().map(figures::remarks));
    sections.extend(charts(&Carpets {
        subjects,
        family: &family,
    }));
    sections.push(note(
        "Everything is in ISO-W, in steady state: x along the rolling direction, y to its left, z up. Slip ratio \
         κ > 0 drives, −100 % is locked. Slip angle α > 0: the contact point moves to the left, and Fy points to \
         the right. Mz > 0 turns the wheel to the left, Mx > 0 leans it to the right. Camber γ > 0: the top leans to \
         the right. Forces are those that a vehicle on this tire gets.",
    ));
    sections.push(readout());
    let mut facts = vec![
        ("loads", family.words()),
        ("friction", args.friction.to_string()),
    ];
    if subjects.len() > 1 {
        facts.push(("compared at", family::newtons(family.at)));
    }
    Sheet {
        brand: "jounce tire plot".to_owned(),
        title: names.join(" · "),
        what: "Lines are solid within the range of loads, slips and camber that a tire's file gives, and dashed \
               beyond it, where the law goes on from the range's end. Point at a line to read it."
            .to_owned(),
        facts,
        sections,
    }
}

/// All charts available for these tires, under their headings.
fn charts(carpets: &Carpets<'_>) -> Vec<String> {
    let rooms = [
        (
            "Pure slip",
            vec![
                Some(carpets.lateral()),
                Some(carpets.longitudinal()),
                carpets.aligning(),
                carpets.overturning(),
            ],
        ),
        (
            "Combined slip",
            vec![Some(carpets.braked()), Some(carpets.cornered())],
        ),
        ("Camber", vec![carpets.cambered(), carpets.thrust()]),
        (
            "Inflation pressure",
            vec![carpets.inflated(), carpets.inflated_stiffness()],
        ),
        (
            "Against load",
            vec![
                Some(carpets.friction()),
                Some(carpets.cornering_stiffness()),
                Some(carpets.slip_stiffness()),
                carpets.relaxation(),
            ],
        ),
    ];
    let mut sections = Vec::new();
    for (title, found) in rooms {
        let found: Vec<String> = found.iter().flatten().map(|c| c.html()).collect();
        if !found.is_empty() {
            sections.push(heading(title));
            sections.push(abreast(&found));
        }
    }
    sections
}

#[cfg(test)]
mod tests;
