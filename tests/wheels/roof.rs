//! A car on another vehicle's roof: ground that moves and reacts to its load.

use glam::Vec3;
use jounce::core::{
    Air, BodyId, CarCommand, Command, Environment, Frame, Gear, Surfaces, Vehicle, step,
};
use jounce::file::Car;
use jounce::presets;
use jounce::rapier::{RapierLink, RapierWorld, body_handle};
use proving_ground::stage::FREE;
use rapier3d::prelude::*;

const FRAME: Frame = Frame::X_FORWARD_Z_UP;
const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;

struct Road {
    physics: PhysicsWorld,
    link: RapierLink,
    surfaces: Surfaces,
}

impl Road {
    fn new() -> Self {
        let mut physics = PhysicsWorld::new();
        physics.gravity = GRAVITY;
        physics.integration_parameters.dt = DT;
        physics.insert_collider(
            ColliderBuilder::new(SharedShape::halfspace(Vector::Z)),
            None,
        );
        let mut link = RapierLink::new(FRAME);
        link.options.drive_on_vehicles = true;
        Self {
            physics,
            link,
            surfaces: Surfaces::new(),
        }
    }

    /// A car with its hull, its origin at this height (`m`).
    fn put(&mut self, car: &Car, height: f32) -> Vehicle {
        let physics = &mut self.physics;
        let body = physics.insert_body(RigidBodyBuilder::dynamic().translation(Vec3::Z * height));
        let half = car.hull.size * 0.5;
        let hull = ColliderBuilder::cuboid(half.x, half.y, half.z).translation(car.hull.center);
        physics.insert_collider(hull, Some(body));
        let chassis = self.link.attach(&mut self.physics, body, car).unwrap();
        let mut vehicle = Vehicle::new(car.model(), chassis);
        vehicle.state_mut().drive.force_gear(Gear::FIRST);
        vehicle
    }

    fn run(&mut self, seconds: f32, drives: &mut [(&mut Vehicle, CarCommand)]) {
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &self.surfaces,
            air: Air::STILL,
        };
        for _ in 0..(seconds / DT) as u32 {
            for (vehicle, command) in drives.iter_mut() {
                let mut view = RapierWorld::of(&mut self.link, &mut self.physics);
                let command = Command::Car(*command);
                step(vehicle, &mut view, &command, &environment, DT).unwrap();
            }
            self.physics.step();
            self.link.end_step(&mut self.physics.bodies);
        }
    }

    fn pose(&self, body: BodyId) -> Pose {
        *self.physics.bodies[body_handle(body)].position()
    }
}

/// Spring deflection at the origin (`m`) under a load (`N`) this far ahead of it (`m`).
fn sag_at_origin(car: &Car, load: f32, ahead: f32) -> f32 {
    let model = car.model();
    let wheels = model.params().wheels.iter();
    let [k, kx, kxx] = wheels.fold([0.0; 3], |[a, b, c], wheel| {
        let (x, k) = (wheel.position.x, wheel.suspension.stiffness);
        [a + k, b + k * x, c + k * x * x]
    });
    // Forces and moments of springs that deflect by `sag + tilt·x`.
    load * (kxx - ahead * kx) / (k * kxx - kx * kx)
}

#[test]
fn a_braked_car_rides_on_the_roof_of_a_truck() {
    let braked = CarCommand { brake: 1.0, ..FREE };
    let driven = CarCommand {
        throttle: 0.5,
        ..FREE
    };
    let (truck, small) = (
        presets::load("truck").unwrap(),
        presets::load("hatchback").unwrap(),
    );
    let roof = truck.hull.center.z + 0.5 * truck.hull.size.z;
    let mut road = Road::new();
    let mut below = road.put(&truck, 0.0);
    road.run(8.0, &mut [(&mut below, braked)]);
    let empty = road.pose(below.body()).translation.z;

    let mut above = road.put(&small, roof + empty + 0.02);
    road.run(8.0, &mut [(&mut below, braked), (&mut above, braked)]);

    let sag = empty - road.pose(below.body()).translation.z;
    let expected = sag_at_origin(&truck, small.mass() * 9.81, small.center_of_mass().x);
    let right = (sag - expected).abs() < 0.05 * expected;
    assert!(right, "{sag} of {expected} m");

    let (lower, upper) = (below.body(), above.body());
    let seat = |road: &Road| {
        let roof = road.pose(lower);
        roof.inverse_transform_point(road.pose(upper).translation)
    };
    let before = seat(&road);
    let start = road.pose(below.body()).translation.x;
    road.run(4.0, &mut [(&mut below, driven), (&mut above, braked)]);
    let way = road.pose(below.body()).translation.x - start;
    assert!(way > 3.0, "{way} m");
    let slid = (seat(&road) - before).truncate().length();
    // The ground's velocity is that of the previous step, so the car slides while the truck
    // accelerates: 4 to 8 cm, as measured; the bound has no closed form.
    assert!(slid < 0.01 * way, "{slid} m of {way}");
}
