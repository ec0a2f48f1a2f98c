//! Platforms that follow poses: the motion that is reported to vehicles.

use rstest::rstest;

use super::*;

/// Speed of the platform while it moves (`m/s`).
const SPEED: f32 = 0.5;

/// Time at which a script sets a platform's next pose.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Script {
    BeforeUpdate,
    AfterUpdate,
}

/// A platform under a car.
struct Ride {
    rig: Rig,
    platform: RigidBodyHandle,
    at: f32,
}

impl Ride {
    fn new() -> Self {
        let mut rig = rig();
        let platform = RigidBodyBuilder::kinematic_position_based();
        Self {
            platform: rig.world.insert_body(platform),
            rig,
            at: 0.0,
        }
    }

    fn told(&mut self) -> Vec3 {
        self.rig
            .ground(body_id(self.platform))
            .unwrap()
            .linear_velocity
    }

    fn guide(&mut self, speed: f32) {
        self.at += speed * DT;
        let next = Vec3::new(self.at, 0.0, 0.0);
        self.rig.world.bodies[self.platform].set_next_kinematic_translation(next);
    }

    /// Makes a step at this speed, and returns the speed that was reported to a vehicle.
    fn step(&mut self, script: Script, speed: f32) -> f32 {
        if script == Script::BeforeUpdate {
            self.guide(speed);
        }
        let told = self.told().x;
        self.rig.apply(Motion::Keep, false);
        if script == Script::AfterUpdate {
            self.guide(speed);
        }
        self.rig.step();
        told
    }
}

#[test]
fn it_moves_as_its_next_pose_says() {
    let mut rig = rig();
    let platform = RigidBodyBuilder::kinematic_position_based();
    let platform = rig.world.insert_body(platform);

    // At once, before Rapier has seen a step of it.
    let next = Vec3::new(0.5 * DT, 0.0, 2.0 * DT);
    rig.world.bodies[platform].set_next_kinematic_translation(next);
    let motion = rig.ground(body_id(platform)).unwrap();
    close(motion.linear_velocity, Vec3::new(0.5, 0.0, 2.0), 1e-4);
    rig.step();

    let turn = Quat::from_rotation_y(0.5 * DT);
    rig.world.bodies[platform].set_next_kinematic_rotation(turn);
    let motion = rig.ground(body_id(platform)).unwrap();
    close(motion.angular_velocity, Vec3::Y * 0.5, 1e-3);
}

/// A paused game makes no steps: nothing moves within one, and nothing panics.
#[test]
fn it_stands_in_a_step_without_duration() {
    let mut ride = Ride::new();
    ride.guide(SPEED);
    ride.rig.world.integration_parameters.dt = 0.0;
    let view = RapierWorld::of(&mut ride.rig.link, &mut ride.rig.world);
    let told = view.ground_motion(body_id(ride.platform)).unwrap();
    assert_eq!(told.linear_velocity, Vec3::ZERO);
    assert_eq!(told.angular_velocity, Vec3::ZERO);
}

/// A platform whose script comes before the update stands as soon as no pose is set, and goes on in the step in which one is;
/// the motion of a platform whose script comes after it is known a step late.
#[rstest]
#[case::before(Script::BeforeUpdate, [0.0, 0.5, 0.5, 0.0, 0.0, 0.5, 0.0])]
#[case::after(Script::AfterUpdate, [0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.5])]
fn it_stands_when_its_script_says_so(#[case] script: Script, #[case] told: [f32; 7]) {
    let mut ride = Ride::new();
    for (n, (speed, told)) in [0.0, 0.5, 0.5, 0.0, 0.0, 0.5, 0.0]
        .into_iter()
        .zip(told)
        .enumerate()
    {
        let found = ride.step(script, speed);
        assert!((found - told).abs() < 1e-4, "step {n}: {found} of {told}");
    }
}

/// A script may run at another point of the loop; queries between steps change nothing.
#[test]
fn another_order_is_noticed_after_a_step() {
    let mut ride = Ride::new();
    for script in [
        Script::BeforeUpdate,
        Script::AfterUpdate,
        Script::BeforeUpdate,
    ] {
        ride.step(script, SPEED);
        ride.told();
        let found = [ride.step(script, SPEED), ride.step(script, SPEED)];
        assert!(
            found.iter().all(|found| (found - SPEED).abs() < 1e-4),
            "{script:?}: {found:?}"
        );
    }
}

/// A copy of the link goes on with what it knows; a removed platform is forgotten.
#[test]
fn what_is_known_is_copied_with_the_link() {
    let mut ride = Ride::new();
    ride.step(Script::BeforeUpdate, SPEED);
    let copy = ride.rig.link.clone();
    let fresh = RapierLink::new(Frame::X_FORWARD_Y_UP);
    for (link, speed) in [(copy, 0.0), (fresh, SPEED)] {
        ride.rig.link = link;
        assert!((ride.told().x - speed).abs() < 1e-4);
    }
    ride.rig.world.remove_body(ride.platform);
    ride.rig.step();
    assert_eq!(ride.rig.ground(body_id(ride.platform)), None);
}
