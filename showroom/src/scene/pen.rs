//! Vehicles on the graphics card, and the pen that draws them and other solids.

use glam::{DVec3, Mat4, Vec3, Vec4};
use jounce::file::Car;
use three_d::{Context, Viewport};

use super::body::{self, LAMPS, Lit};
use super::look::Fine;
use super::mesh::{Solid, SolidMesh};
use super::{in_sight, pose};
use crate::fleet::FleetShow;
use crate::levels;
use crate::sim::Shape;

/// A vehicle's meshes, made once for each car.
pub(super) struct VehicleMeshes {
    /// Name of the vehicle from which the meshes were made.
    name: String,
    hull: [Vec3; 2],
    /// Color that most of the body has.
    paint: Vec4,
    body: SolidMesh,
    /// The body with few triangles, for cars that are far away.
    far: SolidMesh,
    /// Lamps, in the order of [`LAMPS`].
    lamps: [SolidMesh; LAMPS.len()],
    /// Wheels, one mesh each: tire and rim, of the wheel's own size.
    wheels: Vec<SolidMesh>,
}

/// Makes a vehicle's meshes if they are another's.
pub(super) fn renew(context: &Context, meshes: &mut Option<VehicleMeshes>, car: Option<&Car>) {
    let Some(car) = car else {
        *meshes = None;
        return;
    };
    let hull = [car.hull.size, car.hull.center];
    let same = |old: &VehicleMeshes| old.name == car.name && old.hull == hull;
    if !meshes.as_ref().is_some_and(same) {
        let shape = body::shape(car);
        *meshes = Some(VehicleMeshes {
            name: car.name.clone(),
            hull,
            paint: shape.paint,
            body: shape.body.upload(context),
            far: shape.far.upload(context),
            lamps: shape.lamps.map(|lamp| lamp.upload(context)),
            wheels: body::wheels(car)
                .into_iter()
                .map(|wheel| wheel.upload(context))
                .collect(),
        });
    }
}

/// Draws solid things of one picture.
pub(super) struct Pen<'a> {
    pub(super) solid: &'a Solid,
    pub(super) viewport: Viewport,
    pub(super) view: Mat4,
    pub(super) eye: Vec3,
    /// Shadows that fall on them.
    pub(super) fine: Option<&'a Fine>,
    /// Whether they are drawn into the shadow map.
    pub(super) casting: bool,
}

impl Pen<'_> {
    pub(super) fn draw(&self, mesh: &SolidMesh, instances: &[(Mat4, Vec4)]) {
        if self.casting {
            self.solid.cast(mesh, instances, (self.viewport, self.view));
            return;
        }
        let seen = (self.viewport, self.view, self.eye);
        self.solid.draw(mesh, instances, seen, self.fine);
    }

    /// Many vehicles of one model; those far away are coarse, and have no wheels.
    pub(super) fn fleet(&self, meshes: &VehicleMeshes, fleet: &FleetShow, levels: bool) {
        let reach = 0.5 * meshes.hull[0].length();
        let sight = |at: DVec3| in_sight(self.view, at.as_vec3(), reach);
        let shapes = fleet.shapes(self.eye.as_dvec3(), sight);
        let tint = |rung: usize| match levels::paint(rung).filter(|_| levels) {
            Some(paint) => (paint / meshes.paint.truncate()).extend(1.0),
            None => Vec4::ONE,
        };
        let (far, near): (Vec<_>, Vec<_>) = shapes
            .iter()
            .partition(|(_, shape)| shape.places.len() == 1);
        for (mesh, shapes) in [(&meshes.body, &near), (&meshes.far, &far)] {
            let bodies = shapes.iter();
            let bodies = bodies.map(|(rung, shape)| (pose(&shape.places[0]), tint(*rung)));
            self.draw(mesh, &bodies.collect::<Vec<_>>());
        }
        for (mesh, lamp) in meshes.lamps.iter().zip(LAMPS) {
            let tint = Lit::default().tint(lamp);
            let lamps = near.iter().map(|(_, shape)| (pose(&shape.places[0]), tint));
            self.draw(mesh, &lamps.collect::<Vec<_>>());
        }
        for (n, mesh) in meshes.wheels.iter().enumerate() {
            let wheels = near.iter().filter_map(|(_, shape)| shape.places.get(n + 1));
            let wheels = wheels.map(|place| (pose(place), Vec4::ONE));
            self.draw(mesh, &wheels.collect::<Vec<_>>());
        }
    }

    pub(super) fn vehicle(&self, meshes: &VehicleMeshes, shape: &Shape, tint: Vec4, lit: &Lit) {
        let Some((chassis, wheels)) = shape.places.split_first() else {
            return;
        };
        self.draw(&meshes.body, &[(pose(chassis), tint)]);
        for (mesh, lamp) in meshes.lamps.iter().zip(LAMPS) {
            self.draw(mesh, &[(pose(chassis), tint * lit.tint(lamp))]);
        }
        for (mesh, wheel) in meshes.wheels.iter().zip(wheels) {
            self.draw(mesh, &[(pose(wheel), tint)]);
        }
    }
}
