//! A car being driven, and the vehicle it tows.

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
use crate::tow::{self, Hook};
use crate::world::{self, GRAVITY, Start, World};

/// Depth below the ground at which the car has left it (`m`).
const ABYSS: f64 = 15.0;

/// A car being driven in a world.
pub(super) struct Run<'a> {
    pub(super) world: &'a mut dyn World,
    fleet: Fleet,
    body: BodyId,
    /// The coupled trailer.
    pub(super) hook: Option<Hook>,
    surfaces: Surfaces,
    recorder: Recorder,
}

impl<'a> Run<'a> {
    /// The car, placed at `start` in first gear.
    ///
    /// # Errors
    /// If there is no ground at the start, or the world rejects the car.
    pub(super) fn new(
        world: &'a mut dyn World,
        car: &Car,
        terrain: &Terrain,
        start: Start,
    ) -> Result<Self, ProvingError> {
        let pose = world::standing(world, terrain, car, start)?;
        let body = world.add_chassis(car, &pose)?;
        let mut vehicle = Vehicle::new(car.kind(), body);
        vehicle.state_mut().drive.force_gear(Gear::FIRST);
        let mut fleet = Fleet::new();
        fleet.push(vehicle);
        let lost = |source| ProvingError::Lost { time: 0.0, source };
        let state = world.body_state(body).map_err(lost)?;
        Ok(Self {
            recorder: Recorder::new(&state),
            world,
            fleet,
            body,
            hook: None,
            surfaces: Surfaces::new(),
        })
    }

    /// Couples a trailer to the car, which has just been placed at `start`.
    ///
    /// # Errors
    /// As [`Hook::up`].
    pub(super) fn hook_up(
        &mut self,
        car: &Car,
        trailer: &Car,
        terrain: &Terrain,
        start: Start,
    ) -> Result<(), ProvingError> {
        let (hook, towed) = Hook::up(&mut *self.world, terrain, (car, self.body), trailer, start)?;
        tow::ignore(&mut self.fleet.vehicles_mut()[0], hook.trailer());
        self.fleet.push(towed);
        self.hook = Some(hook);
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
        let commands = [*command, tow::command(command)].map(Command::Car);
        let count = self.fleet.vehicles().len();
        self.fleet
            .update(&commands[..count], environment.gravity, dt);
        if let [puller, trailer] = self.fleet.vehicles_mut() {
            // A vehicle holding its position must know when it is towed off.
            trailer.set_towed(puller.control().accelerating);
        }
        self.fleet.apply(&mut *self.world).map_err(lost)?;
        self.world.advance(environment.gravity, dt);
        match &mut self.hook {
            Some(hook) => hook.look(&*self.world),
            None => Ok(()),
        }
    }

    /// Why the last update was refused: for the car, or else for the towed vehicle.
    fn refusal(&self) -> Option<String> {
        let mut refused = self.fleet.refused().iter();
        if let Some(own) = refused.next()? {
            return Some(own.to_string());
        }
        let (towed, hook) = (refused.next()?.as_ref()?, self.hook.as_ref()?);
        Some(format!("{}: {towed}", hook.towed.trailer))
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
        let (car, trailer) = tow::vehicles("trailer", None).unwrap();
        let terrain = drive.terrain.clone();
        let mut world = world::open(WorldKind::default(), &terrain, drive.dt).unwrap();
        let start = Start {
            place: terrain.start,
            heading: 0.0,
        };
        let mut run = Run::new(&mut *world, &car, &terrain, start).unwrap();
        run.hook_up(&car, &trailer.unwrap(), &terrain, start)
            .unwrap();
        run.fleet.vehicles_mut()[1].state_mut().carry.linear = Vec3::NAN;
        run.go(&mut drive, |_| ()).unwrap();
        assert_eq!(refused(&drive), 1);
        let refusal = drive.refusal.unwrap();
        assert!(refusal.starts_with("after 0.017 s: trailer: "), "{refusal}");
    }
}
