//! Builds checked parameters and a prepared model from a file's tables.

mod checks;
mod tires;
mod wheel;
mod params;
mod faults;

use std::path::Path;
use std::sync::Arc;

use jointed_wheels::Attachments;
use tire_models::TireRegistry;
use toml::{Table, Value};
use vehicle_core::{Check as _, Checked, Fault, Inspector, VehicleModel, VehicleParams};

use super::axles::Axles;
use super::coupling::CouplingFile;
use super::drive::Drive;
use super::ladder::Wheels;
use super::read::{FileFindings, every_fault, read};
use super::schema::VehicleFile;
use super::steps::SCHEMA;
use super::{Car, Hull, WheelKind, drive, units};
use crate::document::VehicleSpec;
use checks::{check_couplings, inspect};
use faults::add;
use params::{balance, chassis_params, profile, vehicle_params};
use tires::Tires;

/// Builds a car, or collects every fault; referenced files are relative to `folder`.
pub(super) fn build(
    table: Table,
    registry: &TireRegistry,
    folder: Option<&Path>,
) -> Result<Car, Vec<Fault>> {
    every_fault(&table, |table, findings| {
        attempt(table, registry, folder, findings)
    })
}

/// Builds a car, or notes faults.
fn attempt(
    table: Table,
    registry: &TireRegistry,
    folder: Option<&Path>,
    findings: &mut FileFindings,
) -> Option<Car> {
    let file = understand(table, findings)?;
    let whole = !findings.patched();
    let tires = Tires::build(&file.tires, registry, folder, findings);
    let drive = drive::build(&file, findings);
    let faults = &mut findings.broken;
    let coupled = check_couplings(&file, faults);
    let chassis = chassis_params(&file, coupled);
    let known = whole && coupled;
    let shares = known.then(|| balance(&file, &chassis, faults)).flatten();
    let balanced = shares.is_some();
    let params = vehicle_params(&file, chassis, &tires, shares.as_deref(), faults);
    let axles = Axles::of(&file);
    let checked =
        Checked::new(params).map_err(|found| add(faults, found, (&file, &axles), balanced));
    check_rest(&file, drive.as_ref(), axles.wheels(), faults);
    let (Ok(params), Some((drive_spec, drive)), true) = (checked, drive, findings.count() == 0)
    else {
        return None;
    };
    let spec = VehicleSpec {
        name: file.name.clone(),
        params: VehicleParams::clone(&params),
        tires: tires.specs,
        drive: drive_spec,
        aids: file.aids,
    };
    let model = VehicleModel::new(params, &tires.models, drive);
    let model = model.and_then(|model| model.with_aids(&file.aids.aids()));
    let model = model.map_err(|found| found.0);
    let car = model.and_then(|model| car(file, spec, Arc::new(model)));
    car.map_err(|found| findings.broken.extend(found)).ok()
}

/// Reads a file of any schema and any units.
fn understand(mut table: Table, findings: &mut FileFindings) -> Option<VehicleFile> {
    let version = table
        .get("schema")
        .map_or("nothing".to_owned(), Value::to_string);
    if let Err(error) = SCHEMA.upgrade_unnamed(&mut table) {
        let text = error.to_string();
        let subject = format!("schema = {version}: ");
        let rule = text.strip_prefix(&subject).unwrap_or(&text);
        findings.broken.push(Fault {
            path: "schema".to_owned(),
            value: version,
            rule: rule.to_owned(),
        });
    }
    units::bring_to_si(&mut table, findings);
    read(table, "", findings)
}

/// Checks the rules for parts of a file beside the parameters.
fn check_rest(file: &VehicleFile, drive: Option<&Drive>, wheels: usize, faults: &mut Vec<Fault>) {
    inspect(faults, |i| {
        if let Some((_, drive)) = drive {
            i.within("drivetrain", |i| drive.check(wheels, i));
        }
        i.within("aids", |i| file.aids.check(wheels, i));
        check_solver_of_aids(file, i);
    });
    check_wheels(file, faults);
    inspect(faults, |i| {
        i.within("chassis.hull", |i| file.chassis.hull.check(i));
        i.within("target", |i| file.target.check(i));
        if let Some(ladder) = &file.ladder {
            i.within("ladder", |i| ladder.check(i));
        }
    });
}

/// The car of a model, unless the file requests properties that the model cannot have.
fn car(file: VehicleFile, spec: VehicleSpec, model: Arc<VehicleModel>) -> Result<Car, Vec<Fault>> {
    let jointed = file.contact() == Wheels::Rigid;
    if jointed {
        Attachments::of(&model, 1.0).map_err(|unsuited| vec![no_bodies(unsuited.to_string())])?;
    }
    if let Some(ladder) = &file.ladder {
        ladder.fit(&model)?;
    }
    Ok(Car {
        spec,
        name: file.name,
        description: file.description,
        coupling: file.coupling.map(CouplingFile::coupling),
        rear_coupling: file.rear_coupling.map(|rear| rear.0.coupling()),
        wheels: if jointed {
            WheelKind::Jointed
        } else {
            WheelKind::Probes
        },
        targets: file.target.targets(),
        ladder: file.ladder,
        hull: Hull {
            size: file.chassis.hull.size,
            center: file.chassis.hull.center,
        },
        model,
        source: None,
    })
}

/// Aids need a solver that keeps their bounds, and wheels that are not the engine's.
fn check_solver_of_aids(file: &VehicleFile, i: &mut Inspector) {
    if file.aids.is_empty() {
        return;
    }
    let rows = profile(file).rows().is_some();
    let rule = "must be left out: aids need solver = \"rows\"";
    i.rule(rows, "aids", "given", "", rule);
    let probes = file.contact() != Wheels::Rigid;
    let rule = "must be left out: aids do not reach wheels that are bodies";
    i.rule(probes, "aids", "given", "", rule);
}

/// Only swept wheels have settings of sweeps; a whole vehicle does not stand on constraints.
fn check_wheels(file: &VehicleFile, faults: &mut Vec<Fault>) {
    let mut fault = |value: &str, rule: &str| faults.push(Fault::new("wheels", value, "", rule));
    let unswept = "does not go with [sweep]: leave one out";
    match (file.wheels, &file.sweep) {
        (Some(Wheels::Rigid), Some(_)) => fault("rigid", unswept),
        (Some(Wheels::Rays), Some(_)) => fault("rays", unswept),
        (Some(Wheels::Sections), Some(_)) => fault("sections", unswept),
        (Some(Wheels::Auto), Some(_)) => fault("auto", unswept),
        (Some(Wheels::Constraints), _) => fault("constraints", "is for rungs of a ladder"),
        _ => {}
    }
    let explicit = profile(file).explicit().is_some();
    let needs_rows = "needs solver = \"rows\"";
    match file.wheels {
        Some(Wheels::Sections) if explicit => fault("sections", needs_rows),
        Some(Wheels::Auto) if explicit => fault("auto", needs_rows),
        _ => {}
    }
}

/// Fault of a vehicle whose wheels cannot be bodies.
fn no_bodies(rule: String) -> Fault {
    Fault {
        path: "wheels".to_owned(),
        value: "rigid".to_owned(),
        rule,
    }
}
