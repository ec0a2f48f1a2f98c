//! Wheels for the other tables; tables of a wheel's pose and rotation.

use std::sync::Arc;

use glam::{DVec3, Mat3, Quat, Vec3};
use jounce::core::drivetrain::WheelControl;
use jounce::core::internals::chassis::Chassis;
use jounce::core::internals::spin;
use jounce::core::internals::steering::Steering;
use jounce::core::internals::wheel_consts::WheelConsts;
use jounce::core::lanes::{Groups, Mask4, W4};
use jounce::core::params::{CamberCurve, WheelParams};
use jounce::core::pose::wheel_rotation;
use jounce::core::profile::ExplicitSettings;
use jounce::core::rigid_bodies::BodyState;
use jounce::core::state::WheelState;
use jounce::core::{Checked, TireModel, VehicleModel, VehicleParams};
use jounce::drive::{DirectDrive, DirectDriveParams, DriveLogic, Responses, SteeringParams};
use jounce::tires::{Michigan, MichiganParams};

use super::{Outputs, all, one};
use crate::row::Row;
use proving_ground::scenario as axes;

/// The sample car with its origin at the center of mass, each wheel changed.
pub(crate) fn four_wheeler(change: impl Fn(&mut WheelParams)) -> VehicleParams {
    let car = jounce::presets::physx_snippet();
    let mut params = car.model().params().clone();
    let center = params.chassis.center_of_mass;
    params.chassis.center_of_mass = Vec3::ZERO;
    for wheel in &mut params.wheels {
        wheel.position -= center;
        wheel.suspension.application_point -= center;
        wheel.tire.application_point -= center;
        wheel.toe = 0.0;
        wheel.suspension.camber = CamberCurve::default();
        change(wheel);
    }
    params.chassis.mass = params
        .wheels
        .iter()
        .map(|wheel| wheel.suspension.sprung_mass)
        .sum();
    params
}

/// Prepared constants of parameters, independent of tire and drive.
pub(crate) fn consts(params: VehicleParams) -> Groups<WheelConsts> {
    let tire = Michigan::new(Checked::new(MichiganParams::physx()).expect("valid"));
    let drive = DirectDriveParams {
        max_torques: vec![],
        responses: Responses::default(),
        logic: DriveLogic::PHYSX_4,
        steering: SteeringParams::default(),
        brakes: vec![],
    };
    let model = VehicleModel::new(
        Checked::new(params).unwrap_or_else(|faults| panic!("{faults}")),
        &[Arc::new(tire) as Arc<dyn TireModel>],
        Arc::new(DirectDrive::new(Checked::new(drive).expect("valid"))),
    );
    model.expect("the tire exists").wheels().clone()
}

/// Constants of four equal wheels, the sample car's changed.
pub(crate) fn wheel(change: impl Fn(&mut WheelParams)) -> WheelConsts {
    *consts(four_wheeler(change)).first()
}

/// A vehicle with recorded wheels, its center of mass at the origin.
pub(crate) fn wheels_of(wheels: &[Row<'_>], mass: f32) -> VehicleParams {
    let mut params = four_wheeler(|_| ());
    let template = params.wheels[0].clone();
    params.chassis.mass = mass;
    params.anti_roll.clear();
    params.wheels = wheels
        .iter()
        .map(|row| {
            let mut wheel = template.clone();
            wheel.suspension.stiffness = row.number("spring");
            wheel.suspension.damping = row.number("damper").into();
            wheel.suspension.sprung_mass = row.number("sprung_mass");
            wheel.mass = row.number("tire_rest_load_kg") - wheel.suspension.sprung_mass;
            wheel.position = row.vector("wheel_centre");
            wheel.suspension.application_point = row.vector("susp_app");
            wheel.tire.application_point = row.vector("tire_app");
            wheel.enabled = !row.flag("disabled");
            wheel
        })
        .collect();
    params
}

pub(crate) fn wheel_pose(row: &Row<'_>) -> Option<Outputs> {
    let k = wheel(|w| {
        w.suspension.max_compression = row.number("max_compression");
        w.suspension.max_droop = row.number("max_droop");
        w.suspension.camber = camber(row);
    });
    let camber = k.camber(W4::splat(row.number("jounce"))).lane(0);
    let rotation = wheel_rotation(row.number("steer"), camber, row.number("rotation_angle"));
    Some(vec![
        ("out_camber", one(camber)),
        ("out_quat", all(axes::rotation_to_physx(rotation))),
    ])
}

pub(super) fn camber(row: &Row<'_>) -> CamberCurve {
    CamberCurve {
        at_rest: row.number("camber_rest"),
        at_max_compression: row.number("camber_max_compression"),
        at_max_droop: row.number("camber_max_droop"),
    }
}

pub(crate) fn rotation_angle(row: &Row<'_>) -> Option<Outputs> {
    let (radius, droop) = (row.number("radius"), row.number("max_droop"));
    let k = wheel(|w| {
        w.radius = radius;
        w.suspension.max_droop = droop;
    });
    let drive = row.number("clutch") * row.number("gear_ratio") * row.number("engine_torque");
    let undriven = (W4::from_array(row.four("torque_ratio")) * W4::splat(drive)).same(W4::ZERO);
    let braked = row.flags("brake_applied");
    let unbraked = Mask4::from_fn(|lane| !braked[lane]);
    let touching = W4::from_array(row.four("jounce")).gt(-k.max_droop);
    let mut wheels = WheelState {
        spin: W4::from_array(row.four("wheel_omega")),
        angle: W4::from_array(row.four("angle")),
        ..WheelState::AT_REST
    };
    let forward = W4::from_array(row.four("forward_speed"));
    let free = undriven & unbraked & touching;
    let display = spin::Display::of(&ExplicitSettings::PHYSX_4);
    spin::turn_wheels(&k, &mut wheels, free, forward, &display, row.number("dt"));
    Some(vec![
        ("out_angle", all(wheels.angle.to_array())),
        ("out_corrected_omega", all(wheels.spin_shown.to_array())),
    ])
}

/// A chassis at the origin with this rotation and linear and angular velocity (`m/s`, `rad/s`).
pub(crate) fn at_pose(rotation: Quat, [linear, angular]: [Vec3; 2]) -> Chassis {
    let body = BodyState {
        position: DVec3::ZERO,
        rotation,
        linear_velocity: linear,
        angular_velocity: angular,
        mass: 1.0,
        inverse_inertia: Mat3::IDENTITY,
        locked_axes: jounce::core::LockedAxes::NONE,
        linear_damping: 0.0,
        angular_damping: 0.0,
        asleep: false,
    };
    Chassis::new(&body, linear, angular)
}

/// Control of wheels of which some are braked and some are driven.
pub(crate) fn acting(braked: Mask4, driven: Mask4) -> WheelControl {
    WheelControl {
        brake: braked.keep(W4::ONE),
        accelerated: driven,
        ..WheelControl::default()
    }
}

/// Wheels turned by an angle (`rad`).
pub(crate) fn steered(angle: W4) -> Steering {
    let mut steering = Steering::STRAIGHT;
    steering.turn_to(angle);
    steering
}
