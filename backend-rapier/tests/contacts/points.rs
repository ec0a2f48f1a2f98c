//! Application points of shared contacts, and the target velocity of their friction, as passed to the solver.

use std::sync::Mutex;

use super::*;

/// A contact as the hooks of the wheels leave it, in world axes.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// Contact points on the surfaces of the first and the second collider (`m`).
    anchors: [Vec3; 2],
    /// Target velocity of friction for the wheel relative to the other (`m/s`).
    speed: Vec3,
}

impl Point {
    fn middle(&self) -> Vec3 {
        (self.anchors[0] + self.anchors[1]) * 0.5
    }
}

/// Records the contacts of `wheel`.
struct Spy {
    wheel: ColliderHandle,
    seen: Mutex<Vec<Point>>,
}

impl PhysicsHooks for Spy {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        // Rapier's target is the velocity of the second relative to the first.
        let sense = if context.collider2 == self.wheel {
            1.0
        } else {
            -1.0
        };
        let Some(manifold) = context.rigid_mut() else {
            return;
        };
        let points = manifold.solver_contacts.iter().map(|contact| Point {
            anchors: [contact.anchor1, contact.anchor2],
            speed: contact.tangent_velocity * sense,
        });
        self.seen.lock().unwrap().extend(points);
    }
}

/// The contacts of the first step.
fn points(rig: &mut Rig) -> Vec<Point> {
    let spy = Spy {
        wheel: rig.wheel,
        seen: Mutex::default(),
    };
    let hooks = rig.link.hooks().and(&spy);
    rig.world.step_with_events(&hooks, &());
    spy.seen.into_inner().unwrap()
}

/// A wall in front, which the wheel penetrates by 8 cm.
fn deep() -> ColliderBuilder {
    wall().translation(Vec3::X * 0.77)
}

/// A contact lies in the middle between the two surfaces, in either order of the pair.
#[rstest]
#[case::forward(30.0)]
#[case::backward(-30.0)]
fn a_contact_is_in_the_middle_between_the_two_surfaces(
    #[case] spin: f32,
    #[values(true, false)] wheel_first: bool,
) {
    let seen = points(&mut rig(&[deep()], wheel_first, hook(spin)));
    assert!(!seen.is_empty());
    for point in seen {
        let [a, b] = point.anchors;
        assert!((a - b).length() > 0.07, "{point:?}");
        assert!((point.middle().x - 0.31).abs() < 1e-3, "{point:?}");
        // A tenth of the rim's speed there, up the wall.
        let climbs = Vec3::Y * 0.1 * spin * point.middle().x;
        assert!((point.speed - climbs).length() < 1e-4, "{point:?}");
    }
}

/// A shift to the application point moves both surfaces by the same offset, so that the gap stays.
#[rstest]
fn the_middle_of_a_contact_is_moved_to_the_application_point(
    #[values(true, false)] wheel_first: bool,
) {
    let place = Vec3::new(0.1, 0.2, -0.3);
    let hook = WheelHook {
        application_point: Some(place),
        ..hook(30.0)
    };
    for point in points(&mut rig(&[deep()], wheel_first, hook)) {
        assert!(
            (point.middle() - FRAME.to_body(place)).length() < 1e-6,
            "{point:?}"
        );
        assert!(((point.anchors[0] - point.anchors[1]).length() - 0.08).abs() < 1e-3);
    }
}

/// A wheel away from a center of mass away from the origin, all moved by a pose.
fn placed(pose: Pose) -> Vec<Point> {
    let wheel = Vec3::new(0.4, 0.3, -0.2);
    let wall = Vec3::X * 0.77 + FRAME.to_body(wheel);
    let wall = deep().position(pose * Pose::from_translation(wall));
    let hook = WheelHook {
        application_point: Some(APPLICATION),
        ..hook(30.0)
    };
    let mut rig = rig(&[wall], false, hook);
    let (bodies, colliders) = (&mut rig.world.bodies, &mut rig.world.colliders);
    let inertia = Mat3::from_diagonal(Vec3::splat(10.0));
    set_mass_properties(bodies, colliders, rig.id, &FRAME, 100.0, inertia, CENTER).unwrap();
    pose_wheels(
        colliders,
        &[Some(rig.wheel)],
        &[(wheel, Quat::IDENTITY)],
        &FRAME,
    );
    rig.body().set_position(pose, true);
    points(&mut rig)
}

const APPLICATION: Vec3 = Vec3::new(0.1, 0.2, -0.3);
const CENTER: Vec3 = Vec3::new(0.2, -0.1, 0.15);

#[rstest]
#[case::as_it_is(Pose::IDENTITY)]
#[case::moved(Pose::from_translation(Vec3::new(3.0, -2.0, 5.0)))]
#[case::turned(Pose::from_parts(Vec3::X, Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)))]
#[case::leaning(Pose::from_parts(Vec3::Y, Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt())))]
fn contacts_rotate_with_the_world(#[case] pose: Pose) {
    let seen = placed(pose);
    assert!(!seen.is_empty());
    // The application point is relative to the center of mass.
    let place = pose.transform_point(FRAME.to_body(CENTER + APPLICATION));
    let climbs = pose.transform_vector(Vec3::Y * 0.1 * 30.0 * 0.31);
    for point in seen {
        assert!(
            (point.middle() - place).length() < 1e-5,
            "{point:?} {place}"
        );
        assert!((point.speed - climbs).length() < 5e-3, "{point:?} {climbs}");
    }
}
