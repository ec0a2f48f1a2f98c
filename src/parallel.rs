//! Fleets probed and updated on all cores, by Rayon.
//!
//! Each vehicle is computed independently: the number of threads does not change a bit of the
//! result. Other thread pools can do the same with [`Fleet::probe_by`] and [`Fleet::update_by`].

use vehicle_core::fleet::Part;
use vehicle_core::{
    BodyError, Command, Environment, Fleet, RigidBodies, SceneQuery, UpdateLevel, Vehicle,
};

/// Parts with at most this many vehicles are not split further: about 15 µs of work, and, of cars, a batch of rays.
const FEWEST: usize = 16;

/// [`Fleet::probe`] on Rayon's threads: those of the current pool, otherwise of the global one.
///
/// # Errors
/// As [`Fleet::probe`].
pub fn probe<W: SceneQuery + RigidBodies + Sync + ?Sized>(
    fleet: &mut Fleet,
    world: &W,
    environment: &Environment<'_>,
    update_level: impl Fn(usize, &Vehicle) -> UpdateLevel + Sync,
) -> Result<(), BodyError> {
    fleet.probe_by(world, environment, update_level, halve)
}

/// [`Fleet::update`] on Rayon's threads: those of the current pool, otherwise of the global one.
///
/// # Panics
/// As [`Fleet::update`].
pub fn update<C>(fleet: &mut Fleet, commands: &[C], environment: &Environment<'_>, dt: f32)
where
    C: Into<Command> + Copy + Sync,
{
    fleet.update_by(commands, environment, dt, halve);
}

fn halve(part: Part<'_>) {
    if part.len() <= FEWEST {
        part.run();
    } else {
        let middle = part.len() / 2;
        let (first, others) = part.split_at(middle);
        rayon::join(|| halve(first), || halve(others));
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;
    use std::collections::HashSet;
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread::{self, ThreadId};

    use glam::Vec3;

    use super::*;
    use crate::drive::{EngineDrive, physx};
    use crate::presets;
    use crate::scene::{BodyDesc, Plane, Standalone};
    use vehicle_core::{
        Axis, BodyId, BodyState, CarCommand, Checked, GroundHit, GroundMotion, GroundRay, Reaction,
        StepResult, Surfaces, TireForces, TireInput, TireModel, VehicleModel,
    };

    /// States of 50 sedans after two seconds, each driven differently; compared bit for bit,
    /// because shortest decimals are exact.
    fn drive(on_all: bool) -> String {
        const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
        let car = presets::sedan();
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).unwrap());
        let mut fleet = Fleet::new();
        let mut commands = Vec::new();
        for n in 0..50 {
            let place = glam::DVec3::new(0.0, 5.0 * f64::from(n), car.ride_height());
            let body = BodyDesc::at_rest(place, car.mass(), car.inertia());
            fleet.push(Vehicle::new(car.model(), world.add(&body).unwrap()));
            commands.push(Command::Car(CarCommand {
                throttle: 0.02 * n as f32,
                steer: 0.3 - 0.01 * n as f32,
                ..CarCommand::default()
            }));
        }
        let surfaces = Surfaces::new();
        let environment = Environment::in_still_air(GRAVITY, &surfaces);
        for _ in 0..120 {
            let full = |_: usize, _: &Vehicle| UpdateLevel::Full;
            if on_all {
                probe(&mut fleet, &world, &environment, full).unwrap();
                update(&mut fleet, &commands, &environment, 1.0 / 60.0);
            } else {
                fleet.probe(&world, &environment, full).unwrap();
                fleet.update(&commands, &environment, 1.0 / 60.0);
            }
            fleet.apply(&mut world).unwrap();
            world.step(GRAVITY, 1.0 / 60.0);
        }
        let states = fleet.vehicles().iter().map(Vehicle::state);
        states.map(|state| format!("{state:?}\n")).collect()
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_bit() {
        let alone = drive(false);
        for threads in [1, 2, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            let together = pool.install(|| drive(true));
            assert!(together == alone, "{threads} threads");
        }
    }

    /// A meeting that ends when two threads have asked for it, or after a while.
    #[derive(Debug, Default)]
    struct Meeting {
        threads: Mutex<HashSet<ThreadId>>,
        met: Condvar,
    }

    impl Meeting {
        fn wait(&self) {
            let mut threads = self.threads.lock().unwrap();
            threads.insert(thread::current().id());
            self.met.notify_all();
            let patience = Duration::from_secs(10);
            let alone = |threads: &mut HashSet<ThreadId>| threads.len() < 2;
            let waited = self.met.wait_timeout_while(threads, patience, alone);
            assert!(!waited.unwrap().1.timed_out(), "one thread does it all");
        }
    }

    impl TireModel for Meeting {
        fn forces(&self, _: &TireInput) -> TireForces {
            self.wait();
            TireForces::default()
        }
    }

    /// Bodies over a ground where two threads must look.
    struct Watched {
        world: Standalone,
        meeting: Meeting,
    }

    impl SceneQuery for Watched {
        fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
            self.meeting.wait();
            self.world.cast_rays(rays, hits);
        }
    }

    impl RigidBodies for Watched {
        fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
            self.world.read(ids, out)
        }

        fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
            self.world.ground_motion(id)
        }

        fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
            self.world.apply(ids, results)
        }

        fn react(&mut self, reactions: &[Reaction]) {
            self.world.react(reactions);
        }
    }

    /// `FEWEST` sedans and one more, side by side.
    fn sedans(model: &Arc<VehicleModel>) -> (Standalone, Fleet) {
        let car = presets::sedan();
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).unwrap());
        let mut fleet = Fleet::new();
        for n in 0..=FEWEST {
            let place = glam::DVec3::new(0.0, 5.0 * n as f64, car.ride_height());
            let body = BodyDesc::at_rest(place, car.mass(), car.inertia());
            fleet.push(Vehicle::new(Arc::clone(model), world.add(&body).unwrap()));
        }
        (world, fleet)
    }

    #[test]
    fn rays_are_cast_at_the_same_time() {
        let (world, mut fleet) = sedans(&presets::sedan().model());
        let world = Watched {
            world,
            meeting: Meeting::default(),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
        let full = |_: usize, _: &Vehicle| UpdateLevel::Full;
        let surfaces = Surfaces::new();
        let environment = Environment::in_still_air(Vec3::ZERO, &surfaces);
        let cast = || probe(&mut fleet, &world, &environment, full);
        pool.build().unwrap().install(cast).unwrap();
        let grounded =
            |vehicle: &Vehicle| vehicle.wheel_reports().all(|wheel| wheel.ground.is_some());
        assert!(fleet.vehicles().iter().all(grounded));
    }

    #[test]
    fn vehicles_are_updated_at_the_same_time() {
        let car = presets::benchmark_sedan();
        let params = Checked::new(car.spec().params.clone()).unwrap();
        let drive = Checked::new(physx::four_wheel_drive(4)).unwrap();
        let (tire, drive) = (Meeting::default(), EngineDrive::new(drive));
        let model = VehicleModel::new(params, &[Arc::new(tire)], Arc::new(drive));
        let (world, mut fleet) = sedans(&Arc::new(model.unwrap()));
        let commands = vec![Command::default(); fleet.vehicles().len()];
        let surfaces = Surfaces::new();
        let environment = Environment::in_still_air(Vec3::Z * -9.81, &surfaces);
        fleet
            .probe(&world, &environment, |_, _| UpdateLevel::Full)
            .unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
        pool.build()
            .unwrap()
            .install(|| update(&mut fleet, &commands, &environment, 1.0 / 60.0));
    }
}
