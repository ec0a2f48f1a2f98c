//! Cars whose links lead tire forces to the body, against closed forms.

use super::*;
use crate::params::profile::RowsSettings;
use crate::params::{LinkSlopes, LoadFilter};

/// Height of the center of mass over the ground (`m`).
const HEIGHT: f32 = 0.65;
const HALF_TRACK: f32 = 1.05;
const WEIGHT: f32 = 1500.0 * 9.81;

/// The sample car with roll centers at this height (`m`) and the slopes that `links` gives each wheel, without bars.
fn linked(roll_center: f32, links: impl Fn(usize) -> LinkSlopes) -> VehicleParams {
    let mut params = VehicleParams {
        profile: Profile::DEFAULT,
        load_filter: LoadFilter::OFF,
        ..testing::low_four_wheeler()
    };
    params.anti_roll.clear();
    for (n, wheel) in params.wheels.iter_mut().enumerate() {
        wheel.compliance.links = Some(LinkSlopes {
            lateral: roll_center / wheel.position.y,
            ..links(n)
        });
    }
    params
}

fn only_rolling(roll_center: f32) -> VehicleParams {
    linked(roll_center, |_| LinkSlopes::default())
}

/// A braked car across a slope: springs bear what the links do not, and both together what statics says.
#[rstest]
#[case::on_the_ground(0.0)]
#[case::low(0.1)]
#[case::high(0.4)]
#[case::at_the_center_of_mass(HEIGHT)]
#[case::below_the_ground(-0.1)]
fn across_a_slope_loads_move_by_links_and_springs(
    #[case] roll_center: f32,
    #[values(false, true)] beam: bool,
) {
    let tilt = 0.1f32;
    let links = LinkSlopes {
        beam,
        ..LinkSlopes::default()
    };
    let model = model(linked(roll_center, |_| links), testing::no_drive());
    let mut world = World::new(&model, 0.0, tilt);
    world.run(6.0);
    let (pull, press) = (WEIGHT * tilt.sin(), WEIGHT * tilt.cos());
    // Four struts of 35 kN/m; it rolls about its roll center.
    let arm = HEIGHT - roll_center;
    let stiffness = 4.0 * 35_000.0 * HALF_TRACK * HALF_TRACK;
    let tilt = arm * pull / (stiffness - arm * press);
    assert!(
        (world.tilt() - tilt).abs() < 0.02 * tilt + 1e-4,
        "{} {tilt}",
        world.tilt()
    );
    // Statics about the ground below the center of mass, of the car as it stands.
    let reports: Vec<_> = (0..4).map(|wheel| world.car.wheel_report(wheel)).collect();
    let across = world.normal.cross(Vec3::X).normalize();
    let moment: f32 = reports
        .iter()
        .map(|r| r.load * across.dot(r.tire_point))
        .sum();
    let height = -world.normal.dot(reports[0].tire_point);
    let expected = -pull * height;
    assert!(
        (moment / expected - 1.0).abs() < 1e-3,
        "{moment} {expected}"
    );
    // The geometric part is what springs do not bear.
    let bent: f32 = reports
        .iter()
        .map(|r| r.suspension_force * across.dot(r.tire_point))
        .sum();
    let sides: f32 = reports.iter().map(|r| r.lateral_force).sum();
    let led = bent - moment;
    let geometric = sides * roll_center;
    assert!(
        (led.abs() - geometric.abs()).abs() < 0.03 * geometric.abs() + 5.0,
        "{led} {geometric}"
    );
}

/// Nothing that is bent moves the car when it is parked: it stands like any other.
#[test]
fn a_parked_car_with_links_stands_still() {
    let links = |n: usize| LinkSlopes {
        braked: if n < 2 { 0.4 } else { -0.4 },
        driven: -0.1,
        lateral_change: 1.0,
        ..LinkSlopes::default()
    };
    for (up, left) in [(0.3, 0.0), (0.0, 0.3), (-0.2, 0.2)] {
        let model = model(linked(0.2, links), testing::no_drive());
        let mut world = World::new(&model, up, left);
        world.run(3.0);
        let settled = world.body.position;
        world.run(20.0);
        let drift = (world.body.position - settled).length();
        assert!(drift < 0.5e-3, "{drift}");
    }
}

/// A load that turns rocks a braked car, which comes back to where it was: its carcasses count the displacement of the contacts
/// between two poses, in substeps of 1/60 s.
#[test]
fn a_rocked_car_comes_back() {
    let mut params = only_rolling(0.0);
    let mut settings = RowsSettings::DEFAULT;
    // No tire slides.
    settings.carcass_stiffness = 100.0;
    params.profile.solver = Solver::Rows(settings);
    for wheel in &mut params.wheels {
        wheel.suspension.max_droop = 0.2;
    }
    let mut world = World::new(&model(params, testing::no_drive()), 0.0, 0.0);
    const PERIOD: usize = 120;
    let mut turn = |n: usize| {
        let (sine, cosine) = math::sin_cos(n as f32 / PERIOD as f32 * 2.0 * PI);
        world.gravity = GRAVITY + Vec3::new(sine, 0.0, cosine) * (0.3 * 9.81);
        world.step();
        world.body.position
    };
    let positions: Vec<DVec3> = (0..PERIOD * 24).map(&mut turn).collect();
    let after = |periods: usize| positions[periods * PERIOD];
    let walked = (after(23) - after(3)).length();
    assert!(walked < 0.2e-3, "{walked}");
    let rocked = positions[3 * PERIOD..].iter().map(|p| p.x);
    let ends = rocked.fold((f64::MAX, f64::MIN), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    assert!(ends.1 - ends.0 > 15e-3, "{ends:?}");
}

/// Tires push with no more than friction times what presses them, which is less by what their own forces lift.
#[rstest]
fn no_tire_has_more_than_its_friction(#[values(-0.3, 0.2, 0.4)] lateral: f32) {
    let links = |n: usize| LinkSlopes {
        braked: if n < 2 { 0.4 } else { -0.3 },
        driven: if n < 2 { 0.1 } else { -0.2 },
        ..LinkSlopes::default()
    };
    let params = linked(lateral, links);
    let mut world = World::new(&model(params, testing::no_drive()), 0.0, 0.0);
    world.body.linear_velocity = Vec3::new(25.0, 2.0, 0.0);
    world.body.angular_velocity = Vec3::Z * 0.8;
    for wheels in world.car.state_mut().wheels.iter_mut() {
        wheels.spin = W4::splat(50.0);
    }
    let mut slid = 0;
    for step in 0..60 {
        world.command.brake = step as f32 / 30.0;
        world.step();
        for wheel in 0..4 {
            let report = world.car.wheel_report(wheel);
            let force = report.longitudinal_force.hypot(report.lateral_force);
            let most = report.friction * report.load;
            assert!(
                force <= most * (1.0 + 1e-5) + 1e-2,
                "{step} {wheel}: {force} {most}"
            );
            slid += u32::from(most > 0.0 && force > most * (1.0 - 1e-4));
        }
    }
    assert!(slid > 30, "{slid}");
}

/// Nose-down pitch of a car that brakes with `torque` (`N·m`) on each wheel or, where negative, is driven by it, after
/// 1.5 s (`rad`).
fn pitch(links: impl Fn(usize) -> LinkSlopes, braked: bool) -> f32 {
    let torque = if braked { 0.0 } else { 600.0 };
    let drive = Arc::new(Geared {
        capacity: Some(0.0),
        direct: torque,
        idle_speed: 0.0,
    });
    let mut world = World::new(&model(linked(0.0, links), drive), 0.0, 0.0);
    (world.command.brake, world.command.clutch) = (0.0, 1.0);
    world.body.linear_velocity = Vec3::X * 20.0;
    for wheels in world.car.state_mut().wheels.iter_mut() {
        wheels.spin = W4::splat(40.0);
    }
    world.run(0.1);
    // 600 N·m on each wheel, the same share for both axles; none of them locks.
    world.command.brake = if braked { 0.2 } else { 0.0 };
    world.run(1.4);
    let ahead = math::matrix(world.body.rotation).x_axis;
    -ahead.z
}

/// With all of the load transfer in the links, a car neither dives nor squats; with half of it, half as much.
#[rstest]
#[case::braked(true)]
#[case::driven(false)]
fn anti_dive_and_anti_squat_keep_a_car_level(#[case] braked: bool) {
    // 100 %: each axle has half of the force, on a wheelbase of 3 m.
    let whole = HEIGHT / (0.5 * 3.0);
    let with = |share: f32| {
        pitch(
            |n| {
                let slope = if n < 2 { share * whole } else { -share * whole };
                LinkSlopes {
                    braked: if braked { slope } else { 0.0 },
                    driven: if braked { 0.0 } else { slope },
                    ..LinkSlopes::default()
                }
            },
            braked,
        )
    };
    let [none, half, all] = [0.0, 0.5, 1.0].map(with);
    assert_eq!(none > 0.0, braked, "{none}");
    assert!(none.abs() > 4e-3, "{none}");
    assert!((half / none - 0.5).abs() < 0.03, "{half} of {none}");
    assert!(all.abs() < 0.03 * none.abs(), "{all} of {none}");
}

/// Under a lateral pull that grows slowly, the inner wheels leave the ground where the resultant passes through the outer
/// contacts: at half the track over the height, less what the roll has taken.
#[rstest]
#[case::on_the_ground(0.0)]
#[case::low(0.15)]
#[case::high(0.3)]
fn it_tips_at_half_the_track_over_the_height(#[case] roll_center: f32) {
    let mut params = only_rolling(roll_center);
    for wheel in &mut params.wheels {
        // Otherwise its preload grows with the magnitude of gravity, which is tilted here.
        wheel.suspension.free_at_droop = true;
        wheel.suspension.max_droop = 0.12;
        // Both axles carry the same, so that both lift at once.
        wheel.position.x = 1.5 * wheel.position.x.signum();
        wheel.suspension.sprung_mass = 375.0;
    }
    let model = model(params, testing::no_drive());
    let mut world = World::new(&model, 0.0, 0.0);
    world.friction = 2.0;
    for step in 0..12_000 {
        world.gravity.y = -9.81 * step as f32 / 6000.0;
        world.step();
        let reports = [0, 1, 2, 3].map(|wheel| world.car.wheel_report(wheel));
        if reports[0].load + reports[2].load == 0.0 {
            // Those on the right are the outer ones.
            let outer = reports[1].tire_point;
            let expected = outer.y / outer.z;
            let threshold = world.gravity.y / world.gravity.z;
            assert!(
                (threshold / expected - 1.0).abs() < 0.02,
                "{threshold} {expected}"
            );
            // The rigid car's is 1.615.
            assert!(
                expected < HALF_TRACK / HEIGHT && expected > 0.8 * HALF_TRACK / HEIGHT,
                "{expected}"
            );
            return;
        }
    }
    panic!("it stands at {}", world.gravity);
}

/// Whatever the slopes, tires and links only take energy.
#[rstest]
#[case::aside(6.0, 0.0)]
#[case::turning(0.0, 2.0)]
#[case::both(3.0, 1.0)]
fn links_add_no_energy(#[case] sideways: f32, #[case] yaw: f32) {
    let links = |n: usize| LinkSlopes {
        lateral_change: 2.0,
        braked: if n < 2 { 0.5 } else { -0.3 },
        driven: if n < 2 { 0.2 } else { -0.5 },
        ..LinkSlopes::default()
    };
    for roll_center in [0.3, 0.6, -0.2] {
        let params = linked(roll_center, links);
        let mut world = World::new(&model(params, testing::no_drive()), 0.0, 0.0);
        world.command.brake = 0.0;
        world.body.linear_velocity = Vec3::X * 8.0;
        for wheels in world.car.state_mut().wheels.iter_mut() {
            wheels.spin = W4::splat(16.0);
        }
        world.run(1.0);
        moments::slide_without_gain(&mut world, sideways, yaw);
    }
}

/// On two wheels, one contact may be above the other along the ground: no couple between them presses a wheel down by more
/// than ten times what its strut does (ROWS §11).
#[test]
fn a_car_that_balances_on_two_wheels_is_not_pressed_down() {
    let beam = LinkSlopes {
        beam: true,
        ..LinkSlopes::default()
    };
    let model = model(linked(0.4, |_| beam), testing::no_drive());
    let mut most = 0.0_f32;
    for (pitch, roll) in (-12..=12).flat_map(|p| (8..=20).map(move |r| (p, r))) {
        let mut world = World::new(&model, 0.0, 0.0);
        let turned = math::rotation_about(Vec3::X, 0.05 * roll as f32);
        world.body.rotation =
            math::compose(math::rotation_about(Vec3::Y, 0.05 * pitch as f32), turned);
        world.body.position.z += 0.3;
        world.body.linear_velocity = Vec3::new(0.3, -0.3, 0.0);
        world.command.brake = 1.0;
        for _ in 0..60 {
            world.step();
            for wheel in 0..4 {
                let report = world.car.wheel_report(wheel);
                let strut = report.suspension_force;
                if strut > 100.0 {
                    most = most.max(report.load / strut);
                }
            }
        }
    }
    assert!(most < 10.0, "{most}");
}
