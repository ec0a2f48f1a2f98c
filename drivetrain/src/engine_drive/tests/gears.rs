//! Order of gear request, autobox and gearbox in a drive.

use super::*;

#[test]
fn reading_a_command_leaves_the_gears() {
    let mut state = in_gear(2);
    let up = Command::Car(CarCommand {
        gear: GearCommand::Up,
        ..full_throttle()
    });
    let mut control = Control::idle(4);
    drive().control(&up, &mut state, &mut control).unwrap();
    assert_eq!(state, in_gear(2));
    assert_eq!(control.gear_request, GearCommand::Up);
}

/// A drive where only the gears matter.
fn changing(switch_time: f32, latency: f32) -> EngineDrive {
    let mut params = params();
    params.gearbox.switch_time = switch_time;
    params.autobox.as_mut().unwrap().latency = latency;
    EngineDrive::new(Checked::new(params).unwrap())
}

/// A control as the rows solver asks for it: timers pass on their remainder.
fn exact() -> Control {
    Control {
        smooth: true,
        ..Control::idle(4)
    }
}

const SUBSTEPS: [f32; 3] = [1.0 / 77.0, 1.0 / 120.0, 1.0 / 240.0];

const CHANGES: u16 = 100;

/// Upper bound of the calls needed.
const MOST_CALLS: u16 = 20_000;

/// The time (`s`) covered by this many calls is within a substep of what is wanted, with a margin for
/// ties decided by rounding.
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
    let (mut state, mut control) = (in_gear(2), exact());
    let mut calls = 0;
    for change in 0..CHANGES {
        control.gear_request = if change % 2 == 0 { there } else { back };
        drive.change_gears(&mut state, &still(), h, &mut control);
        while state.gear != state.target_gear && calls < MOST_CALLS {
            calls += 1;
            drive.change_gears(&mut state, &still(), h, &mut control);
        }
    }
    assert_within_a_substep(calls, h, f32::from(CHANGES) * switch_time);
}

/// Up through the gears and down again, from the start of the first change to that of the last.
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
    let (mut state, mut control) = (in_gear(2), exact());
    (control.automatic, control.throttle) = (true, 1.0);
    control.wheels[0].speed_share = W4::splat(0.25);
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
        let ratio = drive.params().gearbox.ratio(before);
        let mut wheels = still();
        wheels[0].spin = W4::splat(state.engine_speed / ratio);
        drive.change_gears(&mut state, &wheels, h, &mut control);
        changes += u16::from(state.target_gear != before);
    }
    assert_within_a_substep(calls, h, f32::from(CHANGES) * pace);
}

#[rstest]
#[case::up(GearCommand::Up, 3)]
#[case::down(GearCommand::Down, 1)]
#[case::straight_in(GearCommand::Engage(Gear(4)), 4)]
fn the_lever_acts_once_per_step(#[case] gear_request: GearCommand, #[case] expected: i8) {
    let drive = changing(0.01, 0.0);
    let (mut state, mut control) = (in_gear(2), exact());
    let command = Command::Car(CarCommand {
        gear: gear_request,
        automatic: false,
        ..full_throttle()
    });
    drive.control(&command, &mut state, &mut control).unwrap();
    for _ in 0..20 {
        drive.change_gears(&mut state, &still(), 1.0 / 240.0, &mut control);
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
        assert_eq!(drive().requests_motion(&command, &state), wakes);
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
    assert_eq!(drive().requests_motion(&command, &in_gear(2)), wakes);
    let wheels = WheelCommand {
        drive: [1.0; MAX_WHEELS],
        ..WheelCommand::default()
    };
    assert!(!drive().requests_motion(&Command::Wheels(wheels), &in_gear(2)));
}
