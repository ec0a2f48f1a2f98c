//! Tables of the chassis: integration, sprung masses, and changes with mass.

use glam::{Mat3, Vec3};
use jounce::core::VehicleParams;
use jounce::core::internals::chassis::Chassis;
use jounce::core::params::WheelParams;
use jounce::core::rigid_bodies::BodyState;
use jounce::core::sprung_mass;

use super::suspension::{four_wheeler, wheels_of};
use super::{Outputs, all, one, vector, yes};
use crate::row::Row;
use proving_ground::scenario as axes;

pub(crate) fn integrate(row: &Row<'_>) -> Option<Outputs> {
    let inverse_inertia = row.vector("inv_inertia");
    let (linear, angular) = (row.vector("lin_vel"), row.vector("ang_vel"));
    let body = BodyState {
        position: glam::DVec3::ZERO,
        rotation: row.rotation("quat"),
        linear_velocity: linear,
        angular_velocity: angular,
        mass: 1.0 / row.number("inv_mass"),
        inverse_inertia: Mat3::from_diagonal(inverse_inertia),
        locked_axes: jounce::core::LockedAxes::NONE,
        linear_damping: 0.0,
        angular_damping: 0.0,
        asleep: false,
    };
    let mut chassis = Chassis::new(&body, linear, angular);
    // The table's force and torque are in world axes, the chassis takes its own.
    let force = chassis.to_vehicle(row.vector("force"));
    let torque = chassis.to_vehicle(row.vector("torque"));
    let dt = row.number("dt");
    chassis.push(force.extend(0.0), torque.extend(0.0), dt);
    chassis.drift(dt);
    let velocity = chassis.velocity.truncated();
    Some(vec![
        ("out_pos", vector(row.vector("pos") + chassis.moved)),
        ("out_quat", all(axes::rotation_to_physx(chassis.rotation))),
        ("out_lin_vel", vector(velocity.linear)),
        ("out_ang_vel", vector(velocity.angular)),
    ])
}

pub(crate) fn sprung_masses(row: &Row<'_>) -> Option<Outputs> {
    row.ignore("n");
    let points: Vec<Vec3> = row
        .list("coords_xyz")
        .chunks(3)
        .map(|p| axes::from_physx([p[0], p[1], p[2]]))
        .collect();
    let mut up = [0.0; 3];
    up[row.count("gravity_dir") as usize] = 1.0;
    let (center, mass) = (row.vector("com"), row.number("total_mass"));
    let masses = sprung_mass::sprung_masses(&points, center, mass, axes::from_physx(up));
    if row.flag("error") {
        return None;
    }
    let masses = masses.expect("PhysX finds sprung masses");
    Some(vec![("out_sprung_masses", all(masses))])
}

pub(crate) fn suspension_mass(row: &Row<'_>) -> Option<Outputs> {
    let mut suspension = four_wheeler(|_| ()).wheels[0].suspension;
    suspension.stiffness = row.number("spring");
    suspension.damping = row.number("damper").into();
    suspension.sprung_mass = row.number("sprung_mass");
    let changed = suspension.with_sprung_mass_as_physx(row.number("new_mass"));
    Some(vec![
        ("out_spring", one(changed.stiffness)),
        ("out_sprung_mass", one(changed.sprung_mass)),
        ("out_damper", one(changed.damping.bump.rate)),
    ])
}

/// Recorded values of each wheel, relative to the center of mass.
fn recorded(params: &VehicleParams) -> Outputs {
    let every = |f: &dyn Fn(&WheelParams) -> Vec<f64>| params.wheels.iter().flat_map(f).collect();
    let from = |point: Vec3| vector(params.from_center_of_mass(point));
    vec![
        ("after.spring", every(&|w| one(w.suspension.stiffness))),
        (
            "after.damper",
            every(&|w| one(w.suspension.damping.bump.rate)),
        ),
        (
            "after.sprung_mass",
            every(&|w| one(w.suspension.sprung_mass)),
        ),
        (
            "after.tire_rest_load_kg",
            every(&|w| one(w.suspension.sprung_mass + w.mass)),
        ),
        ("after.wheel_centre", every(&|w| from(w.position))),
        (
            "after.susp_app",
            every(&|w| from(w.suspension.application_point)),
        ),
        ("after.tire_app", every(&|w| from(w.tire.application_point))),
        ("after.disabled", every(&|w| yes(!w.enabled))),
    ]
}

pub(crate) fn set_chassis_mass(row: &Row<'_>) -> Option<Outputs> {
    let mut params = wheels_of(&row.objects("before"), row.number("old_mass"));
    params.set_chassis_mass(row.number("new_mass"));
    Some(recorded(&params))
}

pub(crate) fn move_center_of_mass(row: &Row<'_>) -> Option<Outputs> {
    let mut params = wheels_of(&row.objects("before"), row.number("mass"));
    let shift = row.vector("new_cm") - row.vector("old_cm");
    params
        .move_center_of_mass(shift)
        .expect("PhysX finds sprung masses");
    Some(recorded(&params))
}
