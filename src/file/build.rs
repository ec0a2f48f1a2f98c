//! From a file's tables to checked parameters and a prepared kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use toml::{Table, Value};

use drivetrain::{
    DirectDrive, DirectDriveParams, EngineDrive, EngineDriveParams, SteeredAxle, SteeringParams,
};
use serde::Serialize;
use tire_models::{SpecError, TireRegistry};
use vehicle_core::params::{
    CamberCurve, ChassisParams, FrictionCurve, LoadFilter, Probe, SubstepPolicy, SuspensionParams,
    TireFit, WheelParams,
};
use vehicle_core::sprung_mass::sprung_masses;
use vehicle_core::{
    Check, Checked, Drivetrain, Fault, Inspector, InvalidParams, Profile, TireModel, TireType,
    VehicleKind, VehicleParams,
};

use super::read::read;
use super::schema::{AxleFile, DirectFile, EngineFile, SCHEMA, VehicleFile};
use super::{Car, Hull};
use crate::document::{ModelSpec, VehicleSpec};

/// Builds a car, or collects every fault.
pub(super) fn build(mut table: Table, tires: &TireRegistry) -> Result<Car, Vec<Fault>> {
    let mut faults = Vec::new();
    let version = table
        .get("schema")
        .map_or("nothing".to_owned(), Value::to_string);
    if let Err(error) = SCHEMA.upgrade_unnamed(&mut table) {
        let text = error.to_string();
        let rule = text.rsplit(": ").next().unwrap_or(&text);
        faults.push(Fault {
            path: "schema".to_owned(),
            value: version,
            rule: rule.to_owned(),
        });
    }
    let reading = read::<VehicleFile>(table, "", &mut faults);
    let Some(file) = reading.value else {
        return Err(faults);
    };
    let (names, models) = build_tires(&file.tires, tires, &mut faults);
    let mass = file.chassis.mass;
    let places_known = file
        .axles
        .iter()
        .flat_map(pair)
        .all(|place| place.is_finite());
    let balanced = !reading.patched && mass > 0.0 && mass.is_finite() && places_known;
    let params = vehicle_params(&file, &names, balanced, &mut faults);
    let drive = build_drive(&file, &mut faults);
    let checked = Checked::new(params).map_err(|found| add(&mut faults, found, balanced));
    if let Some((_, drive)) = &drive {
        let mut inspector = Inspector::new();
        inspector.within("drivetrain", |i| drive.check(2 * file.axles.len(), i));
        faults.extend(
            inspector
                .verdict()
                .err()
                .into_iter()
                .flat_map(|found| found.0),
        );
    }
    let (Ok(params), Some((drive_spec, drive)), true) = (checked, drive, faults.is_empty()) else {
        return Err(faults);
    };
    let spec = VehicleSpec {
        name: file.name.clone(),
        params: VehicleParams::clone(&params),
        tires: file.tires.values().cloned().map(ModelSpec).collect(),
        drive: drive_spec,
    };
    let kind = VehicleKind::new(params, &models, drive).map_err(|found| found.0)?;
    Ok(Car {
        spec,
        name: file.name,
        description: file.description,
        hull: Hull {
            size: file.chassis.hull.size,
            centre: file.chassis.hull.centre,
        },
        kind: Arc::new(kind),
    })
}

/// Notes faults of the parameters under the file's own paths: wheels 2k and 2k + 1 are axle k.
/// Unless the masses are `balanced`, sums over wheels mean nothing. Places were checked as the file
/// has them.
fn add(faults: &mut Vec<Fault>, found: InvalidParams, balanced: bool) {
    for mut fault in found.0 {
        let derived = [".position", ".application_point"];
        if (!balanced && fault.path.contains("[*]"))
            || derived.iter().any(|name| fault.path.ends_with(name))
        {
            continue;
        }
        if let Some(rest) = fault.path.strip_prefix("profile.rows.") {
            fault.path = format!("rows.{rest}");
        }
        if let Some((index, rest)) = wheel_path(&fault.path) {
            fault.path = format!("axles[{}]{rest}", index / 2);
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

fn build_tires<'a>(
    tables: &'a BTreeMap<String, Table>,
    registry: &TireRegistry,
    faults: &mut Vec<Fault>,
) -> (Vec<&'a str>, Vec<Arc<dyn TireModel>>) {
    let (mut names, mut models) = (Vec::new(), Vec::new());
    for (name, table) in tables {
        names.push(name.as_str());
        match registry.build(table.clone()) {
            Ok(model) => models.push(model),
            Err(SpecError::Invalid { source, .. }) => {
                faults.extend(source.0.into_iter().map(|fault| Fault {
                    path: format!("tires.{name}.{}", fault.path),
                    ..fault
                }));
            }
            Err(error) => faults.push(Fault {
                path: format!("tires.{name}"),
                value: Value::Table(table.clone()).to_string(),
                rule: error.to_string().trim_end().replace('\n', " "),
            }),
        }
    }
    (names, models)
}

/// Parameters of all wheels. Where the masses cannot be `balanced`, because the chassis' own mass is
/// at fault, each wheel carries a placeholder.
fn vehicle_params(
    file: &VehicleFile,
    tires: &[&str],
    balanced: bool,
    faults: &mut Vec<Fault>,
) -> VehicleParams {
    let chassis = ChassisParams {
        mass: file.chassis.mass,
        inertia: file.chassis.inertia,
        centre_of_mass: file.chassis.centre_of_mass,
    };
    let places: Vec<Vec3> = file.axles.iter().flat_map(pair).collect();
    let shares = if balanced {
        balance(&places, &chassis, faults)
    } else {
        vec![1.0; places.len()]
    };
    let mut wheels = Vec::new();
    for (n, axle) in file.axles.iter().enumerate() {
        check_places(n, axle, faults);
        let model = tires.iter().position(|name| *name == axle.tire.model);
        if model.is_none() {
            faults.push(Fault {
                path: format!("axles[{n}].tire.model"),
                value: format!("{:?}", axle.tire.model),
                rule: format!("must name one of the tires: {}", tires.join(", ")),
            });
        }
        for (side, place) in pair(axle).into_iter().enumerate() {
            let given = axle.suspension.sprung_mass;
            let sprung_mass = given.unwrap_or(shares[2 * n + side]);
            wheels.push(wheel(axle, place, sprung_mass, model.unwrap_or(0)));
        }
    }
    VehicleParams {
        chassis,
        wheels,
        anti_roll: file.anti_roll.clone(),
        load_filter: file.load_filter.unwrap_or(LoadFilter::OFF),
        substeps: file.substeps.unwrap_or(SubstepPolicy::PHYSX),
        probe: file
            .sweep
            .as_ref()
            .map_or(Probe::Ray, |sweep| Probe::Sweep(sweep.settings())),
        profile: profile(file),
    }
}

/// The named profile with the file's own solver and settings.
fn profile(file: &VehicleFile) -> Profile {
    let named = file.profile.profile();
    Profile {
        solver: file.solver.unwrap_or(named.solver),
        rows: file.rows.unwrap_or(named.rows),
        ..named
    }
}

/// Rate of a bump stop over its spring's where a file names none: 200 to 600 kN/m for cars.
const BUMP_STOP: f32 = 10.0;

/// Reports what the places of an axle's wheels and forces are made from.
fn check_places(n: usize, axle: &AxleFile, faults: &mut Vec<Fault>) {
    let mut inspector = Inspector::new();
    inspector.within(format!("axles[{n}]"), |i| {
        i.finite("x", axle.x, "m");
        i.positive("track", axle.track, "m");
        i.finite("z", axle.z.unwrap_or(0.0), "m");
        i.finite("suspension.force_height", axle.suspension.force_height, "m");
        i.finite("tire.force_height", axle.tire.force_height, "m");
    });
    faults.extend(
        inspector
            .verdict()
            .err()
            .into_iter()
            .flat_map(|found| found.0),
    );
}

/// Sprung masses that carry the chassis.
fn balance(places: &[Vec3], chassis: &ChassisParams, faults: &mut Vec<Fault>) -> Vec<f32> {
    let centre = chassis.centre_of_mass;
    sprung_masses(places, centre, chassis.mass, Vec3::Z).unwrap_or_else(|error| {
        faults.push(Fault {
            path: "axles".to_owned(),
            value: format!("{} wheel(s)", places.len()),
            rule: error.to_string(),
        });
        vec![1.0; places.len()]
    })
}

/// Left and right wheel centre at the design position [m, vehicle frame].
fn pair(axle: &AxleFile) -> [Vec3; 2] {
    let z = axle.z.unwrap_or(axle.radius);
    [0.5, -0.5].map(|side| Vec3::new(axle.x, side * axle.track, z))
}

/// A wheel of an axle. A file's toe is positive inwards and its camber negative with the top
/// inwards on both sides; inside they are plain rotations.
fn wheel(axle: &AxleFile, place: Vec3, sprung_mass: f32, model: usize) -> WheelParams {
    let left = place.y > 0.0;
    let inwards = if left { -1.0 } else { 1.0 };
    let camber = |degrees: f32| inwards * degrees.to_radians();
    let s = &axle.suspension;
    let at_height = |z: f32| Vec3::new(place.x, place.y, z);
    WheelParams {
        name: format!("{} {}", axle.name, if left { "left" } else { "right" }),
        enabled: true,
        position: place,
        radius: axle.radius,
        width: axle.width,
        mass: axle.mass,
        inertia: axle
            .inertia
            .unwrap_or(0.5 * axle.mass * axle.radius * axle.radius),
        damping: axle.damping,
        toe: inwards * axle.toe_deg.to_radians(),
        layers: axle.layers,
        suspension: SuspensionParams {
            stiffness: s.stiffness,
            damping: s.damping,
            bump_stop_stiffness: s.bump_stop_stiffness.unwrap_or(BUMP_STOP * s.stiffness),
            max_compression: s.max_compression,
            max_droop: s.max_droop,
            sprung_mass,
            travel_direction: Vec3::NEG_Z,
            application_point: at_height(s.force_height),
            camber: CamberCurve {
                at_rest: camber(s.camber_deg),
                at_max_compression: camber(s.camber_at_max_compression_deg),
                at_max_droop: camber(s.camber_at_max_droop_deg),
            },
        },
        tire: TireFit {
            model,
            kind: TireType(axle.tire.kind),
            friction_curve: axle.tire.friction_curve.unwrap_or(FrictionCurve::FLAT),
            application_point: at_height(axle.tire.force_height),
        },
    }
}

/// A drive and its description.
type Described = (ModelSpec, Arc<dyn Drivetrain>);

fn build_drive(file: &VehicleFile, faults: &mut Vec<Fault>) -> Option<Described> {
    let mut table = file.drivetrain.clone();
    let model = table.remove("model");
    let steering = steering(file);
    let brakes = file
        .axles
        .iter()
        .flat_map(|axle| [axle.brakes; 2])
        .collect();
    match model.as_ref().and_then(Value::as_str) {
        Some("engine") => {
            let engine = read::<EngineFile>(table, "drivetrain", faults).value?;
            described(
                "engine",
                EngineDriveParams {
                    engine: engine.engine,
                    clutch: engine.clutch,
                    gearbox: engine.gearbox,
                    autobox: engine.autobox,
                    differential: engine.differential,
                    driven: engine.driven,
                    steering,
                    brakes,
                },
                EngineDrive::new,
                faults,
            )
        }
        Some("direct") => {
            let direct = read::<DirectFile>(table, "drivetrain", faults).value?;
            described(
                "direct",
                DirectDriveParams {
                    max_torques: direct.max_torques,
                    steering,
                    brakes,
                },
                DirectDrive::new,
                faults,
            )
        }
        _ => {
            faults.push(Fault {
                path: "drivetrain.model".to_owned(),
                value: model.map_or("nothing".to_owned(), |model| model.to_string()),
                rule: "must be \"engine\" or \"direct\"".to_owned(),
            });
            None
        }
    }
}

/// The drive that `make` makes of parameters, and their description under `model`.
fn described<P: Check + Serialize, D: Drivetrain + 'static>(
    model: &str,
    params: P,
    make: fn(Checked<P>) -> D,
    faults: &mut Vec<Fault>,
) -> Option<Described> {
    let spec = ModelSpec::new(model, &params).ok()?;
    Some((spec, Arc::new(make(checked(params, faults)?))))
}

/// Checks a drivetrain's parameters; its faults stand under `drivetrain`, those of steering and
/// brakes under the axle that they came from.
fn checked<P: Check>(params: P, faults: &mut Vec<Fault>) -> Option<Checked<P>> {
    let found = match Checked::new(params) {
        Ok(checked) => return Some(checked),
        Err(found) => found,
    };
    for mut fault in found.0 {
        fault.path = match fault
            .path
            .strip_prefix("brakes[")
            .and_then(|p| p.split_once(']'))
        {
            Some((wheel, rest)) => {
                let axle = wheel.parse::<usize>().unwrap_or_default() / 2;
                format!("axles[{axle}].brakes{rest}")
            }
            None => format!("drivetrain.{}", fault.path),
        };
        if !faults.iter().any(|known| known.path == fault.path) {
            faults.push(fault);
        }
    }
    None
}

/// Steered axles, with the geometry of the file's own axles: distance to the farthest other one.
fn steering(file: &VehicleFile) -> SteeringParams {
    let separation = |x: f32| {
        file.axles
            .iter()
            .map(|other| (other.x - x).abs())
            .fold(0.0, f32::max)
    };
    let axles = file.axles.iter().enumerate().filter_map(|(n, axle)| {
        let steering = axle.steering?;
        Some(SteeredAxle {
            left: 2 * n,
            right: 2 * n + 1,
            max_steer: [steering.max_deg.to_radians(); 2],
            accuracy: steering.ackermann,
            width: axle.track,
            separation: separation(axle.x),
            counter: steering.counter,
        })
    });
    SteeringParams {
        axles: axles.collect(),
        wheels: vec![],
    }
}
