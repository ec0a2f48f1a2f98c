//! Axes of the world that a body does not move along or turn about.

use glam::{BVec3, DVec3, Vec3};
use jounce::core::{BodyId, LockedAxes, Motion};
use proving_ground::world::World;

use super::{DT, G, apart, awake, bare, brick, slant};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 3] = [
    Case::sentence("locked axes are read as they were set", as_set).needs(Need::LockedAxes),
    Case::measured("no motion acts along locked axes", SPEED, 1e-5, motions)
        .needs(Need::LockedAxes),
    Case::measured("free axes take motions as before", SPEED, 1e-4, free).needs(Need::LockedAxes),
];

const SPEED: &str = "speed off [m/s]";

/// The plane of x and z: a body slides in it and turns about y.
pub(crate) const PLANE: LockedAxes = LockedAxes {
    translation: BVec3::new(false, true, false),
    rotation: BVec3::new(true, false, true),
};

const LINEAR: Vec3 = Vec3::new(1.0, 2.0, -0.5);
const ANGULAR: Vec3 = Vec3::new(0.5, -0.25, 1.0);

const MOTIONS: [Motion; 3] = [
    Motion::VelocityChange {
        linear: LINEAR,
        angular: ANGULAR,
    },
    Motion::Acceleration {
        linear: LINEAR,
        angular: ANGULAR,
    },
    Motion::StepMotion {
        linear: LINEAR,
        angular: ANGULAR,
        canceled_acceleration: G,
        canceled_angular_acceleration: Vec3::ZERO,
    },
];

/// A turned body that moved along all axes before some were locked.
fn locked(backend: &dyn Backend) -> Result<(Box<dyn World>, BodyId), Failure> {
    let mut world = bare(backend)?;
    let mut desc = brick(DVec3::Z * 5.0);
    desc.rotation = slant();
    (desc.linear_velocity, desc.angular_velocity) = (Vec3::ONE, Vec3::ONE);
    let id = world.add_body(&desc)?;
    world.lock_axes(id, PLANE)?;
    Ok((world, id))
}

fn as_set(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id) = locked(backend)?;
    let free = world.add_body(&brick(DVec3::Z * 9.0))?;
    for (id, axes) in [(id, PLANE), (free, LockedAxes::NONE)] {
        let found = world.body_state(id)?.locked_axes;
        expect(found == axes, || format!("{found:?} instead of {axes:?}"))?;
    }
    world.lock_axes(id, LockedAxes::NONE)?;
    let found = world.body_state(id)?.locked_axes;
    expect(!found.any(), || format!("{found:?} is still locked"))?;
    Ok(Measure::KEPT)
}

fn motions(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for motion in MOTIONS {
        let (mut world, id) = locked(backend)?;
        let start = world.body_state(id)?;
        for _ in 0..8 {
            world.apply(&[id], &[awake(motion)])?;
            world.advance(G, DT);
        }
        let end = world.body_state(id)?;
        let (v, w) = (end.linear_velocity, end.angular_velocity);
        let aside = (end.position.y - start.position.y).abs();
        worst = worst.max(aside);
        for off in [v.y, w.x, w.z] {
            worst = worst.max(f64::from(off.abs()));
        }
    }
    Ok(worst.into())
}

fn free(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for motion in MOTIONS {
        let (mut world, id) = locked(backend)?;
        world.apply(&[id], &[awake(motion)])?;
        world.advance(G, DT);
        let end = world.body_state(id)?;
        let (v, w) = match motion {
            Motion::StepMotion { .. } => (LINEAR, ANGULAR),
            Motion::Acceleration { .. } => {
                (Vec3::ONE + (G + LINEAR) * DT, Vec3::ONE + ANGULAR * DT)
            }
            _ => (Vec3::ONE + G * DT + LINEAR, Vec3::ONE + ANGULAR),
        };
        let v = apart(end.linear_velocity, PLANE.free_linear(v));
        let w = apart(end.angular_velocity, PLANE.free_angular(w));
        worst = worst.max(v).max(w);
    }
    Ok(worst.into())
}
