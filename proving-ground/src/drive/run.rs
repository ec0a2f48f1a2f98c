//! A car being driven, and the vehicles it tows.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::{
    BodyId, CarCommand, Command, Detail, Environment, Fleet, Gear, Surfaces, UpdateLevel, Vehicle,
    VehicleModel,
};
use jounce::file::Car;
use jounce::scene::BodyDesc;

use super::ending::end_of;
use super::input::InputPlayer;
use super::race::LapDriver;
use super::{Drive, DriveConditions, End, InputTrack};
use crate::driver::{Driver, Seen, StageStart};
use crate::error::ProvingError;
use crate::ground::Terrain;
use crate::sample::{Recorder, Sample, TowedSample, take_temperatures, thermal_wheels};
use crate::tow::{self, Hook, Towing};
use crate::world::{self, Start, World};

/// Depth below the last ground under it at which the car has left the ground, if there is none below (`m`).
const ABYSS: f64 = 15.0;
/// Start of a drive: position, conditions, and the first vehicle's model.
pub(super) struct Launch {
    pub(super) start: Start,
    pub(super) conditions: DriveConditions,
    /// Model of the first vehicle; `detail` says how often it is updated.
    pub(super) model: Arc<VehicleModel>,
    pub(super) detail: Detail,
    /// Whether the car never sleeps.
    pub(super) stays_awake: bool,
}

/// A car being driven in a world.
pub(super) struct Run<'a> {
    pub(super) world: &'a mut dyn World,
    fleet: Fleet,
    body: BodyId,
    /// The coupled trailers, from front to rear: those of the fleet's vehicles behind the first one.
    pub(super) hooks: Vec<Hook>,
    surfaces: Surfaces,
    conditions: DriveConditions,
    detail: Detail,
    recorder: Recorder,
    /// Whether the tire of each wheel has a temperature.
    thermal: Vec<bool>,
}

/// Source of the driver's commands.
enum CommandSource<'a> {
    Driver(Driver<'a>),
    Recorded(InputPlayer<'a>),
    Laps(LapDriver<'a>),
}

impl CommandSource<'_> {
    fn command(&mut self, seen: &Seen, dt: f32) -> Option<CarCommand> {
        match self {
            Self::Driver(driver) => driver.command(seen, dt),
            Self::Recorded(player) => player.command(seen, dt),
            Self::Laps(laps) => laps.command(seen, dt),
        }
    }

    fn stage_start(&self) -> StageStart {
        match self {
            Self::Driver(driver) => driver.stage_start(),
            Self::Recorded(player) => player.stage_start(),
            Self::Laps(laps) => laps.stage_start(),
        }
    }
}

impl<'a> Run<'a> {
    /// The first vehicle of a train, placed as `launch` says, and the others coupled behind it.
    ///
    /// # Errors
    /// If there is no ground at the start, a coupling is missing, or the world rejects a vehicle.
    pub(super) fn new(
        world: &'a mut dyn World,
        train: &[Car],
        terrain: &Terrain,
        launch: &Launch,
    ) -> Result<Self, ProvingError> {
        let conditions = launch.conditions;
        let car = &train[0];
        let mut pose = world::rest_pose(world, terrain, car, launch.start)?;
        pose.origin.z += conditions.height;
        let speed = pose.rotation * Vec3::X * conditions.speed;
        world::probing(car)?;
        let (mass, inertia) = world::loaded(car, conditions.payload);
        let mut chassis = BodyDesc {
            mass,
            inertia,
            linear_velocity: speed,
            ..world::chassis(car, &pose)
        };
        if launch.stays_awake {
            chassis.sleep_threshold = 0.0;
        }
        let body = world.add_body(&chassis)?;
        let mut vehicle = Vehicle::new(Arc::clone(&launch.model), body);
        conditions.set_rolling(&mut vehicle, conditions.gear);
        let mut fleet = Fleet::new();
        fleet.push(vehicle);
        let lost = |source| ProvingError::Lost { time: 0.0, source };
        let state = world.body_state(body).map_err(lost)?;
        let mut run = Self {
            recorder: Recorder::new(&fleet.vehicles()[0], &state),
            world,
            fleet,
            body,
            hooks: Vec::new(),
            surfaces: conditions.surfaces(&terrain.surfaces)?,
            conditions,
            detail: launch.detail,
            // On a rung, tires may be others.
            thermal: if Arc::ptr_eq(&launch.model, &car.model()) {
                thermal_wheels(car)
            } else {
                Vec::new()
            },
        };
        for (n, pair) in train.windows(2).enumerate() {
            let towing = match n {
                0 => Towing::driven(&pair[0]),
                _ => Towing::towed(&pair[0]),
            };
            run.hook_up(towing?, &pair[1], terrain, launch.start)?;
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
        let (last, speed) = (self.hooks.len(), self.conditions.speed);
        let body = self.fleet.vehicles()[last].body();
        let (hook, mut towed) = Hook::up(
            &mut *self.world,
            terrain,
            (towing, body),
            trailer,
            (start, speed),
        )?;
        self.conditions.set_rolling(&mut towed, Some(Gear::NEUTRAL));
        tow::ignore(&mut self.fleet.vehicles_mut()[last], hook.trailer());
        self.fleet.push(towed);
        self.hooks.push(hook);
        Ok(())
    }

    /// Drives until the maneuver is over or the car is lost.
    ///
    /// # Errors
    /// If the world loses the car or the towed vehicle.
    pub(super) fn go(
        &mut self,
        drive: &mut Drive,
        track: Option<&InputTrack>,
        progress: impl FnMut(f32),
    ) -> Result<(), ProvingError> {
        let (maneuver, mut race) = (drive.maneuver.clone(), drive.race.take());
        let first = self.sample(0.0, drive.dt)?;
        let mut hands = match (track, &race) {
            (Some(track), _) => CommandSource::Recorded(InputPlayer::new(track)),
            (None, Some(race)) => CommandSource::Laps(LapDriver::new(race, maneuver.duration)),
            (None, None) => CommandSource::Driver(Driver::new(&maneuver, &self.seen(&first))),
        };
        drive.stages.push(hands.stage_start());
        drive.samples.push(first);
        let lost = self.follow(&mut hands, drive, progress)?;
        let ends = match hands {
            CommandSource::Laps(laps) => laps.into_ends(),
            _ => Vec::new(),
        };
        drive.end = match &mut race {
            _ if lost => End::LeftTheGround,
            Some(race) => race.finish(&ends, drive),
            None => end_of(&drive.samples),
        };
        drive.race = race;
        Ok(())
    }

    /// Follows the commands until there are none, or the car has left the ground: then it returns `true`.
    fn follow(
        &mut self,
        hands: &mut CommandSource<'_>,
        drive: &mut Drive,
        mut progress: impl FnMut(f32),
    ) -> Result<bool, ProvingError> {
        let dt = drive.dt;
        let mut ground = drive.samples.last().map_or(0.0, |first| first.position.z);
        for tick in 0.. {
            let Some(last) = drive.samples.last() else {
                break;
            };
            let seen = self.seen(last);
            let Some(command) = hands.command(&seen, dt) else {
                break;
            };
            let start = hands.stage_start();
            if drive.stages.last() != Some(&start) {
                drive.stages.push(start);
            }
            let update_levels = self.update_levels(tick, drive.query_every);
            self.step(&command, update_levels, last.time, dt)?;
            let mut sample = self.sample((tick + 1) as f32 * dt, dt)?;
            sample.stage = start.stage;
            sample.command = command;
            let refused = self.refusal();
            sample.refused = refused.is_some();
            if let (Some(refused), None) = (refused, &drive.refusal) {
                drive.refusal = Some(format!("after {:.3} s: {refused}", sample.time));
            }
            progress(sample.time);
            let lost = is_lost(&drive.terrain, sample.position, &mut ground);
            drive.samples.push(sample);
            if lost {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Update levels of the car, by its detail and the interval of queries, and of the trailers.
    fn update_levels(&self, tick: u32, query_every: u32) -> [UpdateLevel; 2] {
        let asks = tick.is_multiple_of(query_every);
        [self.detail, Detail::FULL].map(|detail| match detail.update_level(tick.into(), 0) {
            UpdateLevel::Full if !asks => UpdateLevel::KnownGround,
            update_level => update_level,
        })
    }

    fn step(
        &mut self,
        command: &CarCommand,
        [own, trailers]: [UpdateLevel; 2],
        time: f32,
        dt: f32,
    ) -> Result<(), ProvingError> {
        let environment = Environment {
            gravity: self.conditions.gravity(),
            surfaces: &self.surfaces,
            air: self.conditions.air(),
        };
        let lost = |source| ProvingError::Lost { time, source };
        self.fleet
            .probe(&*self.world, &environment, |n, _| {
                if n == 0 { own } else { trailers }
            })
            .map_err(lost)?;
        let mut commands = vec![Command::Car(tow::command(command)); self.hooks.len() + 1];
        commands[0] = Command::Car(*command);
        self.fleet.update(&commands, &environment, dt);
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

    /// Reason why the last update was refused: for the car, or else for the first towed vehicle that was refused.
    fn refusal(&self) -> Option<String> {
        let mut refused = self.fleet.errors().iter();
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
        let vehicle = &self.fleet.vehicles()[0];
        let mut sample = self.recorder.sample(vehicle, &body, dt);
        sample.time = time;
        take_temperatures(&mut sample, vehicle, &self.thermal);
        let mut ahead = body;
        for hook in &self.hooks {
            let behind = self.world.body_state(hook.trailer()).map_err(lost)?;
            sample.towed.push(TowedSample::of(&ahead, &behind));
            ahead = behind;
        }
        Ok(sample)
    }

    fn seen(&self, sample: &Sample) -> Seen {
        Seen {
            time: sample.time,
            speed: sample.speed,
            forward_speed: sample.forward_speed,
            position: sample.position.truncate(),
            lateral_speed: sample.lateral_speed,
            heading: self.recorder.heading(),
            yaw_rate: sample.yaw_rate,
            gear: Gear(sample.target_gear),
        }
    }
}

/// Whether a car at `place` has left the ground: it falls, and no ground is below it. `ground` is the height of the last
/// ground below it (`m`).
fn is_lost(terrain: &Terrain, place: DVec3, ground: &mut f64) -> bool {
    match terrain.height_below(place) {
        Some(height) => {
            *ground = height;
            false
        }
        None => place.z < *ground - ABYSS,
    }
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
            maneuver: Some("brake".to_owned()),
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
            position: terrain.start,
            heading: 0.0,
        };
        let launch = Launch {
            start,
            conditions: DriveConditions::USUAL,
            model: train[0].model(),
            detail: Detail::FULL,
            stays_awake: false,
        };
        let mut run = Run::new(&mut *world, &train, &terrain, &launch).unwrap();
        run.fleet.vehicles_mut()[1].state_mut().carry.linear = Vec3::NAN;
        run.go(&mut drive, None, |_| ()).unwrap();
        assert_eq!(refused(&drive), 1);
        let refusal = drive.refusal.unwrap();
        assert!(refusal.starts_with("after 0.017 s: trailer: "), "{refusal}");
    }
}
