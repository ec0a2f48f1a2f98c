//! `cargo run --release -p peers --bin peer-rapier`: Rapier's own ray-cast vehicle.
#![forbid(unsafe_code)]

use glam::Vec3;
use peers::{OwnVehicle, Pedals, print};
use rapier3d::control::{DynamicRayCastVehicleController, WheelTuning};
use rapier3d::prelude::*;

/// Greatest friction of its tires (–), as Jolt's.
const FRICTION: f32 = 1.2;
/// Force of full throttle, and impulse of the full brake in a step of 1/60 s that locks no wheel: 0.9 of the weight.
const FORCE: f32 = 5000.0;
const BRAKE: f32 = 0.9 * 1500.0 * 9.81;

struct RapierCar {
    world: PhysicsWorld,
    body: RigidBodyHandle,
    controller: DynamicRayCastVehicleController,
}

fn main() {
    print::<RapierCar>();
}

impl OwnVehicle for RapierCar {
    const NAME: &'static str = "Rapier 0.36, DynamicRayCastVehicleController";
    const HAS_ENGINE: bool = false;

    fn new(gravity: Vec3, dt: f32) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = gravity;
        world.integration_parameters.dt = dt;
        world.insert_collider(
            ColliderBuilder::new(SharedShape::halfspace(Vector::Y)),
            None,
        );
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::Y * 0.65)
            .can_sleep(false);
        let body = world.insert_body(body);
        let hull = ColliderBuilder::cuboid(0.9, 0.2, 2.0).density(0.0);
        world.insert_collider(hull, Some(body));
        let inertia = 1500.0 / 3.0 * Vector::new(4.04, 4.81, 0.85);
        let mass = MassProperties::new(Vector::ZERO, 1500.0, inertia);
        world.bodies[body].set_additional_mass_properties(mass, true);
        let mut controller = DynamicRayCastVehicleController::new(body);
        controller.index_up_axis = 1;
        controller.index_forward_axis = 2;
        // 1.5 Hz, half of the critical damping.
        let spring = (core::f32::consts::TAU * 1.5).powi(2) / 4.0;
        let damping = core::f32::consts::TAU * 1.5 / 4.0;
        let tuning = WheelTuning {
            suspension_stiffness: spring,
            suspension_compression: damping,
            suspension_damping: damping,
            max_suspension_travel: 0.2,
            friction_slip: FRICTION,
            max_suspension_force: 1e5,
            ..WheelTuning::default()
        };
        for (x, z) in [(0.9, 1.4), (-0.9, 1.4), (0.9, -1.4), (-0.9, -1.4)] {
            let place = Vector::new(x, 0.02, z);
            controller.add_wheel(place, -Vector::Y, Vector::X, 0.45, 0.3, &tuning);
        }
        Self {
            world,
            body,
            controller,
        }
    }

    fn step(&mut self, pedals: Pedals) {
        let dt = self.world.integration_parameters.dt;
        for (n, wheel) in self.controller.wheels_mut().iter_mut().enumerate() {
            let front = n < 2;
            wheel.engine_force = if front {
                0.5 * FORCE * pedals.throttle
            } else {
                0.0
            };
            wheel.steering = if front { pedals.steer } else { 0.0 };
            // Its brake is an impulse per step: the same force at each rate.
            wheel.brake = 0.25 * BRAKE * pedals.brake * dt;
        }
        let world = &mut self.world;
        let queries = world.broad_phase.as_query_pipeline_mut(
            world.narrow_phase.query_dispatcher(),
            &mut world.bodies,
            &mut world.colliders,
            QueryFilter::default().exclude_rigid_body(self.body),
        );
        self.controller.update_vehicle(dt, queries);
        world.step();
    }

    fn push(&mut self, velocity: Vec3) {
        self.world.bodies[self.body].set_linvel(velocity, true);
    }

    fn position(&self) -> Vec3 {
        self.world.bodies[self.body].translation()
    }

    fn velocity(&self) -> Vec3 {
        self.world.bodies[self.body].linvel()
    }

    fn axes(&self) -> [Vec3; 2] {
        let turn = self.world.bodies[self.body].rotation();
        [*turn * Vec3::Y, *turn * Vec3::X]
    }

    fn grip_used(&self) -> f32 {
        let dt = self.world.integration_parameters.dt;
        let used = self.controller.wheels().iter().map(|wheel| {
            let grip = FRICTION * wheel.wheel_suspension_force * dt;
            wheel.forward_impulse.hypot(wheel.side_impulse) / grip.max(1e-3)
        });
        used.fold(0.0, f32::max)
    }
}
