//! Tables of engine, gears, differentials and steering.

use jounce::core::Curve;
use jounce::core::{DriveState, Gear, GearCommand};
use jounce::drive::Tick;
use jounce::drive::{
    self, AutoboxParams, Differential4W, DifferentialKind, DriveLogic, EngineParams, GearboxParams,
    SteeredAxle, TankDifferential, TankLaw, Track, TrackCoupling, TrackSide,
};

use super::{Outputs, all, one};
use crate::row::Row;

/// PhysX's left wheel (x < 0) is our right one.
pub(crate) fn ackermann(row: &Row<'_>) -> Option<Outputs> {
    let angle = row.number("steer") * row.number("max_steer");
    let (width, separation) = (row.number("width"), row.number("axle_separation"));
    let (left, right) = drive::ackermann(angle, row.number("accuracy"), width, separation);
    Some(vec![("out_left", one(right)), ("out_right", one(left))])
}

pub(crate) fn ackermann_car(row: &Row<'_>) -> Option<Outputs> {
    let (most, toe) = (row.four("max_steer"), row.four("toe"));
    let axle = |first: usize, width: &str, counter: bool| SteeredAxle {
        left: first + 1,
        right: first,
        max_steer: [most[first + 1], most[first]],
        accuracy: row.number("accuracy"),
        width: row.number(width),
        separation: row.number("axle_separation"),
        counter,
    };
    // The driver's command is positive to the right, PhysX's steer to our left.
    let command = -row.number("steer");
    let front = axle(0, "front_width", false).angles(command);
    let rear = axle(2, "rear_width", true).angles(command);
    let angles = [front.1, front.0, rear.1, rear.0];
    let steer = (0..4).map(|wheel| toe[wheel] + angles[wheel]);
    Some(vec![("out_steer", all(steer))])
}

/// x0, y0, x1, y1 and so on.
pub(crate) fn curve(numbers: &[f32]) -> Curve {
    Curve(numbers.chunks(2).map(|p| [p[0], p[1]]).collect())
}

pub(crate) fn lookup(row: &Row<'_>) -> Option<Outputs> {
    let y = curve(&row.list("xy")).at(row.number("x"));
    Some(vec![("out", one(y))])
}

pub(crate) fn engine(row: &Row<'_>) -> Option<Outputs> {
    let engine = EngineParams {
        idle_speed: 0.0,
        idle_torque: None,
        inertia: 1.0,
        peak_torque: row.number("peak_torque"),
        max_speed: row.number("max_omega"),
        torque_curve: curve(&row.list("torque_curve_xy")),
        torque_map: None,
        damping_full_throttle: row.number("damping_full"),
        damping_zero_throttle_engaged: row.number("damping_zero_engaged"),
        damping_zero_throttle_disengaged: row.number("damping_zero_disengaged"),
        static_friction: 0.0,
        fuel: None,
        turbo: None,
        limiter: None,
    };
    let (accel, speed) = (row.number("accel"), row.number("omega"));
    let neutral = row.count("gear") == 1;
    let relative = speed / engine.max_speed;
    Some(vec![
        ("out_torque", one(engine.torque(accel, speed))),
        (
            "out_damping",
            one(engine.damping(accel, if neutral { 0.0 } else { 1.0 })),
        ),
        ("out_curve_y", one(engine.torque_curve.at(relative))),
    ])
}

/// A differential by PhysX's name of its type.
fn kind(name: &str) -> DifferentialKind {
    match name {
        "LS_4WD" => DifferentialKind::LimitedSlipAll,
        "LS_FRONTWD" => DifferentialKind::LimitedSlipFront,
        "LS_REARWD" => DifferentialKind::LimitedSlipRear,
        "OPEN_4WD" => DifferentialKind::OpenAll,
        "OPEN_FRONTWD" => DifferentialKind::OpenFront,
        "OPEN_REARWD" => DifferentialKind::OpenRear,
        other => panic!("unknown schema: differential {other}"),
    }
}

/// The differential of a row; names of its columns for the splits of front and rear and for the bias
/// between them.
pub(crate) fn four_wheel(row: &Row<'_>, splits: [&str; 2], center_bias: &str) -> Differential4W {
    Differential4W {
        wheels: [0, 1, 2, 3],
        kind: kind(row.text("type")),
        front_rear_split: row.number("front_rear_split"),
        front_split: row.number(splits[0]),
        rear_split: row.number(splits[1]),
        center_bias: row.number(center_bias),
        front_bias: row.number("front_bias"),
        rear_bias: row.number("rear_bias"),
        handbrake_drives_front: true,
    }
}

pub(crate) fn differential(row: &Row<'_>) -> Option<Outputs> {
    let splits = ["front_left_right_split", "rear_left_right_split"];
    let differential = four_wheel(row, splits, "centre_bias");
    let handbrake = row.number("handbrake");
    let shares = differential.shares(row.four("wheel_omega"), handbrake);
    Some(vec![
        ("out_torque_ratio", all(shares)),
        (
            "out_ave_speed_contrib",
            all(differential.speed_shares(handbrake)),
        ),
    ])
}

/// Two tracks with signed thrusts.
pub(crate) fn tank(tracks: [Track; 2], law: TankLaw) -> TankDifferential {
    TankDifferential {
        tracks: tracks.to_vec(),
        law,
        special: true,
        idle_brake: 0.0,
        coupling: TrackCoupling::ByTorque,
    }
}

/// PhysX's tracks are its even and its odd wheels.
pub(crate) fn tracks(row: &Row<'_>) -> Option<Outputs> {
    let active = row.flags("active");
    row.ignore("n");
    let track = |side: TrackSide| Track {
        side,
        wheels: (side.index()..active.len())
            .step_by(2)
            .filter(|&wheel| active[wheel])
            .collect(),
        radii: vec![],
    };
    let tank = tank(
        [TrackSide::Left, TrackSide::Right].map(track),
        TankLaw::Shared,
    );
    let thrust = [row.number("thrust_left"), row.number("thrust_right")];
    let (torque, _) = tank.shares(thrust);
    // If a track is disconnected from the engine, its wheels have no effect here; PhysX keeps their
    // share of the mean, with a gearing of 0.
    let (_, speed) = tank.shares([1.0; 2]);
    let (_, gearing) = TankDifferential::track_shares(thrust);
    let gearing = (0..active.len()).map(|wheel| {
        if active[wheel] {
            gearing[wheel % 2]
        } else {
            1.0
        }
    });
    let magnitudes = |shares: &[f32]| all(shares[..active.len()].iter().map(|share| share.abs()));
    Some(vec![
        ("out_torque_ratio", magnitudes(&torque)),
        ("out_ave_speed_contrib", magnitudes(&speed)),
        ("out_gearing", all(gearing)),
    ])
}

/// PhysX counts gears from reverse = 0.
pub(crate) fn gear(index: f32) -> Gear {
    Gear(index as i8 - 1)
}

pub(crate) fn index(gear: Gear) -> f32 {
    f32::from(gear.0 + 1)
}

/// Gears of a list that begins with reverse and neutral.
pub(crate) fn gearbox(ratios: &[f32], final_ratio: f32, switch_time: f32) -> GearboxParams {
    GearboxParams {
        reverse: vec![ratios[0]],
        forward: ratios[2..].to_vec(),
        final_ratio,
        ranges: Vec::new(),
        switch_time,
        rev_matching: true,
        logic: DriveLogic::PHYSX_4,
    }
}

/// A gearbox that is shifted from step to step.
pub(crate) struct Shifting {
    pub(crate) gearbox: GearboxParams,
    pub(crate) autobox: AutoboxParams,
    pub(crate) tick: Tick,
    pub(crate) state: DriveState,
}

impl Shifting {
    /// The gearbox of a row, whose lists begin with reverse and neutral.
    pub(crate) fn new(row: &Row<'_>) -> Self {
        let (up, down) = (row.list("up_ratios"), row.list("down_ratios"));
        let mut state = DriveState::default();
        state.force_gear(gear(row.number("start_gear")));
        Self {
            gearbox: gearbox(&row.list("ratios"), 1.0, row.number("switch_time")),
            autobox: AutoboxParams {
                neutral_up: up[1],
                up: up[2..].to_vec(),
                down: down[2..].to_vec(),
                latency: row.number("latency"),
                light_throttle: AutoboxParams::LIGHT_THROTTLE,
            },
            tick: Tick {
                duration: row.number("dt"),
                exact: false,
            },
            state,
        }
    }

    pub(crate) fn command(&mut self, command: GearCommand) {
        self.gearbox.command(command, &mut self.state, self.tick);
    }

    pub(crate) fn start(&mut self) {
        self.gearbox.start(&mut self.state, self.tick);
    }

    pub(crate) fn advance(&mut self) {
        self.gearbox.advance(&mut self.state, self.tick);
    }
}

/// Engine speeds of a row's steps over the largest (–).
pub(crate) fn relative_speeds(row: &Row<'_>) -> Vec<f32> {
    let max = row.number("max_omega");
    let speeds = row.list("engine_omega").into_iter();
    speeds.map(|speed| speed / max).collect()
}

pub(crate) fn autobox(row: &Row<'_>) -> Option<Outputs> {
    row.ignore("nb_ratios");
    let mut shifting = Shifting::new(row);
    let accel = row.number("accel_in");
    let (ups, downs) = (row.flags("set_gear_up"), row.flags("set_gear_down"));
    let mut steps = Vec::new();
    for (n, speed) in relative_speeds(row).into_iter().enumerate() {
        for (set, command) in [(ups[n], GearCommand::Up), (downs[n], GearCommand::Down)] {
            if set {
                shifting.command(command);
            }
        }
        let Shifting {
            autobox,
            state,
            tick,
            ..
        } = &mut shifting;
        let left = autobox.update(DriveLogic::PHYSX_4, speed, accel, state, *tick);
        shifting.start();
        shifting.advance();
        steps.push((left, shifting.state));
    }
    let column = |f: fn(&(f32, DriveState)) -> f32| all(steps.iter().map(f));
    Some(vec![
        ("out_accel", column(|s| s.0)),
        ("out_gear", column(|s| index(s.1.gear))),
        ("out_target_gear", column(|s| index(s.1.target_gear))),
        ("out_switch_time", column(|s| s.1.switch_time)),
        ("out_autobox_time", column(|s| s.1.autobox_time)),
    ])
}
