//! Bodies driven and read from systems of Bevy: one system drives what another one reads, reproducibly to the bit.

use avian3d::prelude::*;
use backend_avian::{AvianScene, AvianWorld, body_id};
use bevy::ecs::system::{RunSystemOnce as _, SystemState};
use glam::Vec3;
use vehicle_core::{BodyState, Motion, RigidBodies as _, StepResult};

use super::{Rig, close, rig};

const G: Vec3 = Vec3::new(0.0, -9.81, 0.0);

#[test]
fn one_system_drives_and_another_reads() {
    let mut rig = rig();
    let car = rig.car;
    let drive = move |mut world: AvianWorld<'_, '_>| {
        let motion = Motion::VelocityChange {
            linear: Vec3::X,
            angular: Vec3::ZERO,
        };
        let outcome = StepResult { motion, wake: true };
        world.apply(&[car], &[outcome]).unwrap();
    };
    let look = move |scene: AvianScene<'_, '_>| {
        let mut states = [BodyState::BLANK];
        scene.read(&[car], &mut states).unwrap();
        states[0]
    };
    rig.world().run_system_once(drive).unwrap();
    let state = rig.world().run_system_once(look).unwrap();
    assert_eq!(state.linear_velocity, Vec3::X);
    assert_eq!(state, rig.read());
}

#[test]
fn a_system_wakes_before_the_next_step() {
    let mut rig = rig();
    rig.step();
    rig.sleep();
    let car = rig.car;
    let stand = StepResult {
        motion: Motion::StepMotion {
            linear: Vec3::Z,
            angular: Vec3::ZERO,
            canceled_acceleration: Vec3::ZERO,
            canceled_angular_acceleration: Vec3::ZERO,
        },
        wake: true,
    };
    let mut state = SystemState::<AvianWorld<'_, '_>>::new(rig.world());
    let applied = state.get_mut(rig.world()).unwrap().apply(&[car], &[stand]);
    assert_eq!(applied, Ok(()));
    assert!(rig.read().asleep);
    state.apply(rig.world());
    assert!(!rig.read().asleep);
    rig.step();
    close(rig.read().linear_velocity, Vec3::Z, 1e-6);
}

/// A car that is driven into a heap of boxes.
fn crash() -> Vec<u32> {
    let mut rig = rig();
    rig.world().insert_resource(Gravity(G));
    rig.world().spawn((
        RigidBody::Static,
        Collider::half_space(Vec3::Y),
        Position(Vec3::NEG_Y),
    ));
    let boxes: Vec<_> = (0..6)
        .map(|i| {
            let place = Vec3::new(6.0 + 0.1 * i as f32, -0.5 + i as f32, 0.05 * i as f32);
            let cube = Collider::cuboid(0.9, 0.9, 0.9);
            rig.world()
                .spawn((RigidBody::Dynamic, cube, Position(place)))
                .id()
        })
        .collect();
    for step in 0..300 {
        let motion = match step % 3 {
            0 => Motion::Keep,
            1 => Motion::StepMotion {
                linear: Vec3::new(5.0, -0.1, 0.0),
                angular: Vec3::Y * 0.1,
                canceled_acceleration: G,
                canceled_angular_acceleration: Vec3::ZERO,
            },
            _ => Motion::Acceleration {
                linear: Vec3::new(2.0, 9.81, 0.3),
                angular: Vec3::X * 0.1,
            },
        };
        rig.apply(motion, step % 2 == 0);
        rig.step();
    }
    let car = rig.car;
    let ids = boxes.into_iter().map(body_id).chain([car]);
    ids.flat_map(|id| bits(&mut rig, id)).collect()
}

fn bits(rig: &mut Rig, id: vehicle_core::BodyId) -> Vec<u32> {
    let mut states = [BodyState::BLANK];
    rig.view(|view| view.read(&[id], &mut states)).unwrap();
    let state = states[0];
    let numbers = [
        state.position.as_vec3().to_array(),
        state.linear_velocity.to_array(),
        state.angular_velocity.to_array(),
    ];
    let numbers = numbers.concat().into_iter();
    let numbers = numbers.chain(state.rotation.to_array());
    numbers.map(f32::to_bits).collect()
}

#[test]
fn three_hundred_steps_are_reproducible_bit_for_bit() {
    let once = crash();
    assert_eq!(once, crash());
    // And something has happened.
    let x = f32::from_bits(once[0]);
    assert!(x > 7.0, "{x}");
}
