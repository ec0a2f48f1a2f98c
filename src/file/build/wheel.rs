//! A wheel with its strut, from its axle's table.

use glam::{Vec2, Vec3};
use vehicle_core::TireType;
use vehicle_core::params::{
    CamberCurve, Compliance, Damping, LinkSlopes, SuspensionParams, TireFit, WheelParams,
};

use crate::file::schema::{AxleFile, ComplianceFile, Spring, SuspensionFile};

/// Default rate of a bump stop relative to its spring's: 200 to 600 kN/m for cars.
const BUMP_STOP: f32 = 10.0;

/// A wheel of an axle. A file's toe is positive inwards and its camber negative with the top
/// inwards on both sides; internally they are plain rotations. A single wheel has neither, nor
/// anything else that distinguishes sides.
pub(super) fn wheel(
    axle: &AxleFile,
    place: Vec3,
    sprung_mass: f32,
    model: usize,
    links: Option<LinkSlopes>,
    rolling_resistance: [f32; 2],
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
            rolling_resistance,
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
