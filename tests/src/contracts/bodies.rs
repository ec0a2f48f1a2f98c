//! Reading bodies: `RigidBodies::read` and `ground_motion`.

use glam::{DVec3, Mat3, Quat, Vec3};
use jounce::core::{BodyError, BodyId, BodyState, Motion};
use jounce::scene::{BodyDesc, CollisionBox};
use proving_ground::world::{ColliderShape, ColliderSpec, World};

use super::{DT, G, NOBODY, apart, awake, bare, brick, cube, slab, slant};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 9] = [
    Case::measured("a body is read as it was added", OFF, 1e-5, as_added),
    Case::measured("damping slows a body", OFF, 2e-3, damped),
    Case::sentence("numbers that are not finite are refused", refused),
    Case::sentence("bodies are read in the order asked for", in_order),
    Case::sentence("a body that is not there is an error", missing),
    Case::sentence("a body that was removed is an error", removed).needs(Need::Removal),
    Case::sentence("a body that is not dynamic is an error", not_dynamic).needs(Need::MovingGround),
    Case::sentence("bodies before one that is missing are served", served),
    Case::sentence("the motion of ground is that of its body", motion).needs(Need::MovingGround),
];

const OFF: &str = "relative error [−]";

/// A body with a distinct number in every field.
fn moving() -> BodyDesc {
    BodyDesc {
        rotation: slant(),
        linear_velocity: Vec3::new(1.0, -2.0, 0.5),
        angular_velocity: Vec3::new(0.25, 0.5, -1.0),
        linear_damping: 0.125,
        angular_damping: 0.25,
        ..brick(DVec3::new(3.0, -4.0, 5.0))
    }
}

fn as_added(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let desc = moving();
    let id = world.add_body(&desc)?;
    let state = world.body_state(id)?;
    let turned = 1.0 - f64::from(state.rotation.dot(desc.rotation)).abs();
    let off = [
        state.position.distance(desc.position),
        turned,
        apart(state.linear_velocity, desc.linear_velocity),
        apart(state.angular_velocity, desc.angular_velocity),
        f64::from(state.mass / desc.mass - 1.0).abs(),
        f64::from(state.linear_damping - desc.linear_damping).abs(),
        f64::from(state.angular_damping - desc.angular_damping).abs(),
    ];
    expect(!state.asleep, || "it sleeps".to_owned())?;
    Ok(off.into_iter().fold(0.0, f64::max).into())
}

/// Compares velocities after a second with `exp(−damping·t)`.
fn damped(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let desc = BodyDesc {
        inertia: Mat3::from_diagonal(Vec3::splat(400.0)),
        ..moving()
    };
    let id = world.add_body(&desc)?;
    for _ in 0..64 {
        world.advance(Vec3::ZERO, DT);
    }
    let state = world.body_state(id)?;
    let off = |now: Vec3, then: Vec3, damping: f32| {
        apart(now, then * (-damping).exp()) / f64::from(then.length())
    };
    let linear = off(
        state.linear_velocity,
        desc.linear_velocity,
        desc.linear_damping,
    );
    let angular = off(
        state.angular_velocity,
        desc.angular_velocity,
        desc.angular_damping,
    );
    Ok(linear.max(angular).into())
}

/// Each kind of number, one at a time; the world then goes on.
fn refused(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let (good, nan) = (cube(DVec3::ZERO), f32::NAN);
    let hull = |change: fn(CollisionBox) -> CollisionBox| BodyDesc {
        hull: good.hull.map(change),
        ..good
    };
    let bodies = [
        BodyDesc {
            position: DVec3::NAN,
            ..good
        },
        BodyDesc {
            rotation: Quat::NAN,
            ..good
        },
        BodyDesc {
            linear_velocity: Vec3::X * f32::INFINITY,
            ..good
        },
        BodyDesc {
            angular_velocity: Vec3::NAN,
            ..good
        },
        BodyDesc { mass: nan, ..good },
        BodyDesc {
            inertia: Mat3::from_diagonal(Vec3::new(200.0, nan, 200.0)),
            ..good
        },
        BodyDesc {
            linear_damping: nan,
            ..good
        },
        BodyDesc {
            angular_damping: nan,
            ..good
        },
        hull(|hull| CollisionBox {
            half_extents: Vec3::NAN,
            ..hull
        }),
        hull(|hull| CollisionBox {
            center: Vec3::NAN,
            ..hull
        }),
        hull(|hull| CollisionBox {
            friction: f32::NAN,
            ..hull
        }),
    ];
    for (number, desc) in bodies.iter().enumerate() {
        let added = world.add_body(desc);
        expect(added.is_err(), || format!("body {number} was added"))?;
    }
    let unfit = ColliderShape::Cuboid(Vec3::new(1.0, nan, 1.0));
    let colliders = [
        slab(DVec3::NAN),
        ColliderSpec {
            rotation: Quat::NAN,
            ..slab(DVec3::ZERO)
        },
        ColliderSpec::fixed(unfit, DVec3::ZERO),
    ];
    for (number, spec) in colliders.iter().enumerate() {
        let added = world.add_collider(spec);
        expect(added.is_err(), || format!("collider {number} was added"))?;
    }
    let added = world.add_platform(DVec3::NAN);
    expect(added.is_err(), || "a platform was added".to_owned())?;
    let id = world.add_body(&good)?;
    world.advance(G, DT);
    let speed = world.body_state(id)?.linear_velocity;
    expect(apart(speed, G * DT) < 1e-3, || format!("{speed} m/s"))?;
    Ok(Measure::KEPT)
}

fn in_order(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let mut ids = Vec::new();
    for x in 0..4 {
        ids.push(world.add_body(&brick(DVec3::X * f64::from(x) * 10.0))?);
    }
    let asked = [ids[2], ids[0], ids[3], ids[2]];
    let mut states = [BodyState::BLANK; 4];
    world.read(&asked, &mut states)?;
    let places = states.map(|state| state.position.x);
    expect(places == [20.0, 0.0, 30.0, 20.0], || format!("{places:?}"))?;
    Ok(Measure::KEPT)
}

/// Checks that both calls return this error.
fn refuse(world: &mut dyn World, id: BodyId, error: BodyError) -> Result<(), Failure> {
    let read = world.read(&[id], &mut [BodyState::BLANK]);
    expect(read == Err(error), || format!("read: {read:?}"))?;
    let applied = world.apply(&[id], &[awake(Motion::Keep)]);
    expect(applied == Err(error), || format!("apply: {applied:?}"))
}

fn missing(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    world.add_body(&moving())?;
    for id in [NOBODY, BodyId(0xdead_beef), BodyId(1 << 40)] {
        refuse(&mut *world, id, BodyError::Missing(id))?;
        let motion = world.ground_motion(id);
        expect(motion.is_none(), || format!("{motion:?}"))?;
    }
    world.advance(Vec3::ZERO, DT);
    Ok(Measure::KEPT)
}

fn removed(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let id = world.add_body(&moving())?;
    world.advance(Vec3::ZERO, DT);
    world.remove_body(id)?;
    refuse(&mut *world, id, BodyError::Missing(id))?;
    let next = world.add_body(&moving())?;
    expect(next != id, || "its id is used again".to_owned())?;
    refuse(&mut *world, id, BodyError::Missing(id))?;
    world.advance(Vec3::ZERO, DT);
    Ok(Measure::KEPT)
}

fn not_dynamic(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let platform = world.add_platform(DVec3::ZERO)?;
    refuse(&mut *world, platform, BodyError::NotDynamic(platform))?;
    Ok(Measure::KEPT)
}

fn served(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let [first, last] = [
        world.add_body(&brick(DVec3::ZERO))?,
        world.add_body(&brick(DVec3::X * 10.0))?,
    ];
    let push = awake(Motion::VelocityChange {
        linear: Vec3::X,
        angular: Vec3::ZERO,
    });
    let missing = Err(BodyError::Missing(NOBODY));
    let mut states = [BodyState::BLANK; 3];
    let read = world.read(&[last, NOBODY, first], &mut states);
    expect(read == missing, || format!("read: {read:?}"))?;
    let place = states[0].position.x;
    expect(place == 10.0, || format!("read at {place} m"))?;
    let applied = world.apply(&[first, NOBODY, last], &[push; 3]);
    expect(applied == missing, || format!("apply: {applied:?}"))?;
    world.advance(Vec3::ZERO, DT);
    let speed = world.body_state(first)?.linear_velocity.x;
    expect((speed - 1.0).abs() < 1e-5, || {
        format!("the first: {speed} m/s")
    })?;
    Ok(Measure::KEPT)
}

fn motion(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let desc = moving();
    let id = world.add_body(&desc)?;
    let free = world.ground_motion(id);
    let kept = free.is_some_and(|free| {
        free.position.distance(desc.position) < 1e-5
            && apart(free.linear_velocity, desc.linear_velocity) < 1e-5
            && apart(free.angular_velocity, desc.angular_velocity) < 1e-5
            && free
                .mass
                .is_some_and(|mass| (mass - desc.mass).abs() < 0.01)
    });
    expect(kept, || format!("a free body: {free:?}"))?;
    let top = DVec3::new(2.0, 1.0, 0.5);
    let platform = world.add_platform(top)?;
    let (linear, angular) = (Vec3::new(0.5, 0.25, 0.0), Vec3::Z * 0.125);
    world.set_platform_velocity(platform, linear, angular)?;
    let moved = world.ground_motion(platform);
    let kept = moved.is_some_and(|moved| {
        moved.position.distance(top) < 1e-5
            && apart(moved.linear_velocity, linear) < 1e-5
            && apart(moved.angular_velocity, angular) < 1e-5
            && moved.mass.is_none()
    });
    expect(kept, || format!("a platform: {moved:?}"))?;
    Ok(Measure::KEPT)
}
