//! Rotating and moving world, body and everything that pushes it together rotates and moves the
//! result.

use rstest::rstest;

use super::*;
use vehicle_core::inertia;

/// A tilted body of unequal moments, pushed in every possible way for a tenth of a second.
fn pushed(turn: Quat, way: DVec3, push: [f32; 3]) -> BodyDesc {
    let turned = |v: Vec3| math::matrix(turn) * v;
    let place = |v: Vec3| way + turned(v).as_dvec3();
    let lean = math::rotation_about(Vec3::new(0.6, 0.0, 0.8), 0.7);
    let desc = BodyDesc {
        rotation: math::compose(turn, lean),
        linear_damping: 0.1,
        angular_damping: 0.3,
        max_angular_speed: 5.0,
        ..BodyDesc::at_rest(
            place(Vec3::new(1.0, 20.0, 3.0)),
            2.0,
            inertia::tensor(Vec3::new(1.0, 2.0, 4.0), [0.2, -0.5, 0.1]),
        )
    };
    let mut world = Standalone::default();
    let id = world.add(&desc).unwrap();
    let (linear, angular) = (Vec3::new(1.0, -2.0, 3.0), Vec3::new(0.3, 2.0, -1.0));
    world
        .set_velocity(id, turned(linear), turned(angular))
        .unwrap();
    let [own, reaction, motion] = push.map(|push| turned(Vec3::new(3.0, -4.0, 9.0) * push));
    let torque = turned(Vec3::new(-2.0, 8.0, 5.0));
    world.set_force(id, own, torque * push[0]).unwrap();
    for _ in 0..10 {
        world.react(&[Reaction {
            body: id,
            force: reaction,
            torque: torque * push[1],
            anchor: place(Vec3::new(0.0, 19.0, 4.0)),
            offset: turned(Vec3::new(0.5, -0.2, 0.3)),
        }]);
        let motion = Motion::Acceleration {
            linear: motion,
            angular: torque * push[2],
        };
        let outcome = StepResult {
            motion,
            wake: false,
        };
        world.apply(&[id], &[outcome]).unwrap();
        world.step(turned(G), 0.01);
    }
    *world.body(id).unwrap().now()
}

#[rstest]
fn a_rotated_world_rotates_a_bodys_motion(
    #[values([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [3.0; 3])] push: [f32; 3],
    #[values(
        Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt()),
        Quat::from_xyzw(0.7, 0.1, -0.5, 0.5)
    )]
    turn: Quat,
) {
    let way = DVec3::new(100.0, -30.0, 7.0);
    let here = pushed(Quat::IDENTITY, DVec3::ZERO, push);
    let there = pushed(turn, way, push);
    let turned = |v: Vec3| math::matrix(turn) * v;
    let apart = |a: Vec3, b: Vec3| (turned(a) - b).length();
    let place = (there.position - way).as_vec3();
    assert!(apart(here.position.as_vec3(), place) < 1e-4);
    assert!(apart(here.linear_velocity, there.linear_velocity) < 1e-4);
    assert!(apart(here.angular_velocity, there.angular_velocity) < 1e-4);
    let same = math::compose(turn, here.rotation).dot(there.rotation);
    assert!(same.abs() > 1.0 - 1e-5, "{same}");
}

/// A force at a point changes momentum and angular momentum by its impulse and its moment's.
#[rstest]
#[case::through_the_centre(Vec3::ZERO)]
#[case::beside(Vec3::new(0.5, -1.0, 2.0))]
fn a_reaction_transfers_its_momentum(#[case] arm: Vec3) {
    let lean = math::rotation_about(Vec3::new(0.6, 0.0, 0.8), 0.7);
    let mut world = Standalone::default();
    let desc = BodyDesc {
        rotation: lean,
        ..ball()
    };
    let id = world.add(&desc).unwrap();
    let (force, torque, dt) = (Vec3::new(3.0, -4.0, 9.0), Vec3::new(-2.0, 8.0, 5.0), 1e-3);
    world.react(&[Reaction {
        body: id,
        force,
        torque,
        anchor: desc.position - DVec3::X,
        offset: Vec3::X + arm,
    }]);
    world.step(Vec3::ZERO, dt);
    let now = world.body(id).unwrap().now();
    let to_world = math::matrix(lean);
    let spin = to_world * (desc.inertia * (to_world.transpose() * now.angular_velocity));
    let moment = (arm.cross(force) + torque) * dt;
    assert!((now.linear_velocity * desc.mass - force * dt).length() < 1e-6);
    assert!((spin - moment).length() < 1e-6, "{spin} {moment}");
}
