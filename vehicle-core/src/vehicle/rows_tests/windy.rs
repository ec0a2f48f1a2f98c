//! Cars in the air: how fast they go, coast and fall, what their wheels carry, and how they stand in a storm.

use super::*;
use crate::base::curve::Curve;
use crate::exchange::air::Air;
use crate::params::Aerodynamics;

const RATES: [f32; 5] = [30.0, 60.0, 120.0, 240.0, 960.0];
/// ½ρA of the sample (`kg/m`).
const HALF: f32 = 0.5 * 1.225 * 2.0;

fn constant(y: f32) -> Curve {
    Curve(vec![[0.0, y]])
}

/// Drag alone, at the center of mass, and wheels that roll freely.
fn drag_alone(p: &mut VehicleParams) {
    p.aerodynamics = Some(Aerodynamics {
        point: Vec3::ZERO,
        vertical: 0.0,
        lift_front: constant(0.0),
        lift_rear: constant(0.0),
        ..testing::aerodynamics()
    });
    p.wheels.iter_mut().for_each(|wheel| wheel.damping = 0.0);
}

fn air(p: &mut VehicleParams) -> &mut Aerodynamics {
    p.aerodynamics.as_mut().unwrap()
}

/// A car on level ground, at this speed (`m/s`).
fn rolling(params: VehicleParams, torque: f32, speed: f32) -> World {
    let drive = Arc::new(Geared {
        capacity: Some(0.0),
        direct: torque,
        idle_speed: 0.0,
    });
    let mut world = World::new(&model(params, drive), 0.0, 0.0);
    (world.command.brake, world.command.clutch) = (0.0, 1.0);
    world.body.linear_velocity = Vec3::X * speed;
    for wheels in world.car.state_mut().wheels.iter_mut() {
        wheels.spin = W4::splat(speed / 0.5);
    }
    world
}

impl World {
    fn run_at(&mut self, rate: f32, seconds: f32) {
        for _ in 0..(seconds * rate).round() as u32 {
            let outcome = self.update(1.0 / rate).unwrap();
            self.apply(&outcome, 1.0 / rate);
        }
    }
}

/// The top speed balances the engine's thrust with the air; at speed the tire's slip takes none of it.
///
/// (The explicit solver's wheels are not steady at 30 Hz.)
#[rstest]
#[case::rows(testing::ROWS, RATES)]
#[case::explicit(testing::EXPLICIT, [60.0, 60.0, 120.0, 240.0, 960.0])]
fn the_top_speed_does_not_depend_on_the_rate(#[case] solver: Solver, #[case] rates: [f32; 5]) {
    let torque = 100.0;
    let actual = rates.map(|rate| {
        let mut params = params(drag_alone);
        params.profile.solver = solver;
        let mut world = rolling(params, torque, 43.2);
        world.run_at(rate, 120.0);
        let load = world.car.air_load().unwrap();
        // What the wheels give, the air takes.
        assert!((load.force.x + 4.0 * torque / 0.5).abs() < 1.0, "{load:?}");
        world.velocity().x
    });
    let expected = math::sqrt(4.0 * torque / 0.5 / (HALF * 0.35));
    for speed in actual {
        assert!(
            (speed / expected - 1.0).abs() < 1e-3,
            "{actual:?} {expected}"
        );
        assert!((speed / actual[4] - 1.0).abs() < 1e-4, "{actual:?}");
    }
}

/// v₀/(1 + k·v₀·t): on the ground with the wheels' inertia, and far from anything that pulls or rubs.
#[rstest]
#[case::rolling(testing::ROWS, true)]
#[case::flying(testing::ROWS, false)]
#[case::explicit(testing::EXPLICIT, false)]
fn a_car_coasts_as_in_the_book(#[case] solver: Solver, #[case] rolls: bool) {
    for rate in RATES {
        let mut params = params(drag_alone);
        params.profile.solver = solver;
        let mut world = rolling(params, 0.0, 50.0);
        let mut mass = 1500.0 + 4.0 * 2.5 / 0.25;
        if !rolls {
            world.body.position = DVec3::NEG_Z * 1e3;
            world.gravity = GRAVITY * 1e-6;
            mass = 1500.0;
        }
        world.run_at(rate, 1.0);
        let start = world.velocity().x;
        world.run_at(rate, 20.0);
        let expected = start / (1.0 + HALF * 0.35 / mass * start * 20.0);
        let actual = world.velocity().x;
        assert!(
            (actual / expected - 1.0).abs() < 1e-3,
            "{rate}: {actual} {expected}"
        );
    }
}

/// Down a slope, until the air resists with the same force. (Rotations of single precision take 1e-7 of a velocity per substep, which is the
/// more the shorter those are.)
#[test]
fn a_car_rolls_down_as_fast_as_its_drag_allows() {
    let slope = 0.05;
    for rate in [30.0, 60.0] {
        let mut world = rolling(params(drag_alone), 0.0, 0.0);
        let rotation = math::rotation_about(Vec3::Y, slope);
        let ahead = math::matrix(rotation).x_axis;
        world.normal = math::matrix(rotation).z_axis;
        world.body.position = (world.normal * 1.65).as_dvec3();
        world.body.rotation = rotation;
        world.body.linear_velocity = ahead * 41.4;
        world.run_at(rate, 150.0);
        let push = 1500.0 * 9.81 * libm::sinf(slope);
        let expected = math::sqrt(push / (HALF * 0.35));
        let actual = world.velocity().dot(ahead);
        assert!(
            (actual / expected - 1.0).abs() < 1e-3,
            "{rate}: {actual} {expected}"
        );
    }
}

/// On its wheels, and on its nose, in air and in water.
#[rstest]
#[case::flat(0.0, testing::ROWS, 1.225)]
#[case::nose_down(core::f32::consts::FRAC_PI_2, testing::ROWS, 1.225)]
#[case::sinking(0.0, testing::ROWS, 1000.0)]
#[case::explicit(0.0, testing::EXPLICIT, 1.225)]
#[case::explicit_sinking(0.0, testing::EXPLICIT, 1000.0)]
fn a_falling_car_reaches_its_final_speed(
    #[case] pitch: f32,
    #[case] solver: Solver,
    #[case] density: f32,
) {
    for rate in &RATES[..4] {
        let mut world = rolling(
            params(|p| {
                drag_alone(p);
                air(p).vertical = 0.9;
                p.profile.solver = solver;
            }),
            0.0,
            0.0,
        );
        world.car.set_air(Air {
            density,
            ..Air::STILL
        });
        world.body.position = DVec3::NEG_Z * 1e3;
        world.body.rotation = math::rotation_about(Vec3::Y, pitch);
        world.run_at(*rate, 90.0);
        let coefficient = if pitch > 0.0 { 0.35 } else { 0.9 };
        let expected = math::sqrt(1500.0 * 9.81 / (density * coefficient));
        let actual = -world.velocity().z;
        assert!(
            (actual / expected - 1.0).abs() < 1e-3,
            "{rate}: {actual} {expected}"
        );
    }
}

/// Front and rear, against the coefficients.
#[rstest]
#[case::lift(0.08, 0.12)]
#[case::downforce(-0.9, -1.3)]
fn wheels_carry_less_by_the_lift(#[case] front: f32, #[case] rear: f32) {
    for rate in [30.0, 60.0, 240.0] {
        let loads = [[0.0; 2], [front, rear]].map(|lifts| {
            let mut world = rolling(
                params(|p| {
                    drag_alone(p);
                    // Nothing but lift; the axles are those of the wheels.
                    air(p).point = Vec3::new(-0.25, 0.0, -1.65);
                    air(p).drag = constant(0.0);
                    [air(p).lift_front, air(p).lift_rear] = lifts.map(constant);
                }),
                0.0,
                45.0,
            );
            world.run_at(rate, 6.0);
            let load = |n: usize| world.car.wheel_report(n).suspension_force;
            ([load(0) + load(1), load(2) + load(3)], world.velocity().x)
        });
        let [(still, _), (lifted, speed)] = loads;
        for (axle, lift) in [front, rear].into_iter().enumerate() {
            let expected = still[axle] - HALF * lift * speed * speed;
            assert!(
                (lifted[axle] / expected - 1.0).abs() < 5e-3,
                "{rate}: {lifted:?} {expected}"
            );
        }
    }
}

/// The car loses the energy that the reported force of the air takes.
#[test]
fn the_air_takes_the_energy_that_the_car_loses() {
    let mut world = rolling(params(drag_alone), 0.0, 50.0);
    world.run_at(60.0, 1.0);
    let energy = |world: &World| 0.5 * (1500.0 + 4.0 * 2.5 / 0.25) * world.velocity().x.powi(2);
    let (before, mut taken) = (energy(&world), 0.0);
    for _ in 0..600 {
        let start = world.velocity().x;
        world.step();
        let mean = 0.5 * (start + world.velocity().x);
        taken -= world.car.air_load().unwrap().force.x * mean * DT;
    }
    let lost = before - energy(&world);
    assert!((taken / lost - 1.0).abs() < 2e-3, "{taken} {lost}");
}

/// A braked car on rough concrete stands in a storm from any side.
#[rstest]
fn a_parked_car_stands_in_a_storm(
    #[values(30.0, 60.0, 240.0)] rate: f32,
    #[values(Vec3::X, Vec3::Y, Vec3::new(-0.6, -0.8, 0.0))] from: Vec3,
) {
    let model = model(
        params(|p| p.aerodynamics = Some(testing::aerodynamics())),
        geared(None),
    );
    let mut world = World::new(&model, 0.0, 0.0);
    // Side force 2.2·½ρA·v²: half of the friction of 14.7 kN.
    world.car.set_air(Air {
        wind: from * 50.0,
        ..Air::STILL
    });
    world.run_at(rate, 5.0);
    let start = world.body.position;
    world.run_at(rate, 10.0);
    let moved = (world.body.position - start).length();
    assert!(moved < 5e-4, "{moved}");
    let pushed = world.car.air_load().unwrap().force;
    assert!(pushed.dot(from) > 1000.0, "{pushed}");
    assert!(!world.last.wake || rate != 60.0);
}

#[test]
fn a_car_in_the_air_is_pushed() {
    for solver in [testing::ROWS, testing::EXPLICIT] {
        let mut world = rolling(
            params(|p| {
                p.aerodynamics = Some(testing::aerodynamics());
                p.profile.solver = solver;
            }),
            0.0,
            0.0,
        );
        world.body.position.z = 100.0;
        world.car.set_air(Air {
            wind: Vec3::Y * 20.0,
            ..Air::STILL
        });
        world.run_at(60.0, 0.5);
        // 2.2·½ρA·v² of 1500 kg.
        let expected = 2.2 * HALF * 400.0 / 1500.0 * 0.5;
        assert!(
            (world.velocity().y / expected - 1.0).abs() < 0.1,
            "{}",
            world.velocity()
        );
    }
}

#[test]
fn a_mirrored_wind_gives_a_mirrored_drive() {
    let [left, right] = [1.0, -1.0].map(|side| {
        let mut world = rolling(
            params(|p| p.aerodynamics = Some(testing::aerodynamics())),
            0.0,
            40.0,
        );
        world.car.set_air(Air {
            wind: Vec3::Y * (side * 15.0),
            ..Air::STILL
        });
        world.run_at(60.0, 4.0);
        world.body.position
    });
    assert!(left.y > 1.0, "{left}");
    let off = (left - right * DVec3::new(1.0, -1.0, 1.0)).length();
    assert!(off < 1e-2, "{left} {right}");
}

/// Air and wind are no part of a vehicle without aerodynamics.
#[test]
fn without_aerodynamics_wind_changes_nothing() {
    let [calm, storm] = [
        Air::STILL,
        Air {
            density: 1e3,
            wind: Vec3::new(f32::NAN, 30.0, 1.0),
        },
    ]
    .map(|air| {
        let mut world = rolling(params(|_| ()), 50.0, 20.0);
        world.car.set_air(air);
        world.run_at(60.0, 1.0);
        assert_eq!(world.car.air_load(), None);
        (world.body, world.car.state().clone())
    });
    assert_eq!(calm, storm);
}

/// To the bit, whatever the wind.
#[test]
fn in_a_vacuum_a_car_is_one_without_aerodynamics() {
    for solver in [testing::ROWS, testing::EXPLICIT] {
        let [bare, shaped] = [None, Some(testing::aerodynamics())].map(|aerodynamics| {
            let mut world = rolling(
                params(|p| {
                    p.aerodynamics = aerodynamics;
                    p.profile.solver = solver;
                }),
                50.0,
                20.0,
            );
            world.car.set_air(Air {
                density: 0.0,
                wind: Vec3::Y * 30.0,
            });
            world.run_at(60.0, 1.0);
            (world.body, world.car.state().wheels.clone())
        });
        assert_eq!(bare, shaped);
    }
}

#[rstest]
#[case::wind(Air { wind: Vec3::new(0.0, f32::NAN, 0.0), ..Air::STILL })]
#[case::density(Air { density: -1.0, ..Air::STILL })]
fn in_impossible_air_the_last_sound_one_stays(#[case] air: Air) {
    let gale = Air {
        wind: Vec3::Y * 30.0,
        ..Air::STILL
    };
    let [sound, refused] = [gale, air].map(|air| {
        let mut world = rolling(params(drag_alone), 0.0, 20.0);
        world.car.set_air(gale);
        world.step();
        world.car.set_air(air);
        world.step();
        let error = world.car.input_error();
        assert_eq!(error.is_some(), air != gale);
        assert!(error.is_none_or(|error| matches!(error, StepError::Air(_))));
        world.car.set_air(gale);
        world.step();
        assert_eq!(world.car.input_error(), None);
        (world.body, world.car.state().clone())
    });
    assert_eq!(sound, refused);
}

#[rstest]
#[case::wind(Air { wind: Vec3::X * 0.1, ..Air::STILL }, true)]
#[case::density(Air { density: 1.0, ..Air::STILL }, true)]
#[case::the_same(Air::STILL, false)]
fn a_change_of_wind_wakes_a_sleeping_car(#[case] air: Air, #[case] wakes: bool) {
    let model = model(
        params(|p| p.aerodynamics = Some(testing::aerodynamics())),
        geared(None),
    );
    let mut world = World::new(&model, 0.0, 0.0);
    world.run(2.0);
    assert!(!world.last.wake, "it may fall asleep");
    world.body.asleep = true;
    (world.body.linear_velocity, world.body.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
    world.step();
    assert_eq!(world.last, StepResult::default());
    world.car.set_air(air);
    world.step();
    assert_eq!(world.last.wake, wakes);
}
