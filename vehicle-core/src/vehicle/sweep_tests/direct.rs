//! Sweeps whose length is the jounce.

use super::hits::{contact_on, hit};
use super::*;
use crate::params::contact_policy::ContactPolicy;

const DIRECT: SweepSettings = SweepSettings {
    direct: true,
    ..SweepSettings::DEFAULT
};

/// A car of three substeps that falls at 2 m/s onto the plane that it stands on, after one step.
fn falling(profile: Profile, settings: SweepSettings) -> Vehicle {
    let mut params = testing::four_wheeler();
    (params.profile, params.probe) = (profile, Probe::Sweep(settings));
    (params.substeps.slow, params.substeps.fast) = (3, 3);
    let mut car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
    let mut world = World::new(&[LEVEL]);
    world.body.linear_velocity = Vec3::new(3.0, 0.0, -2.0);
    go(&mut car, &mut world, 1).unwrap();
    car
}

/// In PhysX the sweep is the jounce in every substep, so that it has no speed after the first; and the wheel
/// touches the ground where the sweep did.
#[test]
fn a_direct_sweep_counts_for_the_whole_step() {
    let [direct, anew] = [DIRECT, SweepSettings::DEFAULT].map(|s| falling(Profile::PHYSX_4, s));
    let state = &direct.state().wheels[0];
    assert!(state.jounce.lane(0).abs() < 1e-6);
    assert_eq!(state.jounce_speed.lane(0), 0.0);
    let start = direct.contacts()[0].unwrap().point;
    let bottom = direct.outputs()[0].touch.bottom.lane(0);
    let distance = 3.0 * DT * 2.0 / 3.0;
    // The body brakes in the meantime.
    assert!(
        (start.x - bottom.x - distance).abs() < 0.1 * distance,
        "{bottom}"
    );
    // Without, the wheel goes up with the ground, and its lowest point goes with it.
    let state = &anew.state().wheels[0];
    assert!((state.jounce.lane(0) - 2.0 * DT * 2.0 / 3.0).abs() < 2e-3);
    assert!(state.jounce_speed.lane(0) > 1.5);
    assert!((start.x - anew.outputs()[0].touch.bottom.lane(0).x).abs() < 1e-3);
}

/// The rows solver meets the plane in each of its substeps.
#[test]
fn the_rows_solver_follows_the_ground() {
    let car = falling(Profile::DEFAULT, DIRECT);
    assert!(car.state().wheels[0].jounce.lane(0) > 0.01);
}

/// A wheel meets the known plane at the car's present position in a step without a probe.
#[test]
fn a_step_without_a_probe_begins_anew() {
    let mut car = falling(Profile::PHYSX_4, DIRECT);
    let mut body = World::new(&[LEVEL]).body;
    body.position.z -= 0.05;
    let command = Command::Car(CarCommand::default());
    car.update(&body, &command, GRAVITY, DT).unwrap();
    let jounce = car.state().wheels[0].jounce.lane(0);
    assert!((jounce - 0.05).abs() < 1e-5, "{jounce}");
}

/// Points count from where the body was when they were found.
#[test]
fn a_body_that_moved_since_the_probe_takes_its_points_along() {
    let settings = SweepSettings {
        all_hits: false,
        ..DIRECT
    };
    let mut params = testing::four_wheeler();
    (params.profile, params.probe) = (Profile::PHYSX_4, Probe::Sweep(settings));
    let mut car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
    let mut world = World::new(&[LEVEL]);
    car.sweep(&world.body, &world, &Surfaces::new(), |_| None)
        .unwrap();
    let start = car.contacts()[0].unwrap().point;
    world.body.position.x += 0.1;
    let command = Command::Car(CarCommand::default());
    car.update(&world.body, &command, GRAVITY, 1e-6).unwrap();
    let bottom = car.outputs()[0].touch.bottom.lane(0);
    assert!((start - Vec3::X * 0.1 - bottom).length() < 1e-5, "{bottom}");
}

/// In PhysX's rules, a direct sweep's hit is judged by where it would be on the wheel at jounce 0.
#[rstest]
#[case::under_the_wheel(0.4, true)]
#[case::before_the_wheel(1.0, false)]
fn a_direct_sweeps_point_is_judged_at_jounce_0(#[case] distance: f32, #[case] stands: bool) {
    let settings = SweepSettings {
        policy: ContactPolicy::PHYSX,
        ..DIRECT
    };
    let ahead = hit(Vec3::new(0.4, 0.1, -0.4), distance);
    let contact = contact_on(Profile::PHYSX_4, settings, 0.0, &[ahead]);
    assert_eq!(contact.is_some(), stands);
    let plane = SweepSettings {
        direct: false,
        ..settings
    };
    assert!(contact_on(Profile::PHYSX_4, plane, 0.0, &[ahead]).is_some());
}
