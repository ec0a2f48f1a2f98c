//! Worlds of Rapier with the bodies of cars, also for `benches/instructions.rs`.

use jounce::core::Frame;
use jounce::file::Car;
use jounce::rapier::{RapierLink, index_colliders, set_mass_properties};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;

use crate::course::{CELL, CELLS, CourseGround, DT, GRAVITY, heights_by_x, hills, start};

/// The body is modeled like the vehicle.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;

fn ground_shape(ground: CourseGround) -> ColliderBuilder {
    match ground {
        CourseGround::Plane => ColliderBuilder::new(SharedShape::halfspace(Vector::Z)),
        CourseGround::HeightField => {
            let side = CELLS + 1;
            // Column by column; Parry's rows run along its z, its heights along its y.
            let heights = Array2::new(side, side, heights_by_x());
            let extent = (CELL * CELLS as f64) as f32;
            let shape = SharedShape::heightfield(heights, Vector::new(extent, 1.0, extent));
            // Its z becomes x, its x becomes y, its y becomes z.
            let turned = Rotation::from_xyzw(0.5, 0.5, 0.5, 0.5);
            ColliderBuilder::new(shape).position(Pose::from_parts(Vector::ZERO, turned))
        }
        CourseGround::Mesh => {
            let triangles = hills().triangles();
            let points = triangles.vertices.iter().map(|point| point.as_vec3());
            let mesh = SharedShape::trimesh(points.collect(), triangles.corners);
            ColliderBuilder::new(mesh.expect("a valid mesh"))
        }
    }
}

/// A world with the bodies of `count` cars, each with its hull.
pub(crate) fn world(
    ground: CourseGround,
    car: &Car,
    count: usize,
) -> (PhysicsWorld, RapierLink, Vec<RigidBodyHandle>) {
    let mut physics = PhysicsWorld::new();
    physics.gravity = Vector::Z * -GRAVITY;
    physics.integration_parameters.dt = DT;
    // Nothing collides: what is timed is the vehicles.
    let apart = InteractionGroups::new(Group::ALL, Group::NONE, InteractionTestMode::And);
    physics.insert_collider(ground_shape(ground).collision_groups(apart), None);
    let mut link = RapierLink::new(FRAME);
    let half = 0.5 * car.hull.size;
    let add = |n: usize| {
        let (place, speed) = start(n, count);
        let place = place.with_z(ground.height(place.x, place.y) + car.ride_height());
        let builder = RigidBodyBuilder::dynamic()
            .translation(place.as_vec3())
            .linvel(Vector::X * speed);
        let body = physics.insert_body(builder);
        let hull = ColliderBuilder::cuboid(half.x, half.y, half.z)
            .translation(car.hull.center - car.center_of_mass())
            .density(0.0)
            .collision_groups(apart);
        physics.insert_collider(hull, Some(body));
        let id = link.add_chassis(body, FRAME);
        let (bodies, colliders) = (&mut physics.bodies, &mut physics.colliders);
        set_mass_properties(
            bodies,
            colliders,
            id,
            &FRAME,
            car.mass(),
            car.inertia(),
            Vector::ZERO,
        )
        .expect("a dynamic body");
        body
    };
    let bodies = (0..count).map(add).collect();
    index_colliders(
        &physics.integration_parameters,
        &physics.bodies,
        &mut physics.colliders,
        &mut physics.broad_phase,
    );
    (physics, link, bodies)
}
