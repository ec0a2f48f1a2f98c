//! Cars whose wheels yield to the forces of their tires, against the single-track model.

use super::*;
use crate::params::{Compliance, LinkSlopes, LoadFilter};
use alloc::vec;
use alloc::vec::Vec;
use glam::Vec2;

/// Distances of the axles ahead of the center of mass and behind it (`m`).
const AHEAD: f32 = 1.25;
const BEHIND: f32 = 1.75;
const WHEELBASE: f32 = AHEAD + BEHIND;

/// A table that rises by `slope` over forces up to 20 kN or kN·m.
fn line(slope: f32) -> Vec<(f32, f32)> {
    vec![(-2e4, -2e4 * slope), (2e4, 2e4 * slope)]
}

/// The sample car, low, on rows without a load filter, with this compliance of each wheel.
pub(super) fn compliant(compliance: impl Fn(usize) -> Compliance) -> VehicleParams {
    let mut params = VehicleParams {
        profile: Profile::DEFAULT,
        load_filter: LoadFilter::OFF,
        ..testing::low_four_wheeler()
    };
    for (n, wheel) in params.wheels.iter_mut().enumerate() {
        wheel.compliance = compliance(n);
    }
    params
}

/// Toe by lateral force of front and rear wheels (`rad/N`).
fn steered_by_force(slopes: [f32; 2]) -> VehicleParams {
    compliant(|n| Compliance {
        toe_by_force: [Vec::new(), line(slopes[n / 2]), Vec::new()],
        ..Compliance::default()
    })
}

/// Rolling ahead at this speed, the clutch open.
fn rolling(params: VehicleParams, speed: f32) -> World {
    roll(&model(params, geared(None)), speed)
}

pub(super) fn roll(model: &Arc<VehicleModel>, speed: f32) -> World {
    let mut world = World::new(model, 0.0, 0.0);
    (world.command.brake, world.command.clutch) = (0.0, 1.0);
    world.body.linear_velocity = Vec3::X * speed;
    world.car.state_mut().wheels[0].spin = W4::splat(speed / 0.5);
    world
}

pub(super) fn run_at(world: &mut World, rate: u32, seconds: f32) {
    let dt = 1.0 / rate as f32;
    for _ in 0..(seconds * rate as f32).round() as u32 {
        let outcome = world.update(dt).unwrap();
        world.apply(&outcome, dt);
    }
}

pub(super) fn yaw_rate(world: &World) -> f32 {
    (world.body.angular_velocity + world.car.state().carry.angular).z
}

/// Understeer gradient (`rad·s²/m`) in a steady bend at 20 m/s with this command, at this rate: `(δ − L·r/v)/(v·r)`.
pub(super) fn understeer(model: &Arc<VehicleModel>, command: f32, rate: u32) -> f32 {
    let mut world = roll(model, 20.0);
    world.command.steer = command;
    run_at(&mut world, rate, 4.0);
    let (speed, yaw) = (world.velocity().length(), yaw_rate(&world));
    (-0.6 * command - WHEELBASE * yaw / speed) / (speed * yaw)
}

/// Toe of c per lateral force, of each of an axle's wheels, which carry half of its share of the mass, needs that much
/// more steering in front, and that much less behind: `ΔK = (−c_f·b + c_r·a)·m/2L`.
#[rstest]
#[case::front([-2e-6, 0.0])]
#[case::rear([0.0, -1e-6])]
#[case::rear_reversed([0.0, 1e-6])]
#[case::both([-1e-6, 2e-6])]
fn compliance_steer_changes_the_understeer_gradient(
    #[case] slopes: [f32; 2],
    #[values(30, 60, 240)] rate: u32,
    #[values(-0.01, 0.01)] command: f32,
) {
    let of = |slopes| {
        let model = model(steered_by_force(slopes), geared(None));
        understeer(&model, command, rate)
    };
    let actual = of(slopes) - of([0.0; 2]);
    let [front, rear] = slopes;
    let expected = 0.5 * 1500.0 / WHEELBASE * (rear * AHEAD - front * BEHIND);
    assert!(
        (actual - expected).abs() < 0.01 * expected.abs(),
        "{actual} {expected}"
    );
}

/// Compliance steer by the aligning moment of a tire with a trail of 4 cm, M = −0.04·F, changes the understeer
/// gradient as much.
#[test]
fn it_may_come_from_the_aligning_moment() {
    let by_moment = |slope: f32| {
        let params = compliant(|n| Compliance {
            toe_by_force: [
                Vec::new(),
                Vec::new(),
                if n < 2 { line(slope) } else { Vec::new() },
            ],
            ..Compliance::default()
        });
        let tire = moments::with_trail(0.04);
        let params = Checked::new(params).unwrap();
        let model = VehicleModel::new(params, &[tire], geared(None)).unwrap();
        understeer(&Arc::new(model), 0.01, 60)
    };
    let actual = by_moment(5e-5) - by_moment(0.0);
    let expected = 0.5 * 1500.0 / WHEELBASE * (BEHIND + 0.04) * 0.04 * 5e-5;
    assert!(
        (actual - expected).abs() < 0.015 * expected,
        "{actual} {expected}"
    );
}

/// A car in a bend to the left and one in the same to the right do the same, and their wheels, too.
pub(super) fn mirrors([left, right]: &[World; 2]) {
    let (a, b) = (yaw_rate(left), yaw_rate(right));
    assert!(a > 0.1 && (a + b).abs() < 1e-4 * a, "{a} {b}");
    for [here, there] in [[0, 1], [1, 0], [2, 3], [3, 2]] {
        let [own, other] = [left.car.wheel_report(here), right.car.wheel_report(there)];
        assert!((own.camber + other.camber).abs() < 1e-5);
        assert!((own.steer + other.steer).abs() < 1e-5);
        assert!((own.load / other.load - 1.0).abs() < 1e-3);
    }
}

/// A bend to the right mirrors one to the left with left and right wheels exchanged.
#[test]
fn a_bend_to_the_right_mirrors_one_to_the_left() {
    let both = [-0.05, 0.05].map(|steer| {
        let params = compliant(|n| {
            let side = [1.0, -1.0][n % 2];
            Compliance {
                toe_by_force: [line(side * 1e-6), line(-1e-6), Vec::new()],
                camber_by_force: [Vec::new(), line(2e-6), Vec::new()],
                shift: vec![
                    (-0.1, Vec2::new(0.01, 0.02 * side)),
                    (0.1, Vec2::new(-0.01, 0.01 * side)),
                ],
                shift_by_force: [
                    vec![(-1e4, Vec2::new(-0.02, 0.0)), (1e4, Vec2::new(0.02, 0.0))],
                    vec![(-1e4, Vec2::new(0.0, -0.02)), (1e4, Vec2::new(0.0, 0.02))],
                    Vec::new(),
                ],
                ..Compliance::default()
            }
        });
        let mut world = rolling(params, 20.0);
        world.command.steer = steer;
        world.run(2.0);
        world
    });
    mirrors(&both);
    let [left, right] = both;
    for [here, there] in [[0, 1], [1, 0], [2, 3], [3, 2]] {
        let [own, other] = [left.car.wheel_pose(here), right.car.wheel_pose(there)];
        let image = other.position * Vec3::new(1.0, -1.0, 1.0);
        assert!((own.position - image).length() < 1e-5);
    }
}

/// A car is steered at 20 m/s: its yaw rates 0.1, 0.3 and 3 s later.
fn response(params: &VehicleParams, rate: u32) -> [f32; 3] {
    let mut world = rolling(params.clone(), 20.0);
    world.command.steer = -0.05;
    [0.1, 0.2, 2.7].map(|seconds| {
        run_at(&mut world, rate, seconds);
        yaw_rate(&world)
    })
}

/// The loop through tire and bushings has a gain of 0.16 or, with bushings twenty times as soft, of 3: a step's delay would tell.
/// (Soft ones, while the yaw rate builds up: what validation allows in the linear range.)
#[rstest]
#[case::usual(-2e-6, 0.005)]
#[case::soft(-4e-5, 0.02)]
fn it_is_the_same_at_every_rate(#[case] slope: f32, #[case] transient: f32) {
    let at = |slope: f32, rate: u32| response(&steered_by_force([slope, 0.2 * slope]), rate);
    let [plain, fine] = [0.0, slope].map(|slope| at(slope, 960));
    let mut all = Vec::new();
    for rate in [30, 60, 120, 240] {
        let (actual, without) = (at(slope, rate), at(0.0, rate));
        // Apart from the effect of the rate on a car without compliance.
        let off = |n: usize| actual[n] / fine[n] - without[n] / plain[n];
        let apart = [0, 1, 2].map(off);
        all.push((rate, apart));
    }
    for (_, apart) in &all {
        let within = apart.iter().zip([transient, transient, 0.001]);
        assert!(
            within.into_iter().all(|(x, most)| x.abs() < most),
            "{all:?}"
        );
    }
}

/// Bushings twenty times as soft as usual do not make a wheel swing from substep to substep.
#[rstest]
#[case::usual(-2e-6)]
#[case::soft(-4e-5)]
#[case::turned_into_the_force(1e-6)]
fn bushings_do_not_swing(#[case] slope: f32, #[values(30, 60, 240)] rate: u32) {
    let mut world = rolling(steered_by_force([slope, slope.min(0.0)]), 30.0);
    world.command.steer = -0.02;
    let mut steered = Vec::new();
    for _ in 0..2 * rate {
        run_at(&mut world, rate, 1.0 / rate as f32);
        steered.push(world.car.wheel_report(0).steer);
    }
    for three in steered[4..].windows(3) {
        let bend = three[0] - 2.0 * three[1] + three[2];
        assert!(
            bend.abs() < 5e-4 * 60.0 / rate as f32,
            "{rate} Hz: {three:?}"
        );
    }
}

/// Every table says something, and much.
fn all_of_it(n: usize) -> Compliance {
    let side = [1.0, -1.0][n % 2];
    let shift = |x: f32, y: f32| vec![(-1e4, Vec2::new(-x, -y)), (1e4, Vec2::new(x, y))];
    Compliance {
        toe_by_force: [line(side * 5e-6), line(5e-6), line(5e-5)],
        camber_by_force: [line(side * 5e-6), line(-1e-5), line(5e-5)],
        shift: vec![
            (-0.1, Vec2::new(0.02, 0.03 * side)),
            (0.1, Vec2::new(-0.02, -0.03 * side)),
        ],
        shift_by_force: [shift(0.04, 0.01 * side), shift(0.01, 0.04), shift(0.0, 0.1)],
        links: Some(LinkSlopes {
            lateral: 0.1 * side,
            ..LinkSlopes::default()
        }),
        ..Compliance::default()
    }
}

#[rstest]
#[case::up(0.3, 0.0)]
#[case::across(0.0, 0.3)]
#[case::down_and_across(-0.2, 0.2)]
fn a_parked_car_stands(
    #[case] up: f32,
    #[case] left: f32,
    #[values(30, 60, 240)] rate: u32,
    #[values(false, true)] linked: bool,
) {
    let params = compliant(|n| Compliance {
        links: all_of_it(n).links.filter(|_| linked),
        ..all_of_it(n)
    });
    let mut world = World::new(&model(params, testing::no_drive()), up, left);
    run_at(&mut world, rate, 3.0);
    let position = world.body.position;
    run_at(&mut world, rate, 20.0);
    let drift = (world.body.position - position).length();
    assert!(drift < 0.5e-3, "{drift}");
}

#[rstest]
#[case::aside(8.0, 4.0, 0.0)]
#[case::turning(8.0, 0.0, 2.0)]
fn bushings_add_no_energy(#[case] speed: f32, #[case] sideways: f32, #[case] yaw: f32) {
    let mut world = rolling(compliant(all_of_it), speed);
    world.run(1.0);
    moments::slide_without_gain(&mut world, sideways, yaw);
}

/// A standing car that is pushed rocks on its springs, less and less.
#[rstest]
#[case::aside(Vec3::Y)]
#[case::ahead(Vec3::X)]
#[case::turned(Vec3::ZERO)]
fn a_pushed_car_comes_to_rest(#[case] direction: Vec3, #[values(30, 60, 240)] rate: u32) {
    let mut world = World::new(&model(compliant(all_of_it), testing::no_drive()), 0.0, 0.0);
    run_at(&mut world, rate, 2.0);
    world.body.linear_velocity += direction * 0.3;
    world.body.angular_velocity.z += if direction == Vec3::ZERO { 0.3 } else { 0.0 };
    let mut most = moments::energy(&world);
    for _ in 0..6 {
        let mut now = 0.0f32;
        for _ in 0..rate / 2 {
            run_at(&mut world, rate, 1.0 / rate as f32);
            now = now.max(moments::energy(&world));
        }
        assert!(now <= most + 1e-6, "{now} {most}");
        most = now;
    }
    assert!(most < 1e-3, "{most}");
}

/// Tables of each force move the wheel by as much as the force in the report says.
#[test]
fn reports_show_bushing_compliance() {
    let params = compliant(|n| Compliance {
        toe_by_force: [line(1e-6), Vec::new(), Vec::new()],
        camber_by_force: [line(3e-6), Vec::new(), Vec::new()],
        shift: vec![
            (-0.1, Vec2::new(-0.01, 0.02)),
            (0.1, Vec2::new(0.01, -0.02)),
        ],
        shift_by_force: [
            if n < 2 {
                vec![(-1e4, Vec2::X * -0.1), (1e4, Vec2::X * 0.1)]
            } else {
                Vec::new()
            },
            Vec::new(),
            Vec::new(),
        ],
        ..Compliance::default()
    });
    let mut world = rolling(params.clone(), 20.0);
    world.command.brake = 0.2;
    world.run(1.0);
    for (n, wheel) in params.wheels.iter().enumerate() {
        let (report, pose) = (world.car.wheel_report(n), world.car.wheel_pose(n));
        let force = report.longitudinal_force;
        assert!(force < -500.0, "{force}");
        assert!((report.steer - 1e-6 * force).abs() < 2e-5, "{report:?}");
        assert!((report.camber - 3e-6 * force).abs() < 6e-5, "{report:?}");
        let by_force = if n < 2 { 1e-5 * force } else { 0.0 };
        let displacement = Vec3::new(
            0.1 * report.jounce + by_force,
            -0.2 * report.jounce,
            report.jounce,
        );
        let off = pose.position - wheel.position - displacement;
        assert!(off.length() < 3e-4, "{off}");
    }
}

/// A wheel that moves by 10 cm carries its load there: loads follow from the levers.
#[test]
fn loads_move_with_the_wheels() {
    let params = compliant(|n| Compliance {
        shift: if n < 2 {
            vec![(0.0, Vec2::new(0.1, 0.0))]
        } else {
            Vec::new()
        },
        ..Compliance::default()
    });
    let mut world = World::new(&model(params, testing::no_drive()), 0.0, 0.0);
    world.run(5.0);
    let front: f32 = (0..2).map(|n| world.car.wheel_report(n).load).sum();
    let pitch = -math::matrix(world.body.rotation).x_axis.z;
    // The center of mass is 0.65 m high and moves ahead as the car dives.
    let ahead = BEHIND + 0.65 * pitch;
    let expected = 1500.0 * 9.81 * ahead / (WHEELBASE + 0.1);
    assert!((front / expected - 1.0).abs() < 1e-3, "{front} {expected}");
}

/// A saved state goes on with the same bits, and another model's bushings take over the forces.
#[test]
fn bushing_forces_are_part_of_the_state() {
    let mut world = rolling(compliant(all_of_it), 20.0);
    world.command.steer = -0.05;
    world.run(1.0);
    let saved = world.clone();
    let forces = *world.car.state().extras.bushing_forces(0).unwrap();
    assert!(forces[1].lane(0) > 500.0, "{forces:?}");
    world.run(0.5);
    let mut again = saved.clone();
    again.car.restore(saved.car.state().clone()).unwrap();
    again.run(0.5);
    assert_eq!(again.car.state(), world.car.state());
    let swapped = model(compliant(all_of_it), geared(None));
    let mut mirrored = saved.clone();
    let from = [Some(1), Some(0), None, Some(3)];
    mirrored.car.set_model_with(swapped, &from);
    let now = mirrored.car.state().extras.bushing_forces(0).unwrap();
    let lanes = [forces[1].lane(1), forces[1].lane(0), 0.0, forces[1].lane(3)];
    assert_eq!(now[1].to_array(), lanes);
    let spoilt = {
        let mut state = saved.car.state().clone();
        state.extras.bushings_mut()[0][2] = W4::splat(f32::NAN);
        state
    };
    world.car.restore(spoilt).unwrap();
    assert_eq!(
        *world.car.state().extras.bushing_forces(0).unwrap(),
        [W4::ZERO; 3]
    );
}
