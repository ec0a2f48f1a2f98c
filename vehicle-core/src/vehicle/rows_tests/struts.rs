//! Struts with more than a spring and a linear damper: curved dampers, compliance, side forces at another
//! height, the pure spring, wheels of some mass.

use super::*;
use crate::params::{Compliance, DamperKnee, DamperStroke, Damping};

fn car(change: impl Fn(&mut crate::params::WheelParams)) -> Arc<VehicleModel> {
    let params = params(|p| p.wheels.iter_mut().for_each(&change));
    model(params, geared(None))
}

fn step_for(world: &mut World, seconds: f32) {
    for _ in 0..(seconds / DT) as usize {
        world.step();
    }
}

/// Sideways speed and roll rate of a car that is set sliding to the left, after one step.
fn slide(roll_influence: f32) -> (f32, f32) {
    let model = car(|w| w.suspension.roll_influence = roll_influence);
    let mut world = World::new(&model, 0.0, 0.0);
    step_for(&mut world, 1.0);
    world.body.linear_velocity = Vec3::Y * 2.0;
    world.step();
    let (linear, angular) = world.car.updated_velocity();
    (linear.y, angular.x)
}

#[test]
fn side_forces_roll_the_car_as_much_as_they_may() {
    let ((_, whole), (_, half), (speed, none)) = (slide(1.0), slide(0.5), slide(0.0));
    // The ground pushes to the right below the center of mass: the top goes to the left.
    assert!(
        whole < 0.0 && whole < half && half < none,
        "{whole} {half} {none}"
    );
    assert!(none.abs() < 0.1 * whole.abs(), "{none} of {whole}");
    assert!(speed < 2.0);
}

#[test]
fn a_pure_spring_rests_where_it_carries_the_car() {
    let model = car(|w| w.suspension.free_at_droop = true);
    let mut world = World::new(&model, 0.0, 0.0);
    step_for(&mut world, 4.0);
    for (n, wheel) in model.params().wheels.iter().enumerate() {
        let s = &wheel.suspension;
        let expected = s.sprung_mass * 9.81 / s.stiffness - s.max_droop;
        let jounce = world.car.wheel_report(n).jounce;
        // Bars and levers share what differs between front and rear.
        assert!((jounce - expected).abs() < 2e-3, "{jounce} {expected}");
    }
}

/// Springs that would give way by 0.7 m: the stops carry the rest of the weight within a centimeter.
#[rstest]
fn a_car_too_heavy_for_its_springs_rests_on_its_stops(
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let params = params(|p| {
        p.profile.solver = solver;
        for wheel in &mut p.wheels {
            wheel.suspension.free_at_droop = true;
            wheel.suspension.stiffness = 5000.0;
        }
    });
    let mut world = World::new(&model(params, geared(None)), 0.0, 0.0);
    step_for(&mut world, 5.0);
    for _ in 0..60 {
        world.step();
        let sunk = 1.65 - world.body.position.z;
        assert!((0.29..0.32).contains(&sunk), "{sunk} m");
    }
}

/// Heights over 1 s of a car that falls from 0.3 m, at a time step.
fn falls(damping: Damping, dt: f32) -> Vec<f64> {
    let model = car(|w| w.suspension.damping = damping);
    let mut world = World::new(&model, 0.0, 0.0);
    world.body.position.z += 0.3;
    let mut heights = Vec::new();
    for step in 1..=(1.0 / dt) as usize {
        let outcome = world.update(dt).unwrap();
        world.apply(&outcome, dt);
        if step % ((1.0 / 30.0 / dt) as usize) == 0 {
            heights.push(world.body.position.z);
        }
    }
    heights
}

#[test]
fn a_curved_damper_falls_alike_at_every_rate() {
    let stroke = |rate: f32| DamperStroke {
        rate,
        knee: Some(DamperKnee {
            speed: 0.4,
            rate: 0.3 * rate,
        }),
    };
    let damping = Damping {
        bump: stroke(3000.0),
        rebound: stroke(6000.0),
    };
    let fine = falls(damping, 1.0 / 480.0);
    for rate in [60.0, 120.0] {
        let coarse = falls(damping, 1.0 / rate);
        for (a, b) in coarse.iter().zip(&fine) {
            assert!((a - b).abs() < 4e-3, "{rate} Hz: {a} {b}");
        }
    }
    // The curve is no mean of its coefficients, and each direction has its own.
    let other = [
        Damping::from(damping.mean_rate()),
        Damping {
            rebound: damping.bump,
            ..damping
        },
        Damping {
            bump: damping.rebound,
            ..damping
        },
    ];
    for damping in other {
        let actual = falls(damping, 1.0 / 480.0);
        let apart = |(a, b): (&f64, &f64)| (a - b).abs();
        let most = actual.iter().zip(&fine).map(apart).fold(0.0, f64::max);
        assert!(most > 0.01, "{damping:?}: {most} m");
    }
}

#[test]
fn toe_that_comes_of_travel_steers_a_car_that_rolls() {
    // All wheels steer to the left when pressed; a car that is level does not care, one whose wheels
    // are pressed goes to the left.
    let steered = |toe: f32| {
        let model = car(|w| {
            w.compliance = Compliance {
                toe: vec![(0.0, 0.0), (0.1, toe)],
                ..Compliance::default()
            };
        });
        let mut world = World::new(&model, 0.0, 0.0);
        world.command = CarCommand::default();
        world.body.linear_velocity = Vec3::X * 10.0;
        for bump in &mut world.bumps {
            *bump = 0.05;
        }
        step_for(&mut world, 0.2);
        (world.body.position.y, world.car.wheel_report(0).jounce)
    };
    let (straight, _) = steered(0.0);
    let (aside, _) = steered(0.1);
    assert!(straight.abs() < 1e-3, "{straight}");
    assert!(aside > straight + 0.01, "{aside}");
}

/// Jounce of the front left wheel, from full droop, over its last: the ground has gone.
fn after_the_ground_went(limit_expansion: bool) -> f32 {
    let mut params = params(|_| ());
    params.profile.limit_expansion = limit_expansion;
    let mut world = World::new(&model(params, geared(None)), 0.0, 0.0);
    step_for(&mut world, 1.0);
    let extension = |world: &World| world.car.wheel_report(0).jounce + 0.1;
    let before = extension(&world);
    world.bumps = [-100.0; 6];
    world.step();
    extension(&world) / before
}

#[test]
fn wheels_of_mass_take_their_time_to_follow_ground_that_falls_away() {
    assert_eq!(after_the_ground_went(false), 0.0);
    let left = after_the_ground_went(true);
    assert!((0.8..1.0).contains(&left), "{left}");
}

proptest! {
    /// Where wheels are limited by their mass, the ground's steps throw no car up.
    #[test]
    fn limited_expansion_adds_no_energy(heights in prop::collection::vec(-0.2f32..0.0, 20)) {
        let mut params = params(|_| ());
        params.profile.limit_expansion = true;
        let mut world = World::new(&model(params, geared(None)), 0.0, 0.0);
        step_for(&mut world, 1.0);
        let start = world.body.position.z;
        for height in heights {
            world.bumps = [height; 6];
            world.step();
            prop_assert!(world.body.position.z < start + 2e-3);
        }
    }
}

/// A car on its stops comes to rest in ten times gravity, too.
#[rstest]
fn a_car_on_its_stops_comes_to_rest(
    #[values(3e6, 1e7, 1e8)] stop: f32,
    #[values(1.0, 10.0)] gees: f32,
) {
    let model = car(|w| w.suspension.bump_stop_stiffness = stop);
    let mut world = World::new(&model, 0.0, 0.0);
    world.gravity *= gees;
    step_for(&mut world, 4.0);
    let (linear, angular) = world.car.updated_velocity();
    assert!(
        linear.length() < 1e-3 && angular.length() < 1e-3,
        "{linear} {angular}"
    );
    assert!(world.body.position.z > 0.5, "{}", world.body.position);
}
