use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use glam::{DVec3, Mat3, Quat, Vec3};
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::params::{
    ChassisParams, LoadFilter, SubstepPolicy, SuspensionParams, TireFit, WheelParams,
};
use vehicle_core::{
    BodyId, BodyState, ColliderId, Command, Control, DriveState, Drivetrain, GroundHit, GroundRay,
    MaterialId, Profile, QueryFilter, StepError, Surfaces, TireForces, TireInput, TireModel,
    VehicleModel, VehicleParams, phases,
};

use super::*;

/// Neither drives nor brakes.
#[derive(Debug)]
struct Rolling;

impl Drivetrain for Rolling {
    fn check(&self, _: usize, _: &mut Inspector) {}

    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }

    fn control(&self, _: &Command, _: &mut DriveState, _: &mut Control) -> Result<(), StepError> {
        Ok(())
    }

    fn requests_motion(&self, _: &Command, _: &DriveState) -> bool {
        true
    }
}

/// Ice: wheels exert no force.
#[derive(Debug)]
struct Ice;

impl TireModel for Ice {
    fn forces(&self, _: &TireInput) -> TireForces {
        TireForces::default()
    }
}

fn wheel(x: f32, y: f32) -> WheelParams {
    WheelParams {
        name: "a wheel".into(),
        position: Vec3::new(x, y, -0.5),
        radius: 0.5,
        width: 0.2,
        mass: 20.0,
        inertia: 2.5,
        suspension: SuspensionParams {
            stiffness: 35_000.0,
            damping: 4500.0.into(),
            bump_stop_stiffness: 350_000.0,
            max_compression: 0.3,
            max_droop: 0.1,
            sprung_mass: 375.0,
            application_point: Vec3::new(x, y, -0.5),
            ..SuspensionParams::blank()
        },
        tire: TireFit {
            application_point: Vec3::new(x, y, -0.5),
            ..TireFit::blank()
        },
        ..WheelParams::blank()
    }
}

fn car() -> Vehicle {
    let params = VehicleParams {
        chassis: ChassisParams {
            mass: 1500.0,
            inertia: Vec3::new(1281.25, 3625.0, 3125.0),
            center_of_mass: Vec3::ZERO,
            ..ChassisParams::blank()
        },
        wheels: vec![
            wheel(1.4, 0.8),
            wheel(1.4, -0.8),
            wheel(-1.4, 0.8),
            wheel(-1.4, -0.8),
        ],
        load_filter: LoadFilter::PHYSX,
        substeps: SubstepPolicy::PHYSX,
        profile: Profile::PHYSX_4,
        ..VehicleParams::blank()
    };
    let tires: [Arc<dyn TireModel>; 1] = [Arc::new(Ice)];
    let model = VehicleModel::new(Checked::new(params).unwrap(), &tires, Arc::new(Rolling));
    Vehicle::new(Arc::new(model.unwrap()), BodyId(7))
}

/// A car after an update with this motion (`m/s`, `rad/s`) and these wheel spins, with at most one
/// wheel off the ground.
fn moving(ahead: f32, left: f32, yaw: f32, spins: [f32; 4], in_air: Option<usize>) -> Vehicle {
    let mut car = car();
    let body = BodyState {
        position: DVec3::Z,
        rotation: Quat::IDENTITY,
        linear_velocity: Vec3::new(ahead, left, 0.0),
        angular_velocity: Vec3::Z * yaw,
        mass: 1500.0,
        inverse_inertia: Mat3::from_diagonal(Vec3::new(7.8e-4, 2.8e-4, 3.2e-4)),
        locked_axes: vehicle_core::LockedAxes::NONE,
        linear_damping: 0.0,
        angular_damping: 0.0,
        asleep: false,
    };
    for (wheel, spin) in spins.into_iter().enumerate() {
        car.state_mut().set_spin(wheel, spin);
    }
    let mut rays = [GroundRay {
        anchor: DVec3::ZERO,
        offset: Vec3::ZERO,
        direction: Vec3::ZERO,
        length: 0.0,
        filter: QueryFilter::except(BodyId(7)),
    }; 4];
    phases::plan_rays(&car, &body, &mut rays);
    let hits = core::array::from_fn::<_, 4, _>(|n| {
        (in_air != Some(n)).then_some(GroundHit {
            distance: (rays[n].anchor.z + f64::from(rays[n].offset.z)) as f32,
            normal: Vec3::Z,
            material: MaterialId(0),
            body: None,
            collider: ColliderId(0),
            triangle: None,
        })
    });
    phases::take_hits(&mut car, &rays, &hits, &Surfaces::new(), |_| None).unwrap();
    let gravity = Vec3::Z * -9.81;
    let command = Command::Car(CarCommand::default());
    phases::update(&mut car, &body, &command, gravity, 0.01).unwrap();
    car
}

/// Mean slip angle weighted by slip, in double precision, of wheels that roll forward on the
/// ground.
fn weighted(car: &Vehicle) -> f64 {
    let reports = (0..4).map(|n| car.wheel_report(n));
    let counting = reports.filter(|wheel| !wheel.in_air && wheel.forward_speed > 0.0);
    let weighted: Vec<(f64, f64)> = counting
        .map(|wheel| {
            let angle = f64::from(wheel.slip_angle);
            let (along, across) = (f64::from(wheel.slip_ratio), angle.tan());
            ((along.powi(2) + across.powi(2)).sqrt(), angle)
        })
        .collect();
    let sum: f64 = weighted.iter().map(|(weight, _)| weight).sum();
    let mean: f64 = weighted.iter().map(|(weight, angle)| weight * angle).sum();
    if sum > 0.0 { mean / sum } else { 0.0 }
}

#[rstest]
#[case::to_the_left(20.0, 5.0)]
#[case::to_the_right(20.0, -3.0)]
fn a_car_that_moves_aside_slides_by_its_course_angle(#[case] ahead: f32, #[case] left: f32) {
    let car = moving(ahead, left, 0.0, [40.0; 4], None);
    let angle = math::atan(left / ahead);
    // The denominator of slip angles is slightly larger than the speed.
    let found = slide(&car);
    assert!(
        found * angle > 0.0 && (found / angle - 1.0).abs() < 0.1,
        "{found} {angle}"
    );
}

#[rstest]
#[case::straight(20.0, [40.0; 4])]
#[case::standing(0.0, [0.0; 4])]
fn a_car_that_moves_straight_does_not_slide(#[case] ahead: f32, #[case] spins: [f32; 4]) {
    assert_eq!(slide(&moving(ahead, 0.0, 0.0, spins, None)), 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Each wheel counts by its slip, unless it is in the air or rolls backwards.
    #[test]
    fn a_slide_is_the_weighted_mean_of_slip_angles(
        ahead in -20.0..20.0_f32, left in -8.0..8.0_f32, yaw in -4.0..4.0_f32,
        spins in proptest::array::uniform4(-20.0..60.0_f32),
        in_air in proptest::option::of(0..4_usize),
    ) {
        let car = moving(ahead, left, yaw, spins, in_air);
        let (found, expected) = (f64::from(slide(&car)), weighted(&car));
        prop_assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }

    /// Against the slide, by the part beyond the tolerance, within both limits.
    #[test]
    fn counter_steering_goes_against_the_slide(
        left in -8.0..8.0_f32, steer in -1.0..1.0_f32,
        gain in 0.0..4.0_f32, tolerance in 0.0..0.3_f32, limit in 0.0..1.0_f32,
    ) {
        let car = moving(15.0, left, 0.0, [30.0; 4], None);
        let settings = Checked::new(CounterSteer { gain, tolerance, limit }).unwrap();
        let command = CarCommand { steer, throttle: 0.5, ..CarCommand::default() };
        let found = CounterSteer::add(&settings, &command, &car);
        let slide = slide(&car);
        // A slide to the left is countered by steering left, which is negative.
        let size = (gain * (slide.abs() - tolerance).max(0.0)).min(limit);
        let expected = (steer - size * slide.signum()).clamp(-1.0, 1.0);
        prop_assert!((found.steer - expected).abs() < 1e-5, "{} {expected}", found.steer);
        prop_assert_eq!(CarCommand { steer, ..found }, command);
    }
}

#[test]
fn every_bad_setting_is_named() {
    let bad = CounterSteer {
        gain: f32::NAN,
        tolerance: -0.1,
        limit: 1.5,
    };
    let faults = Checked::new(bad).unwrap_err().0;
    let paths = faults.iter().map(|fault| fault.path.as_str());
    assert!(paths.eq(["gain", "tolerance", "limit"]));
}
