//! Worlds of Jolt with the bodies of cars.

use glam::{Quat, Vec3};
use jounce::file::Car;
use jounce::jolt::LayerUse;
use jounce::jolt::query::SURFACE;
use oxijolt::{
    BodyId, BodySettings, BroadPhaseLayer, CollisionLayers, HeightFieldSettings, Inertia,
    ObjectLayer, PhysicsWorld, Shape, ShapeError, WheelSettings, WorldSettings,
};

use crate::course::{CELL, CELLS, CourseGround, hills, start};
use crate::ours::DOWN;

const GROUND: ObjectLayer = ObjectLayer::new(0);
const CARS: ObjectLayer = ObjectLayer::new(1);
/// Layer of the rays of Jolt's own wheels; no body is in it.
pub(crate) const RAYS: ObjectLayer = ObjectLayer::new(2);
/// Use of bodies to our wheels.
pub(crate) const USES: [(ObjectLayer, LayerUse); 2] = [
    (GROUND, LayerUse::Ground(u32::MAX)),
    (CARS, LayerUse::Vehicles(u32::MAX)),
];

/// Half a side of the plane (`m`).
const REACH: f32 = 1000.0;
/// Friction of the ground that gives, with the peak of Jolt's tires, the friction of 1 of our tires: Jolt takes the root of the
/// product.
const FRICTION: f32 = 1.0 / WheelSettings::DEFAULT_LATERAL_FRICTION[1].1;

/// Layers in which rays alone meet the ground, and nothing collides: the vehicles alone are timed.
fn layers() -> CollisionLayers {
    let mut layers = CollisionLayers::new(2);
    let (fixed, moving) = (BroadPhaseLayer::NON_MOVING, BroadPhaseLayer::MOVING);
    for phase in [fixed, moving, moving] {
        layers.add_object_layer(phase);
    }
    layers.enable_collision(GROUND, RAYS);
    layers
}

fn ground_shape(ground: CourseGround) -> Result<Shape, ShapeError> {
    match ground {
        CourseGround::Plane => Shape::new_plane(Vec3::Z.into(), 0.0, REACH),
        CourseGround::HeightField => {
            let (cell, corner) = (CELL as f32, -0.5 * (CELL * CELLS as f64) as f32);
            let settings = HeightFieldSettings::default()
                .offset(Vec3::new(corner, 0.0, corner).into())
                .scale(Vec3::new(cell, 1.0, cell).into());
            Shape::new_height_field(CELLS as u32 + 1, hills().heights(), &settings)
        }
        CourseGround::Mesh => {
            let triangles = hills().triangles();
            let points = triangles
                .vertices
                .iter()
                .map(|point| point.as_vec3().into());
            let (mesh, _) = Shape::new_mesh(&points.collect::<Vec<_>>(), &triangles.corners)?;
            Ok(mesh)
        }
    }
}

fn add_ground(physics: &mut PhysicsWorld, ground: CourseGround) {
    let settings = BodySettings::new_static()
        .object_layer(GROUND)
        .friction(FRICTION);
    let settings = match ground {
        CourseGround::Plane => settings,
        // Jolt's heights are along y, its rows along z: its z becomes x, its x becomes y, its y becomes z.
        CourseGround::HeightField => settings
            .rotation(Quat::from_xyzw(0.5, 0.5, 0.5, 0.5).into())
            .user_data(SURFACE),
        CourseGround::Mesh => settings.user_data(SURFACE),
    };
    let shape = ground_shape(ground).expect("a valid shape");
    let added = physics.create_body(&shape, &settings);
    added.expect("there is room");
}

/// Center of mass of a car's body from its origin, the center of its hull (`m`).
pub(crate) fn center_of_mass(car: &Car) -> Vec3 {
    car.center_of_mass() - car.hull.center
}

/// A world with the bodies of `count` cars, each with its hull, modeled like the vehicle.
pub(crate) fn world(ground: CourseGround, car: &Car, count: usize) -> (PhysicsWorld, Vec<BodyId>) {
    let settings = WorldSettings::default()
        // Jobs run on the calling thread, whose time is taken.
        .single_threaded()
        .gravity(DOWN.into())
        .max_bodies(count as u32 + 1)
        .layers(layers());
    let mut physics = PhysicsWorld::new(settings).expect("valid settings");
    add_ground(&mut physics, ground);
    let hull = Shape::new_box((0.5 * car.hull.size).into()).expect("a valid box");
    let center = center_of_mass(car);
    let hull = Shape::new_offset_center_of_mass(&hull, center.into()).expect("within the hull");
    let inertia = Inertia::Tensor(car.inertia().to_cols_array_2d());
    let chassis = BodySettings::new_dynamic()
        .object_layer(CARS)
        .mass_and_inertia(car.mass(), inertia)
        // Who stands takes as long as who drives.
        .allow_sleeping(false);
    let add = |n: usize| {
        let (place, speed) = start(n, count);
        let place = place.with_z(ground.height(place.x, place.y) + car.ride_height());
        let settings = (chassis.clone())
            .position((place - center.as_dvec3()).into())
            .linear_velocity((Vec3::X * speed).into());
        let body = physics.create_body(&hull, &settings);
        body.expect("there is room")
    };
    let bodies = (0..count).map(add).collect();
    physics.optimize_broad_phase();
    (physics, bodies)
}
