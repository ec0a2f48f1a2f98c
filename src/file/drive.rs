//! Builds a drive from a file's table `drivetrain`, and its axles' steering and brakes.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use drivetrain::{
    Differential, DirectDrive, DirectDriveParams, ElectricDrive, ElectricDriveParams, EngineDrive,
    EngineDriveParams, SteeredAxle, SteeredWheel, SteeringParams, TankDifferential, Track,
    TrackSide,
};
use vehicle_core::{Check, Checked, Drivetrain, Fault};

use super::axles::Axles;
use super::data_sheet;
use super::read::{FileFindings, read};
use super::schema::{
    AxleFile, DirectFile, ElectricFile, EngineFile, SolverName, SteeringResponseFile, TankFile,
    VehicleFile,
};
use super::steering::{SteeredBy, system};
use crate::document::ModelSpec;

/// A drive and its description.
pub(super) type Drive = (ModelSpec, Arc<dyn Drivetrain>);

/// Builds the drive, or records every fault.
pub(super) fn build(file: &VehicleFile, findings: &mut FileFindings) -> Option<Drive> {
    let mut table = file.drivetrain.clone();
    let model = table.remove("model");
    match model.as_ref().and_then(Value::as_str) {
        Some("engine") => engine_drive(file, table, None, findings),
        Some("tank") => engine_drive(file, table, Some("tank"), findings),
        Some("direct") => direct_drive(file, table, findings),
        Some("electric") => electric_drive(file, table, findings),
        _ => {
            let models = ["engine", "tank", "direct", "electric"];
            let fault = unknown("drivetrain.model", model.as_ref(), &models);
            findings.broken.push(fault);
            None
        }
    }
}

/// A fault at `path` with a value that is not one of the `known` words.
fn unknown(path: &str, value: Option<&Value>, known: &[&str]) -> Fault {
    Fault {
        path: path.to_owned(),
        value: value.map_or("nothing".to_owned(), ToString::to_string),
        rule: format!("must be one of {}", known.join(", ")),
    }
}

/// Brakes of all wheels.
fn brakes(file: &VehicleFile) -> Vec<drivetrain::BrakeParams> {
    let of_axle = |axle: &AxleFile| vec![axle.brakes; axle.wheel_centers().len()];
    file.axles.iter().flat_map(of_axle).collect()
}

/// Radii of all wheels.
fn radii(file: &VehicleFile) -> Vec<f32> {
    let of_axle = |axle: &AxleFile| vec![axle.radius; axle.wheel_centers().len()];
    file.axles.iter().flat_map(of_axle).collect()
}

/// Builds a drive with an engine, whose table names its differential, or `differential` by default.
fn engine_drive(
    file: &VehicleFile,
    table: Table,
    differential: Option<&str>,
    findings: &mut FileFindings,
) -> Option<Drive> {
    let engine: EngineFile = data_sheet::read_drivetrain(table, findings)?;
    let params = EngineDriveParams {
        engine: engine.engine,
        clutch: engine.clutch,
        converter: engine.converter,
        dual_clutch: engine.dual_clutch,
        variator: engine.variator,
        retarder: engine.retarder,
        power_take_off: engine.power_take_off,
        gearbox: engine.gearbox,
        autobox: engine.autobox,
        differential: build_differential(file, engine.differential, differential, findings)?,
        responses: engine.responses,
        steering: steering(file, engine.steering, &mut findings.broken),
        brakes: brakes(file),
        radii: radii(file),
    };
    described(
        "engine",
        params,
        EngineDrive::new,
        file,
        &mut findings.broken,
    )
}

/// Builds a drive that sets the torque of each wheel.
fn direct_drive(file: &VehicleFile, table: Table, findings: &mut FileFindings) -> Option<Drive> {
    let direct: DirectFile = read(table, "drivetrain", findings)?;
    let params = DirectDriveParams {
        max_torques: direct.max_torques,
        responses: direct.responses,
        logic: direct.logic,
        steering: steering(file, direct.steering, &mut findings.broken),
        brakes: brakes(file),
    };
    described(
        "direct",
        params,
        DirectDrive::new,
        file,
        &mut findings.broken,
    )
}

/// Builds a drive with electric motors.
fn electric_drive(file: &VehicleFile, table: Table, findings: &mut FileFindings) -> Option<Drive> {
    let electric: ElectricFile = data_sheet::read_drivetrain(table, findings)?;
    let params = ElectricDriveParams {
        motors: electric.motors,
        engine: electric.engine,
        power_split: electric.power_split,
        parallel: electric.parallel,
        battery: electric.battery,
        regeneration: electric.regeneration,
        creep: electric.creep,
        vectoring: electric.vectoring,
        responses: electric.responses,
        steering: steering(file, electric.steering, &mut findings.broken),
        brakes: brakes(file),
    };
    described(
        "electric",
        params,
        ElectricDrive::new,
        file,
        &mut findings.broken,
    )
}

/// The differential of a table, or `otherwise` by default.
fn build_differential(
    file: &VehicleFile,
    mut table: Table,
    otherwise: Option<&str>,
    findings: &mut FileFindings,
) -> Option<Differential> {
    let model = table.remove("model");
    match model.as_ref().map_or(otherwise, Value::as_str) {
        Some("four-wheel") => law(table, findings, Differential::FourWheel),
        Some("equal") => law(table, findings, Differential::Equal),
        Some("limited-slip") => law(table, findings, Differential::LimitedSlip),
        Some("torque-vectoring") => law(table, findings, Differential::TorqueVectoring),
        Some("multi-wheel") => law(table, findings, Differential::MultiWheel),
        Some("locking") => law(table, findings, Differential::Locking),
        Some("tank") => law(table, findings, |tank| {
            Differential::Tank(tracks(file, tank))
        }),
        _ => {
            let models = [
                "four-wheel",
                "equal",
                "limited-slip",
                "torque-vectoring",
                "multi-wheel",
                "locking",
                "tank",
            ];
            let path = "drivetrain.differential.model";
            let fault = unknown(path, model.as_ref(), &models);
            findings.broken.push(fault);
            None
        }
    }
}

/// A law of differentials, read from its table.
fn law<T: DeserializeOwned>(
    table: Table,
    findings: &mut FileFindings,
    make: impl FnOnce(T) -> Differential,
) -> Option<Differential> {
    read(table, "drivetrain.differential", findings).map(make)
}

/// The tracks of a table, by default one on each side over all two-wheel axles.
fn tracks(file: &VehicleFile, tank: TankFile) -> TankDifferential {
    let axles = Axles::of(file);
    let pairs = || {
        file.axles
            .iter()
            .enumerate()
            .filter(|(_, axle)| axle.wheels == 2)
    };
    let track = |side: TrackSide| Track {
        side,
        wheels: pairs()
            .map(|(n, _)| axles.first(n) + side.index())
            .collect(),
        radii: pairs().map(|(_, axle)| axle.radius).collect(),
    };
    let sides = [TrackSide::Left, TrackSide::Right];
    TankDifferential {
        tracks: tank.tracks.unwrap_or_else(|| sides.map(track).to_vec()),
        law: tank.law,
        special: tank.special,
        idle_brake: tank.idle_brake,
        coupling: tank.coupling,
    }
}

/// Steering with the geometry of the file's axles: by default, the separation of a steered axle is its distance to the
/// farthest other axle.
fn steering(
    file: &VehicleFile,
    response: SteeringResponseFile,
    faults: &mut Vec<Fault>,
) -> SteeringParams {
    let separation = |x: f32| {
        file.axles
            .iter()
            .map(|other| (other.x - x).abs())
            .fold(0.0, f32::max)
    };
    let all = Axles::of(file);
    let (mut axles, mut wheels) = (Vec::new(), Vec::new());
    for (n, axle) in file.axles.iter().enumerate() {
        let Some(steering) = axle.steering else {
            continue;
        };
        let (first, max_steer) = (all.first(n), steering.max_deg.to_radians());
        if axle.wheels == 1 {
            wheels.push(SteeredWheel {
                wheel: first,
                max_steer: if steering.counter {
                    -max_steer
                } else {
                    max_steer
                },
            });
        } else {
            axles.push(SteeredAxle {
                left: first,
                right: first + 1,
                max_steer: [max_steer; 2],
                accuracy: steering.ackermann,
                width: axle.track.unwrap_or(f32::NAN),
                separation: steering.separation.unwrap_or_else(|| separation(axle.x)),
                counter: steering.counter,
            });
        }
    }
    let steered = file.axles.iter().filter_map(|axle| axle.steering);
    let max = steered.map(|s| s.max_deg.to_radians()).fold(0.0, f32::max);
    let by = |(n, axle): (usize, &AxleFile)| SteeredBy {
        first: all.first(n),
        wheels: axle.wheels,
        axis: axle.steering.and_then(|steering| steering.axis),
    };
    let steered_by: Vec<SteeredBy> = file.axles.iter().enumerate().map(by).collect();
    let explicit = match file.solver {
        Some(solver) => solver == SolverName::Explicit,
        None => file.profile.profile().explicit().is_some(),
    };
    SteeringParams {
        system: system(response.system, &steered_by, (max, explicit), faults),
        axles,
        wheels,
        response: response.response,
        axle_law: response.axle_law,
    }
}

/// The drive that `make` builds from parameters, and their description under `model`.
fn described<P: Check + Serialize, D: Drivetrain + 'static>(
    model: &str,
    params: P,
    make: fn(Checked<P>) -> D,
    file: &VehicleFile,
    faults: &mut Vec<Fault>,
) -> Option<Drive> {
    let spec = ModelSpec::new(model, &params).ok()?;
    Some((spec, Arc::new(make(checked(params, file, faults)?))))
}

/// Checks a drivetrain's parameters; faults are reported under `drivetrain`, those of brakes and steered axles under their
/// axle.
fn checked<P: Check>(params: P, file: &VehicleFile, faults: &mut Vec<Fault>) -> Option<Checked<P>> {
    let invalid = match Checked::new(params) {
        Ok(checked) => return Some(checked),
        Err(invalid) => invalid,
    };
    for mut fault in invalid.0 {
        let of_axle = brakes_path(&fault.path, file).or_else(|| steering_path(&fault.path, file));
        fault.path = of_axle.unwrap_or_else(|| format!("drivetrain.{}", fault.path));
        if !faults.iter().any(|known| known.path == fault.path) {
            faults.push(fault);
        }
    }
    None
}

/// The index of a path that begins with this list, and what follows.
fn entry<'a>(path: &'a str, list: &str) -> Option<(usize, &'a str)> {
    let (index, rest) = path
        .strip_prefix(list)?
        .strip_prefix('[')?
        .split_once(']')?;
    Some((index.parse().ok()?, rest))
}

/// The key of a file for a path to the brakes of a wheel.
fn brakes_path(path: &str, file: &VehicleFile) -> Option<String> {
    let (wheel, rest) = entry(path, "brakes")?;
    Some(format!(
        "axles[{}].brakes{rest}",
        Axles::of(file).axle(wheel)
    ))
}

/// The key of a file for a path to a steered axle, or to a steered wheel that is alone on its axle.
fn steering_path(path: &str, file: &VehicleFile) -> Option<String> {
    let (wheels, (n, rest)) = match entry(path, "steering.axles") {
        Some(found) => (2, found),
        None => (1, entry(path, "steering.wheels")?),
    };
    let steered = |(_, axle): &(usize, &AxleFile)| axle.steering.is_some() && axle.wheels == wheels;
    let (axle, _) = file.axles.iter().enumerate().filter(steered).nth(n)?;
    let key = match rest.trim_start_matches('.') {
        "accuracy" => "steering.ackermann",
        "separation" => "steering.separation",
        "width" => "track",
        key if key.starts_with("max_steer") => "steering.max_deg",
        _ => return None,
    };
    Some(format!("axles[{axle}].{key}"))
}

#[cfg(test)]
mod tests;
