//! The table of contact modification.

use core::f32::consts::FRAC_PI_2;

use glam::Vec3;
use jounce::core::math;
use jounce::core::{
    contact_policy::ContactPolicy,
    rigid_contact::{WheelColliderSettings, WheelContact},
};
use proving_ground::scenario as axes;

use super::{Outputs, one};
use crate::row::Row;

pub(crate) fn modify(row: &Row<'_>) -> Option<Outputs> {
    let contact = wheel(row);
    // Normals point from the second body to the first; ours from the other body to the wheel.
    let sense = if row.flag("vehicle_is_actor0") {
        1.0
    } else {
        -1.0
    };
    let (mut points, mut velocities, mut impulses) = (Vec::new(), Vec::new(), Vec::new());
    let mut ignored = 0;
    let given = vectors(row, "points_xyz").into_iter();
    for (point, normal) in given.zip(vectors(row, "normals_xyz")) {
        let target = contact.target_velocity(point, normal * sense);
        ignored += u32::from(target.is_none());
        let kept = target.map_or((point, Vec3::ZERO, 0.0), |velocity| {
            let most = f64::from(f32::MAX);
            (contact.acting_point(point), velocity * sense, most)
        });
        points.extend(axes::to_physx(kept.0).map(f64::from));
        velocities.extend(axes::to_physx(kept.1).map(f64::from));
        impulses.push(kept.2);
    }
    Some(vec![
        ("out_ignored", one(ignored as f32)),
        ("out_points_xyz", points),
        ("out_target_velocity_xyz", velocities),
        ("out_max_impulse", impulses),
    ])
}

/// The wheel that a row describes. PhysX takes the travel direction from the wheel, unrolled.
fn wheel(row: &Row<'_>) -> WheelContact {
    let rotation = row.rotation("wheel_world_quat");
    let axle = math::matrix(rotation).y_axis;
    let unroll = math::rotation_about(axle, -row.number("wheel_angle"));
    let upright = math::matrix(math::compose(unroll, rotation));
    let chassis = math::matrix(row.rotation("actor_quat"));
    let push = row.vector("cmass_local") + row.vector("susp_app_cm_offset");
    WheelContact {
        settings: WheelColliderSettings {
            policy: ContactPolicy {
                point_angle: angle(row.number("cos_point_reject")),
                normal_angle: angle(row.number("cos_normal_reject")),
                ..ContactPolicy::PHYSX
            },
            spin_share: row.number("tangent_velocity_multiplier"),
        },
        center: row.vector("wheel_world_pos"),
        axle,
        travel: -upright.z_axis,
        spin: row.number("wheel_omega"),
        application_point: Some(row.vector("actor_pos") + chassis * push),
    }
}

/// The angle of a cosine (`rad`).
fn angle(cos: f32) -> f32 {
    FRAC_PI_2 - f64::from(cos).asin() as f32
}

fn vectors(row: &Row<'_>, key: &str) -> Vec<Vec3> {
    let list = row.list(key);
    let triples = list.chunks_exact(3);
    triples
        .map(|v| axes::from_physx([v[0], v[1], v[2]]))
        .collect()
}
