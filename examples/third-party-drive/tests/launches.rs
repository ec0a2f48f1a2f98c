//! The motors obey their limits at every rate, and what they remember is part of the vehicle's state.

use jounce::core::CarCommand;
use third_party_drive::TwinMotors;
use third_party_drive::launch::Launch;

const FULL: CarCommand = CarCommand {
    throttle: 1.0,
    brake: 0.0,
    handbrake: 0.0,
    steer: 0.0,
    clutch: 0.0,
    gear: jounce::core::GearCommand::Hold,
    automatic: true,
    steering_wheel: None,
    levers: jounce::core::Levers::RELEASED,
};

#[test]
fn launches_are_alike_at_every_rate() {
    let ends = [30.0, 60.0, 120.0, 240.0].map(|rate| {
        let mut launch = Launch::new(TwinMotors::SPORTS_CAR, 1.0).unwrap();
        let [speed, _] = launch.drive(FULL, 4.0, rate).unwrap();
        (speed, launch.memory()[0], launch.memory()[1])
    });
    for end in ends {
        assert!((end.0 / ends[3].0 - 1.0).abs() < 0.005, "{ends:?}");
        assert!((end.1 / ends[3].1 - 1.0).abs() < 0.01, "{ends:?}");
        assert!((end.2 / ends[3].2 - 1.0).abs() < 0.01, "{ends:?}");
    }
    assert!(ends[0].0 > 17.0, "{ends:?}");
}

/// The battery gives what moves the car and what heats it; an empty one gives nothing.
#[test]
fn energy_is_taken_from_the_battery() {
    let mut launch = Launch::new(TwinMotors::SPORTS_CAR, 1.0).unwrap();
    let [speed, _] = launch.drive(FULL, 3.0, 120.0).unwrap();
    let kinetic = 0.5 * 1450.0 * speed * speed;
    let taken = launch.memory()[0];
    assert!(
        taken > kinetic && taken < 1.6 * kinetic,
        "{taken} {kinetic}"
    );
    let empty = TwinMotors {
        capacity: 0.25 * taken,
        ..TwinMotors::SPORTS_CAR
    };
    let mut launch = Launch::new(empty, 1.0).unwrap();
    let [slower, _] = launch.drive(FULL, 3.0, 120.0).unwrap();
    assert!(slower < 0.6 * speed, "{slower} {speed}");
    let hot = TwinMotors {
        heat_capacity: 100.0,
        cooling: 4.0,
        ..TwinMotors::SPORTS_CAR
    };
    let mut launch = Launch::new(hot, 1.0).unwrap();
    let [derated, _] = launch.drive(FULL, 6.0, 120.0).unwrap();
    let mut cool = Launch::new(TwinMotors::SPORTS_CAR, 1.0).unwrap();
    assert!(derated < 0.9 * cool.drive(FULL, 6.0, 120.0).unwrap()[0]);
    assert!(launch.memory()[1] < 130.0, "{:?}", launch.memory());
}

/// The motors turn the car into a bend in which it would understeer.
#[test]
fn motors_see_how_the_car_turns() {
    let bend = |vectoring| {
        let motors = TwinMotors {
            vectoring,
            ..TwinMotors::SPORTS_CAR
        };
        let mut launch = Launch::new(motors, 1.0).unwrap();
        launch.drive(FULL, 4.0, 120.0).unwrap();
        let left = CarCommand {
            throttle: 0.3,
            steer: -0.1,
            ..FULL
        };
        launch.drive(left, 1.0, 120.0).unwrap()[1]
    };
    let [without, with] = [0.0, 3000.0].map(bend);
    assert!(without > 0.1 && with > 1.02 * without, "{with} {without}");
}

#[test]
fn a_snapshot_has_the_battery() {
    let mut launch = Launch::new(TwinMotors::SPORTS_CAR, 1.0).unwrap();
    launch.drive(FULL, 1.0, 60.0).unwrap();
    let mut copy = launch.clone();
    let (first, second) = (launch.drive(FULL, 1.0, 60.0), copy.drive(FULL, 1.0, 60.0));
    assert_eq!(first.unwrap(), second.unwrap());
    assert_eq!(launch.memory(), copy.memory());
}
