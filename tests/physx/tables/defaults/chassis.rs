//! Chassis, wheels, suspensions and tires.

use jounce::core::TireType;
use jounce::core::params::{CamberCurve, LoadFilter, TireFit};
use jounce::drive::BrakeParams;
use jounce::tires::MichiganParams;

use super::Values;
use crate::tables::all;

/// Adds ours to `map`.
pub(super) fn add(map: &mut Values) {
    let car = jounce::presets::physx_snippet();
    let model = car.model();
    let wheel = &model.params().wheels[0];
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
