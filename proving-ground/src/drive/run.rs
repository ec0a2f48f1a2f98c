//! A car being driven, and the vehicles it tows.

use glam::DVec3;
use jounce::core::{
    Air, BodyId, CarCommand, Command, Effort, Environment, Fleet, Gear, Surfaces, Vehicle,
};
use jounce::file::Car;

use super::{Drive, End};
use crate::driver::{Driver, Seen};
use crate::error::ProvingError;
use crate::ground::Terrain;
use crate::sample::{Recorder, Sample};
use crate::tow::{self, Hook, Towing};
use crate::world::{self, GRAVITY, Start, World};

/// Depth below the ground at which the car has left it (`m`).
const ABYSS: f64 = 15.0;

/// A car being driven in a world.
pub(super) struct Run<'a> {
    pub(super) world: &'a mut dyn World,
    fleet: Fleet,
    body: BodyId,
    /// The coupled trailers, from front to rear: those of the fleet's vehicles behind the first one.
    pub(super) hooks: Vec<Hook>,
    surfaces: Surfaces,
    recorder: Recorder,
}

impl<'a> Run<'a> {
    /// The first vehicle of a train, placed at `start` in first gear, and the others coupled behind it.
    ///
    /// # Errors
    /// If there is no ground at the start, a coupling is missing, or the world rejects a vehicle.
    pub(super) fn new(
        world: &'a mut dyn World,
        train: &[Car],
        terrain: &Terrain,
        start: Start,
    ) -> Result<Self, ProvingError> {
        let car = &train[0];
        let pose = world::standing(world, terrain, car, start)?;
        let body = world.add_chassis(car, &pose)?;
        let mut vehicle = Vehicle::new(car.kind(), body);
        vehicle.state_mut().drive.force_gear(Gear::FIRST);
        let mut fleet = Fleet::new();
        fleet.push(vehicle);
        let lost = |source| ProvingError::Lost { time: 0.0, source };
        let state = world.body_state(body).map_err(lost)?;
        let mut run = Self {
            recorder: Recorder::new(&state),
            world,
            fleet,
            body,
            hooks: Vec::new(),
            surfaces: Surfaces::new(),
        };
        for (n, pair) in train.windows(2).enumerate() {
            let towing = match n {
                0 => Towing::driven(&pair[0]),
                _ => Towing::towed(&pair[0]),
            };
            run.hook_up(towing?, &pair[1], terrain, start)?;
        }
        Ok(run)
    }

    /// Couples a trailer to the last vehicle, which has just been placed at `start` or behind it.
    fn hook_up(
        &mut self,
        towing: Towing<'_>,
        trailer: &Car,
        terrain: &Terrain,
        start: Start,
    ) -> Result<(), ProvingError> {
        let last = self.hooks.len();
        let body = self.fleet.vehicles()[last].body();
        let (hook, towed) = Hook::up(&mut *self.world, terrain, (towing, body), trailer, start)?;
        tow::ignore(&mut self.fleet.vehicles_mut()[last], hook.trailer());
        self.fleet.push(towed);
        self.hooks.push(hook);
        Ok(())
    }

    /// Drives until the manoeuvre is over or the car is lost.
    ///
    /// # Errors
    /// If the world loses the car or the towed vehicle.
    pub(super) fn go(
        &mut self,
        drive: &mut Drive,
        mut progress: impl FnMut(f32),
    ) -> Result<(), ProvingError> {
        let dt = drive.dt;
        let manoeuvre = drive.manoeuvre.clone();
        let first = self.sample(0.0, dt)?;
        let floor = first.position.z;
        let mut driver = Driver::new(&manoeuvre, &self.seen(&first));
        drive.stages.push(driver.stage_start());
        drive.samples.push(first);
        for tick in 0.. {
            let Some(last) = drive.samples.last() else {
                break;
            };
            let seen = self.seen(last);
            let Some(command) = driver.command(&seen, dt) else {
                break;
            };
            let start = driver.stage_start();
            if drive.stages.last() != Some(&start) {
                drive.stages.push(start);
            }
            let asks = tick % drive.query_every == 0;
            self.step(&command, asks, last.time, dt)?;
            let mut sample = self.sample((tick + 1) as f32 * dt, dt)?;
            sample.stage = start.stage;
            sample.command = command;
            let refused = self.refusal();
            sample.refused = refused.is_some();
            if let (Some(refused), None) = (refused, &drive.refusal) {
                drive.refusal = Some(format!("after {:.3} s: {refused}", sample.time));
            }
            progress(sample.time);
            let lost = is_lost(&drive.terrain, sample.position, floor);
            drive.samples.push(sample);
            if lost {
                drive.end = End::LeftTheGround;
                break;
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        command: &CarCommand,
        asks: bool,
        time: f32,
        dt: f32,
    ) -> Result<(), ProvingError> {
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &self.surfaces,
            air: Air::STILL,
        };
        let lost = |source| ProvingError::Lost { time, source };
        let effort = if asks {
            Effort::Full
        } else {
            Effort::KnownGround
        };
        self.fleet
            .probe(&*self.world, environment.surfaces, |_, _| effort)
            .map_err(lost)?;
        let mut commands = vec![Command::Car(tow::command(command)); self.hooks.len() + 1];
        commands[0] = Command::Car(*command);
        self.fleet.update(&commands, environment.gravity, dt);
        if let [puller, trailers @ ..] = self.fleet.vehicles_mut() {
            // A vehicle holding its position must know when it is towed off.
            let accelerating = puller.control().accelerating;
            trailers
                .iter_mut()
                .for_each(|trailer| trailer.set_towed(accelerating));
        }
        self.fleet.apply(&mut *self.world).map_err(lost)?;
        self.world.advance(environment.gravity, dt);
        let world = &*self.world;
        self.hooks.iter_mut().try_for_each(|hook| hook.look(world))
    }

    /// Why the last update was refused: for the car, or else for the first towed vehicle of which it was.
    fn refusal(&self) -> Option<String> {
        let mut refused = self.fleet.refused().iter();
        if let Some(own) = refused.next()? {
            return Some(own.to_string());
        }
        refused.zip(&self.hooks).find_map(|(refused, hook)| {
            let why = refused.as_ref()?;
            Some(format!("{}: {why}", hook.towed.trailer))
        })
    }

    fn sample(&mut self, time: f32, dt: f32) -> Result<Sample, ProvingError> {
        let lost = |source| ProvingError::Lost { time, source };
        let body = self.world.body_state(self.body).map_err(lost)?;
        let mut sample = self.recorder.sample(&self.fleet.vehicles()[0], &body, dt);
        sample.time = time;
        Ok(sample)
    }

    fn seen(&self, sample: &Sample) -> Seen {
        Seen {
            time: sample.time,
            speed: sample.speed,
            forward_speed: sample.forward_speed,
            heading: self.recorder.heading(),
            yaw_rate: sample.yaw_rate,
            gear: Gear(sample.target_gear),
        }
    }
}

/// Whether a car at `place` has left the ground; outside all ground, the height of the start counts
/// (`m`).
fn is_lost(terrain: &Terrain, place: DVec3, start: f64) -> bool {
    let ground = terrain.height(place.truncate()).unwrap_or(start);
    place.z < ground - ABYSS
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::drive::{DrivePlan, run};
    use crate::ground::GroundSpec;
    use crate::world::WorldKind;

    /// The tractor braking with its trailer.
    fn braking() -> DrivePlan {
        DrivePlan {
            manoeuvre: Some("brake".to_owned()),
            ground: Some(GroundSpec::Flat),
            ..DrivePlan::of("trailer")
        }
    }

    fn refused(drive: &Drive) -> usize {
        drive.samples.iter().filter(|sample| sample.refused).count()
    }

    #[test]
    fn a_trailer_whose_update_is_refused_is_reported() {
        let mut drive = run(&braking(), |_, _| ()).unwrap();
        assert_eq!(refused(&drive), 0);
        drive.samples.clear();
        let train = tow::vehicles("trailer", &[]).unwrap();
        let terrain = drive.terrain.clone();
        let mut world = world::open(WorldKind::default(), &terrain, drive.dt).unwrap();
        let start = Start {
            place: terrain.start,
            heading: 0.0,
        };
        let mut run = Run::new(&mut *world, &train, &terrain, start).unwrap();
        run.fleet.vehicles_mut()[1].state_mut().carry.linear = Vec3::NAN;
        run.go(&mut drive, |_| ()).unwrap();
        assert_eq!(refused(&drive), 1);
        let refusal = drive.refusal.unwrap();
        assert!(refusal.starts_with("after 0.017 s: trailer: "), "{refusal}");
    }
}
