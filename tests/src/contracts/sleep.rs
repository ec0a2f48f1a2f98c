//! Waking and sleeping.

use glam::{DVec3, Vec3};
use jounce::core::{BodyId, Motion, Reaction};
use jounce::scene::BodyDesc;
use proving_ground::world::World;

use super::{DT, G, STAND, asleep_or_not, awake, bare, brick};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 10] = [
    Case::sentence("a body at rest falls asleep", falls_asleep).needs(Need::Sleep),
    Case::sentence("a body that may not sleep does not", stays_awake),
    Case::sentence("a standing body that nobody wakes falls asleep", standing).needs(Need::Sleep),
    Case::sentence("a body that an acceleration holds falls asleep", held).needs(Need::Sleep),
    Case::sentence("a body that is woken every step stays awake", kept_awake),
    Case::sentence("an outcome that wakes wakes", wakes).needs(Need::Sleep),
    Case::sentence("an outcome that does not wake does not", does_not_wake).needs(Need::Sleep),
    Case::sentence("a sleeping body has no step to move through", no_step).needs(Need::Sleep),
    Case::sentence("a reaction wakes", reaction_wakes).needs(Need::Reactions),
    Case::sentence("waking starts the time until sleep anew", anew).needs(Need::Sleep),
];

/// Longer than any engine needs to put a resting body to sleep [steps]: 8 s.
const LONG: usize = 512;

fn resting(backend: &dyn Backend) -> Result<(Box<dyn World>, BodyId), Failure> {
    let mut world = bare(backend)?;
    let desc = BodyDesc {
        sleep_threshold: 0.005,
        ..brick(DVec3::ZERO)
    };
    let id = world.add_body(&desc)?;
    Ok((world, id))
}

/// The number of steps until it sleeps, and the world with it asleep.
fn sleeping(backend: &dyn Backend) -> Result<(Box<dyn World>, BodyId, usize), Failure> {
    let (mut world, id) = resting(backend)?;
    for n in 1..=LONG {
        world.advance(Vec3::ZERO, DT);
        if world.body_state(id)?.asleep {
            return Ok((world, id, n));
        }
    }
    Err(Failure::Broken("it is awake after 8 s".to_owned()))
}

fn falls_asleep(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (_, _, steps) = sleeping(backend)?;
    expect(steps > 4, || format!("after {steps} steps already"))?;
    Ok(Measure::KEPT)
}

fn stays_awake(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let id = world.add_body(&brick(DVec3::ZERO))?;
    for _ in 0..LONG {
        world.advance(Vec3::ZERO, DT);
    }
    expect(!world.body_state(id)?.asleep, || "it sleeps".to_owned())?;
    Ok(Measure::KEPT)
}

/// Checks that a body sleeps like a parked car, whose every step result asks for it.
fn standing(backend: &dyn Backend) -> Result<Measure, Failure> {
    sleeps_under(backend, STAND)
}

/// Checks that a body sleeps like a parked car of the explicit solver.
fn held(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (linear, angular) = (-G, Vec3::ZERO);
    sleeps_under(backend, Motion::Acceleration { linear, angular })
}

fn sleeps_under(backend: &dyn Backend, motion: Motion) -> Result<Measure, Failure> {
    let (mut world, id) = resting(backend)?;
    for _ in 0..LONG {
        world.apply(&[id], &[asleep_or_not(motion)])?;
        world.advance(G, DT);
    }
    let state = world.body_state(id)?;
    expect(state.asleep, || "it is awake after 8 s".to_owned())?;
    let moved = state.position.length();
    expect(moved < 1e-6, || format!("it moved by {moved} m"))?;
    Ok(Measure::KEPT)
}

fn kept_awake(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id) = resting(backend)?;
    for n in 0..LONG {
        world.apply(&[id], &[awake(STAND)])?;
        world.advance(G, DT);
        expect(!world.body_state(id)?.asleep, || {
            format!("asleep after {n} steps")
        })?;
    }
    Ok(Measure::KEPT)
}

fn wakes(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, _) = sleeping(backend)?;
    let move_on = Motion::StepMotion {
        linear: Vec3::X,
        angular: Vec3::ZERO,
        canceled_acceleration: Vec3::ZERO,
        canceled_angular_acceleration: Vec3::ZERO,
    };
    world.apply(&[id], &[awake(move_on)])?;
    world.advance(Vec3::ZERO, DT);
    let state = world.body_state(id)?;
    let moved = (state.position.x - f64::from(DT)).abs() < 1e-5;
    expect(!state.asleep && moved, || format!("{state:?}"))?;
    Ok(Measure::KEPT)
}

/// Checks that neither a velocity nor a force of the vehicle wakes a body.
fn does_not_wake(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (linear, angular) = (Vec3::X * 0.01, Vec3::ZERO);
    let motions = [
        Motion::Keep,
        Motion::VelocityChange { linear, angular },
        Motion::Acceleration { linear, angular },
        STAND,
    ];
    for motion in motions {
        let (mut world, id, _) = sleeping(backend)?;
        world.apply(&[id], &[asleep_or_not(motion)])?;
        let asleep = world.body_state(id)?.asleep;
        expect(asleep, || format!("{motion:?} woke it"))?;
    }
    Ok(Measure::KEPT)
}

fn no_step(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, _) = sleeping(backend)?;
    let before = world.body_state(id)?;
    let move_on = Motion::StepMotion {
        linear: Vec3::X,
        angular: Vec3::Z,
        canceled_acceleration: G,
        canceled_angular_acceleration: Vec3::ZERO,
    };
    for _ in 0..5 {
        world.apply(&[id], &[asleep_or_not(move_on)])?;
        world.advance(G, DT);
    }
    let after = world.body_state(id)?;
    expect(after == before, || format!("{before:?}, then {after:?}"))?;
    Ok(Measure::KEPT)
}

/// A car that drives onto a sleeping body is carried by it.
fn reaction_wakes(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, _) = sleeping(backend)?;
    let push = Reaction {
        body: id,
        force: Vec3::X * 8000.0,
        torque: Vec3::ZERO,
        anchor: DVec3::ZERO,
        offset: Vec3::ZERO,
    };
    world.react(&[push]);
    world.advance(Vec3::ZERO, DT);
    let state = world.body_state(id)?;
    let speed = state.linear_velocity.x;
    // 800 kg.
    let pushed = (speed - 10.0 * DT).abs() < 1e-4;
    expect(!state.asleep && pushed, || {
        format!("{speed} m/s, asleep: {}", state.asleep)
    })?;
    Ok(Measure::KEPT)
}

fn anew(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut world, id, steps) = sleeping(backend)?;
    world.apply(&[id], &[awake(Motion::Keep)])?;
    let mut again = 0;
    while !world.body_state(id)?.asleep && again < LONG {
        world.advance(Vec3::ZERO, DT);
        again += 1;
    }
    // An engine may take longer for the first sleep.
    let kept = again >= 5 && again + 2 >= steps / 2;
    expect(kept, || {
        format!("asleep after {steps} steps, and again after {again}")
    })?;
    Ok(Measure::KEPT)
}
