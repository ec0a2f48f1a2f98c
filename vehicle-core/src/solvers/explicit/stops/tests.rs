//! Rows on a free body against closed forms.

use super::*;
use crate::testing::uneven::{close, lanes, masks, near, uneven_consts, vector, vectors};
use glam::Vec3;
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;

fn row(linear: Vec3, aim: Aim) -> Row {
    let axis = moving_at(linear).in_lanes();
    Row { axis, aim }
}

fn moving_at(linear: Vec3) -> Velocity {
    Velocity {
        linear,
        angular: Vec3::ZERO,
    }
}

#[test]
fn a_sticky_row_pulls_the_speed_nearly_to_its_target() {
    let aim = Aim::Stick {
        target: 0.1,
        damping: 1000.0,
    };
    let rows = [row(Vec3::X, aim)];
    let start = moving_at(Vec3::new(1.0, 2.0, 0.0));
    let solved = solve(&rows, start, 1e-3, &Mat3::IDENTITY, 0.0, DT);
    let a = 1000.0 * DT;
    let expected = (1.0 + a * 0.1) / (1.0 + a);
    assert!((solved.end.linear.x - expected).abs() < 1e-6);
    assert_eq!(solved.end.linear.y, 2.0);
}

#[test]
fn a_limit_stops_compression_and_pushes_out_for_this_step_only() {
    let rows = [row(Vec3::NEG_Z, Aim::Limit { error: 0.01 })];
    let falling = moving_at(Vec3::new(0.0, 0.0, -3.0));
    let solved = solve(&rows, falling, 1e-3, &Mat3::IDENTITY, 0.0, DT);
    assert!((solved.moving.linear.z - 0.01 / DT).abs() < 1e-4);
    assert!(solved.end.linear.z.abs() < 1e-4);
    let rising = moving_at(Vec3::new(0.0, 0.0, 3.0));
    let untouched = solve(&rows, rising, 1e-3, &Mat3::IDENTITY, 0.0, DT);
    assert_eq!(untouched.end, rising);
    let bounced = solve(&rows, falling, 1e-3, &Mat3::IDENTITY, 0.5, DT);
    assert!((bounced.end.linear.z - 1.5).abs() < 1e-4);
}

/// A body that turns as easily about no two axes.
const INVERSE_INERTIA: Mat3 = Mat3::from_cols(
    Vec3::new(1e-3, 1e-4, 0.0),
    Vec3::new(1e-4, 4e-4, -5e-5),
    Vec3::new(0.0, -5e-5, 3e-4),
);
const INVERSE_MASS: f32 = 1.0 / 1500.0;

fn velocities() -> impl Strategy<Value = Velocity> {
    (vector(3.0), vector(1.0)).prop_map(|(linear, angular)| Velocity { linear, angular })
}

/// A direction through a point of the chassis.
fn through_a_point() -> impl Strategy<Value = (Vec3, Vec3)> {
    (vector(1.0), vector(2.0)).prop_map(|(direction, point)| {
        let direction = (direction + Vec3::X * 0.01).normalize();
        (direction, point.cross(direction))
    })
}

fn along((linear, angular): (Vec3, Vec3), v: &Velocity) -> f32 {
    linear.dot(v.linear) + angular.dot(v.angular)
}

/// Whether a velocity changed by one impulse along a row.
fn pushed_along((linear, angular): (Vec3, Vec3), before: &Velocity, after: &Velocity) -> bool {
    let change = *after - *before;
    let impulse = change.linear.dot(linear) / INVERSE_MASS;
    let turned = INVERSE_INERTIA * angular * impulse;
    near(change.linear, linear * (impulse * INVERSE_MASS), 10.0)
        && near(change.angular, turned, 10.0)
}

fn solve_one(
    (linear, angular): (Vec3, Vec3),
    aim: Aim,
    start: Velocity,
    restitution: f32,
) -> Solved {
    let axis = Velocity { linear, angular }.in_lanes();
    let rows = [Row { axis, aim }];
    solve(
        &rows,
        start,
        INVERSE_MASS,
        &INVERSE_INERTIA,
        restitution,
        DT,
    )
}

proptest! {
    /// A sticky row alone is an implicit damper: v⁺ = (v + a·target)/(1 + a), by an impulse along its row.
    #[test]
    fn a_sticky_row_is_an_implicit_damper(
        row in through_a_point(), start in velocities(), target in -2f32..2.0, damping in 0f32..300.0,
    ) {
        let solved = solve_one(row, Aim::Stick { target, damping }, start, 0.0);
        let a = damping * DT;
        let expected = (along(row, &start) + a * target) / (1.0 + a);
        prop_assert!(close(along(row, &solved.end), expected, 20.0));
        prop_assert!(pushed_along(row, &start, &solved.end));
        prop_assert!(near(solved.moving.linear, solved.end.linear, 3.0));
    }

    /// A stop alone moves the body out of it within the step, leaves it at the share of its speed that
    /// it gives back, and never pulls.
    #[test]
    fn a_stop_corrects_position_and_restores_its_share(
        row in through_a_point(), start in velocities(), error in 0f32..0.05, restitution in 0f32..1.0,
    ) {
        let solved = solve_one(row, Aim::Limit { error }, start, restitution);
        let before = along(row, &start);
        let back = restitution * before.max(0.0);
        let out = (error / DT).max(back);
        let moving = if before > -out { -out } else { before };
        prop_assert!(close(along(row, &solved.moving), moving, 20.0));
        prop_assert!(close(along(row, &solved.end), before.min(-back), 20.0));
        prop_assert!(pushed_along(row, &start, &solved.moving));
        prop_assert!(pushed_along(row, &start, &solved.end));
    }

    /// Rows side by side: four sweeps leave of a body in a corner only what the stops did not meet.
    #[test]
    fn perpendicular_stops_are_independent(start in vector(3.0), error in 0f32..0.05) {
        let rows = [Vec3::NEG_Z, Vec3::X].map(|linear| row(linear, Aim::Limit { error }));
        let solved = solve(&rows, moving_at(start), INVERSE_MASS, &INVERSE_INERTIA, 0.0, DT);
        let alone = |n: usize| {
            let one = &rows[n..=n];
            solve(one, moving_at(start), INVERSE_MASS, &INVERSE_INERTIA, 0.0, DT)
        };
        prop_assert_eq!(solved.moving.linear.z, alone(0).moving.linear.z);
        prop_assert_eq!(solved.moving.linear.x, alone(1).moving.linear.x);
        prop_assert_eq!(solved.end.linear.y, start.y);
    }

    /// Stops push along strut or normal, sticky rows along the tire's axes; all stops come first, then all
    /// longitudinal sticky rows, then all lateral ones.
    #[test]
    fn every_row_acts_at_its_point(
        (beyond, forward, lateral) in (lanes(-0.1..0.1), masks(), masks()),
        (normal, long, lat) in (vectors(1.0), vectors(1.0), vectors(1.0)),
        (tire_point, targets) in (vectors(2.0), lanes(-1.0..1.0)), along_normal in any::<bool>(),
    ) {
        let mut settings = ExplicitSettings::PHYSX_5;
        settings.stops.along_normal = along_normal;
        let k = uneven_consts();
        let touch = Touch { normal, beyond_stop: beyond, ..Touch::default() };
        let sticky = StickyRows { longitudinal: forward, lateral };
        let source = RowSource {
            consts: &k,
            touch: &touch,
            axes: &TireAxes { longitudinal: long, lateral: lat },
            sticky: &sticky,
            forward_target: targets,
            lateral_target: -targets,
            tire_point,
            settings: &settings,
        };
        let (mut rows, mut expected) = (Vec::new(), Vec::new());
        collect(&source, &mut rows);
        let mut add = |linear: Vec3, point: Vec3, aim| {
            let axis = Velocity { linear, angular: point.cross(linear) }.in_lanes();
            expected.push(Row { axis, aim });
        };
        for lane in (0..LANES).filter(|&lane| beyond.lane(lane) > 0.0) {
            let aim = Aim::Limit { error: beyond.lane(lane) };
            if along_normal {
                add(-normal.lane(lane), tire_point.lane(lane), aim);
            } else {
                add(k.travel.lane(lane), k.center.lane(lane), aim);
            }
        }
        let sticking = [(forward, long, targets, 1.0), (lateral, lat, -targets, 0.1)];
        for (wheels, axis, target, damping) in sticking {
            for lane in (0..LANES).filter(|&lane| wheels.lane(lane)) {
                let aim = Aim::Stick { target: target.lane(lane), damping };
                add(axis.lane(lane), tire_point.lane(lane), aim);
            }
        }
        prop_assert_eq!(rows, expected);
    }
}

/// The largest vehicle may have three rows on each of its wheels, and the last counts as the first.
#[test]
fn rows_of_all_wheels_are_solved() {
    let free = Aim::Stick {
        target: 0.0,
        damping: 0.0,
    };
    let mut rows = alloc::vec![row(Vec3::X, free); 3 * crate::MAX_WHEELS - 1];
    rows.push(row(Vec3::NEG_Z, Aim::Limit { error: 0.0 }));
    let falling = moving_at(Vec3::new(1.0, 0.0, -3.0));
    let solved = solve(&rows, falling, 1e-3, &Mat3::IDENTITY, 0.0, DT);
    assert_eq!(solved.end, moving_at(Vec3::X));
}
