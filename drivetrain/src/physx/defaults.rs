//! PhysX's default parts (ALGORITHMS §4.1).

use alloc::vec;

use vehicle_core::Curve;
use vehicle_core::drivetrain::ClutchAccuracy;

use crate::autobox::AutoboxParams;
use crate::brakes::BrakeParams;
use crate::clutch::ClutchParams;
use crate::differential::{Differential4W, DifferentialKind};
use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;
use crate::logic::DriveLogic;

impl EngineParams {
    /// PhysX's default engine (ALGORITHMS §4.1).
    #[must_use]
    pub fn physx() -> Self {
        Self {
            inertia: 1.0,
            peak_torque: 500.0,
            idle_speed: 0.0,
            idle_torque: None,
            max_speed: 600.0,
            torque_curve: Curve(vec![[0.0, 0.8], [0.33, 1.0], [1.0, 0.8]]),
            torque_map: None,
            damping_full_throttle: 0.15,
            damping_zero_throttle_engaged: 2.0,
            damping_zero_throttle_disengaged: 0.35,
            static_friction: 0.0,
            fuel: None,
            turbo: None,
            limiter: None,
        }
    }
}

impl ClutchParams {
    /// PhysX's default clutch (ALGORITHMS §4.1).
    #[must_use]
    pub const fn physx() -> Self {
        Self {
            strength: 10.0,
            capacity: None,
            accuracy: ClutchAccuracy::Exact,
            automatic: None,
            closing_time: Self::CLOSING_TIME,
            creep_torque: 0.0,
            pedal: None,
        }
    }
}

impl GearboxParams {
    /// PhysX's default gearbox (ALGORITHMS §4.1).
    #[must_use]
    pub fn physx() -> Self {
        Self {
            reverse: vec![-4.0],
            forward: vec![4.0, 2.0, 1.5, 1.1, 1.0],
            final_ratio: 4.0,
            ranges: vec![],
            switch_time: 0.5,
            rev_matching: true,
            logic: DriveLogic::PHYSX_4,
        }
    }
}

impl AutoboxParams {
    /// PhysX's default autobox (ALGORITHMS §4.1) for a number of forward gears.
    #[must_use]
    pub fn physx(forward_gears: usize) -> Self {
        Self {
            neutral_up: 0.15,
            up: vec![0.65; forward_gears],
            down: vec![0.5; forward_gears],
            latency: 2.0,
            light_throttle: Self::LIGHT_THROTTLE,
        }
    }
}

impl BrakeParams {
    /// PhysX's default brakes (ALGORITHMS §4.1): a pedal, no handbrake.
    #[must_use]
    pub const fn physx() -> Self {
        Self {
            max_torque: 1500.0,
            max_handbrake_torque: 0.0,
        }
    }
}

impl Differential4W {
    /// PhysX's default differential (ALGORITHMS §4.1).
    #[must_use]
    pub const fn physx() -> Self {
        Self {
            wheels: [0, 1, 2, 3],
            kind: DifferentialKind::LimitedSlipAll,
            front_rear_split: 0.45,
            front_split: 0.5,
            rear_split: 0.5,
            center_bias: 1.3,
            front_bias: 1.3,
            rear_bias: 1.3,
            handbrake_drives_front: true,
        }
    }
}
