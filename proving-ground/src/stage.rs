//! A car in a world, ready to be measured step by step.

use glam::{DVec3, Vec3};
use jounce::core::lanes::W4;
use jounce::core::{
    Air, BodyId, BodyState, CarCommand, Command, DriveState, Environment, Gear, GearCommand,
    SurfaceType, Surfaces, TireType, UpdateLevel, Vehicle, WheelColliderSettings, phases,
};
use jounce::file::Car;
use serde::Serialize;

use crate::changed::{KeyChange, car_changed, car_edited};
use crate::error::ProvingError;
use crate::ground::{GroundSpec, MeshUp, Terrain};
pub use crate::world::GRAVITY;
use crate::world::{self, Start, World, WorldKind};

/// Command without pedals and gear changes.
pub const FREE: CarCommand = CarCommand {
    throttle: 0.0,
    brake: 0.0,
    handbrake: 0.0,
    steer: 0.0,
    clutch: 0.0,
    gear: GearCommand::Hold,
    automatic: false,
    steering_wheel: None,
    levers: jounce::core::Levers::RELEASED,
};

/// A vacuum.
pub const NO_AIR: Air = Air {
    density: 0.0,
    wind: Vec3::ZERO,
};

/// Full throttle, gears by the autobox.
pub const FLAT_OUT: CarCommand = CarCommand {
    throttle: 1.0,
    automatic: true,
    ..FREE
};

/// Form in which a push acts on a car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushKind {
    /// A force, which the engine applies in its step.
    Force,
    /// A change of velocity before each step of the vehicle, as scripts give it.
    Impulse,
}

/// World and car of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The world.
    pub world: WorldKind,
    /// The car.
    pub car: &'a Car,
}

/// A preset car with one key of its file changed.
///
/// # Errors
/// If there is no such car, or the changed file is invalid.
pub fn car_with(name: &str, key: &str, value: impl Serialize) -> Result<Car, ProvingError> {
    let value = toml::Value::try_from(value).map_err(|error| ProvingError::Syntax {
        file: name.to_owned(),
        message: error.to_string(),
    })?;
    car_changed(name, &[(key, KeyChange::Set(value))])
}

/// A preset car without its driver aids, which the explicit solver refuses, and which hide what a solver does at the limit.
///
/// # Errors
/// If there is no such car.
pub fn without_aids(name: &str) -> Result<Car, ProvingError> {
    car_edited(name, |file| {
        file.remove("aids");
        Ok(())
    })
}

/// A car on tires that roll without resistance, as those of closed forms do.
///
/// # Errors
/// If its file does not allow it.
pub fn on_free_tires(car: &Car) -> Result<Car, ProvingError> {
    let keys = ["rolling_resistance", "rolling_resistance_rise"];
    let paths = keys.map(|key| format!("axles.tire.{key}"));
    let none = paths.iter().map(|path| (path.as_str(), 0.0.into()));
    Ok(car.with_all(none)?)
}

/// Initial state.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// The ground rises toward +x by this (`°`).
    pub slope: f64,
    /// Heading, to the left of +x (`rad`).
    pub heading: f32,
    /// Speed along the car, with rolling wheels (`m/s`).
    pub speed: f32,
    /// Height above the standing position (`m`).
    pub lift: f64,
    /// Friction of all tires on the ground, without friction curves (–).
    pub friction: f32,
    /// The initial gear.
    pub gear: Gear,
    /// Whether the engine is off and stands, instead of idling.
    pub engine_off: bool,
    /// The center of a platform's top (`m`); the car is then placed on it.
    pub platform: Option<DVec3>,
    /// Whether the car's body collides with the ground, too.
    pub hull: bool,
    /// Whether the world may put the car to sleep.
    pub sleeps: bool,
    /// Linear and angular damping of the car's body (`1/s`).
    pub damping: [f32; 2],
}

impl Scene {
    /// Scene at rest on level ground, out of gear, in a world without sleep, so that the car itself must stand still.
    pub const LEVEL: Self = Self {
        slope: 0.0,
        heading: 0.0,
        speed: 0.0,
        lift: 0.0,
        friction: 1.0,
        gear: Gear::NEUTRAL,
        engine_off: false,
        platform: None,
        hull: true,
        sleeps: false,
        damping: [0.0; 2],
    };

    /// [`Scene::LEVEL`], in first gear.
    pub const IN_FIRST: Self = Self {
        gear: Gear::FIRST,
        ..Self::LEVEL
    };

    /// Sets gear and engine.
    pub(crate) fn set_drive(&self, drive: &mut DriveState) {
        drive.force_gear(self.gear);
        if self.engine_off {
            drive.engine_speed = 0.0;
        }
    }

    /// Scene at rest on a slope of this many degrees, nose down.
    #[must_use]
    pub fn nose_down(slope: f64) -> Self {
        Self {
            slope,
            heading: core::f32::consts::PI,
            ..Self::LEVEL
        }
    }

    /// Unit vector down the slope.
    #[must_use]
    pub fn downhill(&self) -> Vec3 {
        let climb = self.slope.to_radians();
        DVec3::new(-libm::cos(climb), 0.0, -libm::sin(climb)).as_vec3()
    }

    fn terrain(&self) -> Result<Terrain, ProvingError> {
        let spec = if self.slope == 0.0 {
            GroundSpec::Flat
        } else {
            GroundSpec::Slope(self.slope)
        };
        Terrain::new(&spec, MeshUp::Z)
    }
}

/// Number of steps in `seconds` at a rate (`Hz`).
#[must_use]
pub fn steps(seconds: f32, rate: f32) -> usize {
    (seconds * rate).round() as usize
}

/// A car in a world.
pub struct Stage {
    /// The world.
    pub world: Box<dyn World>,
    /// The car.
    pub vehicle: Vehicle,
    /// Platform that the car stands on, if any.
    pub platform: Option<BodyId>,
    /// Friction on the ground.
    pub surfaces: Surfaces,
    /// Gravity (`m/s²`, world), initially [`GRAVITY`]: tilting it tilts the ground.
    pub gravity: Vec3,
    /// The air, initially [none](NO_AIR): what is measured here is the car on the ground, against closed forms without
    /// drag.
    pub air: Air,
    /// The default step (`s`).
    pub dt: f32,
    /// Force given by impulses before each update of the car (`N`).
    by_impulses: Vec3,
}

impl core::fmt::Debug for Stage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut stage = f.debug_struct("Stage");
        stage
            .field("vehicle", &self.vehicle)
            .finish_non_exhaustive()
    }
}

impl Stage {
    /// Places the car as the scene says, in a world with steps at `rate` (`Hz`).
    ///
    /// # Errors
    /// If the world cannot.
    pub fn new(setup: &Setup<'_>, scene: &Scene, rate: f32) -> Result<Self, ProvingError> {
        let terrain = scene.terrain()?;
        let dt = 1.0 / rate;
        let world = world::open(setup.world, &terrain, dt)?;
        Self::put(world, &terrain, setup.car, scene, dt)
    }

    /// Places the car in a world over this terrain with steps of `dt` (`s`); the scene's slope is
    /// ignored.
    ///
    /// # Errors
    /// If the world cannot, or the car's wheels are bodies.
    pub fn put(
        mut world: Box<dyn World>,
        terrain: &Terrain,
        car: &Car,
        scene: &Scene,
        dt: f32,
    ) -> Result<Self, ProvingError> {
        world::probing(car)?;
        let platform = scene.platform.map(|top| world.add_platform(top));
        let platform = platform.transpose()?;
        let start = Start {
            position: terrain.start,
            heading: scene.heading,
        };
        let pose = world::rest_pose(&*world, terrain, car, start)?;
        let (ahead, up) = (pose.rotation * Vec3::X, pose.rotation * Vec3::Z);
        let mut desc = world::chassis(car, &pose);
        desc.position += (up * scene.lift as f32).as_dvec3();
        desc.linear_velocity = ahead * scene.speed;
        [desc.linear_damping, desc.angular_damping] = scene.damping;
        if !scene.hull {
            desc.hull = None;
        }
        if !scene.sleeps {
            desc.sleep_threshold = 0.0;
        }
        let body = world.add_body(&desc)?;
        let mut vehicle = Vehicle::new(car.model(), body);
        roll(&mut vehicle, scene.speed);
        scene.set_drive(&mut vehicle.state_mut().drive);
        let mut surfaces = Surfaces::new();
        let friction = surfaces.set_friction(SurfaceType(0), TireType(0), scene.friction);
        friction.expect("scenes have friction");
        Ok(Self {
            world,
            vehicle,
            platform,
            surfaces,
            gravity: GRAVITY,
            air: NO_AIR,
            dt,
            by_impulses: Vec3::ZERO,
        })
    }

    /// Pushes the car at its center of mass by a `force` (`N`, world axes) in every step, until it is pushed again.
    ///
    /// # Errors
    /// If the world cannot, or lost the car.
    pub fn push(&mut self, kind: PushKind, force: Vec3) -> Result<(), ProvingError> {
        match kind {
            PushKind::Force => self.world.push(self.vehicle.body(), force),
            PushKind::Impulse => {
                self.by_impulses = force;
                Ok(())
            }
        }
    }

    /// One step of the default length.
    ///
    /// # Errors
    /// If the world loses the car or an update is refused.
    pub fn step(&mut self, command: &CarCommand) -> Result<(), ProvingError> {
        self.step_by(command, self.dt)
    }

    /// One step of `dt` (`s`).
    ///
    /// # Errors
    /// As [`Stage::step`].
    pub fn step_by(&mut self, command: &CarCommand, dt: f32) -> Result<(), ProvingError> {
        self.obey(&Command::Car(*command), dt)
    }

    /// One step of `dt` (`s`), with a command of any kind.
    ///
    /// # Errors
    /// As [`Stage::step`].
    pub fn obey(&mut self, command: &Command, dt: f32) -> Result<(), ProvingError> {
        self.update(command, dt)?;
        self.world.advance(self.gravity, dt);
        Ok(())
    }

    /// One step of the default length, with at least this update level.
    ///
    /// # Errors
    /// As [`Stage::step`].
    pub fn step_with(
        &mut self,
        update_level: UpdateLevel,
        command: &CarCommand,
    ) -> Result<(), ProvingError> {
        self.update_with(update_level, &Command::Car(*command), self.dt)?;
        self.world.advance(self.gravity, self.dt);
        Ok(())
    }

    /// The car's part of a step of `dt` (`s`): its world is advanced by the caller.
    ///
    /// # Errors
    /// As [`Stage::step`].
    pub fn update(&mut self, command: &Command, dt: f32) -> Result<(), ProvingError> {
        self.update_with(UpdateLevel::Full, command, dt)
    }

    fn update_with(
        &mut self,
        update_level: UpdateLevel,
        command: &Command,
        dt: f32,
    ) -> Result<(), ProvingError> {
        if self.by_impulses != Vec3::ZERO {
            let change = self.by_impulses * (dt / self.body()?.mass);
            self.world.kick(self.vehicle.body(), change, Vec3::ZERO)?;
        }
        let environment = Environment {
            gravity: self.gravity,
            surfaces: &self.surfaces,
            air: self.air,
        };
        let (vehicle, world) = (&mut self.vehicle, &mut *self.world);
        phases::step_with(update_level, vehicle, world, command, &environment, dt)?;
        self.world.turn_wheels(&self.vehicle);
        Ok(())
    }

    /// Gives the car wheel colliders for contacts that its suspension does not handle.
    ///
    /// # Errors
    /// If this world has no wheel colliders.
    pub fn add_wheels(&mut self) -> Result<(), ProvingError> {
        let settings = WheelColliderSettings::beside(&self.vehicle);
        self.world.add_wheels(&self.vehicle, settings)
    }

    /// Continues with one command for this many seconds.
    ///
    /// # Errors
    /// As [`Stage::step`].
    pub fn run(&mut self, seconds: f32, command: &CarCommand) -> Result<(), ProvingError> {
        for _ in 0..steps(seconds, 1.0 / self.dt) {
            self.step(command)?;
        }
        Ok(())
    }

    /// The car's body.
    ///
    /// # Errors
    /// If the world lost it.
    pub fn body(&self) -> Result<BodyState, ProvingError> {
        Ok(self.world.body_state(self.vehicle.body())?)
    }

    /// Center of mass of the car (`m`, world).
    ///
    /// # Errors
    /// As [`Stage::body`].
    pub fn position(&self) -> Result<DVec3, ProvingError> {
        Ok(self.body()?.position)
    }

    /// Velocity after the last step (`m/s`); the body has the step's mean.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        self.vehicle.updated_velocity().0
    }

    /// Spins of all wheels (`rad/s`).
    #[must_use]
    pub fn spins(&self) -> Vec<f32> {
        let count = self.vehicle.model().wheel_count();
        let state = self.vehicle.state();
        (0..count).map(|wheel| state.wheel(wheel).spin).collect()
    }
}

/// Sets the wheels rolling at a speed (`m/s`).
pub fn roll(vehicle: &mut Vehicle, speed: f32) {
    let model = std::sync::Arc::clone(vehicle.model());
    let wheels = vehicle.state_mut().wheels.iter_mut();
    for (wheels, consts) in wheels.zip(model.wheels().iter()) {
        wheels.spin = W4::splat(speed) / consts.radius;
    }
}
