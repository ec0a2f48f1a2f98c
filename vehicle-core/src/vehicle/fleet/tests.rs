//! Fleets on level ground, compared with each of their vehicles alone.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::Cell;

use glam::{DVec3, Mat3, Quat, Vec3};
use rstest::rstest;

use super::*;
use crate::base::ids::{ColliderId, MaterialId};
use crate::contracts::ground::GroundHit;
use crate::contracts::rigid_bodies::GroundMotion;
use crate::exchange::command::{CarCommand, TankCommand};
use crate::exchange::step_result::Motion;
use crate::params::{Probe, SweepSettings};
use crate::phases::{advance, probe};
use crate::{inertia, step, testing};

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;

/// Still air over these surfaces.
fn still(surfaces: &Surfaces) -> Environment<'_> {
    Environment::in_still_air(GRAVITY, surfaces)
}

/// A crate under every other vehicle.
const GROUND: BodyId = BodyId(99);

/// Bodies by number, on level ground, which for every other one is the top of a crate.
struct Yard {
    bodies: Vec<BodyState>,
    pushes: Vec<Reaction>,
    rays: Cell<usize>,
    /// How often it was asked for any.
    asked: Cell<usize>,
    /// Body under which the ground is at no finite position.
    broken: Option<usize>,
}

impl Yard {
    /// Bodies at different heights and speeds.
    fn new(count: usize) -> Self {
        let chassis = testing::four_wheeler().chassis;
        let body = |n: usize| BodyState {
            position: DVec3::new(10.0 * n as f64, 0.0, 1.65 - 0.02 * n as f64),
            linear_velocity: Vec3::X * (3.0 + n as f32),
            mass: chassis.mass,
            inverse_inertia: inertia::inverse(chassis.inertia_tensor()),
            ..BodyState::BLANK
        };
        Self {
            bodies: (0..count).map(body).collect(),
            pushes: Vec::new(),
            rays: Cell::new(0),
            asked: Cell::new(0),
            broken: None,
        }
    }
}

impl SceneQuery for Yard {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.rays.set(self.rays.get() + rays.len());
        self.asked.set(self.asked.get() + 1);
        let broken = self.broken.map(|n| self.bodies[n].position);
        for (ray, hit) in rays.iter().zip(hits) {
            let height = ray.anchor.z as f32 + ray.offset.z;
            let normal = if broken == Some(ray.anchor) {
                f32::NAN
            } else {
                1.0
            };
            *hit = (height <= ray.length).then_some(GroundHit {
                distance: height,
                normal: Vec3::Z * normal,
                material: MaterialId(0),
                body: (ray.anchor.x as i32 / 10 % 2 == 0).then_some(GROUND),
                collider: ColliderId(0),
                triangle: None,
            });
        }
    }
}

impl RigidBodies for Yard {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), out.len(), "the contract's panic");
        for (id, out) in ids.iter().zip(out) {
            let body = self.bodies.get(id.0 as usize);
            *out = *body.ok_or(BodyError::Missing(*id))?;
        }
        Ok(())
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        (id == GROUND).then_some(GroundMotion {
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            mass: Some(1000.0),
            inverse_inertia: Mat3::ZERO,
        })
    }

    fn apply(&mut self, ids: &[BodyId], outcomes: &[StepResult]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), outcomes.len(), "the contract's panic");
        for (id, outcome) in ids.iter().zip(outcomes) {
            let body = self.bodies.get_mut(id.0 as usize);
            let body = body.ok_or(BodyError::Missing(*id))?;
            if let Motion::VelocityChange { linear, angular } = outcome.motion {
                body.linear_velocity += linear + GRAVITY * DT;
                body.angular_velocity += angular;
                body.position += (body.linear_velocity * DT).as_dvec3();
            }
        }
        Ok(())
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.pushes.extend(reactions);
    }
}

fn cars(count: usize) -> Vec<Vehicle> {
    let model = Arc::new(testing::model());
    let car = |n: usize| Vehicle::new(Arc::clone(&model), BodyId(n as u64));
    (0..count).map(car).collect()
}

fn fleet(count: usize) -> Fleet {
    let mut fleet = Fleet::new();
    for (n, car) in cars(count).into_iter().enumerate() {
        assert_eq!(fleet.push(car), n);
    }
    fleet
}

fn commands(count: usize) -> Vec<Command> {
    let braking = |n: usize| CarCommand {
        brake: 0.1 * n as f32,
        ..CarCommand::default()
    };
    (0..count).map(|n| Command::Car(braking(n))).collect()
}

/// Everything that a step left behind, bit by bit.
fn bits(cars: &[Vehicle], yard: &Yard) -> String {
    let states: Vec<_> = cars.iter().map(Vehicle::state).collect();
    format!("{states:?} {:?} {:?}", yard.bodies, yard.pushes)
}

/// Update level of each vehicle in a step.
fn asked(step: usize, n: usize) -> UpdateLevel {
    [
        UpdateLevel::Full,
        UpdateLevel::KnownGround,
        UpdateLevel::Extrapolated,
    ][(step + n) % 3]
}

/// A step of one vehicle alone.
fn alone(
    car: &mut Vehicle,
    yard: &mut Yard,
    command: &Command,
    update_level: UpdateLevel,
    surfaces: &Surfaces,
) {
    let update_level = car.required_level(update_level);
    if update_level == UpdateLevel::Full {
        probe(car, &*yard, surfaces).unwrap();
    }
    if update_level == UpdateLevel::Extrapolated {
        let body = yard.bodies[car.body().0 as usize];
        let outcome = car.extrapolate(&body, GRAVITY, DT).unwrap();
        yard.apply(&[car.body()], &[outcome]).unwrap();
    } else {
        advance(car, yard, command, GRAVITY, DT).unwrap();
    }
}

/// Whatever is asked of each, and wherever the fleet is split.
#[rstest]
fn a_fleet_gives_the_bits_of_single_vehicles(#[values(0, 1, 2, 3)] split: usize) {
    let (mut fleet, mut yard, commands) = (fleet(3), Yard::new(3), commands(3));
    let (mut others, mut other_yard) = (cars(3), Yard::new(3));
    let surfaces = Surfaces::new();
    let environment = still(&surfaces);
    for step in 0..9 {
        let ask = |n: usize, car: &Vehicle| {
            assert_eq!(car.body(), BodyId(n as u64));
            asked(step, n)
        };
        fleet.probe(&yard, &environment, ask).unwrap();
        fleet.update_by(&commands, &environment, DT, |all| {
            assert_eq!((all.len(), all.is_empty()), (3, false));
            let (first, rest) = all.split_at(split);
            assert_eq!((first.len(), rest.len()), (split, 3 - split));
            assert_eq!(first.is_empty(), split == 0);
            rest.run();
            first.run();
        });
        fleet.apply(&mut yard).unwrap();
        for (n, car) in others.iter_mut().enumerate() {
            alone(
                car,
                &mut other_yard,
                &commands[n],
                asked(step, n),
                &surfaces,
            );
        }
        assert!(fleet.errors().iter().all(Option::is_none));
        assert_eq!(bits(fleet.vehicles(), &yard), bits(&others, &other_yard));
        assert_eq!(yard.rays.get(), other_yard.rays.get());
    }
    assert!(!yard.pushes.is_empty(), "wheels push what they stand on");
    assert_ne!(fleet.vehicles()[0].state(), fleet.vehicles()[2].state());
}

/// `Fleet::step` is `step` of each.
#[test]
fn a_step_of_a_fleet_is_a_step_of_each() {
    let surfaces = Surfaces::new();
    let environment = still(&surfaces);
    let (mut together, mut yard, commands) = (fleet(2), Yard::new(2), commands(2));
    let (mut others, mut other_yard) = (cars(2), Yard::new(2));
    for _ in 0..5 {
        together
            .step(&mut yard, &commands, &environment, DT)
            .unwrap();
        for (car, command) in others.iter_mut().zip(&commands) {
            step(car, &mut other_yard, command, &environment, DT).unwrap();
        }
        assert_eq!(bits(together.vehicles(), &yard), bits(&others, &other_yard));
    }
}

/// A vehicle of which a hit or the command is refused goes on, without that wheel's ground or with the last command;
/// which it is, is told. The next step knows no more of it.
#[test]
fn a_refused_input_does_not_stop_a_vehicle() {
    let surfaces = Surfaces::new();
    let environment = still(&surfaces);
    let (mut fleet, mut yard) = (fleet(3), Yard::new(3));
    let mut commands = commands(3);
    commands[2] = Command::Tank(TankCommand::default());
    yard.broken = Some(1);
    let bodies = yard.bodies.clone();
    fleet
        .probe(&yard, &environment, |_, _| UpdateLevel::Full)
        .unwrap();
    fleet.update(&commands, &environment, DT);
    fleet.apply(&mut yard).unwrap();
    let [none, probe, command] = fleet.errors() else {
        panic!("one per vehicle");
    };
    assert_eq!(*probe, Some(StepError::Contact { wheel: 0 }));
    assert_eq!(*none, None);
    assert!(matches!(command, Some(StepError::WrongCommand { .. })));
    assert!(yard.bodies.iter().zip(&bodies).all(|(a, b)| a != b));
    assert_eq!(yard.pushes.len(), 8, "of those on crates");
    yard.broken = None;
    commands[2] = commands[1];
    fleet
        .probe(&yard, &environment, |_, _| UpdateLevel::Full)
        .unwrap();
    fleet.update(&commands, &environment, DT);
    assert_eq!(fleet.errors(), [None, None, None]);
    fleet.apply(&mut yard).unwrap();
    assert_eq!(yard.pushes.len(), 8 + 8, "none twice");
}

/// Others move up, and go on as themselves.
#[test]
fn removing_a_vehicle_returns_it() {
    let (mut fleet, mut yard, commands) = (fleet(3), Yard::new(3), commands(2));
    let left = fleet.remove(1);
    assert_eq!(left.body(), BodyId(1));
    let bodies: Vec<_> = fleet.vehicles().iter().map(Vehicle::body).collect();
    assert_eq!(bodies, [BodyId(0), BodyId(2)]);
    fleet.vehicles_mut()[0].set_user_value(1, 5);
    assert_eq!(fleet.vehicles()[0].user_value(1), 5);
    let before = yard.bodies.clone();
    fleet
        .probe(&yard, &still(&Surfaces::new()), |_, _| UpdateLevel::Full)
        .unwrap();
    fleet.update(&commands, &still(&Surfaces::new()), DT);
    fleet.apply(&mut yard).unwrap();
    let moved: Vec<_> = yard
        .bodies
        .iter()
        .zip(&before)
        .map(|(a, b)| a != b)
        .collect();
    assert_eq!(moved, [true, false, true]);
}

/// Swept wheels, or wheels that meet sections, in a world of rays: that vehicle alone is refused.
#[rstest]
#[case::sweeps(Probe::Sweep(SweepSettings::DEFAULT), StepError::NoSweeps)]
#[case::sections(Probe::Sections, StepError::NoTriangles)]
fn a_vehicle_is_refused_where_its_queries_are_lacking(
    #[case] probe: Probe,
    #[case] refused: StepError,
) {
    let mut params = testing::four_wheeler();
    params.probe = probe;
    let (mut fleet, yard) = (fleet(1), Yard::new(2));
    let swept = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(1));
    fleet.push(swept);
    fleet
        .probe(&yard, &still(&Surfaces::new()), |_, _| UpdateLevel::Full)
        .unwrap();
    assert_eq!(fleet.errors(), [None, Some(refused)]);
    assert_eq!(yard.rays.get(), 4);
}

/// Wheels that choose cast rays in a world without triangles, beside those that only cast rays and as these do.
#[test]
fn wheels_that_choose_cast_rays_without_triangles() {
    let fleets = [Probe::Ray, Probe::Auto].map(|probe| {
        let mut params = testing::four_wheeler();
        params.probe = probe;
        let (mut fleet, mut yard) = (fleet(1), Yard::new(2));
        let model = Arc::new(testing::model_of(params));
        fleet.push(Vehicle::new(model, BodyId(1)));
        let (surfaces, commands) = (Surfaces::new(), commands(2));
        for _ in 0..30 {
            let full = |_: usize, _: &Vehicle| UpdateLevel::Full;
            fleet.probe(&yard, &still(&surfaces), full).unwrap();
            fleet.update(&commands, &still(&surfaces), DT);
            fleet.apply(&mut yard).unwrap();
        }
        let chosen = &fleet.vehicles()[1];
        assert_eq!(chosen.probe(), Probe::Ray);
        (chosen.state().clone(), yard.bodies)
    });
    assert_eq!(fleets[0], fleets[1]);
}

/// A vehicle that went on before, then not: it neither goes on as it did then, nor stays refused.
#[test]
fn a_refusal_is_for_one_step() {
    let surfaces = Surfaces::new();
    let environment = still(&surfaces);
    let (mut fleet, mut yard) = (fleet(3), Yard::new(3));
    let commands = commands(3);
    let mass = yard.bodies[1].mass;
    let mut step = |mass: f32, update_level: UpdateLevel| {
        yard.bodies[1].mass = mass;
        let before = yard.bodies[1];
        fleet
            .probe(&yard, &environment, |_, _| update_level)
            .unwrap();
        fleet.update(&commands, &environment, DT);
        fleet.apply(&mut yard).unwrap();
        (fleet.errors()[1].is_some(), yard.bodies[1] != before)
    };
    assert_eq!(step(mass, UpdateLevel::Full), (false, true));
    assert_eq!(step(0.0, UpdateLevel::Full), (true, false));
    assert_eq!(step(mass, UpdateLevel::KnownGround), (false, true));
}

/// A chassis that is gone, before the probe or after it, and one that another vehicle drives: these are refused, and
/// the others move as if alone.
#[rstest]
#[case::gone(&[0, 9, 2, 3], &[], 1, BodyError::Missing(BodyId(9)))]
#[case::gone_at_the_end(&[0, 1, 2, 9], &[], 3, BodyError::Missing(BodyId(9)))]
#[case::two_are_gone(&[8, 1, 9, 3], &[2], 0, BodyError::Missing(BodyId(8)))]
#[case::shared(&[0, 1, 0, 3], &[], 2, BodyError::Shared(BodyId(0)))]
#[case::shared_by_three(&[2, 2, 2, 3], &[2], 1, BodyError::Shared(BodyId(2)))]
#[case::all_gone(&[9, 9, 8, 7], &[1, 2, 3], 0, BodyError::Missing(BodyId(9)))]
fn a_vehicle_without_a_chassis_stops_no_other(
    #[case] bodies: &[u64; 4],
    #[case] others: &[usize],
    #[case] errors: usize,
    #[case] error: BodyError,
) {
    let surfaces = Surfaces::new();
    let environment = still(&surfaces);
    let (mut fleet, mut yard, commands) = (fleet(4), Yard::new(4), commands(4));
    let (mut single, mut other_yard) = (cars(4), Yard::new(4));
    for (n, &body) in bodies.iter().enumerate() {
        fleet.vehicles_mut()[n].set_body(BodyId(body));
        single[n].set_body(BodyId(body));
    }
    for _ in 0..3 {
        let stepped = fleet.step(&mut yard, &commands, &environment, DT);
        assert_eq!(stepped, Err(error));
        assert_eq!(fleet.errors()[errors], Some(StepError::Chassis(error)));
        for n in 0..4 {
            let stays = n == errors || others.contains(&n);
            assert_eq!(fleet.errors()[n].is_some(), stays, "{n}");
            if !stays {
                step(
                    &mut single[n],
                    &mut other_yard,
                    &commands[n],
                    &environment,
                    DT,
                )
                .unwrap();
            }
        }
        assert_eq!(bits(fleet.vehicles(), &yard), bits(&single, &other_yard));
    }
}

/// Bodies that go between the phases are noticed when they are moved; then all is well again with a new body.
#[test]
fn a_chassis_lost_after_the_probe_is_named() {
    let surfaces = Surfaces::new();
    let environment = still(&surfaces);
    let (mut fleet, mut yard, commands) = (fleet(3), Yard::new(3), commands(3));
    fleet.vehicles_mut()[0].set_body(BodyId(2));
    fleet.vehicles_mut()[2].set_body(BodyId(0));
    fleet
        .probe(&yard, &environment, |_, _| UpdateLevel::Full)
        .unwrap();
    fleet.update(&commands, &environment, DT);
    let before = yard.bodies.clone();
    let lost = yard.bodies.pop();
    let error = BodyError::Missing(BodyId(2));
    assert_eq!(fleet.apply(&mut yard), Err(error));
    assert_eq!(
        fleet.errors(),
        [Some(StepError::Chassis(error)), None, None]
    );
    assert!(yard.bodies.iter().zip(&before).all(|(a, b)| a != b));
    yard.bodies.extend(lost);
    fleet
        .probe(&yard, &environment, |_, _| UpdateLevel::Full)
        .unwrap();
    assert_eq!(fleet.errors(), [None, None, None]);
}

#[test]
fn errors_name_the_body_and_the_rule() {
    let of = |error: BodyError| (error.body().0, alloc::string::ToString::to_string(&error));
    for (error, rule) in [
        (BodyError::Missing(BodyId(5)), "does not exist"),
        (BodyError::NotDynamic(BodyId(5)), "is not dynamic"),
        (
            BodyError::Shared(BodyId(5)),
            "is the chassis of another vehicle of the fleet",
        ),
    ] {
        assert_eq!(of(error), (5, format!("body BodyId(5) {rule}")));
    }
}

mod panics {
    use super::*;

    #[rstest]
    #[case::never(|_: &mut Fleet| ())]
    #[case::one_more(|fleet: &mut Fleet| {
        probed(fleet);
        fleet.push(cars(4).remove(3));
    })]
    #[case::one_less(|fleet: &mut Fleet| {
        probed(fleet);
        fleet.remove(2);
    })]
    #[should_panic(expected = "probe comes first")]
    fn an_update_comes_after_a_probe_of_these_vehicles(#[case] change: fn(&mut Fleet)) {
        let mut fleet = fleet(3);
        change(&mut fleet);
        let count = fleet.vehicles().len();
        fleet.update(&commands(count), &still(&Surfaces::new()), DT);
    }

    fn probed(fleet: &mut Fleet) {
        let actual = fleet.probe(&Yard::new(4), &still(&Surfaces::new()), |_, _| {
            UpdateLevel::Full
        });
        actual.unwrap();
    }
}

/// The world is asked for many rays at once, so that it may cast them together.
#[rstest]
#[case::few(5, 1)]
#[case::many(16, 1)]
#[case::two_batches(17, 2)]
fn the_rays_of_a_fleet_are_asked_for_at_once(#[case] vehicles: usize, #[case] batches: usize) {
    let (mut fleet, yard) = (fleet(vehicles), Yard::new(vehicles));
    let full = |_: usize, _: &Vehicle| UpdateLevel::Full;
    fleet.probe(&yard, &still(&Surfaces::new()), full).unwrap();
    assert_eq!((yard.asked.get(), yard.rays.get()), (batches, 4 * vehicles));
}
