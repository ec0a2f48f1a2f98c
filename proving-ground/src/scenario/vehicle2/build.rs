//! Builds a vehicle from a header of `vehicle2`.

use std::sync::Arc;

use glam::Vec3;
use jounce::core::drivetrain::ClutchAccuracy;
use jounce::core::params::{
    CamberCurve, ChassisParams, Compliance, LoadFilter, Probe, SubstepPolicy, SuspensionParams,
    SweepSettings, TireFit, WheelParams,
};
use jounce::core::profile::{ExplicitSettings, Solver};
use jounce::core::{
    Checked, Curve, Drivetrain, InvalidParams, Profile, TireModel, TireType, VehicleModel,
    VehicleParams,
};
use jounce::drive::{
    AutoboxParams, AxleLaw, BrakeParams, ClutchParams, Differential, DirectDrive,
    DirectDriveParams, DriveLogic, EngineDrive, EngineDriveParams, EngineParams, FreeAxle,
    GearboxParams, LockingDifferential, MultiWheel, ResponseRow, ResponseTable, Responses,
    SpeedAxis, SpeedLimit, SteeredAxle, SteeredWheel, SteeringParams, TankDifferential, TankLaw,
    TorqueBy, TrackCoupling,
};
use jounce::tires::{Michigan, MichiganParams};
use serde_json::Value;

use super::super::axes::from_physx;
use super::super::build::check_words;
use super::super::ground::DRIVABLE;
use super::GRAVITY;
use super::header::{Vehicle2Engine, Vehicle2Header, Vehicle2Wheel};
use super::layout::{AxleLayout, FOUR_WHEEL, TANK};

/// Words of headers.
pub(super) const ENGINE: &str = "engine";
const VELOCITY: &str = "APPLY_VELOCITY";
const SWEEP: &str = "sweep";
const THROTTLE: &str = "command c in {0,.25,.5,.75,1}: response = c up to 20 m/s then linear to 0 \
                        at 60 m/s";

/// Reports unsupported features of a header.
pub(super) fn check_supported(header: &Value) -> Result<(), String> {
    let params = &header["params"];
    let known = [
        (
            "drivetrain",
            &header["drivetrain"],
            &[ENGINE, "direct"] as &[&str],
        ),
        (
            "update mode",
            &header["update_mode"],
            &["APPLY_ACCELERATION", VELOCITY],
        ),
        ("axes", &params["frame"], &["lng=+Z lat=+X vrt=+Y"]),
        ("jounce", &params["jounce_type"], &["raycast", SWEEP]),
        ("road query", &params["road_query"], &["raycast"]),
        (
            "differential",
            &params["diff_type"],
            &[FOUR_WHEEL, "multi_wheel", TANK],
        ),
        (
            "clutch accuracy",
            &params["clutch_accuracy"],
            &["best_possible"],
        ),
        ("throttle", &params["throttle_nonlinear"], &[THROTTLE]),
    ];
    check_words(&known)
}

impl Vehicle2Header {
    pub(super) fn model(&self, layout: &AxleLayout) -> Result<VehicleModel, InvalidParams> {
        let p = &self.params;
        let tires: Vec<Arc<dyn TireModel>> = p
            .wheels
            .iter()
            .map(|wheel| Ok(Arc::new(tire(wheel)?) as Arc<dyn TireModel>))
            .collect::<Result<_, InvalidParams>>()?;
        let drive: Arc<dyn Drivetrain> = match &p.engine {
            None => Arc::new(DirectDrive::new(Checked::new(self.direct(layout))?)),
            Some(engine) => Arc::new(EngineDrive::new(Checked::new(self.engine(engine, layout))?)),
        };
        VehicleModel::new(Checked::new(self.vehicle())?, &tires, drive)
    }

    fn vehicle(&self) -> VehicleParams {
        let p = &self.params;
        let [min_load, min_filtered, max_load, max_filtered] = p.wheels[0].load_filter;
        VehicleParams {
            chassis: ChassisParams {
                mass: p.mass,
                inertia: from_physx(p.moi),
                products: [0.0; 3],
                center_of_mass: Vec3::ZERO,
                support: None,
                design_gravity: ChassisParams::DESIGN_GRAVITY,
            },
            wheels: p.wheels.iter().enumerate().map(wheel).collect(),
            anti_roll: vec![],
            load_filter: LoadFilter {
                min_load,
                min_filtered,
                max_load,
                max_filtered,
            },
            substeps: SubstepPolicy {
                threshold_speed: 5.0,
                slow: self.substeps_low_speed,
                fast: self.substeps_high_speed,
            },
            // All of them probe by rays; a swept wheel stands on that plane.
            probe: if p.jounce_type == SWEEP {
                Probe::Sweep(SweepSettings {
                    all_hits: false,
                    ..SweepSettings::PHYSX
                })
            } else {
                Probe::Ray
            },
            profile: Profile {
                solver: Solver::Explicit(ExplicitSettings {
                    accelerates: self.update_mode != VELOCITY,
                    ..ExplicitSettings::PHYSX_5
                }),
                limit_expansion: p.limit_expansion_velocity,
                ..Profile::PHYSX_5
            },
            aerodynamics: None,
        }
    }

    fn brakes(&self) -> Vec<BrakeParams> {
        let p = &self.params;
        let pairs = p.brake_multipliers.iter().zip(&p.handbrake_multipliers);
        pairs
            .map(|(brake, handbrake)| BrakeParams {
                max_torque: p.brake_max_response * brake,
                max_handbrake_torque: p.handbrake_max_response * handbrake,
            })
            .collect()
    }

    /// PhysX's left wheels (x < 0) are our right ones.
    fn steering(&self, layout: &AxleLayout) -> SteeringParams {
        let p = &self.params;
        let most = |wheel: usize| p.steer_max_response * p.steer_multipliers[wheel];
        let [right, left] = layout.steered;
        let others = (0..p.wheels.len()).filter(|wheel| !layout.steered.contains(wheel));
        let single = |wheel: usize| SteeredWheel {
            wheel,
            max_steer: most(wheel),
        };
        SteeringParams {
            axles: vec![SteeredAxle {
                left,
                right,
                max_steer: [left, right].map(most),
                accuracy: p.ackermann_strength,
                width: p.ackermann_track_width,
                separation: p.ackermann_wheel_base,
                counter: false,
            }],
            wheels: others.map(single).collect(),
            axle_law: AxleLaw::Mean,
            ..SteeringParams::default()
        }
    }

    fn direct(&self, layout: &AxleLayout) -> DirectDriveParams {
        let p = &self.params;
        let max = p.throttle_max_response.unwrap_or_default();
        let multipliers = p.throttle_multipliers.iter().flatten();
        // As `THROTTLE` says.
        let row = |command: f32| ResponseRow {
            command,
            by_speed: Curve(vec![[0.0, command], [20.0, command], [60.0, 0.0]]),
        };
        DirectDriveParams {
            max_torques: multipliers.map(|m| max * m).collect(),
            responses: Responses {
                throttle: ResponseTable {
                    rows: [0.0, 0.25, 0.5, 0.75, 1.0].map(row).to_vec(),
                    speed_axis: SpeedAxis::Signed,
                },
                ..Responses::default()
            },
            logic: DriveLogic::PHYSX_5,
            steering: self.steering(layout),
            brakes: self.brakes(),
        }
    }

    fn engine(&self, row: &Vehicle2Engine, layout: &AxleLayout) -> EngineDriveParams {
        let tracked = row.diff_type == TANK;
        let points = row.torque_curve_xy.chunks_exact(2).map(|p| [p[0], p[1]]);
        EngineDriveParams {
            engine: EngineParams {
                inertia: row.engine_moi,
                peak_torque: row.peak_torque,
                idle_speed: row.idle_omega,
                idle_torque: None,
                max_speed: row.max_omega,
                torque_curve: Curve(points.collect()),
                torque_map: None,
                damping_full_throttle: row.damping_full,
                damping_zero_throttle_engaged: row.damping_zero_engaged,
                damping_zero_throttle_disengaged: row.damping_zero_disengaged,
                static_friction: 0.0,
                fuel: None,
                turbo: None,
                limiter: None,
            },
            clutch: ClutchParams {
                strength: row.clutch_max_response,
                capacity: None,
                accuracy: ClutchAccuracy::Exact,
                ..ClutchParams::physx()
            },
            converter: None,
            dual_clutch: None,
            variator: None,
            retarder: None,
            power_take_off: None,
            gearbox: GearboxParams {
                reverse: row.gear_ratios.iter().take(1).copied().collect(),
                forward: row.gear_ratios.iter().skip(2).copied().collect(),
                final_ratio: row.final_ratio,
                ranges: Vec::new(),
                switch_time: row.switch_time,
                rev_matching: true,
                logic: DriveLogic::PHYSX_5,
            },
            autobox: Some(AutoboxParams {
                neutral_up: row.autobox_up.get(1).copied().unwrap_or_default(),
                up: row.autobox_up.iter().skip(2).copied().collect(),
                down: row.autobox_down.iter().skip(2).copied().collect(),
                latency: row.autobox_latency,
                light_throttle: AutoboxParams::LIGHT_THROTTLE,
            }),
            differential: differential(row, layout),
            responses: Responses::default(),
            steering: if tracked {
                SteeringParams::default()
            } else {
                self.steering(layout)
            },
            brakes: self.brakes(),
            radii: vec![],
        }
    }
}

fn wheel((index, row): (usize, &Vehicle2Wheel)) -> WheelParams {
    let [x0, y0, x1, y1, x2, y2] = row.friction_vs_slip;
    let attachment = from_physx(row.susp_attach_pos);
    // Constant compliance: a toe, a camber, force points.
    WheelParams {
        name: format!("wheel {index}"),
        enabled: true,
        position: attachment,
        radius: row.radius,
        width: 2.0 * row.half_width,
        mass: row.wheel_mass,
        inertia: row.moi,
        damping: row.damping_rate,
        toe: row.toe,
        layers: DRIVABLE,
        suspension: SuspensionParams {
            stiffness: row.stiffness,
            free_at_droop: true,
            damping: row.damping.into(),
            bump_stop_stiffness: 10.0 * row.stiffness,
            max_compression: 0.0,
            max_droop: row.travel_dist,
            sprung_mass: row.sprung_mass,
            travel_direction: from_physx(row.travel_dir),
            application_point: attachment + from_physx(row.susp_app),
            roll_influence: 1.0,
            camber: CamberCurve {
                at_rest: row.camber,
                ..CamberCurve::default()
            },
        },
        compliance: Compliance::default(),
        unsprung: None,
        tire: TireFit {
            model: index,
            kind: TireType(0),
            friction_curve: [[x0, y0], [x1, y1], [x2, y2]],
            application_point: attachment + from_physx(row.tire_app),
            rest_mass: Some(row.rest_load / GRAVITY),
            rolling_resistance: [0.0; 2],
        },
    }
}

/// PhysX 5's stiffnesses are forces, ours are over rest load and gravity.
fn tire(row: &Vehicle2Wheel) -> Result<Michigan, InvalidParams> {
    Ok(Michigan::new(Checked::new(MichiganParams {
        lat_stiff_x: row.lat_stiff_x,
        lat_stiff_y: row.lat_stiff_y / row.rest_load,
        long_stiff_per_g: row.long_stiff / GRAVITY,
        camber_stiff_per_g: row.camber_stiff / GRAVITY,
        minimum_slip: MichiganParams::physx_minimum_slip(),
        physical_camber: true,
    })?))
}

fn differential(row: &Vehicle2Engine, layout: &AxleLayout) -> Differential {
    match row.diff_type.as_str() {
        TANK => Differential::Tank(TankDifferential {
            tracks: layout.tracks.clone(),
            law: TankLaw::Scaled(ratios(row, TorqueBy::TorqueRatio)),
            special: true,
            idle_brake: 0.0,
            coupling: TrackCoupling::ByTorque,
        }),
        // PhysX's sample finds which wheels of a four-wheel differential are constrained together
        // (`ngroups` of the traces), but does not pass that to the drivetrain: the recorded spins
        // are those of independent wheels. That law is tested by the tables `v2_diff_four_wheel`
        // and `v2_engine_drivetrain_update`.
        _ => Differential::MultiWheel(ratios(row, TorqueBy::SpeedRatio)),
    }
}

fn ratios(row: &Vehicle2Engine, torque_by: TorqueBy) -> MultiWheel {
    let four = &row.four_wheel_diff;
    MultiWheel {
        torque_ratios: four.torque_ratios.clone(),
        speed_ratios: four.ave_speed_ratios.clone(),
        torque_by,
        strict: false,
    }
}

/// The four-wheel differential of PhysX's sample, if it has one.
pub(super) fn locking(row: &Vehicle2Engine, layout: &AxleLayout) -> Option<LockingDifferential> {
    let four = &row.four_wheel_diff;
    let limit = |bias: f32, target: f32| (bias != 0.0).then_some(SpeedLimit { bias, target });
    let [front, rear] = layout.four;
    (row.diff_type == FOUR_WHEEL).then(|| LockingDifferential {
        ratios: ratios(row, TorqueBy::SpeedRatio),
        front,
        rear,
        front_limit: limit(four.front_bias, four.front_target),
        rear_limit: limit(four.rear_bias, four.rear_target),
        center_limit: limit(four.center_bias, four.center_target),
        rate: Some(four.rate),
        free_axle: FreeAxle::StopsSecond,
    })
}
