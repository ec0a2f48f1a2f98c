//! The inertia tensor of bodies, products of inertia included: how it is read, and how bodies turn by it.

use glam::{DMat3, DQuat, DVec3, Mat3, Vec3};
use jounce::core::inertia::tensor;
use jounce::core::{BodyId, Reaction};
use jounce::scene::BodyDesc;
use proving_ground::ground::Terrain;
use proving_ground::world::World;

use super::{DT, apart, bare, brick, slant};
use crate::backend::{Backend, Need};
use crate::case::Case;
use crate::finding::{Failure, Measure};

pub(super) const CASES: [Case; 3] = [
    Case::measured("a body's inertia is along its own axes", OFF, 1e-5, read),
    Case::measured("a torque turns by the whole inertia", OFF, 1e-5, turned).needs(Need::Reactions),
    Case::measured(
        "a body with products tumbles as Euler says",
        OFF,
        5e-3,
        tumbles,
    )
    .needs(Need::Reactions),
];

const OFF: &str = "relative error [−]";

/// A body with three moments and, if asked for, three products (`kg·m²`).
fn uneven(products: bool) -> BodyDesc {
    let products = if products {
        [60.0, 90.0, -70.0]
    } else {
        [0.0; 3]
    };
    BodyDesc {
        rotation: slant(),
        inertia: tensor(Vec3::new(200.0, 400.0, 500.0), products),
        ..brick(DVec3::new(3.0, -4.0, 5.0))
    }
}

/// Moments and products are passed and read in vehicle axes, however the body is rotated.
fn read(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for desc in [uneven(false), uneven(true)] {
        let mut world = bare(backend)?;
        let id = world.add_body(&desc)?;
        let read = world.body_state(id)?.inverse_inertia;
        let off = read * desc.inertia - Mat3::IDENTITY;
        worst = off
            .to_cols_array()
            .into_iter()
            .fold(worst, |worst, x| worst.max(f64::from(x).abs()));
    }
    Ok(worst.into())
}

fn torque(body: BodyId, torque: Vec3, at: DVec3) -> Reaction {
    Reaction {
        body,
        force: Vec3::ZERO,
        torque,
        anchor: at,
        offset: Vec3::ZERO,
    }
}

/// Turns a body from rest about each of its axes, which also turns it about the others.
fn turned(backend: &dyn Backend) -> Result<Measure, Failure> {
    let desc = uneven(true);
    let to_world = DMat3::from_quat(desc.rotation.as_dquat());
    let mut worst = 0.0_f64;
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        let mut world = bare(backend)?;
        let id = world.add_body(&desc)?;
        let moment = axis * 40.0;
        world.react(&[torque(id, (to_world * moment).as_vec3(), desc.position)]);
        world.advance(Vec3::ZERO, DT);
        let found = world.body_state(id)?.angular_velocity;
        let gained = desc.inertia.as_dmat3().inverse() * moment * f64::from(DT);
        let expected = (to_world * gained).as_vec3();
        worst = worst.max(apart(found, expected) / f64::from(expected.length()));
    }
    Ok(worst.into())
}

/// Steps of this case (`s`).
const SHORT: f32 = 1.0 / 1024.0;
const SECONDS: f32 = 2.0;

/// Two seconds without a moment: angular velocity, momentum and energy against [`Tumbling`]. Worlds that omit gyroscopic
/// torque get it as a reaction's; those that have it are left to it.
fn tumbles(backend: &dyn Backend) -> Result<Measure, Failure> {
    let desc = BodyDesc {
        angular_velocity: Vec3::new(1.0, -0.6, 1.4),
        ..uneven(true)
    };
    let omits = !has_gyroscopes(backend, &desc)?;
    let mut world = short_steps(backend)?;
    let id = world.add_body(&desc)?;
    let mut free = Tumbling::new(&desc);
    for _ in 0..(SECONDS / SHORT) as u32 {
        if omits {
            let now = world.body_state(id)?;
            let spin = now.angular_velocity.as_dvec3();
            let moment = momentum(&free.inertia, now.rotation.as_dquat(), spin).cross(spin);
            world.react(&[torque(id, moment.as_vec3(), now.position)]);
        }
        world.advance(Vec3::ZERO, SHORT);
        free.pass(f64::from(SHORT));
    }
    let end = world.body_state(id)?;
    let (spin, expected) = (end.angular_velocity.as_dvec3(), free.spin());
    let found = momentum(&free.inertia, end.rotation.as_dquat(), spin);
    let off = [
        (spin - expected).length() / expected.length(),
        (found - free.momentum).length() / free.momentum.length(),
        (spin.dot(found) / expected.dot(free.momentum) - 1.0).abs(),
    ];
    Ok(off.into_iter().fold(0.0, f64::max).into())
}

fn short_steps(backend: &dyn Backend) -> Result<Box<dyn World>, Failure> {
    let plane = Terrain::plane("plane".to_owned(), DVec3::Z * -1000.0, DVec3::Z);
    let plane = plane.map_err(|error| Failure::Broken(error.to_string()))?;
    Ok(backend.open(&plane, SHORT)?)
}

/// Whether a spinning body on which nothing acts changes its angular velocity.
fn has_gyroscopes(backend: &dyn Backend, desc: &BodyDesc) -> Result<bool, Failure> {
    let mut world = short_steps(backend)?;
    let id = world.add_body(desc)?;
    world.advance(Vec3::ZERO, SHORT);
    let spin = world.body_state(id)?.angular_velocity;
    Ok(apart(spin, desc.angular_velocity) > 1e-5)
}

/// Angular momentum (`kg·m²/s`, world axes) at an angular velocity (`rad/s`, world axes).
fn momentum(inertia: &DMat3, rotation: DQuat, spin: DVec3) -> DVec3 {
    let axes = DMat3::from_quat(rotation);
    axes * (*inertia * (axes.transpose() * spin))
}

/// A free body in double precision: its angular momentum is constant, and its rotation follows by the midpoint rule.
/// (Euler's equations: H. Goldstein, C. Poole, J. Safko, *Classical Mechanics*, 3rd ed., §5.5.)
struct Tumbling {
    inertia: DMat3,
    inverse: DMat3,
    rotation: DQuat,
    momentum: DVec3,
}

impl Tumbling {
    fn new(desc: &BodyDesc) -> Self {
        let (inertia, rotation) = (desc.inertia.as_dmat3(), desc.rotation.as_dquat());
        Self {
            inertia,
            inverse: inertia.inverse(),
            rotation,
            momentum: momentum(&inertia, rotation, desc.angular_velocity.as_dvec3()),
        }
    }

    fn spin_at(&self, rotation: DQuat) -> DVec3 {
        let axes = DMat3::from_quat(rotation);
        axes * (self.inverse * (axes.transpose() * self.momentum))
    }

    fn spin(&self) -> DVec3 {
        self.spin_at(self.rotation)
    }

    fn pass(&mut self, dt: f64) {
        let turned = |by: DVec3| (DQuat::from_scaled_axis(by) * self.rotation).normalize();
        let middle = self.spin_at(turned(self.spin() * (0.5 * dt)));
        self.rotation = turned(middle * dt);
    }
}
