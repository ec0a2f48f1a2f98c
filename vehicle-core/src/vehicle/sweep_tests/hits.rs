//! Hits of a sweep on which a wheel stands, and extent of the sweep.

use proptest::prelude::*;

use super::*;
use crate::exchange::state::WheelState;
use crate::params::VehicleParams;
use crate::params::contact_policy::ContactPolicy;

/// A world that gives each sweep the same hits, the first of them first.
struct Answers<'a>(&'a [SweepHit]);

impl SweepQuery for Answers<'_> {
    fn sweep_first(&self, _: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        hits.fill(self.0.first().copied());
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], on_hit: &mut dyn FnMut(usize, SweepHit)) {
        for n in 0..sweeps.len() {
            self.0.iter().for_each(|hit| on_hit(n, *hit));
        }
    }
}

/// Center of the front left wheel of the sample car at jounce 0, from the center of mass (`m`).
const CENTER: Vec3 = Vec3::new(1.25, 1.05, -1.15);

/// A hit of level ground at `offset` (`m`) from the wheel's center at jounce 0, `distance` (`m`) along the sweep.
pub(super) fn hit(offset: Vec3, distance: f32) -> SweepHit {
    SweepHit {
        ground: GroundHit {
            distance,
            normal: Vec3::Z,
            material: MaterialId(0),
            body: None,
            collider: ColliderId(0),
            triangle: None,
        },
        point: CENTER + offset,
    }
}

/// Contact of the front left wheel at this `jounce` (`m`).
pub(super) fn contact_on(
    profile: Profile,
    settings: SweepSettings,
    jounce: f32,
    hits: &[SweepHit],
) -> Option<Contact> {
    let mut car = car(profile, settings);
    car.state_mut().wheels[0].jounce = W4::splat(jounce);
    let body = World::new(&[]).body;
    let taken = car.sweep(&body, &Answers(hits), &Surfaces::new(), |_| None);
    taken.unwrap();
    car.contacts()[0]
}

/// Whether the line from the center of a wheel that is `jounce` (`m`) up to this offset is within 45° of straight
/// down; `None` where rounding decides.
fn is_below(offset: Vec3, jounce: f32) -> Option<bool> {
    let (across, down) = (offset.x.abs(), jounce - offset.z);
    ((down - across).abs() > 1e-3).then_some(down > across)
}

fn offset() -> impl Strategy<Value = Vec3> {
    (-0.6_f32..0.6, -0.2_f32..0.2, -0.6_f32..0.6).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_reach_of_a_wheel_is_seen_from_its_center(
        offset in offset(), jounce in prop_oneof![-0.1_f32..0.3, Just(WheelState::UNKNOWN)],
    ) {
        let contact = contact_on(Profile::DEFAULT, SweepSettings::DEFAULT, jounce, &[hit(offset, 0.4)]);
        let contact = contact.expect("level ground faces the wheel");
        let up = if jounce == WheelState::UNKNOWN { 0.0 } else { jounce };
        if let Some(below) = is_below(offset, up) {
            prop_assert_eq!(contact.in_reach, below);
        }
        prop_assert!((contact.height + (CENTER + offset).z).abs() < 1e-5);
    }

    /// A wheel stands on the highest hit in reach, or else on the lowest of all, whatever their order.
    #[test]
    fn a_wheel_stands_on_the_highest_in_reach_or_else_on_the_lowest(
        offsets in proptest::collection::vec(offset(), 1..5), jounce in -0.1_f32..0.3,
    ) {
        let below: Option<Vec<bool>> = offsets.iter().map(|&offset| is_below(offset, jounce)).collect();
        prop_assume!(below.is_some());
        let below = below.unwrap_or_default();
        let heights = || offsets.iter().map(|offset| offset.z).zip(&below);
        let in_reach = heights().filter(|(_, below)| **below).map(|(z, _)| z);
        let highest = in_reach.max_by(f32::total_cmp);
        let lowest = heights().map(|(z, _)| z).min_by(f32::total_cmp);
        let expected = highest.or(lowest).map(|z| CENTER.z + z);
        let mut hits: Vec<_> = offsets.iter().map(|&offset| hit(offset, 0.4)).collect();
        for _ in 0..2 {
            let contact = contact_on(Profile::DEFAULT, SweepSettings::DEFAULT, jounce, &hits);
            prop_assert_eq!(contact.map(|contact| contact.point.z), expected);
            prop_assert_eq!(contact.map(|contact| contact.in_reach), Some(highest.is_some()));
            hits.reverse();
        }
    }

    /// A direct sweep's distance gives the jounce, but for a wheel that overlaps, which moves by none.
    #[test]
    fn a_direct_sweeps_distance_gives_the_jounce(offset in offset(), distance in 0.0_f32..0.9) {
        let direct = SweepSettings { direct: true, all_hits: false, ..SweepSettings::DEFAULT };
        for distance in [0.0, distance] {
            let contact = contact_on(Profile::DEFAULT, direct, 0.0, &[hit(offset, distance)]).unwrap();
            let jounce = if distance == 0.0 { offset.z + 0.5 } else { 0.3 + 0.5 - distance };
            // The plane is a radius below the center, which is as far up.
            let height = 1.15 + 0.5 - jounce;
            prop_assert!((contact.height - height).abs() < 1e-5, "{}", contact.height);
        }
    }

    /// Steered by any angle, on a body turned in any way: sweeps turn along, and are as long.
    #[test]
    fn sweeps_turn_with_the_body(axis in offset(), angle in -3.0_f32..3.0, steer in -0.5_f32..0.5) {
        let mut car = car(Profile::DEFAULT, SweepSettings::DEFAULT);
        car.state_mut().wheels[0].steer = W4::splat(steer);
        let mut body = World::new(&[]).body;
        let mut plain = [sweep::NO_SWEEP; 4];
        car.plan_sweeps(&body, &mut plain);
        body.rotation = math::rotation_about(axis.normalize_or(Vec3::Z), angle);
        let mut turned = plain;
        car.plan_sweeps(&body, &mut turned);
        for (a, b) in plain.iter().zip(&turned) {
            let turn = |v: Vec3| math::matrix(body.rotation) * v;
            prop_assert!((turn(a.offset) - b.offset).length() < 1e-5);
            prop_assert!((turn(a.direction) - b.direction).length() < 1e-5);
            prop_assert!((turn(a.axle) - b.axle).length() < 1e-5);
            prop_assert_eq!((a.length, a.shape, a.anchor), (b.length, b.shape, b.anchor));
        }
    }
}

/// A sweep goes from a radius above full compression to full droop, with the wheel's own shape and layers.
#[rstest]
fn a_sweep_goes_from_above_full_compression_to_full_droop(
    #[values(Profile::DEFAULT, Profile::PHYSX_4)] profile: Profile,
) {
    let mut params = testing::four_wheeler();
    params.profile = profile;
    params.probe = Probe::Sweep(SweepSettings::DEFAULT);
    for n in [1, 0, 3] {
        let mut wheel = params.wheels[n].clone();
        wheel.position.x = -0.1 * n as f32;
        wheel.suspension.sprung_mass = 1e-3;
        params.wheels.push(wheel);
    }
    for (n, wheel) in params.wheels.iter_mut().enumerate() {
        (wheel.radius, wheel.width) = (0.5 - 0.02 * n as f32, 0.4 - 0.01 * n as f32);
        (wheel.layers, wheel.enabled) = (1 << n, n != 5);
    }
    let car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
    let body = World::new(&[]).body;
    let mut sweeps = [sweep::NO_SWEEP; 7];
    car.plan_sweeps(&body, &mut sweeps);
    for (n, (wheel, sweep)) in car.model().params().wheels.iter().zip(sweeps).enumerate() {
        let start = wheel.position + Vec3::Z * (0.3 + wheel.radius);
        assert!((sweep.offset - start).length() < 1e-6, "{n}");
        let end = sweep.offset + sweep.direction * sweep.length;
        assert!(
            (end - (wheel.position - Vec3::Z * 0.1)).length() < 1e-6,
            "{n}"
        );
        let shape = (sweep.shape.radius, sweep.shape.half_width);
        assert_eq!(shape, (wheel.radius, 0.5 * wheel.width), "{n}");
        let layers = if n == 5 { 0 } else { 1 << n };
        assert_eq!(
            (sweep.filter, sweep.filter.layers),
            (car.wheel_filter(n), layers)
        );
    }
}

/// In PhysX's rules the shape must have begun on the open side of what it hit: above a radius under its start.
#[rstest]
#[case::under_the_start(-0.001, true)]
#[case::around_the_start(0.001, false)]
fn physx_takes_what_the_shape_began_above(#[case] above: f32, #[case] stands: bool) {
    let settings = SweepSettings {
        policy: ContactPolicy::PHYSX,
        ..SweepSettings::DEFAULT
    };
    let offset = Vec3::Z * (0.3 + above);
    for profile in [Profile::DEFAULT, Profile::PHYSX_4] {
        let contact = contact_on(profile, settings, 0.0, &[hit(offset, 0.4)]);
        assert_eq!(contact.is_some(), stands);
    }
}

/// A surface that is met from behind, or along its face, is no ground.
#[rstest]
#[case::behind(Vec3::NEG_Z)]
#[case::along(Vec3::X)]
fn a_wheel_stands_on_nothing_that_does_not_face_it(
    #[case] normal: Vec3,
    #[values(false, true)] all_hits: bool,
) {
    let settings = SweepSettings {
        all_hits,
        ..SweepSettings::DEFAULT
    };
    let mut wall = hit(Vec3::Z * -0.5, 0.4);
    wall.ground.normal = normal;
    assert_eq!(contact_on(Profile::DEFAULT, settings, 0.0, &[wall]), None);
}

/// The length that rays and sweeps of the rows solver have over the explicit solver's.
fn looks_ahead(probe: Probe, body: &BodyState) -> [f32; 4] {
    let lengths = |profile: Profile| {
        let mut params: VehicleParams = testing::four_wheeler();
        (params.profile, params.probe) = (profile, probe);
        let car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
        let (mut rays, mut sweeps) = ([GroundRay::BLANK; 4], [sweep::NO_SWEEP; 4]);
        if probe == Probe::Ray {
            car.plan_rays(body, &mut rays);
            rays.map(|ray| ray.length)
        } else {
            car.plan_sweeps(body, &mut sweeps);
            sweeps.map(|sweep| sweep.length)
        }
    };
    let (rows, explicit) = (lengths(Profile::DEFAULT), lengths(Profile::PHYSX_4));
    core::array::from_fn(|n| rows[n] - explicit[n])
}

/// Rays and sweeps reach as far as a wheel comes down in 1/20 s onto ground that stands up to 60° against it.
#[rstest]
#[case::falls(Vec3::new(0.0, 0.0, -4.0), Vec3::ZERO, [0.2; 4])]
#[case::rises(Vec3::new(0.0, 0.0, 4.0), Vec3::ZERO, [0.0; 4])]
#[case::drives(Vec3::new(3.0, 4.0, 0.0), Vec3::ZERO, [0.25 * 1.732; 4])]
#[case::drives_and_falls(Vec3::new(3.0, 4.0, -2.0), Vec3::ZERO, [0.1 + 0.25 * 1.732; 4])]
fn rays_and_sweeps_reach_as_far_as_a_wheel_may_land(
    #[case] velocity: Vec3,
    #[case] turning: Vec3,
    #[case] expected: [f32; 4],
    #[values(Probe::Ray, Probe::Sweep(SweepSettings::DEFAULT))] probe: Probe,
) {
    let mut body = World::new(&[]).body;
    (body.linear_velocity, body.angular_velocity) = (velocity, turning);
    let actual = looks_ahead(probe, &body);
    for (n, (actual, expected)) in actual.into_iter().zip(expected).enumerate() {
        assert!((actual - expected).abs() < 1e-5, "{n}: {actual} {expected}");
    }
}

/// A body that pitches down takes its front feet down and its rear feet up: what counts is where a ray ends, or
/// where the swept wheel touches in full droop, so far below the center of mass.
#[rstest]
#[case::ray(Probe::Ray, 2.25)]
#[case::sweep(Probe::Sweep(SweepSettings::DEFAULT), 1.75)]
fn a_turning_body_takes_feet_along(#[case] probe: Probe, #[case] below: f32) {
    let mut body = World::new(&[]).body;
    body.angular_velocity = Vec3::Y;
    let actual = looks_ahead(probe, &body);
    for (actual, down) in actual.into_iter().zip([1.25, 1.25, -1.75, -1.75]) {
        let expected = 0.05 * (down + 1.732 * below);
        assert!((actual - expected).abs() < 1e-5, "{actual} {expected}");
    }
}

/// In PhysX's legacy vehicles a step has swept wheels as they looked for the ground; in PhysX 5 as they are
/// steered now. Here they looked turned, and are steered straight.
#[rstest]
#[case::lags(Profile::PHYSX_4, 0.4)]
#[case::follows(Profile::PHYSX_5, 0.0)]
fn swept_wheels_stand_as_they_looked_or_as_they_are(#[case] profile: Profile, #[case] turned: f32) {
    let mut car = car(profile, SweepSettings::DEFAULT);
    car.state_mut().wheels[0].steer = W4::splat(0.4);
    let body = World::new(&[LEVEL]).body;
    let command = Command::Car(CarCommand::default());
    car.update(&body, &command, GRAVITY, DT).unwrap();
    let axle = car.swept[0].expect("its wheels are swept").axle.lane(0);
    let (sin, cos) = math::sin_cos(turned);
    assert!((axle - Vec3::new(-sin, cos, 0.0)).length() < 1e-6, "{axle}");
}

/// Wheels that were swept stand on a slope on their shoulders; those of rays on their middle.
#[test]
fn wheels_that_are_swept_no_longer_stand_as_rays_do() {
    let mut swept = car(Profile::DEFAULT, SweepSettings::DEFAULT);
    let normal = Vec3::new(0.0, -0.2, 1.0).normalize();
    let mut world = World::new(&[(Vec3::ZERO, normal)]);
    go(&mut swept, &mut world, 3).unwrap();
    let mut params = testing::four_wheeler();
    params.profile = Profile::DEFAULT;
    let rays = Arc::new(testing::model_of(params));
    let mut new = Vehicle::new(Arc::clone(swept.model()), BodyId(7));
    new.restore(swept.state().clone()).unwrap();
    let command = Command::Car(CarCommand::default());
    let [actual, expected] = [&mut swept, &mut new].map(|car| {
        car.set_model(Arc::clone(&rays));
        let outcome = car.update(&world.body, &command, GRAVITY, DT).unwrap();
        (outcome, car.state().clone())
    });
    assert_eq!(actual, expected);
}

/// Every hit is reported, and those that a wheel may stand on are those among which it chooses.
#[test]
fn hits_are_shown_with_the_verdict_on_them() {
    let ahead = Vec3::new(0.45, 0.0, -0.1);
    let (ground, wall) = (hit(Vec3::NEG_Z * 0.5, 0.9), hit(ahead, 0.4));
    let steep = SweepHit {
        ground: GroundHit {
            normal: Vec3::new(-0.8, 0.0, 0.6),
            ..wall.ground
        },
        ..wall
    };
    let car = car(Profile::DEFAULT, SweepSettings::DEFAULT);
    let mut reported = Vec::new();
    let body = World::new(&[]).body;
    car.examine_sweeps(
        &body,
        &Answers(&[steep, ground]),
        &mut |wheel, hit, stands| {
            reported.push((wheel, hit, stands));
        },
    );
    assert_eq!(reported.len(), 8);
    assert_eq!(reported[..2], [(0, steep, false), (0, ground, true)]);
    let stood = contact_on(
        Profile::DEFAULT,
        SweepSettings::DEFAULT,
        0.0,
        &[steep, ground],
    );
    assert_eq!(stood.unwrap().hit, ground.ground);
    assert_eq!(
        contact_on(Profile::DEFAULT, SweepSettings::DEFAULT, 0.0, &[steep]),
        None
    );
}
