use super::super::motor::tests::MOTOR;
use super::*;
use alloc::vec;
use vehicle_core::glam::Vec3;

const PARAMS: YawVectoringParams = YawVectoringParams {
    gain: 2000.0,
    characteristic_speed: 20.0,
    max_torque: 500.0,
};

/// Torques of a motor at both front wheels, and of one at each rear wheel.
fn torques(angle: f32, speed: f32, yaw_rate: f32) -> [f32; 3] {
    let wheel = |x, y, steering_angle| WheelSensors {
        position: Vec3::new(x, y, -0.5),
        steering_angle,
        ..WheelSensors::default()
    };
    let wheels = [
        wheel(1.4, 0.8, angle),
        wheel(1.4, -0.8, angle),
        wheel(-1.4, 0.8, 0.0),
        wheel(-1.4, -0.8, 0.0),
    ];
    let sensors = Sensors {
        duration: 0.01,
        begins_step: true,
        engine_speed: 0.0,
        mass: 1500.0,
        gravity: Vec3::new(0.0, 0.0, -9.81),
        velocity: Vec3::new(speed, 0.0, 0.0),
        angular_velocity: Vec3::new(0.0, 0.0, yaw_rate),
        acceleration: Vec3::ZERO,
        command: None,
        wheels: &wheels,
    };
    let motors = vec![MOTOR(&[0, 1]), MOTOR(&[2]), MOTOR(&[3])];
    let torques = PARAMS.torques(&motors, &sensors);
    [torques[0], torques[1], torques[2]]
}

/// At the characteristic speed, the yaw rate of v·δ/2l is wanted: 20·0.028/5.6 rad/s.
#[test]
fn motors_turn_the_vehicle_as_it_is_steered() {
    let found = torques(0.028, 20.0, 0.0);
    let expected = [0.0, -200.0, 200.0];
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < 0.01, "{found} {expected}");
    }
    let there = torques(0.028, 20.0, 0.1);
    assert!(there.iter().all(|torque| torque.abs() < 0.01), "{there:?}");
}

#[test]
fn a_vehicle_that_turns_too_fast_is_held() {
    assert_eq!(torques(0.0, 20.0, 5.0), [0.0, 500.0, -500.0]);
}

#[test]
fn a_slow_vehicle_turns_by_its_wheels() {
    assert_eq!(torques(0.5, 1.0, 0.0), [0.0; 3]);
}
