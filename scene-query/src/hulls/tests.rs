//! Boxes that stand on each other, run into each other, and carry wheels.

use super::*;
use crate::grounds::Grounds;
use crate::joint::{JointDesc, JointFrame, JointKind};
use crate::plane::Plane;
use crate::standalone::Standalone;
use glam::{DVec3, Quat};
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::frame::Axis;
use vehicle_core::step_result::Reaction;
use vehicle_core::wheel_shape::{ShapeKind, WheelShape};
use vehicle_core::{QueryFilter, RigidBodies as _, SceneQuery as _, SweepQuery as _};

const G: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;
const NOBODY: BodyId = BodyId(1 << 40);

fn crate_at(position: DVec3, mass: f32) -> BodyDesc {
    let half_extents = Vec3::splat(0.5);
    BodyDesc {
        hull: Some(CollisionBox {
            half_extents,
            center: Vec3::ZERO,
            friction: 0.5,
            layers: u32::MAX,
        }),
        ..BodyDesc::at_rest(position, mass, BodyDesc::box_inertia(mass, half_extents))
    }
}

fn level() -> Standalone {
    Standalone::new(Plane::level(Axis::Z, 0.0).unwrap())
}

fn put(world: &mut Standalone, desc: &BodyDesc, presence: HullPresence) -> BodyId {
    let id = world.add(desc).unwrap();
    world.set_presence(id, presence).unwrap();
    id
}

fn pass(world: &mut Standalone, gravity: Vec3, seconds: f32) {
    for _ in 0..(seconds / DT).round() as usize {
        world.step(gravity, DT);
    }
}

fn place(world: &Standalone, id: BodyId) -> DVec3 {
    world.body(id).unwrap().now().position
}

/// Three crates, of which the upper ones are as heavy as or heavier than the one under them: they stand, and sleep.
#[rstest]
#[case::alike([100.0; 3])]
#[case::heavier_above([100.0, 200.0, 400.0])]
fn crates_stand_on_each_other(#[case] masses: [f32; 3]) {
    let mut world = level();
    let heights = [0.5, 1.5, 2.5];
    let ids = [0, 1, 2].map(|n| {
        let at = DVec3::new(0.1 * n as f64, 0.0, heights[n]);
        put(&mut world, &crate_at(at, masses[n]), HullPresence::Solid)
    });
    pass(&mut world, G, 1.0);
    let stood = ids.map(|id| place(&world, id));
    pass(&mut world, G, 4.0);
    for ((id, stood), height) in ids.into_iter().zip(stood).zip(heights) {
        let now = world.body(id).unwrap();
        assert!((now.now().position.z - height).abs() < 0.01, "{now:?}");
        assert!(now.now().position.distance(stood) < 1e-3, "{now:?}");
        assert!(now.is_asleep(), "{now:?}");
    }
}

/// A crate that is pushed with less than its friction on another one stays, with more it slides as on ground.
#[rstest]
#[case::holds(0.4, 0.0)]
#[case::slides(0.7, 0.2 * 9.81 / 2.0)]
fn friction_holds_a_crate_on_another(#[case] push: f32, #[case] expected: f64) {
    let (mass, mut world) = (100.0, level());
    let flat = |height: f64, mass: f32| {
        let desc = crate_at(DVec3::Z * height, mass);
        let half_extents = Vec3::new(2.0, 2.0, 0.1);
        let hull = desc.hull.map(|hull| CollisionBox {
            half_extents,
            ..hull
        });
        let inertia = BodyDesc::box_inertia(mass, half_extents);
        BodyDesc {
            hull,
            inertia,
            ..desc
        }
    };
    // The lower one is far heavier, so that it stays.
    put(&mut world, &flat(0.1, 1e5), HullPresence::Solid);
    let upper = put(&mut world, &flat(0.3, mass), HullPresence::Solid);
    pass(&mut world, G, 0.5);
    let start = place(&world, upper).x;
    let force = Vec3::X * (push * mass * G.length());
    world.set_force(upper, force, Vec3::ZERO).unwrap();
    pass(&mut world, G, 1.0);
    let way = place(&world, upper).x - start;
    assert!((way - expected).abs() < 0.03, "{way} m");
}

#[rstest]
#[case::solid(HullPresence::Solid, true, false)]
#[case::ground(HullPresence::Ground, true, true)]
#[case::ghost(HullPresence::Ghost, false, false)]
fn presence_says_what_meets_a_hull(
    #[case] presence: HullPresence,
    #[case] solid: bool,
    #[case] found: bool,
) {
    let mut world = Standalone::new(Grounds::default());
    let moving = BodyDesc {
        linear_velocity: Vec3::X * 4.0,
        ..crate_at(DVec3::X * -2.0, 100.0)
    };
    let runner = put(&mut world, &moving, HullPresence::Solid);
    let hit = put(&mut world, &crate_at(DVec3::ZERO, 100.0), presence);
    let ray = GroundRay {
        anchor: DVec3::Z * 3.0,
        offset: Vec3::ZERO,
        direction: Vec3::NEG_Z,
        length: 5.0,
        filter: QueryFilter::except(NOBODY),
    };
    let fixed_only = GroundRay {
        filter: QueryFilter {
            dynamic_bodies: false,
            ..ray.filter
        },
        ..ray
    };
    let ignoring = GroundRay {
        filter: QueryFilter::except(hit),
        ..ray
    };
    let mut hits = [None; 3];
    world.cast_rays(&[ray, fixed_only, ignoring], &mut hits);
    let told = hits.map(|hit| hit.map(|hit| (hit.distance, hit.body)));
    assert_eq!(told, [found.then_some((2.5, Some(hit))), None, None]);
    let sweep = GroundSweep {
        anchor: ray.anchor,
        offset: Vec3::ZERO,
        axle: Vec3::Y,
        shape: WheelShape {
            kind: ShapeKind::Cylinder,
            radius: 0.4,
            half_width: 0.1,
        },
        direction: Vec3::NEG_Z,
        length: 5.0,
        filter: ray.filter,
    };
    let mut swept = [None];
    world.sweep_first(&[sweep], &mut swept);
    let swept = swept[0].map(|hit| hit.ground);
    assert_eq!(swept.and_then(|ground| ground.body), found.then_some(hit));
    assert!(
        swept.is_none_or(|ground| (ground.distance - 2.1).abs() < 1e-4),
        "{swept:?}"
    );
    pass(&mut world, Vec3::ZERO, 1.0);
    let speeds = [runner, hit].map(|id| world.body(id).unwrap().now().linear_velocity.x);
    let expected = if solid { [2.0, 2.0] } else { [4.0, 0.0] };
    for (speed, expected) in speeds.into_iter().zip(expected) {
        assert!((speed - expected).abs() < 1e-3, "{speeds:?}");
    }
}

/// Joined bodies do not push each other apart, and removed bodies meet nothing.
#[test]
fn joined_and_removed_hulls_meet_nothing() {
    let mut world = Standalone::new(Grounds::default());
    let ids = [0.0, 0.6].map(|x| {
        let desc = crate_at(DVec3::X * x, 100.0);
        put(&mut world, &desc, HullPresence::Ground)
    });
    let joint = world
        .join(&JointDesc {
            bodies: ids,
            frames: [
                JointFrame::at(Vec3::X * 0.3),
                JointFrame::at(Vec3::X * -0.3),
            ],
            kind: JointKind::Ball,
        })
        .unwrap();
    pass(&mut world, Vec3::ZERO, 0.5);
    assert!((place(&world, ids[1]).x - 0.6).abs() < 1e-4);
    world.part(joint);
    let mut alone = world.clone();
    alone.remove(ids[0]).unwrap();
    world
        .set_pose(ids[1], DVec3::X * 0.6, Quat::IDENTITY)
        .unwrap();
    for world in [&mut world, &mut alone] {
        pass(world, Vec3::ZERO, 0.5);
    }
    assert!(place(&world, ids[1]).x > 0.8);
    assert!((place(&alone, ids[1]).x - 0.6).abs() < 1e-4);
}

/// A reaction on a sleeping crate moves the one that leans on it, too.
#[test]
fn what_is_pushed_wakes_what_it_touches() {
    let mut world = level();
    let ids = [0.0, 1.0].map(|x| {
        let desc = crate_at(DVec3::new(x, 0.0, 0.5), 100.0);
        put(&mut world, &desc, HullPresence::Ground)
    });
    pass(&mut world, G, 3.0);
    assert!(ids.iter().all(|id| world.body(*id).unwrap().is_asleep()));
    for _ in 0..30 {
        world.react(&[Reaction {
            body: ids[0],
            anchor: place(&world, ids[0]),
            offset: Vec3::ZERO,
            force: Vec3::X * 2000.0,
            torque: Vec3::ZERO,
        }]);
        world.step(G, DT);
    }
    assert!(place(&world, ids[1]).x > 1.2, "{}", place(&world, ids[1]));
}

/// Two crates with this threshold of sleep that meet in free space keep their momentum, and gain no energy.
fn keep_momentum(
    sleep_threshold: f32,
    (y, z, speed): (f64, f64, f32),
    (turn, spin, mass): (f32, f32, f32),
) -> Result<(), TestCaseError> {
    let mut world = Standalone::new(Grounds::default());
    let runner = BodyDesc {
        rotation: math::rotation_about(Vec3::new(0.6, 0.0, 0.8), turn),
        linear_velocity: Vec3::X * speed,
        angular_velocity: Vec3::Y * spin,
        ..crate_at(DVec3::new(-2.0, y, z), mass)
    };
    let ids = [runner, crate_at(DVec3::ZERO, 100.0)].map(|desc| {
        let desc = BodyDesc {
            sleep_threshold,
            ..desc
        };
        put(&mut world, &desc, HullPresence::Solid)
    });
    let measure = |world: &Standalone| {
        let all = ids.map(|id| *world.body(id).unwrap().now());
        let momentum: Vec3 = all.iter().map(|now| now.linear_velocity * now.mass).sum();
        let energy: f32 = all
            .iter()
            .map(|now| {
                let turning = math::matrix(now.rotation).transpose() * now.angular_velocity;
                let v = now.linear_velocity;
                0.5 * (now.mass * v.dot(v) + turning.dot(now.inertia * turning))
            })
            .sum();
        (momentum, energy)
    };
    let before = measure(&world);
    pass(&mut world, Vec3::ZERO, 3.0);
    let after = measure(&world);
    let lost = (after.0 - before.0).length();
    prop_assert!(lost < 1e-4 * before.0.length(), "{before:?} {after:?}");
    prop_assert!(after.1 < 1.001 * before.1, "{before:?} {after:?}");
    Ok(())
}

/// The one that is hit is almost too slow to stay awake: it falls asleep with all that the other one gave, not between two
/// halves of it.
#[test]
fn what_falls_asleep_in_a_hit_keeps_the_momentum() {
    let threshold = crate_at(DVec3::ZERO, 1.0).sleep_threshold;
    keep_momentum(
        threshold,
        (0.821_442_7, -0.602_030_95, 1.0),
        (-2.606_531_9, 0.0, 20.0),
    )
    .unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Bodies that never sleep keep their momentum: each soft push on a sleeper is lost in its sleep.
    #[test]
    fn momentum_is_kept(
        place in (-0.9..0.9_f64, -0.9..0.9_f64, 1.0..20.0_f32),
        turning in (-3.0..3.0_f32, -5.0..5.0_f32, 20.0..2000.0_f32),
    ) {
        keep_momentum(0.0, place, turning)?;
    }
}
