//! Energy of cars that are dropped onto springs of any stiffness: it never rises.

use super::*;
use crate::params::{DamperStroke, Damping};
use crate::solvers::rows::observer;
use glam::DMat3;

/// Least k·w·h² at which a spring keeps no energy from one substep to the next (–): height and speed count then.
const UNRESOLVED: f64 = 2.5;
/// Maximum gain, over the energy at the start (–).
const MOST: f64 = 1e-3;

/// The sample car without bars, with this mass (`kg`), stiffness of all springs (`N/m`), and damping over critical (–).
fn sprung(mass: f32, stiffness: f32, damping_ratio: f32) -> Arc<VehicleModel> {
    let params = params(|p| {
        let lighter = mass / p.chassis.mass;
        p.set_mass(mass);
        p.anti_roll.clear();
        for wheel in &mut p.wheels {
            wheel.mass *= lighter;
            wheel.inertia *= lighter;
            let s = &mut wheel.suspension;
            s.stiffness = stiffness;
            let critical = 2.0 * (stiffness * s.sprung_mass).sqrt();
            let stroke = DamperStroke {
                rate: damping_ratio * critical,
                knee: None,
            };
            s.damping = Damping {
                bump: stroke,
                rebound: stroke,
            };
        }
    });
    model(params, geared(None))
}

/// Energies of a car over level ground (`J`), relative to the design position.
struct Energy {
    /// Energy of speed and height.
    free: f64,
    /// Energy of springs and stops, above that of full droop.
    springs: f64,
}

impl Energy {
    fn of(world: &World) -> Self {
        let model = world.car.model();
        let settings = model.params().profile.rows().unwrap();
        let mut state = world.car.state().clone();
        let actual = observer::begin_step(settings, &mut state, &world.body, world.gravity);
        let velocity = actual.velocity.truncated();
        let [linear, angular] = [velocity.linear, velocity.angular].map(Vec3::as_dvec3);
        let turn = DMat3::from_quat(world.body.rotation.as_dquat());
        let spin = turn.transpose() * angular;
        let inertia = model.params().chassis.inertia.as_dvec3();
        let (mass, height) = (f64::from(world.body.mass), world.body.position.z);
        let g = f64::from(-world.gravity.z);
        let moving = 0.5 * (mass * linear.length_squared() + spin.dot(inertia * spin));
        let k = model.wheels().first();
        let strut = |lane: usize| {
            let curve = &model.params().wheels[lane].compliance.spring;
            let of = |lanes: W4| f64::from(lanes.lane(lane));
            let (preload, stiffness) = (of(k.preload), of(k.stiffness));
            let slack = (-preload / stiffness).max(-of(k.max_droop));
            let start = height + (turn * k.ray_start.lane(lane).as_dvec3()).z;
            let along = (turn * k.travel.lane(lane).as_dvec3()).z;
            let jounce = (of(k.rest_distance) + start / along).max(slack);
            let beyond = (jounce - of(k.max_compression)).max(0.0);
            let spring = |j: f64| preload * j + stiffness * work(curve, j);
            spring(jounce) - spring(slack) + 0.5 * of(k.bump_stop) * beyond * beyond
        };
        Self {
            free: moving + mass * g * (height - 1.65),
            springs: (0..4).map(strut).sum(),
        }
    }
}

/// Work of a spring's curve from jounce 0 (`m`) to another one, over its stiffness (`m²`).
fn work(curve: &[(f32, f32)], jounce: f64) -> f64 {
    if curve.is_empty() {
        return 0.5 * jounce * jounce;
    }
    let last = curve.len() - 2;
    let pieces = curve.windows(2).enumerate().map(|(n, pair)| {
        let [a, b] = [pair[0], pair[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
        let from = if n == 0 { f64::MIN } else { a.0 };
        let to = if n == last { f64::MAX } else { b.0 };
        let force = |x: f64| a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0);
        let [start, end] = [0.0, jounce].map(|x: f64| x.clamp(from, to));
        0.5 * (force(start) + force(end)) * (end - start)
    });
    pieces.sum()
}

/// k·w·h² of the sample car's corner that yields most (–).
fn stiffness_in_a_substep(model: &VehicleModel, rate: f32) -> f64 {
    let substep = 1.0 / f64::from(rate.max(60.0));
    let (mass, k) = (
        model.params().chassis.mass,
        model.wheels().first().stiffness.lane(0),
    );
    // 1 + m·(x²/I_y + y²/I_x), the same for every mass.
    f64::from(k / mass) * 3.56 * substep * substep
}

/// Most that a dropped car gains (`J`), and what it has at the start.
fn gain(model: &Arc<VehicleModel>, drop: f64, rate: f32, friction: f32) -> (f64, f64) {
    let mut world = World::new(model, 0.0, 0.0);
    world.friction = friction;
    let resolved = stiffness_in_a_substep(model, rate) < UNRESOLVED;
    let energy = |world: &World| {
        let Energy { free, springs } = Energy::of(world);
        if resolved { free + springs } else { free }
    };
    let rest = energy(&world);
    world.body.position.z += drop;
    let start = energy(&world);
    let mut most = f64::NEG_INFINITY;
    for _ in 0..(4.0 * rate) as usize {
        let outcome = world.update(1.0 / rate).unwrap();
        world.apply(&outcome, 1.0 / rate);
        most = most.max(energy(&world));
    }
    // A car whose springs are too soft to stand on topples: its height is energy, too.
    let chassis = &model.params().chassis;
    let weight = f64::from(chassis.mass) * 9.81;
    let upright = f64::from(model.wheels().first().stiffness.lane(0)) * 4.0 * 1.05 * 1.05;
    let height = if upright > 2.0 * weight * 1.65 {
        0.0
    } else {
        weight * 1.65
    };
    (most - start, start - rest + height)
}

/// Dropped by 2 mm or 5 cm, at any stiffness, damping and mass, on ice or asphalt, a car gains less than 0.1 % of the energy
/// that it was given.
#[rstest]
fn no_spring_gives_energy(
    #[values(1.5, 150.0, 1500.0, 4e5)] mass: f32,
    #[values(0.0, 0.3, 1.0, 3.0)] damping_ratio: f32,
    #[values(30.0, 60.0, 120.0, 240.0)] rate: f32,
) {
    for tenths in (40..=80).step_by(2) {
        let stiffness = math::exp(tenths as f32 * 0.1 * core::f32::consts::LN_10);
        let model = sprung(mass, stiffness, damping_ratio);
        for (drop, friction) in [(2e-3, 0.0), (5e-2, 0.0), (2e-3, 1.0), (5e-2, 1.0)] {
            let (gain, start) = gain(&model, drop, rate, friction);
            assert!(
                gain < MOST * start,
                "{stiffness} N/m, {drop} m, friction {friction}: {gain} of {start} J"
            );
        }
    }
}

/// Springs whose stiffness grows to three and nine times, in six corners: dropped by 2 mm to 20 cm, at any rate and damping, a car
/// gains less than 0.1 % of the energy that it was given.
#[rstest]
fn no_progressive_spring_gives_energy(
    #[values(0.0, 0.3, 1.0)] damping_ratio: f32,
    #[values(30.0, 60.0, 240.0)] rate: f32,
    #[values(2.0, 8.0)] growth: f32,
) {
    let points = [-0.1, -0.02, 0.0, 0.01, 0.02, 0.04, 0.07, 0.1_f32];
    let curve = points.map(|x| (x, x + growth * x.max(0.0).powi(2) / 0.2));
    let mut params = sprung(1500.0, 30_000.0, damping_ratio).params().clone();
    for wheel in &mut params.wheels {
        wheel.compliance.spring = curve.to_vec();
    }
    let model = model(params, geared(None));
    for (drop, friction) in [
        (2e-3, 0.0),
        (5e-2, 0.0),
        (0.2, 0.0),
        (5e-2, 1.0),
        (0.2, 1.0),
    ] {
        let (gain, start) = gain(&model, drop, rate, friction);
        assert!(
            gain < MOST * start,
            "{drop} m, friction {friction}: {gain} of {start} J"
        );
    }
}

/// A kart of 160 kg without dampers but its tires: driven in a bend, and braked, it stands.
#[rstest]
fn a_kart_on_the_stiffness_of_its_tires_comes_to_rest(
    #[values(30.0, 60.0, 120.0, 240.0)] rate: f32,
    #[values(1e5, 2e5, 4e5)] stiffness: f32,
) {
    let mut world = World::new(&sprung(160.0, stiffness, 0.05), 0.0, 0.0);
    let mut run = |seconds: f32, command: CarCommand| {
        world.command = command;
        let start = world.body.position;
        let steps = (0..(seconds * rate) as usize).map(|_| {
            let outcome = world.update(1.0 / rate).unwrap();
            world.apply(&outcome, 1.0 / rate);
            world.body.position.distance(start)
        });
        steps.fold(0.0, f64::max)
    };
    let drive = CarCommand {
        throttle: 0.1,
        steer: 0.3,
        ..CarCommand::default()
    };
    let braked = CarCommand {
        brake: 1.0,
        ..CarCommand::default()
    };
    let driven = run(3.0, drive);
    assert!(driven > 1.0, "{driven} m");
    run(5.0, braked);
    let moved = run(5.0, braked);
    assert!(moved < 0.1e-3, "{moved} m");
}
