//! Sedans that drive in Rapier, whose probes are counted.

use jounce::core::{CarCommand, Command, Environment, Fleet, Gear, Surfaces, UpdateLevel, Vehicle};
use jounce::rapier::{RapierWorld, body_id};

use crate::course::{CourseGround, DT, pedals};
use crate::drives::{GRAVITY, ready};
use crate::rapier_world::world;

/// Vehicles in the world, as in the ratios beside Rapier's controller.
const COUNT: usize = 100;
/// Counted steps.
const STEPS: usize = 40;
/// Counted probes.
pub(crate) const PROBES: usize = COUNT * STEPS;

/// Drives for [`STEPS`] steps.
pub(crate) fn drive(ground: CourseGround) {
    let car = ready("sedan", "");
    let (mut physics, mut link, bodies) = world(ground, &car, COUNT);
    let (model, surfaces, mut fleet) = (car.model(), Surfaces::new(), Fleet::new());
    for body in bodies {
        let mut vehicle = Vehicle::new(model.clone(), body_id(body));
        vehicle.state_mut().drive.force_gear(Gear::FIRST);
        fleet.push(vehicle);
    }
    let environment = Environment::in_still_air(GRAVITY, &surfaces);
    for step in 0..STEPS {
        let mut view = RapierWorld::of(&mut link, &mut physics);
        counted_probe(&mut fleet, &view, &environment);
        let commands: Vec<Command> = (0..COUNT).map(|n| command(n, step)).collect();
        fleet.update(&commands, &environment, DT);
        fleet.apply(&mut view).expect("all bodies are there");
        physics.step();
        link.end_step(&mut physics.bodies);
    }
    let grounded = |vehicle: &&Vehicle| vehicle.wheel_reports().any(|wheel| wheel.ground.is_some());
    let grounded = fleet.vehicles().iter().filter(grounded).count();
    assert!(2 * grounded > COUNT, "{grounded} touch the ground");
}

#[inline(never)]
fn counted_probe(fleet: &mut Fleet, world: &RapierWorld<'_>, environment: &Environment<'_>) {
    let probed = fleet.probe(world, environment, |_, _| UpdateLevel::Full);
    probed.expect("all bodies are there");
}

fn command(n: usize, step: usize) -> Command {
    let (throttle, brake, steer) = pedals(n, step);
    Command::Car(CarCommand {
        throttle,
        brake,
        steer,
        ..CarCommand::default()
    })
}
