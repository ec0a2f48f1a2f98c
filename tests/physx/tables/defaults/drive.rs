//! Engine, gears, clutch, differential and steering.

use jounce::core::drivetrain::ClutchAccuracy;
use jounce::drive::{
    AutoboxParams, ClutchParams, Differential4W, EngineParams, GearboxParams, SteeringParams,
};
use serde::Deserialize;

use super::Values;
use crate::tables::all;

/// Adds ours to `map`.
pub(super) fn add(map: &mut Values) {
    let mut put = |name, values: Vec<f32>| {
        map.insert(name, all(values));
    };
    let engine = EngineParams::physx();
    put(
        "PxVehicleEngineData.mTorqueCurve_xy",
        engine.torque_curve.0.concat(),
    );
    put("PxVehicleEngineData.mMOI", vec![engine.inertia]);
    put("PxVehicleEngineData.mPeakTorque", vec![engine.peak_torque]);
    put("PxVehicleEngineData.mMaxOmega", vec![engine.max_speed]);
    put(
        "PxVehicleEngineData.mDampingRateFullThrottle",
        vec![engine.damping_full_throttle],
    );
    put(
        "PxVehicleEngineData.mDampingRateZeroThrottleClutchEngaged",
        vec![engine.damping_zero_throttle_engaged],
    );
    put(
        "PxVehicleEngineData.mDampingRateZeroThrottleClutchDisengaged",
        vec![engine.damping_zero_throttle_disengaged],
    );
    let gears = GearboxParams::physx();
    let ratios = [gears.reverse.as_slice(), &[0.0], &gears.forward].concat();
    put("PxVehicleGearsData.mNbRatios", vec![ratios.len() as f32]);
    put("PxVehicleGearsData.mRatios", ratios);
    put("PxVehicleGearsData.mFinalRatio", vec![gears.final_ratio]);
    put("PxVehicleGearsData.mSwitchTime", vec![gears.switch_time]);
    let autobox = AutoboxParams::physx(gears.forward.len());
    let up = [&[0.65, autobox.neutral_up], autobox.up.as_slice()].concat();
    put("PxVehicleAutoBoxData.mUpRatios", up);
    // PhysX stores the latency in the slot of the reverse gear.
    let down = [&[autobox.latency, 0.5], autobox.down.as_slice()].concat();
    put("PxVehicleAutoBoxData.mDownRatios", down);
    put("PxVehicleAutoBoxData.latency", vec![autobox.latency]);
    let clutch = ClutchParams::physx();
    put("PxVehicleClutchData.mStrength", vec![clutch.strength]);
    let best_possible = clutch.accuracy == ClutchAccuracy::Exact;
    put(
        "PxVehicleClutchData.mAccuracyMode",
        vec![f32::from(u8::from(best_possible))],
    );
    put(
        "PxVehicleAckermannGeometryData.mAccuracy",
        vec![sample_steering().axles[0].accuracy],
    );
    let differential = Differential4W::physx();
    put(
        "PxVehicleDifferential4WData.mType",
        vec![f32::from(differential.kind as u8)],
    );
    let names = [
        (
            "PxVehicleDifferential4WData.mFrontRearSplit",
            differential.front_rear_split,
        ),
        (
            "PxVehicleDifferential4WData.mFrontLeftRightSplit",
            differential.front_split,
        ),
        (
            "PxVehicleDifferential4WData.mRearLeftRightSplit",
            differential.rear_split,
        ),
        (
            "PxVehicleDifferential4WData.mCentreBias",
            differential.center_bias,
        ),
        (
            "PxVehicleDifferential4WData.mFrontBias",
            differential.front_bias,
        ),
        (
            "PxVehicleDifferential4WData.mRearBias",
            differential.rear_bias,
        ),
    ];
    for (name, value) in names {
        put(name, vec![value]);
    }
}

/// The steering of the sample car, which has PhysX's default values.
fn sample_steering() -> SteeringParams {
    let car = jounce::presets::physx_snippet();
    let steering = car.spec().drive.0.get("steering");
    let steering = steering.expect("the sample car steers").clone();
    SteeringParams::deserialize(steering).expect("its parameters are its own")
}
