//! Scenarios of PhysX 5's `vehicle2`: the header of a trace becomes a vehicle, a ground and commands.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::drivetrain::ClutchAccuracy;
use jounce::core::lanes::W4;
use jounce::core::params::{
    CamberCurve, ChassisParams, Compliance, FrictionCurve, LoadFilter, Probe, SpringLaw,
    SubstepPolicy, SuspensionParams, SweepHits, SweepSettings, TireFit, WheelParams,
};
use jounce::core::profile::OutputMode;
use jounce::core::{
    CarCommand, Checked, Command, Curve, Drivetrain, Gear, GearCommand, InvalidParams, Profile,
    SurfaceType, Surfaces, TankCommand, TireModel, TireType, Vehicle, VehicleKind, VehicleParams,
    math,
};
use jounce::drive::{
    AutoboxParams, BrakeParams, ClutchParams, Differential, DirectDrive, DirectDriveParams,
    DriveRules, EngineDrive, EngineDriveParams, EngineParams, GearboxParams, MultiWheel,
    ResponseRow, ResponseTable, Responses, SteeredAxle, SteeringParams, TankDifferential, TankLaw,
    Track, TrackSide,
};
use jounce::scene::BodyDesc;
use jounce::tires::{Michigan, MichiganParams};
use serde::Deserialize;
use serde_json::Value;

use super::axes::{from_physx, rotation_from_physx};
use super::ground::{self, DRIVABLE};
use super::{ScenarioError, header};
use crate::ground::Terrain;

/// Gravity of all these scenarios, PhysX 5's default [m/s²].
const GRAVITY: f32 = 9.81;

#[derive(Clone, Debug, Deserialize)]
struct Header {
    dt: f32,
    frames: usize,
    substeps_low_speed: u32,
    substeps_high_speed: u32,
    update_mode: String,
    plane_normal: [f32; 3],
    params: Params,
    init: Init,
    schedule: Vec<Entry>,
}

#[derive(Clone, Debug, Deserialize)]
struct Params {
    mass: f32,
    moi: [f32; 3],
    actor_cmass_local_pos: [f32; 3],
    jounce_type: String,
    limit_expansion_velocity: bool,
    brake_max_response: f32,
    brake_multipliers: Vec<f32>,
    handbrake_max_response: f32,
    handbrake_multipliers: Vec<f32>,
    steer_max_response: f32,
    ackermann_wheel_base: f32,
    ackermann_track_width: f32,
    ackermann_strength: f32,
    wheels: Vec<Wheel>,
    road_friction: f32,
    #[serde(flatten)]
    engine: Option<Engine>,
    throttle_max_response: Option<f32>,
    throttle_multipliers: Option<Vec<f32>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wheel {
    susp_attach_pos: [f32; 3],
    travel_dir: [f32; 3],
    travel_dist: f32,
    stiffness: f32,
    damping: f32,
    sprung_mass: f32,
    susp_app: [f32; 3],
    tire_app: [f32; 3],
    toe: f32,
    camber: f32,
    lat_stiff_x: f32,
    lat_stiff_y: f32,
    long_stiff: f32,
    camber_stiff: f32,
    rest_load: f32,
    friction_vs_slip: [f32; 6],
    load_filter: [f32; 4],
    radius: f32,
    half_width: f32,
    wheel_mass: f32,
    moi: f32,
    damping_rate: f32,
}

#[derive(Clone, Debug, Deserialize)]
struct Engine {
    torque_curve_xy: Vec<f32>,
    engine_moi: f32,
    peak_torque: f32,
    idle_omega: f32,
    max_omega: f32,
    damping_full: f32,
    damping_zero_engaged: f32,
    damping_zero_disengaged: f32,
    gear_ratios: Vec<f32>,
    final_ratio: f32,
    switch_time: f32,
    autobox_up: Vec<f32>,
    autobox_down: Vec<f32>,
    autobox_latency: f32,
    clutch_max_response: f32,
    diff_type: String,
    four_wheel_diff: FourWheel,
}

#[derive(Clone, Debug, Deserialize)]
struct FourWheel {
    torque_ratios: Vec<f32>,
    ave_speed_ratios: Vec<f32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Init {
    actor_pos: [f32; 3],
    actor_quat: [f32; 4],
    forward_speed: f32,
    #[serde(default = "first_gear")]
    gear: i8,
    #[serde(default)]
    engine_omega: f32,
}

fn first_gear() -> i8 {
    2
}

/// From its frame on, before that frame's update.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    frame: usize,
    brake0: f32,
    brake1: f32,
    throttle: f32,
    steer: f32,
    gear: u8,
    #[serde(default)]
    thrust0: f32,
    #[serde(default)]
    thrust1: f32,
}

/// The gear of a schedule that leaves gears to the autobox.
const AUTOMATIC: u8 = 255;

/// What is the same for all frames of a scenario.
#[derive(Debug)]
pub struct Vehicle2 {
    header: Header,
    kind: Arc<VehicleKind>,
    surfaces: Surfaces,
    terrain: Terrain,
}

impl Vehicle2 {
    /// A scenario from the header of a trace; errors call it `file`.
    ///
    /// # Errors
    /// If the scenario is malformed or not supported.
    pub fn from_header(value: &Value, file: &str) -> Result<Self, ScenarioError> {
        let header: Header =
            serde_json::from_value(value.clone()).map_err(|source| ScenarioError::Malformed {
                file: file.to_owned(),
                source,
            })?;
        let kind = header.kind().map_err(|source| ScenarioError::Invalid {
            file: file.to_owned(),
            source,
        })?;
        let plane = header::Ground::Plane {
            normal: header.plane_normal,
            d: 0.0,
        };
        let (terrain, _) = ground::read(&plane).map_err(|fault| fault.of(file))?;
        let mut surfaces = Surfaces::new();
        surfaces
            .set_friction(SurfaceType(0), TireType(0), header.params.road_friction)
            .map_err(|source| ScenarioError::Unsupported {
                file: file.to_owned(),
                what: source.to_string(),
            })?;
        Ok(Self {
            header,
            kind: Arc::new(kind),
            surfaces,
            terrain,
        })
    }

    /// Time step [s].
    #[must_use]
    pub fn dt(&self) -> f32 {
        self.header.dt
    }

    /// Number of frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.header.frames
    }

    /// Gravity [m/s², our axes].
    #[must_use]
    pub fn gravity(&self) -> Vec3 {
        Vec3::NEG_Z * GRAVITY
    }

    /// Friction of tires on the ground.
    #[must_use]
    pub fn surfaces(&self) -> &Surfaces {
        &self.surfaces
    }

    /// The kind of vehicle; its jounce is PhysX's less the travel.
    #[must_use]
    pub fn kind(&self) -> Arc<VehicleKind> {
        Arc::clone(&self.kind)
    }

    /// The ground.
    #[must_use]
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// The actor's origin relative to the centre of mass [m, vehicle frame].
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        -from_physx(self.header.params.actor_cmass_local_pos)
    }

    /// The chassis as a body, at the start.
    #[must_use]
    pub fn body(&self) -> BodyDesc {
        let (init, params) = (&self.header.init, &self.header.params);
        let rotation = rotation_from_physx(init.actor_quat);
        let matrix = math::matrix(rotation);
        let centre = matrix * self.origin();
        let position: DVec3 = from_physx(init.actor_pos).as_dvec3() - centre.as_dvec3();
        BodyDesc {
            rotation,
            linear_velocity: matrix.x_axis * init.forward_speed,
            // PhysX's default.
            angular_damping: 0.05,
            sleep_threshold: 0.01,
            ..BodyDesc::at_rest(position, params.mass, from_physx(params.moi))
        }
    }

    /// Sets spins, engine and gear to the start's.
    pub fn prepare(&self, vehicle: &mut Vehicle) {
        let init = &self.header.init;
        let radius = self.header.params.wheels[0].radius;
        let state = vehicle.state_mut();
        for wheels in state.wheels.iter_mut() {
            wheels.spin = W4::splat(init.forward_speed / radius);
            wheels.spin_shown = wheels.spin;
        }
        state.drive.engine_speed = init.engine_omega;
        state.drive.force_gear(Gear(init.gear - 1));
    }

    /// What the driver does in a frame.
    #[must_use]
    pub fn command(&self, frame: usize) -> Command {
        let mut entries = self.header.schedule.iter().filter(|e| e.frame <= frame);
        let Some(entry) = entries.next_back() else {
            return Command::default();
        };
        let automatic = entry.gear == AUTOMATIC;
        let gear = if automatic {
            GearCommand::Hold
        } else {
            GearCommand::Engage(Gear(entry.gear as i8 - 1))
        };
        if self.is_tracked() {
            // Thrust 0 is that of PhysX's left track, which is our right one.
            return Command::Tank(TankCommand {
                throttle: entry.throttle,
                thrust: [entry.thrust1, entry.thrust0],
                brake: [entry.brake0; 2],
                gear,
                automatic,
            });
        }
        Command::Car(CarCommand {
            throttle: entry.throttle,
            brake: entry.brake0,
            handbrake: entry.brake1,
            // PhysX's right is our left; the driver's command is positive to the right.
            steer: -entry.steer,
            clutch: 0.0,
            gear: if self.has_engine() {
                gear
            } else {
                GearCommand::Hold
            },
            automatic,
        })
    }

    /// Whether it has an engine and gears.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        self.header.params.engine.is_some()
    }

    fn is_tracked(&self) -> bool {
        let engine = self.header.params.engine.as_ref();
        engine.is_some_and(|engine| engine.diff_type == "tank")
    }
}

impl Header {
    fn kind(&self) -> Result<VehicleKind, InvalidParams> {
        let p = &self.params;
        let tires: Vec<Arc<dyn TireModel>> = p
            .wheels
            .iter()
            .map(|wheel| Ok(Arc::new(tire(wheel)?) as Arc<dyn TireModel>))
            .collect::<Result<_, InvalidParams>>()?;
        let drive: Arc<dyn Drivetrain> = match &p.engine {
            None => Arc::new(DirectDrive::new(Checked::new(self.direct())?)),
            Some(engine) => Arc::new(EngineDrive::new(Checked::new(self.engine(engine))?)),
        };
        VehicleKind::new(Checked::new(self.vehicle())?, &tires, drive)
    }

    fn vehicle(&self) -> VehicleParams {
        let p = &self.params;
        let [min_load, min_filtered, max_load, max_filtered] = p.wheels[0].load_filter;
        let velocity = self.update_mode == "APPLY_VELOCITY";
        VehicleParams {
            chassis: ChassisParams {
                mass: p.mass,
                inertia: from_physx(p.moi),
                centre_of_mass: Vec3::ZERO,
                support: None,
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
            // The road is found by rays in all of them; a swept wheel stands on that plane.
            probe: match p.jounce_type.as_str() {
                "sweep" => Probe::Sweep(SweepSettings {
                    hits: SweepHits::First,
                    ..SweepSettings::PHYSX
                }),
                _ => Probe::Ray,
            },
            profile: Profile {
                output: if velocity {
                    OutputMode::VelocityChange
                } else {
                    OutputMode::Acceleration
                },
                limit_expansion: p.limit_expansion_velocity,
                ..Profile::PHYSX_5
            },
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
    fn steering(&self) -> SteeringParams {
        let p = &self.params;
        SteeringParams {
            axles: vec![SteeredAxle {
                left: 1,
                right: 0,
                max_steer: [p.steer_max_response; 2],
                accuracy: p.ackermann_strength,
                width: p.ackermann_track_width,
                separation: p.ackermann_wheel_base,
                counter: false,
            }],
            physx_rules: true,
            ..SteeringParams::default()
        }
    }

    fn direct(&self) -> DirectDriveParams {
        let p = &self.params;
        let max = p.throttle_max_response.unwrap_or_default();
        let multipliers = p.throttle_multipliers.iter().flatten();
        // As the header says in words: the command up to 20 m/s, then linear to 0 at 60 m/s.
        let row = |command: f32| ResponseRow {
            command,
            by_speed: Curve(vec![[0.0, command], [20.0, command], [60.0, 0.0]]),
        };
        DirectDriveParams {
            max_torques: multipliers.map(|m| max * m).collect(),
            responses: Responses {
                throttle: ResponseTable {
                    rows: [0.0, 0.25, 0.5, 0.75, 1.0].map(row).to_vec(),
                    physx_rules: true,
                },
                ..Responses::default()
            },
            rules: DriveRules::Physx5,
            steering: self.steering(),
            brakes: self.brakes(),
        }
    }

    fn engine(&self, row: &Engine) -> EngineDriveParams {
        let tracked = row.diff_type == "tank";
        let points = row.torque_curve_xy.chunks_exact(2).map(|p| [p[0], p[1]]);
        EngineDriveParams {
            engine: EngineParams {
                inertia: row.engine_moi,
                peak_torque: row.peak_torque,
                idle_speed: row.idle_omega,
                max_speed: row.max_omega,
                torque_curve: Curve(points.collect()),
                damping_full_throttle: row.damping_full,
                damping_zero_throttle_engaged: row.damping_zero_engaged,
                damping_zero_throttle_disengaged: row.damping_zero_disengaged,
                static_friction: 0.0,
            },
            clutch: ClutchParams {
                strength: row.clutch_max_response,
                capacity: None,
                accuracy: ClutchAccuracy::Exact,
            },
            gearbox: GearboxParams {
                reverse: row.gear_ratios.iter().take(1).copied().collect(),
                forward: row.gear_ratios.iter().skip(2).copied().collect(),
                final_ratio: row.final_ratio,
                switch_time: row.switch_time,
                rules: DriveRules::Physx5,
            },
            autobox: Some(AutoboxParams {
                neutral_up: row.autobox_up.get(1).copied().unwrap_or_default(),
                up: row.autobox_up.iter().skip(2).copied().collect(),
                down: row.autobox_down.iter().skip(2).copied().collect(),
                latency: row.autobox_latency,
            }),
            differential: differential(row),
            responses: Responses::default(),
            steering: if tracked {
                SteeringParams::default()
            } else {
                self.steering()
            },
            brakes: self.brakes(),
        }
    }
}

fn wheel((index, row): (usize, &Wheel)) -> WheelParams {
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
            spring: SpringLaw::Pure,
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
        tire: TireFit {
            model: index,
            kind: TireType(0),
            friction_curve: FrictionCurve([[x0, y0], [x1, y1], [x2, y2]]),
            application_point: attachment + from_physx(row.tire_app),
            rest_mass: Some(row.rest_load / GRAVITY),
        },
    }
}

/// PhysX 5's stiffnesses are forces, ours are over rest load and gravity.
fn tire(row: &Wheel) -> Result<Michigan, InvalidParams> {
    Ok(Michigan::new(Checked::new(MichiganParams {
        lat_stiff_x: row.lat_stiff_x,
        lat_stiff_y: row.lat_stiff_y / row.rest_load,
        long_stiff_per_g: row.long_stiff / GRAVITY,
        camber_stiff_per_g: row.camber_stiff / GRAVITY,
        minimum_slip: 0.0,
        physical_camber: true,
    })?))
}

fn differential(row: &Engine) -> Differential {
    let four = &row.four_wheel_diff;
    let ratios = |physx_rules| MultiWheel {
        torque_ratios: four.torque_ratios.clone(),
        speed_ratios: four.ave_speed_ratios.clone(),
        physx_rules,
    };
    match row.diff_type.as_str() {
        // The header tells of the tracks in words: even wheels, and odd ones.
        "tank" => Differential::Tank(TankDifferential {
            tracks: [(TrackSide::Right, [0, 2]), (TrackSide::Left, [1, 3])]
                .map(|(side, wheels)| Track {
                    side,
                    wheels: wheels.to_vec(),
                    radii: vec![],
                })
                .to_vec(),
            law: TankLaw::Scaled(ratios(false)),
            special: true,
            hold: 0.0,
            physx_rules: false,
        }),
        // PhysX's sample finds which wheels of a four-wheel differential are to be held together (`ngroups`
        // of the traces), but does not hand that to the drivetrain: the recorded spins are those of
        // wheels on their own. That law is in the tables `v2_diff_four_wheel` and
        // `v2_engine_drivetrain_update`.
        _ => Differential::MultiWheel(ratios(true)),
    }
}
