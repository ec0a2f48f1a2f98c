//! Aids that rest, and aids that count.

use super::*;

/// An aid that rests while nothing brakes, and counts its calls beside a value that never settles.
#[derive(Debug)]
struct Rests;

impl DriverAid for Rests {
    fn check(&self, _: usize, _: &mut Inspector) {}
    fn memory(&self, _: usize) -> usize {
        1
    }
    fn counters(&self, _: usize) -> usize {
        1
    }
    fn rests(&self, _: &[f32], brakes: bool) -> bool {
        !brakes
    }
    fn assist(&self, _: &Sensors<'_>, memory: &mut [f32], _: &mut Requests<'_>) {
        memory[0] += 1.0;
    }
}

/// Aids are called while the drivetrain brakes, or another one does not rest; the brakes are sensed in any case.
#[test]
fn aids_that_rest_are_not_called() {
    let calls = |world: &World| world.car.state().aid_memory(0)[0];
    let brakes = |world: &World| world.car.state().extras.memories().unwrap().brakes[0].lane(0);
    let mut world = rolling(
        &with_aids(testing::no_drive(), &[Arc::new(Rests)]),
        10.0,
        1.0,
    );
    world.step();
    assert_eq!((calls(&world), brakes(&world)), (1.0, 3000.0));
    world.command.brake = 0.0;
    world.run(0.5);
    assert_eq!((calls(&world), brakes(&world)), (1.0, 0.0));
    let both: [Arc<dyn DriverAid>; 2] = [Arc::new(Rests), does(|_, _, _| ())];
    let mut world = rolling(&with_aids(testing::no_drive(), &both), 10.0, 1.0);
    world.command.brake = 0.0;
    world.step();
    assert_eq!(calls(&world), 1.0);
    world.car.state_mut().enable_aid(1, false);
    world.step();
    assert_eq!(calls(&world), 1.0);
}

/// What an aid counts keeps no car awake.
#[test]
fn a_car_sleeps_while_its_aids_count() {
    let mut world = World::new(
        &with_aids(testing::no_drive(), &[Arc::new(Rests)]),
        0.0,
        0.0,
    );
    world.run(2.0);
    assert!(!world.last.wake && world.car.state().aid_memory(0)[0] > 10.0);
}
