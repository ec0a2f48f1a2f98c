//! Chassis and ground bodies of a real Rapier world.

mod driving;
mod snapshot;
mod step_motion;
mod turned;

use backend_rapier::{RapierLink, RapierScene, RapierWorld, body_id, set_mass_properties};
use glam::Vec3;
use rapier3d::prelude::*;
use vehicle_core::{BodyId, BodyState, Frame, GroundMotion, Motion, Outcome, RigidBodies as _};

const DT: f32 = 1.0 / 60.0;
const INERTIA: Vec3 = Vec3::new(500.0, 1500.0, 1800.0);
/// A user's force and torque; odd values, so that sums with ours are rounded.
const USER: (Vec3, Vec3) = (Vec3::new(0.1, 1.0e-7, -33.3), Vec3::new(1.7, -0.3, 1.0e5));

/// A world without gravity and a 1200 kg car, whose centre of mass is off its origin.
struct Rig {
    world: PhysicsWorld,
    link: RapierLink,
    car: BodyId,
    handle: RigidBodyHandle,
}

fn rig_in(frame: Frame) -> Rig {
    let mut world = PhysicsWorld::new();
    world.gravity = Vec3::ZERO;
    world.integration_parameters.dt = DT;
    let handle = world.insert_body(RigidBodyBuilder::dynamic());
    world.insert_collider(ColliderBuilder::cuboid(2.0, 0.5, 1.0), Some(handle));
    let child = ColliderBuilder::ball(0.4).translation(Vec3::new(1.0, 2.0, 3.0));
    world.insert_collider(child, Some(handle));
    let mut link = RapierLink::new(Frame::X_FORWARD_Y_UP);
    let car = link.add_chassis(handle, frame);
    let mut rig = Rig {
        world,
        link,
        car,
        handle,
    };
    rig.set_mass(frame, Vec3::new(0.2, 0.1, 0.3));
    rig
}

fn rig() -> Rig {
    rig_in(Frame::X_FORWARD_Y_UP)
}

impl Rig {
    fn set_mass(&mut self, frame: Frame, centre_of_mass: Vec3) {
        let world = &mut self.world;
        set_mass_properties(
            &mut world.bodies,
            &mut world.colliders,
            self.car,
            &frame,
            1200.0,
            INERTIA,
            centre_of_mass,
        )
        .unwrap();
    }

    fn read(&self) -> BodyState {
        let mut states = [BodyState::BLANK];
        let view = RapierScene::of(&self.link, &self.world);
        view.read(&[self.car], &mut states).unwrap();
        states[0]
    }

    fn apply(&mut self, motion: Motion, wake: bool) {
        RapierWorld::of(&mut self.link, &mut self.world)
            .apply(&[self.car], &[Outcome { motion, wake }])
            .unwrap();
    }

    fn step(&mut self) {
        self.world.step();
        self.link.end_step(&mut self.world.bodies);
    }

    fn body(&mut self) -> &mut RigidBody {
        &mut self.world.bodies[self.handle]
    }

    fn ground(&self, handle: RigidBodyHandle) -> Option<GroundMotion> {
        RapierScene::of(&self.link, &self.world).ground_motion(body_id(handle), DT)
    }
}

fn close(a: Vec3, b: Vec3, tolerance: f32) {
    assert!((a - b).length() <= tolerance, "{a} against {b}");
}
