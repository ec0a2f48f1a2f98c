//! Rollback to a copy of a world.

use backend_rapier::{RapierWorld, copy_of};
use glam::{DVec3, Vec3};
use rapier3d::prelude::*;
use rstest::rstest;
use vehicle_core::{Motion, Reaction, RigidBodies as _};

use super::{Rig, rig};

const G: Vec3 = Vec3::new(0.0, -9.81, 0.0);

/// A car that tows a box by a joint toward a heap of boxes, one of which falls asleep.
fn busy() -> Rig {
    let mut rig = rig();
    rig.world.gravity = G;
    let floor = ColliderBuilder::new(SharedShape::halfspace(Vec3::Y));
    rig.world
        .insert_collider(floor.translation(Vec3::NEG_Y * 2.0), None);
    let mut a_box = |at: Vec3| {
        let body = rig
            .world
            .insert_body(RigidBodyBuilder::dynamic().translation(at));
        let shape = ColliderBuilder::cuboid(0.4, 0.4, 0.4);
        rig.world.insert_collider(shape, Some(body));
        body
    };
    a_box(Vec3::new(60.0, -1.6, 0.0));
    for i in 0..5 {
        a_box(Vec3::new(
            7.0 + 0.1 * i as f32,
            -1.5 + i as f32,
            0.05 * i as f32,
        ));
    }
    let towed = a_box(Vec3::new(-4.0, 0.0, 0.0));
    let hitch = SphericalJointBuilder::new()
        .local_anchor1(Vec3::NEG_X * 2.5)
        .local_anchor2(Vec3::X * 1.5);
    let car = rig.handle;
    rig.world.insert_impulse_joint(car, towed, hitch);
    rig
}

fn run(rig: &mut Rig, steps: u8) {
    for step in 0..steps {
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
        rig.apply(motion, true);
        let reaction = Reaction {
            body: rig.car,
            force: Vec3::NEG_Y * 100.0,
            torque: Vec3::ZERO,
            anchor: DVec3::ZERO,
            offset: Vec3::X,
        };
        RapierWorld::of(&mut rig.link, &mut rig.world).react(&[reaction]);
        rig.step();
    }
}

/// Poses, velocities and sleep of all bodies, to the bit.
fn bits(world: &PhysicsWorld) -> Vec<([u32; 13], bool)> {
    let all = world.bodies.iter().map(|(_, body)| {
        let (p, q) = (body.translation(), body.rotation());
        let (v, w) = (body.linvel(), body.angvel());
        let numbers = [p.to_array(), v.to_array(), w.to_array()].concat();
        let numbers = numbers.into_iter().chain(q.to_array()).map(f32::to_bits);
        let numbers: Vec<u32> = numbers.collect();
        (numbers.try_into().unwrap(), body.is_sleeping())
    });
    all.collect()
}

#[rstest]
fn a_copy_continues_like_the_original(#[values(1, 20, 90)] before: u8) {
    let mut rig = busy();
    run(&mut rig, before);
    let (saved, link) = (copy_of(&rig.world), rig.link.clone());
    run(&mut rig, 120);
    let expected = bits(&rig.world);
    // Twice, because using the copy must not change it.
    for _ in 0..2 {
        rig.world = copy_of(&saved);
        rig.link = link.clone();
        assert_ne!(bits(&rig.world), expected);
        run(&mut rig, 120);
        assert_eq!(bits(&rig.world), expected);
    }
    assert!(expected.iter().any(|(_, asleep)| *asleep));
}
