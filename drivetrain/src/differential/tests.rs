//! Tests that every law must pass.

use alloc::vec;
use alloc::vec::Vec;

use super::*;
use rstest::rstest;
use vehicle_core::Checked;

fn equal(wheels: &[usize]) -> Differential {
    let wheels = wheels.to_vec();
    Differential::Equal(EqualSplit { wheels })
}

fn axle(wheels: &[usize]) -> DrivenAxle {
    DrivenAxle {
        wheels: wheels.to_vec(),
        share: 1.0,
        split: 0.5,
        bias: None,
        slip_limiter: None,
    }
}

fn ratios(wheels: usize) -> MultiWheel {
    let mut ratios = vec![0.0; wheels];
    ratios[wheels - 1] = 1.0;
    MultiWheel {
        torque_ratios: ratios.clone(),
        speed_ratios: ratios,
        torque_by: TorqueBy::TorqueRatio,
        strict: false,
    }
}

fn tank(law: TankLaw) -> Differential {
    let track = |side, wheel| Track {
        side,
        wheels: vec![wheel],
        radii: vec![0.4],
    };
    Differential::Tank(TankDifferential {
        tracks: vec![track(TrackSide::Left, 1), track(TrackSide::Right, 5)],
        law,
        special: true,
        idle_brake: 0.0,
        coupling: TrackCoupling::ByTorque,
    })
}

fn locking() -> Differential {
    Differential::Locking(LockingDifferential {
        ratios: ratios(6),
        front: [0, 5],
        rear: [1, 2],
        front_limit: None,
        rear_limit: None,
        center_limit: None,
        rate: None,
        free_axle: FreeAxle::Open,
    })
}

fn four() -> Differential {
    Differential::FourWheel(Differential4W {
        wheels: [0, 1, 5, 3],
        ..Differential4W::physx()
    })
}

fn limited() -> Differential {
    Differential::LimitedSlip(LimitedSlip {
        axles: vec![axle(&[0, 5])],
        bias: None,
        slip_limiter: None,
    })
}

fn vectoring() -> Differential {
    Differential::TorqueVectoring(TorqueVectoring {
        wheels: vec![5],
        air_share: 0.0,
        least_grounded: 0,
    })
}

/// Laws that name wheel 5.
#[rstest]
#[case(four(), &["wheels[2]"])]
#[case(equal(&[0, 5]), &["wheels[1]"])]
#[case(limited(), &["axles[0].wheels[1]"])]
#[case(vectoring(), &["wheels[0]"])]
#[case(Differential::MultiWheel(ratios(6)), &["torque_ratios", "speed_ratios"])]
#[case(locking(), &["ratios.torque_ratios", "ratios.speed_ratios", "front[1]"])]
#[case(tank(TankLaw::Shared), &["tracks[1].wheels[0]"])]
#[case(
    tank(TankLaw::Scaled(ratios(6))),
    &["tracks[1].wheels[0]", "law.torque_ratios", "law.speed_ratios"]
)]
fn a_wheel_that_the_vehicle_does_not_have_is_named(
    #[case] law: Differential,
    #[case] expected: &[&str],
) {
    let faults = |wheels| {
        let mut inspector = Inspector::new();
        law.check_wheels(wheels, &mut inspector);
        inspector
            .verdict()
            .map_or_else(|error| error.0, |()| vec![])
    };
    assert_eq!(faults(6), []);
    let faults = faults(5);
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, expected);
}

#[test]
fn a_law_with_faults_is_refused() {
    assert!(Checked::new(equal(&[0, 5])).is_ok());
    let error = Checked::new(equal(&[])).unwrap_err();
    assert_eq!(error.0[0].path, "wheels");
}

/// A wheel with a speed share counts as accelerated by default.
#[rstest]
#[case(four(), [true, true, false, true, false, true])]
#[case(equal(&[0, 5]), [true, false, false, false, false, true])]
#[case(Differential::MultiWheel(ratios(6)), [false, false, false, false, false, true])]
fn driven_wheels_are_accelerated(#[case] law: Differential, #[case] expected: [bool; 6]) {
    let mut control = Control::idle(6);
    law.ask(&Asked::default(), &mut control);
    let found = core::array::from_fn(|n| {
        let accelerated = law.accelerated(&control.wheels[n / LANES]);
        accelerated.lane(n % LANES)
    });
    assert_eq!(found, expected);
}
