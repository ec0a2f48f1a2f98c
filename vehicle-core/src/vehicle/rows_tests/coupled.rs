//! Wheels that turn together: tracks and locked axles.

use super::*;

/// Wheel couplings and signed split, and the engine of [`Geared`] if there is one.
#[derive(Debug)]
struct CoupledDrive {
    /// Wheel coupling of each wheel, 0 for none.
    wheel_couplings: [u8; 6],
    /// Spin over that of the wheel coupling.
    ratios: [f32; 6],
    /// Share of each wheel in torque and mean speed, with the gearing's sign.
    split: [f32; 6],
    /// Weights in the sum of spins that is kept at 0.
    balance: [f32; 6],
    engine: bool,
    ratio: f32,
    /// Brakes of every wheel, per pedal (`N·m`).
    brakes: [f32; 6],
}

/// Left and right wheels of six are a track each.
const TRACKS: CoupledDrive = CoupledDrive {
    wheel_couplings: [1, 2, 1, 2, 1, 2],
    ratios: [1.0; 6],
    split: [1.0 / 6.0; 6],
    balance: [0.0; 6],
    engine: true,
    ratio: 8.0,
    brakes: [3000.0; 6],
};

/// All wheels driven; the center locks the means of open axles.
const CENTER: CoupledDrive = CoupledDrive {
    wheel_couplings: [1, 2, 3, 4, 0, 0],
    split: [0.25, 0.25, 0.25, 0.25, 0.0, 0.0],
    balance: [0.5, 0.5, -0.5, -0.5, 0.0, 0.0],
    ..TRACKS
};

/// A rear axle without differential.
const LOCKED: CoupledDrive = CoupledDrive {
    wheel_couplings: [0, 0, 1, 1, 0, 0],
    split: [0.0, 0.0, 0.5, 0.5, 0.0, 0.0],
    ..TRACKS
};

impl Drivetrain for CoupledDrive {
    fn check(&self, _: usize, _: &mut Inspector) {}

    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }

    fn control(
        &self,
        command: &Command,
        state: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), StepError> {
        geared(Some(500.0)).control(command, state, control)?;
        let Command::Car(car) = command else {
            unreachable!("Geared refuses the others")
        };
        match &mut control.coupling {
            Some(coupling) if self.engine => coupling.ratio = self.ratio,
            _ => control.coupling = None,
        }
        control.wheel_couplings = self.wheel_couplings.into_iter().max().unwrap_or(0);
        for (g, wheels) in control.wheels.iter_mut().enumerate() {
            let of = |values: &[f32; 6]| {
                W4::from_fn(|lane| values.get(g * LANES + lane).copied().unwrap_or(0.0))
            };
            let wheel_coupling = |lane| {
                self.wheel_couplings
                    .get(g * LANES + lane)
                    .copied()
                    .unwrap_or(0)
            };
            wheels.wheel_coupling = core::array::from_fn(wheel_coupling);
            wheels.coupling_ratio = of(&self.ratios);
            wheels.balance = of(&self.balance);
            wheels.torque_share = of(&self.split);
            wheels.speed_share = of(&self.split);
            wheels.brake = of(&self.brakes) * W4::splat(car.brake);
            if g == 0 {
                let steer = 0.2 * car.steer;
                wheels.steer = W4::from_array([steer, steer, 0.0, 0.0]);
            }
        }
        Ok(())
    }

    fn requests_motion(&self, command: &Command, _: &DriveState) -> bool {
        matches!(command, Command::Car(car) if car.throttle != 0.0)
    }
}

fn tank(drive: CoupledDrive, up: f32, left: f32) -> World {
    World::new(&model(params(six_wheeler), Arc::new(drive)), up, left)
}

fn spin(world: &World, wheel: usize) -> f32 {
    world.car.state().wheels[wheel / LANES]
        .spin
        .lane(wheel % LANES)
}

/// Throttle and no brake.
fn throttle(throttle: f32) -> CarCommand {
    CarCommand {
        throttle,
        ..CarCommand::default()
    }
}

#[rstest]
#[case::nose_up(0.35, 0.0)]
#[case::nose_down(-0.35, 0.0)]
#[case::across(0.0, 0.35)]
fn a_braked_tank_stands_on_a_slope_at_every_rate(#[case] up: f32, #[case] left: f32) {
    for rate in [30.0_f32, 60.0, 240.0] {
        let mut world = tank(TRACKS, up, left);
        let advance = |world: &mut World, seconds: f32| {
            for _ in 0..(seconds * rate) as u32 {
                let outcome = world.update(1.0 / rate).unwrap();
                world.apply(&outcome, 1.0 / rate);
            }
        };
        advance(&mut world, 2.0);
        let before = world.body.position;
        advance(&mut world, 8.0);
        let drift = (world.body.position - before).length();
        assert!(drift < 5e-4, "{rate} Hz: {drift} m");
    }
}

/// One wheel's brake locks its track.
#[test]
fn a_brake_on_one_wheel_locks_the_track() {
    let brakes = [9000.0, 9000.0, 0.0, 0.0, 0.0, 0.0];
    let mut world = tank(CoupledDrive { brakes, ..TRACKS }, 0.2, 0.0);
    world.run(2.0);
    let before = world.body.position;
    world.run(5.0);
    let drift = (world.body.position - before).length();
    assert!(drift < 5e-4, "{drift} m");
}

#[test]
fn a_tank_in_gear_stands_against_its_engine() {
    let mut world = tank(TRACKS, 0.05, 0.0);
    world.run(1.0);
    world.command = throttle(0.0);
    world.run(2.0);
    let before = world.body.position;
    world.run(5.0);
    let drift = (world.body.position - before).length();
    assert!(drift < 5e-4, "{drift} m");
}

/// The tracks turn against each other and the tank about its center, at the same rate at every time
/// step. Its wheels slide sideways, which takes a short tank and strong tracks.
#[test]
fn a_tank_spins_in_place_about_its_center() {
    let split = core::array::from_fn(|n| if n % 2 == 0 { -1.0 } else { 1.0 } / 6.0);
    let yaw_rates = [30.0_f32, 60.0, 240.0].map(|rate| {
        let drive = CoupledDrive {
            split,
            ratio: 16.0,
            ..TRACKS
        };
        let mut p = params(six_wheeler);
        for wheel in &mut p.wheels {
            wheel.position.x *= 0.5;
            wheel.suspension.application_point.x *= 0.5;
            wheel.tire.application_point.x *= 0.5;
        }
        let mut world = World::new(&model(p, Arc::new(drive)), 0.0, 0.0);
        world.run(1.0);
        let before = world.body.position;
        world.command = throttle(1.0);
        for _ in 0..(4.0 * rate) as u32 {
            let outcome = world.update(1.0 / rate).unwrap();
            world.apply(&outcome, 1.0 / rate);
        }
        let strayed = (world.body.position - before).length();
        assert!(strayed < 0.1, "{strayed} m");
        assert!((spin(&world, 0) + spin(&world, 1)).abs() < 0.5);
        world.body.angular_velocity.z
    });
    assert!(yaw_rates[1] > 0.5, "it turns to the left: {yaw_rates:?}");
    for rate in yaw_rates {
        assert!((rate / yaw_rates[2] - 1.0).abs() < 0.02, "{yaw_rates:?}");
    }
}

/// With one driven wheel on ice, the other takes the whole torque and the car drives off as ever. An
/// open differential leaves it where it is.
#[test]
fn a_locked_axle_drives_off_with_one_wheel_on_ice() {
    let cases = [
        (1.0, LOCKED.wheel_couplings),
        (0.02, LOCKED.wheel_couplings),
        (0.02, [0; 6]),
    ];
    let distances = cases.map(|(grip, wheel_couplings)| {
        let drive = CoupledDrive {
            wheel_couplings,
            ..LOCKED
        };
        let mut world = World::new(&model(params(|_| ()), Arc::new(drive)), 0.0, 0.0);
        world.grip[2] = grip;
        world.run(1.0);
        let before = world.body.position;
        world.command = throttle(0.3);
        world.run(3.0);
        if wheel_couplings[2] != 0 {
            assert_eq!(spin(&world, 2), spin(&world, 3));
        }
        (world.body.position - before).length()
    });
    assert!(
        (distances[1] / distances[0] - 1.0).abs() < 0.05,
        "{distances:?}"
    );
    assert!(distances[2] < distances[0] / 3.0, "{distances:?}");
}

/// With one front wheel on ice, the front axle pulls as little as that wheel, and the rear one drives the car off.
#[rstest]
#[case::locked(CENTER.wheel_couplings)]
#[case::open([0; 6])]
fn a_locked_center_drives_off_with_one_wheel_on_ice(#[case] wheel_couplings: [u8; 6]) {
    let mut p = params(|_| ());
    p.wheels.iter_mut().for_each(|wheel| wheel.damping = 0.0);
    let [inertia, radius] = [p.wheels[0].inertia, p.wheels[0].radius];
    let mut world = World::new(
        &model(
            p,
            Arc::new(CoupledDrive {
                wheel_couplings,
                ..CENTER
            }),
        ),
        0.0,
        0.0,
    );
    world.grip[0] = 0.02;
    world.run(1.0);
    world.command = throttle(0.3);
    world.run(2.5);
    // The shafts' torques, from what tires take and wheels gain.
    let start: [f32; 4] = core::array::from_fn(|n| spin(&world, n));
    world.run(0.5);
    let shafts: [f32; 4] = core::array::from_fn(|n| {
        let gained = inertia * (spin(&world, n) - start[n]) / 0.5;
        gained + radius * world.car.wheel_report(n).longitudinal_force
    });
    let [a, b, c, d] = shafts;
    assert!(
        (a - b).abs() < 20.0 && (c - d).abs() < 20.0,
        "{shafts:?} N·m"
    );
    // Without it, the ice decides what each wheel gets.
    assert_eq!(
        c > 5.0 * a.max(10.0),
        wheel_couplings[0] != 0,
        "{shafts:?} N·m"
    );
}

/// In a bend, the wheels of each axle turn as their paths ask, and the axles alike: without the center, the rear axle
/// is slower, as it cuts the corner.
#[rstest]
#[case::at_30_hz(30.0)]
#[case::at_60_hz(60.0)]
#[case::at_240_hz(240.0)]
fn a_locked_center_lets_the_wheels_of_an_axle_differ(#[case] rate: f32) {
    let actual = [CENTER.wheel_couplings, [0; 6]].map(|wheel_couplings| {
        let drive = CoupledDrive {
            wheel_couplings,
            ..CENTER
        };
        let mut world = World::new(&model(params(|_| ()), Arc::new(drive)), 0.0, 0.0);
        world.command = CarCommand {
            steer: 1.0,
            ..throttle(0.2)
        };
        for _ in 0..(4.0 * rate) as u32 {
            let outcome = world.update(1.0 / rate).unwrap();
            world.apply(&outcome, 1.0 / rate);
        }
        core::array::from_fn::<f32, 4, _>(|n| spin(&world, n))
    });
    let [[a, b, c, d], free] = actual;
    assert!(
        a > 3.0 && (b - a) > 0.1 * a && (d - c) > 0.1 * c,
        "{actual:?}"
    );
    assert!((a + b - c - d).abs() < 1e-4 * (a + b), "{actual:?}");
    let [a, b, c, d] = free;
    assert!((a + b) > 1.005 * (c + d), "{actual:?}");
}

/// Wheels in the air that come to be bound keep their angular momentum.
#[test]
fn coupled_wheels_keep_their_angular_momentum() {
    let ratios = [1.0, 1.0, 0.5, 1.0, -2.0, 1.0];
    let drive = CoupledDrive {
        wheel_couplings: [1, 0, 1, 0, 1, 0],
        ratios,
        engine: false,
        ..TRACKS
    };
    let mut p = params(six_wheeler);
    for wheel in &mut p.wheels {
        wheel.damping = 0.0;
    }
    let mut world = World::new(&model(p, Arc::new(drive)), 0.0, 0.0);
    world.body.position.z = 50.0;
    world.command = throttle(0.0);
    let spins = [30.0, 7.0, -10.0, 3.0, 20.0, 1.0];
    let wheels = &mut world.car.state_mut().wheels;
    wheels[0].spin = W4::from_array([30.0, 7.0, -10.0, 3.0]);
    wheels[1].spin = W4::from_array([20.0, 1.0, 0.0, 0.0]);
    world.step();
    let bound = [0, 2, 4];
    let momentum: f32 = bound.iter().map(|&n| ratios[n] * spins[n]).sum();
    let bearing: f32 = bound.iter().map(|&n| ratios[n] * ratios[n]).sum();
    for n in bound {
        let expected = ratios[n] * momentum / bearing;
        assert!((spin(&world, n) - expected).abs() < 1e-4, "wheel {n}");
    }
    assert_eq!([1, 3, 5].map(|n| spin(&world, n)), [7.0, 3.0, 1.0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever happens, a track's wheels turn alike and nothing becomes infinite.
    #[test]
    fn a_tracks_wheels_turn_alike(
        commands in prop::collection::vec((0f32..1.0, 0f32..1.0), 20),
        left in -1f32..1.0, right in -1f32..1.0,
        bumps in prop::array::uniform6(-0.1f32..0.3),
        grip in prop::array::uniform6(0f32..1.2),
        tilt in -0.4f32..0.4,
    ) {
        let split = core::array::from_fn(|n| if n % 2 == 0 { left } else { right } / 6.0);
        let mut world = tank(CoupledDrive { split, ..TRACKS }, tilt, 0.5 * tilt);
        world.bumps = bumps;
        world.grip = grip;
        for (push, brake) in commands {
            world.command = CarCommand {
                brake: if brake > 0.7 { brake } else { 0.0 },
                ..throttle(push)
            };
            world.run(0.1);
            for n in 2..6 {
                prop_assert_eq!(spin(&world, n), spin(&world, n % 2));
            }
            let speed = world.velocity().length();
            prop_assert!(speed < 50.0, "{speed}");
        }
    }
}
