//! User actions on a world: platforms, pushes, boxes, teleports, snapshots.

use jounce::core::{Motion, StepResult};

use super::super::*;
use crate::ground::{GroundSpec, MeshUp};

const G: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 64.0;
const MASS: f32 = 800.0;

/// A world over level ground.
fn flat(kind: WorldKind) -> Box<dyn World> {
    let terrain = Terrain::new(&GroundSpec::Flat, MeshUp::Y).unwrap();
    open(kind, &terrain, DT).unwrap()
}

/// An 800 kg cube of 1 m in the air.
fn cube(x: f64) -> BodyDesc {
    let half_extents = Vec3::splat(0.5);
    BodyDesc {
        hull: Some(CollisionBox {
            half_extents,
            center: Vec3::ZERO,
            friction: HULL_FRICTION,
            layers: u32::MAX,
        }),
        ..BodyDesc::at_rest(
            DVec3::new(x, 0.0, 3.0),
            MASS,
            BodyDesc::box_inertia(MASS, half_extents),
        )
    }
}

fn pass(world: &mut dyn World, gravity: Vec3, steps: usize) {
    for _ in 0..steps {
        world.advance(gravity, DT);
    }
}

#[test]
fn a_platform_is_ground_that_moves() {
    for &kind in WorldKind::all() {
        let mut world = flat(kind);
        // A ray from `SKY` resolves heights to half a millimeter.
        let height = |world: &dyn World, x, y| world.ground_at(DVec2::new(x, y)).unwrap().0.z;
        let id = world.add_platform(DVec3::new(0.0, 0.0, 2.0)).unwrap();
        assert!((height(&*world, 39.9, 39.8) - 2.0).abs() < 1e-3);
        assert!(height(&*world, 40.1, 0.0).abs() < 1e-6);
        pass(&mut *world, G, 64);
        assert!((height(&*world, 39.9, 39.8) - 2.0).abs() < 1e-3);

        // An eighth of a turn in a second, and its corners reach 56.6 m.
        let (linear, angular) = (
            Vec3::new(1.0, 0.0, 0.5),
            Vec3::Z * core::f32::consts::FRAC_PI_4,
        );
        world.set_platform_velocity(id, linear, angular).unwrap();
        pass(&mut *world, G, 64);
        for (x, y) in [(57.4, 0.0), (1.0, 56.4)] {
            assert!((height(&*world, x, y) - 2.5).abs() < 1e-3);
        }
        assert!(height(&*world, 39.0, 39.0).abs() < 1e-6);
        let motion = world.ground_motion(id).unwrap();
        assert!((motion.position - DVec3::new(1.0, 0.0, 2.5)).length() < 1e-5);
        let velocities = (motion.linear_velocity, motion.angular_velocity);
        assert_eq!((velocities, motion.mass), ((linear, angular), None));

        // It tilts about the center of its top.
        world
            .set_platform_velocity(id, Vec3::ZERO, Vec3::Y * 0.1)
            .unwrap();
        pass(&mut *world, G, 64);
        let (middle, normal) = world.ground_at(DVec2::X).unwrap();
        assert!((middle.z - 2.5).abs() < 1e-3, "{middle}");
        assert!((normal - Vec3::new(0.1_f32.sin(), 0.0, 0.1_f32.cos())).length() < 1e-5);
    }
}

#[test]
fn a_push_lasts_until_the_next_and_outcomes_keep_it() {
    for &kind in WorldKind::all() {
        let mut world = flat(kind);
        let id = world.add_body(&cube(0.0)).unwrap();
        let speed = |world: &dyn World| world.body_state(id).unwrap().linear_velocity;
        let expect = |world: &dyn World, v: Vec3| assert!((speed(world) - v).length() < 1e-4);
        world.push(id, Vec3::X * 1600.0).unwrap();
        pass(&mut *world, Vec3::ZERO, 64);
        expect(&*world, Vec3::X * 2.0);
        let stand = StepResult {
            motion: Motion::StepMotion {
                linear: Vec3::ZERO,
                angular: Vec3::ZERO,
                canceled_acceleration: G,
                canceled_angular_acceleration: Vec3::ZERO,
            },
            wake: true,
        };
        for _ in 0..64 {
            world.apply(&[id], &[stand]).unwrap();
            pass(&mut *world, G, 1);
            expect(&*world, Vec3::X * 2.0 * DT);
        }
        world.push(id, Vec3::Y * 800.0).unwrap();
        pass(&mut *world, Vec3::ZERO, 64);
        expect(&*world, Vec3::new(2.0 * DT, 1.0, 0.0));
        world.push(id, Vec3::ZERO).unwrap();
        pass(&mut *world, Vec3::ZERO, 64);
        expect(&*world, Vec3::new(2.0 * DT, 1.0, 0.0));
    }
}

#[test]
fn a_teleport_moves_a_body_and_nothing_else() {
    for &kind in WorldKind::all() {
        let mut world = flat(kind);
        let id = world.add_body(&cube(0.0)).unwrap();
        pass(&mut *world, G, 16);
        let before = world.body_state(id).unwrap();
        let by = DVec3::new(128.0, -4.0, 2.0);
        world.teleport(id, by).unwrap();
        let after = world.body_state(id).unwrap();
        assert!((after.position - before.position - by).length() < 1e-5);
        let expected = BodyState {
            position: after.position,
            ..before
        };
        assert_eq!(after, expected);
        pass(&mut *world, G, 300);
        let landed = world.body_state(id).unwrap();
        assert!((landed.position - DVec3::new(128.0, -4.0, 0.5)).length() < 0.05);
        assert!(landed.asleep);
        world.teleport(id, DVec3::Z).unwrap();
        assert!(!world.body_state(id).unwrap().asleep);
    }
}

#[test]
fn a_box_collides_with_a_chassis() {
    for &kind in WorldKind::all() {
        let mut world = flat(kind);
        let car = world.add_body(&cube(3.0)).unwrap();
        let moving = BodyDesc {
            linear_velocity: Vec3::X * 4.0,
            ..cube(0.0)
        };
        let crate_ = world.add_box(&moving).unwrap();
        pass(&mut *world, Vec3::ZERO, 64);
        let speed = |id| world.body_state(id).unwrap().linear_velocity.x;
        assert!(speed(car) > 1.0 && speed(crate_) < 3.0);
        assert!((speed(car) + speed(crate_) - 4.0).abs() < 1e-3);
        // Unlike a chassis, it is ground for wheels.
        let at = world.body_state(crate_).unwrap().position;
        let ray = GroundRay {
            anchor: at,
            offset: Vec3::Z * 2.0,
            direction: Vec3::NEG_Z,
            length: 4.0,
            filter: QueryFilter::except(car),
        };
        let mut hits = [None];
        world.cast_rays(&[ray], &mut hits);
        assert_eq!(hits[0].unwrap().body, Some(crate_));
    }
}

#[test]
fn a_restored_world_continues_bit_for_bit() {
    for &kind in WorldKind::all() {
        let mut world = flat(kind);
        // Much of Avian's state cannot be set from outside.
        if world.name() == "Avian" && world.snapshots().is_none() {
            continue;
        }
        let platform = world.add_platform(DVec3::Z * -4.0).unwrap();
        let up = Vec3::new(0.0, 0.3, 0.5);
        world.set_platform_velocity(platform, up, up).unwrap();
        let bodies = [0.0, 0.9].map(|x| world.add_body(&cube(x)).unwrap());
        world.push(bodies[0], Vec3::new(900.0, 77.0, 5.0)).unwrap();
        pass(&mut *world, G, 40);
        let saved = world.snapshot().unwrap();
        let go_on = |world: &mut dyn World| {
            pass(world, G, 100);
            let states = bodies.map(|id| world.body_state(id).unwrap());
            (states, world.ground_motion(platform))
        };
        let expected = go_on(&mut *world);
        for _ in 0..2 {
            world.restore(&saved).unwrap();
            assert_eq!(go_on(&mut *world), expected);
        }
    }
}

#[test]
fn a_snapshot_of_another_world_is_refused() {
    let [mut standalone, mut rapier] = [WorldKind::Standalone, WorldKind::Rapier].map(flat);
    let error = rapier.restore(&standalone.snapshot().unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Rapier: the snapshot is of another world"
    );
    assert!(standalone.restore(&rapier.snapshot().unwrap()).is_err());
}

#[test]
fn missing_bodies_are_errors() {
    for &kind in WorldKind::all() {
        let mut world = flat(kind);
        let body = world.add_body(&cube(0.0)).unwrap();
        let platform = world.add_platform(DVec3::ZERO).unwrap();
        for id in [platform, BodyId(u64::MAX)] {
            assert!(world.push(id, Vec3::X).is_err());
            assert!(world.teleport(id, DVec3::X).is_err());
        }
        for id in [body, BodyId(u64::MAX)] {
            assert!(world.set_platform_velocity(id, Vec3::X, Vec3::X).is_err());
        }
    }
}

#[test]
fn an_origin_shift_moves_nothing() {
    for &kind in WorldKind::all() {
        let mut world = flat(kind);
        let to = DVec3::new(64.0, -32.0, 8.0);
        let platform = world.add_platform(DVec3::new(0.0, 0.0, 2.0)).unwrap();
        let id = world.add_body(&cube(0.0)).unwrap();
        pass(&mut *world, Vec3::ZERO, 1);
        let before = world.body_state(id).unwrap();
        world.shift_origin(to).unwrap();
        let after = world.body_state(id).unwrap();
        assert_eq!(
            after,
            BodyState {
                position: before.position - to,
                ..before
            }
        );
        let height = |x: f64, y: f64| {
            let place = DVec2::new(x, y) - to.truncate();
            world.ground_at(place).unwrap().0.z + to.z
        };
        assert!((height(39.9, 39.8) - 2.0).abs() < 1e-3);
        assert!(height(40.1, 0.0).abs() < 1e-3);
        let motion = world.ground_motion(platform).unwrap();
        assert_eq!(motion.position, DVec3::new(0.0, 0.0, 2.0) - to);
    }
}

#[test]
fn joined_bodies_stay_together() {
    let hitch = DVec3::new(1.5, 0.0, 3.0);
    for &kind in WorldKind::all() {
        let mut world = flat(kind);
        let [a, b] = [0.0, 3.0].map(|x| world.add_body(&cube(x)).unwrap());
        world.join(a, b, hitch).unwrap();
        world.push(a, Vec3::NEG_X * 1600.0).unwrap();
        pass(&mut *world, Vec3::ZERO, 64);
        let [a, b] = [a, b].map(|id| world.body_state(id).unwrap());
        assert!((a.linear_velocity.x + 1.0).abs() < 1e-2, "{a:?}");
        assert!((b.position.x - a.position.x - 3.0).abs() < 1e-3);
    }
}

/// A hull's friction applies on any ground.
#[test]
fn a_slippery_hull_slides() {
    for &kind in WorldKind::all() {
        let speed = |friction: f32| {
            let mut world = flat(kind);
            let mut desc = BodyDesc {
                linear_velocity: Vec3::X * 4.0,
                sleep_threshold: 0.0,
                ..cube(0.0)
            };
            desc.position.z = 0.5;
            desc.hull = desc.hull.map(|hull| CollisionBox { friction, ..hull });
            let id = world.add_body(&desc).unwrap();
            pass(&mut *world, G, 32);
            world.body_state(id).unwrap().linear_velocity.x
        };
        assert!((speed(0.0) - 4.0).abs() < 1e-3);
        assert!((speed(0.5) - (4.0 - 0.5 * 9.81 * 0.5)).abs() < 0.1);
    }
}

#[test]
fn a_body_may_stay_awake() {
    for &kind in WorldKind::all() {
        let asleep = |sleep_threshold: f32| {
            let mut world = flat(kind);
            let mut desc = BodyDesc {
                sleep_threshold,
                ..cube(0.0)
            };
            desc.position.z = 0.5;
            let id = world.add_body(&desc).unwrap();
            pass(&mut *world, G, 256);
            world.body_state(id).unwrap().asleep
        };
        assert!(asleep(0.005) && !asleep(0.0));
    }
}
