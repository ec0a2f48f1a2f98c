//! Axles whose wheels share roll: camber and steering by the axle's roll against the body.

use super::bushings::{compliant, mirrors, roll, run_at, understeer, yaw_rate};
use super::*;
use crate::params::Compliance;

const TRACK: f32 = 2.1;

/// The sample car with this much of an axle's roll in its wheels' camber and steering angle.
fn rolled(camber: [f32; 2], steer: [f32; 2]) -> Arc<VehicleModel> {
    let params = compliant(|n| Compliance {
        roll_camber: camber[n / 2],
        roll_steer: steer[n / 2],
        ..Compliance::default()
    });
    model(params, geared(None))
}

/// Roll of an axle against the body (`rad`), positive where the left wheel is higher.
fn axle_roll(world: &World, axle: usize) -> f32 {
    let [left, right] = [0, 1].map(|n| world.car.wheel_report(2 * axle + n).jounce);
    (left - right) / TRACK
}

/// Parked across a slope, the body rolls, and the wheels of a beam axle stay upright to the ground, those of a twist beam by
/// its share; independent ones tilt with the body.
#[test]
fn a_beams_wheels_stay_upright_while_the_body_rolls() {
    let mut world = World::new(&rolled([1.0, 0.4], [0.0; 2]), 0.0, 0.15);
    world.run(5.0);
    let tilt = world.tilt();
    assert!(tilt > 2e-3, "{tilt}");
    for (axle, share) in [(0, 1.0), (1, 0.4)] {
        let roll = axle_roll(&world, axle);
        assert!(
            (roll.abs() - tilt).abs() < 0.02 * tilt + 1e-5,
            "{roll} {tilt}"
        );
        for n in [0, 1] {
            let camber = world.car.wheel_report(2 * axle + n).camber;
            assert!((camber - share * roll).abs() < 1e-6, "{camber} {roll}");
        }
    }
}

/// A bump under one wheel tilts the other.
#[test]
fn a_bump_under_one_wheel_cambers_the_other() {
    let mut world = World::new(&rolled([0.0, 1.0], [0.0; 2]), 0.0, 0.0);
    world.run(1.0);
    world.bumps[2] = 0.05;
    world.run(4.0);
    let body = math::matrix(world.body.rotation).y_axis.z;
    for n in [2, 3] {
        // To the ground: that of the axle, whose left end is 5 cm higher.
        let over_ground = world.car.wheel_report(n).camber + body;
        assert!((over_ground - 0.05 / TRACK).abs() < 2e-4, "{over_ground}");
    }
    for n in [0, 1] {
        assert_eq!(world.car.wheel_report(n).camber, 0.0);
    }
}

/// A positive roll steer coefficient in front, or a negative one behind, makes the car understeer, by the roll per lateral
/// acceleration: `ΔK = (ε_r·ψ_r − ε_f·ψ_f)/a`.
#[rstest]
#[case::front([0.1, 0.0])]
#[case::rear([0.0, -0.1])]
#[case::rear_reversed([0.0, 0.05])]
#[case::both([0.1, 0.05])]
fn roll_steer_changes_the_understeer_gradient(
    #[case] steer: [f32; 2],
    #[values(30, 60, 240)] rate: u32,
    #[values(-0.01, 0.01)] command: f32,
) {
    let models = [rolled([0.0; 2], steer), rolled([0.0; 2], [0.0; 2])];
    let [with, without] = models
        .clone()
        .map(|model| understeer(&model, command, rate));
    let mut world = roll(&models[0], 20.0);
    world.command.steer = command;
    run_at(&mut world, rate, 4.0);
    let acceleration = world.velocity().length() * yaw_rate(&world);
    let by_roll = [0, 1].map(|axle| steer[axle] * axle_roll(&world, axle));
    let expected = (by_roll[1] - by_roll[0]) / acceleration;
    let actual = with - without;
    assert!(
        (actual - expected).abs() < 0.02 * expected.abs(),
        "{actual} {expected}"
    );
    let understeers = steer[0] > 0.0 && steer[1] == 0.0 || steer[1] < 0.0;
    assert!(!understeers || actual > 0.0, "{actual}");
    assert!(expected.abs() > 1e-5, "{expected}");
}

/// A bend to the other side mirrors it.
#[test]
fn beams_have_no_side() {
    mirrors(&[-0.05, 0.05].map(|command| {
        let mut world = roll(&rolled([1.0, 0.5], [0.05, -0.05]), 20.0);
        world.command.steer = command;
        run_at(&mut world, 60, 3.0);
        world
    }));
}

#[rstest]
#[case::camber(|c: &mut Compliance| c.roll_camber = 1.2, "wheels[2].compliance.roll_camber = 1.2 rad/rad: must be within 0..=1")]
#[case::negative(|c: &mut Compliance| c.roll_camber = -0.1, "wheels[2].compliance.roll_camber = -0.1 rad/rad: must be within 0..=1")]
#[case::steer(|c: &mut Compliance| c.roll_steer = f32::NAN, "wheels[2].compliance.roll_steer = NaN rad/rad: must be within -1..=1")]
fn faults_of_beams_are_named(#[case] change: fn(&mut Compliance), #[case] expected: &str) {
    use alloc::string::ToString as _;
    let mut params = compliant(|_| Compliance::default());
    change(&mut params.wheels[2].compliance);
    let text = Checked::new(params).unwrap_err().to_string();
    assert!(text.contains(expected), "{text}");
}
