//! A car on the ladder of detail, driven past a camera.

use std::sync::Arc;
use std::time::Instant;

use glam::{DVec3, Vec3};
use jounce::core::phases::step_with;
use jounce::core::{
    BodyState, CarCommand, Command, DriveState, Environment, Gear, SceneQuery as _, Surfaces,
};
use jounce::file::Car;
use jounce::jointed::{Ladder, LadderCar, Ride, WorldAbilities};
use jounce::presets;
use toml::Table;

use crate::changed::car_edited;
use crate::error::ProvingError;
use crate::ground::Terrain;
use crate::stage::{FREE, NO_AIR, Scene, Stage};
use crate::world::World;

/// The sedan on the ladder that its file shows as an example.
///
/// # Errors
/// If the file shows none, or one with faults.
pub fn sedan() -> Result<Car, ProvingError> {
    car_edited("sedan", |file| {
        let (_, text) = presets::FILES[0];
        let shown = text.lines().skip_while(|line| *line != "# [ladder]");
        let lines = shown.map_while(|line| line.strip_prefix('#'));
        let table: Table = lines.collect::<Vec<_>>().join("\n").parse().map_err(told)?;
        file.extend(table);
        Ok(())
    })
}

fn told(error: toml::de::Error) -> String {
    error.to_string()
}

/// The ladder that a car's file has.
///
/// # Errors
/// If there is none, or a world with these abilities cannot do one of its rungs.
pub fn ladder_of(car: &Car, world: WorldAbilities) -> Result<Ladder, ProvingError> {
    let ladder = car.ladder_in(world)?;
    ladder.ok_or_else(|| ProvingError::NoLadder(car.name.clone()))
}

/// Abilities of a world that rungs of a ladder need.
pub fn abilities(world: &mut dyn World) -> WorldAbilities {
    WorldAbilities {
        sweeps: world.sweeps().is_some(),
        triangles: world.triangles().is_some(),
        joints: world.jointed_wheels().is_some(),
    }
}

/// World and car of a measurement.
pub struct LadderStage {
    /// The world.
    pub world: Box<dyn World>,
    /// The car.
    pub car: LadderCar,
    stage: LadderSurroundings,
    dt: f32,
    step: u64,
}

/// Surroundings of a step beside the car.
struct LadderSurroundings {
    surfaces: Surfaces,
    gravity: Vec3,
}

impl core::fmt::Debug for LadderStage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut stage = f.debug_struct("LadderStage");
        stage.field("car", &self.car).finish_non_exhaustive()
    }
}

impl LadderStage {
    /// Places a car on the ladder of its file, as [`Stage::put`] does.
    ///
    /// # Errors
    /// If the world cannot, or the file has no ladder.
    pub fn put(
        mut world: Box<dyn World>,
        terrain: &Terrain,
        car: &Car,
        scene: &Scene,
        dt: f32,
    ) -> Result<Self, ProvingError> {
        let ladder = Arc::new(ladder_of(car, abilities(&mut *world))?);
        let stage = Stage::put(world, terrain, car, scene, dt)?;
        Ok(Self {
            world: stage.world,
            car: LadderCar::new(ladder, stage.vehicle),
            stage: LadderSurroundings {
                surfaces: stage.surfaces,
                gravity: stage.gravity,
            },
            dt,
            step: 0,
        })
    }

    /// Goes to the rung of a `distance` from the camera (`m`).
    ///
    /// # Errors
    /// If the world cannot.
    pub fn watch(&mut self, distance: f32) -> Result<(), ProvingError> {
        let rung = self.car.ladder().rung_at(distance, self.car.rung());
        self.switch(rung)
    }

    /// Goes to a rung.
    ///
    /// # Errors
    /// If the world cannot.
    pub fn switch(&mut self, rung: usize) -> Result<(), ProvingError> {
        let state = self.body()?;
        let mut joints = self.world.jointed_wheels();
        let joints = joints.as_deref_mut();
        Ok(self.car.switch(rung, &state, joints)?)
    }

    /// One step.
    ///
    /// # Errors
    /// If the world loses the car or refuses the command.
    pub fn step(&mut self, command: &CarCommand) -> Result<(), ProvingError> {
        let (state, command, dt) = (self.body()?, Command::Car(*command), self.dt);
        let environment = Environment {
            gravity: self.stage.gravity,
            surfaces: &self.stage.surfaces,
            air: NO_AIR,
        };
        let world = &mut *self.world;
        match self.car.ride(self.step) {
            Ride::Probing(vehicle, update_level) => {
                step_with(update_level, vehicle, world, &command, &environment, dt)?;
            }
            Ride::Jointed(car) => {
                car.step(&mut *world.on_joints()?, &state, &command, &NO_AIR, dt)?;
            }
        }
        world.advance(environment.gravity, dt);
        self.step += 1;
        Ok(())
    }

    /// The car's body; on joints, without its wheels.
    ///
    /// # Errors
    /// If the world lost it.
    pub fn body(&self) -> Result<BodyState, ProvingError> {
        Ok(self.world.body_state(self.car.body())?)
    }

    /// The whole car's center of mass, as at the design position (`m`, world).
    ///
    /// # Errors
    /// As [`LadderStage::body`].
    pub fn position(&self) -> Result<DVec3, ProvingError> {
        let body = self.body()?;
        let lowered = self.car.jointed().map_or(Vec3::ZERO, |car| {
            car.model().params().chassis.center_of_mass - car.attachments().center_of_mass
        });
        Ok(body.position + (body.rotation * lowered).as_dvec3())
    }

    /// Engine and gears.
    #[must_use]
    pub fn drive(&self) -> &DriveState {
        match self.car.jointed() {
            Some(car) => car.drive(),
            None => &self.car.vehicle().state().drive,
        }
    }

    /// Spin of the first wheel (`rad/s`), which all rungs have.
    #[must_use]
    pub fn spin(&self) -> f32 {
        match self.car.jointed() {
            Some(car) => car.motions()[0].spin,
            None => self.car.vehicle().state().wheel(0).spin,
        }
    }
}

/// State of a vehicle on a ladder after a step.
#[derive(Clone, Copy, Debug)]
pub struct LadderMoment {
    /// The rung.
    pub rung: usize,
    /// Distance to the camera before the step (`m`).
    pub distance: f32,
    /// The car's center of mass (`m`, world).
    pub place: DVec3,
    /// Velocity of the center of mass in the step (`m/s`, world axes).
    pub velocity: DVec3,
    /// Time that the step took, the world's included (`s`).
    pub cost: f64,
}

/// A change of rung.
#[derive(Clone, Copy, Debug)]
pub struct LadderSwitch {
    /// The step before which it happens.
    pub step: usize,
    /// The rung before.
    pub from: usize,
    /// The rung after.
    pub to: usize,
    /// Distance of the next three steps from the path that the steps before led to (`m`).
    pub jump: f64,
    /// Change of the velocity in these steps, over the speed (–).
    pub kick: f64,
    /// Change of the speeds of the engine and of the first wheel by the switch itself (–).
    pub turned: f32,
    /// Whether the gears stay through the switch.
    pub gears_stay: bool,
}

/// A drive past a camera.
#[derive(Clone, Debug)]
pub struct LadderDrive {
    /// Names of the rungs.
    pub names: Vec<String>,
    /// Distances at which the rungs end (`m`), the last one excepted.
    pub ends: Vec<f32>,
    /// One per step.
    pub moments: Vec<LadderMoment>,
    /// All changes of rung.
    pub switches: Vec<LadderSwitch>,
}

/// Speed of the drive past the camera (`m/s`), the camera's position along the path (`m`), and the path's length.
const PAST: (f32, f64, f64) = (15.0, 80.0, 160.0);
/// Steps after a switch in which it may be seen.
const SEEN: usize = 3;

/// Drives a car past a camera at 15 m/s, from afar through all rungs and away again.
///
/// # Errors
/// If the world cannot, or the car's file has no ladder.
pub fn drive_past(
    world: Box<dyn World>,
    terrain: &Terrain,
    car: &Car,
    dt: f32,
) -> Result<LadderDrive, ProvingError> {
    let (speed, camera, way) = PAST;
    let scene = Scene {
        speed,
        gear: Gear(3),
        ..Scene::LEVEL
    };
    let mut stage = LadderStage::put(world, terrain, car, &scene, dt)?;
    let mut place = stage.position()?;
    let start = place.x;
    let rungs = stage.car.ladder().rungs();
    let mut drive = LadderDrive {
        ends: stage.car.ladder().ends().to_vec(),
        names: rungs.iter().map(|rung| rung.name.clone()).collect(),
        moments: Vec::new(),
        switches: Vec::new(),
    };
    while place.x < start + way {
        let (from, before, spin) = (stage.car.rung(), *stage.drive(), stage.spin());
        let distance = (place.x - start - camera).abs() as f32;
        let begun = Instant::now();
        stage.watch(distance)?;
        if stage.car.rung() != from {
            let after = stage.drive();
            let changes = [
                after.engine_speed / before.engine_speed,
                stage.spin() / spin,
            ];
            drive.switches.push(LadderSwitch {
                step: drive.moments.len(),
                from,
                to: stage.car.rung(),
                jump: 0.0,
                kick: 0.0,
                turned: changes
                    .map(|share| (share - 1.0).abs())
                    .into_iter()
                    .fold(0.0, f32::max),
                gears_stay: (after.gear, after.target_gear) == (before.gear, before.target_gear),
            });
        }
        let slow = speed - stage.body()?.linear_velocity.length();
        let throttle = (0.2 + 0.5 * slow).clamp(0.0, 1.0);
        stage.step(&CarCommand { throttle, ..FREE })?;
        let cost = begun.elapsed().as_secs_f64();
        let now = stage.position()?;
        drive.moments.push(LadderMoment {
            rung: stage.car.rung(),
            distance,
            place: now,
            velocity: (now - place) / f64::from(dt),
            cost,
        });
        place = now;
    }
    drive.judge(dt);
    Ok(drive)
}

impl LadderDrive {
    /// Compares the steps after each switch with where those before led.
    fn judge(&mut self, dt: f32) {
        for switch in &mut self.switches {
            let Some(last) = switch.step.checked_sub(1).map(|n| self.moments[n]) else {
                continue;
            };
            let after = self.moments.iter().skip(switch.step).take(SEEN);
            for (n, moment) in after.enumerate() {
                let led = last.place + last.velocity * (f64::from(dt) * (n + 1) as f64);
                let kick = (moment.velocity - last.velocity).length() / last.velocity.length();
                switch.jump = switch.jump.max(moment.place.distance(led));
                switch.kick = switch.kick.max(kick);
            }
        }
    }

    /// Mean cost of a step on each rung (`s`), steps of switches excluded; 0 for one without steps.
    #[must_use]
    pub fn costs(&self) -> Vec<f64> {
        let stays = |n: usize| self.switches.iter().all(|switch| switch.step != n);
        let cost = |rung: usize| {
            let on = |(n, moment): &(usize, &LadderMoment)| moment.rung == rung && stays(*n);
            let costs = self.moments.iter().enumerate().filter(on);
            let (sum, count) = costs.fold((0.0, 0), |(sum, count), (_, moment)| {
                (sum + moment.cost, count + 1)
            });
            sum / f64::from(count.max(1))
        };
        (0..self.names.len()).map(cost).collect()
    }
}
