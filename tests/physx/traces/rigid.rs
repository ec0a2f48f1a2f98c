//! Rigid contacts. After the first one only outcomes are compared, because PhysX's contact solver
//! differs from ours.

use crate::reference::Comparison;
use glam::{DVec3, Mat3, Vec3};
use jounce::core::math;
use jounce::core::profile::OutputMode;
use proving_ground::scenario::{Frame, Obstacle, Scenario, rotation_from_physx};
use proving_ground::world::WorldKind;

use super::{Recorded, place};

/// PhysX's contacts begin at this distance, the sum of two default contact offsets (`m`).
const OFFSET: f64 = 0.04;
/// Minimum change of velocity that neither the update nor gravity explains (`m/s`).
const UNEXPLAINED: f32 = 1e-3;
/// Maximum difference of headings (`°`).
const HEADING: f64 = 10.0;

/// Number of frames before the first rigid contact; all if nothing can collide.
///
/// The last of them is the frame from which a part of the vehicle, at constant velocity, could
/// reach an obstacle before the next recorded frame, or the one before the scene changed the
/// velocity by more than gravity does.
pub(super) fn frames_before(scenario: &Scenario, frames: &[Recorded]) -> usize {
    let parts = scenario.rigid_parts();
    if parts.is_empty() {
        return frames.len();
    }
    for (n, frame) in frames.iter().enumerate() {
        if was_pushed(scenario, frame) {
            return n;
        }
        let Some(next) = frames.get(n + 1) else {
            break;
        };
        let time = scenario.dt() * (next.f - frame.f) as f32;
        let reaches = |part: &(Vec3, Vec3)| {
            let mut obstacles = scenario.obstacles().iter();
            obstacles.any(|obstacle| can_reach(scenario, frame, *part, obstacle, time))
        };
        if parts.iter().any(reaches) {
            return n + 1;
        }
    }
    frames.len()
}

/// Whether the scene changed the velocity by more than gravity; unknown where a row of the vehicle
/// acted.
fn was_pushed(scenario: &Scenario, frame: &Recorded) -> bool {
    let direct =
        scenario.kind().params().profile.explicit().unwrap().output == OutputMode::VelocityChange;
    if !direct || frame.has_rows() || frame.asleep || frame.skipped {
        return false;
    }
    let left = 1.0 - scenario.body().linear_damping * scenario.dt();
    let expected = (frame.updated[0] + scenario.gravity() * scenario.dt()) * left;
    (frame.linear - expected).length() > UNEXPLAINED
}

/// Whether a part of the vehicle (centre and half extents from the centre of mass, vehicle frame)
/// comes near the obstacle within `time` [s], by axis-aligned boxes in the world frame.
fn can_reach(
    scenario: &Scenario,
    frame: &Recorded,
    (centre, half): (Vec3, Vec3),
    obstacle: &Obstacle,
    time: f32,
) -> bool {
    let turn = math::matrix(frame.rotation);
    let extent = Mat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs()) * half;
    let way = (frame.linear * time).as_dvec3();
    let from = frame.origin + (turn * (centre - scenario.origin())).as_dvec3() + way * 0.5;
    let reach = (extent + obstacle.half_extents).as_dvec3() + way.abs() * 0.5 + OFFSET;
    (from - obstacle.centre).abs().cmplt(reach).all()
}

/// The end of a drive: how many obstacles' middles it is past, and the distance from the start along the initial
/// direction (`m`).
struct End {
    crossed: usize,
    progress: f64,
    forward: Vec3,
}

impl End {
    fn of(scenario: &Scenario, origin: DVec3, forward: Vec3) -> Self {
        let start = scenario.body();
        let turn = math::matrix(start.rotation);
        let ahead = turn.x_axis.as_dvec3();
        let began = start.position + (turn * scenario.origin()).as_dvec3();
        let passed = |obstacle: &&Obstacle| (origin - obstacle.centre).dot(ahead) > 0.0;
        Self {
            crossed: scenario.obstacles().iter().filter(passed).count(),
            progress: (origin - began).dot(ahead),
            forward,
        }
    }

    fn name(&self) -> String {
        match (self.crossed, self.progress > 0.0) {
            (0, true) => "stopped".to_owned(),
            (0, false) => "thrown back".to_owned(),
            (1, _) => "crossed".to_owned(),
            (count, _) => format!("crossed {count}"),
        }
    }
}

/// The world for the obstacles: the standalone one has hulls, but no wheel colliders.
pub(super) fn world(scenario: &Scenario) -> WorldKind {
    match scenario.modifies_contacts() {
        true => WorldKind::Rapier,
        _ => WorldKind::Standalone,
    }
}

/// Both drives end alike: the same outcome, and headings within 10°.
pub(super) fn compare_outcome(
    name: &str,
    scenario: &Scenario,
    frames: &[Recorded],
    ours: &[Frame],
) -> Vec<Comparison> {
    let Some(last) = frames.last() else {
        return vec![];
    };
    let end = |origin, rotation| End::of(scenario, origin, math::matrix(rotation).x_axis);
    let theirs = end(last.origin, last.rotation);
    let mine = &ours[last.f];
    let mine = end(place(mine), rotation_from_physx(mine.q));
    let line = |what: &str, max_error: f64, bound: f64, note: String| Comparison {
        name: format!("{name}/closed/{what}"),
        rows: 1,
        max_error,
        bound,
        note,
    };
    let heading = |end: &End| f64::from(end.forward.y).atan2(f64::from(end.forward.x));
    let turned = (heading(&mine) - heading(&theirs)).to_degrees();
    let turned = (turned + 180.0).rem_euclid(360.0) - 180.0;
    let differs = f64::from(mine.name() != theirs.name());
    let ways = format!(
        "{:?}: PhysX {} at {:.2} m, ours {} at {:.2} m",
        world(scenario),
        theirs.name(),
        theirs.progress,
        mine.name(),
        mine.progress
    );
    let worst = if turned.is_nan() {
        f64::INFINITY
    } else {
        turned.abs()
    };
    vec![
        line("outcome", differs, 0.0, ways),
        line("heading", worst, HEADING, "° at the end".to_owned()),
    ]
}
