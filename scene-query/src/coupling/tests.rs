use glam::{DVec3, Mat3, Quat};
use rstest::rstest;
use vehicle_core::{Axis, BodyId};

use super::*;
use crate::{
    BodyDesc, CollisionBox, HullPresence, JointDesc, JointFrame, JointKind, Plane, Standalone,
};

const DT: f32 = 1.0 / 60.0;
/// A mass (`kg`) that counts as the ground's.
const HEAVY: f32 = 1e9;
/// Inertia of the towed body (`kg·m²`).
const INERTIA: f32 = 200.0;

/// A heavy body and one of 100 kg, both with their centers at the coupling, without gravity.
fn coupled(coupling: CouplingJoint) -> (Standalone, [BodyId; 2]) {
    let mut world = Standalone::new(Plane::level(Axis::Z, -100.0).unwrap());
    let bodies = [(HEAVY, HEAVY), (100.0, INERTIA)].map(|(mass, inertia)| {
        let inertia = Mat3::from_diagonal(Vec3::splat(inertia));
        let mut desc = BodyDesc::at_rest(DVec3::ZERO, mass, inertia);
        desc.sleep_threshold = 0.0;
        world.add(&desc).unwrap()
    });
    let joint = JointDesc {
        bodies,
        frames: [JointFrame::at(Vec3::ZERO); 2],
        kind: JointKind::Coupling(coupling),
    };
    world.join(&joint).unwrap();
    (world, bodies)
}

/// Rotation vector of a body after some `seconds` under a `torque` (`rad`).
fn turned(world: &mut Standalone, body: BodyId, torque: Vec3, seconds: f32) -> Vec3 {
    world.set_force(body, Vec3::ZERO, torque).unwrap();
    for _ in 0..(seconds / DT).round() as usize {
        world.step(Vec3::ZERO, DT);
    }
    world.body(body).unwrap().now().rotation.to_scaled_axis()
}

/// Each limit holds a torque either way, and no other axis does.
#[rstest]
fn a_limit_holds_the_towed_body(#[values(0, 1, 2)] axis: usize, #[values(-1.0, 1.0)] side: f32) {
    let about = [Vec3::Z, Vec3::Y, Vec3::X][axis];
    let limits = Vec3::new(1.6, 0.4, 0.2);
    let (mut world, [_, towed]) = coupled(CouplingJoint {
        limits,
        ..CouplingJoint::FREE
    });
    let found = turned(&mut world, towed, about * (side * 500.0), 4.0);
    let expected = about * (side * limits[axis]);
    assert!((found - expected).length() < 2e-3, "{found} {expected}");
}

#[test]
fn a_ball_turns_freely() {
    let (mut world, [_, towed]) = coupled(CouplingJoint::FREE);
    let found = turned(&mut world, towed, Vec3::new(30.0, -20.0, 40.0), 1.0);
    let expected = Vec3::new(30.0, -20.0, 40.0) * (0.5 / INERTIA);
    assert!((found - expected).length() < 2e-3, "{found} {expected}");
}

/// A turned-up plate pitches about the towing body's axis at any yaw; what turns about its x axis is held.
#[rstest]
#[case::ahead(0.0)]
#[case::at_a_right_angle(core::f32::consts::FRAC_PI_2)]
fn a_fifth_wheel_pitches_and_yaws_but_does_not_roll(#[case] yaw: f32) {
    let fifth = CouplingJoint {
        roll_stiffness: f32::INFINITY,
        ..CouplingJoint::FREE
    };
    for (torque, free) in [(Vec3::X, 0.0), (Vec3::Y, 1.0), (Vec3::Z, 1.0)] {
        let (mut world, [_, towed]) = coupled(fifth);
        let start = Quat::from_rotation_z(yaw);
        world.set_pose(towed, DVec3::ZERO, start).unwrap();
        world.set_force(towed, Vec3::ZERO, torque * 50.0).unwrap();
        for _ in 0..60 {
            world.step(Vec3::ZERO, DT);
        }
        let now = world.body(towed).unwrap().now().rotation;
        let found = (now * start.inverse()).to_scaled_axis();
        let expected = torque * (free * 50.0 * 0.5 / INERTIA);
        assert!((found - expected).length() < 3e-3, "{found} {expected}");
    }
}

/// M = c·φ.
#[test]
fn a_stiffness_against_roll_gives_in_proportion() {
    let (mut world, [_, towed]) = coupled(CouplingJoint {
        roll_stiffness: 4000.0,
        ..CouplingJoint::FREE
    });
    let start = Quat::from_rotation_x(0.1);
    world.set_pose(towed, DVec3::ZERO, start).unwrap();
    let found = turned(&mut world, towed, Vec3::X * 400.0, 2.0);
    assert!((found - Vec3::X * 0.1).length() < 2e-3, "{found}");
}

/// Two cars of 4 m, their coupling 0.5 m behind the first one: bodies in contact do not fold into each other.
#[rstest]
fn coupled_bodies_meet_if_told_to(#[values(true, false)] contact: bool) {
    let mut world = Standalone::new(Plane::level(Axis::Z, -100.0).unwrap());
    let bodies = [0.0, -5.0].map(|place| {
        let inertia = Mat3::from_diagonal(Vec3::splat(1000.0));
        let mut desc = BodyDesc::at_rest(DVec3::X * place, 1000.0, inertia);
        desc.hull = Some(CollisionBox {
            half_extents: Vec3::new(2.0, 1.0, 0.5),
            center: Vec3::ZERO,
            friction: 0.0,
            layers: u32::MAX,
        });
        let id = world.add(&desc).unwrap();
        world.set_presence(id, HullPresence::Solid).unwrap();
        id
    });
    let joint = JointDesc {
        bodies,
        frames: [Vec3::X * -2.5, Vec3::X * 2.5].map(JointFrame::at),
        kind: JointKind::Coupling(CouplingJoint {
            contact,
            ..CouplingJoint::FREE
        }),
    };
    world.join(&joint).unwrap();
    let torque = Vec3::Z * 300.0;
    world.set_force(bodies[0], Vec3::ZERO, torque).unwrap();
    world.set_force(bodies[1], Vec3::ZERO, -torque).unwrap();
    for _ in 0..300 {
        world.step(Vec3::ZERO, DT);
    }
    let ahead = bodies.map(|id| world.body(id).unwrap().now().rotation * Vec3::X);
    let fold = ahead[0].angle_between(ahead[1]).to_degrees();
    // Corners 1 m aside and 0.5 m from the coupling meet the other car's where both are turned by 63°: 2·atan(½) is left.
    let meet = 2.0 * 0.5_f32.atan().to_degrees();
    if contact {
        assert!((fold - meet).abs() < 2.0, "{fold}°, {meet}°");
    } else {
        assert!(
            fold > meet + 20.0 || ahead[0].dot(ahead[1]) < 0.0,
            "{fold}°"
        );
    }
}

#[test]
fn bad_numbers_are_errors() {
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).unwrap());
    let inertia = Mat3::IDENTITY;
    let bodies = [0.0, 1.0].map(|x| {
        let desc = BodyDesc::at_rest(DVec3::X * x, 1.0, inertia);
        world.add(&desc).unwrap()
    });
    let bad = JointDesc {
        bodies,
        frames: [JointFrame::at(Vec3::ZERO); 2],
        kind: JointKind::Coupling(CouplingJoint {
            limits: Vec3::new(0.5, -0.1, f32::NAN),
            roll_stiffness: -1.0,
            contact: true,
        }),
    };
    let faults = world.join(&bad).unwrap_err().to_string();
    for part in ["limits.y", "limits.z", "roll_stiffness"] {
        assert!(faults.contains(part), "{faults}");
    }
    assert!(!faults.contains("limits.x"), "{faults}");
}
