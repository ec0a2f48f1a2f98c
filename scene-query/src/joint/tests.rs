use glam::{DVec3, Mat3};
use jointed_wheels::Motor;
use vehicle_core::{Axis, BodyError};

use super::*;
use crate::{BodyDesc, Plane, Standalone};

const G: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;
/// A mass (`kg`) that counts as the ground's.
const HEAVY: f32 = 1e12;

fn world() -> Standalone {
    Standalone::new(Plane::level(Axis::Z, -100.0).unwrap())
}

fn body(world: &mut Standalone, position: DVec3, mass: f32) -> BodyId {
    let desc = sleeper(position, mass);
    let awake = BodyDesc {
        sleep_threshold: 0.0,
        ..desc
    };
    world.add(&awake).unwrap()
}

fn sleeper(position: DVec3, mass: f32) -> BodyDesc {
    let mut desc = BodyDesc::at_rest(position, mass, Mat3::from_diagonal(Vec3::splat(0.1 * mass)));
    desc.max_angular_speed = 1000.0;
    desc
}

fn joined(
    world: &mut Standalone,
    bodies: [BodyId; 2],
    anchors: [Vec3; 2],
    kind: JointKind,
) -> JointId {
    let frames = anchors.map(JointFrame::at);
    world
        .join(&JointDesc {
            bodies,
            frames,
            kind,
        })
        .unwrap()
}

/// Runs a world without gravity.
fn run(world: &mut Standalone, seconds: f32) {
    for _ in 0..(seconds / DT).round() as usize {
        world.step(Vec3::ZERO, DT);
    }
}

const WHEEL: WheelJoint = WheelJoint {
    upright: Quat::IDENTITY,
    strut: JointStrut {
        stiffness: 27_500.0,
        damping: 2600.0,
        free_travel: 0.05,
        limits: [-0.1, 0.1],
        motor: STOPPED,
    },
    tread: None,
};

const STOPPED: Motor = Motor {
    torque: 0.0,
    spin: 0.0,
    drive: 0.0,
    inertia: 0.0,
    most: 0.0,
};

/// Driven by a torque against a brake (`N·m`).
fn braked(torque: f32, most: f32) -> WheelJoint {
    let motor = Motor {
        torque,
        most,
        inertia: f32::INFINITY,
        ..STOPPED
    };
    let strut = JointStrut {
        motor,
        ..WHEEL.strut
    };
    WheelJoint { strut, ..WHEEL }
}

/// A wheel of 20 kg on a base, its joint a meter ahead of the base's center.
fn wheeled(kind: WheelJoint) -> (Standalone, [BodyId; 2], JointId) {
    let mut world = world();
    let bodies = [
        body(&mut world, DVec3::ZERO, HEAVY),
        body(&mut world, DVec3::X, 20.0),
    ];
    let joint = joined(
        &mut world,
        bodies,
        [Vec3::X, Vec3::ZERO],
        JointKind::Wheel(kind),
    );
    (world, bodies, joint)
}

#[test]
fn a_pendulum_swings_at_its_frequency_on_its_joint() {
    let mut world = world();
    let base = body(&mut world, DVec3::ZERO, HEAVY);
    let bob = body(&mut world, DVec3::new(0.05, 0.0, -1.0), 5.0);
    joined(
        &mut world,
        [base, bob],
        [Vec3::ZERO, Vec3::new(-0.05, 0.0, 1.0)],
        JointKind::Ball,
    );
    // I/m = 0.1 m², arm² = 1.0025 m².
    let arm = 1.0_f32.hypot(0.05);
    let period = core::f32::consts::TAU * ((0.1 + arm * arm) / (9.81 * arm)).sqrt();
    let (mut time, mut crossings, mut before) = (0.0_f32, Vec::new(), 0.05);
    while crossings.len() < 5 {
        world.step(G, DT);
        time += DT;
        // The base falls; the bob's position beside it counts.
        let [held, swung] = [base, bob].map(|id| *world.body(id).unwrap().now());
        let aside = (swung.position - held.position).x as f32;
        let gap = swung.rotation * Vec3::new(-0.05, 0.0, 1.0);
        let gap = (swung.position - held.position).as_vec3() + gap;
        assert!(gap.length() < 1e-3 || time < 0.05, "{gap} at {time} s");
        if aside * before < 0.0 {
            crossings.push(time);
        }
        before = aside;
        assert!(time < 60.0, "falls with its base, without swinging");
        world
            .set_force(base, Vec3::Z * 9.81 * HEAVY, Vec3::ZERO)
            .unwrap();
    }
    let found = (crossings[4] - crossings[0]) / 2.0;
    assert!(
        (found / period - 1.0).abs() < 0.02,
        "{found} s, not {period} s"
    );
}

#[test]
fn a_joint_adds_neither_momentum_nor_spin() {
    let mut world = world();
    let bodies = [
        body(&mut world, DVec3::ZERO, 3.0),
        body(&mut world, DVec3::X * 2.0, 5.0),
    ];
    joined(&mut world, bodies, [Vec3::X, Vec3::NEG_X], JointKind::Ball);
    world
        .set_velocity(bodies[1], Vec3::new(0.5, 1.0, 2.0), Vec3::Y)
        .unwrap();
    let sums = |world: &Standalone| {
        bodies
            .iter()
            .fold([Vec3::ZERO; 2], |[linear, angular], &id| {
                let now = world.body(id).unwrap().now();
                let push = now.linear_velocity * now.mass;
                let turn = now.inertia * now.angular_velocity + now.position.as_vec3().cross(push);
                [linear + push, angular + turn]
            })
    };
    let before = sums(&world);
    run(&mut world, 2.0);
    let after = sums(&world);
    assert!(
        (after[0] - before[0]).length() < 1e-3,
        "{before:?} {after:?}"
    );
    assert!(
        (after[1] - before[1]).length() < 0.02 * before[1].length(),
        "{before:?} {after:?}"
    );
}

/// Two bodies joined 10 cm apart come together, but not with a bang.
#[test]
fn to_close_a_gap_gives_no_speed() {
    let mut world = world();
    let bodies = [DVec3::ZERO, DVec3::X * 2.1].map(|place| body(&mut world, place, 5.0));
    joined(&mut world, bodies, [Vec3::X, Vec3::NEG_X], JointKind::Ball);
    let now = |world: &Standalone| bodies.map(|id| *world.body(id).unwrap().now());
    for _ in 0..10 {
        world.step(Vec3::ZERO, DT);
        let speeds = now(&world).map(|body| body.linear_velocity.length());
        assert!(speeds[0].max(speeds[1]) < 0.01, "{speeds:?} m/s");
    }
    let [a, b] = now(&world).map(|body| body.position.x);
    assert!((b - a - 2.0).abs() < 0.01, "{a} {b}");
}

#[test]
fn a_spring_rests_where_it_is_free_and_a_limit_holds_what_it_cannot() {
    let (mut world, [_, wheel], _) = wheeled(WHEEL);
    run(&mut world, 2.0);
    let travel = |world: &Standalone| world.body(wheel).unwrap().now().position.z;
    assert!((travel(&world) - 0.05).abs() < 1e-4);
    // 2750 N more compress it by 0.1 m: the limit is 0.05 m away.
    world
        .set_force(wheel, Vec3::Z * 2750.0, Vec3::ZERO)
        .unwrap();
    run(&mut world, 2.0);
    assert!((travel(&world) - 0.1).abs() < 1e-3, "{}", travel(&world));
    world
        .set_force(wheel, Vec3::Z * -687.5, Vec3::ZERO)
        .unwrap();
    run(&mut world, 2.0);
    assert!((travel(&world) - 0.025).abs() < 1e-4, "{}", travel(&world));
}

#[test]
fn a_wheel_turns_about_its_axle_alone_as_driven_and_braked() {
    let (mut world, [_, wheel], _) = wheeled(braked(100.0, 40.0));
    run(&mut world, 1.0);
    // (100 − 40) N·m on 2 kg·m².
    let spin = world.body(wheel).unwrap().now().angular_velocity;
    assert!((spin - Vec3::Y * 30.0).length() < 0.1, "{spin}");
    let (mut world, [_, wheel], _) = wheeled(braked(30.0, 40.0));
    world
        .set_velocity(wheel, Vec3::ZERO, Vec3::Y * 2.0)
        .unwrap();
    run(&mut world, 1.0);
    let spin = world.body(wheel).unwrap().now().angular_velocity;
    assert!(spin.length() < 1e-4, "{spin}");
}

#[test]
fn joined_bodies_sleep_and_wake_together() {
    let mut world = world();
    let bodies = [(DVec3::ZERO, HEAVY), (DVec3::X, 20.0)];
    let bodies = bodies.map(|(place, mass)| world.add(&sleeper(place, mass)).unwrap());
    joined(
        &mut world,
        bodies,
        [Vec3::X, Vec3::ZERO],
        JointKind::Wheel(WHEEL),
    );
    let asleep = |world: &Standalone| bodies.map(|id| world.body(id).unwrap().is_asleep());
    let mut both = 0;
    for _ in 0..300 {
        world.step(Vec3::ZERO, DT);
        let [one, other] = asleep(&world);
        assert_eq!(one, other);
        both += usize::from(one);
    }
    assert!(both > 100, "{both}");
    world.set_velocity(bodies[1], Vec3::Z, Vec3::ZERO).unwrap();
    world.step(Vec3::ZERO, DT);
    assert_eq!(asleep(&world), [false; 2]);
}

#[test]
fn a_joint_ends_with_either_body_and_by_itself() {
    let (mut world, bodies, joint) = wheeled(WHEEL);
    assert!(world.joint(joint).is_some());
    world.remove(bodies[0]).unwrap();
    assert!(world.joint(joint).is_none());
    let (mut world, [_, wheel], joint) = wheeled(WHEEL);
    world.part(joint);
    world.step(G, DT);
    assert!(world.body(wheel).unwrap().now().linear_velocity.z < -0.1);
}

#[test]
fn bad_joints_are_errors_and_join_nothing() {
    let (mut world, bodies, _) = wheeled(WHEEL);
    let frames = [JointFrame::at(Vec3::ZERO); 2];
    let to = |other| JointDesc {
        bodies: [bodies[0], other],
        frames,
        kind: JointKind::Ball,
    };
    let missing = world.join(&to(BodyId(77))).unwrap_err();
    assert!(
        matches!(missing, GroundError::Body(BodyError::Missing(BodyId(77)))),
        "{missing}"
    );
    let itself = world.join(&to(bodies[0])).unwrap_err();
    assert!(matches!(itself, GroundError::JoinedToItself(_)), "{itself}");
    let mut bad = to(bodies[1]);
    bad.frames[1].anchor.x = f32::NAN;
    let mut wheel = braked(0.0, -1.0);
    wheel.strut.limits = [1.0, 0.0];
    bad.kind = JointKind::Wheel(wheel);
    let faults = world.join(&bad).unwrap_err().to_string();
    assert!(
        ["anchor", "motor.most", "limits"]
            .iter()
            .all(|fault| faults.contains(fault)),
        "{faults}"
    );
}

/// Two bodies on a joint, in another world, go on with the bits of the first one; without its impulses they do not.
#[test]
fn a_joint_goes_on_with_its_impulses() {
    let made = || {
        let mut world = world();
        let bodies = [
            body(&mut world, DVec3::ZERO, 3.0),
            body(&mut world, DVec3::new(0.3, 0.0, -1.0), 5.0),
        ];
        let anchors = [Vec3::ZERO, Vec3::new(-0.3, 0.0, 1.0)];
        let joint = joined(&mut world, bodies, anchors, JointKind::Ball);
        (world, bodies, joint)
    };
    let go = |world: &mut Standalone, bodies: [BodyId; 2]| {
        (0..20).for_each(|_| world.step(G, DT));
        bodies.map(|id| *world.body(id).unwrap().now())
    };
    let (mut world, bodies, joint) = made();
    world.set_velocity(bodies[1], Vec3::Y, Vec3::X).unwrap();
    go(&mut world, bodies);
    let saved = bodies.map(|id| world.body(id).unwrap().clone());
    let impulses = world.joint_impulses(joint).unwrap();
    assert!(impulses.iter().any(|impulse| *impulse != 0.0));
    let expected = go(&mut world, bodies);
    for (kept, same) in [(impulses, true), ([0.0; JOINT_ROWS], false)] {
        let (mut other, ids, joint) = made();
        for (id, body) in ids.into_iter().zip(saved.clone()) {
            other.restore_body(id, body).unwrap();
        }
        other.set_joint_impulses(joint, kept);
        assert_eq!(other.joint_impulses(joint), Some(kept));
        assert_eq!(go(&mut other, ids) == expected, same);
    }
    world.part(joint);
    world.set_joint_impulses(joint, impulses);
    assert_eq!(world.joint_impulses(joint), None);
}
