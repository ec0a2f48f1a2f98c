//! PhysX's default values against ours.

use std::collections::BTreeMap;
use std::path::Path;

use conformance::reference::{self, Comparison};
use jounce::core::drivetrain::ClutchAccuracy;
use jounce::core::params::{FrictionCurve, LoadFilter, SubstepPolicy};
use jounce::core::{Frame, Profile};
use jounce::drive::{
    AutoboxParams, BrakeParams, ClutchParams, Differential4W, EngineParams, GearboxParams,
};
use jounce::tires::MichiganParams;
use serde_json::Value;

use super::all;
use crate::row::numbers;

/// Values that a user must set, in PhysX by overwriting a zero or a mark, here because parameters
/// have no defaults; and those that are chosen by name, such as modes, or derived from others.
const NOT_COMPARED: [&str; 26] = [
    "PxVehicleAckermannGeometryData.mAxleSeparation",
    "PxVehicleAckermannGeometryData.mFrontWidth",
    "PxVehicleAckermannGeometryData.mRearWidth",
    "PxVehicleAntiRollBarData.mStiffness",
    "PxVehicleAntiRollBarData.mWheel0",
    "PxVehicleAntiRollBarData.mWheel1",
    "PxVehicleChassisData.mCMOffset",
    "PxVehicleChassisData.mMOI",
    "PxVehicleClutchData.mAccuracyMode",
    "PxVehicleClutchData.mEstimateIterations",
    "PxVehicleContext.normalRejectAngleThresholdCosine",
    "PxVehicleContext.pointRejectAngleThresholdCosine",
    "PxVehicleContext.updateMode",
    "PxVehicleDifferential4WData.mType",
    "PxVehicleSuspensionData.mCamberAtMaxCompression",
    "PxVehicleSuspensionData.mCamberAtMaxDroop",
    "PxVehicleSuspensionData.mSpringDamperRate",
    "PxVehicleSuspensionData.mSpringStrength",
    "PxVehicleSuspensionData.mSprungMass",
    "PxVehicleTireData.mType",
    "PxVehicleWheelData.mMOI",
    "PxVehicleWheelData.mMaxSteer",
    "PxVehicleWheelData.mRadius",
    "PxVehicleWheelData.mWidth",
    "PxVehicleWheelsSimData.mFlags",
    "internal_constants.gToleranceScaleLength",
];

/// Compares the file of default values.
pub(crate) fn compare(path: &Path) -> Result<Vec<Comparison>, String> {
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let ours = ours();
    let (mut rows, mut worst) = (0, 0.0_f64);
    for (structure, fields) in value.as_object().ok_or("an object")? {
        for (field, theirs) in fields.as_object().ok_or("an object")? {
            let name = format!("{structure}.{field}");
            if NOT_COMPARED.contains(&name.as_str()) {
                continue;
            }
            let mine = ours
                .get(name.as_str())
                .ok_or_else(|| format!("unknown schema: default {name}"))?;
            for (a, b) in mine.iter().zip(significant(&numbers(theirs), mine.len())?) {
                let error = (a - b).abs() / b.abs().max(1e-9);
                worst = worst.max(if a == &b { 0.0 } else { error });
            }
            rows += 1;
        }
    }
    Ok(vec![Comparison {
        name: reference::stem(path),
        rows,
        max_error: worst,
        bound: 2e-5,
        note: format!(
            "{} values that a user must set or of later kinds",
            NOT_COMPARED.len()
        ),
    }])
}

/// The first `count` numbers; what follows must repeat the last or be zero, as in PhysX's tables
/// of fixed length.
fn significant(theirs: &[f64], count: usize) -> Result<Vec<f64>, String> {
    let (head, tail) = theirs.split_at(count.min(theirs.len()));
    let padding = |x: &f64| *x == 0.0 || Some(x) == head.last();
    if head.len() == count && tail.iter().all(padding) {
        Ok(head.to_vec())
    } else {
        Err(format!("{} values, ours {count}", theirs.len()))
    }
}

fn ours() -> BTreeMap<&'static str, Vec<f64>> {
    let mut map = BTreeMap::new();
    chassis_and_wheels(&mut map);
    drive(&mut map);
    settings(&mut map);
    map
}

type Map = BTreeMap<&'static str, Vec<f64>>;

fn chassis_and_wheels(map: &mut Map) {
    let car = jounce::presets::physx_snippet();
    let kind = car.kind();
    let wheel = &kind.params().wheels[0];
    let suspension = &wheel.suspension;
    let mut put = |name, values: Vec<f32>| {
        map.insert(name, all(values));
    };
    put("PxVehicleChassisData.mMass", vec![car.mass()]);
    put("PxVehicleWheelData.mMass", vec![wheel.mass]);
    put("PxVehicleWheelData.mDampingRate", vec![wheel.damping]);
    put("PxVehicleWheelData.mToeAngle", vec![wheel.toe]);
    let brakes = BrakeParams::physx();
    put(
        "PxVehicleWheelData.mMaxBrakeTorque",
        vec![brakes.max_torque],
    );
    put(
        "PxVehicleWheelData.mMaxHandBrakeTorque",
        vec![brakes.max_handbrake_torque],
    );
    put(
        "PxVehicleSuspensionData.mMaxCompression",
        vec![suspension.max_compression],
    );
    put(
        "PxVehicleSuspensionData.mMaxDroop",
        vec![suspension.max_droop],
    );
    put(
        "PxVehicleSuspensionData.mCamberAtRest",
        vec![suspension.camber.at_rest],
    );
    let tire = MichiganParams::physx();
    put("PxVehicleTireData.lat_stiff_x", vec![tire.lat_stiff_x]);
    put("PxVehicleTireData.lat_stiff_y", vec![tire.lat_stiff_y]);
    put(
        "PxVehicleTireData.long_stiff_per_g",
        vec![tire.long_stiff_per_g],
    );
    put(
        "PxVehicleTireData.camber_stiff_per_g",
        vec![tire.camber_stiff_per_g],
    );
    put(
        "PxVehicleTireData.friction_vs_slip",
        FrictionCurve::FLAT.0.concat(),
    );
    let filter = LoadFilter::PHYSX;
    put(
        "PxVehicleTireLoadFilterData.mMinNormalisedLoad",
        vec![filter.min_load],
    );
    put(
        "PxVehicleTireLoadFilterData.mMinFilteredNormalisedLoad",
        vec![filter.min_filtered],
    );
    put(
        "PxVehicleTireLoadFilterData.mMaxNormalisedLoad",
        vec![filter.max_load],
    );
    put(
        "PxVehicleTireLoadFilterData.mMaxFilteredNormalisedLoad",
        vec![filter.max_filtered],
    );
}

fn drive(map: &mut Map) {
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
    put(
        "PxVehicleClutchData.mStrength",
        vec![ClutchParams::physx().strength],
    );
    put("PxVehicleAckermannGeometryData.mAccuracy", vec![1.0]);
    let differential = Differential4W::physx();
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
            differential.centre_bias,
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

fn settings(map: &mut Map) {
    let mut put = |name, values: Vec<f32>| {
        map.insert(name, all(values));
    };
    let substeps = SubstepPolicy::PHYSX;
    let profile = Profile::PHYSX_4;
    put(
        "PxVehicleWheelsSimData.mThresholdLongitudinalSpeed",
        vec![substeps.threshold_speed],
    );
    put(
        "PxVehicleWheelsSimData.mLowForwardSpeedSubStepCount",
        vec![substeps.slow as f32],
    );
    put(
        "PxVehicleWheelsSimData.mHighForwardSpeedSubStepCount",
        vec![substeps.fast as f32],
    );
    put(
        "PxVehicleWheelsSimData.mMinLongSlipDenominator",
        vec![profile.slip.passive_denominator],
    );
    let frame = Frame::Z_FORWARD_Y_UP;
    let axis = |v: glam::Vec3| frame.to_body(v).to_array().to_vec();
    put("PxVehicleContext.upAxis", axis(glam::Vec3::Z));
    put("PxVehicleContext.forwardAxis", axis(glam::Vec3::X));
    put("PxVehicleContext.sideAxis", axis(glam::Vec3::Y));
    put(
        "PxVehicleContext.maxHitActorAcceleration",
        vec![profile.max_ground_acceleration.min(f32::MAX)],
    );
    let sticky = &profile.sticky;
    let ClutchAccuracy::Iterative { tolerance, .. } = ClutchAccuracy::physx_estimate(5) else {
        panic!("an estimate is iterative");
    };
    let constants = [
        (
            "internal_constants.gThresholdForwardSpeedForWheelAngleIntegration",
            profile.blend_speed,
        ),
        (
            "internal_constants.gMinLatSpeedForTireModel",
            profile.slip.lateral_offset,
        ),
        (
            "internal_constants.gStickyTireFrictionThresholdSpeed",
            sticky.speed,
        ),
        (
            "internal_constants.gStickyTireFrictionForwardDamping",
            sticky.forward_target,
        ),
        (
            "internal_constants.gStickyTireFrictionSideDamping",
            sticky.side_target,
        ),
        (
            "internal_constants.gLowForwardSpeedThresholdTime",
            sticky.forward_time,
        ),
        (
            "internal_constants.gLowSideSpeedThresholdTime",
            sticky.side_time,
        ),
        (
            "internal_constants.gMinimumSlipThreshold",
            MichiganParams::physx().minimum_slip,
        ),
        ("internal_constants.gSolverTolerance", tolerance),
        (
            "internal_constants.tank_and_car_driven_slip_denominator_offset",
            profile.slip.active_offset,
        ),
        (
            "internal_constants.sticky_constraint_spring_damping",
            sticky.forward_damping,
        ),
    ];
    for (name, value) in constants {
        put(name, vec![value]);
    }
}

/// Compares the default values of PhysX 5's context.
pub(crate) fn compare_vehicle2(path: &Path) -> Result<Vec<Comparison>, String> {
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let Profile { slip, sticky, .. } = Profile::PHYSX_5;
    let ours = [
        ("tireSlip.minLatSlipDenominator", slip.lateral_offset),
        ("tireSlip.minActiveLongSlipDenominator", slip.active_offset),
        (
            "tireSlip.minPassiveLongSlipDenominator",
            slip.passive_denominator,
        ),
        ("sticky.long.thresholdSpeed", sticky.speed),
        ("sticky.long.thresholdTime", sticky.forward_time),
        ("sticky.long.damping", sticky.forward_damping),
        ("sticky.lat.thresholdSpeed", sticky.speed),
        ("sticky.lat.thresholdTime", sticky.side_time),
        ("sticky.lat.damping", sticky.side_damping),
    ];
    let fields = value.as_object().ok_or("an object")?;
    let mut worst = 0.0_f64;
    for (name, theirs) in fields {
        let known = ours.iter().find(|(known, _)| known == name);
        let (_, ours) = known.ok_or_else(|| format!("unknown schema: {name}"))?;
        let theirs = theirs
            .as_f64()
            .ok_or_else(|| format!("{name}: no number"))?;
        worst = worst.max((f64::from(*ours) - theirs).abs());
    }
    Ok(vec![Comparison {
        name: reference::stem(path),
        rows: fields.len(),
        max_error: worst,
        bound: 1e-7,
        note: String::new(),
    }])
}
