//! See inside: the library's report of each wheel as lines, planes and arrows.

use glam::{Vec3, Vec4};
use jounce::core::phases;
use proving_ground::session::Session;

use crate::scene::{Overlay, near};
use crate::sim::Place;

/// Length of an arrow per force (`m/N`), of a car of this mass: its weight is this long (`m`).
const WEIGHT: f32 = 4.0;
const GRAVITY: f32 = 9.81;

const STRUT: Vec4 = Vec4::new(1.0, 0.85, 0.2, 0.95);
const LOAD: Vec4 = Vec4::new(0.25, 0.55, 1.0, 0.95);
const DRIVE: Vec4 = Vec4::new(0.25, 0.85, 0.35, 0.95);
const SIDE: Vec4 = Vec4::new(0.95, 0.35, 0.3, 0.95);
const STICK: Vec4 = Vec4::new(0.8, 0.4, 1.0, 0.95);
const PLANE: Vec4 = Vec4::new(0.3, 0.9, 0.9, 0.30);
const CONE: Vec4 = Vec4::new(1.0, 0.6, 0.1, 0.10);
const TAKEN: Vec4 = Vec4::new(0.2, 1.0, 0.4, 0.9);
const REFUSED: Vec4 = Vec4::new(1.0, 0.15, 0.5, 0.9);
const LOST: Vec4 = Vec4::new(1.0, 1.0, 1.0, 0.9);

/// Legend of the overlay: the meaning of each color.
pub(crate) const LEGEND: [(&str, Vec4); 9] = [
    ("load", LOAD),
    ("drive, brake", DRIVE),
    ("side", SIDE),
    ("holds at rest", STICK),
    ("probe, center of mass", STRUT),
    ("finds nothing", LOST),
    ("ground plane", PLANE),
    ("swept hit", TAKEN),
    ("refused", REFUSED),
];

/// Adds the overlay of a car at `place`.
pub(crate) fn show(overlay: &mut Overlay, session: &Session, place: &Place) {
    let driven = session.driven();
    let vehicle = &driven.vehicle;
    let model = vehicle.model();
    let per_force = WEIGHT / (driven.car.mass() * GRAVITY);
    for wheel in 0..model.wheel_count() {
        let report = vehicle.wheel_report(wheel);
        let radius = model.params().wheels[wheel].radius;
        let top = near(place.position, report.probe_start);
        let bottom = top + report.probe_direction * report.probe_length;
        if report.in_air {
            overlay.line(top, bottom, 0.02, LOST);
            continue;
        }
        overlay.line(top, bottom, 0.02, STRUT);
        let ground = near(place.position, report.ground_point);
        let normal = report
            .longitudinal_direction
            .cross(report.lateral_direction)
            .normalize_or(Vec3::Z);
        overlay.disc(ground + normal * 0.01, normal, 0.75 * radius, PLANE);
        overlay.arrow(
            near(place.position, report.suspension_point),
            normal * (report.suspension_force * per_force),
            LOAD,
        );
        let tire = near(place.position, report.tire_point);
        let along = report.longitudinal_direction * (report.longitudinal_force * per_force);
        let across = report.lateral_direction * (report.lateral_force * per_force);
        overlay.arrow(
            tire,
            along,
            if report.sticks_longitudinally {
                STICK
            } else {
                DRIVE
            },
        );
        overlay.arrow(
            tire,
            across,
            if report.sticks_laterally { STICK } else { SIDE },
        );
    }
    cones(overlay, session, place);
    hits(overlay, session, place);
    let center = place.position.as_vec3();
    overlay.disc(center, Vec3::Z, 0.12, STRUT);
}

/// Draws the cones about the struts of swept wheels within which hits count as ground.
fn cones(overlay: &mut Overlay, session: &Session, place: &Place) {
    let driven = session.driven();
    let vehicle = &driven.vehicle;
    let Some(sweep) = vehicle.model().params().probe.sweep() else {
        return;
    };
    for wheel in 0..vehicle.model().wheel_count() {
        let report = vehicle.wheel_report(wheel);
        let pose = vehicle.wheel_pose(wheel);
        let center = place.rotation * (pose.position - driven.car.center_of_mass());
        let middle = near(place.position, center);
        for angle in [sweep.policy.point_angle, sweep.policy.normal_angle] {
            let high = 0.4;
            overlay.cone(
                middle,
                report.probe_direction,
                high * angle.min(1.4).tan(),
                high,
                CONE,
            );
        }
    }
}

/// Every hit of swept wheels with its normal: on some the library lets them stand, others it refuses.
fn hits(overlay: &mut Overlay, session: &Session, place: &Place) {
    let vehicle = &session.driven().vehicle;
    let (Some(_), Some(query), Ok(body)) = (
        vehicle.model().params().probe.sweep(),
        session.world().sweeps(),
        session.body(),
    ) else {
        return;
    };
    phases::examine_sweeps(vehicle, &body, query, &mut |_, hit, stands| {
        let at = near(place.position, hit.point);
        let color = if stands { TAKEN } else { REFUSED };
        overlay.disc(at, hit.ground.normal, 0.05, color);
        overlay.line(at, at + hit.ground.normal * 0.3, 0.02, color);
    });
}
