//! From a file's tables to checked parameters and a prepared kind.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use toml::{Table, Value};

use tire_models::{SpecError, TireRegistry};
use vehicle_core::params::{
    Aerodynamics, CamberCurve, ChassisParams, Compliance, LinkSlopes, LoadFilter, Probe,
    SubstepPolicy, Support, SuspensionParams, TireFit, WheelParams,
};
use vehicle_core::profile::{ExplicitSettings, RowsSettings, Solver};
use vehicle_core::sprung_mass::sprung_masses;
use vehicle_core::{
    Checked, Fault, Inspector, InvalidParams, Profile, TireModel, TireType, VehicleKind,
    VehicleParams,
};

use super::axles::{Axles, linked};
use super::read::read;
use super::schema::{AxleFile, ComplianceFile, SolverName, Spring, VehicleFile};
use super::steps::SCHEMA;
use super::{Car, Hull, air, drive, units};
use crate::document::{ModelSpec, VehicleSpec};

/// Builds a car, or collects every fault; referenced files are relative to `folder`.
pub(super) fn build(
    mut table: Table,
    registry: &TireRegistry,
    folder: Option<&Path>,
) -> Result<Car, Vec<Fault>> {
    let mut faults = Vec::new();
    let version = table
        .get("schema")
        .map_or("nothing".to_owned(), Value::to_string);
    if let Err(error) = SCHEMA.upgrade_unnamed(&mut table) {
        let text = error.to_string();
        let subject = format!("schema = {version}: ");
        let rule = text.strip_prefix(&subject).unwrap_or(&text);
        faults.push(Fault {
            path: "schema".to_owned(),
            value: version,
            rule: rule.to_owned(),
        });
    }
    units::bring_to_si(&mut table, &mut faults);
    let reading = read::<VehicleFile>(table, "", &mut faults);
    let Some(file) = reading.value else {
        return Err(faults);
    };
    let tires = Tires::build(&file.tires, registry, folder, &mut faults);
    let mass = file.chassis.mass;
    let places_known = file
        .axles
        .iter()
        .flat_map(AxleFile::places)
        .all(|place| place.is_finite());
    let coupled = check_coupling(&file, &mut faults);
    let known = !reading.patched && mass > 0.0 && mass.is_finite() && places_known && coupled;
    let chassis = chassis_params(&file, coupled);
    let places: Vec<Vec3> = file.axles.iter().flat_map(AxleFile::places).collect();
    let shares = known.then(|| balance(&places, &chassis, &mut faults));
    let shares = shares.flatten();
    let balanced = shares.is_some();
    let params = vehicle_params(&file, chassis, &tires.names, shares.as_deref(), &mut faults);
    let drive = drive::build(&file, &mut faults);
    let axles = Axles::of(&file);
    let checked = Checked::new(params).map_err(|found| add(&mut faults, found, &axles, balanced));
    if let Some((_, drive)) = &drive {
        let mut inspector = Inspector::new();
        inspector.within("drivetrain", |i| drive.check(axles.wheels(), i));
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
        tires: tires.specs,
        drive: drive_spec,
    };
    let kind = VehicleKind::new(params, &tires.models, drive).map_err(|found| found.0)?;
    Ok(Car {
        spec,
        name: file.name,
        description: file.description,
        coupling: file.coupling,
        hull: Hull {
            size: file.chassis.hull.size,
            centre: file.chassis.hull.centre,
        },
        kind: Arc::new(kind),
    })
}

/// Notes faults of the parameters under the file's own paths. Unless the masses are `balanced`, sums over wheels mean nothing. Places were checked as the file
/// has them.
fn add(faults: &mut Vec<Fault>, found: InvalidParams, axles: &Axles, balanced: bool) {
    for mut fault in found.0 {
        let derived = [
            ".position",
            ".application_point",
            ".lateral",
            ".lateral_change",
            ".braked",
            ".driven",
        ];
        if (!balanced && fault.path.contains("[*]"))
            || derived.iter().any(|name| fault.path.ends_with(name))
        {
            continue;
        }
        if let Some(rest) = fault.path.strip_prefix("profile.rows.") {
            fault.path = format!("rows.{rest}");
        }
        if let Some(rest) = fault.path.strip_prefix("aerodynamics.") {
            fault.path = air::path_of(rest);
        }
        if let Some((index, rest)) = wheel_path(&fault.path) {
            fault.path = format!("axles[{}]{rest}", axles.axle(index));
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

/// The tires of a file, in alphabetical order.
#[derive(Default)]
struct Tires<'a> {
    names: Vec<&'a str>,
    /// Their tables, with references resolved.
    specs: Vec<ModelSpec>,
    /// The valid ones.
    models: Vec<Arc<dyn TireModel>>,
}

impl<'a> Tires<'a> {
    fn build(
        tables: &'a BTreeMap<String, Table>,
        registry: &TireRegistry,
        folder: Option<&Path>,
        faults: &mut Vec<Fault>,
    ) -> Self {
        let mut tires = Self::default();
        for (name, table) in tables {
            tires.names.push(name);
            let inlined = registry.inlined(table.clone(), folder);
            let built = inlined.and_then(|spec| Ok((registry.build(spec.clone())?, spec)));
            match built {
                Ok((model, spec)) => {
                    tires.models.push(model);
                    tires.specs.push(ModelSpec(spec));
                }
                Err(error) => faults.extend(faults_of(name, table, error)),
            }
        }
        tires
    }
}

/// Faults of an invalid tire table.
fn faults_of(name: &str, table: &Table, error: SpecError) -> Vec<Fault> {
    let tire = format!("tires.{name}");
    match error {
        SpecError::Invalid { source, .. } => {
            let faults = source.0.into_iter().map(|fault| Fault {
                path: format!("{tire}.{}", fault.path),
                ..fault
            });
            faults.collect()
        }
        SpecError::Unresolved { source, .. } => vec![Fault {
            path: format!("{tire}.{}", source.key),
            value: source.value,
            rule: source.reason,
        }],
        error => vec![Fault {
            path: tire,
            value: Value::Table(table.clone()).to_string(),
            rule: error.to_string().trim_end().replace('\n', " "),
        }],
    }
}

/// The chassis, with the load on its coupling unless that is invalid.
fn chassis_params(file: &VehicleFile, coupled: bool) -> ChassisParams {
    let coupling = file.coupling.as_ref();
    let coupling = coupling.filter(|c| coupled && c.load != 0.0);
    ChassisParams {
        mass: file.chassis.mass,
        inertia: file.chassis.inertia,
        centre_of_mass: file.chassis.centre_of_mass,
        support: coupling.map(|coupling| Support {
            mass: coupling.load,
            position: coupling.position,
        }),
    }
}

/// Parameters of all wheels. If their `shares` of the mass are unknown because of a fault, each
/// wheel carries a placeholder.
fn vehicle_params(
    file: &VehicleFile,
    chassis: ChassisParams,
    tires: &[&str],
    shares: Option<&[f32]>,
    faults: &mut Vec<Fault>,
) -> VehicleParams {
    let mut wheels = Vec::new();
    for (n, axle) in file.axles.iter().enumerate() {
        check_places(n, axle, file, faults);
        let models = axle_tires(n, axle, tires, faults);
        for (place, model) in axle.places().into_iter().zip(models) {
            let given = axle.suspension.sprung_mass;
            let share = shares.map_or(1.0, |shares| shares[wheels.len()]);
            let sprung_mass = given.unwrap_or(share);
            let links = axle.links.slopes(&linked(file, axle), place.y);
            wheels.push(wheel(axle, place, sprung_mass, model, links));
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
        aerodynamics: aerodynamics(file),
    }
}

/// Aerodynamics of a file that has some.
fn aerodynamics(file: &VehicleFile) -> Option<Aerodynamics> {
    let ends = file
        .axles
        .iter()
        .fold([f32::MAX, f32::MIN], |[last, first], axle| {
            [last.min(axle.x), first.max(axle.x)]
        });
    let air = file.aerodynamics.as_ref()?;
    Some(air.params(ends, file.chassis.hull.size))
}

/// Tire indices of an axle's wheels, 0 for an unknown name.
fn axle_tires(n: usize, axle: &AxleFile, tires: &[&str], faults: &mut Vec<Fault>) -> [usize; 2] {
    let mut numbered = |key: &str, named: &str| {
        let number = tires.iter().position(|name| *name == named);
        if number.is_none() {
            faults.push(Fault {
                path: format!("axles[{n}].tire.{key}"),
                value: format!("{named:?}"),
                rule: format!("must name one of the tires: {}", tires.join(", ")),
            });
        }
        number.unwrap_or(0)
    };
    let model = numbered("model", &axle.tire.model);
    match &axle.tire.right {
        Some(right) => [model, numbered("right", right)],
        None => [model; 2],
    }
}

/// The named profile with the file's solver and settings.
fn profile(file: &VehicleFile) -> Profile {
    let named = file.profile.profile();
    let of_name = match named.solver {
        Solver::Rows(_) => SolverName::Rows,
        Solver::Explicit(_) => SolverName::Explicit,
    };
    let solver = match file.solver.unwrap_or(of_name) {
        SolverName::Rows => {
            let settings = file.rows.or(named.rows().copied());
            Solver::Rows(settings.unwrap_or(RowsSettings::DEFAULT))
        }
        SolverName::Explicit => {
            let settings = named.explicit().copied();
            Solver::Explicit(settings.unwrap_or(ExplicitSettings::DEFAULT))
        }
    };
    Profile {
        solver,
        limit_expansion: file.limit_expansion.unwrap_or(named.limit_expansion),
        tire_moments: file.tire_moments.unwrap_or(named.tire_moments),
        ..named
    }
}

/// Default rate of a bump stop relative to its spring's: 200 to 600 kN/m for cars.
const BUMP_STOP: f32 = 10.0;

/// Reports a coupling without a position, or with more load than the mass; returns whether it is
/// valid.
fn check_coupling(file: &VehicleFile, faults: &mut Vec<Fault>) -> bool {
    let mut inspector = Inspector::new();
    if let Some(coupling) = &file.coupling {
        inspector.finite_vector("coupling.position", coupling.position, "m");
        let mass = file.chassis.mass;
        // An invalid chassis mass is reported elsewhere.
        let holds = coupling.load >= 0.0 && (coupling.load < mass || mass.is_nan() || mass <= 0.0);
        let rule = format!("must be within 0..chassis.mass = {mass} kg");
        inspector.rule(holds, "coupling.load", coupling.load, "kg", rule);
    }
    let found = inspector.verdict().err();
    let sound = found.is_none();
    faults.extend(found.into_iter().flat_map(|found| found.0));
    sound
}

/// Reports faults of values used for the positions of an axle's wheels and forces.
fn check_places(n: usize, axle: &AxleFile, file: &VehicleFile, faults: &mut Vec<Fault>) {
    let mut inspector = Inspector::new();
    inspector.within(format!("axles[{n}]"), |i| {
        i.finite("x", axle.x, "m");
        check_wheels(axle, i);
        i.finite("z", axle.z.unwrap_or(0.0), "m");
        for (name, height) in [
            ("suspension.force_height", axle.suspension.force_height),
            ("tire.force_height", axle.tire.force_height),
        ] {
            i.finite(name, height.unwrap_or(0.0), "m");
        }
        axle.links.check(&linked(file, axle), i);
    });
    faults.extend(
        inspector
            .verdict()
            .err()
            .into_iter()
            .flat_map(|found| found.0),
    );
}

/// Rule for values that would rotate or shift a wheel without a side.
const ONE_WHEEL: &str = "must be 0 on an axle of one wheel";

/// Reports compliance not allowed for a wheel in the middle.
fn check_symmetric(compliance: &ComplianceFile, i: &mut Inspector) {
    for (name, table) in [
        ("toe_deg", &compliance.toe_deg),
        ("camber_deg", &compliance.camber_deg),
    ] {
        for (n, &(_, angle)) in table.iter().enumerate() {
            let name = format!("compliance.{name}[{n}]");
            i.rule(angle == 0.0, &name, angle, "", ONE_WHEEL);
        }
    }
    for (name, table) in [
        ("suspension_point", &compliance.suspension_point),
        ("tire_point", &compliance.tire_point),
    ] {
        for (n, (_, shift)) in table.iter().enumerate() {
            let name = format!("compliance.{name}[{n}].y");
            i.rule(shift.y == 0.0, &name, shift.y, "m", ONE_WHEEL);
        }
    }
}

/// Reports values that contradict an axle's number of wheels.
fn check_wheels(axle: &AxleFile, i: &mut Inspector) {
    match (axle.wheels, axle.track) {
        (1, track) => {
            let rule = "an axle of one wheel has none";
            i.rule(track.is_none(), "track", track.unwrap_or(0.0), "m", rule);
            let right = axle.tire.right.as_deref();
            i.rule(right.is_none(), "tire.right", right.unwrap_or(""), "", rule);
            let s = &axle.suspension;
            for (name, angle) in [
                ("toe_deg", axle.toe_deg),
                ("suspension.camber_deg", s.camber_deg),
                (
                    "suspension.camber_at_max_compression_deg",
                    s.camber_at_max_compression_deg,
                ),
                (
                    "suspension.camber_at_max_droop_deg",
                    s.camber_at_max_droop_deg,
                ),
            ] {
                i.rule(angle == 0.0, name, angle, "", ONE_WHEEL);
            }
            check_symmetric(&axle.compliance, i);
        }
        (2, Some(track)) => i.positive("track", track, "m"),
        (2, None) => i.rule(false, "track", "nothing", "", "two wheels need one"),
        (other, _) => i.rule(false, "wheels", other, "", "must be 1 or 2"),
    }
}

/// Sprung masses that carry the chassis, including its support; `None` if impossible.
fn balance(places: &[Vec3], chassis: &ChassisParams, faults: &mut Vec<Fault>) -> Option<Vec<f32>> {
    let mut fault = |path: &str, value: String, rule: String| {
        faults.push(Fault {
            path: path.to_owned(),
            value,
            rule,
        });
        None
    };
    let (mass, centre) = chassis.on_wheels();
    let shares = match sprung_masses(places, centre, mass, Vec3::Z) {
        Ok(shares) => shares,
        Err(error) => return fault("axles", error.value, error.rule),
    };
    match chassis.support {
        Some(support) if shares.iter().any(|share| *share <= 0.0) => fault(
            "coupling.load",
            format!("{} kg", support.mass),
            "must leave some weight to every wheel: here the centre of what they carry is not \
             between them"
                .to_owned(),
        ),
        _ => Some(shares),
    }
}

/// A wheel of an axle. A file's toe is positive inwards and its camber negative with the top
/// inwards on both sides; internally they are plain rotations. A single wheel has neither, nor
/// anything else that distinguishes sides.
fn wheel(
    axle: &AxleFile,
    place: Vec3,
    sprung_mass: f32,
    model: usize,
    links: LinkSlopes,
) -> WheelParams {
    let (side, inwards) = match (axle.wheels, place.y > 0.0) {
        (1, _) => ("", 0.0),
        (_, true) => (" left", -1.0),
        (_, false) => (" right", 1.0),
    };
    let camber = |degrees: f32| inwards * degrees.to_radians();
    let s = &axle.suspension;
    let at_height = |z: f32| Vec3::new(place.x, place.y, z);
    WheelParams {
        name: format!("{}{side}", axle.name),
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
            free_at_droop: matches!(s.spring, Spring::Pure),
            damping: s.damping.0,
            bump_stop_stiffness: s.bump_stop_stiffness.unwrap_or(BUMP_STOP * s.stiffness),
            max_compression: s.max_compression,
            max_droop: s.max_droop,
            sprung_mass,
            travel_direction: Vec3::NEG_Z,
            application_point: at_height(s.force_height.unwrap_or(place.z)),
            roll_influence: s.roll_influence.unwrap_or(1.0),
            camber: CamberCurve {
                at_rest: camber(s.camber_deg),
                at_max_compression: camber(s.camber_at_max_compression_deg),
                at_max_droop: camber(s.camber_at_max_droop_deg),
            },
        },
        compliance: Compliance {
            links,
            ..compliance(&axle.compliance, inwards)
        },
        tire: TireFit {
            model,
            kind: TireType(axle.tire.kind),
            friction_curve: axle.tire.friction_curve.unwrap_or(TireFit::FLAT_FRICTION),
            application_point: at_height(axle.tire.force_height.unwrap_or_else(|| axle.ground())),
            rest_mass: None,
        },
    }
}

/// Compliance of a wheel whose inward direction is `inwards`: −1 for the left one, 1 for the right
/// one.
fn compliance(file: &ComplianceFile, inwards: f32) -> Compliance {
    let angles = |table: &[(f32, f32)]| {
        let angle = |&(jounce, degrees): &(f32, f32)| (jounce, inwards * degrees.to_radians());
        table.iter().map(angle).collect()
    };
    let shifts = |table: &[(f32, Vec3)]| {
        let shift = |&(jounce, v): &(f32, Vec3)| (jounce, Vec3::new(v.x, -inwards * v.y, v.z));
        table.iter().map(shift).collect()
    };
    Compliance {
        toe: angles(&file.toe_deg),
        camber: angles(&file.camber_deg),
        suspension_point: shifts(&file.suspension_point),
        tire_point: shifts(&file.tire_point),
        links: LinkSlopes::NONE,
    }
}
