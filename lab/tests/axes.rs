//! One drive on Rapier for every right-handed pair of world axes, with bodies modeled along every other pair, in
//! meters and centimeters; and for every preset vehicle along a few pairs.

use glam::{DVec3, Quat, Vec3};
use jounce::core::profile::Solver;
use jounce::core::{
    Axis, BodyId, CarCommand, Command, Environment, Frame, Gear, InUnits, RigidBodies as _,
    Surfaces, UnitScale, Vehicle, step,
};
use jounce::file::Car;
use jounce::rapier::{
    RapierLink, RapierWorld, body_handle, body_id, index_colliders, set_mass_properties,
};
use proving_ground::stage::NO_AIR;
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, Pose, RigidBodyBuilder, SharedShape};

const AXES: [Axis; 6] = [
    Axis::X,
    Axis::Y,
    Axis::Z,
    Axis::NegX,
    Axis::NegY,
    Axis::NegZ,
];
const DT: f32 = 1.0 / 60.0;

/// Every pair (forward, up).
fn frames() -> Vec<Frame> {
    let pairs = AXES
        .into_iter()
        .flat_map(|forward| AXES.map(|up| Frame::new(forward, up)));
    pairs.filter_map(Result::ok).collect()
}

/// Places the car over level ground at the world's origin.
fn place(
    car: &Car,
    world: Frame,
    body: Frame,
    units: UnitScale,
    physics: &mut PhysicsWorld,
    link: &mut RapierLink,
) -> BodyId {
    let up = world.to_body(Vec3::Z);
    let ground = ColliderBuilder::new(SharedShape::halfspace(up));
    physics.insert_collider(ground, None);
    // The vehicle's axes in the world's, and in the body's.
    let [in_world, in_body] = [world, body].map(|frame| frame.vehicle_rotation(Quat::IDENTITY));
    let turn = in_world * in_body.inverse();
    let length = units.length as f32;
    let start = up * (car.ride_height() as f32 - car.center_of_mass().z) * length;
    let pose = Pose::from_parts(start, turn);
    let handle = physics.insert_body(RigidBodyBuilder::dynamic().pose(pose).can_sleep(false));
    let id = body_id(handle);
    link.add_chassis(body_handle(id), body);
    let (bodies, colliders) = (&mut physics.bodies, &mut physics.colliders);
    let center = car.center_of_mass() * length;
    set_mass_properties(
        bodies,
        colliders,
        id,
        &body,
        car.mass() * units.mass as f32,
        car.inertia() * units.factor(2, 1) as f32,
        center,
    )
    .unwrap();
    index_colliders(
        &physics.integration_parameters,
        &physics.bodies,
        &mut physics.colliders,
        &mut physics.broad_phase,
    );
    id
}

/// Position of the car after each step (`m`, vehicle axes of the start).
fn drive(car: &Car, world: Frame, body: Frame, units: UnitScale) -> Vec<DVec3> {
    let mut physics = PhysicsWorld::new();
    physics.gravity = world.to_body(Vec3::Z) * (-9.81 * units.length as f32);
    physics.integration_parameters.dt = DT;
    physics.integration_parameters.length_unit = units.length as f32;
    let mut link = RapierLink::new(body);
    let id = place(car, world, body, units, &mut physics, &mut link);
    let mut vehicle = Vehicle::new(car.model(), id);
    vehicle.state_mut().drive.force_gear(Gear::FIRST);
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity: world.to_body(Vec3::Z) * -9.81,
        surfaces: &surfaces,
        // What it does to velocities is rounded otherwise along other axes.
        air: NO_AIR,
    };
    let command = |tick: u32| CarCommand {
        throttle: if tick < 200 { 0.7 } else { 0.0 },
        brake: if tick < 260 { 0.0 } else { 0.6 },
        steer: if tick < 100 { 0.0 } else { 0.3 },
        ..CarCommand::default()
    };
    let way = (0..360).map(|tick| {
        let view = RapierWorld::of(&mut link, &mut physics);
        let mut view = InUnits::new(view, units).unwrap();
        step(
            &mut vehicle,
            &mut view,
            &Command::Car(command(tick)),
            &environment,
            DT,
        )
        .unwrap();
        physics.step();
        link.end_step(&mut physics.bodies);
        let mut state = [jounce::core::BodyState::BLANK];
        let view = RapierWorld::of(&mut link, &mut physics);
        view.read(&[id], &mut state).unwrap();
        let at = state[0].position / units.length;
        world.to_vehicle(at.as_vec3()).as_dvec3()
    });
    way.collect()
}

fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// Allowed distance of two paths that differ only by rounding (`m`). With limited slip the explicit
/// solver amplifies it in a launch: starts that differ by 1e-5 m end up to 5 cm apart.
fn bound(car: &Car) -> f64 {
    match car.model().params().profile.solver {
        Solver::Rows(_) => 1e-3,
        Solver::Explicit(_) => 0.05,
    }
}

#[test]
fn every_pair_of_axes_of_world_and_body_gives_the_same_path() {
    let frames = frames();
    assert_eq!(frames.len(), 24);
    let (sedan, own) = (jounce::presets::sedan(), Frame::X_FORWARD_Z_UP);
    let first = drive(&sedan, own, own, UnitScale::SI);
    assert!(first[359].x > 15.0 && first[359].y < -2.0, "{}", first[359]);
    for (n, world) in frames.iter().enumerate() {
        // Each pair once as the world's and once as the body's, never the same for both.
        let body = frames[(7 * n + 5) % 24];
        let apart = apart(&first, &drive(&sedan, *world, body, UnitScale::SI));
        assert!(apart < bound(&sedan), "{world:?} {body:?}: {apart} m");
    }
}

/// Every preset vehicle that stands by itself.
fn cars() -> impl Iterator<Item = (&'static str, Car)> {
    let names = jounce::presets::FILES.into_iter().map(|(name, _)| name);
    let cars = names.filter_map(|name| Some((name, jounce::presets::by_name(name)?)));
    cars.filter(|(_, car)| car.model().params().chassis.support.is_none())
}

#[test]
fn a_world_in_centimeters_gives_the_same_path() {
    let own = Frame::X_FORWARD_Z_UP;
    for (name, car) in cars() {
        let meters = drive(&car, own, own, UnitScale::SI);
        let centimeters = drive(&car, own, own, UnitScale::CENTIMETERS);
        let apart = apart(&meters, &centimeters);
        assert!(apart < bound(&car), "{name}: {apart} m");
    }
}

#[test]
fn every_vehicle_drives_the_same_path_along_other_axes() {
    let (own, frames) = (Frame::X_FORWARD_Z_UP, frames());
    for (n, (name, car)) in cars().enumerate() {
        let [world, body] = [(5 * n + 3) % 24, (7 * n + 11) % 24].map(|n| frames[n]);
        let way = drive(&car, world, body, UnitScale::SI);
        let apart = apart(&drive(&car, own, own, UnitScale::SI), &way);
        assert!(apart < bound(&car), "{name}, {world:?} {body:?}: {apart} m");
    }
}
