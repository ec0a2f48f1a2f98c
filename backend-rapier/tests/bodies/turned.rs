//! A body behaves the same in any pose.

use backend_rapier::RapierWorld;
use glam::{DVec3, Quat};
use rstest::rstest;
use vehicle_core::Reaction;

use super::*;

/// A reaction from two wheels of other vehicles, at `point` (`m`, from the body's origin in its
/// axes).
fn reaction(rig: &Rig, pose: &Pose, point: Vec3, force: Vec3, torque: Vec3) -> Reaction {
    // An arbitrary anchor.
    let aside = Vec3::new(10.0, -4.0, 2.0);
    Reaction {
        body: rig.car,
        force: pose.transform_vector(force),
        torque: pose.transform_vector(torque),
        anchor: (pose.translation - aside).as_dvec3(),
        offset: aside + pose.transform_vector(point),
    }
}

/// The state of a car after a step with every kind of push.
fn pushed(pose: Pose) -> BodyState {
    let mut rig = rig();
    let turned = |v: Vec3| pose.transform_vector(v);
    rig.body().set_position(pose, true);
    rig.body()
        .set_linvel(turned(Vec3::new(3.0, -1.0, 2.0)), true);
    rig.body()
        .set_angvel(turned(Vec3::new(0.1, 0.4, -0.2)), true);
    let motion = Motion::Acceleration {
        linear: turned(Vec3::new(5.0, -2.0, 1.0)),
        angular: turned(Vec3::new(-3.0, 1.0, 2.0)),
    };
    rig.apply(motion, true);
    let push = Vec3::new(900.0, -5000.0, 300.0);
    let reaction = reaction(
        &rig,
        &pose,
        Vec3::new(1.0, 0.3, -0.7),
        push,
        Vec3::X * 800.0,
    );
    RapierWorld::of(&mut rig.link, &mut rig.world).react(&[reaction]);
    rig.step();
    rig.read()
}

#[rstest]
#[case::moved(Pose::from_translation(Vec3::new(30.0, -7.0, 11.0)))]
#[case::on_its_side(Pose::from_parts(Vec3::X * 5.0, Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)))]
#[case::leaning(Pose::from_parts(Vec3::Y, Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt())))]
fn a_rotated_body_behaves_the_same(#[case] pose: Pose) {
    let (here, there) = (pushed(Pose::IDENTITY), pushed(pose));
    let turned = |v: Vec3| pose.transform_vector(v);
    close(turned(here.linear_velocity), there.linear_velocity, 1e-4);
    close(turned(here.angular_velocity), there.angular_velocity, 1e-4);
    let place = pose.transform_point(here.position.as_vec3());
    close(place, there.position.as_vec3(), 1e-4);
    let rotation = pose.rotation * here.rotation;
    assert!(rotation.dot(there.rotation).abs() > 1.0 - 1e-5);
    let same = there.inverse_inertia - here.inverse_inertia;
    assert!(same.to_cols_array().iter().all(|part| part.abs() < 1e-8));
}

/// Force and moment about the center of mass, for the length of the step.
#[rstest]
#[case::through_the_origin(Vec3::ZERO)]
#[case::beside(Vec3::new(1.5, -0.4, 0.8))]
fn a_reaction_transfers_its_momentum(#[case] point: Vec3) {
    let mut rig = rig();
    let pose = Pose::from_parts(
        Vec3::new(30.0, -7.0, 11.0),
        Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt()),
    );
    rig.body().set_position(pose, true);
    let before = rig.read();
    let (force, torque) = (Vec3::new(90.0, -500.0, 30.0), Vec3::new(80.0, 0.0, -40.0));
    let reaction = reaction(&rig, &pose, point, force, torque);
    RapierWorld::of(&mut rig.link, &mut rig.world).react(&[reaction]);
    rig.step();
    let after = rig.read();
    let impulse = reaction.force * DT / before.mass;
    close(after.linear_velocity, impulse, 1e-6);
    let place: DVec3 = reaction.anchor + reaction.offset.as_dvec3() - before.position;
    let moment = place.as_vec3().cross(reaction.force) + reaction.torque;
    let to_vehicle = before.rotation.inverse();
    let spin = before.inverse_inertia * (to_vehicle * moment) * DT;
    close(to_vehicle * after.angular_velocity, spin, 1e-5);
}
