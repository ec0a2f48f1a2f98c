//! Unsprung masses and wheel hop, against closed forms: the quarter car of two masses, statics, energy.

use super::*;
use crate::params::{LinkSlopes, LoadFilter, Unsprung};
use alloc::string::ToString as _;
use glam::{DVec2, Vec2};

const UNSPRUNG: Unsprung = Unsprung {
    mass: 40.0,
    tire_stiffness: 2e5,
    tire_damping: 150.0,
};
/// Mass on each corner (`kg`), and what of it is sprung.
const CORNER: f32 = 375.0;
const SPRUNG: f32 = CORNER - UNSPRUNG.mass;
const SPRING: f32 = 25_000.0;
const DAMPER: f32 = 1200.0;
/// Height of the center of mass over the ground at the design position (`m`).
const HEIGHT: f32 = 0.65;
const RADIUS: f32 = 0.5;

/// Four equal corners about the center of mass, which move as four quarter cars.
fn unsprung(change: impl FnOnce(&mut VehicleParams)) -> Arc<VehicleModel> {
    let mut params = VehicleParams {
        profile: Profile::DEFAULT,
        load_filter: LoadFilter::OFF,
        ..testing::low_four_wheeler()
    };
    params.anti_roll.clear();
    for wheel in &mut params.wheels {
        wheel.position.x = 1.5 * wheel.position.x.signum();
        wheel.unsprung = Some(UNSPRUNG);
        wheel.suspension.sprung_mass = SPRUNG;
        wheel.suspension.stiffness = SPRING;
        wheel.suspension.damping = DAMPER.into();
    }
    change(&mut params);
    model(params, testing::no_drive())
}

/// Deflection of the tires at rest (`m`).
fn rest_deflection() -> f32 {
    CORNER * 9.81 / UNSPRUNG.tire_stiffness
}

fn times(a: DVec2, b: DVec2) -> DVec2 {
    DVec2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

fn over(above: DVec2, below: DVec2) -> DVec2 {
    times(above, DVec2::new(below.x, -below.y)) / below.length_squared()
}

/// Roots of `x⁴ + c₃x³ + c₂x² + c₁x + c₀` by Durand's and Kerner's iteration.
fn roots([c0, c1, c2, c3]: [f64; 4]) -> [DVec2; 4] {
    let size = 1.0 + c0.abs().powf(0.25);
    let seed = DVec2::new(0.4, 0.9);
    let mut actual = [DVec2::X * size; 4];
    for n in 1..4 {
        actual[n] = times(actual[n - 1], seed);
    }
    for _ in 0..500 {
        for n in 0..4 {
            let x = actual[n];
            let value = [c3, c2, c1, c0]
                .iter()
                .fold(DVec2::X, |sum, c| times(sum, x) + DVec2::X * *c);
            let others = (0..4).filter(|m| *m != n);
            let apart = others.fold(DVec2::X, |product, m| times(product, x - actual[m]));
            actual[n] = x - over(value, apart);
        }
    }
    actual
}

/// Frequency (`Hz`) and damping ratio of a pair of poles.
fn mode(pole: DVec2) -> [f64; 2] {
    [
        pole.length() / core::f64::consts::TAU,
        -pole.x / pole.length(),
    ]
}

/// The modes of the quarter car of two masses, the slower first.
fn closed_form() -> [[f64; 2]; 2] {
    let [ms, mu, k, c] = [SPRUNG, UNSPRUNG.mass, SPRING, DAMPER].map(f64::from);
    let [kt, ct] = [UNSPRUNG.tire_stiffness, UNSPRUNG.tire_damping].map(f64::from);
    let whole = ms * mu;
    sorted(roots([
        k * kt / whole,
        (c * kt + k * ct) / whole,
        (k * (ms + mu) + kt * ms + c * ct) / whole,
        (c * (ms + mu) + ct * ms) / whole,
    ]))
}

fn sorted(poles: [DVec2; 4]) -> [[f64; 2]; 2] {
    let mut modes: Vec<[f64; 2]> = poles.into_iter().filter(|p| p.y > 0.0).map(mode).collect();
    modes.sort_by(|a, b| a[0].total_cmp(&b[0]));
    [modes[0], modes[1]]
}

/// Modes of samples `dt` (`s`) apart: those of the linear recurrence of order 4 that fits them best.
fn modes_of(samples: &[f64], dt: f64) -> [[f64; 2]; 2] {
    let mut normal = [[0.0; 5]; 4];
    for window in samples.windows(5) {
        for (n, row) in normal.iter_mut().enumerate() {
            for (m, sum) in row.iter_mut().enumerate() {
                *sum += window[n] * window[m];
            }
        }
    }
    for n in 0..4 {
        let pivot = normal[n];
        for m in (0..4).filter(|m| *m != n) {
            let factor = normal[m][n] / pivot[n];
            for (x, p) in normal[m].iter_mut().zip(pivot) {
                *x -= factor * p;
            }
        }
    }
    let poles = roots(core::array::from_fn(|n| -normal[n][4] / normal[n][n]));
    let log = |z: DVec2| DVec2::new(libm::log(z.length()), libm::atan2(z.y, z.x)) / dt;
    sorted(poles.map(log))
}

fn settled(model: &Arc<VehicleModel>) -> World {
    let mut world = World::new(model, 0.0, 0.0);
    world.run(5.0);
    world
}

impl World {
    fn steps(&mut self, seconds: f32, dt: f32, mut each: impl FnMut(&Self)) {
        for _ in 0..(seconds / dt).round() as u32 {
            let outcome = self.update(dt).unwrap();
            self.apply(&outcome, dt);
            each(self);
        }
    }

    fn jounce(&self) -> f64 {
        let wheels = &self.car.state().wheels[0];
        f64::from(0.25 * wheels.jounce.sum())
    }
}

/// Unsprung masses that are let go from 8 mm above their rest: the hop of 11.9 Hz and the ride of 1.3 Hz have the frequencies and damping
/// ratios of the closed form.
#[rstest]
fn a_wheel_hops_as_the_quarter_car(#[values(30.0, 60.0, 120.0, 240.0)] rate: f32) {
    let mut world = settled(&unsprung(|_| ()));
    let rest = world.jounce();
    let wheels = &mut world.car.state_mut().wheels[0];
    wheels.jounce += W4::splat(0.008);
    let mut samples = vec![world.jounce() - rest];
    world.steps(1.0, 1.0 / rate, |world| samples.push(world.jounce() - rest));
    let actual = modes_of(&samples, 1.0 / f64::from(rate));
    let expected = closed_form();
    assert!((10.0..14.0).contains(&expected[1][0]), "{expected:?}");
    for (actual, expected) in actual.iter().zip(expected) {
        let [frequency, damping] = [0, 1].map(|n| actual[n] / expected[n] - 1.0);
        assert!(
            frequency.abs() < 0.02 && damping.abs() < 0.04,
            "{actual:?} {expected:?}"
        );
    }
}

/// At rest a wheel stands by its load over the tire's stiffness lower, and so does the car.
#[test]
fn the_loaded_radius_follows_the_load() {
    let world = settled(&unsprung(|_| ()));
    for n in 0..4 {
        let report = world.car.wheel_report(n);
        assert!(
            (report.load / (CORNER * 9.81) - 1.0).abs() < 1e-3,
            "{}",
            report.load
        );
        let expected = RADIUS - report.load / UNSPRUNG.tire_stiffness;
        assert!(
            (report.loaded_radius - expected).abs() < 2e-5,
            "{}",
            report.loaded_radius
        );
        assert!((report.suspension_force / (SPRUNG * 9.81) - 1.0).abs() < 1e-3);
        let height = world.body.position.z as f32 + world.car.wheel_pose(n).position.z;
        assert!((height - report.loaded_radius).abs() < 1e-4, "{height}");
        assert!(report.jounce.abs() < 1e-4, "{}", report.jounce);
    }
    let sunk = f64::from(HEIGHT - rest_deflection());
    assert!((world.body.position.z - sunk).abs() < 1e-4);
}

/// Load transfer of an axle across a slope: links lead the lateral force of the sprung mass at the height of the roll center,
/// unsprung masses transfer their own at the height of their centers, and springs bear the rest.
#[rstest]
#[case::on_the_ground(0.0)]
#[case::low(0.12)]
#[case::high(0.4)]
#[case::below_the_ground(-0.1)]
fn load_transfer_is_geometric_elastic_and_unsprung(
    #[case] roll_center: f32,
    #[values(false, true)] beam: bool,
) {
    let tilt = 0.08f32;
    let model = unsprung(|params| {
        for wheel in &mut params.wheels {
            let y = wheel.position.y;
            wheel.compliance.links = Some(LinkSlopes {
                lateral: roll_center / y,
                beam,
                ..LinkSlopes::default()
            });
            if !beam {
                // Upright to the ground while the body rolls, as on a beam.
                wheel.compliance.camber = vec![(-0.1, -0.1 / y), (0.1, 0.1 / y)];
            }
            // The axles differ.
            if wheel.position.x > 0.0 {
                wheel.suspension.stiffness *= 1.6;
            }
        }
    });
    let mut world = World::new(&model, 0.0, tilt);
    world.run(8.0);
    let across = world.normal.cross(Vec3::X).normalize();
    let pull = 9.81 * tilt.sin();
    let reports: Vec<_> = (0..4).map(|n| world.car.wheel_report(n)).collect();
    let whole = 4.0 * CORNER * pull * HEIGHT;
    for axle in [[0, 1], [2, 3]] {
        let sum = |of: &dyn Fn(usize) -> f32| axle.iter().map(|n| of(*n)).sum::<f32>();
        let arm = |n: usize| across.dot(reports[n].suspension_point);
        let moved = sum(&|n| reports[n].load * arm(n));
        let elastic = sum(&|n| reports[n].suspension_force * arm(n));
        let sideways = sum(&|n| reports[n].lateral_force).abs();
        let geometric = (sideways - 2.0 * UNSPRUNG.mass * pull) * roll_center;
        let unsprung = sum(&|n| UNSPRUNG.mass * pull * reports[n].loaded_radius);
        // Its weight is at the contact, too.
        let weight = sum(&|n| UNSPRUNG.mass * 9.81 * tilt.cos() * arm(n));
        // The slope rises to the left: the wheels on the right carry more.
        let actual = weight + elastic - moved;
        let expected = geometric + unsprung;
        assert!(
            (actual - expected).abs() < 1e-3 * whole,
            "{actual} {expected} of {whole}"
        );
        assert!(unsprung > 0.02 * whole && sideways > 0.4 * 4.0 * CORNER * pull);
    }
    // Both together are what statics says, of the car as it stands.
    let moment: f32 = reports
        .iter()
        .map(|r| r.load * across.dot(r.tire_point))
        .sum();
    let height = -world.normal.dot(reports[0].tire_point);
    let expected = -4.0 * CORNER * pull * height;
    assert!(
        (moment / expected - 1.0).abs() < 1e-3,
        "{moment} {expected}"
    );
}

/// Parked on a slope, nothing creeps.
#[rstest]
fn a_parked_car_on_its_tires_stands_still(
    #[values((0.3, 0.0), (0.0, 0.3), (-0.2, 0.2))] slope: (f32, f32),
    #[values(30.0, 60.0, 240.0)] rate: f32,
) {
    let model = unsprung(|_| ());
    let mut world = World::new(&model, slope.0, slope.1);
    world.steps(4.0, 1.0 / rate, |_| ());
    let start = world.body.position;
    let mut most: f64 = 0.0;
    world.steps(20.0, 1.0 / rate, |world| {
        most = most.max((world.body.position - start).length());
    });
    assert!(most < 0.5e-3, "{most}");
}

/// Energy of the car over level ground (`J`), with that of springs and tires, above the design position.
fn energy(world: &World) -> f64 {
    let model = world.car.model();
    let (body, state) = (&world.body, world.car.state());
    let velocity = world.velocity().as_dvec3();
    let spin = (body.angular_velocity + state.carry.angular).as_dvec3();
    let turn = math::matrix(body.rotation).as_dmat3();
    let local = turn.transpose() * spin;
    let inertia = model.params().chassis.inertia.as_dvec3();
    let mass = f64::from(body.mass);
    let mut sum = 0.5 * (mass * velocity.length_squared() + local.dot(inertia * local))
        + mass * 9.81 * (body.position.z - f64::from(HEIGHT));
    for n in 0..4 {
        let wheel = &model.params().wheels[n];
        let unsprung_mass = wheel.unsprung.unwrap();
        let of = |lanes: &W4| f64::from(lanes.lane(n));
        let (j, u) = (
            of(&state.wheels[0].jounce),
            of(&state.wheels[0].jounce_speed),
        );
        let up = -(turn * wheel.suspension.travel_direction.as_dvec3());
        let center = turn * (wheel.position.as_dvec3()) + up * j;
        let carried = velocity + spin.cross(center);
        let m = f64::from(unsprung_mass.mass);
        sum += m * (carried.dot(up) * u + 0.5 * u * u + 9.81 * up.z * j);
        let s = &wheel.suspension;
        let spring = f64::from(s.stiffness) * 0.5 * j * j + f64::from(s.sprung_mass) * 9.81 * j;
        let give = (f64::from(wheel.radius) - (body.position.z + center.z)).max(0.0);
        sum += spring + 0.5 * f64::from(unsprung_mass.tire_stiffness) * give * give;
    }
    sum
}

/// Without dampers, a car that bounces and rolls on springs and tires keeps its energy at every rate.
#[rstest]
fn springs_and_tires_give_no_energy(#[values(30.0, 60.0, 120.0, 240.0)] rate: f32) {
    let model = unsprung(|params| {
        for wheel in &mut params.wheels {
            wheel.suspension.damping = 0.0.into();
            wheel.unsprung.as_mut().unwrap().tire_damping = 0.0;
        }
    });
    let mut world = World::new(&model, 0.0, 0.0);
    world.friction = 0.0;
    let rest = {
        // Standing where springs and tires balance.
        let deflection = f64::from(rest_deflection());
        let weight = f64::from(CORNER) * 9.81;
        4.0 * (0.5 * f64::from(UNSPRUNG.tire_stiffness) * deflection * deflection
            - weight * deflection)
    };
    world.body.position.z += 0.02;
    world.body.rotation = math::rotation_about(Vec3::X, 0.01);
    world.steps(0.2, 1.0 / rate, |_| ());
    let start = energy(&world) - rest;
    assert!(start > 20.0, "{start}");
    let (mut most, mut least) = (f64::MIN, f64::MAX);
    world.steps(6.0, 1.0 / rate, |world| {
        let now = energy(world) - rest;
        (most, least) = (most.max(now), least.min(now));
    });
    assert!(most < 1.02 * start, "{most} of {start}");
    assert!(least > 0.9 * start, "{least} of {start}");
}

/// Dropped from 2 m, a car bottoms its stops, hops, and comes to rest; it never rises as high again, and tires never pull.
#[rstest]
fn a_car_survives_a_drop_of_two_meters(#[values(30.0, 60.0, 120.0, 240.0)] rate: f32) {
    let model = unsprung(|params| {
        for wheel in &mut params.wheels {
            wheel.suspension.max_compression = 0.12;
            wheel.suspension.damping = 3000.0.into();
        }
    });
    let mut world = World::new(&model, 0.0, 0.0);
    world.body.position.z += 2.0;
    let start = world.body.position.z;
    let (mut landed, mut high, mut low) = (false, 0.0f64, f64::MAX);
    world.steps(6.0, 1.0 / rate, |world| {
        let z = world.body.position.z;
        landed |= z < f64::from(HEIGHT);
        low = low.min(z);
        let rises = world.velocity().z > 0.0;
        high = if landed && rises { high.max(z) } else { high };
        for n in 0..4 {
            let report = world.car.wheel_report(n);
            assert!(report.load >= 0.0 && report.load.is_finite());
        }
    });
    assert!(low > 0.1 && high < start - 0.7, "{low} {high}");
    let rest = f64::from(HEIGHT - rest_deflection());
    assert!(
        (world.body.position.z - rest).abs() < 1e-3,
        "{}",
        world.body.position.z
    );
    assert!(world.velocity().length() < 1e-3);
}

/// A step in the ground acts on the tire: its force rises by stiffness times height before the chassis has moved.
#[rstest]
fn a_curb_acts_on_the_tire(#[values(60.0, 120.0, 240.0)] rate: f32) {
    let model = unsprung(|_| ());
    let mut world = settled(&model);
    let (rest, rise) = (world.body.position.z, 0.03);
    world.bumps[0] = rise;
    let mut most: f32 = 0.0;
    let mut first = None;
    world.steps(0.3, 1.0 / rate, |world| {
        most = most.max(world.car.wheel_report(0).load);
        first.get_or_insert(world.body.position.z);
    });
    let sudden = CORNER * 9.81 + UNSPRUNG.tire_stiffness * rise;
    assert!(most < sudden, "{most} {sudden}");
    assert!(
        most > CORNER * 9.81 + 0.4 * (sudden - CORNER * 9.81),
        "{most} {sudden}"
    );
    assert!(
        first.unwrap() - rest < 0.15 * f64::from(rise),
        "{first:?} {rest}"
    );
    world.run(5.0);
    let report = world.car.wheel_report(0);
    assert!((report.loaded_radius - (RADIUS - report.load / UNSPRUNG.tire_stiffness)).abs() < 1e-4);
}

/// In the air, wheels droop to their stops, and the car falls as a whole.
#[test]
fn unsprung_masses_fall_with_the_car() {
    let mut world = settled(&unsprung(|_| ()));
    world.body.position.z += 3.0;
    let height = world.body.position.z;
    world.steps(0.5, 1.0 / 60.0, |_| ());
    let fallen = height - world.body.position.z;
    assert!((fallen - 0.5 * 9.81 * 0.25).abs() < 0.05, "{fallen}");
    for n in 0..4 {
        let report = world.car.wheel_report(n);
        assert!(
            report.in_air && (report.jounce + 0.1).abs() < 1e-4,
            "{report:?}"
        );
        assert_eq!((report.load, report.loaded_radius), (0.0, RADIUS));
    }
}

/// Bars, curves of springs and dampers, and kinks of stops go together with unsprung masses.
#[test]
fn unsprung_masses_stand_on_bars_and_curves() {
    let model = unsprung(|params| {
        params.anti_roll = testing::four_wheeler().anti_roll;
        for wheel in &mut params.wheels {
            wheel.compliance.spring = vec![(-0.1, -0.08), (0.0, 0.0), (0.05, 0.05), (0.1, 0.2)];
            wheel.compliance.bump = vec![(0.1, 0.1), (1.0, 0.4)];
            wheel.compliance.shift =
                vec![(-0.1, Vec2::new(0.01, 0.0)), (0.1, Vec2::new(-0.01, 0.0))];
        }
    });
    let mut world = World::new(&model, 0.0, 0.15);
    world.run(10.0);
    let start = world.body.position;
    world.run(10.0);
    assert!((world.body.position - start).length() < 0.5e-3);
    let total: f32 = (0..4).map(|n| world.car.wheel_report(n).load).sum();
    let weight = 4.0 * CORNER * 9.81 * 0.15f32.cos();
    assert!((total / weight - 1.0).abs() < 2e-3, "{total} {weight}");
}

/// Placed in the ground, a car comes out slowly.
#[test]
fn a_buried_car_is_not_thrown_out() {
    let model = unsprung(|params| {
        for wheel in &mut params.wheels {
            wheel.suspension.max_compression = 0.1;
        }
    });
    let mut world = World::new(&model, 0.0, 0.0);
    world.body.position.z -= 0.25;
    let mut fastest: f32 = 0.0;
    world.steps(4.0, 1.0 / 60.0, |world| {
        fastest = fastest.max(world.velocity().z);
    });
    assert!(fastest < 2.5, "{fastest}");
    let rest = f64::from(HEIGHT - rest_deflection());
    assert!(
        (world.body.position.z - rest).abs() < 2e-3,
        "{}",
        world.body.position.z
    );
}

#[rstest]
#[case::mass(|p: &mut VehicleParams| p.wheels[1].unsprung.as_mut().unwrap().mass = 0.0,
    "wheels[1].unsprung.mass = 0 kg: must be finite and > 0")]
#[case::stiffness(|p: &mut VehicleParams| p.wheels[0].unsprung.as_mut().unwrap().tire_stiffness = f32::NAN,
    "wheels[0].unsprung.tire_stiffness = NaN N/m: must be finite and > 0")]
#[case::damping(|p: &mut VehicleParams| p.wheels[0].unsprung.as_mut().unwrap().tire_damping = -1.0,
    "wheels[0].unsprung.tire_damping = -1 N·s/m: must be finite and >= 0")]
#[case::some(|p: &mut VehicleParams| p.wheels[2].unsprung = None,
    "wheels[2].unsprung = false: all wheels have an unsprung mass, or none")]
#[case::explicit(|p: &mut VehicleParams| p.profile = Profile::PHYSX_4,
    "wheels[0].unsprung = given: needs the rows solver")]
#[case::sum(|p: &mut VehicleParams| p.wheels[0].suspension.sprung_mass = CORNER,
    "must sum to chassis.mass = 1500 kg within 1 %, with the unsprung masses")]
#[case::heavy(|p: &mut VehicleParams| {
    for wheel in &mut p.wheels {
        wheel.unsprung.as_mut().unwrap().mass = 200.0;
        wheel.suspension.sprung_mass = CORNER - 200.0;
    }
}, "chassis.mass = 1500 kg: includes that of the unsprung masses, which must be at most half: 800 kg")]
fn faults_of_unsprung_masses_are_named(
    #[case] change: fn(&mut VehicleParams),
    #[case] expected: &str,
) {
    let mut params = unsprung(|_| ()).params().clone();
    change(&mut params);
    let text = Checked::new(params).unwrap_err().to_string();
    assert!(text.contains(expected), "{text}");
}
