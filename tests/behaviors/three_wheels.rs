//! Cars that lose a wheel: the others share the torque, and the car still drives straight.

use std::sync::Arc;

use glam::Vec3;
use jounce::core::retune::ThreeWheeler;
use jounce::core::{CarCommand, Checked, Gear, Vehicle, VehicleModel, VehicleParams};
use jounce::drive::{Differential, DrivenAxle, EngineDrive, EngineDriveParams, LimitedSlip};
use jounce::file::Car;
use proving_ground::stage::{FREE, Scene};
use proving_ground::world::WorldKind;
use rstest::rstest;
use vehicle_conformance::stability::{CASES, Setup};

use super::{car, engine_drive, stage};

/// The car with its parameters and its drive changed.
fn changed(
    car: &Car,
    change: impl FnOnce(&mut VehicleParams, &mut EngineDriveParams),
) -> VehicleModel {
    let (mut params, mut drive) = (car.spec().params.clone(), engine_drive(car));
    change(&mut params, &mut drive);
    let drive = Arc::new(EngineDrive::new(Checked::new(drive).unwrap()));
    let params = Checked::new(params).unwrap();
    car.model().with(params, drive).unwrap()
}

/// The car's four wheels as one of three.
fn three_wheeler(car: &Car, layout: ThreeWheeler) -> VehicleModel {
    changed(car, |params, drive| {
        params.make_three_wheeler(layout).unwrap();
        drive.make_three_wheeler(layout);
    })
}

/// A car at 15 m/s in third gear, changed to `model`, after one second of light throttle.
fn driven(car: &Car, model: VehicleModel) -> Vehicle {
    let scene = Scene {
        speed: 15.0,
        gear: Gear(3),
        ..Scene::LEVEL
    };
    let mut stage = stage(WorldKind::Standalone, car, &scene);
    stage.vehicle.set_model(Arc::new(model));
    let little = CarCommand {
        throttle: 0.1,
        ..FREE
    };
    stage.run(1.0, &little).unwrap();
    stage.vehicle
}

fn torque_shares(vehicle: &Vehicle) -> [f32; 4] {
    vehicle.control().wheels.first().torque_share.to_array()
}

fn assert_shares(found: [f32; 4], expected: [f32; 4]) {
    let near = found
        .iter()
        .zip(expected)
        .all(|(a, b)| (a - b).abs() < 0.005);
    assert!(near, "{found:.3?}, not {expected:.3?}");
}

#[rstest]
#[case::tadpole(ThreeWheeler::Tadpole, [0.225, 0.225, 0.0, 0.55])]
#[case::delta(ThreeWheeler::Delta, [0.0, 0.45, 0.275, 0.275])]
fn limited_slip_of_a_three_wheeler_splits_as_its_axles_do(
    #[case] layout: ThreeWheeler,
    #[case] shares: [f32; 4],
) {
    let rally = car("rally-car");
    let vehicle = driven(&rally, three_wheeler(&rally, layout));
    assert_shares(torque_shares(&vehicle), shares);
}

/// Disables the rear left wheel, and moves the center of mass to where three wheels can carry it.
fn without_the_rear_left_wheel(params: &mut VehicleParams) {
    let shift = Vec3::new(0.2, -0.3, 0.0);
    params.move_center_of_mass(shift).unwrap();
    params.enable_only(&[0, 1, 3]).unwrap();
}

#[test]
fn what_a_wheel_that_is_off_had_goes_to_the_others_in_proportion() {
    let rally = car("rally-car");
    let model = changed(&rally, |params, _| without_the_rear_left_wheel(params));
    let shares = torque_shares(&driven(&rally, model));
    let rest = 1.0 - 0.275;
    assert_shares(shares, [0.225 / rest, 0.225 / rest, 0.0, 0.275 / rest]);

    let axle = |first: usize| DrivenAxle {
        wheels: vec![first, first + 1],
        share: 0.5,
        split: 0.5,
        bias: Some(1.3),
        slip_limiter: None,
    };
    let model = changed(&rally, |params, drive| {
        without_the_rear_left_wheel(params);
        drive.differential = Differential::LimitedSlip(LimitedSlip {
            axles: vec![axle(0), axle(2)],
            bias: Some(1.3),
            slip_limiter: None,
        });
    });
    let third = 1.0 / 3.0;
    assert_shares(
        torque_shares(&driven(&rally, model)),
        [third, third, 0.0, third],
    );
}

#[rstest]
fn hands_off_a_three_wheeler_goes_straight(
    #[values(ThreeWheeler::Tadpole, ThreeWheeler::Delta)] layout: ThreeWheeler,
) {
    // Of measured tires, a single one pulls to its side.
    let car = car("hatchback");
    let scene = Scene {
        speed: 20.0,
        ..Scene::LEVEL
    };
    let mut stage = stage(WorldKind::Standalone, &car, &scene);
    let model = three_wheeler(&car, layout);
    stage.vehicle.set_model(Arc::new(model));
    stage.run(5.0, &FREE).unwrap();
    let place = stage.position().unwrap();
    println!("{layout:?}: {:.4} m aside after {:.1} m", place.y, place.x);
    assert!(place.x > 60.0 && place.y.abs() < 0.02, "{place}");
}

/// The sweep solves the wheel of an axle that carries more last, whichever lanes the two have.
#[rstest]
#[case::one_in_front("delta")]
#[case::two_in_front("tadpole")]
fn slaloms_of_three_wheelers_and_their_mirror_images_stay_together(#[case] name: &str) {
    let car = car(name);
    let case = CASES.iter().find(|case| case.name == "mirrored").unwrap();
    let world = WorldKind::Standalone;
    let found = (case.measure)(&Setup { world, car: &car }).unwrap();
    assert!(found.keeps(&case.goal), "{}", found.text(2));
}
