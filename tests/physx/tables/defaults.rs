//! PhysX's default values against ours.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::reference::{self, Comparison};
use jounce::core::drivetrain::ClutchAccuracy;
use jounce::core::params::{CamberCurve, LoadFilter, SubstepPolicy, SweepSettings, TireFit};
use jounce::core::profile::ExplicitSettings;
use jounce::core::{ContactPolicy, Frame, Profile, TireType, UnitScale};
use jounce::drive::{
    AutoboxParams, BrakeParams, ClutchParams, Differential4W, EngineParams, GearboxParams,
    SteeringParams,
};
use jounce::tires::MichiganParams;
use serde::Deserialize;
use serde_json::Value;

use super::all;
use crate::row::numbers;

/// Zero in PhysX until a user sets it; here a file or a struct without it is invalid.
const MUST_BE_SAID: &str = "a user must say it: parameters have no defaults";
/// Here a bar is either listed or absent.
const NO_EMPTY_BAR: &str = "marks a bar that has not been filled in";
/// Zero in PhysX for wheels that do not steer.
const NOT_STEERED: &str = "an axle that does not steer is not listed";
const FROM_WHEELS: &str = "a vehicle file takes it from where the wheels are";

/// Values without a counterpart, and why they have none.
const NOT_COMPARED: [(&str, &str); 16] = [
    (
        "PxVehicleAckermannGeometryData.mAxleSeparation",
        FROM_WHEELS,
    ),
    ("PxVehicleAckermannGeometryData.mFrontWidth", FROM_WHEELS),
    ("PxVehicleAckermannGeometryData.mRearWidth", FROM_WHEELS),
    ("PxVehicleAntiRollBarData.mStiffness", NO_EMPTY_BAR),
    ("PxVehicleAntiRollBarData.mWheel0", NO_EMPTY_BAR),
    ("PxVehicleAntiRollBarData.mWheel1", NO_EMPTY_BAR),
    ("PxVehicleChassisData.mCMOffset", MUST_BE_SAID),
    ("PxVehicleChassisData.mMOI", MUST_BE_SAID),
    (
        "PxVehicleClutchData.mEstimateIterations",
        "who wants the estimate says its sweeps: `ClutchAccuracy::physx_estimate`",
    ),
    ("PxVehicleSuspensionData.mSpringDamperRate", MUST_BE_SAID),
    ("PxVehicleSuspensionData.mSpringStrength", MUST_BE_SAID),
    (
        "PxVehicleSuspensionData.mSprungMass",
        "a vehicle file without it takes what balances the car",
    ),
    ("PxVehicleWheelData.mMOI", MUST_BE_SAID),
    ("PxVehicleWheelData.mMaxSteer", NOT_STEERED),
    ("PxVehicleWheelData.mRadius", MUST_BE_SAID),
    ("PxVehicleWheelData.mWidth", MUST_BE_SAID),
];

/// Compares the file of default values.
pub(crate) fn compare(path: &Path) -> Result<Vec<Comparison>, String> {
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let ours = ours();
    let (mut rows, mut worst) = (0, 0.0_f64);
    let mut left_out = BTreeMap::from(NOT_COMPARED);
    for (structure, fields) in value.as_object().ok_or("an object")? {
        for (field, theirs) in fields.as_object().ok_or("an object")? {
            let name = format!("{structure}.{field}");
            if left_out.remove(name.as_str()).is_some() {
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
    if let Some((name, _)) = left_out.first_key_value() {
        return Err(format!("no default {name}"));
    }
    let why: BTreeSet<&str> = NOT_COMPARED.iter().map(|(_, why)| *why).collect();
    Ok(vec![Comparison {
        name: reference::stem(path),
        rows,
        max_error: worst,
        bound: 2e-5,
        note: format!(
            "{} values have no counterpart: {}",
            NOT_COMPARED.len(),
            why.into_iter().collect::<Vec<_>>().join("; ")
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
    // Default of a file without camber.
    let camber = CamberCurve::default();
    put(
        "PxVehicleSuspensionData.mCamberAtMaxCompression",
        vec![camber.at_max_compression],
    );
    put(
        "PxVehicleSuspensionData.mCamberAtMaxDroop",
        vec![camber.at_max_droop],
    );
    put(
        "PxVehicleTireData.mType",
        vec![f32::from(TireType::default().0)],
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
        TireFit::FLAT_FRICTION.concat(),
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

/// The steering of the sample car, which has PhysX's default values.
fn sample_steering() -> SteeringParams {
    let car = jounce::presets::physx_snippet();
    let steering = car.spec().drive.0.get("steering");
    let steering = steering.expect("the sample car steers").clone();
    SteeringParams::deserialize(steering).expect("its parameters are its own")
}

fn settings(map: &mut Map) {
    let mut put = |name, values: Vec<f32>| {
        map.insert(name, all(values));
    };
    let substeps = SubstepPolicy::PHYSX;
    let profile = Profile::PHYSX_4;
    let settings = ExplicitSettings::PHYSX_4;
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
        vec![settings.slip.passive_denominator],
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
    put(
        "PxVehicleContext.updateMode",
        vec![f32::from(settings.accelerates)],
    );
    // PhysX writes the cosine of 45 degrees with three digits.
    let cosine = |angle: f32| vec![(1000.0 * angle.cos()).round() / 1000.0];
    let policy = ContactPolicy::PHYSX;
    put(
        "PxVehicleContext.pointRejectAngleThresholdCosine",
        cosine(policy.point_angle),
    );
    put(
        "PxVehicleContext.normalRejectAngleThresholdCosine",
        cosine(policy.normal_angle),
    );
    let flags = [
        profile.limit_expansion,
        SweepSettings::PHYSX.direct,
        !settings.project_suspension_force,
    ];
    let bits = flags.into_iter().zip([1.0, 2.0, 4.0]);
    put(
        "PxVehicleWheelsSimData.mFlags",
        vec![bits.map(|(set, bit)| if set { bit } else { 0.0 }).sum()],
    );
    put(
        "internal_constants.gToleranceScaleLength",
        vec![UnitScale::SI.length as f32],
    );
    let sticky = &settings.sticky;
    let ClutchAccuracy::Iterative { tolerance, .. } = ClutchAccuracy::physx_estimate(5) else {
        panic!("an estimate is iterative");
    };
    let constants = [
        (
            "internal_constants.gThresholdForwardSpeedForWheelAngleIntegration",
            settings.blend_speed,
        ),
        (
            "internal_constants.gMinLatSpeedForTireModel",
            settings.slip.lateral_offset,
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
            settings.slip.active_offset,
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
    let ExplicitSettings { slip, sticky, .. } = ExplicitSettings::PHYSX_5;
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
