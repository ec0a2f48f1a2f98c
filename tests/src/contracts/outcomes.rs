//! Effect of `RigidBodies::apply` for each kind of motion, and its duration.

use glam::{DVec3, Mat3, Vec3};
use jounce::core::{BodyId, BodyState, Motion};
use proving_ground::world::World;

use super::{DT, G, STAND, apart, asleep_or_not, awake, bare, brick, slant};
use crate::backend::Backend;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 13] = [
    Case::measured("to keep is to leave alone", SPEED, 1e-5, keep),
    Case::measured(
        "a velocity change adds, and gravity after it",
        SPEED,
        1e-5,
        change,
    ),
    Case::measured(
        "a velocity change is there before the step",
        SPEED,
        1e-6,
        at_once,
    ),
    Case::measured(
        "an acceleration acts on top of gravity for one step",
        SPEED,
        1e-5,
        accelerate,
    ),
    Case::measured(
        "an angular acceleration is about the world's axes",
        TURN,
        1e-4,
        turn,
    ),
    Case::measured(
        "a carried angular acceleration is canceled about the world's axes",
        TURN,
        1e-4,
        carried_turn,
    ),
    Case::measured("a step motion sets velocities", SPEED, 1e-5, set),
    Case::measured("a step motion moves by its mean velocity", WAY, 1e-5, moves),
    Case::measured(
        "gravity that wheels carry in part acts in part",
        SPEED,
        1e-5,
        partly,
    ),
    Case::measured(
        "a body whose gravity is canceled does not drift",
        WAY,
        1e-6,
        no_drift,
    ),
    Case::measured(
        "nothing of an outcome is left after its step",
        SPEED,
        1e-4,
        left,
    ),
    Case::measured(
        "a second outcome before a step replaces the first",
        SPEED,
        1e-5,
        replaces,
    ),
    Case::measured(
        "an outcome that is not finite does nothing",
        SPEED,
        1e-5,
        unsound,
    ),
];

const SPEED: &str = "speed off [m/s]";
const TURN: &str = "angular speed off [rad/s]";
const WAY: &str = "way off [m]";

/// A moving body in the air.
fn flying(backend: &dyn Backend) -> Result<(Box<dyn World>, BodyId, BodyState), Failure> {
    let mut world = bare(backend)?;
    let mut desc = brick(DVec3::Z * 5.0);
    desc.linear_velocity = Vec3::new(1.0, 2.0, -0.5);
    let id = world.add_body(&desc)?;
    let state = world.body_state(id)?;
    Ok((world, id, state))
}

/// One motion, one step under gravity.
fn step(world: &mut dyn World, id: BodyId, motion: Motion) -> Result<BodyState, Failure> {
    world.apply(&[id], &[awake(motion)])?;
    world.advance(G, DT);
    Ok(world.body_state(id)?)
}

fn keep(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, before) = flying(backend)?;
    let after = step(&mut *world, id, Motion::Keep)?;
    Ok(apart(after.linear_velocity, before.linear_velocity + G * DT).into())
}

const PUSH: Vec3 = Vec3::new(0.5, -1.0, 0.25);

fn change(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, before) = flying(backend)?;
    let change = Motion::VelocityChange {
        linear: PUSH,
        angular: Vec3::Z * 0.5,
    };
    let after = step(&mut *world, id, change)?;
    let speed = apart(
        after.linear_velocity,
        before.linear_velocity + PUSH + G * DT,
    );
    // About a principal axis, so that gyroscopic torque is zero in any engine.
    Ok(speed
        .max(apart(after.angular_velocity, Vec3::Z * 0.5))
        .into())
}

fn at_once(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, before) = flying(backend)?;
    let change = Motion::VelocityChange {
        linear: PUSH,
        angular: Vec3::ZERO,
    };
    world.apply(&[id], &[awake(change)])?;
    let after = world.body_state(id)?;
    Ok(apart(after.linear_velocity, before.linear_velocity + PUSH).into())
}

fn accelerate(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, before) = flying(backend)?;
    let acceleration = Motion::Acceleration {
        linear: PUSH * 8.0,
        angular: Vec3::ZERO,
    };
    let after = step(&mut *world, id, acceleration)?;
    let expected = before.linear_velocity + (PUSH * 8.0 + G) * DT;
    let during = apart(after.linear_velocity, expected);
    world.advance(G, DT);
    let next = world.body_state(id)?.linear_velocity;
    Ok(during.max(apart(next, expected + G * DT)).into())
}

const ANGULAR: Vec3 = Vec3::new(4.0, -2.0, 1.0);

fn turn(backend: &dyn Backend) -> Result<Measure, Failure> {
    let acceleration = Motion::Acceleration {
        linear: Vec3::ZERO,
        angular: ANGULAR,
    };
    turned(backend, acceleration)
}

fn carried_turn(backend: &dyn Backend) -> Result<Measure, Failure> {
    let motion = Motion::StepMotion {
        linear: Vec3::ZERO,
        angular: Vec3::ZERO,
        canceled_acceleration: G,
        canceled_angular_acceleration: -ANGULAR,
    };
    turned(backend, motion)
}

/// The body is rotated: an engine that interprets the vector in body axes fails.
fn turned(backend: &dyn Backend, motion: Motion) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let mut desc = brick(DVec3::Z * 5.0);
    desc.rotation = slant();
    let id = world.add_body(&desc)?;
    let after = step(&mut *world, id, motion)?;
    Ok(apart(after.angular_velocity, ANGULAR * DT).into())
}

fn through(linear: Vec3, gravities: f32) -> Motion {
    Motion::StepMotion {
        linear,
        angular: Vec3::ZERO,
        canceled_acceleration: G * gravities,
        canceled_angular_acceleration: Vec3::ZERO,
    }
}

fn set(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, _) = flying(backend)?;
    let mut worst = 0.0_f64;
    for linear in [PUSH, PUSH * -3.0, PUSH] {
        let after = step(&mut *world, id, through(linear, 1.0))?;
        worst = worst.max(apart(after.linear_velocity, linear));
        worst = worst.max(apart(after.angular_velocity, Vec3::ZERO));
    }
    Ok(worst.into())
}

fn moves(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, before) = flying(backend)?;
    for _ in 0..64 {
        step(&mut *world, id, through(PUSH, 1.0))?;
    }
    let after = world.body_state(id)?;
    let expected = before.position + PUSH.as_dvec3();
    Ok(after.position.distance(expected).into())
}

fn partly(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, _) = flying(backend)?;
    let after = step(&mut *world, id, through(PUSH, 0.75))?;
    Ok(apart(after.linear_velocity, PUSH + G * (0.25 * DT)).into())
}

/// Ten seconds at a common rate that is not exact in binary.
fn no_drift(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, before) = flying(backend)?;
    for _ in 0..600 {
        world.apply(&[id], &[awake(STAND)])?;
        world.advance(G, 1.0 / 60.0);
    }
    let after = world.body_state(id)?;
    Ok(after.position.distance(before.position).into())
}

fn left(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, _) = flying(backend)?;
    let motions = [
        STAND,
        Motion::Acceleration {
            linear: PUSH * 100.0,
            angular: Vec3::ZERO,
        },
        STAND,
    ];
    for motion in motions {
        step(&mut *world, id, motion)?;
    }
    for _ in 0..64 {
        world.advance(G, DT);
    }
    Ok(apart(world.body_state(id)?.linear_velocity, G).into())
}

fn replaces(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, before) = flying(backend)?;
    let push = |linear: Vec3| Motion::Acceleration {
        linear,
        angular: Vec3::ZERO,
    };
    world.apply(&[id], &[awake(push(PUSH * 100.0))])?;
    let after = step(&mut *world, id, push(PUSH * 8.0))?;
    let expected = before.linear_velocity + (PUSH * 8.0 + G) * DT;
    let pushed = apart(after.linear_velocity, expected);
    world.apply(&[id], &[awake(through(PUSH * 2.0, 1.0))])?;
    let after = step(&mut *world, id, through(PUSH, 1.0))?;
    Ok(pushed.max(apart(after.linear_velocity, PUSH)).into())
}

fn unsound(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, before) = flying(backend)?;
    let bad = Vec3::new(0.0, f32::NAN, 0.0);
    let motions = [
        Motion::VelocityChange {
            linear: PUSH,
            angular: bad,
        },
        Motion::Acceleration {
            linear: bad,
            angular: Vec3::ZERO,
        },
        Motion::StepMotion {
            linear: PUSH,
            angular: Vec3::ZERO,
            canceled_acceleration: Vec3::INFINITY,
            canceled_angular_acceleration: Vec3::ZERO,
        },
    ];
    let mut worst = 0.0_f64;
    for (n, motion) in (1_u8..).zip(motions) {
        world.apply(&[id], &[asleep_or_not(motion)])?;
        world.advance(G, DT);
        let state = world.body_state(id)?;
        let sound = state.position.is_finite() && state.inverse_inertia != Mat3::ZERO;
        expect(sound, || format!("{motion:?}: {state:?}"))?;
        let expected = before.linear_velocity + G * (DT * f32::from(n));
        worst = worst.max(apart(state.linear_velocity, expected));
    }
    Ok(worst.into())
}
