//! A vehicle with an engine under each logic.

use super::*;
use alloc::vec;
use rstest::rstest;
use vehicle_core::state::WheelState;
use vehicle_core::{Checked, Control, Drivetrain, GearCommand};

use crate::differential::{Differential, TrackCoupling};
use crate::engine_drive::{EngineDrive, EngineDriveParams};
use crate::physx::{four_wheel_drive, tank};

const DT: f32 = 1.0 / 60.0;

fn params() -> EngineDriveParams {
    four_wheel_drive(6)
}

fn in_gear(gear: i8) -> DriveState {
    let mut state = DriveState {
        engine_speed: 198.0,
        ..DriveState::default()
    };
    state.force_gear(Gear(gear));
    state
}

fn still() -> [WheelState; 1] {
    [WheelState::AT_REST]
}

#[test]
fn in_physx_5_gears_change_within_a_step() {
    let mut params = params();
    params.gearbox.logic = DriveLogic::PHYSX_5;
    params.gearbox.switch_time = 0.5 / 60.0;
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (in_gear(2), Control::idle(4));
    control.gear_request = GearCommand::Engage(Gear(3));
    drive.change_gears(&mut state, &still(), DT, &mut control);
    // The first third does not count, the second is too short, and the third is in gear.
    for (gear, ratio) in [(0, 0.0), (0, 0.0), (3, 6.0)] {
        drive.substep(&mut state, DT / 3.0, &mut control);
        assert_eq!(state.gear, Gear(gear));
        assert_eq!(control.coupling.unwrap().ratio, ratio);
    }
}

#[rstest]
fn in_physx_5_the_autobox_leaves_any_reverse_gear_for_first(#[values(-1, -2, -3)] gear: i8) {
    let mut params = params();
    params.gearbox.logic = DriveLogic::PHYSX_5;
    params.gearbox.reverse = vec![-4.0, -2.5, -1.5];
    params.gearbox.switch_time = 0.5 / 60.0;
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    for exact in [false, true] {
        let (mut state, mut control) = (in_gear(gear), Control::idle(4));
        AutoboxParams::rest(&mut state);
        (control.automatic, control.smooth) = (true, exact);
        let mut gears = vec![];
        for _ in 0..4 {
            drive.change_gears(&mut state, &still(), DT, &mut control);
            gears.push(state.gear.0);
            if !exact {
                drive.substep(&mut state, DT, &mut control);
            }
        }
        gears.dedup();
        assert_eq!(gears, [0, 1], "exact: {exact}");
    }
}

#[rstest]
#[case::physx_4(DriveLogic::PHYSX_4, 0.0)]
#[case::physx_5(DriveLogic::PHYSX_5, f32::MAX)]
fn a_fresh_drive_idles_in_first_gear(#[case] logic: DriveLogic, #[case] autobox_time: f32) {
    let mut params = params();
    params.engine.idle_speed = 80.0;
    params.gearbox.logic = logic;
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let state = drive.initial_state();
    let expected = DriveState {
        engine_speed: 80.0,
        gear: Gear::FIRST,
        target_gear: Gear::FIRST,
        autobox_time,
        ..DriveState::default()
    };
    assert_eq!(state, expected);
}

/// The throttle stays open on PhysX 4's tracks.
#[rstest]
#[case::physx(TrackCoupling::ByHalves, 1.0)]
#[case::ours(TrackCoupling::ByTorque, 0.0)]
fn the_throttle_between_two_gears_of_a_tank(#[case] coupling: TrackCoupling, #[case] left: f32) {
    let mut params = tank(4, true);
    if let Differential::Tank(tank) = &mut params.differential {
        tank.coupling = coupling;
    }
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (in_gear(0), Control::idle(4));
    state.target_gear = Gear(2);
    control.throttle = 1.0;
    control.automatic = true;
    drive.change_gears(&mut state, &still(), DT, &mut control);
    assert_eq!(control.coupling.unwrap().throttle, left);
}

/// The autobox compares the engine's speed over its maximum.
#[rstest]
#[case::slow(190.0, 1)]
#[case::fine(220.0, 2)]
#[case::fast(270.0, 3)]
fn the_autobox_uses_the_fraction_of_the_maximum_speed(
    #[case] engine_speed: f32,
    #[case] target: i8,
    #[values(DriveLogic::PHYSX_4, DriveLogic::PHYSX_5)] logic: DriveLogic,
    #[values(false, true)] automatic: bool,
) {
    let mut params = params();
    params.engine.max_speed = 400.0;
    params.gearbox.logic = logic;
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (in_gear(2), Control::idle(4));
    (state.engine_speed, state.autobox_time) = (engine_speed, 3.0);
    control.automatic = automatic;
    drive.change_gears(&mut state, &still(), DT, &mut control);
    let expected = if automatic { Gear(target) } else { Gear(2) };
    assert_eq!(state.target_gear, expected);
    let rests = logic == DriveLogic::PHYSX_5 && !automatic;
    assert_eq!(state.autobox_time == f32::MAX, rests);
}

/// A substep changes gears under the rules of PhysX 5 alone, and only during a change.
#[rstest]
#[case::physx_4(DriveLogic::PHYSX_4, 0)]
#[case::settled(DriveLogic::PHYSX_5, 2)]
fn a_substep_leaves_other_gears(#[case] logic: DriveLogic, #[case] gear: i8) {
    let mut params = params();
    params.gearbox.logic = logic;
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (in_gear(2), Control::idle(4));
    (state.gear, state.switch_time) = (Gear(gear), 0.7);
    let before = (state, control.clone());
    drive.substep(&mut state, 0.1, &mut control);
    assert_eq!((state, control), before);
}
