//! The showroom without a window: a session, a driver, a camera, a garage, and the orders that they obey.

mod obey;
pub mod state;

use glam::Vec3;
use jounce::core::{CarCommand, VehicleModel, VehicleReport};
use proving_ground::ProvingError;
use proving_ground::session::SessionStart;

use crate::camera::Follower;
use crate::fleet::FleetShow;
use crate::garage::Garage;
use crate::input::DriverInput;
use crate::scene::{Overlay, Trails};
use crate::sim::{Moving, Sim};
use crate::sound::Heard;
use crate::watch::Watch;
use crate::{glass, orders::Order};

pub use state::{ShownAid, ShownState};

/// Everything but window and graphics.
#[derive(Debug)]
pub struct Showroom {
    /// The session in time.
    pub sim: Sim,
    /// The driver.
    pub driver: DriverInput,
    /// The camera.
    pub camera: Follower,
    /// The vehicle file.
    pub garage: Garage,
    /// A fleet instead of one car.
    pub fleet: Option<FleetShow>,
    /// Whether the picture shows force arrows and ground planes.
    pub inside: bool,
    /// The open panel.
    pub panel: Option<String>,
    /// Path of the number that takes typed text.
    pub typed: Option<String>,
    /// Message of the last failure: faults of a vehicle file, refused changes.
    pub fault: Option<String>,
    /// Whether no vehicle has been driven yet: the panels then list the first keys to press.
    pub untouched: bool,
    /// Message about the last order whose effect is not visible in the picture.
    pub told: Option<String>,
    /// Whether the window plays the sound of engine and tires.
    pub sound: bool,
    /// Whether the picture says how long frames take.
    pub frame_time_shown: bool,
    /// Findings of lint about the present car.
    pub watch: Watch,
    trails: Trails,
    /// Lengths of the last frames (`ms`).
    frames: Vec<f32>,
}

impl Showroom {
    /// A sedan on hills.
    ///
    /// # Errors
    /// If the session cannot start.
    pub fn new() -> Result<Self, ProvingError> {
        let start = SessionStart::of("sedan")?;
        let garage = Garage::open("sedan", &start.vehicle).map_err(ProvingError::Engine)?;
        let sim = Sim::new(start)?;
        Ok(Self {
            watch: Watch::new(&sim.session().driven().car, sim.session().dt()),
            sim,
            driver: DriverInput::default(),
            camera: Follower::default(),
            garage,
            fleet: None,
            inside: false,
            panel: None,
            typed: None,
            fault: None,
            untouched: true,
            told: None,
            sound: false,
            frame_time_shown: false,
            trails: Trails::default(),
            frames: Vec::new(),
        })
    }

    /// A frame of `elapsed` (`s`); returns where everything is.
    pub fn frame(&mut self, elapsed: f32) -> Moving {
        if let Some(fleet) = &mut self.fleet {
            let elapsed = if self.sim.paused { 0.0 } else { elapsed };
            let driver = &mut self.driver;
            driver.sit_in(fleet.model());
            fleet.pass(elapsed * self.sim.pace, self.camera.eye, |seen, dt| {
                driver.command(seen, dt)
            });
        } else {
            self.pass(elapsed);
        }
        #[cfg(not(target_arch = "wasm32"))]
        if self.panel.as_deref() == Some("tune") {
            let session = self.sim.session();
            self.watch
                .pass(elapsed, &session.driven().car, session.dt());
        }
        let moving = self.sim.moving();
        self.look(&moving, elapsed);
        moving
    }

    fn pass(&mut self, elapsed: f32) {
        let before = self.sim.moving().car.places.first().copied();
        let driver = &mut self.driver;
        driver.sit_in(self.sim.session().driven().vehicle.model());
        let passed = self.sim.pass(elapsed, |seen, dt| driver.command(seen, dt));
        match (passed, before) {
            (Ok(steps), Some(car)) if steps > 0 => {
                let dt = self.sim.session().dt() * steps as f32;
                self.trails
                    .step(&self.sim.session().driven().vehicle, &car, dt);
            }
            (Err(error), _) => self.fault = Some(error.to_string()),
            _ => {}
        }
        self.untouched &= self.sim.session().command().throttle == 0.0;
        let deep = |place: &glam::DVec3| place.z < -60.0;
        if before.is_some_and(|car| deep(&car.position)) {
            self.obey(Order::Restart);
        }
    }

    fn look(&mut self, moving: &Moving, elapsed: f32) {
        let session = self.sim.session();
        let size = session.driven().car.hull.size;
        let course = self.fleet.as_ref().map(FleetShow::course);
        let terrain = &course.unwrap_or(session.course()).terrain;
        let car = match &self.fleet {
            Some(fleet) => Some(fleet.driven()),
            None => moving.car.places.first().copied(),
        };
        let towed = session.trailer().filter(|_| self.fleet.is_none());
        self.camera.towed = towed.map_or(0.0, |towed| towed.car.hull.size.x);
        if let Some(car) = car {
            self.camera
                .follow(&car, size, elapsed, |eye| terrain.height(eye.truncate()));
        }
    }

    /// The driven car as it reports itself.
    #[must_use]
    pub fn report(&self) -> VehicleReport {
        match &self.fleet {
            Some(fleet) => fleet.report(),
            None => self.sim.report(),
        }
    }

    /// The model of the car that is driven.
    #[must_use]
    pub fn model(&self) -> &VehicleModel {
        match &self.fleet {
            Some(fleet) => fleet.model(),
            None => self.sim.session().driven().vehicle.model(),
        }
    }

    /// Last command of the driven car.
    #[must_use]
    pub fn command(&self) -> CarCommand {
        match &self.fleet {
            Some(fleet) => fleet.command(),
            None => *self.sim.session().command(),
        }
    }

    /// Engine speed (`rad/s`) of the driven car; `None` without an engine. A car at rest does not report it, but remembers it.
    #[must_use]
    pub fn engine_speed(&self) -> Option<f32> {
        let told = self.report().engine.map(|engine| engine.speed);
        let state = self.sim.session().driven().vehicle.state();
        let there = self.garage.value("drivetrain.engine.max_speed").is_some();
        told.or_else(|| there.then_some(state.drive.engine_speed))
    }

    /// Driver aids of the car, in the order in which they act; none in fleets.
    #[must_use]
    pub fn aids(&self) -> Vec<ShownAid> {
        let vehicle = &self.sim.session().driven().vehicle;
        let (model, state) = (vehicle.model(), vehicle.state());
        let aids = model.aids().iter().enumerate();
        let aids = aids.filter(|_| self.fleet.is_none());
        let shown = aids.map(|(n, aid)| ShownAid {
            name: aid.name().to_owned(),
            on: state.aid_is_enabled(n),
            activity: model.aid_activity(state, n),
        });
        shown.collect()
    }

    /// Shares of the load on the wheels ahead of the center of mass, and on those to its left: now, and at rest (–).
    #[must_use]
    pub fn load_shares(&self) -> [[f32; 2]; 2] {
        let driven = self.sim.session().driven();
        let (vehicle, center) = (&driven.vehicle, driven.car.center_of_mass());
        let wheels = vehicle.model().params().wheels.iter().enumerate();
        let loads = wheels.map(|(n, wheel)| {
            let report = vehicle.wheel_report(n);
            (wheel.position - center, [report.load, report.rest_mass])
        });
        let loads: Vec<(Vec3, [f32; 2])> = loads.collect();
        let share = |axis: fn(Vec3) -> f32, of: usize| {
            let all: f32 = loads.iter().map(|(_, load)| load[of]).sum();
            let there = loads.iter().filter(|(place, _)| axis(*place) > 0.0);
            there.map(|(_, load)| load[of]).sum::<f32>() / all.max(f32::MIN_POSITIVE)
        };
        [|place: Vec3| place.x, |place: Vec3| place.y].map(|axis| [share(axis, 0), share(axis, 1)])
    }

    /// Pitches and levels of the driven car's sound: silent while time stands still, and in fleets.
    #[must_use]
    pub fn heard(&self) -> Heard {
        if self.sim.paused || self.fleet.is_some() {
            return Heard::default();
        }
        Heard::beside(&self.sim.session().driven().vehicle, &self.report())
    }

    /// Triangles over the picture: skid marks and dust, and with `inside` also arrows and ground planes.
    #[must_use]
    pub fn overlay(&self, moving: &Moving) -> Overlay {
        let mut overlay = Overlay::default();
        self.trails.draw(&mut overlay, self.camera.eye.as_vec3());
        if let (true, Some(car)) = (self.inside, moving.car.places.first()) {
            glass::show(&mut overlay, self.sim.session(), car);
        }
        overlay
    }

    /// Notes how long the last frame took outside (`ms`).
    pub fn note_frame(&mut self, ms: f32) {
        if self.frames.len() == 120 {
            self.frames.remove(0);
        }
        self.frames.push(ms);
    }

    /// The middle length of the last frames (`ms`).
    #[must_use]
    pub fn frame_time(&self) -> f32 {
        let mut frames = self.frames.clone();
        frames.sort_by(f32::total_cmp);
        frames.get(frames.len() / 2).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests;
