//! Tables of `vehicle2`'s differentials, responses and gears.

use jounce::core::drivetrain::Control;
use jounce::core::lanes::{LANES, W4};
use jounce::core::state::WheelState;
use jounce::core::{DriveState, Gear, GearCommand};
use jounce::drive::{
    AutoboxParams, AxleLaw, BrakeParams, ClutchParams, DriveLogic, FreeAxle, LockingDifferential,
    MultiWheel, ResponseRow, ResponseTable, SpeedAxis, SpeedLimit, SteeredAxle, SteeredWheel,
    SteeringParams, TankLaw, TorqueBy, Track, TrackSide,
};

use super::drive::{Shifting, curve, four_wheel, gear, index, relative_speeds, tank};
use super::{Outputs, all, one, yes};
use crate::row::Row;

/// PhysX's wheel 0 is our right one; its angles are positive to the left, like ours.
pub(crate) fn ackermann(row: &Row<'_>) -> Option<Outputs> {
    row.ignore("pre_ackermann");
    let max_steer = row
        .four("wheel_multipliers")
        .map(|multiplier| multiplier * row.number("max_response"));
    let single = |wheel: usize| SteeredWheel {
        wheel,
        max_steer: max_steer[wheel],
    };
    let steering = SteeringParams {
        axles: vec![SteeredAxle {
            left: 1,
            right: 0,
            max_steer: [max_steer[1], max_steer[0]],
            accuracy: row.number("strength"),
            width: row.number("track_width"),
            separation: row.number("wheel_base"),
            counter: false,
        }],
        wheels: vec![single(2), single(3)],
        response: ResponseTable::default(),
        axle_law: AxleLaw::Mean,
        system: None,
    };
    let angles = steering.angles(-row.number("steer"), 0.0);
    Some(vec![("out_steer", all(angles[..4].iter().copied()))])
}

pub(crate) fn linear_responses(row: &Row<'_>) -> Option<Outputs> {
    let (commands, max) = (row.list("brake_commands"), row.list("max_response"));
    let multipliers = row.list("wheel_multiplier");
    let brakes = BrakeParams {
        max_torque: max[0] * multipliers[0],
        max_handbrake_torque: max[1] * multipliers[1],
    };
    let pedal = row.number("clutch_command");
    let clutch = ClutchParams {
        strength: row.number("clutch_max"),
        ..ClutchParams::physx()
    };
    let strength = clutch.engaged_strength(pedal, false);
    Some(vec![
        ("out_brake", one(brakes.torque(commands[0], commands[1]))),
        (
            "out_clutch_normalised",
            one(ClutchParams::engagement(pedal, false)),
        ),
        ("out_clutch_response", one(strength)),
    ])
}

pub(crate) fn response(row: &Row<'_>) -> Option<Outputs> {
    let table = ResponseTable {
        rows: row
            .objects("tables")
            .iter()
            .map(|row| ResponseRow {
                command: row.number("command"),
                by_speed: curve(&row.list("speed_response")),
            })
            .collect(),
        speed_axis: SpeedAxis::Signed,
    };
    let max = row.number("max_response") * row.number("wheel_multiplier");
    let command = row.number("command");
    let answer = table.at(command, row.number("long_speed"));
    Some(vec![
        ("out_nonlinear", one(answer * max)),
        ("out_linear", one(command * max)),
    ])
}

/// PhysX 5 uses the speed ratios for the torque.
fn ratios(row: &Row<'_>, torque_by: TorqueBy) -> MultiWheel {
    MultiWheel {
        torque_ratios: row.list("torque_ratios"),
        speed_ratios: row.list("ave_speed_ratios"),
        torque_by,
        strict: false,
    }
}

pub(crate) fn multi_wheel(row: &Row<'_>) -> Option<Outputs> {
    let wheels = row.count("n") as usize;
    let (torque, speed) = ratios(row, TorqueBy::SpeedRatio).shares();
    let connected = (0..wheels).filter(|&wheel| torque[wheel] != 0.0);
    Some(vec![
        ("out_connected", all(connected.map(|wheel| wheel as f32))),
        ("out_torque_ratios", all(torque[..wheels].iter().copied())),
        ("out_ave_speed", all(speed[..wheels].iter().copied())),
    ])
}

/// The wheels of each wheel coupling, and their ratios.
fn groups(control: &Control) -> Outputs {
    let (mut wheels, mut multipliers) = (Vec::new(), Vec::new());
    for wheel_coupling in 1..=control.wheel_couplings {
        for (g, group) in control.wheels.iter().enumerate() {
            for lane in (0..LANES).filter(|&lane| group.wheel_coupling[lane] == wheel_coupling) {
                wheels.push((g * LANES + lane) as f32);
                multipliers.push(group.coupling_ratio.lane(lane));
            }
        }
    }
    if wheels.is_empty() {
        return vec![("out_groups", vec![])];
    }
    vec![
        ("out_groups.wheels", all(wheels)),
        ("out_groups.multipliers", all(multipliers)),
    ]
}

pub(crate) fn locking(row: &Row<'_>) -> Option<Outputs> {
    let limit = |bias: &str, target: &str| {
        let (bias, target) = (row.number(bias), row.number(target));
        (bias != 0.0).then_some(SpeedLimit { bias, target })
    };
    let ratios = ratios(row, TorqueBy::SpeedRatio);
    let (torque, speed) = ratios.shares();
    let locking = LockingDifferential {
        ratios,
        front: [0, 1],
        rear: [2, 3],
        front_limit: limit("front_bias", "front_target"),
        rear_limit: limit("rear_bias", "rear_target"),
        center_limit: limit("center_bias", "center_target"),
        rate: row.unless_word("rate", "max"),
        free_axle: FreeAxle::StopsSecond,
    };
    let wheels = core::array::from_fn::<_, 1, _>(|_| WheelState {
        spin: W4::from_array(row.four("wheel_omega")),
        ..WheelState::AT_REST
    });
    let mut control = Control::idle(4);
    locking.hold_wheels(&wheels, row.number("dt"), &mut control);
    let connected = (0..4).filter(|&wheel| torque[wheel] != 0.0);
    let mut outputs = groups(&control);
    outputs.extend([
        ("out_nb_connected", one(connected.clone().count() as f32)),
        ("out_connected", all(connected.map(|wheel| wheel as f32))),
        ("out_torque_ratios", all(torque[..4].iter().copied())),
        ("out_ave_speed", all(speed[..4].iter().copied())),
    ]);
    Some(outputs)
}

pub(crate) fn tracks(row: &Row<'_>) -> Option<Outputs> {
    let wheels = row.count("n") as usize;
    let radii = row.list("radius");
    let track = |side, key: &str| {
        let wheels: Vec<usize> = row.list(key).into_iter().map(|w| w as usize).collect();
        Track {
            side,
            radii: wheels.iter().map(|&wheel| radii[wheel]).collect(),
            wheels,
        }
    };
    let ratios = ratios(row, TorqueBy::TorqueRatio);
    let (plain, speed) = ratios.shares();
    let tracks = [
        track(TrackSide::Left, "track0_thrust0"),
        track(TrackSide::Right, "track1_thrust1"),
    ];
    let tank = tank(tracks, TankLaw::Scaled(ratios));
    let tracked = |wheel| {
        tank.tracks
            .iter()
            .any(|track| track.wheels.contains(&wheel))
    };
    let connected: Vec<f32> = (0..wheels)
        .filter(|&wheel| plain[wheel] != 0.0 || tracked(wheel))
        .map(|wheel| wheel as f32)
        .collect();
    let thrust = [row.number("thrust0"), row.number("thrust1")];
    let (torque, _) = tank.shares(thrust);
    let mut control = Control::idle(wheels);
    tank.join(&mut control);
    let mut outputs = groups(&control);
    outputs.extend([
        ("out_connected", all(connected)),
        ("out_torque_ratios", all(torque[..wheels].iter().copied())),
        ("out_ave_speed", all(speed[..wheels].iter().copied())),
    ]);
    Some(outputs)
}

pub(crate) fn limited_slip(row: &Row<'_>) -> Option<Outputs> {
    let splits = ["front_neg_pos_split", "rear_neg_pos_split"];
    let differential = four_wheel(row, splits, "center_bias");
    let shares = differential.shares(row.four("wheel_omega"), 0.0);
    Some(vec![
        ("out_torque_ratios", all(shares)),
        ("out_ave_speed", all(differential.speed_shares(0.0))),
    ])
}

/// Gear command for automatic gears.
const AUTOMATIC: f32 = 255.0;
/// Value of a timer that is not running.
const OFF: f32 = -1.0;

/// Recorded values of a tick.
struct Seen {
    state: DriveState,
    command: Gear,
    throttle: f32,
    active: bool,
}

pub(crate) fn autobox(row: &Row<'_>) -> Option<Outputs> {
    for key in ["neutral_gear", "order"] {
        row.ignore(key);
    }
    let mut shifting = Shifting::new(row);
    shifting.gearbox.logic = DriveLogic::PHYSX_5;
    AutoboxParams::rest(&mut shifting.state);
    let throttle = row.number("throttle_in");
    let steps: Vec<Seen> = relative_speeds(row)
        .into_iter()
        .zip(row.list("gear_command"))
        .map(|(speed, command)| step(&mut shifting, speed, command, throttle))
        .collect();
    let column = |f: fn(&Seen) -> f32| all(steps.iter().map(f));
    let changing = |seen: &Seen| seen.state.gear != seen.state.target_gear;
    let timer = |time: f32, runs: bool| if runs { time } else { OFF };
    let switching = steps
        .iter()
        .map(|s| timer(s.state.switch_time, changing(s)));
    let since = steps
        .iter()
        .map(|s| timer(s.state.autobox_time, s.state.autobox_time < f32::MAX));
    Some(vec![
        ("out_gear_command", column(|s| index(s.command))),
        ("out_throttle", column(|s| s.throttle)),
        ("out_gear", column(|s| index(s.state.gear))),
        ("out_target_gear", column(|s| index(s.state.target_gear))),
        ("out_switch_time", all(switching)),
        ("out_time_since_shift", all(since)),
        (
            "out_active_shift",
            steps.iter().flat_map(|s| yes(s.active)).collect(),
        ),
    ])
}

/// One step at a relative engine speed under a command for a gear.
fn step(shifting: &mut Shifting, speed: f32, command: f32, throttle: f32) -> Seen {
    let automatic = command == AUTOMATIC;
    let mut left = throttle;
    if automatic {
        let Shifting {
            autobox,
            state,
            tick,
            ..
        } = shifting;
        left = autobox.update(DriveLogic::PHYSX_5, speed, throttle, state, *tick);
    } else {
        AutoboxParams::rest(&mut shifting.state);
        shifting.command(GearCommand::Engage(gear(command)));
    }
    shifting.start();
    let state = &shifting.state;
    let active = state.gear_up || state.gear_down;
    let asked = if automatic {
        state.target_gear
    } else {
        gear(command)
    };
    shifting.advance();
    Seen {
        state: shifting.state,
        command: asked,
        throttle: left,
        active,
    }
}
