//! Faults of parameters, reported with their path in the file.

use vehicle_core::{Fault, InvalidParams};

use crate::file::air;
use crate::file::axles::Axles;
use crate::file::schema::VehicleFile;

/// Notes faults of the parameters under the file's own paths. Unless the masses are `balanced`, sums over wheels mean nothing. Places were checked as the file
/// has them.
pub(super) fn add(
    faults: &mut Vec<Fault>,
    found: InvalidParams,
    (file, axles): (&VehicleFile, &Axles),
    balanced: bool,
) {
    for mut fault in found.0 {
        let derived = [".position", ".application_point"];
        if (!balanced && fault.path.contains("[*]"))
            || derived.iter().any(|name| fault.path.ends_with(name))
            // Mirrored on the left, they were checked as the file has them.
            || fault.path.contains("_by_force[")
        {
            continue;
        }
        if let Some(rest) = fault.path.strip_prefix("profile.rows.") {
            fault.path = format!("rows.{rest}");
        }
        if let Some(rest) = fault.path.strip_prefix("aerodynamics.") {
            fault.path = air::path_of(rest);
        }
        let mut right = false;
        if let Some((index, rest)) = wheel_path(&fault.path) {
            let axle = axles.axle(index);
            fault.path = format!("axles[{axle}]{rest}");
            right = file.axles[axle].compliance_right.is_some() && index > axles.first(axle);
        }
        for curve in ["spring", "bump", "rebound"] {
            let (ours, files) = (
                format!(".compliance.{curve}"),
                format!(".suspension.{curve}_curve"),
            );
            fault.path = fault.path.replace(&ours, &files);
        }
        for (ours, files) in [("[0]", ""), ("[1]", "_rise")] {
            let (ours, files) = (
                format!(".rolling_resistance{ours}"),
                format!(".rolling_resistance{files}"),
            );
            fault.path = fault.path.replace(&ours, &files);
        }
        // Slopes of links were checked as the file has them.
        fault.path = match fault.path.split_once(".compliance.links") {
            Some((axle, "")) => format!("{axle}.links"),
            Some(_) => continue,
            None => fault.path,
        };
        if right {
            fault.path = fault.path.replace(".compliance.", ".compliance_right.");
        }
        if !faults.iter().any(|known| known.path == fault.path) {
            faults.push(fault);
        }
    }
}

/// The wheel and the rest of a path `wheels[n]...`.
fn wheel_path(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.strip_prefix("wheels[")?.split_once(']')?;
    Some((index.parse().ok()?, rest))
}
