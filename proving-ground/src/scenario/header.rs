//! The header of a real PhysX trace, with PhysX's names and axes.

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) name: String,
    #[serde(rename = "physx")]
    pub(super) _version: String,
    #[serde(default, rename = "note")]
    pub(super) _note: String,
    pub(super) dt: f32,
    pub(super) frames: usize,
    pub(super) vehicle: VehicleData,
    pub(super) ground: GroundData,
    pub(super) query: String,
    pub(super) query_every: usize,
    pub(super) update_mode: String,
    #[serde(rename = "three_wheel")]
    pub(super) _three_wheel: String,
    pub(super) contact_modification: bool,
    pub(super) smoothing: String,
    /// Rates of accelerator, brake, handbrake, steer left, steer right, if input is smoothed.
    #[serde(default)]
    pub(super) rise_rates: [f32; 5],
    #[serde(default)]
    pub(super) fall_rates: [f32; 5],
    #[serde(default)]
    pub(super) steer_vs_speed: Vec<f32>,
    /// `STANDARD` or `SPECIAL`, for tanks.
    #[serde(default)]
    pub(super) tank_mode: String,
    pub(super) init: InitialState,
    pub(super) schedule: Vec<ScheduleEntry>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VehicleData {
    #[serde(rename = "type")]
    pub(super) kind: DriveKind,
    pub(super) chassis_mass: f32,
    pub(super) chassis_moi: [f32; 3],
    pub(super) cmass_local_pos: [f32; 3],
    pub(super) chassis_box_dims: [f32; 3],
    pub(super) body: BodySettings,
    pub(super) gravity: [f32; 3],
    #[serde(rename = "ground_and_chassis_material")]
    pub(super) material: Material,
    pub(super) tire_surface_friction: f32,
    pub(super) wheels: Vec<WheelData>,
    pub(super) anti_roll_bars: Vec<AntiRollBarData>,
    pub(super) tire_load_filter: [f32; 4],
    pub(super) substep_threshold_speed: f32,
    pub(super) substeps_low: u32,
    pub(super) substeps_high: u32,
    pub(super) min_long_slip_denominator: f32,
    pub(super) wheels_sim_flags: u32,
    /// Engine and gears, only of vehicles with an engine.
    pub(super) engine: Option<EngineData>,
    pub(super) gears: Option<GearsData>,
    pub(super) autobox: Option<AutoboxData>,
    pub(super) clutch: Option<ClutchData>,
    /// Differential and steering, only of cars with four driven wheels.
    pub(super) differential: Option<DifferentialData>,
    pub(super) ackermann: Option<AckermannData>,
    /// Driven wheels by flags, if any may be driven.
    #[serde(default)]
    pub(super) driven: Vec<u8>,
}

/// PhysX's drives, with its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum DriveKind {
    /// Four driven wheels, and others that roll freely.
    Drive4W,
    /// Any driven wheels.
    DriveNW,
    /// Two tracks: even and odd wheels.
    DriveTank,
    /// User-defined torques and angles, per wheel.
    NoDrive,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BodySettings {
    pub(super) linear_damping: f32,
    pub(super) angular_damping: f32,
    pub(super) max_angular_velocity: f32,
    pub(super) sleep_threshold: f32,
    #[serde(rename = "stabilization_threshold")]
    pub(super) _stabilization_threshold: f32,
    #[serde(rename = "pos_iters")]
    pub(super) _position_iterations: u32,
    #[serde(rename = "vel_iters")]
    pub(super) _velocity_iterations: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Material {
    #[serde(rename = "static")]
    pub(super) _static_friction: f32,
    pub(super) dynamic: f32,
    pub(super) restitution: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WheelData {
    pub(super) disabled: bool,
    pub(super) radius: f32,
    pub(super) width: f32,
    pub(super) mass: f32,
    pub(super) moi: f32,
    pub(super) damping_rate: f32,
    pub(super) max_brake_torque: f32,
    pub(super) max_handbrake_torque: f32,
    pub(super) max_steer: f32,
    pub(super) toe: f32,
    pub(super) spring: f32,
    pub(super) damper: f32,
    pub(super) max_compression: f32,
    pub(super) max_droop: f32,
    pub(super) sprung_mass: f32,
    pub(super) camber_rest: f32,
    pub(super) camber_max_compression: f32,
    pub(super) camber_max_droop: f32,
    pub(super) lat_stiff_x: f32,
    pub(super) lat_stiff_y: f32,
    pub(super) long_stiff_per_g: f32,
    pub(super) camber_stiff_per_g: f32,
    pub(super) friction_vs_slip: [f32; 6],
    pub(super) tire_type: u16,
    pub(super) susp_dir: [f32; 3],
    #[serde(rename = "wheel_centre_cm_offset")]
    pub(super) wheel_center_cm_offset: [f32; 3],
    pub(super) susp_force_app_cm_offset: [f32; 3],
    pub(super) tire_force_app_cm_offset: [f32; 3],
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AntiRollBarData {
    pub(super) wheel0: usize,
    pub(super) wheel1: usize,
    pub(super) stiffness: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EngineData {
    pub(super) moi: f32,
    pub(super) peak_torque: f32,
    pub(super) max_omega: f32,
    pub(super) damping_full_throttle: f32,
    pub(super) damping_zero_throttle_clutch_engaged: f32,
    pub(super) damping_zero_throttle_clutch_disengaged: f32,
    pub(super) torque_curve_xy: Vec<f32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GearsData {
    pub(super) ratios: Vec<f32>,
    pub(super) final_ratio: f32,
    pub(super) switch_time: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AutoboxData {
    pub(super) up_ratios: Vec<f32>,
    pub(super) down_ratios: Vec<f32>,
    pub(super) latency: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClutchData {
    pub(super) strength: f32,
    pub(super) accuracy_mode: String,
    pub(super) estimate_iterations: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DifferentialData {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) front_rear_split: f32,
    pub(super) front_left_right_split: f32,
    pub(super) rear_left_right_split: f32,
    #[serde(rename = "centre_bias")]
    pub(super) center_bias: f32,
    pub(super) front_bias: f32,
    pub(super) rear_bias: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AckermannData {
    pub(super) accuracy: f32,
    pub(super) front_width: f32,
    pub(super) rear_width: f32,
    pub(super) axle_separation: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum GroundData {
    Plane {
        normal: [f32; 3],
        d: f32,
    },
    Mesh(Bumps),
    Hf(Bumps),
    Curb {
        box_height: f32,
        #[serde(rename = "box")]
        words: String,
    },
    Wall {
        #[serde(rename = "wall")]
        words: String,
    },
    /// Capsules on the plane y = 0, along x.
    Capsules {
        capsule_radii: Vec<f32>,
    },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bumps {
    pub(super) n: usize,
    pub(super) cell: f32,
    pub(super) x0: f32,
    pub(super) z0: f32,
    pub(super) amp: f32,
    pub(super) k: f32,
    /// The formula, as text.
    pub(super) height: String,
    pub(super) height_quantum: Option<f32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InitialState {
    pub(super) pos: [f32; 3],
    pub(super) quat: [f32; 4],
    pub(super) lin_vel: [f32; 3],
    pub(super) ang_vel: [f32; 3],
    pub(super) wheel_omega: f32,
    pub(super) engine_omega: f32,
    pub(super) gear: i8,
    pub(super) auto_gears: bool,
}

/// An entry of the schedule, in effect from its frame on, before that frame's update.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScheduleEntry {
    pub(super) frame: usize,
    /// Accelerator, brake, handbrake, steer left, steer right; for tanks accelerator, brakes left
    /// and right, thrusts left and right.
    pub(super) analog: Option<[f32; 5]>,
    /// User-defined torques, brakes and angles per wheel.
    pub(super) drive: Option<Vec<f32>>,
    pub(super) brake: Option<Vec<f32>>,
    pub(super) steer: Option<Vec<f32>>,
    pub(super) gear_up: Option<u8>,
    pub(super) gear_down: Option<u8>,
    pub(super) force_gear: Option<i8>,
}
