//! A step allocates nothing after warm-up, and a vehicle's state is small.

mod sweeps;

use core::hint::black_box;

use allocation_counter::measure;
use glam::{DVec3, Mat3, Vec3};
use jounce::core::fleet::Fleet;
use jounce::core::{
    Air, BodyId, CarCommand, Command, Environment, Gear, Surfaces, TankCommand, UpdateLevel,
    Vehicle, VehicleState, phases, step,
};
use jounce::file::Car;
use jounce::presets;
use jounce::scene::BodyDesc;
use jounce::telemetry::Telemetry;
use proving_ground::ground::{MeshUp, Terrain};
use proving_ground::jointed::JointedStage;
use proving_ground::stage::{FLAT_OUT, GRAVITY, Scene, Stage};
use proving_ground::world::Start;
use proving_ground::world::{self, World, WorldKind};

const DT: f32 = 1.0 / 60.0;
const WARM_UP: usize = 60;
const STEPS: usize = 600;

/// Every pedal, gear changes, both directions.
fn command(n: usize) -> Command {
    let time = n as f32 * DT;
    let braking = time % 5.0 > 4.0;
    Command::Car(CarCommand {
        throttle: if braking { 0.0 } else { 0.9 },
        brake: if braking { 0.8 } else { 0.0 },
        handbrake: if time % 7.0 > 6.5 { 1.0 } else { 0.0 },
        steer: if n % 240 < 120 { 0.1 } else { -0.1 },
        ..CarCommand::default()
    })
}

/// Straight ahead, through a bend, and at times with one track only.
fn tracks(n: usize) -> Command {
    let left = if n % 240 < 180 { 1.0 } else { 0.0 };
    Command::Tank(TankCommand {
        throttle: 0.9,
        thrust: [left, 1.0],
        brake: [if n % 300 > 290 { 1.0 } else { 0.0 }, 0.0],
        automatic: true,
        ..TankCommand::default()
    })
}

fn terrain(ground: &str) -> Terrain {
    Terrain::new(&ground.parse().unwrap(), MeshUp::Z).unwrap()
}

fn standalone(terrain: &Terrain) -> Box<dyn World> {
    world::open(WorldKind::Standalone, terrain, DT).unwrap()
}

/// Puts a vehicle at the start of the ground in first gear; at rest, or rolling if only another vehicle moves it.
fn put(world: &mut dyn World, terrain: &Terrain, car: &Car) -> Vehicle {
    let start = Start {
        position: terrain.start,
        heading: 0.0,
    };
    let pose = world::rest_pose(world, terrain, car, start).unwrap();
    let mut desc = world::chassis(car, &pose);
    if car.coupling.as_ref().is_some_and(|c| c.towed_by.is_some()) {
        desc.linear_velocity = Vec3::X * 8.0;
    }
    let mut vehicle = Vehicle::new(car.model(), world.add_body(&desc).unwrap());
    vehicle.state_mut().drive.force_gear(Gear::FIRST);
    vehicle
}

/// Allocations of `step` in [`STEPS`] steps after [`WARM_UP`] steps; those of `between`, which runs
/// after each step, are not counted.
fn allocations<T>(
    things: &mut T,
    mut step: impl FnMut(&mut T, usize),
    mut between: impl FnMut(&mut T),
) -> u64 {
    let mut count = 0;
    for n in 0..WARM_UP + STEPS {
        let found = measure(|| step(things, n)).count_total;
        if n >= WARM_UP {
            count += found;
        }
        between(things);
    }
    count
}

fn one_by_one(terrain: &Terrain, car: &Car, command: fn(usize) -> Command) -> u64 {
    let mut world = standalone(terrain);
    let vehicle = put(&mut *world, terrain, car);
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity: GRAVITY,
        surfaces: &surfaces,
        air: Air::STILL,
    };
    let telemetry = Telemetry::new(vehicle.model().wheel_count());
    let mut things = (vehicle, world, telemetry);
    let count = allocations(
        &mut things,
        |(vehicle, world, telemetry), n| {
            let command = command(n);
            step(vehicle, &mut **world, &command, &environment, DT).unwrap();
            telemetry.record(vehicle, &command, GRAVITY.length());
            for wheel in 0..vehicle.model().wheel_count() {
                black_box((vehicle.wheel_report(wheel), vehicle.wheel_pose(wheel)));
            }
        },
        |(_, world, _)| world.advance(GRAVITY, DT),
    );
    let moved = things.0.state().position.length();
    assert!(moved > 15.0, "{} moved {moved} m only", car.name);
    count
}

/// The sedan with a second, undriven rear axle.
fn six_wheeler() -> Car {
    let (name, text) = six_wheels();
    Car::parse(&text, name).unwrap()
}

/// The sedan with a second, undriven rear axle, on tracks, with this solver.
fn tracked(solver: &str) -> Car {
    let (name, text) = six_wheels();
    let mut table: toml::Table = text.parse().unwrap();
    let tank = "model = \"tank\"\nspecial = true"
        .parse::<toml::Table>()
        .unwrap();
    table["drivetrain"]["differential"] = tank.into();
    table.insert("solver".to_owned(), solver.into());
    for axle in table["axles"].as_array_mut().unwrap() {
        axle.as_table_mut().unwrap().remove("steering");
    }
    Car::parse(&table.to_string(), name).unwrap()
}

fn six_wheels() -> (&'static str, String) {
    let (name, text) = presets::FILES[0];
    let start = text.rfind("[[axles]]").unwrap();
    let end = start + text[start..].find("[[anti_roll]]").unwrap();
    let axle = text[start..end].replace("\"rear\"", "\"tail\"");
    let axle = axle.replace("x = -1.36", "x = -2.2");
    (name, [&text[..end], &axle, &text[end..]].concat())
}

/// The counter counts allocations.
#[test]
fn allocations_are_counted() {
    let count = allocations(&mut (), |(), n| drop(black_box(vec![n])), |()| {});
    assert_eq!(count, STEPS as u64);
}

#[test]
fn steps_of_one_car_allocate_nothing() {
    for ground in ["flat", "hills"] {
        let terrain = terrain(ground);
        for (name, _) in presets::FILES {
            let car = presets::by_name(name).unwrap();
            assert_eq!(one_by_one(&terrain, &car, command), 0, "{name}, {ground}");
        }
    }
}

#[test]
fn steps_of_six_wheels_allocate_nothing() {
    let car = six_wheeler();
    assert_eq!(car.model().wheel_count(), 6);
    assert_eq!(one_by_one(&terrain("flat"), &car, command), 0);
}

#[test]
fn steps_on_tracks_allocate_nothing() {
    for solver in ["rows", "explicit"] {
        let car = tracked(solver);
        assert_eq!(one_by_one(&terrain("flat"), &car, tracks), 0, "{solver}");
    }
}

#[test]
fn steps_of_a_fleet_allocate_nothing() {
    let flat = terrain("flat");
    let mut world = standalone(&flat);
    let mut fleet = Fleet::new();
    let cars: Vec<Car> = presets::FILES
        .iter()
        .map(|(name, _)| presets::by_name(name).unwrap())
        .collect();
    for car in cars.iter().cycle().take(10) {
        fleet.push(put(&mut *world, &flat, car));
    }
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity: GRAVITY,
        surfaces: &surfaces,
        air: Air::STILL,
    };
    let mut commands = [Command::default(); 10];
    let count = allocations(
        &mut (fleet, world),
        |(fleet, world), n| {
            for (place, slot) in commands.iter_mut().enumerate() {
                *slot = command(n + 30 * place);
            }
            fleet
                .step(&mut **world, &commands, &environment, DT)
                .unwrap();
            assert!(fleet.errors().iter().all(Option::is_none));
        },
        |(_, world)| world.advance(GRAVITY, DT),
    );
    assert_eq!(count, 0);
}

/// The standalone world itself, with wheels on joints, with a trailer on one, and with wheel colliders.
#[test]
fn steps_of_the_standalone_world_allocate_nothing() {
    let flat = terrain("flat");
    let sedan = presets::sedan();
    let mut jointed =
        JointedStage::put(standalone(&flat), &flat, &sedan, &Scene::LEVEL, DT).unwrap();
    let count = advances(&mut jointed, |stage| {
        stage.step(&FLAT_OUT).unwrap();
        &mut *stage.world
    });
    assert_eq!(count, 0, "on joints");
    let mut shared = Stage::put(standalone(&flat), &flat, &sedan, &Scene::LEVEL, DT).unwrap();
    shared.add_wheels().unwrap();
    // One that is left behind hangs on the first one's coupling.
    let (body, place) = (shared.vehicle.body(), shared.position().unwrap());
    let trailer = BodyDesc::at_rest(
        place - DVec3::X * 4.0,
        500.0,
        Mat3::from_diagonal(Vec3::splat(300.0)),
    );
    let trailer = shared.world.add_body(&trailer).unwrap();
    shared
        .world
        .join(body, trailer, place - DVec3::X * 2.0)
        .unwrap();
    let count = advances(&mut shared, |stage| {
        stage.step(&FLAT_OUT).unwrap();
        &mut *stage.world
    });
    assert_eq!(count, 0, "wheel colliders and a joint");
}

/// Allocations of the world's own steps, each after `between`.
fn advances<T>(things: &mut T, between: impl Fn(&mut T) -> &mut dyn World) -> u64 {
    let mut count = 0;
    for n in 0..WARM_UP + STEPS {
        let world = between(things);
        let found = measure(|| world.advance(GRAVITY, DT)).count_total;
        if n >= WARM_UP {
            count += found;
        }
    }
    count
}

/// A sedan in a large fleet takes at most 2850 bytes, with its command and its share of the fleet's buffers.
#[test]
fn a_sedan_takes_at_most_2850_bytes() {
    const COUNT: usize = 1000;
    let (flat, car) = (terrain("flat"), presets::sedan());
    let (mut world, surfaces) = (standalone(&flat), Surfaces::new());
    let environment = Environment::in_still_air(GRAVITY, &surfaces);
    let (position, heading) = (flat.start, 0.0);
    let pose = world::rest_pose(&*world, &flat, &car, Start { position, heading }).unwrap();
    let bodies: Vec<_> = (0..COUNT)
        .map(|_| world.add_body(&world::chassis(&car, &pose)).unwrap())
        .collect();
    let model = car.model();
    let mut kept = None;
    let used = measure(|| {
        let vehicles = bodies.iter().map(|&body| Vehicle::new(model.clone(), body));
        let (mut fleet, commands) = (vehicles.collect::<Fleet>(), vec![FLAT_OUT; COUNT]);
        fleet
            .probe(&*world, &environment, |_, _| UpdateLevel::Full)
            .unwrap();
        fleet.update(&commands, &environment, DT);
        fleet.apply(&mut *world).unwrap();
        assert!(fleet.errors().iter().all(Option::is_none));
        kept = Some((fleet, commands));
    });
    let each = used.bytes_current / COUNT as i64;
    println!("a sedan of a fleet: {each} bytes");
    assert!(each <= 2850, "{each} bytes");
}

#[test]
fn a_reset_to_a_state_of_its_model_allocates_nothing() {
    for car in [presets::sedan(), presets::sports_car()] {
        let mut vehicle = Vehicle::new(car.model(), BodyId(0));
        let new = vehicle.state().clone();
        vehicle.state_mut().drive.force_gear(Gear(2));
        let used = measure(|| phases::reset(&mut vehicle, &new).unwrap());
        assert_eq!(used.count_total, 0, "{}", car.name);
        assert_eq!(vehicle.state(), &new);
    }
}

#[test]
fn a_four_wheelers_state_is_small() {
    let size = size_of::<VehicleState>();
    println!("state of a four-wheeler: {size} bytes");
    assert!(size <= 512, "{size} bytes");
}
