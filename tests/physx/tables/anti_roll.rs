//! Tables of anti-roll bars, of both generations.

use glam::Vec3;
use jounce::core::internals::anti_roll::{BarEnd, PreparedBar};
use jounce::core::math;
use jounce::core::params::AntiRollBar;
use proving_ground::scenario as axes;

use super::suspension::{consts, four_wheeler};
use super::{Outputs, vector};
use crate::row::Row;

pub(crate) fn legacy(row: &Row<'_>) -> Option<Outputs> {
    let points = points(&row.list("app_offsets_xyz"));
    let in_air = row.flags("in_air");
    let loaded = [0, 1, 2, 3].map(|wheel| !in_air[wheel]);
    Some(torque(row, [row.number("stiffness"); 2], &points, loaded))
}

pub(crate) fn vehicle2(row: &Row<'_>) -> Option<Outputs> {
    let down = row.text("travel_dir");
    assert_eq!(down, "(0,-1,0)", "the only direction known");
    let stiffness = row.list("stiffness");
    let attachments = points(&row.list("attach_xyz")).into_iter();
    let shifts = points(&row.list("susp_app_xyz"));
    let points: Vec<Vec3> = attachments.zip(shifts).map(|(a, b)| a + b).collect();
    // A wheel is in the air where its jounce is that of full droop.
    row.ignore("separation");
    let loaded = row.four("jounce").map(|jounce| jounce > 0.0);
    Some(torque(row, [stiffness[0], stiffness[1]], &points, loaded))
}

/// Three numbers per point.
fn points(numbers: &[f32]) -> Vec<Vec3> {
    let points = numbers.chunks(3);
    points
        .map(|p| axes::from_physx([p[0], p[1], p[2]]))
        .collect()
}

/// Effect of a front and a rear bar on struts whose forces act at `points`.
fn torque(row: &Row<'_>, stiffness: [f32; 2], points: &[Vec3], loaded: [bool; 4]) -> Outputs {
    assert_eq!(row.text("bars"), "(0,1),(2,3)", "the only bars known");
    let mut params = four_wheeler(|_| ());
    for (wheel, point) in params.wheels.iter_mut().zip(points) {
        wheel.suspension.application_point = *point;
    }
    let (consts, jounce) = (consts(params), row.four("jounce"));
    let end = |_, lane: usize| BarEnd {
        jounce: jounce[lane],
        loaded: loaded[lane],
    };
    let bars = [[0, 1], [2, 3]].into_iter().zip(stiffness);
    let torque: Vec3 = bars
        .map(|(wheels, stiffness)| {
            let bar = AntiRollBar { wheels, stiffness };
            PreparedBar::new(&bar, |group, lane| consts[group].suspension_arm(lane)).torque(end)
        })
        .sum();
    let world = math::matrix(row.rotation("quat")) * torque;
    vec![("out_torque", vector(world))]
}
