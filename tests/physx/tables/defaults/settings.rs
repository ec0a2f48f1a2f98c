//! Settings of the simulation and its constants.

use jounce::core::drivetrain::ClutchAccuracy;
use jounce::core::params::{SubstepPolicy, SweepSettings};
use jounce::core::profile::ExplicitSettings;
use jounce::core::{ContactPolicy, Frame, Profile, UnitScale};
use jounce::tires::MichiganParams;

use super::Values;
use crate::tables::all;

/// Adds ours to `map`.
pub(super) fn add(map: &mut Values) {
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
