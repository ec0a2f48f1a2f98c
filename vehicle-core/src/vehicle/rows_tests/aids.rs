//! Driver aids and drivetrains that use sensors: slips that brakes and engines keep, memories, order of requests.

mod resting;

use alloc::string::ToString as _;
use core::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::base::lanes::Mask4;
use crate::contracts::driver_aid::{DriverAid, Requests};
use crate::contracts::sensors::{Sensors, WheelSensors};
use crate::params::LoadFilter;

/// Limits all slips; brakes and engine may be released without limit, and brakes built up by `build` (`N·m`).
#[derive(Debug)]
pub(super) struct Keep {
    pub(super) slip: f32,
    pub(super) build: f32,
}

impl DriverAid for Keep {
    fn check(&self, _: usize, inspector: &mut Inspector) {
        inspector.positive("slip", self.slip, "");
    }

    fn assist(&self, _: &Sensors<'_>, _: &mut [f32], requests: &mut Requests<'_>) {
        for request in requests.wheels.iter_mut() {
            request.slip_range = [-self.slip, self.slip];
            (request.release, request.build) = (f32::INFINITY, self.build);
        }
        if let Some(engine) = &mut requests.engine {
            engine.greatest_slip = self.slip;
            engine.least_torque = -100.0;
        }
    }
}

/// Any function as an aid that remembers two values.
struct Does<F>(F);

impl<F> core::fmt::Debug for Does<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Does")
    }
}

impl<F: Fn(&Sensors<'_>, &mut [f32], &mut Requests<'_>) + Send + Sync> DriverAid for Does<F> {
    fn check(&self, _: usize, _: &mut Inspector) {}

    fn memory(&self, _: usize) -> usize {
        2
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        (self.0)(sensors, memory, requests);
    }
}

fn does(
    act: impl Fn(&Sensors<'_>, &mut [f32], &mut Requests<'_>) + Send + Sync + 'static,
) -> Arc<dyn DriverAid> {
    Arc::new(Does(act))
}

fn with_aids(drive: Arc<dyn Drivetrain>, aids: &[Arc<dyn DriverAid>]) -> Arc<VehicleModel> {
    // Tires that are loaded as the ground is, not as PhysX filters it.
    let plain = model(params(|p| p.load_filter = LoadFilter::OFF), drive);
    Arc::new((*plain).clone().with_aids(aids).unwrap())
}

/// A car that rolls at this speed (`m/s`) on this friction (–).
pub(super) fn rolling(model: &Arc<VehicleModel>, speed: f32, friction: f32) -> World {
    let mut world = World::new(model, 0.0, 0.0);
    world.friction = friction;
    world.body.linear_velocity = Vec3::X * speed;
    world.car.state_mut().wheels[0].spin = W4::splat(2.0 * speed);
    world
}

/// Greatest slip of a wheel, of either sign, from the true velocity and the spins.
pub(super) fn greatest_slip(world: &World) -> f32 {
    let (speed, spins) = (world.velocity().x, world.car.state().wheels[0].spin);
    let slips = spins
        .to_array()
        .map(|spin| WheelSensors::slip_of(0.5 * spin, speed).abs());
    slips.into_iter().fold(0.0, f32::max)
}

/// Tires whose force is 10·slip·load brake by 0.8·g at a slip of 0.08, at every rate.
#[rstest]
fn brakes_keep_a_slip_at_every_rate(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let keep = Keep {
        slip: 0.08,
        build: 0.0,
    };
    let model = with_aids(testing::no_drive(), &[Arc::new(keep)]);
    let mut world = rolling(&model, 30.0, 1.0);
    let dt = 1.0 / rate;
    for step in 0.. {
        let outcome = world.update(dt).unwrap();
        world.apply(&outcome, dt);
        if world.velocity().x < 1.0 {
            break;
        }
        let slip = greatest_slip(&world);
        assert!(step < 3 || (slip - 0.08).abs() < 2e-3, "{step}: {slip}");
    }
    // The pedal acts from the first step on; half a step of the distance is not braked.
    let expected = (30.0 * 30.0 - 1.0) / (2.0 * 0.8 * 9.81);
    let distance = world.body.position.x as f32;
    approx::assert_relative_eq!(distance, expected, max_relative = 0.01, epsilon = 30.0 * dt);
}

proptest! {
    /// Brakes keep any slip on any ground, forward and backward, with torques that are neither negative nor more than the pedal's.
    #[test]
    fn brakes_keep_any_slip(
        slip in 0.02_f32..0.6, friction in 0.1_f32..1.2, speed in 5.0_f32..50.0, backward: bool,
    ) {
        let model = with_aids(testing::no_drive(), &[Arc::new(Keep { slip, build: 0.0 })]);
        let mut world = rolling(&model, if backward { -speed } else { speed }, friction);
        for step in 0..90 {
            world.step();
            if world.velocity().x.abs() < 1.5 {
                break;
            }
            let found = greatest_slip(&world);
            prop_assert!(step < 3 || found < 1.05 * slip + 2e-3, "{}: {} {}", step, found, slip);
            let memories = world.car.state().extras.memories().unwrap();
            let brakes = memories.brakes[0].to_array();
            prop_assert!(brakes.iter().all(|b| (0.0..=3000.0).contains(b)), "{:?}", brakes);
        }
    }
}

/// Torque on the wheels spins them on ice; brakes that build up keep them.
#[test]
fn brakes_keep_driven_wheels_from_spinning() {
    let drive = || {
        Arc::new(Geared {
            direct: 900.0,
            ..idle_geared()
        })
    };
    let greatest = |aids: &[Arc<dyn DriverAid>]| {
        let mut world = rolling(&with_aids(drive(), aids), 2.0, 0.2);
        world.command.brake = 0.0;
        world.run(2.0);
        (greatest_slip(&world), world.velocity().x)
    };
    let (spinning, slow) = greatest(&[]);
    let (kept, fast) = greatest(&[Arc::new(Keep {
        slip: 0.1,
        build: 1500.0,
    })]);
    assert!(spinning > 0.5, "{spinning}");
    assert!(kept < 0.105 && fast > 0.98 * slow, "{kept} {fast} {slow}");
}

fn idle_geared() -> Geared {
    Geared {
        capacity: Some(0.0),
        direct: 0.0,
        idle_speed: 0.0,
    }
}

/// A full throttle on ice: the engine's torque is cut until the wheels keep their slip.
#[rstest]
fn an_engine_keeps_the_slip_of_its_wheels(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let run = |aids: &[Arc<dyn DriverAid>]| {
        let mut world = rolling(&with_aids(geared(Some(1e4)), aids), 3.0, 0.2);
        world.car.state_mut().drive.engine_speed = 8.0 * 6.0;
        world.command = CarCommand {
            throttle: 1.0,
            ..CarCommand::default()
        };
        for _ in 0..(2.0 * rate) as u32 {
            let outcome = world.update(1.0 / rate).unwrap();
            world.apply(&outcome, 1.0 / rate);
        }
        world
    };
    let spinning = run(&[]);
    assert!(greatest_slip(&spinning) > 0.3);
    let kept = run(&[Arc::new(Keep {
        slip: 0.05,
        build: 0.0,
    })]);
    // A tire of 10·slip·load reaches all friction of 0.2 at a slip of 0.02.
    let slip = greatest_slip(&kept);
    assert!((0.02..0.055).contains(&slip), "{slip}");
    // All wheels receive the torque that the least loaded ones transmit.
    let loads = kept.car.state().wheels[0].normal_force.to_array();
    let least = loads.into_iter().fold(f32::MAX, f32::min);
    let speed = 3.0 + 4.0 * 0.2 * least / 1500.0 * 2.0;
    approx::assert_relative_eq!(kept.velocity().x, speed, max_relative = 0.01);
}

/// Requests that change nothing, or that are no numbers, leave every bit as it is without aids.
#[test]
fn requests_without_effect_change_no_bit() {
    let nothing = does(|_, _, _| ());
    let numberless = does(|_, memory, requests| {
        memory[1] = f32::NAN;
        for request in requests.wheels.iter_mut() {
            (request.brake, request.drive) = (f32::NAN, f32::INFINITY);
            (request.release, request.build) = (f32::NAN, f32::NAN);
            request.slip_range = [f32::NAN, 0.1];
        }
        let engine = requests.engine.as_mut().unwrap();
        (engine.torque, engine.least_torque, engine.greatest_slip) = (f32::NAN, f32::NAN, -1.0);
    });
    let drive = |aids: &[Arc<dyn DriverAid>]| {
        let mut world = rolling(&with_aids(geared(Some(1e4)), aids), 8.0, 0.7);
        for throttle in [1.0, 0.0] {
            world.command = CarCommand {
                throttle,
                brake: 1.0 - throttle,
                steer: 0.3,
                ..CarCommand::default()
            };
            world.run(0.5);
        }
        (world.body, world.car.state().clone())
    };
    let (body, plain) = drive(&[]);
    for aids in [[nothing.clone(), nothing], [numberless.clone(), numberless]] {
        let (aided, state) = drive(&aids);
        assert_eq!(aided, body);
        for aid in 0..2 {
            assert_eq!(
                state.aid_memory(aid),
                [0.0; 2],
                "what is not finite is forgotten"
            );
        }
        assert_eq!(
            (state.wheels, state.drive),
            (plain.wheels.clone(), plain.drive)
        );
    }
}

/// The last aid has the last word, and sees the requests of those before it.
#[test]
fn aids_act_in_order() {
    let brake = |torque: f32| {
        does(move |_, memory, requests| {
            memory[0] = requests.wheels[0].brake;
            requests
                .wheels
                .iter_mut()
                .for_each(|request| request.brake = torque);
        })
    };
    let mut world = rolling(
        &with_aids(testing::no_drive(), &[brake(10.0), brake(70.0)]),
        10.0,
        1.0,
    );
    world.step();
    assert_eq!(
        [
            world.car.state().aid_memory(0)[0],
            world.car.state().aid_memory(1)[0]
        ],
        [3000.0, 10.0]
    );
    let brakes = world.car.state().extras.memories().unwrap().brakes[0];
    assert_eq!(brakes, W4::splat(70.0));
}

/// A saved state has all memories: restored, a car goes on with the same bits.
#[test]
fn memories_are_saved_and_restored() {
    let pump = does(|sensors, memory, requests| {
        memory[0] += sensors.duration;
        memory[1] += sensors.wheels[0].brake * sensors.duration;
        let open = libm::sinf(30.0 * memory[0]) > 0.0;
        for request in requests.wheels.iter_mut() {
            request.brake *= if open { 0.2 } else { 1.0 };
        }
    });
    let model = with_aids(
        testing::no_drive(),
        &[
            Arc::new(Keep {
                slip: 0.1,
                build: 0.0,
            }),
            pump,
        ],
    );
    let mut world = rolling(&model, 30.0, 0.8);
    world.run(0.7);
    let (state, body) = (world.car.state().clone(), world.body);
    world.run(0.4);
    let expected = (world.body, world.car.state().clone());
    world.run(0.3);
    world.body = body;
    world.car.restore(state).unwrap();
    world.run(0.4);
    assert_eq!((world.body, world.car.state().clone()), expected);
    let memory = world.car.state().aid_memory(1);
    assert!(
        (memory[0] - 1.1).abs() < 1e-3 && memory[1] > 100.0,
        "{memory:?}"
    );
}

/// Counts its calls, by which it also reports how much it acts.
#[derive(Debug)]
struct Counts;

impl DriverAid for Counts {
    fn check(&self, _: usize, _: &mut Inspector) {}
    fn name(&self) -> &str {
        "counts"
    }
    fn activity(&self, memory: &[f32]) -> f32 {
        0.125 * memory[0] - 0.375
    }
    fn memory(&self, _: usize) -> usize {
        1
    }
    fn longest_substep(&self, memory: &[f32]) -> f32 {
        if memory[0] < 4.0 { 1.0 } else { 1.0 / 240.0 }
    }
    fn assist(&self, _: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        memory[0] += 1.0;
        requests.wheels[0].brake = 5.0;
    }
}

/// An aid that is off is not called, needs no short substeps and reports nothing; the switch is part of the state.
#[test]
fn aids_are_switched_at_run_time() {
    let aids: [Arc<dyn DriverAid>; 2] = [does(|_, _, _| ()), Arc::new(Counts)];
    let model = with_aids(testing::no_drive(), &aids);
    assert_eq!(model.aids()[0].name(), "aid");
    assert_eq!(model.aids()[1].name(), "counts");
    let mut world = rolling(&model, 10.0, 1.0);
    let calls = |world: &World| world.car.state().aid_memory(1)[0];
    let activity = |world: &World| model.aid_activity(world.car.state(), 1);
    world.run(4.0 / 60.0);
    assert_eq!((calls(&world), activity(&world)), (4.0, 0.125));
    world.car.state_mut().enable_aid(1, false);
    world.run(1.0);
    assert!(!world.car.state().aid_is_enabled(1) && world.car.state().aid_is_enabled(0));
    assert_eq!((calls(&world), activity(&world)), (4.0, 0.0));
    let brakes = |world: &World| world.car.state().extras.memories().unwrap().brakes[0].lane(0);
    assert_eq!(brakes(&world), 3000.0, "the pedal's");
    let saved = world.car.state().clone();
    world.car.state_mut().enable_aid(1, true);
    world.run(1.0);
    assert_eq!((calls(&world), activity(&world)), (244.0, 1.0));
    world.car.restore(saved).unwrap();
    world.run(0.1);
    assert_eq!(calls(&world), 4.0, "restored");
    world.car.set_model(Arc::clone(&model));
    world.car.reset_to_rest();
    assert!(!world.car.state().aid_is_enabled(1));
}

/// A car that sleeps wakes when an aid is switched: it may have held the car.
#[test]
fn a_switch_wakes_a_sleeping_car() {
    let mut world = World::new(
        &with_aids(testing::no_drive(), &[does(|_, _, _| ())]),
        0.0,
        0.0,
    );
    world.run(2.0);
    assert!(!world.last.wake);
    world.car.state_mut().enable_aid(0, false);
    world.step();
    assert!(world.last.wake);
}

/// A car falls asleep only while no memory changes.
#[rstest]
#[case::still_counts(1e9, false)]
#[case::has_counted(0.5, true)]
fn a_car_sleeps_when_its_aids_have_settled(#[case] end: f32, #[case] sleeps: bool) {
    let count = does(move |sensors, memory, _| memory[0] = (memory[0] + sensors.duration).min(end));
    let mut world = World::new(&with_aids(testing::no_drive(), &[count]), 0.0, 0.0);
    world.run(2.0);
    assert_eq!(!world.last.wake, sleeps);
    world.car.state_mut().aid_memory_mut(0)[0] = 0.1;
    world.step();
    assert!(world.last.wake, "its memory was changed");
}

#[test]
fn an_aid_chooses_the_longest_substep() {
    #[derive(Debug, Default)]
    struct Fine(AtomicU32);
    impl DriverAid for Fine {
        fn check(&self, _: usize, _: &mut Inspector) {}
        fn longest_substep(&self, _: &[f32]) -> f32 {
            1.0 / 240.0
        }
        fn assist(&self, sensors: &Sensors<'_>, _: &mut [f32], _: &mut Requests<'_>) {
            let calls = self.0.fetch_add(1, Ordering::Relaxed);
            assert_eq!(sensors.begins_step, calls.is_multiple_of(4));
            assert!((sensors.duration - 1.0 / 240.0).abs() < 1e-6);
        }
    }
    let fine = Arc::new(Fine::default());
    let aids: [Arc<dyn DriverAid>; 1] = [Arc::<Fine>::clone(&fine)];
    let mut world = World::new(&with_aids(testing::no_drive(), &aids), 0.0, 0.0);
    world.run(0.5);
    assert_eq!(fine.0.load(Ordering::Relaxed), 120);
}

/// Sensors of a car that brakes in a bend against closed forms.
#[test]
fn sensors_show_how_a_car_moves() {
    let check = does(|sensors, memory, _| {
        memory[0] += 1.0;
        if memory[0] < 30.0 {
            return;
        }
        let loads: f32 = sensors.wheels.iter().map(|wheel| wheel.load).sum();
        assert!((loads / sensors.mass - 9.81).abs() < 0.3, "{loads}");
        assert!((sensors.acceleration.z - 9.81).abs() < 0.3);
        let turning = sensors.angular_velocity.z * sensors.velocity.x;
        assert!(
            (sensors.acceleration.y - turning).abs() < 0.3,
            "{sensors:?}"
        );
        for wheel in sensors.wheels {
            assert!(wheel.on_ground && wheel.enabled && wheel.radius == 0.5);
            let [forward, _] = wheel.ground_velocity;
            assert_eq!(wheel.slip, WheelSensors::slip_of(wheel.spin * 0.5, forward));
            // Tires of 10·slip·load.
            let tire = 10.0 * wheel.slip * wheel.load;
            assert!(
                (wheel.force[0] - tire).abs() < 0.1 * tire.abs() + 60.0,
                "{wheel:?}"
            );
            assert!(
                (wheel.best_slip - 0.1 * wheel.friction).abs() < 0.02,
                "{wheel:?}"
            );
            assert_eq!((wheel.brake, wheel.friction), (300.0, 0.8));
            assert_eq!(wheel.drive, 0.0, "its clutch is open");
        }
        assert!(matches!(sensors.command, Some(Command::Car(car)) if car.brake == 0.1));
    });
    let mut world = rolling(&with_aids(geared(Some(0.0)), &[check]), 12.0, 0.8);
    world.command = CarCommand {
        brake: 0.1,
        steer: -0.1,
        ..CarCommand::default()
    };
    world.run(1.0);
    assert_eq!(world.car.state().aid_memory(0)[0], 60.0);
}

/// Torques on the wheels move car and wheels.
#[test]
fn sensors_show_what_drives_the_wheels() {
    let check = does(|sensors, memory, _| {
        memory[0] += 1.0;
        if memory[0] < 30.0 {
            return;
        }
        let torques: f32 = sensors.wheels.iter().map(|wheel| wheel.drive).sum();
        let inertia: f32 = sensors.wheels.iter().map(|wheel| wheel.inertia).sum();
        let whole = sensors.mass + inertia / 0.25;
        let expected = 0.5 * whole * sensors.acceleration.x;
        assert!(
            (torques / expected - 1.0).abs() < 0.02,
            "{torques} {expected}"
        );
        let spin = sensors.wheels[0].spin;
        assert!(
            (sensors.engine_speed / spin - 8.0).abs() < 0.1,
            "{sensors:?}"
        );
        memory[1] = torques;
    });
    let mut world = rolling(&with_aids(geared(Some(1e4)), &[check]), 10.0, 1.0);
    world.car.state_mut().drive.engine_speed = 8.0 * 20.0;
    world.command = CarCommand {
        throttle: 0.5,
        ..CarCommand::default()
    };
    world.run(1.0);
    assert!(world.car.state().aid_memory(0)[1] > 500.0);
}

/// A drivetrain that sees and remembers: it drives by how far it has rolled.
#[derive(Debug)]
struct Odometer;

impl Drivetrain for Odometer {
    fn check(&self, _: usize, _: &mut Inspector) {}
    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }
    fn memory(&self, wheels: usize) -> usize {
        wheels
    }
    fn uses_sensors(&self) -> bool {
        true
    }
    fn control(&self, _: &Command, _: &mut DriveState, _: &mut Control) -> Result<(), StepError> {
        Ok(())
    }
    fn sense(
        &self,
        sensors: &Sensors<'_>,
        memory: &mut [f32],
        _: &mut DriveState,
        control: &mut Control,
    ) {
        for (distance, wheel) in memory.iter_mut().zip(sensors.wheels) {
            *distance += wheel.spin * wheel.radius * sensors.duration;
        }
        let arrived = memory[0] > 4.0;
        control.accelerating = !arrived;
        control.wheels[0].accelerated = Mask4::from_fn(|_| !arrived);
        control.wheels[0].drive = W4::splat(if arrived { 0.0 } else { 60.0 });
        control.wheels[0].brake = W4::splat(if arrived { 300.0 } else { 0.0 });
    }
    fn requests_motion(&self, _: &Command, _: &DriveState) -> bool {
        true
    }
}

#[rstest]
#[case::rows(testing::ROWS)]
#[case::explicit(testing::EXPLICIT)]
fn a_drivetrain_sees_and_remembers(#[case] solver: Solver) {
    let model = model(params(|p| p.profile.solver = solver), Arc::new(Odometer));
    let mut world = rolling(&model, 3.0, 1.0);
    world.run(8.0);
    let distance = world.body.position.x;
    assert!((5.0..8.0).contains(&distance), "{distance}");
    assert!(world.velocity().length() < 0.1, "{}", world.velocity());
    let state = world.car.state().clone();
    let memory = state.drivetrain_memory();
    assert!(
        memory
            .iter()
            .all(|rolled| (rolled - distance as f32).abs() < 1.0),
        "{memory:?}"
    );
    world.car.reset_to_rest();
    world.car.restore(state.clone()).unwrap();
    assert_eq!(world.car.state().extras, state.extras);
}

#[test]
fn the_explicit_solver_refuses_aids() {
    let plain = model(
        params(|p| p.profile.solver = testing::EXPLICIT),
        testing::no_drive(),
    );
    let keep: [Arc<dyn DriverAid>; 1] = [Arc::new(Keep {
        slip: -1.0,
        build: 0.0,
    })];
    let error = (*plain).clone().with_aids(&keep).unwrap_err().to_string();
    for part in ["profile.solver", "aids[0].slip"] {
        assert!(error.contains(part), "{error}");
    }
    let rows = model(params(|_| ()), testing::no_drive());
    let aided = (*rows).clone().with_aids(&[does(|_, _, _| ())]).unwrap();
    let changed = Checked::new(params(|p| p.profile.solver = testing::EXPLICIT)).unwrap();
    assert!(
        aided.with_params(changed).is_err(),
        "a changed model keeps its aids"
    );
}
