//! Builds a vehicle and its surfaces from a header.

use std::sync::Arc;

use glam::Vec3;
use jounce::core::drivetrain::ClutchAccuracy;
use jounce::core::params::{
    AntiRollBar, CamberCurve, ChassisParams, Compliance, LoadFilter, Probe, SubstepPolicy,
    SuspensionParams, SweepSettings, TireFit, WheelParams,
};
use jounce::core::profile::{ExplicitSettings, SlipSettings, Solver};
use jounce::core::{
    Checked, Curve, Drivetrain, InvalidParams, Profile, SurfaceType, Surfaces, TireModel, TireType,
    VehicleModel, VehicleParams,
};
use jounce::drive::{
    AutoboxParams, BrakeParams, ClutchParams, Differential, Differential4W, DifferentialKind,
    DirectDrive, DriveLogic, EngineDrive, EngineDriveParams, EngineParams, GearboxParams,
    Responses, SteeredAxle, SteeringParams,
};
use jounce::tires::{Michigan, MichiganParams};
use serde_json::Value;

use super::axes::from_physx;
use super::drives;
use super::ground::DRIVABLE;
use super::header::{
    self, AutoboxData, ClutchData, DriveKind, EngineData, GearsData, Header, VehicleData, WheelData,
};
use super::smoothing;

/// The vehicle model of a header, with its origin at the center of mass.
pub(super) fn model(header: &Header) -> Result<VehicleModel, InvalidParams> {
    let vehicle = &header.vehicle;
    let tires: Vec<Arc<dyn TireModel>> = distinct_tires(vehicle)
        .into_iter()
        .map(|wheel| Ok(Arc::new(tire(wheel)?) as Arc<dyn TireModel>))
        .collect::<Result<_, InvalidParams>>()?;
    let drive: Arc<dyn Drivetrain> = match vehicle.kind {
        DriveKind::NoDrive => Arc::new(DirectDrive::new(Checked::new(drives::no_drive())?)),
        _ => Arc::new(EngineDrive::new(Checked::new(drive(
            vehicle,
            header.tank_mode == "SPECIAL",
        ))?)),
    };
    let params = params(vehicle, probe(header), profile(header));
    VehicleModel::new(Checked::new(params)?, &tires, drive)
}

/// Friction of every tire type on the only surface.
pub(super) fn surfaces(header: &Header) -> Surfaces {
    let mut surfaces = Surfaces::new();
    for wheel in &header.vehicle.wheels {
        let friction = header.vehicle.tire_surface_friction;
        surfaces
            .set_friction(SurfaceType(0), TireType(wheel.tire_type), friction)
            .unwrap_or_else(|error| panic!("{}: {error}", header.name));
    }
    surfaces
}

/// Reports unsupported features of a header.
pub(super) fn check_supported(header: &Value) -> Result<(), String> {
    let vehicle = &header["vehicle"];
    let differential = &vehicle["differential"]["type"];
    let accuracy = &vehicle["clutch"]["accuracy_mode"];
    let known: [(&str, &Value, &[&str]); 9] = [
        ("vehicle", &vehicle["type"], &PARTS.map(|(name, _)| name)),
        ("tank mode", &header["tank_mode"], &["STANDARD", "SPECIAL"]),
        (
            "ground",
            &header["ground"]["kind"],
            &["plane", "mesh", "hf", "curb", "wall", "capsules"],
        ),
        ("query", &header["query"], &QUERIES.map(|(word, _)| word)),
        (
            "three-wheel mode",
            &header["three_wheel"],
            &["none", "tadpole", "delta"],
        ),
        ("smoothing", &header["smoothing"], &smoothing::KINDS),
        (
            "update mode",
            &header["update_mode"],
            &["VELOCITY_CHANGE", "ACCELERATION"],
        ),
        (
            "differential",
            differential,
            &DIFFERENTIALS.map(|(name, _)| name),
        ),
        ("clutch accuracy", accuracy, &["best_possible", "estimate"]),
    ];
    check_words(&known)?;
    let flags = vehicle["wheels_sim_flags"].as_u64().unwrap_or(0);
    if flags & !u64::from(LIMIT_EXPANSION | DIRECT_SWEEP | NO_PROJECTION) != 0 {
        return Err(format!("wheels_sim_flags {flags}"));
    }
    for (name, parts) in PARTS {
        let lacks = |part: &&&str| vehicle["type"] == name && vehicle[**part].is_null();
        if let Some(part) = parts.iter().find(lacks) {
            return Err(format!("{name} without {part}"));
        }
    }
    Ok(())
}

/// Checks words: each has a name, a value and the known values.
pub(super) fn check_words(words: &[(&str, &Value, &[&str])]) -> Result<(), String> {
    for (what, value, known) in words {
        // The strict reader reports a missing value.
        if let Some(value) = value.as_str().filter(|value| !known.contains(value)) {
            return Err(format!("{what} {value}"));
        }
    }
    Ok(())
}

/// PhysX's drives, and the parts that each requires.
const PARTS: [(&str, &[&str]); 4] = [
    (
        "Drive4W",
        &[
            "engine",
            "gears",
            "autobox",
            "clutch",
            "differential",
            "ackermann",
        ],
    ),
    (
        "DriveNW",
        &["engine", "gears", "autobox", "clutch", "driven"],
    ),
    ("DriveTank", &["engine", "gears", "autobox", "clutch"]),
    ("NoDrive", &[]),
];

/// PhysX's names of differentials.
const DIFFERENTIALS: [(&str, DifferentialKind); 6] = [
    ("LS_4WD", DifferentialKind::LimitedSlipAll),
    ("LS_FRONTWD", DifferentialKind::LimitedSlipFront),
    ("LS_REARWD", DifferentialKind::LimitedSlipRear),
    ("OPEN_4WD", DifferentialKind::OpenAll),
    ("OPEN_FRONTWD", DifferentialKind::OpenFront),
    ("OPEN_REARWD", DifferentialKind::OpenRear),
];

/// The first wheel of each tire.
fn distinct_tires(vehicle: &VehicleData) -> Vec<&WheelData> {
    let mut found: Vec<&WheelData> = Vec::new();
    for wheel in &vehicle.wheels {
        if !found.iter().any(|known| same_tire(known, wheel)) {
            found.push(wheel);
        }
    }
    found
}

fn same_tire(a: &WheelData, b: &WheelData) -> bool {
    let numbers = |w: &WheelData| {
        [
            w.lat_stiff_x,
            w.lat_stiff_y,
            w.long_stiff_per_g,
            w.camber_stiff_per_g,
        ]
    };
    numbers(a) == numbers(b)
}

fn tire(wheel: &WheelData) -> Result<Michigan, InvalidParams> {
    Ok(Michigan::new(Checked::new(MichiganParams {
        lat_stiff_x: wheel.lat_stiff_x,
        lat_stiff_y: wheel.lat_stiff_y,
        long_stiff_per_g: wheel.long_stiff_per_g,
        camber_stiff_per_g: wheel.camber_stiff_per_g,
        ..MichiganParams::physx()
    })?))
}

pub(super) fn params(vehicle: &VehicleData, probe: Probe, profile: Profile) -> VehicleParams {
    let tires = distinct_tires(vehicle);
    VehicleParams {
        chassis: ChassisParams {
            mass: vehicle.chassis_mass,
            inertia: from_physx(vehicle.chassis_moi),
            products: [0.0; 3],
            center_of_mass: Vec3::ZERO,
            support: None,
            design_gravity: ChassisParams::DESIGN_GRAVITY,
        },
        wheels: vehicle
            .wheels
            .iter()
            .enumerate()
            .map(|(n, row)| {
                let model = tires.iter().position(|tire| same_tire(tire, row));
                wheel(n, row, model.unwrap_or_default())
            })
            .collect(),
        anti_roll: vehicle
            .anti_roll_bars
            .iter()
            .map(|bar| AntiRollBar {
                wheels: [bar.wheel0, bar.wheel1],
                stiffness: bar.stiffness,
            })
            .collect(),
        load_filter: load_filter(vehicle.tire_load_filter),
        substeps: SubstepPolicy {
            threshold_speed: vehicle.substep_threshold_speed,
            slow: vehicle.substeps_low,
            fast: vehicle.substeps_high,
        },
        probe,
        profile,
        aerodynamics: None,
    }
}

/// PhysX's queries, and for sweeps whether all hits are requested.
const QUERIES: [(&str, Option<bool>); 3] = [
    ("raycast", None),
    ("sweep_blocking", Some(false)),
    ("sweep_nonblocking_8hits", Some(true)),
];

fn probe(header: &Header) -> Probe {
    let query = QUERIES.iter().find(|(word, _)| *word == header.query);
    match query.and_then(|(_, all)| *all) {
        None => Probe::Ray,
        Some(all_hits) => Probe::Sweep(SweepSettings {
            all_hits,
            direct: header.vehicle.wheels_sim_flags & DIRECT_SWEEP != 0,
            ..SweepSettings::PHYSX
        }),
    }
}

fn load_filter([min_load, min_filtered, max_load, max_filtered]: [f32; 4]) -> LoadFilter {
    LoadFilter {
        min_load,
        min_filtered,
        max_load,
        max_filtered,
    }
}

fn wheel(index: usize, row: &WheelData, model: usize) -> WheelParams {
    let [x0, y0, x1, y1, x2, y2] = row.friction_vs_slip;
    WheelParams {
        name: format!("wheel {index}"),
        enabled: !row.disabled,
        position: from_physx(row.wheel_center_cm_offset),
        radius: row.radius,
        width: row.width,
        mass: row.mass,
        inertia: row.moi,
        damping: row.damping_rate,
        toe: row.toe,
        layers: DRIVABLE,
        suspension: SuspensionParams {
            stiffness: row.spring,
            free_at_droop: false,
            damping: row.damper.into(),
            // PhysX's stops are rigid, and so are the explicit solver's.
            bump_stop_stiffness: 10.0 * row.spring,
            max_compression: row.max_compression,
            max_droop: row.max_droop,
            sprung_mass: row.sprung_mass,
            travel_direction: from_physx(row.susp_dir),
            application_point: from_physx(row.susp_force_app_cm_offset),
            roll_influence: 1.0,
            camber: CamberCurve {
                at_rest: row.camber_rest,
                at_max_compression: row.camber_max_compression,
                at_max_droop: row.camber_max_droop,
            },
        },
        compliance: Compliance::default(),
        unsprung: None,
        tire: TireFit {
            model,
            kind: TireType(row.tire_type),
            friction_curve: [[x0, y0], [x1, y1], [x2, y2]],
            application_point: from_physx(row.tire_force_app_cm_offset),
            rest_mass: None,
            rolling_resistance: [0.0; 2],
        },
    }
}

/// Bits of PhysX's wheel flags: limit the expansion, take jounce from the sweep distance, do not
/// project the suspension force.
const LIMIT_EXPANSION: u32 = 1;
const DIRECT_SWEEP: u32 = 2;
const NO_PROJECTION: u32 = 4;

fn profile(header: &Header) -> Profile {
    let flags = header.vehicle.wheels_sim_flags;
    let settings = ExplicitSettings {
        accelerates: header.update_mode == "ACCELERATION",
        slip: SlipSettings {
            passive_denominator: header.vehicle.min_long_slip_denominator,
            active_counts_spin: header.vehicle.kind != DriveKind::DriveTank,
            ..ExplicitSettings::PHYSX_4.slip
        },
        project_suspension_force: flags & NO_PROJECTION == 0,
        ..ExplicitSettings::PHYSX_4
    };
    Profile {
        solver: Solver::Explicit(settings),
        limit_expansion: flags & LIMIT_EXPANSION != 0,
        ..Profile::PHYSX_4
    }
}

/// The drive of a vehicle with an engine; for a tank, `special` selects how thrusts act.
pub(super) fn drive(vehicle: &VehicleData, special: bool) -> EngineDriveParams {
    let (differential, steering) = match vehicle.kind {
        DriveKind::Drive4W => (
            Differential::FourWheel(differential(part(&vehicle.differential))),
            steering(vehicle),
        ),
        DriveKind::DriveNW => (
            drives::equal_split(vehicle),
            drives::single_steering(vehicle),
        ),
        DriveKind::DriveTank | DriveKind::NoDrive => {
            (drives::tracks(vehicle, special), SteeringParams::default())
        }
    };
    EngineDriveParams {
        engine: engine(part(&vehicle.engine)),
        clutch: clutch(part(&vehicle.clutch)),
        converter: None,
        dual_clutch: None,
        variator: None,
        retarder: None,
        power_take_off: None,
        gearbox: gearbox(part(&vehicle.gears)),
        autobox: Some(autobox(part(&vehicle.autobox))),
        differential,
        responses: Responses::default(),
        steering,
        brakes: vehicle
            .wheels
            .iter()
            .map(|wheel| BrakeParams {
                max_torque: wheel.max_brake_torque,
                max_handbrake_torque: wheel.max_handbrake_torque,
            })
            .collect(),
        radii: vec![],
    }
}

/// A part checked by `check_supported`.
fn part<T>(part: &Option<T>) -> &T {
    part.as_ref().expect("the header was checked")
}

fn engine(row: &EngineData) -> EngineParams {
    let points = row.torque_curve_xy.chunks_exact(2).map(|p| [p[0], p[1]]);
    EngineParams {
        idle_speed: 0.0,
        idle_torque: None,
        inertia: row.moi,
        peak_torque: row.peak_torque,
        max_speed: row.max_omega,
        torque_curve: Curve(points.collect()),
        torque_map: None,
        damping_full_throttle: row.damping_full_throttle,
        damping_zero_throttle_engaged: row.damping_zero_throttle_clutch_engaged,
        damping_zero_throttle_disengaged: row.damping_zero_throttle_clutch_disengaged,
        static_friction: 0.0,
        fuel: None,
        turbo: None,
        limiter: None,
    }
}

fn clutch(row: &ClutchData) -> ClutchParams {
    ClutchParams {
        strength: row.strength,
        capacity: None,
        accuracy: if row.accuracy_mode == "estimate" {
            ClutchAccuracy::physx_estimate(row.estimate_iterations)
        } else {
            ClutchAccuracy::Exact
        },
        ..ClutchParams::physx()
    }
}

/// PhysX's lists start with reverse and neutral.
fn gearbox(row: &GearsData) -> GearboxParams {
    GearboxParams {
        reverse: row.ratios.iter().take(1).copied().collect(),
        forward: row.ratios.iter().skip(2).copied().collect(),
        final_ratio: row.final_ratio,
        ranges: Vec::new(),
        switch_time: row.switch_time,
        rev_matching: true,
        logic: DriveLogic::PHYSX_4,
    }
}

fn autobox(row: &AutoboxData) -> AutoboxParams {
    AutoboxParams {
        neutral_up: row.up_ratios.get(1).copied().unwrap_or_default(),
        up: row.up_ratios.iter().skip(2).copied().collect(),
        down: row.down_ratios.iter().skip(2).copied().collect(),
        latency: row.latency,
        light_throttle: AutoboxParams::LIGHT_THROTTLE,
    }
}

fn differential(row: &header::DifferentialData) -> Differential4W {
    let kind = DIFFERENTIALS.iter().find(|(name, _)| *name == row.kind);
    Differential4W {
        wheels: [0, 1, 2, 3],
        kind: kind.map_or(DifferentialKind::OpenAll, |(_, kind)| *kind),
        front_rear_split: row.front_rear_split,
        front_split: row.front_left_right_split,
        rear_split: row.rear_left_right_split,
        center_bias: row.center_bias,
        front_bias: row.front_bias,
        rear_bias: row.rear_bias,
        handbrake_drives_front: true,
    }
}

/// PhysX's left wheels (x < 0) are our right ones.
fn steering(vehicle: &VehicleData) -> SteeringParams {
    let geometry = part(&vehicle.ackermann);
    let axle = |first: usize, width: f32, counter: bool| SteeredAxle {
        left: first + 1,
        right: first,
        max_steer: [
            vehicle.wheels[first + 1].max_steer,
            vehicle.wheels[first].max_steer,
        ],
        accuracy: geometry.accuracy,
        width,
        separation: geometry.axle_separation,
        counter,
    };
    SteeringParams {
        axles: vec![
            axle(0, geometry.front_width, false),
            axle(2, geometry.rear_width, true),
        ],
        ..SteeringParams::default()
    }
}
