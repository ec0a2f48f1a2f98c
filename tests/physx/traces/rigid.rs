//! Rigid contacts. After the first one only outcomes are compared, because PhysX's contact solver
//! differs from ours.

use crate::reference::Comparison;
use crate::rounding::TIMES;
use glam::{DVec3, Mat3, Vec3};
use jounce::core::math;
use proving_ground::scenario::{Obstacle, Scenario};
use proving_ground::world::WorldKind;
use serde_json::Value;

use super::own::{Drives, Point};
use super::{Recorded, explicit, worse};

/// PhysX's contacts begin at this distance, the sum of two default contact offsets (`m`).
const OFFSET: f64 = 0.04;

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

/// Whether the scene changed the body's velocity by more than gravity; unknown where a row of the vehicle acted.
fn was_pushed(scenario: &Scenario, frame: &Recorded) -> bool {
    let direct = !explicit(scenario).accelerates;
    if !direct || frame.has_rows() || frame.asleep || frame.skipped {
        return false;
    }
    let left = 1.0 - scenario.body().linear_damping * scenario.dt();
    let fall = scenario.gravity() * scenario.dt();
    let expected = (frame.updated[0] + fall) * left;
    let rounding = TIMES as f32 * f32::EPSILON * (expected.length() + fall.length());
    (frame.linear - expected).length() > rounding
}

/// Whether a part of the vehicle (center and half extents from the center of mass, vehicle frame)
/// comes near the obstacle within `time` [s], by axis-aligned boxes in the world frame.
fn can_reach(
    scenario: &Scenario,
    frame: &Recorded,
    (center, half): (Vec3, Vec3),
    obstacle: &Obstacle,
    time: f32,
) -> bool {
    let turn = math::matrix(frame.rotation);
    let extent = Mat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs()) * half;
    let way = (frame.linear * time).as_dvec3();
    let from = frame.origin + (turn * (center - scenario.origin())).as_dvec3() + way * 0.5;
    let reach = (extent + obstacle.half_extents).as_dvec3() + way.abs() * 0.5 + OFFSET;
    (from - obstacle.center).abs().cmplt(reach).all()
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
        let passed = |obstacle: &&Obstacle| (origin - obstacle.center).dot(ahead) > 0.0;
        Self {
            crossed: scenario.obstacles().iter().filter(passed).count(),
            progress: (origin - began).dot(ahead),
            forward,
        }
    }

    /// Angle between the headings (`°`).
    fn turned(&self, other: &Self) -> f64 {
        let heading = |end: &Self| f64::from(end.forward.y).atan2(f64::from(end.forward.x));
        let turned = (heading(self) - heading(other)).to_degrees();
        ((turned + 180.0).rem_euclid(360.0) - 180.0).abs()
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
fn world(scenario: &Scenario) -> WorldKind {
    match scenario.modifies_contacts() {
        true => WorldKind::Rapier,
        _ => WorldKind::Standalone,
    }
}

/// Checks that both drives end as one of ours does, ours also from starts that are moved by as much as contacts may begin
/// earlier, and with the headings of these.
pub(super) fn compare_outcome(
    name: &str,
    header: &Value,
    scenario: &Scenario,
    frames: &[Recorded],
) -> Result<Vec<Comparison>, String> {
    let Some(last) = frames.last() else {
        return Ok(vec![]);
    };
    let world = world(scenario);
    let drives = Drives::new(header, scenario, frames, world, OFFSET as f32)?;
    let end = |drive: &Vec<Point>| {
        let point = drive[last.f];
        End::of(scenario, point.place, point.forward)
    };
    let theirs = End::of(scenario, last.origin, math::matrix(last.rotation).x_axis);
    let mine = end(&drives.ours);
    let others: Vec<End> = drives.moved.iter().map(end).collect();
    let alike = |other: &&End| other.name() == theirs.name();
    let count = others.iter().filter(alike).count() + usize::from(alike(&&mine));
    let widest = others.iter().map(|other| other.turned(&mine));
    let line = |what: &str, max_error: f64, bound: f64, note: String| Comparison {
        name: format!("{name}/closed/{what}"),
        rows: 1,
        max_error,
        bound,
        note,
    };
    let ways = format!(
        "{world:?}: PhysX {} at {:.2} m, ours {} at {:.2} m; so do {count} of {}",
        theirs.name(),
        theirs.progress,
        mine.name(),
        mine.progress,
        others.len() + 1
    );
    Ok(vec![
        line("outcome", f64::from(count == 0), 0.0, ways),
        line(
            "heading",
            worse(0.0, theirs.turned(&mine)),
            TIMES * widest.fold(0.0, f64::max),
            "° at the end".to_owned(),
        ),
    ])
}
