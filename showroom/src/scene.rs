//! Drawing: light shading that a processor can do, from what the library reports.

mod shaders;
mod mesh;
mod body;
mod shade;
mod tile;
mod land;
mod overlay;

use glam::{DVec3, Mat4, Quat, Vec3, Vec4};
use jounce::file::Car;
use proving_ground::course::DrivingCourse;
use proving_ground::session::Session;
use proving_ground::world::PLATFORM_HALF;
use three_d::{ClearState, Context, CoreError, RenderTarget, Viewport};

use crate::camera::Follower;
use crate::fleet::FleetShow;
use crate::levels;
use crate::sim::{Moving, Place, Shape};
use land::Land;
use mesh::{MeshData, Solid, SolidMesh};
pub use overlay::{Overlay, Trails};
use shade::Shade;

/// Colors of the sky and of the sun.
const SKY: Vec3 = Vec3::new(0.71, 0.80, 0.88);
/// Direction to the sun.
pub const SUN: Vec3 = Vec3::new(-0.424, 0.424, 0.8);

/// A ghost nearer to the car than this (`m`) would only flicker through its faces.
const APART: f64 = 0.02;

/// A vehicle's meshes, made once for each car.
struct VehicleMeshes {
    /// Name of the vehicle from which the meshes were made.
    name: String,
    hull: [Vec3; 2],
    body: SolidMesh,
    /// The body with few triangles, for cars that are far away.
    far: SolidMesh,
    /// Wheels, one mesh each: tire and rim, of the wheel's own size.
    wheels: Vec<SolidMesh>,
}

/// Everything that is drawn, on the graphics card.
pub struct Scene {
    context: Context,
    solid: Solid,
    land: Option<Land>,
    car: Option<VehicleMeshes>,
    trailer: Option<VehicleMeshes>,
    cube: SolidMesh,
    overlay: overlay::OverlayPainter,
}

impl core::fmt::Debug for Scene {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scene").finish_non_exhaustive()
    }
}

/// Contents of a picture.
#[derive(Debug)]
pub struct Picture<'a> {
    /// The session.
    pub session: &'a Session,
    /// Poses of everything that moves.
    pub moving: &'a Moving,
    /// Camera.
    pub camera: &'a Follower,
    /// Arrows, lines, marks and dust.
    pub overlay: &'a Overlay,
    /// Fleet to draw instead of the session's car.
    pub fleet: Option<&'a FleetShow>,
    /// Whether cars of the fleet are painted by their levels of detail.
    pub levels: bool,
    /// Part of the screen that the picture fills (pixels).
    pub viewport: Viewport,
}

impl Picture<'_> {
    fn course(&self) -> &DrivingCourse {
        self.fleet.map_or(self.session.course(), FleetShow::course)
    }

    /// The shadow of the car; none of a fleet.
    fn shade(&self) -> Option<Shade> {
        let place = self.moving.car.places.first();
        let place = place.filter(|_| self.fleet.is_none())?;
        let ground = self.course().terrain.height(place.position.truncate());
        let high = ground.map_or(0.0, |ground| place.position.z - ground);
        Some(Shade::of(&self.session.driven().car, place, high as f32))
    }
}

/// Drawing does not fail.
fn done(draw: impl FnOnce()) -> Result<(), CoreError> {
    draw();
    Ok(())
}

impl Scene {
    /// Prepares an empty scene.
    ///
    /// # Errors
    /// If the shaders do not compile.
    pub fn new(context: &Context) -> Result<Self, CoreError> {
        Ok(Self {
            context: context.clone(),
            solid: Solid::new(context)?,
            land: None,
            car: None,
            trailer: None,
            cube: MeshData::cuboid(Vec3::ONE, Vec3::ONE).upload(context),
            overlay: overlay::OverlayPainter::new(context)?,
        })
    }

    /// Draws a picture.
    ///
    /// # Errors
    /// If the graphics card refuses.
    pub fn draw(
        &mut self,
        target: &RenderTarget<'_>,
        picture: &Picture<'_>,
    ) -> Result<(), CoreError> {
        self.prepare(picture)?;
        let viewport = picture.viewport;
        let view = picture
            .camera
            .matrix(viewport.width as f32 / viewport.height.max(1) as f32);
        target.clear(ClearState::color_and_depth(SKY.x, SKY.y, SKY.z, 1.0, 1.0));
        let eye = picture.camera.eye.as_vec3();
        let pen = Pen {
            solid: &self.solid,
            viewport,
            view,
            eye,
        };
        // What hides the ground comes first: hidden pixels cost nothing.
        target.write(|| done(|| self.paint(&pen, picture)))?;
        if let Some(land) = &self.land {
            target.write(|| done(|| land.draw(viewport, view, eye)))?;
            if let Some(shade) = picture.shade()
                && let Some(frame) = shade.frame(viewport, view)
            {
                let darken = || done(|| land.darken(viewport, view, eye, &shade));
                target.write_partially(frame, darken)?;
            }
        }
        if picture.fleet.is_none() {
            target.write(|| done(|| self.paint_over(&pen, picture)))?;
        }
        Ok(())
    }

    /// Makes the meshes of a course or a car that has not been drawn yet.
    fn prepare(&mut self, picture: &Picture<'_>) -> Result<(), CoreError> {
        let course = picture.course();
        if self
            .land
            .as_ref()
            .is_none_or(|land| land.name != course.name)
        {
            self.land = Some(Land::new(&self.context, course)?);
        }
        let driven = picture.session.driven();
        renew(&self.context, &mut self.car, Some(&driven.car));
        renew(
            &self.context,
            &mut self.trailer,
            picture.session.trailer().map(|towed| &towed.car),
        );
        Ok(())
    }

    fn paint(&self, pen: &Pen<'_>, picture: &Picture<'_>) {
        let moving = picture.moving;
        if let Some(fleet) = picture.fleet {
            if let Some(meshes) = &self.car {
                pen.fleet(meshes, fleet, picture.levels);
            }
            return;
        }
        if let Some(meshes) = &self.car {
            pen.vehicle(meshes, &moving.car, Vec4::ONE);
        }
        if let Some(meshes) = &self.trailer {
            pen.vehicle(meshes, &moving.trailer, Vec4::ONE);
        }
        self.paint_things(pen, picture);
    }

    /// Draws transparent things: the ghost where its position differs from the car's, arrows, marks, dust.
    fn paint_over(&self, pen: &Pen<'_>, picture: &Picture<'_>) {
        let [car, ghost] = [&picture.moving.car, &picture.moving.ghost]
            .map(|shape| shape.places.first().map(|chassis| chassis.position));
        let apart = car
            .zip(ghost)
            .is_some_and(|(car, ghost)| car.distance(ghost) > APART);
        if let Some(meshes) = self.car.as_ref().filter(|_| apart) {
            let ghostly = Vec4::new(0.45, 0.75, 1.0, 0.35);
            pen.vehicle(meshes, &picture.moving.ghost, ghostly);
        }
        self.overlay.draw(pen.viewport, pen.view, picture.overlay);
    }

    fn paint_things(&self, pen: &Pen<'_>, picture: &Picture<'_>) {
        let boxes = picture
            .session
            .course()
            .boxes
            .iter()
            .zip(&picture.moving.boxes.places);
        let boxes = boxes.filter_map(|(made, place)| {
            let hull = made.hull.as_ref()?;
            let at = pose(place) * Mat4::from_translation(hull.center);
            Some((
                at * Mat4::from_scale(hull.half_extents),
                Vec4::new(0.80, 0.62, 0.38, 1.0),
            ))
        });
        pen.draw(&self.cube, &boxes.collect::<Vec<_>>());
        let slab = PLATFORM_HALF;
        let slabs = picture.moving.platforms.places.iter().map(|place| {
            let below = Mat4::from_translation(Vec3::NEG_Z * slab.z);
            (
                pose(place) * below * Mat4::from_scale(slab),
                Vec4::new(0.55, 0.57, 0.62, 1.0),
            )
        });
        pen.draw(&self.cube, &slabs.collect::<Vec<_>>());
    }
}

/// Makes a vehicle's meshes if they are another's.
fn renew(context: &Context, meshes: &mut Option<VehicleMeshes>, car: Option<&Car>) {
    let Some(car) = car else {
        *meshes = None;
        return;
    };
    let hull = [car.hull.size, car.hull.center];
    let same = |old: &VehicleMeshes| old.name == car.name && old.hull == hull;
    if !meshes.as_ref().is_some_and(same) {
        *meshes = Some(VehicleMeshes {
            name: car.name.clone(),
            hull,
            body: body::body(car, body::STATIONS).upload(context),
            far: body::body(car, body::FAR_STATIONS).upload(context),
            wheels: body::wheels(car)
                .into_iter()
                .map(|wheel| wheel.upload(context))
                .collect(),
        });
    }
}

/// Whether any part of a sphere may be visible.
fn in_sight(view: Mat4, center: Vec3, radius: f32) -> bool {
    let rows = [view.row(0), view.row(1), view.row(3)];
    let [x, y, w] = rows;
    [w + x, w - x, w + y, w - y].into_iter().all(|plane| {
        let normal = plane.truncate();
        normal.dot(center) + plane.w > -radius * normal.length()
    })
}

/// A pose as a matrix.
fn pose(place: &Place) -> Mat4 {
    Mat4::from_rotation_translation(place.rotation, place.position.as_vec3())
}

/// Draws solid things of one picture.
struct Pen<'a> {
    solid: &'a Solid,
    viewport: Viewport,
    view: Mat4,
    eye: Vec3,
}

impl Pen<'_> {
    fn draw(&self, mesh: &SolidMesh, instances: &[(Mat4, Vec4)]) {
        self.solid
            .draw(mesh, instances, (self.viewport, self.view, self.eye));
    }

    /// Many vehicles of one model; those far away are coarse, and have no wheels.
    fn fleet(&self, meshes: &VehicleMeshes, fleet: &FleetShow, levels: bool) {
        let reach = 0.5 * meshes.hull[0].length();
        let sight = |at: DVec3| in_sight(self.view, at.as_vec3(), reach);
        let shapes = fleet.shapes(self.eye.as_dvec3(), sight);
        let tint = |rung: usize| match levels::paint(rung).filter(|_| levels) {
            Some(paint) => (paint / body::PAINT.truncate()).extend(1.0),
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
        for (n, mesh) in meshes.wheels.iter().enumerate() {
            let wheels = near.iter().filter_map(|(_, shape)| shape.places.get(n + 1));
            let wheels = wheels.map(|place| (pose(place), Vec4::ONE));
            self.draw(mesh, &wheels.collect::<Vec<_>>());
        }
    }

    fn vehicle(&self, meshes: &VehicleMeshes, shape: &Shape, tint: Vec4) {
        let Some((chassis, wheels)) = shape.places.split_first() else {
            return;
        };
        self.draw(&meshes.body, &[(pose(chassis), tint)]);
        for (mesh, wheel) in meshes.wheels.iter().zip(wheels) {
            self.draw(mesh, &[(pose(wheel), tint)]);
        }
    }
}

/// A rotation that turns x to this direction.
pub(crate) fn turned_to(direction: Vec3) -> Quat {
    Quat::from_rotation_arc(Vec3::X, direction.normalize_or(Vec3::X))
}

/// A point near a position (`m`, world).
pub(crate) fn near(place: DVec3, offset: Vec3) -> Vec3 {
    (place + offset.as_dvec3()).as_vec3()
}
