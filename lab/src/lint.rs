//! `jounce lint`: problems in a vehicle file that the tuning guide of PhysX's vehicles warns about.
//!
//! ```text
//! vehicle file ─▶ subject ─▶ static rules: springs, wheels, body, drive, aids ─┐
//!                       └──▶ a drive of a few seconds: "Troubleshooting" ──────┴─▶ findings
//! ```
//!
//! An *error* keeps a vehicle from working, a *warning* makes it work badly, a *note* is a deviation from the guide, as in
//! many good vehicles. Keys that have no effect, such as the `force_height` of a suspension with the rows solver, are not
//! judged. The default sedan has no finding, and preset vehicles have neither errors nor warnings; `physx-snippet`, with
//! PhysX's own numbers, has warnings.
//!
//! Each rule is a constant, with its measure and its limits, in the module of its topic. A finding names the section of the
//! guide, so that each question of "Troubleshooting" has its rules. `jounce check` reports the findings of `plausible` and
//! `proportions`, and the hull's clearance, too.

mod finding;
mod subject;
mod footing;
mod grip;
mod plausible;
mod proportions;
mod body;
mod drive;
mod aids;
mod fuel;
mod parallel;
mod power_split;
mod bounds;
mod transmission;
mod slip_limiters;
mod run;
mod ramp;
mod tips;
mod oversteers;
mod rolling;
mod handling;
mod traction;
mod bumps;
mod hunting;
mod damped;
mod driving;
mod rigid;
mod springs;
mod tires;
mod wheels;

use core::fmt::Write as _;

use clap::Args;
use jounce::core::BodyState;
use jounce::file::{Car, FileError, WheelKind};

pub use finding::{Finding, Severity};

use crate::error::LabError;
use crate::options::parse_dt;
use finding::Findings;
use jounce::presets;
use subject::LintedCar;

/// Options of `jounce lint`.
#[derive(Args, Clone, Debug)]
pub struct LintArgs {
    /// Vehicle file, or the name of a preset
    pub vehicle: String,
    /// Time step of the vehicle, in seconds: 1/60 or 0.0167
    #[arg(long, default_value = "1/60", value_parser = parse_dt)]
    pub dt: f32,
    /// Linear damping that the body has in your engine, in 1/s
    #[arg(long, default_value_t = 0.0)]
    pub linear_damping: f32,
    /// Angular damping that the body has in your engine, in 1/s
    #[arg(long, default_value_t = 0.0)]
    pub angular_damping: f32,
    /// Print the findings as JSON
    #[arg(long)]
    pub json: bool,
}

impl LintArgs {
    fn surroundings(&self) -> LintSurroundings {
        LintSurroundings {
            linear_damping: self.linear_damping,
            angular_damping: self.angular_damping,
            ..LintSurroundings::new(self.dt)
        }
    }
}

/// Time step and damping of the game around a car.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LintSurroundings {
    /// Time step (`s`).
    pub dt: f32,
    /// Linear damping of the body in the engine (`1/s`).
    pub linear_damping: f32,
    /// Angular damping of the body in the engine (`1/s`).
    pub angular_damping: f32,
}

impl LintSurroundings {
    /// Steps of `dt` (`s`), a body without damping.
    #[must_use]
    pub const fn new(dt: f32) -> Self {
        Self {
            dt,
            linear_damping: 0.0,
            angular_damping: 0.0,
        }
    }

    /// Surroundings of a body in a running game, as its engine tells them, in steps of `dt` (`s`).
    #[must_use]
    pub fn of(body: &BodyState, dt: f32) -> Self {
        Self {
            dt,
            linear_damping: body.linear_damping,
            angular_damping: body.angular_damping,
        }
    }
}

/// The result of `jounce lint`.
#[derive(Clone, Debug)]
pub struct Linted {
    /// The output.
    pub text: String,
    /// Whether any of the findings is an error.
    pub failed: bool,
}

/// Runs `jounce lint`.
///
/// # Errors
/// If the file cannot be read, or the world loses the car. Faults in its contents are findings.
pub fn lint_command(args: &LintArgs) -> Result<Linted, LabError> {
    let findings = match presets::load(&args.vehicle) {
        Ok(car) => lint_in(&car, &args.surroundings())?,
        Err(FileError::Invalid { faults, .. }) => faults
            .into_iter()
            .map(|placed| Finding::from(placed.fault))
            .collect(),
        Err(error) => return Err(error.into()),
    };
    let text = if args.json {
        serde_json::to_string_pretty(&findings).map_err(std::io::Error::other)
    } else {
        Ok(table(&args.vehicle, &findings))
    };
    let text = text.map_err(|source| LabError::File {
        path: args.vehicle.clone().into(),
        source,
    })?;
    Ok(Linted {
        text: text + "\n",
        failed: findings
            .iter()
            .any(|found| found.severity == Severity::Error),
    })
}

/// All findings about a car that is stepped by `dt` (`s`), the gravest first.
///
/// # Errors
/// If the world loses the car.
pub fn lint(car: &Car, dt: f32) -> Result<Vec<Finding>, LabError> {
    lint_in(car, &LintSurroundings::new(dt))
}

/// All findings about a car in these surroundings, the gravest first.
///
/// # Errors
/// If the world loses the car.
pub fn lint_in(car: &Car, surroundings: &LintSurroundings) -> Result<Vec<Finding>, LabError> {
    let subject = LintedCar::new(car, surroundings);
    let mut findings = static_rules(&subject);
    let mut probing = car.clone();
    probing.wheels = WheelKind::Probes;
    driving::look(&LintedCar::new(&probing, surroundings), &mut findings)?;
    Ok(findings.sorted())
}

/// The findings about a car that is stepped by `dt` (`s`) that take no drive, the gravest first: quick enough to follow
/// every change of a number.
#[must_use]
pub fn inspect(car: &Car, dt: f32) -> Vec<Finding> {
    let surroundings = LintSurroundings::new(dt);
    static_rules(&LintedCar::new(car, &surroundings)).sorted()
}

/// The findings about numbers that no vehicle has, the gravest first.
pub(crate) fn implausible(car: &Car) -> Vec<Finding> {
    let surroundings = LintSurroundings::new(1.0 / 60.0);
    let mut findings = Findings::default();
    let subject = LintedCar::new(car, &surroundings);
    plausible::look(&subject, &mut findings);
    proportions::look(&subject, &mut findings);
    body::clearance(&subject, &mut findings);
    findings.sorted()
}

fn static_rules(subject: &LintedCar<'_>) -> Findings {
    let mut findings = Findings::default();
    plausible::look(subject, &mut findings);
    proportions::look(subject, &mut findings);
    springs::look(subject, &mut findings);
    wheels::look(subject, &mut findings);
    tires::look(subject, &mut findings);
    body::look(subject, &mut findings);
    drive::look(subject, &mut findings);
    aids::look(subject, &mut findings);
    fuel::look(subject, &mut findings);
    parallel::look(subject, &mut findings);
    power_split::look(subject, &mut findings);
    bounds::look(subject, &mut findings);
    transmission::look(subject, &mut findings);
    slip_limiters::look(subject, &mut findings);
    rigid::look(subject, &mut findings);
    findings
}

/// The findings as text.
fn table(vehicle: &str, findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{finding}\n");
    }
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let _ = write!(
        text,
        "{vehicle}: {} error(s), {} warning(s), {} note(s)",
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Note),
    );
    if count(Severity::Error) > 1 {
        text += "; mend the first error first: others may follow from it";
    }
    text
}

#[cfg(test)]
mod tests;
