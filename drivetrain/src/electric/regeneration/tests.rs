use super::super::motor::tests::MOTOR;
use super::*;
use rstest::rstest;

const PARAMS: RegenerationParams = RegenerationParams {
    brake: true,
    alone: 1200.0,
    lift_off: 0.25,
    fade: [1.0, 3.0],
    one_pedal: 0.5,
};

/// 75 % of the braking in front, 6000 N·m at full pedal.
fn brakes() -> [BrakeParams; 4] {
    let brake = |max_torque| BrakeParams {
        max_torque,
        max_handbrake_torque: 0.0,
    };
    [2250.0, 2250.0, 750.0, 750.0].map(brake)
}

/// Torques of one rear motor, of a front and of a rear brake.
fn blended(pedal: f32, available: f32) -> [f32; 3] {
    let asked = AskedBrakes::new(&brakes(), pedal);
    let (mut shares, mut limits) = (
        [0.0; super::super::MAX_MOTORS],
        [0.0; super::super::MAX_MOTORS],
    );
    (shares[0], limits[0]) = (1.0, available);
    let blended = asked.blend(&PARAMS, &[MOTOR(&[2, 3])], &shares, &limits);
    [blended.motors[0], blended.friction[0], blended.friction[2]]
}

#[rstest]
#[case::none(0.0, 3000.0, [0.0, 0.0, 0.0])]
#[case::alone(0.1, 3000.0, [600.0, 0.0, 0.0])]
#[case::as_much_as_alone(0.2, 3000.0, [1200.0, 0.0, 0.0])]
#[case::with_brakes(0.6, 3000.0, [600.0 + 0.25 * 3000.0, 0.375 * 3000.0, 0.0])]
#[case::full(1.0, 3000.0, [1500.0, 2250.0, 0.0])]
#[case::weak_motor(0.2, 500.0, [500.0, 0.375 * 700.0, 0.125 * 700.0])]
#[case::weak_motor_at_full_pedal(1.0, 500.0, [500.0, 2250.0, 500.0])]
#[case::full_battery(0.2, 0.0, [0.0, 450.0, 150.0])]
fn motors_brake_first(#[case] pedal: f32, #[case] available: f32, #[case] expected: [f32; 3]) {
    for (found, expected) in blended(pedal, available).into_iter().zip(expected) {
        assert!((found - expected).abs() < 0.01, "{found} {expected}");
    }
}

/// However much the motor can, the pedal brakes by the same torque.
#[rstest]
fn the_torque_is_that_of_the_pedal(
    #[values(0.05, 0.2, 0.4, 0.9)] pedal: f32,
    #[values(0.0, 300.0, 900.0, 9000.0)] available: f32,
) {
    let [motor, front, rear] = blended(pedal, available);
    let sum = motor + 2.0 * (front + rear);
    assert!((sum - 6000.0 * pedal).abs() < 0.01, "{sum}");
}

/// A key leaves the pedal to the friction brakes.
#[test]
fn motors_may_be_kept_from_braking() {
    let off = RegenerationParams {
        brake: false,
        ..PARAMS
    };
    let asked = AskedBrakes::new(&brakes(), 0.5);
    let all = [1e4; super::super::MAX_MOTORS];
    let blended = asked.blend(&off, &[MOTOR(&[2, 3])], &all, &all);
    assert_eq!(blended.motors, [0.0; super::super::MAX_MOTORS]);
    assert_eq!(blended.friction[..4], [1125.0, 1125.0, 375.0, 375.0]);
}

#[rstest]
#[case::standing(0.0, [0.0, 0.0])]
#[case::slow(-2.0, [0.5, 0.5])]
#[case::fast(9.0, [1.0, 0.0])]
fn motors_fade_out(#[case] speed: f32, #[case] expected: [f32; 2]) {
    assert_eq!(PARAMS.fading(speed), expected);
}

/// A fifth of the accelerator neither drives nor brakes.
#[rstest]
#[case::standing(0.0, 0.0, 0.5)]
#[case::slow(0.0, 0.5, 0.25)]
#[case::fast(0.0, 1.0, 0.0)]
#[case::half_released(0.1, 0.0, 0.25)]
#[case::neutral(0.2, 0.0, 0.0)]
#[case::driving(0.7, 0.0, 0.0)]
fn one_pedal_holds_where_motors_faded(
    #[case] accelerator: f32,
    #[case] fading: f32,
    #[case] expected: f32,
) {
    let found = PARAMS.holding_pedal(accelerator, fading);
    assert!((found - expected).abs() < 1e-6, "{found}");
}

#[test]
fn every_fault_is_named() {
    let bad = RegenerationParams {
        brake: true,
        alone: -1.0,
        lift_off: 2.0,
        fade: [3.0, 1.0],
        one_pedal: -1.0,
    };
    let mut inspector = Inspector::new();
    bad.check(&mut inspector);
    assert_eq!(inspector.verdict().unwrap_err().0.len(), 4);
    let mut inspector = Inspector::new();
    RegenerationParams::default().check(&mut inspector);
    assert_eq!(inspector.verdict(), Ok(()));
}
