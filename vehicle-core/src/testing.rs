//! A sample car for this crate's own tests.

use alloc::string::ToString;
use alloc::vec;

use glam::Vec3;

use crate::params::{
    AntiRollBar, CamberCurve, ChassisParams, FrictionCurve, LoadFilter, SubstepPolicy,
    SuspensionParams, TireFit, VehicleParams, WheelParams,
};
use crate::profile::Profile;
use crate::surface::TireType;

/// 1500 kg on four wheels, origin at the centre of mass; the car of the PhysX samples
/// (ALGORITHMS §5.6) in the vehicle frame.
pub(crate) fn four_wheeler() -> VehicleParams {
    let corner = |name: &str, x: f32, y: f32, sprung_mass: f32| WheelParams {
        name: name.to_string(),
        enabled: true,
        position: Vec3::new(x, y, -1.15),
        radius: 0.5,
        width: 0.4,
        mass: 20.0,
        inertia: 2.5,
        damping: 0.25,
        toe: 0.0,
        suspension: SuspensionParams {
            stiffness: 35_000.0,
            damping: 4500.0,
            max_compression: 0.3,
            max_droop: 0.1,
            sprung_mass,
            travel_direction: Vec3::NEG_Z,
            application_point: Vec3::new(x, y, -0.3),
            camber: CamberCurve::default(),
        },
        tire: TireFit {
            model: 0,
            kind: TireType(0),
            friction_curve: FrictionCurve::FLAT,
            application_point: Vec3::new(x, y, -0.3),
        },
    };
    VehicleParams {
        chassis: ChassisParams {
            mass: 1500.0,
            inertia: Vec3::new(1281.25, 3625.0, 3125.0),
            centre_of_mass: Vec3::ZERO,
        },
        wheels: vec![
            corner("front left", 1.25, 1.05, 437.5),
            corner("front right", 1.25, -1.05, 437.5),
            corner("rear left", -1.75, 1.05, 312.5),
            corner("rear right", -1.75, -1.05, 312.5),
        ],
        anti_roll: vec![
            AntiRollBar {
                wheels: [0, 1],
                stiffness: 10_000.0,
            },
            AntiRollBar {
                wheels: [2, 3],
                stiffness: 10_000.0,
            },
        ],
        load_filter: LoadFilter::PHYSX,
        substeps: SubstepPolicy::PHYSX,
        profile: Profile::PHYSX_4,
    }
}
