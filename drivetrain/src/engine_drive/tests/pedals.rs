//! Effect of pedals and steering wheel.

use super::*;

use crate::steering::SteeredWheel;

/// Parameters with both kinds of brakes on all wheels.
fn braked() -> EngineDriveParams {
    let mut params = params();
    for (n, brake) in params.brakes.iter_mut().enumerate() {
        *brake = BrakeParams {
            max_torque: 1000.0 + 100.0 * n as f32,
            max_handbrake_torque: 400.0 * n as f32,
        };
    }
    params
}

fn controlled_by(params: EngineDriveParams, command: &Command, wheels: usize) -> Control {
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (in_gear(2), Control::idle(wheels));
    drive.control(command, &mut state, &mut control).unwrap();
    drive.change_gears(&mut state, &still(), DT, &mut control);
    control
}

#[rstest]
fn brake_and_handbrake_add(
    #[values(0.0, 0.25, 1.0)] brake: f32,
    #[values(0.0, 0.5)] handbrake: f32,
) {
    let command = Command::Car(CarCommand {
        brake,
        handbrake,
        ..CarCommand::default()
    });
    let control = controlled_by(braked(), &command, 6);
    let part = braked();
    for (n, params) in part.brakes.iter().enumerate() {
        let torque = control.wheels[n / 4].brake.lane(n % 4);
        assert_eq!(torque, params.torque(brake, handbrake), "{n}");
    }
    assert_eq!(control.braking, brake > 0.0 || handbrake > 0.0);
}

/// A tank has a brake per track, and a car's handbrake for both.
#[rstest]
fn brakes_of_tracks_and_the_handbrake_add(#[values(0.0, 0.5)] handbrake: f32) {
    let mut params = presets::tank(6, true);
    params.brakes = braked().brakes;
    let expected = params.brakes.clone();
    let command = Command::Car(CarCommand {
        brake: 0.25,
        handbrake,
        ..full_throttle()
    });
    let control = controlled_by(params, &command, 6);
    for (n, params) in expected.iter().enumerate() {
        let torque = control.wheels[n / 4].brake.lane(n % 4);
        assert_eq!(torque, params.torque(0.25, handbrake), "{n}");
    }
    assert_eq!(control.braking, handbrake > 0.0);
}

/// The autobox waits while tracks turn in opposite directions.
#[rstest]
#[case::straight([1.0, 1.0], true, true)]
#[case::on_the_spot([1.0, -1.0], true, false)]
#[case::by_hand([1.0, 1.0], false, false)]
fn the_autobox_waits_while_a_tank_turns_hard(
    #[case] thrust: [f32; 2],
    #[case] automatic: bool,
    #[case] expected: bool,
) {
    let command = Command::Tank(TankCommand {
        throttle: 1.0,
        thrust,
        automatic,
        ..TankCommand::default()
    });
    let control = controlled_by(presets::tank(4, true), &command, 4);
    assert_eq!(control.automatic, expected);
}

/// Angles are cached only where they do not depend on speed.
#[rstest]
#[case::linear(false, 0.3, 0.3)]
#[case::by_speed(true, 0.3, 0.15)]
fn angles_follow_the_speed(#[case] by_speed: bool, #[case] slow: f32, #[case] fast: f32) {
    let mut params = params();
    params.steering = SteeringParams {
        wheels: vec![SteeredWheel {
            wheel: 5,
            max_steer: 0.6,
        }],
        ..SteeringParams::default()
    };
    if by_speed {
        let fades = |command: f32| ResponseRow {
            command,
            by_speed: Curve(vec![[0.0, command], [10.0, 0.5 * command]]),
        };
        params.steering.response.rows = vec![fades(0.0), fades(1.0)];
    }
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (in_gear(2), Control::idle(6));
    let command = |steer| {
        Command::Car(CarCommand {
            steer,
            ..CarCommand::default()
        })
    };
    for (speed, steer, angle) in [(0.0, -0.5, slow), (10.0, -0.5, fast), (10.0, 0.0, 0.0)] {
        control.forward_speed = speed;
        drive
            .control(&command(steer), &mut state, &mut control)
            .unwrap();
        assert_eq!(control.wheels[1].steer.to_array(), [0.0, angle, 0.0, 0.0]);
        assert_eq!(control.steered_for, Some(steer));
    }
}

#[rstest]
#[case::of_the_vehicle(6, &[])]
#[case::a_wheel_less(5, &["brakes"])]
#[case::three(3, &["differential.wheels[3]", "brakes"])]
#[case::one(1, &[
    "differential.wheels[1]", "differential.wheels[2]", "differential.wheels[3]",
    "steering.axles[0].right", "brakes",
])]
fn wheels_that_the_vehicle_does_not_have_are_named(
    #[case] wheels: usize,
    #[case] expected: &[&str],
) {
    let mut inspector = Inspector::new();
    drive().check(wheels, &mut inspector);
    let faults = inspector
        .verdict()
        .map_or_else(|error| error.0, |()| vec![]);
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, expected);
}
