//! Whole cars whose wheel colliders share their contacts with the suspension, on Rapier.

mod roof;
mod standalone;

use glam::Vec3;
use jounce::core::{
    Air, CarCommand, Command, Environment, Frame, Surfaces, Vehicle, WheelColliderSettings, step,
};
use jounce::rapier::{
    RapierLink, RapierWorld, WheelFault, WheelSize, attach_wheels, body_handle, follow_wheels,
    index_colliders, publish_wheels, set_mass_properties, share_contacts,
};
use proving_ground::stage::{FLAT_OUT, FREE};
use rapier3d::prelude::*;
use rstest::rstest;

const FRAME: Frame = Frame::X_FORWARD_Y_UP;
const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };

/// Out of gear.
const COASTING: CarCommand = CarCommand {
    clutch: 1.0,
    ..FREE
};

/// A sedan on a road, in its own world.
struct Rig {
    world: PhysicsWorld,
    link: RapierLink,
    vehicle: Vehicle,
    wheels: Vec<Option<ColliderHandle>>,
    surfaces: Surfaces,
}

impl Rig {
    /// A rig with wheel colliders that share their contacts, or without any.
    fn new(shares: bool, others: &[ColliderBuilder]) -> Self {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.contact_clustering = false;
        world.integration_parameters.max_ccd_substeps = 0;
        let road = ColliderBuilder::cuboid(400.0, 1.0, 400.0).translation(Vec3::NEG_Y);
        world.insert_collider(road, None);
        for other in others {
            world.insert_collider(other.clone(), None);
        }
        let body = world.insert_body(RigidBodyBuilder::dynamic().translation(Vec3::Y * 0.05));
        // Shorter than from axle to axle: wheels meet walls first.
        let hull = ColliderBuilder::cuboid(1.0, 0.4, 0.8).translation(Vec3::Y * 0.8);
        world.insert_collider(hull, Some(body));
        let car = jounce::presets::benchmark_sedan();
        let mut link = RapierLink::new(FRAME);
        let chassis = link.add_chassis(body, FRAME);
        let vehicle = Vehicle::new(car.model(), chassis);
        let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
        let sizes: Vec<_> = (vehicle.model().params().wheels.iter())
            .map(|wheel| {
                shares.then_some(WheelSize {
                    radius: wheel.radius,
                    width: wheel.width,
                })
            })
            .collect();
        let groups = InteractionGroups::none();
        let wheels = attach_wheels(bodies, colliders, chassis, &FRAME, &sizes, groups).unwrap();
        let (mass, inertia, center) = (car.mass(), car.inertia(), car.center_of_mass());
        set_mass_properties(bodies, colliders, chassis, &FRAME, mass, inertia, center).unwrap();
        let options = WheelColliderSettings::default();
        share_contacts(&mut link, bodies, colliders, &vehicle, &wheels, options).unwrap();
        let (parameters, tree) = (&world.integration_parameters, &mut world.broad_phase);
        index_colliders(parameters, &world.bodies, &mut world.colliders, tree);
        let faults = link.check_wheels(parameters, &world.bodies, &world.colliders);
        assert_eq!(faults, []);
        Self {
            world,
            link,
            vehicle,
            wheels,
            surfaces: Surfaces::new(),
        }
    }

    fn body(&mut self) -> &mut RigidBody {
        &mut self.world.bodies[body_handle(self.vehicle.body())]
    }

    fn run(&mut self, seconds: f32, command: CarCommand) {
        let (dt, gravity) = (self.world.integration_parameters.dt, self.world.gravity);
        for _ in 0..(seconds / dt).round() as u32 {
            let environment = Environment {
                gravity,
                surfaces: &self.surfaces,
                air: Air::STILL,
            };
            let mut view = RapierWorld::of(&mut self.link, &mut self.world);
            let command = Command::Car(command);
            step(&mut self.vehicle, &mut view, &command, &environment, dt).unwrap();
            publish_wheels(&mut self.link, &self.vehicle, &self.wheels);
            self.world.step_with_events(&self.link.hooks(), &());
            self.link.end_step(&mut self.world.bodies);
            let (bodies, colliders) = (&self.world.bodies, &mut self.world.colliders);
            follow_wheels(bodies, colliders, &self.wheels, &self.vehicle, &FRAME);
        }
    }

    /// Position of the foremost point of the wheels (`m`).
    fn front(&mut self) -> f32 {
        let place = self.body().translation().x;
        let wheel = &self.vehicle.model().params().wheels[0];
        place + wheel.position.x + wheel.radius
    }
}

/// A wall across the road, 4 m ahead.
fn wall() -> ColliderBuilder {
    ColliderBuilder::cuboid(1.0, 3.0, 20.0).translation(Vec3::X * 5.0)
}

/// Parked, creeping, rolling: bit-identical to a car without colliders.
#[rstest]
fn wheels_on_flat_ground_feel_nothing(#[values(0.0, 0.5, 20.0)] speed: f32) {
    let [with, without] = [true, false].map(|shares| {
        let mut rig = Rig::new(shares, &[]);
        *rig.body().activation_mut() = RigidBodyActivation::cannot_sleep();
        rig.run(1.0, COASTING);
        rig.body().set_linvel(Vec3::X * speed, true);
        let command = if speed == 0.0 { BRAKED } else { COASTING };
        rig.run(2.0, command);
        let start = rig.body().translation();
        rig.run(8.0, command);
        (start, rig.body().translation(), *rig.body().rotation())
    });
    println!("{speed} m/s: {} to {}", with.0, with.1);
    assert_eq!(with, without);
    if speed == 0.0 {
        assert!((with.1 - with.0).length() < 1e-3);
    }
}

#[rstest]
fn a_wall_stops_the_car_at_its_wheels(#[values(0.5, 3.0, 15.0)] speed: f32) {
    let mut rig = Rig::new(true, &[wall()]);
    rig.run(1.0, COASTING);
    rig.body().set_linvel(Vec3::X * speed, true);
    let mut deepest = f32::MIN;
    for _ in 0..600 {
        rig.run(1.0 / 60.0, COASTING);
        deepest = deepest.max(rig.front());
    }
    let height = rig.body().translation().y;
    println!(
        "{speed} m/s: wheels {:.3} m into the wall, then {:.3} m",
        deepest - 4.0,
        rig.front() - 4.0
    );
    // Rapier stops a body within one step, and half of that step's travel may be inside the wall by
    // then.
    assert!(
        deepest > 3.95 && deepest < 4.02 + 0.5 * speed / 60.0,
        "{deepest}"
    );
    assert!(height.abs() < 0.2, "{height}");
    let turned = rig.body().rotation().xyz().length();
    // From 15 m/s, it rolls 6 m backward, and what the wall turned it by grows.
    let most = if speed < 10.0 { 0.1 } else { 0.25 };
    assert!(turned < most, "{turned}");
}

/// Full throttle against a wall: the car stays there, on its wheels, and can reverse away.
#[test]
fn spinning_wheels_do_not_throw_the_car_over_a_wall() {
    let mut rig = Rig::new(true, &[wall()]);
    rig.body().set_translation(Vec3::new(1.5, 0.05, 0.0), true);
    let (mut highest, mut fastest) = (f32::MIN, 0.0_f32);
    for _ in 0..600 {
        rig.run(1.0 / 60.0, FLAT_OUT);
        assert!(rig.front() < 4.1);
        highest = highest.max(rig.body().translation().y);
        // The differential is open: one may spin while the other sticks.
        let spins = [0, 1].map(|wheel| rig.vehicle.wheel_report(wheel).spin);
        fastest = spins.into_iter().fold(fastest, f32::max);
    }
    println!("raised by {highest:.3} m, front wheels at up to {fastest:.1} rad/s");
    assert!(fastest > 30.0, "{fastest}");
    assert!(highest < 0.3, "{highest}");
    assert!((rig.front() - 4.0).abs() < 0.05, "{}", rig.front());
}

#[test]
fn a_parked_car_falls_asleep_and_stays_so() {
    let mut rig = Rig::new(true, &[]);
    rig.run(8.0, BRAKED);
    assert!(rig.body().is_sleeping());
    let place = rig.body().translation();
    rig.run(5.0, BRAKED);
    assert!(rig.body().is_sleeping());
    assert_eq!(rig.body().translation(), place);
}

#[test]
fn faults_are_told_before_anything_is_shared() {
    let mut rig = Rig::new(true, &[]);
    let (bodies, colliders) = (&rig.world.bodies, &mut rig.world.colliders);
    let options = WheelColliderSettings::default();
    let link = &mut rig.link;
    let twice = share_contacts(link, bodies, colliders, &rig.vehicle, &rig.wheels, options);
    assert_eq!(twice, Err(WheelFault::Twice(rig.wheels[0].unwrap())));
    let mut wheels = rig.wheels.clone();
    let strange = colliders.insert(ColliderBuilder::ball(0.3));
    wheels[3] = Some(strange);
    let fault = share_contacts(link, bodies, colliders, &rig.vehicle, &wheels, options);
    assert_eq!(fault, Err(WheelFault::NotOf(strange, rig.vehicle.body())));
    rig.run(1.0, BRAKED);
    assert!(rig.body().translation().y.abs() < 0.1);
}
