//! Lever, autobox and gearbox in the order of a drive.

use super::*;

#[test]
fn a_look_at_a_command_leaves_the_gears() {
    let mut state = in_gear(2);
    let up = Command::Car(CarCommand {
        gear: GearCommand::Up,
        ..full_throttle()
    });
    let mut control = Control::idle(4);
    drive().control(&up, &mut state, &mut control).unwrap();
    assert_eq!(state, in_gear(2));
    assert_eq!(control.pedals.lever, GearCommand::Up);
}

/// A drive of which only the gears matter.
fn changing(switch_time: f32, latency: f32) -> EngineDrive {
    let mut params = params();
    params.gearbox.switch_time = switch_time;
    params.autobox.as_mut().unwrap().latency = latency;
    EngineDrive::new(Checked::new(params).unwrap())
}

fn exact(duration: f32) -> Tick {
    Tick {
        duration,
        exact: true,
    }
}

const SUBSTEPS: [f32; 3] = [1.0 / 77.0, 1.0 / 120.0, 1.0 / 240.0];
const CHANGES: u16 = 100;
/// More than they take.
const MOST_CALLS: u16 = 20_000;

/// The time [s] that so many calls cover is within a substep of what is wanted, and a little for
/// ties that rounding decides.
fn assert_within_a_substep(calls: u16, h: f32, wanted: f32) {
    let found = f32::from(calls) * h;
    assert!(
        (found - wanted).abs() < 1.01 * h,
        "{found} s, not {wanted} s"
    );
}

#[rstest]
#[case::one_by_one(GearCommand::Up, GearCommand::Down)]
#[case::straight_in(GearCommand::Engage(Gear(4)), GearCommand::Engage(Gear(1)))]
fn changes_take_their_time_at_every_rate(
    #[case] there: GearCommand,
    #[case] back: GearCommand,
    #[values(0.05, 0.3)] switch_time: f32,
    #[values(SUBSTEPS[0], SUBSTEPS[1], SUBSTEPS[2])] h: f32,
) {
    let drive = changing(switch_time, 0.0);
    let (mut state, mut control) = (in_gear(2), Control::idle(4));
    let mut calls = 0;
    for change in 0..CHANGES {
        control.pedals.lever = if change % 2 == 0 { there } else { back };
        drive.shift(&mut state, &still(), exact(h), &mut control);
        while state.gear != state.target_gear && calls < MOST_CALLS {
            calls += 1;
            drive.shift(&mut state, &still(), exact(h), &mut control);
        }
    }
    assert_within_a_substep(calls, h, f32::from(CHANGES) * switch_time);
}

/// Up through the gears and down again, from the first change's start to the last one's.
#[rstest]
#[case::latency_lasts(0.2, 0.35, 0.35)]
#[case::change_lasts(0.3, 0.1, 0.3)]
fn the_autobox_keeps_its_pace_at_every_rate(
    #[case] switch_time: f32,
    #[case] latency: f32,
    #[case] pace: f32,
    #[values(SUBSTEPS[0], SUBSTEPS[1], SUBSTEPS[2])] h: f32,
) {
    let drive = changing(switch_time, latency);
    let (mut state, mut control) = (in_gear(2), Control::idle(4));
    control.pedals.automatic = true;
    let (mut changes, mut calls) = (0, 0);
    for _ in 0..MOST_CALLS {
        if changes > CHANGES {
            break;
        }
        let before = state.target_gear;
        // Up to fourth gear, down to second, and so on.
        match before {
            Gear(2) => state.engine_speed = 500.0,
            Gear(4) => state.engine_speed = 100.0,
            _ => {}
        }
        calls += u16::from(changes > 0);
        drive.shift(&mut state, &still(), exact(h), &mut control);
        changes += u16::from(state.target_gear != before);
    }
    assert_within_a_substep(calls, h, f32::from(CHANGES) * pace);
}

#[test]
fn by_physx_5_gears_change_within_a_step() {
    let mut params = params();
    params.gearbox.rules = DriveRules::Physx5;
    params.gearbox.switch_time = 0.5 / 60.0;
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (in_gear(2), Control::idle(4));
    control.pedals.lever = GearCommand::Engage(Gear(3));
    drive.shift(&mut state, &still(), TICK, &mut control);
    // The first third counts nothing, the second is too short, and the third is in gear.
    for (gear, ratio) in [(0, 0.0), (0, 0.0), (3, 6.0)] {
        drive.substep(&mut state, TICK.duration / 3.0, &mut control);
        assert_eq!(state.gear, Gear(gear));
        assert_eq!(control.coupling.unwrap().ratio, ratio);
    }
}

#[rstest]
fn by_physx_5_the_autobox_leaves_any_reverse_gear_for_first(#[values(-1, -2, -3)] gear: i8) {
    let mut params = params();
    params.gearbox.rules = DriveRules::Physx5;
    params.gearbox.reverse = vec![-4.0, -2.5, -1.5];
    params.gearbox.switch_time = 0.5 / 60.0;
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    for exact in [false, true] {
        let (mut state, mut control) = (in_gear(gear), Control::idle(4));
        AutoboxParams::rest(&mut state);
        control.pedals.automatic = true;
        let mut gears = vec![];
        for _ in 0..4 {
            drive.shift(&mut state, &still(), Tick { exact, ..TICK }, &mut control);
            gears.push(state.gear.0);
            if !exact {
                drive.substep(&mut state, TICK.duration, &mut control);
            }
        }
        gears.dedup();
        assert_eq!(gears, [0, 1], "exact: {exact}");
    }
}

#[rstest]
#[case::up(GearCommand::Up, 3)]
#[case::down(GearCommand::Down, 1)]
#[case::straight_in(GearCommand::Engage(Gear(4)), 4)]
fn the_lever_acts_once_per_step(#[case] lever: GearCommand, #[case] expected: i8) {
    let drive = changing(0.01, 0.0);
    let (mut state, mut control) = (in_gear(2), Control::idle(4));
    let command = Command::Car(CarCommand {
        gear: lever,
        automatic: false,
        ..full_throttle()
    });
    drive.control(&command, &mut state, &mut control).unwrap();
    for _ in 0..20 {
        drive.shift(&mut state, &still(), exact(1.0 / 240.0), &mut control);
    }
    assert_eq!(state.gear, Gear(expected));
    assert_eq!(state.target_gear, Gear(expected));
}

#[rstest]
#[case(-2, -128, -1, -1)]
#[case(0, 9, 0, 5)]
#[case(7, 2, 5, 2)]
fn a_drive_adopts_the_nearest_gears(
    #[case] gear: i8,
    #[case] target: i8,
    #[case] nearest: i8,
    #[case] nearest_target: i8,
) {
    let mut state = in_gear(gear);
    state.target_gear = Gear(target);
    drive().adopt(&mut state);
    let found = (state.gear, state.target_gear);
    assert_eq!(found, (Gear(nearest), Gear(nearest_target)));
}

#[rstest]
#[case::physx_4(DriveRules::Physx4, 0.0)]
#[case::physx_5(DriveRules::Physx5, f32::MAX)]
fn a_fresh_drive_idles_in_first_gear(#[case] rules: DriveRules, #[case] autobox_time: f32) {
    let mut params = params();
    params.engine.idle_speed = 80.0;
    params.gearbox.rules = rules;
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

/// On PhysX 4's tracks the throttle stays open.
#[rstest]
#[case::physx(true, 1.0)]
#[case::ours(false, 0.0)]
fn the_throttle_between_two_gears_of_a_tank(#[case] physx_rules: bool, #[case] left: f32) {
    let mut params = presets::tank(4, true);
    if let Differential::Tank(tank) = &mut params.differential {
        tank.physx_rules = physx_rules;
    }
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (in_gear(0), Control::idle(4));
    state.target_gear = Gear(2);
    control.pedals.throttle = 1.0;
    control.pedals.automatic = true;
    drive.shift(&mut state, &still(), TICK, &mut control);
    assert_eq!(control.coupling.unwrap().throttle, left);
}

/// The autobox compares the engine's speed over its greatest.
#[rstest]
#[case::slow(190.0, 1)]
#[case::fine(220.0, 2)]
#[case::fast(270.0, 3)]
fn the_autobox_looks_at_the_part_of_the_greatest_speed(
    #[case] engine_speed: f32,
    #[case] target: i8,
    #[values(DriveRules::Physx4, DriveRules::Physx5)] rules: DriveRules,
    #[values(false, true)] automatic: bool,
) {
    let mut params = params();
    params.engine.max_speed = 400.0;
    params.gearbox.rules = rules;
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (in_gear(2), Control::idle(4));
    (state.engine_speed, state.autobox_time) = (engine_speed, 3.0);
    control.pedals.automatic = automatic;
    drive.shift(&mut state, &still(), TICK, &mut control);
    let expected = if automatic { Gear(target) } else { Gear(2) };
    assert_eq!(state.target_gear, expected);
    let rests = rules == DriveRules::Physx5 && !automatic;
    assert_eq!(state.autobox_time == f32::MAX, rests);
}

/// Gears change within a step by PhysX 5 only, and only while they change.
#[rstest]
#[case::physx_4(DriveRules::Physx4, 0)]
#[case::settled(DriveRules::Physx5, 2)]
fn a_substep_leaves_other_gears(#[case] rules: DriveRules, #[case] gear: i8) {
    let mut params = params();
    params.gearbox.rules = rules;
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (in_gear(2), Control::idle(4));
    (state.gear, state.switch_time) = (Gear(gear), 0.7);
    let before = (state, control.clone());
    drive.substep(&mut state, 0.1, &mut control);
    assert_eq!((state, control), before);
}

#[rstest]
#[case::nothing(GearCommand::Hold, false, false)]
#[case::waiting(GearCommand::Hold, true, true)]
#[case::withdrawn(GearCommand::Cancel, true, false)]
#[case::down(GearCommand::Down, false, true)]
#[case::engage(GearCommand::Engage(Gear(3)), false, true)]
#[case::engaged(GearCommand::Engage(Gear(2)), true, false)]
fn the_lever_wakes(#[case] gear: GearCommand, #[case] waits: bool, #[case] wakes: bool) {
    let mut state = in_gear(2);
    state.gear_up = waits;
    let car = Command::Car(CarCommand {
        gear,
        ..CarCommand::default()
    });
    let tank = Command::Tank(TankCommand {
        gear,
        ..TankCommand::default()
    });
    for command in [car, tank] {
        assert_eq!(drive().wants_motion(&command, &state), wakes);
    }
}

#[rstest]
#[case::nothing(0.0, [0.0, 0.0], false)]
#[case::throttle(0.5, [0.0, 0.0], true)]
#[case::left(0.0, [0.5, 0.0], true)]
#[case::right(0.0, [0.0, -0.5], true)]
fn a_tanks_pedals_wake(#[case] throttle: f32, #[case] thrust: [f32; 2], #[case] wakes: bool) {
    let command = Command::Tank(TankCommand {
        throttle,
        thrust,
        brake: [1.0; 2],
        ..TankCommand::default()
    });
    assert_eq!(drive().wants_motion(&command, &in_gear(2)), wakes);
    let wheels = WheelCommand {
        drive: [1.0; vehicle_core::MAX_WHEELS],
        ..WheelCommand::default()
    };
    assert!(!drive().wants_motion(&Command::Wheels(wheels), &in_gear(2)));
}
