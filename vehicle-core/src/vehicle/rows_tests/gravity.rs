//! Gravity other than that of the design: on the moon, under 3 g, in space, and of one vehicle alone.

use super::*;
use crate::contracts::rigid_bodies::RigidBodies;
use crate::exchange::step_error::BodyError;
use crate::params::profile::ExplicitSettings;
use crate::vehicle::fleet::Fleet;

const EARTH: f32 = 9.81;
const MOON: f32 = 1.62;
/// Rate of a spring over the mass that it carries (`1/s²`): all struts give alike, so that no car pitches.
const SPRING: f32 = 80.0;

/// The sample car on long struts.
fn long_struts(profile: Profile, design_gravity: f32) -> VehicleParams {
    let mut params = VehicleParams {
        profile,
        ..testing::low_four_wheeler()
    };
    params.chassis.design_gravity = design_gravity;
    for wheel in &mut params.wheels {
        let strut = &mut wheel.suspension;
        strut.stiffness = SPRING * strut.sprung_mass;
        strut.damping = (10.0 * strut.sprung_mass).into();
        (strut.max_compression, strut.max_droop) = (0.4, 0.2);
    }
    params
}

fn explicit_profile(settings: ExplicitSettings) -> Profile {
    Profile {
        solver: Solver::Explicit(settings),
        ..Profile::DEFAULT
    }
}

/// The profiles whose preloads are those of the design.
fn designed() -> [Profile; 2] {
    [
        Profile::DEFAULT,
        explicit_profile(ExplicitSettings::DEFAULT),
    ]
}

/// A vehicle under so much gravity, for a while.
fn stood(params: &VehicleParams, gravity: f32) -> World {
    let mut world = World::new(&model(params.clone(), testing::no_drive()), 0.0, 0.0);
    world.gravity = Vec3::NEG_Z * gravity;
    world.command.brake = 0.0;
    // The explicit solver sees gravity a part of a step late.
    let dt = 1.0 / 480.0;
    for _ in 0..2400 {
        world.last = world.update(dt).unwrap();
        let outcome = world.last;
        world.apply(&outcome, dt);
    }
    world
}

/// A spring gives by what its load changes against that of the design: `m·(g − g_d)/k`.
#[rstest]
fn a_car_stands_higher_where_it_weighs_less(
    #[values(MOON, 3.71, EARTH, 3.0 * EARTH)] gravity: f32,
    #[values(EARTH, 3.71)] design: f32,
) {
    let expected = (gravity - design) / SPRING;
    for profile in designed() {
        let world = stood(&long_struts(profile, design), gravity);
        for wheel in 0..4 {
            let report = world.car.wheel_report(wheel);
            let off = report.jounce - expected;
            assert!(off.abs() < 1e-3 * expected.abs() + 1e-5, "{wheel}: {off}");
            if profile.rows().is_some() {
                let strut = &world.car.model().params().wheels[wheel].suspension;
                let borne = report.suspension_force / (strut.sprung_mass * gravity);
                assert!((borne - 1.0).abs() < 1e-3, "{wheel}: {borne}");
            }
        }
    }
}

/// In PhysX, preloads follow the present gravity, and the ride height is the same under any.
#[rstest]
fn the_preload_of_physx_follows_gravity(#[values(MOON, EARTH, 3.0 * EARTH)] gravity: f32) {
    let mut params = long_struts(Profile::PHYSX_4, EARTH);
    testing::explicit(&mut params.profile).accelerates = true;
    let world = stood(&params, gravity);
    let jounce = world.car.wheel_report(0).jounce;
    assert!(jounce.abs() < 1e-4, "{jounce}");
}

/// Tires have the rest load of the design gravity: their stiffness is a property of their own.
#[test]
fn tires_rest_under_the_design_gravity() {
    let [rows, explicit] = designed().map(|profile| {
        let world = stood(&long_struts(profile, EARTH), MOON);
        world.car.model().wheels()[0].rest_load.lane(0)
    });
    assert_eq!((rows, explicit), (EARTH * 457.5, EARTH * 457.5));
}

/// Rises from the ground without gravity, drives its wheels, and slows down in the air.
fn floats(profile: Profile) {
    let mut params = long_struts(profile, EARTH);
    params.aerodynamics = Some(testing::aerodynamics());
    let mut world = World::new(&model(params, geared(Some(500.0))), 0.0, 0.0);
    world.gravity = Vec3::ZERO;
    world.body.linear_velocity = Vec3::X * 20.0;
    world.command = CarCommand {
        throttle: 1.0,
        steer: 0.3,
        ..CarCommand::default()
    };
    world.run(1.0);
    let risen = world.body.position.z;
    let before = world.velocity();
    world.run(2.0);
    assert!(world.body.position.is_finite() && world.body.rotation.is_finite());
    assert!(world.car.wheel_report(2).spin > 20.0);
    let after = world.velocity();
    let air = world.car.air_load().unwrap().force.length() / world.body.mass;
    let lost = before.length() - after.length();
    assert!(lost > 0.0 && lost < 3.0 * air.max(0.1), "{lost} {air}");
    if profile.rows().is_some() {
        // Springs that carried it push it off.
        assert!(world.body.position.z > risen, "{risen}");
        assert!(world.forces().iter().all(|force| *force == 0.0));
    }
}

#[rstest]
#[case::rows(Profile::DEFAULT)]
#[case::explicit(explicit_profile(ExplicitSettings::DEFAULT))]
fn a_car_floats_in_space(#[case] profile: Profile) {
    floats(profile);
}

/// Nothing is divided by a weight of 0: with PhysX's rules, extrapolated, and asleep.
#[rstest]
#[case::rows(Profile::DEFAULT)]
#[case::explicit(explicit_profile(ExplicitSettings::DEFAULT))]
#[case::physx_4(Profile { refuses_out_of_range: false, ..Profile::PHYSX_4 })]
#[case::physx_5(Profile { refuses_out_of_range: false, ..Profile::PHYSX_5 })]
fn without_gravity_every_number_is_finite(#[case] profile: Profile) {
    let mut params = long_struts(profile, EARTH);
    if let Solver::Explicit(settings) = &mut params.profile.solver {
        settings.accelerates = true;
    }
    let mut world = World::new(&model(params, geared(Some(500.0))), 0.0, 0.0);
    world.gravity = Vec3::ZERO;
    for throttle in [0.0, 1.0] {
        world.command.throttle = throttle;
        for step in 0..60 {
            world.probe();
            let command = Command::Car(world.command);
            let outcome = if step % 3 == 2 {
                world.car.extrapolate(&world.body, world.gravity, DT)
            } else {
                world.car.update(&world.body, &command, world.gravity, DT)
            };
            let outcome = outcome.unwrap();
            world.apply(&outcome, DT);
            for wheel in 0..4 {
                let report = world.car.wheel_report(wheel);
                let numbers = [report.spin, report.jounce, report.load, report.slip_ratio];
                assert!(numbers.into_iter().all(f32::is_finite), "{report:?}");
            }
        }
    }
    let v = world.velocity();
    assert!(v.is_finite() && v.length() < 10.0, "{v}");
}

/// At rest in space, a car sleeps, and a driver wakes it.
#[test]
fn a_car_sleeps_in_space() {
    let mut world = World::new(&model(params(|_| ()), geared(Some(500.0))), 0.0, 0.0);
    world.gravity = Vec3::ZERO;
    world.body.position.z += 10.0;
    world.run(1.0);
    assert!(!world.last.wake);
    world.body.asleep = true;
    world.run(0.5);
    assert!(world.body.asleep);
    world.command.throttle = 1.0;
    world.command.brake = 0.0;
    world.step();
    assert!(!world.body.asleep);
}

/// Each vehicle may have a gravity of its own: it moves as in a world that has it.
#[test]
fn a_vehicle_has_a_gravity_of_its_own() {
    let params = long_struts(Profile::DEFAULT, EARTH);
    let model = model(params, testing::no_drive());
    let run = |own: Option<f32>, world: f32| {
        let mut here = World::new(&model, 0.0, 0.0);
        here.gravity = Vec3::NEG_Z * own.unwrap_or(world);
        here.car.set_gravity(own.map(|g| Vec3::NEG_Z * g));
        for _ in 0..240 {
            here.probe();
            let command = Command::Car(here.command);
            let outcome = here
                .car
                .update(&here.body, &command, Vec3::NEG_Z * world, DT);
            here.apply(&outcome.unwrap(), DT);
        }
        (here.body.position, here.car.wheel_report(0).jounce)
    };
    let (own, moon) = (run(Some(MOON), EARTH), run(None, MOON));
    assert_eq!(own, moon);
    assert!((own.1 - (MOON - EARTH) / SPRING).abs() < 1e-3);
    assert_ne!(own, run(None, EARTH));
}

/// Bodies at two positions, which nothing moves.
struct Two;

impl RigidBodies for Two {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        for (id, out) in ids.iter().zip(out) {
            *out = BodyState {
                position: DVec3::X * id.0 as f64,
                mass: 1500.0,
                inverse_inertia: Mat3::from_diagonal(Vec3::splat(1e-3)),
                ..BodyState::BLANK
            };
        }
        Ok(())
    }

    fn ground_motion(&self, _: BodyId) -> Option<GroundMotion> {
        None
    }

    fn apply(&mut self, _: &[BodyId], _: &[StepResult]) -> Result<(), BodyError> {
        Ok(())
    }

    fn react(&mut self, _: &[Reaction]) {}
}

impl crate::SceneQuery for Two {
    fn cast_rays(&self, _: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        hits.fill(None);
    }
}

/// A field of gravity reaches each vehicle of a fleet where it is.
#[test]
fn a_fleet_takes_gravity_where_each_vehicle_is() {
    let model = model(params(|_| ()), testing::no_drive());
    let vehicles = [3, 5].map(|body| Vehicle::new(Arc::clone(&model), BodyId(body)));
    let mut fleet: Fleet = vehicles.into_iter().collect();
    let surfaces = crate::Surfaces::new();
    let environment = crate::Environment::in_still_air(GRAVITY, &surfaces);
    fleet
        .probe(&Two, &environment, |_, _| crate::UpdateLevel::Full)
        .unwrap();
    fleet.set_gravity(|n, position| Vec3::new(0.0, n as f32, -position.x as f32));
    fleet.update(&[CarCommand::default(); 2], &environment, DT);
    assert!(fleet.errors().iter().all(Option::is_none));
    for (n, vehicle) in fleet.vehicles().iter().enumerate() {
        // Half a step's fall is in the mean velocity, the other half is carried.
        let fallen = vehicle.state().carry.linear * 2.0 / DT;
        let expected = Vec3::new(0.0, n as f32, -(3.0 + 2.0 * n as f32));
        assert!((fallen - expected).length() < 1e-3, "{fallen}");
    }
}
