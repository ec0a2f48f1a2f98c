//! Our own drives of a scenario: one from its start, others from what rounding makes of it.

use glam::{DVec3, Vec3};
use jounce::core::BodyState;
use jounce::scene::BodyDesc;
use proving_ground::scenario::{Replay, Scenario, TraceFrame, rotation_from_physx};
use proving_ground::world::WorldKind;
use serde_json::Value;

use super::variants::{AT_REST, move_on, turned};
use super::{Recorded, place, rounded};
use crate::rounding::Ways;

/// Number of other drives.
const STARTS: u32 = 16;
/// Starts are moved on each axis by up to this (`m`), as that of PhysX's own pair is.
pub(super) const START: f32 = 1e-5;

/// One frame of a drive.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) place: DVec3,
    /// Direction in which the car looks (world axes).
    pub(super) forward: Vec3,
    /// The gear, and the one that is being engaged.
    pub(super) gears: [i8; 2],
    pub(super) asleep: bool,
}

impl Point {
    fn of(frame: &TraceFrame) -> Self {
        Self {
            place: place(frame),
            forward: jounce::core::math::matrix(rotation_from_physx(frame.q)).x_axis,
            gears: [frame.gear - 1, frame.tgear - 1],
            asleep: frame.asleep,
        }
    }
}

/// All drives, frame by frame.
pub(super) struct Drives {
    pub(super) ours: Vec<Point>,
    pub(super) moved: Vec<Vec<Point>>,
}

impl Drives {
    /// Drives the schedule in a world of this kind: from the start, and from rounded parameters and starts that are
    /// moved by up to `most` (`m`), on every axis to either side.
    pub(super) fn new(
        header: &Value,
        scenario: &Scenario,
        frames: &[Recorded],
        world: WorldKind,
        most: f32,
    ) -> Result<Self, String> {
        let other = |variant: u32| {
            let mut ways = Ways::new(variant);
            let rounded = rounded(header, scenario.name(), &mut ways);
            let scenario = rounded.as_ref().unwrap_or(scenario);
            let far = most * (variant + 1) as f32 / STARTS as f32;
            let start = moved(scenario, far, &mut ways);
            drive(scenario, frames, world, &start, Some(ways))
        };
        Ok(Self {
            ours: drive(scenario, frames, world, &scenario.body(), None)?,
            moved: (0..STARTS).map(other).collect::<Result<_, _>>()?,
        })
    }

    /// Whether all our cars sleep in a frame.
    pub(super) fn are_asleep(&self, frame: usize) -> bool {
        self.ours[frame].asleep && self.moved.iter().all(|moved| moved[frame].asleep)
    }

    /// Greatest distance between our drives up to each frame (`m`).
    pub(super) fn spread(&self) -> Vec<f64> {
        let mut widest = 0.0_f64;
        let spread = |(f, ours): (usize, &Point)| {
            let apart = |moved: &Vec<Point>| (moved[f].place - ours.place).length();
            widest = self.moved.iter().map(apart).fold(widest, f64::max);
            widest
        };
        self.ours.iter().enumerate().map(spread).collect()
    }
}

/// A start that is moved on each axis by `far` (`m`), and turned, faster and slower by what rounding in every frame adds
/// up to.
fn moved(scenario: &Scenario, far: f32, ways: &mut Ways) -> BodyDesc {
    let start = scenario.body();
    let lost = f32::EPSILON * (scenario.frames() as f32).sqrt();
    let mut sides = |by: f32| Vec3::from_array([(); 3].map(|()| ways.way() * by));
    BodyDesc {
        position: start.position + sides(far).as_dvec3(),
        rotation: turned(start.rotation, sides(lost)),
        linear_velocity: start.linear_velocity * (Vec3::ONE + sides(lost)),
        angular_velocity: start.angular_velocity * (Vec3::ONE + sides(lost)),
        ..start
    }
}

/// Drives the schedule, with rounding in every frame if there are `ways`. Times of falling asleep are not compared:
/// timers of the gearbox before a sleep are taken from the file, so that both continue from the same state.
fn drive(
    scenario: &Scenario,
    frames: &[Recorded],
    world: WorldKind,
    start: &BodyDesc,
    mut ways: Option<Ways>,
) -> Result<Vec<Point>, String> {
    let mut replay = Replay::starting(scenario, world, start).map_err(|error| error.to_string())?;
    let mut ours = Vec::with_capacity(scenario.frames());
    let mut recorded = frames.iter().peekable();
    while let Some(frame) = replay.next() {
        let frame = frame.map_err(|error| format!("frame {}: {error}", ours.len()))?;
        if let Some(theirs) = recorded.next_if(|theirs| theirs.f == ours.len()) {
            let drive = &mut replay.vehicle_mut().state_mut().drive;
            let same = (drive.gear.0, drive.target_gear.0) == (theirs.gear, theirs.target_gear);
            if frame.skipped && theirs.skipped && same {
                drive.switch_time = theirs.switch_time;
                drive.autobox_time = theirs.autobox_time;
            }
        }
        if let (Some(ways), false) = (&mut ways, frame.asleep) {
            let body = BodyState {
                position: place(&frame),
                rotation: rotation_from_physx(frame.q),
                ..AT_REST
            };
            move_on(replay.vehicle_mut(), &body, ways);
        }
        ours.push(Point::of(&frame));
    }
    Ok(ours)
}
