//! Reports after an update.

use super::*;
use crate::Profile;
use crate::base::checked::Checked;
use crate::params::Compliance;
use crate::params::surface::{SurfaceType, TireType};
use crate::vehicle::pose::WheelPose;
use crate::vehicle::report::WheelReport;

/// The car at its design height on a material that is mapped to surface 3, after one update.
fn on_gravel(velocity: Vec3) -> (Vehicle, BodyState) {
    let (mut car, body) = (car(), body(1.65, velocity));
    let mut surfaces = Surfaces::new();
    surfaces.map(MaterialId(0), SurfaceType(3));
    let gravel = surfaces.set_friction(SurfaceType(3), TireType(0), 0.6);
    gravel.unwrap();
    let mut rays = [GroundRay::BLANK; 4];
    car.plan_rays(&body, &mut rays);
    let hits = rays.map(|ray| level(&ray));
    car.take_hits(&rays, &hits, &surfaces, |_| None).unwrap();
    car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    (car, body)
}

#[test]
fn a_wheel_tells_what_it_stands_on_and_where_it_looked() {
    let (car, _) = on_gravel(Vec3::X * 8.0);
    let report = car.wheel_report(3);
    let ground = report.ground.unwrap();
    let on = (report.surface, report.ground_friction);
    assert_eq!(on, (SurfaceType(3), 0.6));
    assert_eq!(ground.collider, crate::ColliderId(0));
    assert!((report.ground_point - Vec3::new(-1.75, -1.05, -1.65)).length() < 1e-5);
    assert!((report.probe_start - Vec3::new(-1.75, -1.05, -0.35)).length() < 1e-5);
    assert_eq!(report.probe_direction, Vec3::NEG_Z);
    // A diameter and the compression above the ground, a radius and the droop below.
    assert!(
        (report.probe_length - 1.9).abs() < 1e-5,
        "{}",
        report.probe_length
    );
    assert_eq!(report.suspension_point, Vec3::new(-1.75, -1.05, -0.3));
    assert_eq!(report.rest_mass, 332.5);
}

/// Each tire's friction is that of its type on what the material under it is mapped to, and bounds its force.
#[test]
fn each_tire_has_its_own_friction_on_each_surface() {
    let table = [[0.9, 0.8], [0.3, 0.2]];
    let mut surfaces = Surfaces::new();
    surfaces.map(MaterialId(5), SurfaceType(1));
    let mut params = testing::four_wheeler();
    for wheel in 0..4 {
        let (surface, tire) = (wheel % 2, wheel / 2);
        params.wheels[wheel].tire.kind = TireType(tire as u16);
        let (row, column) = (SurfaceType(surface as u16), TireType(tire as u16));
        surfaces
            .set_friction(row, column, table[surface][tire])
            .unwrap();
    }
    let mut car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
    let body = body(1.65, Vec3::X * 8.0);
    let mut rays = [GroundRay::BLANK; 4];
    car.plan_rays(&body, &mut rays);
    let mut hits = rays.map(|ray| level(&ray));
    for right in [1, 3] {
        hits[right].as_mut().unwrap().material = MaterialId(5);
    }
    car.take_hits(&rays, &hits, &surfaces, |_| None).unwrap();
    car.update(&body, &braking(1.0), GRAVITY, DT).unwrap();
    for wheel in 0..4 {
        let report = car.wheel_report(wheel);
        let expected = table[wheel % 2][wheel / 2];
        assert_eq!(report.ground_friction, expected, "{wheel}");
        // All are locked, and slide.
        let used = -report.longitudinal_force / report.load;
        assert!((used - expected).abs() < 1e-3, "{wheel}: {used}");
    }
}

#[test]
fn a_wheel_tells_how_far_it_turned_and_nothing_when_refused() {
    let (mut car, body) = on_gravel(Vec3::X * 8.0);
    let report = car.wheel_report(0);
    assert!(report.turned > 0.0, "the ground drags it along");
    assert_eq!(report.turned, report.angle);
    assert!(car.update(&body, &braking(0.0), GRAVITY, 0.0).is_err());
    assert_eq!(car.wheel_report(0).turned, 0.0);
}

#[rstest]
#[case::five_turns(Profile::PHYSX_4)]
#[case::one_turn(Profile::PHYSX_5)]
fn a_wheel_in_the_air_tells_each_turn(#[case] profile: Profile) {
    let mut params = testing::four_wheeler();
    params.profile = profile;
    let mut car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
    let body = body(50.0, Vec3::ZERO);
    car.state_mut().wheels[0].spin = W4::from_array([-20.0, 20.0, 150.0, 250.0]);
    for _ in 0..40 {
        car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
        for wheel in 0..4 {
            let report = car.wheel_report(wheel);
            let expected = report.spin_shown * DT;
            let off = (report.turned - expected).abs();
            assert!(off < 0.01, "{wheel}: {} {expected}", report.turned);
        }
    }
}

#[test]
fn a_user_value_stays_with_its_wheel_and_is_no_state() {
    let (mut car, body) = on_gravel(Vec3::X);
    let before = car.state().clone();
    car.set_user_value(2, u64::MAX);
    assert_eq!(*car.state(), before);
    car.reset_to_rest();
    car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    assert_eq!(car.wheel_report(2).user_value, u64::MAX);
    assert_eq!(car.wheel_report(1).user_value, 0);
}

#[test]
fn speeds_are_the_vehicles_own() {
    let (car, mut body) = on_gravel(Vec3::X);
    body.rotation = Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
    body.linear_velocity = Vec3::new(-3.0, 8.0, 1.0);
    let report = car.report(&body);
    assert!((report.forward_speed - 8.0).abs() < 1e-4);
    assert!((report.lateral_speed - 3.0).abs() < 1e-4);
    assert!(!report.in_air);
    assert_eq!(report.engine, None, "the sample car has none");
}

/// The speed by which PhysX's drivetrain responds is that at the end of the step, not that at which stops pushed the body
/// back.
#[test]
fn the_drivetrain_sees_the_speed_that_is_kept() {
    let mut params = testing::four_wheeler();
    params.profile = Profile::PHYSX_4;
    let mut car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
    let body = body(1.65, Vec3::X * 8.0);
    probe(&mut car, &body);
    car.state_mut().carry.linear = Vec3::X;
    car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    assert_eq!(car.control().forward_speed, 9.0);
}

#[test]
fn wheels_beyond_the_fourth_have_force_points_of_their_own() {
    let mut params = testing::four_wheeler();
    for side in [1.05, -1.05] {
        let mut wheel = params.wheels[0].clone();
        wheel.position.y = side;
        wheel.suspension.application_point = Vec3::new(-0.25, side, -0.2);
        wheel.tire.application_point = Vec3::new(-0.25, side, -0.4);
        wheel.suspension.sprung_mass = 1e-3;
        params.wheels.push(wheel);
    }
    let drive = testing::no_drive();
    let model = VehicleModel::new(Checked::new(params).unwrap(), &testing::tires(), drive);
    let car = Vehicle::new(Arc::new(model.unwrap()), BodyId(7));
    let reports: Vec<WheelReport> = car.wheel_reports().collect();
    let poses: Vec<WheelPose> = car.wheel_poses().collect();
    assert_eq!((reports.len(), poses.len()), (6, 6));
    for wheel in 0..6 {
        assert_eq!(reports[wheel], car.wheel_report(wheel));
        assert_eq!(poses[wheel], car.wheel_pose(wheel));
    }
    let report = reports[5];
    assert_eq!(report.suspension_point, Vec3::new(-0.25, -1.05, -0.2));
    assert_eq!(report.tire_point, Vec3::new(-0.25, -1.05, -0.4));
}

#[rstest]
#[case::explicit(Profile::PHYSX_4)]
#[case::rows(Profile::DEFAULT)]
fn a_compliant_wheel_is_shown_and_reported_as_it_stands(#[case] profile: Profile) {
    let shift = Vec3::new(0.05, 0.0, 0.1);
    let stands = |compliance: Compliance| {
        let mut params = testing::four_wheeler();
        params.profile = profile;
        params.wheels[0].compliance = compliance;
        let mut car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
        let body = body(1.65, Vec3::ZERO);
        probe(&mut car, &body);
        car.update(&body, &braking(1.0), GRAVITY, DT).unwrap();
        car
    };
    let plain = stands(Compliance::default());
    let compliant = stands(Compliance {
        toe: vec![(0.0, 0.1)],
        tire_point: vec![(0.0, shift)],
        ..Compliance::default()
    });
    let [before, after] = [&plain, &compliant].map(|car| car.wheel_report(0));
    assert!((after.steer - before.steer - 0.1).abs() < 1e-6);
    assert!((after.tire_point - before.tire_point).distance(shift) < 1e-6);
    let [before, after] = [&plain, &compliant].map(|car| car.wheel_pose(0).rotation * Vec3::Y);
    assert!((before.angle_between(after) - 0.1).abs() < 1e-4);
}
