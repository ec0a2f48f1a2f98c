//! From a file's tables to checked parameters and a prepared kind.

mod checks;
mod tires;

use std::path::Path;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use toml::{Table, Value};

use jointed_wheels::Mounts;
use tire_models::TireRegistry;
use vehicle_core::params::{
    Aerodynamics, CamberCurve, ChassisParams, Compliance, Damping, LinkSlopes, LoadFilter, Probe,
    SubstepPolicy, Support, SuspensionParams, TireFit, WheelParams,
};
use vehicle_core::profile::{ExplicitSettings, RowsSettings, Solver};
use vehicle_core::sprung_mass::sprung_masses;
use vehicle_core::{
    Check as _, Checked, Fault, InvalidParams, Profile, TireType, VehicleKind, VehicleParams,
};

use super::axles::{Axles, linked};
use super::read::{FileFindings, StandIns, read};
use super::schema::{
    AxleFile, ComplianceFile, ProductsFile, SolverName, Spring, SuspensionFile, VehicleFile,
};
use super::steps::SCHEMA;
use super::{Car, Hull, WheelKind, air, drive, units};
use crate::document::VehicleSpec;
use checks::{check_coupling, check_places, inspect};
use tires::Tires;

/// Builds a car, or collects every fault; referenced files are relative to `folder`.
pub(super) fn build(
    table: Table,
    registry: &TireRegistry,
    folder: Option<&Path>,
) -> Result<Car, Vec<Fault>> {
    let attempt = |stand_ins| {
        let mut findings = FileFindings::new(stand_ins);
        let car = attempt(table.clone(), registry, folder, &mut findings);
        car.ok_or(findings)
    };
    attempt(StandIns::Small).map_err(|findings| {
        let again = StandIns::OTHERS.into_iter();
        let again = again.filter(|_| findings.patched());
        let others: Vec<FileFindings> = again.filter_map(|other| attempt(other).err()).collect();
        findings.shared(&others)
    })
}

/// Builds a car, or notes faults.
fn attempt(
    mut table: Table,
    registry: &TireRegistry,
    folder: Option<&Path>,
    findings: &mut FileFindings,
) -> Option<Car> {
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
    let file: VehicleFile = read(table, "", findings)?;
    let whole = !findings.patched();
    let tires = Tires::build(&file.tires, registry, folder, findings);
    let drive = drive::build(&file, findings);
    let faults = &mut findings.broken;
    let mass = file.chassis.mass;
    let places_known = file
        .axles
        .iter()
        .flat_map(AxleFile::places)
        .all(|place| place.is_finite());
    let coupled = check_coupling(&file, faults);
    let known = whole && mass > 0.0 && mass.is_finite() && places_known && coupled;
    let chassis = chassis_params(&file, coupled);
    let places: Vec<Vec3> = file.axles.iter().flat_map(AxleFile::places).collect();
    let shares = known.then(|| balance(&places, &chassis, faults));
    let shares = shares.flatten();
    let balanced = shares.is_some();
    let params = vehicle_params(&file, chassis, &tires, shares.as_deref(), faults);
    let axles = Axles::of(&file);
    let checked =
        Checked::new(params).map_err(|found| add(faults, found, (&file, &axles), balanced));
    if let Some((_, drive)) = &drive {
        inspect(faults, |i| {
            i.within("drivetrain", |i| drive.check(axles.wheels(), i));
        });
    }
    check_wheels(&file, faults);
    inspect(faults, |i| {
        i.within("target", |i| file.target.check(i));
        if let Some(ladder) = &file.ladder {
            i.within("ladder", |i| ladder.check(i));
        }
    });
    let (Ok(params), Some((drive_spec, drive)), true) = (checked, drive, findings.count() == 0)
    else {
        return None;
    };
    let mut noted = |found: Vec<Fault>| findings.broken.extend(found);
    let spec = VehicleSpec {
        name: file.name.clone(),
        params: VehicleParams::clone(&params),
        tires: tires.specs,
        drive: drive_spec,
    };
    let kind = VehicleKind::new(params, &tires.models, drive);
    let kind = Arc::new(kind.map_err(|found| noted(found.0)).ok()?);
    if file.wheels == WheelKind::Rigid {
        let mounts = Mounts::of(&kind, 1.0);
        let unsuited = |unsuited| noted(vec![no_bodies(unsuited)]);
        mounts
            .map_err(|error| error.to_string())
            .map_err(unsuited)
            .ok()?;
    }
    if let Some(ladder) = &file.ladder {
        ladder.fit(&kind).map_err(noted).ok()?;
    }
    Some(Car {
        spec,
        name: file.name,
        description: file.description,
        coupling: file.coupling,
        wheels: file.wheels,
        targets: file.target.targets(),
        ladder: file.ladder,
        hull: Hull {
            size: file.chassis.hull.size,
            centre: file.chassis.hull.centre,
        },
        kind,
    })
}

/// Notes faults of the parameters under the file's own paths. Unless the masses are `balanced`, sums over wheels mean nothing. Places were checked as the file
/// has them.
fn add(
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

/// The chassis, with the load on its coupling unless that is invalid.
fn chassis_params(file: &VehicleFile, coupled: bool) -> ChassisParams {
    let coupling = file.coupling.as_ref();
    let coupling = coupling.filter(|c| coupled && c.load != 0.0);
    let ProductsFile { xy, xz, yz } = file.chassis.products;
    ChassisParams {
        mass: file.chassis.mass,
        inertia: file.chassis.inertia,
        products: [xy, xz, yz],
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
    tires: &Tires<'_>,
    shares: Option<&[f32]>,
    faults: &mut Vec<Fault>,
) -> VehicleParams {
    let mut wheels = Vec::new();
    for (n, axle) in file.axles.iter().enumerate() {
        check_places(n, axle, file, faults);
        let models = axle_tires(n, axle, &tires.names, faults);
        for (place, model) in axle.places().into_iter().zip(models) {
            let given = axle.suspension.sprung_mass;
            let unsprung = axle.unsprung.map_or(0.0, |unsprung| unsprung.mass);
            let share = shares.map_or(1.0, |shares| shares[wheels.len()] - unsprung);
            let sprung_mass = given.unwrap_or(share);
            let links = axle
                .links
                .map(|links| links.slopes(&linked(file, axle), place.y));
            let hub = axle.unsprung;
            wheels.push(WheelParams {
                unsprung: hub.map(|given| tires.unsprung(given, model, n, faults)),
                ..wheel(axle, place, sprung_mass, model, links)
            });
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

/// Wheels that are bodies are not swept.
fn check_wheels(file: &VehicleFile, faults: &mut Vec<Fault>) {
    if file.wheels == WheelKind::Rigid && file.sweep.is_some() {
        faults.push(no_bodies(
            "bodies are not swept: leave out [sweep]".to_owned(),
        ));
    }
}

/// Why wheels cannot be bodies.
fn no_bodies(rule: String) -> Fault {
    Fault {
        path: "wheels".to_owned(),
        value: "rigid".to_owned(),
        rule,
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
        sprung_masses_may_differ: file
            .sprung_masses_may_differ
            .unwrap_or(named.sprung_masses_may_differ),
        ..named
    }
}

/// Default rate of a bump stop relative to its spring's: 200 to 600 kN/m for cars.
const BUMP_STOP: f32 = 10.0;

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
    links: Option<LinkSlopes>,
) -> WheelParams {
    let (side, inwards) = match (axle.wheels, place.y > 0.0) {
        (1, _) => ("", 0.0),
        (_, true) => (" left", -1.0),
        (_, false) => (" right", 1.0),
    };
    let camber = |degrees: f32| inwards * degrees.to_radians();
    let s = &axle.suspension;
    let strut = spring(s, sprung_mass);
    let over =
        |curve: &[(f32, f32)], rate: f32| curve.iter().map(|&(x, f)| (x, f / rate)).collect();
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
            free_at_droop: matches!(s.spring, Spring::Pure),
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
            ..strut
        },
        compliance: Compliance {
            spring: over(&s.spring_curve, strut.stiffness),
            bump: over(&s.bump_curve, strut.damping.bump.rate),
            rebound: over(&s.rebound_curve, strut.damping.rebound.rate),
            links,
            ..compliance(axle.compliance_of(inwards > 0.0), inwards)
        },
        unsprung: None,
        tire: TireFit {
            model,
            kind: TireType(axle.tire.kind),
            friction_curve: axle.tire.friction_curve.unwrap_or(TireFit::FLAT_FRICTION),
            application_point: at_height(axle.tire.force_height.unwrap_or_else(|| axle.ground())),
            rest_mass: None,
        },
    }
}

/// Spring, damper and stop of a strut; the rest is blank.
fn spring(s: &SuspensionFile, sprung_mass: f32) -> SuspensionParams {
    // What is not given is reported elsewhere.
    let stiffness = s.stiffness.unwrap_or(1.0);
    let blank = SuspensionParams {
        stiffness,
        free_at_droop: false,
        damping: s.damping.map_or(Damping::from(0.0), |damping| damping.0),
        bump_stop_stiffness: BUMP_STOP * stiffness,
        max_compression: 0.0,
        max_droop: 0.0,
        sprung_mass,
        travel_direction: Vec3::NEG_Z,
        application_point: Vec3::ZERO,
        roll_influence: 1.0,
        camber: CamberCurve::default(),
    };
    let strut = match s.constraint {
        Some(constraint) => blank.constrained(constraint.frequency, constraint.damping_ratio),
        None => blank,
    };
    let stop = s.bump_stop_stiffness.unwrap_or(strut.bump_stop_stiffness);
    SuspensionParams {
        bump_stop_stiffness: stop,
        ..strut
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
    let moves = |table: &[(f32, Vec2)]| {
        let shift = |&(x, v): &(f32, Vec2)| (x, Vec2::new(v.x, -inwards * v.y));
        table.iter().map(shift).collect()
    };
    let by_force = file.by_force().map(|(_, tables)| tables);
    Compliance {
        shift: moves(&file.shift),
        toe_by_force: by_direction(by_force.map(|f| angles(&f.toe_deg)), inwards),
        camber_by_force: by_direction(by_force.map(|f| angles(&f.camber_deg)), inwards),
        shift_by_force: by_direction(by_force.map(|f| moves(&f.shift)), inwards),
        toe: angles(&file.toe_deg),
        camber: angles(&file.camber_deg),
        roll_camber: file.roll_camber,
        roll_steer: file.roll_steer,
        suspension_point: shifts(&file.suspension_point),
        tire_point: shifts(&file.tire_point),
        ..Compliance::default()
    }
}

/// Tables over longitudinal forces, and over lateral forces and aligning moments, which are positive inwards in files and
/// to the left here.
fn by_direction<T: Copy>(
    [ahead, aside, turning]: [Vec<(f32, T)>; 3],
    inwards: f32,
) -> [Vec<(f32, T)>; 3] {
    let to_the_left = |mut table: Vec<(f32, T)>| {
        if inwards < 0.0 {
            table.reverse();
        }
        table.into_iter().map(|(x, y)| (inwards * x, y)).collect()
    };
    [ahead, to_the_left(aside), to_the_left(turning)]
}
