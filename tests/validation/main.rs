//! Cars compared with closed forms and recorded drives: every file of the reference folder.
//!
//! Each file prints one line `name rows max_error bound`, with the error as a share of the figure's bound; the bound is 1,
//! but for the known deviations ([`vehicle_conformance::validation::DEVIATIONS`]).

#[path = "../shared/reference.rs"]
mod reference;
#[path = "../shared/recorded.rs"]
mod recorded;
#[path = "../shared/published.rs"]
mod published;

use std::path::Path;
use std::process::ExitCode;

use vehicle_conformance::harness::{self, Trial};
use vehicle_conformance::validation::{Reckoning, bicycle, outdated, ride, unlisted};

fn main() -> ExitCode {
    let mut trials = vec![
        Trial::new("bicycle", || {
            judge("bicycle", &bicycle().map_err(|error| error.to_string())?)
        }),
        Trial::new("ride", || {
            judge("ride", &ride().map_err(|error| error.to_string())?)
        }),
        Trial::new("known deviations", deviations),
    ];
    match recorded::files() {
        Ok(files) => trials.extend(
            files
                .into_iter()
                .map(|path| Trial::new(reference::stem(&path), move || file(&path))),
        ),
        Err(error) => trials.push(Trial::new("reference folder", move || Err(error))),
    }
    match published::files() {
        Ok(files) => trials.extend(files.into_iter().map(|path| {
            Trial::new(reference::stem(&path), move || {
                judge(&reference::stem(&path), &published::compare(&path)?)
            })
        })),
        Err(error) => trials.push(Trial::new("published figures", move || Err(error))),
    }
    harness::run(trials)
}

fn file(path: &Path) -> Result<(), String> {
    let (_, found) = recorded::compare(path)?;
    judge(&reference::stem(path), &found)
}

/// Prints the line of a file; fails if it has no figure, or one outside its bound that is not known to be.
fn judge(name: &str, found: &[Reckoning]) -> Result<(), String> {
    let line = recorded::line(name, found);
    println!("{line}");
    if line.holds() {
        Ok(())
    } else {
        Err(format!("{line}\n{}", unlisted(found).join("\n")))
    }
}

/// Deviations that are no longer there.
fn deviations() -> Result<(), String> {
    let mut found = bicycle().map_err(|error| error.to_string())?;
    found.extend(ride().map_err(|error| error.to_string())?);
    for path in recorded::files()? {
        found.extend(recorded::compare(&path)?.1);
    }
    for path in published::files()? {
        found.extend(published::compare(&path)?);
    }
    let outdated = outdated(&found);
    if outdated.is_empty() {
        Ok(())
    } else {
        Err(outdated.join("\n"))
    }
}
