//! Keeps the corners of a body's hull above the ground.
//!
//! Sequential impulses at velocity level, with Coulomb friction and Newton's restitution; what
//! still overlaps is pushed out at position level, so that it adds no velocity.

use glam::{DVec3, Vec3};
use vehicle_core::math;

use crate::body::{Body, Hull};
use crate::ground::Ray;
use crate::grounds::Grounds;

/// Sweeps over all contacts. tuned: a box comes to rest flat (`a_box_comes_to_rest`).
const SWEEPS: usize = 16;
/// Corners are looked for this far above the ground [m], on top of the step's own way.
const MARGIN: f64 = 0.02;
/// Slower corners do not bounce [m/s] (PhysX's default).
const BOUNCE: f32 = 2.0;
/// Overlap that is left alone [m], so that a box at rest keeps its contacts.
const SLOP: f32 = 0.001;
/// Share of an overlap that one step removes [−], and the speed that limits it [m/s].
const PUSH: (f32, f32) = (0.2, 1.0);

/// A corner at the ground.
struct Contact {
    /// From the centre of mass to the corner [m, world axes].
    arm: Vec3,
    /// Normal and two tangents [world axes].
    axes: [Vec3; 3],
    /// Effective mass along each of them [kg].
    mass: [f32; 3],
    /// Distance over the ground [m], negative for an overlap.
    gap: f32,
    /// Speed along the normal that it must have at least [m/s].
    least: f32,
    /// Impulse along each axis so far in this step [N·s].
    impulse: [f32; 3],
}

/// What the hulls of one step meet.
pub(crate) struct Surroundings<'a> {
    pub(crate) ground: &'a Grounds,
    /// Where the world's origin is for the ground [m].
    pub(crate) origin: DVec3,
    /// Unit vector against gravity [world axes]; `None` without gravity, then only corners that
    /// overlap are seen.
    pub(crate) up: Option<DVec3>,
    /// The step [s].
    pub(crate) dt: f32,
}

/// Changes the velocities of a body so that its hull does not enter the ground within the step,
/// and moves it out of the ground a little where it overlaps.
pub(crate) fn resolve(around: &Surroundings<'_>, body: &mut Body) {
    let dt = around.dt;
    let Some(hull) = body.now.hull else {
        return;
    };
    if body.sleep.asleep {
        return;
    }
    let mut contacts = contacts(around, body, &hull);
    for _ in 0..SWEEPS {
        for contact in contacts.iter_mut().flatten() {
            contact.solve(body, hull.friction);
        }
    }
    push_out(body, &contacts, dt);
}

/// Contacts of the corners that are near the ground.
fn contacts(around: &Surroundings<'_>, body: &Body, hull: &Hull) -> [Option<Contact>; 8] {
    let turn = math::matrix(body.now.rotation);
    let middle = turn * hull.centre;
    core::array::from_fn(|corner| {
        let sign = |bit: usize| if corner & bit == 0 { 1.0 } else { -1.0 };
        let side = turn * (hull.half_extents * Vec3::new(sign(1), sign(2), sign(4)));
        let arm = middle + side;
        let speed = body.now.linear_velocity + body.now.angular_velocity.cross(arm);
        let reach = f64::from(math::sqrt(speed.dot(speed)) * around.dt) + MARGIN;
        let centre = around.origin + body.now.position + middle.as_dvec3();
        let (gap, normal) = around.meet(centre, side.as_dvec3(), reach)?;
        Some(Contact::new(body, arm, normal, gap as f32, around.dt))
    })
}

impl Surroundings<'_> {
    /// How far the corner at `centre + side` [m, world] is over the ground, and the ground's normal.
    ///
    /// A ray from the hull's centre sees what stands between it and the corner, walls too; a ray
    /// along gravity sees what the corner is about to fall on, and finds the way up if the whole hull
    /// is buried.
    fn meet(&self, centre: DVec3, side: DVec3, reach: f64) -> Option<(f64, Vec3)> {
        let length = side.length();
        let outwards = Ray {
            origin: centre,
            direction: side / length,
            length: length as f32,
        };
        let blocked = self.ground.cast(&outwards, u32::MAX).map(|(hit, _)| hit);
        if let Some(hit) = blocked.filter(|hit| !hit.inside) {
            let beyond = length - f64::from(hit.distance);
            let slant = hit.normal.as_dvec3().dot(outwards.direction);
            return Some((beyond * slant, hit.normal));
        }
        let up = self.up?;
        let above = (-side.dot(up)).max(0.0);
        let gap = self.ground.gap(centre + side, up, above, reach)?;
        let buried = blocked.is_some();
        (gap.buried == buried).then_some((gap.distance, gap.normal))
    }
}

impl Contact {
    fn new(body: &Body, arm: Vec3, normal: Vec3, gap: f32, dt: f32) -> Self {
        let size = normal.abs();
        let other = if size.x <= size.y && size.x <= size.z {
            Vec3::X
        } else if size.y <= size.z {
            Vec3::Y
        } else {
            Vec3::Z
        };
        let tangent = math::unit_or_zero(normal.cross(other));
        let axes = [normal, tangent, normal.cross(tangent)];
        let mass = axes.map(|axis| {
            let lever = arm.cross(axis);
            1.0 / (1.0 / body.now.mass + body.over_inertia(lever).dot(lever))
        });
        let velocity = body.now.linear_velocity + body.now.angular_velocity.cross(arm);
        let approach = -velocity.dot(normal);
        // A corner above the ground may come down as far as it, no faster.
        let allowed = gap.max(0.0) / dt;
        let least = if approach > allowed.max(BOUNCE) {
            (body.now.restitution * approach).max(-allowed)
        } else {
            -allowed
        };
        Self {
            arm,
            axes,
            mass,
            gap,
            least,
            impulse: [0.0; 3],
        }
    }

    fn speed(&self, body: &Body, axis: usize) -> f32 {
        let velocity = body.now.linear_velocity + body.now.angular_velocity.cross(self.arm);
        velocity.dot(self.axes[axis])
    }

    /// Sets the impulse along one axis.
    fn set(&mut self, body: &mut Body, axis: usize, impulse: f32) {
        let push = self.axes[axis] * (impulse - self.impulse[axis]);
        self.impulse[axis] = impulse;
        let turn = body.over_inertia(self.arm.cross(push));
        body.add_velocity(push / body.now.mass, turn);
    }

    fn solve(&mut self, body: &mut Body, friction: f32) {
        let push = (self.least - self.speed(body, 0)) * self.mass[0];
        self.set(body, 0, (self.impulse[0] + push).max(0.0));
        let stick = [1, 2].map(|k| self.impulse[k] - self.speed(body, k) * self.mass[k]);
        let size = math::sqrt(stick[0] * stick[0] + stick[1] * stick[1]);
        let limit = friction * self.impulse[0];
        let scale = if size > limit { limit / size } else { 1.0 };
        self.set(body, 1, stick[0] * scale);
        self.set(body, 2, stick[1] * scale);
    }
}

fn push_out(body: &mut Body, contacts: &[Option<Contact>], dt: f32) {
    let mut shift = Vec3::ZERO;
    for contact in contacts.iter().flatten() {
        let normal = contact.axes[0];
        let left = contact.gap + contact.speed(body, 0) * dt + shift.dot(normal);
        let out = ((-left - SLOP) * PUSH.0).min(PUSH.1 * dt);
        shift += normal * out.max(0.0);
    }
    body.now.position += shift.as_dvec3();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BodyDesc;
    use crate::plane::Plane;
    use crate::steps::Steps;
    use crate::{Axes, HeightField};
    use glam::Quat;
    use proptest::prelude::*;
    use vehicle_core::frame::Axis;

    const G: f32 = 9.81;
    const DT: f32 = 1.0 / 120.0;

    fn crate_at(position: DVec3, rotation: Quat, half: Vec3) -> Body {
        Body::new(&BodyDesc {
            rotation,
            hull: Some(Hull {
                half_extents: half,
                centre: Vec3::ZERO,
                friction: 0.5,
            }),
            ..BodyDesc::at_rest(position, 100.0, BodyDesc::box_inertia(100.0, half))
        })
    }

    fn step(ground: &Grounds, body: &mut Body) {
        body.accelerate(Vec3::NEG_Z * G, DT);
        let around = Surroundings {
            ground,
            origin: DVec3::ZERO,
            up: Some(DVec3::Z),
            dt: DT,
        };
        resolve(&around, body);
        body.advance(DT);
    }

    /// Kinetic and potential energy [J].
    fn energy(body: &Body) -> f64 {
        let now = &body.now;
        let spin = math::matrix(now.rotation).transpose() * now.angular_velocity;
        let v = now.linear_velocity;
        let kinetic = 0.5 * (now.mass * v.dot(v) + (spin * spin).dot(now.inertia));
        f64::from(kinetic) + f64::from(now.mass * G) * now.position.z
    }

    fn level() -> Grounds {
        Plane::level(Axis::Z, 0.0).unwrap().into()
    }

    fn flat_rows() -> Grounds {
        let rows = vec![vec![0.0; 20]; 20];
        let origin = DVec3::new(-10.0, -10.0, 0.0);
        let field = HeightField::new(Axes::Z_UP, origin, 1.0, &rows);
        field.unwrap().into()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        // A cube: with unequal moments a free body's energy is not constant, as gyroscopic
        // torque is left out.
        #[test]
        fn energy_never_grows_and_it_comes_to_rest(
            axis in prop::array::uniform3(-1.0..1.0_f32),
            angle in 0.0..3.0_f32,
            speed in prop::array::uniform3(-4.0..4.0_f32),
            spin in prop::array::uniform3(-6.0..6.0_f32),
            field in any::<bool>(),
        ) {
            let ground = if field { flat_rows() } else { level() };
            let turn = math::rotation_about(math::unit_or_zero(Vec3::from(axis) + Vec3::X * 1.1), angle);
            let mut body = crate_at(DVec3::Z * 2.0, turn, Vec3::splat(0.5));
            body.now.linear_velocity = speed.into();
            body.now.angular_velocity = spin.into();
            let mut lowest = energy(&body);
            for _ in 0..1200 {
                step(&ground, &mut body);
                let now = energy(&body);
                // A tenth of a percent of what it had: the slow push-out lifts it a little.
                prop_assert!(now < lowest + 2.0, "{now} {lowest}");
                lowest = lowest.min(now);
            }
            prop_assert!(body.is_asleep(), "{:?}", body.now);
            // Now and then it stays balanced on an edge.
            let height = body.now.position.z;
            prop_assert!((height - 0.5).abs() < 0.01 || (height - 0.707).abs() < 0.01, "{height}");
        }
    }

    #[test]
    fn a_rolled_car_comes_to_rest_on_its_roof_or_wheels() {
        let half = Vec3::new(2.2, 0.9, 0.6);
        let mut car = crate_at(DVec3::Z * 1.5, Quat::IDENTITY, half);
        car.now.linear_velocity = Vec3::new(15.0, 6.0, 0.0);
        car.now.angular_velocity = Vec3::new(-8.0, 0.3, 0.5);
        for _ in 0..1500 {
            step(&level(), &mut car);
            assert!(car.now.position.z > 0.5 && car.now.position.z < 4.0);
        }
        assert!(car.is_asleep(), "{:?}", car.now);
    }

    #[test]
    fn friction_stops_a_slide_after_its_length() {
        let mut body = crate_at(DVec3::Z * 0.501, Quat::IDENTITY, Vec3::new(2.0, 1.0, 0.5));
        body.now.linear_velocity = Vec3::X * 5.0;
        for _ in 0..400 {
            step(&level(), &mut body);
        }
        let way = 25.0 / (2.0 * 0.5 * f64::from(G));
        assert!((body.now.position.x - way).abs() < 0.05, "{:?}", body.now);
        assert!(body.is_asleep());
    }

    #[test]
    fn a_wall_stops_it_and_does_not_lift_it() {
        let wall = Steps::kerb(Axes::Z_UP, DVec3::X * 5.0, 3.0).unwrap();
        let mut body = crate_at(DVec3::Z * 0.5, Quat::IDENTITY, Vec3::splat(0.5));
        body.now.linear_velocity = Vec3::X * 12.0;
        for _ in 0..400 {
            step(&wall.clone().into(), &mut body);
            assert!(body.now.position.z < 0.75, "{:?}", body.now);
            assert!(body.now.position.x < 4.62, "{:?}", body.now);
        }
    }

    #[test]
    fn a_bouncing_body_leaves_at_its_share_of_the_speed() {
        let wall = Steps::kerb(Axes::Z_UP, DVec3::X * 5.0, 9.0).unwrap();
        for restitution in [0.0, 0.6] {
            let mut body = crate_at(DVec3::Z * 4.0, Quat::IDENTITY, Vec3::splat(0.5));
            body.now.restitution = restitution;
            body.now.linear_velocity = Vec3::X * 12.0;
            for _ in 0..60 {
                step(&wall.clone().into(), &mut body);
            }
            let speed = -body.now.linear_velocity.x;
            assert!((speed - restitution * 12.0).abs() < 0.05, "{speed}");
        }
    }

    #[test]
    fn a_buried_body_rises_slowly() {
        let mut body = crate_at(DVec3::Z * -0.8, Quat::IDENTITY, Vec3::splat(0.5));
        for _ in 0..600 {
            step(&level(), &mut body);
            assert!(body.now.linear_velocity.length() < 0.5, "{:?}", body.now);
        }
        assert!((body.now.position.z - 0.5).abs() < 0.02, "{:?}", body.now);
    }
}
