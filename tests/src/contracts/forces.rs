//! User forces, and reactions of wheels on what they stand on: `RigidBodies::react`.

use glam::{DVec3, Vec3};
use jounce::core::{BodyId, Motion, Reaction};
use proving_ground::world::World;

use super::{DT, G, NOBODY, STAND, apart, awake, bare, brick};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 9] = [
    Case::measured(
        "a user's force acts through every step motion",
        SPEED,
        1e-4,
        user_through,
    )
    .needs(Need::UserForces),
    Case::measured(
        "a user's force survives outcomes",
        SPEED,
        1e-3,
        user_survives,
    )
    .needs(Need::UserForces),
    Case::measured(
        "a user's force may change between outcomes",
        SPEED,
        1e-4,
        user_changes,
    )
    .needs(Need::UserForces),
    Case::measured("a reaction pushes for one step", SPEED, 1e-5, pushes).needs(Need::Reactions),
    Case::measured(
        "a reaction turns about the center of mass",
        SPEED,
        1e-5,
        turns,
    )
    .needs(Need::Reactions),
    Case::measured(
        "a reaction's torque turns and pushes nowhere",
        SPEED,
        1e-5,
        twists,
    )
    .needs(Need::Reactions),
    Case::measured("reactions on one body add up", SPEED, 1e-5, add_up).needs(Need::Reactions),
    Case::measured("a reaction and an outcome add up", SPEED, 1e-5, beside).needs(Need::Reactions),
    Case::sentence(
        "reactions on what cannot be pushed are passed over",
        passed_over,
    ),
];

const SPEED: &str = "speed off [m/s, rad/s]";
/// A force on the brick of 800 kg (`N`), and its acceleration (`m/s²`).
const FORCE: Vec3 = Vec3::new(1600.0, -800.0, 400.0);
const A: Vec3 = Vec3::new(2.0, -1.0, 0.5);

fn floating(backend: &dyn Backend) -> Result<(Box<dyn World>, BodyId), Failure> {
    let mut world = bare(backend)?;
    let id = world.add_body(&brick(DVec3::ZERO))?;
    Ok((world, id))
}

fn speed(world: &dyn World, id: BodyId) -> Result<Vec3, Failure> {
    Ok(world.body_state(id)?.linear_velocity)
}

fn user_through(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id) = floating(backend)?;
    world.push(id, FORCE)?;
    let mut worst = 0.0_f64;
    for _ in 0..64 {
        world.apply(&[id], &[awake(STAND)])?;
        world.advance(G, DT);
        worst = worst.max(apart(speed(&*world, id)?, A * DT));
    }
    Ok(worst.into())
}

fn user_survives(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id) = floating(backend)?;
    world.push(id, FORCE)?;
    for n in 0..64 {
        let linear = if n % 2 == 0 { Vec3::Y } else { Vec3::NEG_Y } * 50.0;
        let shake = Motion::Acceleration {
            linear,
            angular: Vec3::ZERO,
        };
        world.apply(&[id], &[awake(shake)])?;
        world.advance(Vec3::ZERO, DT);
    }
    let shaken = speed(&*world, id)?;
    for _ in 0..64 {
        world.advance(Vec3::ZERO, DT);
    }
    let alone = speed(&*world, id)? - shaken;
    Ok(apart(shaken, A).max(apart(alone, A)).into())
}

fn user_changes(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id) = floating(backend)?;
    let mut worst = 0.0_f64;
    for share in [1.0, -2.0, 0.0] {
        world.push(id, FORCE * share)?;
        world.apply(&[id], &[awake(STAND)])?;
        world.advance(G, DT);
        worst = worst.max(apart(speed(&*world, id)?, A * (share * DT)));
        world.apply(&[id], &[awake(STAND)])?;
        world.advance(G, DT);
        worst = worst.max(apart(speed(&*world, id)?, A * (share * DT)));
    }
    Ok(worst.into())
}

fn reaction(body: BodyId, offset: Vec3) -> Reaction {
    Reaction {
        body,
        force: FORCE,
        torque: Vec3::ZERO,
        anchor: DVec3::new(1.0, 2.0, 3.0),
        offset: offset - Vec3::new(1.0, 2.0, 3.0),
    }
}

fn pushes(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id) = floating(backend)?;
    world.react(&[reaction(id, Vec3::ZERO)]);
    let mut worst = 0.0_f64;
    for _ in 0..3 {
        world.advance(Vec3::ZERO, DT);
        worst = worst.max(apart(speed(&*world, id)?, A * DT));
    }
    Ok(worst.into())
}

fn turns(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id) = floating(backend)?;
    let arm = Vec3::new(0.5, 1.0, -0.25);
    world.react(&[reaction(id, arm)]);
    world.advance(Vec3::ZERO, DT);
    let turned = world.body_state(id)?.angular_velocity;
    let inertia = brick(DVec3::ZERO).inertia;
    let expected = inertia.inverse() * arm.cross(FORCE) * DT;
    Ok(apart(turned, expected)
        .max(apart(speed(&*world, id)?, A * DT))
        .into())
}

/// Applies a torque with a force through the center of mass, and without.
fn twists(backend: &dyn Backend) -> Result<Measure, Failure> {
    let torque = Vec3::new(3.0, -2.0, 5.0);
    let mut worst = 0.0_f64;
    for share in [1.0, 0.0] {
        let (mut world, id) = floating(backend)?;
        world.react(&[Reaction {
            force: FORCE * share,
            torque,
            ..reaction(id, Vec3::ZERO)
        }]);
        world.advance(Vec3::ZERO, DT);
        let turned = world.body_state(id)?.angular_velocity;
        let expected = brick(DVec3::ZERO).inertia.inverse() * torque * DT;
        worst = worst
            .max(apart(turned, expected))
            .max(apart(speed(&*world, id)?, A * (share * DT)));
    }
    Ok(worst.into())
}

fn add_up(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id) = floating(backend)?;
    world.react(&[reaction(id, Vec3::ZERO); 2]);
    world.react(&[reaction(id, Vec3::ZERO)]);
    world.advance(Vec3::ZERO, DT);
    Ok(apart(speed(&*world, id)?, A * (3.0 * DT)).into())
}

/// A car that another one stands on.
fn beside(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for first in [true, false] {
        let (mut world, id) = floating(backend)?;
        let push = [reaction(id, Vec3::ZERO)];
        if first {
            world.react(&push);
        }
        world.apply(&[id], &[awake(STAND)])?;
        if !first {
            world.react(&push);
        }
        world.advance(G, DT);
        worst = worst.max(apart(speed(&*world, id)?, A * DT));
    }
    Ok(worst.into())
}

fn passed_over(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id) = floating(backend)?;
    let unsound = Reaction {
        force: Vec3::NAN,
        ..reaction(id, Vec3::ZERO)
    };
    world.react(&[reaction(NOBODY, Vec3::ZERO), unsound]);
    if let Some(platforms) = world.platforms() {
        let platform = platforms.add_platform(DVec3::Z * -5.0)?;
        world.react(&[reaction(platform, Vec3::ZERO)]);
        world.advance(Vec3::ZERO, DT);
        let motion = world.ground_motion(platform);
        let still = motion.is_some_and(|motion| motion.linear_velocity == Vec3::ZERO);
        expect(still, || format!("a platform: {motion:?}"))?;
    }
    world.advance(Vec3::ZERO, DT);
    let speed = speed(&*world, id)?;
    expect(speed == Vec3::ZERO, || format!("the body: {speed} m/s"))?;
    Ok(Measure::KEPT)
}
