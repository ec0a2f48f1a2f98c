//! Drivetrains that turn shafts: like a clutch where both describe one drive, and what a clutch cannot describe.

use super::aids::{Keep, greatest_slip, rolling};
use super::*;
use crate::contracts::driver_aid::DriverAid;
use crate::contracts::sensors::Sensors;
use crate::contracts::shafts::{ShaftNode, ShaftRow, Shafts};

/// The drive of [`Geared`] as shafts: an engine as a node, its clutch as plates to the mean of all wheels, its speed limit as a row
/// that takes its torque; and plates of this `lock` between the rear wheels (`N·m`).
#[derive(Debug)]
struct Turned {
    geared: Geared,
    lock: f32,
    /// Torque beside the throttle's (`N·m`).
    torque: f32,
}

/// A drive like that of `geared(Some(capacity))`.
fn turned(capacity: f32) -> Turned {
    Turned {
        geared: Geared {
            capacity: Some(capacity),
            direct: 0.0,
            idle_speed: 0.0,
        },
        lock: 0.0,
        torque: 0.0,
    }
}

impl Drivetrain for Turned {
    fn check(&self, _: usize, _: &mut Inspector) {}
    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }
    fn memory(&self, _: usize) -> usize {
        2
    }
    fn uses_sensors(&self) -> bool {
        true
    }
    fn shafts(&self, wheels: usize) -> Option<Shafts> {
        let mut engine = ShaftNode::new(0.5);
        (engine.slope, engine.friction, engine.is_engine) = (0.2, 20.0, true);
        let mut clutch = vec![-8.0 / wheels as f32; 1 + wheels];
        clutch[0] = 1.0;
        let mut lock = vec![0.0; 1 + wheels];
        (lock[3], lock[4]) = (1.0, -1.0);
        let mut limit = vec![0.0; 1 + wheels];
        limit[0] = 1.0;
        let limit = ShaftRow {
            offset: 600.0,
            ..ShaftRow::plates(&limit, 0.0)
        };
        let capacity = self.geared.capacity.unwrap_or_default();
        Some(Shafts {
            nodes: vec![engine],
            rows: vec![
                ShaftRow::plates(&clutch, capacity),
                ShaftRow::plates(&lock, self.lock),
                limit,
            ],
        })
    }
    fn control(
        &self,
        command: &Command,
        state: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), StepError> {
        self.geared.control(command, state, control)?;
        control.coupling = None;
        if let Command::Car(car) = command {
            control.clutch = car.clutch;
        }
        Ok(())
    }
    fn sense(
        &self,
        sensors: &Sensors<'_>,
        memory: &mut [f32],
        _: &mut DriveState,
        control: &mut Control,
    ) {
        let most = self.geared.capacity.unwrap_or_default() * (1.0 - control.clutch);
        let torque = 400.0 * control.throttle + self.torque;
        let Some(shafts) = &mut control.shafts else {
            return;
        };
        shafts.rows[0].range = [-most, most];
        shafts.rows[2].range = [0.0, torque.max(0.0)];
        let engine = &mut shafts.nodes[0];
        let [work, begun, ..] = memory else {
            return;
        };
        if *begun == 0.0 {
            *begun = 1.0;
            engine.speed = 8.0 * sensors.wheels[0].spin;
        }
        *work += engine.work;
        // Its damping is a slope about standstill.
        engine.torque = torque - engine.slope * engine.speed;
    }
    fn requests_motion(&self, command: &Command, state: &DriveState) -> bool {
        self.geared.requests_motion(command, state)
    }
}

fn drive(drivetrain: Arc<dyn Drivetrain>, aids: &[Arc<dyn DriverAid>]) -> Arc<VehicleModel> {
    let plain = model(params(|_| {}), drivetrain);
    Arc::new((*plain).clone().with_aids(aids).unwrap())
}

/// A car that launches, shifts its weight, coasts and brakes drives alike by a clutch and by shafts.
#[rstest]
#[case::grips(1e5, 0.9)]
#[case::slips(120.0, 0.9)]
#[case::spins_wheels(1e5, 0.15)]
fn shafts_drive_as_a_clutch_does(#[case] capacity: f32, #[case] friction: f32) {
    let drives: [Arc<dyn Drivetrain>; 2] = [geared(Some(capacity)), Arc::new(turned(capacity))];
    let mut worlds = drives.map(|drive_of| rolling(&drive(drive_of, &[]), 3.0, friction));
    worlds[0].car.state_mut().drive.engine_speed = 8.0 * 6.0;
    for n in 0..400 {
        for world in &mut worlds {
            world.command = CarCommand {
                throttle: if n < 150 { 1.0 } else { 0.0 },
                clutch: if (200..250).contains(&n) { 0.7 } else { 0.0 },
                brake: if n > 300 { 0.3 } else { 0.0 },
                steer: 0.1,
                ..CarCommand::default()
            };
            world.step();
        }
        let [clutch, shafts] = &worlds;
        let speeds = [clutch, shafts].map(|world| world.velocity());
        assert!((speeds[0] - speeds[1]).length() < 5e-3, "{n}: {speeds:?}");
        let engines = [clutch, shafts].map(|world| world.car.state().drive.engine_speed);
        // The drive shows the speed at the start of the last substep.
        assert!((engines[0] - engines[1]).abs() < 60.0, "{n}: {engines:?}");
        let torques = [clutch, shafts].map(|world| world.car.wheel_report(2).drive_torque);
        let alike = (torques[0] - torques[1]).abs() < 0.05 * torques[0].abs() + 10.0;
        assert!(alike || !(20..=150).contains(&n), "{n}: {torques:?} N·m");
    }
    assert!(worlds[1].velocity().x.abs() < 30.0);
}

/// On split friction, a differential that plates lock drives with both wheels, an open one with what the slippery side bears.
#[test]
fn plates_lock_a_differential() {
    let [open, locked] = [0.0, 5000.0].map(|lock| {
        let turned = Turned {
            lock,
            ..turned(1e5)
        };
        let mut world = rolling(&drive(Arc::new(turned), &[]), 2.0, 1.0);
        world.grip = [1.0, 0.05, 1.0, 0.05, 1.0, 1.0];
        world.command = CarCommand {
            throttle: 1.0,
            ..CarCommand::default()
        };
        world.run(1.0);
        let spins = world.car.state().wheels[0].spin;
        (world.velocity().x, spins.lane(2) - spins.lane(3))
    });
    assert!(
        locked.1.abs() < 0.1 && open.1.abs() > 10.0,
        "{open:?} {locked:?}"
    );
    assert!(locked.0 > open.0 + 0.5, "{open:?} {locked:?}");
}

/// Aids reduce the torque of shafts until wheels keep their slip, driving and braking by the engine.
#[rstest]
fn engines_of_shafts_keep_a_slip(
    #[values(0.0, -900.0)] torque: f32,
    #[values(60.0, 240.0)] rate: f32,
) {
    let keep: Arc<dyn DriverAid> = Arc::new(Keep {
        slip: 0.06,
        build: 0.0,
    });
    let turned = Turned {
        torque,
        ..turned(1e5)
    };
    let mut world = rolling(&drive(Arc::new(turned), &[keep]), 20.0, 0.2);
    world.command = CarCommand {
        throttle: if torque < 0.0 { 0.0 } else { 1.0 },
        ..CarCommand::default()
    };
    let dt = 1.0 / rate;
    for step in 0..rate as u32 {
        let outcome = world.update(dt).unwrap();
        world.apply(&outcome, dt);
        let (slip, begun) = (greatest_slip(&world), step as f32 * dt > 0.2);
        assert!(slip < 0.062 && (slip > 0.05 || !begun), "{step}: {slip}");
    }
}

/// Work of the engine is what the car gains, but for friction of its clutch and tires: no more.
#[test]
fn work_of_an_engine_is_what_the_car_gains() {
    let mut world = rolling(&drive(Arc::new(turned(1e5)), &[]), 3.0, 1.0);
    world.car.state_mut().wheels[0].spin = W4::splat(6.0);
    world.command.brake = 0.0;
    world.run(0.5);
    let energy = |world: &World| {
        let state = world.car.state();
        let spins = state.wheels[0].spin;
        let engine = state.drive.engine_speed;
        let wheels = world.car.model().params().wheels[0].inertia * (spins * spins).sum();
        0.5 * (world.body.mass * world.velocity().length_squared() + wheels + 0.5 * engine * engine)
    };
    let (before, work) = (energy(&world), world.car.state().drivetrain_memory()[0]);
    world.command.throttle = 1.0;
    world.run(2.0);
    let work = world.car.state().drivetrain_memory()[0] - work;
    let gained = energy(&world) - before;
    assert!(gained > 0.9 * work && gained < work, "{gained} of {work}");
}

/// Numbers that are none turn nothing, and reach neither wheels nor body.
#[rstest]
fn unsound_shafts_do_not_turn(#[values(f32::NAN, f32::INFINITY)] torque: f32) {
    let turned = Turned {
        torque,
        ..turned(1e5)
    };
    let mut world = rolling(&drive(Arc::new(turned), &[]), 5.0, 1.0);
    world.command.brake = 0.0;
    world.run(1.0);
    let speed = world.velocity().x;
    assert!((4.0..5.01).contains(&speed), "{speed}");
    assert!(world.car.state().drive.engine_speed.is_finite());
}

/// A car with shafts comes to rest and sleeps, and goes on from a saved state with the same bits.
#[test]
fn shafts_come_to_rest_and_are_restored() {
    let model = drive(Arc::new(turned(1e5)), &[]);
    let mut world = rolling(&model, 8.0, 1.0);
    world.command.brake = 0.4;
    world.run(0.5);
    let (saved, state) = (world.clone(), world.car.state().clone());
    world.run(0.5);
    let mut again = saved;
    again.car = Vehicle::new(model, BodyId(7));
    again.car.restore(state).unwrap();
    again.run(0.5);
    assert_eq!(world.car.state(), again.car.state());
    assert_eq!(world.body, again.body);
    world.run(6.0);
    assert!(!world.last.wake);
    assert_eq!(world.car.state().drive.engine_speed, 0.0);
}

#[test]
fn shafts_that_do_not_fit_are_refused() {
    let explicit = params(|p| p.profile.solver = testing::EXPLICIT);
    let turned = Arc::new(turned(-1.0));
    let model = VehicleModel::new(Checked::new(explicit).unwrap(), &testing::tires(), turned);
    let refusal = alloc::string::ToString::to_string(&model.unwrap_err());
    for part in ["shafts.rows[0].range", "profile.solver"] {
        assert!(refusal.contains(part), "{refusal}");
    }
}
