use super::*;
use alloc::vec;

use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;
use crate::logic::DriveLogic;
use crate::response::Responses;
use crate::tick::Tick;
use rstest::rstest;
use vehicle_core::lanes::W4;
use vehicle_core::state::WheelState;
use vehicle_core::{Curve, GearCommand};

const TICK: Tick = Tick {
    duration: 0.01,
    exact: true,
};
const RADIUS: f32 = 0.5;
const MASS: f32 = 2000.0;

/// A car in second of four gears, each with 1.5 times the ratio of the next.
struct Drive {
    gear: i8,
    relative_speed: f32,
    /// Speed of the gearbox over that of the engine: less than 1 while the clutch slips in a launch.
    engaged: f32,
    throttle: f32,
    /// Acceleration by everything but the wheels, and in all (`m/s²`).
    outside: f32,
    acceleration: f32,
    /// Speed of the rims over that of the car.
    slip: f32,
    governor: f32,
    switch_time: f32,
    /// Idle speed over the maximum speed.
    idle: f32,
    light_throttle: f32,
}

const CRUISE: Drive = Drive {
    gear: 2,
    relative_speed: 0.5,
    engaged: 1.0,
    throttle: 1.0,
    outside: 0.0,
    acceleration: 2.0,
    slip: 1.0,
    governor: 0.0,
    switch_time: 0.3,
    idle: 0.0,
    light_throttle: 0.5,
};

impl Drive {
    /// The gear to which the autobox changes under a logic, or the present one.
    fn target(&self, logic: DriveLogic, exact: bool) -> i8 {
        let gearbox = GearboxParams {
            forward: vec![3.375, 2.25, 1.5, 1.0],
            final_ratio: 4.0,
            switch_time: self.switch_time,
            logic,
            ..GearboxParams::physx()
        };
        let engine = EngineParams {
            peak_torque: 300.0,
            idle_speed: 600.0 * self.idle,
            max_speed: 600.0,
            torque_curve: Curve(vec![[0.0, 1.0], [1.0, 1.0]]),
            damping_full_throttle: 0.0,
            damping_zero_throttle_engaged: 0.0,
            ..EngineParams::physx()
        };
        let autobox = AutoboxParams {
            neutral_up: 0.1,
            up: vec![0.9; 4],
            down: vec![0.3; 4],
            latency: 0.5,
            light_throttle: self.light_throttle,
        };
        let responses = Responses {
            governor: self.governor,
            ..Responses::default()
        };
        let engine_speed = self.relative_speed * engine.max_speed;
        let spin = self.engaged * engine_speed / gearbox.ratio(Gear(self.gear));
        let speed = spin * RADIUS / self.slip;
        // The tires carry the car on, and what the engine transmits reaches them.
        let force = MASS * (self.acceleration - self.outside);
        let mut wheels = [WheelState::AT_REST];
        wheels[0].spin = W4::splat(spin);
        let mut memory = wheels[0].grip.rows();
        memory.force[0] = W4::splat(0.25 * force);
        wheels[0].grip = vehicle_core::internals::GripMemory::Rows(memory);
        let mut control = Control {
            throttle: self.throttle,
            automatic: true,
            forward_speed: speed,
            mass: MASS,
            outside_acceleration: self.outside,
            ..Control::idle(4)
        };
        control.wheels[0].speed_share = W4::splat(0.25);
        let mut state = DriveState {
            engine_speed,
            clutch_torque: force * RADIUS / gearbox.ratio(Gear(self.gear)),
            autobox_time: 1.0,
            ..DriveState::default()
        };
        state.force_gear(Gear(self.gear));
        let gears = Gears {
            rear_ratio: 1.0,
            engages: true,
            gearbox: &gearbox,
            autobox: Some(&autobox),
            input_speed: self.relative_speed * engine.max_speed,
            relative_speed: self.relative_speed,
            engine: &engine,
            responses: &responses,
            wheels: &wheels,
            radii: &[RADIUS; 4],
        };
        let tick = Tick { exact, ..TICK };
        logic.change(&gears, &mut control, &mut state, tick);
        state.target_gear.0
    }

    fn changes_to(&self) -> i8 {
        self.target(DriveLogic::Waiting, true)
    }
}

/// Thresholds rise with the accelerator; a released one holds the gear.
#[rstest]
#[case::light_below(0.2, 0.53, 2)]
#[case::light_above(0.2, 0.55, 3)]
#[case::full_below(1.0, 0.89, 2)]
#[case::full_above(1.0, 0.91, 3)]
#[case::released_holds(0.0, 0.89, 2)]
#[case::light_coasts(0.0, 0.16, 2)]
#[case::light_down(0.0, 0.14, 1)]
#[case::half_down(0.5, 0.21, 1)]
fn thresholds_follow_the_accelerator(
    #[case] throttle: f32,
    #[case] relative_speed: f32,
    #[case] expected: i8,
) {
    let drive = Drive {
        throttle,
        relative_speed,
        acceleration: 0.1,
        ..CRUISE
    };
    assert_eq!(drive.changes_to(), expected);
}

/// A light foot changes up as soon as the next gear, 1.5 times as long, leaves the engine at 1.4 of an idle speed of 0.15; no
/// gear that can be changed down lets it turn below 1.2 of it.
#[rstest]
#[case::too_slow_for_third(0.02, 0.32, 2)]
#[case::fast_enough_for_third(0.02, 0.34, 3)]
#[case::heavier_foot(0.2, 0.34, 2)]
#[case::heavier_foot_up(0.2, 0.45, 3)]
#[case::above_idle(0.02, 0.19, 2)]
#[case::near_idle(0.02, 0.17, 1)]
#[case::near_idle_coasting(0.0, 0.17, 1)]
fn a_light_foot_leaves_the_engine_above_its_idle_speed(
    #[case] throttle: f32,
    #[case] relative_speed: f32,
    #[case] expected: i8,
) {
    let drive = Drive {
        throttle,
        relative_speed,
        acceleration: 0.01,
        idle: 0.15,
        light_throttle: 0.2,
        ..CRUISE
    };
    assert_eq!(drive.changes_to(), expected);
}

/// In a launch, the engine turns faster than the gearbox, at which the next gear would let it stall.
#[rstest]
#[case::slips(0.5, 2)]
#[case::engaged(0.9, 3)]
fn an_engine_that_slips_its_clutch_does_not_change_up(#[case] engaged: f32, #[case] expected: i8) {
    let drive = Drive {
        throttle: 0.1,
        relative_speed: 0.45,
        engaged,
        acceleration: 0.01,
        idle: 0.15,
        light_throttle: 0.2,
        ..CRUISE
    };
    assert_eq!(drive.changes_to(), expected);
}

/// The whole accelerator leaves all of the thresholds, whatever applies at its lightest touch.
#[rstest]
fn full_throttle_knows_no_light_part(
    #[values(0.0, 0.2, 1.0)] light_throttle: f32,
    #[values((0.899, 2), (0.901, 3))] (relative_speed, expected): (f32, i8),
) {
    let drive = Drive {
        relative_speed,
        acceleration: 0.1,
        light_throttle,
        idle: 0.15,
        ..CRUISE
    };
    assert_eq!(drive.changes_to(), expected);
}

/// At 0.91 in second gear, the engine has 164 kW, and 109 kW after a change up: enough for 100 kW, not for 120 kW.
#[rstest]
#[case::light_load(100e3, 3)]
#[case::heavy_load(120e3, 2)]
fn a_change_up_needs_power_for_the_load(#[case] load: f32, #[case] expected: i8) {
    let speed = 0.91 * 600.0 / 9.0 * RADIUS;
    let drive = Drive {
        relative_speed: 0.91,
        outside: -load / (MASS * speed),
        acceleration: 0.5,
        switch_time: 0.0,
        ..CRUISE
    };
    assert_eq!(drive.changes_to(), expected);
    assert_eq!(
        drive.target(DriveLogic::PHYSX_4, false),
        3,
        "PhysX's knows no load"
    );
}

/// Fast wheels of a slow car say nothing about its speed.
#[rstest]
#[case::rolls(1.1, 3)]
#[case::spins(1.6, 2)]
fn spinning_wheels_do_not_change_up(#[case] slip: f32, #[case] expected: i8) {
    let drive = Drive {
        relative_speed: 0.95,
        acceleration: 0.1,
        slip,
        ..CRUISE
    };
    assert_eq!(drive.changes_to(), expected);
    assert_eq!(drive.target(DriveLogic::PHYSX_4, false), 3);
}

/// Locked wheels stop the engine, but a lower gear is not for the vehicle's speed.
#[rstest]
#[case::rolls(0.9, 1)]
#[case::locks(0.3, 2)]
fn locked_wheels_do_not_change_down(#[case] slip: f32, #[case] expected: i8) {
    let drive = Drive {
        throttle: 0.0,
        relative_speed: 0.1,
        slip,
        ..CRUISE
    };
    assert_eq!(drive.changes_to(), expected);
}

/// Kick-down needs the whole accelerator, an engine that may turn faster, and a vehicle that does not lose the speed on the way.
#[rstest]
#[case::slow(0.4, 1.0, 0.0, 1)]
#[case::at_part_throttle(0.4, 0.7, 0.0, 2)]
#[case::fast(0.55, 1.0, 0.0, 2)]
#[case::steep(0.4, 1.0, -6.0, 2)]
fn the_whole_accelerator_kicks_down(
    #[case] relative_speed: f32,
    #[case] throttle: f32,
    #[case] outside: f32,
    #[case] expected: i8,
) {
    let drive = Drive {
        relative_speed,
        throttle,
        outside,
        ..CRUISE
    };
    assert_eq!(drive.changes_to(), expected);
}

/// With a governor, the engine does not reach the thresholds of a driver who presses half the accelerator: they come down to
/// where it turns.
#[rstest]
#[case::by_torque(0.0, 2)]
#[case::by_speed(0.1, 3)]
fn a_governed_engine_changes_up_below_its_governed_speed(
    #[case] governor: f32,
    #[case] expected: i8,
) {
    let drive = Drive {
        relative_speed: 0.5,
        throttle: 0.5,
        acceleration: 0.1,
        governor,
        ..CRUISE
    };
    assert_eq!(drive.changes_to(), expected);
}

/// Thresholds that cross do not keep a car in first gear, nor change down what just changed up.
#[rstest]
#[case::changes_up(1, 0.66, 2)]
#[case::stays(2, 0.33, 2)]
#[case::changes_down(2, 0.23, 1)]
fn crossing_thresholds_do_not_hunt(
    #[case] gear: i8,
    #[case] relative_speed: f32,
    #[case] expected: i8,
) {
    let gearbox = GearboxParams::physx();
    let (engine, responses) = (EngineParams::physx(), Responses::default());
    let mut state = DriveState {
        engine_speed: relative_speed * engine.max_speed,
        autobox_time: 3.0,
        ..DriveState::default()
    };
    state.force_gear(Gear(gear));
    let mut wheels = [WheelState::AT_REST];
    wheels[0].spin = W4::splat(state.engine_speed / gearbox.ratio(Gear(gear)));
    // In second gear, PhysX's default engine turns half as fast as in first, where it changes up at 0.65, and down at 0.5.
    let gears = Gears {
        rear_ratio: 1.0,
        engages: true,
        gearbox: &gearbox,
        autobox: Some(&AutoboxParams::physx(5)),
        input_speed: relative_speed * engine.max_speed,
        relative_speed,
        engine: &engine,
        responses: &responses,
        wheels: &wheels,
        radii: &[],
    };
    let mut control = Control {
        // Just below kick-down, with thresholds of almost full throttle.
        throttle: 0.84,
        automatic: true,
        forward_speed: 10.0,
        mass: MASS,
        ..Control::idle(4)
    };
    control.wheels[0].speed_share = W4::splat(0.25);
    DriveLogic::Waiting.change(&gears, &mut control, &mut state, TICK);
    assert_eq!(state.target_gear, Gear(expected));
}

/// Reverse is locked out at speed, whatever asks for it; a refused request does not wait.
#[rstest]
#[case::engage(GearCommand::Engage(Gear::REVERSE), 1, 20.0, 1)]
#[case::engage_slowly(GearCommand::Engage(Gear::REVERSE), 1, 2.0, -1)]
#[case::rolling_back(GearCommand::Engage(Gear::REVERSE), 1, -20.0, -1)]
#[case::from_neutral(GearCommand::Down, 0, 20.0, 0)]
#[case::below_first(GearCommand::Down, 1, 20.0, 1)]
#[case::below_first_slowly(GearCommand::Down, 1, 2.0, -1)]
#[case::below_second(GearCommand::Down, 2, 20.0, 1)]
#[case::out_of_reverse(GearCommand::Engage(Gear::FIRST), -1, -20.0, 1)]
fn reverse_is_locked_out_at_speed(
    #[case] gear_request: GearCommand,
    #[case] gear: i8,
    #[case] forward_speed: f32,
    #[case] expected: i8,
) {
    let (gearbox, engine) = (GearboxParams::physx(), EngineParams::physx());
    let gears = Gears {
        rear_ratio: 1.0,
        engages: true,
        gearbox: &gearbox,
        autobox: None,
        input_speed: 0.3 * engine.max_speed,
        relative_speed: 0.3,
        engine: &engine,
        responses: &Responses::default(),
        wheels: &[],
        radii: &[],
    };
    let run = |logic: DriveLogic, exact: bool| {
        let mut state = DriveState::default();
        state.force_gear(Gear(gear));
        let mut control = Control {
            gear_request,
            forward_speed,
            ..Control::idle(4)
        };
        logic.change(&gears, &mut control, &mut state, Tick { exact, ..TICK });
        (state.target_gear.0, state.gear_down && expected == gear)
    };
    assert_eq!(run(DriveLogic::Waiting, true), (expected, false));
    let slow = forward_speed < 3.0;
    let physx = run(DriveLogic::PHYSX_4, false).0;
    assert!(
        slow || gear > 1 || physx < 0 || gear < 0,
        "PhysX's lever is free"
    );
}
