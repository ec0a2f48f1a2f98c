//! The beginning of an episode, and what is kept of it beside vehicle and body.

use core::f32::consts::TAU;

use driver_input::CarHands;
use glam::{DVec2, DVec3, Vec3};
use jounce::core::math;
use jounce::scene::BodyDesc;
use proving_ground::world::{Pose, Start, loaded, rest_pose_over};
use serde::{Deserialize, Serialize};

use crate::error::BatchError;
use crate::random::Draws;
use crate::setup::{Design, Model};
use crate::task::GoalPose;
use crate::track::Laps;
use crate::trailer::Trailer;

/// An episode of a car, beside its vehicle and its body. Plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Episode {
    /// Number of the car.
    pub(crate) car: u64,
    /// Number of its episode, from 0.
    pub(crate) number: u64,
    /// Seed of its random numbers.
    pub(crate) seed: u64,
    /// Number of its model.
    pub(crate) model: usize,
    /// Number of actions since its beginning.
    pub(crate) steps: u32,
    /// Center of mass at its beginning (`m`, world).
    pub(crate) start: DVec3,
    /// Factor on the friction of the ground (–).
    pub(crate) grip: f32,
    /// Mass beside the car's own (`kg`).
    pub(crate) payload: f32,
    /// Velocity of the air (`m/s`, world axes).
    pub(crate) wind: Vec3,
    pub(crate) goal: GoalPose,
    /// Distance to the goal after the last action (`m`).
    pub(crate) distance: f32,
    /// Laps of the track.
    pub(crate) laps: Laps,
    pub(crate) hands: CarHands,
    /// Velocity after the last action (`m/s`, world axes).
    pub(crate) velocity: Vec3,
    /// Mean acceleration in the last action (`m/s²`, world axes).
    pub(crate) acceleration: Vec3,
}

/// The beginning of an episode: computed for all cars of a reset before any of them moves.
#[derive(Clone, Debug)]
pub(crate) struct Beginning {
    pub(crate) episode: Episode,
    pub(crate) body: BodyDesc,
    /// The body of the trailer, if there is one.
    pub(crate) trailer: Option<BodyDesc>,
    /// Speed forward (`m/s`).
    pub(crate) speed: f32,
}

/// What each random number is for: numbers never change, so that seeds keep their episodes.
#[derive(Clone, Copy)]
enum Term {
    Grip = 0,
    Payload,
    X,
    Y,
    Heading,
    Speed,
    Wind,
    WindFrom,
    Model,
    GoalX,
    GoalY,
    GoalHeading,
    Focus,
}

impl Beginning {
    /// The beginning of an episode under a seed, of a car, with this number, at `start` if that is not to be drawn.
    pub(crate) fn new(
        design: &Design,
        (seed, car, number): (u64, u64, u64),
        start: Option<Start>,
    ) -> Result<Self, BatchError> {
        let draws = Draws::new(seed, car, number);
        let unit = |term: Term| draws.unit(term as u64);
        let random = &design.randomize;
        let model = match (random.model, design.models.len()) {
            (true, models) => (unit(Term::Model) * models as f64) as usize,
            (false, models) => (car % models as u64) as usize,
        };
        let (start, along) = match start {
            Some(start) => (start, None),
            None => drawn_start(design, unit),
        };
        let speed = random.speed.at(unit(Term::Speed)) as f32;
        let payload = random.payload.at(unit(Term::Payload)) as f32;
        let body = body(design, &design.models[model], start, speed, payload)?;
        let behind = |it: &Trailer| it.behind(&design.terrain, &body, start.heading);
        let trailer = design.trailer.as_ref().map(behind).transpose()?;
        let mut episode = Episode {
            car,
            number,
            seed,
            model,
            steps: 0,
            start: body.position,
            grip: random.grip.at(unit(Term::Grip)) as f32,
            payload,
            wind: drawn_wind(design, unit),
            goal: GoalPose::default(),
            distance: 0.0,
            laps: design.course.as_ref().map_or_else(Laps::default, |course| {
                course.begun(body.position.truncate(), along)
            }),
            hands: CarHands::default(),
            velocity: body.linear_velocity,
            acceleration: Vec3::ZERO,
        };
        if let Some(goal) = &design.goal {
            let units = [Term::GoalX, Term::GoalY, Term::GoalHeading].map(unit);
            let position = trailer.as_ref().map_or(body.position, |it| it.position);
            episode.goal = goal.drawn(position.truncate(), start.heading, units);
            episode.distance = episode.goal.seen_from(position, start.heading).distance;
        }
        Ok(Self {
            episode,
            body,
            trailer,
            speed,
        })
    }
}

/// The drawn velocity of the air (`m/s`, world axes).
fn drawn_wind(design: &Design, unit: impl Fn(Term) -> f64) -> Vec3 {
    let wind = design.randomize.wind.at(unit(Term::Wind)) as f32;
    let (sin, cos) = math::sin_cos(TAU * unit(Term::WindFrom) as f32);
    Vec3::new(cos, sin, 0.0) * wind
}

/// The drawn start of an episode, and on a track its distance along the center line (`m`).
fn drawn_start(design: &Design, unit: impl Fn(Term) -> f64) -> (Start, Option<f64>) {
    let random = &design.randomize;
    let focus = random.focus.filter(|it| unit(Term::Focus) < it.share);
    let x = focus.map_or(random.x, |it| it.x).at(unit(Term::X));
    let (y, heading) = (
        random.y.at(unit(Term::Y)),
        random.heading.at(unit(Term::Heading)),
    );
    if let Some(course) = &design.course {
        return (course.start(x, y, heading), Some(x));
    }
    let start = Start {
        position: design.terrain.start + DVec2::new(x, y),
        heading: heading as f32,
    };
    (start, None)
}

/// The body of a car that begins at `start`: it does not sleep, since a sleeping car's reports stay as they were.
fn body(
    design: &Design,
    model: &Model,
    start: Start,
    speed: f32,
    payload: f32,
) -> Result<BodyDesc, BatchError> {
    let car = &model.car;
    let Pose { origin, rotation } = rest_pose_over(&design.terrain, car, start)?;
    let axes = math::matrix(rotation);
    let position = origin + math::rotated(&axes, car.center_of_mass()).as_dvec3();
    let (mass, inertia) = loaded(car, payload);
    Ok(BodyDesc {
        rotation: math::unit(rotation),
        linear_velocity: axes.x_axis * speed,
        sleep_threshold: 0.0,
        ..BodyDesc::at_rest(position, mass, inertia)
    })
}
