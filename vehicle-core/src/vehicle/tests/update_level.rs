//! Vehicles that take full updates whatever level is asked for.

use super::*;
use crate::vehicle::detail::UpdateLevel;

fn on_a_truck(car: &mut Vehicle, body: &BodyState) {
    probe(car, body);
    let contacts: Vec<_> = car.contacts().to_vec();
    let moving = |wheel: usize| {
        let contact = contacts[wheel]?;
        let motion = Some(GroundMotion {
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            linear_velocity: Vec3::X,
            angular_velocity: Vec3::ZERO,
            mass: None,
            inverse_inertia: Mat3::ZERO,
        });
        Some((contact, motion))
    };
    car.take_contacts(body.position, moving).unwrap();
}

fn go_on(car: &mut Vehicle, body: &BodyState) {
    car.update(body, &braking(0.1), GRAVITY, DT).unwrap();
}

#[test]
fn a_vehicle_knows_its_ground_from_its_first_probe_on() {
    let (mut car, body) = (car(), body(1.65, Vec3::ZERO));
    assert!(!car.knows_ground());
    assert_eq!(
        car.required_level(UpdateLevel::KnownGround),
        UpdateLevel::Full
    );
    assert_eq!(
        car.required_level(UpdateLevel::Extrapolated),
        UpdateLevel::Full
    );
    probe(&mut car, &body);
    assert!(car.knows_ground());
    go_on(&mut car, &body);
    go_on(&mut car, &body);
    assert!(car.knows_ground());
    assert_eq!(
        car.required_level(UpdateLevel::KnownGround),
        UpdateLevel::KnownGround
    );
    let mut restored = Vehicle::new(Arc::clone(car.model()), BodyId(7));
    restored.restore(car.state().clone()).unwrap();
    assert!(restored.knows_ground());
}

#[rstest]
#[case::rows(crate::Profile::DEFAULT)]
#[case::physx_4(crate::Profile::PHYSX_4)]
#[case::physx_5(crate::Profile::PHYSX_5)]
fn in_the_air_it_knows_that_there_is_none(#[case] profile: crate::Profile) {
    let mut params = testing::four_wheeler();
    params.profile = profile;
    let mut car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
    let body = body(50.0, Vec3::ZERO);
    probe(&mut car, &body);
    go_on(&mut car, &body);
    assert!(car.knows_ground());
}

#[test]
fn what_is_put_to_rest_or_has_new_wheels_does_not_know_its_ground() {
    let (mut car, body) = (car(), body(1.65, Vec3::ZERO));
    let model = Arc::clone(car.model());
    let again = |car: &mut Vehicle| {
        probe(car, &body);
        go_on(car, &body);
        assert!(car.knows_ground());
    };
    again(&mut car);
    car.reset_to_rest();
    assert!(!car.knows_ground());
    again(&mut car);
    assert!(car.update(&body, &braking(1.0), GRAVITY, 1e38).is_err());
    assert!(!car.knows_ground());
    again(&mut car);
    car.set_model_with(Arc::clone(&model), &[Some(0), Some(1), Some(2), None]);
    assert!(!car.knows_ground());
    again(&mut car);
    car.set_model_with(model, &[1, 0, 3, 2].map(Some));
    assert!(car.knows_ground());
}

#[test]
fn ground_that_can_move_is_known_in_the_step_of_a_probe_only() {
    let (mut car, body) = (car(), body(1.65, Vec3::ZERO));
    on_a_truck(&mut car, &body);
    go_on(&mut car, &body);
    assert!(!car.knows_ground());
    go_on(&mut car, &body);
    assert!(!car.knows_ground(), "nor without a probe");
    let mut restored = Vehicle::new(Arc::clone(car.model()), BodyId(7));
    restored.restore(car.state().clone()).unwrap();
    assert!(!restored.knows_ground());
    probe(&mut car, &body);
    go_on(&mut car, &body);
    assert!(car.knows_ground());
}

#[test]
fn a_disabled_wheel_requests_nothing() {
    let mut params = testing::four_wheeler();
    params
        .move_center_of_mass(Vec3::new(0.3, -0.3, 0.0))
        .unwrap();
    params.enable_only(&[0, 1, 3]).unwrap();
    let mut car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
    let body = body(1.65, Vec3::ZERO);
    assert!(!car.knows_ground(), "of the wheels that are on");
    on_plain_ground(&mut car, &body);
    assert!(car.knows_ground());
    for update_level in [
        UpdateLevel::Full,
        UpdateLevel::KnownGround,
        UpdateLevel::Extrapolated,
    ] {
        assert_eq!(car.required_level(update_level), update_level);
    }
}

/// A probe of a car of which some wheels are off.
fn on_plain_ground(car: &mut Vehicle, body: &BodyState) {
    let mut rays = [GroundRay::BLANK; 4];
    car.plan_rays(body, &mut rays);
    let hits = rays.map(|ray| level(&ray).filter(|_| ray.filter.layers != 0));
    let taken = car.take_hits(&rays, &hits, &Surfaces::new(), |_| None);
    taken.unwrap();
}
