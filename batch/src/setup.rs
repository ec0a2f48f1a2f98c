//! What a batch is made of, and that checked and prepared.

use core::ops::RangeInclusive;
use std::sync::Arc;

use driver_input::CarSmoothing;
use jounce::core::{BodyId, Checked, Gear, Surfaces, Vehicle, VehicleModel, VehicleState};
use jounce::file::Car;
use proving_ground::gears::{GearReach, gear_reaches};
use proving_ground::ground::Terrain;
use proving_ground::{stage, world};

use crate::act::{self, Action};
use crate::error::BatchError;
use crate::observe::{Plan, Subject};
use crate::random::Uniform;
use crate::reward::Rewards;
use crate::task::{Goal, Has, Limits, positive};
use crate::track::{Course, Sight};
use crate::trailer::Trailer;

/// Allowed factors on the friction of the ground (–).
pub(crate) const GRIP: RangeInclusive<f64> = 0.0..=10.0;
/// Allowed payloads (`kg`).
pub(crate) const PAYLOAD: RangeInclusive<f64> = 0.0..=1e6;
/// Allowed distances from the world's origin along an axis (`m`).
pub(crate) const PLACE: RangeInclusive<f64> = -1e7..=1e7;
/// Allowed headings (`rad`).
pub(crate) const HEADING: RangeInclusive<f64> = -1e3..=1e3;
/// Allowed speeds of cars, and of the wind along an axis (`m/s`).
pub(crate) const SPEED: RangeInclusive<f64> = -1e3..=1e3;

/// What is drawn for each episode of each car. The price of each: nothing, but for a payload, whose car gets another inertia, and
/// for cars that change models.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Randomize {
    /// Factor on the ground's friction (–), ≥ 0.
    pub grip: Uniform,
    /// Mass beside the car's own, at its center of mass (`kg`), ≥ 0: the inertia grows in proportion, the springs stay.
    pub payload: Uniform,
    /// Start ahead of the terrain's, along the world's x axis, on a track along its center line (`m`).
    pub x: Uniform,
    /// Start along the world's y axis, on a track to the left of its center line (`m`).
    pub y: Uniform,
    /// Heading at the start against the world's x axis, on a track against its center line (`rad`), to the left.
    pub heading: Uniform,
    /// A stretch of `x` from which some starts are drawn.
    pub focus: Option<Focus>,
    /// Speed at the start (`m/s`), forward.
    pub speed: Uniform,
    /// Speed of the wind (`m/s`), ≥ 0, from any direction.
    pub wind: Uniform,
    /// Whether the model is drawn from the cars of the setup, instead of dealt in turn.
    pub model: bool,
}

/// A stretch where more episodes begin than elsewhere: before a bend that cars do not learn, for example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Focus {
    /// The stretch, instead of [`Randomize::x`] (`m`).
    pub x: Uniform,
    /// Share of the episodes that begin there, 0…1.
    pub share: f64,
}

impl Focus {
    fn check(&self) -> Result<(), BatchError> {
        self.x.check("randomize.focus", PLACE, "m")?;
        if (0.0..=1.0).contains(&self.share) {
            return Ok(());
        }
        let (argument, expected) = ("randomize.focus.share", "within 0..=1");
        Err(BatchError::argument(argument, expected, self.share, ""))
    }
}

impl Randomize {
    /// Nothing is drawn: full grip, no payload, at rest at the start of the terrain in still air.
    pub const NOTHING: Self = Self {
        grip: Uniform::fixed(1.0),
        payload: Uniform::fixed(0.0),
        x: Uniform::fixed(0.0),
        y: Uniform::fixed(0.0),
        heading: Uniform::fixed(0.0),
        focus: None,
        speed: Uniform::fixed(0.0),
        wind: Uniform::fixed(0.0),
        model: false,
    };

    fn check(&self) -> Result<(), BatchError> {
        self.grip.check("randomize.grip", GRIP, "")?;
        self.payload.check("randomize.payload", PAYLOAD, "kg")?;
        self.x.check("randomize.x", PLACE, "m")?;
        self.y.check("randomize.y", PLACE, "m")?;
        self.heading.check("randomize.heading", HEADING, "rad")?;
        self.focus.as_ref().map_or(Ok(()), Focus::check)?;
        self.speed.check("randomize.speed", SPEED, "m/s")?;
        self.wind.check("randomize.wind", 0.0..=*SPEED.end(), "m/s")
    }
}

/// Description of a batch.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The cars, dealt in turn by a car's number; all have as many wheels.
    pub cars: Vec<Car>,
    /// The trailer that each car tows, if any: then all cars are equal, the goal is the trailer's, and it starts in line.
    pub trailer: Option<Car>,
    /// Number of cars, ≥ 1.
    pub count: usize,
    /// The ground. If it has a track, cars begin on it and see it.
    pub terrain: Arc<Terrain>,
    /// Places of the track that a car sees.
    pub sight: Sight,
    /// Duration of a physics step (`s`), > 0.
    pub dt: f32,
    /// Number of physics steps per action, ≥ 1.
    pub substeps: usize,
    /// Names of the [actions](Action), at least one.
    pub actions: Vec<String>,
    /// Names of the observations: see [`observe`](crate::observe).
    pub observe: Vec<String>,
    /// Names and weights of the [terms](crate::reward::Term) of the reward.
    pub rewards: Vec<(String, f32)>,
    /// Whether hands and feet take their time to follow an action, and steer less at speed.
    pub hands: bool,
    /// What is drawn for each episode.
    pub randomize: Randomize,
    /// Limits of an episode.
    pub limits: Limits,
    /// The pose to reach, if the task is to reach one.
    pub goal: Option<Goal>,
    /// The slip angle to hold (`rad`, as `body.slip_angle`), if the task is to drift along the track; not 0.
    pub slip_angle: Option<f32>,
    /// Number of cars that share a world and are stepped by one thread, ≥ 1. It does not change a bit of any result.
    pub arena: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of the first car: a batch of 100 cars is that of the first 60, and that of 40 from number 60.
    pub first: u64,
}

impl Setup {
    /// A batch of `count` equal cars on a terrain: three steps of 1/60 s per action of pedals and steering, no task, nothing drawn.
    #[must_use]
    pub fn new(car: Car, count: usize, terrain: Terrain) -> Self {
        let own = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            cars: vec![car],
            trailer: None,
            count,
            terrain: Arc::new(terrain),
            sight: Sight::default(),
            dt: 1.0 / 60.0,
            substeps: 3,
            actions: own(&["pedals", "steer"]),
            observe: own(&["body", "wheel.*", "engine", "air"]),
            rewards: Vec::new(),
            hands: true,
            randomize: Randomize::NOTHING,
            limits: Limits::default(),
            goal: None,
            slip_angle: None,
            arena: 64,
            seed: 0,
            first: 0,
        }
    }
}

/// A car, prepared for many.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) car: Car,
    pub(crate) model: Arc<VehicleModel>,
    /// State of a new vehicle in first gear.
    pub(crate) new: VehicleState,
    pub(crate) hands: Checked<CarSmoothing>,
    gears: Vec<GearReach>,
}

impl Model {
    fn new(car: &Car) -> Result<Self, BatchError> {
        world::probing(car)?;
        let model = car.model();
        let mut vehicle = Vehicle::new(Arc::clone(&model), BodyId(0));
        vehicle.state_mut().drive.force_gear(Gear::FIRST);
        Ok(Self {
            new: vehicle.state().clone(),
            hands: act::hands(car),
            gears: gear_reaches(&model),
            car: car.clone(),
            model,
        })
    }

    /// Rolls a vehicle's wheels and engine for a speed (`m/s`), in a gear of it.
    pub(crate) fn roll(&self, vehicle: &mut Vehicle, speed: f32) {
        stage::roll(vehicle, speed);
        let ahead = |reach: &&GearReach| reach.speed * speed > 0.0;
        let fits = |reach: &&GearReach| reach.speed.abs() > 1.3 * speed.abs();
        let Some(reach) = self.gears.iter().filter(ahead).find(fits) else {
            return;
        };
        let drive = &mut vehicle.state_mut().drive;
        drive.force_gear(reach.gear);
        let engine = reach.engine_speed * (speed / reach.speed);
        drive.engine_speed = drive.engine_speed.max(engine);
    }
}

/// A checked setup.
#[derive(Debug)]
pub(crate) struct Design {
    pub(crate) models: Vec<Model>,
    pub(crate) trailer: Option<Trailer>,
    pub(crate) terrain: Arc<Terrain>,
    /// The track, if there is one.
    pub(crate) course: Option<Course>,
    pub(crate) surfaces: Surfaces,
    pub(crate) dt: f32,
    pub(crate) substeps: usize,
    pub(crate) actions: Vec<Action>,
    pub(crate) plan: Plan,
    pub(crate) rewards: Rewards,
    pub(crate) has_hands: bool,
    pub(crate) randomize: Randomize,
    pub(crate) limits: Limits,
    pub(crate) goal: Option<Goal>,
    pub(crate) slip_angle: Option<f32>,
    pub(crate) seed: u64,
}

impl Design {
    pub(crate) fn new(setup: &Setup) -> Result<Self, BatchError> {
        check_numbers(setup)?;
        let models = models(&setup.cars)?;
        let trailer = setup.trailer.as_ref();
        let trailer = trailer.map(|car| Trailer::new(car, &setup.cars));
        let duration = setup.dt * setup.substeps as f32;
        let track = setup.terrain.track.as_ref();
        let course = track.map(|track| Course::new(track, &setup.sight, &setup.cars, duration));
        let course = course.transpose()?;
        let has = Has {
            goal: setup.goal.is_some(),
            track: course.is_some(),
            slip: setup.slip_angle.is_some(),
        };
        let mut design = Self {
            plan: Plan::default(),
            rewards: Rewards::new(&setup.rewards, has)?,
            actions: Action::all_named(&setup.actions)?,
            models,
            trailer: trailer.transpose()?,
            terrain: Arc::clone(&setup.terrain),
            course,
            surfaces: Surfaces::new(),
            dt: setup.dt,
            substeps: setup.substeps,
            has_hands: setup.hands,
            randomize: setup.randomize,
            limits: setup.limits,
            goal: setup.goal,
            slip_angle: setup.slip_angle,
            seed: setup.seed,
        };
        design.plan = Plan::new(&setup.observe, design.subject())?;
        Ok(design)
    }

    /// A car as plans of observations are made for it.
    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject {
            model: &self.models[0].model,
            has_goal: self.goal.is_some(),
            has_trailer: self.trailer.is_some(),
            course: self.course.as_ref(),
        }
    }

    /// Duration of an action (`s`).
    pub(crate) fn duration(&self) -> f32 {
        self.dt * self.substeps as f32
    }
}

/// Checks the numbers of a setup.
fn check_numbers(setup: &Setup) -> Result<(), BatchError> {
    for (argument, count) in [
        ("count", setup.count),
        ("substeps", setup.substeps),
        ("arena", setup.arena),
        ("cars", setup.cars.len()),
        ("actions", setup.actions.len()),
    ] {
        if count == 0 {
            return Err(BatchError::argument(argument, ">= 1", count, ""));
        }
    }
    positive("dt", setup.dt, "s")?;
    if !setup.dt.is_finite() {
        return Err(BatchError::argument("dt", "finite", setup.dt, "s"));
    }
    let slip = setup.slip_angle.unwrap_or(1.0);
    if slip == 0.0 || !slip.is_finite() {
        let expected = "finite and not 0";
        return Err(BatchError::argument("slip_angle", expected, slip, "rad"));
    }
    setup.randomize.check()?;
    setup.limits.check()?;
    setup.goal.as_ref().map_or(Ok(()), Goal::check)
}

/// The models of cars, which must have as many wheels.
fn models(cars: &[Car]) -> Result<Vec<Model>, BatchError> {
    let models: Vec<_> = cars.iter().map(Model::new).collect::<Result<_, _>>()?;
    let wheels = models[0].model.wheel_count();
    let Some(other) = models.iter().find(|it| it.model.wheel_count() != wheels) else {
        return Ok(models);
    };
    let found = format!("{} of {}", other.model.wheel_count(), other.car.name);
    let expected = format!("of {wheels} wheels");
    Err(BatchError::argument("cars", expected, found, ""))
}
