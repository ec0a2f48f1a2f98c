//! Visible wheels.

use core::f32::consts::TAU;

use avian3d::prelude::*;
use backend_avian::{ChassisFrame, VehicleComponent, WheelOf};
use bevy::prelude::{ChildOf, Entity, Transform};
use bevy::transform::components::GlobalTransform;
use glam::{Quat, Vec3};
use vehicle_core::{CarCommand, MAX_WHEELS, WheelPose};

use super::{FULL, Game, close, game, sedan};

fn wheel(game: &mut Game, vehicle: Entity, wheel: usize, parent: Option<Entity>) -> Entity {
    let entity = game.spawn(WheelOf { vehicle, wheel });
    if let Some(parent) = parent {
        game.app
            .world_mut()
            .entity_mut(entity)
            .insert(ChildOf(parent));
    }
    entity
}

fn transform(game: &Game, entity: Entity) -> Transform {
    *game.get::<Transform>(entity)
}

fn pose(game: &Game, car: Entity, wheel: usize) -> WheelPose {
    game.get::<VehicleComponent>(car).core().wheel_pose(wheel)
}

/// Position and rotation of a pose in body axes.
fn in_body(pose: &WheelPose) -> (Vec3, Quat) {
    let frame = ChassisFrame::default().0;
    let rotation = frame.rotation_to_body(pose.rotation);
    (frame.to_body(pose.position), rotation)
}

fn same_turn(a: Quat, b: Quat) {
    assert!(a.dot(b).abs() > 1.0 - 1e-5, "{a} against {b}");
}

/// Angle by which a wheel has rolled from one pose to another (`rad`), about the body's axle.
fn rolled(from: Transform, to: Transform) -> f32 {
    // Rolling forward, along −z, is to the left about x.
    let turn = to.rotation * from.rotation.inverse();
    let angle = -2.0 * turn.x.atan2(turn.w);
    (angle + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0
}

#[test]
fn wheels_are_where_the_vehicle_has_them() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    let wheels: Vec<_> = (0..4)
        .map(|n| wheel(&mut game, car, n, Some(car)))
        .collect();
    let scale = Vec3::new(1.0, 2.0, 3.0);
    game.app
        .world_mut()
        .get_mut::<Transform>(wheels[0])
        .unwrap()
        .scale = scale;
    let steer = 0.5;
    game.command(car, CarCommand { steer, ..FULL });
    game.ticks(100);
    for (n, &wheel) in wheels.iter().enumerate() {
        let (place, turn) = in_body(&pose(&game, car, n));
        let shown = transform(&game, wheel);
        close(shown.translation, place, 1e-6);
        same_turn(shown.rotation, turn);
    }
    assert_eq!(transform(&game, wheels[0]).scale, scale);
    // Front left: forward is −z, left is −x. Its height is its radius.
    let front_left = transform(&game, wheels[0]).translation;
    assert!(front_left.x < -0.6 && front_left.z < -1.0, "{front_left}");
    assert!((0.2..0.4).contains(&front_left.y), "{front_left}");
    // Steered to the right, the axle's left end points forward.
    let axle = transform(&game, wheels[0]).rotation * Vec3::NEG_X;
    assert!(axle.z < -0.1, "{axle}");
}

/// Children of the car, of a scene within it, and entities without parents have the same pose.
#[test]
fn the_parent_of_a_wheel_does_not_matter() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::new(3.0, 0.0, -2.0)));
    let scene = Transform::from_xyz(0.3, 1.0, 0.2).with_rotation(Quat::from_rotation_y(0.7));
    let scene = game.spawn((scene, ChildOf(car)));
    let other = game.spawn(Transform::from_xyz(100.0, 0.0, 0.0).with_scale(Vec3::splat(2.0)));
    let wheels =
        [Some(car), Some(scene), Some(other), None].map(|parent| wheel(&mut game, car, 1, parent));
    let steer = -0.4;
    game.command(car, CarCommand { steer, ..FULL });
    game.ticks(150);
    let places = wheels.map(|wheel| *game.get::<GlobalTransform>(wheel));
    for place in &places[1..] {
        close(place.translation(), places[0].translation(), 1e-4);
        same_turn(place.rotation(), places[0].rotation());
    }
}

/// Ten frames per tick, for a car that falls onto its springs and drives off.
#[test]
fn wheels_move_evenly_between_ticks() {
    let mut game = game();
    let car = game.spawn((sedan(Vec3::ZERO), TransformInterpolation));
    let front = wheel(&mut game, car, 0, Some(car));
    game.command(car, FULL);
    game.ticks(20);
    for _ in 0..4 {
        let before = in_body(&pose(&game, car, 0));
        game.frame(1.0);
        let now = in_body(&pose(&game, car, 0));
        for tenth in 0..10 {
            if tenth > 0 {
                game.frame(0.1);
            }
            let fraction = 0.1 * tenth as f32;
            let shown = transform(&game, front);
            close(shown.translation, before.0.lerp(now.0, fraction), 1e-5);
            same_turn(shown.rotation, before.1.slerp(now.1, fraction));
        }
        game.frame(0.1);
    }
}

/// A wheel at 300 km/h turns by 4 rad in a tick: the shorter rotation would be backwards. Its angle is wrapped every eighth
/// tick.
#[test]
fn a_fast_wheel_keeps_rotating_through_wraps() {
    let mut game = game();
    let speed = 83.0;
    let moving = LinearVelocity(Vec3::NEG_Z * speed);
    let car = game.spawn((sedan(Vec3::ZERO), moving, TransformInterpolation));
    let rear = wheel(&mut game, car, 2, Some(car));
    let mut vehicle = game
        .app
        .world_mut()
        .get_mut::<VehicleComponent>(car)
        .unwrap();
    let radius = vehicle.core().model().params().wheels[2].radius;
    for wheel in 0..4 {
        let state = vehicle.core_mut().state_mut();
        state.set_spin(wheel, speed / radius);
    }
    game.ticks(4);
    let mut wraps = 0;
    for _ in 0..20 {
        let spin = game.get::<VehicleComponent>(car).core().wheel_report(2);
        for _ in 0..8 {
            let before = transform(&game, rear);
            game.frame(0.125);
            let turned = rolled(before, transform(&game, rear));
            let expected = spin.spin_shown / 64.0 / 8.0;
            assert!(
                (turned / expected - 1.0).abs() < 0.05,
                "{turned} {expected}"
            );
        }
        let after = game.get::<VehicleComponent>(car).core().wheel_report(2);
        wraps += usize::from(after.angle < spin.angle);
    }
    assert!(wraps >= 2, "{wraps}");
}

/// A body without interpolation jumps from tick to tick, and so do its wheels.
#[test]
fn wheels_are_interpolated_like_their_body() {
    let mut game = game();
    let [stepped, opted_out, ahead] = [
        game.spawn(sedan(Vec3::ZERO)),
        game.spawn((
            sedan(Vec3::X * 9.0),
            TransformInterpolation,
            NoTranslationEasing,
        )),
        game.spawn((sedan(Vec3::X * 18.0), TransformExtrapolation)),
    ];
    let cars = [stepped, opted_out, ahead];
    let wheels = cars.map(|car| wheel(&mut game, car, 0, Some(car)));
    for car in cars {
        game.command(car, FULL);
    }
    game.ticks(100);
    let before = wheels.map(|wheel| transform(&game, wheel));
    // On a tick, what is extrapolated is where the tick has left it.
    let (place, turn) = in_body(&pose(&game, ahead, 0));
    close(before[2].translation, place, 1e-5);
    same_turn(before[2].rotation, turn);
    game.frame(0.5);
    let after = wheels.map(|wheel| transform(&game, wheel));
    assert_eq!(before[0], after[0]);
    assert_eq!(before[1], after[1]);
    let half = rolled(before[2], after[2]);
    let spin = game
        .get::<VehicleComponent>(ahead)
        .core()
        .wheel_report(0)
        .spin_shown;
    assert!((half / (spin / 128.0) - 1.0).abs() < 0.1, "{half} {spin}");
}

/// Visible wheels do not tremble while physics is paused.
#[test]
fn wheels_stand_still_while_the_clock_is_paused() {
    let mut game = game();
    let car = game.spawn((sedan(Vec3::ZERO), TransformInterpolation));
    let front = wheel(&mut game, car, 0, Some(car));
    game.command(car, FULL);
    game.ticks(100);
    game.app
        .world_mut()
        .resource_mut::<bevy::time::Time<Physics>>()
        .pause();
    // One more step of Avian's, and a tick to catch up.
    game.ticks(3);
    let paused = transform(&game, front);
    for _ in 0..10 {
        game.frame(0.3);
        same_turn(transform(&game, front).rotation, paused.rotation);
    }
}

/// A wheel index beyond those of the vehicle, by more than a group of four, leaves the transform as it is.
#[test]
fn wheels_beyond_those_of_the_vehicle_keep_their_place() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    let extra = wheel(&mut game, car, MAX_WHEELS, Some(car));
    game.ticks(2);
    assert_eq!(transform(&game, extra), Transform::default());
}
