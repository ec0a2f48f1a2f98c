//! A drive whose files have been read.

use std::path::Path;
use std::sync::Arc;

use jounce::core::{Detail, VehicleModel};
use jounce::file::Car;
use jounce::scene::read_text;

use super::run::{Launch, Run};
use super::{Drive, DriveConditions, DrivePlan, End, InputTrack, Race};
use crate::error::ProvingError;
use crate::ground::{GroundSpec, Terrain};
use crate::ladder::{abilities, ladder_of};
use crate::maneuver::{Maneuver, ManeuverStage};
use crate::tow;
use crate::world::{self, Start, World, WorldKind};

/// A [`DrivePlan`] whose files have been read: cars, maneuvers and terrains that are in no file can be put in their places.
#[derive(Clone, Debug)]
pub struct PreparedDrive {
    /// The car, and those it tows, from front to rear; at least one.
    pub train: Vec<Car>,
    /// The maneuver.
    pub maneuver: Maneuver,
    /// The ground as it is named on the command line.
    pub ground: GroundSpec,
    /// The ground.
    pub terrain: Terrain,
    /// Start position; by default the terrain's.
    pub start: Option<Start>,
    /// Initial motion, load, gravity, grip and wind.
    pub conditions: DriveConditions,
    /// Distance of the camera (`m`), ≥ 0: vehicles with a ladder of detail are what they are there.
    pub distance: f32,
    /// The world.
    pub world: WorldKind,
    /// Time step (`s`), > 0.
    pub dt: f32,
    /// The ground is queried only in every n-th step, n > 0.
    pub query_every: u32,
    race: Option<Race>,
    input: Option<InputTrack>,
}

impl PreparedDrive {
    /// A car on a terrain, which `ground` names: at rest at its start, in the standalone world, in steps of 1/60 s.
    #[must_use]
    pub fn new(car: Car, maneuver: Maneuver, ground: GroundSpec, terrain: Terrain) -> Self {
        let usual = DrivePlan::of("");
        Self {
            train: vec![car],
            maneuver,
            ground,
            terrain,
            start: usual.start,
            conditions: usual.conditions,
            distance: usual.distance,
            world: usual.world.unwrap_or_default(),
            dt: usual.dt,
            query_every: usual.query_every,
            race: None,
            input: None,
        }
    }

    /// Reads the files of a plan.
    ///
    /// # Errors
    /// If one is missing or has faults.
    pub fn read(plan: &DrivePlan) -> Result<Self, ProvingError> {
        let train = tow::vehicles(&plan.vehicle, &plan.tow)?;
        let input = plan.input.as_deref().map(recorded).transpose()?;
        let (race, maneuver, ground) = asked(plan, &train, input.as_ref())?;
        let terrain = Terrain::new(&ground, plan.up)?;
        Ok(Self {
            start: race.as_ref().map(Race::start).or(plan.start),
            train,
            maneuver,
            ground,
            terrain,
            conditions: plan.conditions,
            distance: plan.distance,
            world: plan.world.unwrap_or_default(),
            dt: plan.dt,
            query_every: plan.query_every,
            race,
            input,
        })
    }

    /// Performs the drive. `progress` receives the time since the start and the maximum duration (`s`).
    ///
    /// # Errors
    /// If the conditions break a rule, the ground has no start position, or the world loses the car.
    pub fn run(self, mut progress: impl FnMut(f32, f32)) -> Result<Drive, ProvingError> {
        self.train.iter().try_for_each(world::probing)?;
        self.conditions.check_for(&self.train[0].model())?;
        let mut world = world::open(self.world, &self.terrain, self.dt)?;
        let usual = Start {
            position: self.terrain.start,
            heading: self.terrain.heading(),
        };
        let (model, detail) = on_its_rung(&self.train[0], self.distance, &mut *world)?;
        let launch = Launch {
            start: self.start.unwrap_or(usual),
            conditions: self.conditions,
            model: Arc::clone(&model),
            detail,
            stays_awake: self.maneuver.follows_a_trace(),
        };
        let mut run = Run::new(&mut *world, &self.train, &self.terrain, &launch)?;
        let longest = self.maneuver.duration;
        let mut drive = Drive {
            car: self.train[0].clone(),
            model,
            maneuver: self.maneuver,
            ground: self.ground,
            terrain: self.terrain,
            race: self.race,
            towed: Vec::new(),
            world: run.world.name(),
            dt: self.dt,
            query_every: self.query_every,
            stages: Vec::new(),
            samples: Vec::new(),
            end: End::Finished,
            refusal: None,
        };
        let input = self.input.as_ref();
        run.go(&mut drive, input, |time| progress(time, longest))?;
        drive.towed = run.hooks.into_iter().map(|hook| hook.towed).collect();
        Ok(drive)
    }
}

/// The race of a plan, if it is one, the maneuver and the ground.
fn asked(
    plan: &DrivePlan,
    train: &[Car],
    track: Option<&InputTrack>,
) -> Result<(Option<Race>, Maneuver, GroundSpec), ProvingError> {
    let Some(planned) = &plan.race else {
        let maneuver = maneuver(plan, track, train.len() > 1)?;
        let ground = ground(plan, &maneuver, track);
        return Ok((None, maneuver, ground));
    };
    race_alone(plan, train.len())?;
    let race = Race::new(planned, &train[0], &plan.conditions)?;
    let maneuver = race.maneuver();
    let ground = GroundSpec::Track(planned.track.clone());
    Ok((Some(race), maneuver, ground))
}

/// Checks that a plan asks nothing of a racing driver that he does not do.
///
/// # Errors
/// With the first that he does not.
fn race_alone(plan: &DrivePlan, vehicles: usize) -> Result<(), ProvingError> {
    let asked = [
        ("maneuver", plan.maneuver.is_some()),
        ("recorded input", plan.input.is_some()),
        ("ground", plan.ground.is_some()),
        ("start", plan.start.is_some()),
        ("towed vehicle", vehicles > 1),
    ];
    match asked.into_iter().find(|(_, asked)| *asked) {
        Some((what, _)) => Err(ProvingError::RaceExcludes { what }),
        None => Ok(()),
    }
}

/// The recorded input in a file.
fn recorded(path: &Path) -> Result<InputTrack, ProvingError> {
    let text = read_text(path).map_err(|source| ProvingError::File {
        path: path.to_owned(),
        source,
    })?;
    Ok(InputTrack::parse(&text, &path.display().to_string())?)
}

/// The maneuver of a plan; one that only names the stages of recorded input, if nothing else is given.
fn maneuver(
    plan: &DrivePlan,
    track: Option<&InputTrack>,
    tows: bool,
) -> Result<Maneuver, ProvingError> {
    let usual = if tows { "tow" } else { "tour" };
    let Some(track) = track else {
        return Maneuver::load(plan.maneuver.as_deref().unwrap_or(usual));
    };
    let named = plan.maneuver.as_deref().map(Maneuver::load).transpose()?;
    let file = plan.input.as_deref().and_then(Path::file_stem);
    let name = file.unwrap_or_default().to_string_lossy().into_owned();
    let stages = track.stages.iter().map(|name| ManeuverStage {
        name: name.clone(),
        ..ManeuverStage::default()
    });
    Ok(Maneuver {
        schema: 1,
        name: named.as_ref().map_or(name, |named| named.name.clone()),
        description: "recorded pedals and steering".to_owned(),
        ground: named.and_then(|named| named.ground),
        duration: track.duration(),
        stages: stages.collect(),
    })
}

/// The ground of a plan: its own, otherwise the maneuver's or that of the recorded input, otherwise hills.
fn ground(plan: &DrivePlan, maneuver: &Maneuver, track: Option<&InputTrack>) -> GroundSpec {
    let own = || maneuver.ground.as_deref()?.parse().ok();
    let recorded = || track?.ground.clone();
    let chosen = plan.ground.clone().or_else(own).or_else(recorded);
    chosen.unwrap_or(GroundSpec::Hills(1))
}

/// The model of a car at a distance from the camera (`m`), and its level of detail: those of a rung, if its file has
/// a ladder.
///
/// # Errors
/// If the world cannot do one of the rungs, or the wheels are bodies on this one.
fn on_its_rung(
    car: &Car,
    distance: f32,
    world: &mut dyn World,
) -> Result<(Arc<VehicleModel>, Detail), ProvingError> {
    if car.ladder.is_none() {
        return Ok((car.model(), Detail::FULL));
    }
    let ladder = ladder_of(car, abilities(world))?;
    let index = ladder.rung_at(distance, 0);
    let rung = &ladder.rungs()[index];
    match (&rung.attachments, ladder.ends().get(index)) {
        (Some(_), Some(end)) => Err(ProvingError::RigidRung {
            vehicle: car.name.clone(),
            rung: rung.name.clone(),
            end: *end,
        }),
        _ => Ok((Arc::clone(&rung.model), rung.detail)),
    }
}
