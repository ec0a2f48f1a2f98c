//! Many vehicles at once: parts on threads, turns, masks.

use std::thread;

use glam::DVec3;
use jounce::core::fleet::{Fleet, Part};
use jounce::core::step;
use jounce::core::{
    Air, BodyError, BodyId, BodyState, CarCommand, Command, Detail, Environment, GroundHit,
    GroundMotion, GroundRay, Reaction, RigidBodies, SceneQuery, StepError, StepResult, Surfaces,
    UpdateLevel, Vehicle,
};
use jounce::presets;
use jounce::scene::{BodyDesc, Plane, Standalone};
use proving_ground::stage::{FLAT_OUT, GRAVITY, Scene};
use proving_ground::world::WorldKind;
use rstest::rstest;

use super::{BRAKED, RATE, car, stage};

/// A plane with sedans, 5 m apart, and their commands.
fn fleet(count: usize) -> (Standalone, Fleet, Vec<Command>) {
    let car = presets::sedan();
    let mut world = Standalone::new(Plane::level(jounce::core::Axis::Z, 0.0).unwrap());
    let mut fleet = Fleet::new();
    for n in 0..count {
        let place = DVec3::new(0.0, 5.0 * n as f64, car.ride_height());
        let body = BodyDesc::at_rest(place, car.mass(), car.inertia());
        fleet.push(Vehicle::new(car.model(), world.add(&body).unwrap()));
    }
    let command = |n: usize| {
        Command::Car(CarCommand {
            throttle: 0.06 * n as f32,
            steer: 0.3 - 0.02 * n as f32,
            ..CarCommand::default()
        })
    };
    (world, fleet, (0..count).map(command).collect())
}

/// Still air over these surfaces.
fn still(surfaces: &Surfaces) -> Environment<'_> {
    Environment::in_still_air(GRAVITY, surfaces)
}

/// Two seconds of a fleet; returns all states exactly.
fn drive(count: usize, run: impl Fn(Part<'_>), detail: Detail) -> String {
    let (mut world, mut fleet, commands) = fleet(count);
    let dt = 1.0 / RATE;
    for step in 0..120 {
        let update_level = |place: usize, _: &Vehicle| detail.update_level(step, place as u64);
        fleet
            .probe(&world, &still(&Surfaces::new()), update_level)
            .unwrap();
        fleet.update_by(&commands, &still(&Surfaces::new()), dt, &run);
        assert!(fleet.errors().iter().all(Option::is_none));
        fleet.apply(&mut world).unwrap();
        world.step(GRAVITY, dt);
    }
    let states = fleet.vehicles().iter().map(Vehicle::state);
    states.map(|state| format!("{state:?}\n")).collect()
}

/// Parts of `size` vehicles, distributed over this many threads in turn.
fn on_threads(threads: usize, size: usize) -> impl Fn(Part<'_>) {
    move |mut all: Part<'_>| {
        let mut hands: Vec<Vec<Part<'_>>> = (0..threads).map(|_| Vec::new()).collect();
        let mut n = 0;
        while !all.is_empty() {
            let at = size.min(all.len());
            let (part, others) = all.split_at(at);
            hands[n % threads].push(part);
            all = others;
            n += 1;
        }
        thread::scope(|scope| {
            for parts in hands {
                scope.spawn(move || parts.into_iter().for_each(Part::run));
            }
        });
    }
}

/// `Part`: results are bit-identical however a fleet is split.
#[test]
fn threads_and_parts_change_no_bit() {
    let thirds = Detail {
        probe_every: 2,
        update_every: 3,
    };
    for detail in [Detail::FULL, thirds] {
        let alone = drive(17, |all| all.run(), detail);
        for (threads, size) in [(1, 1), (2, 3), (2, 17), (7, 1), (7, 5)] {
            let together = drive(17, on_threads(threads, size), detail);
            assert!(together == alone, "{threads} threads, parts of {size}");
        }
    }
}

/// A part that is left out of an update is unchanged.
#[test]
fn a_part_that_nobody_updates_stays() {
    let (mut world, mut fleet, commands) = fleet(4);
    let surfaces = Surfaces::new();
    let environment = still(&surfaces);
    fleet
        .probe(&world, &environment, |_, _| UpdateLevel::Full)
        .unwrap();
    let second_half = |all: Part<'_>| all.split_at(2).1.run();
    fleet.update_by(&commands, &environment, 1.0 / RATE, second_half);
    fleet.apply(&mut world).unwrap();
    world.step(GRAVITY, 1.0 / RATE);
    let falls = |n: usize| {
        let body = world.body(fleet.vehicles()[n].body()).unwrap().state();
        body.linear_velocity.z < -0.5 * 9.81 / RATE
    };
    assert_eq!([0, 1, 2, 3].map(falls), [true, true, false, false]);
}

/// A part that is left out of a probe goes on from where its bodies are, on the ground that it knows.
#[test]
fn a_part_that_nobody_probes_goes_on() {
    let surfaces = Surfaces::new();
    let environment = still(&surfaces);
    let drive = |leaves_out: bool| {
        let (mut world, mut fleet, commands) = fleet(4);
        for step in 0..30 {
            let known = |n: usize, _: &Vehicle| match (step, n) {
                (0, _) | (_, 2..) => UpdateLevel::Full,
                _ => UpdateLevel::KnownGround,
            };
            let second_half = |all: Part<'_>| all.split_at(2).1.run();
            let probed = if leaves_out && step > 0 {
                fleet.probe_by(&world, &environment, known, second_half)
            } else {
                fleet.probe(&world, &environment, known)
            };
            probed.unwrap();
            fleet.update(&commands, &environment, 1.0 / RATE);
            fleet.apply(&mut world).unwrap();
            world.step(GRAVITY, 1.0 / RATE);
        }
        let states = fleet.vehicles().iter().map(Vehicle::state);
        states
            .map(|state| format!("{state:?}\n"))
            .collect::<String>()
    };
    assert_eq!(drive(true), drive(false));
}

/// A world that records the layers of its rays.
struct Noting {
    world: Standalone,
    rays: core::cell::RefCell<Vec<u32>>,
}

impl SceneQuery for Noting {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        let layers = rays.iter().map(|ray| ray.filter.layers);
        self.rays.borrow_mut().extend(layers);
        self.world.cast_rays(rays, hits);
    }
}

impl RigidBodies for Noting {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.world.read(ids, out)
    }

    fn ground_motion(&self, body: BodyId) -> Option<GroundMotion> {
        self.world.ground_motion(body)
    }

    fn apply(&mut self, ids: &[BodyId], outcomes: &[StepResult]) -> Result<(), BodyError> {
        self.world.apply(ids, outcomes)
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.world.react(reactions);
    }
}

/// `Fleet::probe` queries the ground only for vehicles that are due, each with its own mask, and
/// never for disabled wheels.
#[test]
fn each_vehicle_has_its_turn_and_its_mask() {
    let (world, mut fleet, commands) = fleet(3);
    for (n, vehicle) in fleet.vehicles_mut().iter_mut().enumerate() {
        vehicle.filter_mut().layers = 1 << n;
    }
    let noting = Noting {
        world,
        rays: Default::default(),
    };
    let surfaces = Surfaces::new();
    let environment = still(&surfaces);
    // At first, no vehicle knows its ground.
    let known = |_: usize, _: &Vehicle| UpdateLevel::KnownGround;
    fleet.probe(&noting, &environment, known).unwrap();
    assert_eq!(noting.rays.take(), [[1; 4], [2; 4], [4; 4]].concat());
    fleet.update(&commands, &environment, 1.0 / RATE);
    let odd = |place: usize, _: &Vehicle| match place {
        1 => UpdateLevel::KnownGround,
        _ => UpdateLevel::Full,
    };
    fleet.probe(&noting, &environment, odd).unwrap();
    fleet.update(&commands, &environment, 1.0 / RATE);
    assert_eq!(noting.rays.take(), [[1; 4], [4; 4]].concat());
    let contacts = |n: usize| {
        let wheels = fleet.vehicles()[n].wheel_reports();
        wheels.filter(|wheel| wheel.ground.is_some()).count()
    };
    assert_eq!([0, 1, 2].map(contacts), [4, 0, 4]);
}

/// Vehicles that each ask for a probe in every step, or, asleep, in their turn.
struct Parked {
    noting: Noting,
    fleet: Fleet,
    commands: Vec<CarCommand>,
    steps: u64,
}

impl Parked {
    /// A step; returns the number of rays, and the bodies.
    fn step(&mut self) -> (usize, Vec<BodyState>) {
        let (noting, fleet) = (&mut self.noting, &mut self.fleet);
        let update_level =
            |n: usize, car: &Vehicle| car.update_level(Detail::FULL, self.steps, n as u64);
        fleet
            .probe(noting, &still(&Surfaces::new()), update_level)
            .unwrap();
        fleet.update(&self.commands, &still(&Surfaces::new()), 1.0 / RATE);
        fleet.apply(noting).unwrap();
        noting.world.step(GRAVITY, 1.0 / RATE);
        self.steps += 1;
        let bodies = fleet.vehicles().iter().map(Vehicle::body);
        let states = bodies.map(|body| noting.world.body(body).unwrap().state());
        (noting.rays.take().len(), states.collect())
    }
}

/// `Vehicle::update_level`: vehicles that sleep ask for their ground in turns, and stay. A command moves one at once; one whose
/// ground is gone falls after its turn.
#[test]
fn sleeping_vehicles_take_turns_to_probe() {
    const TURNS: usize = Detail::ASLEEP as usize;
    let (world, fleet, _) = fleet(TURNS);
    let mut parked = Parked {
        noting: Noting {
            world,
            rays: Default::default(),
        },
        fleet,
        commands: vec![BRAKED; TURNS],
        steps: 0,
    };
    while !parked.fleet.vehicles().iter().all(Vehicle::sleeps) {
        assert!(parked.steps < 600, "they fall asleep");
        parked.step();
    }
    let (_, before) = parked.step();
    for _ in 0..40 {
        assert_eq!(parked.step(), (4, before.clone()), "one of them asks");
    }
    parked.commands[3] = FLAT_OUT;
    parked.fleet.vehicles_mut()[5].filter_mut().layers = 0;
    for _ in 0..TURNS {
        parked.step();
    }
    let (_, after) = parked.step();
    let moved: Vec<usize> = (0..TURNS).filter(|&n| after[n] != before[n]).collect();
    assert_eq!(moved, [3, 5]);
    assert!(after[5].linear_velocity.z < 0.0);
}

/// `phases::knows_ground`: a vehicle whose first probe comes late stands all the same.
#[test]
fn a_vehicle_that_has_not_had_its_turn_does_not_fall() {
    let (mut world, mut fleet, commands) = fleet(3);
    let detail = Detail {
        probe_every: 60,
        update_every: 1,
    };
    let dt = 1.0 / RATE;
    for step in 0..40 {
        if step == 20 {
            fleet.vehicles_mut()[2].reset_to_rest();
        }
        let update_level = |place: usize, _: &Vehicle| detail.update_level(step, place as u64 + 1);
        fleet
            .probe(&world, &still(&Surfaces::new()), update_level)
            .unwrap();
        fleet.update(&commands, &still(&Surfaces::new()), dt);
        fleet.apply(&mut world).unwrap();
        world.step(GRAVITY, dt);
    }
    for vehicle in fleet.vehicles() {
        let body = world.body(vehicle.body()).unwrap().state();
        let fallen = presets::sedan().ride_height() - body.position.z;
        assert!(fallen < 0.02, "{fallen} m");
    }
}

/// `Fleet::update` panics rather than give a vehicle the body of another.
#[rstest]
#[case::nothing_probed(|_: &mut Standalone, _: &mut Fleet, _: Vehicle| ())]
#[case::swapped(|world: &mut Standalone, fleet: &mut Fleet, other: Vehicle| {
    probe(world, fleet);
    fleet.remove(0);
    fleet.push(other);
})]
#[should_panic(expected = "probe comes first")]
fn an_update_needs_a_probe(#[case] spoil: fn(&mut Standalone, &mut Fleet, Vehicle)) {
    let (mut world, mut fleet, commands) = fleet(2);
    let other = fleet.vehicles()[1].clone();
    spoil(&mut world, &mut fleet, other);
    fleet.update(&commands, &still(&Surfaces::new()), 1.0 / RATE);
}

fn probe(world: &Standalone, fleet: &mut Fleet) {
    let full = |_: usize, _: &Vehicle| UpdateLevel::Full;
    fleet.probe(world, &still(&Surfaces::new()), full).unwrap();
}

/// `Fleet::step`: a car that was towed away, and a second vehicle on the body of another, stop no third one.
#[test]
fn vehicles_without_a_body_of_their_own_are_named() {
    let (mut world, mut fleet, commands) = fleet(5);
    let ids: Vec<_> = fleet.vehicles().iter().map(Vehicle::body).collect();
    world.remove(ids[1]).unwrap();
    fleet.vehicles_mut()[3].set_body(ids[2]);
    let surfaces = Surfaces::new();
    let environment = still(&surfaces);
    for _ in 0..120 {
        let stepped = fleet.step(&mut world, &commands, &environment, 1.0 / RATE);
        assert_eq!(stepped, Err(BodyError::Missing(ids[1])));
        world.step(GRAVITY, 1.0 / RATE);
    }
    let missing = StepError::Chassis(BodyError::Missing(ids[1]));
    let shared = StepError::Chassis(BodyError::Shared(ids[2]));
    let refused = [None, Some(missing), None, Some(shared), None];
    assert_eq!(fleet.errors(), refused);
    let speed = |n: usize| world.body(ids[n]).unwrap().state().linear_velocity.x;
    assert!(
        speed(2) > 0.3 && speed(4) > speed(2),
        "{} {}",
        speed(2),
        speed(4)
    );
    let height = |n: usize| world.body(ids[n]).unwrap().state().position.z;
    assert!((height(2) - height(4)).abs() < 0.01, "{}", height(2));
}

/// Stepped twice before its world, a parked car is still held once: it stands, where gravity canceled twice would
/// throw it up.
#[test]
fn a_second_step_before_the_worlds_cancels_gravity_once() {
    for &world in WorldKind::all() {
        let scene = Scene::nose_down(10.0);
        let mut stage = stage(world, &car("sedan"), &scene);
        stage.run(2.0, &BRAKED).unwrap();
        let stood = stage.position().unwrap();
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &stage.surfaces,
            air: Air::STILL,
        };
        let command = Command::Car(BRAKED);
        for _ in 0..60 {
            for _ in 0..2 {
                let (vehicle, world) = (&mut stage.vehicle, &mut *stage.world);
                step(vehicle, world, &command, &environment, stage.dt).unwrap();
            }
            stage.world.advance(GRAVITY, stage.dt);
        }
        let way = stage.position().unwrap().distance(stood);
        assert!(way < 1e-3, "{world:?}: {way} m");
    }
}

/// Stepped twice before its world, a car that drives would go further than its body: the second step is refused, in a
/// world that pauses, too.
#[test]
fn a_second_step_before_the_worlds_is_refused() {
    for &world in WorldKind::all() {
        let mut stage = stage(world, &car("sedan"), &Scene::LEVEL);
        stage.run(1.0, &FLAT_OUT).unwrap();
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &stage.surfaces,
            air: stage.air,
        };
        let command = Command::Car(FLAT_OUT);
        for n in 0..60 {
            let (vehicle, engine) = (&mut stage.vehicle, &mut *stage.world);
            let stepped = step(vehicle, engine, &command, &environment, stage.dt);
            let expected = if n == 0 {
                Ok(())
            } else {
                Err(StepError::NotStepped)
            };
            assert_eq!(stepped, expected, "{world:?} {n}");
        }
        stage.world.advance(GRAVITY, stage.dt);
        stage.run(1.0, &FLAT_OUT).unwrap();
    }
}
