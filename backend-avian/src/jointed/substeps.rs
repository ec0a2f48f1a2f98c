//! Jointed wheels in Avian's steps: the axes of their friction, and the rows of their joints in each substep.

use avian3d::dynamics::solver::constraint_graph::ConstraintGraph;
use avian3d::dynamics::solver::contact::{ContactConstraint, ContactTangentPart};
use avian3d::dynamics::solver::solver_body::{
    SolverBodies, SolverBody, SolverBodyIndex, SolverBodyInertia,
};
use avian3d::prelude::{ComputedCenterOfMass, Position, Rotation};
use bevy::prelude::{Component, Entity, Query, Res, ResMut, Resource, With};
use bevy::time::Time;
use glam::{Quat, Vec3};
use jointed_wheels::rows::{Ends, ImpulseRow, JointStrut, Mover, WHEEL_ROWS};
use vehicle_core::math;

/// Iterations over all wheels between two solutions of the contacts.
const ITERATIONS: usize = 4;

/// A wheel on its joint.
#[derive(Component, Clone, Debug)]
pub struct JointedWheel {
    pub(super) chassis: Entity,
    /// Mount of the wheel from the chassis' center of mass, and with `upright` the direction of its travel, in the axes of the
    /// chassis' body.
    pub(super) position: Vec3,
    pub(super) upright: Quat,
    pub(super) steer: f32,
    pub(super) strut: JointStrut,
    pub(super) impulses: [f32; WHEEL_ROWS],
}

impl JointedWheel {
    /// Frame of the joint on the chassis, in the axes of that body.
    pub(super) fn frame(&self) -> Quat {
        math::compose(self.upright, math::rotation_about(Vec3::Z, self.steer))
    }
}

/// Rows of the present substep.
#[derive(Resource, Default)]
pub(super) struct Struts(Vec<(Entity, [ImpulseRow; WHEEL_ROWS])>);

/// All bodies of the solver as rows know them.
fn movers(bodies: &SolverBodies) -> Vec<Option<Mover>> {
    let all = bodies.bodies().iter().zip(bodies.inertias());
    all.map(|(body, inertia)| Some(mover(body, inertia)))
        .collect()
}

fn mover(body: &SolverBody, inertia: &SolverBodyInertia) -> Mover {
    Mover {
        linear: body.linear_velocity,
        angular: body.angular_velocity,
        inverse_mass: inertia.effective_inv_mass().max_element(),
        inverse_inertia: inertia.effective_inv_angular_inertia().to_mat3(),
    }
}

/// Gives the bodies the velocities of `movers`.
fn follow(bodies: &mut SolverBodies, movers: &[Option<Mover>]) {
    for (body, mover) in bodies.bodies_mut().iter_mut().zip(movers) {
        if let Some(mover) = mover {
            body.linear_velocity = mover.linear;
            body.angular_velocity = mover.angular;
        }
    }
}

/// Components with the pose of a body of the solver.
type Placed = (
    &'static SolverBodyIndex,
    &'static Position,
    &'static Rotation,
    &'static ComputedCenterOfMass,
);

/// Center of mass and rotation of a body in this substep.
fn pose(
    (index, position, rotation, center): (
        &SolverBodyIndex,
        &Position,
        &Rotation,
        &ComputedCenterOfMass,
    ),
    bodies: &SolverBodies,
) -> Option<(usize, Vec3, Quat)> {
    let body = bodies.get(*index)?;
    let place = position.0 + rotation.0 * center.0 + body.delta_position;
    Some((
        index.0 as usize,
        place,
        math::compose(body.delta_rotation, rotation.0),
    ))
}

/// Makes the rows of a substep, with the impulses of the last one, and solves them.
pub(super) fn start(
    time: Res<Time>,
    mut struts: ResMut<Struts>,
    mut bodies: ResMut<SolverBodies>,
    wheels: Query<(Entity, &JointedWheel)>,
    placed: Query<Placed>,
) {
    struts.0.clear();
    if wheels.is_empty() {
        return;
    }
    let (mut movers, h) = (movers(&bodies), time.delta_secs());
    for (entity, wheel) in &wheels {
        let pose = |entity| pose(placed.get(entity).ok()?, &bodies);
        let (Some(held), Some(base)) = (pose(entity), pose(wheel.chassis)) else {
            continue;
        };
        let arm = base.2 * wheel.position;
        let apart = held.1 - base.1;
        let ends = Ends {
            movers: &movers,
            bodies: [Some(held.0), Some(base.0)],
            arms: [Vec3::ZERO, apart],
            h,
        };
        let axes = math::matrix(math::compose(base.2, wheel.frame()));
        let axle = held.2 * Vec3::Y;
        let mut rows = ends.strut(&wheel.strut, apart - arm, &axes, axle);
        for (row, impulse) in rows.iter_mut().zip(wheel.impulses) {
            row.warm_start(&mut movers, impulse);
        }
        struts.0.push((entity, rows));
    }
    solve(&mut struts, &mut movers, false);
    follow(&mut bodies, &movers);
}

fn solve(struts: &mut Struts, movers: &mut [Option<Mover>], relax: bool) {
    for _ in 0..ITERATIONS {
        let rows = struts.0.iter_mut().flat_map(|(_, rows)| rows);
        rows.for_each(|row| row.solve(movers, relax));
    }
}

/// Solves the rows again without pushing, and keeps their impulses; the motors' rotors follow.
pub(super) fn relax(
    time: Res<Time>,
    mut struts: ResMut<Struts>,
    mut bodies: ResMut<SolverBodies>,
    mut wheels: Query<&mut JointedWheel>,
) {
    if struts.0.is_empty() {
        return;
    }
    let mut movers = movers(&bodies);
    solve(&mut struts, &mut movers, true);
    follow(&mut bodies, &movers);
    for (entity, rows) in &struts.0 {
        if let Ok(mut wheel) = wheels.get_mut(*entity) {
            wheel.impulses = rows.each_ref().map(|row| row.impulse);
            let [.., motor] = rows;
            let spin = motor.speed(&movers);
            wheel.strut.motor.follow(spin, time.delta_secs());
        }
    }
}

/// Lets friction on wheels act along their treads and across.
///
/// Avian keeps friction from step to step in two axes: along the contact's velocity, and across. Of a
/// wheel that stands or rolls, that velocity is noise.
pub(super) fn turn_friction(
    bodies: Res<SolverBodies>,
    mut contacts: ResMut<ConstraintGraph>,
    wheels: Query<&Rotation, With<JointedWheel>>,
) {
    if wheels.is_empty() {
        return;
    }
    let contacts = contacts.colors.iter_mut();
    for contact in contacts.flat_map(|color| &mut color.contact_constraints) {
        let ends = [contact.body_index1, contact.body_index2];
        let entities = ends.into_iter().filter_map(|end| bodies.get_entity(end));
        let Some(wheel) = entities.filter_map(|body| wheels.get(body).ok()).next() else {
            continue;
        };
        let along = math::unit_or_zero((wheel.0 * Vec3::Y).cross(contact.normal));
        if along != Vec3::ZERO {
            turn_axes(contact, along, &bodies);
        }
    }
}

/// Gives a contact's friction other axes, of which the first is `along`.
fn turn_axes(contact: &mut ContactConstraint, along: Vec3, bodies: &SolverBodies) {
    // A body that dominates the other does not feel it.
    let inertia = |body, dominance: i16| {
        let felt = bodies.get_inertia(body).filter(|_| dominance <= 0);
        felt.unwrap_or(&SolverBodyInertia::DUMMY)
    };
    let dominance = contact.relative_dominance;
    let first = inertia(contact.body_index1, dominance);
    let second = inertia(contact.body_index2, -dominance);
    contact.tangent1 = along;
    let axes = contact.tangent_directions();
    for point in &mut contact.points {
        if let Some(friction) = &mut point.tangent_part {
            *friction = ContactTangentPart::generate(
                first.effective_inv_mass() + second.effective_inv_mass(),
                &first.effective_inv_angular_inertia(),
                &second.effective_inv_angular_inertia(),
                point.anchor1,
                point.anchor2,
                axes,
                Some(friction.impulse),
            );
        }
    }
}
