//! Driver aids in cars: the table's bounds, and what each aid beside it does, on a road without an engine.

use jounce::aids::{
    Abs, AidSuite, BrakeDistribution, BrakeFade, CruiseControl, HillDescent, LaunchControl,
    ParkingBrake, RearChannels, RolloverMitigation, SpeedLimiter, TorqueVectoring, TractionControl,
    ValveAbs,
};
use jounce::core::CarCommand;
use jounce::file::Car;
use jounce::presets;
use proving_ground::stage::{FREE, Setup};
use proving_ground::world::WorldKind;
use rstest::rstest;
use vehicle_conformance::aids::{self, Rig, Road, stop};
use vehicle_conformance::stability::StabilityRow;

/// Rows of the table that miss their bounds in every world, with the cause.
const MISSED: [(&str, &str); 4] = [
    (
        "own-waves",
        "the loads of wheels on waves of 9 Hz change by more than valves of 18 kN·m/s follow",
    ),
    (
        "waves-spread",
        "the solver knows the load at a substep's end: long ones see a wave before valves move",
    ),
    (
        "valves-spread",
        "the accumulator is full in every cycle, and the pump decides how deep slips fall",
    ),
    (
        "valves-split",
        "each wheel brakes for itself: no channel selects low",
    ),
];

#[rstest]
#[case::standalone(WorldKind::Standalone)]
#[case::rapier(WorldKind::Rapier)]
fn the_table_is_within_its_bounds(#[case] world: WorldKind) {
    let rows = aids::table(world);
    let missed = |name| MISSED.iter().any(|(missed, _)| *missed == name);
    let unexpected = |row: &&StabilityRow| row.ending().is_none() != missed(row.name);
    let out: Vec<String> = rows
        .iter()
        .filter(unexpected)
        .map(ToString::to_string)
        .collect();
    assert!(out.is_empty(), "{}", out.join("\n"));
    let known = |name| rows.iter().any(|row| row.name == name);
    assert!(MISSED.iter().all(|(name, _)| known(*name)));
}

/// Drives a car with a command for some seconds.
fn driven(rig: &mut Rig, command: CarCommand, seconds: f32) {
    for _ in 0..(seconds / rig.dt()) as usize {
        rig.step(&command).unwrap();
    }
}

/// A car in the standalone world.
fn alone(car: &Car) -> Setup<'_> {
    Setup {
        world: WorldKind::Standalone,
        car,
    }
}

fn rig(car: &Car, aids: &AidSuite, road: Road, speed: f32) -> Rig {
    Rig::new(&alone(car), aids, road, (speed, 60.0)).unwrap()
}

fn speed(rig: &Rig) -> f32 {
    rig.body().linear_velocity.length()
}

/// Valves stop a car shorter than locked wheels, without locking, from 60 Hz on alike within a few per cent.
#[rstest]
#[case(0.9, 0.98, 0.015)]
#[case(0.3, 0.95, 0.06)]
fn valves_keep_wheels_from_locking(#[case] friction: f32, #[case] part: f64, #[case] spread: f64) {
    let aids = AidSuite {
        valve_abs: Some(ValveAbs::car()),
        ..AidSuite::default()
    };
    for car in [presets::sedan(), presets::load("sports-car").unwrap()] {
        let road = Road::level(friction);
        let locked = stop(&alone(&car), &AidSuite::default(), road, 60.0).unwrap();
        let kept = [60.0, 120.0, 240.0].map(|rate| stop(&alone(&car), &aids, road, rate).unwrap());
        let distances = kept.map(|stop| stop.distance);
        let [least, most] = [f64::min, f64::max].map(|f| distances.into_iter().reduce(f).unwrap());
        assert!(
            locked.locked > 2.0 && kept.iter().all(|stop| stop.locked < 0.1),
            "{kept:?}"
        );
        assert!(most < part * locked.distance, "{kept:?} {locked:?}");
        assert!(most / least - 1.0 < spread, "{kept:?}");
    }
}

/// Rear brakes that are too strong lock the rear wheels first, and the car turns; with brake distribution it does not.
#[test]
fn brake_distribution_keeps_the_rear_axle_rolling() {
    let car = presets::sedan()
        .with("axles[1].brakes.max_torque", 3000.0)
        .unwrap();
    let slips = |aids: &AidSuite| {
        let mut rig = rig(&car, aids, Road::level(0.9), 30.0);
        let mut worst = 0.0_f32;
        for _ in 0..90 {
            rig.step(&CarCommand {
                brake: 0.3,
                clutch: 1.0,
                ..FREE
            })
            .unwrap();
            let [front, rear] = [0, 2].map(|n| rig.vehicle().wheel_report(n).spin * 0.33);
            worst = worst.max((front - rear) / speed(&rig));
        }
        worst
    };
    let without = slips(&AidSuite::default());
    let with = slips(&AidSuite {
        brake_distribution: Some(BrakeDistribution::car()),
        ..AidSuite::default()
    });
    assert!(without > 0.5 && with < 0.02, "{without} {with}");
}

/// Downhill on 20 % without a pedal, a car keeps its 2.2 m/s; without the aid it runs away.
#[test]
fn hill_descent_keeps_a_slow_speed() {
    let road = Road {
        slope: -0.2,
        ..Road::level(0.9)
    };
    let after = |aids: &AidSuite| {
        let mut rig = rig(&presets::sedan(), aids, road, 2.0);
        driven(
            &mut rig,
            CarCommand {
                clutch: 1.0,
                ..FREE
            },
            5.0,
        );
        (speed(&rig), rig.activity())
    };
    let (without, none) = after(&AidSuite::default());
    let (with, acts) = after(&AidSuite {
        hill_descent: Some(HillDescent::car()),
        ..AidSuite::default()
    });
    assert!(without > 8.0 && none == 0.0, "{without}");
    assert!((with - 2.2).abs() < 0.15 && acts == 1.0, "{with} {acts}");
}

/// Uphill and on the level, the engine keeps the set speed until the driver brakes.
#[test]
fn cruise_control_keeps_a_speed() {
    let aids = AidSuite {
        cruise_control: Some(CruiseControl::car()),
        ..AidSuite::default()
    };
    for slope in [0.0, 0.04] {
        let road = Road {
            slope,
            ..Road::level(0.9)
        };
        let mut rig = rig(&presets::sedan(), &aids, road, 22.0);
        rig.engage(4);
        rig.stage.vehicle.state_mut().aid_memory_mut(0)[0] = 24.0;
        driven(&mut rig, FREE, 25.0);
        assert!((speed(&rig) - 24.0).abs() < 0.1, "{slope}: {}", speed(&rig));
        driven(&mut rig, CarCommand { brake: 0.1, ..FREE }, 0.5);
        assert_eq!(rig.activity(), 0.0);
        driven(&mut rig, FREE, 5.0);
        assert!(speed(&rig) < 23.0, "{slope}: {}", speed(&rig));
    }
}

#[test]
fn a_limiter_keeps_the_speed_below_its_limit() {
    let aids = AidSuite {
        speed_limiter: Some(SpeedLimiter::at(20.0)),
        ..AidSuite::default()
    };
    let mut rig = rig(&presets::sedan(), &aids, Road::level(0.9), 15.0);
    rig.engage(3);
    for _ in 0..900 {
        rig.step(&CarCommand {
            throttle: 1.0,
            ..FREE
        })
        .unwrap();
        assert!(speed(&rig) < 20.0);
    }
    assert!(speed(&rig) > 19.0, "{}", speed(&rig));
}

/// Under power in a bend, a car with torque vectoring turns in more.
#[test]
fn torque_vectoring_turns_a_car_in() {
    let turned = |aids: &AidSuite| {
        let mut rig = rig(&presets::sedan(), aids, Road::level(0.9), 15.0);
        rig.engage(2);
        driven(
            &mut rig,
            CarCommand {
                throttle: 0.6,
                steer: -0.2,
                ..FREE
            },
            3.0,
        );
        rig.body().angular_velocity.z
    };
    let without = turned(&AidSuite::default());
    let with = turned(&AidSuite {
        torque_vectoring: Some(TorqueVectoring::car()),
        ..AidSuite::default()
    });
    assert!(with > 1.05 * without, "{with} {without}");
}

/// A high truck that swerves on a sticky road lifts its inner wheels; with roll-over mitigation it leans less.
#[test]
fn rollover_mitigation_keeps_wheels_on_the_ground() {
    let car = presets::load("pickup").unwrap();
    let car = car.with("chassis.center_of_mass[2]", 1.05).unwrap();
    let lean = |aids: &AidSuite| {
        let mut rig = rig(&car, aids, Road::level(1.1), 22.0);
        let mut lean = 0.0_f32;
        for step in 0..240 {
            let steer = 0.35 * (step as f32 / 20.0).min(1.0);
            rig.step(&CarCommand {
                steer,
                clutch: 1.0,
                ..FREE
            })
            .unwrap();
            let up = rig.body().rotation * glam::Vec3::Z;
            lean = lean.max(up.z.clamp(-1.0, 1.0).acos());
        }
        lean.to_degrees()
    };
    let without = lean(&AidSuite::default());
    let with = lean(&AidSuite {
        rollover_mitigation: Some(RolloverMitigation::car()),
        ..AidSuite::default()
    });
    assert!(without > 60.0 && with < 20.0, "{without} {with}");
}

/// With the brake held and the full throttle, the engine waits at its speed; then the car starts with little slip.
#[test]
fn launch_control_holds_the_engine_and_the_slip() {
    let car = presets::load("sports-car").unwrap();
    let aids = AidSuite {
        launch_control: Some(LaunchControl::car()),
        ..AidSuite::default()
    };
    let started = |aids: &AidSuite| {
        let mut rig = rig(&car, aids, Road::level(0.3), 0.0);
        rig.engage(1);
        let staged = CarCommand {
            throttle: 1.0,
            brake: 1.0,
            clutch: 1.0,
            ..FREE
        };
        driven(&mut rig, staged, 2.0);
        let engine = rig.vehicle().state().drive.engine_speed;
        driven(
            &mut rig,
            CarCommand {
                throttle: 1.0,
                ..FREE
            },
            3.0,
        );
        (engine, speed(&rig))
    };
    let (revved, slow) = started(&AidSuite::default());
    let (held, fast) = started(&aids);
    assert!(
        revved > 500.0 && (264.0..315.0).contains(&held),
        "{revved} {held}"
    );
    assert!(fast > 1.05 * slow, "{fast} {slow}");
}

/// On grip on one side and ice on the other, brakes hold the wheel that spins.
#[test]
fn traction_control_starts_on_split_friction() {
    let road = Road {
        frictions: [0.8, 0.1],
        ..Road::level(0.8)
    };
    let started =
        |aids: &AidSuite| aids::launch(&alone(&presets::sedan()), aids, road, 60.0).unwrap();
    let without = started(&AidSuite::default());
    let with = started(&AidSuite {
        traction_control: Some(TractionControl::car()),
        ..AidSuite::default()
    });
    assert!(with > 4.0 * without, "{with} {without}");
}

/// Front brakes that part slowly give the driver time.
#[test]
fn parting_front_brakes_turn_a_car_less() {
    let road = Road {
        frictions: [0.8, 0.1],
        ..Road::level(0.8)
    };
    let yaw = |abs: Abs| {
        let aids = AidSuite {
            abs: Some(abs),
            ..AidSuite::default()
        };
        let car = presets::load("sports-car").unwrap();
        stop(&alone(&car), &aids, road, 60.0)
            .unwrap()
            .yaw
            .to_degrees()
    };
    let [each, low, parting] = [
        Abs {
            rear: RearChannels::Each,
            ..Abs::car()
        },
        Abs::car(),
        Abs {
            front_parting_rate: Some(2000.0),
            ..Abs::car()
        },
    ]
    .map(yaw);
    assert!(
        parting < low && low < 6.0 && each > 90.0,
        "{parting} {low} {each}"
    );
}

/// A switched-off ABS lets wheels lock, and switched on again, it keeps them, in the midst of a stop.
#[test]
fn aids_are_switched_while_driving() {
    let aids = AidSuite {
        abs: Some(Abs::car()),
        ..AidSuite::default()
    };
    let mut rig = rig(&presets::sedan(), &aids, Road::level(0.5), 40.0);
    let braking = CarCommand {
        brake: 1.0,
        clutch: 1.0,
        ..FREE
    };
    let spin = |rig: &Rig| rig.vehicle().wheel_report(0).spin;
    rig.stage.vehicle.state_mut().enable_aid(0, false);
    driven(&mut rig, braking, 1.0);
    assert!(
        spin(&rig).abs() < 0.1 && rig.activity() == 0.0,
        "{}",
        spin(&rig)
    );
    rig.stage.vehicle.state_mut().enable_aid(0, true);
    driven(&mut rig, braking, 0.5);
    assert!(spin(&rig) > 60.0 && rig.activity() == 1.0, "{}", spin(&rig));
}

/// No valve is between a handbrake and its wheels.
#[rstest]
#[case::abs(AidSuite { abs: Some(Abs::car()), ..AidSuite::default() })]
#[case::valve_abs(AidSuite { valve_abs: Some(ValveAbs::car()), ..AidSuite::default() })]
#[case::brake_distribution(AidSuite { brake_distribution: Some(BrakeDistribution::car()), ..AidSuite::default() })]
fn a_handbrake_locks_rear_wheels(#[case] aids: AidSuite) {
    let mut rig = rig(&presets::sedan(), &aids, Road::level(0.5), 30.0);
    let pulled = CarCommand {
        brake: 0.1,
        handbrake: 1.0,
        clutch: 1.0,
        ..FREE
    };
    driven(&mut rig, pulled, 0.8);
    let [front, rear] = [0, 2].map(|wheel| rig.vehicle().wheel_report(wheel).spin);
    assert!(front > 40.0 && rear.abs() < 0.1, "{front} {rear}");
}

/// Behind a slower vehicle, a car brakes and keeps the distance of its time gap; then it follows it faster.
#[test]
fn cruise_control_keeps_its_distance() {
    let cruise = CruiseControl::car();
    let aids = AidSuite {
        cruise_control: Some(cruise),
        ..AidSuite::default()
    };
    let mut rig = rig(&presets::sedan(), &aids, Road::level(0.9), 30.0);
    rig.engage(5);
    let (mut place, mut nearest) = (120.0, f32::INFINITY);
    let mut follow = |rig: &mut Rig, ahead: f32, seconds: f32| {
        for _ in 0..(seconds / rig.dt()) as usize {
            let distance = place - rig.body().position.x as f32;
            nearest = nearest.min(distance);
            let state = rig.stage.vehicle.state_mut();
            let memory = state.aid_memory_mut(0);
            (memory[0], memory[2], memory[3]) = (30.0, distance, ahead);
            rig.step(&FREE).unwrap();
            place += ahead * rig.dt();
        }
        place - rig.body().position.x as f32
    };
    for ahead in [18.0, 22.0] {
        let distance = follow(&mut rig, ahead, 40.0);
        let kept = cruise.least_gap + cruise.time_gap * ahead;
        assert!((distance - kept).abs() < 1.0, "{ahead}: {distance} {kept}");
        assert!(
            (speed(&rig) - ahead).abs() < 0.2,
            "{ahead}: {}",
            speed(&rig)
        );
    }
    assert!(nearest > 25.0, "{nearest}");
}

/// Pulled for a moment at a standstill, the parking brake holds the car on 20 % until the accelerator is pressed; without, it rolls.
#[test]
fn a_parking_brake_holds_a_car() {
    let road = Road {
        slope: 0.2,
        ..Road::level(0.9)
    };
    let open = CarCommand {
        clutch: 1.0,
        ..FREE
    };
    let parked = |aids: &AidSuite| {
        let mut rig = rig(&presets::sedan(), aids, road, 0.0);
        let pulled = CarCommand {
            brake: 1.0,
            handbrake: 1.0,
            ..open
        };
        driven(&mut rig, pulled, 1.5);
        driven(&mut rig, open, 10.0);
        rig
    };
    assert!(speed(&parked(&AidSuite::default())) > 5.0);
    for closes_after in [None, Some(0.5)] {
        let mut rig = parked(&AidSuite {
            parking_brake: Some(ParkingBrake {
                closes_after,
                ..ParkingBrake::car()
            }),
            ..AidSuite::default()
        });
        assert!(speed(&rig) < 1e-3 && rig.activity() == 1.0);
        let starts = CarCommand {
            throttle: 0.2,
            ..open
        };
        driven(&mut rig, starts, 2.0);
        assert!(speed(&rig) > 1.0 && rig.activity() == 0.0);
    }
}

/// All energy of a stop without other losses heats the discs, at every rate; after some stops hot ones brake less.
#[test]
fn brakes_fade_in_repeated_stops() {
    let discs = BrakeFade {
        cooling: 1e-3,
        cooling_by_speed: 0.0,
        ..BrakeFade::car()
    };
    let aids = |brake_fade| AidSuite {
        brake_fade: Some(brake_fade),
        ..AidSuite::default()
    };
    let car = presets::sedan();
    let braking = CarCommand {
        brake: 0.3,
        clutch: 1.0,
        ..FREE
    };
    let heat = |rate: f32| {
        let mut rig = Rig::new(&alone(&car), &aids(discs), Road::level(0.9), (40.0, rate)).unwrap();
        driven(&mut rig, braking, 20.0);
        let memory = rig.vehicle().state().aid_memory(0);
        let of = |n: usize| memory[4 + n] * discs.capacity[n / 2];
        (0..4).map(of).sum::<f32>()
    };
    let heats = [30.0, 60.0, 240.0].map(heat);
    let energy = 0.5 * car.mass() * 40.0 * 40.0;
    for heat in heats {
        // Tires and air take the rest.
        assert!((0.85..1.02).contains(&(heat / energy)), "{}", heat / energy);
        assert!((heat / heats[2] - 1.0).abs() < 0.01, "{heats:?}");
    }
    let mut rig = rig(&car, &aids(BrakeFade::car()), Road::level(0.9), 0.0);
    let mut distance = |speed: f32| {
        let id = rig.vehicle().body();
        let push = glam::Vec3::X * speed;
        rig.stage.world.kick(id, push, glam::Vec3::ZERO).unwrap();
        proving_ground::stage::roll(&mut rig.stage.vehicle, speed);
        let start = rig.body().position.x;
        driven(&mut rig, braking, 20.0);
        (rig.body().position.x - start, rig.activity())
    };
    let (first, _) = distance(40.0);
    let stops: Vec<_> = (0..6).map(|_| distance(40.0)).collect();
    let (last, faded) = stops[5];
    // The torque that is lost at the end is the most that was lost.
    let longer = 1.05..1.0 / (1.0 - f64::from(faded));
    assert!(
        longer.contains(&(last / first)) && faded > 0.2,
        "{first} {last} {faded}"
    );
}
