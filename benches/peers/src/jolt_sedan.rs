//! Our sedan in the terms of Jolt's wheeled vehicle. Tires and anti-roll bars are Jolt's defaults: its tires are curves of
//! friction, and its bars change velocities, so that their stiffness is not ours.

use core::f32::consts::PI;

use glam::Vec3;
use jounce::drive::{EngineDriveParams, EngineParams};
use jounce::file::Car;
use oxijolt::{
    SpringSettings, VehicleAntiRollBar, VehicleCollisionTester, VehicleDifferentialSettings,
    VehicleEngineSettings, VehicleTransmissionSettings, WheelSettings, WheeledVehicleSettings,
};

use crate::course::GRAVITY;
use crate::jolt_world::RAYS;

/// Steepest ground, Jolt's default (`°`).
const STEEPEST: f32 = 80.0;

/// The vehicle of a car with four wheels, of which the front ones drive, on a body with its origin in the hull's center.
pub(crate) fn settings(car: &Car) -> WheeledVehicleSettings {
    let drive = drive(car);
    let wheels = (0..4).map(|n| wheel(car, &drive, n));
    let differential = VehicleDifferentialSettings::new(Some(0), Some(1))
        .differential_ratio(drive.gearbox.final_ratio)
        // Open.
        .limited_slip_ratio(f32::MAX);
    let tester = VehicleCollisionTester::Ray {
        object_layer: RAYS,
        up: Vec3::Z.into(),
        max_slope_angle: STEEPEST.to_radians(),
    };
    WheeledVehicleSettings::new(wheels.collect(), vec![differential], tester)
        .forward(Vec3::X.into())
        .up(Vec3::Z.into())
        .anti_roll_bars(vec![
            VehicleAntiRollBar::new(0, 1),
            VehicleAntiRollBar::new(2, 3),
        ])
        .engine(engine(&drive.engine))
        .transmission(transmission(&drive))
}

fn drive(car: &Car) -> EngineDriveParams {
    let mut drive = car.spec().drive.0.clone();
    drive.remove("model");
    drive.try_into().expect("it has an engine")
}

fn wheel(car: &Car, drive: &EngineDriveParams, n: usize) -> WheelSettings {
    let from = &car.spec().params.wheels[n];
    let (suspension, brakes) = (&from.suspension, &drive.brakes[n]);
    let mut steered = drive.steering.axles.iter();
    let steered = steered.find(|axle| [axle.left, axle.right].contains(&n));
    // Rays start a radius above the highest wheel, so that a wheel which is pressed into its stop is seen.
    let shortest = from.radius;
    let top = from.position + Vec3::Z * (suspension.max_compression + shortest);
    // At rest, the spring is compressed by the load; in full droop, by less.
    let sag = suspension.sprung_mass * GRAVITY / suspension.stiffness;
    WheelSettings::new((top - car.hull.center).into())
        .suspension_force_point(Some((from.tire.application_point - car.hull.center).into()))
        .suspension_direction(Vec3::NEG_Z.into())
        .steering_axis(Vec3::Z.into())
        .wheel_up(Vec3::Z.into())
        .wheel_forward(Vec3::X.into())
        .suspension_min_length(shortest)
        .suspension_max_length(shortest + suspension.max_compression + suspension.max_droop)
        .suspension_preload_length(sag - suspension.max_droop)
        .suspension_spring(SpringSettings::StiffnessAndDamping {
            stiffness: suspension.stiffness,
            damping: suspension.damping.mean_rate(),
        })
        .radius(from.radius)
        .width(from.width)
        .inertia(from.inertia)
        .angular_damping(from.damping / from.inertia)
        .max_steer_angle(steered.map_or(0.0, |axle| axle.max_steer[0]))
        .max_brake_torque(brakes.max_torque)
        .max_hand_brake_torque(brakes.max_handbrake_torque)
}

/// Revolutions per minute.
fn rpm(speed: f32) -> f32 {
    speed * 30.0 / PI
}

fn engine(from: &EngineParams) -> VehicleEngineSettings {
    let points = from.torque_curve.0.iter();
    VehicleEngineSettings::default()
        .max_torque(from.peak_torque)
        .normalized_torque(points.map(|&[speed, torque]| (speed, torque)).collect())
        .min_rpm(rpm(from.idle_speed))
        .max_rpm(rpm(from.max_speed))
        .inertia(from.inertia)
        .angular_damping(from.damping_full_throttle / from.inertia)
}

fn transmission(drive: &EngineDriveParams) -> VehicleTransmissionSettings {
    let gearbox = &drive.gearbox;
    let autobox = drive.autobox.as_ref().expect("it shifts by itself");
    let at = |part: f32| rpm(part * drive.engine.max_speed);
    VehicleTransmissionSettings::default()
        .gear_ratios(gearbox.forward.clone())
        .reverse_gear_ratios(gearbox.reverse.clone())
        .switch_time(gearbox.switch_time)
        .switch_latency(autobox.latency)
        // The same in every gear: between first and second.
        .shift_up_rpm(at(autobox.up[0]))
        .shift_down_rpm(at(autobox.down[1]))
        .clutch_strength(drive.clutch.strength)
}
