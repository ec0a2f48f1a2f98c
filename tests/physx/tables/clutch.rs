//! Tables of the coupled solve: wheels, clutch and engine, brakes and direct torques.

mod least_squares;

use jounce::core::drivetrain::{ClutchAccuracy, Control, Drivetrain, EngineCoupling, WheelControl};
use jounce::core::internals::explicit::clutch;
use jounce::core::lanes::{Groups, LANES, W4};
use jounce::core::params::{VehicleParams, WheelParams};
use jounce::core::profile::ExplicitSettings;
use jounce::core::state::WheelState;
use jounce::core::{Checked, Command, Curve, DriveState, WheelCommand};
use jounce::drive::{
    BrakeParams, DirectDrive, DirectDriveParams, DriveLogic, EngineParams, GearboxParams,
    Responses, SteeringParams,
};

use super::drive::{gear, gearbox};
use super::suspension::{consts, four_wheeler};
use super::{Outputs, all, one};
use crate::row::Row;
use least_squares::Lost;

/// Wheels and engine before a step, with the torques on them.
struct Rig {
    equal_bound_spins: bool,
    params: VehicleParams,
    control: Control,
    spin: Vec<f32>,
    tire: Vec<f32>,
    engine_speed: f32,
}

impl Rig {
    /// `wheels` wheels; `change` gets the index of each.
    fn new(spin: Vec<f32>, tire: Vec<f32>, change: impl Fn(usize, &mut WheelParams)) -> Self {
        let mut params = four_wheeler(|_| ());
        let template = params.wheels[0].clone();
        params.anti_roll.clear();
        params.wheels = (0..spin.len())
            .map(|n| {
                let mut wheel = template.clone();
                change(n, &mut wheel);
                wheel
            })
            .collect();
        let sprung = params.wheels.iter().map(|w| w.suspension.sprung_mass);
        params.chassis.mass = sprung.sum();
        Self {
            equal_bound_spins: ExplicitSettings::PHYSX_4.equal_bound_spins,
            params,
            control: Control::idle(spin.len()),
            spin,
            tire,
            engine_speed: 0.0,
        }
    }

    /// Sets something of every wheel.
    fn set(&mut self, values: &[f32], field: fn(&mut WheelControl) -> &mut W4) {
        for (g, wheels) in self.control.wheels.iter_mut().enumerate() {
            *field(wheels) = lanes(values, g);
        }
    }

    /// Spins and engine speed after a step of `h` (`s`). In a row of rounded inputs, they are off by what PhysX's least
    /// squares lose.
    fn solve_bound(self, h: f32, row: &Row<'_>) -> (Vec<f32>, f32) {
        let lost = row.is_variant() && self.control.wheel_couplings > 0;
        let lost = lost.then(|| Lost::of(&self, h));
        let limits = self.control.coupling;
        let (spins, speed) = self.solve(h);
        match (lost, limits) {
            (Some(lost), Some(limits)) => {
                let (spins, speed) = lost.added((spins, speed));
                (spins, limits.limited(speed, h))
            }
            _ => (spins, speed),
        }
    }

    /// Spins and engine speed after a step of `h` (`s`).
    fn solve(self, h: f32) -> (Vec<f32>, f32) {
        let count = self.spin.len();
        let mut wheels = Groups::for_wheels(count, |g| WheelState {
            spin: lanes(&self.spin, g),
            ..WheelState::AT_REST
        });
        let mut drive = DriveState {
            engine_speed: self.engine_speed,
            ..DriveState::default()
        };
        clutch::solve(
            self.equal_bound_spins,
            &consts(self.params),
            &self.control,
            |g| lanes(&self.tire, g),
            &mut wheels,
            &mut drive,
            h,
        );
        let spins = wheels.iter().flat_map(|group| group.spin.to_array());
        (spins.take(count).collect(), drive.engine_speed)
    }
}

/// Values of group `g`, 0 beyond the last wheel.
fn lanes(values: &[f32], g: usize) -> W4 {
    W4::from_fn(|lane| values.get(g * LANES + lane).copied().unwrap_or(0.0))
}

/// A row's brakes. Its torque already opposes the spin; at a standstill only the flag remains.
fn brakes(row: &Row<'_>) -> Vec<f32> {
    let braked = row.flags("brake_applied");
    let torques = row.list("brake_torque").into_iter().zip(braked);
    torques
        .map(|(torque, braked)| match (braked, torque.abs()) {
            (true, 0.0) => 1.0,
            (_, torque) => torque,
        })
        .collect()
}

pub(crate) fn undriven(row: &Row<'_>) -> Option<Outputs> {
    let (most, hand) = (row.four("max_brake"), row.four("max_handbrake"));
    let spin = row.list("wheel_omega");
    let brake = core::array::from_fn::<_, 4, _>(|lane| {
        let brakes = BrakeParams {
            max_torque: most[lane],
            max_handbrake_torque: hand[lane],
        };
        brakes.torque(row.number("brake"), row.number("handbrake"))
    });
    let torque = (0..4).map(|n| -(W4::splat(spin[n]).sign().lane(0) * brake[n]));
    let torque = all(torque);
    let mut rig = Rig::new(spin, row.list("tire_torque"), |_, wheel| {
        wheel.inertia = row.number("moi");
        wheel.damping = row.number("damping");
    });
    rig.set(&brake, |wheel| &mut wheel.brake);
    let (spins, _) = rig.solve(row.number("dt"));
    Some(vec![
        ("out_brake_torque", torque),
        ("out_wheel_omega", all(spins)),
    ])
}

/// The user's torques, wheel by wheel.
pub(crate) fn no_drive(row: &Row<'_>) -> Option<Outputs> {
    let damping = row.list("damping");
    let mut rig = Rig::new(row.list("wheel_omega"), row.list("tire_torque"), |n, w| {
        w.inertia = row.number("moi");
        w.damping = damping[n];
    });
    let mut command = WheelCommand::default();
    command.drive[..4].copy_from_slice(&row.four("drive_torque"));
    command.brake[..4].copy_from_slice(&row.four("raw_brake"));
    let drive = direct_drive();
    let mut state = drive.initial_state();
    drive
        .control(&Command::Wheels(command), &mut state, &mut rig.control)
        .expect("it takes torques");
    let (spins, _) = rig.solve(row.number("dt"));
    Some(vec![("out_wheel_omega", all(spins))])
}

fn direct_drive() -> DirectDrive {
    let params = DirectDriveParams {
        max_torques: vec![],
        responses: Responses::default(),
        logic: DriveLogic::PHYSX_4,
        steering: SteeringParams::default(),
        brakes: vec![],
    };
    DirectDrive::new(Checked::new(params).expect("valid"))
}

/// One wheel of vehicle2's direct drive.
pub(crate) fn direct(row: &Row<'_>) -> Option<Outputs> {
    let (drive, brake) = (row.number("drive_torque"), row.number("brake_torque"));
    let spin = vec![row.number("wheel_omega")];
    let tire = vec![row.number("tire_wheel_torque")];
    let mut rig = Rig::new(spin, tire, |_, wheel| {
        wheel.inertia = row.number("moi");
        wheel.damping = row.number("damping");
    });
    rig.set(&[drive], |wheel| &mut wheel.drive);
    rig.set(&[brake], |wheel| &mut wheel.brake);
    let (spins, _) = rig.solve(row.number("dt"));
    Some(vec![
        ("out_brake_applied", vec![f64::from(u8::from(brake != 0.0))]),
        ("out_drive_applied", vec![f64::from(u8::from(drive != 0.0))]),
        ("out_wheel_omega", all(spins)),
    ])
}

/// Engine and clutch of the legacy tables.
fn coupling(row: &Row<'_>) -> EngineCoupling {
    EngineCoupling {
        idle_speed: 0.0,
        idle_torque: f32::INFINITY,
        inertia: row.number("engine_moi"),
        max_speed: row.number("engine_max_omega"),
        damping: row.number("engine_damping"),
        torque: row.number("engine_torque"),
        friction: 0.0,
        ratio: row.number("gear_ratio"),
        clutch: row.number("clutch_strength"),
        capacity: None,
        accuracy: ClutchAccuracy::Exact,
        throttle: 1.0,
    }
}

fn accuracy(row: &Row<'_>) -> ClutchAccuracy {
    row.ignore("iterations");
    match row.text("accuracy") {
        "best_possible" => ClutchAccuracy::Exact,
        "estimate" => ClutchAccuracy::physx_estimate(row.count("iterations")),
        other => panic!("unknown schema: accuracy {other}"),
    }
}

/// The wheels of a legacy table, all equal, with their brakes.
fn legacy(row: &Row<'_>) -> Rig {
    let mut rig = Rig::new(row.list("wheel_omega"), row.list("tire_torque"), |_, w| {
        w.inertia = row.number("wheel_moi");
        w.damping = row.number("wheel_damping");
    });
    rig.set(&brakes(row), |wheel| &mut wheel.brake);
    rig.engine_speed = row.number("engine_omega");
    rig
}

fn outcome((spins, engine): (Vec<f32>, f32)) -> Option<Outputs> {
    Some(vec![
        ("out_wheel_omega", all(spins)),
        ("out_engine_omega", one(engine)),
    ])
}

/// Cars of four and more wheels.
pub(crate) fn solver(row: &Row<'_>) -> Option<Outputs> {
    let mut rig = legacy(row);
    rig.set(&row.list("torque_ratio"), |wheel| &mut wheel.torque_share);
    rig.set(&row.list("ave_speed_contrib"), |w| &mut w.speed_share);
    rig.control.coupling = Some(EngineCoupling {
        accuracy: accuracy(row),
        ..coupling(row)
    });
    outcome(rig.solve(row.number("dt")))
}

/// Cars of as many wheels as the row says.
pub(crate) fn many_wheels(row: &Row<'_>) -> Option<Outputs> {
    row.ignore("n");
    solver(row)
}

/// Tanks: even wheels form one wheel coupling, odd wheels the other, all with the same radius.
pub(crate) fn tank(row: &Row<'_>) -> Option<Outputs> {
    for key in ["n", "thrust_left", "thrust_right", "wheel_radius"] {
        row.ignore(key);
    }
    let mut rig = legacy(row);
    let gearing = row.list("gearing");
    let geared = |key| -> Vec<f32> {
        let shares = row.list(key).into_iter().zip(&gearing);
        shares.map(|(share, sign)| share * sign).collect()
    };
    rig.set(&geared("torque_ratio"), |wheel| &mut wheel.torque_share);
    rig.set(&geared("ave_speed_contrib"), |w| &mut w.speed_share);
    rig.control.wheel_couplings = 2;
    for wheels in rig.control.wheels.iter_mut() {
        (wheels.wheel_coupling, wheels.coupling_ratio) = ([1, 2, 1, 2], W4::ONE);
    }
    rig.control.coupling = Some(coupling(row));
    outcome(rig.solve_bound(row.number("dt"), row))
}

/// The engine of the `vehicle2` tables, which give its curve and damping in words.
fn vehicle2_engine(row: &Row<'_>) -> EngineParams {
    assert_eq!(row.text("torque_curve"), "(0,1),(0.33,1),(1,0.8)");
    let damping = "full 0.15, zero-engaged 2, zero-disengaged 0.35";
    assert_eq!(row.text("engine_damping"), damping);
    EngineParams {
        idle_speed: row.number("idle_omega"),
        idle_torque: None,
        inertia: row.number("engine_moi"),
        peak_torque: row.number("peak_torque"),
        max_speed: row.number("max_omega"),
        torque_curve: Curve(vec![[0.0, 1.0], [0.33, 1.0], [1.0, 0.8]]),
        torque_map: None,
        damping_full_throttle: 0.15,
        damping_zero_throttle_engaged: 2.0,
        damping_zero_throttle_disengaged: 0.35,
        static_friction: 0.0,
        fuel: None,
        turbo: None,
        limiter: None,
    }
}

fn vehicle2_gearbox(row: &Row<'_>) -> GearboxParams {
    let words = "[-4,0,4,2,1.5,1.1,1] final 4 neutral=1";
    assert_eq!(row.text("gears"), words);
    gearbox(&[-4.0, 0.0, 4.0, 2.0, 1.5, 1.1, 1.0], 4.0, 0.5)
}

/// `vehicle2`: any wheels connected, some of them in groups that turn together.
pub(crate) fn vehicle2(row: &Row<'_>) -> Option<Outputs> {
    row.ignore("n");
    let (inertia, damping) = (row.list("wheel_moi"), row.list("wheel_damping"));
    let spin = row.list("wheel_omega");
    let mut rig = Rig::new(spin.clone(), row.list("tire_wheel_torque"), |n, w| {
        (w.inertia, w.damping) = (inertia[n], damping[n]);
    });
    rig.set(&row.list("brake_torque"), |wheel| &mut wheel.brake);
    // Only connected wheels count; torque ratios have a sign, and the other ratios take it.
    let connected = row.list("connected");
    let (torque, mean) = (row.list("torque_ratios"), row.list("ave_speed"));
    let is_connected = |n: usize| connected.contains(&(n as f32));
    let kept = |values: &[f32]| -> Vec<f32> {
        let each = values.iter().enumerate();
        each.map(|(n, x)| if is_connected(n) { *x } else { 0.0 })
            .collect()
    };
    let sign = |n: usize| W4::splat(torque[n]).sign().lane(0);
    let geared: Vec<f32> = (0..mean.len()).map(|n| mean[n] * sign(n)).collect();
    rig.set(&kept(&torque), |wheel| &mut wheel.torque_share);
    rig.set(&kept(&geared), |wheel| &mut wheel.speed_share);
    bind(row, &mut rig.control);
    rig.equal_bound_spins = ExplicitSettings::PHYSX_5.equal_bound_spins;
    let gear = gear(row.number("gear"));
    let (engine, throttle) = (vehicle2_engine(row), row.number("throttle"));
    let speed = row.number("engine_omega");
    // In neutral the clutch counts as open, whatever the pedal does.
    let neutral = gear == jounce::core::Gear::NEUTRAL;
    let (closed, strength) = if neutral {
        (0.0, 0.0)
    } else {
        (
            row.number("clutch_normalised"),
            row.number("clutch_response"),
        )
    };
    for key in ["clutch_normalised", "clutch_response"] {
        row.ignore(key);
    }
    let ratio = vehicle2_gearbox(row).ratio(gear);
    rig.engine_speed = speed;
    rig.control.coupling = Some(EngineCoupling {
        idle_speed: engine.idle_speed,
        idle_torque: f32::INFINITY,
        inertia: engine.inertia,
        max_speed: engine.max_speed,
        damping: engine.damping(throttle, closed),
        torque: engine.torque(throttle, speed),
        friction: 0.0,
        ratio,
        clutch: strength,
        capacity: None,
        accuracy: accuracy(row),
        throttle,
    });
    // The slip of the old speeds, without the sign of the gearing.
    let shares = kept(&mean);
    let mean: f32 = shares
        .iter()
        .zip(&spin)
        .map(|(share, spin)| share * spin)
        .sum();
    let slip = ratio * mean - speed;
    let mut outputs = outcome(rig.solve_bound(row.number("dt"), row))?;
    outputs.push(("out_clutch_slip", one(slip)));
    Some(outputs)
}

/// Bonds from a row's groups, if it has any.
fn bind(row: &Row<'_>, control: &mut Control) {
    for (wheel_coupling, group) in row.optional_objects("groups").iter().enumerate() {
        control.wheel_couplings += 1;
        let wheels = group.list("wheels").into_iter();
        for (wheel, ratio) in wheels.zip(group.list("multipliers")) {
            let (g, lane) = (wheel as usize / LANES, wheel as usize % LANES);
            let of = &mut control.wheels[g];
            of.wheel_coupling[lane] = wheel_coupling as u8 + 1;
            of.coupling_ratio = W4::from_fn(|l| {
                if l == lane {
                    ratio
                } else {
                    of.coupling_ratio.lane(l)
                }
            });
        }
    }
}
