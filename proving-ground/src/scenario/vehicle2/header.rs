//! The header of a `vehicle2` trace, with PhysX's names and axes. Its redundant descriptions in
//! words are not read.

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Vehicle2Header {
    pub(super) name: String,
    pub(super) dt: f32,
    pub(super) frames: usize,
    pub(super) substeps_low_speed: u32,
    pub(super) substeps_high_speed: u32,
    pub(super) drivetrain: String,
    pub(super) update_mode: String,
    pub(super) plane_normal: [f32; 3],
    pub(super) params: Params,
    pub(super) init: Vehicle2Start,
    pub(super) schedule: Vec<Vehicle2Action>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Params {
    pub(super) mass: f32,
    pub(super) moi: [f32; 3],
    pub(super) actor_cmass_local_pos: [f32; 3],
    pub(super) axles: String,
    pub(super) jounce_type: String,
    pub(super) limit_expansion_velocity: bool,
    pub(super) brake_max_response: f32,
    pub(super) brake_multipliers: Vec<f32>,
    pub(super) handbrake_max_response: f32,
    pub(super) handbrake_multipliers: Vec<f32>,
    pub(super) steer_max_response: f32,
    pub(super) steer_multipliers: Vec<f32>,
    pub(super) ackermann_wheel_base: f32,
    pub(super) ackermann_track_width: f32,
    pub(super) ackermann_strength: f32,
    pub(super) wheels: Vec<Vehicle2Wheel>,
    pub(super) road_friction: f32,
    /// Engine of drivetrains with one; its fields are flattened.
    #[serde(skip)]
    pub(super) engine: Option<Vehicle2Engine>,
    pub(super) throttle_max_response: Option<f32>,
    pub(super) throttle_multipliers: Option<Vec<f32>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vehicle2Wheel {
    pub(super) susp_attach_pos: [f32; 3],
    pub(super) travel_dir: [f32; 3],
    pub(super) travel_dist: f32,
    pub(super) stiffness: f32,
    pub(super) damping: f32,
    pub(super) sprung_mass: f32,
    pub(super) susp_app: [f32; 3],
    pub(super) tire_app: [f32; 3],
    pub(super) toe: f32,
    pub(super) camber: f32,
    pub(super) lat_stiff_x: f32,
    pub(super) lat_stiff_y: f32,
    pub(super) long_stiff: f32,
    pub(super) camber_stiff: f32,
    pub(super) rest_load: f32,
    pub(super) friction_vs_slip: [f32; 6],
    pub(super) load_filter: [f32; 4],
    pub(super) radius: f32,
    pub(super) half_width: f32,
    pub(super) wheel_mass: f32,
    pub(super) moi: f32,
    pub(super) damping_rate: f32,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Vehicle2Engine {
    pub(super) torque_curve_xy: Vec<f32>,
    pub(super) engine_moi: f32,
    pub(super) peak_torque: f32,
    pub(super) idle_omega: f32,
    pub(super) max_omega: f32,
    pub(super) damping_full: f32,
    pub(super) damping_zero_engaged: f32,
    pub(super) damping_zero_disengaged: f32,
    pub(super) gear_ratios: Vec<f32>,
    pub(super) final_ratio: f32,
    pub(super) switch_time: f32,
    pub(super) autobox_up: Vec<f32>,
    pub(super) autobox_down: Vec<f32>,
    pub(super) autobox_latency: f32,
    pub(super) clutch_max_response: f32,
    pub(super) diff_type: String,
    pub(super) four_wheel_diff: FourWheel,
    /// Tracks of tanks, in words.
    #[serde(default)]
    pub(super) tank_tracks: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct FourWheel {
    pub(super) torque_ratios: Vec<f32>,
    pub(super) ave_speed_ratios: Vec<f32>,
    pub(super) front_bias: f32,
    pub(super) front_target: f32,
    pub(super) rear_bias: f32,
    pub(super) rear_target: f32,
    pub(super) center_bias: f32,
    pub(super) center_target: f32,
    pub(super) rate: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vehicle2Start {
    pub(super) actor_pos: [f32; 3],
    pub(super) actor_quat: [f32; 4],
    pub(super) forward_speed: f32,
    #[serde(default = "first_gear")]
    pub(super) gear: i8,
    #[serde(default)]
    pub(super) engine_omega: f32,
}

fn first_gear() -> i8 {
    2
}

/// The gear value that leaves changes to the autobox.
pub(super) const AUTOMATIC: u8 = 255;

/// An action of the driver, in effect from its frame on, before that frame's update.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vehicle2Action {
    pub(super) frame: usize,
    pub(super) brake0: f32,
    pub(super) brake1: f32,
    pub(super) throttle: f32,
    pub(super) steer: f32,
    pub(super) gear: u8,
    #[serde(default)]
    pub(super) thrust0: f32,
    #[serde(default)]
    pub(super) thrust1: f32,
}

impl Vehicle2Action {
    /// An action with nothing pressed, and gear changes left to the autobox.
    pub(super) const REST: Self = Self {
        frame: 0,
        brake0: 0.0,
        brake1: 0.0,
        throttle: 0.0,
        steer: 0.0,
        gear: AUTOMATIC,
        thrust0: 0.0,
        thrust1: 0.0,
    };
}
