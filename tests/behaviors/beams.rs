//! Wheels of shipped vehicles on beam axles.

use jounce::core::CarCommand;
use proving_ground::stage::FREE;
use proving_ground::world::WorldKind;
use vehicle_conformance::stability::Scene;

use super::{car, stage};

/// The wheels of a beam roll with the axle in a steady bend, so that they stay upright to the ground, and are steered by the
/// file's part of that roll; those of the pickup's front axle are independent.
#[test]
fn wheels_of_a_beam_lean_and_steer_with_their_axle() {
    for (name, beams) in [
        ("pickup", [None, Some(-0.05)]),
        ("truck", [Some(0.0), Some(-0.03)]),
    ] {
        let scene = Scene {
            speed: 14.0,
            ..Scene::LEVEL
        };
        let mut stage = stage(WorldKind::Standalone, &car(name), &scene);
        let command = CarCommand {
            steer: 0.12,
            ..FREE
        };
        stage.run(3.0, &command).unwrap();
        for (axle, roll_steer) in beams.into_iter().enumerate() {
            let wheels = [0, 1].map(|n| stage.vehicle.wheel_report(2 * axle + n));
            let params = &stage.vehicle.model().params().wheels[2 * axle..];
            let track = params[0].position.y - params[1].position.y;
            let roll = (wheels[0].jounce - wheels[1].jounce) / track;
            assert!(roll.abs() > 0.01, "{name}: {roll}");
            let at_rest = params[0].suspension.camber.at_rest;
            let Some(roll_steer) = roll_steer else {
                assert!(wheels[0].camber - at_rest < 0.9 * roll, "{name}");
                continue;
            };
            for (n, wheel) in wheels.iter().enumerate() {
                let off = (wheel.camber - roll).abs();
                assert!(off < 1e-5, "{name} {axle} {n}: {} {roll}", wheel.camber);
                // Front wheels are steered by the driver, too.
                let off = (wheel.steer - roll_steer * roll).abs();
                assert!(
                    axle == 0 || off < 1e-5,
                    "{name} {n}: {} {roll}",
                    wheel.steer
                );
            }
        }
    }
}
